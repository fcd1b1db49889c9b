//! What code and host share beside the state: variables of the rules, lists and regions.

use kernel::MAX_NATIVE_WORDS;

use super::arrays::{ANYWHERE, FRAME_LENGTH, MOST_NOTED, PASSED, Service, Slot};
use crate::buffer::Buffer;
use crate::eval::Eval;
use crate::ir::{EvaluatedParts, ITERS, Moves};
use crate::limits::{MOVE_LIMIT, TURN_LIMIT};
use crate::state::{List, State, Turns};

/// Numbers and sets that the host lends to code.
pub(super) struct Memory {
    pub(super) frame: [i32; FRAME_LENGTH],
    pub(super) list: Buffer<i32>,
    /// Words of two sets, one after the other: what the evaluator has worked out, and the sites to be
    /// cleared when the turn ends.
    pub(super) scratch: [u64; 2 * MAX_NATIVE_WORDS],
}

impl Default for Memory {
    fn default() -> Memory {
        let scratch = [0; 2 * MAX_NATIVE_WORDS];
        Memory { frame: [0; FRAME_LENGTH], list: Buffer::new(), scratch }
    }
}

impl Memory {
    /// Takes over what code asks of the state and the variables of the rules.
    pub(super) fn begin(&mut self, state: &State, turns: Turns, variables: [i32; ITERS]) {
        self.frame.fill(0);
        self.list.clear();
        self.begin_new(state, turns, variables);
    }

    /// As [`Memory::begin`], in memory that has not been used.
    pub(super) fn begin_new(&mut self, state: &State, turns: Turns, variables: [i32; ITERS]) {
        self.frame[..ITERS].copy_from_slice(&variables);
        self.frame[Slot::Saved as usize..][..ITERS].fill(-1);
        self.take_head(state, turns);
        self.take_captured(state);
    }

    /// Takes over which sites are to be cleared when the turn ends.
    pub(super) fn take_captured(&mut self, state: &State) {
        let words = state.set_words();
        let captured = &mut self.scratch[words..2 * words];
        // Nearly always there are none, and there were none.
        for word in captured.iter_mut().filter(|word| **word != 0) {
            *word = 0;
        }
        for &site in state.list(List::ToClear) {
            if let Some(word) = captured.get_mut(usize::from(site) / 64) {
                *word |= 1 << (site % 64);
            }
        }
    }

    #[inline(always)]
    pub(super) fn slot(&mut self, slot: Slot) -> &mut i32 {
        &mut self.frame[slot as usize]
    }

    #[inline(always)]
    pub(super) fn get(&self, slot: Slot) -> i32 {
        self.frame[slot as usize]
    }

    /// Takes over what the state says of turns and the last move.
    pub(super) fn take_head(&mut self, state: &State, turns: Turns) {
        let head = &state.head;
        let record = &head.record;
        let numbers = [
            (Slot::Mover, i32::from(turns.mover)),
            (Slot::Next, i32::from(turns.next)),
            (Slot::Prev, i32::from(turns.prev)),
            (Slot::LastTo, i32::from(head.last_to)),
            (Slot::LastFrom, i32::from(head.last_from)),
            (Slot::LastToAfter, i32::from(record.to_after)),
            (Slot::LastFromAfter, i32::from(record.from_after)),
            (Slot::LevelTo, i32::from(record.level_to)),
            (Slot::LevelFrom, i32::from(record.level_from)),
            (Slot::Counter, head.counter),
            (Slot::Moves, head.moves as i32),
            (Slot::Turns, head.turn_number as i32),
            (Slot::MovesThisTurn, head.moves_this_turn as i32),
            (Slot::Active, head.active as i32),
            (Slot::Pips, record.pips),
            (Slot::HasPending, i32::from(head.pending_number.is_some())),
            (Slot::Pending, head.pending_number.unwrap_or(0)),
            (Slot::HasStalePieces, i32::from(!state.stale_pieces().is_empty())),
            (Slot::FromNow, i32::from(record.from_now)),
            (Slot::ToNow, i32::from(record.to_now)),
            (Slot::NamedNext, i32::from(record.named_next)),
            (Slot::Passed, i32::from(head.passed)),
            (Slot::AllEqual, i32::from(record.all_equal)),
            (Slot::Triggered, head.triggered as i32),
            (Slot::Stalemated, head.stalemated as i32),
            (Slot::Wanted, ANYWHERE),
        ];
        for (slot, number) in numbers {
            self.frame[slot as usize] = number;
        }
        self.take_limits(state);
    }

    /// Finds out for how many more moves no limit of playouts can be reached: each move may end a
    /// turn.
    pub(super) fn take_limits(&mut self, state: &State) {
        // Beside them, nobody and all of them have scores.
        let players = state.scores().len() - 2;
        let turns = TURN_LIMIT as i32 * players as i32 - self.get(Slot::Turns);
        let moves = MOVE_LIMIT as i32 - self.get(Slot::Moves);
        *self.slot(Slot::NotedEnd) = turns.min(moves).min(MOST_NOTED as i32);
    }

    /// Takes over what the state says where code plays on from it.
    pub(super) fn take_all(&mut self, state: &State) {
        self.take_head(state, state.head.turns);
        self.take_captured(state);
        self.take_phases(state);
        self.take_history(state);
    }

    /// Takes over who made the last two moves, and whether they were passes.
    pub(super) fn take_history(&mut self, state: &State) {
        let mut last = state
            .history
            .iter()
            .rev()
            .map(|&entry| i32::from(entry >> 1) + if entry & 1 != 0 { PASSED } else { 0 });
        *self.slot(Slot::NotedBefore) = last.next().unwrap_or(-1);
        *self.slot(Slot::NotedFirst) = last.next().unwrap_or(-1);
    }

    /// Takes over the phase of each player: there are often fewer than there is room for.
    pub(super) fn take_phases(&mut self, state: &State) {
        let players = state.scores().len() - 1;
        let phases = self.frame[Slot::Phase as usize..].iter_mut().zip(&state.head.phase);
        phases.take(players).for_each(|(to, &phase)| *to = i32::from(phase));
    }

    /// Lets the state say of turns, phases and the last move what code has made of them.
    pub(super) fn give_head(&self, state: &mut State) {
        let get = |slot: Slot| self.frame[slot as usize];
        let players = state.scores().len() - 1;
        let head = &mut state.head;
        let [mover, next, prev] = [Slot::Mover, Slot::Next, Slot::Prev].map(|s| get(s) as u8);
        head.turns = Turns { mover, next, prev };
        let phases = head.phase.iter_mut().zip(&self.frame[Slot::Phase as usize..]);
        phases.take(players).for_each(|(to, &phase)| *to = phase as u8);
        head.moves = get(Slot::Moves) as u32;
        head.turn_number = get(Slot::Turns) as u32;
        head.moves_this_turn = get(Slot::MovesThisTurn) as u32;
        head.stalemated = get(Slot::Stalemated) as u32;
        (head.last_from, head.last_to) = (get(Slot::LastFrom) as i16, get(Slot::LastTo) as i16);
        head.counter = get(Slot::Counter);
        head.triggered = get(Slot::Triggered) as u32;
        let pending = get(Slot::Pending);
        head.pending_number = (get(Slot::HasPending) != 0).then_some(pending);
        let record = &mut head.record;
        record.to_after = get(Slot::LastToAfter) as i16;
        record.from_after = get(Slot::LastFromAfter) as i16;
        record.level_to = get(Slot::LevelTo) as i16;
        record.level_from = get(Slot::LevelFrom) as i16;
        record.from_now = get(Slot::FromNow) as i16;
        record.to_now = get(Slot::ToNow) as i16;
        record.named_next = get(Slot::NamedNext) != 0;
        record.all_equal = get(Slot::AllEqual) != 0;
        record.pips = get(Slot::Pips);
    }

    /// Lets the evaluator know what is bound.
    pub(super) fn lend_variables(&self, eval: &mut Eval<'_>) {
        let mut variables = [0; ITERS];
        variables.copy_from_slice(&self.frame[..ITERS]);
        eval.set_variables(variables);
    }

    pub(super) fn take_back_variables(&mut self, eval: &Eval<'_>) {
        self.frame[..ITERS].copy_from_slice(&eval.variables());
    }

    /// Has the evaluator work out a part of the rules: a condition, a number, a region, a list, or
    /// the first of some generators that gives a move (the last one where none does).
    pub(super) fn answer(
        &mut self,
        eval: &mut Eval<'_>,
        parts: &EvaluatedParts,
        service: Service,
        at: usize,
    ) -> Option<i32> {
        self.lend_variables(eval);
        let value = match service {
            Service::Test => i32::from(eval.test(parts.bools.get(at)?)),
            Service::Int => eval.int(parts.ints.get(at)?),
            Service::Region => {
                let region = eval.region(parts.regions.get(at)?);
                let words = eval.state.set_words();
                self.scratch[..words].copy_from_slice(&region.words()[..words]);
                0
            }
            Service::List => {
                let numbers = eval.ints(parts.lists.get(at)?);
                let start = self.get(Slot::Listed) as usize;
                self.list.truncate(start);
                self.list.extend_from_slice(&numbers);
                *self.slot(Slot::Listed) = self.list.len() as i32;
                self.list.len() as i32
            }
            Service::First => {
                let Moves::Priority(list) = parts.moves.get(at)? else { return None };
                eval.first_with_moves(list) as i32
            }
            _ => return None,
        };
        self.take_back_variables(eval);
        *self.slot(Slot::Stalemated) = eval.stalemated as i32;
        Some(value)
    }
}

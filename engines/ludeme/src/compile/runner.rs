//! Plies of playouts in code: moves are gathered, and one of them is made.

use kernel::{Host, Loans};
use kernel::ir::{FunctionId, HostId, Ints, Sets};

use super::{BUDGET, MOST_ENTRIES, Program};
use super::acts::{OF_ACT, act};
use super::code::{
    ACTS, CELLS, FRAME, LIST, MOST_EXTRA, MOVES, SCRATCH, SERVICES, STATE, Service, Slot, TARGETS,
};
use super::found::Found;
use super::give::ENTRY;
use super::memory::Memory;
use crate::buffer::Buffer;
use crate::eval::{Act, Around, Eval, Mode};
use crate::game::Game;
use crate::ir::{Compiled, ITERS, Moves, Parts};
use crate::state::{List, State};

/// Memory for the moves of a ply and for actions that wait, used again from ply to ply.
#[derive(Default)]
pub(crate) struct Room {
    moves: Vec<i32>,
    /// Words of sets of destinations.
    targets: Vec<u64>,
    acts: Vec<i32>,
    /// Actions that the evaluator has found, and where those of each effect begin and end.
    found: Buffer<Act>,
    ranges: Vec<(u32, u32)>,
}

/// A ply that is played by code.
pub(crate) struct Runner<'a, const W: usize> {
    game: &'a Game<W>,
    program: &'a Program,
    compiled: &'a Compiled<Moves>,
    pub(crate) state: &'a mut State,
    room: &'a mut Room,
    memory: Memory<W>,
    /// What code calls the evaluator for now.
    parts: &'a Parts,
    /// Moves are gathered now.
    gathers: bool,
    /// Entries of moves that have been gathered.
    entries: usize,
}

/// What makes a move.
pub(crate) struct Maker {
    function: FunctionId,
    numbers: [i32; 3 + MOST_EXTRA],
}

impl<const W: usize> Game<W> {
    /// Gathers the moves that may be legal now; `None` if that cannot be done.
    pub(crate) fn runner<'a>(
        &'a self,
        state: &'a mut State,
        room: &'a mut Room,
    ) -> Option<Runner<'a, W>> {
        let (program, compiled) = (self.program.as_ref()?, self.gatherer(state)?);
        let mover = state.head.turns.mover;
        state.head.stalemated &= !(1 << mover);
        room.moves.resize(MOST_ENTRIES * ENTRY, 0);
        room.targets.resize(MOST_ENTRIES * W, 0);
        let memory = Memory::new(state, state.head.turns, [-1; ITERS]);
        let parts = &compiled.gathered;
        let mut runner = Runner {
            game: self,
            program,
            compiled,
            state,
            room,
            memory,
            parts,
            gathers: true,
            entries: 0,
        };
        program.native.run(&mut runner, compiled.gather?, &[], &mut { BUDGET });
        runner.gathers = false;
        runner.parts = &program.parts;
        runner.entries = runner.memory.get(Slot::Gathered) as usize;
        // What there was no room for is lost.
        (runner.entries < MOST_ENTRIES).then_some(runner)
    }
}

impl<'a, const W: usize> Runner<'a, W> {
    /// The moves gathered.
    pub(crate) fn found(&self) -> Found<'_> {
        let entries = &self.room.moves[..self.entries * ENTRY];
        Found::new(self.compiled, entries, (&self.room.targets, W), &self.game.rays)
    }

    /// The function that makes one of the moves, if there is one, and what it is to be given.
    pub(crate) fn maker(&self, found: &Found<'_>, at: u32) -> Option<Maker> {
        let (source, numbers) = found.numbers(at);
        let function = self.compiled.makes.get(source).copied().flatten()?;
        // What players perceive, and what is logged, the evaluator sees to.
        let silent = self.state.log.is_none() && self.state.senses.is_none();
        silent.then_some(Maker { function, numbers })
    }

    /// Makes a move that has been gathered, with its consequences, and ends the ply.
    pub(crate) fn make(mut self, maker: &Maker) {
        self.game.begin_move(self.state, false);
        *self.memory.slot(Slot::Moves) = self.state.head.moves as i32;
        for (slot, number) in [
            (Slot::HasPending, 0),
            (Slot::NamedNext, 0),
            (Slot::FromNow, -1),
            (Slot::ToNow, -1),
            (Slot::KeepsFlags, 0),
            (Slot::ActsAt, 0),
            (Slot::ActsRoom, (self.room.acts.len() / OF_ACT) as i32),
        ] {
            *self.memory.slot(slot) = number;
        }
        self.room.found.clear();
        self.room.ranges.clear();
        let [from, to, ..] = maker.numbers;
        let ends = (from as i16, to as i16);
        self.run(maker.function, &maker.numbers);
        self.memory.give_head(self.state);
        let named = self.state.head.record.named_next;
        if !self.state.list(List::ToClear).is_empty() && !named {
            self.game.clear_captured(self.state);
            let to_clear = self.state.list(List::ToClear);
            debug_assert!(to_clear.is_empty());
            self.memory.scratch[1] = [0; W];
        }
        let phase = usize::from(self.state.head.phase[usize::from(self.state.head.turns.mover)]);
        let ends_by_code = self.program.ends[phase].filter(|_| self.state.head.active != 0);
        let over = match ends_by_code {
            Some(function) => {
                *self.memory.slot(Slot::KeepsFlags) = 1;
                self.memory.frame[..ITERS].fill(-1);
                self.run(function, &[]) != 0
            }
            None => true,
        };
        if over {
            self.game.run_end_rules(self.state);
        }
        self.game.end_ply(self.state, ends);
        self.game.sum_dice(self.state);
    }

    fn run(&mut self, function: FunctionId, arguments: &[i32]) -> i32 {
        let program = self.program;
        program.native.run(self, function, arguments, &mut { BUDGET })
    }

    /// Has the evaluator do something in the state as code has left it.
    fn evaluate<T>(&mut self, run: impl FnOnce(&mut Memory<W>, &mut Eval<'_, W>) -> T) -> T {
        if !self.gathers {
            self.memory.give_head(self.state);
        }
        let mut eval = Eval::new(self.game, self.state);
        if self.gathers {
            (eval.lists, eval.mode) = (true, Mode::Drawing);
        }
        let value = run(&mut self.memory, &mut eval);
        let flags = eval.stalemated;
        if self.memory.get(Slot::KeepsFlags) != 0 {
            self.state.head.stalemated = flags;
        }
        value
    }

    /// Has an effect evaluated; its number.
    fn effects(&mut self, at: usize) -> Option<i32> {
        let parts = self.parts;
        let moves = parts.moves.get(at)?;
        let mut found = std::mem::take(&mut self.room.found);
        let start = found.len() as u32;
        self.evaluate(|memory, eval| {
            memory.lend_variables(eval);
            eval.effects(moves, &mut found);
            memory.take_back_variables(eval);
        });
        self.room.ranges.push((start, found.len() as u32));
        self.room.found = found;
        Some(self.room.ranges.len() as i32 - 1)
    }

    /// Carries out actions by the rules of the game, consequences too.
    fn carry_out(&mut self, acts: &[Act]) {
        self.memory.give_head(self.state);
        self.game.carry_out_all(self.state, acts);
        let turns = self.state.head.turns;
        self.memory.take_head(self.state, turns);
    }
}

impl<const W: usize> Host for Runner<'_, W> {
    #[inline(always)]
    fn lend<'l>(&'l mut self, loans: &mut Loans<'l>) {
        let Runner { memory, room, state, .. } = self;
        loans.ints_mut(FRAME, &mut memory.frame);
        loans.ints_mut(MOVES, &mut room.moves);
        loans.ints_mut(LIST, &mut memory.list);
        loans.ints_mut(ACTS, &mut room.acts);
        loans.sets_mut(TARGETS, &mut room.targets);
        loans.sets(SCRATCH, memory.scratch.as_flattened());
        if state.is_watched() {
            loans.ints(CELLS, state.cells());
            loans.sets(STATE, state.words());
        } else {
            let (cells, words) = state.memory_mut();
            loans.ints_mut(CELLS, cells);
            loans.sets_mut(STATE, words);
        }
    }

    #[inline(always)]
    fn ints(&self, array: Ints) -> &[i32] {
        match array {
            FRAME => &self.memory.frame,
            MOVES => &self.room.moves,
            LIST => &self.memory.list,
            CELLS => self.state.cells(),
            ACTS => &self.room.acts,
            _ => &[],
        }
    }

    #[inline(always)]
    fn ints_mut(&mut self, array: Ints) -> &mut [i32] {
        match array {
            FRAME => &mut self.memory.frame,
            MOVES => &mut self.room.moves,
            LIST => &mut self.memory.list,
            CELLS if !self.state.is_watched() => self.state.memory_mut().0,
            ACTS => &mut self.room.acts,
            _ => &mut [],
        }
    }

    #[inline(always)]
    fn sets(&self, array: Sets) -> &[u64] {
        match array {
            STATE => self.state.words(),
            SCRATCH => self.memory.scratch.as_flattened(),
            TARGETS => &self.room.targets,
            _ => &[],
        }
    }

    #[inline(always)]
    fn sets_mut(&mut self, array: Sets) -> &mut [u64] {
        match array {
            STATE if !self.state.is_watched() => self.state.memory_mut().1,
            TARGETS => &mut self.room.targets,
            _ => &mut [],
        }
    }

    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let Some(&(service, ..)) = SERVICES.get(function.0 as usize) else { return 0 };
        let first = arguments.first().copied().unwrap_or(-1);
        let at = first as usize;
        match service {
            Service::Test | Service::Int | Service::Region | Service::List => {
                let parts = self.parts;
                let answer =
                    self.evaluate(|memory, eval| memory.answer(eval, parts, service, at));
                answer.unwrap_or(0)
            }
            Service::Effects => self.effects(at).unwrap_or(-1),
            Service::CarryOut => {
                let Some(&(start, end)) = self.room.ranges.get(at) else { return 0 };
                let found = std::mem::take(&mut self.room.found);
                self.carry_out(&found[start as usize..end as usize]);
                self.room.found = found;
                0
            }
            Service::Act => {
                let &[kind, a, b, c] = arguments else { return 0 };
                if let Some(act) = act(kind, [a, b, c]) {
                    self.carry_out(&[act]);
                }
                0
            }
            Service::Room => {
                let more = (2 * self.room.acts.len()).max(64 * OF_ACT);
                self.room.acts.resize(more, 0);
                *self.memory.slot(Slot::ActsRoom) = (more / OF_ACT) as i32;
                0
            }
            // Nothing is gathered here but what code finds by itself.
            Service::Take | Service::Flush | Service::Generate | Service::First => 1,
        }
    }
}

impl<const W: usize> Game<W> {
    /// Carries out actions, with nothing left to chance.
    fn carry_out_all(&self, state: &mut State, acts: &[Act]) {
        let mut waiting = std::mem::take(&mut state.scratch);
        let start = waiting.len();
        waiting.extend_from_slice(acts);
        self.carry_out(state, &mut waiting, start, Around::NOTHING);
        state.scratch = waiting;
    }
}

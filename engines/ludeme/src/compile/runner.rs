//! Plies of playouts in code: moves are gathered, and one of them is made.

use kernel::ir::{FunctionId, HostId, Ints, Sets};
use kernel::{Host, Loans};
use play::Rng;

use super::acts::{OF_ACT, act};
use super::code::{
    ACTS, CELLS, FRAME, LIST, MOVES, OF_MOVE, SCRATCH, SERVICES, STATE, Service, Slot, TARGETS,
};
use super::found::Found;
use super::give::ENTRY;
use super::memory::Memory;
use super::ply::{GOES_ON, NOT_MADE};
use super::{BUDGET, MOST_ENTRIES, Program};
use crate::buffer::Buffer;
use crate::eval::{Act, Around, Eval, Mode};
use crate::game::Game;
use crate::ir::{Compiled, ITERS, Moves, Parts};
use crate::state::{List, State};

/// Memory for the moves of a ply and for actions that wait, used again from ply to ply.
#[derive(Default)]
pub(crate) struct Room<const W: usize> {
    moves: Vec<i32>,
    /// Words of sets of destinations.
    targets: Vec<[u64; W]>,
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
    room: &'a mut Room<W>,
    memory: Memory<W>,
    /// What code calls the evaluator for now.
    parts: &'a Parts,
    /// Moves are gathered now.
    gathers: bool,
    /// Entries of moves that have been gathered.
    entries: usize,
    drawing: Drawing<'a>,
}

/// How a move is drawn.
enum Drawing<'a> {
    /// By its number.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests make all moves"))]
    ByNumber(u32),
    /// By lot; whether the playout is not allowed any further ply.
    ByLot(&'a mut Rng, bool),
    /// What became of it.
    Done(Ply),
}

/// What has become of a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ply {
    /// There are more moves than there is room for.
    TooMany,
    /// The playout is not allowed any further ply.
    Capped,
    /// A move has been made; whether it was forced.
    Made(bool),
    /// A move has been drawn by its number, or a pass if there is none, and has to be made; whether it is
    /// forced.
    Drawn(Option<u32>, bool),
}

impl<const W: usize> Game<W> {
    /// What plays the ply to come; `None` where code does not gather all its moves.
    pub(crate) fn runner<'a>(
        &'a self,
        state: &'a mut State,
        room: &'a mut Room<W>,
    ) -> Option<Runner<'a, W>> {
        let (program, compiled) = (self.program.as_ref()?, self.gatherer(state)?);
        let mover = state.head.turns.mover;
        state.head.stalemated &= !(1 << mover);
        room.moves.resize(MOST_ENTRIES * ENTRY, 0);
        room.targets.resize(MOST_ENTRIES, [0; W]);
        let memory = Memory::new(state, state.head.turns, [-1; ITERS]);
        Some(Runner {
            game: self,
            program,
            compiled,
            state,
            room,
            memory,
            parts: &compiled.gathered,
            gathers: true,
            entries: 0,
            drawing: Drawing::Done(Ply::TooMany),
        })
    }
}

impl<'a, const W: usize> Runner<'a, W> {
    /// Gathers the moves that may be legal; `None` if there is no room for them.
    pub(crate) fn gather(mut self) -> Option<Runner<'a, W>> {
        self.run(self.compiled.gather?);
        self.has_gathered().then_some(self)
    }

    /// Whether there was room for all moves.
    fn has_gathered(&mut self) -> bool {
        self.gathers = false;
        self.parts = &self.program.parts;
        self.entries = self.memory.get(Slot::Gathered) as usize;
        // What there was no room for is lost.
        self.entries < MOST_ENTRIES
    }

    /// The moves gathered.
    pub(crate) fn found(&self) -> Found<'_, W> {
        let entries = &self.room.moves[..self.entries * ENTRY];
        Found::new(self.compiled, entries, &self.room.targets, &self.game.rays)
    }

    /// Plays the ply: draws a move by lot, and makes it if there is code for that.
    pub(crate) fn play(&mut self, rng: &'a mut Rng, ends: bool) -> Ply {
        self.drawing = Drawing::ByLot(rng, ends);
        self.run_ply()
    }

    /// Plays the ply with the move of a number.
    #[cfg(test)]
    pub(crate) fn play_number(&mut self, number: u32) -> Ply {
        self.drawing = Drawing::ByNumber(number);
        self.run_ply()
    }

    fn run_ply(&mut self) -> Ply {
        let Some(ply) = self.compiled.ply else { return Ply::TooMany };
        let made = self.run(ply);
        let Drawing::Done(outcome) = self.drawing else { return Ply::TooMany };
        if made == NOT_MADE {
            return outcome;
        }
        self.memory.give_head(self.state);
        if made != GOES_ON {
            self.game.run_end_rules(self.state);
        }
        let [from, to] = [0, 1].map(|i| self.memory.frame[Slot::Drawn as usize + i] as i16);
        self.game.end_ply(self.state, (from, to));
        self.game.sum_dice(self.state);
        outcome
    }

    fn run(&mut self, function: FunctionId) -> i32 {
        let program = self.program;
        program.native.run(self, function, &[], &mut { BUDGET })
    }

    /// Draws a move: its source, if there is code that makes it.
    fn draw(&mut self) -> Option<usize> {
        if !self.has_gathered() {
            return None;
        }
        let drawing = std::mem::replace(&mut self.drawing, Drawing::Done(Ply::Capped));
        let found = self.found();
        let (at, forced) = match drawing {
            Drawing::ByNumber(number) => (Some(number), false),
            Drawing::ByLot(rng, ends) => self.game.draw_found(self.state, &found, rng, ends)?,
            Drawing::Done(_) => return None,
        };
        let made = at.and_then(|at| {
            let found = found.get(at)?;
            self.compiled.makes.get(found.number).copied().flatten()?;
            Some((found.number, found.numbers()))
        });
        // What players perceive, and what is logged, the evaluator sees to.
        let silent = self.state.log.is_none() && self.state.senses.is_none();
        let Some((source, numbers)) = made.filter(|_| silent) else {
            self.drawing = Drawing::Done(Ply::Drawn(at, forced));
            return None;
        };
        self.drawing = Drawing::Done(Ply::Made(forced));
        self.memory.frame[Slot::Drawn as usize..][..OF_MOVE].copy_from_slice(&numbers);
        self.begin();
        Some(source)
    }

    /// Begins the move that has been drawn.
    fn begin(&mut self) {
        self.game.begin_move(self.state, false);
        *self.memory.slot(Slot::Moves) = self.state.head.moves as i32;
        for (slot, number) in [
            (Slot::HasPending, 0),
            (Slot::NamedNext, 0),
            (Slot::FromNow, -1),
            (Slot::ToNow, -1),
            (Slot::ActsRoom, (self.room.acts.len() / OF_ACT) as i32),
        ] {
            *self.memory.slot(slot) = number;
        }
        self.room.found.clear();
        self.room.ranges.clear();
    }

    /// Removes what was captured earlier in the turn, if it ends.
    fn settle(&mut self) {
        let named = self.memory.get(Slot::NamedNext) != 0;
        if !self.state.list(List::ToClear).is_empty() && !named {
            self.game.clear_captured(self.state);
            self.memory.take_captured(self.state);
        }
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
        if self.memory.get(Slot::KeepsFlags) != 0 {
            self.state.head.stalemated = eval.stalemated;
        }
        *self.memory.slot(Slot::Stalemated) = self.state.head.stalemated as i32;
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
            let any = eval.effects(moves, &mut found);
            memory.take_back_variables(eval);
            *memory.slot(Slot::Given) = i32::from(any);
        });
        self.room.ranges.push((start, found.len() as u32));
        self.room.found = found;
        Some(self.room.ranges.len() as i32 - 1)
    }

    /// Carries out actions by the rules of the game, consequences too.
    fn carry_out(&mut self, acts: &[Act]) {
        self.memory.give_head(self.state);
        self.game.carry_out_all(self.state, acts, Around::NOTHING);
        let turns = self.state.head.turns;
        self.memory.take_head(self.state, turns);
        self.memory.take_captured(self.state);
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
        loans.sets_mut(TARGETS, room.targets.as_flattened_mut());
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
            TARGETS => self.room.targets.as_flattened(),
            _ => &[],
        }
    }

    #[inline(always)]
    fn sets_mut(&mut self, array: Sets) -> &mut [u64] {
        match array {
            STATE if !self.state.is_watched() => self.state.memory_mut().1,
            TARGETS => self.room.targets.as_flattened_mut(),
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
                let answer = self.evaluate(|memory, eval| memory.answer(eval, parts, service, at));
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
            Service::Draw => self.draw().map_or(-1, |source| source as i32),
            Service::Settle => {
                self.settle();
                0
            }
            // Nothing is gathered here but what code finds by itself.
            Service::Take | Service::Flush | Service::Generate | Service::First => 1,
        }
    }
}

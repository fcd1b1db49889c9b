//! Playouts by code: plies are run, and the state is told of them when code stops.
//!
//! While code runs, turns, phases and the last move are in its frame, and the state does not know
//! of them. [`CompiledPlayout::give_head`] writes them to the state, `take_state` reads them from
//! it.

use kernel::ir::FunctionId;
use play::Rng;

use super::arrays::{ENTRY, MOST_ENTRIES, MOST_NOTED, PASSED, Slot, TURN};
use super::choices::CHOICES;
use super::gathered_moves::GatheredMoves;
use super::memory::Memory;
use super::program::Program;
use super::run_buffers::{Buffers, Draws, RunBuffers};
use super::stops::Stop;
use super::waiting::OF_ACT;
use crate::buffer::Buffer;
use crate::game::Game;
use crate::ir::{Compiled, EvaluatedParts, ITERS, Iter};
use crate::state::{EMPTY, State};

/// A playout by code, from the position of a state.
pub(crate) struct CompiledPlayout<'a> {
    pub(super) game: &'a Game,
    pub(super) program: &'a Program,
    pub(crate) state: &'a mut State,
    pub(super) memory: &'a mut Memory,
    pub(super) buffers: &'a mut Buffers,
    /// The state of the random generator.
    pub(super) draws: Draws,
}

/// The outcome of some plies that code has played. The first number of a variant counts the moves
/// made that were not forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Played {
    /// Nothing has been done, because code does not play this ply.
    Nothing,
    /// Moves have been made.
    Moves(u32),
    /// After these moves the evaluator has to make the move of a number, or a pass if there is no
    /// number. The flag is true if that move is forced.
    Drawn(u32, Option<u32>, bool),
    /// After these moves the mover changes sides.
    Swapped(u32),
    /// After these moves the move of a number has been drawn, and the evaluator has to test it.
    /// Others may have been drawn and rejected before.
    Untested(u32, u32),
    /// The playout has reached the limit of plies, and could go on.
    Capped,
}

impl Game {
    /// A playout from a state; `None` if code does not gather all moves of its phase.
    #[cfg(test)]
    pub(crate) fn compiled_playout<'a>(
        &'a self,
        state: &'a mut State,
        buffers: &'a mut RunBuffers,
    ) -> Option<CompiledPlayout<'a>> {
        let program = self.begins_code(state, buffers)?;
        let mut playout = CompiledPlayout::new(self, program, state, buffers);
        playout.take_added();
        Some(playout)
    }

    /// Fills the buffers for a playout from a state. Returns the program, or `None` if code does
    /// not gather all moves of its phase.
    pub(crate) fn begins_code(&self, state: &State, buffers: &mut RunBuffers) -> Option<&Program> {
        let program = self.program.as_ref()?;
        self.gatherer(state)?;
        let RunBuffers { memory, buffers } = buffers;
        buffers.moves.resize(MOST_ENTRIES * ENTRY + CHOICES, 0);
        buffers.targets.resize(MOST_ENTRIES * state.set_words(), 0);
        buffers.history.resize(MOST_NOTED, 0);
        buffers.found_in = -1;
        let mut variables = [-1; ITERS];
        variables[Iter::Chooser as usize] = self.chooser(state).map_or(-1, i32::from);
        memory.begin(state, state.head.turns, variables);
        memory.take_phases(state);
        memory.take_history(state);
        *memory.slot(Slot::Chosen) = -1;
        *memory.slot(Slot::ActsRoom) = (buffers.acts.len() / OF_ACT) as i32;
        Some(program)
    }
}

impl<'a> CompiledPlayout<'a> {
    /// A playout from a state for which [`Game::begins_code`] has filled the buffers.
    #[inline(always)]
    pub(crate) fn new(
        game: &'a Game,
        program: &'a Program,
        state: &'a mut State,
        buffers: &'a mut RunBuffers,
    ) -> CompiledPlayout<'a> {
        let RunBuffers { memory, buffers } = buffers;
        CompiledPlayout { game, program, state, buffers, memory, draws: Draws::default() }
    }

    /// Computes the lines and groups of all pieces anew, in games that keep them, unless they are
    /// those of this position.
    pub(crate) fn take_added(&mut self) {
        let Some((add_all, length)) = self.program.added else { return };
        let empty = self.state.set(EMPTY);
        if self.buffers.added_beside.as_ref() == Some(&empty) {
            return;
        }
        self.buffers.added.clear();
        self.buffers.added.resize(length, 0);
        // Many games begin with an empty board.
        if !self.game.board.is_subset(&empty) {
            self.run(add_all);
        }
        self.buffers.added_beside = Some(empty);
    }

    /// Gathers the pseudo-legal moves; `None` if there is no room for them.
    pub(crate) fn gather(&mut self) -> Option<()> {
        let head = &mut self.state.head;
        if !self.game.simultaneous {
            head.stalemated &= !(1 << head.turns.mover);
        }
        *self.memory.slot(Slot::Stalemated) = head.stalemated as i32;
        let gather = self.compiled()?.gather?;
        *self.memory.slot(Slot::Gathers) = 1;
        self.run(gather);
        *self.memory.slot(Slot::Gathers) = 0;
        (self.entries() < MOST_ENTRIES).then_some(())
    }

    /// Reads the state again, which the evaluator has changed.
    pub(super) fn take_state(&mut self) {
        self.memory.take_all(self.state);
    }

    /// A number of the frame, which code and host share.
    pub(super) fn slot(&mut self, slot: Slot) -> &mut i32 {
        self.memory.slot(slot)
    }

    /// The code of the phase of the player who moves or chooses.
    pub(super) fn compiled(&self) -> Option<&'a Compiled> {
        let chooser = usize::try_from(self.memory.frame[Iter::Chooser as usize]);
        let mover = chooser.unwrap_or(self.memory.get(Slot::Mover) as usize);
        let phase = self.memory.frame[Slot::Phase as usize + mover];
        self.game.gathered(&self.game.phases[phase as usize].play)
    }

    /// The nodes of the rules for which the code that runs now calls the evaluator.
    pub(super) fn parts(&self) -> &'a EvaluatedParts {
        match self.memory.get(Slot::Gathers) {
            0 => &self.program.parts,
            _ => self.compiled().map_or(&self.program.parts, |compiled| &compiled.gathered),
        }
    }

    /// Number of entries of gathered moves.
    fn entries(&self) -> usize {
        self.memory.get(Slot::Gathered) as usize
    }

    /// The entries of the moves gathered, and the words of their sets of destinations.
    pub(super) fn gathered_entries(&self) -> Option<(&[i32], &[u64])> {
        Some((self.buffers.moves.get(..self.entries() * ENTRY)?, &self.buffers.targets))
    }

    /// The moves that have been gathered.
    pub(crate) fn gathered_moves(&self) -> Option<GatheredMoves<'_>> {
        let entries = self.buffers.moves.get(..self.entries() * ENTRY)?;
        let longest = [Slot::Longest, Slot::LongestEnd].map(|slot| self.memory.get(slot) as u32);
        let [start, end] = longest;
        Some(GatheredMoves::new(
            self.compiled()?,
            entries,
            &self.buffers.targets,
            start..end,
            self.state,
        ))
    }

    /// Plays on as long as code can, up to a cap of moves that are not forced. `passes` forced
    /// passes have been made just before.
    pub(crate) fn play(&mut self, rng: &mut Rng, cap: u32, passes: u32) -> Played {
        *self.memory.slot(Slot::Passes) = passes as i32;
        *self.memory.slot(Slot::PassedAt) = self.memory.get(Slot::Plies);
        self.set_rng(rng);
        let played = self.play_on(cap);
        *rng = self.rng();
        played
    }

    /// Forced passes since the last move that was not forced.
    pub(crate) fn passes(&self) -> u32 {
        let last = self.memory.get(Slot::PassedAt) == self.memory.get(Slot::Plies);
        if last { self.memory.get(Slot::Passes) as u32 } else { 0 }
    }

    /// The generator of random numbers.
    fn rng(&self) -> Rng {
        Rng::load(&self.draws)
    }

    /// Sets the generator of random numbers.
    fn set_rng(&mut self, rng: &Rng) {
        rng.store(&mut self.draws);
    }

    /// Runs a function with the generator of random numbers.
    pub(super) fn with_rng<T>(&mut self, run: impl FnOnce(&mut Self, &mut Rng) -> T) -> T {
        let mut rng = self.rng();
        let value = run(self, &mut rng);
        self.set_rng(&rng);
        value
    }

    /// As [`CompiledPlayout::play`], with the random generator in the buffers.
    fn play_on(&mut self, cap: u32) -> Played {
        *self.memory.slot(Slot::Cap) = cap.min(i32::MAX as u32) as i32;
        let before = self.state.head.moves;
        loop {
            let stop = self.run_playout();
            let plies = self.memory.get(Slot::Plies) as u32;
            return match stop {
                Stop::Ask if self.state.head.moves == before => Played::Nothing,
                Stop::Ask => Played::Moves(plies),
                Stop::Capped => Played::Capped,
                Stop::Swapped => Played::Swapped(plies),
                Stop::Stuck => Played::Drawn(plies, None, true),
                Stop::Forced => Played::Drawn(plies, Some(0), true),
                Stop::Drawn => {
                    Played::Drawn(plies, Some(self.memory.get(Slot::Chosen) as u32), false)
                }
                Stop::Untested => Played::Untested(plies, self.memory.get(Slot::Chosen) as u32),
                Stop::Made | Stop::Asked | Stop::Played if self.state.head.over => {
                    Played::Moves(plies)
                }
                Stop::Made | Stop::Asked | Stop::Played => {
                    if self.game.gatherer(self.state).is_none() {
                        return Played::Moves(plies);
                    }
                    self.take_state();
                    continue;
                }
            };
        }
    }

    /// The same playout with other random numbers.
    #[cfg(test)]
    pub(crate) fn with_draws(mut self, rng: Rng) -> CompiledPlayout<'a> {
        self.set_rng(&rng);
        self
    }

    /// True if moves of the phase may turn out to be illegal.
    pub(super) fn tests_moves(&self) -> bool {
        self.compiled().is_some_and(|compiled| compiled.tries.is_some())
    }

    /// Runs plies, and completes a ply of which code has only made the move.
    fn run_playout(&mut self) -> Stop {
        let mut stop = self.run_plies();
        let goes_on = |playout: &Self| match stop {
            Stop::Drawn | Stop::Swapped | Stop::Made => true,
            Stop::Untested => !playout.tests_moves(),
            _ => false,
        };
        if self.memory.get(Slot::Expects) != 0 && !goes_on(self) {
            self.take_turn_back(stop);
            stop = Stop::Made;
        }
        self.end_plies(stop);
        stop
    }

    /// Runs plies until code stops.
    pub(super) fn run_plies(&mut self) -> Stop {
        Stop::of(self.run(self.program.playout)).unwrap_or(Stop::Ask)
    }

    /// Tells the state of the plies that code has run, and completes one of which it has only made
    /// the move: by the end rules and the turn.
    pub(super) fn end_plies(&mut self, stop: Stop) {
        if self.program.added.is_some() {
            self.buffers.added_beside = Some(self.state.set(EMPTY));
        }
        self.give_head();
        let rule = std::mem::take(self.memory.slot(Slot::Rule));
        let paid = std::mem::take(self.memory.slot(Slot::Paid)) != 0;
        let payoffs = &self.memory.frame[Slot::Payoffs as usize..];
        if stop == Stop::Made && !(paid && self.game.pay(self.state, payoffs)) {
            self.game.run_end_rules_from(self.state, (rule as usize).checked_sub(1));
        }
        if matches!(stop, Stop::Made | Stop::Asked) {
            let ends = [Slot::MadeFrom, Slot::MadeTo].map(|slot| self.memory.get(slot) as i16);
            self.game.end_ply(self.state, ends.into());
            self.game.sum_dice(self.state);
        }
    }

    /// Goes back from the turn of the next player to the end rules, which wait for the answer
    /// whether that player has a move.
    pub(super) fn take_turn_back(&mut self, stop: Stop) {
        *self.memory.slot(Slot::Expects) = 0;
        for (place, turn) in TURN.into_iter().enumerate() {
            *self.memory.slot(turn) = self.memory.frame[Slot::Before as usize + place];
        }
        if stop == Stop::Untested {
            *self.memory.slot(Slot::Chosen) = -1;
            self.take_draws_back();
        }
    }

    /// Puts the random generator back to where it was when the state was kept, so that the same
    /// numbers are drawn again.
    pub(super) fn take_draws_back(&mut self) {
        let kept = &self.buffers.kept.draws;
        // A state of zeros has never been kept.
        if kept.iter().any(|&word| word != 0) {
            self.draws = *kept;
        }
    }

    /// Keeps the head of the state, before the host changes it for the first time since code has
    /// kept the arrays.
    pub(super) fn keep_head(&mut self) {
        if self.program.keeps && self.memory.get(Slot::HeadKept) == 0 {
            *self.memory.slot(Slot::HeadKept) = 1;
            self.buffers.kept.take_head(self.state);
        }
    }

    /// Keeps the present state, as code does before it draws a move that has to be tested.
    pub(super) fn keep(&mut self) {
        self.fit_kept();
        *self.memory.slot(Slot::HeadKept) = 0;
        let kept = &mut self.buffers.kept;
        let (cells, words) = (self.state.cells(), self.state.words());
        kept.cells[..cells.len()].copy_from_slice(cells);
        kept.words[..words.len()].copy_from_slice(words);
        kept.frame.copy_from_slice(&self.memory.frame);
    }

    /// Goes back to the state that was kept. The random generator stays as it is.
    pub(super) fn take_back(&mut self) {
        let kept = &self.buffers.kept;
        let (cells, words) = self.state.memory_mut();
        cells.copy_from_slice(&kept.cells[..cells.len()]);
        words.copy_from_slice(&kept.words[..words.len()]);
        if let Some(head) = kept.head.filter(|_| self.memory.get(Slot::HeadKept) != 0) {
            self.state.head = head;
            self.state.history.truncate(kept.moves);
        }
        self.memory.frame.copy_from_slice(&kept.frame);
    }

    /// The numbers of the moves that can still be drawn; `None` if none has been rejected.
    pub(crate) fn take_left(&mut self) -> Option<Buffer<u32>> {
        let left = self.buffers.left.take();
        left.filter(|_| self.memory.get(Slot::KnowsLeft) != 0)
    }

    pub(super) fn run(&mut self, function: FunctionId) -> i32 {
        let program = self.program;
        self.fit_kept();
        program.run(self, function)
    }

    /// Makes room for the state that code may keep.
    pub(super) fn fit_kept(&mut self) {
        if self.program.keeps {
            self.buffers.kept.fit(self.state);
        }
    }

    /// Tells the state of the moves that code has made, and of the turn.
    pub(super) fn give_head(&mut self) {
        self.keep_head();
        let noted = std::mem::take(self.memory.slot(Slot::Noted)) as usize;
        if noted > 0 {
            self.state.head.record.decided = None;
            let moves = self.buffers.history.iter().take(noted);
            let entry = |&noted: &i32| (noted as u8) << 1 | u8::from(noted >= PASSED);
            self.state.history.extend(moves.map(entry));
            self.state.head.passed = self.buffers.history[noted - 1] >= PASSED;
            self.memory.take_history(self.state);
            self.memory.take_limits(self.state);
        }
        self.memory.give_head(self.state);
    }

    /// Draws a number below another.
    pub(super) fn draw(&mut self, end: u32) -> u32 {
        self.with_rng(|_, rng| rng.below(end.max(1)))
    }
}

/// The number of a move among all, by its number among those that are not left out; these are in
/// order.
pub(crate) fn beside(number: u32, left_out: &[u32]) -> u32 {
    left_out.iter().fold(number, |number, &other| number + u32::from(other <= number))
}

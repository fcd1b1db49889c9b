//! Playouts by code: what it runs in, and what it calls the game for.

use kernel::ir::{FunctionId, HostId};
use kernel::{Host, Loans, MAX_NATIVE_WORDS};
use play::Rng;

use super::acts::act;
use super::arrays::{
    ACTS, ADDED, CELLS, DRAWS, ENTRY, FRAME, FRAME_LENGTH, HISTORY, KEPT_CELLS, KEPT_DRAWS,
    KEPT_FRAME, KEPT_STATE, LIST, MOST_ENTRIES, MOST_NOTED, MOVES, PASSED, SCRATCH, SERVICES,
    STATE, Service, Slot, TARGETS, TURN,
};
use super::choices::CHOICES;
use super::gathered_moves::GatheredMoves;
use super::memory::Memory;
use super::program::Program;
use super::stops::Stop;
use super::waiting::OF_ACT;
use crate::buffer::Buffer;
use crate::eval::{Around, Eval, Legality};
use crate::game::Game;
use crate::ir::{Compiled, EvaluatedParts, ITERS, Iter};
use crate::moves::Act;
use crate::set::Set;
use crate::state::{EMPTY, Head, List, State};

/// What code runs in, used again from ply to ply.
#[derive(Default)]
pub(crate) struct RunBuffers<const W: usize> {
    memory: Memory,
    buffers: Buffers<W>,
}

impl<const W: usize> RunBuffers<W> {
    /// Another playout begins, or plies are played from another position.
    pub(crate) fn begin(&mut self) {
        self.buffers.added_beside = None;
        self.buffers.copies.cells.clear();
        self.buffers.copies.words.clear();
    }
}

/// Memory for the moves of a ply and for actions that wait.
#[derive(Default)]
struct Buffers<const W: usize> {
    moves: Vec<i32>,
    /// Words of sets of destinations.
    targets: Vec<u64>,
    acts: Vec<i32>,
    /// Movers of moves that the state does not know of yet.
    history: Vec<i32>,
    /// What is kept of pieces that have been added, and the empty sites when it was; `None` in
    /// another playout.
    added: Vec<i32>,
    added_beside: Option<Set<W>>,
    /// Actions that the evaluator has found, where those of each effect begin and end, and in which
    /// move.
    found: Buffer<Act>,
    ranges: Vec<(u32, u32)>,
    found_in: i32,
    kept: Kept,
    copies: Copies,
    /// The moves that have not been drawn; `None` for all but the last one drawn.
    left: Option<Buffer<u32>>,
}

/// Copies of the numbers and sets of a state, the last one at the end.
#[derive(Default)]
struct Copies {
    cells: Vec<i32>,
    words: Vec<u64>,
}

impl Copies {
    fn push(&mut self, state: &State) {
        self.cells.extend_from_slice(state.cells());
        self.words.extend_from_slice(state.words());
    }

    fn put_back(&mut self, state: &mut State) {
        let (cells, words) = state.memory_mut();
        let before = (self.cells.len() - cells.len(), self.words.len() - words.len());
        cells.copy_from_slice(&self.cells[before.0..]);
        words.copy_from_slice(&self.words[before.1..]);
        self.cells.truncate(before.0);
        self.words.truncate(before.1);
    }
}

/// The state of the random generator in the first words, which code reads and copies as sets: there
/// is room for a set of any size.
type Draws = [u64; MAX_NATIVE_WORDS];

/// What a move that turns out not to be legal is taken back to: arrays that code writes, and what
/// only the host changes.
#[derive(Default)]
struct Kept {
    cells: Vec<i32>,
    words: Vec<u64>,
    frame: Vec<i32>,
    draws: Draws,
    head: Option<Head>,
    moves: usize,
}

impl Kept {
    /// Makes room for a state.
    fn fit(&mut self, state: &State) {
        self.cells.resize(self.cells.len().max(state.cells().len()), 0);
        self.words.resize(self.words.len().max(state.words().len()), 0);
        self.frame.resize(FRAME_LENGTH, 0);
    }

    /// Takes over what only the host changes.
    fn take_head(&mut self, state: &State) {
        self.head = Some(state.head);
        self.moves = state.history.len();
    }
}

/// A playout that is played by code.
pub(crate) struct CompiledPlayout<'a, const W: usize> {
    pub(super) game: &'a Game<W>,
    program: &'a Program,
    pub(crate) state: &'a mut State,
    memory: &'a mut Memory,
    buffers: &'a mut Buffers<W>,
    /// The state of what draws moves, in its first four words.
    draws: Draws,
}

/// What has become of some plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Played {
    /// Code does not play this ply, and nothing has been done.
    Nothing,
    /// So many moves have been made that were not forced.
    Moves(u32),
    /// After so many such moves one of a number, or a pass if there is none, has to be made;
    /// whether it is forced.
    Drawn(u32, Option<u32>, bool),
    /// After so many such moves the mover changes sides.
    Swapped(u32),
    /// After so many such moves one of a number has been drawn, and has to be tested; others may
    /// have been drawn before.
    Untested(u32, u32),
    /// A playout that may go no further could.
    Capped,
}

impl<const W: usize> Game<W> {
    /// What plays on from a state by code; `None` where code does not gather all moves.
    #[cfg(test)]
    pub(crate) fn compiled_playout<'a>(
        &'a self,
        state: &'a mut State,
        buffers: &'a mut RunBuffers<W>,
    ) -> Option<CompiledPlayout<'a, W>> {
        let program = self.begins_code(state, buffers)?;
        let mut playout = CompiledPlayout::new(self, program, state, buffers);
        playout.take_added();
        Some(playout)
    }

    /// Takes over what code asks of a state; the program that plays on from there, or `None` where
    /// code does not gather all moves.
    pub(crate) fn begins_code(
        &self,
        state: &State,
        buffers: &mut RunBuffers<W>,
    ) -> Option<&Program> {
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

impl<'a, const W: usize> CompiledPlayout<'a, W> {
    /// What plays on from a state, of which the buffers know what code asks.
    #[inline(always)]
    pub(crate) fn new(
        game: &'a Game<W>,
        program: &'a Program,
        state: &'a mut State,
        buffers: &'a mut RunBuffers<W>,
    ) -> CompiledPlayout<'a, W> {
        let RunBuffers { memory, buffers } = buffers;
        CompiledPlayout { game, program, state, buffers, memory, draws: Draws::default() }
    }

    /// Has code take note of all pieces, where something is kept of them and it has not.
    pub(crate) fn take_added(&mut self) {
        let Some((add_all, length)) = self.program.added else { return };
        let empty = self.state.set(EMPTY);
        if self.buffers.added_beside == Some(empty) {
            return;
        }
        self.buffers.added.clear();
        self.buffers.added.resize(length, 0);
        // Many games begin on a board without pieces.
        if !self.game.board.without(empty).is_empty() {
            self.run(add_all);
        }
        self.buffers.added_beside = Some(empty);
    }

    /// Gathers the moves that may be legal; `None` if there is no room for them.
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

    /// Takes over what code asks of the state, which something else has changed.
    pub(super) fn take_state(&mut self) {
        self.memory.take_all(self.state);
    }

    /// A number that code and host share.
    pub(super) fn slot(&mut self, slot: Slot) -> &mut i32 {
        self.memory.slot(slot)
    }

    /// The moves of the phase of who moves or chooses.
    pub(super) fn compiled(&self) -> Option<&'a Compiled> {
        let chooser = usize::try_from(self.memory.frame[Iter::Chooser as usize]);
        let mover = chooser.unwrap_or(self.memory.get(Slot::Mover) as usize);
        let phase = self.memory.frame[Slot::Phase as usize + mover];
        self.game.gathered(&self.game.phases[phase as usize].play)
    }

    /// What code calls the evaluator for now.
    fn parts(&self) -> &'a EvaluatedParts {
        match self.memory.get(Slot::Gathers) {
            0 => &self.program.parts,
            _ => self.compiled().map_or(&self.program.parts, |compiled| &compiled.gathered),
        }
    }

    /// Entries of moves that have been gathered.
    fn entries(&self) -> usize {
        self.memory.get(Slot::Gathered) as usize
    }

    /// The moves gathered.
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

    /// Plays on after so many forced passes, as long as code can and no more than so many moves are
    /// made that are not forced.
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

    /// What draws moves.
    fn rng(&self) -> Rng {
        Rng::load(&self.draws)
    }

    fn set_rng(&mut self, rng: &Rng) {
        rng.store(&mut self.draws);
    }

    /// Does something that may draw.
    fn with_rng<T>(&mut self, run: impl FnOnce(&mut Self, &mut Rng) -> T) -> T {
        let mut rng = self.rng();
        let value = run(self, &mut rng);
        self.set_rng(&rng);
        value
    }

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

    /// Draws from another source.
    #[cfg(test)]
    pub(crate) fn with_draws(mut self, rng: Rng) -> CompiledPlayout<'a, W> {
        self.set_rng(&rng);
        self
    }

    /// True if moves of the phase may turn out to be illegal.
    fn tests_moves(&self) -> bool {
        self.compiled().is_some_and(|compiled| compiled.tries.is_some())
    }

    /// Plays on by code, and ends a move that it has only made.
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

    /// Plays on by code alone.
    pub(super) fn run_plies(&mut self) -> Stop {
        Stop::of(self.run(self.program.playout)).unwrap_or(Stop::Ask)
    }

    /// Lets the state know what code has played, and ends a move that it has only made.
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

    /// Goes back to where the end rules are asked whether there is a move.
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

    /// Draws again what has been drawn since the state was kept.
    fn take_draws_back(&mut self) {
        let kept = &self.buffers.kept.draws;
        // A state of zeros has never been kept.
        if kept.iter().any(|&word| word != 0) {
            self.draws = *kept;
        }
    }

    /// Keeps what only the host changes, before it does that for the first time since code has
    /// kept all else.
    fn keep_head(&mut self) {
        if self.program.keeps && self.memory.get(Slot::HeadKept) == 0 {
            *self.memory.slot(Slot::HeadKept) = 1;
            self.buffers.kept.take_head(self.state);
        }
    }

    /// Keeps the state as it is now, as code does before it draws a move that has to be tested.
    pub(super) fn keep(&mut self) {
        self.fit_kept();
        *self.memory.slot(Slot::HeadKept) = 0;
        let kept = &mut self.buffers.kept;
        let (cells, words) = (self.state.cells(), self.state.words());
        kept.cells[..cells.len()].copy_from_slice(cells);
        kept.words[..words.len()].copy_from_slice(words);
        kept.frame.copy_from_slice(&self.memory.frame);
    }

    /// Goes back to the state that was kept, though not to the draws before it.
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

    /// Takes back the move of a number, and draws another one.
    fn reject(&mut self, number: u32) -> Option<u32> {
        let first = self.memory.get(Slot::KnowsLeft) == 0;
        self.take_back();
        if self.memory.get(Slot::Chosen) >= 0 {
            return None;
        }
        if first {
            self.buffers.left = Some(self.gathered_moves()?.without(number));
        }
        *self.memory.slot(Slot::KnowsLeft) = 1;
        let number = self.buffers.left.as_ref().map_or(0, |left| left.len() as u32);
        if number == 0 {
            // Where the end rules are asked now, the ply is played again if the game goes on.
            if self.memory.get(Slot::Expects) != 0 {
                self.take_draws_back();
            }
            return None;
        }
        let place = self.draw(number) as usize;
        self.buffers.left.as_mut().map(|left| left.swap_remove(place))
    }

    /// The moves that have not been drawn where one has to be tested; `None` for all but that one.
    pub(crate) fn take_left(&mut self) -> Option<Buffer<u32>> {
        let left = self.buffers.left.take();
        left.filter(|_| self.memory.get(Slot::KnowsLeft) != 0)
    }

    pub(super) fn run(&mut self, function: FunctionId) -> i32 {
        let program = self.program;
        self.fit_kept();
        program.run(self, function)
    }

    /// Makes room for all that code may keep.
    fn fit_kept(&mut self) {
        if self.program.keeps {
            self.buffers.kept.fit(self.state);
        }
    }

    /// Lets the state know what code has played.
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
    fn draw(&mut self, end: u32) -> u32 {
        self.with_rng(|_, rng| rng.below(end.max(1)))
    }

    /// Draws one of the moves gathered that count.
    fn draw_counted(&mut self) -> Result<u32, Stop> {
        self.give_head();
        let gathered = self.gathered_moves().ok_or(Stop::Ask)?;
        let (left_out, endless) = self.game.left_out(self.state, &gathered);
        let number = gathered.count() - left_out.len() as u32;
        if number == 0 {
            return Err(Stop::Stuck);
        }
        if number == 1 && gathered.is_pass(0) {
            return Err(Stop::Forced);
        }
        self.state.head.record.endless |= endless;
        if self.memory.get(Slot::Plies) >= self.memory.get(Slot::Cap) {
            return Err(Stop::Capped);
        }
        Ok(beside(self.draw(number), &left_out))
    }

    /// A move that has been drawn, or if it leads to the same state as one before it, one of those
    /// that have not been drawn.
    fn first_of_its_kind(&mut self, mut number: u32) -> u32 {
        if self.gathered_moves().is_none_or(|gathered| gathered.rivals(number).next().is_none()) {
            return number;
        }
        self.give_head();
        let tests = self.tests_moves();
        if tests {
            // The moves made before have their places in the history now.
            self.buffers.kept.frame.copy_from_slice(&self.memory.frame);
            self.buffers.kept.take_head(self.state);
        }
        let mut left = self.take_left().filter(|_| tests);
        while let Some(gathered) =
            self.gathered_moves().filter(|gathered| self.repeats(gathered, number))
        {
            let left = left.get_or_insert_with(|| gathered.without(number));
            let Some(end) = u32::try_from(left.len()).ok().filter(|&end| end > 0) else { break };
            number = left.swap_remove(self.draw(end) as usize);
        }
        self.buffers.left = left.filter(|_| tests);
        *self.memory.slot(Slot::KnowsLeft) = i32::from(self.buffers.left.is_some());
        number
    }

    fn repeats(&self, gathered: &GatheredMoves<'_>, number: u32) -> bool {
        let made = self.game.make_gathered(self.state, gathered, number, Legality::Open);
        made.is_some_and(|made| self.game.comes_before(self.state, gathered, number, &made))
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
    fn evaluate<T>(&mut self, run: impl FnOnce(&mut Memory, &mut Eval<'_, W>) -> T) -> T {
        self.give_head();
        let (value, stalemated) = self.with_rng(|playout, rng| {
            playout.game.by_chance(rng, |chance| {
                let around = Around { chance, ..Around::NOTHING };
                let mut eval = Eval::new(playout.game, playout.state).amid(around);
                eval.lists = playout.memory.get(Slot::Gathers) != 0;
                (run(playout.memory, &mut eval), eval.stalemated)
            })
        });
        if self.memory.get(Slot::KeepsFlags) != 0 {
            self.state.head.stalemated = stalemated;
        }
        *self.memory.slot(Slot::Stalemated) = self.state.head.stalemated as i32;
        value
    }

    /// Has an effect evaluated; its number.
    fn effects(&mut self, at: usize) -> Option<i32> {
        let parts = self.parts();
        let moves = parts.moves.get(at)?;
        let mut found = std::mem::take(&mut self.buffers.found);
        if self.buffers.found_in != self.memory.get(Slot::Moves) {
            self.buffers.found_in = self.memory.get(Slot::Moves);
            found.clear();
            self.buffers.ranges.clear();
        }
        let start = found.len() as u32;
        self.evaluate(|memory, eval| {
            memory.lend_variables(eval);
            let any = eval.effects(moves, &mut found);
            memory.take_back_variables(eval);
            *memory.slot(Slot::Given) = i32::from(any);
        });
        self.buffers.ranges.push((start, found.len() as u32));
        self.buffers.found = found;
        Some(self.buffers.ranges.len() as i32 - 1)
    }

    /// Carries out actions by the rules of the game, consequences too.
    fn carry_out(&mut self, acts: &[Act]) {
        self.give_head();
        self.with_rng(|playout, rng| {
            playout.game.by_chance(rng, |chance| {
                let around = Around { chance, ..Around::NOTHING };
                playout.game.carry_out_all(playout.state, acts, around);
            });
        });
        let turns = self.state.head.turns;
        self.memory.take_head(self.state, turns);
        self.memory.take_captured(self.state);
    }
}

impl<const W: usize> Host for CompiledPlayout<'_, W> {
    #[inline(always)]
    fn lend<'l>(&'l mut self, loans: &mut Loans<'l>) {
        let CompiledPlayout { program, memory, buffers, state, draws, .. } = self;
        loans.ints_mut(FRAME, &mut memory.frame);
        loans.ints_mut(MOVES, &mut buffers.moves);
        loans.ints_mut(LIST, &mut memory.list);
        loans.ints_mut(ACTS, &mut buffers.acts);
        loans.ints_mut(HISTORY, &mut buffers.history);
        loans.ints_mut(ADDED, &mut buffers.added);
        loans.sets_mut(TARGETS, &mut buffers.targets);
        loans.sets(SCRATCH, &memory.scratch);
        loans.sets_mut(DRAWS, draws);
        if program.keeps {
            loans.ints_mut(KEPT_CELLS, &mut buffers.kept.cells);
            loans.ints_mut(KEPT_FRAME, &mut buffers.kept.frame);
            loans.sets_mut(KEPT_STATE, &mut buffers.kept.words);
            loans.sets_mut(KEPT_DRAWS, &mut buffers.kept.draws);
        }
        let (cells, words) = state.memory_mut();
        loans.ints_mut(CELLS, cells);
        loans.sets_mut(STATE, words);
    }

    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let answer = self.serve(function, arguments);
        self.fit_kept();
        answer
    }
}

impl<const W: usize> CompiledPlayout<'_, W> {
    /// Does what code calls the host for.
    fn serve(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let Some(&(service, ..)) = SERVICES.get(function.0 as usize) else { return 0 };
        let first = arguments.first().copied().unwrap_or(-1);
        let at = first as usize;
        match service {
            Service::Test | Service::Int | Service::Region | Service::List | Service::First => {
                let parts = self.parts();
                let answer = self.evaluate(|memory, eval| memory.answer(eval, parts, service, at));
                answer.unwrap_or(0)
            }
            Service::Effects => self.effects(at).unwrap_or(-1),
            Service::CarryOut => {
                let Some(&(start, end)) = self.buffers.ranges.get(at) else { return 0 };
                let found = std::mem::take(&mut self.buffers.found);
                self.carry_out(&found[start as usize..end as usize]);
                self.buffers.found = found;
                0
            }
            Service::Act => {
                let &[kind, a, b, c] = arguments else { return 0 };
                self.keep_head();
                match act(kind, [a, b, c]) {
                    Some(act) if self.game.is_state_alone(act) => {
                        self.state.act(&self.game.layout, act);
                        *self.memory.slot(Slot::HasStalePieces) =
                            i32::from(!self.state.stale_pieces().is_empty());
                    }
                    Some(act) => self.carry_out(&[act]),
                    None => {}
                }
                0
            }
            Service::Room => {
                let more = (2 * self.buffers.acts.len()).max(64 * OF_ACT);
                self.buffers.acts.resize(more, 0);
                *self.memory.slot(Slot::ActsRoom) = (more / OF_ACT) as i32;
                0
            }
            Service::DrawCounted => match self.draw_counted() {
                Ok(number) => number as i32,
                Err(stop) => -2 - stop as i32,
            },
            Service::Settle => {
                self.keep_head();
                self.settle();
                0
            }
            Service::Remember => {
                self.state.remember_position();
                0
            }
            Service::TakeBack => {
                self.take_back();
                self.take_draws_back();
                0
            }
            Service::Copy => {
                self.buffers.copies.push(self.state);
                0
            }
            Service::PutBack => {
                self.buffers.copies.put_back(self.state);
                0
            }
            Service::FirstOfItsKind => self.first_of_its_kind(first as u32) as i32,
            Service::Reject => self.reject(first as u32).map_or(-1, |number| number as i32),
            // Nothing is gathered here but what code finds by itself.
            Service::Take | Service::Flush | Service::Generate => 1,
        }
    }
}

/// The number of a move among all, by its number among those that are not left out; these are in
/// order.
pub(crate) fn beside(number: u32, left_out: &[u32]) -> u32 {
    left_out.iter().fold(number, |number, &other| number + u32::from(other <= number))
}

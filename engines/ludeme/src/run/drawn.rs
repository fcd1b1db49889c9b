//! Playouts of games whose moves are listed or gathered at every ply: a move is drawn by its number
//! among those that may be legal, tested, and only then made.

use play::{End, Ending, Job, MAX_PLAYERS, Outcomes, Rng, Tally};

use crate::buffer::Buffer;
use crate::compile::{Found, Played, RunBuffers, Runner, beside};
use crate::eval::{Count, HarnessChance, Listed, MaybeChance, Mode};
use crate::game::Game;
use crate::moves::{Move, MoveId};
use crate::state::{Head, State};

/// What a player does in a turn.
struct Choice {
    made: Move,
    /// True if the only thing that there is to do is to pass.
    forced: bool,
}

/// What playouts are played in, one after the other, beside their states.
#[derive(Default)]
pub(crate) struct Workspace<const W: usize> {
    buffers: RunBuffers<W>,
    listed: Listed,
}

/// How a playout has ended, after so many plies.
enum Playout {
    Over(u32),
    Capped(u32),
}

/// What the scores of a game that is over hang on.
struct GameEnd {
    ranks: [u8; MAX_PLAYERS + 1],
    seats: [u8; MAX_PLAYERS + 1],
    payoffs: Option<[i32; MAX_PLAYERS]>,
}

impl GameEnd {
    fn of(state: &State) -> GameEnd {
        let Head { ranks, record, .. } = &state.head;
        GameEnd { ranks: *ranks, seats: record.seats, payoffs: state.payoffs().copied() }
    }

    /// True if a state of a game for so many ends so. A few numbers are compared one by one: for
    /// them a loop is quicker than what compares memory.
    #[inline(always)]
    fn is_that_of(&self, state: &State, players: usize) -> bool {
        let equal = match (&self.payoffs, state.payoffs()) {
            (Some(own), Some(other)) => own[..players].iter().eq(&other[..players]),
            (None, None) => {
                let (own, other) = (&self.ranks[1..=players], &state.head.ranks[1..=players]);
                own.iter().eq(other)
            }
            _ => false,
        };
        let (own, other) = (&self.seats[1..=players], &state.head.record.seats[1..=players]);
        equal && own.iter().eq(other)
    }
}

/// What has become of some plies of a playout.
enum Turn {
    /// So many moves have been made that were not forced, and so many forced passes follow each
    /// other at the end.
    Made(u32, u32),
    /// A playout that may go no further could.
    Capped,
}

impl Turn {
    /// A move, forced or not, after so many forced passes.
    fn one(forced: bool, passes: u32) -> Turn {
        if forced { Turn::Made(0, passes + 1) } else { Turn::Made(1, 0) }
    }

    /// The same after so many moves that were not forced.
    fn after(self, plies: u32) -> Turn {
        match self {
            Turn::Made(more, passes) => Turn::Made(plies + more, passes),
            Turn::Capped => Turn::Capped,
        }
    }
}

impl<const W: usize> Game<W> {
    /// Plays a job.
    pub(crate) fn run(&self, job: &Job) -> Tally {
        let (mut tally, mut outcomes) = (Tally::default(), Outcomes::default());
        let (mut state, mut space) = (self.initial.clone(), Workspace::default());
        for id in job.ids() {
            let plies = match self.play_out(&mut state, &mut space, (job.seed, id), job.cap) {
                Playout::Over(plies) => plies,
                Playout::Capped(plies) => {
                    tally.record(id, End { plies, ending: Ending::Capped });
                    continue;
                }
            };
            let state = &state;
            let first = || (GameEnd::of(state), self.scores_of(state));
            let is_same = |end: &GameEnd| end.is_that_of(state, self.world.players);
            outcomes.record(&mut tally, id, plies, is_same, first);
        }
        outcomes.count(&mut tally);
        tally
    }

    /// The position in which a playout ends.
    #[cfg(test)]
    pub(crate) fn position_after(&self, seed: u64, id: u64, cap: u32) -> State {
        let mut state = self.initial.clone();
        self.play_out(&mut state, &mut Workspace::default(), (seed, id), cap);
        state
    }

    /// Plays a playout.
    fn play_out(
        &self,
        state: &mut State,
        space: &mut Workspace<W>,
        (seed, id): (u64, u64),
        cap: u32,
    ) -> Playout {
        let mut rng = Rng::stream(seed, id);
        self.restart(state, Some(&HarnessChance::new(&mut rng)));
        self.play_on(state, space, &mut rng, cap)
    }

    /// Plays on from a state, which is left where the playout ends; plies are counted from here.
    pub(crate) fn play_from(
        &self,
        space: &mut Workspace<W>,
        state: &mut State,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        match self.play_on(state, space, rng, cap) {
            Playout::Over(plies) => End { plies, ending: Ending::Over(self.scores_of(state)) },
            Playout::Capped(plies) => End { plies, ending: Ending::Capped },
        }
    }

    /// Plays on from a state.
    fn play_on(
        &self,
        state: &mut State,
        space: &mut Workspace<W>,
        rng: &mut Rng,
        cap: u32,
    ) -> Playout {
        space.buffers.begin();
        let (mut plies, mut passes) = (0, 0);
        while !state.head.over {
            let Turn::Made(made, forced) = self.turn(state, space, rng, (cap - plies, passes))
            else {
                // It is capped where it has made all that it may.
                return Playout::Capped(cap);
            };
            plies += made;
            passes = forced;
            if passes > play::MAX_FORCED_PASSES {
                return Playout::Capped(plies);
            }
        }
        Playout::Over(plies)
    }

    /// Makes moves, no more than so many that are not forced, after so many forced passes.
    fn turn(
        &self,
        state: &mut State,
        space: &mut Workspace<W>,
        rng: &mut Rng,
        (left, passes): (u32, u32),
    ) -> Turn {
        let Workspace { buffers, listed } = space;
        if let Some(turn) = self.run_code(state, buffers, rng, left, passes) {
            return turn;
        }
        let ends = left == 0;
        let choice = if self.tests_moves || self.redraws {
            self.draw_tested(state, listed, rng, ends)
        } else {
            self.draw_known(state, listed, rng, ends)
        };
        let Some(Choice { made, forced }) = choice else { return Turn::Capped };
        self.by_chance(rng, |chance| self.advance(state, &made, chance));
        Turn::one(forced, passes)
    }

    /// Plays plies by code after so many forced passes, no more than so many that are not forced;
    /// `None` if it does not.
    fn run_code(
        &self,
        state: &mut State,
        buffers: &mut RunBuffers<W>,
        rng: &mut Rng,
        left: u32,
        passes: u32,
    ) -> Option<Turn> {
        // As in `Game::compiled`: what runs code is not built for games that have none.
        if const { W > kernel::MAX_NATIVE_WORDS } || self.simultaneous && self.tests_moves {
            return None;
        }
        let program = self.begins_code(state, buffers)?;
        // It stays where it is made: to move it takes longer than to make it.
        let runner = &mut Runner::new(self, program, state, buffers);
        runner.take_added();
        let begins = runner.state.chosen().is_empty();
        let played = if begins { runner.play(rng, left, passes) } else { Played::Nothing };
        let (plies, at, forced) = match played {
            Played::Nothing if self.simultaneous => {
                runner.gather()?;
                return self.choose_found(runner, rng, left == 0, passes);
            }
            Played::Nothing if !self.tests_moves => return None,
            Played::Nothing => {
                runner.gather()?;
                return self.play_among(runner, rng, None, left == 0, passes);
            }
            Played::Untested(plies, number) => {
                let passes = runner.passes();
                let turn = self.play_among(runner, rng, Some(number), false, passes)?;
                return Some(turn.after(plies));
            }
            Played::Moves(plies) => return Some(Turn::Made(plies, runner.passes())),
            Played::Swapped(plies) => {
                let made = self.swap_move(runner.state)?;
                self.by_chance(rng, |chance| self.advance(runner.state, &made, chance));
                return Some(Turn::Made(plies + 1, 0));
            }
            Played::Drawn(plies, at, forced) => (plies, at, forced),
            Played::Capped => return Some(Turn::Capped),
        };
        let made = match at {
            Some(at) => self.make_found(runner.state, &runner.found()?, at, Mode::Known)?,
            None => Move::pass(),
        };
        let turn = Turn::one(forced, runner.passes()).after(plies);
        self.by_chance(rng, |chance| self.advance(runner.state, &made, chance));
        Some(turn)
    }

    /// Draws one of the moves of who chooses that code has gathered, and makes it.
    fn choose_found(
        &self,
        runner: &mut Runner<'_, W>,
        rng: &mut Rng,
        ends: bool,
        passes: u32,
    ) -> Option<Turn> {
        let found = runner.found()?;
        let (repeated, _) = self.left_out(runner.state, &found);
        let count = found.count() - repeated.len() as u32;
        let forced = count == 0 || count == 1 && found.is_pass(beside(0, &repeated));
        if ends && !forced {
            return Some(Turn::Capped);
        }
        let at = if forced { 0 } else { rng.below(count) };
        let made = match count {
            0 => Move::pass(),
            _ => self.make_found(runner.state, &found, beside(at, &repeated), Mode::Known)?,
        };
        self.by_chance(rng, |chance| self.choose(runner.state, made, chance));
        Some(Turn::one(forced, passes))
    }

    /// Runs with the source of chance, where anything is left to it.
    pub(crate) fn by_chance<T>(&self, rng: &mut Rng, run: impl FnOnce(MaybeChance<'_>) -> T) -> T {
        if self.chance { run(Some(&HarnessChance::new(rng))) } else { run(None) }
    }

    /// Draws one of the moves that differ, as the reference does; nothing at the end of a playout
    /// that is not allowed any further ply. Where all moves differ they are counted, not listed.
    fn draw_known(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        let lists = self.overlaps || self.chance || self.selects;
        let (count, pass) = if lists {
            self.by_chance(rng, |chance| self.list_legal(state, chance, listed));
            (listed.list.len() as u32, listed.list.iter().all(MoveId::is_pass))
        } else {
            let Count { number, pass } = self.count(state, &listed.notes);
            (number.into(), pass)
        };
        let forced = count == 0 || count == 1 && pass;
        if ends && !forced {
            return None;
        }
        let at = if forced { 0 } else { rng.below(count) };
        let id = match listed.list.get(at as usize).filter(|_| lists) {
            Some(&id) => id,
            None if count == 0 => MoveId::PASS,
            None => MoveId { number: at as u16, ..MoveId::PASS },
        };
        let mode = Mode::Known;
        let made = self.by_chance(rng, |chance| self.one_made(state, mode, listed, id, chance))?;
        Some(Choice { made, forced })
    }

    /// Draws among all moves that may be legal until one is, and is none that came before.
    fn draw_tested(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        self.by_chance(rng, |chance| self.candidates(state, Mode::Drawing, chance, listed));
        // Nothing is drawn where it is known that the only move is a pass.
        let mut known = !self.tests_moves && matches!(&listed.list[..], [only] if only.is_pass());
        let drawn = loop {
            if listed.list.is_empty() {
                break (MoveId::PASS, Move::pass());
            }
            let known = std::mem::take(&mut known);
            let at = if known { 0 } else { rng.below(listed.list.len() as u32) as usize };
            let id = listed.list.swap_remove(at);
            let mode = Mode::Drawn;
            let made = self.by_chance(rng, |chance| self.one_made(state, mode, listed, id, chance));
            if let Some(made) = made
                && !self.comes_again(state, listed, (id, &made))
            {
                break (id, made);
            }
        };
        let (id, made) = drawn;
        // Nobody chooses to pass where there is nothing else.
        let mut other = |&id: &MoveId| {
            !id.is_pass() && self.one_made(state, Mode::Drawn, listed, id, None).is_some()
        };
        let forced = id.is_pass() && !listed.list.iter().any(&mut other);
        (forced || !ends).then_some(Choice { made, forced })
    }

    /// Draws a move of those that code has gathered, where the first one may have been drawn, and
    /// makes it.
    fn play_among(
        &self,
        runner: &mut Runner<'_, W>,
        rng: &mut Rng,
        first: Option<u32>,
        ends: bool,
        passes: u32,
    ) -> Option<Turn> {
        let left = runner.take_left().filter(|_| first.is_some());
        let choice = self.draw_among(&runner.found()?, runner.state, rng, (first, left), ends);
        let Some(Choice { made, forced }) = choice else { return Some(Turn::Capped) };
        self.by_chance(rng, |chance| self.advance(runner.state, &made, chance));
        Some(Turn::one(forced, passes))
    }

    /// As [`Game::draw_tested`], where code has gathered the moves. The first one may have been
    /// drawn, and others before it, so that not all are left.
    fn draw_among(
        &self,
        found: &Found<'_>,
        state: &State,
        rng: &mut Rng,
        (mut drawn, mut left): (Option<u32>, Option<Buffer<u32>>),
        ends: bool,
    ) -> Option<Choice> {
        let count = found.count();
        let made = loop {
            let number = left.as_ref().map_or(count, |left| left.len() as u32);
            if number == 0 && drawn.is_none() {
                break Move::pass();
            }
            let at = match (drawn.take(), &mut left) {
                (Some(drawn), _) => drawn,
                (None, Some(left)) => left.swap_remove(rng.below(number) as usize),
                (None, None) => rng.below(number),
            };
            let made = self.make_found(state, found, at, Mode::Drawn);
            let made = made.filter(|made| !self.comes_before(state, found, at, made));
            if left.is_none() && made.as_ref().is_none_or(Move::is_pass) {
                left = Some(found.without(at));
            }
            if let Some(made) = made {
                break made;
            }
        };
        // Nobody chooses to pass where there is nothing else.
        let other = |&at: &u32| {
            !found.is_pass(at) && self.make_found(state, found, at, Mode::Drawn).is_some()
        };
        let forced = made.is_pass() && !left.iter().flat_map(|left| left.iter()).any(other);
        (forced || !ends).then_some(Choice { made, forced })
    }

    /// True if a move that was drawn leads to the same state as one before it.
    pub(crate) fn comes_before(
        &self,
        state: &State,
        found: &Found<'_>,
        at: u32,
        made: &Move,
    ) -> bool {
        let mut after = None;
        self.overlaps
            && found.rivals(at).any(|other| {
                let other = self.make_found(state, found, other, Mode::Drawn);
                other.is_some_and(|other| self.are_same(state, &other, (made, &mut after)))
            })
    }
}

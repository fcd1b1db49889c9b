//! Playouts: by code as far as there is some, by lists of moves elsewhere.

use play::{End, Ending, Job, MAX_PLAYERS, Outcomes, Rng, Tally};

use crate::buffer::Buffer;
use crate::compile::{CompiledPlayout, GatheredMoves, Played, RunBuffers, beside};
use crate::eval::{HarnessChance, Legality, Listed, MaybeChance};
use crate::game::Game;
use crate::lower::Feature;
use crate::moves::{Move, MoveId};
use crate::state::{Head, State};

/// The move of a player in a turn.
struct Choice {
    made: Move,
    /// True if the only thing that there is to do is to pass.
    forced: bool,
}

/// Memory of playouts, one after the other, beside their states.
#[derive(Default)]
pub(crate) struct Workspace {
    buffers: RunBuffers,
    listed: Listed,
}

/// The end of a playout, after so many plies.
enum Playout {
    Over(u32),
    Capped(u32),
}

/// The parts of a final state that its scores depend on.
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

/// The outcome of some plies of a playout.
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

impl Game {
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
        space: &mut Workspace,
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
        space: &mut Workspace,
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
        space: &mut Workspace,
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
        space: &mut Workspace,
        rng: &mut Rng,
        (left, passes): (u32, u32),
    ) -> Turn {
        let Workspace { buffers, listed } = space;
        if let Some(turn) = self.run_code(state, buffers, rng, left, passes) {
            return turn;
        }
        let choice = if self.tests_moves || self.redraws {
            self.draw_by_rejection(state, listed, rng, left == 0)
        } else {
            self.draw_listed(state, listed, rng, left == 0)
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
        buffers: &mut RunBuffers,
        rng: &mut Rng,
        left: u32,
        passes: u32,
    ) -> Option<Turn> {
        if self.simultaneous && self.tests_moves {
            return None;
        }
        let program = self.begins_code(state, buffers)?;
        // It stays where it is made: to move it takes longer than to make it.
        let playout = &mut CompiledPlayout::new(self, program, state, buffers);
        playout.take_added();
        let begins = playout.state.chosen().is_empty();
        let played = if begins { playout.play(rng, left, passes) } else { Played::Nothing };
        let (plies, at, forced) = match played {
            Played::Nothing if self.simultaneous => {
                playout.gather()?;
                return self.choose_gathered(playout, rng, left == 0, passes);
            }
            Played::Nothing if !self.tests_moves => return None,
            Played::Nothing => {
                playout.gather()?;
                return self.play_gathered(playout, rng, None, left == 0, passes);
            }
            Played::Untested(plies, number) => {
                let passes = playout.passes();
                let turn = self.play_gathered(playout, rng, Some(number), false, passes)?;
                return Some(turn.after(plies));
            }
            Played::Moves(plies) => return Some(Turn::Made(plies, playout.passes())),
            Played::Swapped(plies) => {
                let made = self.swap_move(playout.state)?;
                self.by_chance(rng, |chance| self.advance(playout.state, &made, chance));
                return Some(Turn::Made(plies + 1, 0));
            }
            Played::Drawn(plies, at, forced) => (plies, at, forced),
            Played::Capped => return Some(Turn::Capped),
        };
        let made = match at {
            Some(at) => {
                self.make_gathered(playout.state, &playout.gathered_moves()?, at, Legality::Known)?
            }
            None => Move::pass(),
        };
        let turn = Turn::one(forced, playout.passes()).after(plies);
        self.by_chance(rng, |chance| self.advance(playout.state, &made, chance));
        Some(turn)
    }

    /// Draws one of the moves of who chooses that code has gathered, and makes it.
    fn choose_gathered(
        &self,
        playout: &mut CompiledPlayout<'_>,
        rng: &mut Rng,
        ends: bool,
        passes: u32,
    ) -> Option<Turn> {
        let gathered = playout.gathered_moves()?;
        let (repeated, _) = self.left_out(playout.state, &gathered);
        let count = gathered.count() - repeated.len() as u32;
        let forced = count == 0 || count == 1 && gathered.is_pass(beside(0, &repeated));
        if ends && !forced {
            return Some(Turn::Capped);
        }
        let at = if forced { 0 } else { rng.below(count) };
        let made = match count {
            0 => Move::pass(),
            _ => self.make_gathered(
                playout.state,
                &gathered,
                beside(at, &repeated),
                Legality::Known,
            )?,
        };
        self.by_chance(rng, |chance| self.choose(playout.state, made, chance));
        Some(Turn::one(forced, passes))
    }

    /// Runs with the source of chance, where anything is left to it.
    pub(crate) fn by_chance<T>(&self, rng: &mut Rng, run: impl FnOnce(MaybeChance<'_>) -> T) -> T {
        if self.has(Feature::Chance) { run(Some(&HarnessChance::new(rng))) } else { run(None) }
    }

    /// Lists the legal moves and draws one of them, as the reference does; `None` at the end of a
    /// playout that is not allowed any further ply.
    fn draw_listed(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        self.by_chance(rng, |chance| self.list_legal(state, chance, listed));
        let Listed { list, draws, .. } = listed;
        let forced = matches!(list[..], [only] if only.is_pass());
        if ends && !forced {
            return None;
        }
        let place = if forced { 0 } else { rng.below(list.len() as u32) };
        let (id, legality) = (list[place as usize], Legality::Known);
        let made =
            self.by_chance(rng, |chance| self.make_listed(state, draws, id, legality, chance))?;
        Some(Choice { made, forced })
    }

    /// Draws among all moves that the rules give until one is legal, and no duplicate of one before
    /// it: of long lists with tests few moves are tested then, as by code.
    fn draw_by_rejection(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        self.by_chance(rng, |chance| self.list_all(state, false, chance, listed));
        let Listed { list, draws, .. } = listed;
        // Nothing is drawn if it is known that the only move is a pass.
        let mut known = !self.tests_moves && matches!(list[..], [only] if only.is_pass());
        let made = loop {
            if list.is_empty() {
                break Move::pass();
            }
            let known = std::mem::take(&mut known);
            let place = if known { 0 } else { rng.below(list.len() as u32) };
            let (id, legality) = (list.swap_remove(place as usize), Legality::Open);
            let made =
                self.by_chance(rng, |chance| self.make_listed(state, draws, id, legality, chance));
            if let Some(made) = made
                && !self.is_duplicate(state, (list, draws), (id, &made))
            {
                break made;
            }
        };
        // Nobody chooses to pass where there is nothing else.
        let mut other = |&id: &MoveId| {
            !id.is_pass() && self.make_listed(state, draws, id, Legality::Open, None).is_some()
        };
        let forced = made.is_pass() && !list.iter().any(&mut other);
        (forced || !ends).then_some(Choice { made, forced })
    }

    /// True if a move leads to the same state as one before it in the list.
    fn is_duplicate(
        &self,
        state: &mut State,
        (list, draws): (&[MoveId], &[u32]),
        (id, made): (MoveId, &Move),
    ) -> bool {
        if !self.overlaps {
            return false;
        }
        list.iter().filter(|other| other.ends() == id.ends() && other.number < id.number).any(
            |&other| {
                let other = self.make_listed(state, draws, other, Legality::Open, None);
                other.is_some_and(|other| self.are_same(state, &other, (made, &mut None)))
            },
        )
    }

    /// Draws a move of those that code has gathered, where the first one may have been drawn, and
    /// makes it.
    fn play_gathered(
        &self,
        playout: &mut CompiledPlayout<'_>,
        rng: &mut Rng,
        first: Option<u32>,
        ends: bool,
        passes: u32,
    ) -> Option<Turn> {
        let left = playout.take_left().filter(|_| first.is_some());
        let choice =
            self.draw_gathered(&playout.gathered_moves()?, playout.state, rng, (first, left), ends);
        let Some(Choice { made, forced }) = choice else { return Some(Turn::Capped) };
        self.by_chance(rng, |chance| self.advance(playout.state, &made, chance));
        Some(Turn::one(forced, passes))
    }

    /// Draws a move of those that code has gathered until one is legal, and none that came before.
    /// The first one may have been drawn, and others before it, so that not all are left.
    fn draw_gathered(
        &self,
        gathered: &GatheredMoves<'_>,
        state: &State,
        rng: &mut Rng,
        (mut drawn, mut left): (Option<u32>, Option<Buffer<u32>>),
        ends: bool,
    ) -> Option<Choice> {
        let count = gathered.count();
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
            let made = self.make_gathered(state, gathered, at, Legality::Open);
            let made = made.filter(|made| !self.comes_before(state, gathered, at, made));
            if left.is_none() && made.as_ref().is_none_or(Move::is_pass) {
                left = Some(gathered.without(at));
            }
            if let Some(made) = made {
                break made;
            }
        };
        // Nobody chooses to pass where there is nothing else.
        let other = |&at: &u32| {
            !gathered.is_pass(at)
                && self.make_gathered(state, gathered, at, Legality::Open).is_some()
        };
        let forced = made.is_pass() && !left.iter().flat_map(|left| left.iter()).any(other);
        (forced || !ends).then_some(Choice { made, forced })
    }

    /// True if a move that was drawn leads to the same state as one before it.
    pub(crate) fn comes_before(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
        at: u32,
        made: &Move,
    ) -> bool {
        let mut after = None;
        self.overlaps
            && gathered.rivals(at).any(|other| {
                let other = self.make_gathered(state, gathered, other, Legality::Open);
                other.is_some_and(|other| self.are_same(state, &other, (made, &mut after)))
            })
    }
}

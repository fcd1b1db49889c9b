//! Jobs of puzzles: what playouts ask of the state, and playouts of puzzles with constraints that
//! the plain interpreter has to test.

use play::{End, Ending, Job, Rng, Scores, Tally};

use super::Plan;
use super::cpu::Portable;
use super::playout::{self, Judge, StopReason};
use super::steps::{Known, draw};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, component_of};
use crate::state::{PieceValues, State};

/// Plays a state on by the plain rules, for at most so many plies.
pub(crate) type Finish<'a> = &'a mut dyn FnMut(&mut State, &mut Rng, u32) -> End;

/// Says how playouts end by the rules.
struct Rules<'a, const W: usize> {
    plan: &'a Plan,
    game: &'a Game<W>,
    cap: u32,
    finish: Finish<'a>,
    state: State,
}

impl<const W: usize> Judge for Rules<'_, W> {
    fn end(&mut self, reason: StopReason, given: &[u32], rng: &mut Rng) -> End {
        let Rules { plan, game, .. } = *self;
        let plies = given.len() as u32;
        let over = |scores| End { plies, ending: Ending::Over(scores) };
        let stuck = reason == StopReason::Stuck;
        match reason {
            StopReason::Capped => return End { plies, ending: Ending::Capped },
            StopReason::Stuck if plan.ends.stuck_is_lost && plan.is_exact() => {
                return over(Scores::single(0));
            }
            StopReason::Stuck | StopReason::Solved => {}
        }
        self.state.clone_from(&game.initial);
        for &candidate in given {
            put(plan, game, &mut self.state, candidate);
        }
        if stuck && !(plan.ends.asks_stuck() && plies > 0) {
            let end = (self.finish)(&mut self.state, rng, self.cap - plies);
            return End { plies: plies + end.plies, ending: end.ending };
        }
        game.run_end_rules(&mut self.state);
        over(game.scores_of(&self.state))
    }
}

/// What a playout changes, in memory that the next one uses again.
struct Playout {
    state: State,
    /// The candidates that values given leave, and those of them that no draw at this ply has ruled
    /// out.
    set: Vec<u64>,
    left: Vec<u64>,
    known: Known,
    /// The value of each site.
    values: Vec<u16>,
    given: Vec<u32>,
}

/// Gives a variable a value in a state.
pub(super) fn put<const W: usize>(plan: &Plan, game: &Game<W>, state: &mut State, candidate: u32) {
    state.record_move(false);
    let (value, site) = plan.steps.candidate(candidate);
    let what = usize::from(component_of(i32::from(value)));
    state.add(&game.layout, usize::from(site), what, 1, PieceValues::default());
    (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
}

impl Plan {
    /// Plays a job. `finish` plays a state on by the plain rules.
    pub(crate) fn run<const W: usize>(
        &self,
        game: &Game<W>,
        job: &Job,
        finish: Finish<'_>,
    ) -> Tally {
        let state = game.initial.clone();
        let mut rules = Rules { plan: self, game, cap: job.cap, finish, state };
        if self.is_exact() {
            return playout::run(self, job, &mut rules);
        }
        let mut tally = Tally::default();
        let mut playout = Playout {
            state: game.initial.clone(),
            set: Vec::new(),
            left: Vec::new(),
            known: self.known.clone(),
            values: Vec::new(),
            given: Vec::new(),
        };
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let reason = self.playout_tested(game, &mut playout, &mut rng, job.cap);
            tally.record(id, rules.end(reason, &playout.given, &mut rng));
        }
        tally
    }

    /// Plays until a rule ends it, nothing can be given a value, or there have been `cap` plies.
    fn playout_tested<const W: usize>(
        &self,
        game: &Game<W>,
        playout: &mut Playout,
        rng: &mut Rng,
        cap: u32,
    ) -> StopReason {
        let Playout { state, set, left, known, values, given } = playout;
        state.clone_from(&game.initial);
        set.clone_from(&self.first);
        known.clone_from(&self.known);
        if let Some(completion) = &self.completion {
            values.clone_from(&completion.values);
        }
        given.clear();
        loop {
            left.clone_from(set);
            let Some(candidate) = self.draw_tested(game, left, state, rng) else {
                return StopReason::Stuck;
            };
            if given.len() == cap as usize {
                return StopReason::Capped;
            }
            given.push(candidate);
            self.steps.give(set, known, candidate, given.len());
            put(self, game, state, candidate);
            if let Some(completion) = &self.completion {
                let (value, site) = self.steps.candidate(candidate);
                values[usize::from(site)] = value;
                if completion.are_solved(values, &known.left)
                    && Eval::new(game, state).test(&Bool::IsSolved)
                {
                    return StopReason::Solved;
                }
            }
        }
    }

    /// Draws a candidate until one breaks none of the constraints without a form.
    fn draw_tested<const W: usize>(
        &self,
        game: &Game<W>,
        left: &mut [u64],
        state: &State,
        rng: &mut Rng,
    ) -> Option<u32> {
        loop {
            let candidate = draw(Portable, left, rng)?;
            if self.is_possible(game, state, candidate) {
                return Some(candidate);
            }
            left[candidate as usize / 64] &= !(1 << (candidate % 64));
        }
    }
}

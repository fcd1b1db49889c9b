//! Jobs of puzzles: the ends of playouts that need a state, and playouts of puzzles with
//! constraints that the plain interpreter has to test.

use cpu::Portable;
use play::{End, Ending, Job, Rng, Scores, Tally};

use super::Plan;
use super::playout::{self, Judge, StopReason, give};
use super::steps::draw;
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, component_of};
use crate::state::{Domains, PieceValues, State};

/// A function that plays a state on by the plain rules, for at most a number of plies.
pub(crate) type Finish<'a> = &'a mut dyn FnMut(&mut State, &mut Rng, u32) -> End;

/// The ends of playouts by the rules.
struct Rules<'a> {
    plan: &'a Plan,
    game: &'a Game,
    cap: u32,
    finish: Finish<'a>,
    state: State,
}

impl Judge for Rules<'_> {
    fn end(&mut self, reason: StopReason, given: &[u32], rng: &mut Rng) -> End {
        let Rules { plan, game, cap, .. } = *self;
        if let Some(end) = plan.known_end(reason, given.len(), given.len()) {
            return end;
        }
        self.state.clone_from(&game.initial);
        plan.end(game, &mut self.state, (reason, given), rng, cap, self.finish)
    }
}

/// The parts that a playout changes, in memory that the next one reuses.
struct Playout {
    state: State,
    domains: Domains<Vec<u64>>,
    /// The candidates that no draw at this ply has ruled out.
    left: Vec<u64>,
    given: Vec<u32>,
}

/// Gives a variable a value in a state.
pub(super) fn put(plan: &Plan, game: &Game, state: &mut State, candidate: u32) {
    state.record_move(false);
    let (value, site) = plan.steps.candidate(candidate);
    let what = usize::from(component_of(i32::from(value)));
    state.add(&game.layout, usize::from(site), what, 1, PieceValues::default());
    (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
}

impl Plan {
    /// The end of a playout after these plies, with this number of values given since the set-up,
    /// if no state is needed to tell it.
    pub(super) fn known_end(&self, reason: StopReason, plies: usize, given: usize) -> Option<End> {
        let ending = match (reason, &self.ends.scores) {
            (StopReason::Capped, _) => Ending::Capped,
            _ if !self.is_exact() => return None,
            (_, Some((rule, scores))) if *rule == reason && plies > 0 => {
                Ending::Over(scores[given])
            }
            (StopReason::Stuck, _) if self.ends.stuck_is_lost => Ending::Over(Scores::single(0)),
            _ => return None,
        };
        Some(End { plies: plies as u32, ending })
    }

    /// The end by the rules of a playout that begins in a state and gives these candidates.
    pub(super) fn end(
        &self,
        game: &Game,
        state: &mut State,
        (reason, given): (StopReason, &[u32]),
        rng: &mut Rng,
        cap: u32,
        finish: Finish<'_>,
    ) -> End {
        given.iter().for_each(|&candidate| put(self, game, state, candidate));
        let plies = given.len() as u32;
        if reason == StopReason::Stuck && !(self.ends.asks_stuck() && plies > 0) {
            let end = finish(state, rng, cap - plies);
            return End { plies: plies + end.plies, ending: end.ending };
        }
        game.run_end_rules(state);
        End { plies, ending: Ending::Over(game.scores_of(state)) }
    }

    /// Plays a job. `finish` plays a state on by the plain rules.
    pub(crate) fn run(&self, game: &Game, job: &Job, finish: Finish<'_>) -> Tally {
        let state = game.initial.clone();
        let mut rules = Rules { plan: self, game, cap: job.cap, finish, state };
        if self.is_exact() {
            return playout::run(self, job, &mut rules);
        }
        let mut tally = Tally::default();
        let mut playout = Playout {
            state: game.initial.clone(),
            domains: self.start.domains.clone(),
            left: Vec::new(),
            given: Vec::new(),
        };
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let reason = self.playout_tested(game, &mut playout, &mut rng, job.cap);
            tally.record(id, rules.end(reason, &playout.given, &mut rng));
        }
        tally
    }

    /// Plays until a rule ends the game, no value can be given, or `cap` plies have been made.
    fn playout_tested(
        &self,
        game: &Game,
        playout: &mut Playout,
        rng: &mut Rng,
        cap: u32,
    ) -> StopReason {
        let Playout { state, domains, left, given } = playout;
        state.clone_from(&game.initial);
        domains.clone_from(&self.start.domains);
        given.clear();
        loop {
            left.clone_from(&domains.set);
            let Some(candidate) = self.draw_tested(game, left, state, rng) else {
                return StopReason::Stuck;
            };
            if given.len() == cap as usize {
                return StopReason::Capped;
            }
            given.push(candidate);
            let fulfilled = give(&self.steps, self.completion.as_ref(), domains, candidate);
            put(self, game, state, candidate);
            if fulfilled && Eval::new(game, state).test(&Bool::IsSolved) {
                return StopReason::Solved;
            }
        }
    }

    /// Draws a candidate until one breaks none of the constraints without a form.
    fn draw_tested(
        &self,
        game: &Game,
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

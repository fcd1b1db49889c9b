//! The loop of a playout of a puzzle.

use play::{End, Ending, Job, Rng, Scores, Tally};

use super::Plan;
use super::cpu::{self, Cpu, Task};
use super::steps::{Known, Sets, draw};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, EndRule, Float, Fold, Int, Role, Verdict, component_of};
use crate::state::{Given, State};

/// What an end rule asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asks {
    /// Whether the puzzle is solved.
    Solved,
    /// Whether nothing can be given a value any more.
    Stuck,
}

/// The end rules, of which each is a form.
pub(super) struct Ends {
    rules: Vec<Asks>,
    /// Whether the scores follow from the number of plies.
    by_plies: bool,
    /// Whether a puzzle that is stuck is over without points, since no rule asks for it: a pass is all
    /// that is left, and ends it.
    stuck_is_lost: bool,
}

impl Ends {
    pub(super) fn of<const W: usize>(game: &Game<W>) -> Option<Ends> {
        let [phase] = &game.phases[..] else { return None };
        let mut rules = Vec::new();
        let mut by_plies = true;
        for rule in phase.end.iter().chain(&game.end) {
            let EndRule::If { condition, inner, verdict: Some(verdict) } = rule else {
                return None;
            };
            if !inner.is_empty() {
                return None;
            }
            rules.push(match condition {
                Bool::IsSolved => Asks::Solved,
                Bool::NoMoves(Role::Next) => Asks::Stuck,
                _ => return None,
            });
            by_plies &= match verdict {
                Verdict::Result { who, .. } => *who == Role::Player(1) || *who == Role::Mover,
                Verdict::Payoffs(list) => list
                    .iter()
                    .all(|(who, value)| matches!(who, Int::Const(_)) && is_by_plies(value)),
                Verdict::ByScore { .. } => false,
            };
        }
        // What follows a result is decided by the plain rules.
        by_plies &= rules.len() <= 1;
        let stuck_is_lost = game.pass_draw && !rules.contains(&Asks::Stuck);
        Some(Ends { rules, by_plies, stuck_is_lost })
    }

    #[inline]
    pub(super) fn asks_solved(&self) -> bool {
        self.rules.contains(&Asks::Solved)
    }

    #[inline]
    fn asks_stuck(&self) -> bool {
        self.rules.contains(&Asks::Stuck)
    }
}

fn is_by_plies(value: &Float) -> bool {
    fn int(value: &Int) -> bool {
        match value {
            Int::Const(_) | Int::Moves => true,
            Int::Arithmetic(_, pair) => int(&pair.0) && int(&pair.1),
            Int::Fold(Fold::Sum | Fold::Product | Fold::Max | Fold::Min, list) => {
                list.iter().all(int)
            }
            _ => false,
        }
    }
    match value {
        Float::Const(_) => true,
        Float::FromInt(value) => int(value),
        Float::Function(_, a) => is_by_plies(a),
        Float::Binary(_, pair) => is_by_plies(&pair.0) && is_by_plies(&pair.1),
    }
}

/// How a playout stands after a ply.
enum Stands {
    Goes,
    /// A rule that asks this ends it.
    Ends,
    Stuck,
}

/// What is used again from playout to playout.
struct Room<const W: usize> {
    known: Known<W>,
    /// See [`draw`].
    ends: Vec<u32>,
    /// The values given, in order.
    given: Vec<(u16, u16)>,
    state: State,
}

/// Plays a state on by the plain rules, for at most so many plies.
pub(crate) type Finish<'a> = &'a dyn Fn(&mut State, &mut Rng, u32) -> End;

/// A job of a puzzle.
struct Playouts<'a, S, const W: usize> {
    plan: &'a Plan<W>,
    /// The candidates at the start.
    first: S,
    game: &'a Game<W>,
    job: &'a Job,
    finish: Finish<'a>,
}

impl<S: Sets<W>, const W: usize> Task for Playouts<'_, S, W> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let Playouts { plan, first, game, job, finish } = self;
        let words = first.as_ref().len() * W;
        let mut room = Room {
            known: plan.known.clone(),
            ends: vec![0; words + 1],
            given: Vec::with_capacity(game.world.sites()),
            state: game.initial.clone(),
        };
        let mut sets = first.clone();
        let mut tally = Tally::default();
        // The scores of playouts that a rule ended after so many plies.
        let mut scores: Vec<Option<Scores>> = Vec::new();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            sets.clone_from(&first);
            room.known.clone_from(&plan.known);
            room.given.clear();
            let stands = if plan.is_exact() {
                plan.playout(cpu, &mut sets, &mut room, &mut rng, job.cap)
            } else {
                plan.playout_tested(game, &mut sets, &mut room, &mut rng, job.cap)
            };
            let plies = room.given.len() as u32;
            let end = match stands {
                Stands::Goes => End { plies, ending: Ending::Capped },
                Stands::Stuck if plan.ends.stuck_is_lost && plan.is_exact() => {
                    End { plies, ending: Ending::Over(Scores::single(0)) }
                }
                Stands::Stuck => {
                    room.build(game);
                    let end = finish(&mut room.state, &mut rng, job.cap - plies);
                    End { plies: plies + end.plies, ending: end.ending }
                }
                Stands::Ends => {
                    let known = scores.get(plies as usize).copied().flatten();
                    let ending = known.unwrap_or_else(|| plan.scores(game, &mut room, &mut scores));
                    End { plies, ending: Ending::Over(ending) }
                }
            };
            tally.record(id, end);
        }
        tally
    }
}

impl<const W: usize> Plan<W> {
    /// Plays a job. `finish` plays a state on by the plain rules.
    pub(crate) fn run(&self, game: &Game<W>, job: &Job, finish: Finish<'_>) -> Tally {
        match self.first[..] {
            [first] => cpu::run(Playouts { plan: self, first: [first], game, job, finish }),
            _ => {
                let first = self.first.clone();
                cpu::run(Playouts { plan: self, first, game, job, finish })
            }
        }
    }

    /// Plays until a rule ends it, nothing can be given a value, or there have been `cap` plies.
    #[inline(always)]
    fn playout<C: Cpu>(
        &self,
        cpu: C,
        sets: &mut impl Sets<W>,
        room: &mut Room<W>,
        rng: &mut Rng,
        cap: u32,
    ) -> Stands {
        loop {
            let Some((at, site)) = draw(cpu, sets.as_ref(), &mut room.ends, rng) else {
                return self.stuck(room);
            };
            if room.given.len() == cap as usize {
                return Stands::Goes;
            }
            let value = self.steps.least() + at;
            room.given.push((site as u16, value as u16));
            self.steps.give(sets, &mut room.known, site, value);
            if self.ends.asks_solved() && self.forms.is_solved(&room.known) {
                return Stands::Ends;
            }
        }
    }

    /// How it stands where nothing can be given a value.
    #[inline(always)]
    fn stuck(&self, room: &Room<W>) -> Stands {
        if self.ends.asks_stuck() && !room.given.is_empty() { Stands::Ends } else { Stands::Stuck }
    }

    /// As [`Plan::playout`], where the plain interpreter has to test what was drawn.
    #[inline(never)]
    fn playout_tested(
        &self,
        game: &Game<W>,
        sets: &mut impl Sets<W>,
        room: &mut Room<W>,
        rng: &mut Rng,
        cap: u32,
    ) -> Stands {
        room.state.clone_from(&game.initial);
        loop {
            let Some((at, site)) = self.draw_tested(game, sets.clone(), room, rng) else {
                return self.stuck(room);
            };
            if room.given.len() == cap as usize {
                return Stands::Goes;
            }
            let value = self.steps.least() + at;
            room.given.push((site as u16, value as u16));
            self.steps.give(sets, &mut room.known, site, value);
            game.record(&mut room.state, false);
            put(game, &mut room.state, site as u16, value as u16);
            if self.ends.asks_solved()
                && self.forms.is_solved(&room.known)
                && Eval::new(game, &room.state).test(&Bool::IsSolved)
            {
                return Stands::Ends;
            }
        }
    }

    /// Draws a move among those that the forms allow until one breaks no other constraint either.
    fn draw_tested(
        &self,
        game: &Game<W>,
        mut left: impl Sets<W>,
        room: &mut Room<W>,
        rng: &mut Rng,
    ) -> Option<(usize, usize)> {
        loop {
            let (at, site) = draw(cpu::Portable, left.as_ref(), &mut room.ends, rng)?;
            let mut after = room.state.trial();
            game.record(&mut after, false);
            put(game, &mut after, site as u16, (self.steps.least() + at) as u16);
            let mut eval = Eval::new(game, &after);
            if self.forms.rest.iter().all(|constraint| eval.test(constraint)) {
                return Some((at, site));
            }
            left.as_mut()[at].remove(site);
        }
    }

    /// The scores of a playout that a rule has ended, which are noted where they follow from the number
    /// of plies.
    #[cold]
    fn scores(
        &self,
        game: &Game<W>,
        room: &mut Room<W>,
        noted: &mut Vec<Option<Scores>>,
    ) -> Scores {
        room.build(game);
        game.run_end_rules(&mut room.state);
        let scores = game.scores_of(&room.state);
        if self.ends.by_plies {
            let plies = room.given.len();
            noted.resize(noted.len().max(plies + 1), None);
            noted[plies] = Some(scores);
        }
        scores
    }
}

impl<const W: usize> Room<W> {
    /// Makes the state that all values which a playout has given lead to.
    fn build(&mut self, game: &Game<W>) {
        self.state.clone_from(&game.initial);
        for &(site, value) in &self.given {
            game.record(&mut self.state, false);
            put(game, &mut self.state, site, value);
        }
    }
}

fn put<const W: usize>(game: &Game<W>, state: &mut State, site: u16, value: u16) {
    let what = usize::from(component_of(i32::from(value)));
    state.add(&game.layout, usize::from(site), what, 1, Given::default());
    (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
}

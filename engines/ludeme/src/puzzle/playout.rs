//! The loop of a playout of a puzzle.

use play::{End, Ending, Job, Rng, Scores, Tally};

use super::{Plan, Work};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, EndRule, Float, Fold, Int, Role, Verdict, component_of};
use crate::set::Set;
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

    pub(super) fn asks_solved(&self) -> bool {
        self.rules.contains(&Asks::Solved)
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

impl<const W: usize> Plan<W> {
    /// Plays a job. `finish` plays a state on by the plain rules.
    pub(crate) fn run(
        &self,
        game: &Game<W>,
        job: &Job,
        finish: &dyn Fn(&mut State, &mut Rng, u32) -> End,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut work = self.first.clone();
        let mut state = game.initial.clone();
        // The scores of playouts that a rule ended after so many plies.
        let mut known: Vec<Option<Scores>> = Vec::new();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            work.reset(&self.first);
            let (stands, plies) = self.playout(game, &mut work, &mut state, &mut rng, job.cap);
            let ending = match stands {
                Stands::Goes => Ending::Capped,
                Stands::Stuck if self.ends.stuck_is_lost && self.is_exact() => {
                    Ending::Over(Scores::single(0))
                }
                Stands::Stuck => {
                    self.build(game, &work, &mut state);
                    let end = finish(&mut state, &mut rng, job.cap - plies);
                    tally.record(id, End { plies: plies + end.plies, ending: end.ending });
                    continue;
                }
                Stands::Ends => {
                    let at = plies as usize;
                    let scores = known.get(at).copied().flatten().unwrap_or_else(|| {
                        self.build(game, &work, &mut state);
                        game.run_end_rules(&mut state);
                        let scores = game.scores_of(&state);
                        if self.ends.by_plies {
                            known.resize(known.len().max(at + 1), None);
                            known[at] = Some(scores);
                        }
                        scores
                    });
                    Ending::Over(scores)
                }
            };
            tally.record(id, End { plies, ending });
        }
        tally
    }

    /// The state after all values that a playout has given.
    fn build(&self, game: &Game<W>, work: &Work<W>, state: &mut State) {
        state.clone_from(&game.initial);
        for &(site, value) in &work.given {
            game.record(state, false);
            self.put(game, state, site, value);
        }
    }

    fn put(&self, game: &Game<W>, state: &mut State, site: u16, value: u16) {
        let what = usize::from(component_of(i32::from(value)));
        state.add(&game.layout, usize::from(site), what, 1, Given::default());
        (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
    }

    fn playout(
        &self,
        game: &Game<W>,
        work: &mut Work<W>,
        state: &mut State,
        rng: &mut Rng,
        cap: u32,
    ) -> (Stands, u32) {
        let exact = self.is_exact();
        if !exact {
            state.clone_from(&game.initial);
        }
        let mut plies = 0;
        loop {
            let drawn = if exact {
                draw(&work.allowed, rng)
            } else {
                self.draw_tested(game, work, state, rng)
            };
            let Some((at, site)) = drawn else {
                let ends = plies > 0 && self.ends.rules.contains(&Asks::Stuck);
                return (if ends { Stands::Ends } else { Stands::Stuck }, plies);
            };
            if plies == cap {
                return (Stands::Goes, plies);
            }
            plies += 1;
            let value = self.least + at as i32;
            self.forms.give(work, site, value, self.least);
            if !exact {
                game.record(state, false);
                self.put(game, state, site as u16, value as u16);
            }
            if self.ends.asks_solved()
                && self.forms.is_solved(work)
                && (exact || Eval::new(game, state).test(&Bool::IsSolved))
            {
                return (Stands::Ends, plies);
            }
        }
    }

    /// Draws a move among those that the forms allow until one breaks no other constraint either.
    fn draw_tested(
        &self,
        game: &Game<W>,
        work: &Work<W>,
        state: &State,
        rng: &mut Rng,
    ) -> Option<(usize, usize)> {
        let mut left = work.allowed.clone();
        loop {
            let (at, site) = draw(&left, rng)?;
            let mut after = state.trial();
            game.record(&mut after, false);
            self.put(game, &mut after, site as u16, (self.least + at as i32) as u16);
            let mut eval = Eval::new(game, &after);
            if self.forms.rest.iter().all(|constraint| eval.test(constraint)) {
                return Some((at, site));
            }
            left[at].remove(site);
        }
    }
}

/// Draws one of all sites of all sets, each with the number of its set.
#[inline]
fn draw<const W: usize>(sets: &[Set<W>], rng: &mut Rng) -> Option<(usize, usize)> {
    let total: u32 = sets.iter().map(Set::len).sum();
    if total == 0 {
        return None;
    }
    let mut number = rng.below(total);
    for (at, set) in sets.iter().enumerate() {
        let len = set.len();
        if number < len {
            return Some((at, set.nth(number)));
        }
        number -= len;
    }
    None
}

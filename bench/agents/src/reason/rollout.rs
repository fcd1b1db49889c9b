//! The values of goals: caves that fit are drawn, and played to the end by rules of thumb.

use play::Rng;

use super::known::Known;
use super::pits::Pits;
use super::plan::{Goal, Heuristic, Routes, risks, shots};
use crate::meter::Meter;

/// Payoffs of the game.
const GOLD: f64 = 1000.0;
const DEATH: f64 = -1000.0;
const ARROW: f64 = -10.0;

/// Squares to enter and shots that are weighed, at most.
const MAX_RISKS: usize = 5;
const MAX_SHOTS: usize = 3;

/// Caves drawn at most for one decision: after as many the standard error is some 20.
const MAX_CAVES: u32 = 1000;

/// A whole cave.
struct Cave {
    pits: Vec<bool>,
    wumpus: usize,
    gold: usize,
}

/// The goal with the best mean payoff, each with its mean; the rules of thumb's own first, and
/// another only if it is better by more than the standard error of the difference.
///
/// This is the rollout algorithm (Tesauro and Galperin 1997; Bertsekas, Tsitsiklis and Wu 1997):
/// one decision is weighed, later ones follow the rules of thumb, and the result is at least as
/// good as these but for the errors of sampling. All goals are tried in the same caves.
pub(super) fn weigh(
    known: &Known,
    routes: &Routes,
    thumb: Heuristic,
    meter: &mut Meter,
    rng: &mut Rng,
) -> Vec<(Goal, f64)> {
    let mut goals = vec![thumb.goal(known, routes)];
    let entered = risks(known, routes).into_iter().take(MAX_RISKS).map(|(_, goal)| goal);
    let shot = shots(known, routes).into_iter().take(MAX_SHOTS).map(|(_, goal)| goal);
    for goal in entered.chain(shot).chain([Goal::Home]) {
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    let mut sums = vec![Sums::default(); goals.len()];
    if goals.len() > 1 {
        let pits = Pits::new(known);
        let all = |can: &[bool]| (0..can.len()).filter(|&square| can[square]).collect::<Vec<_>>();
        let (lairs, lodes) = (all(&known.wumpus), all(&known.lode));
        'caves: for _ in 0..MAX_CAVES {
            let mut one = |of: &[usize]| of[rng.below(of.len() as u32) as usize];
            let (wumpus, gold) = (one(&lairs), one(&lodes));
            let cave = Cave { pits: pits.draw(rng), wumpus, gold };
            let mut base = 0.0;
            for (i, (&goal, sums)) in goals.iter().zip(&mut sums).enumerate() {
                if !meter.next() {
                    break 'caves;
                }
                let payoff = play(known.clone(), &cave, goal, thumb);
                base = if i == 0 { payoff } else { base };
                sums.add(payoff, payoff - base);
            }
        }
    }
    let mut valued: Vec<(Goal, f64)> =
        goals.iter().zip(&sums).map(|(&goal, sums)| (goal, sums.mean())).collect();
    let gain = |i: usize| if i == 0 { 0.0 } else { sums[i].gain() };
    let best = (0..goals.len()).fold(0, |best, i| if gain(i) > gain(best) { i } else { best });
    valued.swap(0, best);
    valued
}

/// Payoffs of a goal, and how much better they are than those of the first.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    payoffs: f64,
    gains: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, payoff: f64, gain: f64) {
        self.n += 1.0;
        self.payoffs += payoff;
        self.gains += gain;
        self.squares += gain * gain;
    }

    fn mean(&self) -> f64 {
        self.payoffs / self.n.max(1.0)
    }

    /// The mean gain if it is beyond doubt, else less than nothing.
    fn gain(&self) -> f64 {
        if self.n < 4.0 {
            return -1.0;
        }
        let mean = self.gains / self.n;
        let variance = (self.squares / self.n - mean * mean).max(0.0);
        if mean > (variance / self.n).sqrt() { mean } else { -1.0 }
    }
}

/// Plays a cave to the end: one goal first, then by rules of thumb. The payoff.
fn play(mut known: Known, cave: &Cave, first: Goal, thumb: Heuristic) -> f64 {
    let payoff = |known: &Known, more: f64| {
        more + ARROW * f64::from(known.shots) - f64::from(known.plies.min(thumb.limit))
    };
    let mut next = Some(first);
    loop {
        let routes = Routes::new(&known);
        let goal = next.take().unwrap_or_else(|| thumb.goal(&known, &routes));
        let Some((plies, facing, _)) = routes.towards(goal) else { return payoff(&known, 0.0) };
        known.plies += plies;
        known.facing = facing;
        match goal {
            Goal::Home => {
                known.plies += 1;
                let out = known.gold && known.plies <= thumb.limit;
                return payoff(&known, if out { GOLD } else { 0.0 });
            }
            Goal::Shoot(square, facing) => {
                known.at = square;
                let scream = known.grid.line(square, facing).any(|at| at == cave.wumpus);
                known.shot(square, facing, scream);
            }
            Goal::Enter(square) => {
                known.at = square;
                if cave.pits[square] || (known.alive && cave.wumpus == square) {
                    return payoff(&known, DEATH);
                }
                let beside = |at: usize| known.grid.beside(square).any(|one| one == at);
                let breeze = known.grid.beside(square).any(|at| cave.pits[at]);
                let stench = cave.wumpus == square || beside(cave.wumpus);
                let glitter = cave.gold == square && !known.gold;
                known.perceive([breeze, stench, glitter]);
                if glitter {
                    known.plies += 1;
                    known.gold = true;
                    known.glitter = false;
                }
            }
        }
        if known.plies >= thumb.limit {
            return payoff(&known, 0.0);
        }
    }
}

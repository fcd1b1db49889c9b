//! Estimates of the cost of a step with either evaluator, to pick the quicker one for a job.

use crate::batch::lanes::lanes;
use crate::circuit::Gate;
use crate::plain_evaluator::{LEGAL, NEXT, PlainEvaluator};
use crate::trial::Trial;

/// Costs in nanoseconds on some processor; only their ratios matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// The cost of legality and the end in a step of one playout in the event-driven evaluator.
    legal: f64,
    /// The cost of the next state, if the network is told of the moves.
    pub(crate) told: f64,
    /// A step of 64 lanes in the bit-sliced evaluator.
    batch: f64,
    lanes: f64,
    /// Steps of a playout.
    steps: f64,
}

/// A step of the event-driven evaluator in which no gate changes that feeds others. What bases feed
/// is summed up by move, and the turn changes no legality.
const STEP: f64 = 40.0;
/// A gate that a gate feeds which changes.
const FED: f64 = 3.0;
/// A gate that changes, and each gate that it feeds, where the net is told of moves.
const VISIT: f64 = 8.0;
const EDGE: f64 = 2.0;
/// An instruction of a move's program, and a gate that is asked for with each of its inputs.
pub(crate) const INSTRUCTION: f64 = 1.5;
pub(crate) const ASK: f64 = 4.0;
pub(crate) const INPUT: f64 = 1.0;
/// For 64 lanes together: a gate of up to four inputs, as the network has them, a move to choose
/// from, and the draws with all else.
const GATE: f64 = 0.6;
const MOVE: f64 = 4.0;
const DRAWS: f64 = 600.0;
/// The number of times that gates that depend on each other in a circle are evaluated.
const ROUNDS: f64 = 8.0;
/// The time of a step of all lanes over that of one of 64.
const WIDE: f64 = 2.0;
/// The longest of the playouts that begin together, over those of ordinary length; lanes stand
/// empty meanwhile.
const TAIL: f64 = 1.5;
/// The cost for a search to guess a leaf, to copy its state into a lane and to look up the result;
/// and the steps that it takes on the way to the leaf, with the moves that are listed there.
const GUESS: f64 = 2000.0;
const STEPS_OF_GUESS: f64 = 8.0;

impl Costs {
    /// By what changed in a trial of the plain evaluator of a game with so many moves.
    pub(crate) fn new(plain: &PlainEvaluator, trial: &Trial, moves: usize) -> Costs {
        let circuit = plain.circuit();
        let mut fed = vec![0u32; circuit.len()];
        for node in 0..circuit.len() as u32 {
            circuit.inputs(node).iter().for_each(|l| fed[l.node() as usize] += 1);
        }
        let feeds = |node: u32| f64::from(fed[node as usize]);
        let change = |node: u32| VISIT + EDGE * feeds(node);
        let changes = |stage: usize, cost: &dyn Fn(u32) -> f64| -> f64 {
            let nodes = circuit.stage(stage).iter().flat_map(|b| b.start..b.end);
            nodes.map(|node| f64::from(trial.changes[node as usize]) * cost(node)).sum()
        };
        let fires = |node: u32| match circuit.gate(node) {
            Gate::And | Gate::Or => FED * feeds(node),
            Gate::False | Gate::Base(_) | Gate::Does(_) => 0.0,
        };
        let circles = [LEGAL, NEXT].into_iter().flat_map(|stage| circuit.stage(stage));
        let circles = circles.filter(|block| block.is_loop).map(|block| block.end - block.start);
        let again = (ROUNDS - 1.0) * f64::from(circles.sum::<u32>());
        let made = (0..).zip(&trial.made).map(|(action, &n)| {
            // A move is taken back when the next one is made.
            f64::from(n) * 2.0 * change(circuit.does(action))
        });
        let states = trial.states.max(1) as f64;
        Costs {
            legal: STEP + changes(LEGAL, &fires) / states,
            told: (changes(NEXT, &change) + made.sum::<f64>()) / states,
            batch: GATE * (circuit.small_gates() as f64 + again) + MOVE * moves as f64 + DRAWS,
            lanes: lanes(false) as f64,
            steps: trial.states as f64 / trial.playouts.max(1) as f64,
        }
    }

    /// True if searches gain by guessing which leaves they will reach and playing on from these
    /// side by side.
    pub(crate) fn guessing_pays(&self, next: f64) -> bool {
        (self.steps - STEPS_OF_GUESS) * (self.legal + next) > GUESS
    }

    /// The fewest playouts of a job that the bit-sliced evaluator plays faster, if it ever does,
    /// given what it costs the event-driven one to find what is next.
    pub(crate) fn batch_from(&self, next: f64) -> Option<u64> {
        let Costs { legal, batch, lanes, .. } = *self;
        let few = TAIL * batch / (legal + next);
        if few <= 64.0 {
            return Some(few.ceil() as u64);
        }
        let batch = if lanes > 64.0 { WIDE * batch } else { batch };
        let saved = legal + next - batch / lanes;
        // Playouts that are as long as each other, and then the tail.
        (saved > 0.0).then(|| (TAIL * batch / saved).max(65.0).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_jobs_of_busy_games_go_side_by_side() {
        let from = |legal, batch, lanes| {
            Costs { legal, told: 0.0, batch, lanes, steps: 1.0 }.batch_from(0.0)
        };
        assert_eq!(from(100.0, 1000.0, 64.0), Some(15));
        assert_eq!(from(100.0, 1000.0, 512.0), Some(15));
        // Long jobs alone, on wider lanes or on the same.
        assert_eq!(from(100.0, 6400.0, 512.0), Some(256));
        assert_eq!(from(100.0, 5000.0, 64.0), Some(343));
        // As many lanes as there are do not make up for it.
        assert_eq!(from(100.0, 6400.0, 64.0), None);
    }
}

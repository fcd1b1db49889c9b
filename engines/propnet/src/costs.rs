//! What a step costs with either evaluator, roughly, to pick the quicker one for a job.

use crate::batch::lanes::lanes;
use crate::machine::{LEGAL, Machine, NEXT};
use crate::trial::Trial;

/// Costs in nanoseconds of some machine; only their ratios matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// What legality and the end take in a step of one playout in the event-driven evaluator.
    legal: f64,
    /// What is next, if the network is told of the moves.
    pub(crate) told: f64,
    /// A step of all lanes in the bit-sliced evaluator.
    batch: f64,
    lanes: f64,
}

/// A step of the event-driven evaluator in which nothing changes.
const STEP: f64 = 60.0;
/// A gate that changes, and each gate that it feeds.
const VISIT: f64 = 8.0;
const EDGE: f64 = 2.0;
/// An instruction of a move's program, and a gate that is asked for with each of its inputs.
pub(crate) const INSTRUCTION: f64 = 1.5;
pub(crate) const ASK: f64 = 4.0;
pub(crate) const INPUT: f64 = 1.0;
/// For all lanes together: a gate of up to four inputs, as the network has them, a move to choose
/// from, and the draws.
const GATE: f64 = 1.5;
const MOVE: f64 = 8.0;
const DRAWS: f64 = 3.0;
/// Lanes stand empty while the last playouts of a job go on: for as long as so many playouts of
/// ordinary length take.
const TAIL: f64 = 2.0;

impl Costs {
    /// By what changed in a trial of this machine, which has so many moves.
    pub(crate) fn new(machine: &Machine, trial: &Trial, moves: usize) -> Costs {
        let circuit = machine.circuit();
        let mut fed = vec![0u32; circuit.len()];
        for node in 0..circuit.len() as u32 {
            circuit.inputs(node).iter().for_each(|l| fed[l.node() as usize] += 1);
        }
        let change = |node: u32| VISIT + EDGE * f64::from(fed[node as usize]);
        let changes = |stage: usize| -> f64 {
            let nodes = circuit.stage(stage).iter().flat_map(|b| b.start..b.end);
            nodes.map(|node| f64::from(trial.changes[node as usize]) * change(node)).sum()
        };
        let made = (0..).zip(&trial.made).map(|(action, &n)| {
            // A move is taken back when the next one is made.
            f64::from(n) * 2.0 * change(circuit.does(action))
        });
        let states = trial.states.max(1) as f64;
        let lanes = lanes(false) as f64;
        Costs {
            legal: STEP + changes(LEGAL) / states,
            told: (changes(NEXT) + made.sum::<f64>()) / states,
            batch: GATE * circuit.small_gates() as f64 + MOVE * moves as f64 + DRAWS * lanes,
            lanes,
        }
    }

    /// The fewest playouts of a job that the bit-sliced evaluator plays faster, if it ever does,
    /// given what it costs the event-driven one to find what is next.
    pub(crate) fn batch_from(&self, next: f64) -> Option<u64> {
        let saved = self.legal + next - self.batch / self.lanes;
        // Playouts that are as long as each other, and then the tail.
        (saved > 0.0).then(|| (TAIL * self.batch / saved).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_jobs_of_busy_games_go_side_by_side() {
        let from = |legal, batch| Costs { legal, told: 0.0, batch, lanes: 64.0 }.batch_from(0.0);
        assert_eq!(from(100.0, 1000.0), Some(24));
        assert!(from(100.0, 1000.0) < from(100.0, 5000.0));
        // As many lanes as there are do not make up for it.
        assert_eq!(from(100.0, 6400.0), None);
    }
}

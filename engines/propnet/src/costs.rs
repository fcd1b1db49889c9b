//! What a step costs with either evaluator, roughly, to pick the quicker one for a job.

use crate::batch::lanes;
use crate::circuit::Gate;
use crate::machine::Machine;
use crate::trial::Trial;

/// Costs in nanoseconds of some machine; only their ratios matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// A step of one playout with evaluator A.
    event: f64,
    /// A step of all lanes with evaluator B.
    batch: f64,
    lanes: f64,
}

/// A step of evaluator A in which nothing changes.
const STEP: f64 = 60.0;
/// A gate that changes, and each gate that it feeds.
const VISIT: f64 = 8.0;
const EDGE: f64 = 2.0;
/// For all lanes together: a gate of up to four inputs, a move to choose from, and the draws.
const GATE: f64 = 2.0;
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
        let mut gates = 0;
        for node in 0..circuit.len() as u32 {
            let inputs = circuit.inputs(node);
            inputs.iter().for_each(|l| fed[l.node() as usize] += 1);
            if matches!(circuit.gate(node), Gate::And | Gate::Or) {
                // As so many gates of four inputs.
                gates += inputs.len().saturating_sub(1).div_ceil(3).max(1);
            }
        }
        let told = trial.changes.iter().zip(&fed);
        let told = told.map(|(&n, &fed)| f64::from(n) * (VISIT + EDGE * f64::from(fed)));
        let lanes = lanes(false) as f64;
        Costs {
            event: STEP + told.sum::<f64>() / trial.states.max(1) as f64,
            batch: GATE * gates as f64 + MOVE * moves as f64 + DRAWS * lanes,
            lanes,
        }
    }

    /// The fewest playouts of a job that evaluator B plays faster, if it ever does.
    pub(crate) fn batch_from(&self) -> Option<u64> {
        let saved = self.event - self.batch / self.lanes;
        // Playouts that are as long as each other, and then the tail.
        (saved > 0.0).then(|| (TAIL * self.batch / saved).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_jobs_of_busy_games_go_side_by_side() {
        let from = |event, batch| Costs { event, batch, lanes: 64.0 }.batch_from();
        assert_eq!(from(100.0, 1000.0), Some(24));
        assert!(from(100.0, 1000.0) < from(100.0, 5000.0));
        // As many lanes as there are do not make up for it.
        assert_eq!(from(100.0, 6400.0), None);
    }
}

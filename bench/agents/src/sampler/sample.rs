//! States that fit, and drawing among them.

use play::{Position, Rng};

/// A state that fits, and how probable it is beside the others.
pub(crate) struct Sample<'g> {
    pub(crate) weight: f64,
    pub(crate) position: Box<dyn Position + 'g>,
    /// For each action that the role sees its number in this position.
    pub(crate) order: Vec<usize>,
}

/// Draws states by their weights.
pub(crate) struct WeightedSampler {
    sums: Vec<f64>,
}

impl WeightedSampler {
    pub(crate) fn new(states: &[Sample<'_>]) -> WeightedSampler {
        let mut sum = 0.0;
        let add = |state: &Sample<'_>| {
            sum += state.weight;
            sum
        };
        WeightedSampler { sums: states.iter().map(add).collect() }
    }

    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        let at = rng.fraction() * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|&sum| sum <= at).min(self.sums.len().saturating_sub(1))
    }
}

//! The frequency with which playouts coincide by chance, and the limit beyond which they do so too
//! often.

use std::collections::BTreeMap;

use crate::verify::sums::divergence;

/// Natural logarithm of the probability of a false alarm in all tests of an engine together.
const ALARM: f64 = -20.7;

/// The limit beyond which coincidences are too many for independent playouts.
pub(super) struct Alarm {
    /// The probability that two independent playouts coincide: an upper estimate.
    pub(super) chance: f64,
    /// Natural logarithm of the probability of a false alarm in one test.
    limit: f64,
}

impl Alarm {
    /// By playouts of successive ids, and of different ids under different seeds; `None` where all
    /// coincide. An id that is ignored shows within one seed, a seed that is ignored across seeds;
    /// the rarest coincidences are those of sound streams.
    pub(super) fn new(own: &[u64], unrelated: &[u64], tests: usize) -> Option<Alarm> {
        let chance = coincidence(own).min(coincidence(unrelated));
        (chance < 1.0).then(|| Alarm { chance, limit: ALARM - (tests as f64).ln() })
    }

    /// True if so many coincidences are beyond chance.
    pub(super) fn is_rare(&self, count: Count) -> bool {
        count.log_probability(self.chance) < self.limit
    }

    /// The number of pairs that are beyond chance if all of them coincide.
    pub(super) fn enough(&self) -> usize {
        (self.limit / self.chance.ln()).floor() as usize + 1
    }
}

/// The probability that two independent playouts coincide: an upper estimate from a sample.
fn coincidence(sample: &[u64]) -> f64 {
    let n = sample.len() as f64;
    if n < 2.0 {
        return 1.0;
    }
    let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
    for &result in sample {
        *counts.entry(result).or_default() += 1.0;
    }
    let pairs: f64 = counts.values().map(|c| c * (c - 1.0)).sum::<f64>() / (n * (n - 1.0));
    let triples: f64 = counts.values().map(|c| (c / n).powi(3)).sum();
    // The variance of this estimate is 4 (triples - pairs^2) / n, to the first order.
    let error = (4.0 * (triples - pairs * pairs).max(0.0) / n).sqrt();
    (pairs + 4.0 * error + 1.0 / n).min(1.0)
}

/// The number of pairs of playouts that coincide.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) pairs: u32,
    pub(super) alike: u32,
}

impl Count {
    pub(super) fn add(&mut self, alike: bool) {
        self.pairs += 1;
        self.alike += u32::from(alike);
    }

    /// Natural logarithm of an upper bound of the probability that so many of the pairs coincide,
    /// or more, where each does so with probability `chance` (Chernoff 1952).
    fn log_probability(self, chance: f64) -> f64 {
        let share = f64::from(self.alike) / f64::from(self.pairs.max(1));
        if self.pairs == 0 || share <= chance {
            return 0.0;
        }
        -f64::from(self.pairs) * divergence(share, chance)
    }
}

//! How much a proof may take, and what it took.

use std::time::{Duration, Instant};

use crate::playout_ids;
use crate::random_walk::WalkId;

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Seed of everything drawn. Workers are told another one, see [`playout_ids::told`].
    pub seed: u64,
    /// Time for each kind of evidence and each pair, roughly. More time proves more, and never
    /// changes a verdict from right to wrong.
    pub time: Duration,
    /// Ply cap.
    pub cap: u32,
}

impl Effort {
    /// What `run` does before it measures: a fraction of a second each.
    pub fn quick(seed: u64, cap: u32) -> Effort {
        Effort { seed, time: Duration::from_millis(150), cap }
    }

    /// What `verify` does by default.
    pub fn thorough(seed: u64, cap: u32) -> Effort {
        Effort { seed, time: Duration::from_secs(2), cap }
    }

    /// The random walk of a number.
    pub(super) fn walk(&self, number: u64) -> WalkId {
        WalkId { seed: playout_ids::told(self.seed), number, cap: self.cap }
    }
}

/// Time spent on each kind of evidence, summed over the engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Starting workers and compiling rules; whoever does it adds it.
    pub loading: Duration,
    /// Random playouts.
    pub playouts: Duration,
    /// Streams of playouts.
    pub streams: Duration,
    /// The conformance kit.
    pub kit: Duration,
    /// Fingerprints of the tree.
    pub fingerprints: Duration,
    /// Leaf counts.
    pub perft: Duration,
    /// Walks in lock-step, and shortening those that lead to a difference.
    pub walks: Duration,
    /// Asking all engines about differences.
    pub disputes: Duration,
}

impl Phases {
    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Phases) -> Phases {
        Phases {
            loading: self.loading + other.loading,
            playouts: self.playouts + other.playouts,
            streams: self.streams + other.streams,
            kit: self.kit + other.kit,
            fingerprints: self.fingerprints + other.fingerprints,
            perft: self.perft + other.perft,
            walks: self.walks + other.walks,
            disputes: self.disputes + other.disputes,
        }
    }

    /// All of them by name, in the order in which they happen.
    pub fn named(&self) -> [(&'static str, Duration); 8] {
        [
            ("loading", self.loading),
            ("playouts", self.playouts),
            ("streams", self.streams),
            ("kit", self.kit),
            ("fingerprints", self.fingerprints),
            ("perft", self.perft),
            ("walks", self.walks),
            ("disputes", self.disputes),
        ]
    }
}

/// Adds the time that something takes to a phase.
pub(super) fn timed<T>(phase: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *phase += start.elapsed();
    result
}

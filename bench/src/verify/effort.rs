//! The effort of a proof: its limits, and its time.

use std::time::{Duration, Instant};

use play::kit::{self, Comparison};
use play::{Tally, Via};

use crate::playout_ids;
use crate::random_walk::WalkId;

/// The limits of a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Seed of everything drawn. Workers are told another one, see [`playout_ids::told`].
    pub seed: u64,
    /// Time for each kind of evidence and each pair, roughly. More time proves more, and never
    /// changes a verdict from right to wrong.
    pub time: Duration,
    /// Ply cap.
    pub cap: u32,
    /// The deviation that is to be seen, and the time to try.
    pub goal: Goal,
}

/// The deviations that are to be seen of ways of playing that promise a distribution only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The share of the mean length, and of the range of payoffs, that is small enough.
    pub share: f64,
    /// The CPU time that a way may take to get there, as a multiple of [`Effort::time`]; with 0
    /// samples stay as they are, and no suspicion is followed up.
    pub times: u32,
    /// The ways whose figures are wanted.
    pub ways: Ways,
}

/// A set of ways of playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways([bool; Via::ALL.len()]);

impl Ways {
    /// The ways that may promise no more than a distribution: the others play the playouts of the
    /// reference, and are held against it one by one.
    pub const CHECKED: Ways = Ways([true, false, true, true, false]);

    /// True if it has a way.
    pub fn contains(self, via: Via) -> bool {
        self.0[via as usize]
    }
}

impl FromIterator<Via> for Ways {
    fn from_iter<I: IntoIterator<Item = Via>>(ways: I) -> Ways {
        let mut all = Ways([false; Via::ALL.len()]);
        ways.into_iter().for_each(|via| all.0[via as usize] = true);
        all
    }
}

impl Effort {
    /// The effort of `run` before it measures: a fraction of a second each.
    pub fn quick(seed: u64, cap: u32) -> Effort {
        let goal = Goal { share: 0.01, times: 150, ways: Ways::CHECKED };
        Effort { seed, time: Duration::from_millis(150), cap, goal }
    }

    /// The comparison of samples of playouts.
    pub(super) fn comparison(&self) -> fn(&Tally, &Tally) -> Comparison {
        if self.goal.times == 0 { kit::compare } else { kit::compare_followed_up }
    }

    /// The effort of `verify`, with so much time for each kind of evidence and each pair.
    pub fn thorough(seed: u64, time: Duration, cap: u32) -> Effort {
        let goal = Goal { share: 0.005, times: 60, ways: Ways::CHECKED };
        Effort { seed, time, cap, goal }
    }

    /// The random walk of a number.
    pub(super) fn walk(&self, number: u64) -> WalkId {
        WalkId { seed: playout_ids::told(self.seed), number, cap: self.cap }
    }

    /// Of the numbers of walks those that there is time for: at least two, at most a hundred.
    pub(super) fn some_of(self, numbers: &[u64]) -> impl Iterator<Item = u64> {
        let start = Instant::now();
        let all = numbers.iter().copied().take(100).enumerate();
        all.take_while(move |&(taken, _)| taken < 2 || start.elapsed() <= self.time)
            .map(|(_, number)| number)
    }
}

/// Time spent on each kind of evidence, summed over the engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Starting workers and compiling rules; whoever does it adds it.
    pub loading: Duration,
    /// Random playouts.
    pub playouts: Duration,
    /// More of them, where they show least.
    pub power: Duration,
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
            power: self.power + other.power,
            streams: self.streams + other.streams,
            kit: self.kit + other.kit,
            fingerprints: self.fingerprints + other.fingerprints,
            perft: self.perft + other.perft,
            walks: self.walks + other.walks,
            disputes: self.disputes + other.disputes,
        }
    }

    /// All of them by name, in the order in which they happen.
    pub fn named(&self) -> [(&'static str, Duration); 9] {
        [
            ("loading", self.loading),
            ("playouts", self.playouts),
            ("power", self.power),
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

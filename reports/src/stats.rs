//! The statistics behind every figure: pure functions of numbers, no clock and no luck.
//!
//! - The rate of a process is a *ratio of sums*: all its playouts over all its seconds, not a mean
//!   of the samples' rates, so that long and short samples weigh what they should. The rate of a
//!   run is the median of its processes.
//! - Its uncertainty comes from the spread between *processes*, where several measured it:
//!   Student's t on the logarithms of their rates ([`Statistic`]; Kalibera and Jones 2013).
//! - Where one process measured it, a percentile bootstrap over *rounds* stands in (Efron and
//!   Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 13; expanded for few rounds
//!   after Hesterberg, 2015). It does not see what differs from process to process.
//! - A ratio between two engines of one run is formed from the processes (or rounds) they share, so
//!   that what slows both cancels.
//! - Over games, the geometric mean; over games that not all engines play, least squares on the
//!   logarithms.
//!
//! The generator of the resamples starts from a constant, so the same rows give the same intervals,
//! to the last bit.

mod bootstrap;
mod effects;
mod holm;
mod mean;
mod outlier;
mod power;
mod statistic;
mod student;
mod tail;

pub use bootstrap::{Bootstrap, Ratio};
pub use holm::holm;
pub use mean::{Mean, Z, mean_between_batches, mean_from_squares, wilson};
pub use outlier::Moments;
pub use power::PowerLaw;
pub use statistic::{LogNormal, Machine, Statistic};

/// Number of bootstrap resamples.
pub const RESAMPLES: usize = 2_000;
/// The share of cases in which an interval is meant to cover the truth.
pub const LEVEL: f64 = 0.95;

/// An interval meant to cover the truth in [`LEVEL`] of all runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// True if a value lies inside, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A value with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its interval; `None` where a single round gives no idea of the spread.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// Lower end of the interval, or the value itself.
    pub fn low(&self) -> f64 {
        self.interval.map_or(self.value, |interval| interval.low)
    }

    /// Upper end of the interval, or the value itself.
    pub fn high(&self) -> f64 {
        self.interval.map_or(self.value, |interval| interval.high)
    }
}

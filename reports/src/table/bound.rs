//! The meaning of a ratio if one of its sides carries results over from one playout to the next.

use std::cmp::Ordering;

use crate::stats::{Estimate, Statistic};

/// The evidence of a ratio of two figures on how fast the one plays beside the other.
///
/// A tabled side looks up what it found before instead of playing again. Its figure is the most
/// that its speed of playing can be, so a ratio with one such side is a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// No side is tabled, or both are: the ratio itself.
    #[default]
    Exact,
    /// The lower side alone is tabled: the upper side is at least so many times as fast.
    AtLeast,
    /// The upper side alone is tabled: it is at most so many times as fast.
    AtMost,
}

impl Bound {
    /// The bound that a ratio is, by whether its upper and its lower side are tabled.
    pub fn of(above_is_tabled: bool, below_is_tabled: bool) -> Self {
        match (above_is_tabled, below_is_tabled) {
            (false, true) => Self::AtLeast,
            (true, false) => Self::AtMost,
            _ => Self::Exact,
        }
    }

    /// The verdict whether the upper side is faster, slower, or neither by more than noise. `None`
    /// for a bound by which the tabled side may be the faster one: it says nothing.
    pub fn order(self, ratio: &Estimate) -> Option<Ordering> {
        let order = match (ratio.low() > 1.0, ratio.high() < 1.0) {
            (true, _) => Ordering::Greater,
            (_, true) => Ordering::Less,
            _ => Ordering::Equal,
        };
        match (self, order) {
            (Self::Exact, order) => Some(order),
            (Self::AtLeast, Ordering::Greater) | (Self::AtMost, Ordering::Less) => Some(order),
            _ => None,
        }
    }

    /// The sign before a figure: `≥ `, `≤ `, or nothing.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::AtLeast => "≥ ",
            Self::AtMost => "≤ ",
        }
    }

    /// The same in words: `at least `, `at most `, or nothing.
    pub fn words(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::AtLeast => "at least ",
            Self::AtMost => "at most ",
        }
    }
}

/// A geometric mean of ratios, over how many it goes, and what it bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The mean. Its interval tells the noise of measuring on these games, not the luck of having
    /// chosen them.
    pub mean: Estimate,
    /// Number of ratios.
    pub games: usize,
    /// The bound that the mean is, if some of the ratios are bounds.
    pub bound: Bound,
}

impl Summary {
    /// The mean of ratios, some of which may be bounds.
    ///
    /// Bounds of a kind are left out where all of them may favour the tabled side: there they say
    /// nothing. If one of them shows that side to be slower, then all of them count, so that none
    /// is chosen by how it came out, and the mean is a bound too. Where bounds of both kinds would
    /// count, a mean of all would be no bound of anything, and it is of the exact ratios alone.
    ///
    /// `None` where no ratio counts.
    pub fn of(ratios: &[(Bound, &Statistic)]) -> Option<Self> {
        let shows = |bound: Bound| {
            ratios.iter().any(|(of, ratio)| *of == bound && of.order(&ratio.estimate()).is_some())
        };
        let bound = match (shows(Bound::AtLeast), shows(Bound::AtMost)) {
            (true, false) => Bound::AtLeast,
            (false, true) => Bound::AtMost,
            _ => Bound::Exact,
        };
        let counted = ratios.iter().filter(|(of, _)| *of == Bound::Exact || *of == bound);
        let counted: Vec<&Statistic> = counted.map(|(_, ratio)| *ratio).collect();
        let mean = Statistic::geometric_mean(&counted)?.estimate();
        Some(Self { mean, games: counted.len(), bound })
    }

    /// True if a ratio of this kind counts in the mean.
    pub fn counts(&self, bound: Bound) -> bool {
        bound == Bound::Exact || bound == self.bound
    }

    /// [`Bound::order`] of the mean.
    pub fn order(&self) -> Option<Ordering> {
        self.bound.order(&self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Machine;

    /// The rate of processes that agree to a thousandth.
    fn ratio(value: f64) -> Statistic {
        let processes = [0.999, 1.0, 1.001].map(|noise| vec![(noise * value, 1.0)]);
        Statistic::of_processes(&processes, Machine::Quiet, 0).unwrap()
    }

    fn mean_of(ratios: &[(Bound, f64)]) -> Option<(f64, usize, Bound)> {
        let ratios: Vec<(Bound, Statistic)> =
            ratios.iter().map(|&(bound, value)| (bound, ratio(value))).collect();
        let ratios: Vec<(Bound, &Statistic)> =
            ratios.iter().map(|(bound, ratio)| (*bound, ratio)).collect();
        let Summary { mean, games, bound } = Summary::of(&ratios)?;
        Some(((1e6 * mean.value).round() / 1e6, games, bound))
    }

    #[test]
    fn a_slower_tabled_side_is_a_bound_and_a_faster_one_says_nothing() {
        use Bound::{AtLeast, AtMost, Exact};
        let order = |bound: Bound, value: f64| bound.order(&ratio(value).estimate());
        assert_eq!(order(AtLeast, 12.0), Some(Ordering::Greater));
        assert_eq!(order(AtMost, 0.1), Some(Ordering::Less));
        assert_eq!(order(Exact, 1.0), Some(Ordering::Equal));
        for (bound, value) in [(AtLeast, 0.5), (AtLeast, 1.0), (AtMost, 2.0), (AtMost, 1.0)] {
            assert_eq!(order(bound, value), None, "{bound:?} {value}");
        }
        assert_eq!(
            [Bound::of(true, true), Bound::of(false, true), Bound::of(true, false)],
            [Exact, AtLeast, AtMost]
        );
    }

    #[test]
    fn a_mean_leaves_out_what_would_favour_the_tabled_side_and_nothing_else() {
        use Bound::{AtLeast, AtMost, Exact};
        // The tabled side is slower: the means of 1 and of 4, 100, 10 are no more than bounds.
        assert_eq!(mean_of(&[(Exact, 1.0), (AtLeast, 100.0)]), Some((10.0, 2, AtLeast)));
        assert_eq!(mean_of(&[(AtMost, 0.01), (AtMost, 0.01)]), Some((0.01, 2, AtMost)));
        // It is faster throughout: it is left out.
        assert_eq!(mean_of(&[(Exact, 2.0), (AtLeast, 0.5)]), Some((2.0, 1, Exact)));
        assert_eq!(mean_of(&[(AtMost, 3.0)]), None);
        // Slower here and faster there: both count, as none is chosen by how it came out.
        assert_eq!(mean_of(&[(AtLeast, 100.0), (AtLeast, 0.01)]), Some((1.0, 2, AtLeast)));
        // Bounds both ways bound nothing.
        let both = [(Exact, 2.0), (AtLeast, 100.0), (AtMost, 0.01)];
        assert_eq!(mean_of(&both), Some((2.0, 1, Exact)));
    }
}

//! Axes: which values they show, where they have lines, and how these are named.

use plotters::coord::types::RangedCoordf64;

use crate::format;

/// The coordinate of `plotters` that an [`Axis`] is. It runs over places: logarithms on a
/// logarithmic axis, values on a linear one.
pub(super) type Coordinate = RangedCoordf64;

/// Powers of ten past which nothing is drawn.
const FARTHEST: f64 = 30.0;
/// The factor by which an interval may exceed a value and still stretch the axis.
const REACH: f64 = 10.0;
/// The most lines of an axis that has one a power of ten.
const LINES: f64 = 13.0;

/// An axis.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    is_log: bool,
    /// First and last place.
    ends: (f64, f64),
    /// Values that have a line, ascending.
    ticks: Vec<f64>,
    tick: fn(f64) -> String,
    /// Names of the lines, where they have others than their values.
    names: Vec<String>,
}

impl Axis {
    /// A logarithmic axis that starts and ends at powers of ten round the values, with lines at 2
    /// and 5 where it is short; `None` if there is no value above zero.
    pub(super) fn decades(
        values: impl IntoIterator<Item = f64>,
        tick: fn(f64) -> String,
    ) -> Option<Self> {
        let logs = values.into_iter().map(f64::log10).filter(|log| log.abs() < FARTHEST);
        let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| {
            (log.min(low), log.max(high))
        });
        if low > high {
            return None;
        }
        let (first, mut last) = ((low + 1e-9).floor(), (high - 1e-9).ceil());
        if last <= first {
            last = first + 1.0;
        }
        let every = ((last - first) / (LINES - 1.0)).ceil().max(1.0);
        let steps: &[f64] = if last - first < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = (0..).map(|n| first + every * f64::from(n)).take_while(|&log| log <= last);
        let ticks = decades
            .flat_map(|log| steps.iter().map(move |step| step * 10_f64.powf(log)))
            .filter(|value| value.log10() < last + 1e-9);
        Some(Self {
            is_log: true,
            ends: (first, last),
            ticks: ticks.collect(),
            tick,
            names: Vec::new(),
        })
    }

    /// A logarithmic axis of whole numbers, which all have a line; `None` if there is none above
    /// zero.
    pub(super) fn counts(values: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut ticks: Vec<u64> = values.into_iter().filter(|&value| value > 0).collect();
        ticks.sort_unstable();
        ticks.dedup();
        let (&first, &last) = (ticks.first()?, ticks.last()?);
        let (low, high) = ((first as f64).log10(), (last as f64).log10());
        let room = (0.05 * (high - low)).max(0.05);
        Some(Self {
            is_log: true,
            ends: (low - room, high + room),
            ticks: ticks.into_iter().map(|value| value as f64).collect(),
            tick: |value| format::count(value as u64),
            names: Vec::new(),
        })
    }

    /// A linear axis from 0 to at least 100 %, for shares.
    pub(super) fn shares(values: impl IntoIterator<Item = f64>) -> Self {
        let greatest = values.into_iter().filter(|value| value.is_finite()).fold(1.0, f64::max);
        let fifths = (greatest.min(10.0) * 5.0 - 1e-9).ceil() as u32;
        Self {
            is_log: false,
            ends: (0.0, f64::from(fifths) / 5.0),
            ticks: (0..=fifths).map(|fifth| f64::from(fifth) / 5.0).collect(),
            tick: |value| format!("{:.0} %", 100.0 * value),
            names: Vec::new(),
        }
    }

    /// A linear axis round the values, with lines at multiples of 1, 2 or 5 times a power of ten.
    pub(super) fn linear(values: impl IntoIterator<Item = f64>) -> Self {
        let values = values.into_iter().filter(|value| value.abs() < 10_f64.powf(FARTHEST));
        let (low, high) =
            values.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let apart = (high - low).max(6.0) / 6.0;
        let power = 10_f64.powf(apart.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| *step >= apart).unwrap_or(apart);
        let first = (low / step).floor() as i32;
        let last = ((high / step).ceil() as i32).max(first + 1);
        Self {
            is_log: false,
            ends: (f64::from(first) * step, f64::from(last) * step),
            ticks: (first..=last).map(|number| f64::from(number) * step).collect(),
            tick: |value| if value == 0.0 { "0".to_owned() } else { format!("{value:+.0}") },
            names: Vec::new(),
        }
    }

    /// A linear axis with a named line at each of the numbers from 1.
    pub(super) fn numbered(names: Vec<String>) -> Self {
        Self {
            is_log: false,
            ends: (0.5, names.len() as f64 + 0.5),
            ticks: (1..=names.len()).map(|number| number as f64).collect(),
            tick: |value| format::count(value as u64),
            names,
        }
    }

    /// The position of a value: at an end of the axis, if it lies outside.
    pub(super) fn place(&self, value: f64) -> f64 {
        let place = if self.is_log { value.log10() } else { value };
        if place.is_nan() { self.ends.0 } else { place.clamp(self.ends.0, self.ends.1) }
    }

    /// The values at both ends.
    pub(super) fn ends(&self) -> (f64, f64) {
        if self.is_log { (10_f64.powf(self.ends.0), 10_f64.powf(self.ends.1)) } else { self.ends }
    }

    /// The coordinate for `plotters`.
    pub(super) fn coordinate(&self) -> Coordinate {
        (self.ends.0..self.ends.1).into()
    }

    /// Its lines: values and their names.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let name = |index: usize, value: f64| {
            self.names.get(index).cloned().unwrap_or_else(|| (self.tick)(value))
        };
        self.ticks.iter().enumerate().map(move |(index, &value)| (value, name(index, value)))
    }
}

/// The values that an axis must hold to show a value and its interval, as far as that is of its
/// size.
pub(super) fn extent(value: f64, interval: Option<(f64, f64)>) -> [f64; 3] {
    let (low, high) = interval.unwrap_or((value, value));
    [value, low.max(value / REACH), high.min(value * REACH)]
}

/// Powers of ten without needless digits: `100 k`, `0.1`.
pub(super) fn plain(value: f64) -> String {
    short(&format::readable(value))
}

/// `0.01×`, `1×`, `1,000×`, `1 M×`.
pub(super) fn factor(value: f64) -> String {
    format!("{}×", if value < 1e6 { format::plain(value, 1) } else { plain(value) })
}

/// `10 µs`, `1 ms`, from nanoseconds.
pub(super) fn nanoseconds(ns: f64) -> String {
    if ns < 999.5 {
        return format!("{} ns", format::plain(ns, 1));
    }
    short(&format::duration(ns.round() as u64))
}

/// A number, with a unit or without, less the zeros at the end of its decimals.
fn short(text: &str) -> String {
    let (digits, unit) =
        text.split_once(' ').map_or((text, None), |(digits, unit)| (digits, Some(unit)));
    let short = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    unit.map_or_else(|| short.to_owned(), |unit| format!("{short} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(values: &[f64]) -> Vec<String> {
        let axis = Axis::decades(values.iter().copied(), plain).unwrap();
        axis.ticks().map(|(_, name)| name).collect()
    }

    #[test]
    fn logarithmic_axes_go_from_decade_to_decade() {
        assert_eq!(names(&[35.0, 2e5]), ["10", "100", "1 k", "10 k", "100 k", "1 M"]);
        assert_eq!(names(&[1.0, 10.0]), ["1", "2", "5", "10"]);
        assert_eq!(names(&[0.1]), ["0.1", "0.2", "0.5", "1"]);
        assert_eq!(names(&[3.0, 0.0, f64::NAN, f64::INFINITY, -2.0]), ["1", "2", "5", "10"]);
        assert!(names(&[1e-20, 1e20]).len() <= 13);
        assert!(Axis::decades([0.0, f64::NAN], plain).is_none());
    }

    #[test]
    fn values_outside_stand_at_the_ends() {
        let axis = Axis::decades([2.0, 70.0], plain).unwrap();
        let places = [0.0, 1.0, 10.0, 1e9, f64::NAN].map(|value| axis.place(value));
        assert_eq!(format!("{places:?}"), "[0.0, 0.0, 1.0, 2.0, 0.0]");
        assert_eq!(format!("{:?}", extent(5.0, Some((1e-9, 7.0)))), "[5.0, 0.5, 7.0]");
    }

    #[test]
    fn shares_and_counts_have_lines_that_people_would_choose() {
        let shares: Vec<String> = Axis::shares([0.3, 1.1]).ticks().map(|tick| tick.1).collect();
        assert_eq!(shares, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %", "120 %"]);
        let counts: Vec<String> =
            Axis::counts([64, 1, 4096, 0, 1]).unwrap().ticks().map(|tick| tick.1).collect();
        assert_eq!(counts, ["1", "64", "4,096"]);
        let linear: Vec<String> = Axis::linear([-310.0, 120.0]).ticks().map(|t| t.1).collect();
        assert_eq!(linear, ["-400", "-300", "-200", "-100", "0", "+100", "+200"]);
        let none: Vec<String> = Axis::linear([f64::NAN]).ticks().map(|t| t.1).collect();
        assert_eq!(none, ["0", "+1"]);
        assert_eq!([1e2, 2e4, 3e6, 1e10].map(nanoseconds), ["100 ns", "20 µs", "3 ms", "10 s"]);
        assert_eq!([0.01, 1.0, 1e3, 1e7].map(factor), ["0.01×", "1×", "1,000×", "10 M×"]);
    }
}

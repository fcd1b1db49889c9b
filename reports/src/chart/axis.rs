//! Logarithmic axes.

/// A logarithmic scale from values to places along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LogAxis {
    /// Logarithms (base ten) at both ends of `places`.
    logs: (f64, f64),
    places: (f64, f64),
}

impl LogAxis {
    /// Lays the values `low..=high` (both above zero) over the places `from..=to`.
    pub(super) fn new((low, high): (f64, f64), places: (f64, f64)) -> Self {
        Self { logs: (low.log10(), high.log10()), places }
    }

    /// Where a value stands.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - self.logs.0) / (self.logs.1 - self.logs.0);
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    /// Values for grid lines between two places, which may lie outside the axis' own: powers of ten, with 2 and 5 between where there are few of them.
    pub(super) fn ticks(&self, from: f64, to: f64) -> Vec<f64> {
        let log_at = |place: f64| {
            let share = (place - self.places.0) / (self.places.1 - self.places.0);
            self.logs.0 + share * (self.logs.1 - self.logs.0)
        };
        // A hair of room, for ticks that fall on an end.
        let (low, high) = (log_at(from) - 1e-9, log_at(to) + 1e-9);
        let decades = (low.floor() as i32)..=(high.ceil() as i32);
        let steps: &[f64] = match high - low {
            span if span <= 2.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let every = ((high - low) / 12.0).ceil().max(1.0) as i32;
        decades
            .filter(|decade| decade.rem_euclid(every) == 0)
            .flat_map(|decade| steps.iter().map(move |step| step * 10_f64.powi(decade)))
            .filter(|tick| (low..=high).contains(&tick.log10()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_equally_far_apart() {
        let axis = LogAxis::new((1.0, 1e4), (100.0, 500.0));
        assert!((axis.place(10.0) - 200.0).abs() < 1e-9);
        assert!((axis.place(0.1) - 0.0).abs() < 1e-9);
        assert_eq!(axis.ticks(100.0, 500.0), [1.0, 10.0, 100.0, 1e3, 1e4]);
        assert_eq!(axis.ticks(0.0, 210.0), [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]);
    }

    #[test]
    fn ticks_stay_few_on_wide_axes() {
        assert!(LogAxis::new((1e-30, 1e30), (0.0, 1.0)).ticks(0.0, 1.0).len() <= 13);
    }
}

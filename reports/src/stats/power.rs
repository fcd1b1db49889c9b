//! Power laws through points.

use super::{Estimate, Interval, student};

/// `y = factor * x ^ exponent`, the least-squares line through the logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// The exponent. Its interval tells how well a power law fits: residuals of the line, by
    /// Student's distribution with two degrees of freedom fewer than there are points; `None` for
    /// two points.
    pub exponent: Estimate,
    /// The value at one.
    pub factor: f64,
}

impl PowerLaw {
    /// The law through points above zero; `None` for fewer than two different places.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
        let (mx, my) = (mean(|log| log.0), mean(|log| log.1));
        let spread: f64 = logs.iter().map(|(x, _)| (x - mx).powi(2)).sum();
        if points.len() < 2 || spread <= 0.0 || !(mx.is_finite() && my.is_finite()) {
            return None;
        }
        let slope = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / spread;
        let rest = |(x, y): &(f64, f64)| (y - my - slope * (x - mx)).powi(2);
        let interval = points.len().checked_sub(2).filter(|&freedom| freedom > 0).map(|freedom| {
            let error = (logs.iter().map(rest).sum::<f64>() / freedom as f64 / spread).sqrt();
            let half = student::quantile(freedom as f64) * error;
            Interval { low: slope - half, high: slope + half }
        });
        let exponent = Estimate { value: slope, interval };
        Some(Self { exponent, factor: (my - slope * mx).exp() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<(f64, f64)> =
            [3.0, 5.0, 7.0, 9.0].map(|x: f64| (x, 4.0 * x.powf(2.5))).to_vec();
        let law = PowerLaw::through(&points).unwrap();
        assert!((law.exponent.value - 2.5).abs() < 1e-12, "{law:?}");
        assert!((law.factor - 4.0).abs() < 1e-9, "{law:?}");
        let interval = law.exponent.interval.unwrap();
        assert!(interval.high - interval.low < 1e-6, "{law:?}");
    }

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // In logarithms the points (0, 0), (1, 1), (2, 1): slope 1/2, residuals 1/6, 1/3, 1/6
        // squared sum to 1/6, so the slope's error is sqrt(1/6 / 1 / 2) and Student's quantile
        // 12.706.
        let e = std::f64::consts::E;
        let law = PowerLaw::through(&[(1.0, 1.0), (e, e), (e * e, e)]).unwrap();
        let half = 12.706_204_736 * (1.0_f64 / 12.0).sqrt();
        let interval = law.exponent.interval.unwrap();
        assert!((law.exponent.value - 0.5).abs() < 1e-12, "{law:?}");
        assert!((interval.high - 0.5 - half).abs() < 1e-9, "{law:?}");
    }

    #[test]
    fn too_little_says_nothing() {
        assert_eq!(PowerLaw::through(&[(2.0, 3.0)]), None);
        assert_eq!(PowerLaw::through(&[(2.0, 3.0), (2.0, 4.0)]), None);
        assert_eq!(PowerLaw::through(&[(1.0, 3.0), (2.0, 6.0)]).unwrap().exponent.interval, None);
    }
}

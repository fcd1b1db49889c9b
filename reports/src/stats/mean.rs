//! Means of counted quantities, such as plies a playout, with standard errors.

use super::{Estimate, Interval};

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error, where the data tell one.
    pub error: Option<f64>,
}

impl Mean {
    /// The mean with the interval of [`LEVEL`](super::LEVEL) of a normal distribution.
    pub fn estimate(self) -> Estimate {
        let Mean { value, error } = self;
        let around = |error| Interval { low: value - Z * error, high: value + Z * error };
        Estimate { value, interval: error.map(around) }
    }
}

/// The 97.5 % point of the normal distribution.
pub const Z: f64 = 1.959_964;

/// Wilson's interval (1927) for a share of so many cases.
pub fn wilson(share: f64, cases: f64) -> Interval {
    let square = Z.powi(2);
    let middle = (share + square / (2.0 * cases)) / (1.0 + square / cases);
    let half = Z / (1.0 + square / cases)
        * (share * (1.0 - share) / cases + square / (4.0 * cases * cases)).sqrt();
    Interval { low: (middle - half).clamp(0.0, 1.0), high: (middle + half).clamp(0.0, 1.0) }
}

/// The mean of `count` values from their sum and the sum of their squares, with the textbook
/// standard error.
///
/// Exact in the sums: they are whole numbers. `None` for no values.
pub fn mean_from_squares(count: u64, sum: i128, squares: u128) -> Option<Mean> {
    if count == 0 {
        return None;
    }
    let value = sum as f64 / count as f64;
    // count * squares - sum^2 in whole numbers: in floating point the difference of two large terms
    // would be noise.
    let spread = u128::from(count)
        .checked_mul(squares)?
        .checked_sub(sum.unsigned_abs().checked_mul(sum.unsigned_abs())?)?;
    let error = (count > 1).then(|| {
        let n = count as f64;
        (spread as f64 / (n * (n - 1.0)) / n).sqrt()
    });
    Some(Mean { value, error })
}

/// The mean from batches of (count, sum), with the standard error of a ratio of sums estimated from
/// the spread between batches (Cochran, *Sampling Techniques*, 1977, section 2.11).
///
/// `None` for no values; no error from fewer than two batches.
pub fn mean_between_batches(batches: &[(u64, u64)]) -> Option<Mean> {
    let (count, sum) =
        batches.iter().fold((0.0, 0.0), |(n, s), &(count, sum)| (n + count as f64, s + sum as f64));
    if count == 0.0 {
        return None;
    }
    let value = sum / count;
    let k = batches.len() as f64;
    let error = (batches.len() > 1).then(|| {
        let residuals: f64 =
            batches.iter().map(|&(n, s)| (s as f64 - value * n as f64).powi(2)).sum();
        (residuals * k / (k - 1.0)).sqrt() / count
    });
    Some(Mean { value, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error_of_2_4_4_4_5_5_7_9() {
        // Mean 5, sample variance 32/7, so the standard error is sqrt(32/7/8).
        let mean = mean_from_squares(8, 40, 232).unwrap();
        assert!((mean.value - 5.0).abs() < 1e-15);
        assert!((mean.error.unwrap() - (32.0_f64 / 56.0).sqrt()).abs() < 1e-15);
        assert_eq!(mean_from_squares(1, 9, 81), Some(Mean { value: 9.0, error: None }));
        assert_eq!(mean_from_squares(0, 0, 0), None);
        // Sums that contradict each other give nothing rather than a wrong error.
        assert_eq!(mean_from_squares(2, 10, 3), None);
    }

    #[test]
    fn between_equal_batches_it_is_the_error_of_their_means() {
        // Batch means 2, 4, 6 of ten values each: standard deviation 2, over the root of 3.
        let mean = mean_between_batches(&[(10, 20), (10, 40), (10, 60)]).unwrap();
        assert!((mean.value - 4.0).abs() < 1e-15);
        assert!((mean.error.unwrap() - 2.0 / 3.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(mean_between_batches(&[(4, 8)]), Some(Mean { value: 2.0, error: None }));
        assert_eq!(mean_between_batches(&[]), None);
    }

    #[test]
    fn unequal_batches_weigh_by_size() {
        // 1 value of 10 and 3 values that sum to 6: 16 over 4.
        let mean = mean_between_batches(&[(1, 10), (3, 6)]).unwrap();
        assert!((mean.value - 4.0).abs() < 1e-15);
        // Residuals 6 and -6: sqrt(72 * 2) / 4 = 3.
        assert!((mean.error.unwrap() - 3.0).abs() < 1e-12);
    }
}

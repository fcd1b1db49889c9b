//! The test that a batch of playouts is of the same kind as others.

use std::ops::{AddAssign, Sub};

/// Values summed up: their number, their sum and the sum of their squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moments {
    /// The number of values.
    pub count: u64,
    /// Their sum.
    pub sum: i128,
    /// The sum of their squares.
    pub squares: u128,
}

impl Moments {
    /// The mean; 0 of no values.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / (self.count as f64).max(1.0)
    }

    /// The variance, from whole numbers: in floating point the difference of two large terms would
    /// be noise.
    fn variance(&self) -> Option<f64> {
        let square = self.sum.unsigned_abs().checked_mul(self.sum.unsigned_abs())?;
        let spread = u128::from(self.count).checked_mul(self.squares)?.checked_sub(square)?;
        Some(spread as f64 / (self.count as f64).powi(2))
    }

    /// The distance of the mean of these values from that of others, in standard errors. Both may
    /// be of one value only; `None` if the sums are too large or contradict each other.
    ///
    /// The variance of the batch is taken for that of the others where that is greater. So neither
    /// a rare great value, which the others do not have, nor its absence makes a batch look odd.
    pub fn distance(&self, others: &Moments) -> Option<f64> {
        let difference = self
            .sum
            .checked_mul(i128::from(others.count))?
            .checked_sub(others.sum.checked_mul(i128::from(self.count))?)?;
        if difference == 0 {
            return Some(0.0);
        }
        let (own, other) = (self.variance()?, others.variance()?);
        let (n, m) = (self.count as f64, others.count as f64);
        let error = (own.max(other) / n + other / m).sqrt();
        Some((difference as f64).abs() / (n * m) / error)
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Moments) {
        self.count = self.count.saturating_add(other.count);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }
}

impl Sub for Moments {
    type Output = Moments;

    fn sub(self, other: Moments) -> Moments {
        Moments {
            count: self.count.saturating_sub(other.count),
            sum: self.sum.saturating_sub(other.sum),
            squares: self.squares.saturating_sub(other.squares),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[(i128, u64)]) -> Moments {
        let mut all = Moments::default();
        for &(value, count) in values {
            let (n, squares) = (i128::from(count), (value * value) as u128 * u128::from(count));
            all += Moments { count, sum: value * n, squares };
        }
        all
    }

    #[test]
    fn a_batch_of_another_kind_is_far_away() {
        // Means 10 and 20, variances 1 and 4, of 100 and 400 values: 10 / sqrt(4/100 + 4/400).
        let (one, others) = (of(&[(9, 50), (11, 50)]), of(&[(18, 200), (22, 200)]));
        assert!((one.distance(&others).unwrap() - 10.0 / 0.05_f64.sqrt()).abs() < 1e-9);
        assert!(of(&[(5, 100)]).distance(&of(&[(500, 500), (620, 500)])).unwrap() > 50.0);
        // Where nothing ever varies, any difference is one.
        assert_eq!(of(&[(60, 40)]).distance(&of(&[(60, 400)])), Some(0.0));
        assert_eq!(of(&[(59, 40)]).distance(&of(&[(60, 400)])), Some(f64::INFINITY));
    }

    #[test]
    fn rare_great_values_are_not_odd_where_they_are_nor_where_they_are_not() {
        let usual = of(&[(50, 10_000)]);
        assert!(of(&[(50, 29), (2000, 1)]).distance(&usual).unwrap() < 1.1);
        assert!(of(&[(50, 30)]).distance(&of(&[(50, 999_000), (2000, 1000)])).unwrap() < 1.0);
    }
}

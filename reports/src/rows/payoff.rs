//! The payoffs of the players in the playouts of a row.

use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

use crate::stats::{Mean, mean_from_squares};

/// The payoffs of one player in the playouts of a row that ended by the rules, summed up. Written
/// `n:sum:squares`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Payoff {
    /// Playouts.
    pub playouts: u64,
    /// Sum of the payoffs.
    pub sum: i128,
    /// Sum of their squares.
    pub squares: u128,
}

impl Payoff {
    /// The mean payoff of a playout with its standard error; `None` without playouts.
    pub fn mean(&self) -> Option<Mean> {
        mean_from_squares(self.playouts, self.sum, self.squares)
    }

    /// True if payoffs of 32 bits can have these sums.
    pub(super) fn is_possible(&self) -> bool {
        let (n, sum) = (u128::from(self.playouts), self.sum.unsigned_abs());
        let most = 1u128 << 31;
        sum <= n * most
            && self.squares <= n * most * most
            && sum.checked_mul(sum).is_some_and(|s| s <= self.squares.saturating_mul(n))
    }
}

impl AddAssign for Payoff {
    fn add_assign(&mut self, other: Payoff) {
        self.playouts = self.playouts.saturating_add(other.playouts);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }
}

impl fmt::Display for Payoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.playouts, self.sum, self.squares)
    }
}

impl FromStr for Payoff {
    type Err = String;

    fn from_str(text: &str) -> Result<Payoff, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let read = || {
            let [playouts, sum, squares] = parts[..] else { return None };
            Some(Payoff {
                playouts: playouts.parse().ok()?,
                sum: sum.parse().ok()?,
                squares: squares.parse().ok()?,
            })
        };
        read().ok_or_else(|| format!("`payoffs` has {text:?}; expected `playouts:sum:squares`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payoff_is_written_read_and_averaged() {
        // 1, 1, -2 and -2: mean -1/2, squares 10.
        let payoff = Payoff { playouts: 4, sum: -2, squares: 10 };
        assert_eq!(payoff.to_string().parse(), Ok(payoff));
        let mean = payoff.mean().unwrap();
        assert!((mean.value + 0.5).abs() < 1e-12);
        assert!((mean.error.unwrap() - (9.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert!(payoff.is_possible());
        assert!(!Payoff { squares: 0, ..payoff }.is_possible());
        assert!("4:-2".parse::<Payoff>().is_err());
    }
}

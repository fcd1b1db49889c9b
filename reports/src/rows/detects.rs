//! The smallest fault that the proof of a pair would have seen.

use std::fmt;
use std::str::FromStr;

/// The smallest deviation that a proof would have found with a probability of 95 %, in parts per
/// million, and what the playouts were compared with. Written `plies:payoffs:by`, with `none` where
/// nothing could have shown a deviation; `by` then says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detects {
    /// Of the mean length, of which it is a part.
    pub plies: Option<u64>,
    /// Of the mean payoff of any player, as a part of the range of payoffs.
    pub payoffs: Option<u64>,
    /// The playouts of the comparison, or the reason why nothing could have shown.
    pub by: String,
}

impl Detects {
    /// In parts per million, rounded up, of shares; `None` of what is not finite.
    pub fn of_shares(plies: f64, payoffs: f64, by: impl Into<String>) -> Detects {
        let parts = |share: f64| share.is_finite().then(|| (share * 1e6).ceil() as u64);
        Detects { plies: parts(plies), payoffs: parts(payoffs), by: by.into() }
    }

    /// The greater of the two, as a share; infinite where nothing could have shown.
    pub fn worst(&self) -> f64 {
        let share = |parts: Option<u64>| parts.map_or(f64::INFINITY, |parts| parts as f64 / 1e6);
        match (self.plies, self.payoffs) {
            (plies, None) => share(plies),
            (plies, payoffs) => share(plies).max(share(payoffs)),
        }
    }
}

impl fmt::Display for Detects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for parts in [self.plies, self.payoffs] {
            match parts {
                Some(parts) => write!(f, "{parts}:")?,
                None => f.write_str("none:")?,
            }
        }
        f.write_str(&self.by)
    }
}

impl FromStr for Detects {
    type Err = String;

    fn from_str(text: &str) -> Result<Detects, String> {
        let read = |part: &str| match part {
            "none" => Some(None),
            parts => parts.parse().ok().map(Some),
        };
        let parts: Vec<&str> = text.splitn(3, ':').collect();
        let detects = match parts[..] {
            [plies, payoffs, by] => read(plies).zip(read(payoffs)).map(|(plies, payoffs)| {
                let by = by.to_owned();
                Detects { plies, payoffs, by }
            }),
            _ => None,
        };
        detects.ok_or_else(|| format!("`detects` has {text:?}; expected `plies:payoffs:by`"))
    }
}

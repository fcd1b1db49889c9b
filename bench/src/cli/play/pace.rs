//! The pace of agents where a person only watches.

use std::str::FromStr;
use std::time::Duration;

/// The longest time between two plies.
const LONGEST: f64 = 3600.0;

/// The pace at which agents play before somebody who watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pace {
    /// The least time that a ply takes.
    pub(super) least: Duration,
    /// True if plies are played only when they are asked for.
    pub(super) paused: bool,
    /// Plies that were asked for and not played yet.
    steps: u32,
}

impl Pace {
    /// A pace with a least time for each ply.
    pub(super) const fn of(least: Duration) -> Pace {
        Pace { least, paused: false, steps: 0 }
    }

    /// Asks for one ply more, and for none after it.
    pub(super) fn step(&mut self) {
        (self.paused, self.steps) = (true, self.steps.saturating_add(1));
    }

    /// Stops at the present ply, or goes on by itself.
    pub(super) fn pause(&mut self, paused: bool) {
        (self.paused, self.steps) = (paused, 0);
    }

    /// The time to wait until a ply is played that has taken so long already; `None` if it waits for
    /// somebody to ask for it. A ply that is due now counts as played.
    pub(super) fn rest(&mut self, taken: Duration) -> Option<Duration> {
        if self.steps > 0 {
            self.steps -= 1;
            return Some(Duration::ZERO);
        }
        (!self.paused).then(|| self.least.saturating_sub(taken))
    }
}

/// Reads seconds, such as `0.5`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!("expected seconds from 0 to {LONGEST}, such as 0.5")),
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Pace, String> {
        if text == "step" {
            return Ok(Pace { paused: true, ..Pace::default() });
        }
        seconds(text).map(Pace::of).map_err(|what| what + ", or `step`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_is_due_after_its_time_or_when_it_is_asked_for() {
        let second = Duration::from_secs(1);
        let mut pace: Pace = "1".parse().unwrap();
        assert_eq!(pace.rest(second / 4), Some(second * 3 / 4));
        assert_eq!(pace.rest(2 * second), Some(Duration::ZERO));
        pace.pause(true);
        assert_eq!(pace.rest(2 * second), None);
        pace.step();
        pace.step();
        assert_eq!([(); 3].map(|()| pace.rest(second / 4).is_some()), [true, true, false]);
        pace.step();
        pace.pause(false);
        assert_eq!(pace.rest(second / 4), Some(second * 3 / 4));
        assert!("step".parse::<Pace>().unwrap().paused);
        for text in ["", "-1", "nan", "inf", "3601", "fast"] {
            assert!(text.parse::<Pace>().unwrap_err().contains("seconds"), "{text}");
        }
    }
}

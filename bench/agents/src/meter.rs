use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use crate::Budget;

/// Counts simulations against a budget.
pub(crate) struct Meter {
    budget: Budget,
    begun: Duration,
    /// Simulations begun.
    pub(crate) done: u64,
    /// The number of simulations begun at once, if the budget is a time.
    several: u64,
    /// The time at which the last of these were begun.
    looked: Duration,
}

impl Meter {
    /// Begins to count.
    pub(crate) fn start(budget: Budget) -> Meter {
        let begun = thread_time();
        Meter { budget, begun, done: 0, several: 0, looked: begun }
    }

    /// Counts one more simulation, if the budget has one more.
    pub(crate) fn next(&mut self) -> bool {
        let more = match self.budget {
            Budget::Iterations(most) => self.done < most,
            Budget::Time(_) => self.within(1.0),
        };
        self.done += u64::from(more);
        more
    }

    /// Makes all simulations of the budget.
    pub(crate) fn spend(&mut self, mut simulate: impl FnMut(u64)) {
        while let Some(count) = self.next_several() {
            simulate(count);
        }
    }

    /// Counts as many more simulations as can be made before the budget must be looked at again:
    /// all of a number, and of a time about a hundredth. `None` where there are no more.
    fn next_several(&mut self) -> Option<u64> {
        let count = match self.budget {
            Budget::Iterations(most) => most - self.done,
            Budget::Time(most) => {
                let now = thread_time();
                let was_short = now.saturating_sub(self.looked) < most / 100;
                self.looked = now;
                self.several = (self.several << u32::from(was_short)).max(1);
                if now.saturating_sub(self.begun) < most { self.several } else { 0 }
            }
        };
        self.done += count;
        (count > 0).then_some(count)
    }

    /// True if no more than this share of the time is spent; always so where time is not limited.
    pub(crate) fn within(&self, share: f64) -> bool {
        match self.budget {
            Budget::Iterations(_) => true,
            Budget::Time(most) => thread_time().saturating_sub(self.begun) < most.mul_f64(share),
        }
    }
}

/// CPU time of this thread: what others do on the machine does not count.
fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

//! Counts of steps of work and of bytes in compilation, against the limits of the caller.
//!
//! Engines see no clock. So everything that a description can repeat is counted here by rounds, and
//! everything that it can enlarge by bytes: boards, tables, the rounds of loops while pieces are
//! placed and while the positions of a small game are explored. The counts belong to the thread,
//! because the evaluator, which is called in many places, counts as well. When a limit is reached
//! loops stop, their results are worthless, and [`Budget::within`] reports it. There are no limits
//! while games are played.

use std::cell::Cell;

use play::{CompileError, Limits};

thread_local! {
    static WORK: Cell<u64> = const { Cell::new(u64::MAX) };
    static BYTES: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Counts steps. True if any are left.
#[inline(always)]
pub(crate) fn work(steps: u64) -> bool {
    let left = WORK.get();
    left == u64::MAX || take(left, steps)
}

#[inline(never)]
fn take(left: u64, steps: u64) -> bool {
    let left = left.saturating_sub(steps);
    WORK.set(left);
    left != 0
}

/// True if work is counted.
#[inline(always)]
pub(crate) fn is_limited() -> bool {
    WORK.get() != u64::MAX
}

/// Counts bytes that stay allocated as long as the game. True if any are left.
pub(crate) fn bytes(count: usize) -> bool {
    if !is_limited() {
        return true;
    }
    let left = BYTES.get().saturating_sub(count as u64);
    BYTES.set(left);
    // Allocated memory has to be written, which is work.
    work(count as u64 / 64) && left != 0
}

/// True if this number of steps and of bytes is left, for optional parts of compilation.
pub(crate) fn has(steps: u64, bytes: u64) -> bool {
    steps < WORK.get() && bytes < BYTES.get()
}

/// True if a limit has been reached.
pub(crate) fn is_spent() -> bool {
    WORK.get() == 0 || BYTES.get() == 0
}

/// The limits of one compilation, which hold while this lives.
pub(crate) struct Budget {
    limits: Limits,
    outer: [u64; 2],
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Budget {
        // The greatest number means that there is no limit, so real limits stay below it.
        let work = limits.work.min(u64::MAX - 1);
        let outer = [WORK.replace(work), BYTES.replace(limits.bytes)];
        Budget { limits: *limits, outer }
    }

    /// A budget of this number of steps, or of half of those that are left, for optional parts of
    /// compilation.
    pub(crate) fn part(work: u64) -> Budget {
        Budget::new(&Limits { work: work.min(WORK.get() / 2), bytes: BYTES.get() })
    }

    /// Calls a function, and fails if a limit is reached during the call.
    pub(crate) fn within<T>(
        &self,
        what: &str,
        run: impl FnOnce() -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        let done = run();
        let limit = match (WORK.get(), BYTES.get()) {
            (0, _) => format!("{} steps of work", self.limits.work),
            (_, 0) => format!("{} bytes", self.limits.bytes),
            _ => return done,
        };
        Err(CompileError::TooLarge(format!("more than {limit} before {what}")))
    }
}

/// Steps counted within these limits are subtracted from the limits around them, if there are any.
impl Drop for Budget {
    fn drop(&mut self) {
        let Limits { work, .. } = self.limits;
        let outer = match self.outer[0] {
            none @ (0 | u64::MAX) => none,
            outer => outer.saturating_sub(work.saturating_sub(WORK.get())).max(1),
        };
        WORK.set(outer);
        BYTES.set(self.outer[1]);
    }
}

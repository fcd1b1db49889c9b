//! What compiling costs: steps of work, and bytes, counted against the limits of the caller.
//!
//! Engines see no clock. So whatever a description can have done often counts its rounds here, and
//! what it can make large its bytes: boards, tables, the rounds of loops while pieces are placed
//! and while the positions of a small game are looked through. It is counted by thread, since the
//! evaluator counts as well, which runs in many places and for many reasons. Where the limits are
//! reached loops stop, what they have found is worth nothing, and [`Budget::within`] says
//! so. While games are played there are no limits.

use std::cell::Cell;

use play::{CompileError, Limits};

thread_local! {
    static WORK: Cell<u64> = const { Cell::new(u64::MAX) };
    static BYTES: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Counts steps; whether there are any left.
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

/// Counts bytes that are kept until the game is gone; whether there are any left.
pub(crate) fn bytes(count: usize) -> bool {
    if !is_limited() {
        return true;
    }
    let left = BYTES.get().saturating_sub(count as u64);
    BYTES.set(left);
    // What takes memory has to be written to.
    work(count as u64 / 64) && left != 0
}

/// True if there are so many steps and bytes left, for what compiling can do without.
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
        // A limit beyond all numbers is none.
        let work = limits.work.min(u64::MAX - 1);
        let outer = [WORK.replace(work), BYTES.replace(limits.bytes)];
        Budget { limits: *limits, outer }
    }

    /// So many steps, or half of those that are left, for what compiling can do without.
    pub(crate) fn part(work: u64) -> Budget {
        Budget::new(&Limits { work: work.min(WORK.get() / 2), bytes: BYTES.get() })
    }

    /// Does something, and refuses what has reached a limit in the meantime.
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

/// What has been counted is taken from the limits around these, if there are any.
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

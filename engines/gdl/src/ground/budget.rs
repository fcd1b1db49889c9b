//! How much a grounding may take, and where it goes.

use play::Limits;

/// Counts work and memory.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    limits: Limits,
    work: u64,
    /// Bytes in use when last measured.
    bytes: u64,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Budget {
        Budget { limits: *limits, work: 0, bytes: 0 }
    }

    /// Counts steps.
    pub(super) fn spend(&mut self, work: u64) {
        self.work = self.work.saturating_add(work);
    }

    /// Notes how many bytes are in use.
    pub(super) fn measure(&mut self, bytes: usize) {
        self.bytes = bytes as u64;
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    pub(super) fn work_left(&self) -> u64 {
        self.limits.work.saturating_sub(self.work)
    }

    /// Which limit has been reached.
    pub(super) fn exceeded(&self) -> Option<String> {
        if self.work > self.limits.work {
            Some(format!("the {} steps of work allowed are used up", self.limits.work))
        } else if self.bytes > self.limits.bytes {
            Some(format!("the {} MiB allowed are used up", self.limits.bytes >> 20))
        } else {
            None
        }
    }
}

//! The progress of a playout.

use play::{MAX_FORCED_PASSES, Rng};

/// The progress of a playout.
#[derive(Debug)]
pub(crate) struct Playout<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) plies: u32,
    /// Forced passes since the last ply.
    pub(crate) passes: u32,
    pub(crate) cap: u32,
}

impl<'r> Playout<'r> {
    pub(crate) fn new(rng: &'r mut Rng, cap: u32) -> Playout<'r> {
        Playout { rng, plies: 0, passes: 0, cap }
    }

    /// Counts a ply; false if the playout has reached its cap.
    #[inline(always)]
    pub(crate) fn ply(&mut self) -> bool {
        let more = self.plies != self.cap;
        self.plies += u32::from(more);
        self.passes = 0;
        more
    }

    /// Counts a forced pass; false if there have been too many.
    pub(crate) fn pass(&mut self) -> bool {
        self.passes += 1;
        self.passes <= MAX_FORCED_PASSES
    }
}

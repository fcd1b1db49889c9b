//! What has been written to a state, in order, for states that follow it.

/// Entries after which a log begins anew; who follows by it is then copied in full once.
pub(super) const MOST_ENTRIES: usize = 4096;

/// What an entry of a log means, in its two highest bits: a number at an offset, a word at an
/// offset, a list by its number, or that the record of moves (an even number follows) or of
/// positions (an odd one) has been cut to half that number of entries.
pub(super) const WORD: u32 = 1 << 31;
pub(super) const LIST: u32 = 1 << 30;
pub(super) const CUT: u32 = WORD | LIST;

/// Places that have been written to, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) entries: Vec<u32>,
    /// How often the log has begun anew: positions in it hold for one epoch.
    pub(super) epoch: u32,
    /// True if anybody follows.
    pub(super) on: bool,
}

impl Log {
    #[inline(always)]
    pub(super) fn push(&mut self, entry: u32) {
        if self.on {
            self.add(entry);
        }
    }

    #[inline]
    pub(super) fn add(&mut self, entry: u32) {
        if self.entries.capacity() == 0 {
            self.entries.reserve(MOST_ENTRIES);
        }
        if self.entries.len() == MOST_ENTRIES {
            self.begin();
        }
        self.entries.push(entry);
    }

    /// Begins anew.
    pub(super) fn begin(&mut self) {
        self.entries.clear();
        self.epoch = self.epoch.wrapping_add(1);
    }

    #[inline(always)]
    pub(super) fn cell(&mut self, at: usize) {
        self.push(at as u32);
    }

    #[inline(always)]
    pub(super) fn word(&mut self, at: usize) {
        self.push(WORD | at as u32);
    }

    #[inline(always)]
    pub(super) fn list(&mut self, number: usize) {
        self.push(LIST | number as u32);
    }

    pub(super) fn cut_positions(&mut self, length: usize) {
        self.push(CUT | (length << 1) as u32 | 1);
    }

    pub(super) fn cut_history(&mut self, length: usize) {
        self.push(CUT | (length << 1) as u32);
    }

    pub(super) fn here(&self) -> Mark {
        Mark { epoch: self.epoch, entry: self.entries.len() }
    }
}

/// A place in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    pub(super) epoch: u32,
    pub(super) entry: usize,
}

/// How far a state follows another one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Followed {
    /// In the log of the other: what comes before is known here.
    pub(super) theirs: Mark,
    /// In the own log: what comes behind is to be rolled back.
    pub(super) own: Mark,
    /// Moves in the history that both have in common, and positions.
    pub(super) history: usize,
    pub(super) positions: usize,
}

//! The log of writes to a state, in order, for states that follow it.

/// Most entries of a log. Beyond them it begins anew, and each follower is copied in full once.
pub(super) const MOST_ENTRIES: usize = 4096;

/// The two highest bits of an entry tell its sort: a number at an offset, a word at an offset, a
/// list by its number, or a record that has been cut, that of moves (followed by an even number) or
/// that of positions (an odd one), to half that number of entries.
pub(super) const WORD: u32 = 1 << 31;
pub(super) const LIST: u32 = 1 << 30;
pub(super) const CUT: u32 = WORD | LIST;

/// The places that have been written to, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) entries: Vec<u32>,
    /// Number of times that the log has begun anew: positions in it hold for one epoch.
    pub(super) epoch: u32,
    /// True if any state follows.
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
    pub(super) fn cell(&mut self, offset: usize) {
        self.push(offset as u32);
    }

    #[inline(always)]
    pub(super) fn word(&mut self, offset: usize) {
        self.push(WORD | offset as u32);
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

/// A position in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    pub(super) epoch: u32,
    pub(super) entry: usize,
}

/// The position up to which a state follows another one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Followed {
    /// Position in the log of the other state: writes before it have been made in this one too.
    pub(super) theirs: Mark,
    /// Position in the log of this state: writes behind it are to be rolled back.
    pub(super) own: Mark,
    /// Number of moves in the history that both have in common, and of positions.
    pub(super) history: usize,
    pub(super) positions: usize,
}

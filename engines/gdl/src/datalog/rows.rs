//! The tuples of a relation, row after row.

/// The tuples of one relation. Rows are known by their place in `values`.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// Row after row, see [`Layout::stride`](super::store::Layout).
    pub(crate) values: Vec<u32>,
    /// Words of a row.
    pub(crate) stride: u32,
    /// Number of rows.
    pub(crate) len: u32,
    /// By hashed index and bucket: the last row; a power of two of buckets, or none yet.
    pub(super) heads: Vec<Vec<u32>>,
}

/// Bytes that a word of rows takes, with the room that is left for others, and with what is copied
/// while that grows.
pub(super) const WORD_BYTES: usize = 7;

/// Words from which on rows no longer take twice the room when there is none left.
const LARGE: usize = 1 << 18;

impl Rows {
    /// Makes room for one more row.
    #[inline(always)]
    pub(super) fn make_room(&mut self) {
        if self.values.capacity() - self.values.len() < self.stride as usize {
            self.grow();
        }
    }

    /// Rows are copied to where there is more room, so that a large relation that took twice as
    /// much would need three times the memory that it has: it takes an eighth more.
    #[cold]
    fn grow(&mut self) {
        let words = self.values.len();
        let more = if words < LARGE { words } else { words / 8 };
        self.values.reserve_exact(more.max(4 * self.stride as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_large_relations_take_what_is_counted() {
        let mut rows = Rows { values: Vec::new(), stride: 3, len: 0, heads: Vec::new() };
        let mut before = 0;
        for number in 0..2_000_000 {
            rows.make_room();
            let room = rows.values.capacity();
            if room != before && before >= LARGE {
                let bytes = 4 * (before + room);
                let counted = WORD_BYTES * rows.values.len();
                assert!(bytes as f64 <= 1.3 * counted as f64, "{bytes} for {counted}");
            }
            before = room;
            rows.values.extend([number, 0, 0]);
        }
        assert_eq!(rows.values.len(), 6_000_000);
    }
}

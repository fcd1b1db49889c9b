//! The free cells by their numbers.

use crate::bits::Ranks;

/// Words of the largest boards.
pub(crate) const MOST_WORDS: usize = 8;
/// Words whose numbers of cells stand side by side in one.
const LANES: usize = 4;

/// One in every lane.
const ONES: u64 = 0x0001_0001_0001_0001;
/// The highest bit of every lane.
const TOPS: u64 = 0x8000_8000_8000_8000;

/// One in the lanes of all words behind each.
const BEHIND: [[u64; MOST_WORDS / LANES]; MOST_WORDS] = {
    let mut table = [[0; MOST_WORDS / LANES]; MOST_WORDS];
    let mut word = 0;
    while word < MOST_WORDS {
        let mut behind = word + 1;
        while behind < MOST_WORDS {
            table[word][behind / LANES] |= 1 << (16 * (behind % LANES));
            behind += 1;
        }
        word += 1;
    }
    table
};

/// A set of cells that only shrinks. The cells before each word are kept counted, side by side, so
/// that the word of the `n`-th cell is found without a branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    ranks: [Ranks; MOST_WORDS],
    /// The cells in all words before each, in lanes of 16 bits.
    before: [u64; MOST_WORDS / LANES],
    count: u32,
    words: u8,
}

impl Free {
    /// Of a set of up to [`MOST_WORDS`] words.
    pub(crate) fn new(set: &[u64]) -> Option<Free> {
        if set.len() > MOST_WORDS {
            return None;
        }
        let word = |i: usize| Ranks::new(set.get(i).copied().unwrap_or(0));
        let ranks = std::array::from_fn(word);
        let before = [0; MOST_WORDS / LANES];
        let mut free = Free { ranks, before, count: 0, words: set.len() as u8 };
        for (i, ranks) in ranks.iter().enumerate() {
            free.before[i / LANES] |= u64::from(free.count) << (16 * (i % LANES));
            free.count += ranks.count();
        }
        Some(free)
    }

    pub(crate) fn words(&self) -> u8 {
        self.words
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The `n`-th cell of more than `n`, of a set of at most `N` words.
    #[inline(always)]
    pub(crate) fn nth<const N: usize>(&self, n: u32) -> u16 {
        if N == 1 {
            return self.ranks[0].nth(n) as u16;
        }
        // How many lanes are not beyond `n`: words behind the last one count all cells.
        let lanes = |before: u64| {
            let reached = ((u64::from(n) * ONES) | TOPS).wrapping_sub(before) & TOPS;
            (reached >> 15).wrapping_mul(ONES) >> 48
        };
        let mut reached = lanes(self.before[0]);
        if N > LANES {
            reached += lanes(self.before[1]);
        }
        let word = (reached as usize - 1) % MOST_WORDS;
        let before = self.before[word / LANES] >> (16 * (word % LANES)) & 0x7fff;
        (64 * word) as u16 + self.ranks[word].nth(n - before as u32) as u16
    }

    /// Takes away a cell that is there.
    #[inline(always)]
    pub(crate) fn remove<const N: usize>(&mut self, cell: u16) {
        let word = if N == 1 { 0 } else { usize::from(cell) / 64 % MOST_WORDS };
        self.count -= 1;
        self.ranks[word].clear(u32::from(cell));
        if N > 1 {
            self.before[0] -= BEHIND[word][0];
        }
        if N > LANES {
            self.before[1] -= BEHIND[word][1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes cells away in some order, and looks at all that are left.
    fn check<const N: usize>(set: [u64; N]) {
        let mut free = Free::new(&set).unwrap();
        let all = (0..64 * N as u16).filter(|&c| set[usize::from(c) / 64] >> (c % 64) & 1 != 0);
        let mut left: Vec<u16> = all.collect();
        while !left.is_empty() {
            assert_eq!(free.count() as usize, left.len());
            for (n, &cell) in left.iter().enumerate() {
                assert_eq!(free.nth::<N>(n as u32), cell, "{left:?}");
            }
            free.remove::<N>(left.remove(left.len() * 7 / 11));
        }
        assert_eq!(free.count(), 0);
    }

    #[test]
    fn cells_are_found_by_number() {
        check([0x8100_0000_0000_0081]);
        check([u64::MAX, 0, 1 << 63, 0x00ff]);
        check([0, u64::MAX, u64::MAX, u64::MAX]);
        check([u64::MAX; 8]);
        check([0, 0, 3, 0, 0, 1 << 40, 0, u64::MAX]);
        assert!(Free::new(&[0; 9]).is_none());
    }
}

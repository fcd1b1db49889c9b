//! Sets of cells.

/// A set of up to `64 * W` cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Bits<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Bits<W> {
    pub(crate) const EMPTY: Bits<W> = Bits([0; W]);

    #[inline(always)]
    pub(crate) fn single(cell: u16) -> Bits<W> {
        let mut bits = Bits::EMPTY;
        bits.insert(cell);
        bits
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, cell: u16) {
        self.0[usize::from(cell) / 64 % W] |= 1 << (cell % 64);
    }

    /// The same cells as a set of another number of words, which has room for them.
    pub(crate) fn resized<const V: usize>(&self) -> Bits<V> {
        let mut out = Bits::EMPTY;
        out.0.iter_mut().zip(&self.0).for_each(|(to, from)| *to = *from);
        out
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, cell: u16) {
        self.0[usize::from(cell) / 64 % W] &= !(1 << (cell % 64));
    }

    #[inline(always)]
    pub(crate) fn contains(&self, cell: u16) -> bool {
        self.0[usize::from(cell) / 64 % W] >> (cell % 64) & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The least cell of a set that is not empty.
    #[inline(always)]
    pub(crate) fn first(&self) -> u16 {
        for (i, &word) in self.0.iter().enumerate() {
            if word != 0 {
                return (64 * i) as u16 + word.trailing_zeros() as u16;
            }
        }
        0
    }

    /// The `n`-th cell by number, of a set with more than `n`.
    #[inline]
    pub(crate) fn nth(&self, n: u32) -> u16 {
        if W == 1 {
            return nth_bit(self.0[0], n) as u16;
        }
        self.nth_of(&self.counts(), n)
    }

    /// The cells in each word.
    #[inline(always)]
    pub(crate) fn counts(&self) -> [u32; W] {
        self.0.map(u64::count_ones)
    }

    /// As [`Bits::nth`], with the cells in each word counted.
    #[inline(always)]
    pub(crate) fn nth_of(&self, counts: &[u32; W], mut n: u32) -> u16 {
        for (i, (&word, &here)) in self.0.iter().zip(counts).enumerate() {
            if n < here {
                return (64 * i) as u16 + nth_bit(word, n) as u16;
            }
            n -= here;
        }
        0
    }

    #[inline(always)]
    pub(crate) fn zip(self, other: Bits<W>, f: impl Fn(u64, u64) -> u64) -> Bits<W> {
        let mut out = self;
        for (word, &with) in out.0.iter_mut().zip(&other.0) {
            *word = f(*word, with);
        }
        out
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Bits<W>) -> Bits<W> {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Bits<W>) -> Bits<W> {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(crate) fn and_not(self, other: Bits<W>) -> Bits<W> {
        self.zip(other, |a, b| a & !b)
    }

    /// All cells moved up by `by` numbers, or down where it is negative.
    #[inline(always)]
    pub(crate) fn shifted(self, by: i32) -> Bits<W> {
        let (words, bits) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
        let mut out = Bits::EMPTY;
        if W == 1 {
            out.0[0] = if by >= 0 { self.0[0] << bits } else { self.0[0] >> bits };
        } else if by >= 0 {
            for i in words..W {
                let low =
                    if bits > 0 && i > words { self.0[i - words - 1] >> (64 - bits) } else { 0 };
                out.0[i] = self.0[i - words] << bits | low;
            }
        } else {
            for i in 0..W - words.min(W) {
                let from = i + words;
                let high =
                    if bits > 0 && from + 1 < W { self.0[from + 1] << (64 - bits) } else { 0 };
                out.0[i] = self.0[from] >> bits | high;
            }
        }
        out
    }

    /// Whether there are at most `n` cells; for small `n`.
    #[inline(always)]
    pub(crate) fn at_most(&self, n: u32) -> bool {
        let mut rest = *self;
        for _ in 0..n {
            rest.pop();
        }
        rest.is_empty()
    }

    /// The greatest cell, or 0 where there is none.
    #[inline(always)]
    pub(crate) fn last(&self) -> u16 {
        for (i, &word) in self.0.iter().enumerate().skip(1).rev() {
            if word != 0 {
                return (64 * i) as u16 + word.ilog2() as u16;
            }
        }
        (self.0[0] | 1).ilog2() as u16
    }

    /// All cells up to the least of a set, that one counted; all there are where it is empty.
    #[inline(always)]
    pub(crate) fn upto_first(self) -> Bits<W> {
        if W == 2 {
            let wide = u128::from(self.0[0]) | u128::from(self.0[1 % W]) << 64;
            let upto = wide ^ wide.wrapping_sub(1);
            let mut out = self;
            (out.0[0], out.0[1 % W]) = (upto as u64, (upto >> 64) as u64);
            return out;
        }
        let (mut out, mut borrow) = (self, true);
        for word in &mut out.0 {
            let (less, borrows) = word.overflowing_sub(u64::from(borrow));
            *word ^= less;
            borrow = borrows;
        }
        out
    }

    /// The cells of this set, all on one side of a cell, up to the nearest that is in `blockers`,
    /// which is among them if `hit`. `ascending` says that the nearest is the least.
    #[inline(always)]
    pub(crate) fn until(self, blockers: Bits<W>, ascending: bool, hit: bool) -> Bits<W> {
        if W == 1 {
            let (ray, block) = (self.0[0], self.0[0] & blockers.0[0]);
            let mut out = self;
            out.0[0] = if ascending {
                let low = block & block.wrapping_neg();
                ray & (low.wrapping_sub(1) | if hit { low } else { 0 })
            } else {
                // The highest blocker and all below it, or nothing.
                let below = u64::MAX.checked_shr(block.leading_zeros()).unwrap_or(0);
                let high = below & !(below >> 1);
                ray & (!below | if hit { high } else { 0 })
            };
            return out;
        }
        if W > 2 {
            return self.until_in_words(blockers, ascending, hit);
        }
        let wide = |bits: &Bits<W>| u128::from(bits.0[0]) | u128::from(bits.0[1 % W]) << 64;
        let ray = wide(&self);
        let block = ray & wide(&blockers);
        let cut = if ascending {
            let low = block & block.wrapping_neg();
            ray & (low.wrapping_sub(1) | if hit { low } else { 0 })
        } else if block == 0 {
            ray
        } else {
            let high = 1u128 << block.ilog2();
            ray & (!(high | (high - 1)) | if hit { high } else { 0 })
        };
        let mut out = self;
        out.0[0] = cut as u64;
        out.0[1 % W] = (cut >> 64) as u64;
        out
    }

    fn until_in_words(self, blockers: Bits<W>, ascending: bool, hit: bool) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for step in 0..W {
            let i = if ascending { step } else { W - 1 - step };
            let block = self.0[i] & blockers.0[i];
            out.0[i] = self.0[i];
            if block != 0 {
                let keep = if ascending {
                    let low = block & block.wrapping_neg();
                    (low - 1) | if hit { low } else { 0 }
                } else {
                    let high = 1 << block.ilog2();
                    !(high | (high - 1)) | if hit { high } else { 0 }
                };
                out.0[i] &= keep;
                break;
            }
        }
        out
    }

    /// Removes and returns the least cell.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<u16> {
        for (i, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as u16;
                *word &= *word - 1;
                return Some((64 * i) as u16 + bit);
            }
        }
        None
    }

    /// All cells by number.
    pub(crate) fn iter(self) -> impl Iterator<Item = u16> {
        let mut rest = self;
        std::iter::from_fn(move || rest.pop())
    }
}

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The place of the `n`-th set bit of each byte, by `n` and the byte.
const IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The place of the `n`-th set bit of a word with more than `n`, by the sums of its bits up to the
/// end of each byte, all at once (Vigna, "Broadword implementation of rank/select queries", 2008),
/// and a table.
#[inline(always)]
pub(crate) fn nth_bit(word: u64, n: u32) -> u32 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // A top bit for every byte up to whose end there are at most `n` bits.
    let before = (((u64::from(n) * ONES) | TOPS) - sums) & TOPS;
    let place = ((before >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    let rank = n - (sums << 8 >> place & 0xff) as u32;
    place + u32::from(IN_BYTE[rank as usize % 8][(word >> place & 0xff) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_end_at_the_nearest_blocker() {
        fn check<const W: usize>() {
            let all = 64 * W as u16;
            for (from, step) in [(0u16, 9i32), (all - 1, -7), (5, 1), (all - 3, -1), (3, 64)] {
                let mut ray = Vec::new();
                let mut cell = i32::from(from) + step;
                while (0..i32::from(all)).contains(&cell) && ray.len() < 7 {
                    ray.push(cell as u16);
                    cell += step;
                }
                let set = |cells: &[u16]| {
                    let mut out = Bits::<W>::EMPTY;
                    cells.iter().for_each(|&c| out.insert(c));
                    out
                };
                for blocked in 0..1u32 << ray.len() {
                    let blockers: Vec<u16> =
                        (0..ray.len()).filter(|i| blocked >> i & 1 != 0).map(|i| ray[i]).collect();
                    let free = ray.iter().take_while(|c| !blockers.contains(c)).count();
                    for hit in [false, true] {
                        let upto = (free + usize::from(hit)).min(ray.len());
                        let got = set(&ray).until(set(&blockers), step > 0, hit);
                        assert_eq!(got, set(&ray[..upto]), "{from} {step} {blocked:b} {hit}");
                    }
                }
            }
        }
        check::<1>();
        check::<2>();
        check::<4>();
    }

    #[test]
    fn bits_are_found_by_number() {
        for word in [0, 1, u64::MAX, 1 << 63, 0x8100_0000_0000_0081, 0xdead_beef_0f0f_1234] {
            let places = (0..64).filter(|place| word >> place & 1 != 0);
            assert!(places.eq((0..word.count_ones()).map(|n| nth_bit(word, n))), "{word:x}");
        }
    }

    #[test]
    fn sets_are_what_their_cells_are() {
        let cells = [0u16, 1, 17, 63, 64, 65, 100, 127, 128, 190];
        let mut bits = Bits::<3>::EMPTY;
        for cell in cells {
            bits.insert(cell);
        }
        assert_eq!(bits.iter().collect::<Vec<_>>(), cells);
        assert_eq!(bits.count(), 10);
        for (n, &cell) in cells.iter().enumerate() {
            assert_eq!(bits.nth(n as u32), cell);
            assert!(bits.contains(cell));
        }
        let first = bits.upto_first();
        assert_eq!(first.iter().collect::<Vec<_>>(), [0]);
        assert_eq!(bits.last(), 190);
        let mut upper = Bits::<3>::EMPTY;
        assert_eq!((upper.last(), upper.upto_first().count()), (0, 192));
        upper.insert(100);
        upper.insert(130);
        assert_eq!(upper.upto_first().iter().collect::<Vec<_>>(), (0..=100).collect::<Vec<_>>());
        for word in [[0, 0], [0, 1 << 7], [1 << 9, 1 << 7], [u64::MAX; 2]] {
            let (two, three) = (Bits::<2>(word), Bits([word[0], word[1], 0]));
            assert_eq!(two.upto_first().0, three.upto_first().0[..2]);
            assert_eq!(two.last(), three.last());
        }
        bits.remove(64);
        assert!(!bits.contains(64) && bits.contains(63));
        assert_eq!(bits.first(), 0);
        for by in [-130, -64, -63, -1, 0, 1, 5, 63, 64, 100, 128, 191, -191] {
            let shifted: Vec<u16> = bits.shifted(by).iter().collect();
            let moved = bits.iter().map(|c| i32::from(c) + by).filter(|c| (0..192).contains(c));
            assert_eq!(shifted, moved.map(|c| c as u16).collect::<Vec<_>>(), "{by}");
        }
    }
}

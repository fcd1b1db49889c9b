//! Sets of sites as bit sets of a fixed number of words.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A set of sites below `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Set<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Default for Set<W> {
    fn default() -> Set<W> {
        Set::EMPTY
    }
}

impl<const W: usize> Set<W> {
    /// No site.
    pub(crate) const EMPTY: Set<W> = Set([0; W]);

    /// One site; none if it is out of range.
    #[inline]
    pub(crate) fn single(site: usize) -> Set<W> {
        let mut set = Set::EMPTY;
        set.insert(site);
        set
    }

    /// The sites below `n`.
    pub(crate) fn below(n: usize) -> Set<W> {
        Set(std::array::from_fn(|word| match n.saturating_sub(64 * word) {
            0 => 0,
            rest @ 1..64 => (1 << rest) - 1,
            _ => u64::MAX,
        }))
    }

    /// Whether a site is in the set; false out of range.
    #[inline(always)]
    pub(crate) fn contains(&self, site: usize) -> bool {
        if W == 1 {
            return site < 64 && self.0[0] >> (site & 63) & 1 != 0;
        }
        self.0.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 != 0)
    }

    /// Adds a site; nothing happens out of range.
    #[inline(always)]
    pub(crate) fn insert(&mut self, site: usize) {
        if let Some(word) = self.0.get_mut(site / 64) {
            *word |= 1 << (site % 64);
        }
    }

    /// Removes a site.
    #[inline(always)]
    pub(crate) fn remove(&mut self, site: usize) {
        if let Some(word) = self.0.get_mut(site / 64) {
            *word &= !(1 << (site % 64));
        }
    }

    /// Whether there is no site.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Number of sites.
    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether all of these sites are in `other`.
    #[inline(always)]
    pub(crate) fn is_subset(&self, other: &Set<W>) -> bool {
        self.without(other).is_empty()
    }

    /// Whether a site is in both.
    #[inline(always)]
    pub(crate) fn intersects(&self, other: &Set<W>) -> bool {
        !(*self & *other).is_empty()
    }

    /// The sites that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn without(&self, other: &Set<W>) -> Set<W> {
        let mut result = *self;
        for (a, b) in result.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        result
    }

    /// The lowest site.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(64 * at + self.0[at].trailing_zeros() as usize)
    }

    /// The highest site.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<usize> {
        let at = self.0.iter().rposition(|&word| word != 0)?;
        Some(64 * at + 63 - self.0[at].leading_zeros() as usize)
    }

    /// The site with `n` lower ones; `n` must be below [`Set::len`], else the answer is any number.
    #[inline(always)]
    pub(crate) fn nth(&self, mut n: u32) -> usize {
        for (i, &word) in self.0.iter().enumerate() {
            if W == 1 || i + 1 == W {
                return 64 * i + select(word, n) as usize;
            }
            let here = word.count_ones();
            if n < here {
                return 64 * i + select(word, n) as usize;
            }
            n -= here;
        }
        0
    }

    /// The sites, ascending.
    #[inline]
    pub(crate) fn iter(&self) -> Iter<W> {
        Iter { set: *self, word: 0 }
    }

    /// All sites moved up by `by` (down where negative); those that leave the range are lost.
    #[inline]
    #[must_use]
    pub(crate) fn shifted(&self, by: i32) -> Set<W> {
        if W == 1 {
            let word = self.0[0];
            let mut result = Set::EMPTY;
            result.0[0] = match by {
                0..64 => word << by,
                -63..0 => word >> -by,
                _ => 0,
            };
            return result;
        }
        let (words, bits) = ((by.unsigned_abs() / 64) as usize, by.unsigned_abs() % 64);
        let mut result = Set::EMPTY;
        for i in 0..W {
            let part = |at: Option<usize>| at.and_then(|at| self.0.get(at)).copied().unwrap_or(0);
            result.0[i] = if by >= 0 {
                let low = part(i.checked_sub(words)) << bits;
                let carry = part(i.checked_sub(words + 1)).checked_shr(64 - bits).unwrap_or(0);
                low | carry
            } else {
                let low = part(Some(i + words)) >> bits;
                let carry = part(Some(i + words + 1)).checked_shl(64 - bits).unwrap_or(0);
                low | carry
            };
        }
        result
    }
}

/// Position of the set bit of `word` that has `n` set bits below it (Vigna 2008, "Broadword
/// implementation of rank/select queries": byte sums by multiplication, then inside the byte).
#[inline(always)]
pub(crate) fn select(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let mut sums = word - (word >> 1 & 0x5555_5555_5555_5555);
    sums = (sums & 0x3333_3333_3333_3333) + (sums >> 2 & 0x3333_3333_3333_3333);
    sums = ((sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // Bytes whose running sum is at most n come before the byte wanted.
    let before = (((u64::from(n) * ONES) | HIGHS) - sums) & HIGHS;
    let byte = (before >> 7).wrapping_mul(ONES) >> 56 << 3;
    let rest = n - (sums << 8 >> (byte & 63) & 0xff) as u32;
    let bits = (word >> (byte & 63) & 0xff) as usize;
    byte as u32 + u32::from(IN_BYTE[bits << 3 | (rest & 7) as usize])
}

/// Position of the set bit of each byte that has so many set bits below it: index is the byte,
/// times 8, plus the number. Without a table the loop over the bits would be mispredicted every
/// time.
static IN_BYTE: [u8; 2048] = {
    let mut table = [0; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut below) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte << 3 | below] = bit as u8;
                below += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The sites of a set, ascending.
#[derive(Clone)]
pub(crate) struct Iter<const W: usize> {
    set: Set<W>,
    word: usize,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < W {
            let word = &mut self.set.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * self.word + bit);
            }
            self.word += 1;
        }
        None
    }
}

impl<const W: usize> IntoIterator for Set<W> {
    type Item = usize;
    type IntoIter = Iter<W>;

    fn into_iter(self) -> Iter<W> {
        self.iter()
    }
}

impl<const W: usize> FromIterator<usize> for Set<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(sites: I) -> Set<W> {
        let mut set = Set::EMPTY;
        for site in sites {
            set.insert(site);
        }
        set
    }
}

impl<const W: usize> BitAnd for Set<W> {
    type Output = Set<W>;
    #[inline(always)]
    fn bitand(mut self, other: Set<W>) -> Set<W> {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Set<W> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Set<W>) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }
}

impl<const W: usize> BitOr for Set<W> {
    type Output = Set<W>;
    #[inline(always)]
    fn bitor(mut self, other: Set<W>) -> Set<W> {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Set<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Set<W>) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
}

impl<const W: usize> BitXor for Set<W> {
    type Output = Set<W>;
    #[inline(always)]
    fn bitxor(mut self, other: Set<W>) -> Set<W> {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a ^= b;
        }
        self
    }
}

impl<const W: usize> Not for Set<W> {
    type Output = Set<W>;
    #[inline(always)]
    fn not(mut self) -> Set<W> {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nth_is_the_nth_of_iter(words: [u64; 3]) {
            let set = Set(words);
            let sites: Vec<usize> = set.iter().collect();
            prop_assert_eq!(sites.len(), set.len() as usize);
            for (n, &site) in sites.iter().enumerate() {
                prop_assert_eq!(set.nth(n as u32), site);
                prop_assert!(set.contains(site));
            }
            prop_assert_eq!(sites.first().copied(), set.first());
            prop_assert_eq!(sites.last().copied(), set.last());
        }

        #[test]
        fn shifting_moves_every_site(words: [u64; 3], by in -200i32..200) {
            let set = Set(words);
            let expected: Set<3> = set
                .iter()
                .filter_map(|s| usize::try_from(s as i32 + by).ok())
                .collect();
            prop_assert_eq!(set.shifted(by), expected);
            let one = Set([words[0]]);
            let expected: Set<1> = one
                .iter()
                .filter_map(|s| usize::try_from(s as i32 + by).ok())
                .collect();
            prop_assert_eq!(one.shifted(by), expected);
        }
    }

    #[test]
    fn out_of_range_is_never_in() {
        let mut set: Set<1> = Set::EMPTY;
        set.insert(64);
        assert!(set.is_empty() && !set.contains(64) && !set.contains(1000));
        for n in [0, 1, 63, 64, 65, 127, 128, 1000] {
            assert!(Set::<2>::below(n).iter().eq(0..n.min(128)));
        }
    }
}

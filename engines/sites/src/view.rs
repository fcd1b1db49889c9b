//! Sets of sites whose words lie in a longer array.

use std::slice::Iter;

use crate::select::select;

/// A set of sites in words that somebody else holds, as many as there are: for sets of games whose
/// boards are of any size.
#[derive(Clone, Copy, Debug)]
pub struct SetView<'a>(
    /// Site `s` is bit `s % 64` of word `s / 64`.
    pub &'a [u64],
);

impl<'a> SetView<'a> {
    /// The number of sites.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// True if there is no site.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// True if the site with a number is in the set; false where there is no room for it.
    #[inline]
    pub fn contains(self, site: usize) -> bool {
        self.0.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 != 0)
    }

    /// How many sites have lower numbers than this one.
    #[inline]
    pub fn rank(self, site: usize) -> u32 {
        let before: u32 = self.0.iter().take(site / 64).map(|word| word.count_ones()).sum();
        let below = (1 << (site % 64)) - 1;
        before + self.0.get(site / 64).map_or(0, |word| (word & below).count_ones())
    }

    /// The site with `n` lower ones.
    #[inline(always)]
    pub fn nth(self, mut n: u32) -> Option<usize> {
        for (w, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if n < here {
                return Some(64 * w + select(word, n) as usize);
            }
            n -= here;
        }
        None
    }

    /// The sites, ascending.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = usize> + 'a {
        Ascending { words: self.0.iter(), rest: 0, end: 0 }
    }

    /// The sites, descending.
    #[inline(always)]
    pub fn iter_descending(self) -> impl Iterator<Item = usize> + 'a {
        Descending { words: self.0.iter(), rest: 0 }
    }
}

/// The sites of a set, ascending.
struct Ascending<'a> {
    /// Words that come later.
    words: Iter<'a, u64>,
    /// Sites of the word before them that come now.
    rest: u64,
    /// The number behind those of that word.
    end: usize,
}

impl Iterator for Ascending<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.rest == 0 {
            self.rest = *self.words.next()?;
            self.end += 64;
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some(self.end - 64 + bit)
    }
}

/// The sites of a set, descending.
struct Descending<'a> {
    /// Words that come later.
    words: Iter<'a, u64>,
    /// Sites of the word behind them that come now.
    rest: u64,
}

impl Iterator for Descending<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.rest == 0 {
            self.rest = *self.words.next_back()?;
        }
        let bit = self.rest.ilog2() as usize;
        self.rest ^= 1 << bit;
        Some(64 * self.words.len() + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::SetView;

    #[test]
    fn a_view_has_the_sites_of_its_words() {
        let words = [1 << 63 | 1 << 5, 0, 1];
        let view = SetView(&words);
        let sites = [5, 63, 128];
        assert_eq!(view.iter().collect::<Vec<_>>(), sites);
        assert_eq!(view.iter_descending().collect::<Vec<_>>(), [128, 63, 5]);
        for (n, site) in (0..).zip(sites) {
            assert_eq!((view.nth(n), view.rank(site)), (Some(site), n));
        }
        assert_eq!((view.nth(3), view.rank(500)), (None, 3));
        assert_eq!((view.len(), view.is_empty(), SetView(&[0, 0]).is_empty()), (3, false, true));
        let all: Vec<_> = (0..300).filter(|&site| view.contains(site)).collect();
        assert_eq!(all, sites);
    }
}

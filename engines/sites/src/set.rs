use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::site::Site;
use crate::view::SetView;

/// A set of sites below `64 * W`, which its engine holds as numbers of type `S`.
///
/// Loops over the words have a constant length and unroll, shifts by constants fold, and a set of
/// one word compiles to what a bare `u64` does. The named operations are there for constants, where
/// operators cannot be called. All that is called in loops is `#[inline(always)]` and free of
/// closures, so that a loop which is compiled for better instructions has them here, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SiteSet<const W: usize, S> {
    /// Site `s` is bit `s % 64` of word `s / 64`.
    pub words: [u64; W],
    sites: PhantomData<S>,
}

impl<const W: usize, S> SiteSet<W, S> {
    /// Sites that there is room for.
    pub const ROOM: usize = 64 * W;

    /// No site.
    pub const EMPTY: SiteSet<W, S> = SiteSet::from_words([0; W]);

    /// The set whose words are these.
    #[inline(always)]
    pub const fn from_words(words: [u64; W]) -> SiteSet<W, S> {
        SiteSet { words, sites: PhantomData }
    }

    /// Only the site with a number, which must be below [`SiteSet::ROOM`]. For constants:
    /// [`SiteSet::single`] takes the site itself.
    #[inline(always)]
    pub const fn of_index(index: usize) -> SiteSet<W, S> {
        debug_assert!(index < Self::ROOM, "a set has room for the site");
        let mut set = SiteSet::EMPTY;
        if W == 1 {
            set.words[0] = 1 << (index % 64);
            return set;
        }
        let mut w = 0;
        // Without an index that is not known while compiling, the words stay in registers.
        while w < W {
            set.words[w] = ((index / 64 == w) as u64) << (index % 64);
            w += 1;
        }
        set
    }

    /// The sites with numbers below `n`, as far as there is room.
    pub const fn below(n: usize) -> SiteSet<W, S> {
        let (mut set, mut w) = (SiteSet::EMPTY, 0);
        while w < W {
            set.words[w] = match n.saturating_sub(64 * w) {
                0 => 0,
                rest @ 1..64 => (1 << rest) - 1,
                _ => u64::MAX,
            };
            w += 1;
        }
        set
    }

    /// The same sites as a set of another number of words; those it has no room for are lost.
    #[inline]
    pub fn resized<const V: usize>(self) -> SiteSet<V, S> {
        let mut set = SiteSet::EMPTY;
        set.words.iter_mut().zip(self.words).for_each(|(to, from)| *to = from);
        set
    }

    /// True if the site with a number is in the set; false where there is no room for it.
    #[inline(always)]
    pub const fn contains_index(self, index: usize) -> bool {
        if W == 2 {
            // Both words may be in registers, where they cannot be indexed.
            let word = if index < 64 { self.words[0] } else { self.words[1 % W] };
            return index < 128 && word >> (index % 64) & 1 != 0;
        }
        index < Self::ROOM && self.words[index / 64 % W] >> (index % 64) & 1 != 0
    }

    /// Number of sites.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        let (mut sum, mut w) = (0, 0);
        while w < W {
            sum += self.words[w].count_ones();
            w += 1;
        }
        sum
    }

    /// True if there is no site.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        let (mut all, mut w) = (0, 0);
        while w < W {
            all |= self.words[w];
            w += 1;
        }
        all == 0
    }

    /// Number of the lowest site, of a set that is not empty; of an empty one [`SiteSet::ROOM`].
    #[inline(always)]
    pub const fn first_index(self) -> usize {
        let (mut first, mut w) = (Self::ROOM, W);
        // Without a branch: which word has it cannot be foreseen.
        while w > 0 {
            w -= 1;
            if self.words[w] != 0 {
                first = 64 * w + self.words[w].trailing_zeros() as usize;
            }
        }
        first
    }

    /// Number of the highest site, of a set that is not empty; of an empty one 0.
    #[inline(always)]
    pub const fn last_index(self) -> usize {
        let (mut last, mut w) = (0, 0);
        while w < W {
            if self.words[w] != 0 {
                last = 64 * w + self.words[w].ilog2() as usize;
            }
            w += 1;
        }
        last
    }

    /// True if a site is in both.
    #[inline(always)]
    pub const fn intersects(self, other: SiteSet<W, S>) -> bool {
        !self.and(other).is_empty()
    }

    /// True if all of these sites are in `other`.
    #[inline(always)]
    pub const fn is_subset(self, other: SiteSet<W, S>) -> bool {
        self.without(other).is_empty()
    }

    /// The sites in both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(mut self, other: SiteSet<W, S>) -> SiteSet<W, S> {
        let mut w = 0;
        while w < W {
            self.words[w] &= other.words[w];
            w += 1;
        }
        self
    }

    /// The sites in at least one of the sets.
    #[inline(always)]
    #[must_use]
    pub const fn or(mut self, other: SiteSet<W, S>) -> SiteSet<W, S> {
        let mut w = 0;
        while w < W {
            self.words[w] |= other.words[w];
            w += 1;
        }
        self
    }

    /// The sites in exactly one of the sets.
    #[inline(always)]
    #[must_use]
    pub const fn xor(mut self, other: SiteSet<W, S>) -> SiteSet<W, S> {
        let mut w = 0;
        while w < W {
            self.words[w] ^= other.words[w];
            w += 1;
        }
        self
    }

    /// The sites that are not in the set, of all that there is room for.
    #[inline(always)]
    #[must_use]
    pub const fn complement(mut self) -> SiteSet<W, S> {
        let mut w = 0;
        while w < W {
            self.words[w] = !self.words[w];
            w += 1;
        }
        self
    }

    /// The sites that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, other: SiteSet<W, S>) -> SiteSet<W, S> {
        self.and(other.complement())
    }

    /// The sum of both sets as numbers of `64 * W` bits; what does not fit is lost.
    #[inline(always)]
    #[must_use]
    pub fn plus(mut self, other: SiteSet<W, S>) -> SiteSet<W, S> {
        let mut carry = false;
        for (word, with) in self.words.iter_mut().zip(other.words) {
            (*word, carry) = word.carrying_add(with, carry);
        }
        self
    }

    /// Every number greater by `n`, which must be below [`SiteSet::ROOM`]; numbers beyond fall off.
    #[inline(always)]
    #[must_use]
    pub const fn up(mut self, n: u32) -> SiteSet<W, S> {
        if W == 1 {
            self.words[0] <<= n % 64;
            return self;
        }
        let (words, bits) = ((n / 64) as usize, n % 64);
        let (mut set, mut w) = (SiteSet::EMPTY, words);
        while w < W {
            set.words[w] = self.words[w - words] << bits;
            if bits > 0 && w > words {
                set.words[w] |= self.words[w - words - 1] >> (64 - bits);
            }
            w += 1;
        }
        set
    }

    /// Every number smaller by `n`, which must be below [`SiteSet::ROOM`]; numbers below 0 fall
    /// off.
    #[inline(always)]
    #[must_use]
    pub const fn down(mut self, n: u32) -> SiteSet<W, S> {
        if W == 1 {
            self.words[0] >>= n % 64;
            return self;
        }
        let (words, bits) = ((n / 64) as usize, n % 64);
        let (mut set, mut w) = (SiteSet::EMPTY, 0);
        while w + words < W {
            set.words[w] = self.words[w + words] >> bits;
            if bits > 0 && w + words + 1 < W {
                set.words[w] |= self.words[w + words + 1] << (64 - bits);
            }
            w += 1;
        }
        set
    }

    /// Every number greater by `n`, or smaller where it is negative; its size must be below
    /// [`SiteSet::ROOM`]. Numbers that leave the range fall off.
    #[inline(always)]
    #[must_use]
    pub const fn shifted(self, n: i32) -> SiteSet<W, S> {
        if n < 0 { self.down(n.unsigned_abs()) } else { self.up(n.unsigned_abs()) }
    }
}

impl<const W: usize, S: Site> SiteSet<W, S> {
    /// Only `site`, which must be below [`SiteSet::ROOM`].
    #[inline(always)]
    pub fn single(site: S) -> SiteSet<W, S> {
        SiteSet::of_index(site.index())
    }

    /// True if a site is in the set; false where there is no room for it.
    #[inline(always)]
    pub fn contains(self, site: S) -> bool {
        self.contains_index(site.index())
    }

    /// Adds a site; nothing happens where there is no room for it.
    #[inline(always)]
    pub fn insert(&mut self, site: S) {
        let site = site.index();
        if let Some(word) = self.words.get_mut(site / 64) {
            *word |= 1 << (site % 64);
        }
    }

    /// Removes a site.
    #[inline(always)]
    pub fn remove(&mut self, site: S) {
        let site = site.index();
        if let Some(word) = self.words.get_mut(site / 64) {
            *word &= !(1 << (site % 64));
        }
    }

    /// The lowest site.
    #[inline(always)]
    pub fn first(self) -> Option<S> {
        if self.is_empty() { None } else { Some(S::at(self.first_index())) }
    }

    /// The highest site.
    #[inline(always)]
    pub fn last(self) -> Option<S> {
        if self.is_empty() { None } else { Some(S::at(self.last_index())) }
    }

    /// Removes and returns the lowest site.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<S> {
        for (w, word) in self.words.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(S::at(64 * w + bit));
            }
        }
        None
    }

    /// True if there are at most `n` sites; quick for small `n`.
    #[inline(always)]
    pub fn at_most(self, n: u32) -> bool {
        let mut rest = self;
        for _ in 0..n {
            rest.pop();
        }
        rest.is_empty()
    }

    /// The site with `n` lower ones.
    #[inline(always)]
    pub fn nth(self, n: u32) -> Option<S> {
        let site = SetView(&self.words).nth(n)?;
        Some(S::at(site))
    }

    /// The sites, ascending.
    #[inline(always)]
    pub fn iter(self) -> Iter<W, S> {
        Iter { rest: self, word: 0 }
    }
}

/// The sites of a set, ascending.
#[derive(Clone)]
pub struct Iter<const W: usize, S> {
    rest: SiteSet<W, S>,
    /// No word before this one has a site.
    word: usize,
}

impl<const W: usize, S: Site> Iterator for Iter<W, S> {
    type Item = S;

    #[inline(always)]
    fn next(&mut self) -> Option<S> {
        while self.word < W {
            let word = &mut self.rest.words[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(S::at(64 * self.word + bit));
            }
            self.word += 1;
        }
        None
    }
}

impl<const W: usize, S: Site> IntoIterator for SiteSet<W, S> {
    type Item = S;
    type IntoIter = Iter<W, S>;

    #[inline(always)]
    fn into_iter(self) -> Iter<W, S> {
        self.iter()
    }
}

/// Sites that there is no room for are left out.
impl<const W: usize, S: Site> FromIterator<S> for SiteSet<W, S> {
    fn from_iter<I: IntoIterator<Item = S>>(sites: I) -> SiteSet<W, S> {
        let mut set = SiteSet::EMPTY;
        sites.into_iter().for_each(|site| set.insert(site));
        set
    }
}

impl<const W: usize, S> Default for SiteSet<W, S> {
    fn default() -> SiteSet<W, S> {
        SiteSet::EMPTY
    }
}

impl<const W: usize, S: Site + fmt::Debug> fmt::Debug for SiteSet<W, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

macro_rules! operator {
    ($operator:ident, $operate:ident, $assign:ident, $operate_assign:ident, $named:ident) => {
        impl<const W: usize, S> $operator for SiteSet<W, S> {
            type Output = SiteSet<W, S>;

            #[inline(always)]
            fn $operate(self, other: SiteSet<W, S>) -> SiteSet<W, S> {
                self.$named(other)
            }
        }

        impl<const W: usize, S: Copy> $assign for SiteSet<W, S> {
            #[inline(always)]
            fn $operate_assign(&mut self, other: SiteSet<W, S>) {
                *self = self.$named(other);
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, and);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, or);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, xor);

impl<const W: usize, S> Not for SiteSet<W, S> {
    type Output = SiteSet<W, S>;

    #[inline(always)]
    fn not(self) -> SiteSet<W, S> {
        self.complement()
    }
}

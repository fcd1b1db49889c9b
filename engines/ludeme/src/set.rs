//! Sets of sites, with as many words as the board needs.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

use sites::{SetView, SiteSet};

use crate::limits::MAX_SITES;

/// A set of sites. Those of nearly all boards, of all that have machine code, need no memory of their
/// own; of larger boards (2 of 669 public files) each set has its own.
#[derive(Clone)]
pub(crate) struct Set(Words);

/// The words of a set. Sites that have no word are not in it.
#[derive(Clone)]
enum Words {
    Few(Few),
    /// More words than [`Few`] has.
    Many(Box<[u64]>),
}

/// A set of a board with machine code.
pub(crate) type Few = SiteSet<{ kernel::MAX_NATIVE_WORDS }, usize>;

/// Words of a set with this number of sites in states and in code, which may be fewer than the
/// evaluator has.
pub(crate) fn words_for(sites: usize) -> usize {
    match sites.div_ceil(64) {
        0 => 1,
        words @ (3 | 5 | 7) => words + 1,
        words => words,
    }
}

impl Set {
    pub(crate) const EMPTY: Set = Set(Words::Few(Few::EMPTY));

    /// The sites before this one.
    pub(crate) fn below(sites: usize) -> Set {
        if sites <= Few::ROOM {
            return Set(Words::Few(Few::below(sites)));
        }
        let full = |w: usize| match sites - 64 * w {
            rest @ 1..64 => (1 << rest) - 1,
            _ => u64::MAX,
        };
        Set(Words::Many((0..sites.div_ceil(64)).map(full).collect()))
    }

    #[inline(always)]
    pub(crate) fn single(site: usize) -> Set {
        let mut set = Set::EMPTY;
        set.insert(site);
        set
    }

    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        match &self.0 {
            Words::Few(few) => &few.words,
            Words::Many(words) => words,
        }
    }

    /// The set without memory of its own, if it has none.
    #[inline(always)]
    pub(crate) fn few(&self) -> Option<Few> {
        match self.0 {
            Words::Few(few) => Some(few),
            Words::Many(_) => None,
        }
    }

    #[inline(always)]
    pub(crate) fn view(&self) -> SetView<'_> {
        SetView(self.words())
    }

    #[inline(always)]
    pub(crate) fn contains(&self, site: usize) -> bool {
        self.view().contains(site)
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, site: usize) {
        // Rules may name any number.
        if site < MAX_SITES {
            self.words_mut(site / 64 + 1)[site / 64] |= 1 << (site % 64);
        }
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, site: usize) {
        if let Some(word) = self.words_mut(0).get_mut(site / 64) {
            *word &= !(1 << (site % 64));
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        match &self.0 {
            Words::Few(few) => few.len(),
            Words::Many(words) => SetView(words).len(),
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        match &self.0 {
            Words::Few(few) => few.is_empty(),
            Words::Many(words) => SetView(words).is_empty(),
        }
    }

    #[inline(always)]
    pub(crate) fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The member of this rank, counted from 0 in ascending order.
    #[inline(always)]
    pub(crate) fn nth(&self, rank: u32) -> Option<usize> {
        self.view().nth(rank)
    }

    /// The members in ascending order.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.view().iter()
    }

    #[inline(always)]
    pub(crate) fn intersects(&self, other: &Set) -> bool {
        match (&self.0, &other.0) {
            (Words::Few(a), Words::Few(b)) => a.intersects(*b),
            _ => self.words().iter().zip(other.words()).any(|(a, b)| a & b != 0),
        }
    }

    #[inline(always)]
    pub(crate) fn is_subset(&self, other: &Set) -> bool {
        self.clone().without(other).is_empty()
    }

    #[inline(always)]
    pub(crate) fn without(mut self, other: &Set) -> Set {
        match (&mut self.0, &other.0) {
            (Words::Few(a), Words::Few(b)) => *a = a.without(*b),
            _ => self.words_mut(0).iter_mut().zip(other.words()).for_each(|(a, b)| *a &= !b),
        }
        self
    }

    /// The words of the set, at least as many as asked for.
    #[inline(always)]
    pub(crate) fn words_mut(&mut self, least: usize) -> &mut [u64] {
        if self.words().len() < least {
            self.widen(least);
        }
        match &mut self.0 {
            Words::Few(few) => &mut few.words,
            Words::Many(words) => words,
        }
    }

    #[cold]
    fn widen(&mut self, length: usize) {
        let mut words = self.words().to_vec();
        words.resize(length, 0);
        self.0 = Words::Many(words.into());
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        let (a, b) = (self.words(), other.words());
        let common = a.len().min(b.len());
        let rest = a[common..].iter().chain(&b[common..]);
        a[..common] == b[..common] && rest.copied().all(|word| word == 0)
    }
}

impl From<Few> for Set {
    #[inline(always)]
    fn from(sites: Few) -> Set {
        Set(Words::Few(sites))
    }
}

impl From<SetView<'_>> for Set {
    #[inline(always)]
    fn from(sites: SetView<'_>) -> Set {
        if sites.0.len() > Few::EMPTY.words.len() {
            return Set(Words::Many(sites.0.into()));
        }
        let mut few = Few::EMPTY;
        for (w, word) in few.words.iter_mut().enumerate() {
            // Inlined, because a call would take longer than a copy of a few words.
            if let Some(&from) = sites.0.get(w) {
                *word = from;
            }
        }
        Set(Words::Few(few))
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(sites: I) -> Set {
        let mut set = Set::EMPTY;
        sites.into_iter().for_each(|site| set.insert(site));
        set
    }
}

impl BitAndAssign<&Set> for Set {
    #[inline(always)]
    fn bitand_assign(&mut self, other: &Set) {
        match (&mut self.0, &other.0) {
            (Words::Few(a), Words::Few(b)) => *a &= *b,
            _ => {
                let words = other.words();
                let own = self.words_mut(0);
                own.iter_mut().zip(words).for_each(|(a, b)| *a &= b);
                own.iter_mut().skip(words.len()).for_each(|word| *word = 0);
            }
        }
    }
}

impl BitOrAssign<&Set> for Set {
    #[inline(always)]
    fn bitor_assign(&mut self, other: &Set) {
        match (&mut self.0, &other.0) {
            (Words::Few(a), Words::Few(b)) => *a |= *b,
            _ => {
                let words = other.words();
                self.words_mut(words.len()).iter_mut().zip(words).for_each(|(a, b)| *a |= b);
            }
        }
    }
}

/// An operator between sets, of which the second may be borrowed, by the one that assigns.
macro_rules! operator {
    ($operator:ident, $operate:ident, $assign:ident, $operate_assign:ident) => {
        impl $operator<&Set> for Set {
            type Output = Set;

            #[inline(always)]
            fn $operate(mut self, other: &Set) -> Set {
                self.$operate_assign(other);
                self
            }
        }

        impl $operator for Set {
            type Output = Set;

            #[inline(always)]
            fn $operate(self, other: Set) -> Set {
                self.$operate(&other)
            }
        }

        impl $assign for Set {
            #[inline(always)]
            fn $operate_assign(&mut self, other: Set) {
                self.$operate_assign(&other);
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
operator!(BitOr, bitor, BitOrAssign, bitor_assign);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{MAX_SITES, Set};

    /// Sets with and without memory of their own are the same sets of numbers, alone and together.
    #[test]
    fn sets_of_all_sizes_are_sets_of_numbers() {
        let samples: [&[usize]; 8] = [
            &[],
            &[0],
            &[5, 63, 64],
            &[5, 200, 511],
            &[511, 512],
            &[0, 64, 700, 5000],
            &[700, MAX_SITES - 1],
            &[5, 63, 64, 200, 511, 512, 700],
        ];
        let of = |sites: &[usize]| sites.iter().copied().collect::<Set>();
        for a in samples {
            let (set, numbers) = (of(a), BTreeSet::from_iter(a.to_vec()));
            assert_eq!((set.len() as usize, set.first()), (a.len(), a.first().copied()));
            assert_eq!(set.is_empty(), a.is_empty());
            assert!(set.iter().eq(numbers.iter().copied()));
            assert!((0..a.len()).all(|rank| set.nth(rank as u32) == Some(a[rank])));
            assert!((0..MAX_SITES).all(|site| set.contains(site) == numbers.contains(&site)));
            assert_eq!(Set::from(set.view()), set);
            for b in samples {
                let (other, others) = (of(b), BTreeSet::from_iter(b.to_vec()));
                let same = |set: Set, numbers: BTreeSet<usize>| {
                    assert!(set.iter().eq(numbers), "{a:?} {b:?}");
                };
                same(set.clone() | &other, &numbers | &others);
                same(set.clone() & &other, &numbers & &others);
                same(set.clone().without(&other), &numbers - &others);
                assert_eq!(set.intersects(&other), !numbers.is_disjoint(&others));
                assert_eq!(set.is_subset(&other), numbers.is_subset(&others));
                assert_eq!(set == other, numbers == others);
                let mut rest = set.clone();
                b.iter().for_each(|&site| rest.remove(site));
                assert_eq!(rest, set.clone().without(&other));
            }
        }
        for sites in [0, 1, 63, 64, 512, 513, 640, MAX_SITES] {
            assert!(Set::below(sites).iter().eq(0..sites));
        }
    }

    #[test]
    fn numbers_beyond_all_boards_are_in_no_set() {
        let mut set = Set::single(MAX_SITES);
        set.insert(usize::MAX);
        set.remove(usize::MAX);
        assert!(set.is_empty() && !set.contains(usize::MAX));
    }
}

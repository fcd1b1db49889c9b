//! Legal actions that are a set of sites: no list is made of them, and no code is looked up.

use std::ops::Range;

use sites::SetView;

use crate::scores::Turn;

/// The answer of an engine that has written the legal actions of a state as a set of sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteTurn {
    /// The player who chooses, or the end.
    pub turn: Turn,
    /// The number of what tells actions on the same site apart, such as the piece that is placed.
    pub family: u32,
}

/// The legal actions of a position, by their sites, and the code of the first site; their order is
/// that of the sites.
#[derive(Clone, Default, Debug)]
pub(crate) struct SiteList {
    pub(crate) words: Vec<u64>,
    pub(crate) family: u32,
    base: u32,
    /// The number of sites that there are.
    sites: u32,
    count: u32,
}

impl SiteList {
    /// Takes over what the words say, given the code of the first of so many sites.
    pub(crate) fn take(&mut self, family: u32, base: u32, sites: usize) {
        (self.family, self.base, self.sites) = (family, base, sites as u32);
        self.count = self.words.iter().map(|word| word.count_ones()).sum();
    }

    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// The site of the action of a place in the list.
    pub(crate) fn site(&self, place: usize) -> u32 {
        SetView(&self.words).nth(place as u32).unwrap_or_default() as u32
    }

    /// The code of the action of a place in the list.
    pub(crate) fn code(&self, place: usize) -> u32 {
        self.base + self.site(place)
    }

    /// The place of the action with a code.
    #[inline]
    pub(crate) fn place(&self, code: i32) -> Option<usize> {
        let site = u32::try_from(code).ok()?.checked_sub(self.base)? as usize;
        let set = SetView(&self.words);
        (site < 64 * self.words.len() && set.contains(site)).then(|| set.rank(site) as usize)
    }

    /// The part of a mask that the codes of all sites are.
    pub(crate) fn part(&self) -> Range<usize> {
        self.base as usize..(self.base + self.sites) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_codes_are_those_of_a_list() {
        let words = vec![0b1011 << 60, 0b101];
        let mut list = SiteList { words, ..SiteList::default() };
        list.take(3, 10, 70);
        let codes = [70, 71, 73, 74, 76];
        assert_eq!((list.len(), list.part()), (5, 10..80));
        for (place, code) in codes.into_iter().enumerate() {
            assert_eq!((list.code(place), list.place(code as i32)), (code, Some(place)));
        }
        for code in [-1, 0, 9, 72, 75, 77, 137, 138, 139, 1000, i32::MIN, i32::MAX] {
            assert_eq!(list.place(code), None, "{code}");
        }
    }
}

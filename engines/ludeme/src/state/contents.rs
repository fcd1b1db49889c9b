//! The contents of sites: components, further layers, counts and levels.

use super::{Extra, State};
use crate::set::Set;

impl State {
    /// The component on a site, the top one of a stack; 0 off the board.
    #[inline(always)]
    pub(crate) fn what(&self, site: usize) -> usize {
        match self.cells.get(site) {
            Some(&what) if site < self.at.sites => what as usize,
            _ => 0,
        }
    }

    /// Components by site.
    pub(crate) fn components(&self) -> &[i32] {
        &self.cells[..self.at.sites]
    }

    /// The component at a level of a site; sites without stacks have one for all levels.
    pub(crate) fn what_at(&self, site: usize, level: usize) -> usize {
        if !self.stacking() {
            return self.what(site);
        }
        self.level(site, level).map_or(0, |l| self.cells[l] as usize)
    }

    /// Further layers of a site, of the top piece in stacks.
    #[inline]
    pub(crate) fn extra(&self, site: usize, level: Option<usize>) -> Extra {
        let offset = if self.stacking() {
            let top = || self.height(site).wrapping_sub(1);
            self.level(site, level.unwrap_or_else(top)).map(|l| l + 2)
        } else {
            (self.at.extra != 0 && site < self.at.sites).then_some(self.at.extra + 3 * site)
        };
        let Some(offset) = offset else { return Extra::default() };
        Extra {
            state: self.cells[offset],
            rotation: self.cells[offset + 1],
            value: self.cells[offset + 2],
        }
    }

    /// True if sites without stacks have further layers.
    pub(crate) fn has_layers(&self) -> bool {
        self.at.extra != 0
    }

    /// Index of the set of sites in a local state, if the state has one.
    pub(super) fn set_of_local_state(&self, state: i32) -> Option<usize> {
        let state = usize::try_from(state).ok().filter(|&state| state < self.at.states)?;
        Some(self.at.first_state + state)
    }

    /// The sites among some with a local state, that of the top piece in stacks.
    pub(crate) fn in_local_state(&self, sites: &Set, value: i32) -> Set {
        if let Some(set) = self.set_of_local_state(value) {
            return self.set(set) & sites;
        }
        if !self.has_layers() {
            return sites.iter().filter(|&s| self.extra(s, None).state == value).collect();
        }
        let layers = &self.cells[self.at.extra..][..3 * self.at.sites];
        let mut found = Set::EMPTY;
        for (word, layers) in
            found.words_mut(self.at.words).iter_mut().zip(layers.chunks(3 * u64::BITS as usize))
        {
            // Written without a branch for each site.
            let holds = layers.chunks_exact(3).rev().map(|layers| u64::from(layers[0] == value));
            *word = holds.fold(0, |word, holds| word << 1 | holds);
        }
        found & sites
    }

    /// Number of pieces on a site: a height, a count, or 0 and 1.
    #[inline]
    pub(crate) fn count(&self, site: usize) -> i32 {
        let numbers = if self.stacking() { self.at.height } else { self.at.count };
        if numbers == 0 || site >= self.at.sites {
            return i32::from(self.what(site) != 0);
        }
        self.cells[numbers + site]
    }

    /// Height of the stack on a site; without stacks 1 or 0.
    pub(crate) fn height(&self, site: usize) -> usize {
        if self.stacking() && site < self.at.sites {
            self.cells[self.at.height + site] as usize
        } else {
            usize::from(self.what(site) != 0)
        }
    }

    /// The offset of a level counted from the bottom.
    pub(super) fn level(&self, site: usize, level: usize) -> Option<usize> {
        if site >= self.at.sites {
            return None;
        }
        // Rules may ask for any level.
        let above = self.height(site).checked_sub(level)?.checked_sub(1)?;
        let mut offset = self.cells[self.at.top + site] as usize;
        for _ in 0..above {
            offset = self.cells[offset + 1] as usize;
        }
        Some(offset)
    }
}

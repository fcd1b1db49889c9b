//! Numbers that count something: pieces, sites, groups, levels, values.

use super::Eval;
use crate::ir::{Bool, Int, Ints, Iter, JumpId, Place, Reach, Region};
use crate::set::Set;

impl Eval<'_> {
    /// The number of pieces on a site.
    #[inline]
    pub(super) fn count_at(&mut self, at: &Int, reach: Reach) -> i32 {
        let site = self.int(at);
        self.reached(site, reach).map_or(0, |s| self.state.count(s))
    }

    /// The height of the stacks in a place.
    pub(super) fn stack_size(&mut self, place: &Place) -> i32 {
        let sites = self.place(place);
        sites.iter().map(|s| self.state.height(s) as i32).sum()
    }

    /// The number of levels of stacks that satisfy a condition, up to one where another one stops.
    pub(super) fn count_levels(
        &mut self,
        at: &Place,
        from_top: bool,
        condition: Option<&Bool>,
        stop: Option<&Bool>,
    ) -> i32 {
        let sites = self.place(at);
        let old = [Iter::To, Iter::Level].map(|i| self.get(i));
        let mut total = 0;
        for site in sites.iter() {
            let height = self.state.height(site);
            for level in 0..height {
                let level = if from_top { height - 1 - level } else { level };
                self.set(Iter::To, site as i32);
                self.set(Iter::Level, level as i32);
                if stop.is_some_and(|s| self.test(s)) {
                    break;
                }
                total += i32::from(condition.is_none_or(|c| self.test(c)));
            }
        }
        self.set(Iter::To, old[0]);
        self.set(Iter::Level, old[1]);
        total
    }

    /// The number of pieces on the sites of a region.
    pub(super) fn count_in(&mut self, region: &Region, reach: Reach) -> i32 {
        let sites = self.region(region);
        sites
            .iter()
            .filter_map(|s| self.reached(s as i32, reach))
            .map(|s| self.state.count(s))
            .sum()
    }

    /// The number of sites of a region.
    pub(super) fn count_sites(&mut self, region: &Region) -> i32 {
        match region {
            Region::Static(set) => self.game.set(*set).len() as i32,
            region => self.region(region).len() as i32,
        }
    }

    /// The number of groups of at least some size.
    pub(super) fn count_groups(
        &mut self,
        jumps: JumpId,
        condition: Option<&Bool>,
        min: &Int,
    ) -> i32 {
        let min = self.int(min);
        let sizes = self.group_sizes(jumps, condition);
        sizes.iter().filter(|&&size| size >= min).count() as i32
    }

    /// The number of times that a number is in a list.
    pub(super) fn count_value(&mut self, value: &Int, values: &Ints) -> i32 {
        let value = self.int(value);
        self.ints(values).iter().filter(|&&v| v == value).count() as i32
    }

    pub(super) fn count_pieces(
        &mut self,
        pieces: &crate::ir::Pieces,
        within: Option<Set>,
        condition: Option<&Bool>,
    ) -> i32 {
        use crate::state::Occupancy;
        let occupancy = self.game.layout.occupancy;
        let among = |sites: Set| match within {
            Some(within) => sites & within,
            None => sites,
        };
        if occupancy == Occupancy::Stacking {
            let owners = self.owners(&pieces.owners);
            let mut total = 0;
            for site in among(Set::below(self.state.sites()).without(&self.empty())).iter() {
                for level in 0..self.state.height(site) {
                    let what = self.state.what_at(site, level);
                    if self.is_piece(what, owners, pieces) && self.holds_at(condition, site, level)
                    {
                        total += 1;
                    }
                }
            }
            return total;
        }
        let sites = self.pieces(pieces);
        let sites = among(sites);
        if occupancy == Occupancy::Flat && condition.is_none() {
            return sites.len() as i32;
        }
        let mut total = 0;
        for site in sites.iter() {
            if self.holds_at(condition, site, 0) {
                total += self.state.count(site);
            }
        }
        total
    }

    pub(super) fn holds_at(&mut self, condition: Option<&Bool>, site: usize, level: usize) -> bool {
        let Some(condition) = condition else { return true };
        self.with(Iter::Site, site as i32, |eval| {
            eval.with(Iter::Level, level as i32, |eval| eval.test(condition))
        })
    }
}

//! Elements of other types than the one that a board is played on: their sites, and the numbers
//! that rules know them by.

use super::Eval;
use crate::set::Set;

impl Eval<'_> {
    /// The site of a number among elements; sites of hands keep their numbers, whatever the type.
    pub(super) fn element(&self, first: i32, count: i32, number: i32) -> i32 {
        if (0..count).contains(&number) {
            first + number
        } else if number >= self.game.world.topology.extent() as i32 {
            number
        } else {
            -1
        }
    }

    /// The sites of numbers.
    pub(super) fn elements(&self, first: u16, count: u16, numbers: Set) -> Set {
        let sites = numbers.iter().map(|n| self.element(first.into(), count.into(), n as i32));
        sites.filter_map(|site| usize::try_from(site).ok()).collect()
    }

    /// The numbers of sites; sites that are no such elements are left out.
    pub(super) fn element_numbers(first: u16, count: u16, sites: Set) -> Set {
        let (first, count) = (usize::from(first), usize::from(count));
        sites.iter().filter(|s| (first..first + count).contains(s)).map(|s| s - first).collect()
    }
}

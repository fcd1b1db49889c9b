//! The test that a puzzle is solved if all variables without a value get 0.

use super::{Aggregate, Forms};
use crate::game::Game;
use crate::ir::{Bool, Compare, Constraint, Puzzle};

/// The sites to be examined beside the sums that counts have left.
#[derive(Debug)]
pub(super) struct ZeroCompletion {
    /// Sites that break a constraint if they have no value.
    wanted: Box<[u16]>,
    /// A flag for each count of zeros, for which sites without a value count.
    counts_open: Box<[bool]>,
    compared: Box<[(Compare, u16, u16)]>,
}

impl ZeroCompletion {
    /// The test of a puzzle; `None` if an area counts only if the site that leads it has a value.
    pub(super) fn of(puzzle: &Puzzle, forms: &Forms) -> Option<ZeroCompletion> {
        let leads = |constraint: &Bool| match constraint {
            Bool::Constraint(constraint) => match &**constraint {
                Constraint::Different { areas, except } => {
                    !except.contains(&0) && areas.iter().any(|area| area.lead.is_some())
                }
                _ => false,
            },
            _ => false,
        };
        if puzzle.constraints.iter().any(leads) {
            return None;
        }
        let strict = forms.different.iter().filter(|d| !d.excepted[0]);
        let wanted = strict.flat_map(|d| d.covered.iter()).map(|site| site as u16);
        let compared = (0u16..)
            .zip(&forms.compared)
            .flat_map(|(site, list)| list.iter().map(move |&(how, partner)| (how, site, partner)));
        Some(ZeroCompletion {
            wanted: wanted.collect(),
            counts_open: forms.counted.iter().map(|c| c.aggregate == Aggregate::Count(0)).collect(),
            compared: compared.collect(),
        })
    }

    /// The value of each site after the set-up; 0 for sites without a piece, some of which are not
    /// empty.
    pub(super) fn values(game: &Game) -> Vec<u16> {
        let value = |site| (game.initial.what(site) as u16).saturating_sub(1);
        (0..game.world.sites()).map(value).collect()
    }

    /// True if all constraints with forms hold, given that none is broken so far. `values` are
    /// those of all sites, `left` is for each count the sum that is left with the number of sites
    /// without a value.
    #[inline]
    pub(super) fn are_solved(&self, values: &[u16], left: &[(i64, u32)]) -> bool {
        let value = |site: u16| i32::from(values[usize::from(site)]);
        left.iter().zip(&self.counts_open).all(|(&(left, open), &counts_open)| {
            left == if counts_open { i64::from(open) } else { 0 }
        }) && self.wanted.iter().all(|&site| value(site) != 0)
            && self.compared.iter().all(|&(how, a, b)| how.holds(value(a), value(b)))
    }
}

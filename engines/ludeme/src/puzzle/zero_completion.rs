//! Whether a puzzle is solved once 0 is the value of all variables that have none.

use super::{Aggregate, Forms};
use crate::game::Game;
use crate::ir::{Bool, Compare, Constraint, Puzzle};

/// What has to be looked at, besides what is left of the counts.
#[derive(Debug)]
pub(super) struct ZeroCompletion {
    /// Sites that break a constraint if they have no value.
    wanted: Box<[u16]>,
    /// For each count whether it is of zeros, so that sites without a value count.
    counts_open: Box<[bool]>,
    compared: Box<[(Compare, u16, u16)]>,
}

impl ZeroCompletion {
    /// `None` where an area counts only if the site that leads it has a value.
    pub(super) fn of<const W: usize>(puzzle: &Puzzle, forms: &Forms<W>) -> Option<ZeroCompletion> {
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
            .flat_map(|(site, list)| list.iter().map(move |&(how, other)| (how, site, other)));
        Some(ZeroCompletion {
            wanted: wanted.collect(),
            counts_open: forms.counted.iter().map(|c| c.aggregate == Aggregate::Count(0)).collect(),
            compared: compared.collect(),
        })
    }

    /// The value of each site after the set-up; 0 where nothing stands, which is so of some sites
    /// though they are not empty.
    pub(super) fn values<const W: usize>(game: &Game<W>) -> Vec<u16> {
        let value = |site| (game.initial.what(site) as u16).saturating_sub(1);
        (0..game.world.sites()).map(value).collect()
    }

    /// True if all constraints with forms hold, of which none is broken so far. `values` are those
    /// of all sites, `left` what is left of each count, with the number of sites that have no
    /// value.
    #[inline]
    pub(super) fn are_solved(&self, values: &[u16], left: &[(i64, u32)]) -> bool {
        let value = |site: u16| i32::from(values[usize::from(site)]);
        left.iter().zip(&self.counts_open).all(|(&(left, open), &counts_open)| {
            left == if counts_open { i64::from(open) } else { 0 }
        }) && self.wanted.iter().all(|&site| value(site) != 0)
            && self.compared.iter().all(|&(how, a, b)| how.holds(value(a), value(b)))
    }
}

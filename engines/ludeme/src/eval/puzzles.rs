//! Constraints of deduction puzzles.

use super::Eval;
use crate::buffer::{Buffer, pooled};
use crate::ir::{Area, Constraint, Puzzle, component_of};
use crate::state::{PieceValues, State};

pooled!((u32, Buffer<i32>));

/// The value of a variable; `None` where it has none yet.
fn value(state: &State, site: usize) -> Option<i32> {
    (site < state.sites() && !state.is_empty(site)).then(|| state.what(site) as i32 - 1)
}

impl Eval<'_> {
    /// True if all constraints of a puzzle hold, as far as there are values.
    pub(crate) fn is_consistent(&mut self, puzzle: &Puzzle) -> bool {
        puzzle.constraints.iter().all(|constraint| self.test(constraint))
    }

    /// True if all constraints hold once 0 is the value of every variable that has none.
    pub(super) fn is_solved(&mut self) -> bool {
        let Some(puzzle) = &self.game.puzzle else { return false };
        let mut filled = self.state.trial();
        for &site in &puzzle.variables {
            let site = usize::from(site);
            if filled.is_empty(site) {
                let zero = usize::from(component_of(0));
                filled.add(&self.game.layout, site, zero, 1, PieceValues::default());
            }
        }
        self.within(&filled).is_consistent(puzzle)
    }

    /// True if a constraint is not broken.
    pub(super) fn constraint(&mut self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Different { areas, except } => {
                areas.iter().all(|area| self.all_different(area, except))
            }
            Constraint::Sum(areas) => areas.iter().all(|(area, sum)| {
                let sites = self.region(&area.region);
                let wanted = i64::from(self.int(sum));
                let state = self.state;
                let mut open = false;
                let found: i64 = sites
                    .iter()
                    .map(|site| {
                        let value = value(state, site);
                        open |= value.is_none();
                        i64::from(value.unwrap_or(0))
                    })
                    .sum();
                if open { found <= wanted } else { found == wanted }
            }),
            Constraint::Count { region, of, number } => {
                let sites = self.region(region);
                let (of, number) = (self.int(of), i64::from(self.int(number)));
                let (mut open, mut found) = (false, 0i64);
                for site in sites.iter() {
                    match value(self.state, site) {
                        None => open = true,
                        Some(value) => found += i64::from(value == of),
                    }
                }
                if open { found <= number } else { found == number }
            }
            Constraint::Unique(areas) => {
                let mut seen: Buffer<(u32, Buffer<i32>)> = Buffer::new();
                areas.iter().all(|(area, family)| {
                    let sites = self.region(&area.region);
                    let values: Option<Buffer<i32>> =
                        sites.iter().map(|site| value(self.state, site)).collect();
                    let Some(values) = values else { return true };
                    let area = (*family, values);
                    let new = !seen.contains(&area);
                    seen.push(area);
                    new
                })
            }
            Constraint::Values(how, a, b) => {
                let (a, b) = (self.site(a), self.site(b));
                let value = |site: Option<usize>| site.and_then(|site| value(self.state, site));
                match (value(a), value(b)) {
                    (Some(a), Some(b)) => how.holds(a, b),
                    _ => true,
                }
            }
        }
    }

    fn all_different(&mut self, area: &Area, except: &[i32]) -> bool {
        if let Some(lead) = area.lead
            && value(self.state, usize::from(lead)).is_none_or(|value| value == 0)
        {
            return true;
        }
        let sites = self.region(&area.region);
        let mut seen: Buffer<i32> = Buffer::new();
        sites.iter().filter_map(|site| value(self.state, site)).all(|value| {
            if except.contains(&value) {
                return true;
            }
            let new = value != 0 && !seen.contains(&value);
            seen.push(value);
            new
        })
    }
}

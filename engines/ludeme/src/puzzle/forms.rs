//! Recognition of constraints that have forms.

use super::tables::Table;
use super::{Aggregate, Counted, Different, Forms};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Area, Aspects, Bool, Compare, Constraint, Int, Puzzle, Region, Walk};
use crate::set::Set;

impl Forms {
    /// The forms of all constraints that have one. With `tables` also those of constraints that a
    /// table can be made of: it tells which values are allowed, but not if all is right when a
    /// value is missing.
    pub(super) fn of(game: &Game, puzzle: &Puzzle, tables: bool) -> Forms {
        let sites = game.world.sites();
        let mut forms = Forms {
            different: Vec::new(),
            counted: Vec::new(),
            counts_of: vec![Vec::new(); sites],
            compared: vec![Vec::new(); sites],
            tables: Vec::new(),
            rest: Vec::new(),
        };
        let mut room = Table::room();
        for condition in &puzzle.constraints {
            let form = match condition {
                Bool::Constraint(constraint) => forms.add(game, puzzle, constraint),
                _ => None,
            };
            if form.is_some() {
                continue;
            }
            let table = tables.then(|| Table::of(game, puzzle, condition, &mut room));
            match table.flatten() {
                Some(table) => forms.tables.push(table),
                None => forms.rest.push(condition.clone()),
            }
        }
        for (number, counted) in forms.counted.iter().enumerate() {
            for site in counted.sites.iter() {
                forms.counts_of[site].push(number as u32);
            }
        }
        forms
    }

    fn add(&mut self, game: &Game, puzzle: &Puzzle, constraint: &Constraint) -> Option<()> {
        match constraint {
            Constraint::Different { areas, except } => {
                let excepted: Vec<bool> =
                    (0..=puzzle.values.1).map(|value| except.contains(&value)).collect();
                let sets = areas.iter().map(|area| fixed_area(game, &excepted, area));
                let sets: Vec<Set> = sets.collect::<Option<_>>()?;
                let found = self.different.iter().position(|d| d.excepted == excepted);
                let index = found.unwrap_or_else(|| {
                    let peers = vec![Set::EMPTY; game.world.sites()];
                    self.different.push(Different { excepted, peers, covered: Set::EMPTY });
                    self.different.len() - 1
                });
                let different = &mut self.different[index];
                for (set, area) in sets.into_iter().zip(areas) {
                    different.covered |= &set;
                    for site in set.iter() {
                        if let Some(lead) = area.lead.map(usize::from)
                            && lead != site
                        {
                            // If the lead has no value the others may be equal.
                            different.peers[site].insert(lead);
                            continue;
                        }
                        different.peers[site] |= &set;
                        different.peers[site].remove(site);
                    }
                }
            }
            Constraint::Sum(areas) => {
                let counted = areas.iter().map(|(area, sum)| {
                    let sites = fixed(game, &area.region)?;
                    Some(Counted {
                        sites,
                        aggregate: Aggregate::Sum,
                        number: i64::from(sum.constant()?),
                    })
                });
                let counted: Vec<Counted> = counted.collect::<Option<_>>()?;
                self.counted.extend(counted);
            }
            Constraint::Count { region, of, number } => {
                let sites = fixed(game, region)?;
                let (aggregate, number) =
                    (Aggregate::Count(of.constant()?), i64::from(number.constant()?));
                self.counted.push(Counted { sites, aggregate, number });
            }
            Constraint::Values(how, a, b) => {
                let site = |int: &Int| {
                    let site = usize::try_from(int.constant()?).ok()?;
                    (site < game.world.topology.sites()).then_some(site)
                };
                let (a, b) = (site(a)?, site(b)?);
                if a == b {
                    return None;
                }
                self.compared[a].push((*how, b as u16));
                self.compared[b].push((turned(*how), a as u16));
            }
            Constraint::Unique(_) => return None,
        }
        Some(())
    }
}

/// The sites of an area; `None` if they change, or if it matters whether the site that leads the
/// area has a value. It does not matter if only one value may not come twice: then two sites with
/// it break one area each.
fn fixed_area(game: &Game, excepted: &[bool], area: &Area) -> Option<Set> {
    if area.lead.is_some() {
        let (least, greatest) = game.puzzle.as_ref()?.values;
        let strict = (least..=greatest).filter(|&value| !excepted[value as usize]).count();
        let zero = least == 0 && !excepted[0];
        if strict > 1 || zero {
            return None;
        }
    }
    fixed(game, &area.region)
}

/// The comparison with both sides exchanged.
fn turned(how: Compare) -> Compare {
    match how {
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
        Compare::Equal | Compare::NotEqual => how,
    }
}

/// The sites of a region that never changes.
fn fixed(game: &Game, region: &Region) -> Option<Set> {
    let is_fixed = region.reads() == Aspects::NONE;
    is_fixed.then(|| Eval::new(game, &game.initial).region(region))
}

//! Constraints on few variables as lists of the values that satisfy them, which the solver uses for
//! the lines of a Nonogram.

use super::Forms;
use super::tables::Formula;
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, Puzzle};
use crate::set::Set;

/// Most ways in which the variables of constraints can have values, for all constraints of a puzzle
/// together. A constraint with more ways than are left gets no patterns.
const MOST_WAYS: usize = 1 << 20;

/// All assignments of values to some variables that satisfy a constraint.
#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) sites: Vec<u16>,
    /// The values of all these sites, one assignment after the other.
    values: Vec<i32>,
}

impl Patterns {
    /// The patterns of a constraint, if it combines counts of variables that are few enough for the
    /// ways that are left.
    fn of(game: &Game, puzzle: &Puzzle, constraint: &Bool, left: &mut usize) -> Option<Patterns> {
        let formula = Formula::of_constraint(&mut Eval::new(game, &game.initial), constraint)?;
        let mut asked = Set::EMPTY;
        formula.sites(&mut asked);
        let state = &game.initial;
        let given = |site: usize| (!state.is_empty(site)).then(|| state.what(site) as i32 - 1);
        let mut values: Vec<Option<i32>> = (0..game.world.sites()).map(given).collect();
        let variables = puzzle.variables.iter().copied();
        let open =
            |&site: &u16| asked.contains(usize::from(site)) && values[usize::from(site)].is_none();
        let sites: Vec<u16> = variables.filter(open).collect();
        // A variable without a value counts as 0.
        let (least, greatest) = puzzle.values;
        let domain: Vec<i32> = if least > 0 { vec![0] } else { Vec::new() };
        let domain: Vec<i32> = domain.into_iter().chain(least..=greatest).collect();
        let ways = domain.len().checked_pow(u32::try_from(sites.len()).ok()?)?;
        *left = left.checked_sub(ways)?;
        let mut found = Vec::new();
        for way in 0..ways {
            let mut rest = way;
            for &site in &sites {
                values[usize::from(site)] = Some(domain[rest % domain.len()]);
                rest /= domain.len();
            }
            if formula.holds(&values) {
                found.extend(sites.iter().filter_map(|&site| values[usize::from(site)]));
            }
        }
        Some(Patterns { sites, values: found })
    }

    /// The values that each of the sites has in the assignments that are left, given the values
    /// that each site can have.
    pub(super) fn left<'p>(
        &'p self,
        mut can: impl FnMut(usize, i32) -> bool + 'p,
    ) -> impl Iterator<Item = &'p [i32]> {
        let ways = self.values.chunks_exact(self.sites.len().max(1));
        ways.filter(move |way| {
            self.sites.iter().zip(*way).all(|(&site, &value)| can(usize::from(site), value))
        })
    }
}

/// Takes the constraints that have patterns from those without a form.
pub(super) fn take(game: &Game, puzzle: &Puzzle, forms: &mut Forms) -> Vec<Patterns> {
    let (mut patterns, mut left) = (Vec::new(), MOST_WAYS);
    forms.rest.retain(|constraint| match Patterns::of(game, puzzle, constraint, &mut left) {
        Some(found) if !found.sites.is_empty() => {
            patterns.push(found);
            false
        }
        _ => true,
    });
    patterns
}

//! What lies where in games that have no board: each value of a variable is a site.

use std::collections::BTreeSet;

use super::Notation;
use crate::automaton::{Automaton, Cell, GOALS, PLAYER, Slot, VISIBLE};
use crate::search::Rules;
use crate::state::State;

/// Most bytes of the planes of a position.
const MOST: usize = 1 << 16;

/// The cells of all variables of a game, and the values that they can have.
#[derive(Debug, Default)]
pub(crate) struct VariableSites {
    /// The name of each site: its variable, and the keys of its cell.
    pub(crate) names: Vec<String>,
    cells: Vec<(Slot, usize)>,
    values: Vec<Cell>,
}

impl VariableSites {
    /// None where they would be too many.
    pub(crate) fn new(notation: &Notation, automaton: &Automaton) -> VariableSites {
        let (mut sites, mut values) = (VariableSites::default(), BTreeSet::new());
        for (slot, variable) in automaton.variables.iter().enumerate() {
            if variable.is_internal || [GOALS, PLAYER, VISIBLE].contains(&slot) {
                continue;
            }
            let Ok(count) = Cell::try_from(variable.start.len()) else {
                return VariableSites::default();
            };
            let numbers: Vec<Cell> = (0..count).collect();
            for (keys, cell) in notation.rows(automaton, &variable.shape.keys, &numbers) {
                let name = format!("{} {keys}", automaton.name(variable.name));
                sites.names.push(name.trim_end().to_owned());
                sites.cells.push((slot, cell.into()));
            }
            let members = automaton.sets[variable.shape.values].members.iter();
            values.extend(members.map(|value| value.0 as Cell));
            if sites.cells.len() * values.len() > MOST {
                return VariableSites::default();
            }
        }
        sites.values = values.into_iter().collect();
        sites
    }

    /// The values in words.
    pub(crate) fn kinds(&self, notation: &Notation) -> Vec<String> {
        self.values.iter().map(|&value| notation.word(value).to_owned()).collect()
    }

    /// Writes 1 for each value and site where a state has it, else 0. Variables that are written
    /// before they are read again have none: by them positions are not told apart.
    pub(crate) fn planes(&self, rules: &Rules, state: &State, planes: &mut [u8]) {
        planes.fill(0);
        for (site, &(slot, cell)) in self.cells.iter().enumerate() {
            let value = state.cells[rules.layout.range(slot)][cell];
            if rules.liveness.is_live(state.node, slot)
                && let Ok(kind) = self.values.binary_search(&value)
                && let Some(byte) = planes.get_mut(kind * self.cells.len() + site)
            {
                *byte = 1;
            }
        }
    }
}

//! Values: constants as small integers, numbered so that the constants of a column lie close
//! together and tables over them are small; whole terms come above them, see `pool`.

use rustc_hash::FxHashMap;

use super::flat::FlatProgram;
use super::shapes::NodeId;
use crate::limits::MAX_DOMAINS;
use crate::program::{Dependence, Program};
use crate::symbols::Symbol;

/// The constants by value.
#[derive(Debug)]
pub(crate) struct Universe {
    symbols: Vec<Symbol>,
    values: Vec<u32>,
}

impl Universe {
    /// Numbers the constants of a program.
    pub(crate) fn new(program: &Program, flat: &FlatProgram) -> Universe {
        let domains = domains(program, flat);
        let mut signatures = vec![0u128; program.symbols.len()];
        for (i, &node) in domains.iter().take(MAX_DOMAINS).enumerate() {
            for symbol in flat.shapes.constants(node).iter() {
                signatures[symbol.index()] |= 1 << (127 - i);
            }
        }
        // Taken as a Gray code, the signatures of two overlapping domains put what they share where
        // the one ends and the other begins.
        let rank = |mut code: u128| {
            for shift in [1, 2, 4, 8, 16, 32, 64] {
                code ^= code >> shift;
            }
            code
        };
        let mut symbols: Vec<Symbol> = (0..program.symbols.len() as u32).map(Symbol).collect();
        symbols.sort_by_key(|s| (signatures[s.index()] == 0, rank(signatures[s.index()]), *s));
        let mut values = vec![0; symbols.len()];
        for (value, symbol) in symbols.iter().enumerate() {
            values[symbol.index()] = value as u32;
        }
        Universe { symbols, values }
    }

    /// The value of a constant.
    pub(crate) fn value(&self, symbol: Symbol) -> u32 {
        self.values[symbol.index()]
    }

    /// The constant of a value; `None` for whole terms.
    pub(crate) fn symbol(&self, value: u32) -> Option<Symbol> {
        self.symbols.get(value as usize).copied()
    }

    /// Values below this are constants.
    pub(crate) fn constants(&self) -> u32 {
        self.symbols.len() as u32
    }

    /// The least and the greatest value of a position, and how many it has.
    pub(crate) fn range(&self, flat: &FlatProgram, node: NodeId) -> (u32, u32, u32) {
        let values = || flat.shapes.constants(node).iter().map(|s| self.value(s));
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        (low, high, flat.shapes.constants(node).len() as u32)
    }
}

/// The different domains of columns: those of relations that change first, then by size.
fn domains(program: &Program, flat: &FlatProgram) -> Vec<NodeId> {
    let mut weights: FxHashMap<Vec<Symbol>, (bool, usize, NodeId)> = FxHashMap::default();
    for relation in &flat.relations {
        let changes = program.relation(relation.relation).dependence != Dependence::Static;
        for &node in relation.columns.iter().flatten() {
            let symbols: Vec<Symbol> = flat.shapes.constants(node).iter().collect();
            let size = symbols.len();
            let entry = weights.entry(symbols).or_insert((changes, size, node));
            entry.0 |= changes;
        }
    }
    let mut all: Vec<(Vec<Symbol>, (bool, usize, NodeId))> = weights.into_iter().collect();
    all.sort_unstable_by(|(a, (a_changes, a_size, _)), (b, (b_changes, b_size, _))| {
        b_changes.cmp(a_changes).then(b_size.cmp(a_size)).then(a.cmp(b))
    });
    all.into_iter().map(|(_, (_, _, node))| node).collect()
}

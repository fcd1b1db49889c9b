//! Names as numbers. A name means the same thing everywhere in a description, so a number stands
//! for it in the syntax as in states.

use rustc_hash::FxHashMap;

/// A name by its number, in the order of appearance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Symbol(pub(crate) u32);

impl Symbol {
    /// The number as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of a description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    names: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, Symbol>,
}

impl Symbols {
    /// The symbol of a name, which is new if it has not been met.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.into());
        self.numbers.insert(name.into(), symbol);
        symbol
    }

    /// The symbol of a name that has been met.
    pub(crate) fn get(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// The name of a symbol.
    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

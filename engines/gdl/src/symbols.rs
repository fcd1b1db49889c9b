use rustc_hash::FxHashMap;

/// An interned name: a constant, a functor or the name of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The symbol as an index into tables by symbol.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of a rulesheet. KIF does not tell upper from lower case: `White` and `white` are one
/// symbol, shown in the spelling met first.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    spelling: Vec<Box<str>>,
    lower: Vec<Box<str>>,
    by_lower: FxHashMap<Box<str>, Symbol>,
}

impl Symbols {
    /// The symbol of a name, new or known.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let lower = name.to_lowercase();
        if let Some(&symbol) = self.by_lower.get(lower.as_str()) {
            return symbol;
        }
        let symbol = Symbol(self.spelling.len() as u32);
        self.spelling.push(name.into());
        self.lower.push(lower.as_str().into());
        self.by_lower.insert(lower.into(), symbol);
        symbol
    }

    /// The symbol of a name, if it occurs.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.by_lower.get(name.to_lowercase().as_str()).copied()
    }

    /// The spelling met first.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.spelling.get(symbol.index()).map_or("", |s| s)
    }

    /// The name in lower case, for labels and traces.
    pub fn lower(&self, symbol: Symbol) -> &str {
        self.lower.get(symbol.index()).map_or("", |s| s)
    }

    /// The number of symbols, which count from 0.
    pub fn len(&self) -> usize {
        self.spelling.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.spelling.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_and_the_first_spelling_is_shown() {
        let mut symbols = Symbols::default();
        let white = symbols.intern("White");
        assert_eq!(symbols.intern("WHITE"), white);
        assert_ne!(symbols.intern("black"), white);
        assert_eq!((symbols.name(white), symbols.lower(white)), ("White", "white"));
        assert_eq!(symbols.get("wHite"), Some(white));
        assert_eq!(symbols.get("red"), None);
    }
}

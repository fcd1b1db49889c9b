use rustc_hash::FxHashMap;

use crate::program::{Term, TermKind};
use crate::symbols::{Symbol, Symbols};

/// A ground term in a [`Terms`] store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

impl TermId {
    /// The term as an index into tables by term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Hash-consed ground terms: equal terms have equal ids, so that comparing them is comparing
/// integers. A constant is a term without arguments.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    ids: FxHashMap<Box<[u32]>, TermId>,
    key: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    functor: Symbol,
    /// The first of its arguments in `Terms::args`, and how many there are.
    start: u32,
    arity: u32,
}

impl Terms {
    /// The term without arguments.
    pub fn constant(&mut self, symbol: Symbol) -> TermId {
        self.compound(symbol, &[])
    }

    /// The term `functor(args...)`. `args` must be of this store.
    pub fn compound(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        self.key.clear();
        self.key.push(functor.0);
        self.key.extend(args.iter().map(|a| a.0));
        if let Some(&id) = self.ids.get(self.key.as_slice()) {
            return id;
        }
        let id = TermId(self.nodes.len() as u32);
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { functor, start, arity: args.len() as u32 });
        self.ids.insert(self.key.as_slice().into(), id);
        id
    }

    /// The id of a term of a rule; `None` if it has variables.
    pub fn intern(&mut self, term: &Term) -> Option<TermId> {
        match &term.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(symbol) => Some(self.constant(*symbol)),
            TermKind::Compound(functor, args) => {
                let args: Option<Vec<TermId>> = args.iter().map(|a| self.intern(a)).collect();
                Some(self.compound(*functor, &args?))
            }
        }
    }

    /// The constant, or the functor of a compound term.
    pub fn functor(&self, id: TermId) -> Symbol {
        self.nodes[id.index()].functor
    }

    /// The arguments; empty for constants.
    pub fn args(&self, id: TermId) -> &[TermId] {
        let node = self.nodes[id.index()];
        &self.args[node.start as usize..(node.start + node.arity) as usize]
    }

    /// The number of terms; ids count from 0.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term as KIF text, lower case, one blank between symbols: `(mark 1 1)`.
    pub fn show(&self, symbols: &Symbols, id: TermId) -> String {
        let mut out = String::new();
        self.write(symbols, id, &mut out);
        out
    }

    fn write(&self, symbols: &Symbols, id: TermId, out: &mut String) {
        let args = self.args(id);
        if args.is_empty() {
            out.push_str(symbols.lower(self.functor(id)));
            return;
        }
        out.push('(');
        out.push_str(symbols.lower(self.functor(id)));
        for &arg in args {
            out.push(' ');
            self.write(symbols, arg, out);
        }
        out.push(')');
    }

    /// The term as a percept: its words in lower case with blanks between them, `die 4` for `(die
    /// 4)`.
    pub fn words(&self, symbols: &Symbols, id: TermId) -> String {
        let mut out = String::new();
        self.write_words(symbols, id, &mut out);
        out
    }

    fn write_words(&self, symbols: &Symbols, id: TermId, out: &mut String) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(symbols.lower(self.functor(id)));
        for &arg in self.args(id) {
            self.write_words(symbols, arg, out);
        }
    }

    /// The action `id` in neutral notation: without its verb, the constants of its arguments one
    /// after the other in lower case (`(move a 2 a 3)` is `a2a3`); `pass` for `noop`; a constant
    /// action is its own label. Not unique: see [`crate::labels`].
    pub fn label(&self, symbols: &Symbols, id: TermId) -> String {
        if self.args(id).is_empty() {
            let name = symbols.lower(self.functor(id));
            return if name == "noop" { "pass".to_owned() } else { name.to_owned() };
        }
        let mut out = String::new();
        for &arg in self.args(id) {
            self.write_flat(symbols, arg, &mut out);
        }
        out
    }

    fn write_flat(&self, symbols: &Symbols, id: TermId, out: &mut String) {
        if self.args(id).is_empty() {
            out.push_str(symbols.lower(self.functor(id)));
        }
        for &arg in self.args(id) {
            self.write_flat(symbols, arg, out);
        }
    }
}

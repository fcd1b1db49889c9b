//! Values at compile time. Equal values are stored once, so that they have equal numbers.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::limits::MAX_TERM;
use crate::symbols::{Symbol, Symbols};

/// A value by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Term(u32);

/// A value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum View {
    Atom(Symbol),
    /// A constructor with its arguments.
    Compound(Symbol, Rc<[Term]>),
    /// A default, and keys with their values.
    Map(Term, Rc<[(Term, Term)]>),
}

/// All values, with the names of symbols.
#[derive(Default)]
pub(super) struct Terms {
    pub(super) symbols: Symbols,
    /// Values with the lengths of their names.
    views: Vec<(View, usize)>,
    numbers: FxHashMap<View, Term>,
    /// The symbols of compounds that were asked for.
    spelt: FxHashMap<Term, Symbol>,
}

impl Terms {
    /// No values yet, with the names of a description.
    pub(super) fn new(symbols: Symbols) -> Terms {
        Terms { symbols, ..Terms::default() }
    }

    /// The value that a name stands for.
    pub(super) fn atom(&mut self, symbol: Symbol) -> Term {
        let length = self.symbols.name(symbol).len();
        self.store(View::Atom(symbol), length)
    }

    /// The name of an integer.
    pub(super) fn integer(&mut self, integer: i64) -> Term {
        let symbol = self.symbols.intern(&integer.to_string());
        self.atom(symbol)
    }

    /// A constructor with its arguments, unless its name is too long.
    pub(super) fn compound(&mut self, constructor: Symbol, arguments: &[Term]) -> Option<Term> {
        let lengths = arguments.iter().map(|term| self.views[term.0 as usize].1 + 1);
        let length = self.symbols.name(constructor).len() + 1 + lengths.sum::<usize>();
        let view = View::Compound(constructor, arguments.into());
        (length <= MAX_TERM).then(|| self.store(view, length))
    }

    /// A map of a default and of keys with their values.
    pub(super) fn map(&mut self, default: Term, mut entries: Vec<(Term, Term)>) -> Term {
        entries.sort_unstable();
        self.store(View::Map(default, entries.into()), 0)
    }

    fn store(&mut self, view: View, length: usize) -> Term {
        if let Some(&term) = self.numbers.get(&view) {
            return term;
        }
        let term = Term(self.views.len() as u32);
        self.views.push((view.clone(), length));
        self.numbers.insert(view, term);
        term
    }

    /// The value with its parts.
    pub(super) fn view(&self, term: Term) -> &View {
        &self.views[term.0 as usize].0
    }

    /// The integer that a value spells.
    pub(super) fn as_integer(&self, term: Term) -> Option<i64> {
        match self.view(term) {
            View::Atom(symbol) => {
                let name = self.symbols.name(*symbol);
                name.parse().ok()
            }
            _ => None,
        }
    }

    /// The symbol of a value: that of `C(a, b)` is `C__a_b`. Maps have none.
    pub(super) fn symbol(&mut self, term: Term) -> Option<Symbol> {
        match self.view(term) {
            View::Atom(symbol) => return Some(*symbol),
            View::Compound(..) => {}
            View::Map(..) => return None,
        }
        if !self.spelt.contains_key(&term) {
            let name = self.spell(term, ["__", "_", ""]);
            let symbol = self.symbols.intern(&name);
            self.spelt.insert(term, symbol);
        }
        self.spelt.get(&term).copied()
    }

    /// The value as it is written in a description.
    pub(super) fn show(&self, term: Term) -> String {
        self.spell(term, ["(", ", ", ")"])
    }

    /// A constructor or function with arguments, as it is written in a description.
    pub(super) fn show_call(&self, head: Symbol, arguments: &[Term]) -> String {
        self.spell_call(head, arguments, ["(", ", ", ")"])
    }

    fn spell(&self, term: Term, marks: [&str; 3]) -> String {
        match self.view(term) {
            View::Atom(symbol) => self.symbols.name(*symbol).to_owned(),
            View::Compound(head, arguments) => self.spell_call(*head, arguments, marks),
            View::Map(..) => "{..}".to_owned(),
        }
    }

    fn spell_call(&self, head: Symbol, arguments: &[Term], marks: [&str; 3]) -> String {
        let [open, between, close] = marks;
        let spelt: Vec<String> = arguments.iter().map(|term| self.spell(*term, marks)).collect();
        [self.symbols.name(head), open, &spelt.join(between), close].concat()
    }

    /// The order of two values: names in natural order, compounds by constructor, number of
    /// arguments and arguments. A name and a compound have none, nor do maps.
    pub(super) fn compare(&self, left: Term, right: Term) -> Option<Ordering> {
        let names = |a: &Symbol, b: &Symbol| natural(self.symbols.name(*a), self.symbols.name(*b));
        match (self.view(left), self.view(right)) {
            (View::Atom(a), View::Atom(b)) => Some(names(a, b)),
            (View::Compound(a, xs), View::Compound(b, ys)) => {
                let mut order = names(a, b).then(xs.len().cmp(&ys.len()));
                for (x, y) in xs.iter().zip(ys.iter()).filter(|(x, y)| x != y) {
                    order = order.then(self.compare(*x, *y)?);
                }
                Some(order)
            }
            _ => None,
        }
    }
}

/// The order of two names with runs of digits as numbers and all else by character.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    while !a.is_empty() && !b.is_empty() {
        let ((x, rest_a), (y, rest_b)) = (first(a), first(b));
        let digits = x.as_bytes()[0].is_ascii_digit() && y.as_bytes()[0].is_ascii_digit();
        let order = if digits { x.len().cmp(&y.len()) } else { Ordering::Equal }.then(x.cmp(y));
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    // Of equal numbers that are written differently, one must come first.
    a.len().cmp(&b.len()).then(left.cmp(right))
}

/// The number that a text begins with, without zeros before it, or its first character; and the
/// rest.
fn first(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let end = text.len() - rest.len();
    if end == 0 {
        return text.split_at(text.chars().next().map_or(0, char::len_utf8));
    }
    let zeros = text[..end - 1].len() - text[..end - 1].trim_start_matches('0').len();
    (&text[zeros..end], rest)
}

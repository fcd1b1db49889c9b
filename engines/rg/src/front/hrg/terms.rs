//! Values at compile time. Equal values are stored once, so that they have equal numbers.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::limits::{MAX_CELLS, MAX_TERM};
use crate::symbols::{Symbol, Symbols};

/// A value by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Term(u32);

/// A value.
pub(super) enum View<'t> {
    Atom(Symbol),
    /// A constructor with its arguments.
    Compound(Symbol, &'t [Term]),
    /// The default of a map, and keys and values in turn.
    Map(Term, &'t [Term]),
}

const ATOM: Term = Term(0);
const COMPOUND: Term = Term(1);
const MAP: Term = Term(2);

/// A value as it is stored.
struct Entry {
    /// What it is, and its parts.
    parts: Rc<[Term]>,
    /// The bytes of its name, or the cells of a map.
    size: usize,
    /// The integer that an atom spells.
    number: Option<i64>,
    /// The symbol of a compound, once it has been asked for.
    symbol: Option<Symbol>,
}

/// All values, with the names of symbols.
#[derive(Default)]
pub(super) struct Terms {
    pub(super) symbols: Symbols,
    entries: Vec<Entry>,
    numbers: FxHashMap<Rc<[Term]>, Term>,
    integers: FxHashMap<i64, Term>,
    scratch: Vec<Term>,
}

impl Terms {
    /// No values yet, with the names of a description.
    pub(super) fn new(symbols: Symbols) -> Terms {
        Terms { symbols, ..Terms::default() }
    }

    /// The value that a name stands for.
    pub(super) fn atom(&mut self, symbol: Symbol) -> Term {
        let size = self.symbols.name(symbol).len();
        self.store(&[ATOM, Term(symbol.0)], size)
    }

    /// The name of an integer.
    pub(super) fn integer(&mut self, integer: i64) -> Term {
        if let Some(&term) = self.integers.get(&integer) {
            return term;
        }
        let symbol = self.symbols.intern(&integer.to_string());
        let term = self.atom(symbol);
        self.integers.insert(integer, term);
        term
    }

    /// A constructor with its arguments, unless its name is too long.
    pub(super) fn compound(&mut self, constructor: Symbol, arguments: &[Term]) -> Option<Term> {
        let sizes = arguments.iter().map(|argument| self.size(*argument) + 1);
        let size = self.symbols.name(constructor).len() + 1 + sizes.sum::<usize>();
        if size > MAX_TERM {
            return None;
        }
        let mut parts = std::mem::take(&mut self.scratch);
        parts.clear();
        parts.extend([COMPOUND, Term(constructor.0)]);
        parts.extend_from_slice(arguments);
        let term = self.store(&parts, size);
        self.scratch = parts;
        Some(term)
    }

    /// A map of a default and of keys with their values, unless it has too many cells.
    pub(super) fn map(&mut self, default: Term, entries: &[(Term, Term)]) -> Option<Term> {
        let values = entries.iter().map(|(_, value)| *value).chain([default]);
        let cells: usize =
            values.map(|value| if self.is_map(value) { self.size(value) } else { 1 }).sum();
        if cells > MAX_CELLS {
            return None;
        }
        let mut parts = vec![MAP, default];
        parts.extend(entries.iter().flat_map(|&(key, value)| [key, value]));
        Some(self.store(&parts, cells))
    }

    fn store(&mut self, parts: &[Term], size: usize) -> Term {
        if let Some(&term) = self.numbers.get(parts) {
            return term;
        }
        let term = Term(self.entries.len() as u32);
        let number = match *parts {
            [ATOM, Term(symbol)] => integer(self.symbols.name(Symbol(symbol))),
            _ => None,
        };
        let parts: Rc<[Term]> = parts.into();
        self.entries.push(Entry { parts: Rc::clone(&parts), size, number, symbol: None });
        self.numbers.insert(parts, term);
        term
    }

    fn entry(&self, term: Term) -> &Entry {
        &self.entries[term.0 as usize]
    }

    fn size(&self, term: Term) -> usize {
        self.entry(term).size
    }

    /// The value with its parts.
    pub(super) fn view(&self, term: Term) -> View<'_> {
        let parts = &self.entry(term).parts;
        match parts[0] {
            ATOM => View::Atom(Symbol(parts[1].0)),
            COMPOUND => View::Compound(Symbol(parts[1].0), &parts[2..]),
            _ => View::Map(parts[1], &parts[2..]),
        }
    }

    /// True for a map.
    pub(super) fn is_map(&self, term: Term) -> bool {
        self.entry(term).parts[0] == MAP
    }

    /// The integer that a value spells.
    pub(super) fn as_integer(&self, term: Term) -> Option<i64> {
        self.entry(term).number
    }

    /// The symbol of a value that is no map: `C(a, b)` is `C__a_b`. Maps have none of their own.
    pub(super) fn symbol(&mut self, term: Term) -> Symbol {
        if let Some(symbol) = self.entry(term).symbol {
            return symbol;
        }
        let symbol = match self.view(term) {
            View::Atom(symbol) => symbol,
            _ => {
                let name = self.spell(term, ["__", "_", ""]);
                self.symbols.intern(&name)
            }
        };
        self.entries[term.0 as usize].symbol = Some(symbol);
        symbol
    }

    /// The value as it is written in a description.
    pub(super) fn show(&self, term: Term) -> String {
        self.spell(term, ["(", ", ", ")"])
    }

    /// Arguments as they are written in a description.
    pub(super) fn show_all(&self, terms: &[Term]) -> String {
        let shown: Vec<String> = terms.iter().map(|term| self.show(*term)).collect();
        shown.join(", ")
    }

    fn spell(&self, term: Term, marks: [&str; 3]) -> String {
        match self.view(term) {
            View::Atom(symbol) => self.symbols.name(symbol).to_owned(),
            View::Compound(constructor, arguments) => {
                let spelt: Vec<String> =
                    arguments.iter().map(|argument| self.spell(*argument, marks)).collect();
                let [open, between, close] = marks;
                [self.symbols.name(constructor), open, &spelt.join(between), close].concat()
            }
            View::Map(..) => "a map".to_owned(),
        }
    }

    /// The order of two values: names in natural order, compounds by constructor, number of
    /// arguments and arguments. A name and a compound have none, nor do maps.
    pub(super) fn compare(&self, left: Term, right: Term) -> Option<Ordering> {
        match (self.view(left), self.view(right)) {
            (View::Atom(a), View::Atom(b)) => {
                Some(natural(self.symbols.name(a), self.symbols.name(b)))
            }
            (View::Compound(a, xs), View::Compound(b, ys)) => {
                let heads = natural(self.symbols.name(a), self.symbols.name(b))
                    .then(xs.len().cmp(&ys.len()));
                xs.iter().zip(ys).try_fold(heads, |order, (x, y)| match order {
                    Ordering::Equal => self.compare(*x, *y),
                    _ => Some(order),
                })
            }
            _ => None,
        }
    }
}

/// The integer that a name spells.
fn integer(name: &str) -> Option<i64> {
    let digits = name.strip_prefix('-').unwrap_or(name);
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    decimal.then(|| name.parse().ok()).flatten()
}

/// The order of two names with runs of digits as numbers and all else by character.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    loop {
        let (x, y) = (digits(a), digits(b));
        let order = if x.is_empty() || y.is_empty() {
            let (mut xs, mut ys) = (a.chars(), b.chars());
            let (first, other) = (xs.next(), ys.next());
            if first.is_none() && other.is_none() {
                return left.cmp(right);
            }
            (a, b) = (xs.as_str(), ys.as_str());
            first.cmp(&other)
        } else {
            (a, b) = (&a[x.len()..], &b[y.len()..]);
            let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The digits that a text begins with.
fn digits(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()]
}

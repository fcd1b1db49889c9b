//! The values of variables in a state, and expressions over them.

use crate::automaton::{Automaton, Cell, Constant, Expr, Place, SetId, Shape, Slot};

/// The places of all variables in one row of cells.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The first cell of each variable.
    pub(crate) offsets: Vec<usize>,
    /// The values that a play starts with.
    pub(crate) start: Vec<Cell>,
}

impl Layout {
    pub(crate) fn of(automaton: &Automaton) -> Layout {
        let (mut offsets, mut start) = (Vec::new(), Vec::new());
        for variable in &automaton.variables {
            offsets.push(start.len());
            start.extend_from_slice(&variable.start);
        }
        Layout { offsets, start }
    }

    /// The cells of a variable.
    pub(crate) fn range(&self, slot: Slot) -> std::ops::Range<usize> {
        let end = self.offsets.get(slot + 1).copied().unwrap_or(self.start.len());
        self.offsets[slot]..end
    }
}

/// A state's cells with what is needed to read them.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) automaton: &'a Automaton,
    pub(crate) layout: &'a Layout,
    pub(crate) cells: &'a [Cell],
}

/// A value: its cells, which of the keys of its shape are left, and where it lies.
pub(crate) struct Part<'a> {
    pub(crate) cells: &'a [Cell],
    pub(crate) keys: &'a [SetId],
}

impl Values<'_> {
    /// The symbol that an expression has as its value; that of a map is its first.
    pub(crate) fn symbol(self, expr: &Expr) -> Cell {
        match expr {
            Expr::Symbol(symbol) => symbol.0 as Cell,
            Expr::Variable(place) => {
                let shape = &self.automaton.variables[place.slot].shape;
                self.cells[self.layout.offsets[place.slot] + self.offset(shape, &place.keys).0]
            }
            Expr::Constant(place) => {
                let Constant { shape, cells, .. } = &self.automaton.constants[place.slot];
                cells[self.offset(shape, &place.keys).0]
            }
        }
    }

    /// The value of an expression, which may be a map; `None` of a symbol that stands for itself.
    pub(crate) fn part<'s>(&'s self, expr: &'s Expr) -> Option<Part<'s>> {
        match expr {
            Expr::Symbol(_) => None,
            Expr::Variable(place) => {
                let shape = &self.automaton.variables[place.slot].shape;
                let (at, width) = self.offset(shape, &place.keys);
                let cells = &self.cells[self.layout.offsets[place.slot] + at..][..width];
                Some(Part { cells, keys: &shape.keys[place.keys.len()..] })
            }
            Expr::Constant(place) => {
                let Constant { shape, cells, .. } = &self.automaton.constants[place.slot];
                let (at, width) = self.offset(shape, &place.keys);
                Some(Part { cells: &cells[at..][..width], keys: &shape.keys[place.keys.len()..] })
            }
        }
    }

    /// The first cell of a place among all cells, how many it has, and whether it is the default of
    /// a map, which stands for keys that the map does not have.
    pub(crate) fn target(self, place: &Place) -> (usize, usize, bool) {
        let shape = &self.automaton.variables[place.slot].shape;
        let (at, width) = self.offset(shape, &place.keys);
        let is_default = shape
            .keys
            .iter()
            .zip(&place.keys)
            .any(|(&set, key)| !self.automaton.sets[set].is_key(self.symbol(key)));
        (self.layout.offsets[place.slot] + at, width, is_default)
    }

    /// The first cell of a part of a value, and how many it has.
    fn offset(self, shape: &Shape, keys: &[Expr]) -> (usize, usize) {
        let mut at = 0;
        for (&set, key) in shape.keys.iter().zip(keys) {
            let set = &self.automaton.sets[set];
            at = at * set.width() + set.place(self.symbol(key));
        }
        let rest = &shape.keys[keys.len()..];
        let width = rest.iter().map(|&set| self.automaton.sets[set].width()).product();
        (at * width, width)
    }

    /// True if two expressions have the same value. Maps are compared by their contents.
    pub(crate) fn are_equal(self, left: &Expr, right: &Expr) -> bool {
        match (self.part(left), self.part(right)) {
            (Some(left), Some(right)) if !left.keys.is_empty() => {
                self.are_equal_parts(&left, &right)
            }
            _ => self.symbol(left) == self.symbol(right),
        }
    }

    fn are_equal_parts(self, left: &Part<'_>, right: &Part<'_>) -> bool {
        let (Some((&key, inner)), Some((&other, other_inner))) =
            (left.keys.split_first(), right.keys.split_first())
        else {
            return left.cells.first() == right.cells.first();
        };
        let (set, others) = (&self.automaton.sets[key], &self.automaton.sets[other]);
        let width = left.cells.len() / set.width();
        let other_width = right.cells.len() / others.width();
        set.members.iter().enumerate().all(|(place, &member)| {
            let other = others.place(member.0 as Cell);
            let left = Part { cells: &left.cells[place * width..][..width], keys: inner };
            let cells = &right.cells[other * other_width..][..other_width];
            self.are_equal_parts(&left, &Part { cells, keys: other_inner })
        })
    }

    /// The cells of a map, given the keys that its target has: a value for each of them, and the
    /// default.
    pub(crate) fn converted(self, part: &Part<'_>, keys: &[SetId], into: &mut Vec<Cell>) {
        if part.keys == keys {
            into.extend_from_slice(part.cells);
            return;
        }
        let (Some((&key, inner)), Some((&own, own_inner))) =
            (keys.split_first(), part.keys.split_first())
        else {
            into.extend(part.cells.first());
            return;
        };
        let (set, own) = (&self.automaton.sets[key], &self.automaton.sets[own]);
        let width = part.cells.len() / own.width();
        let places = set.members.iter().map(|member| own.place(member.0 as Cell));
        for place in places.chain([own.members.len()]) {
            let cells = &part.cells[place * width..][..width];
            self.converted(&Part { cells, keys: own_inner }, inner, into);
        }
    }
}

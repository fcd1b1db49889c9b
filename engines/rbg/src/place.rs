//! Results of walks, and edges taken at cells.

use crate::bits::Bits;

/// The cells that a walk has led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place<const W: usize> {
    Nowhere,
    Cell(u16),
    /// A set that is never empty.
    Set(Bits<W>),
}

impl<const W: usize> Place<W> {
    #[inline(always)]
    pub(crate) fn of(set: Bits<W>) -> Place<W> {
        if set.is_empty() { Place::Nowhere } else { Place::Set(set) }
    }

    #[inline(always)]
    pub(crate) fn bits(&self) -> Bits<W> {
        match *self {
            Place::Nowhere => Bits::EMPTY,
            Place::Cell(cell) => Bits::single(cell),
            Place::Set(set) => set,
        }
    }

    #[inline(always)]
    pub(crate) fn is_nowhere(&self) -> bool {
        matches!(self, Place::Nowhere)
    }

    /// Any of the cells, of which there must be one.
    #[inline(always)]
    pub(crate) fn first(&self) -> u16 {
        match self {
            Place::Nowhere => 0,
            Place::Cell(cell) => *cell,
            Place::Set(set) => set.first().unwrap_or(0),
        }
    }

    /// The union of both.
    #[inline(always)]
    pub(crate) fn or(&self, other: &Place<W>) -> Place<W> {
        match (self, other) {
            (Place::Nowhere, place) | (place, Place::Nowhere) => *place,
            (Place::Cell(a), Place::Cell(b)) if a == b => *self,
            _ => Place::Set(self.bits().or(other.bits())),
        }
    }
}

/// An edge taken at a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Change {
    pub(crate) edge: u32,
    pub(crate) cell: u16,
}

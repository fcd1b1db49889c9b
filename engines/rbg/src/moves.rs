//! The moves that a search lists.

use crate::place::{Change, Place};

/// Moves that differ only in the cell of their last edge.
#[derive(Clone, Debug)]
pub(crate) struct Group<const W: usize> {
    /// Changes before the last edge, in [`Moves::changes`].
    start: u32,
    end: u32,
    /// The switch.
    edge: u32,
    /// The edge that each of the moves has before its switch, at a cell this number before the cell
    /// of the switch, and that number. If it is `None`, the tail of the edge follows.
    pair: Option<(u32, i32)>,
    cells: Place<W>,
    /// Number of moves of this group and all before it.
    upto: u32,
}

/// The legal moves of a state, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Moves<const W: usize> {
    changes: Vec<Change>,
    groups: Vec<Group<W>>,
}

impl<const W: usize> Moves<W> {
    pub(crate) const fn new() -> Moves<W> {
        Moves { changes: Vec::new(), groups: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.changes.clear();
        self.groups.clear();
    }

    /// Bytes of the list.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Change>() * self.changes.len() + size_of::<Group<W>>() * self.groups.len()
    }

    /// Number of moves.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.groups.last().map_or(0, |group| group.upto)
    }

    pub(crate) fn push(
        &mut self,
        prefix: &[Change],
        edge: u32,
        pair: Option<(u32, i32)>,
        cells: Place<W>,
    ) {
        let count = match &cells {
            Place::Nowhere => return,
            Place::Cell(_) => 1,
            Place::Set(set) => set.len(),
        };
        let start = self.changes.len() as u32;
        self.changes.extend_from_slice(prefix);
        let upto = self.count().saturating_add(count);
        let end = self.changes.len() as u32;
        self.groups.push(Group { start, end, edge, pair, cells, upto });
    }

    /// The move with number `n`.
    #[inline]
    pub(crate) fn get(&self, n: u32) -> Option<Chosen<'_>> {
        let index = if self.groups.len() <= 16 {
            self.groups.iter().position(|group| n < group.upto)?
        } else {
            self.groups.partition_point(|group| group.upto <= n)
        };
        let group = self.groups.get(index)?;
        let cell = match &group.cells {
            Place::Set(set) => {
                let before = if index == 0 { 0 } else { self.groups[index - 1].upto };
                set.nth(n - before)?
            }
            other => other.first(),
        };
        let changes = &self.changes[group.start as usize..group.end as usize];
        let pair = group
            .pair
            .map(|(edge, distance)| Change { edge, cell: (i32::from(cell) - distance) as u16 });
        Some(Chosen { changes, pair, last: Change { edge: group.edge, cell } })
    }
}

/// One move: its changes, further ones that follow from it, and the switch that ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen<'m> {
    pub(crate) changes: &'m [Change],
    /// An edge that is followed by its tail.
    pub(crate) pair: Option<Change>,
    pub(crate) last: Change,
}

impl Chosen<'_> {
    /// A move that consists of a switch.
    pub(crate) fn bare(last: Change) -> Chosen<'static> {
        Chosen { changes: &[], pair: None, last }
    }

    pub(crate) fn is_bare(&self) -> bool {
        self.changes.is_empty() && self.pair.is_none()
    }
}

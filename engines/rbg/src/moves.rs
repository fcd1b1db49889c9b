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
    /// Where each of the moves has an edge of its own before the switch, at a cell this many before
    /// that of the switch: that edge, and how many. Where it is none, the edge's tail follows.
    pair: Option<(u32, i32)>,
    cells: Place<W>,
    /// Moves of this group and all before it.
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

    /// How much room they take.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Change>() * self.changes.len() + size_of::<Group<W>>() * self.groups.len()
    }

    /// How many there are.
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

    /// Move `n`.
    #[inline]
    pub(crate) fn get(&self, n: u32) -> Option<Chosen<'_>> {
        let at = if self.groups.len() <= 16 {
            self.groups.iter().position(|group| n < group.upto)?
        } else {
            self.groups.partition_point(|group| group.upto <= n)
        };
        let group = self.groups.get(at)?;
        let cell = match &group.cells {
            Place::Set(set) => {
                let before = if at == 0 { 0 } else { self.groups[at - 1].upto };
                set.nth(n - before)?
            }
            other => other.first(),
        };
        let changes = &self.changes[group.start as usize..group.end as usize];
        let pair =
            group.pair.map(|(edge, by)| Change { edge, cell: (i32::from(cell) - by) as u16 });
        Some(Chosen { changes, pair, last: Change { edge: group.edge, cell } })
    }
}

/// One move: its changes, perhaps more that are known otherwise, and the switch that ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen<'m> {
    pub(crate) changes: &'m [Change],
    /// An edge, behind which its tail follows.
    pub(crate) pair: Option<Change>,
    pub(crate) last: Change,
}

impl Chosen<'_> {
    /// A move that is nothing but a switch.
    pub(crate) fn bare(last: Change) -> Chosen<'static> {
        Chosen { changes: &[], pair: None, last }
    }

    pub(crate) fn is_bare(&self) -> bool {
        self.changes.is_empty() && self.pair.is_none()
    }
}

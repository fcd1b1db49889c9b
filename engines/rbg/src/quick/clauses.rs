//! Patterns that are lists of "all of these cells hold such pieces", compared without a branch.

use kernel::build::ProgramBuilder;
use kernel::ir::{SetTable, Table};

use super::Cells;
use crate::program::Masks;

/// Clauses of one class that each cell has, at most; more are gone through one by one.
const MOST_AT_ONCE: usize = 16;

/// The clauses of each cell, as masks of one or two classes.
#[derive(Debug)]
pub(crate) struct Clauses {
    cells: [Cells; 2],
    /// Where those of each cell begin; at the end, where the last end.
    starts: Vec<u32>,
    firsts: Box<[u64]>,
    seconds: Box<[u64]>,
}

/// Clauses as constant tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClauseTables {
    /// As many of each cell, the same again and again where it has fewer; and the cells that have
    /// any.
    Equal { masks: SetTable, each: i32, some: u64 },
    /// Masks of two classes, and where those of each cell begin.
    Pairs { starts: Table, firsts: SetTable, seconds: SetTable },
}

impl Clauses {
    /// From masks of one or two classes; none where there are too many.
    pub(crate) fn new(masks: &Masks, cells: [Cells; 2]) -> Option<Clauses> {
        let mut starts = vec![0];
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        for cell in 0..64 {
            let (start, end) = masks.ranges.get(cell).copied().unwrap_or_default();
            let range = start as usize..end as usize;
            firsts.extend_from_slice(masks.firsts.get(range.clone())?);
            seconds.extend_from_slice(masks.seconds.get(range).unwrap_or_default());
            starts.push(u32::try_from(firsts.len()).ok()?);
        }
        let clauses = Clauses { cells, starts, firsts: firsts.into(), seconds: seconds.into() };
        (clauses.is_of_pairs() || clauses.most() <= MOST_AT_ONCE).then_some(clauses)
    }

    /// The classes, in the order of their masks.
    pub(super) fn cells(&self) -> [Cells; 2] {
        self.cells
    }

    /// The cells that have any clause.
    pub(super) fn some(&self) -> u64 {
        (0..64).filter(|&cell| !self.of(cell).is_empty()).fold(0, |some, cell| some | 1 << cell)
    }

    fn of(&self, cell: usize) -> &[u64] {
        &self.firsts[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    fn is_of_pairs(&self) -> bool {
        !self.seconds.is_empty()
    }

    fn most(&self) -> usize {
        (0..64).map(|cell| self.of(cell).len()).max().unwrap_or(0)
    }

    /// How large it is, about.
    pub(super) fn bytes(&self) -> usize {
        8 * 64 * MOST_AT_ONCE + size_of_val(&*self.firsts) + size_of_val(&*self.seconds)
    }

    pub(super) fn tables(&self, program: &mut ProgramBuilder) -> ClauseTables {
        if self.is_of_pairs() {
            let starts: Vec<i32> = self.starts.iter().map(|&start| start as i32).collect();
            return ClauseTables::Pairs {
                starts: program.table(starts),
                firsts: program.set_table(self.firsts.clone()),
                seconds: program.set_table(self.seconds.clone()),
            };
        }
        let each = self.most();
        let mut masks = vec![0; 64 * each];
        for (cell, masks) in masks.chunks_exact_mut(each.max(1)).enumerate() {
            let of = self.of(cell).iter().cycle();
            masks.iter_mut().zip(of).for_each(|(mask, of)| *mask = *of);
        }
        let masks = program.set_table(masks);
        ClauseTables::Equal { masks, each: each as i32, some: self.some() }
    }
}

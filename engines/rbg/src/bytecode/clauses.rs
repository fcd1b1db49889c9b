//! Patterns that are lists of "all of these cells hold such pieces", compared without a branch.

use kernel::build::ProgramBuilder;
use kernel::ir::{SetTable, Table};

use super::{CellSet, Cells};
use crate::program::Masks;

/// Clauses of one class that each cell has, at most; more are gone through one by one.
const MOST_AT_ONCE: usize = 16;

/// The clauses of each cell, as masks of one or two classes.
#[derive(Debug)]
pub(crate) struct Clauses {
    cells: [Cells; 2],
    /// The first clause of each cell; at the end, the number of all.
    starts: Vec<u32>,
    firsts: Box<[CellSet]>,
    seconds: Box<[CellSet]>,
}

/// Clauses as constant tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClauseTables {
    /// As many of each cell, the same again and again where it has fewer; and the cells that have
    /// any.
    Equal { masks: SetTable, each: i32, some: CellSet },
    /// Masks of two classes, and where those of each cell begin.
    Pairs { starts: Table, firsts: SetTable, seconds: SetTable },
}

impl Clauses {
    /// From masks of one or two classes; none where there are too many.
    pub(crate) fn new<const W: usize>(masks: &Masks<W>, cells: [Cells; 2]) -> Option<Clauses> {
        let mut starts = vec![0];
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        for cell in 0..64 * W {
            let (start, end) = masks.ranges.get(cell).copied().unwrap_or_default();
            let range = start as usize..end as usize;
            firsts.extend(masks.firsts.get(range.clone())?.iter().map(|set| set.resized()));
            let second = masks.seconds.get(range).unwrap_or_default();
            seconds.extend(second.iter().map(|set| set.resized()));
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
    pub(super) fn some(&self) -> CellSet {
        let mut some = CellSet::EMPTY;
        let asked = (0..self.room()).filter(|&cell| !self.of(cell).is_empty());
        asked.for_each(|cell| some.insert(cell as u16));
        some
    }

    /// The number of cells that a set has room for.
    fn room(&self) -> usize {
        self.starts.len() - 1
    }

    fn of(&self, cell: usize) -> &[CellSet] {
        &self.firsts[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    fn is_of_pairs(&self) -> bool {
        !self.seconds.is_empty()
    }

    /// The most that a cell has.
    pub(super) fn most(&self) -> usize {
        (0..self.room()).map(|cell| self.of(cell).len()).max().unwrap_or(0)
    }

    /// Its size in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<CellSet>() * self.room() * MOST_AT_ONCE
            + size_of_val(&*self.firsts)
            + size_of_val(&*self.seconds)
    }

    pub(super) fn tables(&self, program: &mut ProgramBuilder, words: usize) -> ClauseTables {
        if self.is_of_pairs() {
            let starts: Vec<i32> = self.starts.iter().map(|&start| start as i32).collect();
            return ClauseTables::Pairs {
                starts: program.table(starts),
                firsts: program.set_table(words_of(&self.firsts, words)),
                seconds: program.set_table(words_of(&self.seconds, words)),
            };
        }
        let each = self.most();
        let masks = (0..self.room()).flat_map(|cell| {
            // Those that have none are left out by `some`.
            let of = self.of(cell).iter().cycle().take(each).copied();
            of.chain(std::iter::repeat(CellSet::EMPTY)).take(each)
        });
        let masks = program.set_table(words_of(&masks.collect::<Vec<_>>(), words));
        ClauseTables::Equal { masks, each: each as i32, some: self.some() }
    }
}

/// The words of sets, one set after the other.
pub(super) fn words_of(sets: &[CellSet], words: usize) -> Vec<u64> {
    sets.iter().flat_map(|set| &set.words[..words]).copied().collect()
}

//! What is kept of pieces that are only ever put: how long the rows are that the last one stands
//! in, and which goals its group touches.

use kernel::build::ProgramBuilder;
use kernel::ir::{SetTable, Table};
use kernel::views::Groups;

use super::CellSet;
use super::arrays::KEPT;
use super::clauses::words_of;
use crate::description::Piece;

/// Pieces in a row up to which shifts tell of it.
const LONGEST_SHIFTED: usize = 5;

/// Numbers that are kept of one piece. Tests are bits of a number.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) piece: Piece,
    pub(crate) rows: Vec<Rows>,
    pub(crate) links: Vec<Links>,
    /// The number of tests.
    pub(crate) tests: u8,
}

/// Lines in which rows of a piece count.
#[derive(Debug)]
pub(crate) struct Rows {
    /// For each direction the lines, apart from each other, as cells.
    pub(crate) lines: Vec<Vec<Vec<u16>>>,
    /// The tests that rules ask for, and the bit of each.
    pub(crate) tests: Vec<(RowTest, u8)>,
}

/// A test that is true if so many pieces stand in a row, or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowTest {
    pub(crate) long: usize,
    /// True if more do not count.
    pub(crate) exact: bool,
}

/// Cells that are neighbours, and goals that groups touch.
#[derive(Debug)]
pub(crate) struct Links {
    pub(crate) near: Vec<CellSet>,
    /// Goals that are asked for, and the bits of these tests.
    pub(crate) tests: Vec<(CellSet, u8)>,
}

impl Kept {
    /// The number of numbers that are kept.
    pub(crate) fn numbers(&self) -> usize {
        let rows: usize = self.rows.iter().map(Rows::numbers).sum();
        rows + self.links.iter().map(Links::numbers).sum::<usize>()
    }

    /// Numbers of rows that are looked at, on a board of so many cells.
    pub(crate) fn row_numbers(&self, cells: usize) -> usize {
        let kept = self.rows.iter().filter(|rows| rows.steps(cells).is_none());
        kept.map(Rows::numbers).sum()
    }
}

/// A step of a line: the distance in cells, and the cells from which it goes on.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) by: i32,
    pub(super) from: CellSet,
}

/// The place of cells that are on no line, and that of the first line's first cell: beside each,
/// and behind each line, is a place where nothing is kept.
const ON_NO_LINE: usize = 1;
const FIRST: usize = 3;

impl Rows {
    /// The number of numbers that are kept: one for each place.
    pub(crate) fn numbers(&self) -> usize {
        let lines = self.lines.iter().flatten();
        FIRST + lines.map(|line| line.len() + 1).sum::<usize>() + 1
    }

    /// The step of each direction, if shifts of sets find rows.
    fn steps(&self, cells: usize) -> Option<Vec<Step>> {
        let is_short = |(test, _): &(RowTest, u8)| !test.exact && test.long <= LONGEST_SHIFTED;
        if cells > 64 || !self.tests.iter().all(is_short) {
            return None;
        }
        let step = |lines: &Vec<Vec<u16>>| {
            let mut steps = lines
                .iter()
                .flat_map(|line| line.windows(2))
                .map(|two| (i32::from(two[1]) - i32::from(two[0]), two[0]));
            let (by, first) = steps.next()?;
            let mut from = CellSet::single(first);
            steps
                .all(|(other, cell)| {
                    from.insert(cell);
                    other == by
                })
                .then_some(Step { by, from })
        };
        self.lines.iter().map(step).collect()
    }

    /// For each cell and direction where rows begin that go through the cell.
    fn starts(&self, cells: usize, long: usize) -> Vec<CellSet> {
        let width = self.lines.len();
        let mut starts = vec![CellSet::EMPTY; cells * width];
        for (direction, lines) in self.lines.iter().enumerate() {
            for row in lines.iter().flat_map(|line| line.windows(long)) {
                for &cell in row {
                    starts[usize::from(cell) * width + direction].insert(row[0]);
                }
            }
        }
        starts
    }

    /// The place of each cell in each direction, from a first number on.
    fn places(&self, cells: usize, first: i32) -> Vec<i32> {
        let width = self.lines.len();
        let mut of_cell = vec![first + ON_NO_LINE as i32; cells * width];
        let mut next = first + FIRST as i32;
        for (direction, lines) in self.lines.iter().enumerate() {
            for line in lines {
                for &cell in line {
                    of_cell[usize::from(cell) * width + direction] = next;
                    next += 1;
                }
                next += 1;
            }
        }
        of_cell
    }
}

/// [`Kept`] as constant tables.
pub(super) struct KeptTables {
    pub(super) rows: Vec<RowTables>,
    pub(super) links: Vec<LinkTables>,
}

#[derive(Clone)]
pub(super) struct RowTables {
    pub(super) from: RowsFrom,
    pub(super) tests: Vec<(RowTest, u8)>,
}

/// The data in which rows of pieces are found.
#[derive(Clone)]
pub(super) enum RowsFrom {
    /// Numbers that are kept: where for each cell, by direction, of so many.
    Lengths { places: Table, width: i32 },
    /// Shifts, by direction; and for each test where rows begin that go through a cell, by
    /// direction.
    Shifts { steps: Vec<Step>, starts: Vec<SetTable> },
}

#[derive(Clone, Copy)]
pub(super) struct LinkTables {
    pub(super) near: SetTable,
    /// The tests that hold of a group that has a cell.
    pub(super) goals: Table,
    /// The groups, marked by the tests that hold of them.
    pub(super) groups: Groups,
}

/// The tables of all pieces.
pub(super) fn tables(kept: &[Kept], words: usize, program: &mut ProgramBuilder) -> Vec<KeptTables> {
    let cells = 64 * words;
    // Rows come first, so that they can be forgotten.
    let rows: usize = kept.iter().map(|kept| kept.row_numbers(cells)).sum();
    let (mut of_rows, mut of_links) = (0, rows as i32);
    let room = |first: &mut i32, numbers: usize| {
        *first += numbers as i32;
        *first - numbers as i32
    };
    kept.iter()
        .map(|kept| KeptTables {
            rows: (kept.rows.iter())
                .map(|rows| {
                    let tests = rows.tests.clone();
                    if let Some(steps) = rows.steps(cells) {
                        let starts = tests.iter().map(|(test, _)| rows.starts(cells, test.long));
                        let starts =
                            starts.map(|starts| program.set_table(words_of(&starts, words)));
                        let from = RowsFrom::Shifts { steps, starts: starts.collect() };
                        return RowTables { from, tests };
                    }
                    let first = room(&mut of_rows, rows.numbers());
                    let places = program.table(rows.places(cells, first));
                    let width = rows.lines.len() as i32;
                    RowTables { from: RowsFrom::Lengths { places, width }, tests }
                })
                .collect(),
            links: (kept.links.iter())
                .map(|links| LinkTables {
                    near: program.set_table(words_of(&links.near, words)),
                    goals: program
                        .table((0..cells as u16).map(|cell| links.held(cell)).collect::<Vec<_>>()),
                    groups: Groups {
                        array: KEPT,
                        parents: room(&mut of_links, cells),
                        marks: room(&mut of_links, cells),
                        mask: cells as i32 - 1,
                        first: 0,
                    },
                })
                .collect(),
        })
        .collect()
}

impl Links {
    /// The number of numbers that are kept.
    pub(crate) fn numbers(&self) -> usize {
        2 * self.near.len()
    }

    /// The tests that hold of a group that has a cell.
    fn held(&self, cell: u16) -> i32 {
        let held = self.tests.iter().filter(|(goal, _)| goal.contains(cell));
        held.fold(0, |all, (_, bit)| all | 1 << bit)
    }
}

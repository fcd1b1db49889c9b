//! What is kept of pieces that are only ever put: how long the rows are that the last one stands in, and
//! which goals its group touches.
//!
//! Rows are kept at their ends, so a piece needs the numbers on both sides of it in every direction. On boards
//! of one word nothing is kept of short ones: shifts of the set of all pieces tell as quickly. Groups
//! are a union-find forest (Tarjan 1975, with path halving). What earlier playouts have left of rows is
//! forgotten when another begins; of groups it is never looked at, for no piece stands there.

use kernel::build::ProgramBuilder;
use kernel::ir::{Block, Expr, HostId, Local, SetTable, Stmt, Table, Type};

use super::CellSet;
use super::arrays::{KEPT, MOST_KEPT, Service};
use super::clauses::words_of;
use super::code::Coder;
use crate::description::Piece;

/// Pieces in a row up to which shifts tell of it.
const LONGEST_SHIFTED: usize = 5;

/// What is kept of one piece. Tests are bits of a number.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) piece: Piece,
    pub(crate) rows: Vec<Rows>,
    pub(crate) links: Vec<Links>,
    /// How many tests there are.
    pub(crate) tests: u8,
}

/// Lines in which rows of a piece count.
#[derive(Debug)]
pub(crate) struct Rows {
    /// For each direction the lines, apart from each other, as cells.
    pub(crate) lines: Vec<Vec<Vec<u16>>>,
    /// What is asked for, and the bits of these tests.
    pub(crate) tests: Vec<(RowTest, u8)>,
}

/// Whether so many pieces stand in a row, or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowTest {
    pub(crate) long: usize,
    /// Whether more do not count.
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
    /// How many numbers are kept, of a board of so many cells.
    pub(crate) fn numbers(&self, cells: usize) -> usize {
        let rows: usize = self.rows.iter().map(|rows| rows.numbers(cells)).sum();
        rows + self.links.iter().map(Links::numbers).sum::<usize>()
    }

    /// Numbers of rows that are looked at.
    fn row_numbers(&self, cells: usize) -> usize {
        let kept = self.rows.iter().filter(|rows| rows.steps(cells).is_none());
        kept.map(|rows| rows.numbers(cells)).sum()
    }
}

/// How a line goes on: by how many cells, and from which.
#[derive(Clone, Copy)]
struct Step {
    by: i32,
    from: CellSet,
}

/// Every line as a stretch of places, with a free one between lines.
struct Places {
    /// By cell and direction.
    of_cell: Vec<i32>,
    number: usize,
}

impl Rows {
    /// How many numbers are kept, of a board of so many cells.
    pub(crate) fn numbers(&self, cells: usize) -> usize {
        self.places(cells).number
    }

    /// How the lines of each direction go on, where shifts tell of rows.
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

    fn places(&self, cells: usize) -> Places {
        let width = self.lines.len();
        // Cells that are on no line have a place that nobody looks at from beside it.
        let mut of_cell = vec![1; cells * width];
        let mut next = 3;
        for (direction, lines) in self.lines.iter().enumerate() {
            for line in lines {
                for &cell in line {
                    of_cell[usize::from(cell) * width + direction] = next;
                    next += 1;
                }
                next += 1;
            }
        }
        Places { of_cell, number: next as usize + 1 }
    }
}

/// [`Kept`] as constant tables.
pub(super) struct KeptTables {
    rows: Vec<RowTables>,
    links: Vec<LinkTables>,
}

#[derive(Clone)]
struct RowTables {
    from: RowsFrom,
    tests: Vec<(RowTest, u8)>,
}

/// What tells of rows.
#[derive(Clone)]
enum RowsFrom {
    /// Numbers that are kept: where for each cell, by direction, of so many.
    Lengths { places: Table, width: i32 },
    /// Shifts, by direction; and for each test where rows begin that go through a cell, by direction.
    Shifts { steps: Vec<Step>, starts: Vec<SetTable> },
}

#[derive(Clone, Copy)]
struct LinkTables {
    near: SetTable,
    /// The tests that hold of a group that has a cell.
    goals: Table,
    /// Where another cell of the group is kept for each cell, and the tests that hold of the group.
    parents: i32,
    held: i32,
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
                    let places = rows.places(cells);
                    let first = room(&mut of_rows, places.number);
                    let of_cell: Vec<i32> = places.of_cell.iter().map(|at| first + at).collect();
                    let (places, width) = (program.table(of_cell), rows.lines.len() as i32);
                    RowTables { from: RowsFrom::Lengths { places, width }, tests }
                })
                .collect(),
            links: (kept.links.iter())
                .map(|links| LinkTables {
                    near: program.set_table(words_of(&links.near, words)),
                    goals: program
                        .table((0..cells as u16).map(|cell| links.held(cell)).collect::<Vec<_>>()),
                    parents: room(&mut of_links, cells),
                    held: room(&mut of_links, cells),
                })
                .collect(),
        })
        .collect()
}

impl Links {
    /// How many numbers are kept.
    pub(crate) fn numbers(&self) -> usize {
        2 * self.near.len()
    }

    /// The tests that hold of a group that has a cell.
    fn held(&self, cell: u16) -> i32 {
        let held = self.tests.iter().filter(|(goal, _)| goal.contains(cell));
        held.fold(0, |all, (_, bit)| all | 1 << bit)
    }
}

/// A number that is kept.
fn number(at: Expr) -> Expr {
    KEPT.at(within(at))
}

/// An index that is within what is kept whatever comes.
fn within(at: Expr) -> Expr {
    at.and_bits(MOST_KEPT as i32 - 1)
}

impl Coder<'_> {
    /// Takes note of a piece that has been put on the current cell, if anything is kept of it.
    pub(super) fn note_kept(&mut self, piece: Piece) {
        if let Some(kept) = self.quick.kept.iter().position(|kept| kept.piece == piece) {
            self.keep(kept, self.vars.cell, self.piece(piece));
        }
    }

    /// Takes note of a piece on a cell, of which some others are known, and of the tests that hold of it.
    fn keep(&mut self, kept: usize, cell: Local, own: Expr) {
        let held = self.vars.held[kept];
        self.set(held, 0);
        for rows in self.tables.kept[kept].rows.clone() {
            let holds = match rows.from {
                RowsFrom::Lengths { places, width } => {
                    self.by_lengths(places, width, &rows.tests, cell)
                }
                RowsFrom::Shifts { steps, starts } => {
                    self.by_shifts(&steps, &starts, &rows.tests, cell, own.clone())
                }
            };
            for ((_, bit), holds) in rows.tests.iter().zip(holds) {
                self.set(held, held.get().or_bits(holds.shifted_left(i32::from(*bit))));
            }
        }
        for links in self.tables.kept[kept].links.clone() {
            self.join_groups(links, cell, own.clone(), held);
        }
    }

    /// Whether tests hold of the rows that a piece makes on a cell.
    fn by_lengths(
        &mut self,
        places: Table,
        width: i32,
        tests: &[(RowTest, u8)],
        cell: Local,
    ) -> Vec<Expr> {
        let rows = self.join_rows(places, width, cell);
        let any =
            |exprs: Vec<Expr>| exprs.into_iter().reduce(Expr::or_bits).unwrap_or(Expr::Int(0));
        let longest = self.local(Type::Int);
        let all = rows.iter().map(|row| row.get()).reduce(Expr::max);
        self.set(longest, all.unwrap_or(Expr::Int(0)));
        let holds = |&(RowTest { long, exact }, _): &(RowTest, u8)| {
            let long = long as i32;
            if exact {
                any(rows.iter().map(|row| row.get().equals(long)).collect())
            } else {
                longest.get().at_least(long)
            }
        };
        tests.iter().map(holds).collect()
    }

    /// As [`Coder::by_lengths`], with the cells of all pieces of the kind at hand.
    fn by_shifts(
        &mut self,
        steps: &[Step],
        starts: &[SetTable],
        tests: &[(RowTest, u8)],
        cell: Local,
        own: Expr,
    ) -> Vec<Expr> {
        let at = self.local(Type::Int);
        let cells = 64 * self.extent.words as i32;
        self.set(at, cell.get().and_bits(cells - 1) * steps.len() as i32);
        let found: Vec<Local> = tests.iter().map(|_| self.local(Type::Set)).collect();
        let most = tests.iter().map(|(test, _)| test.long).max().unwrap_or(0);
        for (direction, step) in (0..).zip(steps) {
            // Where two in a row begin, then three, ...
            let two = self.local(Type::Set);
            let from = self.constant(step.from);
            self.set(two, own.clone() & from & own.clone().shift(-step.by));
            let row = self.local(Type::Set);
            self.set(row, two);
            for long in 2..=most {
                if long > 2 {
                    self.set(row, row.get() & two.get().shift(-step.by * (long as i32 - 2)));
                }
                for (test, found) in (0..tests.len()).zip(&found) {
                    if tests[test].0.long == long {
                        let through = starts[test].at(at.get() + direction);
                        let all = row.get() & through;
                        let so_far = if direction == 0 { all } else { found.get() | all };
                        self.set(*found, so_far);
                    }
                }
            }
        }
        found.iter().map(|found| found.get().is_inhabited()).collect()
    }

    /// The lengths of the rows that a piece makes, in each direction.
    fn join_rows(&mut self, places: Table, width: i32, cell: Local) -> Vec<Local> {
        let first = self.local(Type::Int);
        let cells = 64 * self.extent.words as i32;
        self.set(first, cell.get().and_bits(cells - 1) * width);
        // What is read in one direction does not depend on what is written in another.
        let read: Vec<[Local; 3]> = (0..width)
            .map(|direction| {
                let [place, before, after] = [Type::Int; 3].map(|of| self.local(of));
                self.set(place, places.at(first.get() + direction));
                for (run, beside) in [(before, -1), (after, 1)] {
                    self.set(run, KEPT.at(place.get() + beside));
                }
                [place, before, after]
            })
            .collect();
        read.into_iter()
            .map(|[place, before, after]| {
                let row = self.local(Type::Int);
                self.set(row, before.get() + after.get() + 1);
                for end in [place.get() - before.get(), place.get() + after.get()] {
                    self.store(KEPT, within(end), row);
                }
                row
            })
            .collect()
    }

    /// Joins a piece with the groups around it.
    fn join_groups(&mut self, links: LinkTables, cell: Local, own: Expr, held: Local) {
        let cells = 64 * self.extent.words as i32;
        let at = |first: i32, cell: Expr| cell.and_bits(cells - 1) + first;
        let [root, near, other, up, above] = [Type::Int; 5].map(|of| self.local(of));
        let touched = self.local(Type::Int);
        self.set(root, cell);
        self.set(touched, links.goals.at(cell.get().and_bits(cells - 1)));
        self.store(KEPT, at(links.parents, cell.get()), cell);
        let around = own & links.near.at(cell);
        let find: Block = self.block(|coder| {
            coder.set(above, number(at(links.parents, up.get())));
            coder.store(KEPT, at(links.parents, other.get()), above);
            coder.set(other, above);
            coder.set(up, number(at(links.parents, other.get())));
        });
        let join = self.block(|coder| {
            coder.set(other, near);
            coder.set(up, number(at(links.parents, other.get())));
            coder.push(Stmt::While(up.get().differs(other), find));
            coder.when(other.get().differs(root), |coder| {
                let more = number(at(links.held, other.get()));
                coder.set(touched, touched.get().or_bits(more));
                // The older tree is likely the larger one.
                coder.store(KEPT, at(links.parents, root.get()), other);
                coder.set(root, other);
            });
        });
        self.push(Stmt::ForEach(near, around, join));
        self.store(KEPT, at(links.held, root.get()), touched);
        self.set(held, held.get().or_bits(touched));
    }

    /// Forgets all pieces, and takes note of those that are there; of each piece perhaps it is known
    /// that there are none.
    pub(super) fn renew_kept(&mut self, is_there: impl Fn(Piece) -> bool) {
        let cells = 64 * self.extent.words;
        let rows: usize = self.quick.kept.iter().map(|kept| kept.row_numbers(cells)).sum();
        if rows > 0 {
            let forget = HostId(Service::Forget as u32);
            self.push(Stmt::Eval(forget.call(vec![Expr::Int(rows as i32)])));
        }
        for kept in 0..self.quick.kept.len() {
            let Kept { piece, links, .. } = &self.quick.kept[kept];
            let keeps = !links.is_empty() || self.quick.kept[kept].row_numbers(cells) > 0;
            if !keeps || !is_there(*piece) {
                continue;
            }
            let (cell, so_far) = (self.local(Type::Int), self.local(Type::Set));
            self.set(so_far, Expr::NoSites);
            let body = self.block(|coder| {
                coder.keep(kept, cell, so_far.get());
                coder.set(so_far, so_far.get() | Expr::single(cell));
            });
            self.push(Stmt::ForEach(cell, self.piece(*piece), body));
        }
    }
}

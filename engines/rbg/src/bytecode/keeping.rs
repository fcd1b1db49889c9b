//! Taking note of pieces that are put, as statements.
//!
//! Rows are kept at their ends, so a piece needs the numbers on both sides of it in every
//! direction. On boards of one word nothing is kept of short ones: shifts of the set of all pieces
//! tell as quickly. Groups are a union-find forest (Tarjan 1975, with path halving). What earlier
//! playouts have left of rows is forgotten when another begins; of groups it is never looked at,
//! for no piece stands there.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr, Local, SetTable, Stmt, Table, Type};

use super::arrays::{KEPT, MOST_KEPT};
use super::code::Coder;
use super::kept::{Kept, LinkTables, RowTest, RowsFrom, Step};
use crate::description::Piece;

/// An index that is within what is kept whatever comes. (Masks of the lengths that are read
/// made Gomoku slower by 15 %.)
fn within(at: Expr) -> Expr {
    at.and_bits(MOST_KEPT as i32 - 1)
}

impl Coder<'_> {
    /// Takes note of a piece that has been put on the current cell, if anything is kept of it.
    pub(super) fn note_kept(&mut self, piece: Piece) {
        if let Some(kept) = self.bytecode.kept.iter().position(|kept| kept.piece == piece) {
            self.keep(kept, self.vars.cell, self.piece(piece));
        }
    }

    /// Takes note of a piece on a cell, of which some others are known, and of the tests that hold
    /// of it.
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

    /// For each test 1 if it holds of the rows that a piece makes on a cell.
    fn by_lengths(
        &mut self,
        places: Table,
        width: i32,
        tests: &[(RowTest, u8)],
        cell: Local,
    ) -> Vec<Expr> {
        let rows = self.join_rows(places, width, cell);
        let longest = self.local(Type::Int);
        let all = rows.iter().map(|row| row.get()).reduce(Expr::max);
        self.set(longest, all.unwrap_or(Expr::Int(0)));
        let holds = |&(RowTest { long, exact }, _): &(RowTest, u8)| {
            let long = long as i32;
            if exact {
                let any = rows.iter().map(|row| row.get().equals(long)).reduce(Expr::or_bits);
                any.unwrap_or(Expr::Int(0))
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
        self.set(at, cell.get() * steps.len() as i32);
        let found: Vec<Local> = tests.iter().map(|_| self.local(Type::Set)).collect();
        let most = tests.iter().map(|(test, _)| test.long).max().unwrap_or(0);
        for (direction, step) in (0..).zip(steps) {
            // Where two in a row begin, then three, ...
            let two = self.local(Type::Set);
            let before = self.stepped_back(own.clone(), step.by, step.from);
            self.set(two, own.clone() & before);
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
        self.set(first, cell.get() * width);
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
        let around = own & links.near.at(cell);
        let goals = links.goals.at(self.on_board(cell.get()));
        let touched = links.groups.join(self, cell.get(), around, goals);
        self.set(held, held.get().or_bits(touched));
    }

    /// Forgets all pieces, and takes note of those that are there; of each piece perhaps it is
    /// known that there are none.
    pub(super) fn renew_kept(&mut self, is_there: impl Fn(Piece) -> bool) {
        let cells = 64 * self.extent.words;
        let rows: usize = self.bytecode.kept.iter().map(|kept| kept.row_numbers(cells)).sum();
        if rows > 0 {
            self.push(Stmt::Clear(KEPT, rows as u32));
        }
        for kept in 0..self.bytecode.kept.len() {
            let Kept { piece, links, .. } = &self.bytecode.kept[kept];
            let keeps = !links.is_empty() || self.bytecode.kept[kept].row_numbers(cells) > 0;
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

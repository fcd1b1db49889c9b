//! Maintained views of pieces that are only ever put: how long the rows are that a piece makes, and
//! which pieces hang together. The code that puts a piece keeps them, so that a test of the last
//! piece is a number at hand.

use crate::build::CodeBuilder;
use crate::ir::{Expr, Ints, Local, Table, Type};

/// The cells of lines as places beside each other, with a free place behind each line.
#[derive(Clone, Debug)]
pub struct Places {
    /// By cell and line, the place of the cell.
    pub of_cell: Vec<i32>,
    /// The numbers that are kept: one for each place, and more at both ends than a row is long.
    pub numbers: usize,
    /// One less than a power of two beyond the length of every row.
    pub mask: i32,
}

impl Places {
    /// For so many cells with so many lines each. A line is its cells, each with the number that
    /// the line has among those of the cell.
    pub fn new(cells: usize, width: usize, lines: &[Vec<(u16, usize)>]) -> Places {
        let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
        let margin = (longest + 1).next_power_of_two();
        // Cells that are on no line have one place, with a free one on either side.
        let mut of_cell = vec![margin as i32 + 1; cells * width];
        let mut next = margin + 3;
        for line in lines {
            for &(cell, number) in line {
                of_cell[usize::from(cell) * width + number] = next as i32;
                next += 1;
            }
            next += 1;
        }
        Places { of_cell, numbers: next + margin, mask: margin as i32 - 1 }
    }
}

/// The lengths of the rows of pieces, each at both ends of its row: a piece needs the numbers
/// beside its place on every line.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// The array of the lengths.
    pub lengths: Ints,
    /// By cell and line, the [place](Places) of the cell.
    pub places: Table,
    /// The number of lines of a cell.
    pub width: i32,
    /// See [`Places::mask`].
    pub mask: i32,
}

impl Rows {
    /// Takes note of a piece on a cell, of a kind whose lengths begin with a number of the array;
    /// the length of the row that it makes on each line.
    pub fn join(self, code: &mut impl CodeBuilder, cell: Expr, first: &Expr) -> Vec<Local> {
        let row = code.var(Type::Int, cell * self.width);
        // What is read on one line does not depend on what is written on another.
        let read: Vec<[Local; 3]> = (0..self.width)
            .map(|line| {
                let place = self.places.at(row.get() + line) + first.clone();
                let place = code.var(Type::Int, place);
                let [before, after] = [-1, 1].map(|beside| {
                    let length = self.lengths.at(place.get() + beside);
                    code.var(Type::Int, length.and_bits(self.mask))
                });
                [place, before, after]
            })
            .collect();
        read.into_iter()
            .map(|[place, before, after]| {
                let length = code.var(Type::Int, before.get() + after + 1);
                for end in [place.get() - before, place.get() + after] {
                    code.store(self.lengths, end, length);
                }
                length
            })
            .collect()
    }
}

/// Groups of pieces that hang together: a union-find forest (Tarjan 1975, with path halving), and
/// marks of each group, as bits.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The array of the numbers that are kept.
    pub array: Ints,
    /// Where the parent of each cell is in it.
    pub parents: i32,
    /// Where the marks of each root are.
    pub marks: i32,
    /// One less than the power of two that there are numbers of cells.
    pub mask: i32,
    /// The number that stands for cell 0. If it is 1, no note may have been taken of some pieces,
    /// whose parents are 0.
    pub first: i32,
}

impl Groups {
    /// Takes note of a piece on a cell, with marks of its own, and joins it with the groups around
    /// it, given the pieces there; the marks of its group.
    pub fn join(self, code: &mut impl CodeBuilder, cell: Expr, around: Expr, marks: Expr) -> Local {
        let Groups { array, parents, marks: held, mask, first } = self;
        let at = |numbers: i32, cell: Local| cell.get().and_bits(mask) + numbers;
        let parent = |cell: Local| array.at(at(parents, cell));
        let numbered = |cell: Expr| if first == 0 { cell } else { cell + first };
        let root = code.var(Type::Int, numbered(cell));
        let all = code.var(Type::Int, marks);
        code.store(array, at(parents, root), root);
        code.for_each(around, |code, near| {
            let other = code.var(Type::Int, numbered(near.get()));
            let up = code.var(Type::Int, parent(other));
            code.repeat(up.get().differs(other), |code| {
                let above = code.var(Type::Int, parent(up));
                code.store(array, at(parents, other), above);
                code.set(other, above);
                code.set(up, parent(other));
            });
            let is_another = other.get().differs(root);
            let joins =
                if first == 0 { is_another } else { other.get().differs(0).and(is_another) };
            code.when(joins, |code| {
                code.set(all, all.get().or_bits(array.at(at(held, other))));
                // The older tree is likely the larger one.
                code.store(array, at(parents, root), other);
                code.set(root, other);
            });
        });
        code.store(array, at(held, root), all);
        all
    }
}

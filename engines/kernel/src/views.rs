//! Maintained views of pieces that are only ever put: the groups that they make. The code that puts
//! a piece keeps them, so that a test of the last piece is a number at hand.

use crate::build::CodeBuilder;
use crate::ir::{Expr, Ints, Local, Type};

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

//! What follows an edge, as functions from sets of cells to sets of cells: the form of set-wise
//! generators.

use crate::bits::Bits;
use crate::description::Piece;
use crate::place::Change;
use crate::relation::Line;

/// Classes that a set-wise generator asks for, the one of all pieces among them.
pub(crate) const MOST_CLASSES: usize = 8;
/// Steps behind one another.
pub(crate) const MOST_DEPTH: usize = 16;

/// What follows an edge.
#[derive(Clone, Debug)]
pub(crate) struct SetwiseGenerator {
    pub(crate) tree: Tree,
    pub(crate) unless: Option<ForbiddenPattern>,
}

/// A pattern that reads the same from all cells and is but a few set operations: whether they lead
/// anywhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reach {
    pub(crate) from: u64,
    pub(crate) tree: Tree,
}

/// A pattern that asks cells of a class, wherever they are, whether steps lead anywhere from there:
/// as set operations backwards, from all cells to those from which they do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Preimage {
    pub(crate) class: u32,
    pub(crate) tree: Tree,
}

/// Set operations behind one another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    /// The classes that set operations name by their places here, of which the first is any piece.
    pub(crate) classes: Box<[u32]>,
    /// Patterns that set operations name by their places here: chains of shifts and tests, any of
    /// which must lead somewhere.
    pub(crate) tests: Box<[Chains]>,
    /// Each before those that go on from it, the first without a set operation.
    pub(crate) nodes: Box<[Node]>,
}

/// Set operations one after another, and others.
pub(crate) type Chains = Box<[Box<[SetOp]>]>;

/// A pattern that must not hold at the end of moves. It reads the same from all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForbiddenPattern {
    pub(crate) pattern: u32,
    /// What the edge of the set-wise generator puts.
    pub(crate) piece: Piece,
    /// True if all else that is put is a piece of the class that the pattern asks, at the last
    /// cell, and the pattern does not look at cells of such pieces again. Otherwise nothing else
    /// that is put can bring it about.
    pub(crate) asked: bool,
}

/// A pattern that has been asked for: whether it holds, and where the piece of [`ForbiddenPattern`]
/// could bring it about.
pub(crate) type Known<const W: usize> = Option<(u32, Piece, Option<Bits<W>>)>;

/// A set operation and what follows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) set_op: SetOp,
    /// Set operations before this one.
    pub(crate) depth: u8,
    /// True if a pattern holds where it leads.
    pub(crate) goal: bool,
    /// Nodes to be skipped, this one counted, where the set operation leads nowhere.
    pub(crate) skip: u16,
    /// What happens where it leads: these of the program's leaves.
    pub(crate) leaves: (u32, u32),
}

/// A function from sets of cells to sets of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetOp {
    /// Stays on these cells.
    Within(u64),
    /// Stays where the piece is of a class.
    On(u8),
    /// Goes on by a number of cells, modulo 64, from these cells to those of a class.
    Shift { turn: u32, from: u64, class: u8 },
    /// Follows a function to cells of a class, and to the first other one if `hit`.
    Fill { fill: Line, class: u8, hit: bool },
    /// Follows a function any number of times, to cells of a class or, `test_first`, from them.
    Slide { line: Line, class: u8, test_first: bool },
    /// Stays if a comparison holds.
    If(u32),
    /// Stays where a pattern holds (or not).
    Test { negated: bool, test: u8 },
}

/// What happens where set operations have led.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Edges taken on the way, the one that the set-wise generator follows first.
    pub(crate) changes: Box<[(u32, EdgeCell)]>,
    /// Of a slide: by how many cells it goes on, and the depth of the set that it begins at.
    pub(crate) slide: Option<(i32, u8)>,
    pub(crate) end: End,
}

/// Where an edge was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeCell {
    /// So many cells before the last.
    Back(i32),
    /// Where the slide began.
    Begin,
}

/// How a leaf goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A switch ends the move.
    Switch(u32),
    /// A switch ends the move, before which the pattern of the set-wise generator must not hold.
    Tested(u32),
    /// All that this layer leads to is searched, cell by cell.
    Search(u32),
}

impl Leaf {
    /// The edges that it takes, given the last cell and the one where its slide began.
    #[inline(always)]
    pub(crate) fn changes(&self, last: u16, begin: u16) -> impl Iterator<Item = Change> {
        self.changes.iter().map(move |&(edge, spot)| {
            let cell = match spot {
                EdgeCell::Back(by) => (i32::from(last) - by) as u16,
                EdgeCell::Begin => begin,
            };
            Change { edge, cell }
        })
    }
}

/// The cell at which a slide by `by` cells began that ended here.
#[inline(always)]
pub(crate) fn beginning(end: u16, by: i32, begins: u64) -> u16 {
    let mut cell = end;
    // No slide is longer than the board.
    for _ in 0..64 {
        cell = (i32::from(cell) - by) as u16 % 64;
        if begins >> cell & 1 != 0 {
            break;
        }
    }
    cell
}

//! A game as the engine runs it.
//!
//! Actions that change nothing (shifts, tests, patterns) are *walks*: functions from sets of cells
//! to sets of cells. Actions that change something (offs, assignments, switches) are the edges of
//! an automaton. Between two edges lies a *layer*: from the cell of the first edge, walks lead to
//! the cells at which each of the next edges can be taken. As a layer computes with sets, no cell
//! is visited twice in it, and no visited marks are needed.

use std::sync::Arc;

use crate::bits::Bits;
use crate::bytecode::Bytecode;
use crate::description::{Piece, Var};
use crate::formula::{Compare, Formula};
use crate::rays::RaySet;
use crate::relation::Relation;
use crate::state::State;

/// A function from sets of cells to sets of cells: one step after another.
pub(crate) type Walk<const W: usize> = Box<[Step<W>]>;

/// One step of a walk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step<const W: usize> {
    /// Follows a relation with at most one cell from each.
    Func(u32),
    /// Follows a relation.
    Rel(u32),
    /// Leads from any cell to this set.
    Const(Bits<W>),
    /// Stays on these cells.
    Within(Bits<W>),
    /// Stays on cells with a piece of a class.
    On(u32),
    /// [`Step::Func`], then [`Step::On`].
    Move { relation: u32, class: u32 },
    /// Any of several relations, each to cells of a class.
    Terms(Box<[Term<W>]>),
    /// A function and a class any number of times. With `test_first` the class is tested before
    /// each step of the function, else after it.
    Slide { relation: u32, class: u32, test_first: bool },
    /// Any of several functions, each repeated at least once.
    Rays(Box<RaySet<W>>),
    /// Goes on if any of these cells holds a piece of a class, without which the following steps
    /// lead nowhere. It is applied to single cells; sets go on in any case.
    Guard { rows: Arc<[Bits<W>]>, class: u32 },
    /// A relation to cells of a class any number of times.
    Flood { rows: Arc<[Bits<W>]>, class: u32 },
    /// Any of several walks.
    Sum(Box<[Walk<W>]>),
    /// A walk any number of times.
    Star(Walk<W>),
    /// Stays on cells at which a pattern holds (or does not).
    Test { negated: bool, pattern: u32 },
    /// Stays if a comparison holds.
    Compare(u32),
}

impl<const W: usize> Step<W> {
    /// True if the step stays at a cell or leads nowhere.
    pub(crate) fn stays(&self) -> bool {
        match self {
            Step::On(_)
            | Step::Within(_)
            | Step::Guard { .. }
            | Step::Test { .. }
            | Step::Compare(_) => true,
            Step::Sum(walks) => walks.iter().all(|walk| walk.iter().all(Step::stays)),
            _ => false,
        }
    }

    /// True if it leads from a cell to at most one, in all states.
    pub(crate) fn is_small(&self) -> bool {
        matches!(
            self,
            Step::Func(_)
                | Step::Move { .. }
                | Step::On(_)
                | Step::Within(_)
                | Step::Guard { .. }
                | Step::Test { .. }
                | Step::Compare(_)
        )
    }
}

/// A relation to cells of a class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term<const W: usize> {
    pub(crate) relation: u32,
    /// The cells that it leads to from each cell.
    pub(crate) rows: Arc<[Bits<W>]>,
    /// The class; `None` for any piece.
    pub(crate) class: Option<u32>,
}

/// A set of pieces to test for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    pub(crate) pieces: Box<[Piece]>,
    /// The pieces as bits.
    pub(crate) mask: [u64; 4],
}

impl Class {
    pub(crate) fn new(pieces: &[Piece]) -> Class {
        let mut mask = [0; 4];
        for &piece in pieces {
            mask[usize::from(piece) / 64] |= 1 << (piece % 64);
        }
        Class { pieces: pieces.into(), mask }
    }

    #[inline(always)]
    pub(crate) fn has(&self, piece: Piece) -> bool {
        self.mask[usize::from(piece) / 64] >> (piece % 64) & 1 != 0
    }
}

/// The condition of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pattern<const W: usize> {
    /// A walk leads anywhere. The same walk backwards tests many cells at once.
    Walk { forward: Walk<W>, backward: Walk<W>, lines: Option<Lines<W>> },
    /// The automaton reaches an accepting edge from this layer.
    Search(u32),
}

/// A pattern as clauses, each a list of tests that must all hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lines<const W: usize> {
    /// The classes that tests refer to by their index here.
    pub(crate) classes: Box<[u32]>,
    /// The range of the tests of each cell.
    pub(crate) ranges: Box<[(u32, u32)]>,
    pub(crate) tests: Box<[LineTest]>,
    /// The clauses of each cell as masks, to be compared without a branch, if there are one or two
    /// classes.
    pub(crate) masks: Option<Masks<W>>,
}

/// Clauses of one or two classes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Masks<const W: usize> {
    /// The range of the masks of each cell.
    pub(crate) ranges: Box<[(u32, u32)]>,
    /// Masks of the first class.
    pub(crate) firsts: Box<[Bits<W>]>,
    /// Masks of the second class, if there is one.
    pub(crate) seconds: Box<[Bits<W>]>,
    /// True if the masks are so few that the cells of a set are tested one by one.
    pub(crate) few: bool,
}

/// A test that all cells of a mask hold a piece of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LineTest {
    pub(crate) class: u8,
    pub(crate) word: u8,
    /// Number of tests to be skipped if it fails, this one counted.
    pub(crate) skip: u16,
    /// True if a clause holds when this test does.
    pub(crate) last: bool,
    pub(crate) mask: u64,
}

/// An edge of the automaton.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) kind: EdgeKind,
    /// The layer behind it.
    pub(crate) next: u32,
    /// The steps to the end of the move, if after the edge there is only a step to one of a few
    /// cells.
    pub(crate) pairs: Option<Box<Pairs>>,
    /// The rest of the move, if it happens at the same cell and can fail only by one test.
    pub(crate) tail: Option<Box<Tail>>,
    /// The test that ends the move at once, or forbids to end it, if the edge does not affect the
    /// test.
    pub(crate) split: Option<Split>,
}

/// The rest of a move behind an edge, at the cell of the edge.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    pub(crate) edges: Box<[u32]>,
    pub(crate) switch: u32,
    /// A pattern that must not hold before the switch. It reads the same from all cells, and if it
    /// does not hold before the edge, the pieces that are put cannot make it hold.
    pub(crate) unless: Option<u32>,
}

/// A pattern made of lines through other cells. If it holds (or does not), a switch ends the move,
/// and no other edge can be taken; otherwise that switch cannot be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) pattern: u32,
    pub(crate) negated: bool,
    pub(crate) switch: u32,
}

/// The moves from all cells of a set at once, by the distance of their steps in numbers of cells.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// The switch that ends them.
    pub(crate) switch: u32,
    /// Distances, each with the relation of the step and the class of its destination.
    pub(crate) steps: Box<[PairStep]>,
}

/// Steps by one distance.
#[derive(Clone, Debug)]
pub(crate) struct PairStep {
    pub(crate) by: i32,
    /// Cells that the step is made from, as words.
    pub(crate) from: Box<[u64]>,
    pub(crate) class: Option<u32>,
}

/// The action of an edge.
#[derive(Clone, Debug)]
pub(crate) enum EdgeKind {
    Off(Piece),
    Assign(Var, Formula),
    /// Ends a move: to the keeper (0) or a player (from 1).
    Switch(u8),
    /// Ends the search for a pattern.
    Accept,
}

/// The walks between two edges. Registers hold sets of cells, the first register the cell at which
/// the layer begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// The only edge, if there is just one and it is taken at the cell at which the layer begins.
    pub(crate) only: Option<u32>,
    /// The walk and the switch behind it, if the layer has nothing else.
    pub(crate) lone: Option<(u32, u32)>,
    /// The walk and the edge behind it, if the layer has nothing else and the moves behind the edge
    /// can be listed for whole sets.
    pub(crate) straight: Option<(u32, u32)>,
    pub(crate) ops: Box<[Op]>,
    pub(crate) registers: u32,
}

/// One instruction of a layer.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// A walk from one register to another; with `merge` the cells are added to the register.
    Walk { walk: u32, from: u32, to: u32, merge: bool },
    /// Puts the cell at which the layer begins into a register if another register is empty. Also
    /// as a walk, which tests that.
    Unless { of: u32, to: u32, walk: u32 },
    /// Walks that lead round in circles, repeated until they lead to no new cell.
    Loop(Box<[(u32, u32, u32)]>),
    /// Takes an edge at each cell of a register.
    Take { edge: u32, from: u32 },
}

/// The whole game.
#[derive(Debug)]
pub(crate) struct Program<const W: usize> {
    pub(crate) relations: Vec<Relation<W>>,
    pub(crate) classes: Vec<Class>,
    pub(crate) patterns: Vec<Pattern<W>>,
    pub(crate) compares: Vec<Compare>,
    pub(crate) walks: Vec<Walk<W>>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) layers: Vec<Layer>,
    /// Words of a set in code: as many as the board needs, `W` or fewer.
    pub(crate) words: usize,
    /// The game as instructions, if code has sets for a board of this size.
    pub(crate) bytecode: Option<Bytecode>,
    /// The layer that a play begins with, at cell `start_cell`, keeper to move.
    pub(crate) start_layer: u32,
    pub(crate) start_cell: u16,
    /// Piece of each cell at the start; [`NO_PIECE`] for cells without a vertex.
    pub(crate) board: Vec<Piece>,
    pub(crate) bits: Vec<Bits<W>>,
    pub(crate) bounds: Vec<i32>,
    /// All cells that are vertices.
    pub(crate) all: Bits<W>,
}

impl<const W: usize> Program<W> {
    /// The state that a play begins with; the keeper is to move.
    pub(crate) fn begin(&self) -> State<W> {
        State {
            board: self.board.as_slice().into(),
            bits: self.bits.as_slice().into(),
            vars: self.bounds.iter().map(|_| 0).collect(),
            cell: self.start_cell,
            layer: self.start_layer,
            mover: 0,
            lost: false,
        }
    }

    /// True if playouts count moves by sets of cells, at least at some of the layers. Otherwise
    /// they list moves one by one, as a search finds them.
    pub(crate) fn counts_moves(&self) -> bool {
        let of_sets = |edge: &Edge| {
            let is_turn = matches!(edge.kind, EdgeKind::Switch(1..));
            edge.pairs.is_some() || is_turn && self.layers[edge.next as usize].lone.is_some()
        };
        self.bytecode.is_some()
            || self.edges.iter().any(of_sets)
            || self.layers.iter().any(|layer| layer.straight.is_some())
    }
}

/// The piece on cells without a vertex.
pub(crate) const NO_PIECE: Piece = Piece::MAX;

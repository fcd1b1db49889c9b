//! What changes during a play.

use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::formula::Numbers;

/// A position between two moves.
#[derive(Debug)]
pub(crate) struct State<const W: usize> {
    /// Piece of each cell.
    pub(crate) board: Box<[Piece]>,
    /// Cells of each piece; always says the same as `board`.
    pub(crate) bits: Box<[Bits<W>]>,
    pub(crate) vars: Box<[i32]>,
    pub(crate) cell: u16,
    pub(crate) layer: u32,
    /// Who is to move: 0 for the keeper, players from 1.
    pub(crate) mover: u8,
    /// Whether a search was given up: the rules go round in circles, or are too large.
    pub(crate) lost: bool,
}

impl<const W: usize> Clone for State<W> {
    fn clone(&self) -> State<W> {
        State {
            board: self.board.clone(),
            bits: self.bits.clone(),
            vars: self.vars.clone(),
            ..*self
        }
    }

    /// Without allocating.
    fn clone_from(&mut self, from: &State<W>) {
        self.board.copy_from_slice(&from.board);
        self.bits.copy_from_slice(&from.bits);
        self.vars.copy_from_slice(&from.vars);
        self.turn_to(from);
    }
}

/// A state without what follows from the rest.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Key {
    board: Box<[Piece]>,
    vars: Box<[i32]>,
    cell: u16,
    layer: u32,
    mover: u8,
    lost: bool,
}

impl<const W: usize> State<W> {
    /// What tells it from others.
    pub(crate) fn key(&self) -> Key {
        let State { board, bits: _, vars, cell, layer, mover, lost } = self;
        let (board, vars) = (board.clone(), vars.clone());
        Key { board, vars, cell: *cell, layer: *layer, mover: *mover, lost: *lost }
    }

    /// Where a play stands and who is to move as in another state, whatever the pieces and
    /// variables.
    pub(crate) fn turn_to(&mut self, other: &State<W>) {
        self.cell = other.cell;
        self.layer = other.layer;
        self.mover = other.mover;
        self.lost = other.lost;
    }

    /// Puts a piece on a cell and returns the one that was there.
    #[inline(always)]
    pub(crate) fn put(&mut self, cell: u16, piece: Piece) -> Piece {
        let old = std::mem::replace(&mut self.board[usize::from(cell)], piece);
        self.bits[usize::from(old)].remove(cell);
        self.bits[usize::from(piece)].insert(cell);
        old
    }
}

impl<const W: usize> Numbers for State<W> {
    #[inline(always)]
    fn var(&self, var: Var) -> i32 {
        self.vars[usize::from(var)]
    }

    #[inline(always)]
    fn count(&self, piece: Piece) -> i32 {
        self.bits[usize::from(piece)].len() as i32
    }

    fn count_all(&self, first: Piece, last: Piece) -> i32 {
        let sets = &self.bits[usize::from(first)..=usize::from(last)];
        sets.iter().fold(Bits::EMPTY, |all, set| all.or(*set)).len() as i32
    }
}

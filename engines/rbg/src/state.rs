//! The state of a play.

use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::formula::Numbers;

/// A position between two moves.
#[derive(Debug)]
pub(crate) struct State<const W: usize> {
    /// Piece of each cell.
    pub(crate) board: Box<[Piece]>,
    /// Cells of each piece; always equal to `board`.
    pub(crate) bits: Box<[Bits<W>]>,
    pub(crate) vars: Box<[i32]>,
    pub(crate) cell: u16,
    pub(crate) layer: u32,
    /// The mover: 0 for the keeper, players from 1.
    pub(crate) mover: u8,
    /// True if a search was given up: the rules go round in circles, or are too large.
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

    /// Does not allocate.
    fn clone_from(&mut self, from: &State<W>) {
        self.board.copy_from_slice(&from.board);
        self.bits.copy_from_slice(&from.bits);
        self.vars.copy_from_slice(&from.vars);
        self.stand(from.standing());
    }
}

/// The point that a play is at, without pieces and variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Standing {
    pub(crate) cell: u16,
    pub(crate) layer: u32,
    /// The mover, as in a [`State`].
    pub(crate) mover: u8,
    pub(crate) lost: bool,
}

impl Standing {
    /// The point of all plays that are over because the keeper cannot move; the point at which it
    /// could not move does not matter.
    pub(crate) const OVER: Standing = Standing { cell: 0, layer: 0, mover: 0, lost: false };

    /// The same point, or [`Standing::OVER`] if the keeper is to move for good.
    pub(crate) fn or_over(self) -> Standing {
        if self.mover == 0 { Standing { lost: self.lost, ..Standing::OVER } } else { self }
    }
}

impl<const W: usize> State<W> {
    pub(crate) fn standing(&self) -> Standing {
        let State { cell, layer, mover, lost, .. } = *self;
        Standing { cell, layer, mover, lost }
    }

    /// Continues from a point, with the same pieces and variables.
    pub(crate) fn stand(&mut self, there: Standing) {
        let Standing { cell, layer, mover, lost } = there;
        (self.cell, self.layer, self.mover, self.lost) = (cell, layer, mover, lost);
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

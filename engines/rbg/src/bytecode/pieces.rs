//! The cells of each piece as values; putting pieces, and going to cells, as statements.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr, Local, Stmt, Type};

use super::Cells;
use super::arrays::PIECES;
use super::code::{Coder, Pieces};
use crate::description::Piece;

impl Coder<'_> {
    /// All pieces.
    pub(super) fn pieces(&self) -> std::ops::Range<Piece> {
        let number = match &self.vars.pieces {
            Pieces::Variables(locals) => locals.len(),
            Pieces::Memory(number) => *number,
        };
        0..number as Piece
    }

    /// The cells of one piece.
    pub(super) fn piece(&self, piece: Piece) -> Expr {
        if !self.pieces().contains(&piece) {
            return Expr::NoSites;
        }
        match &self.vars.pieces {
            Pieces::Variables(locals) => locals[usize::from(piece)].get(),
            Pieces::Memory(_) => PIECES.at(i32::from(piece)),
        }
    }

    pub(super) fn set_piece(&mut self, piece: Piece, cells: Expr) {
        match &self.vars.pieces {
            Pieces::Variables(locals) => self.set(locals[usize::from(piece)], cells),
            Pieces::Memory(_) => self.store_set(PIECES, i32::from(piece), cells),
        }
    }

    /// Takes in where pieces are.
    pub(super) fn enter_pieces(&mut self) {
        if let Pieces::Variables(locals) = &self.vars.pieces {
            for (piece, local) in (0..).zip(locals.clone()) {
                self.set(local, PIECES.at(piece));
            }
        }
    }

    /// Gives out where pieces are.
    pub(super) fn give_pieces(&mut self) {
        if let Pieces::Variables(locals) = &self.vars.pieces {
            for (piece, local) in (0..).zip(locals.clone()) {
                self.store_set(PIECES, piece, local);
            }
        }
    }

    /// The cells that hold any of some pieces.
    pub(super) fn cells(&mut self, of: Cells) -> Expr {
        let (read, is_rest) = self.read(of);
        let pieces = self.pieces().filter(|&piece| read.has(piece));
        let any = pieces.map(|piece| self.piece(piece)).reduce(|all, set| all | set);
        if !is_rest {
            return any.unwrap_or(Expr::NoSites);
        }
        let all = self.constant(self.extent.all);
        any.map_or(all.clone(), |rest| all.without(rest))
    }

    /// The pieces whose cells tell of those that hold any of some: these or, true, all others, for
    /// on every cell there is one piece.
    pub(super) fn read(&self, of: Cells) -> (Cells, bool) {
        let (own, rest): (Vec<Piece>, Vec<Piece>) = self.pieces().partition(|&piece| of.has(piece));
        let is_rest = own.len() > 1 + rest.len();
        (Cells::of(if is_rest { rest } else { own }), is_rest)
    }

    /// Puts a piece on a cell, on which one of some others stands.
    pub(super) fn put(&mut self, piece: Piece, cell: Local, over: Cells) {
        let bit = self.local(Type::Set);
        if let Pieces::Variables(_) = self.vars.pieces {
            self.set(bit, Expr::single(cell));
        }
        for other in self.pieces().filter(|&other| other == piece || over.has(other)) {
            let is_there = other == piece;
            match &self.vars.pieces {
                Pieces::Variables(locals) => {
                    let set = locals[usize::from(other)];
                    let with =
                        if is_there { set.get() | bit.get() } else { set.get().without(bit) };
                    self.set(set, with);
                }
                Pieces::Memory(_) => {
                    self.push(Stmt::Put(PIECES, i32::from(other).into(), cell.get(), is_there));
                }
            }
        }
    }

    /// The piece on the current cell, which is one of these.
    pub(super) fn piece_here(&self, among: Cells) -> Expr {
        let cell = self.vars.cell;
        let mut pieces = self.pieces().filter(|&piece| among.has(piece));
        let first = Expr::Int(pieces.next().unwrap_or(0).into());
        pieces.fold(first, |here, piece| {
            self.piece(piece).contains(cell).choose(Expr::Int(piece.into()), here)
        })
    }

    /// Makes a cell the current one: within the board whatever comes, so that nothing is compared
    /// where it is an index.
    pub(super) fn go_to_cell(&mut self, cell: impl Into<Expr>) {
        let cell = self.on_board(cell.into());
        self.set(self.vars.cell, cell);
    }

    /// A cell that is within the board whatever comes.
    pub(super) fn on_board(&self, cell: Expr) -> Expr {
        cell.and_bits(64 * self.extent.words as i32 - 1)
    }
}

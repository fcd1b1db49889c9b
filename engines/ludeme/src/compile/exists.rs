//! Whether there is any move, as code: generators are left at the first one.

use kernel::ir::{Expr, Stmt, Type};

use super::code::{Code, Service, Sink, Slot, int, slot};
use crate::game::tests_moves;
use crate::ir::{Bool, Iter, Moves, Parts, Role};

impl<const W: usize> Code<'_, W> {
    /// Whether a generator gives any move; `None` where the evaluator has to try moves for that.
    pub(super) fn can_move(&mut self, moves: &Moves) -> Option<Expr> {
        let tries = self.game.visits || self.game.repeats.is_some() || tests_moves(moves);
        (!tries).then(|| self.exists(moves))
    }

    /// Whether a generator gives any move, all of which are legal. What it binds is forgotten if so.
    fn exists(&mut self, moves: &Moves) -> Expr {
        let saved = self.save(Iter::ALL);
        let bound = self.bound;
        let any = self.keep(Type::Int, int(0));
        let exists = Sink::Exists { any, loops: self.loops };
        let sink = std::mem::replace(&mut self.sink, exists);
        let wrappers = std::mem::take(&mut self.wrappers);
        self.bound = bound;
        self.for_range(int(0), int(1), |code, _| code.generate(moves));
        (self.sink, self.wrappers) = (sink, wrappers);
        self.when(any.get(), |code| code.restore(&saved));
        any.get()
    }

    /// Leaves the generators, since there is a move.
    pub(super) fn found_one(&mut self) {
        if let Sink::Exists { any, loops } = self.sink {
            let leave = self.loops - loops;
            self.push(Stmt::Set(any, int(1)));
            self.push(Stmt::Break(leave));
        }
    }

    /// Leaves the generators if one that the evaluator runs gives a move.
    pub(super) fn asked_exists(&mut self, moves: &Moves) {
        let condition = Bool::CanMove(Box::new(moves.clone()));
        let number = Parts::add(&mut self.parts.bools, condition);
        let any = self.ask(Service::Test, vec![int(number)]);
        self.when(any, Self::found_one);
        self.disturb();
    }

    /// Whether some players had no move when it was their turn; `None` for other questions.
    pub(super) fn had_no_moves(&mut self, role: Role) -> Option<Expr> {
        let bit = |player: Expr| int(1).shifted_left(player);
        let owners = match role {
            Role::Player(player) => int(1 << player),
            Role::Mover => bit(slot(Slot::Mover)),
            Role::Prev => bit(slot(Slot::Prev)),
            _ => return None,
        };
        Some(slot(Slot::Stalemated).and_bits(owners).differs(int(0)))
    }
}

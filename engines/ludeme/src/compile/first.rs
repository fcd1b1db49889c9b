//! What is done before the moves of a turn are looked for: the first part of `do .. next:`.
//!
//! For the evaluator it belongs to every move of the second part. Code does it once, when the turn begins,
//! and gathers the moves of the second part in the state after it.

use kernel::ir::{FunctionId, Stmt, Type};

use super::arrays::{Slot, int, set_slot};
use super::code::Code;
use crate::ir::{CompositeKind, ITERS, Leaf, LeafKind, Moves, SourceKind};

impl<const W: usize> Code<'_, W> {
    /// Whether something can be done when a turn begins. It is kept though there may be no moves after it,
    /// as where there are dice; and it must not be known to belong to the move.
    pub(super) fn can_be_first(&self, first: &Moves) -> bool {
        let tests = self.game.tests_moves || self.game.repeats.is_some() || self.game.reads_flags;
        let throws = self.game.world.dice.as_ref().is_some_and(|dice| !dice.faces.is_empty());
        throws && !tests && !self.game.initial.is_watched() && is_silent(first)
    }

    /// Does something when the turn begins, and gives the moves after it.
    pub(super) fn do_first(&mut self, first: &Moves, next: &Moves) {
        let function = self.first(first);
        self.push(set_slot(Slot::Gathers, int(0)));
        self.push(Stmt::Call(function, Vec::new()));
        self.push(set_slot(Slot::Gathers, int(1)));
        self.does_first = true;
        let given = self.given();
        let given = self.keep(Type::Int, given).get();
        self.scope(|code| code.generate(next));
        // Where there are dice, a turn without moves is a pass with what follows from all moves.
        if !self.wrappers.is_empty() {
            let pass = Leaf { id: 0, kind: LeafKind::Pass, then: Vec::new() };
            let none = self.given().equals(given);
            self.when(none, |code| {
                let source = code.source(SourceKind::Leaf(Box::new(pass)));
                code.give(source, int(-1), int(-1), int(0));
            });
        }
    }

    fn first(&mut self, first: &Moves) -> FunctionId {
        let mut code = Code::closed(self.game, self.tables, 0);
        code.effect(|code| code.generate(first));
        code.bind_all([(); ITERS].map(|()| Some(int(-1))));
        code.shared("first", 0, None)
    }
}

/// Whether the rules cannot tell that something was not part of the move after it. More than one move of it
/// would be done in another order.
fn is_silent(first: &Moves) -> bool {
    match first {
        Moves::None => true,
        Moves::Leaf(leaf) => {
            let silent = matches!(leaf.kind, LeafKind::SetVar { .. } | LeafKind::SetCounter(_));
            silent && leaf.then.is_empty()
        }
        Moves::If(parts) => is_silent(&parts.1) && is_silent(&parts.2),
        Moves::Composite(composite) => {
            composite.then.is_empty() && matches!(composite.kind, CompositeKind::Roll)
        }
        _ => false,
    }
}

/// Whether the moves of a turn begin with a first part.
pub(super) fn has_first(moves: &Moves) -> bool {
    match moves {
        Moves::If(parts) => has_first(&parts.1) || has_first(&parts.2),
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::DoNext { .. } => true,
            CompositeKind::Then(moves) => has_first(moves),
            _ => false,
        },
        _ => false,
    }
}

//! What is done before the moves of a turn are looked for: the first part of `do .. next:`.
//!
//! For the evaluator it belongs to every move of the second part. Where there are dice, code does
//! it once, when the turn begins, and gathers the moves of the second part in the state after it.
//! Elsewhere it does so too, but puts back what has changed, and does it again before a move of the
//! second part is made.

use kernel::ir::{Stmt, Type};

use super::arrays::{CELLS, STATE, Slot, int, set_slot, slot, state_set};
use super::code::{Emitter, of_params};
use super::effects::is_code;
use crate::ir::{
    Aspects, Bound, CompositeKind, ITERS, Iter, Leaf, LeafKind, Moves, SourceKind, Walk, Wrapper,
};

/// What a first part changes, where code can put it back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    Var(usize),
    Counter,
    PlayerValues,
    Pending,
}

impl Emitter<'_> {
    /// True if something can be done when a turn begins. It is kept though there may be no moves
    /// after it, as where there are dice; and it must not be known to belong to the move.
    pub(super) fn can_be_first(&self, first: &Moves) -> bool {
        let tests = self.game.tests_moves || self.game.repeats.is_some() || self.game.reads_flags;
        self.dice().next().is_some()
            && !tests
            && !self.game.initial.is_watched()
            && is_silent(first)
    }

    /// Does something when the turn begins, and gives the moves after it.
    pub(super) fn do_first(&mut self, first: &Moves, next: &Moves) {
        self.call_first(first);
        self.does_first = true;
        self.give_after_first(next);
    }

    /// Gives the moves of a second part.
    fn give_after_first(&mut self, next: &Moves) {
        let given = self.given();
        let given = self.keep(Type::Int, given).get();
        self.scope(|code| code.generate(next));
        // Where there are dice, a turn without moves is a pass with what follows from all moves.
        if self.dice().next().is_some() && !self.wrappers.is_empty() {
            let pass = Leaf { id: 0, kind: LeafKind::Pass, then: Vec::new() };
            let none = self.given().equals(given);
            self.when(none, |code| {
                let source = code.source(SourceKind::Leaf(Box::new(pass)));
                code.give(source, int(-1), int(-1), int(0));
            });
        }
    }

    /// What a first part changes, if it can be done before each move of the second part that is
    /// made.
    pub(super) fn changed_first(&self, first: &Moves, next: &Moves) -> Option<Vec<Changed>> {
        let game = self.game;
        let known = !game.simultaneous
            && !game.initial.is_watched()
            && game.world.crossings.is_empty()
            && !next.any(&Moves::is_max);
        known.then(|| changed(first)).flatten()
    }

    /// Gives the moves after something has been done, which is then put back, and done again before
    /// one of them is made.
    pub(super) fn do_before_each(&mut self, first: &Moves, changed: &[Changed], next: &Moves) {
        let before: Vec<Stmt> = changed.iter().flat_map(|&changed| self.kept(changed)).collect();
        self.do_amid(first);
        self.wrappers.push(Wrapper::First(Box::new(first.clone()), self.binders.len()));
        self.give_after_first(next);
        self.wrappers.pop();
        before.into_iter().for_each(|stmt| self.push(stmt));
    }

    /// True if there is code for an effect that comes after something else: what that changes can
    /// be put back, and what comes after it are moves of which code knows when one is given.
    pub(super) fn has_effect_after(&self, first: &Moves, next: &Moves) -> bool {
        let is_number = |&changed: &Changed| changed != Changed::Pending;
        self.is_effect_once()
            && self.has_pieces_in_memory()
            && self.dice().next().is_none()
            && changed(first).is_some_and(|changed| changed.iter().all(is_number))
            && self.gives_by_code(next)
    }

    /// True if code gives each move of an effect by itself.
    fn gives_by_code(&self, effect: &Moves) -> bool {
        match effect {
            Moves::None => true,
            Moves::All(list) => list.iter().all(|moves| self.gives_by_code(moves)),
            Moves::If(parts) => self.gives_by_code(&parts.1) && self.gives_by_code(&parts.2),
            Moves::ForEachSite { moves, otherwise, .. } => {
                **otherwise == Moves::None && self.gives_by_code(moves)
            }
            Moves::ForEachValue { moves, .. } => self.gives_by_code(moves),
            Moves::Leaf(leaf) => {
                !matches!(leaf.kind, LeafKind::Turn { .. }) && is_code(self.game, leaf)
            }
            Moves::Composite(composite) => match &composite.kind {
                CompositeKind::Then(moves) => self.gives_by_code(moves),
                CompositeKind::Sow(sow) => self.can_sow(sow),
                _ => false,
            },
            _ => false,
        }
    }

    /// Evaluates an effect after something else, which is done before each of its moves.
    pub(super) fn do_before_effect(&mut self, first: &Moves, next: &Moves) {
        let changed = changed(first).unwrap_or_default();
        let before = changed.into_iter().flat_map(|changed| self.kept(changed)).collect();
        self.effect_after_first(first, before, next);
    }

    /// Keeps what may change; what puts it back.
    fn kept(&mut self, changed: Changed) -> Vec<Stmt> {
        let cell = |code: &mut Self, place: usize| {
            let place = int(place as i32);
            let value = code.keep(Type::Int, CELLS.at(place.clone())).get();
            Stmt::Store(CELLS, place, value)
        };
        let at = self.game.layout.at;
        match changed {
            Changed::Var(var) => vec![cell(self, at.vars + var)],
            Changed::Counter => {
                let value = self.keep(Type::Int, slot(Slot::Counter)).get();
                vec![set_slot(Slot::Counter, value)]
            }
            Changed::PlayerValues => {
                let players = self.game.world.players + 2;
                (0..players).map(|player| cell(self, at.values + player)).collect()
            }
            Changed::Pending => {
                let set = int(self.game.layout.pending() as i32);
                let sites = self.keep(Type::Set, state_set(set.clone())).get();
                let mut back = vec![Stmt::StoreSet(STATE, set, sites)];
                for number in [Slot::HasPending, Slot::Pending] {
                    let value = self.keep(Type::Int, slot(number)).get();
                    back.push(set_slot(number, value));
                }
                back
            }
        }
    }

    /// Does a first part again for one of the moves after it, with what variables were bound to.
    pub(super) fn do_again(&mut self, first: &Moves, bound: [Bound; ITERS]) {
        let saved = self.save(Iter::ALL);
        Iter::ALL.into_iter().zip(bound).for_each(|(iter, to)| self.bind(iter, of_params(to)));
        self.scope(|code| code.effect(|code| code.generate(first)));
        self.restore(&saved);
    }

    /// Does a first part amid the gathering. What moves go through around it is not for that part.
    fn do_amid(&mut self, first: &Moves) {
        if self.binders.is_empty() {
            return self.call_first(first);
        }
        let around = std::mem::take(&mut self.wrappers);
        self.push(set_slot(Slot::Gathers, int(0)));
        self.scope(|code| code.effect(|code| code.generate(first)));
        self.push(set_slot(Slot::Gathers, int(1)));
        self.wrappers = around;
    }

    /// The same where nothing is bound, as a function.
    fn call_first(&mut self, first: &Moves) {
        let mut code = Emitter::closed(self.game, self.tables, 0);
        code.effect(|code| code.generate(first));
        code.bind_all([(); ITERS].map(|()| Some(int(-1))));
        let function = code.shared("first", 0, None);
        self.push(set_slot(Slot::Gathers, int(0)));
        self.push(Stmt::Call(function, Vec::new()));
        self.push(set_slot(Slot::Gathers, int(1)));
    }
}

/// True if the rules cannot tell that something was not part of the move after it. More than one
/// move of it would be done in another order.
fn is_silent(first: &Moves) -> bool {
    match first {
        Moves::None => true,
        Moves::Leaf(leaf) => leaf.then.is_empty() && leaf.writes() == Aspects::VARS,
        Moves::If(parts) => is_silent(&parts.1) && is_silent(&parts.2),
        Moves::Composite(composite) => {
            composite.then.is_empty() && matches!(composite.kind, CompositeKind::Roll)
        }
        _ => false,
    }
}

/// What a first part changes, each once; `None` where that cannot be put back.
fn changed(first: &Moves) -> Option<Vec<Changed>> {
    let mut all = match first {
        Moves::None => Vec::new(),
        Moves::Leaf(leaf) if leaf.then.is_empty() => vec![match leaf.kind {
            LeafKind::SetVar { var, .. } => Changed::Var(var),
            LeafKind::SetCounter(_) => Changed::Counter,
            LeafKind::SetPlayerValue { .. } => Changed::PlayerValues,
            LeafKind::SetPending(_) => Changed::Pending,
            _ => return None,
        }],
        Moves::All(list) => {
            let parts = list.iter().map(changed).collect::<Option<Vec<_>>>()?;
            let all = parts.concat();
            // The reference carries out more than two parts in another order.
            let repeated = (1..all.len()).any(|i| all[..i].contains(&all[i]));
            return (!repeated).then_some(all);
        }
        Moves::If(parts) => [changed(&parts.1)?, changed(&parts.2)?].concat(),
        _ => return None,
    };
    all.dedup();
    Some(all)
}

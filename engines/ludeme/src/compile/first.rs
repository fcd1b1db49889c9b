//! What is done before the moves of a turn are looked for: the first part of `do .. next:`.
//!
//! For the evaluator it belongs to every move of the second part. Where there are dice, code does
//! it once, when the turn begins, and gathers the moves of the second part in the state after it.
//! Elsewhere it does so too, but puts back what has changed, and does it again before a move of the
//! second part is made.

use kernel::ir::{Stmt, Type};

use super::arrays::{CELLS, STATE, Slot, int, set_slot, slot, state_set};
use super::effects::is_code;
use super::emitter::{Emitter, Finding, of_params};
use super::{acts, effects, generators, output, sow};
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

/// True if something can be done when a turn begins. It is kept though there may be no moves
/// after it, as where there are dice; and it must not be known to belong to the move.
pub(super) fn can_be_first(code: &Emitter<'_>, first: &Moves) -> bool {
    let tests = code.game.tests_moves || code.game.repeats.is_some() || code.game.reads_flags;
    acts::dice(code.game).next().is_some()
        && !tests
        && !code.game.initial.is_watched()
        && is_silent(first)
}

/// Does something when the turn begins, and gives the moves after it.
pub(super) fn do_first(code: &mut Emitter<'_>, first: &Moves, next: &Moves) {
    call_first(code, first);
    code.found.add(Finding::DoesFirst);
    give_after_first(code, next);
}

/// Gives the moves of a second part.
fn give_after_first(code: &mut Emitter<'_>, next: &Moves) {
    let given = output::given(code);
    let given = code.keep(Type::Int, given).get();
    code.scope(|code| generators::emit(code, next));
    // Where there are dice, a turn without moves is a pass with what follows from all moves.
    if acts::dice(code.game).next().is_some() && !code.scope.wrappers.is_empty() {
        let pass = Leaf { id: 0, kind: LeafKind::Pass, then: Vec::new() };
        let none = output::given(code).equals(given);
        code.when(none, |code| {
            let source = output::source(code, SourceKind::Leaf(Box::new(pass)));
            output::emit_move(code, source, int(-1), int(-1), int(0));
        });
    }
}

/// What a first part changes, if it can be done before each move of the second part that is
/// made.
pub(super) fn changed_first(
    code: &Emitter<'_>,
    first: &Moves,
    next: &Moves,
) -> Option<Vec<Changed>> {
    let game = code.game;
    let known = !game.simultaneous
        && !game.initial.is_watched()
        && game.world.crossings.is_empty()
        && !next.any(&Moves::is_max);
    known.then(|| changed(first)).flatten()
}

/// Gives the moves after something has been done, which is then put back, and done again before
/// one of them is made.
pub(super) fn do_before_each(
    code: &mut Emitter<'_>,
    first: &Moves,
    changed: &[Changed],
    next: &Moves,
) {
    let before: Vec<Stmt> = changed.iter().flat_map(|&changed| kept(code, changed)).collect();
    do_amid(code, first);
    code.scope.wrappers.push(Wrapper::First(Box::new(first.clone()), code.scope.binders.len()));
    give_after_first(code, next);
    code.scope.wrappers.pop();
    before.into_iter().for_each(|stmt| code.push(stmt));
}

/// True if there is code for an effect that comes after something else: what that changes can
/// be put back, and what comes after it are moves of which code knows when one is given.
pub(super) fn has_effect_after(code: &Emitter<'_>, first: &Moves, next: &Moves) -> bool {
    let is_number = |&changed: &Changed| changed != Changed::Pending;
    effects::is_effect_once(code)
        && acts::has_pieces_in_memory(code)
        && acts::dice(code.game).next().is_none()
        && changed(first).is_some_and(|changed| changed.iter().all(is_number))
        && gives_by_code(code, next)
}

/// True if code gives each move of an effect by itself.
fn gives_by_code(code: &Emitter<'_>, effect: &Moves) -> bool {
    match effect {
        Moves::None => true,
        Moves::All(list) => list.iter().all(|moves| gives_by_code(code, moves)),
        Moves::If(parts) => gives_by_code(code, &parts.1) && gives_by_code(code, &parts.2),
        Moves::ForEachSite { moves, otherwise, .. } => {
            **otherwise == Moves::None && gives_by_code(code, moves)
        }
        Moves::ForEachValue { moves, .. } => gives_by_code(code, moves),
        Moves::Leaf(leaf) => {
            !matches!(leaf.kind, LeafKind::Turn { .. }) && is_code(code.game, leaf)
        }
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Then(moves) => gives_by_code(code, moves),
            CompositeKind::Sow(sow) => sow::can_sow(code, sow),
            _ => false,
        },
        _ => false,
    }
}

/// Evaluates an effect after something else, which is done before each of its moves.
pub(super) fn do_before_effect(code: &mut Emitter<'_>, first: &Moves, next: &Moves) {
    let changed = changed(first).unwrap_or_default();
    let before = changed.into_iter().flat_map(|changed| kept(code, changed)).collect();
    effects::effect_after_first(code, first, before, next);
}

/// Keeps what may change; what puts it back.
fn kept(code: &mut Emitter<'_>, changed: Changed) -> Vec<Stmt> {
    let cell = |code: &mut Emitter<'_>, place: usize| {
        let place = int(place as i32);
        let value = code.keep(Type::Int, CELLS.at(place.clone())).get();
        Stmt::Store(CELLS, place, value)
    };
    let at = code.game.layout.at;
    match changed {
        Changed::Var(var) => vec![cell(code, at.vars + var)],
        Changed::Counter => {
            let value = code.keep(Type::Int, slot(Slot::Counter)).get();
            vec![set_slot(Slot::Counter, value)]
        }
        Changed::PlayerValues => {
            let players = code.game.world.players + 2;
            (0..players).map(|player| cell(code, at.values + player)).collect()
        }
        Changed::Pending => {
            let set = int(code.game.layout.pending() as i32);
            let sites = code.keep(Type::Set, state_set(set.clone())).get();
            let mut back = vec![Stmt::StoreSet(STATE, set, sites)];
            for number in [Slot::HasPending, Slot::Pending] {
                let value = code.keep(Type::Int, slot(number)).get();
                back.push(set_slot(number, value));
            }
            back
        }
    }
}

/// Does a first part again for one of the moves after it, with what variables were bound to.
pub(super) fn do_again(code: &mut Emitter<'_>, first: &Moves, bound: [Bound; ITERS]) {
    let saved = code.save(Iter::ALL);
    Iter::ALL.into_iter().zip(bound).for_each(|(iter, to)| code.bind(iter, of_params(to)));
    code.scope(|code| effects::emit(code, |code| generators::emit(code, first)));
    code.restore(&saved);
}

/// Does a first part amid the gathering. What moves go through around it is not for that part.
fn do_amid(code: &mut Emitter<'_>, first: &Moves) {
    if code.scope.binders.is_empty() {
        return call_first(code, first);
    }
    let around = std::mem::take(&mut code.scope.wrappers);
    code.push(set_slot(Slot::Gathers, int(0)));
    code.scope(|code| effects::emit(code, |code| generators::emit(code, first)));
    code.push(set_slot(Slot::Gathers, int(1)));
    code.scope.wrappers = around;
}

/// The same where nothing is bound, as a function.
fn call_first(code: &mut Emitter<'_>, first: &Moves) {
    let mut body = Emitter::closed(code.game, code.module, 0);
    effects::emit(&mut body, |body| generators::emit(body, first));
    body.bind_all([(); ITERS].map(|()| Some(int(-1))));
    let function = body.shared("first", 0, None);
    code.push(set_slot(Slot::Gathers, int(0)));
    code.push(Stmt::Call(function, Vec::new()));
    code.push(set_slot(Slot::Gathers, int(1)));
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

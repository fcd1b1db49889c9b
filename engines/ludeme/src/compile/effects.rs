//! Code for effects: all of an effect is evaluated before any of its actions is carried out.
//!
//! The moves of an effect are its actions, which are deferred. Their numbers are kept in variables,
//! with a flag if they depend on a condition; actions of loops are kept in the array `acts`. When
//! the effect has been evaluated, all are carried out in order, each consequence at its place.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{ACTS, Service, Slot, add, both, int, service, slot};
use super::context::Context;
use super::emitter::{Consumer, Emitter, Flags};
use super::module::{Module, Trait};
use super::sow::sowing;
use super::waiting::{ActionKinds, Deferred, DeferredActions, Kind, OF_ACT};
use super::{acts, generators, local_effects, sow};
use crate::ir::{EffectId, ITERS, Iter, Leaf, LeafKind, Moves, consequences};
use crate::lower::Feature;

/// The function of an effect, written once; `None` while it is written, if it contains itself.
pub(super) fn define(game: &Context<'_>, module: &mut Module, id: EffectId) -> Option<FunctionId> {
    if let Some(&(known, needs_copy)) = module.effects.get(&id) {
        module.traits.add_if(needs_copy || known.is_none(), Trait::NeedsCopy);
        return known;
    }
    module.effects.insert(id, (None, true));
    let (function, needs_copy) = module.noting_copies(|module| {
        let mut code = Emitter::closed(game, module, 0);
        code.scope.flags = Flags::IfKept;
        let effect = game.effect(id);
        if let Some((composite, sow)) = sowing(game, effect) {
            sow::emit(&mut code, sow, &composite.then);
        } else if let Some((sites, moves)) = local_effects::split(effect) {
            local_effects::emit(&mut code, sites, moves);
        } else {
            emit(&mut code, |code| generators::emit(code, effect));
        }
        code.bind_all([(); ITERS].map(|()| None));
        code.shared(&format!("effect {}", id.0), 0, None)
    });
    module.effects.insert(id, (Some(function), needs_copy));
    module.traits.add_if(needs_copy, Trait::NeedsCopy);
    Some(function)
}

/// Writes code whose nodes for the evaluator are those of the program, not of one generator.
pub(super) fn with_program_parts(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>)) {
    std::mem::swap(&mut code.parts, &mut code.module.parts);
    write(code);
    std::mem::swap(&mut code.parts, &mut code.module.parts);
}

/// Writes code that evaluates an effect and carries it out.
pub(super) fn emit(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>)) {
    let mut list = Vec::new();
    let mut at = Local(0);
    with_program_parts(code, |code| (list, at) = evaluate(code, write));
    code.clobber();
    carry_out_all(code, list, at);
}

/// Writes code that evaluates an effect and keeps all its actions in the array `acts`. Returns
/// their kinds.
pub(super) fn evaluate_ahead(
    code: &mut Emitter<'_>,
    write: impl FnOnce(&mut Emitter<'_>),
) -> ActionKinds {
    let mut list = Vec::new();
    let mut at = Local(0);
    with_program_parts(code, |code| {
        (list, at) = evaluate(code, |code| {
            code.scope.loops += 1;
            write(code);
            code.scope.loops -= 1;
        });
    });
    code.module.traits.add(Trait::MovesActsAt);
    code.set_slot(Slot::ActsAt, at.get());
    let kinds = |later| match later {
        Deferred::Listed(_, _, kinds) => kinds,
        Deferred::Act(..) => ActionKinds::new(),
    };
    list.into_iter().flat_map(kinds).collect()
}

/// Writes code that carries out deferred actions. Consequences defer their own actions from the
/// place `at` on.
pub(super) fn carry_out_all(code: &mut Emitter<'_>, list: Vec<Deferred>, at: Local) {
    for later in list {
        match later {
            Deferred::Act(None, kind, numbers) => carry_out_with(code, kind, numbers, at),
            Deferred::Act(Some(flag), kind, numbers) => {
                code.when(flag.get(), |code| carry_out_with(code, kind, numbers, at));
            }
            Deferred::Listed(from, to, kinds) => {
                code.for_range(from.get(), to.get(), |code, entry| {
                    carry_out_listed(code, &entry.get(), &kinds, at);
                });
            }
        }
    }
}

/// Writes code that carries out an action of the array `acts`.
fn carry_out_listed(code: &mut Emitter<'_>, entry: &Expr, kinds: &ActionKinds, at: Local) {
    let first = code.keep_int(entry.clone() * int(OF_ACT as i32));
    let number = |i: i32| ACTS.at(add(first.clone(), int(i)));
    let kind_of_it = code.keep(Type::Int, number(0)).get();
    let numbers = [1, 2, 3].map(|i| code.keep(Type::Int, number(i)).get());
    for &(kind, id) in kinds {
        let is_kind =
            if kinds.len() == 1 { int(1) } else { kind_of_it.clone().equals(int(kind as i32)) };
        let [a, b, c] = numbers.clone();
        if kind == Kind::Then {
            let is_kind = both(is_kind, a.equals(int(id)));
            code.when(is_kind, |code| carry_out_with(code, kind, [int(id), b, c], at));
        } else {
            code.when(is_kind, |code| carry_out_with(code, kind, [a, b, c], at));
        }
    }
}

/// Writes code that evaluates an effect. Returns the deferred actions, and the place of the next
/// one in the array `acts`.
fn evaluate(code: &mut Emitter<'_>, body: impl FnOnce(&mut Emitter<'_>)) -> (Vec<Deferred>, Local) {
    let at = code.keep(Type::Int, slot(Slot::ActsAt));
    let listed = code.keep(Type::Int, at.get());
    let given = code.keep(Type::Int, int(0));
    let (depth, loops) = (code.depth(), code.scope.loops);
    let waiting = DeferredActions {
        depth,
        loops,
        at,
        listed,
        kinds: ActionKinds::new(),
        unlisted: false,
        given,
        before_each: Vec::new(),
        list: Vec::new(),
    };
    code.consumer = Consumer::Effect(waiting);
    body(code);
    flush_listed(code);
    match std::mem::replace(&mut code.consumer, Consumer::Give) {
        Consumer::Effect(waiting) => (waiting.list, at),
        _ => (Vec::new(), at),
    }
}

/// Writes a part of an effect, outside of loops. Returns the actions that it defers.
pub(super) fn collect_deferred(
    code: &mut Emitter<'_>,
    write: impl FnOnce(&mut Emitter<'_>),
) -> Vec<Deferred> {
    flush_listed(code);
    let before = waiting(code).map_or(0, |waiting| waiting.list.len());
    write(code);
    flush_listed(code);
    waiting(code).map_or(Vec::new(), |waiting| waiting.list[before..].to_vec())
}

/// The deferred actions of the effect that is being written.
fn waiting<'c>(code: &'c mut Emitter<'_>) -> Option<&'c mut DeferredActions> {
    match &mut code.consumer {
        Consumer::Effect(waiting) => Some(waiting),
        _ => None,
    }
}

/// True if each move of the effect has a prelude.
pub(super) fn is_after_first(code: &Emitter<'_>) -> bool {
    matches!(&code.consumer, Consumer::Effect(waiting) if !waiting.before_each.is_empty())
}

/// True if the code is part of an effect, and not of a loop within it.
pub(super) fn is_effect_once(code: &Emitter<'_>) -> bool {
    matches!(&code.consumer, Consumer::Effect(waiting) if waiting.loops == code.scope.loops)
}

/// Writes code that runs in the state after some actions of the effect, which are then taken back.
/// The actions change only numbers and sets of the state.
pub(super) fn evaluate_after(
    code: &mut Emitter<'_>,
    acts: Vec<Deferred>,
    write: impl FnOnce(&mut Emitter<'_>),
) {
    let Some(at) = waiting(code).map(|waiting| waiting.at) else { return };
    let record = [Slot::FromNow, Slot::ToNow];
    let before = record.map(|number| code.keep(Type::Int, slot(number)).get());
    code.call_host(Service::Copy, Vec::new());
    carry_out_all(code, acts, at);
    code.in_other_state(write);
    code.call_host(Service::PutBack, Vec::new());
    for (number, value) in record.into_iter().zip(before) {
        code.set_slot(number, value);
    }
}

/// Writes moves of an effect with a prelude. `put_back` undoes the changes of the prelude.
pub(super) fn effect_after_first(
    code: &mut Emitter<'_>,
    first: &Moves,
    put_back: Vec<Stmt>,
    next: &Moves,
) {
    let wrappers = std::mem::take(&mut code.scope.wrappers);
    let outside = std::mem::replace(&mut code.consumer, Consumer::Give);
    let (acts, at) = evaluate(code, |code| generators::emit(code, first));
    code.consumer = outside;
    code.scope.wrappers = wrappers;
    let count = acts.len();
    carry_out_all(code, acts.clone(), at);
    if let Some(waiting) = waiting(code) {
        waiting.before_each.extend(acts);
    }
    let variables = code.save(Iter::ALL);
    code.in_other_state(|code| generators::emit(code, next));
    code.restore(&variables);
    if let Some(waiting) = waiting(code) {
        waiting.before_each.truncate(waiting.before_each.len() - count);
    }
    code.extend(put_back);
}

/// Writes one move of an effect, with its prelude.
pub(super) fn emit_one(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>)) {
    count_moves(code, int(1));
    defer_prelude(code);
    let before = waiting(code).map(|waiting| std::mem::take(&mut waiting.before_each));
    write(code);
    if let (Some(before), Some(waiting)) = (before, waiting(code)) {
        waiting.before_each = before;
    }
}

/// Defers the actions of the prelude of a move.
fn defer_prelude(code: &mut Emitter<'_>) {
    for later in waiting(code).map_or(Vec::new(), |waiting| waiting.before_each.clone()) {
        // Preludes that statements undo have no actions of loops.
        if let Deferred::Act(flag, kind, numbers) = later {
            code.when(flag.map_or(int(1), Local::get), |code| defer(code, kind, numbers));
        }
    }
}

/// Writes code that carries out an action. Consequences defer their own actions from the place `at`
/// on.
fn carry_out_with(code: &mut Emitter<'_>, kind: Kind, numbers: [Expr; 3], at: Local) {
    match (kind, &numbers[0]) {
        (Kind::Then, Expr::Int(id)) => {
            let id = EffectId(*id as u32);
            code.module.traits.add(Trait::MovesActsAt);
            code.set_slot(Slot::ActsAt, at.get());
            consequence(code, id);
        }
        _ => acts::carry_out(code, kind, numbers),
    }
}

/// Writes code that evaluates consequences and carries them out.
pub(super) fn consequence(code: &mut Emitter<'_>, id: EffectId) {
    match define(code.game, code.module, id) {
        Some(function) => code.push(Stmt::Call(function, Vec::new())),
        None => {
            code.module.traits.add(Trait::DefersCaptures);
            code.module.traits.add(Trait::AddsPieces);
            let a = int(id.0 as i32);
            let none = int(0);
            code.call_host(Service::Act, vec![int(Kind::Then as i32), a, none.clone(), none]);
        }
    }
}

/// Adds the actions of loops so far to the list of deferred actions.
fn flush_listed(code: &mut Emitter<'_>) {
    let depth = code.depth();
    let Consumer::Effect(waiting) = &mut code.consumer else { return };
    if !waiting.unlisted {
        return;
    }
    // A branch that is not taken leaves them in the array, for the next addition to the list.
    waiting.unlisted = depth != waiting.depth;
    let (at, listed, kinds) = (waiting.at, waiting.listed, waiting.kinds.clone());
    let from = code.keep(Type::Int, listed.get());
    let to = code.keep(Type::Int, at.get());
    code.set(listed, at.get());
    if let Consumer::Effect(waiting) = &mut code.consumer {
        waiting.list.push(Deferred::Listed(from, to, kinds));
    }
}

/// Writes code that defers an action.
pub(super) fn defer(code: &mut Emitter<'_>, kind: Kind, numbers: [Expr; 3]) {
    let (depth, loops) = (code.depth(), code.scope.loops);
    let Consumer::Effect(waiting) = &mut code.consumer else { return };
    if loops > waiting.loops {
        let at = waiting.at;
        let id = match (kind, &numbers[0]) {
            (Kind::Then, Expr::Int(id)) => *id,
            _ => 0,
        };
        waiting.kinds.insert((kind, id));
        waiting.unlisted = true;
        let full = at.get().at_least(slot(Slot::ActsRoom));
        code.push_if(full, vec![Stmt::Eval(service(Service::Room, Vec::new()))]);
        let first = code.keep(Type::Int, at.get() * int(OF_ACT as i32));
        for (number, i) in std::iter::once(int(kind as i32)).chain(numbers).zip(0..) {
            code.push(Stmt::Store(ACTS, add(first.get(), int(i)), number));
        }
        code.set(at, add(at.get(), int(1)));
        return;
    }
    let always = depth == waiting.depth;
    flush_listed(code);
    let numbers = numbers.map(|number| match number {
        Expr::Int(_) => number,
        number => code.keep(Type::Int, number).get(),
    });
    let flag = (!always).then(|| code.keep(Type::Int, int(1)));
    if let Consumer::Effect(waiting) = &mut code.consumer {
        waiting.list.push(Deferred::Act(flag, kind, numbers));
    }
}

/// As [`defer`], for an action with one number.
pub(super) fn defer_number(code: &mut Emitter<'_>, kind: Kind, number: Expr) {
    defer(code, kind, [number, int(0), int(0)]);
}

/// Defers the consequences of the rules around, innermost first.
pub(super) fn defer_consequences(code: &mut Emitter<'_>) {
    for effect in consequences(&code.scope.wrappers.clone()) {
        defer_number(code, Kind::Then, int(effect.0 as i32));
    }
}

/// Counts moves of an effect, if their number matters.
pub(super) fn count_moves(code: &mut Emitter<'_>, more: Expr) {
    if let (true, Consumer::Effect(DeferredActions { given, .. })) =
        (code.scope.counts, &code.consumer)
    {
        let given = *given;
        code.set(given, add(given.get(), more));
    }
}

/// Writes a call of the evaluator for an effect, whose actions are deferred.
pub(super) fn ask(code: &mut Emitter<'_>, number: i32) {
    let found = code.ask(Service::Effects, vec![int(number)]);
    let found = code.keep(Type::Int, found);
    count_moves(code, slot(Slot::Given));
    if is_after_first(code) {
        code.when(slot(Slot::Given), defer_prelude);
    }
    defer_number(code, Kind::Found, found.get());
    code.clobber();
}

/// True if the effects of the moves of a generator have a form in code.
pub(super) fn has_code(game: &Context<'_>, leaf: &Leaf) -> bool {
    match &leaf.kind {
        LeafKind::Add { level, .. } | LeafKind::SetLayer { level, .. } => level.is_none(),
        LeafKind::Jump { level, stack, keep, .. } => level.is_none() || !(*stack || *keep),
        LeafKind::Slide(slide) => (slide.level.is_none() || !slide.stack) && slide.trail.is_none(),
        LeafKind::FromTo { from_level, to_level, stack, count, copy, .. } => {
            let moves_top = !(*stack || *copy || count.is_some());
            (from_level.is_none() || moves_top) && to_level.is_none()
        }
        // Code tells nobody anything, and hides nothing.
        LeafKind::Hide(_) => !game.has(Feature::AsksHidden) && leaf.then.is_empty(),
        LeafKind::Note(_) => !game.has(Feature::AsksHidden),
        LeafKind::SwapPieces { .. } => false,
        LeafKind::Shoot { .. }
        | LeafKind::Select { .. }
        | LeafKind::Remove { .. }
        | LeafKind::Promote { .. }
        | LeafKind::Pass
        | LeafKind::MoveAgain
        | LeafKind::SetNextPlayer(_)
        | LeafKind::SetVar { .. }
        | LeafKind::SetCounter(_)
        | LeafKind::SetScore { .. }
        | LeafKind::SetPlayerValue { .. }
        | LeafKind::SetPending(_)
        | LeafKind::Turn { .. }
        | LeafKind::SetCount { .. }
        | LeafKind::Trigger(_)
        | LeafKind::Remember { .. }
        | LeafKind::Forget { .. } => true,
    }
}

//! Effects as code: all of one is evaluated before any of it is carried out.
//!
//! The moves that an effect gives are its actions. Their numbers are kept in variables until the
//! effect has been evaluated, with a flag where there is a condition on them; those of loops wait
//! in the array `acts`. Then all are carried out in order, consequences between them.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{ACTS, Service, Slot, add, both, int, service, set_slot, slot};
use super::context::Context;
use super::each_site::each_site;
use super::emitter::{Consumer, Emitter, Flags};
use super::module::{Module, Trait};
use super::sow::sowing;
use super::waiting::{ActionKinds, DeferredActions, Kind, LateEffect, OF_ACT};
use super::{acts, each_site, generators, sow};
use crate::ir::{EffectId, ITERS, Iter, Leaf, LeafKind, Moves, consequences};

/// The function of some consequences, written when it is first asked for; `None` if they are part
/// of themselves.
pub(super) fn effect(game: &Context<'_>, module: &mut Module, id: EffectId) -> Option<FunctionId> {
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
            sow::sow(&mut code, sow, &composite.then);
        } else if let Some((sites, moves)) = each_site(effect) {
            each_site::change_each(&mut code, sites, moves);
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

/// Writes code whose parts are those of the whole program.
pub(super) fn with_shared_parts(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>)) {
    std::mem::swap(&mut code.parts, &mut code.module.parts);
    write(code);
    std::mem::swap(&mut code.parts, &mut code.module.parts);
}

/// Evaluates an effect, and carries it out.
pub(super) fn emit(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>)) {
    let mut list = Vec::new();
    let mut at = Local(0);
    with_shared_parts(code, |code| (list, at) = evaluate(code, write));
    code.disturb();
    carry_out_all(code, list, at);
}

/// Evaluates an effect of which all actions wait in the array `acts`, as those of loops do;
/// their kinds.
pub(super) fn evaluate_ahead(
    code: &mut Emitter<'_>,
    write: impl FnOnce(&mut Emitter<'_>),
) -> ActionKinds {
    let mut list = Vec::new();
    let mut at = Local(0);
    with_shared_parts(code, |code| {
        (list, at) = evaluate(code, |code| {
            code.scope.loops += 1;
            write(code);
            code.scope.loops -= 1;
        });
    });
    code.module.traits.add(Trait::MovesActsAt);
    code.push(set_slot(Slot::ActsAt, at.get()));
    let kinds = |later| match later {
        LateEffect::Listed(_, _, kinds) => kinds,
        LateEffect::Act(..) => ActionKinds::new(),
    };
    list.into_iter().flat_map(kinds).collect()
}

pub(super) fn carry_out_all(code: &mut Emitter<'_>, list: Vec<LateEffect>, at: Local) {
    for later in list {
        match later {
            LateEffect::Act(None, kind, numbers) => carry_out_with(code, kind, numbers, at),
            LateEffect::Act(Some(flag), kind, numbers) => {
                code.when(flag.get(), |code| carry_out_with(code, kind, numbers, at));
            }
            LateEffect::Listed(from, to, kinds) => {
                code.for_range(from.get(), to.get(), |code, entry| {
                    carry_out_listed(code, &entry.get(), &kinds, at);
                });
            }
        }
    }
}

/// Carries out an action of a loop.
fn carry_out_listed(code: &mut Emitter<'_>, entry: &Expr, kinds: &ActionKinds, at: Local) {
    let first = code.keep_int(entry.clone() * int(OF_ACT as i32));
    let number = |i: i32| ACTS.at(add(first.clone(), int(i)));
    let kind_of_it = code.keep(Type::Int, number(0)).get();
    let numbers = [1, 2, 3].map(|i| code.keep(Type::Int, number(i)).get());
    for &(kind, id) in kinds {
        let is =
            if kinds.len() == 1 { int(1) } else { kind_of_it.clone().equals(int(kind as i32)) };
        let [a, b, c] = numbers.clone();
        if kind == Kind::Then {
            let is = both(is, a.equals(int(id)));
            code.when(is, |code| carry_out_with(code, kind, [int(id), b, c], at));
        } else {
            code.when(is, |code| carry_out_with(code, kind, [a, b, c], at));
        }
    }
}

/// Evaluates an effect: what is to be carried out, and where the next action of a loop would be
/// put.
fn evaluate(
    code: &mut Emitter<'_>,
    write: impl FnOnce(&mut Emitter<'_>),
) -> (Vec<LateEffect>, Local) {
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
    write(code);
    note_listed(code);
    match std::mem::replace(&mut code.consumer, Consumer::Give) {
        Consumer::Effect(waiting) => (waiting.list, at),
        _ => (Vec::new(), at),
    }
}

/// Lets what is written wait, as a part of an effect; what of it waits. Not for loops.
pub(super) fn noted(
    code: &mut Emitter<'_>,
    write: impl FnOnce(&mut Emitter<'_>),
) -> Vec<LateEffect> {
    note_listed(code);
    let before = waiting(code).map_or(0, |waiting| waiting.list.len());
    write(code);
    note_listed(code);
    waiting(code).map_or(Vec::new(), |waiting| waiting.list[before..].to_vec())
}

fn waiting<'c>(code: &'c mut Emitter<'_>) -> Option<&'c mut DeferredActions> {
    match &mut code.consumer {
        Consumer::Effect(waiting) => Some(waiting),
        _ => None,
    }
}

/// True if what is written comes after something that belongs to each move.
pub(super) fn is_after_first(code: &Emitter<'_>) -> bool {
    matches!(&code.consumer, Consumer::Effect(waiting) if !waiting.before_each.is_empty())
}

/// True if what is written is part of an effect, and not of a loop within it.
pub(super) fn is_effect_once(code: &Emitter<'_>) -> bool {
    matches!(&code.consumer, Consumer::Effect(waiting) if waiting.loops == code.scope.loops)
}

/// Evaluates something in the state in which some actions of this effect have been carried out
/// already, and puts that back. They change no more than numbers and sets of the state.
pub(super) fn evaluate_after(
    code: &mut Emitter<'_>,
    acts: Vec<LateEffect>,
    write: impl FnOnce(&mut Emitter<'_>),
) {
    let Some(at) = waiting(code).map(|waiting| waiting.at) else { return };
    let record = [Slot::FromNow, Slot::ToNow];
    let before = record.map(|number| code.keep(Type::Int, slot(number)).get());
    code.push(Stmt::Eval(service(Service::Copy, Vec::new())));
    carry_out_all(code, acts, at);
    code.scope(write);
    code.push(Stmt::Eval(service(Service::PutBack, Vec::new())));
    for (number, value) in record.into_iter().zip(before) {
        code.push(set_slot(number, value));
    }
}

/// Writes moves of an effect that come after something which belongs to each of them, and
/// changes no more than can be put back by statements.
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
    code.scope(|code| generators::emit(code, next));
    code.restore(&variables);
    if let Some(waiting) = waiting(code) {
        waiting.before_each.truncate(waiting.before_each.len() - count);
    }
    put_back.into_iter().for_each(|stmt| code.push(stmt));
}

/// Takes one move of an effect: what is done before each, and then what is written.
pub(super) fn one_given(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>)) {
    count_given(code, int(1));
    wait_for_what_is_before(code);
    let before = waiting(code).map(|waiting| std::mem::take(&mut waiting.before_each));
    write(code);
    if let (Some(before), Some(waiting)) = (before, waiting(code)) {
        waiting.before_each = before;
    }
}

fn wait_for_what_is_before(code: &mut Emitter<'_>) {
    for later in waiting(code).map_or(Vec::new(), |waiting| waiting.before_each.clone()) {
        // What is put back by statements is changed outside of loops.
        if let LateEffect::Act(flag, kind, numbers) = later {
            let is_done = flag.map_or(int(1), Local::get);
            code.when(is_done, |code| wait(code, kind, numbers));
        }
    }
}

/// Carries out an action, consequences too; what waits then waits from a place on.
fn carry_out_with(code: &mut Emitter<'_>, kind: Kind, numbers: [Expr; 3], at: Local) {
    match (kind, &numbers[0]) {
        (Kind::Then, Expr::Int(id)) => {
            let id = EffectId(*id as u32);
            code.module.traits.add(Trait::MovesActsAt);
            code.push(set_slot(Slot::ActsAt, at.get()));
            consequence(code, id);
        }
        _ => acts::carry_out(code, kind, numbers),
    }
}

/// Evaluates consequences, and carries them out.
pub(super) fn consequence(code: &mut Emitter<'_>, id: EffectId) {
    match effect(code.game, code.module, id) {
        Some(function) => code.push(Stmt::Call(function, Vec::new())),
        None => {
            code.module.traits.add(Trait::DefersCaptures);
            code.module.traits.add(Trait::AddsPieces);
            let a = int(id.0 as i32);
            let none = int(0);
            let act = vec![int(Kind::Then as i32), a, none.clone(), none];
            code.push(Stmt::Eval(service(Service::Act, act)));
        }
    }
}

/// Puts the actions of loops that wait into the list.
fn note_listed(code: &mut Emitter<'_>) {
    let depth = code.depth();
    let Consumer::Effect(waiting) = &mut code.consumer else { return };
    if !waiting.unlisted {
        return;
    }
    // Where this is not always done, they still lie behind if it is not.
    waiting.unlisted = depth != waiting.depth;
    let (at, listed, kinds) = (waiting.at, waiting.listed, waiting.kinds.clone());
    let from = code.keep(Type::Int, listed.get());
    let to = code.keep(Type::Int, at.get());
    code.push(Stmt::Set(listed, at.get()));
    if let Consumer::Effect(waiting) = &mut code.consumer {
        waiting.list.push(LateEffect::Listed(from, to, kinds));
    }
}

/// Lets an action wait.
pub(super) fn wait(code: &mut Emitter<'_>, kind: Kind, numbers: [Expr; 3]) {
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
        let grow = vec![Stmt::Eval(service(Service::Room, Vec::new()))];
        code.push(Stmt::If(full, grow, Vec::new()));
        let first = code.keep(Type::Int, at.get() * int(OF_ACT as i32));
        let numbers = std::iter::once(int(kind as i32)).chain(numbers);
        for (number, i) in numbers.zip(0..) {
            code.push(Stmt::Store(ACTS, add(first.get(), int(i)), number));
        }
        code.push(Stmt::Set(at, add(at.get(), int(1))));
        return;
    }
    let always = depth == waiting.depth;
    note_listed(code);
    let numbers = numbers.map(|number| match number {
        Expr::Int(_) => number,
        number => code.keep(Type::Int, number).get(),
    });
    let flag = (!always).then(|| code.keep(Type::Int, int(1)));
    if let Consumer::Effect(waiting) = &mut code.consumer {
        waiting.list.push(LateEffect::Act(flag, kind, numbers));
    }
}

/// Lets one action of one number wait.
pub(super) fn wait_for(code: &mut Emitter<'_>, kind: Kind, number: Expr) {
    wait(code, kind, [number, int(0), int(0)]);
}

/// Lets consequences wait which all moves have that are given here, innermost first.
pub(super) fn wait_for_consequences(code: &mut Emitter<'_>) {
    for effect in consequences(&code.scope.wrappers.clone()) {
        wait_for(code, Kind::Then, int(effect.0 as i32));
    }
}

/// Counts moves of an effect, where it matters how many there are.
pub(super) fn count_given(code: &mut Emitter<'_>, more: Expr) {
    if let (true, Consumer::Effect(DeferredActions { given, .. })) =
        (code.scope.counts, &code.consumer)
    {
        let given = *given;
        code.push(Stmt::Set(given, add(given.get(), more)));
    }
}

/// Lets an effect wait that the evaluator evaluates.
pub(super) fn asked_effect(code: &mut Emitter<'_>, number: i32) {
    let found = code.ask(Service::Effects, vec![int(number)]);
    let found = code.keep(Type::Int, found);
    count_given(code, slot(Slot::Given));
    if is_after_first(code) {
        code.when(slot(Slot::Given), wait_for_what_is_before);
    }
    wait_for(code, Kind::Found, found.get());
    code.disturb();
}

/// True if there is code for what a move of a generator does.
pub(super) fn is_code(game: &Context<'_>, leaf: &Leaf) -> bool {
    match &leaf.kind {
        LeafKind::Add { level, .. } | LeafKind::SetLayer { level, .. } => level.is_none(),
        LeafKind::Jump { level, stack, keep, .. } => level.is_none() || !(*stack || *keep),
        LeafKind::Slide(slide) => (slide.level.is_none() || !slide.stack) && slide.trail.is_none(),
        LeafKind::FromTo { from_level, to_level, stack, count, copy, .. } => {
            let moves_top = !(*stack || *copy || count.is_some());
            (from_level.is_none() || moves_top) && to_level.is_none()
        }
        // Nothing is hidden where nobody asks for it, and nobody listens.
        LeafKind::Hide(_) => !game.asks_hidden,
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
        | LeafKind::Forget { .. }
        | LeafKind::Note(_) => true,
    }
}

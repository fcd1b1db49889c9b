//! Effects as code: all of one is evaluated before any of it is carried out.
//!
//! The moves that an effect gives are its actions. Their numbers are kept in variables until the
//! effect has been evaluated, with a flag where there is a condition on them; those of loops wait
//! in the array `acts`. Then all are carried out in order, consequences between them.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ACTS, OF_MOVE, Service, Slot, add, both, int, is_below, service, set_slot, slot,
};
use super::context::Context;
use super::each_site::each_site;
use super::emitter::{Consumer, Emitter, Finding, Flags};
use super::module::{Module, Trait};
use super::sow::sowing;
use super::waiting::{ActionKinds, DeferredActions, Kind, LateEffect, NOT_GIVEN, OF_ACT};
use super::{acts, bools, dice, each_site, first, generators, ints, pieces, regions, sow, steps};
use crate::ir::{
    Apply, EffectId, Hop, ITERS, Int, Ints, Iter, Leaf, LeafKind, Moves, Place, Slide, Source,
    SourceKind, Wrapper, consequences,
};
use crate::limits::MAX_ADDITIONS;

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
fn wait_for(code: &mut Emitter<'_>, kind: Kind, number: Expr) {
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

/// Takes a move of a generator as an effect.
pub(super) fn take_effect(
    code: &mut Emitter<'_>,
    source: i32,
    [from, to, piece]: [Expr; 3],
    extra: &[Expr],
) {
    let source = code.parts.sources[source as usize].clone();
    one_given(code, |code| {
        match &source.kind {
            SourceKind::Leaf(leaf) => acts(code, leaf, [from, to, piece]),
            SourceKind::Hop(hop) => {
                let extra = [0, 1, 2, 3].map(|i| extra.get(i).cloned().unwrap_or(int(-1)));
                let extra = extra.map(|number| code.keep_int(number));
                acts_of_hop(code, hop, [from, to], &extra);
            }
            SourceKind::Single(_) => {}
        }
        for effect in source.then() {
            wait_for(code, Kind::Then, int(effect.0 as i32));
        }
    });
}

/// The actions of a move of a source, which is in the parameters.
pub(super) fn acts_of(code: &mut Emitter<'_>, source: &Source) {
    let [from, to, piece, path, first, length, over, _]: [Expr; OF_MOVE] =
        std::array::from_fn(|number| Local(number as u32).get());
    match &source.kind {
        SourceKind::Leaf(leaf) => acts(code, leaf, [from, to, piece]),
        SourceKind::Hop(hop) => acts_of_hop(code, hop, [from, to], &[path, first, length, over]),
        SourceKind::Single(_) => {}
    }
}

/// The actions of a move, its effects on the destination before it. Those with levels are the
/// evaluator's.
fn acts(code: &mut Emitter<'_>, leaf: &Leaf, [from, to, piece]: [Expr; 3]) {
    let ends = [from.clone(), to.clone()];
    match &leaf.kind {
        LeafKind::Add { state, count, apply, .. } => {
            emit_apply(code, apply.as_ref(), &ends);
            let state = state.as_ref().map_or(int(NOT_GIVEN), |state| ints::emit(code, state));
            let count = ints::emit(code, count);
            if count == int(1) {
                return wait(code, Kind::Add, [to, piece, state]);
            }
            let (state, count) = (code.keep_int(state), count.min(int(MAX_ADDITIONS)));
            code.for_range(int(0), count, |code, _| {
                wait(code, Kind::Add, [to.clone(), piece.clone(), state.clone()]);
            });
        }
        LeafKind::Jump { apply, keep, stack, level, .. } => {
            let level = level_moved(code, level.as_ref());
            emit_apply(code, apply.as_ref(), &ends);
            let kind = match (stack, keep) {
                (true, _) => Kind::MoveStack,
                (_, true) => Kind::MoveKeeping,
                _ => Kind::MoveTop,
            };
            wait_for_move(code, kind, ends, level);
        }
        LeafKind::Slide(slide) => {
            passed(code, slide, &ends, &piece);
            let level = level_moved(code, slide.level.as_ref());
            emit_apply(code, slide.apply.as_ref(), &ends);
            let kind = if slide.stack { Kind::MoveStack } else { Kind::MoveTop };
            wait_for_move(code, kind, ends, level);
        }
        LeafKind::FromTo { count, stack, apply, copy, from_level, .. } => {
            let level = level_moved(code, from_level.as_ref());
            // It was worked out when the move was found.
            let count = count.as_ref().map(|_| piece);
            emit_apply(code, apply.as_ref(), &ends);
            match count {
                _ if *copy => wait(code, Kind::Copy, [from, to, int(0)]),
                None if *stack => wait(code, Kind::MoveStack, [from, to, int(0)]),
                Some(count) => wait(code, Kind::MoveCount, [from, to, count]),
                _ => wait_for_move(code, Kind::MoveTop, ends, level),
            }
        }
        LeafKind::Shoot { .. } => wait(code, Kind::Add, [to, piece, int(NOT_GIVEN)]),
        LeafKind::Remove { count, deferred, level, .. } => {
            remove(code, to, count.as_ref(), level.as_ref(), *deferred);
        }
        LeafKind::Promote { .. } => wait(code, Kind::Promote, [to, piece, int(0)]),
        LeafKind::MoveAgain => wait_for(code, Kind::SetNext, slot(Slot::Mover)),
        LeafKind::SetNextPlayer(_) => wait_for(code, Kind::SetNext, piece),
        LeafKind::SetVar { var, value } => {
            let value = ints::emit(code, value);
            wait(code, Kind::SetVar, [int(*var as i32), value, int(0)]);
        }
        LeafKind::SetCounter(value) => {
            let value = ints::emit(code, value);
            wait_for(code, Kind::SetCounter, value);
        }
        LeafKind::SetScore { players, value, added } => set_score(code, players, value, *added),
        LeafKind::SetPlayerValue { player, value } => {
            let player = ints::emit(code, player);
            let player = code.keep_int(player);
            let value = ints::emit(code, value);
            wait(code, Kind::SetPlayerValue, [player, value, int(0)]);
        }
        LeafKind::SetPending(place) => pend(code, place.as_deref()),
        LeafKind::SetLayer { layer, value, .. } => {
            let value = ints::emit(code, value);
            let value = code.keep_int(value);
            let some = value.clone().at_least(int(0));
            let kind = Kind::of_layer(*layer);
            code.when(some, |code| wait(code, kind, [to, value, int(0)]));
        }
        LeafKind::SetCount { at, value } => set_count(code, at, value),
        LeafKind::Trigger(who) => {
            let who = ints::emit(code, who);
            let who = code.keep_int(who);
            let known = is_below(who.clone(), 32);
            code.when(known, |code| wait_for(code, Kind::Trigger, who));
        }
        LeafKind::Remember { list, values, .. } => remember(code, *list as i32, values),
        LeafKind::Forget { list, value } => match value {
            Some(value) => {
                let value = ints::emit(code, value);
                wait(code, Kind::Forget, [int(*list as i32), value, int(0)]);
            }
            None => wait_for(code, Kind::ForgetAll, int(*list as i32)),
        },
        LeafKind::Turn { full, .. } => turn(code, to, piece, *full),
        // Nobody listens to what players are told; and generators of the rest are the
        // evaluator's.
        LeafKind::Select { .. }
        | LeafKind::Pass
        | LeafKind::Note(_)
        | LeafKind::Hide(_)
        | LeafKind::SwapPieces { .. } => {}
    }
}

/// The actions that remove pieces from a site, at once or when the turn ends.
fn remove(
    code: &mut Emitter<'_>,
    to: Expr,
    count: Option<&Int>,
    level: Option<&Int>,
    deferred: bool,
) {
    let level = level.map(|level| ints::emit(code, level).max(int(0)).min(int(65535)));
    let (kind, level) = match level {
        _ if deferred => (Kind::Defer, int(0)),
        Some(level) => (Kind::RemoveLevel, code.keep_int(level)),
        None => (Kind::Remove, int(0)),
    };
    let removed = [to, level, int(0)];
    let Some(count) = count else { return wait(code, kind, removed) };
    let count = ints::emit(code, count).max(int(1)).min(int(MAX_ADDITIONS));
    code.for_range(int(0), count, |code, _| wait(code, kind, removed.clone()));
}

/// The actions that remember values.
fn remember(code: &mut Emitter<'_>, list: i32, values: &Place) {
    match values {
        Place::Site(value) => {
            let value = ints::emit(code, value);
            wait(code, Kind::Remember, [int(list), value, int(0)]);
        }
        Place::Region(region) => {
            let values = regions::emit(code, region);
            code.for_each(values, |code, value| {
                wait(code, Kind::Remember, [int(list), value.get(), int(0)]);
            });
        }
    }
}

/// The action that turns a piece by some steps, of which so many make a full turn.
fn turn(code: &mut Emitter<'_>, to: Expr, steps: Expr, full: i32) {
    let to = code.keep_int(to);
    let rotation = match code.game.layout.at.extra {
        0 => int(0),
        at => code.by_site(at, to.clone(), 3, 1),
    };
    let turned = (rotation + steps).rest(int(full));
    let turned = (turned + int(full)).rest(int(full));
    wait(code, Kind::SetRotation, [to, turned, int(0)]);
}

/// The action that sets how many pieces are on a site.
fn set_count(code: &mut Emitter<'_>, at: &Int, value: &Int) {
    let value = ints::emit(code, value);
    let value = code.keep_int(value);
    let site = ints::emit(code, at);
    let site = code.keep_int(site);
    let real = site.clone().at_least(int(0));
    code.when(real, |code| wait(code, Kind::SetCount, [site, value, int(0)]));
}

/// The actions that set the scores of players, or add to them.
fn set_score(code: &mut Emitter<'_>, players: &Ints, value: &Int, added: bool) {
    let value = ints::emit(code, value);
    let value = code.keep_int(value);
    let kind = if added { Kind::AddScore } else { Kind::SetScore };
    ints::for_list(code, players, |code, player| {
        wait(code, kind, [player, value.clone(), int(0)]);
    });
}

/// The level of the piece that is moved; negative, or nothing, for the top one.
fn level_moved(code: &mut Emitter<'_>, level: Option<&Int>) -> Option<Expr> {
    let level = level.map(|level| ints::emit(code, level));
    level.map(|level| code.keep_int(level))
}

/// Lets a move of a piece wait, which may be one below the top.
fn wait_for_move(code: &mut Emitter<'_>, kind: Kind, [from, to]: [Expr; 2], level: Option<Expr>) {
    match level {
        Some(level) => wait(code, Kind::MoveLevel, [from, to, level]),
        None => wait(code, kind, [from, to, int(0)]),
    }
}

/// Evaluates the effects of an `apply`, with origin and destination bound.
fn emit_apply(code: &mut Emitter<'_>, apply: Option<&Apply>, [from, to]: &[Expr; 2]) {
    let Some(Apply { condition, effect: Some(effect) }) = apply else { return };
    let saved = code.save([Iter::From, Iter::To]);
    code.bind(Iter::From, from.clone());
    code.bind(Iter::To, to.clone());
    apply_here(code, condition.as_ref(), effect);
    code.restore(&saved);
}

fn apply_here(code: &mut Emitter<'_>, condition: Option<&crate::ir::Bool>, effect: &Moves) {
    let wrappers = std::mem::take(&mut code.scope.wrappers);
    let holds = condition.map_or(int(1), |condition| bools::emit(code, condition));
    code.when(holds, |code| generators::emit(code, effect));
    code.scope.wrappers = wrappers;
}

/// Evaluates the effects of a slide on every site that it passes.
fn passed(code: &mut Emitter<'_>, slide: &Slide, [from, to]: &[Expr; 2], path: &Expr) {
    let Some(Apply { condition, effect: Some(effect) }) = &slide.passed else { return };
    for (meant, id) in steps::by_piece(code, &slide.rays, from) {
        let paths = code.module.tables.rays(code.game, id);
        code.when(meant, |code| {
            let number = code.keep_int(paths.of_site.at(from.clone()) + path.clone());
            let start = code.keep_int(paths.of_path.at(number.clone()));
            let end = code.keep_int(paths.of_path.at(add(number, int(1))));
            let saved = code.save([Iter::Between]);
            code.for_range(start, end, |code, at| {
                let site = steps::site_on(code, paths, at);
                steps::break_unless(code, site.clone().differs(to.clone()));
                code.bind(Iter::Between, site);
                apply_here(code, condition.as_ref(), effect);
            });
            code.restore(&saved);
        });
    }
}

fn pend(code: &mut Emitter<'_>, place: Option<&Place>) {
    let sites = code.game.layout.at.sites as i32;
    match place {
        // A number that is a site is one: they are kept together.
        None if sites > 1 => wait_for(code, Kind::PendSite, int(1)),
        None => wait_for(code, Kind::PendNumber, int(1)),
        Some(Place::Site(value)) => {
            let value = ints::emit(code, value);
            let value = code.keep_int(value);
            let is_site = is_below(value.clone(), sites);
            let is_site = code.keep_int(is_site);
            let site = value.clone();
            code.when(is_site.clone(), |code| wait_for(code, Kind::PendSite, site));
            let number = super::arrays::choose(value.clone().equals(int(-1)), int(1), value);
            code.when(!is_site, |code| wait_for(code, Kind::PendNumber, number));
        }
        Some(Place::Region(region)) => {
            let sites = regions::emit(code, region);
            code.for_each(sites, |code, site| wait_for(code, Kind::PendSite, site.get()));
        }
    }
}

/// The actions of a hop: effects on what it passes over, the last one first, that on the
/// destination, and the move.
fn acts_of_hop(code: &mut Emitter<'_>, hop: &Hop, [from, to]: [Expr; 2], extra: &[Expr; 4]) {
    let [path, first, _, over] = extra;
    if let Some(Apply { condition, effect: Some(effect) }) = &hop.hurdle_apply {
        for (meant, id) in steps::by_piece(code, &hop.rays, &from) {
            let paths = code.module.tables.rays(code.game, id);
            let real = path.clone().at_least(int(0));
            code.when(both(meant, real), |code| {
                let start = code.keep_int(paths.of_path.at(path.clone()) + first.clone());
                let saved = code.save([Iter::Between]);
                let each = |code: &mut Emitter<'_>, place: Expr| {
                    let site = code.keep_int(paths.sites.at(place));
                    code.is_site(&site);
                    code.bind(Iter::Between, site);
                    apply_here(code, condition.as_ref(), effect);
                };
                if hop.range.1 == crate::ir::Int::Const(1) {
                    let some = over.clone().greater(int(0));
                    code.when(some, |code| each(code, start.clone()));
                } else {
                    let last = code.keep_int(add(start, over.clone() - int(1)));
                    code.for_range(int(0), over.clone(), |code, back| {
                        each(code, last.clone() - back.get());
                    });
                }
                code.restore(&saved);
            });
        }
    }
    if let Some(Apply { condition, effect: Some(effect) }) = &hop.apply {
        apply_here(code, condition.as_ref(), effect);
    }
    let kind = if hop.stack { Kind::MoveStack } else { Kind::MoveTop };
    wait(code, kind, [from, to, int(0)]);
}

/// True if there may be code for what the moves of a source do.
pub(super) fn can_make(game: &Context<'_>, source: &Source) -> bool {
    let made = match &source.kind {
        // What is on record of levels is the evaluator's.
        SourceKind::Leaf(leaf) => is_code(game, leaf) && !(game.asks_actions && leaf.has_level()),
        SourceKind::Hop(_) => true,
        SourceKind::Single(_) => false,
    };
    made && !game.asks_between && !game.asks_touched
}

/// Writes the function that makes the moves of a source: what is gathered of one is its parameters.
/// `None` where the evaluator has to make them.
pub(super) fn make(game: &Context<'_>, module: &mut Module, source: &Source) -> Option<FunctionId> {
    if !can_make(game, source) {
        return None;
    }
    module.traits.take(Trait::NeedsCopy);
    let mut code = Emitter::closed(game, module, OF_MOVE);
    let variables = bind_params(&mut code, source);
    let [from, to] = [0, 1].map(Local);
    for wrapper in &source.wrappers {
        if let Wrapper::First(first, binders) = wrapper {
            first::do_again(&mut code, first, source.bound(*binders));
        }
    }
    let make = |code: &mut Emitter<'_>| {
        match &source.turn_of {
            Some(who) => pieces::in_turn_of(code, who, |code, _| acts_of(code, source)),
            None => acts_of(code, source),
        }
        for wrapper in source.wrappers.iter().rev() {
            if let Wrapper::Dice(replay_double) = wrapper {
                dice::use_dice(code, replay_double);
            }
        }
    };
    code.scope(|code| emit(code, make));
    // The evaluator works out what a move does before it begins.
    let asks = code.found.has(Finding::AsksEvaluator) && (game.pends || game.counts_moves);
    if asks || code.found.has(Finding::ReadsStartOfMove) {
        return None;
    }
    code.bind_all(variables.map(Some));
    enter(&mut code, from.get(), to.get());
    call_consequences(&mut code, source.then_before_test());
    Some(code.shared("make", OF_MOVE, None))
}

/// Writes the function that carries out the consequences which wait until a move has been tested,
/// if the moves of a source have any.
pub(super) fn rest(game: &Context<'_>, module: &mut Module, source: &Source) -> Option<FunctionId> {
    source.then_after_test().next()?;
    let mut code = Emitter::closed(game, module, 0);
    call_consequences(&mut code, source.then_after_test());
    Some(code.shared("rest", 0, None))
}

/// Carries out consequences of a move, one after the other.
pub(super) fn call_consequences(code: &mut Emitter<'_>, effects: impl Iterator<Item = EffectId>) {
    code.push(set_slot(Slot::KeepsFlags, int(1)));
    effects.for_each(|effect| consequence(code, effect));
    end_consequences(code);
}

/// Enters the last action of a move and its consequences into what the rules can ask about it.
pub(super) fn end_consequences(code: &mut Emitter<'_>) {
    if code.game.asks_actions {
        code.push(set_slot(Slot::LastFromAfter, slot(Slot::FromNow)));
        code.push(set_slot(Slot::LastToAfter, slot(Slot::ToNow)));
    }
}

/// Takes variables to be what the parameters of a move of a source say; what they are.
pub(super) fn bind_params(code: &mut Emitter<'_>, source: &Source) -> [Expr; ITERS] {
    let variables = code.bind_to_params(source.bound_inside());
    if !source.kind.is_pass() {
        code.is_site(&Local(0).get());
    }
    variables
}

/// Enters the move that has been made into what the rules can ask about it.
pub(super) fn enter(code: &mut Emitter<'_>, from: Expr, to: Expr) {
    code.push(set_slot(Slot::LastFrom, from.clone()));
    code.push(set_slot(Slot::LastTo, to.clone()));
    if !code.game.asks_actions {
        return;
    }
    code.when(slot(Slot::ToNow).less(int(0)), |code| {
        code.push(set_slot(Slot::FromNow, from));
        code.push(set_slot(Slot::ToNow, to.clone()));
    });
    code.push(set_slot(Slot::LastFromAfter, slot(Slot::FromNow)));
    code.push(set_slot(Slot::LastToAfter, slot(Slot::ToNow)));
    code.push(set_slot(Slot::LevelFrom, int(0)));
    let mut level = int(0);
    if code.game.stacking() {
        let height = ints::height_at(code, to.clone());
        let height = code.keep_int(height);
        let top = (height - int(1)).max(int(0));
        level = super::arrays::choose(to.at_least(int(0)), top, int(0));
    }
    code.push(set_slot(Slot::LevelTo, level));
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

//! Code for the deferred actions of moves.

use kernel::ir::{Expr, Local};

use super::arrays::{OF_MOVE, Slot, add, both, choose, int, is_below, slot};
use super::emitter::Emitter;
use super::waiting::{Kind, NOT_GIVEN};
use super::{bools, by_site, effects, generators, ints, regions, steps};
use crate::ir::{
    Apply, Bool, Hop, Int, Ints, Iter, Leaf, LeafKind, Moves, Place, Slide, Source, SourceKind,
};
use crate::limits::MAX_ADDITIONS;

/// Writes the actions of a move of an effect.
pub(super) fn emit(
    code: &mut Emitter<'_>,
    source: i32,
    [from, to, piece]: [Expr; 3],
    extra: &[Expr],
) {
    let source = code.parts.sources[source as usize].clone();
    effects::emit_one(code, |code| {
        match &source.kind {
            SourceKind::Leaf(leaf) => of_leaf(code, leaf, [from, to, piece]),
            SourceKind::Hop(hop) => {
                let extra = [0, 1, 2, 3].map(|i| extra.get(i).cloned().unwrap_or(int(-1)));
                let extra = extra.map(|number| code.keep_int(number));
                of_hop(code, hop, [from, to], &extra);
            }
            SourceKind::Single(_) => {}
        }
        for effect in source.then() {
            effects::defer_number(code, Kind::Then, int(effect.0 as i32));
        }
    });
}

/// Writes the actions of a move of a source, whose numbers are the parameters of the function.
pub(super) fn of_source(code: &mut Emitter<'_>, source: &Source) {
    let [from, to, piece, path, first, length, over, _]: [Expr; OF_MOVE] =
        std::array::from_fn(|number| Local(number as u32).get());
    match &source.kind {
        SourceKind::Leaf(leaf) => of_leaf(code, leaf, [from, to, piece]),
        SourceKind::Hop(hop) => of_hop(code, hop, [from, to], &[path, first, length, over]),
        SourceKind::Single(_) => {}
    }
}

/// Writes the actions of a move of a simple generator, after its effects on the destination. The
/// evaluator makes moves with levels.
fn of_leaf(code: &mut Emitter<'_>, leaf: &Leaf, [from, to, piece]: [Expr; 3]) {
    let ends = [from.clone(), to.clone()];
    match &leaf.kind {
        LeafKind::Add { state, count, apply, .. } => {
            emit_apply(code, apply.as_ref(), &ends);
            let state = state.as_ref().map_or(int(NOT_GIVEN), |state| ints::emit(code, state));
            let count = ints::emit(code, count);
            if count == int(1) {
                return effects::defer(code, Kind::Add, [to, piece, state]);
            }
            let (state, count) = (code.keep_int(state), count.min(int(MAX_ADDITIONS)));
            code.for_range(int(0), count, |code, _| {
                effects::defer(code, Kind::Add, [to.clone(), piece.clone(), state.clone()]);
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
            defer_move(code, kind, ends, level);
        }
        LeafKind::Slide(slide) => {
            passed(code, slide, &ends, &piece);
            let level = level_moved(code, slide.level.as_ref());
            emit_apply(code, slide.apply.as_ref(), &ends);
            let kind = if slide.stack { Kind::MoveStack } else { Kind::MoveTop };
            defer_move(code, kind, ends, level);
        }
        LeafKind::FromTo { count, stack, apply, copy, from_level, .. } => {
            let level = level_moved(code, from_level.as_ref());
            // The number of pieces was evaluated when the move was generated.
            let count = count.as_ref().map(|_| piece);
            emit_apply(code, apply.as_ref(), &ends);
            match count {
                _ if *copy => effects::defer(code, Kind::Copy, [from, to, int(0)]),
                None if *stack => effects::defer(code, Kind::MoveStack, [from, to, int(0)]),
                Some(count) => effects::defer(code, Kind::MoveCount, [from, to, count]),
                _ => defer_move(code, Kind::MoveTop, ends, level),
            }
        }
        LeafKind::Shoot { .. } => effects::defer(code, Kind::Add, [to, piece, int(NOT_GIVEN)]),
        LeafKind::Remove { count, deferred, level, .. } => {
            remove(code, to, count.as_ref(), level.as_ref(), *deferred);
        }
        LeafKind::Promote { .. } => effects::defer(code, Kind::Promote, [to, piece, int(0)]),
        LeafKind::MoveAgain => effects::defer_number(code, Kind::SetNext, slot(Slot::Mover)),
        LeafKind::SetNextPlayer(_) => effects::defer_number(code, Kind::SetNext, piece),
        LeafKind::SetVar { var, value } => {
            let value = ints::emit(code, value);
            effects::defer(code, Kind::SetVar, [int(*var as i32), value, int(0)]);
        }
        LeafKind::SetCounter(value) => {
            let value = ints::emit(code, value);
            effects::defer_number(code, Kind::SetCounter, value);
        }
        LeafKind::SetScore { players, value, added } => set_score(code, players, value, *added),
        LeafKind::SetPlayerValue { player, value } => {
            let player = ints::kept(code, player);
            let value = ints::emit(code, value);
            effects::defer(code, Kind::SetPlayerValue, [player, value, int(0)]);
        }
        LeafKind::SetPending(place) => pend(code, place.as_deref()),
        LeafKind::SetLayer { layer, value, .. } => {
            let value = ints::kept(code, value);
            let has_value = value.clone().at_least(int(0));
            let kind = Kind::of_layer(*layer);
            code.when(has_value, |code| effects::defer(code, kind, [to, value, int(0)]));
        }
        LeafKind::SetCount { at, value } => set_count(code, at, value),
        LeafKind::Trigger(who) => {
            let who = ints::kept(code, who);
            let is_player = is_below(who.clone(), 32);
            code.when(is_player, |code| effects::defer_number(code, Kind::Trigger, who));
        }
        LeafKind::Remember { list, values, .. } => remember(code, *list as i32, values),
        LeafKind::Forget { list, value } => match value {
            Some(value) => {
                let value = ints::emit(code, value);
                effects::defer(code, Kind::Forget, [int(*list as i32), value, int(0)]);
            }
            None => effects::defer_number(code, Kind::ForgetAll, int(*list as i32)),
        },
        LeafKind::Turn { full, .. } => turn(code, to, piece, *full),
        // Notes do not change the state, and the evaluator makes the other moves.
        LeafKind::Select { .. }
        | LeafKind::Pass
        | LeafKind::Note(_)
        | LeafKind::Hide(_)
        | LeafKind::SwapPieces { .. } => {}
    }
}

/// Writes the actions that remove pieces from a site, at once or when the turn ends.
fn remove(code: &mut Emitter<'_>, to: Expr, count: Option<&Int>, level: Option<&Int>, late: bool) {
    let level = level.map(|level| ints::emit(code, level).max(int(0)).min(int(65535)));
    let (kind, level) = match level {
        _ if late => (Kind::Defer, int(0)),
        Some(level) => (Kind::RemoveLevel, code.keep_int(level)),
        None => (Kind::Remove, int(0)),
    };
    let removed = [to, level, int(0)];
    let Some(count) = count else { return effects::defer(code, kind, removed) };
    let count = ints::emit(code, count).max(int(1)).min(int(MAX_ADDITIONS));
    code.for_range(int(0), count, |code, _| effects::defer(code, kind, removed.clone()));
}

/// Writes the actions that remember values.
fn remember(code: &mut Emitter<'_>, list: i32, values: &Place) {
    match values {
        Place::Site(value) => {
            let value = ints::emit(code, value);
            effects::defer(code, Kind::Remember, [int(list), value, int(0)]);
        }
        Place::Region(region) => {
            let values = regions::emit(code, region);
            code.for_each(values, |code, value| {
                effects::defer(code, Kind::Remember, [int(list), value.get(), int(0)]);
            });
        }
    }
}

/// Writes the action that turns a piece by steps, of which `full` make a full turn.
fn turn(code: &mut Emitter<'_>, to: Expr, steps: Expr, full: i32) {
    let to = code.keep_int(to);
    let rotation = match code.game.layout.at.extra {
        0 => int(0),
        at => code.by_site(at, to.clone(), 3, 1),
    };
    let turned = (rotation + steps).rest(int(full));
    effects::defer(code, Kind::SetRotation, [to, (turned + int(full)).rest(int(full)), int(0)]);
}

/// Writes the action that sets the number of pieces on a site.
fn set_count(code: &mut Emitter<'_>, at: &Int, value: &Int) {
    let value = ints::kept(code, value);
    let site = ints::kept(code, at);
    let real = site.clone().at_least(int(0));
    code.when(real, |code| effects::defer(code, Kind::SetCount, [site, value, int(0)]));
}

/// Writes the actions that set the scores of players, or add to them.
fn set_score(code: &mut Emitter<'_>, players: &Ints, value: &Int, added: bool) {
    let value = ints::kept(code, value);
    let kind = if added { Kind::AddScore } else { Kind::SetScore };
    by_site::for_list(code, players, |code, player| {
        effects::defer(code, kind, [player, value.clone(), int(0)]);
    });
}

/// The level of the moved piece; negative or `None` for the top one.
fn level_moved(code: &mut Emitter<'_>, level: Option<&Int>) -> Option<Expr> {
    let level = level.map(|level| ints::emit(code, level));
    level.map(|level| code.keep_int(level))
}

/// Defers a move of a piece, at a level if one is given.
fn defer_move(code: &mut Emitter<'_>, kind: Kind, [from, to]: [Expr; 2], level: Option<Expr>) {
    match level {
        Some(level) => effects::defer(code, Kind::MoveLevel, [from, to, level]),
        None => effects::defer(code, kind, [from, to, int(0)]),
    }
}

/// Writes the effects of an `apply`, with origin and destination bound.
fn emit_apply(code: &mut Emitter<'_>, apply: Option<&Apply>, [from, to]: &[Expr; 2]) {
    let Some(Apply { condition, effect: Some(effect) }) = apply else { return };
    let saved = code.save([Iter::From, Iter::To]);
    code.bind(Iter::From, from.clone());
    code.bind(Iter::To, to.clone());
    apply_here(code, condition.as_ref(), effect);
    code.restore(&saved);
}

/// Writes an effect if a condition holds, without the wrappers of the move.
fn apply_here(code: &mut Emitter<'_>, condition: Option<&Bool>, effect: &Moves) {
    let wrappers = std::mem::take(&mut code.scope.wrappers);
    let holds = condition.map_or(int(1), |condition| bools::emit(code, condition));
    code.when(holds, |code| generators::emit(code, effect));
    code.scope.wrappers = wrappers;
}

/// Writes the effects of a slide on every site that it passes.
fn passed(code: &mut Emitter<'_>, slide: &Slide, [from, to]: &[Expr; 2], path: &Expr) {
    let Some(Apply { condition, effect: Some(effect) }) = &slide.passed else { return };
    for (meant, id) in steps::by_piece(code, &slide.rays, from) {
        let paths = code.rays(id);
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

/// Writes the actions that make sites or a number pending.
fn pend(code: &mut Emitter<'_>, place: Option<&Place>) {
    match place {
        None => effects::defer_number(code, Kind::PendSite, int(1)),
        Some(Place::Site(value)) => {
            let value = ints::kept(code, value);
            let value = code.keep_int(choose(value.clone().equals(int(-1)), int(1), value));
            // A pending number for which there is room is kept as a site.
            let is_site = is_below(value.clone(), code.game.room() as i32);
            let is_site = code.keep_int(is_site);
            let site = value.clone();
            code.when(is_site.clone(), |code| effects::defer_number(code, Kind::PendSite, site));
            code.when(!is_site, |code| effects::defer_number(code, Kind::PendNumber, value));
        }
        Some(Place::Region(region)) => {
            let sites = regions::emit(code, region);
            code.for_each(sites, |code, site| {
                effects::defer_number(code, Kind::PendSite, site.get());
            });
        }
    }
}

/// Writes the actions of a hop: effects on the pieces that it passes, the last one first, the
/// effect on the destination, and the move.
fn of_hop(code: &mut Emitter<'_>, hop: &Hop, [from, to]: [Expr; 2], extra: &[Expr; 4]) {
    let [path, first, _, over] = extra;
    if let Some(Apply { condition, effect: Some(effect) }) = &hop.hurdle_apply {
        for (meant, id) in steps::by_piece(code, &hop.rays, &from) {
            let paths = code.rays(id);
            code.when(both(meant, path.clone().at_least(int(0))), |code| {
                let start = code.keep_int(paths.of_path.at(path.clone()) + first.clone());
                let saved = code.save([Iter::Between]);
                let each = |code: &mut Emitter<'_>, place: Expr| {
                    let site = code.keep_int(paths.sites.at(place));
                    code.assume_site(&site);
                    code.bind(Iter::Between, site);
                    apply_here(code, condition.as_ref(), effect);
                };
                if hop.range.1 == Int::Const(1) {
                    code.when(over.clone().greater(int(0)), |code| each(code, start.clone()));
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
    effects::defer(code, kind, [from, to, int(0)]);
}

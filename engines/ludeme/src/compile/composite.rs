//! Code for composite generators, which combine other generators.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{MOST_ENTRIES, Slot, add, both, choose, int};
use super::emitter::{Consumer, Emitter, Finding, Gathering};
use super::waiting::Kind;
use super::{
    bools, by_site, custodial, dice, effects, exists, generators, groups, hops, ints, output,
    prelude, sow, steps,
};
use crate::ir::{
    Binder, ByPiece, Composite, CompositeKind, EachDirection, Int, Iter, JumpId, LeafKind, Longest,
    Moves, RayId, SourceKind, Wrapper,
};
use crate::lower::Feature;

/// Writes code for the moves of a composite generator; `moves` is the node around it. `begins` is
/// true if no generator of the turn has run yet.
pub(super) fn emit(code: &mut Emitter<'_>, composite: &Composite, moves: &Moves, begins: bool) {
    let wraps = !composite.then.is_empty();
    match &composite.kind {
        CompositeKind::Hop(hop) => within(code, composite, |code| hops::emit(code, hop)),
        CompositeKind::Then(inner) => within(code, composite, |code| {
            code.scope.begins = begins;
            generators::emit(code, inner);
        }),
        CompositeKind::ForEachDirection(each)
            if each.facings.is_empty() || faced(code, &each.rays, &each.facings).is_some() =>
        {
            within(code, composite, |code| for_each_direction(code, each));
        }
        CompositeKind::DoNext { first, next, after: None } => {
            do_next(code, composite, (first, next), moves, begins);
        }
        CompositeKind::ForEachDie { combined, replay_double, condition, moves }
            if dice::has_code(code) =>
        {
            within(code, composite, |code| {
                dice::for_each_die(code, combined, replay_double, condition, moves);
            });
        }
        CompositeKind::ForEachLevel { at, from_top, moves }
            if matches!(code.consumer, Consumer::Destinations { .. }) && !wraps =>
        {
            for_each_level(code, at, *from_top, moves);
        }
        CompositeKind::Max { captures, with_value, moves: all }
            if !wraps && can_gather_longest(code) =>
        {
            let (captures, with_value) = (*captures, with_value.clone());
            gather_longest(code, Longest { captures, with_value }, all);
        }
        CompositeKind::Max { moves: longest, .. } if code.is_gathered() => {
            leave_if_any(code, longest, moves);
        }
        CompositeKind::Enclose {
            jumps, from, target, exceptions, effect, together: None, ..
        } if code.is_effect() && !wraps && is_orderless(effect) => {
            let targets = bools::per_site(code, Some(target), Iter::Between).sites;
            let Some(targets) = targets else { return generators::ask(code, moves) };
            groups::emit_enclosed(code, (*jumps, from, exceptions), targets, effect);
        }
        CompositeKind::Sow(sow) if code.is_effect() && sow::has_code(code, sow) => {
            within(code, composite, |code| sow::emit_in_effect(code, sow));
        }
        CompositeKind::Flip { at, flips } if !wraps && can_flip(code) => flip(code, at, flips),
        CompositeKind::Directional { rays, from, target, effect } => {
            within(code, composite, |code| {
                custodial::emit_directional(code, rays, from, target, effect);
            });
        }
        CompositeKind::Roll if code.is_effect() && !wraps && code.scope.wrappers.is_empty() => {
            dice::roll(code);
        }
        kind if code.is_gathered() => match singles(kind) {
            Some(singles) => within(code, composite, |code| {
                singles.into_iter().for_each(|kind| single(code, kind));
            }),
            None => generators::ask(code, moves),
        },
        _ => generators::ask(code, moves),
    }
}

/// Writes code for moves that have the consequences of a composite generator.
fn within(code: &mut Emitter<'_>, composite: &Composite, write: impl FnOnce(&mut Emitter<'_>)) {
    let wraps = !composite.then.is_empty();
    if wraps {
        code.scope.wrappers.push(Wrapper::Then(composite.then.clone()));
    }
    write(code);
    if wraps {
        code.scope.wrappers.pop();
    }
}

/// Writes code for `do .. next:`.
fn do_next(
    code: &mut Emitter<'_>,
    composite: &Composite,
    (first, next): (&Moves, &Moves),
    moves: &Moves,
    begins: bool,
) {
    if begins && prelude::runs_once(code, first) {
        return within(code, composite, |code| prelude::emit_once(code, first, next));
    }
    if code.is_gathered() && composite.then.is_empty() {
        return match prelude::undoable(code, first, next) {
            Some(changed) => prelude::emit_each(code, first, &changed, next),
            None => generators::ask(code, moves),
        };
    }
    if code.is_effect() && prelude::has_effect_code(code, first, next) {
        return within(code, composite, |code| prelude::emit_in_effect(code, first, next));
    }
    generators::ask(code, moves);
}

/// Writes code for the moves of all levels of a stack. The last level stays bound, as specified.
fn for_each_level(code: &mut Emitter<'_>, at: &Int, from_top: bool, moves: &Moves) {
    code.findings.add_if(code.scope.passes_over, Finding::RebindsInPassing);
    let site = ints::kept(code, at);
    let height = by_site::height_at(code, site);
    let height = code.keep_int(height);
    code.for_range(int(0), height.clone(), |code, level| {
        let from_bottom = level.get();
        let level = if from_top { height.clone() - int(1) - from_bottom } else { from_bottom };
        let level = code.keep_int(level);
        code.bind(Iter::Level, level);
        generators::emit(code, moves);
        code.clobber();
    });
}

/// Writes code for a generator that always has one move, without ends.
fn single(code: &mut Emitter<'_>, kind: CompositeKind) {
    let source = output::source(code, SourceKind::Single(Box::new(kind.into())));
    output::emit_move(code, source, int(-1), int(-1), int(0));
}

/// True if turning a piece over has a form in code: as an effect, or in a test if there is a move.
fn can_flip(code: &Emitter<'_>) -> bool {
    let asked = matches!(code.consumer, Consumer::Exists { .. });
    (asked || code.is_effect() && code.scope.wrappers.is_empty()) && !code.game.stacking()
}

/// Writes code that turns over a piece with two sides.
fn flip(code: &mut Emitter<'_>, at: &Int, flips: &[Option<(i32, i32)>]) {
    let site = ints::kept(code, at);
    let what = code.what(site.clone());
    let has_sides = code.table(flips.iter().map(|flips| i32::from(flips.is_some())));
    code.when(has_sides.at(what), |code| match code.consumer {
        Consumer::Exists { .. } => exists::leave(code),
        _ => {
            effects::count_moves(code, int(1));
            effects::defer(code, Kind::Flip, [site, int(0), int(0)]);
        }
    });
}

/// Writes code that leaves the ply to the evaluator if a generator has moves which code does not
/// gather.
fn leave_if_any(code: &mut Emitter<'_>, moves: &Moves, whole: &Moves) {
    let Some(any) = exists::can_move(code, moves) else { return generators::ask(code, whole) };
    // Numbers that are drawn for the test are taken back.
    code.findings.add_if(code.game.has(Feature::Chance), Finding::DoesFirst);
    code.when(any, |code| {
        code.set_slot(Slot::Gathered, int(MOST_ENTRIES as i32));
        code.push(Stmt::Return(Some(int(0))));
    });
}

/// True if code may gather moves of which the host finds those that begin the longest turns.
fn can_gather_longest(code: &Emitter<'_>) -> bool {
    let game = code.game;
    let tests = game.tests_moves || game.repeats.is_some() || game.has(Feature::ReadsFlags);
    let is_alone =
        code.scope.binders.is_empty() && code.scope.loops == 0 && code.scope.wrappers.is_empty();
    matches!(&code.consumer, Consumer::Gather(gathering) if gathering.longest)
        && code.parts.longest.is_none()
        && is_alone
        && !(tests || game.has(Feature::Chance) || game.simultaneous)
}

/// Writes code that gathers moves of which only those that begin the longest turns count.
fn gather_longest(code: &mut Emitter<'_>, longest: Longest, moves: &Moves) {
    let Consumer::Gather(Gathering { count, .. }) = code.consumer else { return };
    code.parts.longest = Some(longest);
    let before = code.keep(Type::Int, count.get()).get();
    generators::emit(code, moves);
    code.set_slot(Slot::Longest, before);
    code.set_slot(Slot::LongestEnd, count.get());
}

/// Writes code for the moves of each site along straight paths.
fn for_each_direction(code: &mut Emitter<'_>, each: &EachDirection) {
    let EachDirection { from, rays, facings, range, between, condition, moves } = each;
    let (min, max) = (ints::emit(code, &range.0), ints::emit(code, &range.1));
    let (min, max) = (code.keep_int(min), code.keep_int(max));
    let origin = code.variable(Iter::From);
    let origin = code.keep_int(origin);
    let start = ints::kept(code, from);
    let there = match code.bindings.piece {
        Some(_) => int(1),
        None => steps::is_occupied(code, origin.clone()),
    };
    code.when(both(there, start.clone().at_least(int(0))), |code| {
        let saved = code.save([Iter::To, Iter::Between]);
        let facing = facing(code, &origin, facings);
        let tables = match faced(code, rays, facings).filter(|ids| ids.len() > 1) {
            Some(ids) => vec![(int(1), ids)],
            None => {
                let tables = steps::by_piece(code, rays, &origin).into_iter();
                tables.map(|(meant, id)| (meant, vec![id])).collect()
            }
        };
        for (meant, ids) in tables {
            let sites = ids.first().map_or(0, |&id| code.game.ray(id).sites()) as i32;
            let has_paths = if ids.len() > 1 { start.clone().less(int(sites)) } else { int(1) };
            let start = add(start.clone(), facing.clone() * int(sites));
            let start = code.keep_int(start);
            code.when(both(meant, has_paths), |code| {
                let paths = code.module.tables.all_rays(code.game, &ids);
                steps::for_paths_in(code, paths, &start, |code, [_, _, first, end]| {
                    code.for_range(first.clone(), end, |code, at| {
                        let distance = add(at.get() - first.clone(), int(1));
                        let distance = code.keep_int(distance);
                        steps::break_unless(code, distance.clone().at_most(max.clone()));
                        let to = steps::site_on(code, paths, at);
                        let near = distance.clone().less(min.clone());
                        if min != int(1) {
                            code.when(near.clone(), |code| {
                                code.bind(Iter::Between, to.clone());
                                let goes =
                                    between.as_ref().map_or(int(1), |b| bools::emit(code, b));
                                steps::break_unless(code, goes);
                            });
                        }
                        code.bind(Iter::To, to);
                        let goes = condition.as_ref().map_or(int(1), |c| bools::emit(code, c));
                        steps::break_unless(code, goes);
                        let far = if min == int(1) { int(1) } else { !near };
                        code.when(far, |code| {
                            generators::inside(code, Binder::Direction, moves);
                        });
                    });
                });
            });
        }
        code.restore(&saved);
    });
}

/// The tables of straight paths of a piece by its facing: first that without a facing, and then one
/// for each. `None` if the piece is unknown, or if the tables differ in their sites.
fn faced(
    code: &Emitter<'_>,
    rays: &ByPiece<RayId>,
    facings: &[(JumpId, ByPiece<RayId>)],
) -> Option<Vec<RayId>> {
    let table_of = |rays: &ByPiece<RayId>| match (rays, code.bindings.piece) {
        (ByPiece::Same(id), _) => Some(*id),
        (ByPiece::Each(_), Some(piece)) => rays.of(usize::from(piece)),
        _ => None,
    };
    let ids = std::iter::once(rays).chain(facings.iter().map(|(_, rays)| rays)).map(table_of);
    let ids = ids.collect::<Option<Vec<_>>>()?;
    let sites = |id: RayId| code.game.ray(id).sites();
    ids.iter().all(|&id| sites(id) == sites(ids[0])).then_some(ids)
}

/// The facing of a piece, from 1, by the direction of the destination from it; 0 if it has none of
/// them.
fn facing(code: &mut Emitter<'_>, origin: &Expr, facings: &[(JumpId, ByPiece<RayId>)]) -> Expr {
    let to = code.variable(Iter::To);
    let to = code.keep_int(to);
    facings.iter().enumerate().rev().fold(int(0), |facing, (number, (near, _))| {
        let number = number as i32 + 1;
        let near = code.near(*near).at(origin.clone());
        choose(near.contains(to.clone()), int(number), facing)
    })
}

/// The generators of one move each, without ends, that a generator consists of; `None` for all
/// others.
fn singles(kind: &CompositeKind) -> Option<Vec<CompositeKind>> {
    match kind {
        CompositeKind::Propose(texts) => {
            Some(texts.iter().map(|&text| CompositeKind::Propose(Box::new([text]))).collect())
        }
        CompositeKind::Vote(texts) => {
            Some(texts.iter().map(|&text| CompositeKind::Vote(Box::new([text]))).collect())
        }
        CompositeKind::SwapPlayers(Int::Const(0..=255), Int::Const(0..=255)) => {
            Some(vec![kind.clone()])
        }
        CompositeKind::DoNext { .. }
        | CompositeKind::ForEachDie { .. }
        | CompositeKind::ForEachLevel { .. }
        | CompositeKind::ForEachDirection(_)
        | CompositeKind::ForEachGroup { .. }
        | CompositeKind::Sow(_)
        | CompositeKind::TrackSlide(_)
        | CompositeKind::Roll
        | CompositeKind::Max { .. }
        | CompositeKind::Combinations(..)
        | CompositeKind::Append(_)
        | CompositeKind::Sequence(_)
        | CompositeKind::While(..)
        | CompositeKind::FirstOnTrack { .. }
        | CompositeKind::AvoidStored(_)
        | CompositeKind::Surround { .. }
        | CompositeKind::Enclose { .. }
        | CompositeKind::Intervene { .. }
        | CompositeKind::Push { .. }
        | CompositeKind::Attract { .. }
        | CompositeKind::AddScores(..)
        | CompositeKind::Flip { .. }
        | CompositeKind::SwapPlayers(..)
        | CompositeKind::SetTeam { .. }
        | CompositeKind::SetTrump { .. }
        | CompositeKind::Deal(_)
        | CompositeKind::Turned(..)
        | CompositeKind::OneOf(_)
        | CompositeKind::Some(..)
        | CompositeKind::Forced(_)
        | CompositeKind::Fall(_)
        | CompositeKind::RememberState
        | CompositeKind::Lay { .. }
        | CompositeKind::Shift { .. }
        | CompositeKind::Bet { .. }
        | CompositeKind::TakeControl { .. }
        | CompositeKind::Hop(_)
        | CompositeKind::Then(_)
        | CompositeKind::Directional { .. } => None,
    }
}

/// True if an effect may run on several sites in any order, since rules cannot read which was last.
fn is_orderless(effect: &Moves) -> bool {
    match effect {
        Moves::Leaf(leaf) => {
            matches!(leaf.kind, LeafKind::Remove { .. } | LeafKind::SetScore { added: true, .. })
        }
        Moves::All(list) => list.iter().all(is_orderless),
        _ => false,
    }
}

//! Composite generators as code: those that put other generators together.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{MOST_ENTRIES, Slot, add, both, choose, int, set_slot};
use super::emitter::{Consumer, Emitter, Finding, Gathering};
use super::waiting::Kind;
use super::{
    bools, by_site, custodial, dice, effects, exists, first, generators, groups, hops, ints,
    output, sow, steps,
};
use crate::ir::{
    Binder, ByPiece, Composite, CompositeKind, EachDirection, Int, Iter, JumpId, LeafKind, Longest,
    Moves, RayId, SourceKind, Wrapper,
};

/// Gives the moves of a composite generator, which may be the first part of a phase.
pub(super) fn emit_composite(
    code: &mut Emitter<'_>,
    composite: &Composite,
    moves: &Moves,
    begins: bool,
) {
    let wraps = !composite.then.is_empty();
    match &composite.kind {
        CompositeKind::Hop(hop) => within(code, composite, |code| hops::hop(code, hop)),
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
            if dice::can_use_dice(code) =>
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
        CompositeKind::Max { moves: longest, .. } if generators::is_gathered(code) => {
            leave_if_any(code, longest, moves);
        }
        CompositeKind::Enclose { jumps, from, target, exceptions, effect }
            if generators::is_effect(code) && !wraps && is_orderless(effect) =>
        {
            let targets = bools::per_site(code, Some(target), Iter::Between).sites;
            let Some(targets) = targets else { return generators::ask(code, moves) };
            groups::enclose(code, (*jumps, from, exceptions), targets, effect);
        }
        CompositeKind::Sow(sow) if generators::is_effect(code) && sow::can_sow(code, sow) => {
            within(code, composite, |code| sow::sow_in_effect(code, sow));
        }
        CompositeKind::Flip { at, flips } if !wraps && can_flip(code) => flip(code, at, flips),
        CompositeKind::Directional { rays, from, target, effect } => {
            within(code, composite, |code| {
                custodial::directional(code, rays, from, target, effect);
            });
        }
        CompositeKind::Roll
            if generators::is_effect(code) && !wraps && code.scope.wrappers.is_empty() =>
        {
            dice::roll(code);
        }
        kind if generators::is_gathered(code) => match singles(kind) {
            Some(singles) => within(code, composite, |code| {
                singles.into_iter().for_each(|kind| single(code, kind));
            }),
            None => generators::ask(code, moves),
        },
        _ => generators::ask(code, moves),
    }
}

/// Writes code for what is in a composite generator, whose consequences its moves have.
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

/// Gives the moves after something that belongs to each of them.
fn do_next(
    code: &mut Emitter<'_>,
    composite: &Composite,
    (first, next): (&Moves, &Moves),
    moves: &Moves,
    begins: bool,
) {
    if begins && first::can_be_first(code, first) {
        return within(code, composite, |code| first::do_first(code, first, next));
    }
    if generators::is_gathered(code) && composite.then.is_empty() {
        return match first::changed_first(code, first, next) {
            Some(changed) => first::do_before_each(code, first, &changed, next),
            None => generators::ask(code, moves),
        };
    }
    if generators::is_effect(code) && first::has_effect_after(code, first, next) {
        return within(code, composite, |code| first::do_before_effect(code, first, next));
    }
    generators::ask(code, moves);
}

/// Gives the moves of all levels of a stack. The last level stays bound, as specified.
fn for_each_level(code: &mut Emitter<'_>, at: &Int, from_top: bool, moves: &Moves) {
    code.found.add_if(code.scope.passes_over, Finding::RebindsInPassing);
    let site = ints::emit(code, at);
    let site = code.keep_int(site);
    let height = by_site::height_at(code, site);
    let height = code.keep_int(height);
    code.for_range(int(0), height.clone(), |code, level| {
        let from_bottom = level.get();
        let level = if from_top { height.clone() - int(1) - from_bottom } else { from_bottom };
        let level = code.keep_int(level);
        code.bind(Iter::Level, level);
        generators::emit(code, moves);
        code.disturb();
    });
}

/// Gathers the one move of a generator that always gives one, which has no ends.
fn single(code: &mut Emitter<'_>, kind: CompositeKind) {
    let source = output::source(code, SourceKind::Single(Box::new(kind.into())));
    output::emit_move(code, source, int(-1), int(-1), int(0));
}

/// True if there is code for turning pieces over: as an effect, or where it is asked whether
/// any can be.
fn can_flip(code: &Emitter<'_>) -> bool {
    let asked = matches!(code.consumer, Consumer::Exists { .. });
    (asked || generators::is_effect(code) && code.scope.wrappers.is_empty())
        && !code.game.stacking()
}

/// Turns over a piece that has two sides.
fn flip(code: &mut Emitter<'_>, at: &Int, flips: &[Option<(i32, i32)>]) {
    let site = ints::emit(code, at);
    let site = code.keep_int(site);
    let what = code.what(site.clone());
    let has_sides = code.module.tables.ints(flips.iter().map(|flips| i32::from(flips.is_some())));
    code.when(has_sides.at(what), |code| match code.consumer {
        Consumer::Exists { .. } => exists::found_one(code),
        _ => {
            effects::count_given(code, int(1));
            effects::wait(code, Kind::Flip, [site, int(0), int(0)]);
        }
    });
}

/// Leaves the ply to the evaluator if there is a move that only it can find among others:
/// whether there is any is found out by code.
fn leave_if_any(code: &mut Emitter<'_>, moves: &Moves, whole: &Moves) {
    let Some(any) = exists::can_move(code, moves) else { return generators::ask(code, whole) };
    // What is drawn to find that out is taken back.
    code.found.add_if(code.game.chance, Finding::DoesFirst);
    code.when(any, |code| {
        code.push(set_slot(Slot::Gathered, int(MOST_ENTRIES as i32)));
        code.push(Stmt::Return(Some(int(0))));
    });
}

/// True if moves can be gathered of which only some count, as the machine finds out.
fn can_gather_longest(code: &Emitter<'_>) -> bool {
    let game = code.game;
    let tests = game.tests_moves || game.repeats.is_some() || game.reads_flags;
    let is_alone =
        code.scope.binders.is_empty() && code.scope.loops == 0 && code.scope.wrappers.is_empty();
    matches!(&code.consumer, Consumer::Gather(gathering) if gathering.longest)
        && code.parts.longest.is_none()
        && is_alone
        && !(tests || game.chance || game.simultaneous)
}

/// Gathers moves of which only some count.
fn gather_longest(code: &mut Emitter<'_>, longest: Longest, moves: &Moves) {
    let Consumer::Gather(Gathering { count, .. }) = code.consumer else { return };
    code.parts.longest = Some(longest);
    let before = code.keep(Type::Int, count.get()).get();
    generators::emit(code, moves);
    code.push(set_slot(Slot::Longest, before));
    code.push(set_slot(Slot::LongestEnd, count.get()));
}

/// Moves to the sites along some directions.
fn for_each_direction(code: &mut Emitter<'_>, each: &EachDirection) {
    let EachDirection { from, rays, facings, range, between, condition, moves } = each;
    let (min, max) = (ints::emit(code, &range.0), ints::emit(code, &range.1));
    let (min, max) = (code.keep_int(min), code.keep_int(max));
    let origin = code.variable(Iter::From);
    let origin = code.keep_int(origin);
    let start = ints::emit(code, from);
    let start = code.keep_int(start);
    let there = match code.bindings.piece {
        Some(_) => int(1),
        None => steps::is_occupied(code, origin.clone()),
    };
    let real = start.clone().at_least(int(0));
    code.when(both(there, real), |code| {
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
            let known = if ids.len() > 1 { start.clone().less(int(sites)) } else { int(1) };
            let start = add(start.clone(), facing.clone() * int(sites));
            let start = code.keep_int(start);
            code.when(both(meant, known), |code| {
                let paths = code.module.tables.all_rays(code.game, &ids);
                steps::of_paths(code, paths, &start, |code, [_, _, first, end]| {
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
                            generators::around(code, Binder::Direction, |code| {
                                generators::emit(code, moves);
                            });
                        });
                    });
                });
            });
        }
        code.restore(&saved);
    });
}

/// The tables of straight paths of a piece that matter by how it looks: that of no such way,
/// and then one for each. `None` where it is not known which piece it is, or they are of
/// different boards.
fn faced(
    code: &Emitter<'_>,
    rays: &ByPiece<RayId>,
    facings: &[(JumpId, ByPiece<RayId>)],
) -> Option<Vec<RayId>> {
    let of = |rays: &ByPiece<RayId>| match (rays, code.bindings.piece) {
        (ByPiece::Same(id), _) => Some(*id),
        (ByPiece::Each(_), Some(piece)) => rays.of(usize::from(piece)),
        _ => None,
    };
    let ids = std::iter::once(rays).chain(facings.iter().map(|(_, rays)| rays)).map(of);
    let ids = ids.collect::<Option<Vec<_>>>()?;
    let sites = |id: RayId| code.game.ray(id).sites();
    let fits = ids.iter().all(|&id| sites(id) == sites(ids[0]));
    fits.then_some(ids)
}

/// Which way a piece looks, from 1: where the destination lies from it; 0 for none of some
/// ways.
fn facing(code: &mut Emitter<'_>, origin: &Expr, facings: &[(JumpId, ByPiece<RayId>)]) -> Expr {
    let to = code.variable(Iter::To);
    let to = code.keep_int(to);
    let ways = facings.iter().enumerate().rev();
    ways.fold(int(0), |facing, (number, (near, _))| {
        let number = number as i32 + 1;
        let near = code.module.tables.near(code.game, *near).at(origin.clone());
        choose(near.contains(to.clone()), int(number), facing)
    })
}

/// The generators of one move each, without ends, that one consists of; `None` of all that are
/// something else.
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

/// True if it does not matter on which of some sites an effect is carried out first: nothing of it
/// is a last move.
fn is_orderless(effect: &Moves) -> bool {
    match effect {
        Moves::Leaf(leaf) => {
            matches!(leaf.kind, LeafKind::Remove { .. } | LeafKind::SetScore { added: true, .. })
        }
        Moves::All(list) => list.iter().all(is_orderless),
        _ => false,
    }
}

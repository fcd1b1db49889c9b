//! Generators of moves as code.
//!
//! Code gives moves in the order in which the evaluator does. What it gives goes to the function
//! `give`, which passes over moves, gathers them, or has the machine take them one by one.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{
    FRAME, MOST_ENTRIES, MOST_SAVED, Service, Slot, add, both, choose, either, int, set_slot, slot,
};
use super::emitter::{Consumer, Emitter, Finding, Gathering};
use super::waiting::Kind;
use super::{
    acts, bools, custodial, dice, effects, exists, first, give, groups, hops, ints, leaves, pieces,
    regions, sow, steps,
};
use crate::ir::{
    Binder, Bool, ByPiece, Compare, Composite, CompositeKind, EachDirection, ITERS, Int, Iter,
    JumpId, LeafKind, Longest, Moves, Parts, PieceMoves, RayId, Region, SourceKind, Wrapper,
};

/// The number of the choice of who chooses, where all players choose at once; others begin with 1.
const CHOOSER: u32 = 0;

/// Gives the moves of a generator.
pub(super) fn emit(code: &mut Emitter<'_>, moves: &Moves) {
    if code.module.is_full() && !effects::is_after_first(code) {
        return ask(code, moves);
    }
    let begins = std::mem::take(&mut code.scope.begins);
    match moves {
        Moves::None => {}
        Moves::Leaf(leaf) => leaves::emit(code, leaf),
        Moves::All(list) => list.iter().for_each(|m| emit(code, m)),
        Moves::If(parts) => emit_if(code, parts, begins),
        Moves::Priority(list) => priority(code, list, moves),
        Moves::ForEachPiece { who, list } if pieces::knows_pieces(code, who.as_ref(), list) => {
            for_each_listed(code, moves, who.as_ref(), list);
        }
        Moves::ForEachSite { region, moves, otherwise } if **otherwise == Moves::None => {
            let sites = regions::emit(code, region);
            let saved = code.save([Iter::Site, Iter::To]);
            code.for_each(sites, |code, site| at_site(code, [site; 2], moves));
            code.restore(&saved);
        }
        Moves::ForEachSite { region, moves, otherwise } if counts_by_itself(code) => {
            for_each_site_or(code, region, moves, otherwise);
        }
        Moves::ForEachValue { values, moves } => {
            ints::for_list(code, values, |code, value| {
                with(code, Binder::Value, Iter::Value, value, moves);
            });
        }
        Moves::ForEachPlayer { players, moves } => {
            ints::for_list(code, players, |code, player| {
                with(code, Binder::Player, Iter::Player, player, moves);
            });
        }
        Moves::IfAfterwards(parts) if code.premise.is_about_moves() => {
            match code.premise.value(&parts.1) {
                Some(true) => emit(code, &parts.0),
                Some(false) => {}
                None => code.found.add(Finding::HasNoForm),
            }
        }
        Moves::IfAfterwards(parts) if code.scope.saved < MOST_SAVED && !is_effect(code) => {
            tested_after(code, parts);
        }
        Moves::Custodial(custodial) => custodial::custodial(code, custodial),
        Moves::Composite(composite) => emit_composite(code, composite, moves, begins),
        Moves::ForEachPiece { .. }
        | Moves::ForEachSite { .. }
        | Moves::IfAfterwards(_)
        | Moves::Compiled(..) => ask(code, moves),
    }
}

/// True if code knows of a generator whether it gives a legal move.
fn counts_by_itself(code: &Emitter<'_>) -> bool {
    is_gathered(code) && !code.game.tests_moves
}

/// Gives the moves at some sites, or if there are none those of another generator, for which
/// and after which the last of the sites stays bound.
fn for_each_site_or(code: &mut Emitter<'_>, region: &Region, moves: &Moves, otherwise: &Moves) {
    let sites = regions::emit(code, region);
    let saved = code.save([Iter::Site, Iter::To]);
    let [site, to] = saved.map(|(_, local)| code.keep(Type::Int, local.get()));
    let none = code.local(Type::Int);
    counting(code, |code, choice, given| {
        part_of(code, choice, 0, |code| {
            code.for_each(sites.clone(), |code, at| {
                [site, to].into_iter().for_each(|bound| code.push(Stmt::Set(bound, at.get())));
                at_site(code, [at; 2], moves);
            });
        });
        let found_none = give::given(code).equals(given.get());
        code.push(Stmt::Set(none, found_none));
        code.when(none.get(), |code| {
            part_of(code, choice, 1, |code| at_site(code, [site, to], otherwise));
        });
    });
    let before = saved.map(|(_, local)| local.get());
    let back = [site, to].into_iter().zip(before).map(|(at, before)| Stmt::Set(at, before));
    code.push(Stmt::If(none.get(), Vec::new(), back.collect()));
    code.bind(Iter::Site, site.get());
    code.bind(Iter::To, to.get());
}

/// Gives moves with sites bound to the variables of a loop over sites.
fn at_site(code: &mut Emitter<'_>, [site, to]: [Local; 2], moves: &Moves) {
    code.bind(Iter::Site, site.get());
    code.bind(Iter::To, to.get());
    around(code, Binder::Site, |code| emit(code, moves));
}

/// Gives the moves of the one of two generators that a condition chooses. They may be the first
/// part of a phase.
fn emit_if(code: &mut Emitter<'_>, parts: &(Bool, Moves, Moves), begins: bool) {
    let condition = bools::emit(code, &parts.0);
    if let Expr::Int(value) = condition {
        code.scope.begins = begins;
        return emit(code, if value != 0 { &parts.1 } else { &parts.2 });
    }
    let before = code.bindings;
    let choice = choice(code);
    let branch = |code: &mut Emitter<'_>, part, moves| {
        code.scope.begins = begins;
        code.block(|code| part_of(code, choice, part, |code| emit(code, moves)))
    };
    let known = code.scope.chosen.len();
    code.scope.chosen.extend(only_chooser(&parts.0).map(|player| (CHOOSER, player)));
    let then = branch(code, 0, &parts.1);
    code.scope.chosen.truncate(known);
    code.meet(before);
    let now = code.bindings;
    code.bindings = before;
    let otherwise = branch(code, 1, &parts.2);
    code.scope.begins = false;
    code.meet(now);
    code.push(Stmt::If(condition, then, otherwise));
}

/// Gives the moves of all pieces: by the evaluator where some of stacks are gone and still
/// listed, which is rare.
fn for_each_listed(code: &mut Emitter<'_>, moves: &Moves, who: Option<&Int>, list: &[PieceMoves]) {
    if !code.game.stacking() {
        return pieces::for_each_piece(code, who, list);
    }
    // Pieces that are gone and still listed are rare.
    let stale_pieces = slot(Slot::HasStalePieces);
    let before = code.parts.moves.len();
    let rare = code.block(|code| ask(code, moves));
    code.parts.not_left += code.parts.moves.len() - before;
    let usual = code.block(|code| pieces::for_each_piece(code, who, list));
    code.disturb();
    code.push(Stmt::If(stale_pieces, rare, usual));
}

/// Gives moves of which some are not legal: what has to hold after them is tested where they
/// are made.
fn tested_after(code: &mut Emitter<'_>, parts: &(Moves, Bool)) {
    let condition = code.parts.bools.len();
    code.parts.bools.push(parts.1.clone());
    let saved = code.scope.saved;
    let kept = if matches!(code.consumer, Consumer::Give) { ITERS as i32 } else { 0 };
    for iter in 0..kept {
        let place = Slot::Saved as i32 + (saved * ITERS) as i32 + iter;
        code.push(Stmt::Store(FRAME, int(place), FRAME.at(int(iter))));
    }
    code.scope.saved += 1;
    let binders = code.scope.binders.len();
    code.scope.wrappers.push(Wrapper::After { condition, saved, binders });
    emit(code, &parts.0);
    code.scope.wrappers.pop();
    code.scope.saved -= 1;
}

/// Gives the moves of a composite generator, which may be the first part of a phase.
fn emit_composite(code: &mut Emitter<'_>, composite: &Composite, moves: &Moves, begins: bool) {
    let wraps = !composite.then.is_empty();
    match &composite.kind {
        CompositeKind::Hop(hop) => within(code, composite, |code| hops::hop(code, hop)),
        CompositeKind::Then(inner) => within(code, composite, |code| {
            code.scope.begins = begins;
            emit(code, inner);
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
        CompositeKind::Max { moves: longest, .. } if is_gathered(code) => {
            leave_if_any(code, longest, moves);
        }
        CompositeKind::Enclose { jumps, from, target, exceptions, effect }
            if is_effect(code) && !wraps && is_orderless(effect) =>
        {
            let targets = bools::per_site(code, Some(target), Iter::Between).sites;
            let Some(targets) = targets else { return ask(code, moves) };
            groups::enclose(code, (*jumps, from, exceptions), targets, effect);
        }
        CompositeKind::Sow(sow) if is_effect(code) && sow::can_sow(code, sow) => {
            within(code, composite, |code| sow::sow_in_effect(code, sow));
        }
        CompositeKind::Flip { at, flips } if !wraps && can_flip(code) => flip(code, at, flips),
        CompositeKind::Directional { rays, from, target, effect } => {
            within(code, composite, |code| {
                custodial::directional(code, rays, from, target, effect)
            });
        }
        CompositeKind::Roll if is_effect(code) && !wraps && code.scope.wrappers.is_empty() => {
            dice::roll(code);
        }
        kind if is_gathered(code) => match singles(kind) {
            Some(singles) => within(code, composite, |code| {
                singles.into_iter().for_each(|kind| single(code, kind));
            }),
            None => ask(code, moves),
        },
        _ => ask(code, moves),
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
    if is_gathered(code) && composite.then.is_empty() {
        return match first::changed_first(code, first, next) {
            Some(changed) => first::do_before_each(code, first, &changed, next),
            None => ask(code, moves),
        };
    }
    if is_effect(code) && first::has_effect_after(code, first, next) {
        return within(code, composite, |code| first::do_before_effect(code, first, next));
    }
    ask(code, moves);
}

/// Gives the moves of all levels of a stack. The last level stays bound, as specified.
fn for_each_level(code: &mut Emitter<'_>, at: &Int, from_top: bool, moves: &Moves) {
    code.found.add_if(code.scope.passes_over, Finding::RebindsInPassing);
    let site = ints::emit(code, at);
    let site = code.keep_int(site);
    let height = ints::height_at(code, site);
    let height = code.keep_int(height);
    code.for_range(int(0), height.clone(), |code, level| {
        let from_bottom = level.get();
        let level = if from_top { height.clone() - int(1) - from_bottom } else { from_bottom };
        let level = code.keep_int(level);
        code.bind(Iter::Level, level);
        emit(code, moves);
        code.disturb();
    });
}

/// Gathers the one move of a generator that always gives one, which has no ends.
fn single(code: &mut Emitter<'_>, kind: CompositeKind) {
    let source = give::source(code, SourceKind::Single(Box::new(kind.into())));
    give::emit_move(code, source, int(-1), int(-1), int(0));
}

/// True if there is code for turning pieces over: as an effect, or where it is asked whether
/// any can be.
fn can_flip(code: &Emitter<'_>) -> bool {
    let asked = matches!(code.consumer, Consumer::Exists { .. });
    (asked || is_effect(code) && code.scope.wrappers.is_empty()) && !code.game.stacking()
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
    let Some(any) = exists::can_move(code, moves) else { return ask(code, whole) };
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
    emit(code, moves);
    code.push(set_slot(Slot::Longest, before));
    code.push(set_slot(Slot::LongestEnd, count.get()));
}

pub(super) fn is_gathered(code: &Emitter<'_>) -> bool {
    matches!(code.consumer, Consumer::Gather(_))
}

pub(super) fn is_effect(code: &Emitter<'_>) -> bool {
    matches!(code.consumer, Consumer::Effect(_))
}

/// Gives the moves of a generator that the evaluator runs.
pub(super) fn ask(code: &mut Emitter<'_>, moves: &Moves) {
    match code.consumer {
        Consumer::Exists { .. } => return exists::asked_exists(code, moves),
        Consumer::Reaches { .. } => return code.found.add(Finding::HasNoForm),
        Consumer::Destinations { sites, .. } => {
            let more = exists::asked_destinations(code, moves);
            code.push(Stmt::Set(sites, sites.get() | more));
            return code.disturb();
        }
        _ => {}
    }
    // What moves go through stays around the generator.
    let around =
        code.scope.wrappers.iter().rev().fold(moves.clone(), |inner, wrapper| match wrapper {
            Wrapper::After { condition, .. } => {
                Moves::IfAfterwards(Box::new((inner, code.parts.bools[*condition].clone())))
            }
            // Such moves are not gathered.
            Wrapper::Dice(_) | Wrapper::First(..) => inner,
            Wrapper::Then(then) => Moves::Composite(Box::new(crate::ir::Composite {
                kind: CompositeKind::Then(inner),
                then: then.clone(),
            })),
        });
    let number = Parts::add(&mut code.parts.moves, around);
    if is_effect(code) {
        return effects::asked_effect(code, number);
    }
    let counts = int(i32::from(code.scope.counts));
    let stop = code.ask(Service::Generate, vec![int(number), counts]);
    code.stop_if(stop);
    code.disturb();
}

pub(super) fn with(code: &mut Emitter<'_>, binder: Binder, iter: Iter, value: Expr, moves: &Moves) {
    let saved = code.save([iter]);
    code.bind(iter, value);
    around(code, binder, |code| emit(code, moves));
    code.restore(&saved);
}

pub(super) fn priority(code: &mut Emitter<'_>, list: &[Moves], whole: &Moves) {
    let Some((last, others)) = list.split_last() else { return };
    match code.consumer {
        Consumer::Exists { .. } => return list.iter().for_each(|moves| emit(code, moves)),
        Consumer::Reaches { .. } | Consumer::Destinations { .. } => {
            return ask(code, whole);
        }
        _ => {}
    }
    if code.game.tests_moves && !is_effect(code) {
        // Where moves are drawn before they are tested, it is not clear that a part has any.
        let number = Parts::add(&mut code.parts.moves, whole.clone());
        code.parts.not_left += 1;
        let first = code.ask(Service::First, vec![int(number)]);
        let first = code.keep(Type::Int, first);
        for (i, moves) in list.iter().enumerate() {
            let all = first.get().equals(int(-1));
            let meant = either(first.get().equals(int(i as i32)), all);
            code.when(meant, |code| emit(code, moves));
        }
        return;
    }
    counting(code, |code, choice, given| rest_of_priority(code, choice, others, last, given));
}

/// Writes a choice by whether parts before have given any moves: with its number, and how many
/// had been given before it.
fn counting(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>, u32, Local)) {
    let given = give::given(code);
    let given = code.keep(Type::Int, given);
    let counts = std::mem::replace(&mut code.scope.counts, true);
    let choice = choice(code);
    write(code, choice, given);
    code.scope.counts = counts;
}

pub(super) fn rest_of_priority(
    code: &mut Emitter<'_>,
    choice: u32,
    others: &[Moves],
    last: &Moves,
    given: Local,
) {
    let part = others.len() as u32;
    let Some((first, others)) = others.split_first() else {
        return part_of(code, choice, part, |code| emit(code, last));
    };
    part_of(code, choice, part, |code| emit(code, first));
    let none = give::given(code).equals(given.get());
    code.when(none, |code| rest_of_priority(code, choice, others, last, given));
}

/// A number for a choice among generators.
fn choice(code: &mut Emitter<'_>) -> u32 {
    code.scope.choices += 1;
    code.scope.choices
}

/// Writes a part of a choice. Within loops another part may be chosen each time.
fn part_of(code: &mut Emitter<'_>, choice: u32, part: u32, write: impl FnOnce(&mut Emitter<'_>)) {
    let known = (code.scope.chosen.len(), code.scope.chosen_in_round.len());
    if code.scope.binders.is_empty() {
        code.scope.chosen.push((choice, part));
    } else if acts::dice(code.game).next().is_some() {
        // Only where there are dice moves are told apart by them.
        code.scope.chosen_in_round.push((choice, part));
    }
    write(code);
    code.scope.chosen.truncate(known.0);
    code.scope.chosen_in_round.truncate(known.1);
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
                            around(code, Binder::Direction, |code| emit(code, moves));
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

/// Writes code around which something is bound.
pub(super) fn around(code: &mut Emitter<'_>, binder: Binder, write: impl FnOnce(&mut Emitter<'_>)) {
    code.scope.binders.push(binder);
    write(code);
    code.scope.binders.pop();
}

/// The player who has to be the one who chooses for a condition to hold, if that is all that it
/// says.
fn only_chooser(condition: &Bool) -> Option<u32> {
    let Bool::Compare(Compare::Equal, pair) = condition else { return None };
    match **pair {
        (Int::Iter(Iter::Chooser), Int::Const(player)) => u32::try_from(player).ok(),
        _ => None,
    }
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

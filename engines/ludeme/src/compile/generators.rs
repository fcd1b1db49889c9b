//! Generators of moves as code.
//!
//! Code gives moves in the order in which the evaluator does. What it gives goes to the function
//! `give`, which passes over moves, gathers them, or has the machine take them one by one.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{FRAME, MOST_SAVED, Service, Slot, either, int, slot};
use super::emitter::{Consumer, Emitter, Finding};
use super::{
    acts, bools, by_site, composite, custodial, effects, exists, leaves, output, pieces, regions,
};
use crate::ir::{
    Binder, Bool, Compare, CompositeKind, ITERS, Int, Iter, Moves, Parts, PieceMoves, Region,
    Wrapper,
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
            by_site::for_list(code, values, |code, value| {
                with(code, Binder::Value, Iter::Value, value, moves);
            });
        }
        Moves::ForEachPlayer { players, moves } => {
            by_site::for_list(code, players, |code, player| {
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
        Moves::Composite(composite) => composite::emit_composite(code, composite, moves, begins),
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
        let found_none = output::given(code).equals(given.get());
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
    let given = output::given(code);
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
    let none = output::given(code).equals(given.get());
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

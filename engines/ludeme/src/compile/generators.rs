//! Code for move generators.
//!
//! It generates moves in the order of the evaluator. They go to the [`Consumer`] of the emitter.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{FRAME, MOST_SAVED, Service, Slot, either, int, slot};
use super::emitter::{Consumer, Emitter, Finding};
use super::{
    acts, bools, by_site, composite, custodial, effects, exists, leaves, output, pieces, regions,
};
use crate::ir::{
    Binder, Bool, Compare, Composite, CompositeKind, EvaluatedParts, ITERS, Int, Iter, Moves,
    PieceMoves, Region, Wrapper,
};

/// The choice of a player, where all players choose at once. Other choices are numbered from 1.
const CHOOSER: u32 = 0;

/// Writes code for the moves of a generator.
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
        Moves::ForEachPiece { who, list } if pieces::has_code(code, who.as_ref(), list) => {
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
                with_bound(code, Binder::Value, Iter::Value, value, moves);
            });
        }
        Moves::ForEachPlayer { players, moves } => {
            by_site::for_list(code, players, |code, player| {
                with_bound(code, Binder::Player, Iter::Player, player, moves);
            });
        }
        Moves::IfAfterwards(parts) if code.premise.is_about_moves() => {
            match code.premise.value(&parts.1) {
                Some(true) => emit(code, &parts.0),
                Some(false) => {}
                None => code.findings.add(Finding::HasNoForm),
            }
        }
        Moves::IfAfterwards(parts) if code.scope.saved < MOST_SAVED && !code.is_effect() => {
            tested_after(code, parts);
        }
        Moves::Custodial(custodial) => custodial::emit(code, custodial),
        Moves::Composite(composite) => composite::emit(code, composite, moves, begins),
        Moves::ForEachPiece { .. }
        | Moves::ForEachSite { .. }
        | Moves::IfAfterwards(_)
        | Moves::Compiled(..) => ask(code, moves),
    }
}

/// True if code gathers moves and all of them are legal, so that their number tells if there are
/// any.
fn counts_by_itself(code: &Emitter<'_>) -> bool {
    code.is_gathered() && !code.game.tests_moves
}

/// Writes code for the moves at some sites, or if there are none, for those of another generator.
/// The last of the sites stays bound for that generator, and after it.
fn for_each_site_or(code: &mut Emitter<'_>, region: &Region, moves: &Moves, otherwise: &Moves) {
    let sites = regions::emit(code, region);
    let saved = code.save([Iter::Site, Iter::To]);
    let [site, to] = saved.map(|(_, local)| code.keep(Type::Int, local.get()));
    let none = code.local(Type::Int);
    counting(code, |code, choice, given| {
        part_of(code, choice, 0, |code| {
            code.for_each(sites.clone(), |code, at| {
                [site, to].into_iter().for_each(|bound| code.set(bound, at.get()));
                at_site(code, [at; 2], moves);
            });
        });
        let found_none = output::counter(code).equals(given.get());
        code.set(none, found_none);
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

/// Writes code for moves with the variables of a loop over sites bound.
fn at_site(code: &mut Emitter<'_>, [site, to]: [Local; 2], moves: &Moves) {
    code.bind(Iter::Site, site.get());
    code.bind(Iter::To, to.get());
    inside(code, Binder::Site, moves);
}

/// Writes code for the moves of the one of two generators that a condition chooses. `begins` is
/// true if no generator of the turn has run yet.
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
    let depth = code.scope.chosen.len();
    code.scope.chosen.extend(only_chooser(&parts.0).map(|player| (CHOOSER, player)));
    let then = branch(code, 0, &parts.1);
    code.scope.chosen.truncate(depth);
    code.meet(before);
    let after_then = code.bindings;
    code.bindings = before;
    let otherwise = branch(code, 1, &parts.2);
    code.scope.begins = false;
    code.meet(after_then);
    code.push(Stmt::If(condition, then, otherwise));
}

/// Writes code for the moves of all pieces. The evaluator generates them if pieces of stacks are
/// gone but still listed.
fn for_each_listed(code: &mut Emitter<'_>, moves: &Moves, who: Option<&Int>, list: &[PieceMoves]) {
    if !code.game.stacking() {
        return pieces::emit(code, who, list);
    }
    let stale_pieces = slot(Slot::HasStalePieces);
    let before = code.parts.moves.len();
    let rare = code.block(|code| ask(code, moves));
    code.parts.not_left += code.parts.moves.len() - before;
    let usual = code.block(|code| pieces::emit(code, who, list));
    code.clobber();
    code.push(Stmt::If(stale_pieces, rare, usual));
}

/// Writes code for pseudo-legal moves: their legality is tested when they are made.
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

/// Writes a call of the evaluator for a generator.
pub(super) fn ask(code: &mut Emitter<'_>, moves: &Moves) {
    match code.consumer {
        Consumer::Exists { .. } => return exists::ask(code, moves),
        Consumer::Reaches { .. } => return code.findings.add(Finding::HasNoForm),
        Consumer::Destinations { sites, .. } => {
            let more = exists::ask_destinations(code, moves);
            code.set(sites, sites.get() | more);
            return code.clobber();
        }
        _ => {}
    }
    // The evaluator gets the generator with the tests and consequences around it.
    let around =
        code.scope.wrappers.iter().rev().fold(moves.clone(), |inner, wrapper| match wrapper {
            Wrapper::After { condition, .. } => {
                Moves::IfAfterwards(Box::new((inner, code.parts.bools[*condition].clone())))
            }
            // Moves of the evaluator with dice or a prelude are not gathered.
            Wrapper::Dice(_) | Wrapper::First(..) => inner,
            Wrapper::Then(then) => Moves::Composite(Box::new(Composite {
                kind: CompositeKind::Then(inner),
                then: then.clone(),
            })),
        });
    let number = EvaluatedParts::add(&mut code.parts.moves, around);
    if code.is_effect() {
        return effects::ask(code, number);
    }
    let counts = int(i32::from(code.scope.counts));
    let stop = code.ask(Service::Generate, vec![int(number), counts]);
    code.stop_if(stop);
    code.clobber();
}

/// Writes code for moves with one variable of the rules bound.
fn with_bound(code: &mut Emitter<'_>, binder: Binder, iter: Iter, value: Expr, moves: &Moves) {
    let saved = code.save([iter]);
    code.bind(iter, value);
    inside(code, binder, moves);
    code.restore(&saved);
}

/// Writes code for the moves of the first of several generators that has any.
fn priority(code: &mut Emitter<'_>, list: &[Moves], whole: &Moves) {
    let Some((last, others)) = list.split_last() else { return };
    match code.consumer {
        Consumer::Exists { .. } => return list.iter().for_each(|moves| emit(code, moves)),
        Consumer::Reaches { .. } | Consumer::Destinations { .. } => {
            return ask(code, whole);
        }
        _ => {}
    }
    if code.game.tests_moves && !code.is_effect() {
        // Moves are pseudo-legal, so the evaluator finds the first generator with a legal one.
        let number = EvaluatedParts::add(&mut code.parts.moves, whole.clone());
        code.parts.not_left += 1;
        let first = code.ask(Service::First, vec![int(number)]);
        let first = code.keep(Type::Int, first);
        for (i, moves) in list.iter().enumerate() {
            let meant = either(first.get().equals(int(i as i32)), first.get().equals(int(-1)));
            code.when(meant, |code| emit(code, moves));
        }
        return;
    }
    counting(code, |code, choice, given| priority_from(code, choice, others, last, given));
}

/// Writes a choice that depends on the number of moves generated so far. `write` gets the number of
/// the choice, and the number of moves before it.
fn counting(code: &mut Emitter<'_>, write: impl FnOnce(&mut Emitter<'_>, u32, Local)) {
    let given = output::counter(code);
    let given = code.keep(Type::Int, given);
    let counts = std::mem::replace(&mut code.scope.counts, true);
    let choice = choice(code);
    write(code, choice, given);
    code.scope.counts = counts;
}

/// Writes the generators of a [`priority`] from one on: each runs if those before had no moves.
fn priority_from(code: &mut Emitter<'_>, choice: u32, list: &[Moves], last: &Moves, given: Local) {
    let part = list.len() as u32;
    let Some((first, list)) = list.split_first() else {
        return part_of(code, choice, part, |code| emit(code, last));
    };
    part_of(code, choice, part, |code| emit(code, first));
    let none = output::counter(code).equals(given.get());
    code.when(none, |code| priority_from(code, choice, list, last, given));
}

/// A number for a choice among generators.
fn choice(code: &mut Emitter<'_>) -> u32 {
    code.scope.choices += 1;
    code.scope.choices
}

/// Writes a branch of a choice. Within a loop each round may take another branch.
fn part_of(code: &mut Emitter<'_>, choice: u32, part: u32, write: impl FnOnce(&mut Emitter<'_>)) {
    let depths = (code.scope.chosen.len(), code.scope.chosen_in_round.len());
    if code.scope.binders.is_empty() {
        code.scope.chosen.push((choice, part));
    } else if acts::dice(code.game).next().is_some() {
        // Only games with dice compare moves of different rounds.
        code.scope.chosen_in_round.push((choice, part));
    }
    write(code);
    code.scope.chosen.truncate(depths.0);
    code.scope.chosen_in_round.truncate(depths.1);
}

/// Writes code for moves inside a loop of the rules.
pub(super) fn inside(code: &mut Emitter<'_>, binder: Binder, moves: &Moves) {
    code.scope.binders.push(binder);
    emit(code, moves);
    code.scope.binders.pop();
}

/// The player who has to choose for a condition to hold, if the condition tests nothing else.
fn only_chooser(condition: &Bool) -> Option<u32> {
    let Bool::Compare(Compare::Equal, pair) = condition else { return None };
    match **pair {
        (Int::Iter(Iter::Chooser), Int::Const(player)) => u32::try_from(player).ok(),
        _ => None,
    }
}

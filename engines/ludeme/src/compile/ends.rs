//! End rules as code: whether any of them gives a result.
//!
//! Whether the next player has a move comes out when his turn begins, since his moves are gathered
//! then anyway. So rules that end the game only if he has none are not asked that: code plays on,
//! and goes back to the end of the move before if there turns out to be none.
//! The first rule that holds decides. So where such a rule stands before another one that holds,
//! and would end the game otherwise, a second function asks all of them in their order.

use kernel::ir::{Block, Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{FRAME, Slot, both, either, int, is_active, set_slot, slot};
use super::context::Context;
use super::emitter::{Emitter, Finding, Flags, Premise};
use super::module::{Module, Trait};
use super::{bools, effects, ints};
use crate::ir::{Bool, EndRule, Float, ITERS, Iter, ResultKind, Role, Verdict};

/// No rule holds.
pub(super) const GOES_ON: i32 = 0;

/// A rule holds.
pub(super) const HOLDS: i32 = 1;

/// A rule holds if the next player has no move, no other one does.
pub(super) const IF_STUCK: i32 = 2;

/// Writes the function that says whether an end rule holds, those of a phase and the general ones:
/// one of the numbers above, the last one only where that may be left open. `None` where the
/// evaluator would have to be asked for all of it.
pub(super) fn ends(
    game: &Context<'_>,
    module: &mut Module,
    phase: usize,
    may_wait: bool,
) -> Option<FunctionId> {
    let rules: Vec<&EndRule> = game.phases[phase].end.iter().chain(&game.end).collect();
    let contested = |number| is_contested(game, &rules[..number], rules[number]);
    let contested = may_wait && (0..rules.len()).any(contested);
    let in_order = contested.then(|| asked(game, module, &rules, Stalemates::AtOnce)).flatten();
    let stalemates = if may_wait { Stalemates::Open(in_order) } else { Stalemates::AtOnce };
    asked(game, module, &rules, stalemates)
}

/// When end rules are asked that hang on whether the next player has a move.
#[derive(Clone, Copy)]
enum Stalemates {
    /// In their order among the others.
    AtOnce,
    /// When that is known: by this function, or else by the evaluator.
    Open(Option<FunctionId>),
}

/// Writes the function that asks end rules.
fn asked(
    game: &Context<'_>,
    module: &mut Module,
    rules: &[&EndRule],
    stalemates: Stalemates,
) -> Option<FunctionId> {
    let mut code = Emitter::closed(game, module, 0);
    code.premise = Premise::InPly;
    // Without rules nothing is left to ask.
    let mut coded = rules.is_empty();
    effects::with_shared_parts(&mut code, |code| {
        let waits = match stalemates {
            Stalemates::AtOnce => None,
            Stalemates::Open(in_order) => {
                Some(Waiting { noted: code.keep(Type::Int, int(GOES_ON)), in_order })
            }
        };
        let before = flags_now(code);
        if before.is_some() {
            // What the evaluator finds out of them is kept, too.
            code.push(set_slot(Slot::KeepsFlags, int(1)));
        }
        for number in 0..rules.len() {
            coded |= end_rule(code, rules, number, (waits, before.clone()));
        }
        let end = waits.map_or(int(GOES_ON), |waits| waits.noted.get());
        code.push(Stmt::Return(Some(end)));
    });
    code.bind_all([(); ITERS].map(|()| Some(int(-1))));
    coded.then(|| code.shared("ends", 0, Some(Type::Int)))
}

/// What is done with rules that hold if the next player has no move.
#[derive(Clone, Copy)]
struct Waiting {
    /// [`IF_STUCK`] once there is one of them.
    noted: Local,
    /// The function that asks all rules in their order; without it the evaluator does.
    in_order: Option<FunctionId>,
}

/// Ends the function if the rule at a place holds; where it holds only if the next player has
/// no move, a number may say so. Whether there is more to it than a question to the evaluator.
/// What was known before all rules of who has no move is known again where the evaluator asks
/// them anew.
fn end_rule(
    code: &mut Emitter<'_>,
    rules: &[&EndRule],
    place: usize,
    (waits, before): (Option<Waiting>, Option<Expr>),
) -> bool {
    let (rule, later) = (rules[place], &rules[place + 1..]);
    // The evaluator asks a rule for each player again, also where it is known to hold.
    let again = matches!(rule, EndRule::ForEach { .. });
    let before_rule = if again { flags_now(code) } else { None };
    let contested = waits.filter(|_| is_contested(code.game, &rules[..place], rule));
    let holds = |code: &mut Emitter<'_>, holds: Expr| {
        // What the evaluator finds out beside its answers is lost.
        let number = if code.found.has(Finding::AsksEvaluator) { 0 } else { place as i32 + 1 };
        let mut ended = Block::new();
        if let Some(waits) = contested {
            let in_order = waits.in_order.map(|ends| Expr::Call(ends, Vec::new()));
            let first = vec![Stmt::Return(Some(in_order.unwrap_or(int(HOLDS))))];
            ended.push(Stmt::If(waits.noted.get(), first, Block::new()));
        }
        let known = if number == 0 { &before } else { &before_rule };
        ended.extend(known.clone().map(|flags| set_slot(Slot::Stalemated, flags)));
        ended.push(set_slot(Slot::Rule, int(number)));
        if number > 0 {
            ended.extend(pay_out(code, rule, later));
        }
        ended.push(Stmt::Return(Some(int(HOLDS))));
        code.push(Stmt::If(holds, ended, Block::new()));
    };
    match rule {
        EndRule::If { condition, .. } => {
            code.scope.flags = Flags::Kept;
            let (surely, if_stuck) = match waits {
                Some(_) => split_by_stuck(code, condition),
                None => (bools::emit(code, condition), int(0)),
            };
            code.scope.flags = Flags::Asked;
            let coded = !matches!(surely, Expr::Host(..));
            holds(code, surely);
            if let Some(waits) = waits.filter(|_| if_stuck != int(0)) {
                code.module.traits.add(Trait::PlaysOn);
                let noted = vec![Stmt::Set(waits.noted, int(IF_STUCK))];
                code.push(Stmt::If(if_stuck, noted, Vec::new()));
            }
            code.disturb();
            coded
        }
        EndRule::ForEach { skip_mover, condition, .. } => {
            let saved = code.save([Iter::Player]);
            let players = code.game.world.players as i32;
            code.for_range(int(1), int(players + 1), |code, player| {
                let other = player.get().differs(slot(Slot::Mover));
                let asked = both(is_active(player.get()), if *skip_mover { other } else { int(1) });
                code.when(asked, |code| {
                    code.bind(Iter::Player, player.get());
                    let condition = bools::emit(code, condition);
                    holds(code, condition);
                });
            });
            code.restore(&saved);
            true
        }
    }
}

/// Who is known to have no move, where rules read that.
fn flags_now(code: &mut Emitter<'_>) -> Option<Expr> {
    code.game.reads_flags.then(|| code.keep(Type::Int, slot(Slot::Stalemated)).get())
}

/// Finds out what a rule that holds pays, where that are numbers, and no later rule says
/// otherwise: all rules are asked, also when the game is over. Nothing where there is no code
/// for all of that.
fn pay_out(code: &mut Emitter<'_>, rule: &EndRule, later: &[&EndRule]) -> Block {
    let EndRule::If { inner, verdict, .. } = rule else { return Block::new() };
    // Code that is written and left out would still have things kept for it.
    if !pays(rule) || later.iter().any(|rule| matches!(rule, EndRule::ForEach { .. })) {
        return Block::new();
    }
    let flags = std::mem::replace(&mut code.scope.flags, Flags::Kept);
    let mut known = true;
    let paid = code.block(|code| {
        let paid = code.keep(Type::Int, int(0));
        known &= match verdict {
            Some(verdict) if inner.is_empty() => pay(code, verdict, paid),
            _ => !inner.is_empty() && inner.iter().all(|rule| pay_inside(code, rule, paid)),
        };
        let (active, stuck) = (slot(Slot::Active), slot(Slot::Stalemated));
        let [active, stuck] = [active, stuck].map(|number| code.keep(Type::Int, number).get());
        code.push(set_slot(Slot::Active, int(0)));
        for rule in later {
            let EndRule::If { condition, .. } = rule else { return known = false };
            code.when(paid.get(), |code| {
                let holds = bools::emit(code, condition);
                code.when(holds, |code| code.push(Stmt::Set(paid, int(0))));
            });
        }
        code.push(set_slot(Slot::Active, active));
        code.push(set_slot(Slot::Stalemated, stuck));
        code.push(set_slot(Slot::Paid, paid.get()));
    });
    code.scope.flags = flags;
    // The evaluator would see another state than that in which the rule holds.
    if known && !code.found.has(Finding::AsksEvaluator) { paid } else { Block::new() }
}

/// Finds out what a rule within one that holds pays, if nothing has been paid; whether there is
/// code for it.
fn pay_inside(code: &mut Emitter<'_>, rule: &EndRule, paid: Local) -> bool {
    let EndRule::If { condition, inner, verdict: Some(verdict) } = rule else { return false };
    let mut known = inner.is_empty();
    code.when(!paid.get(), |code| {
        let holds = bools::emit(code, condition);
        code.when(holds, |code| known &= pay(code, verdict, paid));
    });
    known
}

/// Finds out what each player is paid; whether there is code for it.
fn pay(code: &mut Emitter<'_>, verdict: &Verdict, paid: Local) -> bool {
    let Verdict::Payoffs(payoffs) = verdict else { return false };
    let players = code.game.world.players as i32;
    let place = |player: i32| int(Slot::Payoffs as i32 + player - 1);
    for player in 1..=players {
        code.push(Stmt::Store(FRAME, place(player), int(0)));
    }
    for (who, value) in payoffs {
        let Some(who) = who.constant() else { return false };
        let value = match (value, value.constant()) {
            (Float::FromInt(value), _) => ints::emit(code, value),
            // Other numbers are the evaluator's.
            (_, Some(value)) if (value as i32 as f32).to_bits() == value.to_bits() => {
                int(value as i32)
            }
            _ => return false,
        };
        if (1..=players).contains(&who) {
            code.push(Stmt::Store(FRAME, place(who), value));
        }
    }
    code.push(Stmt::Set(paid, int(1)));
    true
}

/// Whether a condition holds anyway, and whether it holds if the next player has no move.
fn split_by_stuck(code: &mut Emitter<'_>, condition: &Bool) -> (Expr, Expr) {
    match condition {
        Bool::NoMoves(Role::Next) => (int(0), int(1)),
        Bool::And(list) if asks_for_stuck(condition) => {
            let others = list.iter().filter(|c| !asks_for_stuck(c));
            let mut all = int(1);
            for condition in others {
                let next = code.part(|code| bools::emit(code, condition));
                all = both(all, next);
            }
            (int(0), all)
        }
        Bool::Or(list) if asks_for_stuck(condition) => {
            let (mut surely, mut if_stuck) = (int(0), int(0));
            for condition in list {
                let (a, b) = split_by_stuck(code, condition);
                (surely, if_stuck) = (either(surely, a), either(if_stuck, b));
            }
            (surely, if_stuck)
        }
        _ => (bools::emit(code, condition), int(0)),
    }
}

/// True if one of the rules before another may hold if the next player has no move, and end the
/// game otherwise.
fn is_contested(game: &Context<'_>, before: &[&EndRule], rule: &EndRule) -> bool {
    let waits = |earlier: &&&EndRule| matches!(earlier, EndRule::If { condition, .. } if asks_for_stuck(condition));
    let mut waiting = before.iter().filter(waits);
    waiting.any(|earlier| !end_alike(game, earlier, rule))
}

/// True if it makes no difference which of two rules ends the game: they give the same result, and
/// nobody plays on after it.
fn end_alike(game: &Context<'_>, one: &EndRule, other: &EndRule) -> bool {
    let result = |rule: &EndRule| {
        let EndRule::If { inner, verdict: Some(Verdict::Result { who, kind }), .. } = rule else {
            return None;
        };
        let alike = match (*who, *kind) {
            (Role::Player(player @ 1..=2), ResultKind::Loss) if game.world.players == 2 => {
                (Role::Player(3 - player), ResultKind::Win)
            }
            other => other,
        };
        inner.is_empty().then_some(alike)
    };
    let alike = result(one).is_some_and(|one| result(other) == Some(one));
    alike && game.world.players <= 2 && game.world.teams.is_none()
}

/// True if a rule, or each of those within it, says what players are paid.
fn pays(rule: &EndRule) -> bool {
    let EndRule::If { inner, verdict, .. } = rule else { return false };
    match verdict {
        Some(verdict) if inner.is_empty() => matches!(verdict, Verdict::Payoffs(_)),
        _ => !inner.is_empty() && inner.iter().all(pays),
    }
}

/// True if a condition holds, beside other things, if the next player has no move.
fn asks_for_stuck(condition: &Bool) -> bool {
    match condition {
        Bool::NoMoves(Role::Next) => true,
        Bool::And(list) => list.contains(&Bool::NoMoves(Role::Next)),
        Bool::Or(list) => list.iter().any(asks_for_stuck),
        _ => false,
    }
}

//! Code for end rules: the first rule that holds ends the game.
//!
//! Some rules end the game only if the next player has no move. Code does not test that at once,
//! since the moves of the next player are gathered anyway: it leaves the rule open and plays on. If
//! there turns out to be no move, it goes back to the end of the move before. If an open rule comes
//! before another one that holds and ends the game with another result, a second function tests all
//! rules in their order.

use kernel::ir::{Block, Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{FRAME, Slot, both, either, int, is_active, set_slot, slot};
use super::context::Context;
use super::emitter::{Emitter, Flags, Premise};
use super::module::{Module, Trait};
use super::{bools, effects, ints};
use crate::ir::{Bool, EndRule, Float, Iter, ResultKind, Role, Verdict};
use crate::lower::Feature;

/// No rule holds.
pub(super) const GOES_ON: i32 = 0;

/// A rule holds.
pub(super) const HOLDS: i32 = 1;

/// A rule holds if the next player has no move; no other rule holds.
pub(super) const IF_STUCK: i32 = 2;

/// Adds the function that tests the end rules of a phase and the general ones. It returns one of
/// the numbers above; [`IF_STUCK`] only if `may_wait`. `None` if the evaluator would test all
/// rules.
pub(super) fn define(
    game: &Context<'_>,
    module: &mut Module,
    phase: usize,
    may_wait: bool,
) -> Option<FunctionId> {
    let rules: Vec<&EndRule> = game.phases[phase].end.iter().chain(&game.end).collect();
    let contested = |number| is_contested(game, &rules[..number], rules[number]);
    let contested = may_wait && (0..rules.len()).any(contested);
    let in_order =
        contested.then(|| define_with(game, module, &rules, Stalemates::AtOnce)).flatten();
    let stalemates = if may_wait { Stalemates::Open(in_order) } else { Stalemates::AtOnce };
    define_with(game, module, &rules, stalemates)
}

/// As [`define`], for plies that are no passes, if rules ask for passes; `None` if none does.
pub(super) fn define_without_passes(
    game: &Context<'_>,
    module: &mut Module,
    phase: usize,
) -> Option<FunctionId> {
    let mut asks = false;
    let rules = game.phases[phase].end.iter().chain(&game.end).map(|rule| match rule {
        EndRule::If { condition, inner, verdict } => {
            let (inner, verdict) = (inner.clone(), verdict.clone());
            EndRule::If { condition: without_passes(condition, &mut asks), inner, verdict }
        }
        EndRule::ForEach { .. } => rule.clone(),
    });
    let rules: Vec<EndRule> = rules.collect();
    let rules: Vec<&EndRule> = rules.iter().collect();
    asks.then(|| define_with(game, module, &rules, Stalemates::AtOnce)).flatten()
}

/// A condition after a move that was no pass; `asks` becomes true if it asks for passes.
fn without_passes(condition: &Bool, asks: &mut bool) -> Bool {
    let mut all = |list: &[Bool]| list.iter().map(|part| without_passes(part, asks)).collect();
    match condition {
        Bool::WasPass | Bool::AllPassed => {
            *asks = true;
            Bool::Const(false)
        }
        Bool::And(list) => Bool::And(all(list)),
        Bool::Or(list) => Bool::Or(all(list)),
        _ => condition.clone(),
    }
}

/// The time of the test of end rules that hold only if the next player has no move.
#[derive(Clone, Copy)]
enum Stalemates {
    /// In their order among the others.
    AtOnce,
    /// In the next turn: by this function, or else by the evaluator.
    Open(Option<FunctionId>),
}

/// As [`define`], with the time of the test given.
fn define_with(
    game: &Context<'_>,
    module: &mut Module,
    rules: &[&EndRule],
    stalemates: Stalemates,
) -> Option<FunctionId> {
    let mut code = Emitter::closed(game, module, 0);
    code.premise = Premise::InPly;
    let mut coded = rules.is_empty();
    effects::with_program_parts(&mut code, |code| {
        let open = match stalemates {
            Stalemates::AtOnce => None,
            Stalemates::Open(in_order) => {
                Some(OpenRules { noted: code.keep(Type::Int, int(GOES_ON)), in_order })
            }
        };
        let test = EndTest { rules, open, flags: flags_now(code) };
        if test.flags.is_some() {
            // The evaluator then also sets the flags of players without moves.
            code.set_slot(Slot::KeepsFlags, int(1));
        }
        for place in 0..rules.len() {
            coded |= end_rule(code, &test, place);
        }
        code.push(Stmt::Return(Some(open.map_or(int(GOES_ON), |open| open.noted.get()))));
    });
    code.bind_none();
    coded.then(|| code.shared("ends", 0, Some(Type::Int)))
}

/// The test of end rules, while its code is written.
struct EndTest<'r> {
    rules: &'r [&'r EndRule],
    /// The rules that have been left open, if rules may be.
    open: Option<OpenRules>,
    /// The flags of players without moves before the test, if rules read them. They are restored if
    /// the evaluator tests all rules again.
    flags: Option<Expr>,
}

/// The rules that have been left open.
#[derive(Clone, Copy)]
struct OpenRules {
    /// [`IF_STUCK`] once a rule has been left open.
    noted: Local,
    /// The function that tests all rules in their order; the evaluator if it is `None`.
    in_order: Option<FunctionId>,
}

/// Writes the test of the rule at a place, which ends the function if the rule holds, or leaves it
/// open. Returns true if the test is more than a call of the evaluator.
fn end_rule(code: &mut Emitter<'_>, test: &EndTest<'_>, place: usize) -> bool {
    let (before, rule, later) = (&test.rules[..place], test.rules[place], &test.rules[place + 1..]);
    // The evaluator tests a rule for each player again, even if it is known to hold.
    let again = matches!(rule, EndRule::ForEach { .. });
    let flags_before_rule = if again { flags_now(code) } else { None };
    let contested = test.open.filter(|_| is_contested(code.game, before, rule));
    let holds = |code: &mut Emitter<'_>, holds: Expr| {
        // Data that the evaluator kept while it tested the rule are lost, so it tests all rules
        // again.
        let number = if code.asks_evaluator() { 0 } else { place as i32 + 1 };
        let mut ended = Block::new();
        if let Some(open) = contested {
            let in_order = open.in_order.map(|ends| Expr::Call(ends, Vec::new()));
            let first = vec![Stmt::Return(Some(in_order.unwrap_or(int(HOLDS))))];
            ended.push(Stmt::If(open.noted.get(), first, Block::new()));
        }
        let flags = if number == 0 { &test.flags } else { &flags_before_rule };
        ended.extend(flags.clone().map(|flags| set_slot(Slot::Stalemated, flags)));
        ended.push(set_slot(Slot::Rule, int(number)));
        if number > 0 {
            ended.extend(pay_out(code, rule, later));
        }
        ended.push(Stmt::Return(Some(int(HOLDS))));
        code.push_if(holds, ended);
    };
    match rule {
        EndRule::If { condition, .. } => {
            code.scope.flags = Flags::Kept;
            let (surely, if_stuck) = match test.open {
                Some(_) => split_by_stuck(code, condition),
                None => (bools::emit(code, condition), int(0)),
            };
            code.scope.flags = Flags::Asked;
            let coded = !matches!(surely, Expr::Host(..));
            holds(code, surely);
            if let Some(open) = test.open.filter(|_| if_stuck != int(0)) {
                code.module.traits.add(Trait::PlaysOn);
                code.push_if(if_stuck, vec![Stmt::Set(open.noted, int(IF_STUCK))]);
            }
            code.clobber();
            coded
        }
        EndRule::ForEach { skip_mover, condition, .. } => {
            let saved = code.save([Iter::Player]);
            code.for_range(int(1), int(code.game.world.players as i32 + 1), |code, player| {
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

/// The flags of players without moves, in a variable; `None` if no rule reads them.
fn flags_now(code: &mut Emitter<'_>) -> Option<Expr> {
    code.game.has(Feature::ReadsFlags).then(|| code.keep(Type::Int, slot(Slot::Stalemated)).get())
}

/// Code for the payoffs of a rule that holds, if these are whole numbers. Later rules are tested,
/// too, even though the game is over: if one holds, there are no payoffs. Empty if part of this has
/// no form in code.
fn pay_out(code: &mut Emitter<'_>, rule: &EndRule, later: &[&EndRule]) -> Block {
    let EndRule::If { inner, verdict, .. } = rule else { return Block::new() };
    // This test comes first because code that is written and left out still has effects on the
    // program.
    if !pays(rule) || later.iter().any(|rule| matches!(rule, EndRule::ForEach { .. })) {
        return Block::new();
    }
    let flags = std::mem::replace(&mut code.scope.flags, Flags::Kept);
    let mut has_code = true;
    let paid = code.block(|code| {
        let paid = code.keep(Type::Int, int(0));
        has_code &= match verdict {
            Some(verdict) if inner.is_empty() => pay(code, verdict, paid),
            _ => !inner.is_empty() && inner.iter().all(|rule| pay_inside(code, rule, paid)),
        };
        let (active, stuck) = (slot(Slot::Active), slot(Slot::Stalemated));
        let [active, stuck] = [active, stuck].map(|number| code.keep(Type::Int, number).get());
        code.set_slot(Slot::Active, int(0));
        for rule in later {
            let EndRule::If { condition, .. } = rule else { return has_code = false };
            code.when(paid.get(), |code| {
                let holds = bools::emit(code, condition);
                code.when(holds, |code| code.set(paid, int(0)));
            });
        }
        code.set_slot(Slot::Active, active);
        code.set_slot(Slot::Stalemated, stuck);
        code.set_slot(Slot::Paid, paid.get());
    });
    code.scope.flags = flags;
    // The evaluator would see another state than the one in which the rule holds.
    if has_code && !code.asks_evaluator() { paid } else { Block::new() }
}

/// Writes code for the payoffs of a rule within one that holds, unless an earlier one has paid;
/// false if it has no form in code.
fn pay_inside(code: &mut Emitter<'_>, rule: &EndRule, paid: Local) -> bool {
    let EndRule::If { condition, inner, verdict: Some(verdict) } = rule else { return false };
    let mut has_code = inner.is_empty();
    code.when(!paid.get(), |code| {
        let holds = bools::emit(code, condition);
        code.when(holds, |code| has_code &= pay(code, verdict, paid));
    });
    has_code
}

/// Writes code for the payoff of each player; false if it has no form in code.
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
    code.set(paid, int(1));
    true
}

/// Two conditions: that a condition holds in any case, and that it holds if the next player has no
/// move.
fn split_by_stuck(code: &mut Emitter<'_>, condition: &Bool) -> (Expr, Expr) {
    match condition {
        Bool::NoMoves(Role::Next) => (int(0), int(1)),
        Bool::And(list) if asks_for_stuck(condition) => {
            let others = list.iter().filter(|c| !asks_for_stuck(c));
            let mut all = int(1);
            for condition in others {
                all = both(all, code.lazily(|code| bools::emit(code, condition)));
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

/// True if a rule before this one may be left open and would end the game with another result.
fn is_contested(game: &Context<'_>, before: &[&EndRule], rule: &EndRule) -> bool {
    before.iter().any(|earlier| {
        let may_stay_open =
            matches!(earlier, EndRule::If { condition, .. } if asks_for_stuck(condition));
        may_stay_open && !end_alike(game, earlier, rule)
    })
}

/// True if two rules end the game with the same result, and no player plays on.
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

/// True if the result of a rule, or of each rule within it, is payoffs.
fn pays(rule: &EndRule) -> bool {
    let EndRule::If { inner, verdict, .. } = rule else { return false };
    match verdict {
        Some(verdict) if inner.is_empty() => matches!(verdict, Verdict::Payoffs(_)),
        _ => !inner.is_empty() && inner.iter().all(pays),
    }
}

/// True if a condition may hold because the next player has no move.
fn asks_for_stuck(condition: &Bool) -> bool {
    match condition {
        Bool::NoMoves(Role::Next) => true,
        Bool::And(list) => list.contains(&Bool::NoMoves(Role::Next)),
        Bool::Or(list) => list.iter().any(asks_for_stuck),
        _ => false,
    }
}

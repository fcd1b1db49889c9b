//! Functions of the program that make a gathered move, and carry out its consequences.

use kernel::ir::{Expr, FunctionId, Local};

use super::arrays::{OF_MOVE, Slot, choose, int, slot};
use super::context::Context;
use super::emitter::{Emitter, Finding};
use super::module::{Module, Trait};
use super::{by_site, dice, effects, move_effects, pieces, prelude};
use crate::ir::{EffectId, ITERS, Source, SourceKind, Wrapper};
use crate::lower::Feature;

/// True if the effects of the moves of a source may have a form in code.
pub(super) fn can_make(game: &Context<'_>, source: &Source) -> bool {
    let made = match &source.kind {
        // The evaluator records the levels of the last move.
        SourceKind::Leaf(leaf) => {
            effects::has_code(game, leaf) && !(game.has(Feature::AsksActions) && leaf.has_level())
        }
        SourceKind::Hop(_) => true,
        SourceKind::Single(_) => false,
    };
    made && !game.has(Feature::AsksBetween) && !game.has(Feature::AsksTouched)
}

/// Adds the function that makes the moves of a source, whose parameters are the numbers gathered of
/// a move. `None` if the evaluator has to make them.
pub(super) fn define(
    game: &Context<'_>,
    module: &mut Module,
    source: &Source,
) -> Option<FunctionId> {
    if !can_make(game, source) {
        return None;
    }
    module.traits.take(Trait::NeedsCopy);
    let mut code = Emitter::closed(game, module, OF_MOVE);
    let variables = bind_params(&mut code, source);
    let [from, to] = [0, 1].map(Local);
    for wrapper in &source.wrappers {
        if let Wrapper::First(first, binders) = wrapper {
            prelude::repeat(&mut code, first, source.bound(*binders));
        }
    }
    let make = |code: &mut Emitter<'_>| {
        match &source.turn_of {
            Some(who) => {
                pieces::in_turn_of(code, who, |code, _| move_effects::of_source(code, source));
            }
            None => move_effects::of_source(code, source),
        }
        for wrapper in source.wrappers.iter().rev() {
            if let Wrapper::Dice(replay_double) = wrapper {
                dice::use_dice(code, replay_double);
            }
        }
    };
    code.in_other_state(|code| effects::emit(code, make));
    // The evaluator evaluates the effects of a move before the move begins.
    let asks =
        code.asks_evaluator() && (game.has(Feature::Pends) || game.has(Feature::CountsMoves));
    if asks || code.findings.has(Finding::ReadsStartOfMove) {
        return None;
    }
    code.bind_all(variables.map(Some));
    record(&mut code, from.get(), to.get());
    call_consequences(&mut code, source.then_before_test());
    Some(code.shared("make", OF_MOVE, None))
}

/// Adds the function for the consequences that come after the legality test of a move; `None` if
/// there are none.
pub(super) fn define_rest(
    game: &Context<'_>,
    module: &mut Module,
    source: &Source,
) -> Option<FunctionId> {
    source.then_after_test().next()?;
    let mut code = Emitter::closed(game, module, 0);
    call_consequences(&mut code, source.then_after_test());
    Some(code.shared("rest", 0, None))
}

/// Writes code that carries out consequences of a move, one after the other.
pub(super) fn call_consequences(code: &mut Emitter<'_>, effects: impl Iterator<Item = EffectId>) {
    code.set_slot(Slot::KeepsFlags, int(1));
    effects.for_each(|effect| effects::consequence(code, effect));
    end_consequences(code);
}

/// Writes code that records the last action of a move and its consequences, for rules that read it.
pub(super) fn end_consequences(code: &mut Emitter<'_>) {
    if code.game.has(Feature::AsksActions) {
        code.set_slot(Slot::LastFromAfter, slot(Slot::FromNow));
        code.set_slot(Slot::LastToAfter, slot(Slot::ToNow));
    }
}

/// Binds the variables of the rules to the parameters of a function that makes a move of a source.
/// Returns their values.
pub(super) fn bind_params(code: &mut Emitter<'_>, source: &Source) -> [Expr; ITERS] {
    let variables = code.bind_to_params(source.bound_inside());
    if !source.kind.is_pass() {
        code.assume_site(&Local(0).get());
    }
    variables
}

/// Writes code that records the ends of the move that has been made, for rules that read it.
pub(super) fn record(code: &mut Emitter<'_>, from: Expr, to: Expr) {
    code.set_slot(Slot::LastFrom, from.clone());
    code.set_slot(Slot::LastTo, to.clone());
    if !code.game.has(Feature::AsksActions) {
        return;
    }
    code.when(slot(Slot::ToNow).less(int(0)), |code| {
        code.set_slot(Slot::FromNow, from);
        code.set_slot(Slot::ToNow, to.clone());
    });
    code.set_slot(Slot::LastFromAfter, slot(Slot::FromNow));
    code.set_slot(Slot::LastToAfter, slot(Slot::ToNow));
    code.set_slot(Slot::LevelFrom, int(0));
    let mut level = int(0);
    if code.game.stacking() {
        let height = by_site::height_at(code, to.clone());
        level = choose(to.at_least(int(0)), (code.keep_int(height) - int(1)).max(int(0)), int(0));
    }
    code.set_slot(Slot::LevelTo, level);
}

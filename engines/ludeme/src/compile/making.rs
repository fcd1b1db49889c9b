//! Functions that make a move that has been gathered, and carry out its consequences.

use kernel::ir::{Expr, FunctionId, Local};

use super::arrays::{OF_MOVE, Slot, int, set_slot, slot};
use super::context::Context;
use super::emitter::{Emitter, Finding};
use super::module::{Module, Trait};
use super::{by_site, dice, effects, first, move_effects, pieces};
use crate::ir::{EffectId, ITERS, Source, SourceKind, Wrapper};

/// True if there may be code for what the moves of a source do.
pub(super) fn can_make(game: &Context<'_>, source: &Source) -> bool {
    let made = match &source.kind {
        // What is on record of levels is the evaluator's.
        SourceKind::Leaf(leaf) => {
            effects::is_code(game, leaf) && !(game.asks_actions && leaf.has_level())
        }
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
            Some(who) => {
                pieces::in_turn_of(code, who, |code, _| move_effects::acts_of(code, source));
            }
            None => move_effects::acts_of(code, source),
        }
        for wrapper in source.wrappers.iter().rev() {
            if let Wrapper::Dice(replay_double) = wrapper {
                dice::use_dice(code, replay_double);
            }
        }
    };
    code.scope(|code| effects::emit(code, make));
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
    effects.for_each(|effect| effects::consequence(code, effect));
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
        let height = by_site::height_at(code, to.clone());
        let height = code.keep_int(height);
        let top = (height - int(1)).max(int(0));
        level = super::arrays::choose(to.at_least(int(0)), top, int(0));
    }
    code.push(set_slot(Slot::LevelTo, level));
}

//! Tests of what holds once a move has been made: whether it is legal.
//!
//! Code makes a move in the state itself, tests it, and takes it back if it is not legal. So a
//! legal move is made once. Where a move changes more than the memory that code is lent, the
//! evaluator tries it in a copy.

use kernel::ir::{FunctionId, Local, Stmt, Type};

use super::arrays::{OF_MOVE, Slot, both, int, set_slot, slot};
use super::context::Context;
use super::emitter::{Emitter, Flags};
use super::making::rest;
use super::module::Module;
use super::{bools, effects};
use crate::ir::{Bool, Compiled, MoveTests, Source, Wrapper};

/// Writes the functions that test the moves gathered of a phase. What cannot be tested in code is
/// not made by it, either.
pub(super) fn tests(game: &Context<'_>, module: &mut Module, compiled: &mut Compiled) {
    // The evaluator tries moves in copies of such states, all of them.
    let copies = game.repeats.is_some() || game.initial.is_watched();
    let bools = &compiled.gathered.bools;
    let (sources, makes) = (&compiled.gathered.sources, &mut compiled.makes);
    let test = |(source, make): (&Source, &mut Option<FunctionId>)| {
        let conditions = conditions(source, bools);
        let written = match conditions.as_deref() {
            Some([]) => return None,
            Some(conditions) if make.is_some() && !copies => test(game, module, source, conditions),
            _ => None,
        };
        if written.is_none() {
            *make = None;
        }
        Some(MoveTests { test: written?, rest: rest(game, module, source) })
    };
    let tries = sources.iter().zip(makes).map(test).collect();
    compiled.tries = (!copies).then_some(tries);
}

/// What must hold for the moves of a source; `None` if it is not asked of all that they do, or amid
/// more than is known here.
fn conditions<'b>(source: &Source, bools: &'b [Bool]) -> Option<Vec<(&'b Bool, usize)>> {
    let mut conditions = Vec::new();
    let mut further = false;
    for wrapper in &source.wrappers {
        match wrapper {
            Wrapper::After { condition, binders, .. } => {
                let other = conditions.last().is_some_and(|&(_, other)| other != *binders);
                let between = further && !conditions.is_empty();
                if between || other || *binders > 0 && source.then().next().is_some() {
                    return None;
                }
                further = false;
                conditions.push((bools.get(*condition)?, *binders));
            }
            Wrapper::Then(_) => further = true,
            Wrapper::Dice(_) | Wrapper::First(..) => {}
        }
    }
    Some(conditions)
}

/// Writes the function that tests a move of a source that has been made; `None` where that would
/// see the state itself otherwise than a copy.
fn test(
    game: &Context<'_>,
    module: &mut Module,
    source: &Source,
    conditions: &[(&Bool, usize)],
) -> Option<FunctionId> {
    let (_, binders) = *conditions.first()?;
    let (function, needs_copy) = module.noting_copies(|module| {
        let mut code = Emitter::closed(game, module, OF_MOVE);
        code.scope.flags = Flags::IfKept;
        let variables = code.bind_to_params(source.bound(binders));
        let next = code.keep(Type::Int, slot(Slot::Next));
        let again = next.get().equals(slot(Slot::Mover));
        code.push(Stmt::If(again, vec![set_slot(Slot::Next, slot(Slot::Prev))], Vec::new()));
        code.push(set_slot(Slot::KeepsFlags, int(0)));
        let legal = code.local(Type::Int);
        code.scope(|code| {
            effects::with_shared_parts(code, |code| {
                let mut all = int(1);
                for (condition, _) in conditions {
                    let holds = code.part(|code| bools::emit(code, condition));
                    all = both(all, holds);
                }
                code.push(Stmt::Set(legal, all));
            });
        });
        code.push(set_slot(Slot::Next, next.get()));
        code.push(Stmt::Return(Some(Local::get(legal))));
        code.bind_all(variables.map(Some));
        code.shared("test", OF_MOVE, Some(Type::Int))
    });
    (!needs_copy).then_some(function)
}

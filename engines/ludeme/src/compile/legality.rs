//! Legality tests of pseudo-legal moves.
//!
//! Code makes a move in the state itself, tests it, and takes it back if it is not legal. So a
//! legal move is made once. If a move changes more than the memory that code is lent, the evaluator
//! tries it in a copy.

use kernel::ir::{FunctionId, Local, Stmt, Type};

use super::arrays::{OF_MOVE, Slot, both, int, set_slot, slot};
use super::context::Context;
use super::emitter::{Emitter, Flags};
use super::module::Module;
use super::{bools, effects, making};
use crate::ir::{Bool, Compiled, MoveTests, Source, Wrapper};

/// Adds the functions that test the gathered moves of a phase. Code makes no move that it cannot
/// test.
pub(super) fn define(game: &Context<'_>, module: &mut Module, compiled: &mut Compiled) {
    // The evaluator compares positions after all moves in copies.
    let copies = game.repeats.is_some();
    let bools = &compiled.gathered.bools;
    let (sources, makes) = (&compiled.gathered.sources, &mut compiled.makes);
    let test = |(source, make): (&Source, &mut Option<FunctionId>)| {
        let conditions = conditions(source, bools);
        let written = match conditions.as_deref() {
            Some([]) => return None,
            Some(conditions) if make.is_some() && !copies => {
                define_test(game, module, source, conditions)
            }
            _ => None,
        };
        if written.is_none() {
            *make = None;
        }
        Some(MoveTests { test: written?, rest: making::define_rest(game, module, source) })
    };
    let tries = sources.iter().zip(makes).map(test).collect();
    compiled.tries = (!copies).then_some(tries);
}

/// The conditions that moves of a source have to meet, each with its number of binders; `None` if
/// code cannot test them after all effects of the move, with the variables of one place bound.
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

/// Adds the function that tests a move of a source after it has been made; `None` if the test needs
/// a copy of the state.
fn define_test(
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
        code.push_if(again, vec![set_slot(Slot::Next, slot(Slot::Prev))]);
        code.set_slot(Slot::KeepsFlags, int(0));
        let legal = code.local(Type::Int);
        code.in_other_state(|code| {
            effects::with_program_parts(code, |code| {
                let mut all = int(1);
                for (condition, _) in conditions {
                    all = both(all, code.lazily(|code| bools::emit(code, condition)));
                }
                code.set(legal, all);
            });
        });
        code.set_slot(Slot::Next, next.get());
        code.push(Stmt::Return(Some(Local::get(legal))));
        code.bind_all(variables.map(Some));
        code.shared("test", OF_MOVE, Some(Type::Int))
    });
    (!needs_copy).then_some(function)
}

//! Code for simultaneous choices: for each player, moves are gathered and one is drawn. When all
//! have chosen, the choices are carried out in the order of the players.
//!
//! The effect of a choice is evaluated when it is drawn, before any choice is carried out, and its
//! actions are deferred in the array `acts`. So a choice does not see the effects of another.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ENTRY, FRAME, MOST_ENTRIES, MOVES, OF_MOVE, PASSED, Slot, add, both, int, is_active, one_of,
    phase_of, slot,
};
use super::context::Context;
use super::drawing::{arguments, may_overflow};
use super::emitter::Emitter;
use super::entries::source_of;
use super::making::can_make;
use super::module::Module;
use super::stops::{NOT_STOPPED, Stop, is_after_pass, stop_as, stop_if};
use super::waiting::Deferred;
use super::{drawing, effects, making, move_effects, turns};
use crate::ir::{Compiled, EffectId, Iter, Source, Wrapper};
use crate::lower::Feature;

/// The number of numbers of a player's choice. They are in the array `moves`, behind the entries:
/// the number of the source among those of all phases, or [`NO_MOVE`]; origin, destination, and the
/// end of its actions in the array `acts`.
const OF_CHOICE: usize = 4;

/// In place of a source: the pass of a player without moves.
const NO_MOVE: i32 = -1;

/// The number of numbers for the choices of all players.
pub(super) const CHOICES: usize = (play::MAX_PLAYERS + 1) * OF_CHOICE;

/// The most players of a game whose choices code makes.
const MOST_PLAYERS: usize = 8;

/// The place in the array `moves` of a number of a player's choice.
fn place(player: &Expr, number: i32) -> Expr {
    const START: i32 = (MOST_ENTRIES * ENTRY) as i32;
    add(player.clone() * int(OF_CHOICE as i32), int(START + number))
}

/// The functions for the choices of one source.
struct OfSource {
    /// Evaluates the effect of a choice; its parameters are those of a function that makes a move.
    evaluate: FunctionId,
    /// Carries out the actions, and the consequences that do not wait. Its parameters are origin,
    /// destination, and the places where the actions begin and end.
    carry_out: FunctionId,
    /// The consequences that wait for the choices of all players.
    late: Vec<EffectId>,
    is_pass: bool,
}

/// Adds the function that lets all players choose and carries out the choices. It returns the
/// [`Stop`] of the playout, or [`NOT_STOPPED`]. `None` if the evaluator has to do part of it.
pub(super) fn define(
    game: &Context<'_>,
    module: &mut Module,
    phases: &[Option<&Compiled>],
) -> Option<FunctionId> {
    let phases: Vec<&Compiled> = phases.iter().copied().collect::<Option<_>>()?;
    let by_code = |phase: &&Compiled| {
        phase.clashes.is_empty()
            && !phase.gathered.tests()
            && !phase.does_first
            && !may_overflow(game, phase, None)
    };
    if game.has(Feature::Chance)
        || game.world.players > MOST_PLAYERS
        || game.repeats.is_some()
        || !phases.iter().all(by_code)
    {
        return None;
    }
    let sources = phases.iter().flat_map(|phase| &phase.gathered.sources);
    let sources: Vec<OfSource> =
        sources.map(|source| OfSource::write(game, module, source)).collect::<Option<_>>()?;
    let (mut choose, mut before) = (Vec::new(), 0);
    for (number, phase) in (0..).zip(&phases) {
        let range = before..before + phase.gathered.sources.len();
        let code = Emitter::closed(game, module, 1);
        let function = finish_choice(code, phase, (before as i32, &sources[range.clone()]))?;
        choose.push((number, function));
        before = range.end;
    }
    let mut code = Emitter::closed(game, module, 0);
    round(&mut code, &choose, &sources);
    Some(code.shared("choices", 0, Some(Type::Int)))
}

impl OfSource {
    /// Adds the functions for the choices of a source; `None` if the evaluator has to do part of
    /// it.
    fn write(game: &Context<'_>, module: &mut Module, source: &Source) -> Option<OfSource> {
        let around = |wrapper: &Wrapper| matches!(wrapper, Wrapper::Then(_));
        if !can_make(game, source) || !source.wrappers.iter().all(around) {
            return None;
        }
        let mut code = Emitter::closed(game, module, OF_MOVE);
        let variables = making::bind_params(&mut code, source);
        let mut kinds = None;
        code.in_other_state(|code| {
            kinds =
                Some(effects::evaluate_ahead(code, |code| move_effects::of_source(code, source)));
        });
        // The evaluator keeps the actions that it finds for one move only.
        if code.asks_evaluator() {
            return None;
        }
        code.bind_all(variables.map(Some));
        let evaluate = code.shared("evaluate", OF_MOVE, None);
        let (late, then): (_, Vec<EffectId>) =
            source.then().partition(|effect| game.late.contains(effect));
        let mut code = Emitter::closed(game, module, 4);
        let [from, to, first, end] = [0, 1, 2, 3].map(Local);
        turns::begin_part(&mut code);
        let at = code.keep(Type::Int, slot(Slot::ActsAt));
        effects::carry_out_all(&mut code, vec![Deferred::Listed(first, end, kinds?)], at);
        making::record(&mut code, from.get(), to.get());
        making::call_consequences(&mut code, then.into_iter());
        turns::settle(&mut code);
        let carry_out = code.shared("carry out", 4, None);
        Some(OfSource { evaluate, carry_out, late, is_pass: source.kind.is_pass() })
    }
}

/// Adds the function that lets a player, its parameter, choose by the rules of a phase. The sources
/// of the phase are numbered from `before` on.
fn finish_choice(
    mut code: Emitter<'_>,
    phase: &Compiled,
    (before, sources): (i32, &[OfSource]),
) -> Option<FunctionId> {
    let player = Local(0).get();
    code.push(Stmt::Store(FRAME, int(Iter::Chooser as i32), player.clone()));
    let count = drawing::gather(&mut code, phase.gather?, phase.asks);
    let [number, forced] = [(); 2].map(|()| code.keep(Type::Int, int(0)));
    let stuck = code.block(|code| {
        turns::count_ply(code, int(1));
        note_choice(code, &player, [int(NO_MOVE), int(-1), int(-1)]);
    });
    let chosen = code.block(|code| {
        drawing::draw_any(code, (number, forced), &count, &int(0), phase);
        turns::count_ply(code, forced.get());
        let located = drawing::locate(code, number, phase);
        let [from, to] = located.ends.map(Local::get);
        let source = code.keep(Type::Int, source_of(located.packed.get())).get();
        let evaluate = (0..).zip(&phase.gathered.sources).zip(sources);
        let evaluate = evaluate.map(|((number, source), functions)| {
            let arguments = arguments(source, located.ends, &located.first.get(), None);
            (number, vec![Stmt::Call(functions.evaluate, arguments)])
        });
        let evaluate = one_of(&source, evaluate.collect());
        code.extend(evaluate);
        note_choice(code, &player, [add(source, int(before)), from, to]);
    });
    code.push(Stmt::If(count.equals(int(0)), stuck, chosen));
    code.push(Stmt::Return(Some(int(NOT_STOPPED))));
    Some(code.shared("choose", 1, Some(Type::Int)))
}

/// Writes code that stores the choice of a player.
fn note_choice(code: &mut Emitter<'_>, player: &Expr, numbers: [Expr; 3]) {
    for (value, number) in numbers.into_iter().chain([slot(Slot::ActsAt)]).zip(0..) {
        code.push(Stmt::Store(MOVES, place(player, number), value));
    }
}

/// Writes code that lets all players choose, and carries out the choices.
fn round(code: &mut Emitter<'_>, choose: &[(i32, FunctionId)], sources: &[OfSource]) {
    let players = code.game.world.players as i32;
    code.push(stop_if(slot(Slot::Chosen).at_least(int(0)), Stop::Ask));
    // The evaluator plays a round in which the playout may end by too many forced passes.
    let most = int(play::MAX_FORCED_PASSES as i32 - players);
    code.push(stop_if(both(is_after_pass(), slot(Slot::Passes).at_least(most)), Stop::Ask));
    code.set_slot(Slot::ActsAt, int(0));
    let all_pass = code.keep(Type::Int, int(1));
    let number_of = |player: &Expr, number: i32| MOVES.at(place(player, number));
    let is_pass = code.table(sources.iter().map(|source| i32::from(source.is_pass)));
    for_each_active(code, |code, player| {
        let stopped = code.local(Type::Int);
        let call = |&(number, function): &(i32, FunctionId)| {
            (number, vec![Stmt::Set(stopped, Expr::Call(function, vec![player.clone()]))])
        };
        let calls = one_of(&phase_of(player.clone()), choose.iter().map(call).collect());
        code.extend(calls);
        code.push(stop_as(&stopped.get()));
        let source = code.keep(Type::Int, number_of(player, 0)).get();
        code.when(source.clone().differs(int(NO_MOVE)), |code| {
            let passes = both(all_pass.get(), is_pass.at(source));
            code.set(all_pass, passes);
        });
    });
    let end = code.keep(Type::Int, slot(Slot::ActsAt));
    turns::begin_move(code, all_pass.get() * int(PASSED));
    // Consequences defer their actions behind those of the choices.
    code.set_slot(Slot::ActsAt, end.get());
    let first = code.keep(Type::Int, int(0));
    for_each_active(code, |code, player| {
        let [source, from, to, end] =
            [0, 1, 2, 3].map(|number| code.keep(Type::Int, number_of(player, number)));
        code.set_slot(Slot::MadeFrom, from.get());
        code.set_slot(Slot::MadeTo, to.get());
        let stuck = code.block(|code| {
            turns::begin_part(code);
            making::record(code, int(-1), int(-1));
            turns::settle(code);
        });
        let carry_out = (0..).zip(sources).map(|(number, functions)| {
            let arguments = [from, to, first, end].map(Local::get).to_vec();
            (number, vec![Stmt::Call(functions.carry_out, arguments)])
        });
        let chosen = one_of(&source.get(), carry_out.collect());
        code.push(Stmt::If(source.get().equals(int(NO_MOVE)), stuck, chosen));
        code.set(first, end.get());
    });
    turns::begin_part(code);
    making::record(code, int(-1), int(-1));
    if sources.iter().any(|source| !source.late.is_empty()) {
        code.set_slot(Slot::KeepsFlags, int(1));
        for_each_active(code, |code, player| {
            let source = code.keep(Type::Int, number_of(player, 0)).get();
            for (number, functions) in (0..).zip(sources) {
                code.when(source.clone().equals(int(number)), |code| {
                    functions.late.iter().for_each(|&effect| effects::consequence(code, effect));
                });
            }
        });
    }
    making::end_consequences(code);
    turns::settle(code);
    // The evaluator tests if a round of passes ends the game.
    code.push(stop_if(all_pass.get(), Stop::Made));
    code.push(Stmt::Return(Some(int(NOT_STOPPED))));
}

/// Writes a loop over the players without a result.
fn for_each_active(code: &mut Emitter<'_>, write: impl Fn(&mut Emitter<'_>, &Expr)) {
    code.for_range(int(1), int(code.game.world.players as i32 + 1), |code, player| {
        code.when(is_active(player.get()), |code| write(code, &player.get()));
    });
}

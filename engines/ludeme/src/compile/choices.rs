//! Choices of all players at once as code: each player's moves are gathered and one is drawn, and
//! when all have chosen, what they chose is carried out in their order.
//!
//! What a choice does is worked out when it is drawn, before any of them is carried out: all its
//! actions wait in the array `acts`. So the second player's does not see what the first one's does.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ENTRY, FRAME, MOST_ENTRIES, MOVES, OF_MOVE, PASSED, Slot, add, both, int, is_active, one_of,
    phase_of, set_slot, slot,
};
use super::context::Context;
use super::drawing::{arguments, may_overflow};
use super::emitter::{Emitter, Finding};
use super::entries::source_of;
use super::making::can_make;
use super::module::Module;
use super::stops::{NOT_STOPPED, Stop, is_after_pass, stop_as, stop_if};
use super::waiting::LateEffect;
use super::{drawing, effects, making, move_effects, turns};
use crate::ir::{Compiled, EffectId, Iter, Source, Wrapper};

/// Numbers of a choice in the array `moves`, behind the moves gathered, by player: the number of
/// its source among those of all phases, or [`NO_MOVE`]; origin, destination, and where its actions
/// end.
const OF_CHOICE: usize = 4;

/// Stands for the source of the pass of a player without moves.
const NO_MOVE: i32 = -1;

/// Numbers in the array `moves` for the choices of all players.
pub(super) const CHOICES: usize = (play::MAX_PLAYERS + 1) * OF_CHOICE;

/// Players of games whose choices are made by code.
const MOST_PLAYERS: usize = 8;

/// A number of a player's choice, by its place in it.
fn place(player: &Expr, number: i32) -> Expr {
    const START: i32 = (MOST_ENTRIES * ENTRY) as i32;
    add(player.clone() * int(OF_CHOICE as i32), int(START + number))
}

/// The functions for the choices of one source.
struct OfSource {
    /// Works out what one does: its parameters are what is gathered of a move.
    evaluate: FunctionId,
    /// Carries that out, with the consequences that do not wait: origin, destination, and where the
    /// actions begin and end.
    carry_out: FunctionId,
    /// The consequences that wait for the moves of all players.
    late: Vec<EffectId>,
    is_pass: bool,
}

/// Writes the function in which all players choose and what they chose is carried out. It gives
/// where the playout stops, or [`NOT_STOPPED`]; `None` where the evaluator has to do any of it.
pub(super) fn choices(
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
    if game.chance
        || game.world.players > MOST_PLAYERS
        || game.initial.is_watched()
        || !phases.iter().all(by_code)
    {
        return None;
    }
    let sources = phases.iter().flat_map(|phase| &phase.gathered.sources);
    let sources: Vec<OfSource> =
        sources.map(|source| OfSource::write(game, module, source)).collect::<Option<_>>()?;
    let (mut choose, mut before) = (Vec::new(), 0);
    for (number, phase) in (0..).zip(&phases) {
        let here = before..before + phase.gathered.sources.len();
        let code = Emitter::closed(game, module, 1);
        let function = finish_choice(code, phase, (before as i32, &sources[here.clone()]))?;
        choose.push((number, function));
        before = here.end;
    }
    let mut code = Emitter::closed(game, module, 0);
    round(&mut code, &choose, &sources);
    Some(code.shared("choices", 0, Some(Type::Int)))
}

impl OfSource {
    fn write(game: &Context<'_>, module: &mut Module, source: &Source) -> Option<OfSource> {
        let around = |wrapper: &Wrapper| matches!(wrapper, Wrapper::Then(_));
        if !can_make(game, source) || !source.wrappers.iter().all(around) {
            return None;
        }
        let mut code = Emitter::closed(game, module, OF_MOVE);
        let variables = making::bind_params(&mut code, source);
        let mut kinds = None;
        code.scope(|code| {
            kinds = Some(effects::evaluate_ahead(code, |code| move_effects::acts_of(code, source)));
        });
        // What the evaluator finds is kept for one move.
        if code.found.has(Finding::AsksEvaluator) {
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
        effects::carry_out_all(&mut code, vec![LateEffect::Listed(first, end, kinds?)], at);
        making::enter(&mut code, from.get(), to.get());
        making::call_consequences(&mut code, then.into_iter());
        turns::settle(&mut code);
        let carry_out = code.shared("carry out", 4, None);
        Some(OfSource { evaluate, carry_out, late, is_pass: source.kind.is_pass() })
    }
}

/// Writes the function in which a player chooses by the rules of a phase: the player is its
/// parameter. Its sources are numbered from a number on.
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
        evaluate.into_iter().for_each(|stmt| code.push(stmt));
        note_choice(code, &player, [add(source, int(before)), from, to]);
    });
    code.push(Stmt::If(count.equals(int(0)), stuck, chosen));
    code.push(Stmt::Return(Some(int(NOT_STOPPED))));
    Some(code.shared("choose", 1, Some(Type::Int)))
}

/// Notes what a player has chosen; its actions end where the next one would be.
fn note_choice(code: &mut Emitter<'_>, player: &Expr, numbers: [Expr; 3]) {
    let numbers = numbers.into_iter().chain([slot(Slot::ActsAt)]);
    for (value, number) in numbers.zip(0..) {
        code.push(Stmt::Store(MOVES, place(player, number), value));
    }
}

/// Lets all players choose, and carries out what they chose.
fn round(code: &mut Emitter<'_>, choose: &[(i32, FunctionId)], sources: &[OfSource]) {
    let players = code.game.world.players as i32;
    code.push(stop_if(slot(Slot::Chosen).at_least(int(0)), Stop::Ask));
    // Playouts end with a number of forced passes, which may be amid the choices.
    let most = int(play::MAX_FORCED_PASSES as i32 - players);
    code.push(stop_if(both(is_after_pass(), slot(Slot::Passes).at_least(most)), Stop::Ask));
    code.push(set_slot(Slot::ActsAt, int(0)));
    let all_pass = code.keep(Type::Int, int(1));
    let of = |player: &Expr, number: i32| MOVES.at(place(player, number));
    let is_pass = code.module.tables.ints(sources.iter().map(|source| i32::from(source.is_pass)));
    for_each_active(code, |code, player| {
        let stopped = code.local(Type::Int);
        let call = |&(number, function): &(i32, FunctionId)| {
            (number, vec![Stmt::Set(stopped, Expr::Call(function, vec![player.clone()]))])
        };
        let calls = one_of(&phase_of(player.clone()), choose.iter().map(call).collect());
        calls.into_iter().for_each(|stmt| code.push(stmt));
        code.push(stop_as(&stopped.get()));
        let source = code.keep(Type::Int, of(player, 0)).get();
        code.when(source.clone().differs(int(NO_MOVE)), |code| {
            let passes = both(all_pass.get(), is_pass.at(source));
            code.push(Stmt::Set(all_pass, passes));
        });
    });
    let end = code.keep(Type::Int, slot(Slot::ActsAt));
    turns::begin_move(code, all_pass.get() * int(PASSED));
    // What consequences wait for is put behind what waits now.
    code.push(set_slot(Slot::ActsAt, end.get()));
    let first = code.keep(Type::Int, int(0));
    for_each_active(code, |code, player| {
        let [source, from, to, end] =
            [0, 1, 2, 3].map(|number| code.keep(Type::Int, of(player, number)));
        code.push(set_slot(Slot::MadeFrom, from.get()));
        code.push(set_slot(Slot::MadeTo, to.get()));
        let stuck = code.block(|code| {
            turns::begin_part(code);
            making::enter(code, int(-1), int(-1));
            turns::settle(code);
        });
        let carry_out = (0..).zip(sources).map(|(number, functions)| {
            let arguments = [from, to, first, end].map(Local::get).to_vec();
            (number, vec![Stmt::Call(functions.carry_out, arguments)])
        });
        let chosen = one_of(&source.get(), carry_out.collect());
        code.push(Stmt::If(source.get().equals(int(NO_MOVE)), stuck, chosen));
        code.push(Stmt::Set(first, end.get()));
    });
    turns::begin_part(code);
    making::enter(code, int(-1), int(-1));
    if sources.iter().any(|source| !source.late.is_empty()) {
        code.push(set_slot(Slot::KeepsFlags, int(1)));
        for_each_active(code, |code, player| {
            let source = code.keep(Type::Int, of(player, 0)).get();
            for (number, functions) in (0..).zip(sources) {
                code.when(source.clone().equals(int(number)), |code| {
                    functions.late.iter().for_each(|&effect| effects::consequence(code, effect));
                });
            }
        });
    }
    making::end_consequences(code);
    turns::settle(code);
    // Whether a round of passes ends the game, the evaluator finds out.
    code.push(stop_if(all_pass.get(), Stop::Made));
    code.push(Stmt::Return(Some(int(NOT_STOPPED))));
}

/// A loop over the players who are still in.
fn for_each_active(code: &mut Emitter<'_>, write: impl Fn(&mut Emitter<'_>, &Expr)) {
    let players = code.game.world.players as i32;
    code.for_range(int(1), int(players + 1), |code, player| {
        code.when(is_active(player.get()), |code| write(code, &player.get()));
    });
}

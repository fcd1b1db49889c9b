//! Code for plies: moves are gathered, one of them is drawn and made, the end rules are tested, and
//! the turn is passed on. If code does all of that, it plays ply after ply.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Table, Type};
use play::Rng;

use super::arrays::{
    CELLS, DRAWS, ENTRY, FRAME, FRAME_LENGTH, HISTORY, KEPT_CELLS, KEPT_DRAWS, KEPT_FRAME,
    KEPT_STATE, MOST_ENTRIES, MOVES, PASSED, STATE, Service, Slot, TARGETS, add, both, choose,
    drawn, either, int, one_of, phase_of, service, set_slot, slot,
};
use super::context::Context;
use super::drawing::{Located, arguments, may_overflow};
use super::emitter::Emitter;
use super::entries::{COUNT, FIRST_OF_SETS, OF_FROM, OF_SOURCE, source_of};
use super::module::{Module, Trait};
use super::purpose::Purpose;
use super::stops::{Stop, is_last_pass, stop, stop_as, stop_if};
use super::{choices, dice, drawing, effects, ends, making, site_plies, steps, turns};
use crate::ir::{Compiled, MoveTests, OnlyHere};
use crate::lower::Feature;

/// True if code can pass the turn on: nothing between two plies is left to the evaluator.
fn hands_on(game: &Context<'_>) -> bool {
    game.repeats.is_none()
}

/// Adds the function that plays ply after ply, as far as code can, and that of one ply to a site,
/// see [`site_plies`].
pub(super) fn define_playout(
    game: &Context<'_>,
    module: &mut Module,
    phases: &[Option<&Compiled>],
) -> (FunctionId, Option<FunctionId>) {
    let changes = define_changes(game, module);
    // Open end rules are tested in the next turn, which must not change their conditions.
    let looks_back = game.has(Feature::CountsMoves)
        || game.has(Feature::ReadsFlags)
        || game.has(Feature::Chance)
        || game.has(Feature::Cycles);
    // A move that the evaluator tests must not meet an open end rule.
    let by_code = |phase: &Compiled| {
        let mut makes = phase.makes.iter().zip(&phase.gathered.sources);
        !phase.gathered.tests()
            || makes.all(|(make, source)| make.is_some() || source.kind.is_pass())
    };
    let all_by_code = phases.iter().all(|phase| phase.is_some_and(by_code));
    let all_made = |phase: &Compiled| phase.makes.iter().all(Option::is_some);
    let as_many = !module.traits.has(Trait::AddsPieces)
        && !game.is_random_start()
        && phases.iter().all(|phase| phase.is_some_and(all_made));
    let heights = (0..game.world.sites()).map(|site| game.initial.height(site));
    let pieces = as_many.then(|| heights.sum());
    // Positions leave no end rule open, unless the code that lists tested moves finds out if there
    // are any.
    let asks_at_once = module.purpose == Purpose::Positions && !game.tests_moves;
    let may_wait = !asks_at_once
        && changes == Changes::Never
        && !looks_back
        && all_by_code
        && !game.simultaneous;
    let choices = game.simultaneous.then(|| choices::define(game, module, phases)).flatten();
    let ends: Vec<_> =
        (0..phases.len()).map(|phase| ends::define(game, module, phase, may_wait)).collect();
    let plies = phases.iter().zip(&ends).map(|(compiled, &ends)| {
        compiled.map(|compiled| {
            let overflows = may_overflow(game, compiled, pieces);
            define_ply(game, module, compiled, (overflows, choices), (ends, changes))
        })
    });
    let plies: Vec<_> = plies.collect();
    let stopped = Local(0);
    let mut round = Block::new();
    if game.swap && game.world.players != 2 {
        let players = game.world.players as i32;
        round.push(stop_if(add(slot(Slot::Moves), int(1)).equals(int(players)), Stop::Ask));
    }
    let plies = (0..).zip(&plies).map(|(number, ply)| {
        let played = ply.map_or(int(Stop::Ask as i32), |ply| Expr::Call(ply, Vec::new()));
        (number, vec![Stmt::Set(stopped, played)])
    });
    round.extend(one_of(&phase_of(slot(Slot::Mover)), plies.collect()));
    let goes_on = stopped.get().equals(int(Stop::Played as i32));
    let leaves = either(!goes_on, slot(Slot::Chosen).at_least(int(0)));
    round.push(Stmt::If(leaves, vec![Stmt::Return(Some(stopped.get()))], Block::new()));
    let playout = module.function(Function {
        name: "playout".into(),
        locals: vec![Type::Int],
        params: 0,
        result: Some(Type::Int),
        body: vec![Stmt::While(int(1), round), stop(Stop::Played)],
    });
    (playout, site_plies::define(game, module, phases, (&ends, changes)))
}

/// Adds the function that makes and tests the gathered move with the number [`Slot::Chosen`]. It
/// returns [`Stop::Played`] if the move is legal, else [`Stop::Stuck`], or [`Stop::Untested`] if
/// code cannot test it. `None` for phases without tests in code.
pub(super) fn define_trial(
    game: &Context<'_>,
    module: &mut Module,
    compiled: &Compiled,
) -> Option<FunctionId> {
    compiled.tries.as_ref()?;
    let mut code = Emitter::closed(game, module, 0);
    let drawn = Drawn { number: code.keep(Type::Int, slot(Slot::Chosen)), forced: int(0) };
    // If moves are those of one set, they have one entry, with their number.
    let moves = Gathered { count: MOVES.at(int(COUNT as i32)), here: None };
    let legal = make(&mut code, &drawn, &moves, compiled);
    let [played, stuck] = [Stop::Played, Stop::Stuck].map(|stop| int(stop as i32));
    code.push(Stmt::Return(Some(choose(legal, played, stuck))));
    Some(code.shared("trial", 0, Some(Type::Int)))
}

/// The change of phases after a ply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    /// Phases never change.
    Never,
    /// A function changes them.
    By(FunctionId),
    /// The evaluator changes them, and passes the turn on.
    Evaluator,
}

/// Adds the function that changes phases after a ply, if there is any.
fn define_changes(game: &Context<'_>, module: &mut Module) -> Changes {
    if !hands_on(game) {
        return Changes::Evaluator;
    }
    if game.phases.iter().all(|phase| phase.next.is_empty()) {
        return Changes::Never;
    }
    let mut code = Emitter::closed(game, module, 0);
    effects::with_program_parts(&mut code, |code| {
        code.for_range(int(1), int(game.world.players as i32 + 1), turns::change_phase);
    });
    // The evaluator sets flags of players without moves only for conditions that hold.
    if code.asks_evaluator() && game.has(Feature::ReadsFlags) {
        return Changes::Evaluator;
    }
    code.bind_none();
    Changes::By(code.shared("change phases", 0, None))
}

/// Adds the function of a ply of a phase. The ply draws a move, or calls the function in which all
/// players choose; then it tests the end rules and passes the turn on.
fn define_ply(
    game: &Context<'_>,
    module: &mut Module,
    compiled: &Compiled,
    (may_overflow, choices): (bool, Option<FunctionId>),
    (ends, changes): (Option<FunctionId>, Changes),
) -> FunctionId {
    let mut code = Emitter::closed(game, module, 0);
    match choices {
        _ if !game.simultaneous => draw(&mut code, compiled, may_overflow),
        Some(choices) => {
            let stopped = code.keep(Type::Int, Expr::Call(choices, Vec::new())).get();
            code.push(stop_as(&stopped));
        }
        None => code.push(stop(Stop::Ask)),
    }
    end_ply(&mut code, ends, changes);
    code.shared("ply", 0, Some(Type::Int))
}

/// Writes the end of a ply: the end rules are tested, and the turn is passed on.
pub(super) fn end_ply(code: &mut Emitter<'_>, ends: Option<FunctionId>, changes: Changes) {
    match (ends, changes) {
        (None, _) => code.push(stop(Stop::Made)),
        (Some(ends), Changes::Never) => turns::hand_on_turn(code, ends, None),
        (Some(ends), Changes::By(changes)) => turns::hand_on_turn(code, ends, Some(changes)),
        (Some(ends), Changes::Evaluator) => {
            code.push(stop_if(Expr::Call(ends, Vec::new()), Stop::Made));
            code.push(stop(Stop::Asked));
        }
    }
}

/// The moves of a phase that have been gathered.
pub(super) struct Gathered {
    pub(super) count: Expr,
    /// The moves themselves, if they have no entries.
    pub(super) here: Option<Here>,
}

/// The moves of a phase without entries: each goes from a site to itself, and may place a piece.
pub(super) struct Here {
    pub(super) sites: HereSites,
    pub(super) piece: Option<Expr>,
}

/// The sites of the moves of a phase without entries.
pub(super) enum HereSites {
    /// Those of a set, numbered in their order.
    Of(Expr),
    /// One, which is the number of its move.
    Numbered,
}

/// A move that has been drawn.
pub(super) struct Drawn {
    pub(super) number: Local,
    /// 1 if the move is a forced pass.
    pub(super) forced: Expr,
}

/// Writes code that gathers the moves of a phase, draws one of them, and makes it.
fn draw(code: &mut Emitter<'_>, compiled: &Compiled, may_overflow: bool) {
    let Some(gather) = compiled.gather else { return code.push(stop(Stop::Ask)) };
    if code.game.stacking() {
        code.push(stop_if(slot(Slot::HasStalePieces), Stop::Ask));
    }
    if compiled.gathered.tests() && compiled.tries.is_none() || code.game.repeats.is_some() {
        code.push(stop_if(slot(Slot::Chosen).less(int(0)), Stop::Ask));
    }
    let swaps = may_swap(code, compiled);
    clear_flag(code);
    let keeps = compiled.does_first && may_overflow;
    if keeps {
        keep_state(code);
    }
    let here = found_here(code, compiled);
    let count = match &here {
        Some(Here { sites: HereSites::Of(sites), .. }) => {
            code.keep(Type::Int, sites.clone().len()).get()
        }
        _ => drawing::gather(code, gather, compiled.asks),
    };
    // Moves without room are lost, so the evaluator plays the ply.
    let full = slot(Slot::Gathered).at_least(int(MOST_ENTRIES as i32));
    if keeps {
        let back = vec![Stmt::Eval(service(Service::TakeBack, Vec::new())), stop(Stop::Ask)];
        code.push_if(full, back);
    } else if may_overflow && !compiled.does_first && here.is_none() {
        code.push(stop_if(full, Stop::Ask));
    }
    let moves = Gathered { count, here };
    let count = &moves.count;
    if compiled.tries.is_some() {
        return unless_stuck(code, count, |code| draw_legal(code, &moves, compiled));
    }
    let number = code.keep(Type::Int, slot(Slot::Chosen));
    let forced = code.keep(Type::Int, int(0));
    if swaps != int(0) {
        code.push(stop_if(both(count.clone().equals(int(0)), swaps.clone()), Stop::Ask));
    }
    unless_stuck(code, count, |code| {
        let mut by_lot = code.block(|code| {
            drawing::draw_any(code, (number, forced), count, &swaps, compiled);
        });
        if compiled.gathered.longest.is_some() {
            let two = add(slot(Slot::Longest), int(1)).less(slot(Slot::LongestEnd));
            let counted = code.block(|code| drawing::draw_counted(code, number, forced));
            by_lot = vec![Stmt::If(two, counted, by_lot)];
        }
        code.push_if(number.get().less(int(0)), by_lot);
        make(code, &Drawn { number, forced: forced.get() }, &moves, compiled);
    });
}

/// Writes code that clears the flag that the mover had no moves.
pub(super) fn clear_flag(code: &mut Emitter<'_>) {
    let mine = int(1).shifted_left(slot(Slot::Mover));
    let others = slot(Slot::Stalemated).and_bits(int(-1) - mine);
    code.push_if(slot(Slot::Stalemated), vec![set_slot(Slot::Stalemated, others)]);
}

/// Writes code for the moves of a phase without entries; `None` if other code reads the entries.
fn found_here(code: &mut Emitter<'_>, compiled: &Compiled) -> Option<Here> {
    let (sites, piece) = compiled.only_here?.found.filter(|_| !reads_entries(compiled))?;
    let sites = HereSites::Of(code.keep_set(Expr::Call(sites, Vec::new())));
    let piece = piece.map(|piece| code.keep(Type::Int, Expr::Call(piece, Vec::new())).get());
    Some(Here { sites, piece })
}

/// True if other code reads the entries of the moves of a phase.
pub(super) fn reads_entries(compiled: &Compiled) -> bool {
    compiled.makes.iter().any(Option::is_none)
        || compiled.tries.is_some()
        || compiled.does_first
        || !compiled.clashes.is_empty()
        || !compiled.gathered.passes().is_empty()
}

/// Writes code that passes if there is no move, and runs `write` otherwise.
fn unless_stuck(code: &mut Emitter<'_>, count: &Expr, write: impl FnOnce(&mut Emitter<'_>)) {
    let stuck = count.clone().equals(int(0));
    if code.game.has(Feature::Chance) && code.game.has(Feature::ReadsFlags) {
        code.push(stop_if(stuck, Stop::Stuck));
        return write(code);
    }
    let pass = code.block(|code| {
        let may_end = may_end_by_passes(code);
        let may_end = code.keep_int(may_end);
        let last = is_last_pass();
        let expects =
            if code.module.traits.has(Trait::PlaysOn) { slot(Slot::Expects) } else { int(0) };
        code.push(stop_if(either(expects, either(last, may_end)), Stop::Stuck));
        code.set_slot(Slot::MadeFrom, int(-1));
        code.set_slot(Slot::MadeTo, int(-1));
        turns::begin(code, int(PASSED), int(1));
        making::record(code, int(-1), int(-1));
        if !code.game.has(Feature::Chance) {
            let mine = int(1).shifted_left(slot(Slot::Mover));
            code.set_slot(Slot::Stalemated, slot(Slot::Stalemated).or_bits(mine));
        }
        turns::settle(code);
    });
    let rest = code.block(write);
    code.push(Stmt::If(stuck, pass, rest));
}

/// Code that is 1 if a pass could be the last of a round of passes, which may end the game: the
/// evaluator tests that. It is 0 if the move before was no pass, and the one before that no pass of
/// the same player. See [`Game::all_passed`](crate::game::Game).
fn may_end_by_passes(code: &mut Emitter<'_>) -> Expr {
    if code.game.has(Feature::NoPassDraw) {
        return int(0);
    }
    if code.game.world.players < 2 {
        return int(1);
    }
    let noted = slot(Slot::Noted);
    let at = |back: i32| HISTORY.at(noted.clone() - int(back));
    let none = slot(Slot::NotedBefore);
    let last = choose(noted.clone().at_least(int(1)), at(1), none.clone());
    let second = choose(noted.clone().at_least(int(1)), none, slot(Slot::NotedFirst));
    let before = choose(noted.clone().at_least(int(2)), at(2), second);
    let [last, before] = [last, before].map(|noted| code.keep_int(noted));
    let passed = either(last.clone().less(int(0)), last.clone().at_least(int(PASSED)));
    either(passed, before.equals(last + int(PASSED)))
}

/// Code that is 1 if the mover may swap sides, which is one more move. The evaluator plays the ply
/// if the draw needs more than one number.
fn may_swap(code: &mut Emitter<'_>, compiled: &Compiled) -> Expr {
    if !code.game.swap || code.game.world.players != 2 {
        return int(0);
    }
    let second = slot(Slot::Moves).equals(int(1));
    let swaps = both(second, slot(Slot::Prev).differs(slot(Slot::Mover)));
    if !compiled.clashes.is_empty()
        || compiled.gathered.longest.is_some()
        || compiled.tries.is_some()
        || compiled.does_first
        || !compiled.gathered.passes().is_empty()
    {
        code.push(stop_if(swaps, Stop::Ask));
        return int(0);
    }
    code.keep(Type::Int, swaps).get()
}

/// Writes code that keeps the state, to take moves back, and the generator of random numbers.
fn keep_state(code: &mut Emitter<'_>) {
    code.module.traits.add(Trait::KeepsState);
    code.set_slot(Slot::HeadKept, int(0));
    code.set_slot(Slot::KnowsLeft, int(0));
    code.push(Stmt::CopyInts(KEPT_FRAME, FRAME, FRAME_LENGTH as u32));
    // Stacks may grow, so all numbers are copied.
    code.push(Stmt::CopyInts(KEPT_CELLS, CELLS, u32::MAX));
    code.push(Stmt::CopySets(KEPT_STATE, STATE, u32::MAX));
    code.push(Stmt::CopySets(KEPT_DRAWS, DRAWS, Rng::WORDS.div_ceil(code.game.words()) as u32));
}

/// Writes code that draws moves of a phase and makes them, until one is legal.
fn draw_legal(code: &mut Emitter<'_>, moves: &Gathered, compiled: &Compiled) {
    // At the cap of plies the evaluator tests if there is a legal move, and if it is forced.
    code.push(stop_if(slot(Slot::Plies).at_least(slot(Slot::Cap)), Stop::Ask));
    keep_state(code);
    let number = code.keep(Type::Int, slot(Slot::Chosen));
    code.push_if(number.get().less(int(0)), vec![Stmt::Set(number, drawn(moves.count.clone()))]);
    let legal = code.keep(Type::Int, int(0));
    code.while_loop(!legal.get(), |code| {
        let legal_now = make(code, &Drawn { number, forced: int(0) }, moves, compiled);
        code.set(legal, legal_now);
        let again = service(Service::Reject, vec![number.get()]);
        let again = vec![Stmt::Set(number, again), stop_if(number.get().less(int(0)), Stop::Stuck)];
        code.push(Stmt::If(legal.get(), Block::new(), again));
    });
}

/// Writes code that makes a drawn move. The code is 1 if the move is legal.
pub(super) fn make(
    code: &mut Emitter<'_>,
    drawn: &Drawn,
    moves: &Gathered,
    compiled: &Compiled,
) -> Expr {
    let here = moves.here.as_ref();
    let number = drawn.number;
    let (first, packed, [from, to]) = match (here.map(|here| &here.sites), compiled.only_here) {
        (Some(HereSites::Numbered), _) => (int(0), int(0), [number; 2]),
        (sites, Some(OnlyHere { descending, .. })) => {
            let backwards = (moves.count.clone() - int(1)) - number.get();
            let rank = if descending { backwards } else { number.get() };
            let sites = match sites {
                Some(HereSites::Of(sites)) => sites.clone(),
                _ => TARGETS.at(int(0)),
            };
            let site = code.keep(Type::Int, sites.nth(rank));
            let packed = if here.is_some() { int(0) } else { MOVES.at(int(0)) };
            (int(0), packed, [site; 2])
        }
        (_, None) => {
            let located = drawing::locate(code, number, compiled);
            if !compiled.clashes.is_empty() {
                draw_again_if_repeated(code, number, &moves.count, &located, compiled);
            }
            (located.first.get(), located.packed.get(), located.ends)
        }
    };
    let source = code.keep(Type::Int, source_of(packed)).get();
    if compiled.makes.iter().any(Option::is_none) {
        let has_make = code.table(compiled.makes.iter().map(|make| i32::from(make.is_some())));
        leave_drawn(code, !has_make.at(source.clone()), drawn, compiled);
    }
    let passes = compiled.gathered.passes();
    let mut pass = int(0);
    if !passes.is_empty() && compiled.tries.is_none() {
        let is_pass = drawing::is_pass(code, &passes, source.clone());
        pass = code.keep_int(is_pass * int(PASSED));
        let may_end = may_end_by_passes(code);
        let last = both(drawn.forced.clone(), is_last_pass());
        leave_drawn(code, both(pass.clone(), either(last, may_end)), drawn, compiled);
    }
    code.set_slot(Slot::MadeFrom, from.get());
    code.set_slot(Slot::MadeTo, to.get());
    turns::begin(code, pass, drawn.forced.clone());
    let legal = code.keep(Type::Int, int(1));
    let makes = (0..).zip(&compiled.makes).zip(&compiled.gathered.sources);
    let makes = makes.filter_map(|((number, make), source)| {
        let piece = here.and_then(|here| here.piece.clone());
        let arguments = arguments(source, [from, to], &first, piece);
        let tried = compiled.tries.as_ref().and_then(|tries| *tries.get(number as usize)?);
        let mut block = vec![Stmt::Call((*make)?, arguments.clone())];
        if let Some(MoveTests { test, rest }) = tried {
            block.push(Stmt::Set(legal, Expr::Call(test, arguments)));
            let rest = rest.map(|rest| vec![Stmt::Call(rest, Vec::new())]);
            block.extend(rest.map(|rest| Stmt::If(legal.get(), rest, Block::new())));
        }
        Some((number, block))
    });
    code.extend(one_of(&source, makes.collect()));
    turns::settle(code);
    legal.get()
}

/// Writes code that draws again if the move is a duplicate of one before it.
fn draw_again_if_repeated(
    code: &mut Emitter<'_>,
    number: Local,
    count: &Expr,
    located: &Located,
    compiled: &Compiled,
) {
    let drawn_now = slot(Slot::Chosen).less(int(0));
    let passes = compiled.gathered.passes();
    let clashes = |&pass: &i32| compiled.clashes.of(pass as usize).next().is_some();
    if passes.iter().any(clashes) {
        // The evaluator tests if a pass is forced.
        let pass = drawing::is_pass(code, &passes, source_of(located.packed.get()));
        let several = both(drawn_now.clone(), both(count.clone().differs(int(1)), pass));
        code.push_if(several, vec![set_slot(Slot::Chosen, number.get()), stop(Stop::Untested)]);
    }
    let clash = (0..compiled.makes.len() as i32).map(|source| i32::from(clashes(&source)));
    let may_repeat = code.table(clash).at(source_of(located.packed.get()));
    let mut may_repeat = both(drawn_now, may_repeat);
    if compiled.clashes_beside_dice.is_empty() {
        // Used dice are shown again only if this variable has a value.
        may_repeat = both(dice::unnamed(code).differs(int(-1)), may_repeat);
    }
    code.when(may_repeat, |code| {
        let rival = has_rival(code, located, compiled);
        code.when(rival, |code| {
            let first = service(Service::FirstOfItsKind, vec![number.get()]);
            let first = code.keep_int(first);
            code.when(first.clone().differs(number.get()), |code| {
                code.set(number, first);
                let again = drawing::locate(code, number, compiled);
                for (local, found) in located.locals().into_iter().zip(again.locals()) {
                    code.set(local, found.get());
                }
            });
        });
    });
}

/// Code that is 1 if an entry before that of the move may have a duplicate of it: a move with the
/// same ends, of a source that may lead to the same state.
fn has_rival(code: &mut Emitter<'_>, located: &Located, compiled: &Compiled) -> Expr {
    let source = code.keep(Type::Int, source_of(located.packed.get())).get();
    let clash = clash_pairs(code, compiled);
    let [from, to] = located.ends.map(Local::get);
    let rival = code.keep(Type::Int, int(0));
    code.for_range(int(0), located.entry.get(), |code, entry| {
        let packed = code.keep(Type::Int, MOVES.at(entry.get() * int(ENTRY as i32))).get();
        let ends = packed.clone().and_bits(int(OF_SOURCE - 1));
        let ends = code.keep(Type::Int, ends).get();
        let same = (from.clone() * int(OF_FROM) + to.clone()) + int(OF_FROM + 1);
        let same_ends = ends.clone().equals(same);
        // The origins of moves to the sites of a set are not compared.
        let targets = ends.and_bits(int(OF_FROM - 1)).at_least(int(FIRST_OF_SETS));
        let among = both(targets, TARGETS.at(entry.get()).contains(to.clone()));
        let other = source_of(packed);
        let may_clash = clash
            .map_or(int(1), |(pairs, sources)| pairs.at(source.clone() * int(sources) + other));
        code.set(rival, both(either(same_ends, among), may_clash));
        steps::break_unless(code, !rival.get());
    });
    rival.get()
}

/// A table by pairs of sources, with 1 if they may have duplicate moves, and the number of sources;
/// `None` if these are too many.
fn clash_pairs(code: &mut Emitter<'_>, compiled: &Compiled) -> Option<(Table, i32)> {
    const MOST_SOURCES: usize = 64;
    let sources = compiled.makes.len();
    let pair = |one: usize| {
        let clashes: Vec<usize> = compiled.clashes.of(one).collect();
        (0..sources).map(move |other| i32::from(clashes.contains(&other)))
    };
    let pairs = (sources <= MOST_SOURCES).then(|| (0..sources).flat_map(pair));
    Some((code.table(pairs?), sources as i32))
}

/// Writes a stop before the move that has been drawn, taken if a condition holds.
fn leave_drawn(code: &mut Emitter<'_>, condition: Expr, drawn: &Drawn, compiled: &Compiled) {
    let stop = if compiled.tries.is_some() { Stop::Untested } else { Stop::Drawn };
    let stop = choose(drawn.forced.clone(), int(Stop::Forced as i32), int(stop as i32));
    let chosen = set_slot(Slot::Chosen, drawn.number.get());
    code.push_if(condition, vec![chosen, Stmt::Return(Some(stop))]);
}

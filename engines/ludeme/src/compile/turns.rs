//! Code for the beginning of a move, and for passing the turn on after it.

use kernel::ir::{Block, Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    FRAME, HISTORY, MOST_NOTED, STATE, Service, Slot, TURN, add, choose, int, is_active, phase_of,
    set_slot, slot,
};
use super::emitter::Emitter;
use super::ends::{HOLDS, IF_STUCK};
use super::module::Trait;
use super::stops::{Stop, is_after_pass, stop, stop_if};
use super::{bools, dice, ints};
use crate::lower::Feature;

/// Writes the removal of pieces that were captured earlier in the turn, which happens if it ends.
pub(super) fn settle(code: &mut Emitter<'_>) {
    if code.module.traits.has(Trait::DefersCaptures) {
        code.call_host(Service::Settle, Vec::new());
    }
}

/// Writes the beginning of a move: `pass` is [`PASSED`](super::arrays::PASSED) for a pass, `forced`
/// is 1 for a forced one.
pub(super) fn begin(code: &mut Emitter<'_>, pass: Expr, forced: Expr) {
    begin_move(code, pass);
    count_ply(code, forced);
    begin_part(code);
}

/// Writes code that clears the pending sites and adds a move to the history.
pub(super) fn begin_move(code: &mut Emitter<'_>, pass: Expr) {
    let pends = code.game.has(Feature::Pends);
    if pends {
        code.push(Stmt::StoreSet(STATE, int(code.game.layout.pending() as i32), Expr::NoSites));
    }
    let pass = code.keep_int(pass);
    code.set_slot(Slot::Passed, pass.clone());
    const { assert!(MOST_NOTED.is_power_of_two()) };
    let place = slot(Slot::Noted).and_bits(int(MOST_NOTED as i32 - 1));
    code.push(Stmt::Store(HISTORY, place, add(slot(Slot::Mover), pass)));
    for number in [Slot::Noted, Slot::Moves] {
        code.set_slot(number, add(slot(number), int(1)));
    }
    // Numbers that no code changes are not reset.
    for (number, changes) in [
        (Slot::HasPending, pends),
        (Slot::ActsAt, code.module.traits.has(Trait::MovesActsAt)),
        (Slot::Expects, code.module.traits.has(Trait::PlaysOn)),
    ] {
        if changes {
            code.set_slot(number, int(0));
        }
    }
}

/// Writes code that counts a ply, or a forced pass.
pub(super) fn count_ply(code: &mut Emitter<'_>, forced: Expr) {
    let plies = vec![set_slot(Slot::Plies, add(slot(Slot::Plies), int(1)))];
    let passes = choose(is_after_pass(), slot(Slot::Passes), int(0));
    let pass = vec![
        set_slot(Slot::Passes, add(passes, int(1))),
        set_slot(Slot::PassedAt, slot(Slot::Plies)),
    ];
    match forced {
        Expr::Int(0) => code.extend(plies),
        Expr::Int(_) => code.extend(pass),
        forced => code.push(Stmt::If(forced, pass, plies)),
    }
}

/// Writes the beginning of the actions of a move.
pub(super) fn begin_part(code: &mut Emitter<'_>) {
    code.set_slot(Slot::NamedNext, int(0));
    if code.game.has(Feature::AsksActions) {
        code.set_slot(Slot::FromNow, int(-1));
        code.set_slot(Slot::ToNow, int(-1));
    }
}

/// Writes code that tests the end rules, changes phases, and passes the turn on.
pub(super) fn hand_on_turn(code: &mut Emitter<'_>, ends: FunctionId, changes: Option<FunctionId>) {
    code.push(stop_if(slot(Slot::Noted).at_least(slot(Slot::NotedEnd)), Stop::Made));
    let ended = code.keep(Type::Int, Expr::Call(ends, Vec::new())).get();
    code.push(stop_if(ended.clone().equals(int(HOLDS)), Stop::Made));
    if code.game.has(Feature::Cycles) {
        code.call_host(Service::Remember, Vec::new());
    }
    if code.module.traits.has(Trait::PlaysOn) {
        let mut before = vec![set_slot(Slot::Expects, int(1))];
        before.extend(
            (0..)
                .zip(TURN)
                .map(|(i, turn)| Stmt::Store(FRAME, int(Slot::Before as i32 + i), slot(turn))),
        );
        code.push_if(ended.equals(int(IF_STUCK)), before);
    }
    if let Some(changes) = changes {
        code.push(Stmt::Call(changes, Vec::new()));
    }
    let prev = code.keep(Type::Int, slot(Slot::Mover)).get();
    let mover = code.keep(Type::Int, slot(Slot::Next)).get();
    if code.game.has(Feature::Visits) {
        visit_or_forget(code, mover.clone().equals(prev.clone()));
    }
    let next = next_active(code, &mover);
    for (number, value) in [
        (Slot::Counter, add(slot(Slot::Counter), int(1))),
        (Slot::Prev, prev.clone()),
        (Slot::Mover, mover.clone()),
        (Slot::Next, next),
    ] {
        code.set_slot(number, value);
    }
    let again = mover.equals(prev);
    let more = |number: Slot| set_slot(number, add(slot(number), int(1)));
    code.push(Stmt::If(
        again,
        vec![more(Slot::MovesThisTurn)],
        vec![set_slot(Slot::MovesThisTurn, int(0)), more(Slot::Turns)],
    ));
    dice::sum_dice(code);
    code.push(stop(Stop::Played));
}

/// Writes code that adds the ends of a move to the visited sites while the turn goes on, and clears
/// these when it ends.
fn visit_or_forget(code: &mut Emitter<'_>, again: Expr) {
    let visited = int(code.game.layout.visited() as i32);
    let put = code.block(|code| visit(code, [Slot::MadeFrom, Slot::MadeTo]));
    code.push(Stmt::If(again, put, vec![Stmt::StoreSet(STATE, visited, Expr::NoSites)]));
}

/// Writes code that adds two numbers to the visited sites, if they are sites.
pub(super) fn visit(code: &mut Emitter<'_>, sites: [Slot; 2]) {
    for site in sites {
        let visited = int(code.game.layout.visited() as i32);
        let put = vec![Stmt::Put(STATE, visited, slot(site), true)];
        code.push_if(slot(site).at_least(int(0)), put);
    }
}

/// The next player after another who has no result yet.
pub(super) fn next_active(code: &mut Emitter<'_>, player: &Expr) -> Expr {
    let players = code.game.world.players as i32;
    match players {
        1 => int(1),
        2 => {
            let other = int(3) - player.clone();
            choose(is_active(other.clone()), other, player.clone())
        }
        _ => {
            let next = code.keep(Type::Int, player.clone());
            let number = code.local(Type::Int);
            let step = choose(next.get().at_least(int(players)), int(1), add(next.get(), int(1)));
            let found = Stmt::If(is_active(next.get()), vec![Stmt::Break(1)], Block::new());
            let round = vec![Stmt::Set(next, step), found];
            code.push(Stmt::For(number, int(0), int(players), round));
            next.get()
        }
    }
}

/// Writes code that changes the phase of a player by the first rule that holds.
pub(super) fn change_phase(code: &mut Emitter<'_>, player: Local) {
    let game = code.game;
    let current = code.keep(Type::Int, phase_of(player.get())).get();
    let done = code.keep(Type::Int, int(0));
    for (number, phase) in (0..).zip(&game.phases).filter(|(_, phase)| !phase.next.is_empty()) {
        code.when(current.clone().equals(int(number)), |code| {
            for change in &phase.next {
                code.when(done.get().equals(int(0)), |code| {
                    let (asked, mover) = match &change.who {
                        None => (int(1), slot(Slot::Mover)),
                        Some(who) => (ints::emit(code, who).equals(player.get()), player.get()),
                    };
                    code.when(asked, |code| {
                        let holds = bools::emit(code, &change.condition);
                        let to = match change.to {
                            Some(to) => int(to as i32),
                            None => {
                                let next = add(phase_of(mover), int(1));
                                let next = code.keep_int(next);
                                let last = next.clone().equals(int(game.phases.len() as i32));
                                choose(last, int(0), next)
                            }
                        };
                        code.when(holds, |code| {
                            let place = add(player.get(), int(Slot::Phase as i32));
                            code.push(Stmt::Store(FRAME, place, to));
                            code.set(done, int(1));
                        });
                    });
                });
            }
        });
    }
}

//! How a move begins, and how the turn is handed on after it.

use kernel::ir::{Block, Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    FRAME, HISTORY, MOST_NOTED, STATE, Service, Slot, TURN, add, choose, int, is_active, phase_of,
    service, set_slot, slot,
};
use super::emitter::Emitter;
use super::ends::{HOLDS, IF_STUCK};
use super::module::Trait;
use super::stops::{Stop, is_after_pass, stop, stop_if};
use super::{bools, dice, ints};

/// Removes what was captured earlier in the turn, if it ends.
pub(super) fn settle(code: &mut Emitter<'_>) {
    if code.module.traits.has(Trait::DefersCaptures) {
        code.push(Stmt::Eval(service(Service::Settle, Vec::new())));
    }
}

/// Begins a move, whether it is a pass, and whether it is forced.
pub(super) fn begin(code: &mut Emitter<'_>, pass: Expr, forced: Expr) {
    begin_move(code, pass);
    count_ply(code, forced);
    begin_part(code);
}

/// Forgets what was pending, and enters a move into the record: whether it is a pass.
pub(super) fn begin_move(code: &mut Emitter<'_>, pass: Expr) {
    let pends = code.game.pends;
    if pends && code.game.initial.is_watched() {
        code.push(Stmt::Eval(service(Service::Forget, Vec::new())));
    } else if pends {
        let pending = int(code.game.layout.pending() as i32);
        code.push(Stmt::StoreSet(STATE, pending, Expr::NoSites));
    }
    let pass = code.keep_int(pass);
    code.push(set_slot(Slot::Passed, pass.clone()));
    const { assert!(MOST_NOTED.is_power_of_two()) };
    let place = slot(Slot::Noted).and_bits(int(MOST_NOTED as i32 - 1));
    code.push(Stmt::Store(HISTORY, place, add(slot(Slot::Mover), pass)));
    for number in [Slot::Noted, Slot::Moves] {
        code.push(set_slot(number, add(slot(number), int(1))));
    }
    // What nothing changes needs not be set back.
    for (number, changes) in [
        (Slot::HasPending, pends),
        (Slot::ActsAt, code.module.traits.has(Trait::MovesActsAt)),
        (Slot::Expects, code.module.traits.has(Trait::PlaysOn)),
    ] {
        if changes {
            code.push(set_slot(number, int(0)));
        }
    }
}

/// Counts a ply, or a forced pass.
pub(super) fn count_ply(code: &mut Emitter<'_>, forced: Expr) {
    let plies = vec![set_slot(Slot::Plies, add(slot(Slot::Plies), int(1)))];
    let passes = choose(is_after_pass(), slot(Slot::Passes), int(0));
    let pass = vec![
        set_slot(Slot::Passes, add(passes, int(1))),
        set_slot(Slot::PassedAt, slot(Slot::Plies)),
    ];
    match forced {
        Expr::Int(0) => plies.into_iter().for_each(|stmt| code.push(stmt)),
        Expr::Int(_) => pass.into_iter().for_each(|stmt| code.push(stmt)),
        forced => code.push(Stmt::If(forced, pass, plies)),
    }
}

/// Begins what a move does: nothing of it has been carried out yet.
pub(super) fn begin_part(code: &mut Emitter<'_>) {
    code.push(set_slot(Slot::NamedNext, int(0)));
    if code.game.asks_actions {
        code.push(set_slot(Slot::FromNow, int(-1)));
        code.push(set_slot(Slot::ToNow, int(-1)));
    }
}

/// Asks the end rules, changes phases, and hands on the turn.
pub(super) fn hand_on_turn(code: &mut Emitter<'_>, ends: FunctionId, changes: Option<FunctionId>) {
    code.push(stop_if(slot(Slot::Noted).at_least(slot(Slot::NotedEnd)), Stop::Made));
    let ended = code.keep(Type::Int, Expr::Call(ends, Vec::new())).get();
    code.push(stop_if(ended.clone().equals(int(HOLDS)), Stop::Made));
    if code.game.cycles {
        code.push(Stmt::Eval(service(Service::Remember, Vec::new())));
    }
    if code.module.traits.has(Trait::PlaysOn) {
        let mut before = vec![set_slot(Slot::Expects, int(1))];
        before.extend(
            (0..)
                .zip(TURN)
                .map(|(i, turn)| Stmt::Store(FRAME, int(Slot::Before as i32 + i), slot(turn))),
        );
        code.push(Stmt::If(ended.equals(int(IF_STUCK)), before, Block::new()));
    }
    if let Some(changes) = changes {
        code.push(Stmt::Call(changes, Vec::new()));
    }
    let prev = code.keep(Type::Int, slot(Slot::Mover)).get();
    let mover = code.keep(Type::Int, slot(Slot::Next)).get();
    if code.game.visits {
        visit_or_forget(code, mover.clone().equals(prev.clone()));
    }
    let next = following(code, &mover);
    for (number, value) in [
        (Slot::Counter, add(slot(Slot::Counter), int(1))),
        (Slot::Prev, prev.clone()),
        (Slot::Mover, mover.clone()),
        (Slot::Next, next),
    ] {
        code.push(set_slot(number, value));
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

/// Takes the ends of a move as visited while the turn goes on, and none when it ends.
fn visit_or_forget(code: &mut Emitter<'_>, again: Expr) {
    let visited = int(code.game.layout.visited() as i32);
    let put = code.block(|code| visit(code, [Slot::MadeFrom, Slot::MadeTo]));
    let none = vec![Stmt::StoreSet(STATE, visited, Expr::NoSites)];
    code.push(Stmt::If(again, put, none));
}

/// Takes two sites as visited, where they are any.
pub(super) fn visit(code: &mut Emitter<'_>, sites: [Slot; 2]) {
    for site in sites {
        let visited = int(code.game.layout.visited() as i32);
        let put = vec![Stmt::Put(STATE, visited, slot(site), true)];
        code.push(Stmt::If(slot(site).at_least(int(0)), put, Block::new()));
    }
}

/// The player after another who has no result yet.
pub(super) fn following(code: &mut Emitter<'_>, player: &Expr) -> Expr {
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
            let last = next.get().at_least(int(players));
            let step = choose(last, int(1), add(next.get(), int(1)));
            let found = Stmt::If(is_active(next.get()), vec![Stmt::Break(1)], Block::new());
            let round = vec![Stmt::Set(next, step), found];
            code.push(Stmt::For(number, int(0), int(players), round));
            next.get()
        }
    }
}

/// Changes the phase of a player by the first rule that holds.
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
                        Some(who) => {
                            let who = ints::emit(code, who);
                            (who.equals(player.get()), player.get())
                        }
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
                            code.push(Stmt::Set(done, int(1)));
                        });
                    });
                });
            }
        });
    }
}

//! How a move begins, and how the turn is handed on after it.

use kernel::ir::{Block, Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    FRAME, HISTORY, MOST_NOTED, STATE, Service, Slot, TURN, add, choose, int, is_active, phase_of,
    service, set_slot, slot,
};
use super::code::Emitter;
use super::ends::{HOLDS, IF_STUCK};
use super::stops::{Stop, is_after_pass, stop, stop_if};

impl Emitter<'_> {
    /// Removes what was captured earlier in the turn, if it ends.
    pub(super) fn settle(&mut self) {
        if self.tables.defers {
            self.push(Stmt::Eval(service(Service::Settle, Vec::new())));
        }
    }

    /// Begins a move, whether it is a pass, and whether it is forced.
    pub(super) fn begin(&mut self, pass: Expr, forced: Expr) {
        self.begin_move(pass);
        self.count_ply(forced);
        self.begin_part();
    }

    /// Forgets what was pending, and enters a move into the record: whether it is a pass.
    pub(super) fn begin_move(&mut self, pass: Expr) {
        let pends = self.game.pends;
        if pends && self.game.initial.is_watched() {
            self.push(Stmt::Eval(service(Service::Forget, Vec::new())));
        } else if pends {
            let pending = int(self.game.layout.pending() as i32);
            self.push(Stmt::StoreSet(STATE, pending, Expr::NoSites));
        }
        let pass = self.keep_int(pass);
        self.push(set_slot(Slot::Passed, pass.clone()));
        const { assert!(MOST_NOTED.is_power_of_two()) };
        let place = slot(Slot::Noted).and_bits(int(MOST_NOTED as i32 - 1));
        self.push(Stmt::Store(HISTORY, place, add(slot(Slot::Mover), pass)));
        for number in [Slot::Noted, Slot::Moves] {
            self.push(set_slot(number, add(slot(number), int(1))));
        }
        // What nothing changes needs not be set back.
        for (number, changes) in [
            (Slot::HasPending, pends),
            (Slot::ActsAt, self.tables.moves_acts_at),
            (Slot::Expects, self.tables.expects),
        ] {
            if changes {
                self.push(set_slot(number, int(0)));
            }
        }
    }

    /// Counts a ply, or a forced pass.
    pub(super) fn count_ply(&mut self, forced: Expr) {
        let plies = vec![set_slot(Slot::Plies, add(slot(Slot::Plies), int(1)))];
        let passes = choose(is_after_pass(), slot(Slot::Passes), int(0));
        let pass = vec![
            set_slot(Slot::Passes, add(passes, int(1))),
            set_slot(Slot::PassedAt, slot(Slot::Plies)),
        ];
        match forced {
            Expr::Int(0) => plies.into_iter().for_each(|stmt| self.push(stmt)),
            Expr::Int(_) => pass.into_iter().for_each(|stmt| self.push(stmt)),
            forced => self.push(Stmt::If(forced, pass, plies)),
        }
    }

    /// Begins what a move does: nothing of it has been carried out yet.
    pub(super) fn begin_part(&mut self) {
        self.push(set_slot(Slot::NamedNext, int(0)));
        if self.game.asks_actions {
            self.push(set_slot(Slot::FromNow, int(-1)));
            self.push(set_slot(Slot::ToNow, int(-1)));
        }
    }

    /// Asks the end rules, changes phases, and hands on the turn.
    pub(super) fn hand_on_turn(&mut self, ends: FunctionId, changes: Option<FunctionId>) {
        self.push(stop_if(slot(Slot::Noted).at_least(slot(Slot::NotedEnd)), Stop::Made));
        let ended = self.keep(Type::Int, Expr::Call(ends, Vec::new())).get();
        self.push(stop_if(ended.clone().equals(int(HOLDS)), Stop::Made));
        if self.game.cycles {
            self.push(Stmt::Eval(service(Service::Remember, Vec::new())));
        }
        if self.tables.expects {
            let mut before = vec![set_slot(Slot::Expects, int(1))];
            before.extend(
                (0..)
                    .zip(TURN)
                    .map(|(i, turn)| Stmt::Store(FRAME, int(Slot::Before as i32 + i), slot(turn))),
            );
            self.push(Stmt::If(ended.equals(int(IF_STUCK)), before, Block::new()));
        }
        if let Some(changes) = changes {
            self.push(Stmt::Call(changes, Vec::new()));
        }
        let prev = self.keep(Type::Int, slot(Slot::Mover)).get();
        let mover = self.keep(Type::Int, slot(Slot::Next)).get();
        if self.game.visits {
            self.visit_or_forget(mover.clone().equals(prev.clone()));
        }
        let next = self.following(&mover);
        for (number, value) in [
            (Slot::Counter, add(slot(Slot::Counter), int(1))),
            (Slot::Prev, prev.clone()),
            (Slot::Mover, mover.clone()),
            (Slot::Next, next),
        ] {
            self.push(set_slot(number, value));
        }
        let again = mover.equals(prev);
        let more = |number: Slot| set_slot(number, add(slot(number), int(1)));
        self.push(Stmt::If(
            again,
            vec![more(Slot::MovesThisTurn)],
            vec![set_slot(Slot::MovesThisTurn, int(0)), more(Slot::Turns)],
        ));
        self.sum_dice();
        self.push(stop(Stop::Played));
    }

    /// Takes the ends of a move as visited while the turn goes on, and none when it ends.
    fn visit_or_forget(&mut self, again: Expr) {
        let visited = int(self.game.layout.visited() as i32);
        let put = self.block(|code| code.visit([Slot::MadeFrom, Slot::MadeTo]));
        let none = vec![Stmt::StoreSet(STATE, visited, Expr::NoSites)];
        self.push(Stmt::If(again, put, none));
    }

    /// Takes two sites as visited, where they are any.
    pub(super) fn visit(&mut self, sites: [Slot; 2]) {
        for site in sites {
            let visited = int(self.game.layout.visited() as i32);
            let put = vec![Stmt::Put(STATE, visited, slot(site), true)];
            self.push(Stmt::If(slot(site).at_least(int(0)), put, Block::new()));
        }
    }

    /// The player after another who has no result yet.
    pub(super) fn following(&mut self, player: &Expr) -> Expr {
        let players = self.game.world.players as i32;
        match players {
            1 => int(1),
            2 => {
                let other = int(3) - player.clone();
                choose(is_active(other.clone()), other, player.clone())
            }
            _ => {
                let next = self.keep(Type::Int, player.clone());
                let number = self.local(Type::Int);
                let last = next.get().at_least(int(players));
                let step = choose(last, int(1), add(next.get(), int(1)));
                let found = Stmt::If(is_active(next.get()), vec![Stmt::Break(1)], Block::new());
                let round = vec![Stmt::Set(next, step), found];
                self.push(Stmt::For(number, int(0), int(players), round));
                next.get()
            }
        }
    }

    /// Changes the phase of a player by the first rule that holds.
    pub(super) fn change_phase(&mut self, player: Local) {
        let game = self.game;
        let current = self.keep(Type::Int, phase_of(player.get())).get();
        let done = self.keep(Type::Int, int(0));
        for (number, phase) in (0..).zip(&game.phases).filter(|(_, phase)| !phase.next.is_empty()) {
            self.when(current.clone().equals(int(number)), |code| {
                for change in &phase.next {
                    code.when(done.get().equals(int(0)), |code| {
                        let (asked, mover) = match &change.who {
                            None => (int(1), slot(Slot::Mover)),
                            Some(who) => {
                                let who = code.int(who);
                                (who.equals(player.get()), player.get())
                            }
                        };
                        code.when(asked, |code| {
                            let holds = code.bool(&change.condition);
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
}

//! `forEach Piece` as code.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{CELLS, Slot, add, both, int, set_slot, slot, state_set};
use super::code::{Consumer, Emitter};
use crate::ir::{Binder, Int, Iter, Moves, PieceMoves};

impl Emitter<'_> {
    /// True if there is code for a `forEach Piece`.
    pub(super) fn knows_pieces(&self, who: Option<&Int>, list: &[PieceMoves]) -> bool {
        let orderless = match self.consumer {
            Consumer::Gather { .. } => !self.tables.in_order,
            Consumer::Exists { .. } | Consumer::Reaches { .. } | Consumer::Destinations { .. } => {
                true
            }
            Consumer::Give | Consumer::Effect(_) => false,
        };
        let known = match who {
            None | Some(Int::Mover) => true,
            // Where gathering is broken off the turn would stay another one; and what the evaluator
            // is asked amid another turn it would look for in the phase of that player.
            Some(Int::Const(_) | Int::Next) => {
                let breaks_off = list.iter().any(|entry| entry.moves.any(&Moves::is_max));
                let one_turn = !self.game.simultaneous && self.game.phases.len() == 1;
                self.is_gathered() && self.turn_of.is_none() && one_turn && !breaks_off
            }
            Some(_) => false,
        };
        (!self.by_placing() || orderless) && known
    }

    /// True if pieces are asked in the order of placing.
    fn by_placing(&self) -> bool {
        self.game.chance && self.game.layout.is_ordered() && !self.game.stacking()
    }

    /// Gives the moves of all pieces, or of those of a player, whose turn it is meanwhile.
    pub(super) fn for_each_piece(&mut self, who: Option<&Int>, list: &[PieceMoves]) {
        match who {
            None => self.of_owner(None, list),
            Some(Int::Mover) => self.of_owner(Some(slot(Slot::Mover)), list),
            Some(who) => {
                self.turn_of = Some(who.clone());
                self.in_turn_of(who, |code, who| code.of_owner(Some(who), list));
                self.turn_of = None;
            }
        }
    }

    /// Writes code for the turn of another player, who may be the mover.
    pub(super) fn in_turn_of(&mut self, who: &Int, write: impl FnOnce(&mut Self, Expr)) {
        let who = self.int(who);
        let who = self.keep_int(who);
        let turns = [Slot::Mover, Slot::Prev, Slot::Next];
        let before = turns.map(|turn| self.keep(Type::Int, slot(turn)).get());
        let mover = before[0].clone();
        let players = self.game.world.players as i32;
        let is_player = both(who.clone().at_least(int(1)), who.clone().at_most(int(players)));
        let is_other = both(who.clone().differs(mover.clone()), is_player);
        let meanwhile = [who.clone(), mover.clone(), mover];
        let changes = turns.into_iter().zip(meanwhile).map(|(turn, to)| set_slot(turn, to));
        self.push(Stmt::If(is_other, changes.collect(), Vec::new()));
        self.scope(|code| write(code, who));
        turns.into_iter().zip(before).for_each(|(turn, to)| self.push(set_slot(turn, to)));
    }

    /// Gives the moves of the pieces of an owner, or of all.
    fn of_owner(&mut self, who: Option<Expr>, list: &[PieceMoves]) {
        self.tables.reordered |= self.is_gathered() && self.by_placing();
        let saved = self.save([Iter::From, Iter::Level]);
        for of_owner in list.chunk_by(|a, b| who.is_none() || a.owner == b.owner) {
            let owner = i32::from(of_owner[0].owner);
            let turn = who.clone().map_or(int(1), |who| who.equals(int(owner)));
            self.when(turn, |code| {
                for entry in of_owner {
                    code.of_component(entry);
                }
            });
        }
        self.restore(&saved);
    }

    pub(super) fn of_component(&mut self, entry: &PieceMoves) {
        if entry.moves == Moves::None {
            return;
        }
        if self.game.stacking() {
            return self.in_stacks(entry);
        }
        let set = self.game.layout.piece_set[usize::from(entry.component)];
        let within = self.game.set(entry.within);
        let mut sites = state_set(int(i32::from(set)));
        if !self.game.everywhere().is_subset(within) {
            let within = self.fixed(within);
            sites = sites & within;
        }
        let sites = self.keep(Type::Set, sites).get();
        let moves = self.by_distance(&entry.moves, entry.component, &sites);
        if *moves == Moves::None {
            return;
        }
        let sites = match self.origins(&moves, entry.component) {
            Some(origins) => sites & origins,
            None => sites,
        };
        self.for_each(sites, |code, site| {
            code.is_site(&site.get());
            code.bind(Iter::From, site.get());
            code.bind(Iter::Level, int(0));
            code.piece = Some(entry.component);
            code.around(Binder::Piece, |code| code.generate(&moves));
        });
    }

    /// True if all pieces of a component in one stack have the same moves, of which only the first
    /// counts.
    fn levels_are_alike(&mut self, moves: &Moves) -> bool {
        let game = self.game;
        let names_level = |moves: &Moves| matches!(moves, Moves::Leaf(leaf) if leaf.has_level());
        let alike = self.is_gathered()
            && !self.tables.in_order
            && game.overlaps
            && !(game.tests_moves || game.reads_level || game.leaves_level)
            && !moves.any(&names_level);
        self.tables.reordered |= alike;
        alike
    }

    /// Writes statements that are carried out once if there is a piece of a component in a stack.
    fn when_in_stack(
        &mut self,
        component: u16,
        site: Expr,
        height: Expr,
        write: impl FnOnce(&mut Self),
    ) {
        let top = self.by_site(self.game.layout.at.top, site, 1, 0);
        let found = self.keep(Type::Int, top);
        let there = self.keep(Type::Int, int(0));
        self.for_range(int(0), height, |code, _| {
            let is = CELLS.at(found.get()).equals(int(i32::from(component)));
            code.push(Stmt::Set(there, is));
            code.break_unless(!there.get());
            code.push(Stmt::Set(found, CELLS.at(add(found.get(), int(1)))));
        });
        self.when(there.get(), write);
    }

    /// The pieces of a component in stacks, from the bottom up.
    pub(super) fn in_stacks(&mut self, entry: &PieceMoves) {
        let at = self.game.layout.at;
        let within = self.game.set(entry.within);
        let within = self.fixed(within);
        let sites = if entry.top {
            state_set(int(i32::from(self.game.layout.piece_set[usize::from(entry.component)])))
        } else {
            self.occupied()
        };
        let sites = sites & within;
        self.for_each(sites, |code, site| {
            code.is_site(&site.get());
            let height = code.by_site(at.height, site.get(), 1, 0);
            let height = code.keep_int(height);
            let ask = |code: &mut Self, level: Expr| {
                code.bind(Iter::From, site.get());
                code.bind(Iter::Level, level);
                code.piece = entry.top.then_some(entry.component);
                let binder = if entry.top { Binder::Top } else { Binder::Level };
                code.around(binder, |code| code.generate(&entry.moves));
            };
            if entry.top {
                return ask(code, height - int(1));
            }
            if code.levels_are_alike(&entry.moves) {
                return code.when_in_stack(entry.component, site.get(), height, |code| {
                    code.bind(Iter::From, site.get());
                    code.bind(Iter::Level, int(0));
                    code.around(Binder::Piece, |code| code.generate(&entry.moves));
                });
            }
            code.for_range(int(0), height.clone(), |code, level| {
                // Levels are linked from the top down.
                let top = code.by_site(at.top, site.get(), 1, 0);
                let found = code.keep(Type::Int, top);
                let above = (height.clone() - level.get()) - int(1);
                code.for_range(int(0), above, |code, _| {
                    let below = CELLS.at(add(found.get(), int(1)));
                    code.push(Stmt::Set(found, below));
                });
                let what = CELLS.at(found.get());
                let is = what.equals(int(i32::from(entry.component)));
                code.when(is, |code| ask(code, level.get()));
            });
        });
    }
}

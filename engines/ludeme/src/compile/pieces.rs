//! `forEach Piece` as code.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{CELLS, Slot, add, int, slot, state_set};
use super::code::{Consumer, Emitter};
use crate::game::has;
use crate::ir::{Binder, Int, Iter, Moves, PieceMoves};

impl Emitter<'_> {
    /// Whether there is code for a `forEach Piece`.
    pub(super) fn knows_pieces(&self, who: Option<&Int>) -> bool {
        let orderless = match self.consumer {
            Consumer::Gather { .. } => !self.tables.in_order,
            Consumer::Exists { .. } | Consumer::Reaches { .. } | Consumer::Destinations { .. } => {
                true
            }
            Consumer::Give | Consumer::Effect(_) => false,
        };
        (!self.by_placing() || orderless) && matches!(who, None | Some(Int::Mover))
    }

    /// Whether pieces are asked in the order of placing.
    fn by_placing(&self) -> bool {
        self.game.chance && self.game.layout.ordered && !self.game.stacking()
    }

    pub(super) fn for_each_piece(&mut self, own: bool, list: &[PieceMoves]) {
        self.tables.reordered |= self.is_gathered() && self.by_placing();
        let saved = self.save([Iter::From, Iter::Level]);
        for of_owner in list.chunk_by(|a, b| !own || a.owner == b.owner) {
            let owner = i32::from(of_owner[0].owner);
            let turn = if own { slot(Slot::Mover).equals(int(owner)) } else { int(1) };
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

    /// Whether all pieces of a component in one stack have the same moves, of which only the first
    /// counts.
    fn levels_are_alike(&mut self, moves: &Moves) -> bool {
        let game = self.game;
        let names_level = |moves: &Moves| matches!(moves, Moves::Leaf(leaf) if leaf.has_level());
        let alike = self.is_gathered()
            && !self.tables.in_order
            && game.overlaps
            && !(game.tests_moves || game.reads_level || game.leaves_level)
            && !has(moves, &names_level);
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

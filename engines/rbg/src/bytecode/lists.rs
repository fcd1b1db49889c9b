//! Moves of players as statements: a cell of a set, one of several ways, one of a list.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{ENTRIES, ENTRY, ENTRY_SETS, MOST_ENTRIES};
use super::code::{BlockId, Coder, TentativeAction, UndoEntry, Vars};
use super::{Cells, Inst, MoveSource};
use crate::description::{Piece, Var};

impl Coder<'_> {
    /// Instructions of players; false of another.
    pub(super) fn player_instruction(&mut self, at: usize, ins: Inst) -> bool {
        match ins {
            Inst::Turn { layer, mover } => {
                self.begin_turn(layer, mover);
                // What the keeper has done is not taken back where the turn is left to the search.
                let Vars { keeper_moves, jumps, choices, changes, .. } = self.vars;
                for counter in [keeper_moves, jumps, choices, changes] {
                    self.set(counter, 0);
                }
                let then = self.block_at(at as u32 + 1);
                self.count_lone(Expr::Int(mover.into()), then);
            }
            Inst::Draw { mover, to } => {
                let then = self.block_at(to);
                self.draw_cell(mover, then);
            }
            Inst::Ply { player, mover, layer, next, to } => {
                let (begin, then) = (self.new_block(), self.new_block());
                self.count_lone(Expr::Int(player.into()), begin);
                self.fill(begin, |coder| {
                    coder.begin_turn(layer.into(), player);
                    coder.draw_cell(mover, then);
                });
                let to = self.block_at(to);
                self.fill(then, |coder| {
                    coder.begin_keeper(next.into());
                    coder.set(coder.vars.keeper_moves, 1);
                    coder.go(to);
                });
            }
            Inst::DrawFrom { first, count } => self.draw_from(first, count),
            Inst::List => {
                self.set(self.vars.entries, 0);
                self.set(self.vars.total, 0);
                self.undo_log.clear();
                self.listed.clear();
            }
            Inst::Entry(way) => {
                let register = self.bytecode.ways[way as usize].register;
                let set = self.register(register);
                self.enter_list(way, set);
            }
            Inst::Split { clauses, negated, from, way } => {
                let all = self.register(from);
                let held = self.among(clauses, all);
                let ended = self.local(Type::Set);
                let others = all.get().without(held);
                let (end, rest) = if negated { (others, held.get()) } else { (held.get(), others) };
                self.set(ended, end);
                self.set(all, rest);
                self.enter_list(way, ended);
            }
            Inst::LeaveIfAny(register) => {
                let is_any = self.register(register).get().is_inhabited();
                self.when(is_any, Self::leave_list);
            }
            Inst::Next { register, otherwise, .. } => {
                let set = self.register(register);
                self.go_if(set.get().is_empty(), self.block_at(otherwise));
                self.go_to_cell(set.get().nth(0));
                self.set(set, set.get().without(Expr::single(self.vars.cell)));
            }
            Inst::Try(piece) => self.try_piece(piece, self.here(at)),
            Inst::TrySet { var, formula, otherwise } => self.try_value(var, formula, otherwise),
            Inst::Untry(to) => {
                if let Some((_, before)) = self.undo_log.pop() {
                    self.restore(&before);
                }
                self.go(self.block_at(to));
            }
            Inst::DrawListed => self.draw_listed(),
            _ => return false,
        }
        true
    }

    fn begin_turn(&mut self, layer: u32, mover: u8) {
        self.set(self.vars.layer, layer as i32);
        self.set(self.vars.mover, i32::from(mover));
        self.set(self.vars.origin, self.vars.cell);
    }

    /// A cell of the current set is chosen; a lone one is not drawn: whether it is a ply shows when
    /// it is made.
    fn draw_cell(&mut self, mover: u8, then: BlockId) {
        let set = self.vars.set;
        let count = self.local(Type::Int);
        self.set(count, set.get().len());
        self.when(count.get().greater(1), |coder| {
            let number = coder.draw(count);
            coder.go_to_cell(set.get().nth(number));
            coder.go(then);
        });
        self.go_if(!count.get(), self.shared.no_moves);
        self.go_to_cell(set.get().nth(0));
        self.note_lone(self.vars.mover.get().differs(i32::from(mover)), then);
    }

    /// One of several ways, and one of its cells.
    fn draw_from(&mut self, first: u32, count: u32) {
        let bytecode = self.bytecode;
        let ways = &bytecode.ways[first as usize..(first + count) as usize];
        let counts: Vec<Local> = ways
            .iter()
            .map(|way| {
                let (set, count) = (self.register(way.register), self.local(Type::Int));
                self.set(count, set.get().len());
                count
            })
            .collect();
        let total = self.vars.total;
        let sum = counts.iter().map(|count| count.get()).reduce(|sum, count| sum + count);
        self.set(total, sum.unwrap_or(Expr::Int(0)));
        self.draw_of_total();
        let drawn = self.vars.drawn;
        for (i, (way, count)) in ways.iter().zip(&counts).enumerate() {
            let (choose, made) = (self.new_block(), self.new_block());
            if i + 1 == ways.len() {
                self.go(choose);
            } else {
                self.go_if(drawn.get().less(*count), choose);
                self.set(drawn, drawn.get() - count.get());
            }
            let set = self.register(way.register);
            let mover = i32::from(way.mover);
            let is_lone = total.get().equals(1);
            self.fill(choose, |coder| {
                coder.go_to_cell(set.get().nth(drawn));
                coder.when(is_lone, |coder| {
                    let may_pass = Expr::Int(way.bare.into());
                    let hands_on = coder.vars.mover.get().differs(mover);
                    coder.note_lone(may_pass.and(hands_on), made);
                });
                coder.go(made);
            });
            self.fill(made, |coder| coder.finish_move(&[], way));
        }
    }

    /// The number of one of all moves, or the end where there is none.
    fn draw_of_total(&mut self) {
        let (total, drawn) = (self.vars.total, self.vars.drawn);
        self.go_if(!total.get(), self.shared.no_moves);
        self.set(drawn, 0);
        self.when(total.get().greater(1), |coder| {
            let number = coder.draw(total);
            coder.set(drawn, number);
        });
    }

    /// Puts what a way puts, whose last cell is the current one, and goes on.
    fn finish_move(&mut self, first: &[TentativeAction], way: &MoveSource) {
        let mut places = self.vars.tried.into_iter();
        for tried in first {
            match *tried {
                TentativeAction::Put { piece, over } => {
                    if let Some(place) = places.next() {
                        self.put(piece, place, over);
                    }
                }
                TentativeAction::Set { var, formula } => {
                    if let Some((value, _)) = self.formula(formula) {
                        self.set(self.vars.values[usize::from(var)], value);
                    }
                }
            }
        }
        if let Some((piece, by)) = way.put {
            let place = self.local(Type::Int);
            self.set(place, self.vars.cell.get() - i32::from(by));
            self.put(piece, place, Cells::ALL);
        }
        self.go(self.block_at(way.target));
    }

    /// Puts a piece to see what follows.
    fn try_piece(&mut self, piece: Piece, over: Cells) {
        // Where there are more, they are only looked at.
        if let Some(&place) = self.vars.tried.get(self.tried_pieces()) {
            self.set(place, self.vars.cell);
        }
        let before: Vec<(Piece, Local)> = (self.pieces())
            .filter(|&other| other == piece || over.has(other))
            .map(|piece| {
                let before = self.local(Type::Set);
                self.set(before, self.piece(piece));
                (piece, before)
            })
            .collect();
        self.undo_log.push((TentativeAction::Put { piece, over }, UndoEntry::Pieces(before)));
        self.put(piece, self.vars.cell, over);
    }

    /// The number of pieces that are being tried.
    fn tried_pieces(&self) -> usize {
        self.undo_log
            .iter()
            .filter(|(tried, _)| matches!(tried, TentativeAction::Put { .. }))
            .count()
    }

    /// Gives a variable a value to see what follows.
    fn try_value(&mut self, var: Var, formula: u32, otherwise: u32) {
        let (before, new) = (self.local(Type::Int), self.local(Type::Int));
        let local = self.vars.values[usize::from(var)];
        let Some((value, range)) = self.formula(formula) else {
            self.leave_list();
            self.undo_log
                .push((TentativeAction::Set { var, formula }, UndoEntry::Value(var, local)));
            return;
        };
        self.set(new, value);
        let bound = self.bytecode.formulas[formula as usize].1;
        self.go_unless_within(new, range, bound, self.block_at(otherwise));
        self.set(before, local);
        self.set(local, new);
        self.undo_log.push((TentativeAction::Set { var, formula }, UndoEntry::Value(var, before)));
    }

    /// Leaves what is being done to the search, with all taken back that is being tried.
    pub(super) fn leave_list(&mut self) {
        let tried = std::mem::take(&mut self.undo_log);
        tried.iter().rev().for_each(|(_, before)| self.restore(before));
        self.undo_log = tried;
        self.go(self.shared.leave);
    }

    /// Takes back something that has been tried.
    fn restore(&mut self, before: &UndoEntry) {
        match before {
            UndoEntry::Pieces(pieces) => {
                for &(piece, before) in pieces {
                    self.set_piece(piece, before.get());
                }
            }
            UndoEntry::Value(var, value) => self.set(self.vars.values[usize::from(*var)], *value),
        }
    }

    /// Adds a way to the cells of a set to the list, behind the pieces that are being tried.
    fn enter_list(&mut self, way: u32, set: Local) {
        self.listed.push((way, self.undo_log.iter().map(|(tried, _)| *tried).collect()));
        let pieces = self.tried_pieces();
        let (entries, total) = (self.vars.entries, self.vars.total);
        self.when(set.get().is_inhabited(), |coder| {
            coder.when(entries.get().at_least(MOST_ENTRIES as i32), |coder| {
                coder.leave_list();
            });
            coder.add(total, set.get().len());
            let at = entries.get() * ENTRY;
            coder.store(ENTRIES, at.clone(), way as i32);
            coder.store(ENTRIES, at.clone() + 1, total);
            for (number, tried) in (2..).zip(coder.vars.tried).take(pieces) {
                coder.store(ENTRIES, at.clone() + number, tried);
            }
            coder.store_set(ENTRY_SETS, entries, set);
            coder.add(entries, 1);
        });
    }

    /// One of the moves of the list is chosen.
    fn draw_listed(&mut self) {
        self.draw_of_total();
        let (total, drawn, entries) = (self.vars.total, self.vars.drawn, self.vars.entries);
        let way = self.vars.way;
        let (number, chosen, upto) =
            (self.local(Type::Int), self.local(Type::Int), self.local(Type::Int));
        self.set(chosen, 0);
        let body = self.block(|coder| {
            coder.set(upto, ENTRIES.at(number.get() * ENTRY + 1));
            coder.when(drawn.get().less(upto), |coder| {
                coder.set(chosen, number);
                coder.push(Stmt::Break(1));
            });
        });
        self.push(Stmt::For(number, Expr::Int(0), entries.get(), body));
        let set = self.local(Type::Set);
        self.set(set, ENTRY_SETS.at(chosen));
        let at = chosen.get() * ENTRY;
        self.set(way, ENTRIES.at(at.clone()));
        for (place, tried) in (2..).zip(self.vars.tried) {
            self.set(tried, ENTRIES.at(at.clone() + place));
        }
        // From the last of its cells backwards.
        let rank = set.get().len() - (upto.get() - drawn.get());
        self.go_to_cell(set.get().nth(rank));
        let listed = std::mem::take(&mut self.listed);
        let mut among: Vec<(i32, BlockId)> = Vec::new();
        let mut passing = Expr::Int(0);
        for (number, first) in &listed {
            let block = self.new_block();
            let bytecode = self.bytecode;
            let this = &bytecode.ways[*number as usize];
            self.fill(block, |coder| coder.finish_move(first, this));
            among.push((*number as i32, block));
            if this.bare && first.is_empty() {
                let hands_on = self.vars.mover.get().differs(i32::from(this.mover));
                passing = passing.or(way.get().equals(*number as i32).and(hands_on));
            }
        }
        among.sort_unstable();
        let choose = self.new_block();
        self.when(total.get().equals(1), |coder| coder.note_lone(passing, choose));
        self.go(choose);
        self.fill(choose, |coder| coder.dispatch(way, &among));
    }
}

//! Generation of moves.

use super::adapters::{Counting, Test, Tested};
use super::visitors::MoveVisitor;
use super::{Around, CompiledRules, Eval};
use crate::ir::{Bool, Int, Iter, Leaf, Moves, PieceMoves};
use crate::lower::Feature;
use crate::meter;
use crate::moves::{Ends, Move};
use crate::state::{State, Turns};

impl Eval<'_> {
    /// Gives all moves of a generator to a visitor; true if it was stopped.
    pub(crate) fn generate(&mut self, moves: &Moves, out: &mut dyn MoveVisitor) -> bool {
        if !meter::work(1) {
            return true;
        }
        match moves {
            Moves::None => false,
            Moves::Leaf(leaf) => self.leaf(leaf, out),
            Moves::All(list) => list.iter().any(|m| self.generate(m, out)),
            Moves::If(parts) => {
                if self.test(&parts.0) {
                    self.generate(&parts.1, out)
                } else {
                    self.generate(&parts.2, out)
                }
            }
            Moves::Priority(list) if out.asks_existence() => {
                list.iter().any(|m| self.generate(m, out))
            }
            // Moves that fail a test have numbers, too: each part is asked by itself if one passes.
            Moves::Priority(list) if self.game.tests_moves => {
                let first = self.first_with_moves(list);
                list.get(first).is_some_and(|moves| self.generate(moves, out))
            }
            Moves::Priority(list) => {
                let mut counting = Counting::new(out);
                list.iter().any(|m| self.generate(m, &mut counting) || counting.any);
                counting.stopped
            }
            Moves::ForEachPiece { who, list } => self.for_each_piece(who.as_ref(), list, out),
            Moves::ForEachSite { region, moves, otherwise } => {
                let sites = self.region(region);
                let old = (self.get(Iter::Site), self.get(Iter::To));
                if **otherwise != Moves::None {
                    let mut counting = Counting::of_legal(out);
                    let stopped = sites.iter().any(|s| {
                        self.bind_site(s);
                        self.generate(moves, &mut counting)
                    });
                    if !counting.any {
                        return self.generate(otherwise, out);
                    }
                    self.set(Iter::Site, old.0);
                    self.set(Iter::To, old.1);
                    return stopped;
                }
                let stopped = sites.iter().any(|s| {
                    self.bind_site(s);
                    self.generate(moves, out)
                });
                self.set(Iter::Site, old.0);
                self.set(Iter::To, old.1);
                stopped
            }
            Moves::ForEachValue { values, moves } => {
                let values = self.ints(values);
                values
                    .into_iter()
                    .any(|v| self.with(Iter::Value, v, |eval| eval.generate(moves, out)))
            }
            Moves::ForEachPlayer { players, moves } => {
                let players = self.ints(players);
                players
                    .into_iter()
                    .any(|p| self.with(Iter::Player, p, |eval| eval.generate(moves, out)))
            }
            Moves::Composite(composite) => self.composite(composite, out),
            Moves::IfAfterwards(parts) => {
                let mut tested = Tested::new(self, out, Test::After(&parts.1));
                self.generate(&parts.0, &mut tested)
            }
            Moves::Custodial(custodial) => self.custodial(custodial, out),
            Moves::Compiled(code, rules) => match &self.game.program {
                Some(program) => program.run_generator(self, *code, out),
                None => self.generate(rules, out),
            },
        }
    }

    /// The first of some generators that gives a move, or the last one.
    pub(crate) fn first_with_moves(&mut self, list: &[Moves]) -> usize {
        let others = &list[..list.len().saturating_sub(1)];
        others.iter().position(|m| self.exists(m)).unwrap_or(others.len())
    }

    fn bind_site(&mut self, site: usize) {
        self.set(Iter::Site, site as i32);
        self.set(Iter::To, site as i32);
    }

    /// True if a condition holds once a move has been made.
    pub(super) fn holds_after(&mut self, made: &Move, condition: &Bool) -> bool {
        let mut after = self.trial();
        self.try_move(&mut after, made);
        if after.head.turns.next == self.turns.mover {
            after.head.turns.next = self.turns.prev;
        }
        let mut eval = self.within(&after);
        eval.turns = after.head.turns;
        eval.test(condition)
    }

    /// Makes a move in a copy of the state, with what is bound here, and enters it into its record.
    pub(super) fn try_move(&self, after: &mut State, made: &Move) {
        after.record_move(made.is_pass());
        self.game.carry_out_move(after, made, self.bindings());
    }

    /// As [`Eval::try_move`], for a part of a move, which does not enter the record.
    pub(super) fn try_part(&self, after: &mut State, made: &Move) {
        self.game.carry_out_part(after, made, self.bindings());
    }

    fn bindings(&self) -> Around<'_> {
        let tests = (self.looking_ahead, self.threatening);
        Around { iters: self.iters, chance: self.chance, tests }
    }

    /// Hands a move to the visitor.
    #[inline]
    pub(super) fn give(
        &mut self,
        leaf: &Leaf,
        from: usize,
        to: usize,
        piece: i32,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        self.give_at(leaf, from as i16, to as i16, piece, out)
    }

    #[inline]
    pub(super) fn give_at(
        &mut self,
        leaf: &Leaf,
        from: i16,
        to: i16,
        piece: i32,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        out.take(self, leaf, Ends { from, to, piece: piece as i16 })
    }

    /// Lets it be the turn of another player, who may be the mover, or nobody; who that is.
    pub(crate) fn take_turn(&mut self, who: &Int) -> i32 {
        let player = self.int(who);
        let mover = self.turns.mover;
        if player != i32::from(mover) && (1..=self.players() as i32).contains(&player) {
            self.turns = Turns { mover: player as u8, prev: mover, next: mover };
        }
        player
    }

    fn for_each_piece(
        &mut self,
        who: Option<&Int>,
        list: &[PieceMoves],
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let old = self.turns;
        let who = who.map(|who| self.take_turn(who));
        let bound = (self.get(Iter::From), self.get(Iter::Level));
        let mut stopped = false;
        for entry in list {
            if who.is_some_and(|w| w != i32::from(entry.owner)) {
                continue;
            }
            let component = usize::from(entry.component);
            let within = self.game.set(entry.within);
            if self.game.stacking() {
                let occupied = within.clone().without(&self.empty());
                for site in occupied.iter() {
                    let height = self.state.height(site);
                    let lowest = if entry.top { height.saturating_sub(1) } else { 0 };
                    for level in lowest..height {
                        if self.state.what_at(site, level) == component && !stopped {
                            self.set(Iter::From, site as i32);
                            self.set(Iter::Level, level as i32);
                            stopped |= self.generate(&entry.moves, out);
                        }
                    }
                }
                let state = self.state;
                for stale in
                    state.stale_pieces().iter().filter(|g| usize::from(g.what) == component)
                {
                    let site = usize::from(stale.site);
                    let top = usize::from(stale.level) + 1 == state.height(site);
                    if within.contains(site) && (top || !entry.top) && !stopped {
                        self.set(Iter::From, i32::from(stale.site));
                        self.set(Iter::Level, i32::from(stale.level));
                        stopped |= self.generate(&entry.moves, out);
                    }
                }
            } else if self.game.has(Feature::Chance) && self.game.layout.is_ordered() {
                let state = self.state;
                let placed = state.order(&self.game.layout, component);
                for site in placed.filter(|&s| within.contains(s)) {
                    self.set(Iter::From, site as i32);
                    self.set(Iter::Level, 0);
                    stopped = self.generate(&entry.moves, out);
                    if stopped {
                        break;
                    }
                }
            } else {
                let set = usize::from(self.game.layout.piece_set[component]);
                for site in (self.state.set(set) & within).iter() {
                    self.set(Iter::From, site as i32);
                    self.set(Iter::Level, 0);
                    stopped = self.generate(&entry.moves, out);
                    if stopped {
                        break;
                    }
                }
            }
            if stopped {
                break;
            }
        }
        self.set(Iter::From, bound.0);
        self.set(Iter::Level, bound.1);
        self.turns = old;
        stopped
    }
}

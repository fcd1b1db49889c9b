//! Generators of moves as code.
//!
//! Code gives moves in the order in which the evaluator does. What it gives goes to the function
//! `give`, which passes over moves, gathers them, or has the machine take them one by one.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{
    FRAME, MOST_ENTRIES, MOST_SAVED, Service, Slot, add, both, choose, either, int, set_slot, slot,
};
use super::code::{Consumer, Emitter};
use super::waiting::Kind;
use crate::ir::{
    Binder, Bool, ByPiece, Compare, Composite, CompositeKind, EachDirection, ITERS, Int, Iter,
    JumpId, LeafKind, Longest, Moves, Parts, PieceMoves, RayId, Region, Role, SourceKind, Wrapper,
};

/// The number of the choice of who chooses, where all players choose at once; others begin with 1.
const CHOOSER: u32 = 0;

impl Emitter<'_> {
    /// Gives the moves of a generator.
    pub(super) fn generate(&mut self, moves: &Moves) {
        if self.tables.is_full() && !self.is_after_first() {
            return self.asked_moves(moves);
        }
        let begins = std::mem::take(&mut self.begins);
        match moves {
            Moves::None => {}
            Moves::Leaf(leaf) => self.leaf(leaf),
            Moves::All(list) => list.iter().for_each(|m| self.generate(m)),
            Moves::If(parts) => self.either(parts, begins),
            Moves::Priority(list) => self.priority(list, moves),
            Moves::ForEachPiece { who, list } if self.knows_pieces(who.as_ref(), list) => {
                self.for_each_listed(moves, who.as_ref(), list);
            }
            Moves::ForEachSite { region, moves, otherwise } if **otherwise == Moves::None => {
                let sites = self.region(region);
                let saved = self.save([Iter::Site, Iter::To]);
                self.for_each(sites, |code, site| code.at_site([site; 2], moves));
                self.restore(&saved);
            }
            Moves::ForEachSite { region, moves, otherwise } if self.counts_by_itself() => {
                self.for_each_site_or(region, moves, otherwise);
            }
            Moves::ForEachValue { values, moves } => {
                self.for_list(values, |code, value| {
                    code.with(Binder::Value, Iter::Value, value, moves);
                });
            }
            Moves::ForEachPlayer { players, moves } => {
                self.for_list(players, |code, player| {
                    code.with(Binder::Player, Iter::Player, player, moves);
                });
            }
            Moves::IfAfterwards(parts) if self.threatens || self.looks_ahead => {
                let known = if self.threatens { unthreatened } else { ahead };
                match known(&parts.1) {
                    Some(true) => self.generate(&parts.0),
                    Some(false) => {}
                    None => self.fails = true,
                }
            }
            Moves::IfAfterwards(parts) if self.saved < MOST_SAVED && !self.is_effect() => {
                self.tested_after(parts);
            }
            Moves::Custodial(custodial) => self.custodial(custodial),
            Moves::Composite(composite) => self.composite(composite, moves, begins),
            Moves::ForEachPiece { .. }
            | Moves::ForEachSite { .. }
            | Moves::IfAfterwards(_)
            | Moves::Compiled(..) => self.asked_moves(moves),
        }
    }

    /// True if code knows of a generator whether it gives a legal move.
    fn counts_by_itself(&self) -> bool {
        self.is_gathered() && !self.game.tests_moves
    }

    /// Gives the moves at some sites, or if there are none those of another generator, for which
    /// and after which the last of the sites stays bound.
    fn for_each_site_or(&mut self, region: &Region, moves: &Moves, otherwise: &Moves) {
        let sites = self.region(region);
        let saved = self.save([Iter::Site, Iter::To]);
        let [site, to] = saved.map(|(_, local)| self.keep(Type::Int, local.get()));
        let none = self.local(Type::Int);
        self.counting(|code, choice, given| {
            code.part_of(choice, 0, |code| {
                code.for_each(sites.clone(), |code, at| {
                    [site, to].into_iter().for_each(|bound| code.push(Stmt::Set(bound, at.get())));
                    code.at_site([at; 2], moves);
                });
            });
            let found_none = code.given().equals(given.get());
            code.push(Stmt::Set(none, found_none));
            code.when(none.get(), |code| {
                code.part_of(choice, 1, |code| code.at_site([site, to], otherwise));
            });
        });
        let before = saved.map(|(_, local)| local.get());
        let back = [site, to].into_iter().zip(before).map(|(at, before)| Stmt::Set(at, before));
        self.push(Stmt::If(none.get(), Vec::new(), back.collect()));
        self.bind(Iter::Site, site.get());
        self.bind(Iter::To, to.get());
    }

    /// Gives moves with sites bound to the variables of a loop over sites.
    fn at_site(&mut self, [site, to]: [Local; 2], moves: &Moves) {
        self.bind(Iter::Site, site.get());
        self.bind(Iter::To, to.get());
        self.around(Binder::Site, |code| code.generate(moves));
    }

    /// Gives the moves of the one of two generators that a condition chooses. They may be the first
    /// part of a phase.
    fn either(&mut self, parts: &(Bool, Moves, Moves), begins: bool) {
        let condition = self.bool(&parts.0);
        if let Expr::Int(value) = condition {
            self.begins = begins;
            return self.generate(if value != 0 { &parts.1 } else { &parts.2 });
        }
        let before = (self.bound, self.piece);
        let choice = self.choice();
        let branch = |code: &mut Self, part, moves| {
            code.begins = begins;
            code.block(|code| code.part_of(choice, part, |code| code.generate(moves)))
        };
        let known = self.chosen.len();
        self.chosen.extend(only_chooser(&parts.0).map(|player| (CHOOSER, player)));
        let then = branch(self, 0, &parts.1);
        self.chosen.truncate(known);
        self.meet(before);
        let now = (self.bound, self.piece);
        (self.bound, self.piece) = before;
        let otherwise = branch(self, 1, &parts.2);
        self.begins = false;
        self.meet(now);
        self.push(Stmt::If(condition, then, otherwise));
    }

    /// Gives the moves of all pieces: by the evaluator where some of stacks are gone and still
    /// listed, which is rare.
    fn for_each_listed(&mut self, moves: &Moves, who: Option<&Int>, list: &[PieceMoves]) {
        if !self.game.stacking() {
            return self.for_each_piece(who, list);
        }
        // Pieces that are gone and still listed are rare.
        let stale_pieces = slot(Slot::HasStalePieces);
        let before = self.parts.moves.len();
        let rare = self.block(|code| code.asked_moves(moves));
        self.parts.not_left += self.parts.moves.len() - before;
        let usual = self.block(|code| code.for_each_piece(who, list));
        self.disturb();
        self.push(Stmt::If(stale_pieces, rare, usual));
    }

    /// Gives moves of which some are not legal: what has to hold after them is tested where they
    /// are made.
    fn tested_after(&mut self, parts: &(Moves, Bool)) {
        let condition = self.parts.bools.len();
        self.parts.bools.push(parts.1.clone());
        let saved = self.saved;
        let kept = if matches!(self.consumer, Consumer::Give) { ITERS as i32 } else { 0 };
        for iter in 0..kept {
            let place = Slot::Saved as i32 + (saved * ITERS) as i32 + iter;
            self.push(Stmt::Store(FRAME, int(place), FRAME.at(int(iter))));
        }
        self.saved += 1;
        let binders = self.binders.len();
        self.wrappers.push(Wrapper::After { condition, saved, binders });
        self.generate(&parts.0);
        self.wrappers.pop();
        self.saved -= 1;
    }

    /// Gives the moves of a composite generator, which may be the first part of a phase.
    fn composite(&mut self, composite: &Composite, moves: &Moves, begins: bool) {
        let wraps = !composite.then.is_empty();
        match &composite.kind {
            CompositeKind::Hop(hop) => self.within(composite, |code| code.hop(hop)),
            CompositeKind::Then(inner) => self.within(composite, |code| {
                code.begins = begins;
                code.generate(inner);
            }),
            CompositeKind::ForEachDirection(each)
                if each.facings.is_empty() || self.faced(&each.rays, &each.facings).is_some() =>
            {
                self.within(composite, |code| code.for_each_direction(each));
            }
            CompositeKind::DoNext { first, next, after: None } => {
                self.do_next(composite, (first, next), moves, begins);
            }
            CompositeKind::ForEachDie { combined, replay_double, condition, moves }
                if self.can_use_dice() =>
            {
                self.within(composite, |code| {
                    code.for_each_die(combined, replay_double, condition, moves);
                });
            }
            CompositeKind::ForEachLevel { at, from_top, moves }
                if matches!(self.consumer, Consumer::Destinations { .. }) && !wraps =>
            {
                self.for_each_level(at, *from_top, moves);
            }
            CompositeKind::Max { captures, with_value, moves: all }
                if !wraps && self.can_gather_longest() =>
            {
                let (captures, with_value) = (*captures, with_value.clone());
                self.gather_longest(Longest { captures, with_value }, all);
            }
            CompositeKind::Max { moves: longest, .. } if self.is_gathered() => {
                self.leave_if_any(longest, moves);
            }
            CompositeKind::Enclose { jumps, from, target, exceptions, effect }
                if self.is_effect() && !wraps && is_orderless(effect) =>
            {
                let targets = self.per_site(Some(target), Iter::Between).sites;
                let Some(targets) = targets else { return self.asked_moves(moves) };
                self.enclose((*jumps, from, exceptions), targets, effect);
            }
            CompositeKind::Sow(sow) if self.is_effect() && self.can_sow(sow) => {
                self.within(composite, |code| code.sow_in_effect(sow));
            }
            CompositeKind::Flip { at, flips } if !wraps && self.can_flip() => self.flip(at, flips),
            CompositeKind::Directional { rays, from, target, effect } => {
                self.within(composite, |code| code.directional(rays, from, target, effect));
            }
            CompositeKind::Roll if self.is_effect() && !wraps && self.wrappers.is_empty() => {
                self.roll();
            }
            kind if self.is_gathered() => match singles(kind) {
                Some(singles) => self.within(composite, |code| {
                    singles.into_iter().for_each(|kind| code.single(kind));
                }),
                None => self.asked_moves(moves),
            },
            _ => self.asked_moves(moves),
        }
    }

    /// Writes code for what is in a composite generator, whose consequences its moves have.
    fn within(&mut self, composite: &Composite, write: impl FnOnce(&mut Self)) {
        let wraps = !composite.then.is_empty();
        if wraps {
            self.wrappers.push(Wrapper::Then(composite.then.clone()));
        }
        write(self);
        if wraps {
            self.wrappers.pop();
        }
    }

    /// Gives the moves after something that belongs to each of them.
    fn do_next(
        &mut self,
        composite: &Composite,
        (first, next): (&Moves, &Moves),
        moves: &Moves,
        begins: bool,
    ) {
        if begins && self.can_be_first(first) {
            return self.within(composite, |code| code.do_first(first, next));
        }
        if self.is_gathered() && composite.then.is_empty() {
            return match self.changed_first(first, next) {
                Some(changed) => self.do_before_each(first, &changed, next),
                None => self.asked_moves(moves),
            };
        }
        if self.is_effect() && self.has_effect_after(first, next) {
            return self.within(composite, |code| code.do_before_effect(first, next));
        }
        self.asked_moves(moves);
    }

    /// Gives the moves of all levels of a stack. The last level stays bound, as specified.
    fn for_each_level(&mut self, at: &Int, from_top: bool, moves: &Moves) {
        self.misses |= self.passes_over;
        let site = self.int(at);
        let site = self.keep_int(site);
        let height = self.height_at(site);
        let height = self.keep_int(height);
        self.for_range(int(0), height.clone(), |code, level| {
            let from_bottom = level.get();
            let level = if from_top { height.clone() - int(1) - from_bottom } else { from_bottom };
            let level = code.keep_int(level);
            code.bind(Iter::Level, level);
            code.generate(moves);
            code.disturb();
        });
    }

    /// Gathers the one move of a generator that always gives one, which has no ends.
    fn single(&mut self, kind: CompositeKind) {
        let source = self.source(SourceKind::Single(Box::new(kind.into())));
        self.give(source, int(-1), int(-1), int(0));
    }

    /// True if there is code for turning pieces over: as an effect, or where it is asked whether
    /// any can be.
    fn can_flip(&self) -> bool {
        let asked = matches!(self.consumer, Consumer::Exists { .. });
        (asked || self.is_effect() && self.wrappers.is_empty()) && !self.game.stacking()
    }

    /// Turns over a piece that has two sides.
    fn flip(&mut self, at: &Int, flips: &[Option<(i32, i32)>]) {
        let site = self.int(at);
        let site = self.keep_int(site);
        let what = self.what(site.clone());
        let has_sides = self.tables.ints(flips.iter().map(|flips| i32::from(flips.is_some())));
        self.when(has_sides.at(what), |code| match code.consumer {
            Consumer::Exists { .. } => code.found_one(),
            _ => {
                code.count_given(int(1));
                code.wait(Kind::Flip, [site, int(0), int(0)]);
            }
        });
    }

    /// Leaves the ply to the evaluator if there is a move that only it can find among others:
    /// whether there is any is found out by code.
    fn leave_if_any(&mut self, moves: &Moves, whole: &Moves) {
        let Some(any) = self.can_move(moves) else { return self.asked_moves(whole) };
        // What is drawn to find that out is taken back.
        self.does_first |= self.game.chance;
        self.when(any, |code| {
            code.push(set_slot(Slot::Gathered, int(MOST_ENTRIES as i32)));
            code.push(Stmt::Return(Some(int(0))));
        });
    }

    /// True if moves can be gathered of which only some count, as the machine finds out.
    fn can_gather_longest(&self) -> bool {
        let game = self.game;
        let tests = game.tests_moves || game.repeats.is_some() || game.reads_flags;
        let is_alone = self.binders.is_empty() && self.loops == 0 && self.wrappers.is_empty();
        self.gathers_longest
            && self.parts.longest.is_none()
            && is_alone
            && !(tests || game.chance || game.simultaneous)
    }

    /// Gathers moves of which only some count.
    fn gather_longest(&mut self, longest: Longest, moves: &Moves) {
        let Consumer::Gather { count, .. } = self.consumer else { return };
        self.parts.longest = Some(longest);
        let before = self.keep(Type::Int, count.get()).get();
        self.generate(moves);
        self.push(set_slot(Slot::Longest, before));
        self.push(set_slot(Slot::LongestEnd, count.get()));
    }

    pub(super) fn is_gathered(&self) -> bool {
        matches!(self.consumer, Consumer::Gather { .. })
    }

    pub(super) fn is_effect(&self) -> bool {
        matches!(self.consumer, Consumer::Effect(_))
    }

    /// Gives the moves of a generator that the evaluator runs.
    pub(super) fn asked_moves(&mut self, moves: &Moves) {
        match self.consumer {
            Consumer::Exists { .. } => return self.asked_exists(moves),
            Consumer::Reaches { .. } => return self.fails = true,
            Consumer::Destinations { sites, .. } => {
                let more = self.asked_destinations(moves);
                self.push(Stmt::Set(sites, sites.get() | more));
                return self.disturb();
            }
            _ => {}
        }
        // What moves go through stays around the generator.
        let around =
            self.wrappers.iter().rev().fold(moves.clone(), |inner, wrapper| match wrapper {
                Wrapper::After { condition, .. } => {
                    Moves::IfAfterwards(Box::new((inner, self.parts.bools[*condition].clone())))
                }
                // Such moves are not gathered.
                Wrapper::Dice(_) | Wrapper::First(..) => inner,
                Wrapper::Then(then) => Moves::Composite(Box::new(crate::ir::Composite {
                    kind: CompositeKind::Then(inner),
                    then: then.clone(),
                })),
            });
        let number = Parts::add(&mut self.parts.moves, around);
        if self.is_effect() {
            return self.asked_effect(number);
        }
        let counts = int(i32::from(self.counts));
        let stop = self.ask(Service::Generate, vec![int(number), counts]);
        self.stop_if(stop);
        self.disturb();
    }

    pub(super) fn with(&mut self, binder: Binder, iter: Iter, value: Expr, moves: &Moves) {
        let saved = self.save([iter]);
        self.bind(iter, value);
        self.around(binder, |code| code.generate(moves));
        self.restore(&saved);
    }

    pub(super) fn priority(&mut self, list: &[Moves], whole: &Moves) {
        let Some((last, others)) = list.split_last() else { return };
        match self.consumer {
            Consumer::Exists { .. } => return list.iter().for_each(|moves| self.generate(moves)),
            Consumer::Reaches { .. } | Consumer::Destinations { .. } => {
                return self.asked_moves(whole);
            }
            _ => {}
        }
        if self.game.tests_moves && !self.is_effect() {
            // Where moves are drawn before they are tested, it is not clear that a part has any.
            let number = Parts::add(&mut self.parts.moves, whole.clone());
            self.parts.not_left += 1;
            let first = self.ask(Service::First, vec![int(number)]);
            let first = self.keep(Type::Int, first);
            for (i, moves) in list.iter().enumerate() {
                let all = first.get().equals(int(-1));
                let meant = either(first.get().equals(int(i as i32)), all);
                self.when(meant, |code| code.generate(moves));
            }
            return;
        }
        self.counting(|code, choice, given| code.rest_of_priority(choice, others, last, given));
    }

    /// Writes a choice by whether parts before have given any moves: with its number, and how many
    /// had been given before it.
    fn counting(&mut self, write: impl FnOnce(&mut Self, u32, Local)) {
        let given = self.given();
        let given = self.keep(Type::Int, given);
        let counts = std::mem::replace(&mut self.counts, true);
        let choice = self.choice();
        write(self, choice, given);
        self.counts = counts;
    }

    pub(super) fn rest_of_priority(
        &mut self,
        choice: u32,
        others: &[Moves],
        last: &Moves,
        given: Local,
    ) {
        let part = others.len() as u32;
        let Some((first, others)) = others.split_first() else {
            return self.part_of(choice, part, |code| code.generate(last));
        };
        self.part_of(choice, part, |code| code.generate(first));
        let none = self.given().equals(given.get());
        self.when(none, |code| code.rest_of_priority(choice, others, last, given));
    }

    /// A number for a choice among generators.
    fn choice(&mut self) -> u32 {
        self.choices += 1;
        self.choices
    }

    /// Writes a part of a choice. Within loops another part may be chosen each time.
    fn part_of(&mut self, choice: u32, part: u32, write: impl FnOnce(&mut Self)) {
        let known = (self.chosen.len(), self.chosen_in_round.len());
        if self.binders.is_empty() {
            self.chosen.push((choice, part));
        } else if self.dice().next().is_some() {
            // Only where there are dice moves are told apart by them.
            self.chosen_in_round.push((choice, part));
        }
        write(self);
        self.chosen.truncate(known.0);
        self.chosen_in_round.truncate(known.1);
    }

    /// Moves to the sites along some directions.
    fn for_each_direction(&mut self, each: &EachDirection) {
        let EachDirection { from, rays, facings, range, between, condition, moves } = each;
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        let (min, max) = (self.keep_int(min), self.keep_int(max));
        let origin = self.variable(Iter::From);
        let origin = self.keep_int(origin);
        let start = self.int(from);
        let start = self.keep_int(start);
        let there = match self.piece {
            Some(_) => int(1),
            None => self.is_occupied(origin.clone()),
        };
        let real = start.clone().at_least(int(0));
        self.when(both(there, real), |code| {
            let saved = code.save([Iter::To, Iter::Between]);
            let facing = code.facing(&origin, facings);
            let tables = match code.faced(rays, facings).filter(|ids| ids.len() > 1) {
                Some(ids) => vec![(int(1), ids)],
                None => {
                    let tables = code.by_piece(rays, &origin).into_iter();
                    tables.map(|(meant, id)| (meant, vec![id])).collect()
                }
            };
            for (meant, ids) in tables {
                let sites = ids.first().map_or(0, |&id| code.game.ray(id).sites()) as i32;
                let known = if ids.len() > 1 { start.clone().less(int(sites)) } else { int(1) };
                let start = add(start.clone(), facing.clone() * int(sites));
                let start = code.keep_int(start);
                code.when(both(meant, known), |code| {
                    let paths = code.tables.all_rays(code.game, &ids);
                    code.of_paths(paths, &start, |code, [_, _, first, end]| {
                        code.for_range(first.clone(), end, |code, at| {
                            let distance = add(at.get() - first.clone(), int(1));
                            let distance = code.keep_int(distance);
                            code.break_unless(distance.clone().at_most(max.clone()));
                            let to = code.site_on(paths, at);
                            let near = distance.clone().less(min.clone());
                            if min != int(1) {
                                code.when(near.clone(), |code| {
                                    code.bind(Iter::Between, to.clone());
                                    let goes = between.as_ref().map_or(int(1), |b| code.bool(b));
                                    code.break_unless(goes);
                                });
                            }
                            code.bind(Iter::To, to);
                            let goes = condition.as_ref().map_or(int(1), |c| code.bool(c));
                            code.break_unless(goes);
                            let far = if min == int(1) { int(1) } else { !near };
                            code.when(far, |code| {
                                code.around(Binder::Direction, |code| code.generate(moves));
                            });
                        });
                    });
                });
            }
            code.restore(&saved);
        });
    }

    /// The tables of straight paths of a piece that matter by how it looks: that of no such way,
    /// and then one for each. `None` where it is not known which piece it is, or they are of
    /// different boards.
    fn faced(
        &self,
        rays: &ByPiece<RayId>,
        facings: &[(JumpId, ByPiece<RayId>)],
    ) -> Option<Vec<RayId>> {
        let of = |rays: &ByPiece<RayId>| match (rays, self.piece) {
            (ByPiece::Same(id), _) => Some(*id),
            (ByPiece::Each(_), Some(piece)) => rays.of(usize::from(piece)),
            _ => None,
        };
        let ids = std::iter::once(rays).chain(facings.iter().map(|(_, rays)| rays)).map(of);
        let ids = ids.collect::<Option<Vec<_>>>()?;
        let sites = |id: RayId| self.game.ray(id).sites();
        let fits = ids.iter().all(|&id| sites(id) == sites(ids[0]));
        fits.then_some(ids)
    }

    /// Which way a piece looks, from 1: where the destination lies from it; 0 for none of some
    /// ways.
    fn facing(&mut self, origin: &Expr, facings: &[(JumpId, ByPiece<RayId>)]) -> Expr {
        let to = self.variable(Iter::To);
        let to = self.keep_int(to);
        let ways = facings.iter().enumerate().rev();
        ways.fold(int(0), |facing, (number, (near, _))| {
            let number = number as i32 + 1;
            let near = self.tables.near(self.game, *near).at(origin.clone());
            choose(near.contains(to.clone()), int(number), facing)
        })
    }

    /// Writes code around which something is bound.
    pub(super) fn around(&mut self, binder: Binder, write: impl FnOnce(&mut Self)) {
        self.binders.push(binder);
        write(self);
        self.binders.pop();
    }
}

/// The player who has to be the one who chooses for a condition to hold, if that is all that it
/// says.
fn only_chooser(condition: &Bool) -> Option<u32> {
    let Bool::Compare(Compare::Equal, pair) = condition else { return None };
    match **pair {
        (Int::Iter(Iter::Chooser), Int::Const(player)) => u32::try_from(player).ok(),
        _ => None,
    }
}

/// The generators of one move each, without ends, that one consists of; `None` of all that are
/// something else.
fn singles(kind: &CompositeKind) -> Option<Vec<CompositeKind>> {
    match kind {
        CompositeKind::Propose(texts) => {
            Some(texts.iter().map(|&text| CompositeKind::Propose(Box::new([text]))).collect())
        }
        CompositeKind::Vote(texts) => {
            Some(texts.iter().map(|&text| CompositeKind::Vote(Box::new([text]))).collect())
        }
        CompositeKind::SwapPlayers(Int::Const(0..=255), Int::Const(0..=255)) => {
            Some(vec![kind.clone()])
        }
        CompositeKind::DoNext { .. }
        | CompositeKind::ForEachDie { .. }
        | CompositeKind::ForEachLevel { .. }
        | CompositeKind::ForEachDirection(_)
        | CompositeKind::ForEachGroup { .. }
        | CompositeKind::Sow(_)
        | CompositeKind::TrackSlide(_)
        | CompositeKind::Roll
        | CompositeKind::Max { .. }
        | CompositeKind::Combinations(..)
        | CompositeKind::Append(_)
        | CompositeKind::Sequence(_)
        | CompositeKind::While(..)
        | CompositeKind::FirstOnTrack { .. }
        | CompositeKind::AvoidStored(_)
        | CompositeKind::Surround { .. }
        | CompositeKind::Enclose { .. }
        | CompositeKind::Intervene { .. }
        | CompositeKind::Push { .. }
        | CompositeKind::Attract { .. }
        | CompositeKind::AddScores(..)
        | CompositeKind::Flip { .. }
        | CompositeKind::SwapPlayers(..)
        | CompositeKind::SetTeam { .. }
        | CompositeKind::SetTrump { .. }
        | CompositeKind::Deal(_)
        | CompositeKind::Turned(..)
        | CompositeKind::OneOf(_)
        | CompositeKind::Some(..)
        | CompositeKind::Forced(_)
        | CompositeKind::Fall(_)
        | CompositeKind::RememberState
        | CompositeKind::Lay { .. }
        | CompositeKind::Shift { .. }
        | CompositeKind::Bet { .. }
        | CompositeKind::TakeControl { .. }
        | CompositeKind::Hop(_)
        | CompositeKind::Then(_)
        | CompositeKind::Directional { .. } => None,
    }
}

/// True if it does not matter on which of some sites an effect is carried out first: nothing of it
/// is a last move.
fn is_orderless(effect: &Moves) -> bool {
    match effect {
        Moves::Leaf(leaf) => {
            matches!(leaf.kind, LeafKind::Remove { .. } | LeafKind::SetScore { added: true, .. })
        }
        Moves::All(list) => list.iter().all(is_orderless),
        _ => false,
    }
}

/// The value of a condition while no piece is threatened, if that is enough to know it.
fn unthreatened(condition: &Bool) -> Option<bool> {
    condition.value(&|c| matches!(c, Bool::IsThreatened(_)).then_some(false))
}

/// The value of a condition while it is looked ahead whether the next player has a move, if that is
/// enough to know it: who looks ahead does not look further.
pub(super) fn ahead(condition: &Bool) -> Option<bool> {
    condition.value(&|c| matches!(c, Bool::NoMoves(Role::Next)).then_some(false))
}

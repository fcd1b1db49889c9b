//! Effects as code: all of one is evaluated before any of it is carried out.
//!
//! The moves that an effect gives are its actions. Their numbers are kept in variables until the
//! effect has been evaluated, with a flag where there is a condition on them; those of loops wait
//! in the array `acts`. Then all are carried out in order, consequences between them.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ACTS, OF_MOVE, Service, Slot, add, both, int, is_below, service, set_slot, slot,
};
use super::code::{Consumer, Emitter, Flags};
use super::context::Context;
use super::each_site::each_site;
use super::sow::sowing;
use super::tables::Tables;
use super::waiting::{ActionKinds, DeferredActions, Kind, LateEffect, NOT_GIVEN, OF_ACT};
use crate::ir::{
    Apply, EffectId, Hop, ITERS, Int, Ints, Iter, Leaf, LeafKind, Moves, Place, Slide, Source,
    SourceKind, Wrapper, consequences,
};
use crate::limits::MAX_ADDITIONS;

/// The function of some consequences, written when it is first asked for; `None` if they are part
/// of themselves.
pub(super) fn effect(game: &Context<'_>, tables: &mut Tables, id: EffectId) -> Option<FunctionId> {
    if let Some(&(known, needs_copy)) = tables.effects.get(&id) {
        tables.needs_copy |= needs_copy || known.is_none();
        return known;
    }
    tables.effects.insert(id, (None, true));
    let (function, needs_copy) = tables.noting_copies(|tables| {
        let mut code = Emitter::closed(game, tables, 0);
        code.flags = Flags::IfKept;
        let effect = game.effect(id);
        if let Some((composite, sow)) = sowing(game, effect) {
            code.sow(sow, &composite.then);
        } else if let Some((sites, moves)) = each_site(effect) {
            code.change_each(sites, moves);
        } else {
            code.effect(|code| code.generate(effect));
        }
        code.bind_all([(); ITERS].map(|()| None));
        code.shared(&format!("effect {}", id.0), 0, None)
    });
    tables.effects.insert(id, (Some(function), needs_copy));
    tables.needs_copy |= needs_copy;
    Some(function)
}

impl Emitter<'_> {
    /// Writes code whose parts are those of the whole program.
    pub(super) fn with_shared_parts(&mut self, write: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.parts, &mut self.tables.parts);
        write(self);
        std::mem::swap(&mut self.parts, &mut self.tables.parts);
    }

    /// Evaluates an effect, and carries it out.
    pub(super) fn effect(&mut self, write: impl FnOnce(&mut Self)) {
        let mut list = Vec::new();
        let mut at = Local(0);
        self.with_shared_parts(|code| (list, at) = code.evaluate(write));
        self.disturb();
        self.carry_out_all(list, at);
    }

    /// Evaluates an effect of which all actions wait in the array `acts`, as those of loops do;
    /// their kinds.
    pub(super) fn evaluate_ahead(&mut self, write: impl FnOnce(&mut Self)) -> ActionKinds {
        let mut list = Vec::new();
        let mut at = Local(0);
        self.with_shared_parts(|code| {
            (list, at) = code.evaluate(|code| {
                code.loops += 1;
                write(code);
                code.loops -= 1;
            });
        });
        self.tables.moves_acts_at = true;
        self.push(set_slot(Slot::ActsAt, at.get()));
        let kinds = |later| match later {
            LateEffect::Listed(_, _, kinds) => kinds,
            LateEffect::Act(..) => ActionKinds::new(),
        };
        list.into_iter().flat_map(kinds).collect()
    }

    pub(super) fn carry_out_all(&mut self, list: Vec<LateEffect>, at: Local) {
        for later in list {
            match later {
                LateEffect::Act(None, kind, numbers) => self.carry_out_with(kind, numbers, at),
                LateEffect::Act(Some(flag), kind, numbers) => {
                    self.when(flag.get(), |code| code.carry_out_with(kind, numbers, at));
                }
                LateEffect::Listed(from, to, kinds) => {
                    self.for_range(from.get(), to.get(), |code, entry| {
                        code.carry_out_listed(&entry.get(), &kinds, at);
                    });
                }
            }
        }
    }

    /// Carries out an action of a loop.
    fn carry_out_listed(&mut self, entry: &Expr, kinds: &ActionKinds, at: Local) {
        let first = self.keep_int(entry.clone() * int(OF_ACT as i32));
        let number = |i: i32| ACTS.at(add(first.clone(), int(i)));
        let kind_of_it = self.keep(Type::Int, number(0)).get();
        let numbers = [1, 2, 3].map(|i| self.keep(Type::Int, number(i)).get());
        for &(kind, id) in kinds {
            let is =
                if kinds.len() == 1 { int(1) } else { kind_of_it.clone().equals(int(kind as i32)) };
            let [a, b, c] = numbers.clone();
            if kind == Kind::Then {
                let is = both(is, a.equals(int(id)));
                self.when(is, |code| code.carry_out_with(kind, [int(id), b, c], at));
            } else {
                self.when(is, |code| code.carry_out_with(kind, [a, b, c], at));
            }
        }
    }

    /// Evaluates an effect: what is to be carried out, and where the next action of a loop would be
    /// put.
    fn evaluate(&mut self, write: impl FnOnce(&mut Self)) -> (Vec<LateEffect>, Local) {
        let at = self.keep(Type::Int, slot(Slot::ActsAt));
        let listed = self.keep(Type::Int, at.get());
        let given = self.keep(Type::Int, int(0));
        let (depth, loops) = (self.depth(), self.loops);
        let waiting = DeferredActions {
            depth,
            loops,
            at,
            listed,
            kinds: ActionKinds::new(),
            unlisted: false,
            given,
            before_each: Vec::new(),
            list: Vec::new(),
        };
        self.consumer = Consumer::Effect(waiting);
        write(self);
        self.note_listed();
        match std::mem::replace(&mut self.consumer, Consumer::Give) {
            Consumer::Effect(waiting) => (waiting.list, at),
            _ => (Vec::new(), at),
        }
    }

    /// Lets what is written wait, as a part of an effect; what of it waits. Not for loops.
    pub(super) fn noted(&mut self, write: impl FnOnce(&mut Self)) -> Vec<LateEffect> {
        self.note_listed();
        let before = self.waiting().map_or(0, |waiting| waiting.list.len());
        write(self);
        self.note_listed();
        self.waiting().map_or(Vec::new(), |waiting| waiting.list[before..].to_vec())
    }

    fn waiting(&mut self) -> Option<&mut DeferredActions> {
        match &mut self.consumer {
            Consumer::Effect(waiting) => Some(waiting),
            _ => None,
        }
    }

    /// True if what is written comes after something that belongs to each move.
    pub(super) fn is_after_first(&self) -> bool {
        matches!(&self.consumer, Consumer::Effect(waiting) if !waiting.before_each.is_empty())
    }

    /// True if what is written is part of an effect, and not of a loop within it.
    pub(super) fn is_effect_once(&self) -> bool {
        matches!(&self.consumer, Consumer::Effect(waiting) if waiting.loops == self.loops)
    }

    /// Evaluates something in the state in which some actions of this effect have been carried out
    /// already, and puts that back. They change no more than numbers and sets of the state.
    pub(super) fn evaluate_after(&mut self, acts: Vec<LateEffect>, write: impl FnOnce(&mut Self)) {
        let Some(at) = self.waiting().map(|waiting| waiting.at) else { return };
        let record = [Slot::FromNow, Slot::ToNow];
        let before = record.map(|number| self.keep(Type::Int, slot(number)).get());
        self.push(Stmt::Eval(service(Service::Copy, Vec::new())));
        self.carry_out_all(acts, at);
        self.scope(write);
        self.push(Stmt::Eval(service(Service::PutBack, Vec::new())));
        for (number, value) in record.into_iter().zip(before) {
            self.push(set_slot(number, value));
        }
    }

    /// Writes moves of an effect that come after something which belongs to each of them, and
    /// changes no more than can be put back by statements.
    pub(super) fn effect_after_first(&mut self, first: &Moves, put_back: Vec<Stmt>, next: &Moves) {
        let wrappers = std::mem::take(&mut self.wrappers);
        let outside = std::mem::replace(&mut self.consumer, Consumer::Give);
        let (acts, at) = self.evaluate(|code| code.generate(first));
        self.consumer = outside;
        self.wrappers = wrappers;
        let count = acts.len();
        self.carry_out_all(acts.clone(), at);
        if let Some(waiting) = self.waiting() {
            waiting.before_each.extend(acts);
        }
        let variables = self.save(Iter::ALL);
        self.scope(|code| code.generate(next));
        self.restore(&variables);
        if let Some(waiting) = self.waiting() {
            waiting.before_each.truncate(waiting.before_each.len() - count);
        }
        put_back.into_iter().for_each(|stmt| self.push(stmt));
    }

    /// Takes one move of an effect: what is done before each, and then what is written.
    pub(super) fn one_given(&mut self, write: impl FnOnce(&mut Self)) {
        self.count_given(int(1));
        self.wait_for_what_is_before();
        let before = self.waiting().map(|waiting| std::mem::take(&mut waiting.before_each));
        write(self);
        if let (Some(before), Some(waiting)) = (before, self.waiting()) {
            waiting.before_each = before;
        }
    }

    fn wait_for_what_is_before(&mut self) {
        for later in self.waiting().map_or(Vec::new(), |waiting| waiting.before_each.clone()) {
            // What is put back by statements is changed outside of loops.
            if let LateEffect::Act(flag, kind, numbers) = later {
                let is_done = flag.map_or(int(1), Local::get);
                self.when(is_done, |code| code.wait(kind, numbers));
            }
        }
    }

    /// Carries out an action, consequences too; what waits then waits from a place on.
    fn carry_out_with(&mut self, kind: Kind, numbers: [Expr; 3], at: Local) {
        match (kind, &numbers[0]) {
            (Kind::Then, Expr::Int(id)) => {
                let id = EffectId(*id as u32);
                self.tables.moves_acts_at = true;
                self.push(set_slot(Slot::ActsAt, at.get()));
                self.consequence(id);
            }
            _ => self.carry_out(kind, numbers),
        }
    }

    /// Evaluates consequences, and carries them out.
    pub(super) fn consequence(&mut self, id: EffectId) {
        match effect(self.game, self.tables, id) {
            Some(function) => self.push(Stmt::Call(function, Vec::new())),
            None => {
                (self.tables.defers, self.tables.adds_pieces) = (true, true);
                let a = int(id.0 as i32);
                let none = int(0);
                let act = vec![int(Kind::Then as i32), a, none.clone(), none];
                self.push(Stmt::Eval(service(Service::Act, act)));
            }
        }
    }

    /// Puts the actions of loops that wait into the list.
    fn note_listed(&mut self) {
        let depth = self.depth();
        let Consumer::Effect(waiting) = &mut self.consumer else { return };
        if !waiting.unlisted {
            return;
        }
        // Where this is not always done, they still lie behind if it is not.
        waiting.unlisted = depth != waiting.depth;
        let (at, listed, kinds) = (waiting.at, waiting.listed, waiting.kinds.clone());
        let from = self.keep(Type::Int, listed.get());
        let to = self.keep(Type::Int, at.get());
        self.push(Stmt::Set(listed, at.get()));
        if let Consumer::Effect(waiting) = &mut self.consumer {
            waiting.list.push(LateEffect::Listed(from, to, kinds));
        }
    }

    /// Lets an action wait.
    pub(super) fn wait(&mut self, kind: Kind, numbers: [Expr; 3]) {
        let (depth, loops) = (self.depth(), self.loops);
        let Consumer::Effect(waiting) = &mut self.consumer else { return };
        if loops > waiting.loops {
            let at = waiting.at;
            let id = match (kind, &numbers[0]) {
                (Kind::Then, Expr::Int(id)) => *id,
                _ => 0,
            };
            waiting.kinds.insert((kind, id));
            waiting.unlisted = true;
            let full = at.get().at_least(slot(Slot::ActsRoom));
            let grow = vec![Stmt::Eval(service(Service::Room, Vec::new()))];
            self.push(Stmt::If(full, grow, Vec::new()));
            let first = self.keep(Type::Int, at.get() * int(OF_ACT as i32));
            let numbers = std::iter::once(int(kind as i32)).chain(numbers);
            for (number, i) in numbers.zip(0..) {
                self.push(Stmt::Store(ACTS, add(first.get(), int(i)), number));
            }
            self.push(Stmt::Set(at, add(at.get(), int(1))));
            return;
        }
        let always = depth == waiting.depth;
        self.note_listed();
        let numbers = numbers.map(|number| match number {
            Expr::Int(_) => number,
            number => self.keep(Type::Int, number).get(),
        });
        let flag = (!always).then(|| self.keep(Type::Int, int(1)));
        if let Consumer::Effect(waiting) = &mut self.consumer {
            waiting.list.push(LateEffect::Act(flag, kind, numbers));
        }
    }

    /// Lets one action of one number wait.
    fn wait_for(&mut self, kind: Kind, number: Expr) {
        self.wait(kind, [number, int(0), int(0)]);
    }

    /// Lets consequences wait which all moves have that are given here, innermost first.
    pub(super) fn wait_for_consequences(&mut self) {
        for effect in consequences(&self.wrappers.clone()) {
            self.wait_for(Kind::Then, int(effect.0 as i32));
        }
    }

    /// Counts moves of an effect, where it matters how many there are.
    pub(super) fn count_given(&mut self, more: Expr) {
        if let (true, Consumer::Effect(DeferredActions { given, .. })) =
            (self.counts, &self.consumer)
        {
            let given = *given;
            self.push(Stmt::Set(given, add(given.get(), more)));
        }
    }

    /// Lets an effect wait that the evaluator evaluates.
    pub(super) fn asked_effect(&mut self, number: i32) {
        let found = self.ask(Service::Effects, vec![int(number)]);
        let found = self.keep(Type::Int, found);
        self.count_given(slot(Slot::Given));
        if self.is_after_first() {
            self.when(slot(Slot::Given), Emitter::wait_for_what_is_before);
        }
        self.wait_for(Kind::Found, found.get());
        self.disturb();
    }

    /// Takes a move of a generator as an effect.
    pub(super) fn take_effect(
        &mut self,
        source: i32,
        [from, to, piece]: [Expr; 3],
        extra: &[Expr],
    ) {
        let source = self.parts.sources[source as usize].clone();
        self.one_given(|code| {
            match &source.kind {
                SourceKind::Leaf(leaf) => code.acts(leaf, [from, to, piece]),
                SourceKind::Hop(hop) => {
                    let extra = [0, 1, 2, 3].map(|i| extra.get(i).cloned().unwrap_or(int(-1)));
                    let extra = extra.map(|number| code.keep_int(number));
                    code.acts_of_hop(hop, [from, to], &extra);
                }
                SourceKind::Single(_) => {}
            }
            for effect in source.then() {
                code.wait_for(Kind::Then, int(effect.0 as i32));
            }
        });
    }

    /// The actions of a move of a source, which is in the parameters.
    pub(super) fn acts_of(&mut self, source: &Source) {
        let [from, to, piece, path, first, length, over, _]: [Expr; OF_MOVE] =
            std::array::from_fn(|number| Local(number as u32).get());
        match &source.kind {
            SourceKind::Leaf(leaf) => self.acts(leaf, [from, to, piece]),
            SourceKind::Hop(hop) => self.acts_of_hop(hop, [from, to], &[path, first, length, over]),
            SourceKind::Single(_) => {}
        }
    }

    /// The actions of a move, its effects on the destination before it. Those with levels are the
    /// evaluator's.
    fn acts(&mut self, leaf: &Leaf, [from, to, piece]: [Expr; 3]) {
        let ends = [from.clone(), to.clone()];
        match &leaf.kind {
            LeafKind::Add { state, count, apply, .. } => {
                self.apply(apply.as_ref(), &ends);
                let state = state.as_ref().map_or(int(NOT_GIVEN), |state| self.int(state));
                let count = self.int(count);
                if count == int(1) {
                    return self.wait(Kind::Add, [to, piece, state]);
                }
                let (state, count) = (self.keep_int(state), count.min(int(MAX_ADDITIONS)));
                self.for_range(int(0), count, |code, _| {
                    code.wait(Kind::Add, [to.clone(), piece.clone(), state.clone()]);
                });
            }
            LeafKind::Jump { apply, keep, stack, level, .. } => {
                let level = self.level_moved(level.as_ref());
                self.apply(apply.as_ref(), &ends);
                let kind = match (stack, keep) {
                    (true, _) => Kind::MoveStack,
                    (_, true) => Kind::MoveKeeping,
                    _ => Kind::MoveTop,
                };
                self.wait_for_move(kind, ends, level);
            }
            LeafKind::Slide(slide) => {
                self.passed(slide, &ends, &piece);
                let level = self.level_moved(slide.level.as_ref());
                self.apply(slide.apply.as_ref(), &ends);
                let kind = if slide.stack { Kind::MoveStack } else { Kind::MoveTop };
                self.wait_for_move(kind, ends, level);
            }
            LeafKind::FromTo { count, stack, apply, copy, from_level, .. } => {
                let level = self.level_moved(from_level.as_ref());
                // It was worked out when the move was found.
                let count = count.as_ref().map(|_| piece);
                self.apply(apply.as_ref(), &ends);
                match count {
                    _ if *copy => self.wait(Kind::Copy, [from, to, int(0)]),
                    None if *stack => self.wait(Kind::MoveStack, [from, to, int(0)]),
                    Some(count) => self.wait(Kind::MoveCount, [from, to, count]),
                    _ => self.wait_for_move(Kind::MoveTop, ends, level),
                }
            }
            LeafKind::Shoot { .. } => self.wait(Kind::Add, [to, piece, int(NOT_GIVEN)]),
            LeafKind::Remove { count, deferred, level, .. } => {
                self.remove(to, count.as_ref(), level.as_ref(), *deferred);
            }
            LeafKind::Promote { .. } => self.wait(Kind::Promote, [to, piece, int(0)]),
            LeafKind::MoveAgain => self.wait_for(Kind::SetNext, slot(Slot::Mover)),
            LeafKind::SetNextPlayer(_) => self.wait_for(Kind::SetNext, piece),
            LeafKind::SetVar { var, value } => {
                let value = self.int(value);
                self.wait(Kind::SetVar, [int(*var as i32), value, int(0)]);
            }
            LeafKind::SetCounter(value) => {
                let value = self.int(value);
                self.wait_for(Kind::SetCounter, value);
            }
            LeafKind::SetScore { players, value, added } => self.set_score(players, value, *added),
            LeafKind::SetPlayerValue { player, value } => {
                let player = self.int(player);
                let player = self.keep_int(player);
                let value = self.int(value);
                self.wait(Kind::SetPlayerValue, [player, value, int(0)]);
            }
            LeafKind::SetPending(place) => self.pend(place.as_deref()),
            LeafKind::SetLayer { layer, value, .. } => {
                let value = self.int(value);
                let value = self.keep_int(value);
                let some = value.clone().at_least(int(0));
                let kind = Kind::of_layer(*layer);
                self.when(some, |code| code.wait(kind, [to, value, int(0)]));
            }
            LeafKind::SetCount { at, value } => self.set_count(at, value),
            LeafKind::Trigger(who) => {
                let who = self.int(who);
                let who = self.keep_int(who);
                let known = is_below(who.clone(), 32);
                self.when(known, |code| code.wait_for(Kind::Trigger, who));
            }
            LeafKind::Remember { list, values, .. } => self.remember(*list as i32, values),
            LeafKind::Forget { list, value } => match value {
                Some(value) => {
                    let value = self.int(value);
                    self.wait(Kind::Forget, [int(*list as i32), value, int(0)]);
                }
                None => self.wait_for(Kind::ForgetAll, int(*list as i32)),
            },
            LeafKind::Turn { full, .. } => self.turn(to, piece, *full),
            // Nobody listens to what players are told; and generators of the rest are the
            // evaluator's.
            LeafKind::Select { .. }
            | LeafKind::Pass
            | LeafKind::Note(_)
            | LeafKind::Hide(_)
            | LeafKind::SwapPieces { .. } => {}
        }
    }

    /// The actions that remove pieces from a site, at once or when the turn ends.
    fn remove(&mut self, to: Expr, count: Option<&Int>, level: Option<&Int>, deferred: bool) {
        let level = level.map(|level| self.int(level).max(int(0)).min(int(65535)));
        let (kind, level) = match level {
            _ if deferred => (Kind::Defer, int(0)),
            Some(level) => (Kind::RemoveLevel, self.keep_int(level)),
            None => (Kind::Remove, int(0)),
        };
        let removed = [to, level, int(0)];
        let Some(count) = count else { return self.wait(kind, removed) };
        let count = self.int(count).max(int(1)).min(int(MAX_ADDITIONS));
        self.for_range(int(0), count, |code, _| code.wait(kind, removed.clone()));
    }

    /// The actions that remember values.
    fn remember(&mut self, list: i32, values: &Place) {
        match values {
            Place::Site(value) => {
                let value = self.int(value);
                self.wait(Kind::Remember, [int(list), value, int(0)]);
            }
            Place::Region(region) => {
                let values = self.region(region);
                self.for_each(values, |code, value| {
                    code.wait(Kind::Remember, [int(list), value.get(), int(0)]);
                });
            }
        }
    }

    /// The action that turns a piece by some steps, of which so many make a full turn.
    fn turn(&mut self, to: Expr, steps: Expr, full: i32) {
        let to = self.keep_int(to);
        let rotation = match self.game.layout.at.extra {
            0 => int(0),
            at => self.by_site(at, to.clone(), 3, 1),
        };
        let turned = (rotation + steps).rest(int(full));
        let turned = (turned + int(full)).rest(int(full));
        self.wait(Kind::SetRotation, [to, turned, int(0)]);
    }

    /// The action that sets how many pieces are on a site.
    fn set_count(&mut self, at: &Int, value: &Int) {
        let value = self.int(value);
        let value = self.keep_int(value);
        let site = self.int(at);
        let site = self.keep_int(site);
        let real = site.clone().at_least(int(0));
        self.when(real, |code| code.wait(Kind::SetCount, [site, value, int(0)]));
    }

    /// The actions that set the scores of players, or add to them.
    fn set_score(&mut self, players: &Ints, value: &Int, added: bool) {
        let value = self.int(value);
        let value = self.keep_int(value);
        let kind = if added { Kind::AddScore } else { Kind::SetScore };
        self.for_list(players, |code, player| {
            code.wait(kind, [player, value.clone(), int(0)]);
        });
    }

    /// The level of the piece that is moved; negative, or nothing, for the top one.
    fn level_moved(&mut self, level: Option<&Int>) -> Option<Expr> {
        let level = level.map(|level| self.int(level));
        level.map(|level| self.keep_int(level))
    }

    /// Lets a move of a piece wait, which may be one below the top.
    fn wait_for_move(&mut self, kind: Kind, [from, to]: [Expr; 2], level: Option<Expr>) {
        match level {
            Some(level) => self.wait(Kind::MoveLevel, [from, to, level]),
            None => self.wait(kind, [from, to, int(0)]),
        }
    }

    /// Evaluates the effects of an `apply`, with origin and destination bound.
    fn apply(&mut self, apply: Option<&Apply>, [from, to]: &[Expr; 2]) {
        let Some(Apply { condition, effect: Some(effect) }) = apply else { return };
        let saved = self.save([Iter::From, Iter::To]);
        self.bind(Iter::From, from.clone());
        self.bind(Iter::To, to.clone());
        self.apply_here(condition.as_ref(), effect);
        self.restore(&saved);
    }

    fn apply_here(&mut self, condition: Option<&crate::ir::Bool>, effect: &Moves) {
        let wrappers = std::mem::take(&mut self.wrappers);
        let holds = condition.map_or(int(1), |condition| self.bool(condition));
        self.when(holds, |code| code.generate(effect));
        self.wrappers = wrappers;
    }

    /// Evaluates the effects of a slide on every site that it passes.
    fn passed(&mut self, slide: &Slide, [from, to]: &[Expr; 2], path: &Expr) {
        let Some(Apply { condition, effect: Some(effect) }) = &slide.passed else { return };
        for (meant, id) in self.by_piece(&slide.rays, from) {
            let paths = self.tables.rays(self.game, id);
            self.when(meant, |code| {
                let number = code.keep_int(paths.of_site.at(from.clone()) + path.clone());
                let start = code.keep_int(paths.of_path.at(number.clone()));
                let end = code.keep_int(paths.of_path.at(add(number, int(1))));
                let saved = code.save([Iter::Between]);
                code.for_range(start, end, |code, at| {
                    let site = code.site_on(paths, at);
                    code.break_unless(site.clone().differs(to.clone()));
                    code.bind(Iter::Between, site);
                    code.apply_here(condition.as_ref(), effect);
                });
                code.restore(&saved);
            });
        }
    }

    fn pend(&mut self, place: Option<&Place>) {
        let sites = self.game.layout.at.sites as i32;
        match place {
            // A number that is a site is one: they are kept together.
            None if sites > 1 => self.wait_for(Kind::PendSite, int(1)),
            None => self.wait_for(Kind::PendNumber, int(1)),
            Some(Place::Site(value)) => {
                let value = self.int(value);
                let value = self.keep_int(value);
                let is_site = is_below(value.clone(), sites);
                let is_site = self.keep_int(is_site);
                let site = value.clone();
                self.when(is_site.clone(), |code| code.wait_for(Kind::PendSite, site));
                let number = super::arrays::choose(value.clone().equals(int(-1)), int(1), value);
                self.when(!is_site, |code| code.wait_for(Kind::PendNumber, number));
            }
            Some(Place::Region(region)) => {
                let sites = self.region(region);
                self.for_each(sites, |code, site| code.wait_for(Kind::PendSite, site.get()));
            }
        }
    }

    /// The actions of a hop: effects on what it passes over, the last one first, that on the
    /// destination, and the move.
    fn acts_of_hop(&mut self, hop: &Hop, [from, to]: [Expr; 2], extra: &[Expr; 4]) {
        let [path, first, _, over] = extra;
        if let Some(Apply { condition, effect: Some(effect) }) = &hop.hurdle_apply {
            for (meant, id) in self.by_piece(&hop.rays, &from) {
                let paths = self.tables.rays(self.game, id);
                let real = path.clone().at_least(int(0));
                self.when(both(meant, real), |code| {
                    let start = code.keep_int(paths.of_path.at(path.clone()) + first.clone());
                    let saved = code.save([Iter::Between]);
                    let each = |code: &mut Self, place: Expr| {
                        let site = code.keep_int(paths.sites.at(place));
                        code.is_site(&site);
                        code.bind(Iter::Between, site);
                        code.apply_here(condition.as_ref(), effect);
                    };
                    if hop.range.1 == crate::ir::Int::Const(1) {
                        let some = over.clone().greater(int(0));
                        code.when(some, |code| each(code, start.clone()));
                    } else {
                        let last = code.keep_int(add(start, over.clone() - int(1)));
                        code.for_range(int(0), over.clone(), |code, back| {
                            each(code, last.clone() - back.get());
                        });
                    }
                    code.restore(&saved);
                });
            }
        }
        if let Some(Apply { condition, effect: Some(effect) }) = &hop.apply {
            self.apply_here(condition.as_ref(), effect);
        }
        let kind = if hop.stack { Kind::MoveStack } else { Kind::MoveTop };
        self.wait(kind, [from, to, int(0)]);
    }
}

/// True if there may be code for what the moves of a source do.
pub(super) fn can_make(game: &Context<'_>, source: &Source) -> bool {
    let made = match &source.kind {
        // What is on record of levels is the evaluator's.
        SourceKind::Leaf(leaf) => is_code(game, leaf) && !(game.asks_actions && leaf.has_level()),
        SourceKind::Hop(_) => true,
        SourceKind::Single(_) => false,
    };
    made && !game.asks_between && !game.asks_touched
}

/// Writes the function that makes the moves of a source: what is gathered of one is its parameters.
/// `None` where the evaluator has to make them.
pub(super) fn make(game: &Context<'_>, tables: &mut Tables, source: &Source) -> Option<FunctionId> {
    if !can_make(game, source) {
        return None;
    }
    tables.needs_copy = false;
    let mut code = Emitter::closed(game, tables, OF_MOVE);
    let variables = code.bind_params(source);
    let [from, to] = [0, 1].map(Local);
    for wrapper in &source.wrappers {
        if let Wrapper::First(first, binders) = wrapper {
            code.do_again(first, source.bound(*binders));
        }
    }
    let make = |code: &mut Emitter<'_>| {
        match &source.turn_of {
            Some(who) => code.in_turn_of(who, |code, _| code.acts_of(source)),
            None => code.acts_of(source),
        }
        for wrapper in source.wrappers.iter().rev() {
            if let Wrapper::Dice(replay_double) = wrapper {
                code.use_dice(replay_double);
            }
        }
    };
    code.scope(|code| code.effect(make));
    // The evaluator works out what a move does before it begins.
    if code.reads_begin || code.asks && (game.pends || game.counts_moves) {
        return None;
    }
    code.bind_all(variables.map(Some));
    code.enter(from.get(), to.get());
    code.consequences(source.then_before_test());
    Some(code.shared("make", OF_MOVE, None))
}

/// Writes the function that carries out the consequences which wait until a move has been tested,
/// if the moves of a source have any.
pub(super) fn rest(game: &Context<'_>, tables: &mut Tables, source: &Source) -> Option<FunctionId> {
    source.then_after_test().next()?;
    let mut code = Emitter::closed(game, tables, 0);
    code.consequences(source.then_after_test());
    Some(code.shared("rest", 0, None))
}

impl Emitter<'_> {
    /// Carries out consequences of a move, one after the other.
    pub(super) fn consequences(&mut self, effects: impl Iterator<Item = EffectId>) {
        self.push(set_slot(Slot::KeepsFlags, int(1)));
        effects.for_each(|effect| self.consequence(effect));
        self.end_consequences();
    }

    /// Enters the last action of a move and its consequences into what the rules can ask about it.
    pub(super) fn end_consequences(&mut self) {
        if self.game.asks_actions {
            self.push(set_slot(Slot::LastFromAfter, slot(Slot::FromNow)));
            self.push(set_slot(Slot::LastToAfter, slot(Slot::ToNow)));
        }
    }

    /// Takes variables to be what the parameters of a move of a source say; what they are.
    pub(super) fn bind_params(&mut self, source: &Source) -> [Expr; ITERS] {
        let variables = self.bind_to_params(source.bound_inside());
        if !source.kind.is_pass() {
            self.is_site(&Local(0).get());
        }
        variables
    }

    /// Enters the move that has been made into what the rules can ask about it.
    pub(super) fn enter(&mut self, from: Expr, to: Expr) {
        self.push(set_slot(Slot::LastFrom, from.clone()));
        self.push(set_slot(Slot::LastTo, to.clone()));
        if !self.game.asks_actions {
            return;
        }
        self.when(slot(Slot::ToNow).less(int(0)), |code| {
            code.push(set_slot(Slot::FromNow, from));
            code.push(set_slot(Slot::ToNow, to.clone()));
        });
        self.push(set_slot(Slot::LastFromAfter, slot(Slot::FromNow)));
        self.push(set_slot(Slot::LastToAfter, slot(Slot::ToNow)));
        self.push(set_slot(Slot::LevelFrom, int(0)));
        let mut level = int(0);
        if self.game.stacking() {
            let height = self.height_at(to.clone());
            let height = self.keep_int(height);
            let top = (height - int(1)).max(int(0));
            level = super::arrays::choose(to.at_least(int(0)), top, int(0));
        }
        self.push(set_slot(Slot::LevelTo, level));
    }
}

/// True if there is code for what a move of a generator does.
pub(super) fn is_code(game: &Context<'_>, leaf: &Leaf) -> bool {
    match &leaf.kind {
        LeafKind::Add { level, .. } | LeafKind::SetLayer { level, .. } => level.is_none(),
        LeafKind::Jump { level, stack, keep, .. } => level.is_none() || !(*stack || *keep),
        LeafKind::Slide(slide) => (slide.level.is_none() || !slide.stack) && slide.trail.is_none(),
        LeafKind::FromTo { from_level, to_level, stack, count, copy, .. } => {
            let moves_top = !(*stack || *copy || count.is_some());
            (from_level.is_none() || moves_top) && to_level.is_none()
        }
        // Nothing is hidden where nobody asks for it, and nobody listens.
        LeafKind::Hide(_) => !game.asks_hidden,
        LeafKind::SwapPieces { .. } => false,
        LeafKind::Shoot { .. }
        | LeafKind::Select { .. }
        | LeafKind::Remove { .. }
        | LeafKind::Promote { .. }
        | LeafKind::Pass
        | LeafKind::MoveAgain
        | LeafKind::SetNextPlayer(_)
        | LeafKind::SetVar { .. }
        | LeafKind::SetCounter(_)
        | LeafKind::SetScore { .. }
        | LeafKind::SetPlayerValue { .. }
        | LeafKind::SetPending(_)
        | LeafKind::Turn { .. }
        | LeafKind::SetCount { .. }
        | LeafKind::Trigger(_)
        | LeafKind::Remember { .. }
        | LeafKind::Forget { .. }
        | LeafKind::Note(_) => true,
    }
}

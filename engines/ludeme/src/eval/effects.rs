//! The effects of moves: from a move or an effect to primitive actions.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Apply, Int, Ints, Iter, Layer, Leaf, LeafKind, Moves, Place, Slide};
use crate::limits::MAX_ADDITIONS;
use crate::moves::{Act, Ends, Move};

/// Collects the actions of the moves that an effect makes.
struct Effects<'a> {
    acts: &'a mut Buffer<Act>,
    /// True if there was any move.
    any: bool,
}

impl MoveVisitor for Effects<'_> {
    fn wants_acts(&self) -> bool {
        true
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        self.any = true;
        eval.acts(leaf, ends, self.acts);
        self.acts.extend(leaf.then.iter().map(|&effect| Act::Then(effect)));
        false
    }

    fn take_move(&mut self, _: &mut Eval<'_>, made: Move) -> bool {
        self.any = true;
        self.acts.extend_from_slice(&made.acts);
        self.acts.extend(made.then.iter().map(|&effect| Act::Then(effect)));
        false
    }
}

impl Eval<'_> {
    /// The actions of an effect, evaluated in this state; whether it gives any move.
    pub(crate) fn effects(&mut self, moves: &Moves, acts: &mut Buffer<Act>) -> bool {
        let mut effects = Effects { acts, any: false };
        self.generate(moves, &mut effects);
        effects.any
    }

    /// The actions of a move itself, its effects on the destination before it.
    pub(crate) fn acts(&mut self, leaf: &Leaf, ends: Ends, acts: &mut Buffer<Act>) {
        let (from, to) = (ends.from as u16, ends.to as u16);
        match &leaf.kind {
            LeafKind::Add { state, count, apply, level, .. } => self.acts_of_add(
                ends,
                (state.as_ref(), count, level.as_ref()),
                apply.as_ref(),
                acts,
            ),
            LeafKind::Jump { apply, keep, stack, level, .. } => {
                let level = self.level_at(level.as_ref());
                self.apply(apply.as_ref(), ends, acts);
                acts.push(if *stack {
                    Act::MoveStack { from, to }
                } else if level.is_some() {
                    Act::MoveLevel { from, from_level: level, to, to_level: None }
                } else {
                    Act::MoveTop { from, to, keep: *keep }
                });
            }
            LeafKind::Slide(slide) => self.acts_of_slide(slide, ends, acts),
            LeafKind::FromTo { count, stack, apply, from_level, to_level, copy, .. } => {
                let levels = (self.level_at(from_level.as_ref()), self.level_at(to_level.as_ref()));
                // It was worked out when the move was found.
                let count = count.as_ref().map(|_| ends.piece);
                self.apply(apply.as_ref(), ends, acts);
                acts.push(match count {
                    _ if *copy => Act::Copy { from, to },
                    _ if levels.1.is_some() => {
                        Act::MoveLevel { from, from_level: levels.0, to, to_level: levels.1 }
                    }
                    _ if levels.0.is_some() => {
                        Act::MoveLevel { from, from_level: levels.0, to, to_level: None }
                    }
                    None if *stack => Act::MoveStack { from, to },
                    Some(count) => Act::MoveCount { from, to, count: count.max(0) as u16 },
                    _ => Act::MoveTop { from, to, keep: false },
                });
            }
            LeafKind::Shoot { .. } => {
                acts.push(Act::Add { site: to, what: ends.piece as u16, state: None });
            }
            LeafKind::Select { .. } | LeafKind::Pass => {}
            LeafKind::Note(note) => {
                if let Some(note) = note.as_deref().filter(|_| self.tells()) {
                    self.tell(note, acts);
                }
            }
            LeafKind::Hide(hide) => {
                if self.tells() {
                    self.hide(hide, acts);
                }
            }
            LeafKind::Remove { level, count, deferred, .. } => {
                self.remove(to, (level.as_ref(), count.as_ref()), *deferred, acts);
            }
            LeafKind::Promote { .. } => {
                acts.push(Act::Promote { site: to, what: ends.piece as u16 });
            }
            LeafKind::SwapPieces { .. } => self.swap_pieces(from, to, acts),
            LeafKind::MoveAgain => acts.push(Act::SetNext(self.turns.mover)),
            LeafKind::SetNextPlayer(_) => acts.push(Act::SetNext(ends.piece as u8)),
            LeafKind::SetVar { var, value } => {
                let value = self.int(value);
                acts.push(Act::SetVar { var: *var, value });
            }
            LeafKind::SetCounter(value) => {
                let value = self.int(value);
                acts.push(Act::SetCounter(value));
            }
            LeafKind::SetScore { players, value, added } => {
                self.set_score(players, value, *added, acts);
            }
            LeafKind::SetPlayerValue { player, value } => {
                self.set_player_value(player, value, acts);
            }
            LeafKind::SetPending(place) => self.pend(place.as_deref(), acts),
            LeafKind::SetLayer { layer, value, level, .. } => {
                let value = self.int(value);
                let level = self.level_at(level.as_ref());
                if value >= 0 {
                    acts.push(Act::SetLayer { layer: *layer, site: to, level, value });
                }
            }
            LeafKind::Turn { full, .. } => self.turn(ends, *full, acts),
            LeafKind::SetCount { at, value } => self.set_count(at, value, acts),
            LeafKind::Trigger(who) => self.trigger(who, acts),
            LeafKind::Remember { list, values, .. } => {
                let values = self.numbers(values);
                acts.extend(values.into_iter().map(|value| Act::Remember { list: *list, value }));
            }
            LeafKind::Forget { list, value } => {
                let value = value.as_ref().map(|v| self.int(v));
                acts.push(match value {
                    Some(value) => Act::Forget { list: *list, value },
                    None => Act::ForgetAll(*list),
                });
            }
        }
    }

    /// The action that turns a piece, by steps of which so many make a full turn.
    fn turn(&self, ends: Ends, full: i32, acts: &mut Buffer<Act>) {
        let rotation = self.state.extra(ends.to as usize, None).rotation;
        let value = rotation.wrapping_add(i32::from(ends.piece)).rem_euclid(full);
        acts.push(Act::SetLayer {
            layer: Layer::Rotation,
            site: ends.to as u16,
            level: None,
            value,
        });
    }

    /// The actions of a slide.
    fn acts_of_slide(&mut self, slide: &Slide, ends: Ends, acts: &mut Buffer<Act>) {
        let (from, to) = (ends.from as u16, ends.to as u16);
        if let Some(passed) = &slide.passed {
            self.passed(slide, passed, ends, acts);
        }
        let level = self.level_at(slide.level.as_ref());
        self.apply(slide.apply.as_ref(), ends, acts);
        acts.push(if slide.stack {
            Act::MoveStack { from, to }
        } else if level.is_some() {
            Act::MoveLevel { from, from_level: level, to, to_level: None }
        } else {
            Act::MoveTop { from, to, keep: false }
        });
        self.leave_trail(slide, ends, acts);
    }

    /// The actions that remove pieces from a site, at once or when the turn ends.
    fn remove(
        &mut self,
        to: u16,
        (level, count): (Option<&Int>, Option<&Int>),
        deferred: bool,
        acts: &mut Buffer<Act>,
    ) {
        let level = level.map(|l| self.small(l));
        // One is removed whatever the count.
        let times = count.map_or(1, |c| self.int(c).clamp(1, MAX_ADDITIONS));
        for _ in 0..times {
            acts.push(match level {
                _ if deferred => Act::Defer(to),
                Some(level) => Act::RemoveLevel { site: to, level },
                None => Act::Remove(to),
            });
        }
    }

    /// The actions that set the scores of players, or add to them.
    fn set_score(&mut self, players: &Ints, value: &Int, added: bool, acts: &mut Buffer<Act>) {
        let value = self.int(value);
        for player in self.ints(players) {
            if let Ok(player) = u8::try_from(player) {
                acts.push(Act::SetScore { player, value, added });
            }
        }
    }

    /// The actions of a move that adds pieces.
    fn acts_of_add(
        &mut self,
        ends: Ends,
        (state, count, level): (Option<&Int>, &Int, Option<&Int>),
        apply: Option<&Apply>,
        acts: &mut Buffer<Act>,
    ) {
        self.apply(apply, ends, acts);
        let state = state.map(|s| self.int(s));
        let level = level.map(|l| self.small(l));
        let what = ends.piece as u16;
        for _ in 0..self.int(count).min(MAX_ADDITIONS) {
            acts.push(match level {
                Some(level) => Act::Insert { site: ends.to as u16, level, what, state },
                None => Act::Add { site: ends.to as u16, what, state },
            });
        }
    }

    /// The action that sets the value of a player.
    fn set_player_value(&mut self, player: &Int, value: &Int, acts: &mut Buffer<Act>) {
        let (player, value) = (self.int(player), self.int(value));
        if let Ok(player) = u8::try_from(player) {
            acts.push(Act::SetPlayerValue { player, value });
        }
    }

    /// The action that sets how many pieces are on a site.
    fn set_count(&mut self, at: &Int, value: &Int, acts: &mut Buffer<Act>) {
        let value = self.int(value);
        if let Some(site) = self.site(at) {
            acts.push(Act::SetCount { site: site as u16, value });
        }
    }

    /// The action that triggers a player.
    fn trigger(&mut self, who: &Int, acts: &mut Buffer<Act>) {
        let who = self.int(who);
        if (0..32).contains(&who) {
            acts.push(Act::Trigger(who as u8));
        }
    }

    /// The actions that swap the pieces of two sites.
    fn swap_pieces(&self, from: u16, to: u16, acts: &mut Buffer<Act>) {
        let other = self.state.what(usize::from(to)) as u16;
        acts.push(Act::MoveTop { from, to, keep: false });
        acts.push(Act::Add { site: from, what: other, state: None });
    }

    /// A level that a rule names.
    fn level_at(&mut self, level: Option<&Int>) -> Option<u16> {
        level.and_then(|l| u16::try_from(self.int(l)).ok())
    }

    /// The pieces that a slide leaves on its start and on the sites passed.
    fn leave_trail(&mut self, slide: &crate::ir::Slide, ends: Ends, acts: &mut Buffer<Act>) {
        let Some(trail) = &slide.trail else { return };
        let what = self.small(trail);
        let from = ends.from as usize;
        let Some(table) = slide.rays.of(self.state.what(from)) else { return };
        let Some(path) = self.game.ray(table).of(from).nth(ends.piece as usize) else { return };
        let passed = path.iter().copied().take_while(|&s| s as i16 != ends.to);
        for site in std::iter::once(ends.from as u16).chain(passed) {
            acts.push(Act::Add { site, what, state: None });
        }
    }

    fn pend(&mut self, place: Option<&Place>, acts: &mut Buffer<Act>) {
        match place {
            None => acts.push(Act::PendSite(1)),
            Some(Place::Site(value)) => {
                let value = self.int(value);
                let value = if value == -1 { 1 } else { value };
                // Numbers are kept as sites are, as far as there is room for them.
                let room = 64 * self.game.layout.sizes.words;
                let site = usize::try_from(value).ok().filter(|&site| site < room);
                acts.push(match site {
                    Some(site) => Act::PendSite(site as u16),
                    None => Act::PendNumber(value),
                });
            }
            Some(Place::Region(region)) => {
                let sites = self.region(region);
                acts.extend(sites.iter().map(|s| Act::PendSite(s as u16)));
            }
        }
    }

    /// The effects of an `apply` with origin and destination bound.
    fn apply(&mut self, apply: Option<&Apply>, ends: Ends, acts: &mut Buffer<Act>) {
        let Some(Apply { condition, effect: Some(effect) }) = apply else { return };
        let old = (self.get(Iter::From), self.get(Iter::To));
        self.set(Iter::From, i32::from(ends.from));
        self.set(Iter::To, i32::from(ends.to));
        if condition.as_ref().is_none_or(|c| self.test(c)) {
            self.effects(effect, acts);
        }
        self.set(Iter::From, old.0);
        self.set(Iter::To, old.1);
    }

    /// The effects of a slide on every site that it passes.
    fn passed(
        &mut self,
        slide: &crate::ir::Slide,
        passed: &Apply,
        ends: Ends,
        acts: &mut Buffer<Act>,
    ) {
        let from = ends.from as usize;
        let Some(table) = slide.rays.of(self.state.what(from)) else { return };
        let rays = self.game.ray(table);
        let Some(path) = rays.of(from).nth(ends.piece as usize) else { return };
        for &site in path.iter().take_while(|&&s| s as i16 != ends.to) {
            self.with(Iter::Between, i32::from(site), |eval| {
                if passed.condition.as_ref().is_none_or(|c| eval.test(c))
                    && let Some(effect) = &passed.effect
                {
                    eval.effects(effect, acts);
                }
            });
        }
    }
}

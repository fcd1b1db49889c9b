//! Sowing as code: seeds are sown, and then what is captured is looked for on the board as it is then.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{add, int};
use super::code::Code;
use super::waiting::Kind;
use crate::eval::{MOST_SKIPPED, MOST_SOWN};
use crate::game::{Game, has};
use crate::ir::{Composite, CompositeKind, EffectId, Iter, Moves, Sow};
use crate::state::Flavour;
use crate::world::Track;

/// The places of a track as code.
struct Places {
    sites: kernel::ir::Table,
    length: i32,
    looped: bool,
}

/// The sowing that an effect consists of, if there is code for it.
pub(super) fn sowing<'m, const W: usize>(
    game: &Game<W>,
    effect: &'m Moves,
) -> Option<(&'m Composite, &'m Sow)> {
    let Moves::Composite(composite) = effect else { return None };
    let CompositeKind::Sow(sow) = &composite.kind else { return None };
    // What is captured has no consequences of its own.
    let plain = |moves: &Moves| {
        !has(moves, &|moves| match moves {
            Moves::Leaf(leaf) => !leaf.then.is_empty(),
            Moves::Composite(_) => true,
            _ => false,
        })
    };
    let known = game.layout.flavour == Flavour::Counting && sow.apply.as_ref().is_none_or(plain);
    known.then_some((composite, sow))
}

impl<const W: usize> Code<'_, W> {
    /// Sows, along the track of the owner that is asked for.
    pub(super) fn sow(&mut self, sow: &Sow, then: &[EffectId]) {
        let mut owner = int(0);
        if let Some(of) = &sow.owner {
            self.with_shared_parts(|code| owner = code.int(of));
        }
        let owner = self.keep_int(owner);
        let tracks = &self.game.world.tracks;
        for (number, track) in (0..).zip(&sow.tracks) {
            let Some(track) = track.and_then(|track| tracks.get(track)) else { continue };
            let is = owner.clone().equals(int(number));
            let is =
                if let Expr::Int(owner) = owner { int(i32::from(owner == number)) } else { is };
            self.when(is, |code| code.sow_along(sow, track, then));
        }
    }

    fn sow_along(&mut self, sow: &Sow, track: &Track, then: &[EffectId]) {
        let mut start = int(-1);
        self.with_shared_parts(|code| start = code.int(&sow.start));
        let start = self.keep_int(start);
        let last = track.sites.iter().copied().max().unwrap_or(-1);
        let place = |site: i32| track.place(site).map_or(-1, |place| place as i32);
        let places = self.tables.ints((0..=last).map(place));
        let sites = self.tables.ints(track.sites.iter().copied());
        let places_of = Places { sites, length: track.sites.len() as i32, looped: track.looped };
        let on = start.clone().at_least(int(0)).and(start.clone().at_most(int(last)));
        let first = super::arrays::choose(on, places.at(start.clone()), int(-1));
        let index = self.keep(Type::Int, first);
        let known = index.get().at_least(int(0));
        self.when(known, |code| {
            let saved = code.save([Iter::From, Iter::To, Iter::Value]);
            code.bind(Iter::From, start.clone());
            code.scope(|code| code.effect(|code| code.sow_seeds(sow, &places_of, &start, index)));
            if sow.apply.is_some() {
                code.bind(Iter::From, start.clone());
                code.scope(|code| {
                    code.effect(|code| code.captures(sow, &places_of, &start, index));
                });
            }
            code.restore(&saved);
            then.iter().for_each(|&effect| code.consequence(effect));
        });
    }

    /// The place after another, or before it; -1 for none.
    fn next_place(&mut self, of: &Places, index: Local, forward: bool) -> Expr {
        let last = of.length - 1;
        let (step, end, wrapped) = if forward { (1, last, 0) } else { (-1, 0, last) };
        let beyond = int(if of.looped { wrapped } else { -1 });
        let at_end = index.get().equals(int(end));
        let next = super::arrays::choose(at_end, beyond, add(index.get(), int(step)));
        self.keep_int(next)
    }

    /// Seeds go one after the other to the places behind `index`, which is the last of them in the end.
    fn sow_seeds(&mut self, sow: &Sow, of: &Places, start: &Expr, index: Local) {
        let count = match &sow.count {
            Some(count) => self.int(count),
            None => self.count_at(start.clone()),
        };
        let count = self.keep(Type::Int, count.min(int(MOST_SOWN))).get();
        let sown = self.keep(Type::Int, int(0));
        let origin = self.bool(&sow.origin);
        self.when(origin, |code| {
            code.bind(Iter::To, start.clone());
            code.sow_effect(sow);
            code.sow_here(sow, start, start.clone(), (&count, sown));
        });
        let with_self = self.bool(&sow.include_self);
        let with_self = self.keep_int(with_self);
        let number = self.keep(Type::Int, int(0));
        let skipped = self.keep(Type::Int, int(0));
        let more = sown.get().less(count.clone());
        self.while_loop(more, |code| {
            code.bind(Iter::Value, count.clone() - number.get());
            let next = code.next_place(of, index, true);
            code.break_unless(next.clone().at_least(int(0)));
            let next = code.keep(Type::Int, next);
            let to = code.keep_int(of.sites.at(next.get()));
            code.bind(Iter::To, to.clone());
            let skip = sow.skip.as_ref().map_or(int(0), |skip| code.bool(skip));
            let skip = code.keep_int(skip);
            code.when(skip.clone(), |code| {
                code.push(Stmt::Set(skipped, add(skipped.get(), int(1))));
                code.break_unless(skipped.get().at_most(int(MOST_SKIPPED)));
                code.push(Stmt::Set(index, next.get()));
            });
            code.when(!skip, |code| {
                code.push(Stmt::Set(skipped, int(0)));
                let leaves_out = (!with_self.clone()).and(to.equals(start.clone()));
                code.when(leaves_out, |code| {
                    let over = code.next_place(of, next, true);
                    code.break_unless(over.clone().at_least(int(0)));
                    code.push(Stmt::Set(next, over));
                });
                let to = code.keep_int(of.sites.at(next.get()));
                code.sow_effect(sow);
                // Nothing is sown beyond the board.
                code.break_unless(to.clone().at_least(int(0)));
                code.sow_here(sow, start, to, (&count, sown));
                code.push(Stmt::Set(index, next.get()));
                code.push(Stmt::Set(number, add(number.get(), int(1))));
            });
        });
    }

    fn sow_effect(&mut self, sow: &Sow) {
        if let Some(effect) = &sow.each {
            self.generate(effect);
        }
    }

    /// Sows the seeds of one hole.
    fn sow_here(&mut self, sow: &Sow, start: &Expr, to: Expr, (count, sown): (&Expr, Local)) {
        let here = self.int(&sow.per_hole).max(int(1)).min(count.clone() - sown.get());
        let here = self.keep(Type::Int, here).get();
        let seeds = [start.clone(), to, here.clone()];
        self.when(here.clone().greater(int(0)), |code| code.wait(Kind::Seed, seeds));
        self.push(Stmt::Set(sown, sown.get() + here));
    }

    /// What is captured at the last place, and at those that follow.
    fn captures(&mut self, sow: &Sow, of: &Places, start: &Expr, last: Local) {
        let Some(apply) = &sow.apply else { return };
        let index = self.keep(Type::Int, last.get());
        self.for_range(int(0), int(of.length), |code, _| {
            let captures = code.bool(&sow.condition);
            code.break_unless(captures);
            code.generate(apply);
            let (onward, forward) = match (&sow.backtracking, &sow.forward) {
                (Some(condition), _) => (condition, false),
                (None, Some(condition)) => (condition, true),
                _ => return code.push(Stmt::Break(1)),
            };
            let goes_on = code.bool(onward);
            code.break_unless(goes_on);
            let next = code.next_place(of, index, forward);
            code.break_unless(next.clone().at_least(int(0)));
            code.push(Stmt::Set(index, next.clone()));
            let site = code.keep_int(of.sites.at(next));
            code.bind(Iter::To, site.clone());
            let goes_on = code.bool(onward);
            code.break_unless(goes_on);
            if sow.backtracking.is_some() {
                code.break_unless(site.differs(start.clone()));
            }
        });
    }
}

//! Sowing as code: seeds are sown, and then what is captured is looked for on the board as it is
//! then.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{add, int};
use super::code::Emitter;
use super::context::Context;
use super::waiting::Kind;
use crate::ir::{Composite, CompositeKind, EffectId, Iter, Moves, Sow};
use crate::limits::{MAX_SKIPPED, MAX_SOWN};
use crate::state::Occupancy;
use crate::world::Track;

/// The places of a track as code.
struct Places {
    sites: kernel::ir::Table,
    length: i32,
    looped: bool,
}

/// The sowing that an effect consists of, if there is code for it.
pub(super) fn sowing<'m>(
    game: &Context<'_>,
    effect: &'m Moves,
) -> Option<(&'m Composite, &'m Sow)> {
    let Moves::Composite(composite) = effect else { return None };
    let CompositeKind::Sow(sow) = &composite.kind else { return None };
    let known = game.layout.occupancy == Occupancy::Counting && captures_alone(sow);
    known.then_some((composite, sow))
}

/// True if what is captured has no consequences of its own.
fn captures_alone(sow: &Sow) -> bool {
    let follows = |moves: &Moves| match moves {
        Moves::Leaf(leaf) => !leaf.then.is_empty(),
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Sow(sow) => sow.apply.is_some() || !composite.then.is_empty(),
            _ => true,
        },
        _ => false,
    };
    sow.apply.as_ref().is_none_or(|apply| !apply.any(&follows))
}

impl Emitter<'_> {
    /// True if there is code for sowing as a part of an effect. Where something is captured, the
    /// seeds are sown to find out what, and put back.
    pub(super) fn can_sow(&self, sow: &Sow) -> bool {
        let puts_back = || {
            self.is_effect_once()
                && self.has_pieces_in_memory()
                && captures_alone(sow)
                && sow.each.is_none()
        };
        self.game.layout.occupancy == Occupancy::Counting && (sow.apply.is_none() || puts_back())
    }

    /// Sows and captures, each after the other.
    pub(super) fn sow(&mut self, sow: &Sow, then: &[EffectId]) {
        let [mut owner, mut start] = [0, -1].map(int);
        self.with_shared_parts(|code| [owner, start] = code.sown_from(sow));
        self.sow_along_track(
            sow,
            owner,
            start.clone(),
            |code, places, index| {
                code.scope(|code| code.effect(|code| code.sow_seeds(sow, places, &start, index)));
                if sow.apply.is_some() {
                    code.bind(Iter::From, start.clone());
                    code.scope(|code| {
                        code.effect(|code| code.captures(sow, places, &start, index));
                    });
                }
            },
            |code| then.iter().for_each(|&effect| code.consequence(effect)),
        );
    }

    /// Sows as a part of an effect.
    pub(super) fn sow_in_effect(&mut self, sow: &Sow) {
        let [owner, start] = self.sown_from(sow);
        self.sow_along_track(
            sow,
            owner,
            start.clone(),
            |code, places, index| {
                code.one_given(|code| {
                    if sow.apply.is_none() {
                        return code.sow_seeds(sow, places, &start, index);
                    }
                    let seeds = code.noted(|code| code.sow_seeds(sow, places, &start, index));
                    code.bind(Iter::From, start.clone());
                    code.evaluate_after(seeds, |code| code.captures(sow, places, &start, index));
                });
            },
            Emitter::wait_for_consequences,
        );
    }

    /// Whose track is sown along, and from where.
    fn sown_from(&mut self, sow: &Sow) -> [Expr; 2] {
        let owner = match &sow.owner {
            Some(owner) => self.int(owner),
            None => int(0),
        };
        let owner = self.keep_int(owner);
        let start = self.int(&sow.start);
        [owner, self.keep_int(start)]
    }

    /// Writes what is done on the track of an owner, from the place of a site on.
    fn sow_along_track(
        &mut self,
        sow: &Sow,
        owner: Expr,
        start: Expr,
        write: impl Fn(&mut Self, &Places, Local),
        then: impl Fn(&mut Self),
    ) {
        let tracks = &self.game.world.tracks;
        for (number, track) in (0..).zip(&sow.tracks) {
            let Some(track) = track.and_then(|track| tracks.get(track)) else { continue };
            let is = owner.clone().equals(int(number));
            let is =
                if let Expr::Int(owner) = owner { int(i32::from(owner == number)) } else { is };
            self.when(is, |code| {
                let (places, index) = code.places_of(track, &start);
                code.when(index.get().at_least(int(0)), |code| {
                    let saved = code.save([Iter::From, Iter::To, Iter::Value]);
                    code.bind(Iter::From, start.clone());
                    write(code, &places, index);
                    code.restore(&saved);
                    then(code);
                });
            });
        }
    }

    /// The places of a track, and that of a site; -1 for none.
    fn places_of(&mut self, track: &Track, start: &Expr) -> (Places, Local) {
        let sites = self.tables.ints(track.sites.iter().copied());
        let places_of = Places { sites, length: track.sites.len() as i32, looped: track.looped };
        // Seeds come from a hole: no place beyond the board is one.
        let place = self.place_on(track, start);
        let first = super::arrays::choose(start.clone().at_least(int(0)), place, int(-1));
        (places_of, self.keep(Type::Int, first))
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

    /// Seeds go one after the other to the places behind `index`, which is the last of them in the
    /// end.
    fn sow_seeds(&mut self, sow: &Sow, of: &Places, start: &Expr, index: Local) {
        let count = match &sow.count {
            Some(count) => self.int(count),
            None => self.count_at(start.clone()),
        };
        let count = self.keep(Type::Int, count.min(int(MAX_SOWN))).get();
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
                code.break_unless(skipped.get().at_most(int(MAX_SKIPPED)));
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
        // The last hole stays bound.
        self.forget();
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

//! Sowing as code: seeds are sown, and then what is captured is looked for on the board as it is
//! then.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{add, int};
use super::context::Context;
use super::emitter::Emitter;
use super::waiting::Kind;
use super::{acts, bools, by_site, effects, generators, ints, steps, tracks};
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

/// True if there is code for sowing as a part of an effect. Where something is captured, the
/// seeds are sown to find out what, and put back.
pub(super) fn can_sow(code: &Emitter<'_>, sow: &Sow) -> bool {
    let puts_back = || {
        effects::is_effect_once(code)
            && acts::has_pieces_in_memory(code)
            && captures_alone(sow)
            && sow.each.is_none()
    };
    code.game.layout.occupancy == Occupancy::Counting && (sow.apply.is_none() || puts_back())
}

/// Sows and captures, each after the other.
pub(super) fn sow(code: &mut Emitter<'_>, sow: &Sow, then: &[EffectId]) {
    let [mut owner, mut start] = [0, -1].map(int);
    effects::with_shared_parts(code, |code| [owner, start] = sown_from(code, sow));
    sow_along_track(
        code,
        sow,
        owner,
        start.clone(),
        |code, places, index| {
            code.scope(|code| {
                effects::emit(code, |code| sow_seeds(code, sow, places, &start, index));
            });
            if sow.apply.is_some() {
                code.bind(Iter::From, start.clone());
                code.scope(|code| {
                    effects::emit(code, |code| captures(code, sow, places, &start, index));
                });
            }
        },
        |code| then.iter().for_each(|&effect| effects::consequence(code, effect)),
    );
}

/// Sows as a part of an effect.
pub(super) fn sow_in_effect(code: &mut Emitter<'_>, sow: &Sow) {
    let [owner, start] = sown_from(code, sow);
    sow_along_track(
        code,
        sow,
        owner,
        start.clone(),
        |code, places, index| {
            effects::one_given(code, |code| {
                if sow.apply.is_none() {
                    return sow_seeds(code, sow, places, &start, index);
                }
                let seeds =
                    effects::noted(code, |code| sow_seeds(code, sow, places, &start, index));
                code.bind(Iter::From, start.clone());
                effects::evaluate_after(code, seeds, |code| {
                    captures(code, sow, places, &start, index);
                });
            });
        },
        effects::wait_for_consequences,
    );
}

/// Whose track is sown along, and from where.
fn sown_from(code: &mut Emitter<'_>, sow: &Sow) -> [Expr; 2] {
    let owner = match &sow.owner {
        Some(owner) => ints::emit(code, owner),
        None => int(0),
    };
    let owner = code.keep_int(owner);
    let start = ints::emit(code, &sow.start);
    [owner, code.keep_int(start)]
}

/// Writes what is done on the track of an owner, from the place of a site on.
fn sow_along_track(
    code: &mut Emitter<'_>,
    sow: &Sow,
    owner: Expr,
    start: Expr,
    write: impl Fn(&mut Emitter<'_>, &Places, Local),
    then: impl Fn(&mut Emitter<'_>),
) {
    let tracks = &code.game.world.tracks;
    for (number, track) in (0..).zip(&sow.tracks) {
        let Some(track) = track.and_then(|track| tracks.get(track)) else { continue };
        let is = owner.clone().equals(int(number));
        let is = if let Expr::Int(owner) = owner { int(i32::from(owner == number)) } else { is };
        code.when(is, |code| {
            let (places, index) = places_of(code, track, &start);
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
fn places_of(code: &mut Emitter<'_>, track: &Track, start: &Expr) -> (Places, Local) {
    let sites = code.module.tables.ints(track.sites.iter().copied());
    let places_of = Places { sites, length: track.sites.len() as i32, looped: track.looped };
    // Seeds come from a hole: no place beyond the board is one.
    let place = tracks::place_on(code, track, start);
    let first = super::arrays::choose(start.clone().at_least(int(0)), place, int(-1));
    (places_of, code.keep(Type::Int, first))
}

/// The place after another, or before it; -1 for none.
fn next_place(code: &mut Emitter<'_>, of: &Places, index: Local, forward: bool) -> Expr {
    let last = of.length - 1;
    let (step, end, wrapped) = if forward { (1, last, 0) } else { (-1, 0, last) };
    let beyond = int(if of.looped { wrapped } else { -1 });
    let at_end = index.get().equals(int(end));
    let next = super::arrays::choose(at_end, beyond, add(index.get(), int(step)));
    code.keep_int(next)
}

/// Seeds go one after the other to the places behind `index`, which is the last of them in the
/// end.
fn sow_seeds(code: &mut Emitter<'_>, sow: &Sow, of: &Places, start: &Expr, index: Local) {
    let count = match &sow.count {
        Some(count) => ints::emit(code, count),
        None => by_site::count_at(code, start.clone()),
    };
    let count = code.keep(Type::Int, count.min(int(MAX_SOWN))).get();
    let sown = code.keep(Type::Int, int(0));
    let origin = bools::emit(code, &sow.origin);
    code.when(origin, |code| {
        code.bind(Iter::To, start.clone());
        sow_effect(code, sow);
        sow_here(code, sow, start, start.clone(), (&count, sown));
    });
    let with_self = bools::emit(code, &sow.include_self);
    let with_self = code.keep_int(with_self);
    let number = code.keep(Type::Int, int(0));
    let skipped = code.keep(Type::Int, int(0));
    let more = sown.get().less(count.clone());
    code.while_loop(more, |code| {
        code.bind(Iter::Value, count.clone() - number.get());
        let next = next_place(code, of, index, true);
        steps::break_unless(code, next.clone().at_least(int(0)));
        let next = code.keep(Type::Int, next);
        let to = code.keep_int(of.sites.at(next.get()));
        code.bind(Iter::To, to.clone());
        let skip = sow.skip.as_ref().map_or(int(0), |skip| bools::emit(code, skip));
        let skip = code.keep_int(skip);
        code.when(skip.clone(), |code| {
            code.push(Stmt::Set(skipped, add(skipped.get(), int(1))));
            steps::break_unless(code, skipped.get().at_most(int(MAX_SKIPPED)));
            code.push(Stmt::Set(index, next.get()));
        });
        code.when(!skip, |code| {
            code.push(Stmt::Set(skipped, int(0)));
            let leaves_out = (!with_self.clone()).and(to.equals(start.clone()));
            code.when(leaves_out, |code| {
                let over = next_place(code, of, next, true);
                steps::break_unless(code, over.clone().at_least(int(0)));
                code.push(Stmt::Set(next, over));
            });
            let to = code.keep_int(of.sites.at(next.get()));
            sow_effect(code, sow);
            // Nothing is sown beyond the board.
            steps::break_unless(code, to.clone().at_least(int(0)));
            sow_here(code, sow, start, to, (&count, sown));
            code.push(Stmt::Set(index, next.get()));
            code.push(Stmt::Set(number, add(number.get(), int(1))));
        });
    });
    // The last hole stays bound.
    code.forget();
}

fn sow_effect(code: &mut Emitter<'_>, sow: &Sow) {
    if let Some(effect) = &sow.each {
        generators::emit(code, effect);
    }
}

/// Sows the seeds of one hole.
fn sow_here(
    code: &mut Emitter<'_>,
    sow: &Sow,
    start: &Expr,
    to: Expr,
    (count, sown): (&Expr, Local),
) {
    let here = ints::emit(code, &sow.per_hole).max(int(1)).min(count.clone() - sown.get());
    let here = code.keep(Type::Int, here).get();
    let seeds = [start.clone(), to, here.clone()];
    code.when(here.clone().greater(int(0)), |code| effects::wait(code, Kind::Seed, seeds));
    code.push(Stmt::Set(sown, sown.get() + here));
}

/// What is captured at the last place, and at those that follow.
fn captures(code: &mut Emitter<'_>, sow: &Sow, of: &Places, start: &Expr, last: Local) {
    let Some(apply) = &sow.apply else { return };
    let index = code.keep(Type::Int, last.get());
    code.for_range(int(0), int(of.length), |code, _| {
        let captures = bools::emit(code, &sow.condition);
        steps::break_unless(code, captures);
        generators::emit(code, apply);
        let (onward, forward) = match (&sow.backtracking, &sow.forward) {
            (Some(condition), _) => (condition, false),
            (None, Some(condition)) => (condition, true),
            _ => return code.push(Stmt::Break(1)),
        };
        let goes_on = bools::emit(code, onward);
        steps::break_unless(code, goes_on);
        let next = next_place(code, of, index, forward);
        steps::break_unless(code, next.clone().at_least(int(0)));
        code.push(Stmt::Set(index, next.clone()));
        let site = code.keep_int(of.sites.at(next));
        code.bind(Iter::To, site.clone());
        let goes_on = bools::emit(code, onward);
        steps::break_unless(code, goes_on);
        if sow.backtracking.is_some() {
            steps::break_unless(code, site.differs(start.clone()));
        }
    });
}

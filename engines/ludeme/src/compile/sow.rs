//! Code for sowing: seeds are sown, and then captures are evaluated in the state after them.

use kernel::ir::{Expr, Local, Stmt, Table, Type};

use super::arrays::{add, choose, int};
use super::context::Context;
use super::emitter::Emitter;
use super::waiting::Kind;
use super::{acts, bools, by_site, effects, generators, ints, steps, tracks};
use crate::ir::{Composite, CompositeKind, EffectId, Iter, Moves, Sow};
use crate::limits::{MAX_SKIPPED, MAX_SOWN};
use crate::state::Occupancy;
use crate::world::Track;

/// The places of a track, with a table of their sites.
struct Places {
    sites: Table,
    length: i32,
    looped: bool,
}

/// The sowing that an effect consists of, if it has a form in code.
pub(super) fn sowing<'m>(game: &Context<'_>, moves: &'m Moves) -> Option<(&'m Composite, &'m Sow)> {
    let Moves::Composite(composite) = moves else { return None };
    let CompositeKind::Sow(sow) = &composite.kind else { return None };
    let has_code = game.layout.occupancy == Occupancy::Counting && captures_alone(sow);
    has_code.then_some((composite, sow))
}

/// True if captures have no consequences of their own.
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

/// True if sowing has a form in code as a part of an effect. To find captures, code sows the seeds
/// and takes them back.
pub(super) fn has_code(code: &Emitter<'_>, sow: &Sow) -> bool {
    let puts_back = || {
        effects::is_effect_once(code)
            && acts::has_pieces_in_memory(code)
            && captures_alone(sow)
            && sow.each.is_none()
    };
    code.game.layout.occupancy == Occupancy::Counting && (sow.apply.is_none() || puts_back())
}

/// Writes a sowing that is a whole effect: seeds, then captures, then consequences.
pub(super) fn emit(code: &mut Emitter<'_>, sow: &Sow, then: &[EffectId]) {
    let [mut owner, mut start] = [0, -1].map(int);
    effects::with_program_parts(code, |code| [owner, start] = sown_from(code, sow));
    sow_along_track(
        code,
        sow,
        owner,
        start.clone(),
        |code, places, index| {
            code.in_other_state(|code| {
                effects::emit(code, |code| sow_seeds(code, sow, places, &start, index));
            });
            if sow.apply.is_some() {
                code.bind(Iter::From, start.clone());
                code.in_other_state(|code| {
                    effects::emit(code, |code| captures(code, sow, places, &start, index));
                });
            }
        },
        |code| then.iter().for_each(|&effect| effects::consequence(code, effect)),
    );
}

/// Writes a sowing that is a part of an effect.
pub(super) fn emit_in_effect(code: &mut Emitter<'_>, sow: &Sow) {
    let [owner, start] = sown_from(code, sow);
    sow_along_track(
        code,
        sow,
        owner,
        start.clone(),
        |code, places, index| {
            effects::emit_one(code, |code| {
                if sow.apply.is_none() {
                    return sow_seeds(code, sow, places, &start, index);
                }
                let seeds = effects::collect_deferred(code, |code| {
                    sow_seeds(code, sow, places, &start, index);
                });
                code.bind(Iter::From, start.clone());
                effects::evaluate_after(code, seeds, |code| {
                    captures(code, sow, places, &start, index);
                });
            });
        },
        effects::defer_consequences,
    );
}

/// The owner of the track, and the site where the sowing begins.
fn sown_from(code: &mut Emitter<'_>, sow: &Sow) -> [Expr; 2] {
    let owner = match &sow.owner {
        Some(owner) => ints::emit(code, owner),
        None => int(0),
    };
    let owner = code.keep_int(owner);
    let start = ints::emit(code, &sow.start);
    [owner, code.keep_int(start)]
}

/// Writes code for the track of an owner; it gets the place of a site on the track.
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
        let is_owner = match owner {
            Expr::Int(owner) => int(i32::from(owner == number)),
            ref owner => owner.clone().equals(int(number)),
        };
        code.when(is_owner, |code| {
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

/// The places of a track, and the place of a site; -1 if it is not on the track.
fn places_of(code: &mut Emitter<'_>, track: &Track, start: &Expr) -> (Places, Local) {
    let sites = code.table(track.sites.iter().copied());
    let places = Places { sites, length: track.sites.len() as i32, looped: track.looped };
    // Seeds come from a site, although tracks may have places beyond the board.
    let place = tracks::place_on(code, track, start);
    (places, code.keep(Type::Int, choose(start.clone().at_least(int(0)), place, int(-1))))
}

/// The place after another, or before it; -1 beyond the ends of the track.
fn next_place(code: &mut Emitter<'_>, places: &Places, index: Local, forward: bool) -> Expr {
    let last = places.length - 1;
    let (step, end, wrapped) = if forward { (1, last, 0) } else { (-1, 0, last) };
    let beyond = int(if places.looped { wrapped } else { -1 });
    code.keep_int(choose(index.get().equals(int(end)), beyond, add(index.get(), int(step))))
}

/// Writes the actions of the seeds, which go one after the other to the places behind `index`.
/// Afterwards `index` is the last of these.
fn sow_seeds(code: &mut Emitter<'_>, sow: &Sow, places: &Places, start: &Expr, index: Local) {
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
        seed(code, sow, start, start.clone(), (&count, sown));
    });
    let with_self = bools::emit(code, &sow.include_self);
    let with_self = code.keep_int(with_self);
    let number = code.keep(Type::Int, int(0));
    let skipped = code.keep(Type::Int, int(0));
    code.while_loop(sown.get().less(count.clone()), |code| {
        code.bind(Iter::Value, count.clone() - number.get());
        let next = next_place(code, places, index, true);
        steps::break_unless(code, next.clone().at_least(int(0)));
        let next = code.keep(Type::Int, next);
        let to = code.keep_int(places.sites.at(next.get()));
        code.bind(Iter::To, to.clone());
        let skip = sow.skip.as_ref().map_or(int(0), |skip| bools::emit(code, skip));
        let skip = code.keep_int(skip);
        code.when(skip.clone(), |code| {
            code.set(skipped, add(skipped.get(), int(1)));
            steps::break_unless(code, skipped.get().at_most(int(MAX_SKIPPED)));
            code.set(index, next.get());
        });
        code.when(!skip, |code| {
            code.set(skipped, int(0));
            let leaves_out = (!with_self.clone()).and(to.equals(start.clone()));
            code.when(leaves_out, |code| {
                let over = next_place(code, places, next, true);
                steps::break_unless(code, over.clone().at_least(int(0)));
                code.set(next, over);
            });
            let to = code.keep_int(places.sites.at(next.get()));
            sow_effect(code, sow);
            // No seed goes beyond the board.
            steps::break_unless(code, to.clone().at_least(int(0)));
            seed(code, sow, start, to, (&count, sown));
            code.set(index, next.get());
            code.set(number, add(number.get(), int(1)));
        });
    });
    // The last destination stays bound.
    code.forget();
}

/// Writes the effect before the seeds of each place.
fn sow_effect(code: &mut Emitter<'_>, sow: &Sow) {
    if let Some(effect) = &sow.each {
        generators::emit(code, effect);
    }
}

/// Writes the actions of the seeds that go to one place.
fn seed(code: &mut Emitter<'_>, sow: &Sow, start: &Expr, to: Expr, (count, sown): (&Expr, Local)) {
    let seeds = ints::emit(code, &sow.per_hole).max(int(1)).min(count.clone() - sown.get());
    let seeds = code.keep(Type::Int, seeds).get();
    let numbers = [start.clone(), to, seeds.clone()];
    code.when(seeds.clone().greater(int(0)), |code| effects::defer(code, Kind::Seed, numbers));
    code.set(sown, sown.get() + seeds);
}

/// Writes the captures at the last place, and at those that follow.
fn captures(code: &mut Emitter<'_>, sow: &Sow, places: &Places, start: &Expr, last: Local) {
    let Some(apply) = &sow.apply else { return };
    let index = code.keep(Type::Int, last.get());
    code.for_range(int(0), int(places.length), |code, _| {
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
        let next = next_place(code, places, index, forward);
        steps::break_unless(code, next.clone().at_least(int(0)));
        code.set(index, next.clone());
        let site = code.keep_int(places.sites.at(next));
        code.bind(Iter::To, site.clone());
        let goes_on = bools::emit(code, onward);
        steps::break_unless(code, goes_on);
        if sow.backtracking.is_some() {
            steps::break_unless(code, site.differs(start.clone()));
        }
    });
}

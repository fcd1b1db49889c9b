//! Code for tracks.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{Slot, add, both, choose, int, slot};
use super::context::Sites;
use super::emitter::Emitter;
use super::{bools, ints};
use crate::ir::{Bool, Int, Iter, TrackChoice};
use crate::world::Track;

/// The tracks that a rule may mean, each with the condition under which it does.
pub(super) fn meant(code: &mut Emitter<'_>, tracks: &TrackChoice) -> Vec<(Expr, Option<usize>)> {
    let by_owner = |who: &Expr, list: &[Option<usize>]| {
        let with_test = |(player, &track)| (who.clone().equals(int(player as i32)), track);
        list.iter().enumerate().map(with_test).collect()
    };
    match tracks {
        TrackChoice::One(track) => vec![(int(1), *track)],
        TrackChoice::ByMover(list) => by_owner(&slot(Slot::Mover), list),
        TrackChoice::Of(who, list) => {
            let who = ints::emit(code, who);
            by_owner(&code.keep_int(who), list)
        }
    }
}

/// A number of the track that a rule means; -1 if there is none.
pub(super) fn by_track(
    code: &mut Emitter<'_>,
    tracks: Vec<(Expr, Option<usize>)>,
    value: impl Fn(&mut Emitter<'_>, &Track) -> Expr,
) -> Expr {
    let game = code.game;
    tracks.into_iter().rev().fold(int(-1), |otherwise, (is, track)| {
        let track = track.and_then(|track| game.world.tracks.get(track));
        let value = match track {
            Some(track) => code.lazily(|code| value(code, track)),
            None => int(-1),
        };
        choose(is, value, otherwise)
    })
}

/// The site of a track at a distance from another site; `None` if tracks cross themselves.
pub(super) fn site_after(
    code: &mut Emitter<'_>,
    tracks: &TrackChoice,
    from: &Int,
    steps: &Int,
) -> Option<Expr> {
    if !code.game.world.crossings.is_empty() {
        return None;
    }
    let tracks = meant(code, tracks);
    let (from, steps) = (ints::emit(code, from), ints::emit(code, steps));
    let from = code.keep_int(from);
    let steps = steps.max(int(0)).min(int(i32::MAX - (1 << 20)));
    let steps = code.keep_int(steps);
    Some(by_track(code, tracks, |code, track| {
        let n = track.sites.len() as i32;
        if n == 0 {
            return int(-1);
        }
        let sites = code.table(track.sites.iter().copied());
        // A site off the track counts as the place before the first one, one round later.
        let last = track.sites.iter().copied().max().unwrap_or(-1);
        let place = |site: i32| track.sites.iter().position(|&s| s == site);
        let places = (0..=last).map(|site| place(site).map_or(0, |p| p as i32 - n));
        let places: Vec<i32> = places.collect();
        let mut at = add(code.table(places).at(from.clone()), int(n));
        for beyond in [-2, -1] {
            if let Some(place) = place(beyond) {
                at = choose(from.clone().equals(int(beyond)), int(place as i32), at);
            }
        }
        let to = code.keep_int(at + steps.clone());
        let on = to.clone().less(int(n));
        let past = if track.looped { sites.at(to.clone().rest(int(n))) } else { int(-1) };
        choose(on, sites.at(to), past)
    }))
}

/// The first site of a track for which a condition holds, from the place of a site on; -1 if there
/// is none. `None` if tracks cross themselves.
pub(super) fn first_where(
    code: &mut Emitter<'_>,
    tracks: &TrackChoice,
    from: Option<&Int>,
    condition: Option<&Bool>,
) -> Option<Expr> {
    if !code.game.world.crossings.is_empty() {
        return None;
    }
    let tracks = meant(code, tracks);
    let from = from.map(|from| {
        let from = ints::emit(code, from);
        code.keep_int(from)
    });
    let saved = code.save([Iter::To]);
    let first = code.keep(Type::Int, int(-1));
    for (is, track) in tracks {
        let track = track.and_then(|track| code.game.world.tracks.get(track));
        let Some(track) = track else { continue };
        code.when(is, |code| {
            let n = track.sites.len() as i32;
            let start = match &from {
                None => int(0),
                Some(from) => place_on(code, track, from),
            };
            let start = code.keep_int(start);
            let sites = code.table(track.sites.iter().copied());
            code.when(start.clone().at_least(int(0)), |code| {
                code.for_range(int(0), int(n), |code, step| {
                    let place = add(start.clone(), step.get());
                    let past = place.clone().at_least(int(n));
                    let place = choose(past, place.clone() - int(n), place);
                    let site = code.keep_int(sites.at(place));
                    code.bind(Iter::To, site.clone());
                    let holds = condition.map_or(int(1), |c| bools::emit(code, c));
                    code.push_if(holds, vec![Stmt::Set(first, site), Stmt::Break(1)]);
                });
            });
        });
    }
    code.restore(&saved);
    Some(first.get())
}

/// The first place of a site on a track; -1 if it is not there.
pub(super) fn place_on(code: &mut Emitter<'_>, track: &Track, site: &Expr) -> Expr {
    let lowest = track.sites.iter().copied().min().unwrap_or(0).min(0);
    let highest = track.sites.iter().copied().max().unwrap_or(-1);
    let place = |site: i32| track.place(site).map_or(-1, |place| place as i32);
    let places = code.table((lowest..=highest).map(place));
    let place = places.at(site.clone() - int(lowest));
    let is_in_table = both(site.clone().at_least(int(lowest)), site.clone().at_most(int(highest)));
    choose(is_in_table, place, int(-1))
}

/// The sites of a track from one site up to another. It is empty if the first one is not on the
/// track, and the whole track if the second one is not. `None` if a track comes to a site twice.
pub(super) fn part(
    code: &mut Emitter<'_>,
    tracks: &TrackChoice,
    from: Option<&Int>,
    to: Option<&Int>,
) -> Option<Expr> {
    let tracks = meant(code, tracks);
    let game = code.game;
    let has_code = |track: &usize| game.world.tracks.get(*track).is_none_or(is_simple);
    if !tracks.iter().filter_map(|(_, track)| track.as_ref()).all(has_code) {
        return None;
    }
    let ends = [from, to].map(|end| {
        end.map(|end| {
            let end = ints::emit(code, end);
            code.keep_int(end)
        })
    });
    let all = code.keep(Type::Set, Expr::NoSites);
    for (is, track) in tracks {
        let Some(track) = track.and_then(|track| game.world.tracks.get(track)) else {
            continue;
        };
        code.when(is, |code| {
            let [first, last] = ends.each_ref().map(|end| {
                let place = end.as_ref().map(|end| place_on(code, track, end));
                place.map(|place| code.keep_int(place))
            });
            let start = first.clone().unwrap_or(int(0));
            let end = last.unwrap_or(int(-1));
            // A table of the sites before each place.
            let sites = |places: &[i32]| -> Sites {
                places.iter().filter_map(|&site| usize::try_from(site).ok()).collect()
            };
            let n = track.sites.len();
            let before = code.set_table((0..=n).map(|end| sites(&track.sites[..end])));
            let whole = before.at(int(n as i32));
            let up_to = before.at(add(end.clone(), int(1)));
            let on = whole.clone().without(before.at(start.clone()));
            let wraps = end.clone().less(start.clone());
            let ends = end.at_least(int(0));
            let between = Stmt::If(
                wraps,
                vec![Stmt::Set(all, on.clone() | up_to.clone())],
                vec![Stmt::Set(all, on & up_to)],
            );
            let part = Stmt::If(ends, vec![between], vec![Stmt::Set(all, whole)]);
            code.push_if(start.at_least(int(0)), vec![part]);
        });
    }
    Some(all.get())
}

/// True if a track comes to no site twice.
fn is_simple(track: &Track) -> bool {
    let places = track.sites.iter().enumerate();
    places.clone().all(|(place, site)| !track.sites[..place].contains(site))
}

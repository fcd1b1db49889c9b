//! Code for custodial captures: pieces in line between two sites.

use kernel::ir::{Expr, Type};

use super::arrays::{add, both, choose, int};
use super::emitter::Emitter;
use super::fills::{Line, lines};
use super::hops::at_least;
use super::origins::union;
use super::{bools, fills, generators, ints, regions, steps};
use crate::ir::{Binder, Bool, ByPiece, Custodial, Int, Iter, LeafKind, Moves, Place, RayId};

/// Writes the effects of a custodial capture on the pieces between a site and others.
pub(super) fn emit(code: &mut Emitter<'_>, custodial: &Custodial) {
    let from = ints::kept(code, &custodial.from);
    let (min, max) = (ints::emit(code, &custodial.range.0), ints::emit(code, &custodial.range.1));
    let (min, max) = (code.keep_int(at_least(min)), code.keep_int(at_least(max)));
    let target = bools::per_site(code, Some(&custodial.target), Iter::Between);
    let saved = code.save([Iter::Between, Iter::To]);
    code.when(from.clone().at_least(int(0)), |code| {
        steps::for_paths(
            code,
            &ByPiece::Same(custodial.rays),
            &from,
            |code, paths, [_, _, start, end]| {
                let run = code.keep(Type::Int, int(0));
                let most = add(start.clone(), max.clone()).min(end.clone());
                code.for_range(start.clone(), most, |code, at| {
                    let site = steps::site_on(code, paths, at);
                    let holds = bools::holds(code, &target, site);
                    steps::break_unless(code, holds);
                    code.set(run, add(run.get(), int(1)));
                });
                let is_run = both(run.get().greater(int(0)), run.get().at_least(min.clone()));
                code.when(is_run, |code| {
                    let behind = code.keep_int(add(start.clone(), run.get()));
                    let on = behind.clone().less(end.clone());
                    let site = choose(on, paths.sites.at(behind), int(-1));
                    let site = code.keep_int(site);
                    let lost = both(max.clone().equals(int(1)), site.clone().less(int(0)));
                    code.when(!lost, |code| {
                        code.bind(Iter::To, site);
                        let friend = bools::emit(code, &custodial.friend);
                        code.when(friend, |code| {
                            let last = add(start.clone(), run.get());
                            code.for_range(start.clone(), last, |code, at| {
                                let site = steps::site_on(code, paths, at);
                                code.bind(Iter::Between, site);
                                generators::inside(code, Binder::Other, &custodial.effect);
                            });
                        });
                    });
                });
            },
        );
    });
    code.restore(&saved);
}

/// Writes the effects on the rows of pieces next to a site, on all straight paths from it.
pub(super) fn emit_directional(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    from: &Int,
    target: &Bool,
    effect: &Moves,
) {
    let from = ints::kept(code, from);
    let saved = code.save([Iter::From, Iter::To]);
    code.when(from.clone().at_least(int(0)), |code| {
        steps::for_paths(code, rays, &from, |code, paths, [_, _, start, end]| {
            code.bind(Iter::From, int(-1));
            code.for_range(start, end, |code, at| {
                let site = steps::site_on(code, paths, at);
                code.bind(Iter::To, site);
                let holds = bools::emit(code, target);
                steps::break_unless(code, holds);
                generators::inside(code, Binder::Other, effect);
            });
        });
    });
    code.restore(&saved);
}

/// The set of all sites from which a piece would be captured; `None` if it has no form in code.
pub(super) fn captures_from(code: &mut Emitter<'_>, rule: &Custodial, site: &Int) -> Option<Expr> {
    let Custodial { rays, from, range, target, effect, friend } = rule;
    let lines = lines(code.game.ray(*rays))?;
    let longest = lines.iter().map(|line| line.longest).max()?;
    let all = |most: &Int| matches!(most, Int::Const(most) if *most >= longest as i32);
    let any = matches!(range.0, Int::Const(..=1)) && longest > 1 && all(&range.1);
    if from != site
        || !any
        || !friend.wants_piece(&Int::Iter(Iter::To))
        || !always_gives(code, effect)
    {
        return None;
    }
    let target = bools::sites_where(code, target, &Int::Iter(Iter::Between))?;
    let friend = bools::sites_where(code, friend, &Int::Iter(Iter::To))?;
    let (target, friend) = (code.hoist(target), code.hoist(friend));
    lines.into_iter().try_fold(Expr::NoSites, |found, line| {
        // The fill goes from friends back through pieces that can be captured.
        let Line { distance, ends, longest } = line;
        let back = Line { distance: -distance, ends: ends.shifted(-distance), longest };
        let (ends, starts) = (regions::fixed(code, ends), regions::fixed(code, back.ends));
        let free = target.clone() & starts.clone();
        let last = code.hoist(free.clone() & (friend.clone() & ends.clone()).shift(-distance));
        let captured = fills::filled(code, &back, &last, free, Emitter::hoist);
        Some(union(found, (captured & ends).shift(-distance) & starts))
    })
}

/// True if an effect has an action on every site.
fn always_gives(code: &Emitter<'_>, effect: &Moves) -> bool {
    let Moves::Leaf(leaf) = effect else { return false };
    let between = Int::Iter(Iter::Between);
    match &leaf.kind {
        LeafKind::Promote { site, pieces } => {
            *site == between && pieces.iter().any(|piece| code.game.is_real(piece))
        }
        LeafKind::Remove { place, .. } => **place == Place::Site(between),
        _ => false,
    }
}

//! Code for slides.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{add, both, int, state_set};
use super::bools::PerSite;
use super::context::Sites;
use super::emitter::{Emitter, Finding};
use super::module::Trait;
use super::{bools, distances, ints, origins, output, path_sets, steps};
use crate::ir::{ByPiece, Iter, RayId, Slide};
use crate::lower::Feature;
use crate::state::EMPTY;

/// The sites on which slides may end, as sets.
struct Ends {
    /// The sites on which a slide may end, but which it cannot pass.
    stop: Option<Expr>,
    /// The sites that a slide may pass.
    go: Expr,
    /// The sites on which a slide may end at all, if a rule restricts them.
    only: Option<Expr>,
}

/// Writes code for slides.
pub(super) fn emit(code: &mut Emitter<'_>, source: i32, slide: &Slide) {
    steps::with_origin(code, &slide.from, slide.from_condition.as_ref(), |code, from| {
        let range = slide.range.as_ref().map(|(min, max)| {
            let (min, max) = (ints::emit(code, min), ints::emit(code, max));
            (code.keep_int(min), code.keep_int(max))
        });
        let stop = slide.stop.as_ref().map(|stop| bools::per_site(code, Some(stop), Iter::To));
        let go = slide.go.as_ref().map(|go| bools::per_site(code, Some(go), Iter::Between));
        let saved = code.save([Iter::To, Iter::Between]);
        let filter = slide.apply.as_ref().and_then(|a| a.condition.as_ref());
        let origins = code.bindings.piece.and_then(|piece| origins::of_slide(code, slide, piece));
        let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
        let reached = |code: &mut Emitter<'_>| steps::reaches(code, &slide.rays, &from);
        code.when(may, |code| {
            steps::towards(code, reached, |code| {
                let sets = [stop.as_ref(), go.as_ref()];
                if let Some(ends) = sites_along(code, source, slide, sets) {
                    return slide_along(code, source, slide, &from, &ends);
                }
                steps::for_paths(
                    code,
                    &slide.rays,
                    &from,
                    |code, paths, [_, number, start, end]| {
                        let number = code.keep_int(number);
                        // `Between` has no value of another path.
                        code.restore(&saved[1..]);
                        code.save([Iter::Between]);
                        code.for_range(start.clone(), end, |code, at| {
                            let distance = add(at.get() - start.clone(), int(1));
                            let mut far_enough = int(1);
                            if let Some((min, max)) = &range {
                                let distance = code.keep_int(distance);
                                steps::break_unless(code, distance.clone().at_most(max.clone()));
                                far_enough = distance.at_least(min.clone());
                            }
                            let to = steps::site_on(code, paths, at);
                            code.bind(Iter::To, to.clone());
                            let give = |code: &mut Emitter<'_>| {
                                let holds = filter.map_or(int(1), |c| bools::emit(code, c));
                                let (from, to, number) = (from.clone(), to.clone(), number.clone());
                                code.when(holds, |code| {
                                    output::emit_move(code, source, from, to, number);
                                });
                            };
                            // It is tested for every site, since conditions may leave variables
                            // bound.
                            if let Some(stop) = &stop {
                                let stops = bools::holds(code, stop, to.clone());
                                code.when(both(stops, far_enough.clone()), |code| {
                                    give(code);
                                    code.push(Stmt::Break(1));
                                });
                            }
                            code.bind(Iter::Between, to.clone());
                            let goes = match &go {
                                Some(go) => bools::holds(code, go, to.clone()),
                                None => state_set(int(EMPTY as i32)).contains(to.clone()),
                            };
                            steps::break_unless(code, goes);
                            code.when(far_enough, give);
                        });
                    },
                );
            });
        });
        code.restore(&saved);
    });
}

/// The sites on which slides may end; `None` if these have no form as sets, or if an entry needs
/// data of each move.
fn sites_along(
    code: &mut Emitter<'_>,
    source: i32,
    slide: &Slide,
    [stop, go]: [Option<&PerSite<'_>>; 2],
) -> Option<Ends> {
    let needs_path =
        slide.passed.is_some() || slide.trail.is_some() || code.game.has(Feature::AsksBetween);
    if slide.range.is_some() || needs_path || !output::gathers_many(code, source) {
        return None;
    }
    if !path_sets::are_known(code, &slide.rays) {
        return None;
    }
    let stop = match stop {
        Some(stop) => Some(stop.sites.clone()?),
        None => None,
    };
    let go = match go {
        Some(go) => go.sites.clone()?,
        None => code.hoist(state_set(int(EMPTY as i32))),
    };
    let filter = slide.apply.as_ref().and_then(|apply| apply.condition.as_ref());
    let only = match filter {
        Some(filter) => Some(bools::per_site(code, Some(filter), Iter::To).sites?),
        None => None,
    };
    Some(Ends { stop, go, only })
}

/// Writes code for slides with one set of destinations for each path, or for all paths together.
fn slide_along(
    code: &mut Emitter<'_>,
    source: i32,
    slide: &Slide,
    from: &Expr,
    Ends { stop, go, only }: &Ends,
) {
    let at_once = distances::may_reorder(code) && are_apart(code, &slide.rays);
    let all = code.keep(Type::Set, Expr::NoSites);
    steps::for_paths(code, &slide.rays, from, |code, paths, [path, number, ..]| {
        let Some(paths) = paths.as_sets else { return code.findings.add(Finding::HasNoForm) };
        let path = path_sets::path(code, paths, path);
        let blocker = path_sets::first_on(code, &path, path.sites.clone().without(go.clone()));
        let stops = stop.as_ref().map_or(int(0), |stop| stop.clone().contains(blocker.clone()));
        let mut targets = path_sets::up_to(code, &path, blocker, stops);
        if let Some(only) = only {
            targets = targets & only.clone();
        }
        if at_once {
            return code.set(all, all.get() | targets);
        }
        output::emit_in_order(code, source, Some(from.clone()), (targets, path.ascends), number);
    });
    if at_once {
        code.module.traits.add(Trait::Reorders);
        output::emit_targets(code, source, Some(from.clone()), all.get(), int(0));
    }
}

/// True if no two paths from a site lead to the same site.
fn are_apart(code: &Emitter<'_>, rays: &ByPiece<RayId>) -> bool {
    let are_apart = |&id: &RayId| {
        let rays = code.game.ray(id);
        (0..rays.sites()).all(|site| {
            let mut seen = Sites::EMPTY;
            rays.of(site).flatten().all(|&to| {
                let new = !seen.contains(usize::from(to));
                seen.insert(usize::from(to));
                new
            })
        })
    };
    match rays {
        ByPiece::Same(id) => are_apart(id),
        ByPiece::Each(all) => all.iter().all(are_apart),
    }
}

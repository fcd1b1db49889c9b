//! Code for hops over pieces.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{add, both, int};
use super::bools::PerSite;
use super::emitter::Emitter;
use super::tables::Paths;
use super::{bools, ints, origins, output, path_sets, steps};
use crate::ir::{ByPiece, Hop, Int, Iter, RayId, SourceKind};

/// Writes code for hops.
pub(super) fn emit(code: &mut Emitter<'_>, hop: &Hop) {
    let source = output::source(code, SourceKind::Hop(Box::new(hop.clone())));
    let from = ints::kept(code, &hop.from);
    let is_bound = hop.from == Int::Iter(Iter::From);
    let piece = code.bindings.piece.filter(|_| is_bound);
    let real = match piece {
        Some(_) => int(1),
        None => from.clone().at_least(int(0)),
    };
    let origins = piece.and_then(|piece| origins::of_hop(code, hop, piece));
    let anywhere = origins.is_none();
    let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
    code.when(both(real, may), |code| {
        let saved = code.save([Iter::To, Iter::Between]);
        let outer = (!is_bound).then(|| code.save([Iter::From]));
        if !is_bound {
            code.bind(Iter::From, from.clone());
        }
        let numbers = [&hop.before, &hop.after, &hop.range.0, &hop.range.1].map(|n| {
            let n = ints::emit(code, n);
            code.keep_int(n)
        });
        let holds = hop.from_condition.as_ref().map_or(int(1), |c| bools::emit(code, c));
        code.when(holds, |code| hops(code, hop, source, (from, anywhere), numbers));
        outer.iter().for_each(|outer| code.restore(outer));
        code.restore(&saved);
    });
}

/// Writes code for the hops from a site. `anywhere` is false if a piece is known to stand next to
/// it that can be jumped over.
fn hops(
    code: &mut Emitter<'_>,
    hop: &Hop,
    source: i32,
    (from, anywhere): (Expr, bool),
    [before, after, min, max]: [Expr; 4],
) {
    let hurdle = bools::per_site(code, Some(&hop.hurdle), Iter::Between);
    let go = bools::per_site(code, Some(&hop.go), Iter::To);
    let none = match min {
        Expr::Int(min) => int(i32::from(min == 0)),
        ref min => min.clone().equals(int(0)),
    };
    code.when(none, |code| {
        steps::for_steps(code, &hop.jumps, &from, |code, to| {
            code.bind(Iter::Between, int(-1));
            let holds = bools::holds(code, &go, to.clone());
            code.when(holds, |code| {
                let none = [int(-1), int(0), int(0), int(0)];
                output::emit_move_with(code, source, [from.clone(), to, int(0)], &none);
            });
        });
    });
    let capture = hop.apply.as_ref().and_then(|a| a.condition.as_ref());
    let least = match min {
        Expr::Int(min) => int(min.max(1)),
        min => min.max(int(1)),
    };
    let least = code.keep_int(least);
    let hops_any = match max {
        Expr::Int(max) => int(i32::from(max > 0)),
        ref max => max.clone().greater(int(0)),
    };
    let reached = |code: &mut Emitter<'_>| steps::reaches(code, &hop.rays, &from);
    let near = match before {
        // Other origins have a piece next to them, as tested before.
        Expr::Int(0) if anywhere => starts_in(code, &hop.rays, &from, hurdle.sites.clone()),
        _ => int(1),
    };
    code.when(both(hops_any, near), |code| {
        steps::towards(code, reached, |code| {
            steps::for_paths(code, &hop.rays, &from, |code, paths, [path, _, start, end]| {
                let simple = [before == int(0), max == int(1), after == int(0)] == [true; 3];
                if simple && capture.is_none() {
                    let ends = [path, start, end];
                    return short_hop(code, source, (&hurdle, &go), &from, paths, ends);
                }
                let ends = [path.clone(), start.clone(), end.clone()];
                let first = first_hurdle(code, [&hurdle, &go], &before, paths, ends);
                code.when(first.get().at_least(int(0)), |code| {
                    let length = code.keep(Type::Int, int(1));
                    if max != int(1) {
                        let most = add(first.get(), max.clone());
                        let most = most.min(end.clone());
                        code.for_range(add(first.get(), int(1)), most, |code, at| {
                            let site = steps::site_on(code, paths, at);
                            let holds = bools::holds(code, &hurdle, site);
                            steps::break_unless(code, holds);
                            code.set(length, add(length.get(), int(1)));
                        });
                    }
                    code.for_range(least.clone(), add(length.get(), int(1)), |code, over| {
                        let begin = code.keep_int(add(first.get(), over.get()));
                        let reach = add(at_least(after.clone()), int(1));
                        let last = add(begin.clone(), reach).min(end.clone());
                        code.for_range(begin, last, |code, at| {
                            let to = steps::site_on(code, paths, at);
                            let give = |code: &mut Emitter<'_>, captured: Expr| {
                                let first = first.get() - start.clone();
                                let numbers = [path.clone(), first, length.get(), captured];
                                let ends = [from.clone(), to.clone(), int(0)];
                                output::emit_move_with(code, source, ends, &numbers);
                            };
                            let free = bools::holds(code, &go, to.clone());
                            code.when(!free, |code| {
                                if let Some(capture) = capture {
                                    let takes = bools::emit(code, capture);
                                    code.when(takes, |code| give(code, int(0)));
                                }
                                code.push(Stmt::Break(1));
                            });
                            if capture.is_none() {
                                give(code, over.get());
                            }
                        });
                    });
                });
            });
        });
    });
}

/// The place of the first piece on a straight path that can be jumped over; -1 if there is none.
fn first_hurdle(
    code: &mut Emitter<'_>,
    [hurdle, go]: [&PerSite<'_>; 2],
    before: &Expr,
    paths: Paths,
    [path, start, end]: [Expr; 3],
) -> Local {
    let first = code.keep(Type::Int, int(-1));
    let sets = hurdle.sites.as_ref().zip(go.sites.as_ref()).zip(paths.as_sets);
    if let (Some(((hurdles, free), paths)), true) = (sets, *before != int(0)) {
        let path = path_sets::path(code, paths, path);
        let passed = free.clone().without(hurdles.clone());
        let site = path_sets::first_on(code, &path, path.sites.clone().without(passed));
        code.when(hurdles.clone().contains(site.clone()), |code| {
            code.bind(Iter::Between, site.clone());
            let gone = path_sets::up_to(code, &path, site, int(0));
            let gone = code.keep_int(gone.len());
            let near = gone.clone().at_most(before.clone());
            code.push_if(near, vec![Stmt::Set(first, add(start, gone))]);
        });
        return first;
    }
    code.for_range(start.clone(), end, |code, at| {
        let site = steps::site_on(code, paths, at);
        let is_hurdle = bools::holds(code, hurdle, site.clone());
        code.push_if(is_hurdle, vec![Stmt::Set(first, at.get()), Stmt::Break(1)]);
        if *before == int(0) {
            code.push(Stmt::Break(1));
            return;
        }
        steps::break_unless(code, add(at.get() - start.clone(), int(1)).at_most(before.clone()));
        let free = bools::holds(code, go, site);
        steps::break_unless(code, free);
    });
    first
}

/// Code that is 0 if no straight path from a site begins in a set; 1 if it does, or if that has no
/// form in code.
fn starts_in(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    from: &Expr,
    set: Option<Expr>,
) -> Expr {
    match (&steps::by_piece(code, rays, from)[..], set) {
        ([(_, id)], Some(set)) => {
            !(code.module.tables.in_place(code.game, *id, 0).at(from.clone()) & set).is_empty()
        }
        _ => int(1),
    }
}

/// Writes code for a hop over the first site of a path onto the second.
fn short_hop(
    code: &mut Emitter<'_>,
    source: i32,
    (hurdle, go): (&PerSite<'_>, &PerSite<'_>),
    from: &Expr,
    paths: Paths,
    [path, start, end]: [Expr; 3],
) {
    let second = add(start.clone(), int(1));
    code.when(second.clone().less(end), |code| {
        let over = code.keep_int(paths.sites.at(start));
        code.assume_site(&over);
        let holds = bools::holds(code, hurdle, over);
        code.when(holds, |code| {
            let to = code.keep_int(paths.sites.at(second));
            code.assume_site(&to);
            let free = bools::holds(code, go, to.clone());
            code.when(free, |code| {
                let extra = [path, int(0), int(1), int(1)];
                output::emit_move_with(code, source, [from.clone(), to, int(0)], &extra);
            });
        });
    });
}

/// The maximum of a number and 0.
pub(super) fn at_least(number: Expr) -> Expr {
    match number {
        Expr::Int(number) => int(number.max(0)),
        number => number.max(int(0)),
    }
}

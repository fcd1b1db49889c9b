//! Jumps over pieces as code.

use kernel::ir::{Block, Expr, Local, Stmt, Type};

use super::arrays::{add, both, int};
use super::bools::PerSite;
use super::emitter::Emitter;
use super::tables::Paths;
use super::{bools, ints, origins, output, steps, ways};
use crate::ir::{ByPiece, Hop, Int, Iter, RayId, SourceKind};

pub(super) fn hop(code: &mut Emitter<'_>, hop: &Hop) {
    let source = output::source(code, SourceKind::Hop(Box::new(hop.clone())));
    let from = ints::emit(code, &hop.from);
    let from = code.keep_int(from);
    let here = hop.from == Int::Iter(Iter::From);
    let piece = code.bindings.piece.filter(|_| here);
    let real = match piece {
        Some(_) => int(1),
        None => from.clone().at_least(int(0)),
    };
    let origins = piece.and_then(|piece| origins::origins_of_hop(code, hop, piece));
    let anywhere = origins.is_none();
    let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
    code.when(both(real, may), |code| {
        let saved = code.save([Iter::To, Iter::Between]);
        let outer = (!here).then(|| code.save([Iter::From]));
        if !here {
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

/// Hops from a site: any one, or one of those that have been found to have something next to
/// them that can be jumped over.
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
        steps::of_jumps(code, &hop.jumps, &from, |code, to| {
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
    let some = match max {
        Expr::Int(max) => int(i32::from(max > 0)),
        ref max => max.clone().greater(int(0)),
    };
    let reached = |code: &mut Emitter<'_>| steps::reaches(code, &hop.rays, &from);
    let near = match before {
        // Of other origins it is known.
        Expr::Int(0) if anywhere => begins_among(code, &hop.rays, &from, hurdle.sites.clone()),
        _ => int(1),
    };
    code.when(both(some, near), |code| {
        steps::towards(code, reached, |code| {
            steps::of_rays(code, &hop.rays, &from, |code, paths, [path, _, start, end]| {
                let simple = [before == int(0), max == int(1), after == int(0)] == [true; 3];
                if simple && capture.is_none() {
                    return short_hop(
                        code,
                        source,
                        (&hurdle, &go),
                        &from,
                        paths,
                        [path, start, end],
                    );
                }
                let ends = [path.clone(), start.clone(), end.clone()];
                let first = first_hurdle(code, [&hurdle, &go], &before, paths, ends);
                let found = first.get().at_least(int(0));
                code.when(found, |code| {
                    let length = code.keep(Type::Int, int(1));
                    if max != int(1) {
                        let most = add(first.get(), max.clone());
                        let most = most.min(end.clone());
                        code.for_range(add(first.get(), int(1)), most, |code, at| {
                            let site = steps::site_on(code, paths, at);
                            let holds = bools::holds(code, &hurdle, site);
                            steps::break_unless(code, holds);
                            code.push(Stmt::Set(length, add(length.get(), int(1))));
                        });
                    }
                    let past = add(length.get(), int(1));
                    code.for_range(least.clone(), past, |code, over| {
                        let begin = code.keep_int(add(first.get(), over.get()));
                        let reach = add(at_least(after.clone()), int(1));
                        let reach = add(begin.clone(), reach);
                        let last = reach.min(end.clone());
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

/// The place of the first piece on a straight path that can be jumped over, or -1.
fn first_hurdle(
    code: &mut Emitter<'_>,
    [hurdle, go]: [&PerSite<'_>; 2],
    before: &Expr,
    paths: Paths,
    [path, start, end]: [Expr; 3],
) -> Local {
    let first = code.keep(Type::Int, int(-1));
    let sets = hurdle.sites.as_ref().zip(go.sites.as_ref()).zip(paths.ways);
    if let (Some(((hurdles, free), ways)), true) = (sets, *before != int(0)) {
        let way = ways::way(code, ways, path);
        let passed = free.clone().without(hurdles.clone());
        let site = ways::first_on(code, &way, way.sites.clone().without(passed));
        let is_hurdle = hurdles.clone().contains(site.clone());
        code.when(is_hurdle, |code| {
            code.bind(Iter::Between, site.clone());
            let gone = ways::up_to(code, &way, site, int(0));
            let gone = code.keep_int(gone.len());
            let near = gone.clone().at_most(before.clone());
            code.push(Stmt::If(near, vec![Stmt::Set(first, add(start, gone))], Block::new()));
        });
        return first;
    }
    code.for_range(start.clone(), end, |code, at| {
        let site = steps::site_on(code, paths, at);
        let is_hurdle = bools::holds(code, hurdle, site.clone());
        let found = vec![Stmt::Set(first, at.get()), Stmt::Break(1)];
        code.push(Stmt::If(is_hurdle, found, Block::new()));
        if *before == int(0) {
            code.push(Stmt::Break(1));
            return;
        }
        let gone = add(at.get() - start.clone(), int(1));
        let near = gone.at_most(before.clone());
        steps::break_unless(code, near);
        let free = bools::holds(code, go, site);
        steps::break_unless(code, free);
    });
    first
}

/// Whether a straight path from a site begins in a set, as far as that is known at once.
fn begins_among(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    from: &Expr,
    sites: Option<Expr>,
) -> Expr {
    match (&steps::by_piece(code, rays, from)[..], sites) {
        ([(_, id)], Some(sites)) => {
            let first = code.module.tables.in_place(code.game, *id, 0);
            !(first.at(from.clone()) & sites).is_empty()
        }
        _ => int(1),
    }
}

/// A hop over the first site of a path onto the second.
pub(super) fn short_hop(
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
        code.is_site(&over);
        let holds = bools::holds(code, hurdle, over);
        code.when(holds, |code| {
            let to = code.keep_int(paths.sites.at(second));
            code.is_site(&to);
            let free = bools::holds(code, go, to.clone());
            code.when(free, |code| {
                let extra = [path, int(0), int(1), int(1)];
                output::emit_move_with(code, source, [from.clone(), to, int(0)], &extra);
            });
        });
    });
}

/// A number, or 0 if it is less.
pub(super) fn at_least(n: Expr) -> Expr {
    match n {
        Expr::Int(n) => int(n.max(0)),
        n => n.max(int(0)),
    }
}

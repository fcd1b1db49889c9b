//! Jumps over pieces as code.

use kernel::ir::{Block, Expr, Local, Stmt, Type};

use super::arrays::{add, both, int};
use super::bools::PerSite;
use super::code::Emitter;
use super::tables::Paths;
use crate::ir::SourceKind;
use crate::ir::{ByPiece, Hop, Int, Iter, RayId};

impl Emitter<'_> {
    pub(super) fn hop(&mut self, hop: &Hop) {
        let source = self.source(SourceKind::Hop(Box::new(hop.clone())));
        let from = self.int(&hop.from);
        let from = self.keep_int(from);
        let here = hop.from == Int::Iter(Iter::From);
        let piece = self.piece.filter(|_| here);
        let real = match piece {
            Some(_) => int(1),
            None => from.clone().at_least(int(0)),
        };
        let origins = piece.and_then(|piece| self.origins_of_hop(hop, piece));
        let anywhere = origins.is_none();
        let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
        self.when(both(real, may), |code| {
            let saved = code.save([Iter::To, Iter::Between]);
            let outer = (!here).then(|| code.save([Iter::From]));
            if !here {
                code.bind(Iter::From, from.clone());
            }
            let numbers = [&hop.before, &hop.after, &hop.range.0, &hop.range.1].map(|n| {
                let n = code.int(n);
                code.keep_int(n)
            });
            let holds = hop.from_condition.as_ref().map_or(int(1), |c| code.bool(c));
            code.when(holds, |code| code.hops(hop, source, (from, anywhere), numbers));
            outer.iter().for_each(|outer| code.restore(outer));
            code.restore(&saved);
        });
    }

    /// Hops from a site: any one, or one of those that have been found to have something next to
    /// them that can be jumped over.
    fn hops(
        &mut self,
        hop: &Hop,
        source: i32,
        (from, anywhere): (Expr, bool),
        [before, after, min, max]: [Expr; 4],
    ) {
        let hurdle = self.per_site(Some(&hop.hurdle), Iter::Between);
        let go = self.per_site(Some(&hop.go), Iter::To);
        let none = match min {
            Expr::Int(min) => int(i32::from(min == 0)),
            ref min => min.clone().equals(int(0)),
        };
        self.when(none, |code| {
            code.of_jumps(&hop.jumps, &from, |code, to| {
                code.bind(Iter::Between, int(-1));
                let holds = code.holds(&go, to.clone());
                code.when(holds, |code| {
                    let none = [int(-1), int(0), int(0), int(0)];
                    code.give_with(source, [from.clone(), to, int(0)], &none);
                });
            });
        });
        let capture = hop.apply.as_ref().and_then(|a| a.condition.as_ref());
        let least = match min {
            Expr::Int(min) => int(min.max(1)),
            min => min.max(int(1)),
        };
        let least = self.keep_int(least);
        let some = match max {
            Expr::Int(max) => int(i32::from(max > 0)),
            ref max => max.clone().greater(int(0)),
        };
        let reached = |code: &mut Self| code.reaches(&hop.rays, &from);
        let near = match before {
            // Of other origins it is known.
            Expr::Int(0) if anywhere => self.begins_among(&hop.rays, &from, hurdle.sites.clone()),
            _ => int(1),
        };
        self.when(both(some, near), |code| {
            code.towards(reached, |code| {
                code.of_rays(&hop.rays, &from, |code, paths, [path, _, start, end]| {
                    let simple = [before == int(0), max == int(1), after == int(0)] == [true; 3];
                    if simple && capture.is_none() {
                        return code.short_hop(
                            source,
                            (&hurdle, &go),
                            &from,
                            paths,
                            [path, start, end],
                        );
                    }
                    let ends = [path.clone(), start.clone(), end.clone()];
                    let first = code.first_hurdle([&hurdle, &go], &before, paths, ends);
                    let found = first.get().at_least(int(0));
                    code.when(found, |code| {
                        let length = code.keep(Type::Int, int(1));
                        if max != int(1) {
                            let most = add(first.get(), max.clone());
                            let most = most.min(end.clone());
                            code.for_range(add(first.get(), int(1)), most, |code, at| {
                                let site = code.site_on(paths, at);
                                let holds = code.holds(&hurdle, site);
                                code.break_unless(holds);
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
                                let to = code.site_on(paths, at);
                                let give = |code: &mut Self, captured: Expr| {
                                    let first = first.get() - start.clone();
                                    let numbers = [path.clone(), first, length.get(), captured];
                                    let ends = [from.clone(), to.clone(), int(0)];
                                    code.give_with(source, ends, &numbers);
                                };
                                let free = code.holds(&go, to.clone());
                                code.when(!free, |code| {
                                    if let Some(capture) = capture {
                                        let takes = code.bool(capture);
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
        &mut self,
        [hurdle, go]: [&PerSite<'_>; 2],
        before: &Expr,
        paths: Paths,
        [path, start, end]: [Expr; 3],
    ) -> Local {
        let first = self.keep(Type::Int, int(-1));
        let sets = hurdle.sites.as_ref().zip(go.sites.as_ref()).zip(paths.ways);
        if let (Some(((hurdles, free), ways)), true) = (sets, *before != int(0)) {
            let way = self.way(ways, path);
            let passed = free.clone().without(hurdles.clone());
            let site = self.first_on(&way, way.sites.clone().without(passed));
            let is_hurdle = hurdles.clone().contains(site.clone());
            self.when(is_hurdle, |code| {
                code.bind(Iter::Between, site.clone());
                let gone = code.up_to(&way, site, int(0));
                let gone = code.keep_int(gone.len());
                let near = gone.clone().at_most(before.clone());
                code.push(Stmt::If(near, vec![Stmt::Set(first, add(start, gone))], Block::new()));
            });
            return first;
        }
        self.for_range(start.clone(), end, |code, at| {
            let site = code.site_on(paths, at);
            let is_hurdle = code.holds(hurdle, site.clone());
            let found = vec![Stmt::Set(first, at.get()), Stmt::Break(1)];
            code.push(Stmt::If(is_hurdle, found, Block::new()));
            if *before == int(0) {
                code.push(Stmt::Break(1));
                return;
            }
            let gone = add(at.get() - start.clone(), int(1));
            let near = gone.at_most(before.clone());
            code.break_unless(near);
            let free = code.holds(go, site);
            code.break_unless(free);
        });
        first
    }

    /// Whether a straight path from a site begins in a set, as far as that is known at once.
    fn begins_among(&mut self, rays: &ByPiece<RayId>, from: &Expr, sites: Option<Expr>) -> Expr {
        match (&self.by_piece(rays, from)[..], sites) {
            ([(_, id)], Some(sites)) => {
                let first = self.tables.in_place(self.game, *id, 0);
                !(first.at(from.clone()) & sites).is_empty()
            }
            _ => int(1),
        }
    }

    /// A hop over the first site of a path onto the second.
    pub(super) fn short_hop(
        &mut self,
        source: i32,
        (hurdle, go): (&PerSite<'_>, &PerSite<'_>),
        from: &Expr,
        paths: Paths,
        [path, start, end]: [Expr; 3],
    ) {
        let second = add(start.clone(), int(1));
        self.when(second.clone().less(end), |code| {
            let over = code.keep_int(paths.sites.at(start));
            code.is_site(&over);
            let holds = code.holds(hurdle, over);
            code.when(holds, |code| {
                let to = code.keep_int(paths.sites.at(second));
                code.is_site(&to);
                let free = code.holds(go, to.clone());
                code.when(free, |code| {
                    let extra = [path, int(0), int(1), int(1)];
                    code.give_with(source, [from.clone(), to, int(0)], &extra);
                });
            });
        });
    }
}

/// A number, or 0 if it is less.
pub(super) fn at_least(n: Expr) -> Expr {
    match n {
        Expr::Int(n) => int(n.max(0)),
        n => n.max(int(0)),
    }
}

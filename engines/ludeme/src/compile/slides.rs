//! Slides as code.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{add, both, int, state_set};
use super::bools::PerSite;
use super::code::Emitter;
use super::context::Sites;
use crate::ir::{ByPiece, Iter, RayId, Slide};
use crate::state::EMPTY;

/// Sites that a slide may end on though they cannot be passed, those that can, and those that it
/// may end on at all.
struct Ends {
    stop: Option<Expr>,
    go: Expr,
    only: Option<Expr>,
}

impl Emitter<'_> {
    pub(super) fn slide(&mut self, source: i32, slide: &Slide) {
        self.from_origin(&slide.from, slide.from_condition.as_ref(), |code, from| {
            let range = slide.range.as_ref().map(|(min, max)| {
                let (min, max) = (code.int(min), code.int(max));
                (code.keep_int(min), code.keep_int(max))
            });
            let stop = slide.stop.as_ref().map(|stop| code.per_site(Some(stop), Iter::To));
            let go = slide.go.as_ref().map(|go| code.per_site(Some(go), Iter::Between));
            let saved = code.save([Iter::To, Iter::Between]);
            let filter = slide.apply.as_ref().and_then(|a| a.condition.as_ref());
            let origins = code.piece.and_then(|piece| code.origins_of_slide(slide, piece));
            let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
            let reached = |code: &mut Self| code.reaches(&slide.rays, &from);
            code.when(may, |code| {
                code.towards(reached, |code| {
                    let sets = [stop.as_ref(), go.as_ref()];
                    if let Some(ends) = code.sites_along(source, slide, sets) {
                        return code.slide_along(source, slide, &from, &ends);
                    }
                    code.of_rays(&slide.rays, &from, |code, paths, [_, number, start, end]| {
                        let number = code.keep_int(number);
                        // On every path nothing has been passed yet.
                        code.restore(&saved[1..]);
                        code.save([Iter::Between]);
                        code.for_range(start.clone(), end, |code, at| {
                            let distance = add(at.get() - start.clone(), int(1));
                            let mut far_enough = int(1);
                            if let Some((min, max)) = &range {
                                let distance = code.keep_int(distance);
                                code.break_unless(distance.clone().at_most(max.clone()));
                                far_enough = distance.at_least(min.clone());
                            }
                            let to = code.site_on(paths, at);
                            code.bind(Iter::To, to.clone());
                            let give = |code: &mut Self| {
                                let holds = filter.map_or(int(1), |c| code.bool(c));
                                let (from, to, number) = (from.clone(), to.clone(), number.clone());
                                code.when(holds, |code| code.give(source, from, to, number));
                            };
                            // Asked on every site: some conditions leave something bound for later
                            // ones.
                            if let Some(stop) = &stop {
                                let stops = code.holds(stop, to.clone());
                                code.when(both(stops, far_enough.clone()), |code| {
                                    give(code);
                                    code.push(Stmt::Break(1));
                                });
                            }
                            code.bind(Iter::Between, to.clone());
                            let goes = match &go {
                                Some(go) => code.holds(go, to.clone()),
                                None => {
                                    state_set(int(crate::state::EMPTY as i32)).contains(to.clone())
                                }
                            };
                            code.break_unless(goes);
                            code.when(far_enough, give);
                        });
                    });
                });
            });
            code.restore(&saved);
        });
    }

    /// The sites where slides go and where they stop, if those of a source can be given path by
    /// path.
    fn sites_along(
        &mut self,
        source: i32,
        slide: &Slide,
        [stop, go]: [Option<&PerSite<'_>>; 2],
    ) -> Option<Ends> {
        let needs_path = slide.passed.is_some() || slide.trail.is_some() || self.game.asks_between;
        if slide.range.is_some() || needs_path || !self.gathers_many(source) {
            return None;
        }
        if !self.have_ways(&slide.rays) {
            return None;
        }
        let stop = match stop {
            Some(stop) => Some(stop.sites.clone()?),
            None => None,
        };
        let go = match go {
            Some(go) => go.sites.clone()?,
            None => self.once(Type::Set, state_set(int(EMPTY as i32))),
        };
        let filter = slide.apply.as_ref().and_then(|apply| apply.condition.as_ref());
        let only = match filter {
            Some(filter) => Some(self.per_site(Some(filter), Iter::To).sites?),
            None => None,
        };
        Some(Ends { stop, go, only })
    }

    /// Gives slides path by path.
    fn slide_along(
        &mut self,
        source: i32,
        slide: &Slide,
        from: &Expr,
        Ends { stop, go, only }: &Ends,
    ) {
        let at_once = self.may_reorder() && self.are_apart(&slide.rays);
        let all = self.keep(Type::Set, Expr::NoSites);
        self.of_rays(&slide.rays, from, |code, paths, [path, number, ..]| {
            let Some(ways) = paths.ways else { return code.fails = true };
            let way = code.way(ways, path);
            let blocker = code.first_on(&way, way.sites.clone().without(go.clone()));
            let stops = stop.as_ref().map_or(int(0), |stop| stop.clone().contains(blocker.clone()));
            let mut targets = code.up_to(&way, blocker, stops);
            if let Some(only) = only {
                targets = targets & only.clone();
            }
            if at_once {
                return code.push(Stmt::Set(all, all.get() | targets));
            }
            code.give_in_order(source, Some(from.clone()), (targets, way.ascends), number);
        });
        if at_once {
            self.tables.reordered = true;
            self.give_targets(source, Some(from.clone()), all.get(), int(0));
        }
    }

    /// True if no two paths from a site lead to the same site.
    fn are_apart(&self, rays: &ByPiece<RayId>) -> bool {
        let are_apart = |&id: &RayId| {
            let rays = self.game.ray(id);
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
}

//! Captures of what stands in line between two sites.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{add, both, choose, int};
use super::code::Emitter;
use super::fills::{Line, lines};
use super::hops::at_least;
use super::origins::union;
use crate::ir::{Binder, Bool, ByPiece, Custodial, Int, Iter, LeafKind, Moves, Place, RayId};

impl Emitter<'_> {
    /// Gives what becomes of the pieces between a site and others.
    pub(super) fn custodial(&mut self, custodial: &Custodial) {
        let from = self.int(&custodial.from);
        let from = self.keep_int(from);
        let (min, max) = (self.int(&custodial.range.0), self.int(&custodial.range.1));
        let (min, max) = (self.keep_int(at_least(min)), self.keep_int(at_least(max)));
        let target = self.per_site(Some(&custodial.target), Iter::Between);
        let saved = self.save([Iter::Between, Iter::To]);
        self.when(from.clone().at_least(int(0)), |code| {
            code.of_rays(
                &ByPiece::Same(custodial.rays),
                &from,
                |code, paths, [_, _, start, end]| {
                    let run = code.keep(Type::Int, int(0));
                    let most = add(start.clone(), max.clone()).min(end.clone());
                    code.for_range(start.clone(), most, |code, at| {
                        let site = code.site_on(paths, at);
                        let holds = code.holds(&target, site);
                        code.break_unless(holds);
                        code.push(Stmt::Set(run, add(run.get(), int(1))));
                    });
                    let some = both(run.get().greater(int(0)), run.get().at_least(min.clone()));
                    code.when(some, |code| {
                        let behind = code.keep_int(add(start.clone(), run.get()));
                        let on = behind.clone().less(end.clone());
                        let site = choose(on, paths.sites.at(behind), int(-1));
                        let site = code.keep_int(site);
                        let single = max.clone().equals(int(1));
                        let lost = both(single, site.clone().less(int(0)));
                        code.when(!lost, |code| {
                            code.bind(Iter::To, site);
                            let friend = code.bool(&custodial.friend);
                            code.when(friend, |code| {
                                let last = add(start.clone(), run.get());
                                code.for_range(start.clone(), last, |code, at| {
                                    let site = code.site_on(paths, at);
                                    code.bind(Iter::Between, site);
                                    code.around(Binder::Other, |code| {
                                        code.generate(&custodial.effect);
                                    });
                                });
                            });
                        });
                    });
                },
            );
        });
        self.restore(&saved);
    }

    /// What is captured in a row next to a site, on all straight paths from it.
    pub(super) fn directional(
        &mut self,
        rays: &ByPiece<RayId>,
        from: &Int,
        target: &Bool,
        effect: &Moves,
    ) {
        let from = self.int(from);
        let from = self.keep_int(from);
        let saved = self.save([Iter::From, Iter::To]);
        self.when(from.clone().at_least(int(0)), |code| {
            code.of_rays(rays, &from, |code, paths, [_, _, start, end]| {
                code.bind(Iter::From, int(-1));
                code.for_range(start, end, |code, at| {
                    let site = code.site_on(paths, at);
                    code.bind(Iter::To, site);
                    let holds = code.bool(target);
                    code.break_unless(holds);
                    code.around(Binder::Other, |code| code.generate(effect));
                });
            });
        });
        self.restore(&saved);
    }

    /// The sites of the game from which something would be captured; `None` where that is not found
    /// out for all of them at once.
    pub(super) fn captures_from(&mut self, custodial: &Custodial, site: &Int) -> Option<Expr> {
        let Custodial { rays, from, range, target, effect, friend } = custodial;
        let lines = lines(self.game.ray(*rays))?;
        let longest = lines.iter().map(|line| line.longest).max()?;
        let all = |most: &Int| matches!(most, Int::Const(most) if *most >= longest as i32);
        let any = matches!(range.0, Int::Const(..=1)) && longest > 1 && all(&range.1);
        if from != site
            || !any
            || !friend.wants_piece(&Int::Iter(Iter::To))
            || !self.always_gives(effect)
        {
            return None;
        }
        let target = self.sites_where(target, &Int::Iter(Iter::Between))?;
        let friend = self.sites_where(friend, &Int::Iter(Iter::To))?;
        let (target, friend) = (self.set_once(target), self.set_once(friend));
        lines.into_iter().try_fold(Expr::NoSites, |found, line| {
            // From friends back through what can be captured.
            let Line { distance, ends, longest } = line;
            let back = Line { distance: -distance, ends: ends.shifted(-distance), longest };
            let (ends, starts) = (self.fixed(ends), self.fixed(back.ends));
            let free = target.clone() & starts.clone();
            let beside = (friend.clone() & ends.clone()).shift(-distance);
            let last = self.set_once(free.clone() & beside);
            let captured = self.filled(&back, &last, free, Self::set_once);
            let from = (captured & ends).shift(-distance) & starts;
            Some(union(found, from))
        })
    }

    /// True if an effect changes something on every site.
    fn always_gives(&self, effect: &Moves) -> bool {
        let Moves::Leaf(leaf) = effect else { return false };
        let between = Int::Iter(Iter::Between);
        match &leaf.kind {
            LeafKind::Promote { site, pieces } => {
                *site == between && pieces.iter().any(|piece| self.game.is_real(piece))
            }
            LeafKind::Remove { place, .. } => **place == Place::Site(between),
            _ => false,
        }
    }
}

//! Where the pieces stand that may have a move, worked out for all of them at once.
//!
//! A table of steps falls apart into a few distances: from each site of a mask there is a step to the
//! site so many numbers further on. So the sites from which a step leads into a set are a union of
//! shifted sets, one for each distance; pieces elsewhere need not be asked.

use std::collections::BTreeMap;

use kernel::ir::{Expr, Type};

use super::code::{Code, int, state_set};
use crate::ir::{
    Apply, Bool, ByPiece, CompositeKind, Hop, Int, Iter, Leaf, LeafKind, Moves, Slide,
};
use crate::set::Set;

/// Distances beyond which pieces are asked one by one.
const MOST_DISTANCES: usize = 16;

/// Words of sets beyond which pieces are asked one by one.
const MOST_WORDS: usize = 6;

impl<const W: usize> Code<'_, W> {
    /// Sites outside of which no piece of a component has a move by a generator; `None` if it may have one
    /// anywhere.
    pub(super) fn origins(&mut self, moves: &Moves, component: u16) -> Option<Expr> {
        if W > MOST_WORDS {
            return None;
        }
        match moves {
            Moves::None => Some(Expr::NoSites),
            Moves::Leaf(leaf) => self.origins_of_leaf(leaf, component),
            Moves::All(list) | Moves::Priority(list) => {
                let mut all = Expr::NoSites;
                for moves in list {
                    let more = self.origins(moves, component)?;
                    all = union(all, more);
                }
                Some(all)
            }
            Moves::If(parts) => {
                let a = self.origins(&parts.1, component)?;
                let b = self.origins(&parts.2, component)?;
                Some(union(a, b))
            }
            Moves::IfAfterwards(parts) => self.origins(&parts.0, component),
            Moves::Composite(composite) => match &composite.kind {
                CompositeKind::Hop(hop) => self.origins_of_hop(hop, component),
                CompositeKind::Then(moves) => self.origins(moves, component),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn origins_of_leaf(&mut self, leaf: &Leaf, component: u16) -> Option<Expr> {
        match &leaf.kind {
            LeafKind::Jump { jumps, from: Int::Iter(Iter::From), condition, .. } => {
                let jumps = self.game.jump(jumps.of(usize::from(component))?);
                let steps = (0..jumps.sites())
                    .flat_map(|site| jumps.of(site).iter().map(move |&to| (site, to)))
                    .collect();
                let targets = self.sites_at_most(condition.as_ref()?, Iter::To)?;
                self.before(steps, targets)
            }
            LeafKind::Slide(slide) => self.origins_of_slide(slide, component),
            _ => None,
        }
    }

    pub(super) fn origins_of_slide(&mut self, slide: &Slide, component: u16) -> Option<Expr> {
        let Slide { rays, from: Int::Iter(Iter::From), go, stop, .. } = slide else {
            return None;
        };
        let go = match go {
            Some(go) => self.sites_at_most(go, Iter::Between)?,
            None => state_set(int(crate::state::EMPTY as i32)),
        };
        let first = match stop {
            Some(stop) => {
                let stop = self.sites_at_most(stop, Iter::To)?;
                union(go, stop)
            }
            None => go,
        };
        let steps = self.first_steps(rays, component)?;
        self.before(steps, first)
    }

    pub(super) fn origins_of_hop(&mut self, hop: &Hop, component: u16) -> Option<Expr> {
        let Hop {
            rays,
            from: Int::Iter(Iter::From),
            before: Int::Const(0),
            after,
            range: (Int::Const(1..), max),
            hurdle,
            go,
            apply,
            ..
        } = hop
        else {
            return None;
        };
        let captures = matches!(apply, Some(Apply { condition: Some(_), .. }));
        let short = *max == Int::Const(1) && *after == Int::Const(0) && !captures;
        let hurdle = self.sites_at_most(hurdle, Iter::Between)?;
        let landing = if short { self.sites_at_most(go, Iter::To) } else { None };
        let Some(landing) = landing else {
            let steps = self.first_steps(rays, component)?;
            return self.before(steps, hurdle);
        };
        let rays = self.game.ray(rays.of(usize::from(component))?);
        let mut by_distance: BTreeMap<(i32, i32), Set<W>> = BTreeMap::new();
        for site in 0..rays.sites() {
            for ray in rays.of(site) {
                let [over, to, ..] = ray[..] else { continue };
                let distance = |to: u16| i32::from(to) - site as i32;
                let distances = (distance(over), distance(to));
                by_distance.entry(distances).or_default().insert(site);
            }
        }
        if by_distance.len() > MOST_DISTANCES {
            return None;
        }
        let (hurdle, landing) = (self.once(Type::Set, hurdle), self.once(Type::Set, landing));
        let all = by_distance.into_iter().fold(Expr::NoSites, |all, ((over, to), from)| {
            let from = self.fixed(from);
            let over = hurdle.clone().shift(-over);
            let to = landing.clone().shift(-to);
            union(all, from & (over & to))
        });
        Some(self.once(Type::Set, all))
    }

    /// The first sites of straight paths, with their origins.
    fn first_steps(
        &self,
        rays: &ByPiece<crate::ir::RayId>,
        component: u16,
    ) -> Option<Vec<(usize, u16)>> {
        let rays = self.game.ray(rays.of(usize::from(component))?);
        let first = |site| rays.of(site).filter_map(move |ray| Some((site, *ray.first()?)));
        Some((0..rays.sites()).flat_map(first).collect())
    }

    /// The sites from which one of some steps leads into a set.
    fn before(&mut self, steps: Vec<(usize, u16)>, targets: Expr) -> Option<Expr> {
        let mut by_distance: BTreeMap<i32, Set<W>> = BTreeMap::new();
        for (site, to) in steps {
            by_distance.entry(i32::from(to) - site as i32).or_default().insert(site);
        }
        if by_distance.len() > MOST_DISTANCES {
            return None;
        }
        let targets = self.once(Type::Set, targets);
        let all = by_distance.into_iter().fold(Expr::NoSites, |all, (distance, from)| {
            let from = self.fixed(from);
            let shifted = targets.clone().shift(-distance);
            union(all, from & shifted)
        });
        Some(self.once(Type::Set, all))
    }

    /// Sites outside of which a condition does not hold, where they are known at once.
    fn sites_at_most(&mut self, condition: &Bool, iter: Iter) -> Option<Expr> {
        if let Some(sites) = self.sites_where(condition, iter) {
            return Some(sites);
        }
        let Bool::And(list) = condition else { return None };
        let mut known = list.iter().filter_map(|c| self.sites_where(c, iter)).collect::<Vec<_>>();
        let first = known.pop()?;
        Some(known.into_iter().fold(first, |all, sites| all & sites))
    }
}

fn union(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::NoSites, b) => b,
        (a, Expr::NoSites) => a,
        (a, b) => a | b,
    }
}

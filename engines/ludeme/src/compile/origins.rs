//! Where the pieces stand that may have a move, worked out for all of them at once.
//!
//! A table of steps falls apart into a few distances: from each site of a mask there is a step to
//! the site so many numbers further on. So the sites from which a step leads into a set are a union
//! of shifted sets, one for each distance; pieces elsewhere need not be asked.

use std::collections::BTreeMap;

use kernel::ir::{Expr, Type};

use super::arrays::{int, state_set};
use super::code::Emitter;
use super::context::Context;
use super::context::Sites;
use crate::ir::{
    Apply, Bool, ByPiece, CompositeKind, Hop, Int, Iter, JumpId, Leaf, LeafKind, Moves, Slide, Walk,
};

/// Distances beyond which pieces are asked one by one.
const MOST_DISTANCES: usize = 16;

impl Emitter<'_> {
    /// Sites outside of which no piece of a component has a move by a generator; `None` if it may
    /// have one anywhere.
    pub(super) fn origins(&mut self, moves: &Moves, component: u16) -> Option<Expr> {
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
                let steps = self.steps(jumps, component)?;
                let condition = condition.as_ref()?;
                let targets = self.sites_at_most(condition, &Int::Iter(Iter::To))?;
                self.origins_over(condition, &steps, &targets)
                    .or_else(|| self.before(steps, targets))
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
            Some(go) => self.sites_at_most(go, &Int::Iter(Iter::Between))?,
            None => state_set(int(crate::state::EMPTY as i32)),
        };
        let first = match stop {
            Some(stop) => {
                let stop = self.sites_at_most(stop, &Int::Iter(Iter::To))?;
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
        let hurdle = self.sites_at_most(hurdle, &Int::Iter(Iter::Between))?;
        let landing = short.then(|| self.sites_at_most(go, &Int::Iter(Iter::To))).flatten();
        let Some(landing) = landing else {
            let steps = self.first_steps(rays, component)?;
            return self.before(steps, hurdle);
        };
        let rays = self.game.ray(rays.of(usize::from(component))?);
        let hops = (0..rays.sites()).flat_map(|site| {
            let two = move |ray: &[u16]| Some((site, *ray.first()?, *ray.get(1)?));
            rays.of(site).filter_map(two)
        });
        self.before_hops(hops, hurdle, landing)
    }

    /// As [`Emitter::origins_of_hop`], of hops that were lowered as steps: what they jump over
    /// follows from both ends. `None` for other steps.
    fn origins_over(
        &mut self,
        condition: &Bool,
        steps: &[(usize, u16)],
        landing: &Expr,
    ) -> Option<Expr> {
        let middle = middle(condition)?;
        let hops = hops_over(self.game, middle, steps)?;
        let hurdle = self.sites_at_most(condition, middle)?;
        self.before_hops(hops, hurdle, landing.clone())
    }

    /// All steps of a component, each with its origin.
    pub(super) fn steps(
        &self,
        jumps: &ByPiece<JumpId>,
        component: u16,
    ) -> Option<Vec<(usize, u16)>> {
        Some(self.game.jump(jumps.of(usize::from(component))?).all().collect())
    }

    /// The sites from which there are hops, each with its origin, over a site of a set to a site of
    /// another.
    fn before_hops(
        &mut self,
        hops: impl IntoIterator<Item = (usize, u16, u16)>,
        hurdle: Expr,
        landing: Expr,
    ) -> Option<Expr> {
        let mut by_distance: BTreeMap<(i32, i32), Sites> = BTreeMap::new();
        for (from, over, to) in hops {
            let distance = |to: u16| i32::from(to) - from as i32;
            by_distance.entry((distance(over), distance(to))).or_default().insert(from);
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
        Some(self.game.ray(rays.of(usize::from(component))?).in_place(0).collect())
    }

    /// The sites from which one of some steps leads into a set.
    fn before(&mut self, steps: Vec<(usize, u16)>, targets: Expr) -> Option<Expr> {
        let targets = self.once(Type::Set, targets);
        let all = self.before_at_once(steps, &targets, MOST_DISTANCES)?;
        Some(self.once(Type::Set, all))
    }

    /// As [`Emitter::before`], of a set that is worked out already; `None` if the steps have more
    /// distances than so many.
    pub(super) fn before_at_once(
        &mut self,
        steps: impl IntoIterator<Item = (usize, u16)>,
        targets: &Expr,
        most: usize,
    ) -> Option<Expr> {
        let mut by_distance: BTreeMap<i32, Sites> = BTreeMap::new();
        for (site, to) in steps {
            by_distance.entry(i32::from(to) - site as i32).or_default().insert(site);
        }
        (by_distance.len() <= most).then(|| {
            by_distance.into_iter().fold(Expr::NoSites, |all, (distance, from)| {
                union(all, self.fixed(from) & targets.clone().shift(-distance))
            })
        })
    }

    /// Sites outside of which a condition does not hold, where they are known at once.
    pub(super) fn sites_at_most(&mut self, condition: &Bool, site: &Int) -> Option<Expr> {
        if let Some(sites) = self.sites_where(condition, site) {
            return Some(sites);
        }
        let Bool::And(list) = condition else { return None };
        let mut known = list.iter().filter_map(|c| self.sites_at_most(c, site)).collect::<Vec<_>>();
        let first = known.pop()?;
        Some(known.into_iter().fold(first, |all, sites| all & sites))
    }
}

/// Steps with what they jump over, which both ends fix; `None` if that is no site.
pub(super) fn hops_over(
    game: &Context<'_>,
    middle: &Int,
    steps: &[(usize, u16)],
) -> Option<Vec<(usize, u16, u16)>> {
    let over = |&(from, to): &(usize, u16)| {
        Some((from, u16::try_from((game.fixed)(middle, from, to)).ok()?, to))
    };
    steps.iter().map(over).collect()
}

/// The site that a condition asks for beside both ends of a move, if it is fixed by them.
pub(super) fn middle(condition: &Bool) -> Option<&Int> {
    match condition {
        Bool::And(list) | Bool::Or(list) => list.iter().find_map(middle),
        Bool::Not(inner) => middle(inner),
        Bool::IsEnemy(of) | Bool::IsFriend(of) | Bool::IsEmpty(of) | Bool::IsOccupied(of) => at(of),
        Bool::Compare(_, pair) if matches!(pair.0, Int::At { .. }) => at(&pair.0),
        _ => None,
    }
}

fn at(of: &Int) -> Option<&Int> {
    match of {
        Int::At { at, .. } => self::at(at),
        Int::Const(_) | Int::Iter(_) => None,
        of => of.is_fixed().then_some(of),
    }
}

pub(super) fn union(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::NoSites, b) => b,
        (a, Expr::NoSites) => a,
        (a, b) => a | b,
    }
}

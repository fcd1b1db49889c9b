//! Where the pieces stand that may have a move, worked out for all of them at once.
//!
//! A table of steps falls apart into a few distances: from each site of a mask there is a step to
//! the site so many numbers further on. So the sites from which a step leads into a set are a union
//! of shifted sets, one for each distance; pieces elsewhere need not be asked.

use std::collections::BTreeMap;

use kernel::ir::{Expr, Type};

use super::arrays::{int, state_set};
use super::context::{Context, Sites};
use super::emitter::Emitter;
use super::{bools, regions};
use crate::ir::{
    Apply, Bool, ByPiece, CompositeKind, Hop, Int, Iter, JumpId, Leaf, LeafKind, Moves, Slide, Walk,
};

/// Distances beyond which pieces are asked one by one.
const MOST_DISTANCES: usize = 16;

/// Sites outside of which no piece of a component has a move by a generator; `None` if it may
/// have one anywhere.
pub(super) fn origins(code: &mut Emitter<'_>, moves: &Moves, component: u16) -> Option<Expr> {
    match moves {
        Moves::None => Some(Expr::NoSites),
        Moves::Leaf(leaf) => origins_of_leaf(code, leaf, component),
        Moves::All(list) | Moves::Priority(list) => {
            let mut all = Expr::NoSites;
            for moves in list {
                let more = origins(code, moves, component)?;
                all = union(all, more);
            }
            Some(all)
        }
        Moves::If(parts) => {
            let a = origins(code, &parts.1, component)?;
            let b = origins(code, &parts.2, component)?;
            Some(union(a, b))
        }
        Moves::IfAfterwards(parts) => origins(code, &parts.0, component),
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Hop(hop) => origins_of_hop(code, hop, component),
            CompositeKind::Then(moves) => origins(code, moves, component),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn origins_of_leaf(code: &mut Emitter<'_>, leaf: &Leaf, component: u16) -> Option<Expr> {
    match &leaf.kind {
        LeafKind::Jump { jumps, from: Int::Iter(Iter::From), condition, .. } => {
            let steps = steps(code, jumps, component)?;
            let condition = condition.as_ref()?;
            let targets = sites_at_most(code, condition, &Int::Iter(Iter::To))?;
            origins_over(code, condition, &steps, &targets).or_else(|| before(code, steps, targets))
        }
        LeafKind::Slide(slide) => origins_of_slide(code, slide, component),
        _ => None,
    }
}

pub(super) fn origins_of_slide(
    code: &mut Emitter<'_>,
    slide: &Slide,
    component: u16,
) -> Option<Expr> {
    let Slide { rays, from: Int::Iter(Iter::From), go, stop, .. } = slide else {
        return None;
    };
    let go = match go {
        Some(go) => sites_at_most(code, go, &Int::Iter(Iter::Between))?,
        None => state_set(int(crate::state::EMPTY as i32)),
    };
    let first = match stop {
        Some(stop) => {
            let stop = sites_at_most(code, stop, &Int::Iter(Iter::To))?;
            union(go, stop)
        }
        None => go,
    };
    let steps = first_steps(code, rays, component)?;
    before(code, steps, first)
}

pub(super) fn origins_of_hop(code: &mut Emitter<'_>, hop: &Hop, component: u16) -> Option<Expr> {
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
    let hurdle = sites_at_most(code, hurdle, &Int::Iter(Iter::Between))?;
    let landing = short.then(|| sites_at_most(code, go, &Int::Iter(Iter::To))).flatten();
    let Some(landing) = landing else {
        let steps = first_steps(code, rays, component)?;
        return before(code, steps, hurdle);
    };
    let rays = code.game.ray(rays.of(usize::from(component))?);
    let hops = (0..rays.sites()).flat_map(|site| {
        let two = move |ray: &[u16]| Some((site, *ray.first()?, *ray.get(1)?));
        rays.of(site).filter_map(two)
    });
    before_hops(code, hops, hurdle, landing)
}

/// As [`origins_of_hop`], of hops that were lowered as steps: what they jump over
/// follows from both ends. `None` for other steps.
fn origins_over(
    code: &mut Emitter<'_>,
    condition: &Bool,
    steps: &[(usize, u16)],
    landing: &Expr,
) -> Option<Expr> {
    let middle = middle(condition)?;
    let hops = hops_over(code.game, middle, steps)?;
    let hurdle = sites_at_most(code, condition, middle)?;
    before_hops(code, hops, hurdle, landing.clone())
}

/// All steps of a component, each with its origin.
pub(super) fn steps(
    code: &Emitter<'_>,
    jumps: &ByPiece<JumpId>,
    component: u16,
) -> Option<Vec<(usize, u16)>> {
    Some(code.game.jump(jumps.of(usize::from(component))?).all().collect())
}

/// The sites from which there are hops, each with its origin, over a site of a set to a site of
/// another.
fn before_hops(
    code: &mut Emitter<'_>,
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
    let (hurdle, landing) = (code.once(Type::Set, hurdle), code.once(Type::Set, landing));
    let all = by_distance.into_iter().fold(Expr::NoSites, |all, ((over, to), from)| {
        let from = regions::fixed(code, from);
        let over = hurdle.clone().shift(-over);
        let to = landing.clone().shift(-to);
        union(all, from & (over & to))
    });
    Some(code.once(Type::Set, all))
}

/// The first sites of straight paths, with their origins.
fn first_steps(
    code: &Emitter<'_>,
    rays: &ByPiece<crate::ir::RayId>,
    component: u16,
) -> Option<Vec<(usize, u16)>> {
    Some(code.game.ray(rays.of(usize::from(component))?).in_place(0).collect())
}

/// The sites from which one of some steps leads into a set.
fn before(code: &mut Emitter<'_>, steps: Vec<(usize, u16)>, targets: Expr) -> Option<Expr> {
    let targets = code.once(Type::Set, targets);
    let all = before_at_once(code, steps, &targets, MOST_DISTANCES)?;
    Some(code.once(Type::Set, all))
}

/// As [`before`], of a set that is worked out already; `None` if the steps have more
/// distances than so many.
pub(super) fn before_at_once(
    code: &mut Emitter<'_>,
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
            union(all, regions::fixed(code, from) & targets.clone().shift(-distance))
        })
    })
}

/// Sites outside of which a condition does not hold, where they are known at once.
pub(super) fn sites_at_most(code: &mut Emitter<'_>, condition: &Bool, site: &Int) -> Option<Expr> {
    if let Some(sites) = bools::sites_where(code, condition, site) {
        return Some(sites);
    }
    let Bool::And(list) = condition else { return None };
    let mut known = list.iter().filter_map(|c| sites_at_most(code, c, site)).collect::<Vec<_>>();
    let first = known.pop()?;
    Some(known.into_iter().fold(first, |all, sites| all & sites))
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

//! The sites of pieces that may have a move, as one set for all pieces of a component.
//!
//! A table of steps consists of a few distances: from each site of a mask a step leads to the site
//! whose number is larger by the distance. So the sites from which a step leads into a set are a
//! union of shifted sets, one for each distance. Generators skip pieces on other sites.

use std::collections::BTreeMap;

use kernel::ir::Expr;

use super::arrays::{int, state_set};
use super::context::{Context, Sites};
use super::emitter::Emitter;
use super::{bools, regions};
use crate::ir::{
    Apply, Bool, ByPiece, CompositeKind, Hop, Int, Iter, JumpId, Leaf, LeafKind, Moves, RayId,
    Slide, Walk,
};
use crate::state::EMPTY;

/// The most distances of a table for which this pays.
const MOST_DISTANCES: usize = 16;

/// A set of sites outside of which no piece of a component has a move by a generator; `None` if it
/// may have one anywhere.
pub(super) fn of_generator(code: &mut Emitter<'_>, moves: &Moves, component: u16) -> Option<Expr> {
    match moves {
        Moves::None => Some(Expr::NoSites),
        Moves::Leaf(leaf) => of_leaf(code, leaf, component),
        Moves::All(list) | Moves::Priority(list) => {
            let mut all = Expr::NoSites;
            for moves in list {
                all = union(all, of_generator(code, moves, component)?);
            }
            Some(all)
        }
        Moves::If(parts) => {
            let a = of_generator(code, &parts.1, component)?;
            Some(union(a, of_generator(code, &parts.2, component)?))
        }
        Moves::IfAfterwards(parts) => of_generator(code, &parts.0, component),
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Hop(hop) => of_hop(code, hop, component),
            CompositeKind::Then(moves) => of_generator(code, moves, component),
            _ => None,
        },
        _ => None,
    }
}

/// As [`of_generator`], for a simple generator.
pub(super) fn of_leaf(code: &mut Emitter<'_>, leaf: &Leaf, component: u16) -> Option<Expr> {
    match &leaf.kind {
        LeafKind::Jump { jumps, from: Int::Iter(Iter::From), condition, .. } => {
            let steps = steps(code, jumps, component)?;
            let condition = condition.as_ref()?;
            let targets = sites_at_most(code, condition, &Int::Iter(Iter::To))?;
            origins_over(code, condition, &steps, &targets)
                .or_else(|| origins_into(code, steps, targets))
        }
        LeafKind::Slide(slide) => of_slide(code, slide, component),
        _ => None,
    }
}

/// As [`of_generator`], for slides.
pub(super) fn of_slide(code: &mut Emitter<'_>, slide: &Slide, component: u16) -> Option<Expr> {
    let Slide { rays, from: Int::Iter(Iter::From), go, stop, .. } = slide else {
        return None;
    };
    let go = match go {
        Some(go) => sites_at_most(code, go, &Int::Iter(Iter::Between))?,
        None => state_set(int(EMPTY as i32)),
    };
    let first = match stop {
        Some(stop) => union(go, sites_at_most(code, stop, &Int::Iter(Iter::To))?),
        None => go,
    };
    let steps = first_steps(code, rays, component)?;
    origins_into(code, steps, first)
}

/// As [`of_generator`], for hops.
pub(super) fn of_hop(code: &mut Emitter<'_>, hop: &Hop, component: u16) -> Option<Expr> {
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
        return origins_into(code, steps, hurdle);
    };
    let rays = code.game.ray(rays.of(usize::from(component))?);
    let hops = (0..rays.sites()).flat_map(|site| {
        let two = move |ray: &[u16]| Some((site, *ray.first()?, *ray.get(1)?));
        rays.of(site).filter_map(two)
    });
    origins_of_hops(code, hops, hurdle, landing)
}

/// As [`of_hop`], for hops that were lowered as steps, whose ends determine the site that they jump
/// over. `None` for other steps.
fn origins_over(
    code: &mut Emitter<'_>,
    condition: &Bool,
    steps: &[(usize, u16)],
    landing: &Expr,
) -> Option<Expr> {
    let middle = middle(condition)?;
    let hops = hops_over(code.game, middle, steps)?;
    let hurdle = sites_at_most(code, condition, middle)?;
    origins_of_hops(code, hops, hurdle, landing.clone())
}

/// All steps of a component, each with its origin.
pub(super) fn steps(
    code: &Emitter<'_>,
    jumps: &ByPiece<JumpId>,
    component: u16,
) -> Option<Vec<(usize, u16)>> {
    Some(code.game.jump(jumps.of(usize::from(component))?).all().collect())
}

/// The origins of hops over a site of one set to a site of another.
fn origins_of_hops(
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
    let (hurdle, landing) = (code.hoist(hurdle), code.hoist(landing));
    let all = by_distance.into_iter().fold(Expr::NoSites, |all, ((over, to), from)| {
        let from = regions::fixed(code, from);
        union(all, from & (hurdle.clone().shift(-over) & landing.clone().shift(-to)))
    });
    Some(code.hoist(all))
}

/// The steps to the first sites of straight paths, each with its origin.
fn first_steps(code: &Emitter<'_>, rays: &ByPiece<RayId>, piece: u16) -> Option<Vec<(usize, u16)>> {
    Some(code.game.ray(rays.of(usize::from(piece))?).in_place(0).collect())
}

/// The origins of steps into a set.
fn origins_into(code: &mut Emitter<'_>, steps: Vec<(usize, u16)>, targets: Expr) -> Option<Expr> {
    let targets = code.hoist(targets);
    let all = shifted_back(code, steps, &targets, MOST_DISTANCES)?;
    Some(code.hoist(all))
}

/// As [`origins_into`], for a set in a variable; `None` if the steps have more than `most`
/// distances.
pub(super) fn shifted_back(
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

/// A set of sites outside of which a condition does not hold; `None` if it has no form as a set.
pub(super) fn sites_at_most(code: &mut Emitter<'_>, condition: &Bool, site: &Int) -> Option<Expr> {
    if let Some(sites) = bools::sites_where(code, condition, site) {
        return Some(sites);
    }
    let Bool::And(list) = condition else { return None };
    let mut sets = list.iter().filter_map(|c| sites_at_most(code, c, site)).collect::<Vec<_>>();
    let first = sets.pop()?;
    Some(sets.into_iter().fold(first, |all, sites| all & sites))
}

/// Steps with the site that each jumps over, by the formula `middle` of both ends; `None` if it is
/// no site for some of them.
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

/// The site between the ends of a move that a condition reads, if both ends determine it.
pub(super) fn middle(condition: &Bool) -> Option<&Int> {
    match condition {
        Bool::And(list) | Bool::Or(list) => list.iter().find_map(middle),
        Bool::Not(inner) => middle(inner),
        Bool::IsEnemy(number)
        | Bool::IsFriend(number)
        | Bool::IsEmpty(number)
        | Bool::IsOccupied(number) => site_read(number),
        Bool::Compare(_, pair) if matches!(pair.0, Int::At { .. }) => site_read(&pair.0),
        _ => None,
    }
}

/// The site that a number reads, if both ends of a move determine it.
fn site_read(number: &Int) -> Option<&Int> {
    match number {
        Int::At { at, .. } => site_read(at),
        Int::Const(_) | Int::Iter(_) => None,
        number => number.is_fixed().then_some(number),
    }
}

/// The union of two sets, folded if one is empty.
pub(super) fn union(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::NoSites, b) => b,
        (a, Expr::NoSites) => a,
        (a, b) => a | b,
    }
}

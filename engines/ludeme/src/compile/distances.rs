//! Set-wise move generation: the moves of all pieces of a component over one distance are one
//! shifted set.
//!
//! A table of steps consists of a few distances, as in `origins`. The destinations over one
//! distance are the set of the pieces, shifted, among the sites where a step may end. Slides along
//! paths whose sites are equally far apart are fills. The origin of such a move is the first piece
//! behind its destination. So moves come distance by distance, while the evaluator generates them
//! piece by piece.
//!
//! On boards whose rows differ in length, steps in one direction have several distances. Distances
//! whose steps end on different sites share an entry, and a row of a table has the origin for each
//! destination.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kernel::ir::Expr;

use super::arrays::{int, state_set};
use super::context::Sites;
use super::emitter::Emitter;
use super::fills::{Line, lines};
use super::origins::{hops_over, middle};
use super::{bools, fills, origins, output, regions};
use crate::ir::{
    Binder, Bool, CompositeKind, Int, Iter, Leaf, LeafKind, Moves, Region, Slide, SourceKind,
    Wrapper,
};
use crate::lower::Feature;
use crate::state::EMPTY;

/// The number of pieces assumed for a component that is not on the board when the game begins.
const USUAL_PIECES: usize = 6;

/// The steps over one distance, and their destinations.
struct Class {
    /// The distance of the site that the steps jump over, if they jump.
    over: Option<i32>,
    distance: i32,
    ends: Sites,
}

/// Writes set-wise code for those moves of the pieces of a component that have it. Returns the
/// generator of the rest.
pub(super) fn emit<'m>(
    code: &mut Emitter<'_>,
    moves: &'m Moves,
    component: u16,
    sites: &Expr,
) -> Cow<'m, Moves> {
    if !may_reorder(code) {
        return Cow::Borrowed(moves);
    }
    code.scope.binders.push(Binder::Piece);
    let rest = part_by_distance(code, moves, component, sites);
    code.scope.binders.pop();
    Cow::Owned(rest)
}

/// True if moves may be gathered in another order than the evaluator's.
pub(super) fn may_reorder(code: &Emitter<'_>) -> bool {
    let gathers = code.is_gathered();
    // In a game of chance the order of moves decides which draw belongs to which move.
    gathers && !code.module.is_in_order() && !code.game.has(Feature::Chance)
}

/// As [`emit`], with the loop over pieces noted.
fn part_by_distance(code: &mut Emitter<'_>, moves: &Moves, component: u16, sites: &Expr) -> Moves {
    match moves {
        Moves::Leaf(leaf) => {
            let given = match &leaf.kind {
                LeafKind::Jump { .. } => steps_by_distance(code, leaf, component, sites),
                LeafKind::Slide(slide) => slides_by_distance(code, leaf, slide, component, sites),
                _ => None,
            };
            given.map_or_else(|| moves.clone(), |()| Moves::None)
        }
        Moves::All(list) => {
            let parts = list.iter().map(|m| part_by_distance(code, m, component, sites));
            let mut rest: Vec<_> = parts.filter(|rest| *rest != Moves::None).collect();
            match rest.len() {
                0 => Moves::None,
                1 => rest.remove(0),
                _ => Moves::All(rest.into()),
            }
        }
        Moves::If(parts) => {
            let Some(apart) = bools::sites_where(code, &parts.0, &Int::Iter(Iter::From)) else {
                return moves.clone();
            };
            let apart = code.hoist(apart);
            let then = code.keep_set(sites.clone() & apart.clone());
            let then = part_by_distance(code, &parts.1, component, &then);
            let otherwise = code.keep_set(sites.clone().without(apart));
            let otherwise = part_by_distance(code, &parts.2, component, &otherwise);
            match (then, otherwise) {
                (Moves::None, Moves::None) => Moves::None,
                (then, otherwise) => Moves::If(Box::new((parts.0.clone(), then, otherwise))),
            }
        }
        Moves::Composite(composite) if !composite.then.is_empty() => match &composite.kind {
            CompositeKind::Then(inner) => {
                code.scope.wrappers.push(Wrapper::Then(composite.then.clone()));
                let rest = part_by_distance(code, inner, component, sites);
                code.scope.wrappers.pop();
                if rest == Moves::None {
                    return rest;
                }
                let mut composite = composite.clone();
                composite.kind = CompositeKind::Then(rest);
                Moves::Composite(composite)
            }
            _ => moves.clone(),
        },
        _ => moves.clone(),
    }
}

/// The sites of a set for which a condition on the origin holds; `None` if it has no form as a set.
fn origins_where(code: &mut Emitter<'_>, condition: Option<&Bool>, sites: &Expr) -> Option<Expr> {
    let Some(condition) = condition else { return Some(sites.clone()) };
    let holding = bools::sites_where(code, condition, &Int::Iter(Iter::From))?;
    Some(code.keep_set(sites.clone() & holding))
}

/// Writes set-wise code for steps; `None` if they have none, or if it does not pay.
fn steps_by_distance(code: &mut Emitter<'_>, leaf: &Leaf, piece: u16, sites: &Expr) -> Option<()> {
    let LeafKind::Jump { jumps, from: Int::Iter(Iter::From), from_condition, condition, .. } =
        &leaf.kind
    else {
        return None;
    };
    let steps = origins::steps(code, jumps, piece)?;
    let classes = classes(code, condition.as_ref(), &steps);
    if 2 * pieces_of(code, piece) < classes.len() * (1 + words(code)) {
        return None;
    }
    let groups = groups(&classes);
    let mut targets = Vec::new();
    for class in &classes {
        targets.push((class.distance, ends_where(code, condition.as_ref(), class)?));
    }
    let origins = origins_where(code, from_condition.as_ref(), sites)?;
    let source = counted_source(code, leaf, piece)?;
    for group in groups {
        let reached = |&class: &usize| {
            let (distance, ends) = &targets[class];
            origins.clone().shift(*distance) & ends.clone()
        };
        let all = group.iter().map(reached).reduce(|a, b| a | b).unwrap_or(Expr::NoSites);
        match group[..] {
            [class] => output::emit_behind(code, source, targets[class].0, all),
            _ => {
                let mut row = vec![-1; code.game.room()];
                for class in group.iter().map(|&class| &classes[class]) {
                    class.ends.iter().for_each(|to| row[to] = to as i32 - class.distance);
                }
                output::emit_from_row(code, source, row, all);
            }
        }
    }
    Some(())
}

/// Steps by distance, and by the distance of the site between, if the condition reads that site.
fn classes(code: &Emitter<'_>, condition: Option<&Bool>, steps: &[(usize, u16)]) -> Vec<Class> {
    let over = condition.and_then(middle).and_then(|middle| hops_over(code.game, middle, steps));
    let mut classes: BTreeMap<(i32, Option<i32>), Sites> = BTreeMap::new();
    for (number, &(from, to)) in steps.iter().enumerate() {
        let distance = |to: u16| i32::from(to) - from as i32;
        let over = over.as_ref().map(|over| distance(over[number].1));
        classes.entry((distance(to), over)).or_default().insert(usize::from(to));
    }
    let class = |((distance, over), ends)| Class { over, distance, ends };
    classes.into_iter().map(class).collect()
}

/// The destinations of the steps of a class for which a condition holds; `None` if it has no form
/// as a set.
fn ends_where(code: &mut Emitter<'_>, condition: Option<&Bool>, class: &Class) -> Option<Expr> {
    let ends = regions::fixed(code, class.ends);
    let Some(condition) = condition else { return Some(ends) };
    Some(ends & holds_where(code, condition, class)?)
}

/// The destinations for which a condition holds, which may read the site between as well.
fn holds_where(code: &mut Emitter<'_>, condition: &Bool, class: &Class) -> Option<Expr> {
    if let Some(known) = bools::sites_where(code, condition, &Int::Iter(Iter::To)) {
        return Some(code.hoist(known));
    }
    if let Bool::And(list) = condition {
        let (first, rest) = list.split_first()?;
        let first = holds_where(code, first, class)?;
        return rest.iter().try_fold(first, |all, c| Some(all & holds_where(code, c, class)?));
    }
    let over = class.over?;
    let middle = middle(condition)?;
    let holding = bools::sites_where(code, condition, middle)?;
    Some(code.hoist(holding).shift(class.distance - over))
}

/// Writes set-wise code for slides; `None` if they have none, or if it does not pay.
fn slides_by_distance(
    code: &mut Emitter<'_>,
    leaf: &Leaf,
    slide: &Slide,
    piece: u16,
    sites: &Expr,
) -> Option<()> {
    let Slide { rays, from: Int::Iter(Iter::From), from_condition, go, stop, apply, .. } = slide
    else {
        return None;
    };
    let needs_path =
        slide.passed.is_some() || slide.trail.is_some() || code.game.has(Feature::AsksBetween);
    // The origin has to be the first piece behind the destination, so slides pass empty sites only.
    if slide.range.is_some() || needs_path || !go.as_ref().is_none_or(is_empty_at_most) {
        return None;
    }
    let lines = lines(code.game.ray(rays.of(usize::from(piece))?))?;
    let strides = |line: &Line| line.longest.ilog2() as usize + 1;
    let rounds: usize = lines.iter().map(strides).sum();
    if lines.len() * pieces_of(code, piece) < rounds * (1 + words(code)) {
        return None;
    }
    let set_where = |code: &mut Emitter<'_>, condition: &Bool, iter| {
        let sites = bools::sites_where(code, condition, &Int::Iter(iter))?;
        Some(code.hoist(sites))
    };
    let mut free = match go {
        Some(go) => set_where(code, go, Iter::Between)?,
        None => code.hoist(state_set(int(EMPTY as i32))),
    };
    let stop = match stop {
        Some(stop) => Some(set_where(code, stop, Iter::To)?),
        None => None,
    };
    let only = match apply.as_ref().and_then(|apply| apply.condition.as_ref()) {
        Some(only) => Some(set_where(code, only, Iter::To)?),
        None => None,
    };
    let origins = origins_where(code, from_condition.as_ref(), sites)?;
    let source = counted_source(code, leaf, piece)?;
    if let Some(stop) = &stop {
        free = code.keep_set(free.without(stop.clone()));
    }
    for line in lines {
        let ends = regions::fixed(code, line.ends);
        let free = free.clone() & ends.clone();
        let passed = fills::filled(code, &line, &origins, free, Emitter::keep_set);
        let mut targets = passed.clone().without(origins.clone());
        if let Some(stop) = &stop {
            targets = targets | (passed.shift(line.distance) & (ends & stop.clone()));
        }
        if let Some(only) = &only {
            targets = targets & only.clone();
        }
        output::emit_behind(code, source, line.distance, targets);
    }
    Some(())
}

/// The source of moves that are gathered as sets; `None` if an entry needs data of each move.
fn counted_source(code: &mut Emitter<'_>, leaf: &Leaf, component: u16) -> Option<i32> {
    let around = code.bindings.piece.replace(component);
    let source = output::source(code, SourceKind::Leaf(Box::new(leaf.clone())));
    code.bindings.piece = around;
    output::gathers_many(code, source).then_some(source)
}

/// The number of words that the sites need.
fn words(code: &Emitter<'_>) -> usize {
    code.game.world.sites().div_ceil(64)
}

/// The likely number of pieces of a component.
fn pieces_of(code: &Emitter<'_>, component: u16) -> usize {
    let initial = code.game.blank.as_ref().unwrap_or(&code.game.initial);
    let set = usize::from(code.game.layout.piece_set[usize::from(component)]);
    let words = code.game.words();
    let pieces = initial.words().iter().skip(set * words).take(words);
    match pieces.map(|word| word.count_ones() as usize).sum() {
        0 => USUAL_PIECES,
        pieces => pieces,
    }
}

/// The classes of steps that share an entry, by number: no two of them end on one site.
fn groups(classes: &[Class]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Sites, Vec<usize>)> = Vec::new();
    let mut largest: Vec<usize> = (0..classes.len()).collect();
    largest.sort_by_key(|&class| std::cmp::Reverse(classes[class].ends.len()));
    for class in largest {
        let ends = classes[class].ends;
        match groups.iter_mut().find(|(taken, _)| !taken.intersects(ends)) {
            Some((taken, group)) => {
                *taken |= ends;
                group.push(class);
            }
            None => groups.push((ends, vec![class])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// True if a condition on the sites of a slide holds for empty ones only.
fn is_empty_at_most(condition: &Bool) -> bool {
    condition.implies(&|condition| match condition {
        Bool::IsEmpty(at) => **at == Int::Iter(Iter::Between),
        Bool::InRegion(sites, region) => {
            matches!(&**sites, [Int::Iter(Iter::Between)]) && has_empty_sites(region)
        }
        _ => false,
    })
}

/// True if all sites of a region are empty.
fn has_empty_sites(region: &Region) -> bool {
    match region {
        Region::Empty(_) => true,
        Region::Difference(pair) => has_empty_sites(&pair.0),
        Region::Intersection(list) => list.iter().any(has_empty_sites),
        _ => false,
    }
}

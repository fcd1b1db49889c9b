//! Moves of all pieces of a component at once: those over one distance are a shifted set.
//!
//! A table of steps falls apart into a few distances, as in `origins`; what can be reached over one
//! of them is the set of the pieces, shifted, among the sites where a step may end. Slides along
//! paths whose sites are equally far apart are filled. The origin of such a move is the first piece
//! behind its destination. So moves come in another order than from the evaluator: distance by
//! distance, not piece by piece.
//!
//! On boards whose rows differ in length steps in one direction have several distances. Those that
//! end on different sites are gathered together, and a row of a table says where each comes from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kernel::ir::{Expr, Type};

use super::arrays::{int, state_set};
use super::context::Sites;
use super::emitter::{Consumer, Emitter};
use super::fills::{Line, lines};
use super::origins::{hops_over, middle};
use super::{bools, fills, origins, output, regions};
use crate::ir::{
    Binder, Bool, CompositeKind, Int, Iter, Leaf, LeafKind, Moves, Region, Slide, SourceKind,
    Wrapper,
};
use crate::state::EMPTY;

/// Pieces that a component is taken to have where none of it is on the board when the game begins.
const USUAL_PIECES: usize = 6;

/// Steps over one distance: how far what is jumped over is away, if anything is; and where they
/// end.
struct Class {
    over: Option<i32>,
    distance: i32,
    ends: Sites,
}

/// Gathers what can be gathered by distance of the moves that the pieces of a component on some
/// sites have; the generator of the others.
pub(super) fn by_distance<'m>(
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
    let gathers = matches!(code.consumer, Consumer::Gather(_));
    // In a game of chance the order of moves decides which numbers are drawn for what.
    gathers && !code.module.is_in_order() && !code.game.chance
}

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
            let apart = code.once(Type::Set, apart);
            let then = code.keep(Type::Set, sites.clone() & apart.clone()).get();
            let then = part_by_distance(code, &parts.1, component, &then);
            let otherwise = code.keep(Type::Set, sites.clone().without(apart)).get();
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

/// Of pieces on some sites those for which a condition on the origin holds, if that is known at
/// once.
fn origins_where(code: &mut Emitter<'_>, condition: Option<&Bool>, sites: &Expr) -> Option<Expr> {
    let Some(condition) = condition else { return Some(sites.clone()) };
    let known = bools::sites_where(code, condition, &Int::Iter(Iter::From))?;
    Some(code.keep(Type::Set, sites.clone() & known).get())
}

fn steps_by_distance(
    code: &mut Emitter<'_>,
    leaf: &Leaf,
    component: u16,
    sites: &Expr,
) -> Option<()> {
    let LeafKind::Jump { jumps, from: Int::Iter(Iter::From), from_condition, condition, .. } =
        &leaf.kind
    else {
        return None;
    };
    let steps = origins::steps(code, jumps, component)?;
    let classes = classes(code, condition.as_ref(), &steps);
    if 2 * pieces_of(code, component) < classes.len() * (1 + words(code)) {
        return None;
    }
    let groups = groups(&classes);
    let mut targets = Vec::new();
    for class in &classes {
        let ends = ends_where(code, condition.as_ref(), class)?;
        targets.push((class.distance, ends));
    }
    let origins = origins_where(code, from_condition.as_ref(), sites)?;
    let source = counted_source(code, leaf, component)?;
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
                    let ends = class.ends.iter();
                    ends.for_each(|to| row[to] = to as i32 - class.distance);
                }
                output::emit_from_row(code, source, row, all);
            }
        }
    }
    Some(())
}

/// Steps by distance, and by what is between, where the condition on their ends asks for that.
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

/// The sites where the steps of a class may end, if they are known at once.
fn ends_where(code: &mut Emitter<'_>, condition: Option<&Bool>, class: &Class) -> Option<Expr> {
    let ends = regions::fixed(code, class.ends);
    let Some(condition) = condition else { return Some(ends) };
    let known = holds_where(code, condition, class)?;
    Some(ends & known)
}

fn holds_where(code: &mut Emitter<'_>, condition: &Bool, class: &Class) -> Option<Expr> {
    if let Some(known) = bools::sites_where(code, condition, &Int::Iter(Iter::To)) {
        return Some(code.once(Type::Set, known));
    }
    if let Bool::And(list) = condition {
        let (first, rest) = list.split_first()?;
        let first = holds_where(code, first, class)?;
        return rest.iter().try_fold(first, |all, c| Some(all & holds_where(code, c, class)?));
    }
    let over = class.over?;
    let middle = middle(condition)?;
    let known = bools::sites_where(code, condition, middle)?;
    let known = code.once(Type::Set, known);
    Some(known.shift(class.distance - over))
}

fn slides_by_distance(
    code: &mut Emitter<'_>,
    leaf: &Leaf,
    slide: &Slide,
    component: u16,
    sites: &Expr,
) -> Option<()> {
    let Slide { rays, from: Int::Iter(Iter::From), from_condition, go, stop, apply, .. } = slide
    else {
        return None;
    };
    let needs_path = slide.passed.is_some() || slide.trail.is_some() || code.game.asks_between;
    // What a slide passes is empty: so it is the first piece behind its end.
    if slide.range.is_some() || needs_path || !go.as_ref().is_none_or(is_empty_at_most) {
        return None;
    }
    let lines = lines(code.game.ray(rays.of(usize::from(component))?))?;
    let strides = |line: &Line| line.longest.ilog2() as usize + 1;
    let rounds: usize = lines.iter().map(strides).sum();
    if lines.len() * pieces_of(code, component) < rounds * (1 + words(code)) {
        return None;
    }
    let known = |code: &mut Emitter<'_>, condition: &Bool, iter| {
        let sites = bools::sites_where(code, condition, &Int::Iter(iter))?;
        Some(code.once(Type::Set, sites))
    };
    let mut free = match go {
        Some(go) => known(code, go, Iter::Between)?,
        None => code.once(Type::Set, state_set(int(EMPTY as i32))),
    };
    let stop = match stop {
        Some(stop) => Some(known(code, stop, Iter::To)?),
        None => None,
    };
    let only = match apply.as_ref().and_then(|apply| apply.condition.as_ref()) {
        Some(only) => Some(known(code, only, Iter::To)?),
        None => None,
    };
    let origins = origins_where(code, from_condition.as_ref(), sites)?;
    let source = counted_source(code, leaf, component)?;
    if let Some(stop) = &stop {
        free = code.keep(Type::Set, free.without(stop.clone())).get();
    }
    for line in lines {
        let ends = regions::fixed(code, line.ends);
        let free = free.clone() & ends.clone();
        let passed = fills::filled(code, &line, &origins, free, fills::keep_set);
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

/// The source of moves that are counted; `None` if more has to be known of each.
fn counted_source(code: &mut Emitter<'_>, leaf: &Leaf, component: u16) -> Option<i32> {
    let around = code.bindings.piece.replace(component);
    let source = output::source(code, SourceKind::Leaf(Box::new(leaf.clone())));
    code.bindings.piece = around;
    output::gathers_many(code, source).then_some(source)
}

/// Words that the sites need.
fn words(code: &Emitter<'_>) -> usize {
    code.game.world.sites().div_ceil(64)
}

/// How many pieces of a component there are, as far as that can be guessed.
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

/// Classes of steps that can be gathered together, by number: no two of them end on one site.
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

/// True if a condition on the sites of a slide holds of empty ones alone.
fn is_empty_at_most(condition: &Bool) -> bool {
    condition.implies(&|condition| match condition {
        Bool::IsEmpty(at) => **at == Int::Iter(Iter::Between),
        Bool::InRegion(sites, region) => {
            matches!(&**sites, [Int::Iter(Iter::Between)]) && has_empty_sites(region)
        }
        _ => false,
    })
}

/// True if a region has empty sites alone.
fn has_empty_sites(region: &Region) -> bool {
    match region {
        Region::Empty(_) => true,
        Region::Difference(pair) => has_empty_sites(&pair.0),
        Region::Intersection(list) => list.iter().any(has_empty_sites),
        _ => false,
    }
}

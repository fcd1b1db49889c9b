//! Which generators may give moves with the same ends, by where their moves can go at all.

use super::context::Context;
use super::context::Sites;
use super::origins::{hops_over, middle};
use crate::ir::{
    Binder, Bool, ByPiece, DuplicatePairs, Hop, Int, Iter, Layer, Leaf, LeafKind, Moves, Piece,
    Place, RayId, Region, Source, SourceKind,
};
use crate::meter;

/// Pairs of sources, each with itself too, whose moves may have the same ends. Dice that are
/// used for a move either stay used, or may all be shown again.
pub(super) fn clashes(game: &Context<'_>, sources: &[Source], dice_return: bool) -> DuplicatePairs {
    if !game.overlaps {
        return DuplicatePairs::default();
    }
    let reach = |source| Reach::new(game, source, dice_return);
    let reach: Vec<_> = sources.iter().map(reach).collect();
    let of = |one: usize| {
        let clash = |&other: &usize| {
            if one == other {
                !reach[one].once
            } else {
                may_clash(game, (&sources[one], &reach[one]), (&sources[other], &reach[other]))
            }
        };
        (0..sources.len()).filter(clash).collect()
    };
    DuplicatePairs((0..sources.len()).map(of).collect())
}

fn may_clash(
    game: &Context<'_>,
    (one, reach): (&Source, &Reach),
    (other, other_reach): (&Source, &Reach),
) -> bool {
    let differ = |a: &Option<Vec<u16>>, b: &Option<Vec<u16>>| {
        a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a.iter().all(|piece| !b.contains(piece)))
    };
    if !meter::work(2) {
        return true;
    }
    // Passes have no ends, and are told apart from all else that has none.
    if one.kind.is_pass() != other.kind.is_pass() {
        return false;
    }
    if differ(&reach.moved, &other_reach.moved) || differ(&reach.placed, &other_reach.placed) {
        return false;
    }
    let exclude = |parts: &[(u32, u32)], others: &[(u32, u32)]| {
        parts.iter().any(|a| others.iter().any(|b| a.0 == b.0 && a.1 != b.1))
    };
    if exclude(&one.parts, &other.parts) {
        return false;
    }
    // From one origin there are moves in one round alone, or with other dice that stay used.
    let once = reach.one_round && other_reach.one_round;
    if once && exclude(&one.parts_of_round, &other.parts_of_round) {
        return false;
    }
    let (Some(a), Some(b)) = (&reach.targets, &other_reach.targets) else { return true };
    let mut both = a.iter().zip(b).map(|(a, b)| *a & *b).enumerate();
    both.any(|(from, sites)| {
        if !meter::work(1 + u64::from(sites.len())) {
            return true;
        }
        let blocked = |to| {
            is_blocked(game, &one.kind, &other.kind, (from, to))
                || is_blocked(game, &other.kind, &one.kind, (from, to))
        };
        sites.iter().any(|to| !blocked(to))
    })
}

/// Where the moves of a source can go.
struct Reach {
    /// By origin; `None` where that is not known.
    targets: Option<Vec<Sites>>,
    /// True if no two of its own moves have the same ends and may lead to the same state.
    once: bool,
    /// True if the loops around it have no more than one round for each origin, apart from those
    /// over dice that stay used.
    one_round: bool,
    /// The components that can stand where they begin, and those that stand where they end when
    /// they have been made; `None` where these are not known.
    moved: Option<Vec<u16>>,
    placed: Option<Vec<u16>>,
}

impl Reach {
    fn new(game: &Context<'_>, source: &Source, dice_return: bool) -> Reach {
        meter::work(game.room() as u64);
        let among = |sites| (0..game.room()).map(|site| Sites::single(site) & sites).collect();
        let here = || among(!Sites::EMPTY);
        let targets = match &source.kind {
            SourceKind::Hop(hop) => from_here(&hop.from).then(|| hops(game, source, hop)).flatten(),
            SourceKind::Leaf(leaf) => match &leaf.kind {
                LeafKind::Jump { jumps, .. } => table(jumps, source).map(|id| {
                    let near: Vec<Sites> = game.jump(id).sets().collect();
                    let targets: usize = near.iter().map(|near| near.len() as usize).sum();
                    let all_once = targets == game.jump(id).all().count();
                    (near, all_once)
                }),
                LeafKind::Slide(slide) => {
                    let range = match slide.range {
                        Some((Int::Const(least), Int::Const(most))) => [least, most],
                        _ => [1, i32::MAX],
                    };
                    let [least, most] = range.map(|sites| usize::try_from(sites).unwrap_or(0));
                    table(&slide.rays, source).map(|id| {
                        along(game, id, |path| {
                            path.get(least.max(1) - 1..most.min(path.len())).unwrap_or_default()
                        })
                    })
                }
                LeafKind::Promote { .. } => {
                    let pieces = promoted(leaf);
                    Some((here(), pieces.is_some_and(all_differ)))
                }
                LeafKind::Turn { steps, full, .. } => {
                    let turned = steps.iter().map(|step| step.rem_euclid(*full));
                    Some((here(), all_differ(turned.collect())))
                }
                LeafKind::Select { from, to: None, .. } => {
                    Some((among(could_be(game, from)), true))
                }
                LeafKind::Remove { .. } => Some((here(), true)),
                LeafKind::Add { pieces, .. } => Some((here(), pieces.len() == 1)),
                LeafKind::FromTo { from, to, .. } | LeafKind::Select { from, to: Some(to), .. } => {
                    let (from, to) = (could_be(game, from), could_be(game, to));
                    let targets = |site| if from.contains(site) { to } else { Sites::EMPTY };
                    Some(((0..game.room()).map(targets).collect(), true))
                }
                LeafKind::Pass => Some((here(), true)),
                _ => None,
            },
            SourceKind::Single(_) => None,
        };
        // Around other loops the same move may be given more than once.
        let loops = source.binders.iter().filter(|b| **b != Binder::Dice || dice_return);
        let loops: Vec<&Binder> = loops.collect();
        let one_round = match loops[..] {
            [Binder::Piece | Binder::Top] => begins_at(&source.kind, Iter::From),
            [Binder::Site] => begins_at(&source.kind, Iter::Site),
            _ => false,
        };
        let single = match loops[..] {
            [] => true,
            // For one piece after the other they may begin at the same site elsewhere.
            [Binder::Piece | Binder::Top] => one_round || !source.kind.binds().0,
            _ => one_round,
        };
        let (targets, once) = targets.unzip();
        let once = once.unwrap_or(false) && single;
        // In stacks a component is known of the piece on top alone.
        let (moved, placed) = if game.stacking() {
            (source.component.map(|component| vec![component]), None)
        } else {
            (moved(source), placed(game, source))
        };
        Reach { targets, once, one_round, moved, placed }
    }
}

fn all_differ<T: Ord>(mut list: Vec<T>) -> bool {
    list.sort_unstable();
    list.is_sorted_by(|a, b| a < b)
}

/// The sites that a place can be, and maybe more.
fn could_be(game: &Context<'_>, place: &Place) -> Sites {
    match place {
        Place::Site(Int::Const(site)) => {
            let site = usize::try_from(*site).ok().filter(|&site| site < game.room());
            site.map_or(Sites::EMPTY, Sites::single)
        }
        Place::Site(Int::HandSite(hand)) if matches!(hand.2, Int::Const(0..)) => !game.board(),
        Place::Site(_) => !Sites::EMPTY,
        Place::Region(region) => could_hold(game, region),
    }
}

/// The sites that a region can have, and maybe more.
fn could_hold(game: &Context<'_>, region: &Region) -> Sites {
    match region {
        Region::Static(set) | Region::Empty(set) => game.set(*set),
        Region::Occupied { within, .. } => game.set(*within),
        Region::ByPlayer(_, sets) => {
            sets.iter().fold(Sites::EMPTY, |all, &set| all | game.set(set))
        }
        Region::Union(list) => list.iter().fold(Sites::EMPTY, |all, r| all | could_hold(game, r)),
        Region::Intersection(list) => {
            list.iter().fold(!Sites::EMPTY, |all, r| all & could_hold(game, r))
        }
        Region::Difference(pair) => could_hold(game, &pair.0),
        _ => !Sites::EMPTY,
    }
}

/// True if moves begin at the site that a variable is bound to.
fn begins_at(kind: &SourceKind, iter: Iter) -> bool {
    let is = |from: &Int| *from == Int::Iter(iter);
    let is_place = |place: &Place| matches!(place, Place::Site(from) if is(from));
    match kind {
        SourceKind::Hop(hop) => is(&hop.from),
        SourceKind::Single(_) => false,
        SourceKind::Leaf(leaf) => match &leaf.kind {
            LeafKind::Jump { from, .. } => is(from),
            LeafKind::Slide(slide) => is(&slide.from),
            LeafKind::FromTo { from, .. } | LeafKind::Select { from, .. } => is_place(from),
            LeafKind::Remove { place, .. } => is_place(place),
            _ => false,
        },
    }
}

fn from_here(from: &Int) -> bool {
    *from == Int::Iter(Iter::From)
}

/// The components that can stand where the moves of a source begin.
fn moved(source: &Source) -> Option<Vec<u16>> {
    if let Some(component) = source.component {
        return Some(vec![component]);
    }
    let SourceKind::Leaf(leaf) = &source.kind else { return None };
    let from = match &leaf.kind {
        LeafKind::Jump { from, .. } => from,
        LeafKind::Slide(slide) => &slide.from,
        _ => return None,
    };
    match from {
        Int::WhereLowest(component) => components(component),
        Int::WhereOwned { components, .. } => Some(components.to_vec()),
        _ => None,
    }
}

/// The components that a number can be.
fn components(number: &Int) -> Option<Vec<u16>> {
    match number {
        Int::Const(component) => Some(vec![u16::try_from(*component).ok()?]),
        Int::IdOf { components, .. } => {
            Some(components.iter().filter_map(|&component| u16::try_from(component).ok()).collect())
        }
        _ => None,
    }
}

/// What a generator promotes to.
fn promoted(leaf: &Leaf) -> Option<Vec<u16>> {
    let LeafKind::Promote { pieces, .. } = &leaf.kind else { return None };
    let mut all = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Fixed(component) => all.push(*component),
            Piece::Computed(number) => all.extend(components(number)?),
        }
    }
    Some(all)
}

/// The components that stand where the moves of a source end when they have been made, if these
/// promote what has moved, and nothing comes after that but numbers.
fn placed(game: &Context<'_>, source: &Source) -> Option<Vec<u16>> {
    let mut placed = match &source.kind {
        SourceKind::Leaf(leaf) => promoted(leaf),
        SourceKind::Hop(_) | SourceKind::Single(_) => None,
    };
    for effect in source.then() {
        let Moves::Leaf(leaf) = game.effect(effect) else { return None };
        match &leaf.kind {
            LeafKind::Promote { site: Int::LastTo, .. } => placed = promoted(leaf),
            LeafKind::SetCounter(_) | LeafKind::SetVar { .. } | LeafKind::SetScore { .. } => {}
            _ => return None,
        }
        if !leaf.then.is_empty() {
            return None;
        }
    }
    placed
}

/// The table of a source whose moves go by one.
fn table<T: Copy + PartialEq>(tables: &ByPiece<T>, source: &Source) -> Option<T> {
    match (tables, source.component) {
        (ByPiece::Same(table), _) => Some(*table),
        (ByPiece::Each(_), Some(component)) => tables.of(usize::from(component)),
        _ => None,
    }
}

/// By site, the sites on some parts of its straight paths, and whether there is but one way to
/// each.
fn along(game: &Context<'_>, id: RayId, part: impl Fn(&[u16]) -> &[u16]) -> (Vec<Sites>, bool) {
    let rays = game.ray(id);
    let mut once = true;
    let of = |site: usize| {
        let mut all: Sites = Sites::EMPTY;
        for path in rays.of(site) {
            for &to in part(path) {
                once &= !all.contains(usize::from(to));
                all.insert(usize::from(to));
            }
        }
        all
    };
    let targets = (0..rays.sites()).map(of).collect();
    (targets, once)
}

/// Hops over something go past the first site of a path.
fn hops(game: &Context<'_>, source: &Source, hop: &Hop) -> Option<(Vec<Sites>, bool)> {
    let Int::Const(1..) = hop.range.0 else { return None };
    let id = table(&hop.rays, source)?;
    let (targets, ways) = along(game, id, |path| path.get(1..).unwrap_or_default());
    // Of several pieces in a row each number of them may be jumped over; but right behind them the
    // number says where it lands.
    let next = (&hop.before, &hop.after) == (&Int::Const(0), &Int::Const(0));
    Some((targets, ways && (next || hop.range.1 == Int::Const(1))))
}

/// True if a slide cannot go from one site to another where a jump over a piece does, since that
/// piece is in the way.
fn is_blocked(
    game: &Context<'_>,
    slide: &SourceKind,
    jump: &SourceKind,
    (from, to): (usize, usize),
) -> bool {
    let SourceKind::Leaf(leaf) = slide else { return false };
    let LeafKind::Slide(slide) = &leaf.kind else { return false };
    let goes_on_empty = match &slide.go {
        None => true,
        Some(Bool::IsEmpty(at)) => **at == Int::Iter(Iter::Between),
        Some(_) => false,
    };
    let ByPiece::Same(rays) = slide.rays else { return false };
    let paths = game.ray(rays).of(from);
    let mut ways = paths.filter_map(|path| {
        let end = path.iter().position(|&site| usize::from(site) == to)?;
        Some(&path[..end])
    });
    goes_on_empty
        && match jump {
            // What is jumped over stands on the same path, if there is but one.
            SourceKind::Hop(hop) => {
                let over = is_piece(&hop.hurdle, &Int::Iter(Iter::Between));
                hop.rays == slide.rays && over && ways.count() == 1
            }
            SourceKind::Single(_) => false,
            SourceKind::Leaf(leaf) => {
                let LeafKind::Jump { condition: Some(condition), .. } = &leaf.kind else {
                    return false;
                };
                let Some(middle) = middle(condition) else { return false };
                let hops = hops_over(game, middle, &[(from, to as u16)]);
                let Some([(_, over, _)]) = hops.as_deref() else { return false };
                is_piece(condition, middle) && ways.all(|way| way.contains(over))
            }
        }
}

/// True if a condition holds only if something stands on a site.
fn is_piece(condition: &Bool, site: &Int) -> bool {
    match condition {
        Bool::And(list) => list.iter().any(|condition| is_piece(condition, site)),
        Bool::IsEnemy(who) => {
            matches!(&**who, Int::At { layer: Layer::Who, at, level: None, .. } if **at == *site)
        }
        Bool::IsOccupied(at) => **at == *site,
        _ => false,
    }
}

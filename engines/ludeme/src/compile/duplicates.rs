//! Pairs of generators that may have duplicate moves, by the sites that their moves can reach.

use super::context::{Context, Sites};
use super::origins::{hops_over, middle};
use crate::ir::{
    Binder, Bool, ByPiece, DuplicatePairs, Hop, Int, Iter, LeafKind, Place, Region, Source,
    SourceKind,
};
use crate::meter;

/// The pairs of sources, of one with itself too, whose moves may have the same ends and lead to the
/// same state. `dice_return` is true if used dice may be shown again.
pub(super) fn pairs(game: &Context<'_>, sources: &[Source], dice_return: bool) -> DuplicatePairs {
    if !game.overlaps {
        return DuplicatePairs::default();
    }
    let reach = |source| Reach::new(game, source, dice_return);
    let reach: Vec<_> = sources.iter().map(reach).collect();
    let others_of = |one: usize| {
        let clash = |&other: &usize| {
            if one == other {
                !reach[one].once
            } else {
                may_clash(game, (&sources[one], &reach[one]), (&sources[other], &reach[other]))
            }
        };
        (0..sources.len()).filter(clash).collect()
    };
    DuplicatePairs((0..sources.len()).map(others_of).collect())
}

/// True if two sources may have duplicate moves, or if the work is spent.
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
    // Passes have no ends, but differ from all other moves without ends.
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
    // All moves from one origin belong to one round, or differ in the dice that they use.
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

/// The sites that the moves of a source can reach.
struct Reach {
    /// The destinations by origin; `None` if they are unknown.
    targets: Option<Vec<Sites>>,
    /// True if no two moves of the source are duplicates.
    once: bool,
    /// True if the loops around the source have at most one round for each origin, except loops
    /// over dice that stay used.
    one_round: bool,
    /// The components that may stand on the origin; `None` if they are unknown.
    moved: Option<Vec<u16>>,
    /// The components that may stand on the destination after the move; `None` if they are unknown.
    placed: Option<Vec<u16>>,
}

impl Reach {
    fn new(game: &Context<'_>, source: &Source, dice_return: bool) -> Reach {
        meter::work(game.room() as u64);
        let among = |sites| (0..game.room()).map(|site| Sites::single(site) & sites).collect();
        let itself = || among(!Sites::EMPTY);
        let targets = match &source.kind {
            SourceKind::Hop(hop) => {
                begins_at(&source.kind, Iter::From).then(|| hops(game, source, hop)).flatten()
            }
            SourceKind::Leaf(leaf) => match &leaf.kind {
                LeafKind::Jump { jumps, .. } => table(jumps, source).map(|id| {
                    let near: Vec<Sites> = game.jump(id).sets().collect();
                    let targets: usize = near.iter().map(|near| near.len() as usize).sum();
                    (near, targets == game.jump(id).all().count())
                }),
                LeafKind::Slide(slide) => table(&slide.rays, source)
                    .map(|id| game.ray(id).reached(|path| slide.ends(path))),
                LeafKind::Promote { .. } => {
                    Some((itself(), leaf.promoted().is_some_and(all_differ)))
                }
                LeafKind::Turn { steps, full, .. } => {
                    let turned = steps.iter().map(|step| step.rem_euclid(*full));
                    Some((itself(), all_differ(turned.collect())))
                }
                LeafKind::Select { from, to: None, .. } => {
                    Some((among(could_be(game, from)), true))
                }
                LeafKind::Remove { .. } => Some((itself(), true)),
                LeafKind::Add { pieces, .. } => Some((itself(), pieces.len() == 1)),
                LeafKind::FromTo { from, to, .. } | LeafKind::Select { from, to: Some(to), .. } => {
                    let (from, to) = (could_be(game, from), could_be(game, to));
                    let targets = |site| if from.contains(site) { to } else { Sites::EMPTY };
                    Some(((0..game.room()).map(targets).collect(), true))
                }
                LeafKind::Pass => Some((itself(), true)),
                _ => None,
            },
            SourceKind::Single(_) => None,
        };
        // Other loops may generate the same move in several rounds.
        let loops = source.binders.iter().filter(|b| **b != Binder::Dice || dice_return);
        let loops: Vec<&Binder> = loops.collect();
        let one_round = match loops[..] {
            [Binder::Piece | Binder::Top] => begins_at(&source.kind, Iter::From),
            [Binder::Site] => begins_at(&source.kind, Iter::Site),
            _ => false,
        };
        let single = match loops[..] {
            [] => true,
            // Moves that begin elsewhere may begin on the same site for several pieces.
            [Binder::Piece | Binder::Top] => {
                one_round || !source.kind.binds().contains(&Iter::From)
            }
            _ => one_round,
        };
        let (targets, once) = targets.unzip();
        let once = once.unwrap_or(false) && single;
        // In stacks only the component on top is known.
        let (moved, placed) = if game.stacking() {
            (source.component.map(|component| vec![component]), None)
        } else {
            let own = match &source.kind {
                SourceKind::Leaf(leaf) => leaf.promoted(),
                SourceKind::Hop(_) | SourceKind::Single(_) => None,
            };
            (moved(source), game.placed(own, source.then()))
        };
        Reach { targets, once, one_round, moved, placed }
    }
}

/// True if no two items are equal.
fn all_differ<T: Ord>(mut list: Vec<T>) -> bool {
    list.sort_unstable();
    list.is_sorted_by(|a, b| a < b)
}

/// A superset of the sites that a place can mean.
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

/// A superset of the sites that a region can have.
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
    kind.origin() == Some(&Int::Iter(iter))
}

/// The components that may stand on the origin of moves of a source; `None` if they are unknown.
fn moved(source: &Source) -> Option<Vec<u16>> {
    if let Some(component) = source.component {
        return Some(vec![component]);
    }
    match source.kind.origin()? {
        Int::WhereLowest(component) => component.components(),
        Int::WhereOwned { components, .. } => Some(components.to_vec()),
        _ => None,
    }
}

/// The table that the moves of a source follow, if it is the same for all of them.
fn table<T: Copy + PartialEq>(tables: &ByPiece<T>, source: &Source) -> Option<T> {
    match (tables, source.component) {
        (ByPiece::Same(table), _) => Some(*table),
        (ByPiece::Each(_), Some(component)) => tables.of(usize::from(component)),
        _ => None,
    }
}

/// The destinations of hops over a piece by origin, and true if no two hops have the same ends;
/// `None` if they are unknown.
fn hops(game: &Context<'_>, source: &Source, hop: &Hop) -> Option<(Vec<Sites>, bool)> {
    let Int::Const(1..) = hop.range.0 else { return None };
    let id = table(&hop.rays, source)?;
    let (targets, once) = game.ray(id).reached(|path| path.get(1..).unwrap_or_default());
    // A hop may pass any number of pieces in a row. If it lands right behind them, the number
    // determines the destination.
    let next = (&hop.before, &hop.after) == (&Int::Const(0), &Int::Const(0));
    Some((targets, once && (next || hop.range.1 == Int::Const(1))))
}

/// True if a slide cannot have the same ends as a jump over a piece, since that piece blocks it.
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
    let mut paths_to = game.ray(rays).of(from).filter_map(|path| {
        let end = path.iter().position(|&site| usize::from(site) == to)?;
        Some(&path[..end])
    });
    goes_on_empty
        && match jump {
            // If there is only one path, the piece that is jumped over stands on it.
            SourceKind::Hop(hop) => {
                let over = hop.hurdle.wants_piece(&Int::Iter(Iter::Between));
                hop.rays == slide.rays && over && paths_to.count() == 1
            }
            SourceKind::Single(_) => false,
            SourceKind::Leaf(leaf) => {
                let LeafKind::Jump { condition: Some(condition), .. } = &leaf.kind else {
                    return false;
                };
                let Some(middle) = middle(condition) else { return false };
                let hops = hops_over(game, middle, &[(from, to as u16)]);
                let Some([(_, over, _)]) = hops.as_deref() else { return false };
                condition.wants_piece(middle) && paths_to.all(|path| path.contains(over))
            }
        }
}

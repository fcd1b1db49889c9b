//! Which generators may give moves with the same ends, by where their moves can go at all.

use super::context::{Context, Sites};
use super::origins::{hops_over, middle};
use crate::ir::{
    Binder, Bool, ByPiece, DuplicatePairs, Hop, Int, Iter, LeafKind, Place, Region, Source,
    SourceKind,
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
            SourceKind::Hop(hop) => {
                begins_at(&source.kind, Iter::From).then(|| hops(game, source, hop)).flatten()
            }
            SourceKind::Leaf(leaf) => match &leaf.kind {
                LeafKind::Jump { jumps, .. } => table(jumps, source).map(|id| {
                    let near: Vec<Sites> = game.jump(id).sets().collect();
                    let targets: usize = near.iter().map(|near| near.len() as usize).sum();
                    let all_once = targets == game.jump(id).all().count();
                    (near, all_once)
                }),
                LeafKind::Slide(slide) => table(&slide.rays, source)
                    .map(|id| game.ray(id).reached(|path| slide.ends(path))),
                LeafKind::Promote { .. } => Some((here(), leaf.promoted().is_some_and(all_differ))),
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
            [Binder::Piece | Binder::Top] => {
                one_round || !source.kind.binds().contains(&Iter::From)
            }
            _ => one_round,
        };
        let (targets, once) = targets.unzip();
        let once = once.unwrap_or(false) && single;
        // In stacks a component is known of the piece on top alone.
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
    kind.origin() == Some(&Int::Iter(iter))
}

/// The components that can stand where the moves of a source begin.
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

/// The table of a source whose moves go by one.
fn table<T: Copy + PartialEq>(tables: &ByPiece<T>, source: &Source) -> Option<T> {
    match (tables, source.component) {
        (ByPiece::Same(table), _) => Some(*table),
        (ByPiece::Each(_), Some(component)) => tables.of(usize::from(component)),
        _ => None,
    }
}

/// Hops over something go past the first site of a path.
fn hops(game: &Context<'_>, source: &Source, hop: &Hop) -> Option<(Vec<Sites>, bool)> {
    let Int::Const(1..) = hop.range.0 else { return None };
    let id = table(&hop.rays, source)?;
    let (targets, ways) = game.ray(id).reached(|path| path.get(1..).unwrap_or_default());
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
                let over = hop.hurdle.wants_piece(&Int::Iter(Iter::Between));
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
                condition.wants_piece(middle) && ways.all(|way| way.contains(over))
            }
        }
}

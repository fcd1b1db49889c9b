//! Which generators may give moves with the same ends, by where their moves can go at all.

use crate::game::Game;
use crate::ir::{
    Binder, Bool, ByPiece, Clashes, Hop, Int, Iter, LeafKind, RayId, Slide, Source, SourceKind,
};
use crate::set::Set;

/// Pairs of sources, each with itself too, whose moves may have the same ends.
pub(super) fn clashes<const W: usize>(game: &Game<W>, sources: &[Source]) -> Clashes {
    if !game.overlaps {
        return Clashes::default();
    }
    let reach: Vec<_> = sources.iter().map(|source| Reach::new(game, source)).collect();
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
    Clashes((0..sources.len()).map(of).collect())
}

fn may_clash<const W: usize>(
    game: &Game<W>,
    (one, reach): (&Source, &Reach<W>),
    (other, other_reach): (&Source, &Reach<W>),
) -> bool {
    if let (Some(a), Some(b)) = (one.component, other.component)
        && a != b
    {
        return false;
    }
    let (Some(a), Some(b)) = (&reach.targets, &other_reach.targets) else { return true };
    let meet = a.iter().zip(b).any(|(a, b)| !(*a & *b).is_empty());
    meet && !match (&one.kind, &other.kind) {
        (SourceKind::Hop(hop), SourceKind::Leaf(leaf))
        | (SourceKind::Leaf(leaf), SourceKind::Hop(hop)) => match &leaf.kind {
            LeafKind::Slide(slide) => is_blocked(game, slide, hop),
            _ => false,
        },
        _ => false,
    }
}

/// Where the moves of a source can go.
struct Reach<const W: usize> {
    /// By origin; `None` where that is not known.
    targets: Option<Vec<Set<W>>>,
    /// Whether no two of its own moves have the same ends.
    once: bool,
}

impl<const W: usize> Reach<W> {
    fn new(game: &Game<W>, source: &Source) -> Reach<W> {
        let targets = match &source.kind {
            SourceKind::Hop(hop) => from_here(&hop.from).then(|| hops(game, source, hop)).flatten(),
            SourceKind::Leaf(leaf) => match &leaf.kind {
                LeafKind::Jump { from, jumps, .. } if from_here(from) => {
                    table(jumps, source).map(|id| {
                        let jumps = game.jump(id);
                        let once = |site| jumps.of(site).len() == jumps.near(site).len() as usize;
                        let sites = 0..jumps.sites();
                        let all_once = sites.clone().all(once);
                        (sites.map(|site| jumps.near(site)).collect(), all_once)
                    })
                }
                LeafKind::Slide(slide) if from_here(&slide.from) => {
                    table(&slide.rays, source).map(|id| along(game, id, |path| path))
                }
                _ => None,
            },
        };
        // Around other loops the same move may be given more than once.
        let single = source.binders[..] == [Binder::Piece];
        match targets {
            Some((targets, once)) => Reach { targets: Some(targets), once: once && single },
            None => Reach { targets: None, once: false },
        }
    }
}

fn from_here(from: &Int) -> bool {
    *from == Int::Iter(Iter::From)
}

/// The table of a source whose moves go by one.
fn table<T: Copy + PartialEq>(tables: &ByPiece<T>, source: &Source) -> Option<T> {
    match (tables, source.component) {
        (ByPiece::Same(table), _) => Some(*table),
        (ByPiece::Each(_), Some(component)) => tables.of(usize::from(component)),
        _ => None,
    }
}

/// By site, the sites on some parts of its straight paths, and whether there is but one way to each.
fn along<const W: usize>(
    game: &Game<W>,
    id: RayId,
    part: impl Fn(&[u16]) -> &[u16],
) -> (Vec<Set<W>>, bool) {
    let rays = game.ray(id);
    let mut once = true;
    let of = |site: usize| {
        let mut all: Set<W> = Set::EMPTY;
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
fn hops<const W: usize>(game: &Game<W>, source: &Source, hop: &Hop) -> Option<(Vec<Set<W>>, bool)> {
    let Int::Const(1..) = hop.range.0 else { return None };
    let id = table(&hop.rays, source)?;
    let (targets, ways) = along(game, id, |path| path.get(1..).unwrap_or_default());
    // Of several pieces in a row each number of them may be jumped over.
    Some((targets, ways && hop.range.1 == Int::Const(1)))
}

/// Whether a slide cannot go where a hop lands, since something stands between.
fn is_blocked<const W: usize>(game: &Game<W>, slide: &Slide, hop: &Hop) -> bool {
    let between = Int::Iter(Iter::Between);
    let goes_on_empty = match &slide.go {
        None => true,
        Some(Bool::IsEmpty(at)) => **at == between,
        Some(_) => false,
    };
    let (ByPiece::Same(a), ByPiece::Same(b)) = (&slide.rays, &hop.rays) else { return false };
    goes_on_empty && a == b && is_piece(&hop.hurdle) && along(game, *a, |path| path).1
}

/// Whether a condition holds only for sites between with something on them.
fn is_piece(condition: &Bool) -> bool {
    match condition {
        Bool::And(list) => list.iter().any(is_piece),
        Bool::IsEnemy(who) => {
            matches!(&**who, Int::At { layer: crate::ir::Layer::Who, at, level: None, .. }
            if **at == Int::Iter(Iter::Between))
        }
        Bool::IsOccupied(at) => **at == Int::Iter(Iter::Between),
        _ => false,
    }
}

//! What is the same when a turn ends, seen from the next player's side, as when his turn begins: what
//! stands on the sites, whose turn it is, where the last move went. Counters of moves and turns are not.

use crate::ir::{Bool, Int, LeafKind, Moves, Owners, Pieces, Place, Region, Role};

/// Whether a condition asks for nothing else.
pub(super) fn condition(condition: &Bool) -> bool {
    match condition {
        Bool::Const(_) => true,
        Bool::And(list) | Bool::Or(list) => list.iter().all(self::condition),
        Bool::Not(inner) => self::condition(inner),
        Bool::Compare(_, pair) => number(&pair.0) && number(&pair.1),
        Bool::IsEmpty(int) | Bool::IsOccupied(int) | Bool::IsEnemy(int) | Bool::IsFriend(int) => {
            number(int)
        }
        Bool::InRegion(sites, region) => sites.iter().all(number) && self::region(region),
        Bool::IsThreatened(threat) => {
            threat.component.as_ref().is_none_or(number)
                && threat.place.as_ref().is_none_or(place)
                && threat.moves.as_ref().is_some_and(moves)
        }
        _ => false,
    }
}

fn number(int: &Int) -> bool {
    match int {
        Int::Const(_)
        | Int::Iter(_)
        | Int::Var(_)
        | Int::Mover
        | Int::Next
        | Int::Prev
        | Int::LastTo
        | Int::LastFrom => true,
        Int::At { at, level: None, .. } => number(at),
        Int::Ahead { site, steps, .. } => number(site) && number(steps),
        Int::WhereOwned { owner, .. } | Int::IdOf { owner, .. } => number(owner),
        Int::WhereLowest(component) => number(component),
        Int::Table(pair) => number(&pair.1),
        Int::Fold(_, list) => list.iter().all(number),
        Int::Arithmetic(_, pair) => number(&pair.0) && number(&pair.1),
        Int::CountSites(region) => self::region(region),
        Int::CountPieces { pieces, within: None, condition: None } => self::pieces(pieces),
        _ => false,
    }
}

fn pieces(pieces: &Pieces) -> bool {
    match &pieces.owners {
        Owners::Role(role) => !matches!(role, Role::Iterated),
        Owners::Number(int) => number(int),
    }
}

fn place(place: &Place) -> bool {
    match place {
        Place::Site(int) => number(int),
        Place::Region(region) => self::region(region),
    }
}

fn region(region: &Region) -> bool {
    match region {
        Region::Static(_) | Region::Empty(_) | Region::Pending => true,
        Region::ByPlayer(who, _) => number(who),
        Region::Occupied { pieces, .. } => self::pieces(pieces),
        Region::Union(list) | Region::Intersection(list) => list.iter().all(self::region),
        Region::Difference(pair) => self::region(&pair.0) && self::region(&pair.1),
        Region::Filter(pair) => self::region(&pair.0) && condition(&pair.1),
        Region::List(list) => list.iter().all(number),
        _ => false,
    }
}

/// Whether the destinations of a generator follow from nothing else.
fn moves(moves: &Moves) -> bool {
    let test = |asked: &Option<Bool>| asked.as_ref().is_none_or(condition);
    match moves {
        Moves::None => true,
        Moves::All(list) => list.iter().all(self::moves),
        Moves::If(parts) => condition(&parts.0) && self::moves(&parts.1) && self::moves(&parts.2),
        Moves::ForEachPiece { who, list } => {
            who.as_ref().is_none_or(number) && list.iter().all(|entry| self::moves(&entry.moves))
        }
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Jump { from, from_condition, condition, .. } => {
                number(from) && test(from_condition) && test(condition)
            }
            LeafKind::Slide(slide) => {
                number(&slide.from)
                    && test(&slide.from_condition)
                    && slide.range.as_ref().is_none_or(|(min, max)| number(min) && number(max))
                    && test(&slide.go)
                    && test(&slide.stop)
                    && slide.apply.as_ref().is_none_or(|apply| test(&apply.condition))
            }
            _ => false,
        },
        _ => false,
    }
}

//! Code for sets of the sites of pieces.

use kernel::ir::{Combine, Expr, SetTable};

use super::arrays::{Slot, add, int, slot, state_set};
use super::context::Sites;
use super::emitter::Emitter;
use super::regions::MOST_SHIFTS;
use super::{ints, origins, regions, teams};
use crate::ir::{Around, Iter, Owners, Pieces, Region, Role, SetId};
use crate::state::{EMPTY, Layout};

/// The sites that steps reach from a set of sites: the set is shifted once for each distance of a
/// step, or if there are too many distances, the rows of a table are joined.
pub(super) fn union_over(
    code: &mut Emitter<'_>,
    steps: impl Iterator<Item = (usize, u16)>,
    table: SetTable,
    sites: Expr,
) -> Expr {
    // A step leads to a site if its reverse begins there.
    let back = steps.map(|(from, to)| (usize::from(to), from as u16));
    let shifted = origins::shifted_back(code, back, &sites, MOST_SHIFTS / code.game.words());
    shifted.unwrap_or_else(|| regions::union_of(code, table, sites))
}

/// The sites of a set that are of a kind.
pub(super) fn of_kind(code: &mut Emitter<'_>, sites: Expr, kind: Around) -> Expr {
    let players = code.game.world.players as i32;
    let shared = |code: &mut Emitter<'_>| owned(code, int(players + 1));
    match kind {
        Around::Any => sites,
        Around::Empty => sites.without(occupied(code)),
        Around::NotEmpty => sites & occupied(code),
        Around::Own | Around::NotOwn | Around::NotEnemy => {
            let own = owned(code, slot(Slot::Mover));
            let own = own | shared(code);
            let op = if kind == Around::NotOwn { Combine::Without } else { Combine::And };
            Expr::Combine(op, Box::new(sites), Box::new(own))
        }
        Around::Enemy => {
            let players = Pieces { owners: Owners::Role(Role::Enemy), components: None };
            sites & of_pieces(code, &players)
        }
    }
}

/// The sites of a set that are also in a static set.
pub(super) fn among(code: &mut Emitter<'_>, sites: Expr, within: Sites) -> Expr {
    if code.game.everywhere().is_subset(within) {
        return sites;
    }
    sites & regions::fixed(code, within)
}

/// The static set with an index; empty beyond the last one.
pub(super) fn indexed(code: &mut Emitter<'_>, sets: &[SetId], index: Expr) -> Expr {
    let game = code.game;
    if let Expr::Int(index) = index {
        let set = usize::try_from(index).ok().and_then(|i| sets.get(i));
        return set.map_or(Expr::NoSites, |&set| regions::fixed(code, game.set(set)));
    }
    code.set_table(sets.iter().map(|&set| game.set(set))).at(index)
}

/// All sites with pieces.
pub(super) fn occupied(code: &mut Emitter<'_>) -> Expr {
    regions::fixed(code, code.game.everywhere()).without(state_set(int(EMPTY as i32)))
}

/// The sites of an owner.
pub(super) fn owned(code: &mut Emitter<'_>, owner: Expr) -> Expr {
    let owners = code.game.world.players as i32 + 2;
    let first = Layout::owner_set(0) as i32;
    match owner {
        Expr::Int(owner) if (0..owners).contains(&owner) => state_set(int(first + owner)),
        Expr::Int(_) => Expr::NoSites,
        owner => set_by(code, (0..owners).map(|owner| first + owner), owner),
    }
}

/// The sites with a component: the empty ones for 0, none beyond the components.
pub(super) fn with_component(code: &mut Emitter<'_>, component: Expr) -> Expr {
    set_by(code, code.game.layout.piece_set.iter().map(|&set| i32::from(set)), component)
}

/// One of several sets of the state, by its place among them; empty beyond the last one.
fn set_by(code: &mut Emitter<'_>, sets: impl Iterator<Item = i32>, place: Expr) -> Expr {
    // A table has 0 beyond its end, and the set with the number -1 is empty.
    state_set(add(code.table(sets.map(|set| set + 1)).at(place), int(-1)))
}

/// True if the sites of pieces have a form in code.
pub(super) fn has_code(code: &Emitter<'_>, pieces: &Pieces) -> bool {
    match &pieces.owners {
        Owners::Number(_) => true,
        Owners::Role(role) => match role {
            Role::Neutral
            | Role::Player(_)
            | Role::All
            | Role::Mover
            | Role::Next
            | Role::Prev
            | Role::Shared
            | Role::Each
            | Role::NonMover
            | Role::Iterated => true,
            Role::Enemy | Role::Friend if code.game.world.teams.is_none() => true,
            role => code.game.knows_team(*role),
        },
    }
}

/// The sites of pieces; of stacks, those with such a piece on top.
pub(super) fn of_pieces(code: &mut Emitter<'_>, pieces: &Pieces) -> Expr {
    let players = code.game.world.players as i32;
    let mover = || slot(Slot::Mover);
    let others = |code: &mut Emitter<'_>, all: std::ops::RangeInclusive<i32>| {
        let all = all.map(|p| state_set(int(Layout::owner_set(0) as i32 + p)));
        all.reduce(|a, b| a | b).unwrap_or(Expr::NoSites).without(owned(code, mover()))
    };
    let by_team = match pieces.owners {
        Owners::Role(role) => teams::owned_by_team(code, role),
        Owners::Number(_) => None,
    };
    let owned = match &pieces.owners {
        Owners::Number(number) => {
            let number = ints::emit(code, number);
            owned(code, number)
        }
        Owners::Role(role) if by_team.is_none() => match role {
            Role::Neutral => owned(code, int(0)),
            Role::Player(p) => owned(code, int(i32::from(*p))),
            Role::Shared | Role::Each => owned(code, int(players + 1)),
            Role::Mover | Role::Friend => owned(code, mover()),
            Role::Next => owned(code, slot(Slot::Next)),
            Role::Prev => owned(code, slot(Slot::Prev)),
            Role::Iterated => {
                let player = code.variable(Iter::Player);
                owned(code, player)
            }
            Role::NonMover => others(code, 0..=players),
            Role::Enemy => others(code, 1..=players),
            _ => occupied(code),
        },
        Owners::Role(_) => by_team.unwrap_or(Expr::NoSites),
    };
    match &pieces.components {
        None => owned,
        Some(allowed) => {
            let sets = &code.game.layout.piece_set;
            let sets = (1..sets.len()).filter(|&c| allowed[c]).map(|c| sets[c]);
            let sets: std::collections::BTreeSet<u16> = sets.collect();
            let sets = sets.into_iter().map(|set| state_set(int(i32::from(set))));
            match sets.reduce(|a, b| a | b) {
                None => Expr::NoSites,
                Some(sets) => owned & sets,
            }
        }
    }
}

/// The sites of pieces, of the whole game or of a region.
pub(super) fn within(code: &mut Emitter<'_>, pieces: &Pieces, region: Option<&Region>) -> Expr {
    let sites = of_pieces(code, pieces);
    match region {
        Some(region) => sites & regions::emit(code, region),
        None => sites,
    }
}

//! Sets of the sites of pieces, as code.

use kernel::ir::{Combine, Expr, SetTable};

use super::arrays::{Slot, add, int, slot, state_set};
use super::context::Sites;
use super::emitter::Emitter;
use super::regions::MOST_SHIFTS;
use super::{ints, origins, regions, teams};
use crate::ir::{Around, Iter, Owners, Pieces, Role};
use crate::state::{EMPTY, Layout};

/// What is reached from any of some sites by steps, of which a table has those of each site: by
/// shifting all of them, where there are few distances.
pub(super) fn union_over(
    code: &mut Emitter<'_>,
    steps: impl Iterator<Item = (usize, u16)>,
    table: SetTable,
    sites: Expr,
) -> Expr {
    // Where they lead to is from where they would lead back.
    let back = steps.map(|(from, to)| (usize::from(to), from as u16));
    let shifted = origins::before_at_once(code, back, &sites, MOST_SHIFTS / code.game.words());
    shifted.unwrap_or_else(|| regions::union_of(code, table, sites))
}

/// Of some sites those that count as of a kind.
pub(super) fn of_kind(code: &mut Emitter<'_>, sites: Expr, kind: Around) -> Expr {
    let players = code.game.world.players as i32;
    let shared = |code: &mut Emitter<'_>| owned(code, int(players + 1));
    match kind {
        Around::Any => sites,
        Around::Empty => {
            let occupied = occupied(code);
            sites.without(occupied)
        }
        Around::NotEmpty => {
            let occupied = occupied(code);
            sites & occupied
        }
        Around::Own | Around::NotOwn | Around::NotEnemy => {
            let own = owned(code, slot(Slot::Mover));
            let own = own | shared(code);
            let op = if kind == Around::NotOwn { Combine::Without } else { Combine::And };
            Expr::Combine(op, Box::new(sites), Box::new(own))
        }
        Around::Enemy => {
            let players = Pieces { owners: Owners::Role(Role::Enemy), components: None };
            let enemies = sites_of_pieces(code, &players);
            sites & enemies
        }
    }
}

/// The sites that are also in a set that never changes.
pub(super) fn among(code: &mut Emitter<'_>, sites: Expr, within: Sites) -> Expr {
    if code.game.everywhere().is_subset(within) {
        return sites;
    }
    let within = regions::fixed(code, within);
    sites & within
}

pub(super) fn indexed(code: &mut Emitter<'_>, sets: &[crate::ir::SetId], index: Expr) -> Expr {
    let game = code.game;
    if let Expr::Int(index) = index {
        let set = usize::try_from(index).ok().and_then(|i| sets.get(i));
        return set.map_or(Expr::NoSites, |&set| regions::fixed(code, game.set(set)));
    }
    let sets = code.module.tables.sets(sets.iter().map(|&set| game.set(set)));
    sets.at(index)
}

/// All sites with pieces.
pub(super) fn occupied(code: &mut Emitter<'_>) -> Expr {
    let everywhere = regions::fixed(code, code.game.everywhere());
    everywhere.without(state_set(int(EMPTY as i32)))
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
    let sets = code.game.layout.piece_set.iter().map(|&set| i32::from(set));
    set_by(code, sets, component)
}

/// One of some sets of the state by its place among them; the empty set beyond.
fn set_by(code: &mut Emitter<'_>, sets: impl Iterator<Item = i32>, place: Expr) -> Expr {
    // Out of range a table gives 0, and there is no set with the number -1.
    let sets = code.module.tables.ints(sets.map(|set| set + 1));
    state_set(add(sets.at(place), int(-1)))
}

/// True if there is code for some pieces.
pub(super) fn can_know_pieces(code: &Emitter<'_>, pieces: &Pieces) -> bool {
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

/// The sites of some pieces; of stacks, those with such a piece on top.
pub(super) fn sites_of_pieces(code: &mut Emitter<'_>, pieces: &Pieces) -> Expr {
    let players = code.game.world.players as i32;
    let mover = || slot(Slot::Mover);
    let others = |code: &mut Emitter<'_>, all: std::ops::RangeInclusive<i32>| {
        let all = all.map(|p| state_set(int(Layout::owner_set(0) as i32 + p)));
        let all = all.reduce(|a, b| a | b).unwrap_or(Expr::NoSites);
        let own = owned(code, mover());
        all.without(own)
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

//! Code for teams that never change.

use kernel::ir::Expr;

use super::arrays::{Slot, add, both, choose, int, is_below, slot};
use super::context::Context;
use super::emitter::Emitter;
use super::piece_sets;
use crate::ir::Role;

impl Context<'_> {
    /// The team of each player from 0; `None` if there are no teams, or if they change.
    fn teams(&self) -> Option<&[u8]> {
        self.world.teams.as_deref().filter(|_| self.world.team_var.is_none())
    }

    /// The players that a role means, by the player to move; `None` if teams do not decide that, or
    /// if they change.
    fn players_by_mover(&self, role: Role) -> Option<Vec<Vec<usize>>> {
        let teams = self.teams()?;
        let is_meant = |mover: usize, player: usize| match role {
            Role::Team(team) => Some(teams[player] == team),
            Role::TeamMover | Role::Friend => Some(teams[player] == teams[mover]),
            Role::Enemy => Some(teams[player] != teams[mover]),
            Role::Ally => Some(teams[player] == teams[mover] && player != mover),
            _ => None,
        };
        let players = 1..=self.world.players;
        let meant = |mover: usize| -> Option<Vec<usize>> {
            let meant = players.clone().map(|player| Some((player, is_meant(mover, player)?)));
            let meant = meant.collect::<Option<Vec<_>>>()?;
            Some(meant.into_iter().filter(|(_, meant)| *meant).map(|(player, _)| player).collect())
        };
        (0..=self.world.players).map(meant).collect()
    }

    /// True if teams decide which players a role means, and never change.
    pub(super) fn knows_team(&self, role: Role) -> bool {
        self.players_by_mover(role).is_some()
    }
}

/// The sites of the players that a role means; `None` if teams do not decide that.
pub(super) fn owned_by_team(code: &mut Emitter<'_>, role: Role) -> Option<Expr> {
    let by_mover = code.game.players_by_mover(role)?;
    let most = by_mover.iter().map(Vec::len).max()?;
    // Shorter teams are filled up with an owner without pieces.
    let nobody = code.game.world.players + 2;
    let padded = |players: &Vec<usize>| {
        (0..most).map(|place| players.get(place).copied().unwrap_or(nobody) as i32).collect()
    };
    let players: Vec<Vec<i32>> = by_mover.iter().map(padded).collect();
    let players = code.table(players.concat());
    let first = code.keep_int(slot(Slot::Mover) * int(most as i32));
    let sets = (0..most as i32)
        .map(|place| piece_sets::owned(code, players.at(add(first.clone(), int(place)))));
    let sets: Vec<Expr> = sets.collect();
    Some(sets.into_iter().reduce(|a, b| a | b).unwrap_or(Expr::NoSites))
}

/// The players that a role means, as bits; `None` if teams do not decide that.
pub(super) fn team_bits(code: &mut Emitter<'_>, role: Role) -> Option<Expr> {
    let by_mover = code.game.players_by_mover(role)?;
    let bits = by_mover.iter().map(|players| players.iter().fold(0, |bits, p| bits | 1 << p));
    Some(code.table(bits.collect::<Vec<i32>>()).at(slot(Slot::Mover)))
}

/// Code that is 1 if a number is that of a player of the mover's team; `None` if there are no
/// teams, or if they change.
pub(super) fn is_in_own_team(code: &mut Emitter<'_>, who: Expr) -> Option<Expr> {
    let bits = team_bits(code, Role::TeamMover)?;
    let is_player = is_below(who.clone(), i32::BITS as i32);
    let bit = bits.shifted_right(choose(is_player.clone(), who, int(0))).and_bits(int(1));
    Some(both(is_player, bit))
}

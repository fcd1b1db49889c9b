//! Teams: rules that are written out for each team, and changes of teams.

use crate::front::{Call, Label, Name};
use crate::ir::{CompositeKind, Int, Role, StartRule};
use crate::world::{TEAM, World};

use super::places::{need, role};
use super::{Lower, Lowered, Problem, unsupported_use};

/// The rules of the set-up that make the teams at the start.
pub(super) fn first_teams(world: &World) -> Vec<StartRule> {
    let (Some(first), Some(teams)) = (world.team_var, &world.teams) else {
        return Vec::new();
    };
    let set = |(player, &team): (usize, &u8)| StartRule::SetVar {
        var: first + player,
        value: Int::Const(i32::from(team)),
    };
    teams.iter().skip(1).enumerate().map(set).collect()
}

/// The problem of a rule of the set-up for teams inside another one, because teams have to be
/// known before.
pub(super) fn inner_team(call: &Call) -> Lowered<StartRule> {
    Err(unsupported_use(need(call, Label::Number)?, "a team that is made for each of several"))
}

impl<'c> Lower<'c> {
    /// Makes variables with the teams of all players, if play rules change them.
    pub(super) fn changing_teams(&mut self, rules: &Call) {
        let start = rules.call(Label::Start).map_or(0, set_teams);
        if set_teams(rules) > start {
            let names = (1..=self.world.players).map(|player| format!("{TEAM}{player}"));
            let vars: Vec<usize> = names.map(|name| self.rules.names.var(Some(&name))).collect();
            self.world.team_var = vars.first().copied();
        }
    }

    /// `(set Team ..)` while the game is played.
    pub(super) fn set_team(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let number = self.int_at(call, Label::Number)?;
        let members = call.items(Label::Members).iter().map(role);
        let members = members.collect::<Lowered<Vec<Role>>>()?.into();
        let first = self.world.team_var.unwrap_or(0);
        Ok(CompositeKind::SetTeam { first, number, members })
    }

    /// Lowers a part for each team that has members, in order; `(team)` means the players of that
    /// team. Without teams every player is one.
    pub(super) fn for_teams<T>(
        &mut self,
        call: &Call,
        mut lower: impl FnMut(&mut Self) -> Lowered<T>,
    ) -> Lowered<Vec<T>> {
        if self.world.team_var.is_some() {
            let text = "`forEach Team` where teams change is not supported yet";
            return Err(Problem::Unsupported(call.place.error("unsupported-ludeme", text)));
        }
        let players = 1..=self.world.players;
        let team_of = |player: usize| match &self.world.teams {
            Some(teams) => teams.get(player).map_or(0, |&team| usize::from(team)),
            None => player,
        };
        let players_with_teams: Vec<(usize, i32)> =
            players.map(|player| (team_of(player), player as i32)).collect();
        let outer = self.scope.team.take();
        let mut lowered = Vec::new();
        for team in 1..=self.world.players {
            let members = players_with_teams
                .iter()
                .filter(|(team_of, _)| *team_of == team)
                .map(|&(_, player)| player);
            let members: Vec<i32> = members.collect();
            if !members.is_empty() {
                self.scope.team = Some(members);
                lowered.push(lower(self));
            }
        }
        self.scope.team = outer;
        lowered.into_iter().collect()
    }
}

/// Number of rules that make teams.
fn set_teams(call: &Call) -> usize {
    call.all().filter(|call| call.name() == Name::SetTeam).count()
}

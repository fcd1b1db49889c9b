//! What is written out for each team.

use super::{Lower, Lowered};

impl<'c> Lower<'c> {
    /// Lowers something for each team that has members, in order; `(team)` is its players there. Without
    /// teams every player is one.
    pub(super) fn for_teams<T>(
        &mut self,
        mut lower: impl FnMut(&mut Self) -> Lowered<T>,
    ) -> Lowered<Vec<T>> {
        let players = 1..=self.world.players;
        let of = |player: usize| match &self.world.teams {
            Some(teams) => teams.get(player).map_or(0, |&team| usize::from(team)),
            None => player,
        };
        let all: Vec<(usize, i32)> = players.map(|player| (of(player), player as i32)).collect();
        let outer = self.team.take();
        let mut lowered = Vec::new();
        for team in 1..=self.world.players {
            let members = all.iter().filter(|(of, _)| *of == team).map(|&(_, player)| player);
            let members: Vec<i32> = members.collect();
            if !members.is_empty() {
                self.team = Some(members);
                lowered.push(lower(self));
            }
        }
        self.team = outer;
        lowered.into_iter().collect()
    }
}

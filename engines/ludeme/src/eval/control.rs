//! Whose side is whose: pieces that change hands, and players who change teams.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::{Int, Place, Role};
use crate::moves::Act;

impl Eval<'_> {
    /// Pieces of an owner, or of anybody, become those of another owner that are called alike.
    pub(super) fn control_acts(
        &mut self,
        of: Option<&Int>,
        by: &Int,
        within: Option<&Place>,
        heirs: &[Box<[u16]>],
    ) -> Buffer<Act> {
        let of = of.map(|of| self.int(of));
        let by = usize::try_from(self.int(by)).unwrap_or(usize::MAX);
        let within = match within {
            Some(place) => self.place(place),
            None => self.game.everywhere.clone(),
        };
        let mut acts = Buffer::new();
        for site in within.without(&self.empty()).iter() {
            let what = self.state.what(site);
            let theirs = of.is_none_or(|of| of == i32::from(self.game.layout.owner[what]));
            let heir = heirs.get(what).and_then(|heirs| heirs.get(by)).copied();
            if let Some(what) = heir.filter(|&heir| theirs && heir != 0) {
                acts.push(Act::Replace { site: site as u16, what });
            }
        }
        acts
    }

    /// Makes players members of a team.
    pub(super) fn team_acts(
        &mut self,
        first: usize,
        number: &Int,
        members: &[Role],
    ) -> Buffer<Act> {
        let value = self.int(number);
        let owners = members.iter().fold(0, |owners, &role| owners | self.role_owners(role));
        let players = (1..=self.players()).filter(|player| owners >> player & 1 != 0);
        players.map(|player| Act::SetVar { var: first + player - 1, value }).collect()
    }
}

//! Positions and moves of a game as numbers, for programs that learn.

use play::{Encoding, NoChance, Player, SiteTurn, Turn};

use super::{Ludemes, charge_for};
use crate::eval::HarnessChance;
use crate::moves::{MoveId, Sort};
use crate::run::MadeToSites;
use crate::state::{Occupancy, State};
use crate::world::Component;

impl Ludemes {
    /// A site for each of the board and the hands, and a plane for each component.
    pub(super) fn observed(&self) -> Option<Encoding> {
        let world = &self.game.world;
        let sites = (0..world.sites()).map(|site| world.site_label(site)).collect();
        let components = || world.components.iter().skip(1);
        let kinds = components().map(|c| c.name.clone()).collect();
        let players = 1..=world.players as u8;
        let owner = |c: &Component| players.contains(&c.owner).then(|| Player(c.owner - 1));
        let owners = components().map(owner).collect();
        let encoding = play::observed_encoding(self, sites, kinds)?;
        Some(if encoding.is_perceived() { encoding } else { Encoding { owners, ..encoding } })
    }

    /// Writes a plane for each component.
    pub(super) fn write_planes(&self, state: &State, planes: &mut [u8]) {
        let (layout, sites) = (&self.game.layout, self.game.world.sites());
        if layout.occupancy == Occupancy::Stacking {
            return self.planes_of_stacks(state, planes);
        }
        let sets = layout.piece_set.iter().skip(1);
        for (plane, &set) in planes.chunks_exact_mut(sites.max(1)).zip(sets) {
            play::write_set(state.view(set.into()).0, plane);
        }
    }

    /// Writes planes site by site and level by level, see [`play::Mechanics::planes`].
    pub(crate) fn planes_of_stacks(&self, state: &State, planes: &mut [u8]) {
        let sites = self.game.world.sites();
        planes.fill(0);
        for site in 0..sites {
            for level in 0..state.height(site) {
                let kind = state.what_at(site, level).checked_sub(1);
                if let Some(byte) = kind.and_then(|kind| planes.get_mut(kind * sites + site)) {
                    *byte = 1;
                }
            }
        }
    }

    /// See [`play::Mechanics::expand_sites`].
    pub(super) fn list_sites(&self, state: &mut State, sites: &mut Vec<u64>) -> Option<SiteTurn> {
        if state.head.over {
            return Some(SiteTurn { turn: Turn::Over, family: 0 });
        }
        let lists = state.listed.is_empty() && self.keeps_domains(state).is_none();
        let of = self.positions().filter(|_| lists)?.sites(state, sites)?;
        Some(SiteTurn { turn: self.turn(state), family: family(of) })
    }

    /// See [`play::Mechanics::apply_to_sites`].
    pub(super) fn make_to_sites(
        &self,
        state: &mut State,
        action: MoveId,
        sites: &mut Vec<u64>,
    ) -> Option<SiteTurn> {
        let positions = self.positions().filter(|_| state.senses.is_none());
        let made = positions.map_or(MadeToSites::Not, |positions| {
            charge_for(state);
            state.listed.clear();
            positions.make_to_sites(state, action, sites)
        });
        match made {
            MadeToSites::Listed(of) => {
                Some(SiteTurn { turn: self.turn(state), family: family(of) })
            }
            MadeToSites::Made => {
                state.head.over.then_some(SiteTurn { turn: Turn::Over, family: 0 })
            }
            MadeToSites::Not => {
                self.make_by_evaluator(state, action, &HarnessChance::new(&mut NoChance));
                self.list_sites(state, sites)
            }
        }
    }
}

/// The move of a family on a site, and its number.
pub(super) fn site_move([family, site, place]: [u32; 3]) -> MoveId {
    let (leaf, piece, site) = ((family >> 16) as u16, family as i16, site as i16);
    let (from, to, sort, number) = (site, site, Sort::Plain, place as u16);
    MoveId { leaf, from, to, piece, sort, number, draws: 0 }
}

/// The family of the moves of a generator and a piece on different sites.
pub(super) fn family((generator, piece): (u16, i16)) -> u32 {
    u32::from(generator) << 16 | u32::from(piece as u16)
}

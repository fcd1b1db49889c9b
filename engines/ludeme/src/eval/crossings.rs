//! The places of pieces on tracks that cross themselves: a site has several places on such a track,
//! and which of them a piece is at follows from the way it came.
//!
//! The specification says that a place is recorded for each piece, not how. The following is what
//! the records of twenty games with such tracks show, and nothing else is known of it:
//! - Records count pieces by component, track and place.
//! - A piece that moves leaves the first place of its site that has any, and goes on to the first
//!   place of the new site behind it on the track; where there is none, to the first of all.
//! - A piece that comes from beyond the track is at the first place of its site. One that is
//!   recorded at no place of its site is recorded at none of the next.
//! - A piece that is removed is crossed out at *all* places of its site, so that another one there
//!   may be recorded at none.
//! - Pieces of the set-up count twice in stacks.
//! - Whose place is asked for is the mover's piece that is highest on the site.

use smallvec::SmallVec;

use super::Eval;
use crate::buffer::Buffer;
use crate::game::Definition;
use crate::moves::Act;
use crate::state::State;
use crate::world::Crossing;

impl Crossing {
    /// The variable that counts the pieces of a component at a place of a site, by the number of
    /// the place among those of the site. Sites with one place need none.
    fn var(&self, site: usize, what: usize, number: usize) -> Option<usize> {
        let component = self.components.binary_search(&(what as u16)).ok()?;
        let slot = self.slots.get(site).copied().flatten()? as usize;
        Some(self.first_var + component * self.slot_count + slot + number)
    }

    /// The place on the track of the first piece of a component on a site: its number among those
    /// of the site. `None` where the site is not on the track.
    fn number(&self, state: &State, site: usize, what: usize) -> Option<usize> {
        let places = self.places.get(site).filter(|places| !places.is_empty())?;
        if self.slots[site].is_none() {
            return Some(0);
        }
        (0..places.len()).find(|&number| self.counted(state, site, what, number) > 0)
    }

    fn counted(&self, state: &State, site: usize, what: usize, number: usize) -> i32 {
        // Variables start at -1.
        self.var(site, what, number).map_or(0, |var| state.vars()[var] + 1)
    }

    /// Takes a piece off a site; the answer is its place on the track.
    fn take(&self, state: &mut State, site: usize, what: usize) -> Option<u16> {
        let number = self.number(state, site, what)?;
        if let Some(var) = self.var(site, what, number) {
            state.set_var(var, state.vars()[var] - 1);
        }
        Some(self.places[site][number])
    }

    /// Takes a piece off a site that leaves the game.
    fn cross_out(&self, state: &mut State, site: usize, what: usize) {
        for number in 0..self.places.get(site).map_or(0, Vec::len) {
            if let Some(var) = self.var(site, what, number) {
                state.set_var(var, state.vars()[var].saturating_sub(1));
            }
        }
    }

    /// Puts a piece on a site: at the first place behind the one it comes from, if there is one.
    fn put(&self, state: &mut State, site: usize, what: usize, from: Option<u16>) {
        let Some(places) = self.places.get(site) else { return };
        let behind = |from: u16| places.iter().position(|&place| place > from);
        let number = from.and_then(behind).unwrap_or(0);
        if let Some(var) = self.var(site, what, number) {
            state.set_var(var, state.vars()[var].saturating_add(1));
        }
    }
}

impl Definition {
    /// Puts the pieces of the set-up at their places on tracks that cross themselves.
    pub(crate) fn begin_crossings(&self, state: &mut State) {
        for crossing in &self.world.crossings {
            for site in 0..self.world.sites() {
                let pieces: Buffer<usize> = match state.height(site) {
                    0 => continue,
                    1 => Buffer::filled(state.what(site), state.count(site).max(0) as usize),
                    height => (0..height).map(|level| state.what_at(site, level)).collect(),
                };
                for what in pieces {
                    crossing.put(state, site, what, None);
                    if self.stacking() {
                        crossing.put(state, site, what, None);
                    }
                }
            }
        }
    }

    /// Keeps the places of pieces on tracks that cross themselves, before an action is carried out.
    pub(crate) fn follow_crossings(&self, state: &mut State, act: Act) {
        let moved = |from: u16, to: u16, state: &mut State, pieces: &[usize]| {
            let (from, to) = (usize::from(from), usize::from(to));
            // In stacks such a move changes nothing.
            if from == to && self.stacking() {
                return;
            }
            for crossing in &self.world.crossings {
                // All are taken before any is put, since both sites may be the same.
                let places: SmallVec<[Option<u16>; 8]> =
                    pieces.iter().map(|&what| crossing.take(state, from, what)).collect();
                let off = crossing.places.get(from).is_none_or(Vec::is_empty);
                for (&what, place) in pieces.iter().zip(places) {
                    // A piece that is known at no place of its site is at none of the next one.
                    if off || place.is_some() {
                        crossing.put(state, to, what, place);
                    }
                }
            }
        };
        let removed = |site: u16, state: &mut State, what: usize| {
            for crossing in &self.world.crossings {
                crossing.cross_out(state, usize::from(site), what);
            }
        };
        match act {
            Act::Add { site, what, .. } | Act::Insert { site, what, .. } => {
                for crossing in &self.world.crossings {
                    crossing.put(state, usize::from(site), usize::from(what), None);
                }
            }
            Act::Remove(site) => {
                let what = state.what(usize::from(site));
                removed(site, state, what);
            }
            Act::RemoveLevel { site, level } => {
                let what = state.what_at(usize::from(site), usize::from(level));
                removed(site, state, what);
            }
            Act::Promote { site, what } => {
                let old = state.what(usize::from(site));
                removed(site, state, old);
                for crossing in &self.world.crossings {
                    crossing.put(state, usize::from(site), usize::from(what), None);
                }
            }
            Act::MoveTop { from, to, .. } | Act::Seed { from, to } => {
                let what = state.what(usize::from(from));
                moved(from, to, state, &[what]);
            }
            Act::MoveLevel { from, from_level, to, .. } => {
                let site = usize::from(from);
                let what = match from_level {
                    Some(level) => state.what_at(site, usize::from(level)),
                    None => state.what(site),
                };
                moved(from, to, state, &[what]);
            }
            Act::MoveStack { from, to } => {
                let site = usize::from(from);
                let height = state.height(site);
                let pieces: Buffer<usize> = (0..height).map(|l| state.what_at(site, l)).collect();
                moved(from, to, state, &pieces);
            }
            Act::MoveCount { from, to, count } => {
                let site = usize::from(from);
                let most = state.count(site).clamp(0, i32::from(count)) as usize;
                let pieces: Buffer<usize> = if self.stacking() {
                    let height = state.height(site);
                    (height.saturating_sub(most)..height).map(|l| state.what_at(site, l)).collect()
                } else {
                    std::iter::repeat_n(state.what(site), most).collect()
                };
                moved(from, to, state, &pieces);
            }
            _ => {}
        }
    }
}

impl Eval<'_> {
    /// The index on a track of a site: on a track that crosses itself the place of the mover's
    /// piece that is highest there, or of the top. `None` where the site is not on the track.
    pub(super) fn place_on_track(&self, track: usize, from: i32) -> Option<usize> {
        let known = self.game.world.crossings.iter().find(|crossing| crossing.track == track);
        if let (Some(crossing), Ok(site)) = (known, usize::try_from(from)) {
            let mover = self.turns.mover;
            let levels = (0..self.state.height(site)).rev();
            let mut pieces = levels.map(|level| self.state.what_at(site, level));
            let own = pieces.find(|&what| self.game.layout.owner[what] == mover);
            let what = own.unwrap_or_else(|| self.state.what(site));
            let number = crossing.number(self.state, site, what)?;
            return Some(usize::from(crossing.places[site][number]));
        }
        let sites = &self.game.world.tracks.get(track)?.sites;
        sites.iter().position(|&site| site == from)
    }
}

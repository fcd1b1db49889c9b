//! Properties of sites that are hidden from players, if rules read them.

use super::layout::KINDS;
use super::{Layout, Occupancy, State};

impl State {
    /// Hides properties of a site, as bits, from players, as bits, or shows them.
    pub(super) fn hide(&mut self, layout: &Layout, site: usize, kinds: u8, players: u32, on: bool) {
        if !layout.sizes.hidden || site >= self.sites() {
            return;
        }
        for player in (1..=layout.sizes.players).filter(|player| players >> player & 1 != 0) {
            for kind in (0..KINDS as u32).filter(|kind| kinds >> kind & 1 != 0) {
                self.put(layout.hidden(kind, player), site, on);
            }
        }
    }

    /// Moves the hidden properties of a piece with it. Pieces of stacks become visible.
    pub(super) fn carry_hidden(&mut self, layout: &Layout, from: usize, to: usize) {
        if from == to || from.max(to) >= self.sites() {
            return;
        }
        let emptied = self.what(from) == 0;
        for set in layout.hidden(0, 1)..layout.remembered(0) {
            let word_index = set * self.at.words + from / 64;
            let hidden = self.bits.get(word_index).is_some_and(|word| word >> (from % 64) & 1 != 0);
            self.put(set, to, hidden && layout.occupancy != Occupancy::Stacking);
            if emptied {
                self.put(set, from, false);
            }
        }
    }
}

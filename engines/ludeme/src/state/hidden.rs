//! What is hidden from whom, where rules ask for it.

use super::layout::KINDS;
use super::{Layout, Occupancy, State};

impl State {
    /// Hides kinds of what is known of a site from players, all of them as bits, or shows them.
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

    /// What is hidden of a piece goes with it; pieces of stacks come out into the open.
    pub(super) fn carry_hidden(&mut self, layout: &Layout, from: usize, to: usize) {
        if from == to || from.max(to) >= self.sites() {
            return;
        }
        let emptied = self.what(from) == 0;
        for set in layout.hidden(0, 1)..layout.remembered(0) {
            let at = set * self.at.words + from / 64;
            let hidden = self.bits.get(at).is_some_and(|word| word >> (from % 64) & 1 != 0);
            self.put(set, to, hidden && layout.occupancy != Occupancy::Stacking);
            if emptied {
                self.put(set, from, false);
            }
        }
    }
}

//! Access to the lists of a state.

use play::MAX_PLAYERS;

use super::State;
use super::layout::{Extra, Layout};
use super::lists::{List, Residue, StalePiece};
use crate::buffer::Buffer;
use crate::moves::Move;

impl State {
    /// A short list.
    pub(crate) fn list(&self, list: List) -> &[u16] {
        &self.lists.short[list as usize]
    }

    /// A short list, to be changed.
    pub(crate) fn list_mut(&mut self, list: List) -> &mut Vec<u16> {
        &mut self.lists.short[list as usize]
    }

    /// Pieces of stacks that are gone and still listed.
    pub(crate) fn stale_pieces(&self) -> &[StalePiece] {
        &self.lists.stale_pieces
    }

    pub(super) fn stale_pieces_mut(&mut self) -> &mut Vec<StalePiece> {
        &mut self.lists.stale_pieces
    }

    /// Leaves the values of a removed piece at its level above the top of a stack.
    pub(super) fn leave_residue(&mut self, site: usize, level: usize, extra: Extra) {
        if extra != Extra::default() {
            let (site, level) = (site as u16, level as u16);
            self.lists.residues.push(Residue { site, level, extra });
        }
    }

    /// Takes the values left at a level of a stack.
    pub(super) fn take_residue(&mut self, site: usize, level: usize) -> Extra {
        let is_at_level =
            |r: &Residue| usize::from(r.site) == site && usize::from(r.level) == level;
        let Some(index) = self.lists.residues.iter().position(is_at_level) else {
            return Extra::default();
        };
        self.lists.residues.remove(index).extra
    }

    /// The moves that players have chosen so far, if all choose at once.
    pub(crate) fn chosen(&self) -> &[Move] {
        &self.lists.chosen
    }

    /// As [`State::chosen`], to be changed.
    pub(crate) fn chosen_mut(&mut self) -> &mut Buffer<Move> {
        &mut self.lists.chosen
    }

    /// Scores that replace the ranks, if the rules give any.
    pub(crate) fn payoffs(&self) -> Option<&[i32; MAX_PLAYERS]> {
        self.lists.payoffs.as_ref()
    }

    /// Gives scores that replace the ranks.
    pub(crate) fn set_payoffs(&mut self, payoffs: [i32; MAX_PLAYERS]) {
        self.lists.payoffs = Some(payoffs);
    }

    /// Sites of a component in the order of placing, if the state keeps it.
    pub(crate) fn order(
        &self,
        layout: &Layout,
        component: usize,
    ) -> impl Iterator<Item = usize> + use<'_> {
        let placed = layout
            .order(component)
            .map(|offset| &self.cells[offset + 1..][..self.cells[offset] as usize]);
        let listed = self.lists.order.get(component);
        let placed = placed.into_iter().flatten().map(|&site| site as usize);
        placed.chain(listed.into_iter().flatten().map(|&site| usize::from(site)))
    }

    /// Adds a site to the order of placing of a component, as its last one.
    pub(super) fn enter_in_order(&mut self, layout: &Layout, component: usize, site: usize) {
        if let Some(offset) = layout.order(component) {
            let number = self.cells[offset] + 1;
            self.write(offset + number as usize, site as i32);
            self.write(offset, number);
        } else if layout.has_order_lists() {
            self.lists.order[component].push(site as u16);
        }
    }

    /// Removes a site from the order of placing of a component; the last one takes its place.
    pub(super) fn cross_out_of_order(&mut self, layout: &Layout, component: usize, site: usize) {
        if let Some(offset) = layout.order(component) {
            let last = offset + self.cells[offset] as usize;
            let found = (offset + 1..=last).find(|&place| self.cells[place] == site as i32);
            if let Some(place) = found {
                self.write(place, self.cells[last]);
                self.write(last, 0);
                self.write(offset, self.cells[offset] - 1);
            }
        } else if layout.has_order_lists() {
            let found = self.lists.order[component].iter().position(|&s| usize::from(s) == site);
            if let Some(place) = found {
                self.lists.order[component].swap_remove(place);
            }
        }
    }

    /// Stops keeping the order of placing.
    pub(crate) fn forget_order(&mut self) {
        self.lists.order.clear();
        if !self.stacking() {
            self.cells.truncate(self.at.pool);
        }
    }

    /// Remembered values by list.
    pub(crate) fn remembered(&self) -> &[Vec<i32>] {
        &self.lists.remembered
    }

    /// A list of remembered values, to be changed.
    fn remembered_mut(&mut self, list: usize) -> &mut Vec<i32> {
        &mut self.lists.remembered[list]
    }

    /// Remembers a value, once more if it is remembered already.
    pub(crate) fn remember(&mut self, layout: &Layout, list: usize, value: i32) {
        self.remembered_mut(list).push(value);
        self.note_remembered(layout, list, value, true);
    }

    /// Forgets one occurrence of a remembered value.
    pub(crate) fn forget(&mut self, layout: &Layout, list: usize, value: i32) {
        let values = self.remembered_mut(list);
        let Some(index) = values.iter().position(|&v| v == value) else { return };
        values.remove(index);
        let still = values.contains(&value);
        self.note_remembered(layout, list, value, still);
    }

    /// Forgets all values of a list.
    pub(crate) fn forget_all(&mut self, layout: &Layout, list: usize) {
        self.remembered_mut(list).clear();
        self.clear_set(layout.remembered(list));
    }

    /// Updates the set of remembered values, which has those that could be sites.
    fn note_remembered(&mut self, layout: &Layout, list: usize, value: i32, present: bool) {
        if let Some(value) = usize::try_from(value).ok().filter(|&v| v < 64 * layout.sizes.words) {
            self.put(layout.remembered(list), value, present);
        }
    }

    /// Adds the position, by its hash, to the earlier ones.
    pub(crate) fn remember_position(&mut self) {
        self.remember_hash(self.position_hash());
    }

    /// Adds the hash of a position to those of earlier ones.
    pub(crate) fn remember_hash(&mut self, hash: u64) {
        self.positions.push(hash);
    }

    /// Forgets the hashes of earlier positions.
    pub(crate) fn forget_positions(&mut self) {
        self.positions.clear();
    }
}

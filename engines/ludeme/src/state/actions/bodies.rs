//! Actions on pieces that cover several cells. A body lies where its first cell stands: whatever
//! adds, moves, turns, replaces or removes a piece does so to all of its cells.

use super::super::bodies::Bodies;
use super::super::{EMPTY, Layout, PieceValues, State};
use crate::buffer::Buffer;

impl State {
    /// Changes the contents of two sites; the bodies of the pieces there follow.
    pub(crate) fn change_bodies(
        &mut self,
        layout: &Layout,
        ends: [usize; 2],
        change: impl FnOnce(&mut State),
    ) {
        let Some(bodies) = &layout.bodies else { return change(self) };
        ends.iter().for_each(|&site| self.free_body(bodies, site, ends));
        change(self);
        ends.iter().for_each(|&site| self.cover_body(bodies, site));
    }

    /// Adds pieces to a site, with their bodies.
    pub(crate) fn place(
        &mut self,
        layout: &Layout,
        site: usize,
        what: usize,
        count: u16,
        given: PieceValues,
    ) {
        self.change_bodies(layout, [site; 2], |state| state.add(layout, site, what, count, given));
    }

    /// The cells that the pieces on a site cover beside it.
    fn body(&self, bodies: &Bodies, site: usize) -> Buffer<u16> {
        let mut cells = Buffer::new();
        if site >= self.sites() || self.what(site) == 0 {
            return cells;
        }
        if self.stacking() {
            for [what, state, ..] in self.stack(site) {
                cells.extend_from_slice(bodies.of(what, state, site));
            }
        } else {
            let state = self.extra(site, None).state;
            cells.extend_from_slice(bodies.of(self.what(site) as i32, state, site));
        }
        cells
    }

    /// Makes the cells empty that only the pieces on a site cover, or those on some other sites.
    fn free_body(&mut self, bodies: &Bodies, site: usize, others: [usize; 2]) {
        let cells = self.body(bodies, site);
        if cells.is_empty() {
            return;
        }
        let mut kept: Buffer<u16> = Buffer::new();
        for other in (0..self.sites()).filter(|other| !others.contains(other)) {
            kept.extend_from_slice(&self.body(bodies, other));
        }
        kept.sort_unstable();
        for &cell in cells.iter().filter(|cell| kept.binary_search(cell).is_err()) {
            self.cover(usize::from(cell), false);
        }
    }

    /// Covers the cells of the pieces on a site, and the site itself if it holds none and is part
    /// of the body of another piece.
    fn cover_body(&mut self, bodies: &Bodies, site: usize) {
        for &cell in &self.body(bodies, site) {
            self.cover(usize::from(cell), true);
        }
        let is_part = |other: usize| {
            u16::try_from(site).is_ok_and(|site| self.body(bodies, other).contains(&site))
        };
        if site < self.sites() && self.what(site) == 0 && (0..self.sites()).any(is_part) {
            self.cover(site, true);
        }
    }

    /// Marks a cell as covered: it holds no piece and is not empty either. Or makes it empty again.
    fn cover(&mut self, site: usize, covered: bool) {
        if site < self.sites() && self.what(site) == 0 {
            self.put(EMPTY, site, !covered);
            self.write_count(site, i32::from(covered));
        }
    }
}

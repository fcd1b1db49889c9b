//! Actions on stacks, whose levels are linked lists in a pool.

use super::super::{Extra, LEVEL, Layout, Occupancy, PieceValues, StalePiece, State};
use crate::buffer::Buffer;

impl State {
    pub(super) fn push(&mut self, layout: &Layout, site: usize, what: usize, extra: Extra) {
        self.take_residue(site, self.height(site));
        let mut level = self.cells[self.at.free] as usize;
        if level == 0 {
            level = self.cells.len();
            self.cells.resize(level + LEVEL, 0);
        } else {
            self.write(self.at.free, self.cells[level + 1]);
        }
        let below = self.cells[self.at.top + site];
        self.write(level, what as i32);
        self.write(level + 1, below);
        self.write_layers(level + 2, extra);
        self.write(self.at.top + site, level as i32);
        self.write(self.at.height + site, self.cells[self.at.height + site] + 1);
        self.set_what(layout, site, what);
        self.register(layout, site, what);
    }

    /// Adds a level to the list of unused ones.
    fn free(&mut self, level: usize) {
        self.write(level + 1, self.cells[self.at.free]);
        self.write(self.at.free, level as i32);
    }

    /// Takes the top piece off a stack.
    pub(super) fn pop(&mut self, layout: &Layout, site: usize) -> Option<(usize, Extra)> {
        let level = self.cells[self.at.top + site] as usize;
        if level == 0 {
            return None;
        }
        let (what, extra) = (self.cells[level] as usize, self.extra(site, None));
        let below = self.cells[level + 1] as usize;
        self.free(level);
        self.write(self.at.top + site, below as i32);
        let height = self.cells[self.at.height + site] - 1;
        self.write(self.at.height + site, height);
        let under = if below == 0 { 0 } else { self.cells[below] as usize };
        self.set_what(layout, site, under);
        self.unregister(layout, site, what);
        self.lay(site, what, height as usize);
        Some((what, extra))
    }

    /// Removes the top piece of a stack that is captured when the turn ends, the `number`th of that
    /// stack from 0. The reference crosses out the level of that number, and so the last ones of a
    /// stack of several stay listed.
    pub(crate) fn clear_captured(&mut self, layout: &Layout, site: usize, number: usize) {
        if layout.occupancy != Occupancy::Stacking || site >= self.sites() {
            self.remove(layout, site);
            return;
        }
        let height = self.height(site);
        let mut stale_pieces = std::mem::take(self.stale_pieces_mut());
        let popped = self.pop(layout, site);
        if let Some((what, _)) = popped.filter(|_| number >= height) {
            let (what, site, level) = (what as u16, site as u16, height as u16 - 1);
            stale_pieces.push(StalePiece { what, site, level });
        }
        *self.stale_pieces_mut() = stale_pieces;
        if let Some((what, _)) = popped.filter(|_| number < height) {
            self.lay(site, what, number);
        }
    }

    /// Removes one level of a stack; the levels above it sink.
    pub(crate) fn remove_level(&mut self, layout: &Layout, site: usize, level: usize) {
        let height = self.height(site);
        if layout.occupancy != Occupancy::Stacking || level + 1 >= height {
            self.remove(layout, site);
            return;
        }
        if let (Some(offset), Some(above)) = (self.level(site, level), self.level(site, level + 1))
        {
            let (what, below) = (self.cells[offset] as usize, self.cells[offset + 1]);
            let left = self.extra(site, None);
            self.leave_residue(site, height - 1, left);
            self.write(above + 1, below);
            self.free(offset);
            self.write(self.at.height + site, height as i32 - 1);
            self.unregister(layout, site, what);
            self.lay(site, what, level);
        }
    }

    /// Moves a whole stack onto another one, which keeps its data.
    pub(crate) fn move_stack(&mut self, layout: &Layout, from: usize, to: usize) {
        if layout.occupancy != Occupancy::Stacking {
            self.move_top(layout, from, to, true);
            return;
        }
        if from >= self.sites() || to >= self.sites() || from == to {
            return;
        }
        let mut moved: Buffer<(usize, Extra)> = Buffer::new();
        while let Some(level) = self.pop(layout, from) {
            moved.push(level);
        }
        while let Some((what, extra)) = moved.pop() {
            self.push(layout, to, what, extra);
        }
    }

    /// Moves one level of a stack onto another stack, or into it at a level. Only a piece that
    /// becomes the top keeps its further layers.
    pub(crate) fn move_level(
        &mut self,
        layout: &Layout,
        from: usize,
        level: Option<usize>,
        to: usize,
        to_level: Option<usize>,
    ) {
        if layout.occupancy != Occupancy::Stacking {
            self.move_top(layout, from, to, true);
            return;
        }
        let height = if from < self.sites() { self.height(from) } else { 0 };
        // A level that goes to its own site stays as it is.
        if height == 0 || to >= self.sites() || from == to && to_level.is_none() {
            return;
        }
        let level = level.unwrap_or(height - 1).min(height - 1);
        let (what, extra) = (self.what_at(from, level), self.extra(from, Some(level)));
        let left = self.extra(from, None);
        self.remove_level(layout, from, level);
        if level + 1 == height {
            self.leave_residue(from, height - 1, left);
        }
        match to_level {
            None => self.push(layout, to, what, extra),
            Some(to_level) => self.insert(layout, to, to_level, what, Extra::default()),
        }
    }

    /// Puts a piece into a stack at a level; the levels from there on rise.
    pub(crate) fn insert(
        &mut self,
        layout: &Layout,
        site: usize,
        level: usize,
        what: usize,
        extra: Extra,
    ) {
        if site >= self.sites() || what == 0 || what >= layout.owner.len() {
            return;
        }
        if layout.occupancy != Occupancy::Stacking {
            self.add(layout, site, what, 1, PieceValues::default());
            return;
        }
        let mut stale_pieces = std::mem::take(self.stale_pieces_mut());
        let mut above: Buffer<(usize, Extra)> = Buffer::new();
        while self.height(site) > level {
            above.extend(self.pop(layout, site));
        }
        let level = self.height(site);
        self.push(layout, site, what, extra);
        let rising = !above.is_empty();
        while let Some((what, extra)) = above.pop() {
            self.push(layout, site, what, extra);
        }
        let above =
            |g: &&mut StalePiece| usize::from(g.site) == site && usize::from(g.level) >= level;
        for stale in stale_pieces.iter_mut().filter(above).filter(|_| rising) {
            stale.level = stale.level.saturating_add(1);
        }
        *self.stale_pieces_mut() = stale_pieces;
    }

    /// Moves the top `n` pieces of a stack in their order, if it has as many.
    pub(crate) fn move_part(&mut self, layout: &Layout, from: usize, to: usize, n: usize) {
        if from >= self.sites() || to >= self.sites() || self.height(from) < n || from == to {
            return;
        }
        let mut moved: Buffer<(usize, Extra)> = Buffer::new();
        for _ in 0..n {
            moved.extend(self.pop(layout, from));
        }
        while let Some((what, extra)) = moved.pop() {
            self.push(layout, to, what, extra);
        }
    }

    /// Changes a further layer at a level of a stack. Levels beyond the stack mean the top.
    pub(crate) fn change_level(
        &mut self,
        site: usize,
        level: usize,
        change: impl FnOnce(&mut Extra),
    ) {
        match self.level(site, level).filter(|_| self.stacking()) {
            Some(offset) => {
                let mut extra = self.extra(site, Some(level));
                change(&mut extra);
                self.write_layers(offset + 2, extra);
            }
            // A stack without this level stays as it is.
            None if self.stacking() => {}
            None => self.change_extra(site, change),
        }
    }
}

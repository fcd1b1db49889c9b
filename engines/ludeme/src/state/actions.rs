//! The primitive actions, which make all changes to the pieces on the sites.

mod bodies;
mod stacks;

use super::List;
use super::{EMPTY, Extra, Layout, Occupancy, PieceValues, StalePiece, State};
use crate::buffer::{Buffer, pooled};
use crate::ir::Layer;
use crate::limits::MAX_COUNT;
use crate::moves::Act;

pooled!((usize, Extra));

impl State {
    /// Updates the sets of sites and `what` for a site that holds a component from now on (0 for an
    /// empty site).
    #[inline(always)]
    fn set_what(&mut self, layout: &Layout, site: usize, what: usize) {
        let old = self.what(site);
        if old == what {
            return;
        }
        self.cells[site] = what as i32;
        let (word, bit) = (site / 64, 1 << (site % 64));
        let ([piece, owner], [new_piece, new_owner]) = (layout.members[old], layout.members[what]);
        self.bits[piece + word] &= !bit;
        if owner != piece {
            self.bits[owner + word] &= !bit;
        }
        self.bits[new_piece + word] |= bit;
        if new_owner != new_piece {
            self.bits[new_owner + word] |= bit;
        }
    }

    /// Sets the number of pieces on a site, if pieces are counted.
    #[inline(always)]
    fn write_count(&mut self, site: usize, count: i32) {
        if self.counting() {
            self.write(self.at.count + site, count);
        }
    }

    /// Sets the further layers of a site without stacks.
    #[inline(always)]
    fn write_extra(&mut self, site: usize, extra: Extra) {
        if self.at.extra != 0 {
            let offset = self.at.extra + 3 * site;
            if self.at.states > 0 {
                self.put_in_state(site, self.cells[offset], extra.state);
            }
            self.write_layers(offset, extra);
        }
    }

    /// Moves a site from the set of a local state to that of another.
    fn put_in_state(&mut self, site: usize, old: i32, new: i32) {
        if old == new {
            return;
        }
        for (state, member) in [(old, false), (new, true)] {
            if let Some(set) = self.set_of_local_state(state) {
                self.put(set, site, member);
            }
        }
    }

    fn write_layers(&mut self, offset: usize, extra: Extra) {
        let Extra { state, rotation, value } = extra;
        for (i, value) in [state, rotation, value].into_iter().enumerate() {
            if self.cells[offset + i] != value {
                self.write(offset + i, value);
            }
        }
    }

    #[inline(always)]
    fn register(&mut self, layout: &Layout, site: usize, what: usize) {
        if layout.is_ordered() {
            self.enter_in_order(layout, what, site);
        }
    }

    /// Removes an entry of the order of placing; the last entry takes its place.
    #[inline(always)]
    fn unregister(&mut self, layout: &Layout, site: usize, what: usize) {
        if layout.is_ordered() {
            self.cross_out_of_order(layout, what, site);
        }
    }

    /// Crosses out the stale pieces of a component at a level of a stack that is removed. Stale
    /// pieces above it sink by a level.
    fn lay(&mut self, site: usize, what: usize, level: usize) {
        if self.stale_pieces().is_empty() {
            return;
        }
        let is_at_level = |g: &StalePiece| usize::from(g.site) == site;
        let stale_pieces = self.stale_pieces_mut();
        stale_pieces.retain(|g| {
            !is_at_level(g) || (usize::from(g.what), usize::from(g.level)) != (what, level)
        });
        for stale in
            stale_pieces.iter_mut().filter(|g| is_at_level(g) && usize::from(g.level) > level)
        {
            stale.level -= 1;
        }
    }

    /// Adds pieces to a site. On an occupied site the component does not change; stacks grow.
    #[inline]
    pub(crate) fn add(
        &mut self,
        layout: &Layout,
        site: usize,
        what: usize,
        count: u16,
        given: PieceValues,
    ) {
        if site >= self.sites() || what == 0 || what >= layout.owner.len() {
            return;
        }
        if layout.occupancy == Occupancy::Stacking {
            self.push(layout, site, what, given.onto(Extra::default()));
            return;
        }
        let empty = self.what(site) == 0;
        let old = if empty { 0 } else { self.count(site) };
        if empty {
            self.set_what(layout, site, what);
            self.register(layout, site, what);
        }
        self.write_count(site, (old + i32::from(count)).min(MAX_COUNT));
        self.write_extra(site, given.onto(self.extra(site, None)));
    }

    /// Removes the piece on a site, the top piece of a stack.
    #[inline]
    pub(crate) fn remove(&mut self, layout: &Layout, site: usize) {
        if site >= self.sites() {
            return;
        }
        if layout.occupancy == Occupancy::Stacking {
            self.pop(layout, site);
            return;
        }
        let what = self.what(site);
        if what != 0 {
            self.unregister(layout, site, what);
            self.set_what(layout, site, 0);
        }
        self.write_count(site, 0);
        self.write_extra(site, Extra::default());
    }

    /// Moves the top piece from one site to another. In stacks it keeps its further layers only if
    /// `keep` is true; elsewhere it replaces the piece at its destination.
    #[inline]
    pub(crate) fn move_top(&mut self, layout: &Layout, from: usize, to: usize, keep: bool) {
        if from >= self.sites() || to >= self.sites() || self.what(from) == 0 {
            return;
        }
        if layout.occupancy == Occupancy::Stacking {
            if from != to
                && let Some((what, extra)) = self.pop(layout, from)
            {
                if keep {
                    self.leave_residue(from, self.height(from), extra);
                }
                let left = self.take_residue(to, self.height(to));
                self.push(layout, to, what, if keep { extra } else { left });
            }
            return;
        }
        let what = self.what(from);
        let extra = if self.at.extra == 0 { Extra::default() } else { self.extra(from, None) };
        match self.count(from) {
            count if count > 1 => self.write_count(from, count - 1),
            _ => self.remove(layout, from),
        }
        let old = self.what(to);
        let before = if old == what && self.counting() { self.count(to) } else { 0 };
        if old != what {
            if old != 0 {
                self.unregister(layout, to, old);
            }
            self.set_what(layout, to, what);
            self.register(layout, to, what);
        }
        self.write_count(to, (before + 1).min(MAX_COUNT));
        self.write_extra(to, extra);
    }

    /// Moves a seed, which takes over the further layers of the seeds that it joins.
    pub(crate) fn seed(&mut self, layout: &Layout, from: usize, to: usize) {
        let old = self.extra(to, None);
        self.move_top(layout, from, to, false);
        if to < self.sites() {
            self.write_extra(to, old);
        }
    }

    /// Moves the top piece, and leaves an equal piece behind.
    pub(crate) fn copy_top(&mut self, layout: &Layout, from: usize, to: usize) {
        if from >= self.sites() || self.what(from) == 0 || from == to {
            return;
        }
        let (what, extra) = (self.what(from), self.extra(from, None));
        let count = if self.counting() { self.count(from) } else { 1 };
        self.move_top(layout, from, to, true);
        let given = PieceValues {
            state: Some(extra.state),
            rotation: Some(extra.rotation),
            value: Some(extra.value),
        };
        if !self.counting() || self.count(from) == 0 {
            self.add(layout, from, what, count as u16, given);
        } else {
            self.write_count(from, count);
        }
    }

    /// Turns over the pieces on a site: one piece by its local states, a stack by its order too.
    pub(crate) fn flip(
        &mut self,
        layout: &Layout,
        site: usize,
        flips: impl Fn(usize) -> Option<(i32, i32)>,
    ) {
        let turned = |what: usize, state: i32| match flips(what) {
            Some((a, b)) if state == a => b,
            Some((a, b)) if state == b => a,
            _ => state,
        };
        if self.height(site) > 1 {
            let mut levels: Buffer<(usize, Extra)> = Buffer::new();
            while let Some(level) = self.pop(layout, site) {
                levels.push(level);
            }
            for (what, mut extra) in levels {
                extra.state = turned(what, extra.state);
                self.push(layout, site, what, extra);
            }
            return;
        }
        let what = self.what(site);
        self.change_extra(site, |extra| extra.state = turned(what, extra.state));
    }

    /// Moves a number of pieces in a counting game.
    pub(crate) fn move_count(&mut self, layout: &Layout, from: usize, to: usize, n: u16) {
        if !self.counting() || from >= self.sites() || to >= self.sites() {
            return;
        }
        let n = i32::from(n);
        let what = self.what(from);
        match self.count(from) - n {
            ..=0 => self.remove(layout, from),
            left => self.write_count(from, left),
        }
        let count = self.count(to);
        if count == 0 {
            if what != 0 && n > 0 {
                self.set_what(layout, to, what);
                self.register(layout, to, what);
                self.write_count(to, n);
            }
        } else if self.what(to) == what && count + n <= MAX_COUNT {
            self.write_count(to, count + n);
        }
        // Otherwise the pieces are lost, as in the reference.
    }

    /// Replaces all pieces on a site by one piece of a component.
    #[inline]
    pub(crate) fn promote(&mut self, layout: &Layout, site: usize, what: usize) {
        if site >= self.sites() || what == 0 || what >= layout.owner.len() {
            return;
        }
        if layout.occupancy == Occupancy::Stacking {
            let alone = self.height(site) == 1;
            let old = self.pop(layout, site);
            self.push(layout, site, what, Extra::default());
            // Only a component that is promoted on top of others is crossed out.
            if let Some((old, _)) = old.filter(|_| alone) {
                self.stale_pieces_mut().push(StalePiece {
                    what: old as u16,
                    site: site as u16,
                    level: 0,
                });
            }
            return;
        }
        let old = self.what(site);
        if old != 0 {
            self.unregister(layout, site, old);
        }
        self.set_what(layout, site, what);
        self.register(layout, site, what);
        self.write_count(site, 1);
        self.write_extra(site, Extra::default());
    }

    /// Puts another component in the place of the top one, which keeps everything else.
    fn replace(&mut self, layout: &Layout, site: usize, what: usize) {
        let old = self.what(site);
        if old == 0 || what == 0 || what >= layout.owner.len() {
            return;
        }
        if self.stacking() {
            self.write(self.cells[self.at.top + site] as usize, what as i32);
        }
        self.unregister(layout, site, old);
        self.set_what(layout, site, what);
        self.register(layout, site, what);
    }

    /// Sets the number of pieces on a site of a counting game; 0 clears the site.
    pub(crate) fn set_count(&mut self, layout: &Layout, site: usize, count: i32) {
        if !self.counting() || site >= self.sites() {
            return;
        }
        if count <= 0 {
            self.remove(layout, site);
        } else if self.what(site) != 0 {
            self.write_count(site, count.min(MAX_COUNT));
        }
    }

    /// Changes a further layer of a site, that of the top piece in stacks.
    pub(crate) fn change_extra(&mut self, site: usize, change: impl FnOnce(&mut Extra)) {
        if site >= self.sites() {
            return;
        }
        let mut extra = self.extra(site, None);
        change(&mut extra);
        if !self.stacking() {
            self.write_extra(site, extra);
        } else if self.height(site) > 0 {
            self.write_layers(self.cells[self.at.top + site] as usize + 2, extra);
        }
    }

    /// Puts a component on a site without a change of counts, further layers or the order of
    /// placing, as tests for threats need it. An empty site of a counting game still counts as
    /// empty.
    pub(crate) fn pretend(&mut self, layout: &Layout, site: usize, what: usize) {
        if site < self.sites() {
            let empty = self.is_empty(site);
            self.set_what(layout, site, what);
            if empty && layout.occupancy == Occupancy::Counting {
                self.put(EMPTY, site, true);
            }
        }
    }

    /// Changes the state by one action.
    #[inline]
    pub(crate) fn act(&mut self, layout: &Layout, act: Act) {
        match act.sites() {
            Some((from, to)) if layout.bodies.is_some() => {
                let ends = [from, to].map(usize::from);
                self.change_bodies(layout, ends, |state| state.act_on_sites(layout, act));
            }
            _ => self.act_on_sites(layout, act),
        }
        if layout.sizes.hidden
            && let Act::MoveTop { from, to, .. }
            | Act::MoveStack { from, to }
            | Act::MoveLevel { from, to, .. } = act
        {
            self.carry_hidden(layout, usize::from(from), usize::from(to));
        }
    }

    #[inline]
    fn act_on_sites(&mut self, layout: &Layout, act: Act) {
        match act {
            Act::Add { site, what, state } => {
                let given = PieceValues { state, ..PieceValues::default() };
                self.add(layout, usize::from(site), usize::from(what), 1, given);
            }
            Act::Remove(site) => self.remove(layout, usize::from(site)),
            Act::Clear { site, number } => {
                self.clear_captured(layout, usize::from(site), usize::from(number));
            }
            Act::RemoveLevel { site, level } => {
                self.remove_level(layout, usize::from(site), usize::from(level));
            }
            Act::MoveTop { from, to, keep } => {
                self.move_top(layout, usize::from(from), usize::from(to), keep);
            }
            Act::Defer(site) => self.list_mut(List::ToClear).push(site),
            Act::Insert { site, level, what, state } => {
                let given = Extra { state: state.unwrap_or(0), ..Extra::default() };
                let (site, level, what) =
                    (usize::from(site), usize::from(level), usize::from(what));
                self.insert(layout, site, level, what, given);
            }
            Act::MoveLevel { from, from_level, to, to_level } => {
                let (from_level, to_level) =
                    (from_level.map(usize::from), to_level.map(usize::from));
                self.move_level(layout, usize::from(from), from_level, usize::from(to), to_level);
            }
            Act::Seed { from, to } => self.seed(layout, usize::from(from), usize::from(to)),
            Act::Copy { from, to } => self.copy_top(layout, usize::from(from), usize::from(to)),
            Act::MoveStack { from, to } => {
                self.move_stack(layout, usize::from(from), usize::from(to));
            }
            Act::MoveCount { from, to, count } if layout.occupancy == Occupancy::Stacking => {
                self.move_part(layout, usize::from(from), usize::from(to), usize::from(count));
            }
            Act::MoveCount { from, to, count } => {
                self.move_count(layout, usize::from(from), usize::from(to), count);
            }
            Act::Promote { site, what } => {
                self.promote(layout, usize::from(site), usize::from(what));
            }
            Act::Replace { site, what } => {
                self.replace(layout, usize::from(site), usize::from(what));
            }
            Act::SetNext(player) => self.head.turns.next = player,
            Act::SetVar { var, value } => self.set_var(var, value),
            Act::SetCounter(value) => self.head.counter = value,
            Act::SetScore { player, value, added } => {
                let player = usize::from(player);
                let old = self.scores().get(player).copied().unwrap_or(0);
                self.set_score(player, if added { old.wrapping_add(value) } else { value });
            }
            Act::SetPlayerValue { player, value } => {
                let player = usize::from(player);
                if player < self.player_values().len() {
                    self.write(self.at.values + player, value);
                }
            }
            Act::PendSite(site) => self.pend(layout, usize::from(site)),
            Act::PendNumber(value) => self.head.pending_number = Some(value),
            Act::SetLayer { layer, site, level, value } => {
                self.set_layer(layer, site, level, value);
            }
            Act::SetCount { site, value } => self.set_count(layout, usize::from(site), value),
            Act::Trigger(player) => self.head.triggered |= 1 << player,
            Act::Remember { list, value } => self.remember(layout, list, value),
            Act::Forget { list, value } => self.forget(layout, list, value),
            Act::ForgetAll(0) => {
                (0..self.remembered().len()).for_each(|list| self.forget_all(layout, list));
            }
            Act::ForgetAll(list) => self.forget_all(layout, list),
            Act::SwapPlayers(a, b) => {
                let (a, b) = (usize::from(a), usize::from(b));
                if a.max(b) < self.head.record.seats.len() {
                    self.head.record.seats.swap(a, b);
                }
            }
            Act::StorePosition => self.head.record.stored = self.position_hash(),
            Act::Propose(text) => self.list_mut(List::Proposals).push(text),
            Act::Hide { site, kinds, players, on } => {
                self.hide(layout, usize::from(site), kinds, players, on);
            }
            // Consequences are no change by themselves, nor is a percept of a player. Dice, votes
            // and pieces that turn over need the game to be carried out.
            Act::Then(_)
            | Act::Tell { .. }
            | Act::RollDie { .. }
            | Act::UseDie(_)
            | Act::SetEqual(_)
            | Act::Flip(_)
            | Act::Vote(_) => {}
        }
    }

    /// Sets a layer of a site, or of one of its levels.
    #[inline]
    fn set_layer(&mut self, layer: Layer, site: u16, level: Option<u16>, value: i32) {
        let change = |extra: &mut Extra| match layer {
            Layer::State => extra.state = value,
            Layer::Rotation => extra.rotation = value,
            _ => extra.value = value,
        };
        match level {
            Some(level) => {
                self.change_level(usize::from(site), usize::from(level), change);
            }
            None => self.change_extra(usize::from(site), change),
        }
    }
}

#[cfg(test)]
mod tests;

//! The primitive actions: everything that changes what stands on the sites.

use super::{EMPTY, Extra, Flavour, Ghost, Given, Layout, Level, NONE, State};

impl<const W: usize> State<W> {
    /// Makes the sets say that a site holds a component (0: nothing), as `what` then does.
    #[inline(always)]
    fn set_what(&mut self, layout: &Layout, site: usize, what: usize) {
        let old = usize::from(self.what[site]);
        if old == what {
            return;
        }
        self.what[site] = what as u16;
        if old == 0 {
            self.sets[EMPTY].remove(site);
        } else {
            let piece = usize::from(layout.piece_set[old]);
            let owner = Layout::owner_set(usize::from(layout.owner[old]));
            self.sets[piece].remove(site);
            self.sets[owner].remove(site);
        }
        if what == 0 {
            self.sets[EMPTY].insert(site);
        } else {
            let piece = usize::from(layout.piece_set[what]);
            let owner = Layout::owner_set(usize::from(layout.owner[what]));
            self.sets[piece].insert(site);
            self.sets[owner].insert(site);
        }
    }

    fn register(&mut self, layout: &Layout, site: usize, what: usize) {
        if layout.ordered {
            self.order[what].push(site as u16);
        }
    }

    /// Removes an entry of the order of placing; the last entry takes its place.
    fn unregister(&mut self, layout: &Layout, site: usize, what: usize) {
        if layout.ordered
            && let Some(at) = self.order[what].iter().position(|&s| usize::from(s) == site)
        {
            self.order[what].swap_remove(at);
        }
    }

    /// Crosses out the ghosts of a component at a level of a stack that goes; what is listed above it
    /// sinks.
    fn lay(&mut self, site: usize, what: usize, level: usize) {
        if self.ghosts.is_empty() {
            return;
        }
        let here = |g: &Ghost| usize::from(g.site) == site;
        self.ghosts
            .retain(|g| !here(g) || (usize::from(g.what), usize::from(g.level)) != (what, level));
        for ghost in self.ghosts.iter_mut().filter(|g| here(g) && usize::from(g.level) > level) {
            ghost.level -= 1;
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
        given: Given,
    ) {
        if site >= self.what.len() || what == 0 || what >= layout.owner.len() {
            return;
        }
        if layout.flavour == Flavour::Stacking {
            self.push(layout, site, what, given.onto(Extra::default()));
            return;
        }
        let empty = self.what[site] == 0;
        if empty {
            self.set_what(layout, site, what);
            self.register(layout, site, what);
        }
        if let Some(old) = self.count.get_mut(site) {
            *old = if empty { count } else { old.saturating_add(count) };
        }
        if let Some(extra) = self.extra.get_mut(site) {
            *extra = given.onto(*extra);
        }
    }

    fn push(&mut self, layout: &Layout, site: usize, what: usize, extra: Extra) {
        let level = Level { what: what as u16, below: self.stacks.top[site], extra };
        let at = match self.stacks.free.pop() {
            Some(at) => {
                self.stacks.pool[at as usize] = level;
                at
            }
            None => {
                self.stacks.pool.push(level);
                self.stacks.pool.len() as u32 - 1
            }
        };
        self.stacks.top[site] = at;
        self.stacks.height[site] += 1;
        self.set_what(layout, site, what);
        self.register(layout, site, what);
    }

    /// Takes the top piece off a stack.
    fn pop(&mut self, layout: &Layout, site: usize) -> Option<(usize, Extra)> {
        let at = self.stacks.top[site];
        if at == NONE {
            return None;
        }
        let Level { what, below, extra } = self.stacks.pool[at as usize];
        self.stacks.free.push(at);
        self.stacks.top[site] = below;
        self.stacks.height[site] -= 1;
        let under =
            if below == NONE { 0 } else { usize::from(self.stacks.pool[below as usize].what) };
        self.set_what(layout, site, under);
        self.unregister(layout, site, usize::from(what));
        self.lay(site, usize::from(what), usize::from(self.stacks.height[site]));
        Some((usize::from(what), extra))
    }

    /// Removes what is on a site; of a stack, the top piece.
    #[inline]
    pub(crate) fn remove(&mut self, layout: &Layout, site: usize) {
        if site >= self.what.len() {
            return;
        }
        if layout.flavour == Flavour::Stacking {
            self.pop(layout, site);
            return;
        }
        let what = usize::from(self.what[site]);
        if what != 0 {
            self.unregister(layout, site, what);
            self.set_what(layout, site, 0);
        }
        if let Some(count) = self.count.get_mut(site) {
            *count = 0;
        }
        if let Some(extra) = self.extra.get_mut(site) {
            *extra = Extra::default();
        }
    }

    /// Removes the top piece of a stack that is captured when the turn ends, the `number`th of that
    /// stack from 0. The reference crosses out the level of that number, and so the last ones of a
    /// stack of several stay listed.
    pub(crate) fn clear_captured(&mut self, layout: &Layout, site: usize, number: usize) {
        if layout.flavour != Flavour::Stacking || site >= self.what.len() {
            self.remove(layout, site);
            return;
        }
        let height = self.height(site);
        let mut ghosts = std::mem::take(&mut self.ghosts);
        let Some((what, _)) = self.pop(layout, site) else {
            self.ghosts = ghosts;
            return;
        };
        if number >= height {
            let (what, site, level) = (what as u16, site as u16, height as u16 - 1);
            ghosts.push(Ghost { what, site, level });
            self.ghosts = ghosts;
        } else {
            self.ghosts = ghosts;
            self.lay(site, what, number);
        }
    }

    /// Removes one level of a stack; what is above sinks.
    pub(crate) fn remove_level(&mut self, layout: &Layout, site: usize, level: usize) {
        let height = self.height(site);
        if layout.flavour != Flavour::Stacking || level + 1 >= height {
            self.remove(layout, site);
            return;
        }
        if let (Some(at), Some(above)) = (self.level(site, level), self.level(site, level + 1)) {
            let Level { what, below, .. } = self.stacks.pool[at as usize];
            self.stacks.pool[above as usize].below = below;
            self.stacks.free.push(at);
            self.stacks.height[site] -= 1;
            self.unregister(layout, site, usize::from(what));
            self.lay(site, usize::from(what), level);
        }
    }

    /// Moves the top piece from one site to another. In stacks it keeps its further layers only
    /// where `keep` says so; elsewhere it replaces what is there.
    #[inline]
    pub(crate) fn move_top(&mut self, layout: &Layout, from: usize, to: usize, keep: bool) {
        if from >= self.what.len() || to >= self.what.len() || self.what[from] == 0 {
            return;
        }
        if layout.flavour == Flavour::Stacking {
            if from != to
                && let Some((what, extra)) = self.pop(layout, from)
            {
                self.push(layout, to, what, if keep { extra } else { Extra::default() });
            }
            return;
        }
        let what = usize::from(self.what[from]);
        let extra = self.extra.get(from).copied().unwrap_or_default();
        match self.count.get_mut(from) {
            Some(count) if *count > 1 => *count -= 1,
            _ => self.remove(layout, from),
        }
        let same = usize::from(self.what[to]) == what;
        if !same {
            if self.what[to] != 0 {
                let old = usize::from(self.what[to]);
                self.unregister(layout, to, old);
            }
            self.set_what(layout, to, what);
            self.register(layout, to, what);
        }
        if let Some(count) = self.count.get_mut(to) {
            *count = if same { count.saturating_add(1) } else { 1 };
        }
        if let Some(old) = self.extra.get_mut(to) {
            *old = extra;
        }
    }

    /// Moves a whole stack onto another, which keeps its data.
    pub(crate) fn move_stack(&mut self, layout: &Layout, from: usize, to: usize) {
        if layout.flavour != Flavour::Stacking {
            self.move_top(layout, from, to, true);
            return;
        }
        if from >= self.what.len() || to >= self.what.len() || from == to {
            return;
        }
        let mut moved = Vec::new();
        while let Some(level) = self.pop(layout, from) {
            moved.push(level);
        }
        for (what, extra) in moved.into_iter().rev() {
            self.push(layout, to, what, extra);
        }
    }

    /// Moves one level of a stack onto another, or into it at a level. Only what goes on top keeps its
    /// further layers.
    pub(crate) fn move_level(
        &mut self,
        layout: &Layout,
        from: usize,
        level: Option<usize>,
        to: usize,
        to_level: Option<usize>,
    ) {
        if layout.flavour != Flavour::Stacking {
            self.move_top(layout, from, to, true);
            return;
        }
        let height = if from < self.what.len() { self.height(from) } else { 0 };
        // A level that goes to the site where it is stays as it is.
        if height == 0 || to >= self.what.len() || from == to && to_level.is_none() {
            return;
        }
        let level = level.unwrap_or(height - 1).min(height - 1);
        let (what, extra) = (self.what_at(from, level), self.extra(from, Some(level)));
        self.remove_level(layout, from, level);
        match to_level {
            None => self.push(layout, to, what, extra),
            Some(at) => self.insert(layout, to, at, what, Extra::default()),
        }
    }

    /// Puts a piece into a stack at a level; what is above rises.
    pub(crate) fn insert(
        &mut self,
        layout: &Layout,
        site: usize,
        level: usize,
        what: usize,
        extra: Extra,
    ) {
        if site >= self.what.len() || what == 0 || what >= layout.owner.len() {
            return;
        }
        if layout.flavour != Flavour::Stacking {
            self.add(layout, site, what, 1, Given::default());
            return;
        }
        let mut ghosts = std::mem::take(&mut self.ghosts);
        let mut above = Vec::new();
        while self.height(site) > level {
            above.extend(self.pop(layout, site));
        }
        let level = self.height(site);
        self.push(layout, site, what, extra);
        let rising = !above.is_empty();
        for (what, extra) in above.into_iter().rev() {
            self.push(layout, site, what, extra);
        }
        let above = |g: &&mut Ghost| usize::from(g.site) == site && usize::from(g.level) >= level;
        for ghost in ghosts.iter_mut().filter(above).filter(|_| rising) {
            ghost.level = ghost.level.saturating_add(1);
        }
        self.ghosts = ghosts;
    }

    /// Moves the top `n` pieces of a stack, if it has as many, in their order.
    pub(crate) fn move_part(&mut self, layout: &Layout, from: usize, to: usize, n: usize) {
        if from >= self.what.len() || to >= self.what.len() || self.height(from) < n || from == to {
            return;
        }
        let mut moved = Vec::new();
        for _ in 0..n {
            moved.extend(self.pop(layout, from));
        }
        for (what, extra) in moved.into_iter().rev() {
            self.push(layout, to, what, extra);
        }
    }

    /// Moves a seed: it takes over the further layers of the seeds that it joins.
    pub(crate) fn seed(&mut self, layout: &Layout, from: usize, to: usize) {
        let old = self.extra.get(to).copied();
        self.move_top(layout, from, to, false);
        if let (Some(old), Some(extra)) = (old, self.extra.get_mut(to)) {
            *extra = old;
        }
    }

    /// Moves the top piece and leaves one like it behind.
    pub(crate) fn copy_top(&mut self, layout: &Layout, from: usize, to: usize) {
        if from >= self.what.len() || self.what[from] == 0 || from == to {
            return;
        }
        let (what, extra) = (self.what(from), self.extra(from, None));
        let count = self.count.get(from).copied().unwrap_or(1);
        self.move_top(layout, from, to, true);
        let given = Given {
            state: Some(extra.state),
            rotation: Some(extra.rotation),
            value: Some(extra.value),
        };
        if self.count.is_empty() || self.count[from] == 0 {
            self.add(layout, from, what, count, given);
        } else {
            self.count[from] = count;
        }
    }

    /// Turns over what is on a site: one piece by its local states, a stack by its order too.
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
            let mut levels = Vec::new();
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

    /// Changes a further layer at a level of a stack; levels beyond mean the top.
    pub(crate) fn change_level(
        &mut self,
        site: usize,
        level: usize,
        change: impl FnOnce(&mut Extra),
    ) {
        match self.level(site, level) {
            Some(at) => change(&mut self.stacks.pool[at as usize].extra),
            // A stack that is not so high stays as it is.
            None if !self.stacks.top.is_empty() => {}
            None => self.change_extra(site, change),
        }
    }

    /// Moves a number of pieces of a counting game.
    pub(crate) fn move_count(
        &mut self,
        layout: &Layout,
        from: usize,
        to: usize,
        n: u16,
        most: u16,
    ) {
        if from >= self.count.len() || to >= self.count.len() {
            return;
        }
        let what = usize::from(self.what[from]);
        if self.count[from] <= n {
            self.remove(layout, from);
        } else {
            self.count[from] -= n;
        }
        if self.count[to] == 0 {
            if what != 0 && n > 0 {
                self.set_what(layout, to, what);
                self.register(layout, to, what);
                self.count[to] = n;
            }
        } else if usize::from(self.what[to]) == what
            && u32::from(self.count[to]) + u32::from(n) <= u32::from(most)
        {
            self.count[to] += n;
        }
        // Else the pieces are gone: the reference loses them too.
    }

    /// Replaces what is on a site by one piece of a component.
    #[inline]
    pub(crate) fn promote(&mut self, layout: &Layout, site: usize, what: usize) {
        if site >= self.what.len() || what == 0 || what >= layout.owner.len() {
            return;
        }
        if layout.flavour == Flavour::Stacking {
            let alone = self.height(site) == 1;
            let old = self.pop(layout, site);
            self.push(layout, site, what, Extra::default());
            // Only what is promoted on top of others is crossed out.
            if let Some((old, _)) = old.filter(|_| alone) {
                self.ghosts.push(Ghost { what: old as u16, site: site as u16, level: 0 });
            }
            return;
        }
        let old = usize::from(self.what[site]);
        if old != 0 {
            self.unregister(layout, site, old);
        }
        self.set_what(layout, site, what);
        self.register(layout, site, what);
        if let Some(count) = self.count.get_mut(site) {
            *count = 1;
        }
        if let Some(extra) = self.extra.get_mut(site) {
            *extra = Extra::default();
        }
    }

    /// Sets the number of pieces on a site of a counting game; none clears it.
    pub(crate) fn set_count(&mut self, layout: &Layout, site: usize, count: i32) {
        if site >= self.count.len() {
            return;
        }
        if count <= 0 {
            self.remove(layout, site);
        } else if self.what[site] != 0 {
            self.count[site] = count.min(i32::from(u16::MAX)) as u16;
        }
    }

    /// Changes a further layer of a site, of the top piece in stacks.
    pub(crate) fn change_extra(&mut self, site: usize, change: impl FnOnce(&mut Extra)) {
        if let Some(extra) = self.extra.get_mut(site) {
            change(extra);
        } else if let Some(&top) = self.stacks.top.get(site)
            && top != NONE
        {
            change(&mut self.stacks.pool[top as usize].extra);
        }
    }

    /// Puts a component on a site without touching counts, further layers or the order of placing,
    /// as tests for threats do. An empty site of a counting game keeps testing as empty.
    pub(crate) fn pretend(&mut self, layout: &Layout, site: usize, what: usize) {
        if site < self.what.len() {
            let empty = self.sets[EMPTY].contains(site);
            self.set_what(layout, site, what);
            if empty && layout.flavour == Flavour::Counting {
                self.sets[EMPTY].insert(site);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Set;
    use crate::state::Layers;

    fn layout(flavour: Flavour) -> Layout {
        // Component 1 of player 1, 2 and 3 of player 2.
        Layout::new(&[0, 1, 2, 2], 2, flavour, Layers { state: true, ..Layers::default() }, true)
    }

    fn state(layout: &Layout) -> State<1> {
        State::new(layout, 10, &Set::below(9), 1, 0)
    }

    /// The sets say the same as the sites.
    fn check(layout: &Layout, state: &State<1>) {
        for site in 0..9 {
            let what = state.what(site);
            assert_eq!(state.sets[EMPTY].contains(site), what == 0, "site {site}");
            for owner in 0..4 {
                let owned = what != 0 && usize::from(layout.owner[what]) == owner;
                assert_eq!(state.owned(owner).contains(site), owned, "site {site} owner {owner}");
            }
            for piece in 1..4 {
                let set = usize::from(layout.piece_set[piece]);
                assert_eq!(state.sets[set].contains(site), what == piece, "site {site}");
            }
        }
    }

    #[test]
    fn flat_sites_are_replaced_not_stacked() {
        let layout = layout(Flavour::Flat);
        let mut state = state(&layout);
        state.add(&layout, 0, 1, 1, Given { state: Some(3), ..Given::default() });
        state.add(&layout, 0, 2, 1, Given::default());
        assert_eq!((state.what(0), state.count(0)), (1, 1)); // adding never changes the component
        state.add(&layout, 4, 2, 1, Given::default());
        state.move_top(&layout, 0, 4, false);
        assert_eq!((state.what(0), state.what(4), state.extra(4, None).state), (0, 1, 3));
        state.promote(&layout, 4, 3);
        check(&layout, &state);
        assert_eq!(state.extra(4, None).state, 0);
        state.remove(&layout, 4);
        check(&layout, &state);
        assert_eq!(state.order, vec![Vec::<u16>::new(); 4]);
    }

    #[test]
    fn counts_add_up() {
        let layout = layout(Flavour::Counting);
        let mut state = state(&layout);
        state.add(&layout, 0, 1, 3, Given::default());
        state.add(&layout, 0, 1, 1, Given::default());
        state.move_top(&layout, 0, 1, false);
        state.move_top(&layout, 0, 1, false);
        assert_eq!((state.count(0), state.count(1)), (2, 2));
        state.move_count(&layout, 0, 1, 2, 100);
        assert_eq!((state.what(0), state.count(1)), (0, 4));
        check(&layout, &state);
    }

    #[test]
    fn stacks_keep_order_from_the_bottom() {
        let layout = layout(Flavour::Stacking);
        let mut state = state(&layout);
        for what in [1, 2, 3] {
            state.add(&layout, 0, what, 1, Given { state: Some(7), ..Given::default() });
        }
        assert_eq!([0, 1, 2].map(|l| state.what_at(0, l)), [1, 2, 3]);
        state.remove_level(&layout, 0, 1);
        assert_eq!((state.height(0), state.what_at(0, 1)), (2, 3));
        state.move_top(&layout, 0, 5, false);
        assert_eq!(state.extra(5, None).state, 0); // lost, as specified
        assert_eq!(state.extra(0, None).state, 7);
        state.move_stack(&layout, 0, 5);
        assert_eq!([0, 1].map(|l| state.what_at(5, l)), [3, 1]);
        check(&layout, &state);
        let mut copy = self::state(&layout);
        copy.clone_from(&state);
        assert_eq!((copy.what, copy.sets), (state.what, state.sets));
    }

    #[test]
    fn what_is_crossed_out_wrongly_stays_listed_until_such_a_piece_goes() {
        let layout = layout(Flavour::Stacking);
        let mut state = state(&layout);
        let ghost = |what, level| vec![Ghost { what, site: 0, level }];
        for height in 1..=3 {
            (0..height).for_each(|_| state.add(&layout, 0, 1, 1, Given::default()));
            (0..height).for_each(|number| state.clear_captured(&layout, 0, number));
            assert_eq!(state.height(0), 0);
            // A single piece goes for good, and takes the ghost of the one before with it.
            assert_eq!(state.ghosts, if height == 1 { Vec::new() } else { ghost(1, 0) });
        }
        // Pieces of others come and go.
        state.add(&layout, 0, 2, 1, Given::default());
        state.move_stack(&layout, 0, 5);
        assert_eq!(state.ghosts, ghost(1, 0));
        state.add(&layout, 0, 1, 1, Given::default());
        state.move_top(&layout, 0, 5, true);
        assert!(state.ghosts.is_empty());
        // Only what stands alone is left behind by a promotion.
        state.promote(&layout, 5, 3);
        assert!(state.ghosts.is_empty());
        state.add(&layout, 0, 2, 1, Given::default());
        state.promote(&layout, 0, 3);
        assert_eq!(state.ghosts, ghost(2, 0));
        state.insert(&layout, 0, 0, 1, Extra::default());
        assert_eq!(state.ghosts, ghost(2, 1));
        check(&layout, &state);
    }

    #[test]
    fn a_sole_component_shares_the_set_of_its_owner() {
        let layout = layout(Flavour::Flat);
        assert_eq!(usize::from(layout.piece_set[1]), Layout::owner_set(1));
        assert_ne!(layout.piece_set[2], layout.piece_set[3]);
    }
}

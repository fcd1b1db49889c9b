//! Loops of pieces around other sites.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::Loop;
use crate::set::Set;

impl Eval<'_> {
    /// True if pieces like the one on a site close a loop around one of its neighbours.
    pub(super) fn is_loop(&mut self, ring: &Loop) -> bool {
        let mut any = false;
        self.each_loop(ring, |_, _| {
            any = true;
            true
        });
        any
    }

    /// The sites of all loops that pieces like the one on a site close, or those inside of them.
    pub(super) fn loop_sites(&mut self, ring: &Loop, inside: bool) -> Set {
        let mut all = Set::EMPTY;
        self.each_loop(ring, |around, within| {
            all |= if inside { within } else { around };
            false
        });
        all
    }

    /// Gives each loop to a function, with what is inside of it, until that returns true.
    fn each_loop(&mut self, ring: &Loop, mut found: impl FnMut(&Set, &Set) -> bool) {
        let colour = self.site(&ring.colour).unwrap_or(usize::MAX);
        let game = self.game;
        let inside: Option<u32> = ring
            .surround
            .as_ref()
            .map(|roles| roles.iter().fold(0, |owners, role| owners | self.role_owners(*role)));
        let fits = |eval: &Self, site: usize| {
            let owner = game.layout.owner[eval.state.what(site)];
            inside.is_none_or(|owners| owners >> owner & 1 != 0)
        };
        for start in self.place(&ring.start).iter() {
            let what = self.state.what(start);
            if start >= game.world.topology.sites() || what == 0 {
                continue;
            }
            for &seed in game.jump(ring.near).of(start).iter().rev() {
                let Some(area) = self.enclosed(ring, usize::from(seed), what, fits) else {
                    continue;
                };
                if self
                    .around_area(ring, &area, what, colour)
                    .is_some_and(|ring| found(&ring, &area))
                {
                    return;
                }
            }
        }
    }

    /// The area that pieces of a component shut in around a site; `None` if it is open to the
    /// outside.
    fn enclosed(
        &self,
        ring: &Loop,
        seed: usize,
        what: usize,
        fits: impl Fn(&Self, usize) -> bool,
    ) -> Option<Set> {
        let outer = self.game.set(ring.outer);
        if outer.contains(seed) || !fits(self, seed) {
            return None;
        }
        let mut found = Set::single(seed);
        let mut pending = Buffer::one(seed);
        while let Some(site) = pending.pop() {
            for ray in self.game.ray(ring.rays).of(site) {
                for next in ray.iter().map(|&next| usize::from(next)) {
                    if self.state.what(next) == what {
                        break;
                    }
                    if outer.contains(next) {
                        return None;
                    }
                    if !found.contains(next) && fits(self, next) {
                        found.insert(next);
                        pending.push(next);
                    }
                }
            }
        }
        Some(found)
    }

    /// The neighbours of an area, if they are all of one owner, and those of one component a chain:
    /// from each the way goes on to the first neighbour that it has not come by, and back where
    /// there is none. What leads nowhere is left out: the sites that touch no others, which on
    /// boards without diagonals are most of them.
    fn around_area(&self, ring: &Loop, area: &Set, what: usize, colour: usize) -> Option<Set> {
        let around = self.game.spread(ring.orthogonal, area).without(area);
        let owned = |site: usize| usize::from(self.game.layout.owner[self.state.what(site)]);
        if around.is_empty() || !around.iter().all(|site| owned(site) == colour) {
            return None;
        }
        let whole: Set = around.iter().filter(|&s| self.state.what(s) == what).collect();
        let mut left = whole.clone();
        let mut seen = Set::EMPTY;
        let mut way = Buffer::new();
        while let Some(site) = way.last().copied().or_else(|| left.first()) {
            if way.is_empty() {
                seen.insert(site);
                way.push(site);
            }
            if way.len() == left.len() as usize && left.len() > 1 {
                return Some(left);
            }
            let steps = self.game.jump(ring.steps).of(site).iter().map(|&next| usize::from(next));
            match steps.filter(|&next| left.contains(next)).find(|&next| !seen.contains(next)) {
                Some(next) => {
                    seen.insert(next);
                    way.push(next);
                }
                None => {
                    left.remove(site);
                    way.pop();
                }
            }
        }
        // Each touches none of the others.
        (!whole.is_empty()).then_some(whole)
    }
}

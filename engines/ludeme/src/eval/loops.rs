//! Loops of pieces around other sites.

use super::Eval;
use crate::ir::Loop;
use crate::set::Set;

impl<const W: usize> Eval<'_, W> {
    /// Whether pieces like the one on a site close a loop around one of its neighbours.
    pub(super) fn is_loop(&mut self, ring: &Loop) -> bool {
        let colour = self.site(&ring.colour).unwrap_or(usize::MAX);
        let game = self.game;
        self.place(&ring.start).iter().any(|start| {
            let what = self.state.what(start);
            let inside = start < game.world.topology.sites() && what != 0;
            inside
                && game.jump(ring.near).of(start).iter().rev().any(|&seed| {
                    let enclosed = self.enclosed(ring, usize::from(seed), what);
                    enclosed.is_some_and(|enclosed| self.is_ring(ring, &enclosed, what, colour))
                })
        })
    }

    /// What pieces of a component shut in around a site; `None` where it is open to the outside.
    fn enclosed(&self, ring: &Loop, seed: usize, what: usize) -> Option<Set<W>> {
        let outer = self.game.set(ring.outer);
        if outer.contains(seed) {
            return None;
        }
        let mut found = Set::single(seed);
        let mut pending = vec![seed];
        while let Some(site) = pending.pop() {
            for ray in self.game.ray(ring.rays).of(site) {
                for next in ray.iter().map(|&next| usize::from(next)) {
                    if self.state.what(next) == what {
                        break;
                    }
                    if outer.contains(next) {
                        return None;
                    }
                    if !found.contains(next) {
                        found.insert(next);
                        pending.push(next);
                    }
                }
            }
        }
        Some(found)
    }

    /// Whether the neighbours of an area are a chain of pieces of one component: from each the way goes
    /// on to the first neighbour that it has not come by, and back where there is none.
    fn is_ring(&self, ring: &Loop, area: &Set<W>, what: usize, colour: usize) -> bool {
        let around = self.game.jump(ring.orthogonal).spread(area).without(area);
        let owned = |site: usize| usize::from(self.game.layout.owner[self.state.what(site)]);
        if around.is_empty() || !around.iter().all(|site| owned(site) == colour) {
            return false;
        }
        let mut left: Set<W> = around.iter().filter(|&s| self.state.what(s) == what).collect();
        let Some(first) = left.first() else { return false };
        let mut way = vec![first];
        let mut seen: Set<W> = Set::single(first);
        while let Some(&site) = way.last() {
            if way.len() == left.len() as usize {
                return true;
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
        false
    }
}

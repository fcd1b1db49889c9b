//! Straight paths as masks.

use crate::game::Rays;
use crate::set::Set;

/// Straight paths that all go by a constant difference of site numbers, as on boards of squares.
#[derive(Clone, PartialEq)]
pub(super) struct Straight<const W: usize> {
    /// Each difference with the sites from which a step of it leads on.
    steps: Box<[(i32, Set<W>)]>,
}

impl<const W: usize> Straight<W> {
    /// The paths of a table, if they are of that kind and every path is the rest of the path before
    /// it.
    pub(super) fn of(rays: &Rays) -> Option<Straight<W>> {
        let mut steps: Vec<(i32, Set<W>)> = Vec::new();
        for site in 0..rays.sites() {
            for ray in rays.of(site) {
                let delta = i32::from(*ray.first()?) - site as i32;
                let mut previous = site as i32;
                for &next in ray {
                    if i32::from(next) - previous != delta {
                        return None;
                    }
                    previous = i32::from(next);
                }
                match steps.iter_mut().find(|s| s.0 == delta) {
                    Some(step) if step.1.contains(site) => return None,
                    Some(step) => step.1.insert(site),
                    None => steps.push((delta, Set::single(site))),
                }
            }
        }
        // A path must end exactly where no step leads on.
        for site in 0..rays.sites() {
            for ray in rays.of(site) {
                let delta = i32::from(ray[0]) - site as i32;
                let sources = steps.iter().find(|s| s.0 == delta).map(|s| s.1)?;
                let (last, inner) = ray.split_last()?;
                if sources.contains(usize::from(*last))
                    || inner.iter().any(|&s| !sources.contains(usize::from(s)))
                {
                    return None;
                }
            }
        }
        Some(Straight { steps: steps.into() })
    }

    /// The sites from which some path begins with at least one target and then, after targets only,
    /// comes to a friend.
    pub(super) fn flanks(&self, target: &Set<W>, friend: &Set<W>) -> Set<W> {
        let mut found = Set::EMPTY;
        for (by, sources) in &self.steps {
            // The sites whose next site is in a set. Only sites that have a next one count, so
            // nothing wraps around.
            let before = |set: Set<W>| set.moved(-by) & *sources;
            let mut run = before(*friend) & *target;
            let mut all = run;
            while !run.is_empty() {
                run = before(run) & *target;
                all |= run;
            }
            found |= before(all);
        }
        found
    }
}

/// Paths from one site as masks, for counting free sites without walking.
pub(super) struct SiteRays<const W: usize> {
    rays: Box<[RayMask<W>]>,
    /// How many sites of its path lie before each site; empty where paths do not run up or down.
    before: Box<[u8]>,
}

/// One path.
struct RayMask<const W: usize> {
    mask: Set<W>,
    order: Order,
    path: Box<[u16]>,
}

/// How the numbers of the sites run along a path.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Up,
    Down,
    Mixed,
}

/// Boards with more sites than this walk along paths: the tables would grow with the square.
const MAX_TABLE: usize = 512;

impl<const W: usize> SiteRays<W> {
    /// The paths of every site, up to so many sites of each.
    pub(super) fn of(rays: &Rays, most: usize) -> Box<[SiteRays<W>]> {
        let sites = rays.sites();
        let paths = |site| rays.of(site).map(|path| &path[..most.min(path.len())]);
        (0..sites).map(|site| SiteRays::from(site, sites, paths(site))).collect()
    }

    fn from<'r>(site: usize, sites: usize, rays: impl Iterator<Item = &'r [u16]>) -> SiteRays<W> {
        let mut before = vec![0; if sites <= MAX_TABLE { sites } else { 0 }];
        let mut seen: Set<W> = Set::EMPTY;
        let mut masks = Vec::new();
        for path in rays {
            let mut numbers = vec![site as u16];
            numbers.extend(path);
            let mask: Set<W> = path.iter().map(|&s| usize::from(s)).collect();
            // A site on two paths would need two entries.
            let order = if before.is_empty() || seen.intersects(&mask) {
                Order::Mixed
            } else if numbers.is_sorted_by(|a, b| a < b) {
                Order::Up
            } else if numbers.is_sorted_by(|a, b| a > b) {
                Order::Down
            } else {
                Order::Mixed
            };
            seen |= mask;
            if order != Order::Mixed {
                for (i, &s) in path.iter().enumerate() {
                    before[usize::from(s)] = i as u8;
                }
            }
            masks.push(RayMask { mask, order, path: path.into() });
        }
        SiteRays { rays: masks.into(), before: before.into() }
    }

    /// How many moves there are along all paths: over sites that do not block, and onto the first
    /// that does where it can be ended on; `fewest` sites at least, from 1.
    #[inline]
    pub(super) fn count(&self, field: &(Set<W>, Set<W>), fewest: usize) -> u32 {
        let (blocked, stop) = field;
        let short = fewest as u32 - 1;
        if stop.is_empty() && short == 0 {
            return self.rays.iter().map(|ray| self.free(ray, blocked) as u32).sum();
        }
        self.rays.iter().map(|ray| self.ends(ray, field).saturating_sub(short)).sum()
    }

    #[inline(always)]
    fn ends(&self, ray: &RayMask<W>, (blocked, stop): &(Set<W>, Set<W>)) -> u32 {
        let free = self.free(ray, blocked);
        let ends = ray.path.get(free).is_some_and(|&s| stop.contains(usize::from(s)));
        free as u32 + u32::from(ends)
    }

    /// The move with so many before it: the number of its path, and the site it ends on.
    pub(super) fn nth(&self, mut n: u32, field: &(Set<W>, Set<W>), fewest: usize) -> (usize, u16) {
        for (number, ray) in self.rays.iter().enumerate() {
            let count = self.ends(ray, field).saturating_sub(fewest as u32 - 1);
            if n < count {
                let at = n as usize + fewest - 1;
                return (number, ray.path.get(at).copied().unwrap_or(0));
            }
            n -= count;
        }
        (0, 0)
    }

    /// How many sites of a path there are before the first one in `blocked`.
    #[inline(always)]
    fn free(&self, ray: &RayMask<W>, blocked: &Set<W>) -> usize {
        let blockers = ray.mask & *blocked;
        let first = match ray.order {
            Order::Up => blockers.first(),
            Order::Down => blockers.last(),
            Order::Mixed => {
                let open = ray.path.iter().take_while(|&&s| !blocked.contains(usize::from(s)));
                return open.count();
            }
        };
        first.map_or(ray.path.len(), |site| usize::from(self.before[site]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_by_masks_is_walking(blocked: [u64; 2], path in prop::collection::vec(0u16..128, 1..12)) {
            let blocked = Set(blocked);
            // No path comes by a site twice.
            let mut path = path;
            let mut seen = Set::<2>::EMPTY;
            path.retain(|&s| {
                let new = !seen.contains(usize::from(s));
                seen.insert(usize::from(s));
                new
            });
            let mut up = path.clone();
            up.sort_unstable();
            up.dedup();
            let down: Vec<u16> = up.iter().rev().copied().collect();
            for path in [&up, &down, &path] {
                let Some((&site, path)) = path.split_first() else { continue };
                let site = usize::from(site);
                let rays: SiteRays<2> = SiteRays::from(site, 128, std::iter::once(path));
                let walked = path.iter().take_while(|&&s| !blocked.contains(usize::from(s))).count();
                prop_assert_eq!(rays.free(&rays.rays[0], &blocked), walked);
            }
        }
    }
}

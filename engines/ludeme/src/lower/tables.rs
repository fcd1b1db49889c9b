//! Tables that do not depend on the state: sets of sites, step targets, straight paths, lines,
//! distances. Each is kept once.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::board::{Direction, Topology};
use crate::ir::{AxesId, JumpId, RayId, SetId};
use crate::meter;

/// Step targets by site, in ascending order and without repetitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct JumpTable(pub(crate) Vec<Vec<u16>>);

impl JumpTable {
    /// Targets from a site; none beyond the board, which rules may read as well.
    pub(crate) fn of(&self, site: u16) -> &[u16] {
        self.0.get(usize::from(site)).map_or(&[], Vec::as_slice)
    }
}

/// Straight paths by site, the site itself left out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RayTable(pub(crate) Vec<Vec<Box<[u16]>>>);

impl RayTable {
    /// Paths from a site; none beyond the board, which rules may read as well.
    pub(crate) fn of(&self, site: u16) -> &[Box<[u16]>] {
        self.0.get(usize::from(site)).map_or(&[], Vec::as_slice)
    }
}

/// A line through a site: its sites in one direction, and in the opposite one if the line goes on
/// there.
pub(crate) type Axis = (Box<[u16]>, Option<Box<[u16]>>);

/// Lines by site.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AxisTable(pub(crate) Vec<Vec<Axis>>);

/// Items with numbers, each kept once.
#[derive(Debug)]
pub(crate) struct Interned<T> {
    pub(crate) items: Vec<T>,
    /// The numbers by hash of their items. The items are not keys, because tables are too large to
    /// be kept twice.
    index: HashTable<u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned { items: Vec::new(), index: HashTable::new() }
    }
}

impl<T: Eq + Hash> Interned<T> {
    fn number(&mut self, item: T, bytes: impl Fn(&T) -> usize) -> u32 {
        let items = &mut self.items;
        let hash = FxBuildHasher.hash_one(&item);
        if let Some(&number) = self.index.find(hash, |&number| items[number as usize] == item) {
            return number;
        }
        meter::bytes(bytes(&item));
        let number = items.len() as u32;
        items.push(item);
        let hash_of = |&number: &u32| FxBuildHasher.hash_one(&items[number as usize]);
        self.index.insert_unique(hash, number, hash_of);
        number
    }
}

/// Bytes of a list without its items, with those that the allocator needs.
const OF_LIST: usize = 48;

/// Approximate bytes of lists of sites with these lengths.
fn lists(lengths: impl Iterator<Item = usize>) -> usize {
    lengths.map(|sites| OF_LIST + 2 * sites).sum()
}

/// Approximate bytes of the lists of sites that each site has a list of.
fn lists_by_site<T>(by_site: &[Vec<T>], sites: impl Fn(&T) -> usize) -> usize {
    OF_LIST * by_site.len() + lists(by_site.iter().flatten().map(sites))
}

/// All tables of a game.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// Number of sites; sites beyond it are left out of sets.
    limit: usize,
    /// Sets of sites, sorted.
    pub(crate) sets: Interned<Vec<u16>>,
    pub(crate) jumps: Interned<JumpTable>,
    pub(crate) rays: Interned<RayTable>,
    pub(crate) axes: Interned<AxisTable>,
    /// Distances between sites by steps of a relation, 0 where unreachable.
    pub(crate) distances: Vec<(Direction, Vec<Vec<u16>>)>,
    /// Tables of straight paths by the directions of each site, because expanded macros ask for the
    /// same ones often.
    rays_by_site: FxHashMap<Vec<Vec<Direction>>, RayId>,
    pub(super) rays_by_direction: FxHashMap<Direction, RayId>,
}

impl Tables {
    /// Empty tables for a game with a number of sites.
    pub(crate) fn new(sites: usize) -> Tables {
        Tables { limit: sites, ..Tables::default() }
    }

    /// The number of a set of sites.
    pub(crate) fn set(&mut self, mut sites: Vec<u16>) -> SetId {
        meter::work(1 + sites.len() as u64);
        sites.retain(|&s| usize::from(s) < self.limit);
        sites.sort_unstable();
        sites.dedup();
        SetId(self.sets.number(sites, |sites| OF_LIST + 2 * sites.len()))
    }

    /// The sites of a set.
    pub(crate) fn sites(&self, set: SetId) -> &[u16] {
        &self.sets.items[set.0 as usize]
    }

    /// The number of a table of targets.
    pub(crate) fn jump(&mut self, mut targets: Vec<Vec<u16>>) -> JumpId {
        for list in &mut targets {
            list.sort_unstable();
            list.dedup();
        }
        meter::work(targets.iter().map(|list| 1 + list.len() as u64).sum());
        JumpId(self.jumps.number(JumpTable(targets), |table| lists(table.0.iter().map(Vec::len))))
    }

    /// The number of a table of any paths from every site.
    pub(crate) fn paths(&mut self, paths: Vec<Vec<Box<[u16]>>>) -> RayId {
        let paths = paths.into_iter().map(|list| list.into_iter().collect()).collect();
        self.ray_table(RayTable(paths))
    }

    fn ray_table(&mut self, table: RayTable) -> RayId {
        let paths = table.0.iter().flatten();
        meter::work(table.0.len() as u64 + paths.map(|path| 1 + path.len() as u64).sum::<u64>());
        RayId(self.rays.number(table, |table| lists_by_site(&table.0, |path| path.len())))
    }

    /// Targets of steps from every site in its list of directions.
    pub(crate) fn steps(&mut self, topology: &Topology, directions: &[Vec<Direction>]) -> JumpId {
        let targets = directions
            .iter()
            .enumerate()
            .map(|(site, list)| list.iter().flat_map(|&d| topology.steps(site, d)).collect());
        let targets = targets.collect();
        self.jump(targets)
    }

    /// Straight paths from every site in its list of directions.
    pub(crate) fn rays(&mut self, topology: &Topology, directions: &[Vec<Direction>]) -> RayId {
        if let Some(&rays) = self.rays_by_site.get(directions) {
            return rays;
        }
        let rays = directions.iter().enumerate().map(|(site, list)| {
            let radials = list.iter().flat_map(|&d| topology.radials(site, d));
            radials.map(|r| r.path[1..].into()).collect()
        });
        let id = self.ray_table(RayTable(rays.collect()));
        meter::bytes(OF_LIST * directions.len());
        self.rays_by_site.insert(directions.to_vec(), id);
        id
    }

    /// Lines through every site in a direction.
    pub(crate) fn axes(
        &mut self,
        topology: &Topology,
        sites: usize,
        direction: Direction,
    ) -> AxesId {
        let axes = (0..sites).map(|site| {
            let radials = topology.radials(site, direction).iter().filter(|r| r.distinct);
            radials
                .map(|r| {
                    let opposite = r.opposite.as_ref().map(|o| o[1..].into());
                    (r.path[1..].into(), opposite)
                })
                .collect()
        });
        let sites = |(ahead, back): &Axis| ahead.len() + back.as_ref().map_or(0, |back| back.len());
        let bytes = |table: &AxisTable| lists_by_site(&table.0, sites);
        AxesId(self.axes.number(AxisTable(axes.collect()), bytes))
    }

    /// The table of distances by a relation.
    pub(crate) fn distance(&mut self, topology: &Topology, relation: Direction) -> usize {
        if let Some(index) = self.distances.iter().position(|(r, _)| *r == relation) {
            return index;
        }
        let n = topology.sites();
        let table = (0..n)
            .map(|start| {
                if !(meter::work(n as u64) && meter::bytes(2 * n)) {
                    return Vec::new();
                }
                let mut distance = vec![0u16; n];
                let mut queue = vec![start];
                let mut seen = vec![false; n];
                seen[start] = true;
                let mut next_in_queue = 0;
                while next_in_queue < queue.len() {
                    let site = queue[next_in_queue];
                    next_in_queue += 1;
                    for next in topology.steps(site, relation).map(usize::from) {
                        if !seen[next] {
                            seen[next] = true;
                            distance[next] = distance[site] + 1;
                            queue.push(next);
                        }
                    }
                }
                distance
            })
            .collect();
        self.distances.push((relation, table));
        self.distances.len() - 1
    }
}

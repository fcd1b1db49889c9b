//! The constant tables of a program. Equal tables are stored once.

use std::collections::HashMap;

use kernel::ir::{SetTable, Table};

use super::context::{Context, Sites};
use crate::game::Rays;
use crate::ir::{AxesId, JumpId, RayId};

/// A list of numbers for each site.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    /// The places in `items` where the list of each site begins, and where the last one ends.
    pub(super) first: Table,
    pub(super) items: Table,
}

/// The straight paths from each site.
#[derive(Clone, Copy)]
pub(super) struct Paths {
    /// The number of the first path of each site, and the number of all paths.
    pub(super) of_site: Table,
    /// The places in `sites` where each path begins, and where the last one ends.
    pub(super) of_path: Table,
    pub(super) sites: Table,
    /// The paths as sets, if numbers of sites ascend or descend along each path.
    pub(super) as_sets: Option<PathSets>,
}

/// Straight paths as sets, by number.
#[derive(Clone, Copy)]
pub(super) struct PathSets {
    pub(super) sites: SetTable,
    /// 1 if numbers of sites ascend along the path; else they descend.
    pub(super) ascends: Table,
}

/// The constant tables of a program.
#[derive(Default)]
pub(super) struct Tables {
    /// The number of words of a set.
    words: usize,
    /// The tables of numbers and of sets.
    pub(super) numbers: Vec<Box<[i32]>>,
    pub(super) sets: Vec<Box<[u64]>>,
    by_numbers: HashMap<Box<[i32]>, Table>,
    by_words: HashMap<Vec<u64>, SetTable>,
    jumps: HashMap<JumpId, Lists>,
    near: HashMap<JumpId, SetTable>,
    rays: HashMap<Vec<RayId>, Paths>,
    halves: Option<SetTable>,
}

impl Tables {
    /// No tables yet, for sets of a number of words.
    pub(super) fn new(words: usize) -> Tables {
        Tables { words, ..Tables::default() }
    }

    /// A table of numbers.
    pub(super) fn ints(&mut self, numbers: impl IntoIterator<Item = i32>) -> Table {
        let numbers: Box<[i32]> = numbers.into_iter().collect();
        if let Some(&known) = self.by_numbers.get(&numbers) {
            return known;
        }
        let table = Table(self.numbers.len() as u32);
        self.numbers.push(numbers.clone());
        self.by_numbers.insert(numbers, table);
        table
    }

    /// The place among the numbers of a state where the order of placing of each component begins;
    /// 0 for a component without one.
    pub(super) fn orders(&mut self, game: &Context<'_>) -> Table {
        self.ints(game.layout.orders().iter().map(|&at| at as i32))
    }

    /// A table of sets.
    pub(super) fn sets(&mut self, sets: impl IntoIterator<Item = Sites>) -> SetTable {
        let n = self.words;
        let words: Vec<u64> =
            sets.into_iter().flat_map(|set| set.words.into_iter().take(n)).collect();
        if let Some(&known) = self.by_words.get(&words) {
            return known;
        }
        let table = SetTable(self.sets.len() as u32);
        self.sets.push(words.clone().into());
        self.by_words.insert(words, table);
        table
    }

    /// The targets of steps, by origin.
    pub(super) fn jumps(&mut self, game: &Context<'_>, id: JumpId) -> Lists {
        if let Some(&known) = self.jumps.get(&id) {
            return known;
        }
        let jumps = game.jump(id);
        let lists = (0..jumps.sites()).map(|site| jumps.of(site));
        let mut first = vec![0];
        first.extend(lists.clone().scan(0, |sum, list| {
            *sum += list.len() as i32;
            Some(*sum)
        }));
        let items = self.ints(lists.flatten().map(|&site| i32::from(site)));
        let lists = Lists { first: self.ints(first), items };
        self.jumps.insert(id, lists);
        lists
    }

    /// The targets of steps as sets, by origin.
    pub(super) fn near(&mut self, game: &Context<'_>, id: JumpId) -> SetTable {
        if let Some(&known) = self.near.get(&id) {
            return known;
        }
        let table = self.sets(game.jump(id).sets());
        self.near.insert(id, table);
        table
    }

    /// Straight paths.
    pub(super) fn rays(&mut self, game: &Context<'_>, id: RayId) -> Paths {
        self.all_rays(game, &[id])
    }

    /// Several tables of straight paths, one after the other, each by site.
    pub(super) fn all_rays(&mut self, game: &Context<'_>, ids: &[RayId]) -> Paths {
        if let Some(&known) = self.rays.get(ids) {
            return known;
        }
        let (mut of_site, mut of_path, mut sites) = (vec![0], vec![0], Vec::new());
        for rays in ids.iter().map(|&id| game.ray(id)) {
            for site in 0..rays.sites() {
                for path in rays.of(site) {
                    sites.extend(path.iter().map(|&s| i32::from(s)));
                    of_path.push(sites.len() as i32);
                }
                of_site.push(of_path.len() as i32 - 1);
            }
        }
        let paths = Paths {
            of_site: self.ints(of_site),
            of_path: self.ints(of_path),
            sites: self.ints(sites),
            as_sets: if let [id] = ids { self.path_sets(game.ray(*id)) } else { None },
        };
        self.rays.insert(ids.to_vec(), paths);
        paths
    }

    /// The halves of the sites: all sites; then, for each site and for the end, the sites before
    /// it; then, for each site and for the end, the sites from it on.
    pub(super) fn halves(&mut self) -> SetTable {
        if let Some(known) = self.halves {
            return known;
        }
        let sites = || 0..64 * self.words;
        let before = |end: usize| (0..end).collect::<Sites>();
        let from = |start: usize| (start..64 * self.words).collect::<Sites>();
        let all = std::iter::once(before(64 * self.words));
        let all = all.chain(sites().map(before)).chain([before(64 * self.words)]);
        let all = all.chain(sites().map(from)).chain([from(64 * self.words)]);
        let halves = self.sets(all.collect::<Vec<_>>());
        *self.halves.insert(halves)
    }

    /// Straight paths as sets; `None` if numbers of sites neither ascend nor descend along one.
    fn path_sets(&mut self, rays: &Rays) -> Option<PathSets> {
        let paths = || (0..rays.sites()).flat_map(|site| rays.of(site));
        let ascends = |path: &[u16]| path.is_sorted_by(|a, b| a < b);
        let descends = |path: &[u16]| path.is_sorted_by(|a, b| a > b);
        paths().all(|path| ascends(path) || descends(path)).then(|| {
            let sites = |path: &[u16]| path.iter().map(|&site| usize::from(site)).collect();
            PathSets {
                sites: self.sets(paths().map(sites).collect::<Vec<Sites>>()),
                ascends: self.ints(paths().map(|path| i32::from(ascends(path)))),
            }
        })
    }

    /// The lines through each site, in place of paths: the sites of each line on one side of the
    /// site, and then those on the other side, which may be none.
    pub(super) fn axes(&mut self, game: &Context<'_>, id: AxesId) -> Paths {
        let axes = &game.axis(id).0;
        let lengths = axes.iter().map(|of_site| of_site.len() as i32);
        let of_site = std::iter::once(0).chain(lengths.scan(0, |sum, lines| {
            *sum += lines;
            Some(*sum)
        }));
        let lines = || axes.iter().flatten();
        let sides =
            lines().flat_map(|(one, other)| [&one[..], other.as_deref().unwrap_or_default()]);
        let of_path = std::iter::once(0).chain(sides.clone().scan(0, |sum, side| {
            *sum += side.len() as i32;
            Some(*sum)
        }));
        Paths {
            of_site: self.ints(of_site),
            of_path: self.ints(of_path),
            sites: self.ints(sides.flatten().map(|&site| i32::from(site))),
            as_sets: None,
        }
    }

    /// The sites on the straight paths from each site.
    pub(super) fn reached(&mut self, game: &Context<'_>, id: RayId) -> SetTable {
        self.along(game, id, |path| path)
    }

    /// The sites at one place of the straight paths from each site, counted from 0.
    pub(super) fn in_place(&mut self, game: &Context<'_>, id: RayId, place: usize) -> SetTable {
        self.along(game, id, |path| path.get(place).map_or(&[][..], std::slice::from_ref))
    }

    /// The sites of a part of the straight paths from each site.
    fn along(&mut self, game: &Context<'_>, id: RayId, cut: impl Fn(&[u16]) -> &[u16]) -> SetTable {
        let rays = game.ray(id);
        let of_site = |site| rays.of(site).flat_map(&cut).map(|&s| usize::from(s)).collect();
        self.sets((0..rays.sites()).map(of_site).collect::<Vec<Sites>>())
    }
}

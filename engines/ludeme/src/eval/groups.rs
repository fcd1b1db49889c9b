//! Groups of connected sites: sizes, liberties, territory, connections.

use super::Eval;
use super::lists::Numbers;
use crate::buffer::Buffer;
use crate::ir::{Aspects, Bool, ConnectRegions, Connection, Int, Iter, JumpId, Walk};
use crate::set::Set;
use crate::state::EMPTY;

/// Groups of sites, each with the site that it was found from.
#[derive(Default)]
pub(super) struct Groups {
    seeds: Buffer<usize>,
    sets: Buffer<Set>,
}

impl Groups {
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Set)> + '_ {
        self.seeds.iter().copied().zip(self.sets.iter())
    }
}

impl Eval<'_> {
    /// The sites of the board with the same component as one site.
    fn alike(&self, site: usize) -> Set {
        let what = self.state.what(site);
        let set = if what == 0 { EMPTY } else { usize::from(self.game.layout.piece_set[what]) };
        self.state.set(set) & &self.game.board
    }

    /// The group of a site: sites with the same component, or that satisfy a condition.
    pub(super) fn group(&mut self, jumps: JumpId, at: i32, condition: Option<&Bool>) -> Set {
        let Some(condition) = condition else { return self.group_of_alike(jumps, at) };
        let Some(site) = self.real(at) else { return Set::EMPTY };
        let board = &self.game.board;
        let fitting = self.with(Iter::From, at, |eval| eval.filter(board, Iter::To, condition));
        // Where the site does not satisfy it, there is no group.
        if !fitting.contains(site) {
            return Set::EMPTY;
        }
        self.game.flood(jumps, site, &fitting)
    }

    /// The group of a site: sites with the same component.
    pub(super) fn group_of_alike(&self, jumps: JumpId, at: i32) -> Set {
        let group = |site| self.game.flood(jumps, site, &self.alike(site));
        self.real(at).map_or(Set::EMPTY, group)
    }

    /// A site, if the number is that of one.
    fn real(&self, at: i32) -> Option<usize> {
        usize::try_from(at).ok().filter(|&s| s < self.state.sites())
    }

    /// Sizes of all groups of sites that satisfy a condition (or are occupied).
    pub(super) fn group_sizes(&mut self, jumps: JumpId, condition: Option<&Bool>) -> Numbers {
        let board = &self.game.board;
        let mut rest = match condition {
            None => board.clone().without(&self.empty()),
            Some(condition) => self.filter(board, Iter::To, condition),
        };
        let mut sizes = Numbers::new();
        while let Some(seed) = rest.first() {
            let group = self.game.flood(jumps, seed, &rest);
            sizes.push(group.len() as i32);
            rest = rest.without(&group);
        }
        sizes
    }

    /// Empty neighbours of the group of a site.
    pub(super) fn liberties(&mut self, jumps: JumpId, at: i32, condition: Option<&Bool>) -> i32 {
        let Some(site) = self.real(at) else { return 0 };
        let mut within = self.alike(site);
        if let Some(condition) = condition {
            within = self.filter(&within, Iter::To, condition);
            if !within.contains(site) {
                return 0;
            }
        }
        let group = self.game.flood(jumps, site, &within);
        let around = self.game.spread(jumps, &group);
        (around.without(&group) & self.empty()).len() as i32
    }

    /// Empty areas all of whose neighbours belong to some owners.
    pub(super) fn territory(&mut self, jumps: JumpId, owners: u32) -> i32 {
        let board = &self.game.board;
        let mut rest = self.empty() & board;
        let theirs = super::owned(owners, |owner| self.state.owned(owner));
        let mut total = 0;
        while let Some(seed) = rest.first() {
            let area = self.game.flood(jumps, seed, &rest);
            let border = self.game.spread(jumps, &area).without(&area) & board;
            if border.is_subset(&theirs) {
                total += area.len() as i32;
            }
            rest = rest.without(&area);
        }
        total
    }

    /// Tests whether a group touches enough regions.
    pub(super) fn is_connected(&mut self, connection: &Connection) -> bool {
        let at = self.site_or_last(connection.at.as_ref());
        let Some(site) = usize::try_from(at).ok().filter(|&s| self.game.board.contains(s)) else {
            return false;
        };
        let owner = usize::from(self.game.layout.owner[self.state.what(site)]);
        if owner == 0 {
            return false;
        }
        let mut own = true;
        let regions: Buffer<Set> = match &connection.regions {
            ConnectRegions::List(list) => list.iter().map(|r| self.region(r)).collect(),
            ConnectRegions::Of(player, sets) => {
                let player = self.site(player).unwrap_or(usize::MAX);
                own = player == owner;
                let sets = sets.get(player).map_or(&[][..], |s| s);
                sets.iter().map(|&s| self.game.set(s).clone()).collect()
            }
        };
        let wanted = match &connection.count {
            Some(count) => self.int(count),
            None => regions.len() as i32,
        };
        let group = if own {
            self.game.flood(connection.jumps, site, &(self.state.owned(owner) & &self.game.board))
        } else {
            Set::single(site)
        };
        let touched = regions.iter().filter(|r| r.intersects(&group)).count() as i32;
        touched > 0 && touched >= wanted
    }

    /// True if a player cannot connect regions any more: from no site of the first region that is
    /// empty or his own do such sites lead to all others.
    pub(super) fn is_blocked(&mut self, player: &Int, connection: &Connection) -> bool {
        let player = self.site(player).unwrap_or(usize::MAX);
        let regions: Buffer<Set> = match &connection.regions {
            ConnectRegions::List(list) => list.iter().map(|region| self.region(region)).collect(),
            ConnectRegions::Of(_, parts) => {
                let own = parts.get(player).into_iter().flatten();
                own.map(|&set| self.game.set(set).clone()).collect()
            }
        };
        let wanted = match &connection.count {
            Some(count) => self.int(count).max(0) as usize,
            None => regions.len(),
        };
        let Some(first) = regions.iter().next() else { return false };
        if wanted == 1 {
            return false;
        }
        let own = if player <= self.players() + 1 { self.state.owned(player) } else { Set::EMPTY };
        let open = (self.empty() | own) & &self.game.board;
        let mut rest = first.clone() & &open;
        while let Some(start) = rest.first() {
            let group = self.game.flood(connection.jumps, start, &open);
            let others = regions.iter().skip(1);
            let reached = others.filter(|region| region.intersects(&group)).count();
            if reached + 1 >= wanted {
                return false;
            }
            rest = rest.without(&group);
        }
        true
    }

    /// True if a condition holds for all groups; within it they are the region iterated over.
    pub(super) fn all_groups(
        &mut self,
        jumps: JumpId,
        of: Option<&Bool>,
        condition: &Bool,
    ) -> bool {
        let outer = self.iterated.clone();
        let groups = self.groups(jumps, of);
        let holds = groups.iter().all(|(seed, group)| {
            self.iterated = group.clone();
            self.with(Iter::From, seed as i32, |eval| eval.test(condition))
        });
        self.iterated = outer;
        holds
    }

    /// Maximal connected sets of own sites, or of sites that satisfy a condition, with their seeds.
    pub(super) fn groups(&mut self, jumps: JumpId, condition: Option<&Bool>) -> Groups {
        let board = &self.game.board;
        let occupied = board.clone().without(&self.empty());
        let seeds = match condition {
            None => self.state.owned(usize::from(self.turns.mover)) & board,
            Some(_) => occupied,
        };
        let old = [Iter::From, Iter::To].map(|i| self.get(i));
        // Unless the condition asks for the seed, or for chance, the same sites satisfy it each time.
        let changes = Aspects::of(Iter::From) | Aspects::CHANCE;
        let varies = condition.is_some_and(|condition| condition.reads().has(changes));
        let mut within = match condition {
            Some(condition) if !varies => self.filter(board, Iter::To, condition),
            _ => seeds.clone(),
        };
        let mut found = Groups::default();
        let mut done = Set::EMPTY;
        for seed in self.in_order(&seeds) {
            if done.contains(seed) {
                continue;
            }
            self.set(Iter::From, seed as i32);
            self.set(Iter::To, seed as i32);
            if !condition.is_none_or(|c| self.test(c)) {
                continue;
            }
            if let Some(condition) = condition.filter(|_| varies) {
                within = self.filter(board, Iter::To, condition);
            }
            let group = self.game.flood(jumps, seed, &within);
            done |= &group;
            found.seeds.push(seed);
            found.sets.push(group);
        }
        self.set(Iter::From, old[0]);
        self.set(Iter::To, old[1]);
        found
    }

    /// Sites with pieces in the order of owners, components and placing, where that is kept.
    fn in_order(&self, sites: &Set) -> Buffer<usize> {
        if !self.game.layout.is_ordered() {
            return sites.iter().collect();
        }
        let owner = &self.game.layout.owner;
        let mut components: Buffer<usize> = (1..owner.len()).collect();
        components.sort_unstable_by_key(|&c| (owner[c], c));
        let layout = &self.game.layout;
        let placed = components.iter().flat_map(|&c| self.state.order(layout, c));
        placed.filter(|&s| sites.contains(s)).collect()
    }
}

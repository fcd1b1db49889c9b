//! Regions as code.

use kernel::ir::{Combine, Expr, Stmt, Type};

use super::code::{
    Code, SCRATCH, Service, Slot, choose, combine, get, int, service, set_table, slot, state_set,
    table,
};
use super::parts::Parts;
use crate::ir::{Int, Iter, Owners, Pieces, Region, Role};
use crate::set::Set;
use crate::state::{EMPTY, Layout};

impl<const W: usize> Code<'_, W> {
    /// The sites of a region.
    pub(super) fn region(&mut self, region: &Region) -> Expr {
        match region {
            Region::Static(set) => self.fixed(self.game.set(*set)),
            Region::ByPlayer(who, sets) => {
                let who = self.int(who);
                self.indexed(sets, who)
            }
            Region::Indexed(pair) => {
                let index = self.int(&pair.1);
                self.indexed(&pair.0, index)
            }
            Region::Empty(within) => {
                let within = self.game.set(*within);
                self.among(state_set(int(EMPTY as i32)), within)
            }
            Region::Occupied { pieces, within, .. }
                if !self.game.stacking() && self.can_know_pieces(pieces) =>
            {
                let sites = self.pieces(pieces);
                self.among(sites, self.game.set(*within))
            }
            Region::Union(list) => self.join(list, Combine::Or),
            Region::Intersection(list) => self.join(list, Combine::And),
            Region::Difference(pair) => {
                let (a, b) = (self.region(&pair.0), self.region(&pair.1));
                combine(Combine::Without, a, b)
            }
            Region::Without(pair) => {
                let from = self.region(&pair.0);
                let site = self.int(&pair.1);
                combine(Combine::Without, from, Expr::Single(Box::new(site)))
            }
            Region::If(parts) => {
                let condition = self.bool(&parts.0);
                let then = self.part(|code| code.region(&parts.1));
                let otherwise = self.part(|code| code.region(&parts.2));
                choose(condition, then, otherwise)
            }
            Region::Filter(pair) => {
                let sites = self.region(&pair.0);
                let saved = self.save([Iter::Site]);
                let all = self.keep(Type::Set, Expr::NoSites);
                self.for_each(sites, |code, site| {
                    code.bind(Iter::Site, get(site));
                    let holds = code.bool(&pair.1);
                    let more = combine(Combine::Or, get(all), Expr::Single(Box::new(get(site))));
                    code.push(Stmt::If(holds, vec![Stmt::Set(all, more)], Vec::new()));
                });
                self.restore(&saved);
                get(all)
            }
            Region::ForSites(pair) => {
                let sites = self.region(&pair.0);
                let saved = self.save([Iter::Site]);
                let all = self.keep(Type::Set, Expr::NoSites);
                self.for_each(sites, |code, site| {
                    code.bind(Iter::Site, get(site));
                    let more = code.region(&pair.1);
                    code.push(Stmt::Set(all, combine(Combine::Or, get(all), more)));
                });
                self.restore(&saved);
                get(all)
            }
            Region::List(sites) => sites.iter().fold(Expr::NoSites, |all, site| {
                let site = self.int(site);
                let single = Expr::Single(Box::new(site));
                if all == Expr::NoSites { single } else { combine(Combine::Or, all, single) }
            }),
            Region::Expand { jumps, region: inner, steps } => {
                let Int::Const(steps @ 0..=2) = **steps else {
                    return self.asked_region(region);
                };
                let near = self.tables.near(self.game, *jumps);
                let mut sites = self.region(inner);
                for _ in 0..steps {
                    let from = self.keep(Type::Set, sites);
                    let all = self.keep(Type::Set, get(from));
                    self.for_each(get(from), |code, site| {
                        let more = set_table(near, get(site));
                        code.push(Stmt::Set(all, combine(Combine::Or, get(all), more)));
                    });
                    sites = get(all);
                }
                sites
            }
            _ => self.asked_region(region),
        }
    }

    /// A region that the evaluator works out.
    fn asked_region(&mut self, region: &Region) -> Expr {
        let number = Parts::add(&mut self.parts.regions, region.clone());
        self.push(Stmt::Eval(service(Service::Region, vec![int(number)])));
        get(self.keep(Type::Set, Expr::LoadSet(SCRATCH, Box::new(int(0)))))
    }

    fn join(&mut self, list: &[Region], op: Combine) -> Expr {
        let Some((first, rest)) = list.split_first() else { return Expr::NoSites };
        let first = self.region(first);
        rest.iter().fold(first, |all, r| {
            let next = self.region(r);
            combine(op, all, next)
        })
    }

    /// The sites of a set that never changes.
    pub(super) fn fixed(&mut self, set: Set<W>) -> Expr {
        if set.is_empty() {
            return Expr::NoSites;
        }
        set_table(self.tables.sets([set]), int(0))
    }

    /// The sites that are also in a set that never changes.
    fn among(&mut self, sites: Expr, within: Set<W>) -> Expr {
        if self.game.everywhere.is_subset(&within) {
            return sites;
        }
        let within = self.fixed(within);
        combine(Combine::And, sites, within)
    }

    fn indexed(&mut self, sets: &[crate::ir::SetId], index: Expr) -> Expr {
        let game = self.game;
        if let Expr::Int(index) = index {
            let set = usize::try_from(index).ok().and_then(|i| sets.get(i));
            return set.map_or(Expr::NoSites, |&set| self.fixed(game.set(set)));
        }
        let sets = self.tables.sets(sets.iter().map(|&set| game.set(set)));
        set_table(sets, index)
    }

    /// All sites with pieces.
    pub(super) fn occupied(&mut self) -> Expr {
        let everywhere = self.fixed(self.game.everywhere);
        combine(Combine::Without, everywhere, state_set(int(EMPTY as i32)))
    }

    /// The sites of an owner.
    pub(super) fn owned(&mut self, owner: Expr) -> Expr {
        let owners = self.game.world.players as i32 + 2;
        let first = Layout::owner_set(0) as i32;
        match owner {
            Expr::Int(owner) if (0..owners).contains(&owner) => state_set(int(first + owner)),
            Expr::Int(_) => Expr::NoSites,
            owner => {
                // Beyond the owners a table gives 0, and there is no set with the number -1.
                let sets = self.tables.ints((0..owners).map(|owner| first + owner + 1));
                state_set(super::code::add(table(sets, owner), int(-1)))
            }
        }
    }

    /// Whether there is code for some pieces.
    pub(super) fn can_know_pieces(&self, pieces: &Pieces) -> bool {
        match &pieces.owners {
            Owners::Number(_) => true,
            Owners::Role(role) => match role {
                Role::Neutral
                | Role::Player(_)
                | Role::All
                | Role::Mover
                | Role::Next
                | Role::Prev
                | Role::Shared
                | Role::Each
                | Role::NonMover
                | Role::Iterated => true,
                Role::Enemy | Role::Friend => self.game.world.teams.is_none(),
                _ => false,
            },
        }
    }

    /// The sites of some pieces, where there are no stacks.
    pub(super) fn pieces(&mut self, pieces: &Pieces) -> Expr {
        let players = self.game.world.players as i32;
        let mover = || slot(Slot::Mover);
        let others = |code: &mut Self, all: std::ops::RangeInclusive<i32>| {
            let all = all.map(|p| state_set(int(Layout::owner_set(0) as i32 + p)));
            let all = all.reduce(|a, b| combine(Combine::Or, a, b)).unwrap_or(Expr::NoSites);
            let own = code.owned(mover());
            combine(Combine::Without, all, own)
        };
        let owned = match &pieces.owners {
            Owners::Number(number) => {
                let number = self.int(number);
                self.owned(number)
            }
            Owners::Role(role) => match role {
                Role::Neutral => self.owned(int(0)),
                Role::Player(p) => self.owned(int(i32::from(*p))),
                Role::Shared | Role::Each => self.owned(int(players + 1)),
                Role::Mover | Role::Friend => self.owned(mover()),
                Role::Next => self.owned(slot(Slot::Next)),
                Role::Prev => self.owned(slot(Slot::Prev)),
                Role::Iterated => {
                    let player = self.iter(Iter::Player);
                    self.owned(player)
                }
                Role::NonMover => others(self, 0..=players),
                Role::Enemy => others(self, 1..=players),
                _ => self.occupied(),
            },
        };
        match &pieces.components {
            None => owned,
            Some(allowed) => {
                let sets = &self.game.layout.piece_set;
                let sets = (1..sets.len()).filter(|&c| allowed[c]).map(|c| sets[c]);
                let sets: std::collections::BTreeSet<u16> = sets.collect();
                let sets = sets.into_iter().map(|set| state_set(int(i32::from(set))));
                match sets.reduce(|a, b| combine(Combine::Or, a, b)) {
                    None => Expr::NoSites,
                    Some(sets) => combine(Combine::And, owned, sets),
                }
            }
        }
    }
}

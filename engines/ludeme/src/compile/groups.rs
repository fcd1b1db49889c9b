//! Groups of connected sites as code: sizes, liberties, territory, connections.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{Slot, add, both, choose, int, is_below, slot, state_set};
use super::code::Emitter;
use super::hops::at_least;
use crate::ir::{
    Binder, Bool, ByPiece, ConnectRegions, Connection, Int, Iter, JumpId, Moves, Owners, Pieces,
};
use crate::state::EMPTY;

impl Emitter<'_> {
    /// What is one step away from some sites.
    pub(super) fn spread(&mut self, jumps: JumpId, sites: Expr) -> Expr {
        let near = self.tables.near(self.game, jumps);
        self.union_of(near, sites)
    }

    /// Everything connected with some sites inside of others, they themselves whether they are or
    /// not.
    fn flood(&mut self, jumps: JumpId, start: Expr, within: Expr) -> Expr {
        let within = self.keep(Type::Set, within).get();
        let group = self.keep(Type::Set, start);
        let edge = self.keep(Type::Set, group.get());
        self.while_loop(!edge.get().is_empty(), |code| {
            let around = code.spread(jumps, edge.get());
            code.push(Stmt::Set(edge, (around & within.clone()).without(group.get())));
            code.push(Stmt::Set(group, group.get() | edge.get()));
        });
        group.get()
    }

    /// The sites of the board with the same component as one site.
    fn alike(&mut self, site: &Expr) -> Expr {
        let what = self.what(site.clone());
        let board = self.fixed(self.game.board());
        self.with_component(what) & board
    }

    /// The group of a site: sites with the same component, or where a condition holds.
    pub(super) fn group(&mut self, jumps: JumpId, site: Expr, condition: Option<&Bool>) -> Expr {
        let site = self.keep_int(site);
        let group = self.keep(Type::Set, Expr::NoSites);
        let real = is_below(site.clone(), self.game.layout.at.sites as i32);
        self.when(real, |code| {
            let within = match condition {
                None => code.alike(&site),
                Some(condition) => {
                    let saved = code.save([Iter::From]);
                    code.bind(Iter::From, site.clone());
                    let board = code.fixed(code.game.board());
                    let fitting = code.where_holds(board, Iter::To, condition);
                    code.restore(&saved);
                    fitting
                }
            };
            let within = code.keep(Type::Set, within).get();
            // Where the condition does not hold on the site, there is no group.
            let any = condition.map_or(int(1), |_| within.clone().contains(site.clone()));
            code.when(any, |code| {
                let all = code.flood(jumps, Expr::single(site.clone()), within);
                code.push(Stmt::Set(group, all));
            });
        });
        group.get()
    }

    /// The number of empty sites beside the group of a site.
    pub(super) fn liberties(
        &mut self,
        jumps: JumpId,
        site: Expr,
        condition: Option<&Bool>,
    ) -> Expr {
        let site = self.keep_int(site);
        let number = self.keep(Type::Int, int(0));
        let real = is_below(site.clone(), self.game.layout.at.sites as i32);
        self.when(real, |code| {
            let within = code.alike(&site);
            let within = match condition {
                None => within,
                Some(condition) => code.where_holds(within, Iter::To, condition),
            };
            let within = code.keep(Type::Set, within).get();
            let any = condition.map_or(int(1), |_| within.clone().contains(site.clone()));
            code.when(any, |code| {
                let group = code.flood(jumps, Expr::single(site.clone()), within);
                let group = code.keep(Type::Set, group).get();
                let around = code.spread(jumps, group.clone()).without(group);
                let free = around & state_set(int(EMPTY as i32));
                code.push(Stmt::Set(number, free.len()));
            });
        });
        number.get()
    }

    /// How many groups there are of at least so many sites that are occupied, or where a condition
    /// holds.
    pub(super) fn count_groups(
        &mut self,
        jumps: JumpId,
        condition: Option<&Bool>,
        min: &Int,
    ) -> Expr {
        let min = self.int(min);
        let min = self.keep_int(min);
        let board = self.fixed(self.game.board());
        let sites = match condition {
            None => board.without(state_set(int(EMPTY as i32))),
            Some(condition) => self.where_holds(board, Iter::To, condition),
        };
        let number = self.keep(Type::Int, int(0));
        self.each_group(jumps, sites, |code, group| {
            let more = vec![Stmt::Set(number, add(number.get(), int(1)))];
            code.push(Stmt::If(group.len().at_least(min.clone()), more, Vec::new()));
        });
        number.get()
    }

    /// The number of empty sites in areas around which there are no sites but those of some owners;
    /// `None` where these are not known.
    pub(super) fn territory(&mut self, jumps: JumpId, owners: &Owners) -> Option<Expr> {
        let theirs = Pieces { owners: owners.clone(), components: None };
        if self.game.stacking() || !self.can_know_pieces(&theirs) {
            return None;
        }
        let theirs = self.pieces(&theirs);
        let theirs = self.keep(Type::Set, theirs).get();
        let board = self.fixed(self.game.board());
        let empty = state_set(int(EMPTY as i32)) & board.clone();
        let number = self.keep(Type::Int, int(0));
        self.each_group(jumps, empty, |code, area| {
            let border = code.spread(jumps, area.clone()).without(area.clone());
            let theirs = theirs.clone();
            let enclosed = (border & board.clone()).without(theirs).is_empty();
            let more = vec![Stmt::Set(number, number.get() + area.len())];
            code.push(Stmt::If(enclosed, more, Vec::new()));
        });
        Some(number.get())
    }

    /// A loop over the groups of some sites, by their first sites.
    fn each_group(&mut self, jumps: JumpId, sites: Expr, write: impl Fn(&mut Self, Expr)) {
        let rest = self.keep(Type::Set, sites);
        self.while_loop(!rest.get().is_empty(), |code| {
            let seed = Expr::single(rest.get().nth(int(0)));
            let group = code.flood(jumps, seed, rest.get());
            let group = code.keep(Type::Set, group).get();
            write(code, group.clone());
            code.push(Stmt::Set(rest, rest.get().without(group)));
        });
    }

    /// What becomes of the groups beside a site that have no free neighbours, but so many that are
    /// left out of account and count as theirs; the sites of the groups are those of a set.
    pub(super) fn enclose(
        &mut self,
        (jumps, from, exceptions): (JumpId, &Int, &Int),
        targets: Expr,
        effect: &Moves,
    ) {
        let from = self.int(from);
        let from = self.keep_int(from);
        let exceptions = self.int(exceptions);
        let exceptions = self.keep_int(at_least(exceptions));
        let board = self.fixed(self.game.board());
        let there = board.without(state_set(int(EMPTY as i32))).contains(from.clone());
        let saved = self.save([Iter::Between]);
        self.when(there, |code| {
            let seen = code.keep(Type::Set, Expr::NoSites);
            let free = code.keep(Type::Set, state_set(int(EMPTY as i32)).without(targets.clone()));
            code.of_jumps(&ByPiece::Same(jumps), &from, |code, start| {
                let begins = choose(
                    targets.clone().contains(start.clone()),
                    int(1),
                    both(exceptions.clone().greater(int(0)), free.get().contains(start.clone())),
                );
                code.when(both(!seen.get().contains(start.clone()), begins), |code| {
                    let group = code.keep(Type::Set, Expr::single(start));
                    let spare = code.keep(Type::Int, exceptions.clone());
                    let beside = code.keep(Type::Set, group.get() & free.get());
                    code.push(Stmt::Set(spare, spare.get() - beside.get().len()));
                    let grows = code.keep(Type::Int, int(1));
                    code.while_loop(both(grows.get(), spare.get().at_least(int(0))), |code| {
                        let all = code.flood(jumps, group.get(), targets.clone());
                        code.push(Stmt::Set(group, all));
                        let around = code.spread(jumps, group.get());
                        code.push(Stmt::Set(beside, (around & free.get()).without(group.get())));
                        code.push(Stmt::Set(spare, spare.get() - beside.get().len()));
                        code.push(Stmt::Set(group, group.get() | beside.get()));
                        code.push(Stmt::Set(grows, !beside.get().is_empty()));
                    });
                    code.push(Stmt::Set(seen, seen.get() | group.get()));
                    code.when(spare.get().at_least(int(0)), |code| {
                        code.for_each(group.get(), |code, site| {
                            code.is_site(&site.get());
                            code.bind(Iter::Between, site.get());
                            code.around(Binder::Other, |code| code.generate(effect));
                        });
                    });
                });
            });
        });
        self.restore(&saved);
    }

    /// Whether a group touches enough regions.
    pub(super) fn is_connected(&mut self, connection: &Connection) -> Expr {
        let game = self.game;
        let site = connection.at.as_ref().map_or(slot(Slot::LastTo), |at| self.int(at));
        let site = self.keep_int(site);
        let connected = self.keep(Type::Int, int(0));
        let board = self.fixed(game.board());
        self.when(board.clone().contains(site.clone()), |code| {
            code.is_site(&site);
            let what = code.what(site.clone());
            let owner = code.owner_of(what);
            let owner = code.keep_int(owner);
            code.when(owner.clone().differs(int(0)), |code| {
                let wanted = connection.count.as_ref().map(|count| code.int(count));
                let own = code.owned(owner.clone()) & board.clone();
                let (regions, known, within) = match &connection.regions {
                    ConnectRegions::List(list) => {
                        let regions = list.iter().map(|r| code.region(r)).collect::<Vec<_>>();
                        let number = int(regions.len() as i32);
                        (regions, number, int(1))
                    }
                    ConnectRegions::Of(player, sets) => {
                        let player = code.int(player);
                        let player = code.keep_int(player);
                        let most = sets.iter().map(|of| of.len()).max().unwrap_or(0);
                        let regions = (0..most).map(|number| {
                            let of_player = sets.iter().map(|of| of.get(number));
                            let sets = of_player
                                .map(|set| set.map_or_else(Default::default, |&s| game.set(s)));
                            code.tables.sets(sets).at(player.clone())
                        });
                        let regions = regions.collect();
                        let numbers = code.tables.ints(sets.iter().map(|of| of.len() as i32));
                        let within = player.clone().equals(owner.clone());
                        (regions, numbers.at(player), code.keep_int(within))
                    }
                };
                let wanted = code.keep_int(wanted.unwrap_or(known));
                let touched = code.keep(Type::Int, int(0));
                let flood = |code: &mut Self| {
                    let own = choose(within.clone(), own, Expr::NoSites);
                    let start = Expr::single(site.clone());
                    let group = code.flood(connection.jumps, start, own);
                    let group = code.keep(Type::Set, group).get();
                    for region in regions {
                        let touches = !(region & group.clone()).is_empty();
                        code.push(Stmt::Set(touched, touched.get() + touches));
                    }
                };
                match code.regions_kept(connection, &site) {
                    Some((kept, number)) => {
                        let kept = both(within.clone(), kept);
                        let kept = code.keep_int(kept);
                        code.when(!kept.clone(), flood);
                        code.when(kept, |code| code.push(Stmt::Set(touched, number)));
                    }
                    None => flood(code),
                }
                let touched = touched.get();
                let enough = both(touched.clone().greater(int(0)), touched.at_least(wanted));
                code.push(Stmt::Set(connected, enough));
            });
        });
        connected.get()
    }
}

//! Code for groups of connected sites: sizes, liberties, territory, connections.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{Slot, add, both, choose, int, is_below, slot, state_set};
use super::emitter::Emitter;
use super::hops::at_least;
use super::{added, by_site, generators, ints, piece_sets, regions, steps};
use crate::ir::{
    Binder, Bool, ByPiece, ConnectRegions, Connection, Int, Iter, JumpId, Moves, Owners, Pieces,
};
use crate::state::EMPTY;

/// The sites one step away from those of a set.
fn spread(code: &mut Emitter<'_>, jumps: JumpId, sites: Expr) -> Expr {
    let near = code.near(jumps);
    regions::union_of(code, near, sites)
}

/// A set of sites, and all sites of another set that are connected with it.
fn flood(code: &mut Emitter<'_>, jumps: JumpId, start: Expr, within: Expr) -> Expr {
    let within = code.keep_set(within);
    let group = code.keep(Type::Set, start);
    let edge = code.keep(Type::Set, group.get());
    code.while_loop(!edge.get().is_empty(), |code| {
        let around = spread(code, jumps, edge.get());
        code.set(edge, (around & within.clone()).without(group.get()));
        code.set(group, group.get() | edge.get());
    });
    group.get()
}

/// The sites of the board with the same component as a site.
fn alike(code: &mut Emitter<'_>, site: &Expr) -> Expr {
    let what = code.what(site.clone());
    let board = regions::fixed(code, code.game.board());
    piece_sets::with_component(code, what) & board
}

/// The group of a site: connected sites with the same component, or for which a condition holds.
pub(super) fn group(code: &mut Emitter<'_>, jumps: JumpId, at: Expr, rule: Option<&Bool>) -> Expr {
    let at = code.keep_int(at);
    let group = code.keep(Type::Set, Expr::NoSites);
    code.when(is_below(at.clone(), code.game.layout.at.sites as i32), |code| {
        let within = match rule {
            None => alike(code, &at),
            Some(rule) => {
                let saved = code.save([Iter::From]);
                code.bind(Iter::From, at.clone());
                let board = regions::fixed(code, code.game.board());
                let fitting = regions::where_holds(code, board, Iter::To, rule);
                code.restore(&saved);
                fitting
            }
        };
        let within = code.keep_set(within);
        // There is no group if the condition does not hold for the site itself.
        code.when(rule.map_or(int(1), |_| within.clone().contains(at.clone())), |code| {
            let all = flood(code, jumps, Expr::single(at.clone()), within);
            code.set(group, all);
        });
    });
    group.get()
}

/// The number of empty sites beside the group of a site.
pub(super) fn liberties(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    at: &Int,
    rule: Option<&Bool>,
) -> Expr {
    let site = ints::kept(code, at);
    let number = code.keep(Type::Int, int(0));
    code.when(is_below(site.clone(), code.game.layout.at.sites as i32), |code| {
        let within = alike(code, &site);
        let within = match rule {
            None => within,
            Some(rule) => regions::where_holds(code, within, Iter::To, rule),
        };
        let within = code.keep_set(within);
        code.when(rule.map_or(int(1), |_| within.clone().contains(site.clone())), |code| {
            let group = flood(code, jumps, Expr::single(site.clone()), within);
            let group = code.keep_set(group);
            let around = spread(code, jumps, group.clone()).without(group);
            let free = around & state_set(int(EMPTY as i32));
            code.set(number, free.len());
        });
    });
    number.get()
}

/// The number of groups of at least `min` sites that are occupied, or for which a condition holds.
pub(super) fn count_groups(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    condition: Option<&Bool>,
    min: &Int,
) -> Expr {
    let min = ints::kept(code, min);
    let board = regions::fixed(code, code.game.board());
    let sites = match condition {
        None => board.without(state_set(int(EMPTY as i32))),
        Some(condition) => regions::where_holds(code, board, Iter::To, condition),
    };
    let number = code.keep(Type::Int, int(0));
    each_group(code, jumps, sites, |code, group| {
        let more = vec![Stmt::Set(number, add(number.get(), int(1)))];
        code.push_if(group.len().at_least(min.clone()), more);
    });
    number.get()
}

/// The number of empty sites in areas that border only on pieces of the owners; `None` if these
/// have no form in code.
pub(super) fn territory(code: &mut Emitter<'_>, jumps: JumpId, owners: &Owners) -> Option<Expr> {
    let theirs = Pieces { owners: owners.clone(), components: None };
    if code.game.stacking() || !piece_sets::has_code(code, &theirs) {
        return None;
    }
    let theirs = piece_sets::of_pieces(code, &theirs);
    let theirs = code.keep_set(theirs);
    let board = regions::fixed(code, code.game.board());
    let empty = state_set(int(EMPTY as i32)) & board.clone();
    let number = code.keep(Type::Int, int(0));
    each_group(code, jumps, empty, |code, area| {
        let border = spread(code, jumps, area.clone()).without(area.clone());
        let enclosed = (border & board.clone()).without(theirs.clone()).is_empty();
        code.push_if(enclosed, vec![Stmt::Set(number, number.get() + area.len())]);
    });
    Some(number.get())
}

/// Writes a loop over the groups of a set of sites, in the order of their first sites.
fn each_group(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    sites: Expr,
    write: impl Fn(&mut Emitter<'_>, Expr),
) {
    let rest = code.keep(Type::Set, sites);
    code.while_loop(!rest.get().is_empty(), |code| {
        let group = flood(code, jumps, Expr::single(rest.get().nth(int(0))), rest.get());
        let group = code.keep_set(group);
        write(code, group.clone());
        code.set(rest, rest.get().without(group));
    });
}

/// Writes the effects on the enclosed groups beside a site. A group of `targets` is enclosed if it
/// has no free neighbours; up to `exceptions` of these are ignored and count as part of the group.
pub(super) fn emit_enclosed(
    code: &mut Emitter<'_>,
    (jumps, from, exceptions): (JumpId, &Int, &Int),
    targets: Expr,
    effect: &Moves,
) {
    let from = ints::kept(code, from);
    let exceptions = ints::emit(code, exceptions);
    let exceptions = code.keep_int(at_least(exceptions));
    let board = regions::fixed(code, code.game.board());
    let there = board.without(state_set(int(EMPTY as i32))).contains(from.clone());
    let saved = code.save([Iter::Between]);
    code.when(there, |code| {
        let seen = code.keep(Type::Set, Expr::NoSites);
        let free = code.keep(Type::Set, state_set(int(EMPTY as i32)).without(targets.clone()));
        steps::for_steps(code, &ByPiece::Same(jumps), &from, |code, start| {
            let begins = choose(
                targets.clone().contains(start.clone()),
                int(1),
                both(exceptions.clone().greater(int(0)), free.get().contains(start.clone())),
            );
            code.when(both(!seen.get().contains(start.clone()), begins), |code| {
                let group = code.keep(Type::Set, Expr::single(start));
                let spare = code.keep(Type::Int, exceptions.clone());
                let beside = code.keep(Type::Set, group.get() & free.get());
                code.set(spare, spare.get() - beside.get().len());
                let grows = code.keep(Type::Int, int(1));
                code.while_loop(both(grows.get(), spare.get().at_least(int(0))), |code| {
                    let all = flood(code, jumps, group.get(), targets.clone());
                    code.set(group, all);
                    let around = spread(code, jumps, group.get());
                    code.set(beside, (around & free.get()).without(group.get()));
                    code.set(spare, spare.get() - beside.get().len());
                    code.set(group, group.get() | beside.get());
                    code.set(grows, !beside.get().is_empty());
                });
                code.set(seen, seen.get() | group.get());
                code.when(spare.get().at_least(int(0)), |code| {
                    code.for_each(group.get(), |code, site| {
                        code.assume_site(&site.get());
                        code.bind(Iter::Between, site.get());
                        generators::inside(code, Binder::Other, effect);
                    });
                });
            });
        });
    });
    code.restore(&saved);
}

/// Code that is 1 if a group touches enough regions.
pub(super) fn is_connected(code: &mut Emitter<'_>, connection: &Connection) -> Expr {
    let game = code.game;
    let site = connection.at.as_ref().map_or(slot(Slot::LastTo), |at| ints::emit(code, at));
    let site = code.keep_int(site);
    let connected = code.keep(Type::Int, int(0));
    let board = regions::fixed(code, game.board());
    code.when(board.clone().contains(site.clone()), |code| {
        code.assume_site(&site);
        let what = code.what(site.clone());
        let owner = by_site::owner_of(code, what);
        let owner = code.keep_int(owner);
        code.when(owner.clone().differs(int(0)), |code| {
            let wanted = connection.count.as_ref().map(|count| ints::emit(code, count));
            let own = piece_sets::owned(code, owner.clone()) & board.clone();
            let (regions, all, within) = match &connection.regions {
                ConnectRegions::List(list) => {
                    let regions = list.iter().map(|r| regions::emit(code, r)).collect::<Vec<_>>();
                    let number = int(regions.len() as i32);
                    (regions, number, int(1))
                }
                ConnectRegions::Of(player, sets) => {
                    let player = ints::kept(code, player);
                    let most = sets.iter().map(|list| list.len()).max().unwrap_or(0);
                    let regions = (0..most).map(|number| {
                        let of_player = sets.iter().map(|list| list.get(number));
                        let sets = of_player
                            .map(|set| set.map_or_else(Default::default, |&s| game.set(s)));
                        code.set_table(sets).at(player.clone())
                    });
                    let regions = regions.collect();
                    let numbers = code.table(sets.iter().map(|list| list.len() as i32));
                    let within = player.clone().equals(owner.clone());
                    (regions, numbers.at(player), code.keep_int(within))
                }
            };
            let wanted = code.keep_int(wanted.unwrap_or(all));
            let touched = code.keep(Type::Int, int(0));
            let flood = |code: &mut Emitter<'_>| {
                let own = choose(within.clone(), own, Expr::NoSites);
                let group = flood(code, connection.jumps, Expr::single(site.clone()), own);
                let group = code.keep_set(group);
                for region in regions {
                    code.set(touched, touched.get() + !(region & group.clone()).is_empty());
                }
            };
            match added::regions_kept(code, connection, &site) {
                Some((kept, number)) => {
                    let kept = both(within.clone(), kept);
                    let kept = code.keep_int(kept);
                    code.when(!kept.clone(), flood);
                    code.when(kept, |code| code.set(touched, number));
                }
                None => flood(code),
            }
            let touched = touched.get();
            code.set(connected, both(touched.clone().greater(int(0)), touched.at_least(wanted)));
        });
    });
    connected.get()
}

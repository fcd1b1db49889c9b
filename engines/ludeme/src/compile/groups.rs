//! Groups of connected sites as code: sizes, liberties, territory, connections.

use kernel::ir::{Expr, Stmt, Type};

use super::arrays::{Slot, add, both, choose, int, is_below, slot, state_set};
use super::emitter::Emitter;
use super::hops::at_least;
use super::{added, by_site, generators, ints, piece_sets, regions, steps};
use crate::ir::{
    Binder, Bool, ByPiece, ConnectRegions, Connection, Int, Iter, JumpId, Moves, Owners, Pieces,
};
use crate::state::EMPTY;

/// What is one step away from some sites.
pub(super) fn spread(code: &mut Emitter<'_>, jumps: JumpId, sites: Expr) -> Expr {
    let near = code.module.tables.near(code.game, jumps);
    regions::union_of(code, near, sites)
}

/// Everything connected with some sites inside of others, they themselves whether they are or
/// not.
fn flood(code: &mut Emitter<'_>, jumps: JumpId, start: Expr, within: Expr) -> Expr {
    let within = code.keep(Type::Set, within).get();
    let group = code.keep(Type::Set, start);
    let edge = code.keep(Type::Set, group.get());
    code.while_loop(!edge.get().is_empty(), |code| {
        let around = spread(code, jumps, edge.get());
        code.push(Stmt::Set(edge, (around & within.clone()).without(group.get())));
        code.push(Stmt::Set(group, group.get() | edge.get()));
    });
    group.get()
}

/// The sites of the board with the same component as one site.
fn alike(code: &mut Emitter<'_>, site: &Expr) -> Expr {
    let what = code.what(site.clone());
    let board = regions::fixed(code, code.game.board());
    piece_sets::with_component(code, what) & board
}

/// The group of a site: sites with the same component, or where a condition holds.
pub(super) fn group(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    site: Expr,
    condition: Option<&Bool>,
) -> Expr {
    let site = code.keep_int(site);
    let group = code.keep(Type::Set, Expr::NoSites);
    let real = is_below(site.clone(), code.game.layout.at.sites as i32);
    code.when(real, |code| {
        let within = match condition {
            None => alike(code, &site),
            Some(condition) => {
                let saved = code.save([Iter::From]);
                code.bind(Iter::From, site.clone());
                let board = regions::fixed(code, code.game.board());
                let fitting = regions::where_holds(code, board, Iter::To, condition);
                code.restore(&saved);
                fitting
            }
        };
        let within = code.keep(Type::Set, within).get();
        // Where the condition does not hold on the site, there is no group.
        let any = condition.map_or(int(1), |_| within.clone().contains(site.clone()));
        code.when(any, |code| {
            let all = flood(code, jumps, Expr::single(site.clone()), within);
            code.push(Stmt::Set(group, all));
        });
    });
    group.get()
}

/// The number of empty sites beside the group of a site.
pub(super) fn liberties(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    site: Expr,
    condition: Option<&Bool>,
) -> Expr {
    let site = code.keep_int(site);
    let number = code.keep(Type::Int, int(0));
    let real = is_below(site.clone(), code.game.layout.at.sites as i32);
    code.when(real, |code| {
        let within = alike(code, &site);
        let within = match condition {
            None => within,
            Some(condition) => regions::where_holds(code, within, Iter::To, condition),
        };
        let within = code.keep(Type::Set, within).get();
        let any = condition.map_or(int(1), |_| within.clone().contains(site.clone()));
        code.when(any, |code| {
            let group = flood(code, jumps, Expr::single(site.clone()), within);
            let group = code.keep(Type::Set, group).get();
            let around = spread(code, jumps, group.clone()).without(group);
            let free = around & state_set(int(EMPTY as i32));
            code.push(Stmt::Set(number, free.len()));
        });
    });
    number.get()
}

/// How many groups there are of at least so many sites that are occupied, or where a condition
/// holds.
pub(super) fn count_groups(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    condition: Option<&Bool>,
    min: &Int,
) -> Expr {
    let min = ints::emit(code, min);
    let min = code.keep_int(min);
    let board = regions::fixed(code, code.game.board());
    let sites = match condition {
        None => board.without(state_set(int(EMPTY as i32))),
        Some(condition) => regions::where_holds(code, board, Iter::To, condition),
    };
    let number = code.keep(Type::Int, int(0));
    each_group(code, jumps, sites, |code, group| {
        let more = vec![Stmt::Set(number, add(number.get(), int(1)))];
        code.push(Stmt::If(group.len().at_least(min.clone()), more, Vec::new()));
    });
    number.get()
}

/// The number of empty sites in areas around which there are no sites but those of some owners;
/// `None` where these are not known.
pub(super) fn territory(code: &mut Emitter<'_>, jumps: JumpId, owners: &Owners) -> Option<Expr> {
    let theirs = Pieces { owners: owners.clone(), components: None };
    if code.game.stacking() || !piece_sets::can_know_pieces(code, &theirs) {
        return None;
    }
    let theirs = piece_sets::sites_of_pieces(code, &theirs);
    let theirs = code.keep(Type::Set, theirs).get();
    let board = regions::fixed(code, code.game.board());
    let empty = state_set(int(EMPTY as i32)) & board.clone();
    let number = code.keep(Type::Int, int(0));
    each_group(code, jumps, empty, |code, area| {
        let border = spread(code, jumps, area.clone()).without(area.clone());
        let theirs = theirs.clone();
        let enclosed = (border & board.clone()).without(theirs).is_empty();
        let more = vec![Stmt::Set(number, number.get() + area.len())];
        code.push(Stmt::If(enclosed, more, Vec::new()));
    });
    Some(number.get())
}

/// A loop over the groups of some sites, by their first sites.
fn each_group(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    sites: Expr,
    write: impl Fn(&mut Emitter<'_>, Expr),
) {
    let rest = code.keep(Type::Set, sites);
    code.while_loop(!rest.get().is_empty(), |code| {
        let seed = Expr::single(rest.get().nth(int(0)));
        let group = flood(code, jumps, seed, rest.get());
        let group = code.keep(Type::Set, group).get();
        write(code, group.clone());
        code.push(Stmt::Set(rest, rest.get().without(group)));
    });
}

/// What becomes of the groups beside a site that have no free neighbours, but so many that are
/// left out of account and count as theirs; the sites of the groups are those of a set.
pub(super) fn enclose(
    code: &mut Emitter<'_>,
    (jumps, from, exceptions): (JumpId, &Int, &Int),
    targets: Expr,
    effect: &Moves,
) {
    let from = ints::emit(code, from);
    let from = code.keep_int(from);
    let exceptions = ints::emit(code, exceptions);
    let exceptions = code.keep_int(at_least(exceptions));
    let board = regions::fixed(code, code.game.board());
    let there = board.without(state_set(int(EMPTY as i32))).contains(from.clone());
    let saved = code.save([Iter::Between]);
    code.when(there, |code| {
        let seen = code.keep(Type::Set, Expr::NoSites);
        let free = code.keep(Type::Set, state_set(int(EMPTY as i32)).without(targets.clone()));
        steps::of_jumps(code, &ByPiece::Same(jumps), &from, |code, start| {
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
                    let all = flood(code, jumps, group.get(), targets.clone());
                    code.push(Stmt::Set(group, all));
                    let around = spread(code, jumps, group.get());
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
                        generators::around(code, Binder::Other, |code| {
                            generators::emit(code, effect);
                        });
                    });
                });
            });
        });
    });
    code.restore(&saved);
}

/// Whether a group touches enough regions.
pub(super) fn is_connected(code: &mut Emitter<'_>, connection: &Connection) -> Expr {
    let game = code.game;
    let site = connection.at.as_ref().map_or(slot(Slot::LastTo), |at| ints::emit(code, at));
    let site = code.keep_int(site);
    let connected = code.keep(Type::Int, int(0));
    let board = regions::fixed(code, game.board());
    code.when(board.clone().contains(site.clone()), |code| {
        code.is_site(&site);
        let what = code.what(site.clone());
        let owner = by_site::owner_of(code, what);
        let owner = code.keep_int(owner);
        code.when(owner.clone().differs(int(0)), |code| {
            let wanted = connection.count.as_ref().map(|count| ints::emit(code, count));
            let own = piece_sets::owned(code, owner.clone()) & board.clone();
            let (regions, known, within) = match &connection.regions {
                ConnectRegions::List(list) => {
                    let regions = list.iter().map(|r| regions::emit(code, r)).collect::<Vec<_>>();
                    let number = int(regions.len() as i32);
                    (regions, number, int(1))
                }
                ConnectRegions::Of(player, sets) => {
                    let player = ints::emit(code, player);
                    let player = code.keep_int(player);
                    let most = sets.iter().map(|of| of.len()).max().unwrap_or(0);
                    let regions = (0..most).map(|number| {
                        let of_player = sets.iter().map(|of| of.get(number));
                        let sets = of_player
                            .map(|set| set.map_or_else(Default::default, |&s| game.set(s)));
                        code.module.tables.sets(sets).at(player.clone())
                    });
                    let regions = regions.collect();
                    let numbers = code.module.tables.ints(sets.iter().map(|of| of.len() as i32));
                    let within = player.clone().equals(owner.clone());
                    (regions, numbers.at(player), code.keep_int(within))
                }
            };
            let wanted = code.keep_int(wanted.unwrap_or(known));
            let touched = code.keep(Type::Int, int(0));
            let flood = |code: &mut Emitter<'_>| {
                let own = choose(within.clone(), own, Expr::NoSites);
                let start = Expr::single(site.clone());
                let group = flood(code, connection.jumps, start, own);
                let group = code.keep(Type::Set, group).get();
                for region in regions {
                    let touches = !(region & group.clone()).is_empty();
                    code.push(Stmt::Set(touched, touched.get() + touches));
                }
            };
            match added::regions_kept(code, connection, &site) {
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

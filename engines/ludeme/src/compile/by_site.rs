//! Numbers that belong to sites or players, as code.

use kernel::ir::{Compare as How, Expr, Stmt, Table, Type};

use super::arrays::{CELLS, LIST, Service, Slot, add, both, choose, int, is_below, set_slot, slot};
use super::emitter::Emitter;
use super::ints::MOST_COORDINATES;
use super::{ints, piece_sets, regions, results, stacks};
use crate::ir::{Int, Ints, Iter, Layer, Parts, Reach};
use crate::state::Occupancy;

/// Steps between two sites; 0 where one is none.
pub(super) fn steps_between(
    code: &mut Emitter<'_>,
    distances: usize,
    from: &Int,
    to: &Int,
) -> Expr {
    let (all, length) = distances_of(code, distances);
    let (from, to) = (ints::emit(code, from), ints::emit(code, to));
    let to = code.keep_int(to);
    let known = is_below(to.clone(), length);
    let at = (from * int(length)) + to;
    choose(known, all.at(at), int(0))
}

/// A table of distances, by origin and destination, and how many it has of each origin.
pub(super) fn distances_of(code: &mut Emitter<'_>, distances: usize) -> (Table, i32) {
    let rows = &code.game.distances[distances];
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let all = rows.iter().flat_map(|row| (0..n).map(|to| row.get(to).map_or(0, |&d| i32::from(d))));
    let all: Vec<i32> = all.collect();
    (code.module.tables.ints(all), n as i32)
}

/// A number in a place where it is not always asked for: what it needs is worked out there.
pub(super) fn in_part(code: &mut Emitter<'_>, of: &Int) -> Expr {
    code.part(|code| ints::emit(code, of))
}

/// A number of the state by player, from a place on, or another one where there is no such
/// player.
pub(super) fn by_player(code: &mut Emitter<'_>, at: usize, who: Expr, otherwise: i32) -> Expr {
    let who = code.keep_int(who);
    let known = is_below(who.clone(), code.game.world.players as i32 + 2);
    choose(known, CELLS.at(add(who, int(at as i32))), int(otherwise))
}

/// The owner of a component.
pub(super) fn owner_of(code: &mut Emitter<'_>, component: Expr) -> Expr {
    let owners = code.game.layout.owner.iter().map(|&owner| i32::from(owner));
    code.module.tables.ints(owners).at(component)
}

/// The lowest site of the board with a component; -1 without one.
pub(super) fn lowest(code: &mut Emitter<'_>, component: Expr) -> Expr {
    let component = code.keep_int(component);
    let there = on_board(code, &component);
    lowest_of(component, there)
}

/// The sites of the board with a component.
pub(super) fn on_board(code: &mut Emitter<'_>, component: &Expr) -> Expr {
    let board = regions::fixed(code, code.game.board());
    let there = piece_sets::with_component(code, component.clone()) & board;
    code.keep(Type::Set, there).get()
}

/// The sum of something over the sites of a set.
pub(super) fn sum_over(
    code: &mut Emitter<'_>,
    sites: Expr,
    value: impl Fn(&mut Emitter<'_>, Expr) -> Expr,
) -> Expr {
    let sum = code.keep(Type::Int, int(0));
    let value = &value;
    code.for_each(sites, |code, site| {
        let value = value(code, site.get());
        code.push(Stmt::Set(sum, sum.get() + value));
    });
    sum.get()
}

/// Pieces on a site.
pub(super) fn count_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let at = code.game.layout.at;
    let site = code.keep_int(site);
    match code.game.layout.occupancy {
        Occupancy::Flat => !code.what(site).equals(int(0)),
        Occupancy::Counting => code.by_site(at.count, site, 1, 0),
        Occupancy::Stacking => code.by_site(at.height, site, 1, 0),
    }
}

/// The first site with a row and a column, -1 if there is none; `None` where there are too
/// many.
pub(super) fn site_at(
    code: &mut Emitter<'_>,
    of: &[(i32, i32)],
    row: Expr,
    column: Expr,
) -> Option<Expr> {
    let bounds = |numbers: &mut dyn Iterator<Item = i32>| {
        numbers.fold((0, 0), |(least, most), number| (number.min(least), number.max(most)))
    };
    let (top, bottom) = bounds(&mut of.iter().map(|at| at.0));
    let (left, right) = bounds(&mut of.iter().map(|at| at.1));
    let [rows, columns] = [(top, bottom), (left, right)].map(|(least, most)| {
        most.checked_sub(least)?.checked_add(1).filter(|&count| count <= MOST_COORDINATES)
    });
    let (rows, columns) = (rows?, columns?);
    let cells = (rows * columns <= MOST_COORDINATES).then_some(rows * columns)?;
    let mut sites = vec![0; cells as usize];
    for (site, &(row, column)) in of.iter().enumerate().rev() {
        sites[((row - top) * columns + column - left) as usize] = site as i32 + 1;
    }
    let (row, column) = (code.keep_int(row - int(top)), code.keep_int(column - int(left)));
    let within = [(&row, rows), (&column, columns)].map(|(number, count)| {
        both(number.clone().at_least(int(0)), number.clone().less(int(count)))
    });
    let within = within.into_iter().fold(int(1), both);
    let sites = code.module.tables.ints(sites);
    let site = sites.at(add(row * int(columns), column));
    Some(choose(within, site, int(0)) - int(1))
}

pub(super) fn height_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let site = code.keep_int(site);
    match code.game.layout.occupancy {
        Occupancy::Stacking => code.by_site(code.game.layout.at.height, site, 1, 0),
        _ => !code.what(site).equals(int(0)),
    }
}

/// Something of a site that a ludeme can see; 0 of others.
pub(super) fn reached(
    code: &mut Emitter<'_>,
    site: Expr,
    reach: Reach,
    value: impl Fn(&mut Emitter<'_>, Expr) -> Expr,
) -> Expr {
    let extent = code.game.world.topology.extent() as i32;
    match reach {
        Reach::All => value(code, site),
        Reach::Board | Reach::Hands => {
            let site = code.keep_int(site);
            let how = if reach == Reach::Board { How::Less } else { How::GreaterEqual };
            let seen = Expr::Compare(how, Box::new(site.clone()), Box::new(int(extent)));
            let value = code.part(|code| value(code, site));
            choose(seen, value, int(0))
        }
    }
}

/// A layer of a site: of the top of a stack, but the component is that at the bottom.
pub(super) fn layer_of(code: &mut Emitter<'_>, layer: Layer, site: Expr, reach: Reach) -> Expr {
    let known = match (&site, code.bindings.bound[Iter::From as usize], code.bindings.piece) {
        (Expr::Get(site), Some(from), Some(piece)) if *site == from => Some(piece),
        _ => None,
    };
    match layer {
        Layer::What if code.game.stacking() => {
            stacks::layer_in_stack(code, layer, site, None, reach)
        }
        Layer::What => match known.filter(|_| reach == Reach::All) {
            Some(piece) => int(i32::from(piece)),
            None => reached(code, site, reach, |code, site| code.what(site)),
        },
        Layer::Who => {
            if let Some(piece) = known.filter(|_| reach == Reach::All) {
                return int(i32::from(code.game.layout.owner[usize::from(piece)]));
            }
            reached(code, site, reach, |code, site| {
                let what = code.what(site);
                owner_of(code, what)
            })
        }
        Layer::State | Layer::Rotation | Layer::Value => {
            if code.game.stacking() {
                return stacks::layer_in_stack(code, layer, site, None, reach);
            }
            let offset = match layer {
                Layer::State => 0,
                Layer::Rotation => 1,
                _ => 2,
            };
            let at = code.game.layout.at.extra;
            if at == 0 {
                return int(0);
            }
            reached(code, site, reach, move |code, site| {
                let site = code.keep_int(site);
                code.by_site(at, site, 3, offset)
            })
        }
    }
}

/// A loop over the numbers of a list, in order.
pub(super) fn for_list(
    code: &mut Emitter<'_>,
    list: &Ints,
    write: impl Fn(&mut Emitter<'_>, Expr),
) {
    match list {
        Ints::List(items) => {
            for item in items {
                let value = ints::emit(code, item);
                let value = code.keep_int(value);
                write(code, value);
            }
            return;
        }
        Ints::Region(region) => {
            let sites = regions::emit(code, region);
            return code.for_each(sites, |code, site| write(code, site.get()));
        }
        Ints::Results { from, to, value } => {
            return results::for_results(code, from, to, value, &write);
        }
        _ => {}
    }
    let number = Parts::add(&mut code.parts.lists, list.clone());
    let from = code.keep(Type::Int, slot(Slot::Listed));
    let to = code.ask(Service::List, vec![int(number)]);
    let to = code.keep(Type::Int, to);
    code.for_range(from.get(), to.get(), |code, at| {
        let value = code.keep_int(LIST.at(at.get()));
        write(code, value);
    });
    code.push(set_slot(Slot::Listed, from.get()));
}

/// The lowest of the sites with a component; -1 without one.
pub(super) fn lowest_of(component: Expr, there: Expr) -> Expr {
    choose(component.greater(int(0)), there.nth(int(0)), int(-1))
}

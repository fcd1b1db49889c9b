//! Code for numbers of sites and players.

use kernel::ir::{Compare as How, Expr, Table, Type};

use super::arrays::{CELLS, LIST, Service, Slot, add, both, choose, int, is_below, slot};
use super::emitter::Emitter;
use super::ints::MOST_COORDINATES;
use super::{ints, piece_sets, regions, results, stacks};
use crate::ir::{EvaluatedParts, Int, Ints, Iter, Layer, Reach};
use crate::state::Occupancy;

/// The number of steps between two sites; 0 if one is no site.
pub(super) fn steps_between(code: &mut Emitter<'_>, table: usize, from: &Int, to: &Int) -> Expr {
    let (all, length) = distances_of(code, table);
    let (from, to) = (ints::emit(code, from), ints::emit(code, to));
    let to = code.keep_int(to);
    choose(is_below(to.clone(), length), all.at((from * int(length)) + to), int(0))
}

/// A table of distances by origin and destination, and the length of its rows.
pub(super) fn distances_of(code: &mut Emitter<'_>, distances: usize) -> (Table, i32) {
    let rows = code.game.distances(distances);
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let all = rows.iter().flat_map(|row| (0..n).map(|to| row.get(to).map_or(0, |&d| i32::from(d))));
    let all: Vec<i32> = all.collect();
    (code.table(all), n as i32)
}

/// The number of a player among those of the state from `first` on; `otherwise` for a number that
/// is no player.
pub(super) fn by_player(code: &mut Emitter<'_>, first: usize, who: &Int, otherwise: i32) -> Expr {
    let who = ints::kept(code, who);
    let is_player = is_below(who.clone(), code.game.world.players as i32 + 2);
    choose(is_player, CELLS.at(add(who, int(first as i32))), int(otherwise))
}

/// The owner of a component.
pub(super) fn owner_of(code: &mut Emitter<'_>, component: Expr) -> Expr {
    let owners = code.game.layout.owner.iter().map(|&owner| i32::from(owner));
    code.table(owners).at(component)
}

/// The lowest site of the board with a component; -1 if there is none.
pub(super) fn lowest(code: &mut Emitter<'_>, component: Expr) -> Expr {
    let component = code.keep_int(component);
    let there = on_board(code, &component);
    lowest_of(component, there)
}

/// The sites of the board with a component.
pub(super) fn on_board(code: &mut Emitter<'_>, component: &Expr) -> Expr {
    let board = regions::fixed(code, code.game.board());
    let there = piece_sets::with_component(code, component.clone()) & board;
    code.keep_set(there)
}

/// The sum of a number over the sites of a set.
pub(super) fn sum_over(
    code: &mut Emitter<'_>,
    sites: Expr,
    value: impl Fn(&mut Emitter<'_>, Expr) -> Expr,
) -> Expr {
    let sum = code.keep(Type::Int, int(0));
    let value = &value;
    code.for_each(sites, |code, site| {
        let value = value(code, site.get());
        code.set(sum, sum.get() + value);
    });
    sum.get()
}

/// The number of pieces on a site.
pub(super) fn count_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let at = code.game.layout.at;
    let site = code.keep_int(site);
    match code.game.layout.occupancy {
        Occupancy::Flat => !code.what(site).equals(int(0)),
        Occupancy::Counting => code.by_site(at.count, site, 1, 0),
        Occupancy::Stacking => code.by_site(at.height, site, 1, 0),
    }
}

/// The first site with a row and a column, by the coordinates of all sites; -1 if there is none.
/// `None` if the board is too large for a table.
pub(super) fn site_at(
    code: &mut Emitter<'_>,
    coordinates: &[(i32, i32)],
    row: Expr,
    column: Expr,
) -> Option<Expr> {
    let bounds = |numbers: &mut dyn Iterator<Item = i32>| {
        numbers.fold((0, 0), |(least, most), number| (number.min(least), number.max(most)))
    };
    let (top, bottom) = bounds(&mut coordinates.iter().map(|&(row, _)| row));
    let (left, right) = bounds(&mut coordinates.iter().map(|&(_, column)| column));
    let [rows, columns] = [(top, bottom), (left, right)].map(|(least, most)| {
        most.checked_sub(least)?.checked_add(1).filter(|&count| count <= MOST_COORDINATES)
    });
    let (rows, columns) = (rows?, columns?);
    let cells = (rows * columns <= MOST_COORDINATES).then_some(rows * columns)?;
    let mut sites = vec![0; cells as usize];
    for (site, &(row, column)) in coordinates.iter().enumerate().rev() {
        sites[((row - top) * columns + column - left) as usize] = site as i32 + 1;
    }
    let (row, column) = (code.keep_int(row - int(top)), code.keep_int(column - int(left)));
    let within = [(&row, rows), (&column, columns)].map(|(number, count)| {
        both(number.clone().at_least(int(0)), number.clone().less(int(count)))
    });
    let within = within.into_iter().fold(int(1), both);
    let site = code.table(sites).at(add(row * int(columns), column));
    Some(choose(within, site, int(0)) - int(1))
}

/// The component on a site.
fn component_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    code.what(site)
}

/// The height of the stack on a site.
pub(super) fn height_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let site = code.keep_int(site);
    match code.game.layout.occupancy {
        Occupancy::Stacking => code.by_site(code.game.layout.at.height, site, 1, 0),
        _ => !code.what(site).equals(int(0)),
    }
}

/// A number of a site if the ludeme looks at it, else 0.
pub(super) fn if_visible(
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
            choose(seen, code.lazily(|code| value(code, site)), int(0))
        }
    }
}

/// The value of a layer of a site. In stacks it is that of the top, but for the component and its
/// owner, which are those at the bottom.
pub(super) fn layer_of(code: &mut Emitter<'_>, layer: Layer, site: Expr, reach: Reach) -> Expr {
    let piece = match (&site, code.bindings.bound[Iter::From as usize], code.bindings.piece) {
        (Expr::Get(site), Some(from), Some(piece)) if *site == from => Some(piece),
        _ => None,
    };
    match layer {
        Layer::What if code.game.stacking() => stacks::layer(code, layer, site, None, reach),
        Layer::What => match piece.filter(|_| reach == Reach::All) {
            Some(piece) => int(i32::from(piece)),
            None => if_visible(code, site, reach, component_at),
        },
        Layer::Who => {
            if let Some(piece) = piece.filter(|_| reach == Reach::All) {
                return int(i32::from(code.game.layout.owner[usize::from(piece)]));
            }
            if_visible(code, site, reach, |code, site| {
                let what = code.what(site);
                owner_of(code, what)
            })
        }
        Layer::State | Layer::Rotation | Layer::Value => {
            if code.game.stacking() {
                return stacks::layer(code, layer, site, None, reach);
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
            if_visible(code, site, reach, move |code, site| {
                let site = code.keep_int(site);
                code.by_site(at, site, 3, offset)
            })
        }
    }
}

/// Writes a loop over the numbers of a list in order, or the rounds of one.
pub(super) fn for_list(code: &mut Emitter<'_>, list: &Ints, body: impl Fn(&mut Emitter<'_>, Expr)) {
    match list {
        Ints::List(items) => {
            for item in items {
                let value = ints::kept(code, item);
                body(code, value);
            }
            return;
        }
        Ints::Region(region) => {
            let sites = regions::emit(code, region);
            return code.for_each(sites, |code, site| body(code, site.get()));
        }
        Ints::Results { from, to, value } => {
            return results::for_each(code, from, to, value, &body);
        }
        _ => {}
    }
    let number = EvaluatedParts::add(&mut code.parts.lists, list.clone());
    let from = code.keep(Type::Int, slot(Slot::Listed));
    let to = code.ask(Service::List, vec![int(number)]);
    let to = code.keep(Type::Int, to);
    code.for_range(from.get(), to.get(), |code, at| {
        let value = code.keep_int(LIST.at(at.get()));
        body(code, value);
    });
    code.set_slot(Slot::Listed, from.get());
}

/// The lowest of the sites of a component; -1 if there is none.
pub(super) fn lowest_of(component: Expr, there: Expr) -> Expr {
    choose(component.greater(int(0)), there.nth(int(0)), int(-1))
}

//! Code for numbers of pairs of sites, and for the folding of lists of numbers.

use kernel::ir::{Expr, Local, Type};

use super::arrays::{choose, int};
use super::emitter::Emitter;
use super::{bools, by_site, ints, regions};
use crate::ir::{Fold, Int, Ints, Iter, Place, Region};

/// Writes a loop over the values of a number for each site of a place and each site of another.
pub(super) fn for_each(
    code: &mut Emitter<'_>,
    from: &Place,
    to: &Place,
    value: &Int,
    write: &dyn Fn(&mut Emitter<'_>, Expr),
) {
    let origins = bools::sites_of_place(code, from);
    let saved = code.save([Iter::From]);
    code.for_each(origins, |code, from| {
        code.bind(Iter::From, from.get());
        let destinations = bools::sites_of_place(code, to);
        let saved = code.save([Iter::To]);
        code.for_each(destinations, |code, to| {
            code.bind(Iter::To, to.get());
            let value = ints::kept(code, value);
            write(code, value);
        });
        code.restore(&saved);
    });
    code.restore(&saved);
}

/// The sum, product, maximum or minimum of a list; `None` if the evaluator finds the list.
pub(super) fn fold(code: &mut Emitter<'_>, kind: Fold, list: &Ints) -> Option<Expr> {
    if !matches!(list, Ints::List(_) | Ints::Region(_) | Ints::Results { .. }) {
        return None;
    }
    let (start, of_empty) = match kind {
        Fold::Sum => (0, 0),
        Fold::Product => (1, 0),
        Fold::Max => (i32::MIN, -1),
        Fold::Min => (i32::MAX, -1),
    };
    let [all, any] = [start, 0].map(|start| code.keep(Type::Int, int(start)));
    by_site::for_list(code, list, |code, value| {
        let all_now = match kind {
            Fold::Sum => all.get() + value,
            Fold::Product => all.get() * value,
            Fold::Max => all.get().max(value),
            Fold::Min => all.get().min(value),
        };
        code.set(all, all_now);
        code.set(any, int(1));
    });
    Some(if kind == Fold::Sum { all.get() } else { choose(any.get(), all.get(), int(of_empty)) })
}

/// The fewest steps from a site to one of a region; 0 if the region is empty.
pub(super) fn steps_to(code: &mut Emitter<'_>, table: usize, from: &Int, region: &Region) -> Expr {
    let rows = code.game.distances(table);
    let from = ints::emit(code, from);
    if let Region::Static(sites) = region {
        let sites = code.game.set(*sites);
        let fewest = |row: &Vec<u16>| {
            let lengths = sites.iter().filter_map(|site| row.get(site));
            lengths.min().map_or(0, |&steps| i32::from(steps))
        };
        let fewest: Vec<i32> = rows.iter().map(fewest).collect();
        return code.table(fewest).at(from);
    }
    let (all, length) = by_site::distances_of(code, table);
    let first = code.keep_int(from * int(length));
    let sites = regions::emit(code, region);
    let fewest = code.keep(Type::Int, int(i32::MAX));
    code.for_each(sites, |code, site: Local| {
        code.when(site.get().less(int(length)), |code| {
            code.set(fewest, fewest.get().min(all.at(first.clone() + site.get())));
        });
    });
    choose(fewest.get().equals(int(i32::MAX)), int(0), fewest.get())
}

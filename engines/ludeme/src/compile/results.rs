//! Numbers that are worked out for pairs of sites, and what is made of lists of numbers, as code.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{choose, int};
use super::emitter::Emitter;
use super::{bools, by_site, ints, regions};
use crate::ir::{Fold, Int, Ints, Iter, Place, Region};

/// A loop over the values of a number, for each site of a place and each of another.
pub(super) fn for_results(
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
            let value = ints::emit(code, value);
            let value = code.keep_int(value);
            write(code, value);
        });
        code.restore(&saved);
    });
    code.restore(&saved);
}

/// One number made of those of a list; `None` where the evaluator finds that list.
pub(super) fn fold_list(code: &mut Emitter<'_>, kind: Fold, list: &Ints) -> Option<Expr> {
    if !matches!(list, Ints::List(_) | Ints::Region(_) | Ints::Results { .. }) {
        return None;
    }
    let (start, of_none) = match kind {
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
        code.push(Stmt::Set(all, all_now));
        code.push(Stmt::Set(any, int(1)));
    });
    let always = kind == Fold::Sum;
    Some(if always { all.get() } else { choose(any.get(), all.get(), int(of_none)) })
}

/// The fewest steps from a site to those of a region; 0 where there are none.
pub(super) fn steps_to(
    code: &mut Emitter<'_>,
    distances: usize,
    from: &Int,
    region: &Region,
) -> Expr {
    let rows = &code.game.distances[distances];
    let from = ints::emit(code, from);
    if let Region::Static(sites) = region {
        let sites = code.game.set(*sites);
        let fewest = |row: &Vec<u16>| {
            let lengths = sites.iter().filter_map(|site| row.get(site));
            lengths.min().map_or(0, |&steps| i32::from(steps))
        };
        let fewest: Vec<i32> = rows.iter().map(fewest).collect();
        return code.module.tables.ints(fewest).at(from);
    }
    let (all, length) = by_site::distances_of(code, distances);
    let first = code.keep_int(from * int(length));
    let sites = regions::emit(code, region);
    let fewest = code.keep(Type::Int, int(i32::MAX));
    code.for_each(sites, |code, site: Local| {
        let known = site.get().less(int(length));
        code.when(known, |code| {
            let steps = all.at(first.clone() + site.get());
            code.push(Stmt::Set(fewest, fewest.get().min(steps)));
        });
    });
    choose(fewest.get().equals(int(i32::MAX)), int(0), fewest.get())
}

//! Code for loops over the targets of steps and over straight paths.

use kernel::ir::{Expr, Local, Stmt};

use super::arrays::{ANYWHERE, Slot, add, either, int, slot};
use super::emitter::{Consumer, Emitter};
use super::tables::{Lists, Paths};
use super::{bools, ints};
use crate::ir::{Bool, ByPiece, Int, Iter, JumpId, RayId};

/// Code that is 1 if the wanted destination lies on a straight path from a site.
pub(super) fn reaches(code: &mut Emitter<'_>, rays: &ByPiece<RayId>, from: &Expr) -> Expr {
    match by_piece(code, rays, from)[..] {
        [(_, id)] => {
            code.module.tables.reached(code.game, id).at(from.clone()).contains(wanted(code))
        }
        _ => int(1),
    }
}

/// The destination that the caller asks for.
pub(super) fn wanted(code: &Emitter<'_>) -> Expr {
    match code.consumer {
        Consumer::Reaches { site, .. } | Consumer::Destinations { wanted: Some(site), .. } => {
            site.get()
        }
        _ => slot(Slot::Wanted),
    }
}

/// Writes code for moves to some sites. It is skipped if the caller asks for another destination,
/// so that `reached` is 0.
pub(super) fn towards(
    code: &mut Emitter<'_>,
    reached: impl FnOnce(&mut Emitter<'_>) -> Expr,
    write: impl FnOnce(&mut Emitter<'_>),
) {
    let anywhere = match code.consumer {
        _ if code.scope.counts => return write(code),
        Consumer::Give => slot(Slot::Wanted).equals(int(ANYWHERE)),
        Consumer::Reaches { .. } | Consumer::Destinations { wanted: Some(_), .. } => int(0),
        _ => return write(code),
    };
    let reached = code.lazily(reached);
    let outside = code.scope.passes_over;
    code.scope.passes_over |= matches!(code.consumer, Consumer::Destinations { .. });
    code.when(either(anywhere, reached), write);
    code.scope.passes_over = outside;
}

/// Writes code that runs with the origin of moves bound to a site, if that is a site and a
/// condition on it holds. If the condition fails, the origin stays bound.
pub(super) fn with_origin(
    code: &mut Emitter<'_>,
    from: &Int,
    condition: Option<&Bool>,
    write: impl FnOnce(&mut Emitter<'_>, Expr),
) {
    if *from == Int::Iter(Iter::From) {
        let site = code.variable(Iter::From);
        let site = code.keep_int(site);
        let real = match code.bindings.piece {
            Some(_) => int(1),
            None => site.clone().at_least(int(0)),
        };
        code.when(real, |code| {
            let holds = condition.map_or(int(1), |c| bools::emit(code, c));
            code.when(holds, |code| write(code, site));
        });
        return;
    }
    let site = ints::kept(code, from);
    code.when(site.clone().at_least(int(0)), |code| {
        let saved = code.save([Iter::From]);
        code.bind(Iter::From, site.clone());
        let holds = condition.map_or(int(1), |c| bools::emit(code, c));
        let always = matches!(holds, Expr::Int(1));
        code.when(holds, |code| {
            write(code, site);
            code.restore(&saved);
        });
        if always {
            code.restore(&saved);
        } else {
            code.clobber();
        }
    });
}

/// The tables that apply to the pieces that may stand on a site, each with the condition under
/// which it applies.
pub(super) fn by_piece<T: Copy + PartialEq>(
    code: &mut Emitter<'_>,
    tables: &ByPiece<T>,
    site: &Expr,
) -> Vec<(Expr, T)> {
    let is_origin = matches!((site, code.bindings.bound[Iter::From as usize]),
        (Expr::Get(site), Some(from)) if *site == from);
    match tables {
        ByPiece::Same(table) => vec![(int(1), *table)],
        ByPiece::Each(_) if is_origin && code.bindings.piece.is_some() => {
            let piece = code.bindings.piece.map_or(0, usize::from);
            tables.of(piece).into_iter().map(|table| (int(1), table)).collect()
        }
        ByPiece::Each(all) => {
            if all.windows(2).all(|two| two[0] == two[1]) {
                return all.first().map(|&table| (int(1), table)).into_iter().collect();
            }
            let what = code.what(site.clone());
            let what = code.keep_int(what);
            let mut different: Vec<T> = Vec::new();
            for &table in all {
                if !different.contains(&table) {
                    different.push(table);
                }
            }
            let found = different.into_iter().map(|table| {
                let pieces = (0..all.len()).filter(|&c| all[c] == table);
                let tests = pieces.map(|c| what.clone().equals(int(c as i32)));
                (tests.reduce(either).unwrap_or(int(0)), table)
            });
            found.collect()
        }
    }
}

/// Writes a loop over the targets of steps from a site.
pub(super) fn for_steps(
    code: &mut Emitter<'_>,
    jumps: &ByPiece<JumpId>,
    from: &Expr,
    write: impl Fn(&mut Emitter<'_>, Expr),
) {
    for (meant, id) in by_piece(code, jumps, from) {
        let Lists { first, items } = code.module.tables.jumps(code.game, id);
        let end = first.at(add(from.clone(), int(1)));
        let start = first.at(from.clone());
        code.when(meant, |code| {
            code.for_range(start, end, |code, at| {
                let to = code.keep_int(items.at(at.get()));
                code.assume_site(&to);
                write(code, to);
            });
        });
    }
}

/// The site at a place of a table of straight paths.
pub(super) fn site_on(code: &mut Emitter<'_>, paths: Paths, at: Local) -> Expr {
    let site = code.keep_int(paths.sites.at(at.get()));
    code.assume_site(&site);
    site
}

/// Writes a loop over the straight paths from a site. `write` gets the number of the path in the
/// table, its number among those of the site, and the places where its sites begin and end.
pub(super) fn for_paths(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    from: &Expr,
    write: impl Fn(&mut Emitter<'_>, Paths, [Expr; 4]),
) {
    for (meant, id) in by_piece(code, rays, from) {
        let paths = code.rays(id);
        code.when(meant, |code| {
            for_paths_in(code, paths, from, |code, ends| write(code, paths, ends));
        });
    }
}

/// As [`for_paths`], for one table of paths.
pub(super) fn for_paths_in(
    code: &mut Emitter<'_>,
    paths: Paths,
    from: &Expr,
    write: impl Fn(&mut Emitter<'_>, [Expr; 4]),
) {
    let first = code.keep_int(paths.of_site.at(from.clone()));
    let end = paths.of_site.at(add(from.clone(), int(1)));
    code.for_range(first.clone(), end, |code, path| {
        let number = path.get() - first.clone();
        let start = code.keep_int(paths.of_path.at(path.get()));
        let end = code.keep_int(paths.of_path.at(add(path.get(), int(1))));
        write(code, [path.get(), number, start, end]);
    });
}

/// Leaves the loop unless a condition holds.
pub(super) fn break_unless(code: &mut Emitter<'_>, goes_on: Expr) {
    if goes_on != int(1) {
        code.push_if(!goes_on, vec![Stmt::Break(1)]);
    }
}

/// Code that is 1 if a piece stands on a site.
pub(super) fn is_occupied(code: &mut Emitter<'_>, site: Expr) -> Expr {
    !code.what(site).equals(int(0))
}

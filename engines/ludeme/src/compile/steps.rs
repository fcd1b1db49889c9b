//! Loops over the targets of steps and along straight paths.

use kernel::ir::{Block, Expr, Local, Stmt};

use super::arrays::{ANYWHERE, Slot, add, either, int, slot};
use super::emitter::{Consumer, Emitter};
use super::tables::{Lists, Paths};
use super::{bools, ints};
use crate::ir::{Bool, ByPiece, Int, Iter, JumpId, RayId};

/// Whether the site that somebody wants lies on a straight path from another one.
pub(super) fn reaches(code: &mut Emitter<'_>, rays: &ByPiece<RayId>, from: &Expr) -> Expr {
    match by_piece(code, rays, from)[..] {
        [(_, id)] => {
            let reached = code.module.tables.reached(code.game, id);
            let reached = reached.at(from.clone());
            reached.contains(wanted(code))
        }
        _ => int(1),
    }
}

/// The only destination that matters.
pub(super) fn wanted(code: &Emitter<'_>) -> Expr {
    match code.consumer {
        Consumer::Reaches { site, .. } | Consumer::Destinations { wanted: Some(site), .. } => {
            site.get()
        }
        _ => slot(Slot::Wanted),
    }
}

/// Writes code that gives moves to some sites, which need not be run if somebody wants another
/// one.
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
    let reached = code.part(reached);
    let outside = code.scope.passes_over;
    code.scope.passes_over |= matches!(code.consumer, Consumer::Destinations { .. });
    code.when(either(anywhere, reached), write);
    code.scope.passes_over = outside;
}

/// Binds the origin of a move to a site, if it is one and its condition holds, and goes on.
/// Where the condition fails, the origin stays bound.
pub(super) fn from_origin(
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
    let site = ints::emit(code, from);
    let site = code.keep_int(site);
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
            code.disturb();
        }
    });
}

/// Module that depend on what stands on a site, each with the condition that it is meant.
pub(super) fn by_piece<T: Copy + PartialEq>(
    code: &mut Emitter<'_>,
    module: &ByPiece<T>,
    site: &Expr,
) -> Vec<(Expr, T)> {
    let here = matches!((site, code.bindings.bound[Iter::From as usize]),
        (Expr::Get(site), Some(from)) if *site == from);
    match module {
        ByPiece::Same(table) => vec![(int(1), *table)],
        ByPiece::Each(_) if here && code.bindings.piece.is_some() => {
            let piece = code.bindings.piece.map_or(0, usize::from);
            module.of(piece).into_iter().map(|table| (int(1), table)).collect()
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
                let is = pieces.map(|c| what.clone().equals(int(c as i32)));
                (is.reduce(either).unwrap_or(int(0)), table)
            });
            found.collect()
        }
    }
}

pub(super) fn of_jumps(
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
                code.is_site(&to);
                write(code, to);
            });
        });
    }
}

/// A site of a straight path.
pub(super) fn site_on(code: &mut Emitter<'_>, paths: Paths, at: Local) -> Expr {
    let site = code.keep_int(paths.sites.at(at.get()));
    code.is_site(&site);
    site
}

/// A loop over straight paths: number of the path in the table, number among those of the site,
/// where its sites begin and where they end.
pub(super) fn of_rays(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    from: &Expr,
    write: impl Fn(&mut Emitter<'_>, Paths, [Expr; 4]),
) {
    for (meant, id) in by_piece(code, rays, from) {
        let paths = code.module.tables.rays(code.game, id);
        code.when(meant, |code| {
            of_paths(code, paths, from, |code, ends| write(code, paths, ends));
        });
    }
}

/// As [`of_rays`], over the paths of a table.
pub(super) fn of_paths(
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

pub(super) fn break_unless(code: &mut Emitter<'_>, goes_on: Expr) {
    if goes_on != int(1) {
        code.push(Stmt::If(!goes_on, vec![Stmt::Break(1)], Block::new()));
    }
}

/// Whether a piece stands on a site.
pub(super) fn is_occupied(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let what = code.what(site);
    !what.equals(int(0))
}

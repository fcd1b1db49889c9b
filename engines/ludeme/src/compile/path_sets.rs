//! Straight paths as sets: the first site in the path on each is the lowest or the highest of those
//! in the path, as numbers of sites ascend or descend along the path. (Classical ray attacks of
//! bitboards, the Chess Programming Wiki.)

use kernel::ir::Expr;

use super::arrays::{add, choose, int};
use super::emitter::Emitter;
use super::tables::PathSets;
use crate::ir::{ByPiece, RayId};

/// A straight path from a site: its sites, and a number that is 1 if they ascend.
pub(super) struct StraightPath {
    pub(super) sites: Expr,
    pub(super) ascends: Expr,
}

/// True if all paths have a form as sets.
pub(super) fn are_known(code: &mut Emitter<'_>, rays: &ByPiece<RayId>) -> bool {
    let mut is_known = |id| code.rays(id).as_sets.is_some();
    match rays {
        ByPiece::Same(id) => is_known(*id),
        ByPiece::Each(ids) => ids.iter().all(|&id| is_known(id)),
    }
}

/// The path with a number, in variables.
pub(super) fn path(code: &mut Emitter<'_>, paths: PathSets, number: Expr) -> StraightPath {
    let sites = code.keep_set(paths.sites.at(number.clone()));
    let ascends = code.keep_int(paths.ascends.at(number));
    StraightPath { sites, ascends }
}

/// The first site of a set on a path; -1 if there is none.
pub(super) fn first_on(code: &mut Emitter<'_>, path: &StraightPath, sites: Expr) -> Expr {
    let sites = code.keep_set(sites);
    code.keep_int(choose(path.ascends.clone(), sites.clone().nth(0), sites.last()))
}

/// The sites of a path before one of its sites, with this one if `closed` is 1; all sites if the
/// site is -1.
pub(super) fn up_to(code: &mut Emitter<'_>, path: &StraightPath, site: Expr, closed: Expr) -> Expr {
    let descending = code.game.room() as i32 + 2;
    let closed = code.keep_int(closed);
    let before = add(site.clone(), int(1)).clone() + closed.clone();
    let after = add(site, int(1 + descending)) - closed;
    let halves = code.module.tables.halves();
    path.sites.clone() & halves.at(choose(path.ascends.clone(), before, after))
}

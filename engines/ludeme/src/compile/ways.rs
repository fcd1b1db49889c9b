//! Straight paths as sets: the first site in the way on each is the lowest or the highest of those
//! in the way, as numbers of sites ascend or descend along the path. (Classical ray attacks of
//! bitboards, the Chess Programming Wiki.)

use kernel::ir::{Expr, Type};

use super::arrays::{add, choose, int};
use super::emitter::Emitter;
use super::tables::Ways;
use crate::ir::{ByPiece, RayId};

/// A straight path from a site: all its sites, and whether their numbers ascend.
pub(super) struct StraightPath {
    pub(super) sites: Expr,
    pub(super) ascends: Expr,
}

/// True if all paths are known as sets.
pub(super) fn have_ways(code: &mut Emitter<'_>, rays: &ByPiece<RayId>) -> bool {
    let mut known = |id| code.module.tables.rays(code.game, id).ways.is_some();
    match rays {
        ByPiece::Same(id) => known(*id),
        ByPiece::Each(all) => all.iter().all(|&id| known(id)),
    }
}

/// The path with a number.
pub(super) fn way(code: &mut Emitter<'_>, ways: Ways, path: Expr) -> StraightPath {
    let sites = code.keep(Type::Set, ways.sites.at(path.clone())).get();
    let ascends = code.keep_int(ways.ascends.at(path));
    StraightPath { sites, ascends }
}

/// The first of some sites on a path, or -1.
pub(super) fn first_on(code: &mut Emitter<'_>, way: &StraightPath, sites: Expr) -> Expr {
    let sites = code.keep(Type::Set, sites).get();
    code.keep_int(choose(way.ascends.clone(), sites.clone().nth(0), sites.last()))
}

/// The sites of a path before one of its sites, which itself is among them if a number is 1;
/// all where it is -1.
pub(super) fn up_to(code: &mut Emitter<'_>, way: &StraightPath, site: Expr, with_it: Expr) -> Expr {
    let descending = code.game.room() as i32 + 2;
    let with_it = code.keep_int(with_it);
    let behind = add(site.clone(), int(1));
    let before = behind.clone() + with_it.clone();
    let after = add(site, int(1 + descending)) - with_it;
    let halves = code.module.tables.halves();
    way.sites.clone() & halves.at(choose(way.ascends.clone(), before, after))
}

//! Straight paths as sets: the first site in the way on each is the lowest or the highest of those
//! in the way, as numbers of sites ascend or descend along the path. (Classical ray attacks of
//! bitboards, the Chess Programming Wiki.)

use kernel::ir::{Expr, Type};

use super::arrays::{add, choose, int};
use super::code::Emitter;
use super::tables::Ways;
use crate::ir::{ByPiece, RayId};

/// A straight path from a site: all its sites, and whether their numbers ascend.
pub(super) struct StraightPath {
    pub(super) sites: Expr,
    pub(super) ascends: Expr,
}

impl Emitter<'_> {
    /// True if all paths are known as sets.
    pub(super) fn have_ways(&mut self, rays: &ByPiece<RayId>) -> bool {
        let mut known = |id| self.tables.rays(self.game, id).ways.is_some();
        match rays {
            ByPiece::Same(id) => known(*id),
            ByPiece::Each(all) => all.iter().all(|&id| known(id)),
        }
    }

    /// The path with a number.
    pub(super) fn way(&mut self, ways: Ways, path: Expr) -> StraightPath {
        let sites = self.keep(Type::Set, ways.sites.at(path.clone())).get();
        let ascends = self.keep_int(ways.ascends.at(path));
        StraightPath { sites, ascends }
    }

    /// The first of some sites on a path, or -1.
    pub(super) fn first_on(&mut self, way: &StraightPath, sites: Expr) -> Expr {
        let sites = self.keep(Type::Set, sites).get();
        self.keep_int(choose(way.ascends.clone(), sites.clone().nth(0), sites.last()))
    }

    /// The sites of a path before one of its sites, which itself is among them if a number is 1;
    /// all where it is -1.
    pub(super) fn up_to(&mut self, way: &StraightPath, site: Expr, with_it: Expr) -> Expr {
        let descending = self.game.room() as i32 + 2;
        let with_it = self.keep_int(with_it);
        let behind = add(site.clone(), int(1));
        let before = behind.clone() + with_it.clone();
        let after = add(site, int(1 + descending)) - with_it;
        let halves = self.tables.halves();
        way.sites.clone() & halves.at(choose(way.ascends.clone(), before, after))
    }
}

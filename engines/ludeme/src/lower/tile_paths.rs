//! Tiles with paths between their sides, which go on from tile to tile.

use std::sync::Arc;

use crate::board::{Direction, SiteType};
use crate::front::{Arg, Call, Label};
use crate::ir::{Bool, Int, Place, Region, TilePaths};
use crate::limits::MAX_TILE_SIDES;
use crate::world::{Tile, TilePath};

use super::choices::rotations;
use super::places::need;
use super::{Lower, Lowered, Problem, unsupported};

/// The paths of a tile, if it has any. A tile without a number of sides has those of a cell.
pub(super) fn tile(item: &Call, cell_edges: usize) -> Option<Tile> {
    let paths = item.items(Label::Paths);
    // A negative number of a side or slot is replaced by one that no tile has.
    let number = |call: &Call, label: Label| {
        usize::try_from(call.int(label).unwrap_or(0)).unwrap_or(usize::MAX)
    };
    let sides = match item.int(Label::NumSides) {
        Some(sides) => usize::try_from(sides).ok()?,
        None => cell_edges,
    };
    let each = item.int(Label::SlotsPerSide).map_or(Some(1), |n| usize::try_from(n).ok())?;
    let slots: Vec<usize> = match item.items(Label::Slots) {
        [] => vec![each; sides.min(MAX_TILE_SIDES)],
        list => list.iter().filter_map(|n| usize::try_from(n.as_int()?).ok()).collect(),
    };
    let path = |call: &Call| {
        let end = |side: Label, slot: Label| (number(call, side), number(call, slot));
        let ends = [end(Label::From, Label::SlotsFrom), end(Label::To, Label::SlotsTo)];
        TilePath { ends, colour: call.int(Label::Colour).unwrap_or(0) }
    };
    let paths = paths.iter().filter_map(Arg::as_call).map(path);
    (!item.items(Label::Paths).is_empty()).then(|| Tile { slots, paths: paths.collect() })
}

impl<'c> Lower<'c> {
    /// The geometry of tiles with paths. Sides are counted clockwise from the north; those of a
    /// tile that has been turned are counted from its own north.
    fn tile_paths(&mut self, call: &'c Call) -> Lowered<Arc<TilePaths>> {
        if let Some(paths) = &self.geometry.tile_paths {
            return Ok(paths.clone());
        }
        let topology = &self.world.topology;
        let ways = topology.supported(Direction::Orthogonal);
        let tiles: Vec<Option<Tile>> =
            self.world.components.iter().map(|c| c.tile.clone()).collect();
        let sides = tiles.iter().flatten().next().map_or(1, |tile| tile.slots.len());
        let fits = |tile: &Tile| {
            let has = |&(side, slot): &(usize, usize)| {
                tile.slots.get(side).is_some_and(|&slots| slot < slots)
            };
            let paths = tile.paths.iter().all(|path| path.ends.iter().all(has));
            tile.slots.len() == sides && tile.slots.iter().all(|&n| n <= MAX_TILE_SIDES) && paths
        };
        if !tiles.iter().flatten().all(fits) {
            let text = "a path ends on a side that its tile does not have";
            return Err(Problem::Invalid(call.place.error("wrong-path", text)));
        }
        // Cells that point up and cells that point down have every other direction each.
        if self.world.site_type() != SiteType::Cell
            || sides == 0
            || !ways.len().is_multiple_of(sides)
        {
            return Err(unsupported(call));
        }
        let side_of = |from: usize, to: usize| {
            let leads = |way: &Direction| topology.steps(from, *way).any(|s| usize::from(s) == to);
            ways.iter().position(leads).map(|way| way * sides / ways.len())
        };
        let touching = (0..topology.sites()).map(|site| {
            let mut touching = vec![None; sides];
            for near in topology.steps(site, Direction::Orthogonal) {
                let to = usize::from(near);
                if let (Some(side), Some(back)) = (side_of(site, to), side_of(to, site)) {
                    touching[side] = Some((near, back as u8));
                }
            }
            touching.into()
        });
        let touching = touching.collect();
        let place = |site: usize| {
            let cell = SiteType::Cell;
            (topology.row(cell, site).unwrap_or(0), topology.column(cell, site).unwrap_or(0))
        };
        let grid = (0..topology.sites()).map(place).collect();
        let full = rotations(&self.world);
        let paths = Arc::new(TilePaths { sides, full, touching, tiles: tiles.into(), grid });
        self.geometry.tile_paths = Some(paths.clone());
        Ok(paths)
    }

    /// `(is Loop .. path:True)`: from all tiles that the last move has laid, if no other tiles are
    /// named.
    pub(super) fn is_path_loop(&mut self, call: &'c Call) -> Lowered<Bool> {
        let paths = self.tile_paths(call)?;
        let colour = self.int_or(call, Label::Colour, Int::Mover)?;
        Ok(Bool::IsPathLoop(Box::new((paths, colour, self.laid(call)?))))
    }

    /// `(pathExtent ..)`.
    pub(super) fn path_extent(&mut self, call: &'c Call) -> Lowered<Int> {
        let paths = self.tile_paths(call)?;
        let colour = self.int_or(call, Label::Colour, Int::Mover)?;
        Ok(Int::PathExtent(Box::new((paths, colour, self.laid(call)?))))
    }

    /// `(is SidesMatch ..)`.
    pub(super) fn sides_match(&mut self, call: &'c Call) -> Lowered<Bool> {
        let paths = self.tile_paths(call)?;
        Ok(Bool::SidesMatch(Box::new((paths, self.int_or(call, Label::At, Int::LastTo)?))))
    }

    /// The tiles from which paths are followed.
    fn laid(&mut self, call: &'c Call) -> Lowered<Place> {
        match call.arg(Label::Start) {
            Some(_) => self.place(need(call, Label::Start)?),
            None => Ok(Place::Region(Region::Touched)),
        }
    }
}

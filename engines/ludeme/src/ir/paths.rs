//! Paths that go on from tile to tile.

use crate::world::Tile;

/// A neighbour of a tile, and the side of it that touches.
pub(crate) type Touch = (u16, u8);

/// The geometry of tiles that carry paths.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TilePaths {
    /// Number of sides of every tile.
    pub(crate) sides: usize,
    /// Number of rotations in a full turn.
    pub(crate) full: usize,
    /// By site of the board and side of the tile: the neighbour, and the side of it that touches.
    pub(crate) touching: Box<[Box<[Option<Touch>]>]>,
    /// The tile of each component; `None` for components without paths.
    pub(crate) tiles: Box<[Option<Tile>]>,
    /// Row and column of each site of the board.
    pub(crate) grid: Box<[(i32, i32)]>,
}

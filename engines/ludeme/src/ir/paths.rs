//! Paths that go on from tile to tile.

use crate::world::Tile;

/// A neighbour of a tile, and the side of it that touches.
pub(crate) type Touch = (u16, u8);

/// What there is to know to follow paths over tiles.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TilePaths {
    /// Number of sides of every tile.
    pub(crate) sides: usize,
    /// How many rotations make a full turn.
    pub(crate) full: usize,
    /// By site of the board and side in its place there: the neighbour, and the side of it that
    /// touches.
    pub(crate) touching: Box<[Box<[Option<Touch>]>]>,
    /// By component; `None` for those without paths.
    pub(crate) tiles: Box<[Option<Tile>]>,
    /// By site of the board its row and column.
    pub(crate) grid: Box<[(i32, i32)]>,
}

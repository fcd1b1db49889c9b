//! Squares of a square cave, numbered from a1 along the rows.

/// A direction: 0 north, 1 east, 2 south, 3 west; turning right adds one.
pub(super) type Facing = usize;

/// East, in which the agent begins.
pub(super) const EAST: Facing = 1;

/// A cave of so many rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) size: usize,
}

impl Grid {
    pub(super) fn squares(self) -> usize {
        self.size * self.size
    }

    /// The square before one, if there is no wall.
    pub(super) fn ahead(self, square: usize, facing: Facing) -> Option<usize> {
        let (row, column) = (square / self.size, square % self.size);
        match facing {
            0 if row + 1 < self.size => Some(square + self.size),
            1 if column + 1 < self.size => Some(square + 1),
            2 if row > 0 => Some(square - self.size),
            3 if column > 0 => Some(square - 1),
            _ => None,
        }
    }

    /// The squares beside one.
    pub(super) fn beside(self, square: usize) -> impl Iterator<Item = usize> {
        (0..4).filter_map(move |facing| self.ahead(square, facing))
    }

    /// The squares before one up to the wall: the way of an arrow.
    pub(super) fn line(self, square: usize, facing: Facing) -> impl Iterator<Item = usize> {
        std::iter::successors(self.ahead(square, facing), move |&at| self.ahead(at, facing))
    }
}

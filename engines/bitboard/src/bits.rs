//! Sets of squares.

/// A set of squares; see [`sites`].
pub(crate) type Bits<const W: usize> = sites::SiteSet<W, u32>;

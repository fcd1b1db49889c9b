//! Sets of cells.

/// A set of cells; see [`sites`].
pub(crate) type Bits<const W: usize> = sites::SiteSet<W, u16>;

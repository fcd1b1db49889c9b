//! Sets of sites.

/// A set of sites; see [`sites`].
pub(crate) type Set<const W: usize> = sites::SiteSet<W, usize>;

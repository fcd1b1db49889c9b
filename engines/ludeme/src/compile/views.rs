//! Where it is kept how pieces that are only ever added stand to each other; [`super::added`] keeps
//! it.

use kernel::ir::{FunctionId, Table};
use kernel::views::Groups;

use crate::ir::{AxesId, JumpId};

/// What is kept, and where in the array `ADDED`.
pub(super) struct MaintainedViews {
    /// Takes note of a piece, by site and component.
    pub(super) function: FunctionId,
    pub(super) lines: Vec<Lines>,
    pub(super) links: Vec<Links>,
    /// Numbers in the array.
    pub(super) length: usize,
}

/// The runs on the lines of some axes.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) axes: AxesId,
    /// By site and line, its place among all sites of all lines.
    pub(super) places: Table,
    /// Lines of a site, and places of all lines.
    pub(super) width: usize,
    pub(super) positions: i32,
    /// One less than a power of two beyond the length of every line.
    pub(super) mask: i32,
    /// The place of the runs of the last piece, as bits by length; the first of the runs of each
    /// component.
    pub(super) of_last: i32,
    pub(super) runs: i32,
}

/// Groups that touch some regions.
#[derive(Clone)]
pub(super) struct Links {
    pub(super) jumps: JumpId,
    /// By owner and site, the regions that it is in, as bits.
    pub(super) touch: Table,
    /// Where the regions of the group of the last piece are kept.
    pub(super) of_last: i32,
    /// The groups, marked by the regions that they touch.
    pub(super) groups: Groups,
}

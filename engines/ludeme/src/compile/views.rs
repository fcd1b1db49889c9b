//! Where it is kept how pieces that are only ever added stand to each other; [`super::added`] keeps
//! it.

use kernel::ir::{FunctionId, Table};
use kernel::views::{Groups, Rows};

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
    pub(super) rows: Rows,
    /// Where the runs of the last piece are kept, as bits by length; where the lengths of each
    /// component begin, and how many they are.
    pub(super) of_last: i32,
    pub(super) first: i32,
    pub(super) numbers: i32,
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

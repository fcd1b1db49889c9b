//! The assumptions under which a part of the rules is lowered: what the ludemes around it have
//! fixed for it.

use super::choices::Chosen;
use crate::board::Direction;
use crate::front::Arg;
use crate::ir::Int;

/// The assumptions that hold for the part that is being lowered.
#[derive(Default)]
pub(crate) struct Scope<'c> {
    /// The assumptions about directions that depend on the state, outermost first.
    pub(super) choices: Vec<(&'c Arg, Chosen)>,
    /// The container of a `forEach Piece` around, if it may mean several.
    pub(super) container: Option<usize>,
    /// The players of the team of a `forEach Team` around.
    pub(super) team: Option<Vec<i32>>,
    /// The track of a `forEach Track` around.
    pub(super) track: Option<i32>,
    /// The component whose generator is being lowered.
    pub(super) component: Option<u16>,
    /// The direction in which all pieces look.
    pub(super) facing: Option<Direction>,
    /// The number of turns of the piece that directions are relative to.
    pub(super) turned: Option<usize>,
    /// The site jumped over, in a hop whose ends determine it.
    pub(super) middle: Option<Int>,
    /// The elements that a constraint of a puzzle is being written out for.
    pub(super) bound: Bound,
}

/// Values of variables of the rules in a constraint that is written out for every element of a
/// kind.
#[derive(Clone, Default)]
pub(crate) struct Bound {
    pub(super) from: Option<i32>,
    pub(super) to: Option<i32>,
    pub(super) site: Option<i32>,
    pub(super) hint: Option<i32>,
    pub(super) sites: Option<Vec<u16>>,
}

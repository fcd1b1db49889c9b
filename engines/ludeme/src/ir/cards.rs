//! Cards and dominoes.

use super::{Int, RayId};

/// How cards or dominoes are handed out: one by one, round by round.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Deal {
    pub(crate) stock: Stock,
    /// The sites of the hand of each player.
    pub(crate) hands: Box<[Box<[u16]>]>,
    /// How many each player gets; all that there are without it.
    pub(crate) count: Option<Int>,
    /// Who gets the first one.
    pub(crate) first: Int,
    /// Whether nobody else gets any.
    pub(crate) alone: bool,
}

/// What is handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stock {
    /// The cards on a site, from the top.
    Deck(u16),
    /// The dominoes of a list, drawn by lot.
    Bag(usize),
}

/// Whether a domino shows the same wherever it touches others.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PipsMatch {
    pub(crate) at: Int,
    /// By local state a table of the cells that a domino covers beside its first, as it goes over them.
    pub(crate) walks: Box<[RayId]>,
    /// By component what both halves show; `None` of what is no domino.
    pub(crate) pips: Box<[Option<(i32, i32)>]>,
    pub(crate) near: super::JumpId,
}

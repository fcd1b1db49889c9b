//! What code of a game is for.

/// What code is for, which decides how it gathers moves and what it keeps from ply to ply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Whole playouts: moves come in the order in which they are gathered fastest.
    Playouts,
    /// Playouts whose draws mean the moves that they do for the evaluator: moves come in its order.
    SamePlayouts,
    /// Positions, each of which may have nothing to do with the one before: moves come in the order
    /// of the evaluator, and nothing is kept from ply to ply.
    Positions,
}

//! The purpose of the code of a game.

/// The purpose of code, which decides the order of moves and the data kept from ply to ply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Whole playouts: moves come in the order in which they are gathered fastest.
    Playouts,
    /// Playouts that draw the same moves as the evaluator: moves come in its order.
    SamePlayouts,
    /// Positions in any order: moves come in the order of the evaluator, and nothing is kept from
    /// ply to ply.
    Positions,
}

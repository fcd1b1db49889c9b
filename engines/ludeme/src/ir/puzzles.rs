//! Deduction puzzles: variables that are given values, and constraints on them.
//!
//! Every value that a variable can have is a component: that of value `v` is `v + 1`, so that a
//! site without a piece is a variable without a value.

use super::Bool;

/// What a deduction puzzle is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Puzzle {
    /// The variables that can be given a value, ascending: those that the constraints are about and
    /// the set-up gives none.
    pub(crate) open: Box<[u16]>,
    /// All variables that the constraints are about, ascending.
    pub(crate) variables: Box<[u16]>,
    /// The least and the greatest value that a move gives.
    pub(crate) values: (i32, i32),
    /// What must hold of the values that there are.
    pub(crate) constraints: Box<[Bool]>,
}

/// The component that stands for a value.
pub(crate) fn component_of(value: i32) -> u16 {
    (value + 1) as u16
}

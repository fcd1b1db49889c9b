//! Deduction puzzles: variables that are given values, and constraints on them.
//!
//! Every value that a variable can have is a component: that of value `v` is `v + 1`, so that a
//! site without a piece is a variable without a value.

use super::Bool;

/// A deduction puzzle.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Puzzle {
    /// The variables that can be given a value, ascending: those in constraints that the set-up
    /// gives none.
    pub(crate) open: Box<[u16]>,
    /// All variables in constraints, ascending.
    pub(crate) variables: Box<[u16]>,
    /// The least and the greatest value that a move gives.
    pub(crate) values: (i32, i32),
    /// The conditions on the values.
    pub(crate) constraints: Box<[Bool]>,
}

/// The component that stands for a value.
pub(crate) fn component_of(value: i32) -> u16 {
    (value + 1) as u16
}

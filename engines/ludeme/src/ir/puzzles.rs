//! Deduction puzzles: variables that are given values, and constraints on them.
//!
//! Every value that a variable can have is a component: that of value `v` is `v + 1`, so that a site
//! without a piece is a variable without a value.

use super::{Compare, Int, Region};

/// What a deduction puzzle is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Puzzle {
    /// The variables that can be given a value, ascending: those that the constraints are about and the
    /// set-up gives none.
    pub(crate) open: Box<[u16]>,
    /// All variables that the constraints are about, ascending.
    pub(crate) variables: Box<[u16]>,
    /// The least and the greatest value that a move gives.
    pub(crate) values: (i32, i32),
    /// What must hold of the values that there are.
    pub(crate) constraints: Box<[super::Bool]>,
    /// By site the numbers of the constraints that may ask for its value.
    pub(crate) asked: Box<[Box<[u16]>]>,
}

/// The component that stands for a value.
pub(crate) fn component_of(value: i32) -> u16 {
    (value + 1) as u16
}

/// Sites that a constraint is about.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Area {
    /// The sites.
    pub(crate) region: Region,
    /// The site by which the area counts at all: only if it has a value that is not 0.
    pub(crate) lead: Option<u16>,
}

/// A constraint: whether the values that there are can still be right. Variables without a value never
/// break one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Constraint {
    /// In each area no value comes twice and none is 0, those excepted.
    Different { areas: Box<[Area]>, except: Box<[i32]> },
    /// The values of each area add up to a number, or to no more while some are not there yet.
    Sum(Box<[(Area, Int)]>),
    /// As many variables as a number have a value, or not more while some have none yet.
    Count { region: Region, of: Int, number: Int },
    /// No two areas of a family whose values are all there have the same values in the same order;
    /// each area with the number of its family.
    Unique(Box<[(Area, u32)]>),
    /// A comparison of the values of two sites.
    Values(Compare, Int, Int),
}

//! What code leaves to the evaluator.

use kernel::ir::FunctionId;

use crate::ir::{Bool, EffectId, Hop, Int, Ints, Leaf, Moves, Region};

/// Rules for which there is code.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Compiled<T> {
    /// The function.
    pub(crate) function: FunctionId,
    /// What it was made from.
    pub(crate) rules: T,
    /// What it calls the evaluator for.
    pub(crate) parts: Parts,
}

/// Parts of rules that code calls the evaluator for, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) sources: Vec<Source>,
    pub(crate) moves: Vec<Moves>,
    pub(crate) bools: Vec<Bool>,
    pub(crate) ints: Vec<Int>,
    pub(crate) regions: Vec<Region>,
    pub(crate) lists: Vec<Ints>,
}

/// A generator whose moves code gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Source {
    pub(crate) kind: SourceKind,
    /// What they have to go through, outermost first.
    pub(crate) wrappers: Vec<Wrapper>,
}

/// Generators whose moves code gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SourceKind {
    Leaf(Leaf),
    Hop(Hop),
}

/// What a move goes through before it is taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Wrapper {
    /// The test of what holds afterwards, by its number among the conditions, with the variables kept
    /// under a number.
    After { condition: usize, saved: usize },
    /// Further consequences.
    Then(Vec<EffectId>),
}

impl Parts {
    /// Adds a part, and gives its number.
    pub(super) fn add<T>(list: &mut Vec<T>, part: T) -> i32 {
        list.push(part);
        list.len() as i32 - 1
    }
}

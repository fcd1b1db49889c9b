//! What the keeper may do from a layer on: the ways that a search would try, in its order.

use super::Compiler;
use crate::program::{Op, Step};

/// Instructions of a layer whose alternatives are told apart.
const MOST_OPS: usize = 40;

/// One alternative of a layer: walks from its cell, and the edge that is taken where they lead.
pub(super) struct Alternative {
    pub(super) walks: Vec<u32>,
    pub(super) edge: u32,
}

impl<const W: usize> Compiler<W> {
    /// The alternatives of a layer in the order of the search, if it has no circles and brings
    /// nothing together.
    pub(super) fn alternatives(&self, id: u32) -> Option<Vec<Alternative>> {
        let layer = &self.layers[id as usize];
        if layer.ops.len() > MOST_OPS {
            return None;
        }
        // For each register the walks that lead to it.
        let mut ways: Vec<Option<Vec<u32>>> = vec![None; layer.registers as usize];
        *ways.first_mut()? = Some(Vec::new());
        let mut out = Vec::new();
        for op in &layer.ops {
            match *op {
                Op::Walk { walk, from, to, merge: false } => {
                    let mut way = ways[from as usize].clone()?;
                    way.push(walk);
                    ways[to as usize] = Some(way);
                }
                Op::Walk { merge: true, .. } | Op::Unless { .. } | Op::Loop(_) => {
                    return None;
                }
                Op::Take { edge, from } => {
                    out.push(Alternative { walks: ways[from as usize].clone()?, edge });
                }
            }
        }
        (!out.is_empty()).then_some(out)
    }
}

/// The pattern of a walk that is nothing but a test, and whether it must not hold.
pub(super) fn lone_test<const W: usize>(walk: &[Step<W>]) -> Option<(u32, bool)> {
    match *walk {
        [Step::Test { negated, pattern }] => Some((pattern, negated)),
        _ => None,
    }
}

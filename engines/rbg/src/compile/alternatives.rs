//! The alternatives of the keeper from a layer on: the paths that a search would try, in its order.

use super::Compiler;
use crate::program::{Op, Step};

/// Most instructions of a layer whose alternatives are listed.
const MOST_OPS: usize = 40;
/// Most paths to one edge.
const MOST_WAYS: usize = 8;

/// One alternative of a layer: walks from its cell, and the edge that is taken at their end.
pub(super) struct Alternative {
    pub(super) walks: Vec<u32>,
    pub(super) edge: u32,
}

impl<const W: usize> Compiler<W> {
    /// The alternatives of a layer in the order of the search, if it has no circles and joins only
    /// paths to the same cell.
    pub(super) fn alternatives(&self, id: u32) -> Option<Vec<Alternative>> {
        let layer = &self.layers[id as usize];
        if layer.ops.len() > MOST_OPS {
            return None;
        }
        // For each register the paths that lead to it, as walks one after the other.
        let mut ways: Vec<Vec<Vec<u32>>> = vec![Vec::new(); layer.registers as usize];
        ways.first_mut()?.push(Vec::new());
        let mut out = Vec::new();
        for op in &layer.ops {
            match *op {
                Op::Walk { walk, from, to, merge } => {
                    let mut more = ways[from as usize].clone();
                    more.iter_mut().for_each(|way| way.push(walk));
                    if merge {
                        more.splice(0..0, ways[to as usize].drain(..));
                        // At other cells they would have to come in the order of the cells.
                        let stays = |&walk: &u32| self.walks[walk as usize].iter().all(Step::stays);
                        if more.len() > MOST_WAYS || !more.iter().flatten().all(stays) {
                            return None;
                        }
                    }
                    ways[to as usize] = more;
                }
                Op::Unless { to, walk, .. } => ways[to as usize] = vec![vec![walk]],
                Op::Loop(_) => return None,
                Op::Take { edge, from } => {
                    let paths = ways[from as usize].iter().cloned();
                    out.extend(paths.map(|walks| Alternative { walks, edge }));
                }
            }
        }
        (!out.is_empty()).then_some(out)
    }
}

/// The pattern of a walk that consists of one test, with true if the pattern must not hold.
pub(super) fn lone_test<const W: usize>(walk: &[Step<W>]) -> Option<(u32, bool)> {
    match *walk {
        [Step::Test { negated, pattern }] => Some((pattern, negated)),
        _ => None,
    }
}

//! Fan-outs: the counters that a node or a move changes, one by one or in rows.

use rustc_hash::FxHashMap;

use crate::event::cells::{Cells, Number};
use cpu::{Cpu, ROW};

/// The change of another node's counter when a node becomes true; the opposite when it becomes
/// false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Edge<N> {
    node: N,
    step: i16,
}

/// The changes of the counters of [`ROW`] nodes when one node becomes true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The first of them is a multiple of [`ROW`]; which one.
    row: u32,
    /// The steps, by number.
    steps: u32,
}

/// The steps of a row, which lie in one line of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(64))]
struct Steps([i16; ROW]);

/// So many edges into one row are told together.
const DENSE: usize = 3;

/// Edges and rows of many nodes or moves, and the steps that rows have in common.
pub(crate) struct FanOuts<N> {
    edges: Vec<Edge<N>>,
    rows: Vec<Row>,
    steps: Vec<Steps>,
    known: FxHashMap<Steps, u32>,
}

/// A part of [`FanOuts`]: where edges and rows begin and end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FanOut {
    edges: [u32; 2],
    rows: [u32; 2],
}

impl<N: Number> FanOuts<N> {
    pub(crate) fn new() -> FanOuts<N> {
        FanOuts {
            edges: Vec::new(),
            rows: Vec::new(),
            steps: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// The number of edges and rows.
    pub(crate) fn len(&self) -> usize {
        self.edges.len() + self.rows.len()
    }

    /// Adds edges to different nodes, which are in the order of their nodes.
    pub(crate) fn push(&mut self, edges: &[(u32, i16)]) -> FanOut {
        let start = [self.edges.len() as u32, self.rows.len() as u32];
        for near in edges.chunk_by(|a, b| a.0 as usize / ROW == b.0 as usize / ROW) {
            if near.len() < DENSE {
                let edge = |&(node, step): &(u32, i16)| Edge { node: N::narrow(node), step };
                self.edges.extend(near.iter().map(edge));
                continue;
            }
            let mut steps = Steps([0; ROW]);
            for &(node, step) in near {
                steps.0[node as usize % ROW] += step;
            }
            let next = self.steps.len() as u32;
            let number = *self.known.entry(steps).or_insert(next);
            if number == next {
                self.steps.push(steps);
            }
            self.rows.push(Row { row: near[0].0 / ROW as u32, steps: number });
        }
        FanOut {
            edges: [start[0], self.edges.len() as u32],
            rows: [start[1], self.rows.len() as u32],
        }
    }

    /// Takes the steps of a fan-out, or their opposites if `negated`.
    #[inline(always)]
    pub(crate) fn fire<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        cells: &mut C,
        pending: &mut C::Pending,
        fan_out: FanOut,
        negated: bool,
    ) {
        // All ones to negate.
        let sign = -i16::from(negated);
        for edge in &self.edges[fan_out.edges[0] as usize..fan_out.edges[1] as usize] {
            cells.add(pending, edge.node.wide(), (edge.step ^ sign) - sign);
        }
        for row in &self.rows[fan_out.rows[0] as usize..fan_out.rows[1] as usize] {
            cells.add_row(cpu, pending, row.row, &self.steps[row.steps as usize].0, negated);
        }
    }
}

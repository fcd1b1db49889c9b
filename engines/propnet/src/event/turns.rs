//! The turn, read off a few propositions.
//!
//! In most games the guards of the groups of moves depend on a few propositions such as
//! `(control white)`. For every combination of these it is worked out beforehand which groups are
//! open; often one role chooses from one group, and all others have to wait.

use crate::graph::{Graph, Lit, Node};
use crate::implied::Cofactor;

/// More propositions make no table.
const MOST: usize = 6;

/// For every combination of some propositions, which guards hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Turns {
    /// The propositions, the lowest bit of a combination first.
    pub(crate) bases: Vec<u32>,
    /// By combination: the guards that hold, by number.
    pub(crate) open: Vec<Vec<usize>>,
}

/// Works out the table, if the guards depend on few enough propositions, and on no loop.
pub(crate) fn turns(graph: &mut Graph, guards: &[Lit]) -> Option<Turns> {
    let mut bases: Vec<(u32, Lit)> = Vec::new();
    let mut stack: Vec<u32> = guards.iter().map(|l| l.node()).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(node) = stack.pop() {
        if !seen.insert(node) {
            continue;
        }
        match graph.node(node) {
            Node::False => {}
            Node::Base(base) => bases.push((base, Lit::new(node, false))),
            Node::Does(_) | Node::Feedback(_) => return None,
            Node::And(inputs) => stack.extend(inputs.iter().map(|l| l.node())),
        }
        if bases.len() > MOST || seen.len() > 1000 {
            return None;
        }
    }
    bases.sort_unstable();
    let combinations = 0..1u32 << bases.len();
    let open = combinations
        .map(|combination| {
            let assumed: Vec<Lit> = (0..)
                .zip(&bases)
                .map(|(bit, &(_, lit))| lit.flip(combination >> bit & 1 == 0))
                .collect();
            let mut cofactor = Cofactor::new(&assumed);
            let holds = |&guard: &usize| cofactor.of(graph, guards[guard]) == Lit::TRUE;
            (0..guards.len()).filter(holds).collect()
        })
        .collect();
    Some(Turns { bases: bases.into_iter().map(|b| b.0).collect(), open })
}

//! Consequences of a literal that take one look, and graphs rewritten under assumptions.

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Lit, Node};

/// Everything that holds if the literal does, as far as gates along the way are ANDs; itself
/// included, sorted. At most `limit` literals.
pub(crate) fn implied(graph: &Graph, lit: Lit, limit: usize) -> Vec<Lit> {
    let mut all = vec![lit];
    let mut at = 0;
    while at < all.len() && all.len() < limit {
        let lit = all[at];
        at += 1;
        if !lit.is_negative() {
            for &input in graph.inputs(lit.node()) {
                if !all.contains(&input) {
                    all.push(input);
                }
            }
        }
    }
    all.sort_unstable();
    all
}

/// Rewrites literals under the assumption that some others are true: the result is equal to the
/// original wherever the assumption holds. Stops at feedback nodes.
pub(crate) struct Cofactor {
    /// By node, what it is equal to.
    known: FxHashMap<u32, Lit>,
}

impl Cofactor {
    pub(crate) fn new(assumed: &[Lit]) -> Cofactor {
        let facts = assumed.iter().map(|l| (l.node(), Lit::TRUE.flip(l.is_negative())));
        Cofactor { known: facts.collect() }
    }

    pub(crate) fn of(&mut self, graph: &mut Graph, lit: Lit) -> Lit {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.known.contains_key(&node) {
                stack.pop();
                continue;
            }
            let Node::And(inputs) = graph.node(node) else {
                self.known.insert(node, Lit::new(node, false));
                continue;
            };
            let before = stack.len();
            stack.extend(inputs.iter().map(|l| l.node()).filter(|n| !self.known.contains_key(n)));
            if stack.len() == before {
                let inputs: Vec<Lit> =
                    inputs.iter().map(|l| self.known[&l.node()].flip(l.is_negative())).collect();
                let to = graph.and(inputs);
                self.known.insert(node, to);
            }
        }
        self.known[&lit.node()].flip(lit.is_negative())
    }
}

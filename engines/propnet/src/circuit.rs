//! Gates in an order in which they can be evaluated, recursions closed up.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Lit, Node};
use crate::order::{Order, is_loop};

/// The operation of a node of a [`Circuit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant false; node 0 and no other.
    False,
    /// A source: the proposition with this number.
    Base(u32),
    /// A source: the move with this number.
    Does(u32),
    /// All inputs are true.
    And,
    /// Some input is true. Only in loops; elsewhere the negation of an AND does.
    Or,
}

/// Consecutive nodes of a [`Circuit`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The first node.
    pub start: u32,
    /// The node after the last one.
    pub end: u32,
    /// True if the nodes depend on each other in a circle. Then they have the least solution, and
    /// their inputs from within the block are not negated. Else each node stands after its inputs.
    pub is_loop: bool,
}

/// A graph, or the part of it that some literals depend on, laid out for evaluation. Its literals
/// are its own: [`Circuit::lit`] translates.
#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    inputs: Vec<Lit>,
    ends: Vec<u32>,
    blocks: Vec<Block>,
    stages: Vec<usize>,
    of_graph: FxHashMap<u32, Lit>,
    bases: Vec<u32>,
    does: Vec<u32>,
}

impl Circuit {
    /// Lays out what the literals of the stages need, stage by stage. `bases` and `does` are the
    /// numbers of sources there are.
    pub fn new<I: IntoIterator<Item = Lit>>(
        graph: &Graph,
        stages: impl IntoIterator<Item = I>,
        bases: usize,
        does: usize,
    ) -> Circuit {
        let order = Order::staged(graph, stages);
        let mut circuit = Circuit {
            gates: Vec::new(),
            inputs: Vec::new(),
            ends: Vec::new(),
            blocks: Vec::new(),
            stages: Vec::new(),
            of_graph: FxHashMap::default(),
            bases: vec![0; bases],
            does: vec![0; does],
        };
        circuit.push(Gate::False, &[]);
        circuit.of_graph.insert(0, Lit::FALSE);
        let mut start = 1;
        let mut stages = order.stages().iter().peekable();
        for (at, component) in order.components().enumerate() {
            while stages.next_if(|&&end| end as usize == at).is_some() {
                start = circuit.close(start, false);
                circuit.stages.push(circuit.blocks.len());
            }
            if is_loop(graph, component) {
                start = circuit.close(start, false);
                circuit.push_loop(graph, component);
                start = circuit.close(start, true);
            } else {
                circuit.push_node(graph, component[0]);
            }
        }
        circuit.close(start, false);
        circuit.stages.resize(order.stages().len(), circuit.blocks.len());
        circuit
    }

    /// Number of nodes, the constant included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// True if there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// The operation of a node.
    pub fn gate(&self, node: u32) -> Gate {
        self.gates[node as usize]
    }

    /// The inputs of a gate.
    pub fn inputs(&self, node: u32) -> &[Lit] {
        let start = if node == 0 { 0 } else { self.ends[node as usize - 1] };
        &self.inputs[start as usize..self.ends[node as usize] as usize]
    }

    /// Number of inputs of all gates.
    pub fn edges(&self) -> usize {
        self.inputs.len()
    }

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.gates.iter().filter(|g| matches!(g, Gate::And | Gate::Or)).count()
    }

    /// Number of gates of up to four inputs that would do what these do, roughly.
    pub(crate) fn small_gates(&self) -> usize {
        let widths = (0..self.len() as u32).map(|node| self.inputs(node).len());
        widths.filter(|&width| width > 0).map(|width| (width - 1).div_ceil(3).max(1)).sum()
    }

    /// All blocks in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks that a stage adds to those before it.
    pub fn stage(&self, stage: usize) -> &[Block] {
        let start = if stage == 0 { 0 } else { self.stages[stage - 1] };
        &self.blocks[start..self.stages[stage]]
    }

    /// The literal for one of the graph; `None` if it was not asked for.
    pub fn lit(&self, of_graph: Lit) -> Option<Lit> {
        self.of_graph.get(&of_graph.node()).map(|l| l.flip(of_graph.is_negative()))
    }

    /// The node of a proposition; 0 if nothing depends on it.
    pub fn base(&self, base: usize) -> u32 {
        self.bases[base]
    }

    /// The node of a move; 0 if nothing depends on it.
    pub fn does(&self, action: usize) -> u32 {
        self.does[action]
    }

    /// Computes the gates of these blocks from their inputs. `values` has a place for each node.
    pub fn evaluate(&self, blocks: &[Block], values: &mut [bool]) {
        for block in blocks {
            let nodes = block.start..block.end;
            if !block.is_loop {
                for node in nodes {
                    if self.gate(node) == Gate::And {
                        values[node as usize] = self.holds(node, values);
                    }
                }
                continue;
            }
            values[block.start as usize..block.end as usize].fill(false);
            let mut changed = true;
            while changed {
                changed = false;
                for node in nodes.clone() {
                    if !values[node as usize] && self.holds(node, values) {
                        values[node as usize] = true;
                        changed = true;
                    }
                }
            }
        }
    }

    fn holds(&self, node: u32, values: &[bool]) -> bool {
        let mut inputs = self.inputs(node).iter();
        let value = |l: &Lit| values[l.node() as usize] != l.is_negative();
        if self.gate(node) == Gate::Or { inputs.any(value) } else { inputs.all(value) }
    }

    fn push(&mut self, gate: Gate, inputs: &[Lit]) -> Lit {
        self.gates.push(gate);
        self.inputs.extend_from_slice(inputs);
        self.ends.push(self.inputs.len() as u32);
        Lit::new(self.gates.len() as u32 - 1, false)
    }

    fn close(&mut self, start: u32, is_loop: bool) -> u32 {
        let end = self.gates.len() as u32;
        if end > start {
            self.blocks.push(Block { start, end, is_loop });
        }
        end
    }

    /// The literals here for literals of the graph that have all been laid out.
    fn translated(&self, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().filter_map(|&l| self.lit(l)).collect()
    }

    fn push_node(&mut self, graph: &Graph, node: u32) {
        let lit = match graph.node(node) {
            Node::False => Lit::FALSE,
            Node::Base(base) => {
                let lit = self.push(Gate::Base(base), &[]);
                self.bases[base as usize] = lit.node();
                lit
            }
            Node::Does(action) => {
                let lit = self.push(Gate::Does(action), &[]);
                self.does[action as usize] = lit.node();
                lit
            }
            Node::Feedback(feedback) => self.lit(graph.definition(feedback)).unwrap_or(Lit::FALSE),
            Node::And(inputs) => {
                let inputs = self.translated(inputs);
                self.push(Gate::And, &inputs)
            }
        };
        self.of_graph.insert(node, lit);
    }

    /// Lays out a component that depends on itself. Its feedback nodes vanish: each is equal to its
    /// definition. A gate is laid out as AND or, negated, as OR, whichever makes it follow from the
    /// others without negation; feedback nodes are atoms of a stratified program, so there is such
    /// a choice, and a positive feedback node is true only if it must be.
    fn push_loop(&mut self, graph: &Graph, component: &[u32]) {
        let members: FxHashSet<u32> = component.iter().copied().collect();
        // What is not of the component has been laid out, be it a feedback node or not.
        let resolve = |mut lit: Lit| {
            for _ in 0..=component.len() {
                match graph.node(lit.node()) {
                    Node::Feedback(feedback) if members.contains(&lit.node()) => {
                        lit = graph.definition(feedback).flip(lit.is_negative());
                    }
                    _ => return lit,
                }
            }
            // Feedbacks that are equal to each other and nothing else.
            Lit::FALSE.flip(lit.is_negative())
        };
        let is_gate = |node: u32| matches!(graph.node(node), Node::And(_));
        // Whether the gate is laid out as the OR that is its negation.
        let mut negated: FxHashMap<u32, Option<bool>> =
            component.iter().filter(|&&n| is_gate(n)).map(|&n| (n, None)).collect();
        let mut pending: Vec<Lit> = component
            .iter()
            .filter(|&&n| !is_gate(n))
            .map(|&n| resolve(Lit::new(n, false)))
            .collect();
        while let Some(lit) = pending.pop() {
            if let Some(choice @ None) = negated.get_mut(&lit.node()) {
                *choice = Some(lit.is_negative());
                let inputs = graph.inputs(lit.node());
                pending.extend(inputs.iter().map(|&l| resolve(l).flip(lit.is_negative())));
            }
        }
        let first = self.gates.len() as u32;
        let gates: Vec<(u32, bool)> = component
            .iter()
            .filter_map(|n| negated.get(n).map(|choice| (*n, choice.unwrap_or(false))))
            .collect();
        for (place, &(node, negated)) in (first..).zip(&gates) {
            self.of_graph.insert(node, Lit::new(place, negated));
        }
        for &node in component.iter().filter(|&&n| !is_gate(n)) {
            let lit = self.lit(resolve(Lit::new(node, false))).unwrap_or(Lit::FALSE);
            self.of_graph.insert(node, lit);
        }
        for (node, negated) in gates {
            let resolved = graph.inputs(node).iter().map(|&l| resolve(l).flip(negated));
            let inputs = self.translated(&resolved.collect::<Vec<Lit>>());
            self.push(if negated { Gate::Or } else { Gate::And }, &inputs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_have_the_least_solution() {
        // p <- a, p <- q b; q <- p; r <- not q.
        let mut g = Graph::new();
        let [a, b] = [g.base(0), g.base(1)];
        let [p, q] = [g.feedback(), g.feedback()];
        let q_and_b = g.and([q, b]);
        let p_is = g.or([a, q_and_b]);
        g.define(p, p_is);
        g.define(q, p);
        let r = g.and([!q, b]);
        let circuit = Circuit::new(&g, [[r, p]], 2, 0);
        assert_eq!(circuit.blocks().iter().filter(|b| b.is_loop).count(), 1);
        for (base_values, expected) in [
            ([false, false], [false, false]),
            ([false, true], [true, false]),
            ([true, false], [false, true]),
            ([true, true], [false, true]),
        ] {
            let mut values = vec![false; circuit.len()];
            for (base, &value) in base_values.iter().enumerate() {
                values[circuit.base(base) as usize] = value;
            }
            circuit.evaluate(circuit.blocks(), &mut values);
            let found = [r, p].map(|l| {
                let lit = circuit.lit(l).unwrap();
                values[lit.node() as usize] != lit.is_negative()
            });
            assert_eq!(found, expected, "{base_values:?}");
        }
    }

    #[test]
    fn a_loop_reads_what_is_behind_a_chain_of_feedback_nodes() {
        // Feedbacks 0 to 5, each the next, the last one a base; p <- feedback node 0, p <- p.
        let mut g = Graph::new();
        let [a, b] = [g.base(0), g.base(1)];
        let chain: Vec<Lit> = (0..6).map(|_| g.feedback()).collect();
        for (at, &feedback) in chain.iter().enumerate() {
            g.define(feedback, chain.get(at + 1).copied().unwrap_or(a));
        }
        let p = g.feedback();
        let p_and_b = g.and([p, b]);
        let p_is = g.or([chain[0], p_and_b]);
        g.define(p, p_is);
        let circuit = Circuit::new(&g, [[p]], 2, 0);
        let mut values = vec![false; circuit.len()];
        values[circuit.base(0) as usize] = true;
        circuit.evaluate(circuit.blocks(), &mut values);
        let lit = circuit.lit(p).unwrap();
        assert!(values[lit.node() as usize] != lit.is_negative());
    }
}

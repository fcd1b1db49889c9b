//! A copy of a network, node by node: with some nodes replaced, with factors taken out, or without
//! what nothing needs.

use rustc_hash::FxHashMap;

use super::{Base, Goal, Move, Network, Products, Proposition};
use crate::factor::factored;
use crate::graph::{Graph, Lit, Node};
use crate::order::Order;

/// The gates that say nothing but that none of some moves is made, with these moves.
pub(super) struct NoneOfGates {
    /// The node of each move.
    does: Vec<Option<u32>>,
    /// By role, how many moves there are.
    moves: Vec<usize>,
    /// By node, the moves in order.
    gates: FxHashMap<u32, Vec<u32>>,
    /// The number of moves that have been gathered for gates.
    gathered: usize,
    /// True if any gate has been looked through.
    pub(super) used: bool,
}

/// The limit of gathered moves, beyond which no further gate is looked through.
const GATHERED: usize = 1 << 22;

impl NoneOfGates {
    pub(super) fn new(network: &Network) -> NoneOfGates {
        let mut does = vec![None; network.moves.len()];
        for node in 0..network.graph.len() as u32 {
            if let Node::Does(action) = network.graph.node(node) {
                does[action as usize] = Some(node);
            }
        }
        let mut moves = vec![0; network.roles.len()];
        network.moves.iter().for_each(|m| moves[m.role] += 1);
        NoneOfGates { does, moves, gates: FxHashMap::default(), gathered: 0, used: false }
    }

    /// The inputs of a gate: if it asks for none of more than half of the moves of a role through
    /// others, it asks for that itself.
    fn looked_through(&mut self, network: &Network, node: u32) -> Vec<Lit> {
        let inputs = network.graph.inputs(node);
        let mut others = Vec::with_capacity(inputs.len());
        let mut actions = Vec::new();
        let mut through = false;
        for &lit in inputs {
            match network.graph.node(lit.node()) {
                Node::Does(action) if lit.is_negative() => actions.push(action),
                Node::And(_) if !lit.is_negative() && self.gates.contains_key(&lit.node()) => {
                    actions.extend(&self.gates[&lit.node()]);
                    through = true;
                }
                _ => others.push(lit),
            }
        }
        if actions.is_empty() {
            return others;
        }
        actions.sort_unstable();
        actions.dedup();
        let mut of_role = vec![0; self.moves.len()];
        actions.iter().for_each(|&m| of_role[network.moves[m as usize].role] += 1);
        let are_most = of_role.iter().zip(&self.moves).any(|(own, all)| 2 * own > *all);
        let all = if through && are_most {
            self.used = true;
            let does = actions.iter().filter_map(|&m| self.does[m as usize]);
            others.iter().copied().chain(does.map(|node| Lit::new(node, true))).collect()
        } else {
            inputs.to_vec()
        };
        self.gathered += actions.len();
        if self.gathered > GATHERED {
            self.gates.clear();
        } else if others.is_empty() {
            self.gates.insert(node, actions);
        }
        all
    }
}

/// A copy of a network into a new graph, node by node as they are asked for.
pub(super) struct Copy<'a> {
    from: &'a Network,
    replaced: &'a dyn Fn(u32) -> Option<Lit>,
    graph: Graph,
    /// Feedbacks that tie something, by node.
    tied: Vec<bool>,
    /// The copy of each node so far.
    done: Vec<Option<Lit>>,
    /// Feedbacks of the copy that wait for the copies of their definitions.
    waiting: Vec<(Lit, Lit)>,
    /// Old numbers of the bases met so far, in the order of their new numbers.
    bases: Vec<u32>,
    possible: Vec<bool>,
    /// By node, whether its factors may be taken out; empty if none's may.
    pub(super) products: Vec<bool>,
    /// If gates that ask for none of some moves are looked through.
    pub(super) nones: Option<&'a mut NoneOfGates>,
    stack: Vec<u32>,
}

impl<'a> Copy<'a> {
    pub(super) fn new(from: &'a Network, replaced: &'a dyn Fn(u32) -> Option<Lit>) -> Copy<'a> {
        Copy::ordered(from, replaced, &Order::new(&from.graph, from.roots()))
    }

    /// With the order of all that the network's roots depend on.
    pub(super) fn ordered(
        from: &'a Network,
        replaced: &'a dyn Fn(u32) -> Option<Lit>,
        order: &Order,
    ) -> Copy<'a> {
        let mut tied = vec![false; from.graph.len()];
        for component in order.loops(&from.graph) {
            for &node in component {
                tied[node as usize] = true;
            }
        }
        Copy {
            from,
            replaced,
            graph: Graph::new(),
            tied,
            done: vec![None; from.graph.len()],
            waiting: Vec::new(),
            bases: Vec::new(),
            possible: vec![true; from.moves.len()],
            products: Vec::new(),
            nones: None,
            stack: Vec::new(),
        }
    }

    /// All that outputs depend on.
    pub(super) fn into_network(mut self) -> Network {
        let from = self.from;
        // Legality first, so that what never happens can be left out.
        let terminal = self.lit(from.terminal);
        let legal = self.learn_possible_moves();
        let goals: Vec<Lit> = from.goals.iter().map(|g| self.lit(g.lit)).collect();
        // Bases that are met ask for their next values, which may meet others.
        let mut next = Vec::new();
        while let Some(&old) = self.bases.get(next.len()) {
            next.push(self.lit(from.bases[old as usize].next));
        }
        let bases = self.bases.iter().zip(next);
        let bases = bases.map(|(&old, next)| Base { next, ..from.bases[old as usize] }).collect();
        let propositions = from
            .propositions
            .iter()
            .map(|p| Proposition { text: p.text.clone(), lit: self.leaf(p.lit) })
            .collect();
        // Number the moves that are left.
        let mut renamed = vec![None; from.moves.len()];
        let mut moves = Vec::new();
        for (action, (old, legal)) in from.moves.iter().zip(legal).enumerate() {
            if legal != Lit::FALSE {
                renamed[action] = Some(moves.len() as u32);
                moves.push(Move { legal, ..old.clone() });
            }
        }
        let mut graph = self.graph;
        graph.renumber_moves(&renamed);
        let goals = from.goals.iter().zip(goals).filter(|(_, lit)| *lit != Lit::FALSE);
        Network {
            graph,
            bases,
            moves,
            terminal,
            goals: goals.map(|(g, lit)| Goal { lit, ..*g }).collect(),
            roles: from.roles.clone(),
            propositions,
        }
    }

    /// Copies the legality of all moves. A move that is never legal is never made.
    pub(super) fn learn_possible_moves(&mut self) -> Vec<Lit> {
        let moves = &self.from.moves;
        let legal: Vec<Lit> = moves.iter().map(|m| self.lit(m.legal)).collect();
        for (possible, lit) in self.possible.iter_mut().zip(&legal) {
            *possible = *lit != Lit::FALSE;
        }
        legal
    }

    /// The copy of a source, for drawings; one that nothing depends on any more is shown as it was
    /// at the start.
    fn leaf(&self, lit: Lit) -> Lit {
        let lit = (self.replaced)(lit.node()).map_or(lit, |to| to.flip(lit.is_negative()));
        let initially = match self.from.graph.node(lit.node()) {
            Node::Base(base) => self.from.bases[base as usize].initially,
            _ => false,
        };
        let to = self.done[lit.node() as usize].unwrap_or(Lit::FALSE.flip(initially));
        to.flip(lit.is_negative())
    }

    /// The copy of a literal, and of all that it depends on.
    pub(super) fn lit(&mut self, lit: Lit) -> Lit {
        let copy = self.copy(lit);
        while let Some((feedback, definition)) = self.waiting.pop() {
            let to = self.copy(definition);
            self.graph.define(feedback, to);
        }
        copy
    }

    fn copy(&mut self, lit: Lit) -> Lit {
        self.stack.push(lit.node());
        while let Some(&node) = self.stack.last() {
            if self.done[node as usize].is_none() {
                self.done[node as usize] = self.visit(node);
            }
            if self.done[node as usize].is_some() {
                self.stack.pop();
            }
        }
        self.known(lit).unwrap_or(Lit::FALSE)
    }

    fn known(&self, lit: Lit) -> Option<Lit> {
        self.done[lit.node() as usize].map(|to| to.flip(lit.is_negative()))
    }

    /// The copy of a node, or `None` after putting on the stack what it needs first. This comes to
    /// an end because cycles lead through feedback nodes that are tied.
    fn visit(&mut self, node: u32) -> Option<Lit> {
        if let Some(to) = (self.replaced)(node) {
            return self.one(to);
        }
        let from = self.from;
        match from.graph.node(node) {
            Node::False => Some(Lit::FALSE),
            Node::Base(base) => {
                self.bases.push(base);
                Some(self.graph.base(self.bases.len() as u32 - 1))
            }
            Node::Does(action) if self.possible[action as usize] => Some(self.graph.does(action)),
            Node::Does(_) => Some(Lit::FALSE),
            Node::And(inputs) => {
                let before = self.stack.len();
                self.stack.extend(
                    inputs.iter().map(|l| l.node()).filter(|&n| self.done[n as usize].is_none()),
                );
                if self.stack.len() > before {
                    return None;
                }
                let inputs = match &mut self.nones {
                    Some(nones) => nones.looked_through(from, node),
                    None => inputs.to_vec(),
                };
                let is_own = |l: &Lit| self.products.get(l.node() as usize) == Some(&true);
                let (own, others): (Vec<Lit>, Vec<Lit>) = inputs.into_iter().partition(is_own);
                let [own, mut all] = [own, others].map(|lits| -> Vec<Lit> {
                    lits.into_iter().filter_map(|l| self.known(l)).collect()
                });
                all.extend(factored(&mut self.graph, own));
                Some(self.graph.and(all))
            }
            Node::Feedback(feedback) if self.tied[node as usize] => {
                let tied = self.graph.feedback();
                self.waiting.push((tied, from.graph.definition(feedback)));
                Some(tied)
            }
            Node::Feedback(feedback) => self.one(from.graph.definition(feedback)),
        }
    }

    fn one(&mut self, lit: Lit) -> Option<Lit> {
        let known = self.known(lit);
        if known.is_none() {
            self.stack.push(lit.node());
        }
        known
    }
}

/// By node, whether it is read only once, and of those to be factored.
pub(super) fn products(network: &Network, order: &Order, some: Products) -> Vec<bool> {
    let graph = &network.graph;
    let mut uses = vec![0; graph.len()];
    let mut is_effect = vec![false; graph.len()];
    for &node in order.components().flatten() {
        is_effect[node as usize] = matches!(graph.node(node), Node::Does(_))
            || graph.inputs(node).iter().any(|l| is_effect[l.node() as usize]);
        graph.inputs(node).iter().for_each(|l| uses[l.node() as usize] += 1);
    }
    network.roots().for_each(|l| uses[l.node() as usize] += 1);
    let is_of_some = is_effect.iter().map(|&is| is || some == Products::All);
    uses.iter().zip(is_of_some).map(|(&uses, is)| is && uses == 1).collect()
}

//! The literals that a layout is made of, rewritten for change propagation.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::effects::{Operators, base_literals, operators};
use crate::event::turns::{Turns, turns};
use crate::graph::{Graph, Lit, Node};
use crate::guards::Group;
use crate::implied::Cofactor;
use crate::network::Network;
use crate::trial::Trial;

/// Literals of one graph.
pub(crate) struct LayoutLiterals {
    pub(crate) graph: Graph,
    /// By group, what its moves are legal under.
    pub(crate) guards: Vec<Lit>,
    /// By group and move, whether it is legal if the guard holds.
    pub(crate) legal: Vec<Vec<Lit>>,
    /// True if the state is terminal, but for `exhausted`.
    pub(crate) terminal: Lit,
    /// The state is terminal, too, if no bit of this group is set.
    pub(crate) exhausted: Option<usize>,
    pub(crate) operators: Option<Operators>,
    /// Bases that may change by themselves, and what they become.
    pub(crate) drift: Vec<(u32, Lit)>,
    /// The literal of each base.
    pub(crate) bases: Vec<Lit>,
    pub(crate) turns: Option<Turns>,
}

impl LayoutLiterals {
    /// With operators, if there may be and are any.
    pub(crate) fn new(
        network: &Network,
        trial: &Trial,
        groups: &[Group],
        may_have_operators: bool,
    ) -> LayoutLiterals {
        let mut graph = network.graph.clone();
        let bases = base_literals(network);
        let operators =
            if may_have_operators { operators(network, &mut graph, trial) } else { None };
        let drift = match &operators {
            Some(operators) => operators.drift.clone(),
            None => (0..).zip(network.bases.iter().map(|b| b.next)).collect(),
        };
        let mut guards = Vec::new();
        let mut legal: Vec<Vec<Lit>> = Vec::new();
        for group in groups {
            let mut cofactor = Cofactor::new(&group.guards);
            let lits = group.moves.iter().map(|&m| network.moves[m as usize].legal);
            legal.push(lits.map(|lit| cofactor.of(&mut graph, lit)).collect());
            guards.push(graph.and(group.guards.iter().copied()));
        }
        let turns = operators.as_ref().and_then(|_| turns(&mut graph, &guards));
        let mut parts = LayoutLiterals {
            guards,
            legal,
            terminal: network.terminal,
            exhausted: None,
            operators,
            drift,
            bases,
            turns,
            graph,
        };
        parts.find_exhausted();
        parts.flatten();
        parts
    }

    /// The bases that may change by themselves.
    pub(crate) fn drifting(&self) -> FxHashSet<u32> {
        self.drift.iter().map(|d| d.0).collect()
    }

    /// All that has to be up to date at each step.
    pub(crate) fn roots(&self) -> Vec<Lit> {
        let legal = self.legal.iter().flatten();
        let drift = self.drift.iter().map(|d| &d.1);
        let roots = self.bases.iter().chain([&self.terminal]).chain(&self.guards);
        roots.chain(legal).chain(drift).copied().collect()
    }

    /// Many games end when nothing is left to do, and say so with a disjunction over all that could
    /// be done. That need not be counted, since the bits can be looked at.
    fn find_exhausted(&mut self) {
        for group in 0..self.legal.len() {
            if self.legal[group].len() < 2 {
                continue;
            }
            let nothing: Vec<Lit> = self.legal[group].iter().map(|&l| !l).collect();
            let nothing = self.graph.and(nothing);
            if nothing.is_constant() {
                continue;
            }
            let ends = if self.terminal == nothing {
                Some(Lit::FALSE)
            } else if self.terminal.is_negative() {
                let others = self.graph.inputs(self.terminal.node());
                let rest: Vec<Lit> = others.iter().copied().filter(|&l| l != !nothing).collect();
                (rest.len() < others.len()).then(|| !self.graph.and(rest))
            } else {
                None
            };
            if let Some(terminal) = ends {
                self.terminal = terminal;
                self.exhausted = Some(group);
                return;
            }
        }
    }

    /// Legality looks through small gates that serve nothing else: telling a few moves directly
    /// costs less than visiting a gate that tells them.
    fn flatten(&mut self) {
        let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
        let mut seen = vec![false; self.graph.len()];
        let mut stack = self.roots();
        if let Some(operators) = &self.operators {
            let changes = operators.moves.iter().flatten();
            stack.extend(changes.filter_map(|c| match c.1 {
                crate::event::effects::Change::Become(lit) => Some(lit),
                _ => None,
            }));
        }
        for lit in &stack {
            *uses.entry(lit.node()).or_default() += 1;
        }
        let mut stack: Vec<u32> = stack.iter().map(|l| l.node()).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let definition = match self.graph.node(node) {
                Node::Feedback(feedback) => vec![self.graph.definition(feedback)],
                Node::And(inputs) => inputs.to_vec(),
                _ => Vec::new(),
            };
            for lit in definition {
                *uses.entry(lit.node()).or_default() += 1;
                stack.push(lit.node());
            }
        }
        // How often each gate is an input of a move's own gate.
        let is_gate =
            |graph: &Graph, lit: Lit| !lit.is_negative() && !graph.inputs(lit.node()).is_empty();
        let mut by_moves: FxHashMap<u32, u32> = FxHashMap::default();
        for &lit in self.legal.iter().flatten() {
            if is_gate(&self.graph, lit) && uses[&lit.node()] == 1 {
                for input in self.graph.inputs(lit.node()) {
                    if is_gate(&self.graph, *input) {
                        *by_moves.entry(input.node()).or_default() += 1;
                    }
                }
            }
        }
        let worth = |graph: &Graph, lit: Lit| {
            let (width, moves) = (graph.inputs(lit.node()).len() as u32, uses[&lit.node()]);
            is_gate(graph, lit)
                && by_moves.get(&lit.node()) == Some(&moves)
                && width * moves <= width + moves + VISIT
        };
        for lit in self.legal.iter_mut().flatten() {
            if !is_gate(&self.graph, *lit) || uses.get(&lit.node()) != Some(&1) {
                continue;
            }
            let inputs: Vec<Lit> = self.graph.inputs(lit.node()).to_vec();
            let mut flat = Vec::new();
            for input in inputs {
                if worth(&self.graph, input) {
                    flat.extend_from_slice(self.graph.inputs(input.node()));
                } else {
                    flat.push(input);
                }
            }
            *lit = self.graph.and(flat);
        }
    }
}

/// Edges that cost as much as visiting a gate.
const VISIT: u32 = 6;

//! A network: the graph of a game, and what its literals mean.

use gdl::ground::{GroundProgram, GroundRole};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Lit, Node};
use crate::order::Order;

/// A proposition of the state, as the network keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base {
    /// Whether it holds initially.
    pub initially: bool,
    /// Whether it will hold in the next state.
    pub next: Lit,
}

/// An action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Index of the role that may take it.
    pub role: usize,
    /// Whether it may be taken.
    pub legal: Lit,
    /// Whether it only hands on the turn.
    pub pass: bool,
    /// In neutral notation.
    pub label: String,
    /// As the sheet has it.
    pub text: String,
}

/// A value of a role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Index of the role.
    pub role: usize,
    /// The value.
    pub value: u8,
    /// Whether the role has it.
    pub lit: Lit,
}

/// Something the rules call true, for drawings: a proposition of the sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposition {
    /// As text.
    pub text: String,
    /// Whether it holds: a base, its negation or a constant.
    pub lit: Lit,
}

/// The graph of a game with its outputs. Sources are numbered as in `bases` and `moves`.
#[derive(Clone, Debug)]
pub struct Network {
    /// All gates.
    pub graph: Graph,
    /// The state.
    pub bases: Vec<Base>,
    /// The actions, those of one role together, roles in order.
    pub moves: Vec<Move>,
    /// Whether the state is terminal.
    pub terminal: Lit,
    /// The values of the roles.
    pub goals: Vec<Goal>,
    /// The roles in the order of the sheet.
    pub roles: Vec<GroundRole>,
    /// The propositions of the sheet, whatever has become of them in the network.
    pub propositions: Vec<Proposition>,
}

impl Network {
    /// The network of a ground program as it stands: a gate a rule, a knot an atom. Not fit for
    /// evaluation before [`Network::rebuilt`] has taken out the knots that tie nothing.
    pub fn of_program(program: &GroundProgram) -> Network {
        let mut graph = Graph::new();
        let mut lits: Vec<Option<Lit>> = vec![None; program.atoms as usize];
        for (i, base) in program.bases.iter().enumerate() {
            lits[base.now.index()] = Some(graph.base(i as u32));
        }
        for (i, action) in program.moves.iter().enumerate() {
            lits[action.does.index()] = Some(graph.does(i as u32));
        }
        let mut by_head: Vec<u32> = (0..program.rules.len() as u32).collect();
        by_head.sort_by_key(|&rule| program.rules.get(rule as usize).0);
        let heads = by_head
            .chunk_by(|&a, &b| program.rules.get(a as usize).0 == program.rules.get(b as usize).0);
        for rules in heads.clone() {
            let head = program.rules.get(rules[0] as usize).0;
            lits[head.index()].get_or_insert_with(|| graph.knot());
        }
        let lits: Vec<Lit> = lits.into_iter().map(|l| l.unwrap_or(Lit::FALSE)).collect();
        for rules in heads {
            let head = program.rules.get(rules[0] as usize).0;
            let bodies: Vec<Lit> = rules
                .iter()
                .map(|&rule| {
                    let body = program.rules.get(rule as usize).1;
                    graph.and(body.iter().map(|l| lits[l.atom().index()].flip(l.is_negative())))
                })
                .collect();
            let definition = graph.or(bodies);
            graph.define(lits[head.index()], definition);
        }
        Network {
            bases: program
                .bases
                .iter()
                .map(|base| Base {
                    initially: base.initially,
                    next: base.next.map_or(Lit::FALSE, |atom| lits[atom.index()]),
                })
                .collect(),
            moves: program
                .moves
                .iter()
                .map(|action| Move {
                    role: action.role,
                    legal: lits[action.legal.index()],
                    pass: action.pass,
                    label: action.label.clone(),
                    text: action.text.clone(),
                })
                .collect(),
            terminal: program.terminal.map_or(Lit::FALSE, |atom| lits[atom.index()]),
            goals: program
                .goals
                .iter()
                .map(|g| Goal { role: g.role, value: g.value, lit: lits[g.atom.index()] })
                .collect(),
            roles: program.roles.clone(),
            propositions: program
                .bases
                .iter()
                .map(|base| Proposition { text: base.text.clone(), lit: lits[base.now.index()] })
                .collect(),
            graph,
        }
    }

    /// The same network with its moves in another order, given by their numbers here. Those of one
    /// role must stay together, roles in order.
    #[must_use]
    pub fn with_moves_in(mut self, order: &[u32]) -> Network {
        let mut renamed = vec![None; self.moves.len()];
        for (new, &old) in (0..).zip(order) {
            renamed[old as usize] = Some(new);
        }
        self.graph.renumber_moves(&renamed);
        self.moves = order.iter().map(|&old| self.moves[old as usize].clone()).collect();
        self
    }

    /// The number of the base that each node is, for nodes that are bases.
    pub fn base_numbers(&self) -> FxHashMap<u32, usize> {
        let nodes = 0..self.graph.len() as u32;
        let base = |node| match self.graph.node(node) {
            Node::Base(base) => Some((node, base as usize)),
            _ => None,
        };
        nodes.filter_map(base).collect()
    }

    /// The literals by which the network touches the game within one state: terminal, legal, goals.
    pub fn outputs(&self) -> impl Iterator<Item = Lit> + '_ {
        std::iter::once(self.terminal)
            .chain(self.moves.iter().map(|m| m.legal))
            .chain(self.goals.iter().map(|g| g.lit))
    }

    /// The next values of all bases, in a graph of their own: only good for comparing them with each
    /// other. `replaced` is as for [`Network::rebuilt`].
    pub(crate) fn next_values(&self, replaced: &dyn Fn(u32) -> Option<Lit>) -> Vec<Lit> {
        let mut copy = Copy::new(self, replaced);
        copy.learn_possible_moves();
        self.bases.iter().map(|base| copy.lit(base.next)).collect()
    }

    /// The same network without what reaches no output, without knots that tie nothing, built anew
    /// (so that local rules see what they missed), and with constants for the given nodes.
    ///
    /// Moves that are never legal and goals that nobody ever has are gone, and with them bases that
    /// no output depends on, through any number of steps. `replaced` says for a base or a knot that
    /// it is always equal to another literal of this network.
    #[must_use]
    pub fn rebuilt(&self, replaced: &dyn Fn(u32) -> Option<Lit>) -> Network {
        let mut copy = Copy::new(self, replaced);
        // Legality first, so that what never happens can be left out.
        let terminal = copy.lit(self.terminal);
        let legal = copy.learn_possible_moves();
        let goals: Vec<Lit> = self.goals.iter().map(|g| copy.lit(g.lit)).collect();
        // Bases that are met ask for their next values, which may meet others.
        let mut next = Vec::new();
        while let Some(&old) = copy.bases.get(next.len()) {
            next.push(copy.lit(self.bases[old as usize].next));
        }
        let bases = copy.bases.iter().zip(next);
        let bases = bases
            .map(|(&old, next)| Base { initially: self.bases[old as usize].initially, next })
            .collect();
        let propositions = self
            .propositions
            .iter()
            .map(|p| Proposition { text: p.text.clone(), lit: copy.leaf(p.lit) })
            .collect();
        // Number the moves that are left.
        let mut renamed = vec![None; self.moves.len()];
        let mut moves = Vec::new();
        for (action, (old, legal)) in self.moves.iter().zip(legal).enumerate() {
            if legal != Lit::FALSE {
                renamed[action] = Some(moves.len() as u32);
                moves.push(Move { legal, ..old.clone() });
            }
        }
        let mut graph = copy.graph;
        graph.renumber_moves(&renamed);
        let goals = self.goals.iter().zip(goals).filter(|(_, lit)| *lit != Lit::FALSE);
        Network {
            graph,
            bases,
            moves,
            terminal,
            goals: goals.map(|(g, lit)| Goal { lit, ..*g }).collect(),
            roles: self.roles.clone(),
            propositions,
        }
    }
}

/// A copy of a network into a new graph, node by node as they are asked for.
struct Copy<'a> {
    from: &'a Network,
    replaced: &'a dyn Fn(u32) -> Option<Lit>,
    graph: Graph,
    /// Knots that tie something, by node.
    tied: Vec<bool>,
    /// What has become of each node so far.
    done: Vec<Option<Lit>>,
    /// Knots of the copy that wait for the copies of their definitions.
    waiting: Vec<(Lit, Lit)>,
    /// Old numbers of the bases met so far, in the order of their new numbers.
    bases: Vec<u32>,
    possible: Vec<bool>,
    stack: Vec<u32>,
}

impl<'a> Copy<'a> {
    fn new(from: &'a Network, replaced: &'a dyn Fn(u32) -> Option<Lit>) -> Copy<'a> {
        let mut tied = vec![false; from.graph.len()];
        let roots = from.outputs().chain(from.bases.iter().map(|b| b.next));
        for component in Order::new(&from.graph, roots).loops(&from.graph) {
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
            stack: Vec::new(),
        }
    }

    /// Copies the legality of all moves. A move that is never legal is never made.
    fn learn_possible_moves(&mut self) -> Vec<Lit> {
        let moves = &self.from.moves;
        let legal: Vec<Lit> = moves.iter().map(|m| self.lit(m.legal)).collect();
        for (possible, lit) in self.possible.iter_mut().zip(&legal) {
            *possible = *lit != Lit::FALSE;
        }
        legal
    }

    /// What a source has become, for drawings; one that nothing depends on any more is shown as it
    /// was at the start.
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
    fn lit(&mut self, lit: Lit) -> Lit {
        let copy = self.copy(lit);
        while let Some((knot, definition)) = self.waiting.pop() {
            let to = self.copy(definition);
            self.graph.define(knot, to);
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
    /// an end because cycles lead through knots that are tied.
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
                let inputs: Vec<Lit> = inputs.iter().filter_map(|&l| self.known(l)).collect();
                Some(self.graph.and(inputs))
            }
            Node::Knot(knot) if self.tied[node as usize] => {
                let tied = self.graph.knot();
                self.waiting.push((tied, from.graph.definition(knot)));
                Some(tied)
            }
            Node::Knot(knot) => self.one(from.graph.definition(knot)),
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

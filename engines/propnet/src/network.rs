//! A network: the graph of a game, and what its literals mean.

mod copy;

use copy::{Copy, NoneOfGates, products};
use gdl::ground::{GroundBase, GroundMove, GroundProgram, GroundRole};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Lit, Node};
use crate::order::Order;

/// A proposition of the state, as the network keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base {
    /// True if it holds initially.
    pub initially: bool,
    /// The value of the base in the next state.
    pub next: Lit,
    /// The number of the base in the network that states are kept by, see [`Network::numbered`].
    pub number: u32,
}

/// An action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Index of the role that may take it.
    pub role: usize,
    /// True if the move may be taken.
    pub legal: Lit,
    /// True if it only hands on the turn.
    pub pass: bool,
    /// In neutral notation.
    pub label: String,
    /// The move as the sheet writes it.
    pub text: String,
}

/// A value of a role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Index of the role.
    pub role: usize,
    /// The value.
    pub value: i32,
    /// True if the role has it.
    pub lit: Lit,
}

/// Something the rules call true, for drawings: a proposition of the sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposition {
    /// The proposition as text.
    pub text: String,
    /// Its value: a base, its negation or a constant.
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
    /// True if the state is terminal.
    pub terminal: Lit,
    /// The values of the roles.
    pub goals: Vec<Goal>,
    /// The roles in the order of the sheet.
    pub roles: Vec<GroundRole>,
    /// The propositions of the sheet, whatever has become of them in the network.
    pub propositions: Vec<Proposition>,
}

/// The graph of a ground program, and the literal of each atom.
fn graph_of(program: &GroundProgram) -> (Graph, Vec<Lit>) {
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
        lits[head.index()].get_or_insert_with(|| graph.feedback());
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
    (graph, lits)
}

impl Network {
    /// The network of a ground program as it stands: a gate a rule, a feedback node an atom. Not
    /// fit for evaluation before [`Network::rebuilt`] has taken out the feedback nodes that tie
    /// nothing.
    pub fn of_program(program: &GroundProgram) -> Network {
        let (graph, lits) = graph_of(program);
        Network {
            bases: program
                .bases
                .iter()
                .map(|base| Base {
                    initially: base.initially,
                    next: base.next.map_or(Lit::FALSE, |atom| lits[atom.index()]),
                    number: 0,
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

    /// The network of what is perceived: a goal for each percept, with its number for a value, and
    /// no terminal test. All moves are always legal, so that they keep the numbers that they have
    /// in the program. To be rebuilt as [`Network::of_program`] is.
    pub(crate) fn of_percepts(program: &GroundProgram) -> Network {
        let (graph, lits) = graph_of(program);
        let percepts = (0..).zip(&program.percepts);
        let base = |base: &GroundBase| Base {
            initially: base.initially,
            next: base.next.map_or(Lit::FALSE, |atom| lits[atom.index()]),
            number: 0,
        };
        let action = |action: &GroundMove| Move {
            role: action.role,
            legal: Lit::TRUE,
            pass: action.pass,
            label: String::new(),
            text: String::new(),
        };
        Network {
            bases: program.bases.iter().map(base).collect(),
            moves: program.moves.iter().map(action).collect(),
            terminal: Lit::FALSE,
            goals: percepts
                .map(|(value, p)| Goal { role: p.role, value, lit: lits[p.atom.index()] })
                .collect(),
            roles: program.roles.clone(),
            propositions: Vec::new(),
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

    /// The same network, of which states are kept: its copies know which of its bases theirs are.
    #[must_use]
    pub(crate) fn numbered(mut self) -> Network {
        for (base, number) in self.bases.iter_mut().zip(0..) {
            base.number = number;
        }
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

    /// All that something outside of the graph reads: the outputs, then the next value of each
    /// base.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.outputs().chain(self.bases.iter().map(|base| base.next))
    }

    /// The next values of all bases, in a graph of their own: only good for comparing them with
    /// each other. `replaced` is as for [`Network::rebuilt`].
    pub(crate) fn next_values(&self, replaced: &dyn Fn(u32) -> Option<Lit>) -> Vec<Lit> {
        let mut copy = Copy::new(self, replaced);
        copy.learn_possible_moves();
        self.bases.iter().map(|base| copy.lit(base.next)).collect()
    }

    /// The same network without what reaches no output, without feedback nodes that tie nothing,
    /// built anew (so that local rules see what they missed), and with constants for the given
    /// nodes.
    ///
    /// Moves that are never legal and goals that nobody ever has are gone, and with them bases that
    /// no output depends on, through any number of steps. `replaced` says for a base or a feedback
    /// node that it is always equal to another literal of this network.
    #[must_use]
    pub fn rebuilt(&self, replaced: &dyn Fn(u32) -> Option<Lit>) -> Network {
        Copy::new(self, replaced).into_network()
    }

    /// The same network, where gates that ask for none of most moves of a role through other gates
    /// ask for that themselves; `None` if there are none such.
    pub(crate) fn asking_at_once(&self) -> Option<Network> {
        let mut nones = NoneOfGates::new(self);
        let mut copy = Copy::new(self, &|_| None);
        copy.nones = Some(&mut nones);
        let network = copy.into_network();
        nones.used.then_some(network)
    }

    /// The same network, where alternatives that nothing else reads say once what they have in
    /// common.
    #[must_use]
    pub(crate) fn factored(&self, some: Products) -> Network {
        let order = Order::new(&self.graph, self.roots());
        let mut copy = Copy::ordered(self, &|_| None, &order);
        copy.products = products(self, &order, some);
        copy.into_network()
    }
}

/// The products that are factored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Products {
    /// The products that depend on the moves that are made: effects. Lines on a board and the like
    /// stay as they are, a gate each. Such a gate changes less often than the product without a
    /// factor.
    Effects,
    /// All.
    All,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One role with five moves that are always legal; a base stays on if `stays` says so.
    fn network(stays: impl FnOnce(&mut Graph, Lit, &[Lit]) -> Lit) -> Network {
        let mut graph = Graph::new();
        let base = graph.base(0);
        let does: Vec<Lit> = (0..5).map(|action| graph.does(action)).collect();
        let next = stays(&mut graph, base, &does);
        let action = |number: u32| Move {
            role: 0,
            legal: Lit::TRUE,
            pass: false,
            label: number.to_string(),
            text: number.to_string(),
        };
        Network {
            graph,
            bases: vec![Base { initially: true, next, number: 0 }],
            moves: (0..5).map(action).collect(),
            terminal: !base,
            goals: Vec::new(),
            roles: vec![GroundRole { name: "you".to_owned(), nature: false }],
            propositions: Vec::new(),
        }
    }

    #[test]
    fn none_of_most_moves_is_asked_for_at_once() {
        let through_gates = network(|graph, base, does| {
            let [one, other] =
                [&does[..2], &does[2..4]].map(|some| graph.and(some.iter().map(|&l| !l)));
            graph.and([base, one, other])
        });
        let found = through_gates.asking_at_once().expect("four of five are most");
        let inputs = found.graph.inputs(found.bases[0].next.node());
        assert_eq!(inputs.len(), 5, "the base and four moves");
        assert_eq!(inputs.iter().filter(|l| l.is_negative()).count(), 4);
        let directly =
            network(|graph, base, does| graph.and([base, !does[0], !does[1], !does[2], !does[3]]));
        assert!(directly.asking_at_once().is_none(), "no gate to look through");
        let few = network(|graph, base, does| {
            let one = graph.and([!does[0], !does[1]]);
            graph.and([base, one])
        });
        assert!(few.asking_at_once().is_none(), "two of five are not most");
    }

    #[test]
    fn alternatives_say_once_what_they_have_in_common() {
        // The base stays on after moves 0 and 1, or anyway after move 2.
        let stays = network(|graph, base, does| {
            let products = [graph.and([base, does[0]]), graph.and([base, does[1]]), does[2]];
            graph.or(products)
        });
        let found = stays.factored(Products::Effects);
        let [stays_anyway, product] = found.graph.inputs(found.bases[0].next.node()) else {
            panic!("two alternatives")
        };
        assert!(found.bases[0].next.is_negative() && stays_anyway.is_negative());
        let factors = found.graph.inputs(product.node());
        assert_eq!(factors.len(), 2, "the base, and one of two moves");
        assert_eq!(found.graph.inputs(factors[1].node()).len(), 2);
    }
}

//! The network evaluated plainly, gate by gate from the sources up: the reference that faster ways
//! are checked against.

use std::collections::BTreeSet;

use gdl::ground::GroundRole;
use play::{Chance, Player, Scores, Turn};
use smallvec::SmallVec;

use crate::circuit::Circuit;
use crate::graph::Lit;
use crate::network::{Goal, Network};

/// Number of an action in [`Network::moves`].
pub type MoveId = u32;

/// The stages of the circuit, in the order of evaluation.
pub(crate) const LEGAL: usize = 0;
pub(crate) const NEXT: usize = 1;
const GOALS: usize = 2;

/// A network laid out for evaluation as a whole.
pub(crate) struct PlainEvaluator {
    pub(crate) roles: Roles,
    circuit: Circuit,
    terminal: Lit,
    /// Legality of each move.
    legal: Vec<Lit>,
    passes: Vec<bool>,
    goals: Vec<Goal>,
    /// Node and next value of each base.
    bases: Vec<(u32, Lit)>,
    initial: Vec<bool>,
}

/// The roles of a game and their moves.
#[derive(Clone, Debug)]
pub(crate) struct Roles {
    pub(crate) all: Vec<Role>,
}

/// A role.
#[derive(Clone, Debug)]
pub(crate) struct Role {
    /// The player that it is; `None` for nature.
    pub(crate) player: Option<Player>,
    /// Its moves.
    pub(crate) moves: std::ops::Range<u32>,
}

impl Roles {
    pub(crate) fn new(network: &Network) -> Roles {
        let mut players = 0;
        let mut all = Vec::new();
        let mut start = 0;
        for (index, role) in network.roles.iter().enumerate() {
            let GroundRole { nature, .. } = role;
            let player = (!nature).then_some(Player(players as u8));
            players += usize::from(!nature);
            let moves = network.moves[start..].iter().take_while(|m| m.role == index).count();
            all.push(Role { player, moves: start as u32..(start + moves) as u32 });
            start += moves;
        }
        Roles { all }
    }

    /// The payoff of each player, given which goals hold: the highest value of each role, 0 if
    /// none.
    pub(crate) fn scores(&self, goals: &[Goal], mut holds: impl FnMut(usize) -> bool) -> Scores {
        let mut best = SmallVec::<[Option<i32>; 16]>::from_elem(None, self.all.len());
        for (at, goal) in goals.iter().enumerate() {
            if best[goal.role].is_none_or(|best| goal.value > best) && holds(at) {
                best[goal.role] = Some(goal.value);
            }
        }
        let players = self.all.iter().zip(best).filter(|(role, _)| role.player.is_some());
        Scores::new(players.map(|(_, best)| best.unwrap_or(0)))
    }
}

/// The key that tells a state from others: which propositions hold, and which moves have been
/// chosen.
pub(crate) fn key(holds: impl ExactSizeIterator<Item = bool>, chosen: &[MoveId]) -> Box<[u64]> {
    let mut key = vec![0; holds.len().div_ceil(64)];
    for (at, holds) in holds.enumerate() {
        key[at / 64] |= u64::from(holds) << (at % 64);
    }
    key.extend(chosen.iter().map(|&m| u64::from(m)));
    key.into()
}

/// A state of a `PlainEvaluator`, with what has been computed of it.
#[derive(Clone, Debug)]
pub struct State {
    /// Values of the nodes; those of the bases are always right.
    values: Vec<bool>,
    fresh: bool,
    /// The choices of the first roles.
    pub(crate) chosen: SmallVec<[MoveId; 4]>,
}

impl PlainEvaluator {
    pub(crate) fn new(network: &Network) -> PlainEvaluator {
        let legal = std::iter::once(network.terminal).chain(network.moves.iter().map(|m| m.legal));
        let goals = network.goals.iter().map(|g| g.lit);
        let next = network.bases.iter().map(|b| b.next);
        let stages: [Vec<Lit>; 3] = [legal.collect(), next.collect(), goals.collect()];
        let bases = network.bases.len();
        let circuit = Circuit::new(&network.graph, stages, bases, network.moves.len());
        let lit = |l: Lit| circuit.lit(l).unwrap_or(Lit::FALSE);
        let nodes = network.bases.iter().enumerate();
        PlainEvaluator {
            roles: Roles::new(network),
            terminal: lit(network.terminal),
            legal: network.moves.iter().map(|m| lit(m.legal)).collect(),
            passes: network.moves.iter().map(|m| m.pass).collect(),
            goals: network.goals.iter().map(|g| Goal { lit: lit(g.lit), ..*g }).collect(),
            bases: nodes.map(|(i, base)| (circuit.base(i), lit(base.next))).collect(),
            initial: network.bases.iter().map(|b| b.initially).collect(),
            circuit,
        }
    }

    pub(crate) fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// Steps that an evaluation of a state and its successor takes, roughly.
    pub(crate) fn cost(&self) -> u64 {
        (self.circuit.len() + self.circuit.edges()) as u64
    }

    /// Bytes of a state.
    pub(crate) fn state_bytes(&self) -> usize {
        size_of::<State>() + self.circuit.len()
    }

    /// The initial state, before anybody has chosen.
    pub(crate) fn start(&self) -> State {
        self.state(self.initial.iter().copied())
    }

    /// The state in which these propositions hold.
    pub(crate) fn state(&self, bases: impl IntoIterator<Item = bool>) -> State {
        let mut values = vec![false; self.circuit.len()];
        for ((node, _), value) in self.bases.iter().zip(bases) {
            if *node != 0 {
                values[*node as usize] = value;
            }
        }
        State { values, fresh: false, chosen: SmallVec::new() }
    }

    /// True if a proposition holds.
    pub(crate) fn base(&self, state: &State, base: usize) -> bool {
        state.values[self.bases[base].0 as usize]
    }

    /// The key that tells a state from others, see [`key`].
    pub(crate) fn key(&self, state: &State) -> Box<[u64]> {
        key((0..self.bases.len()).map(|base| self.base(state, base)), &state.chosen)
    }

    pub(crate) fn values<'a>(&self, state: &'a mut State) -> &'a [bool] {
        self.refresh(state);
        &state.values
    }

    fn refresh(&self, state: &mut State) {
        if !state.fresh {
            self.circuit.evaluate(self.circuit.stage(LEGAL), &mut state.values);
            state.fresh = true;
        }
    }

    fn holds(state: &State, lit: Lit) -> bool {
        state.values[lit.node() as usize] != lit.is_negative()
    }

    pub(crate) fn is_terminal(&self, state: &mut State) -> bool {
        self.refresh(state);
        PlainEvaluator::holds(state, self.terminal)
    }

    /// The legal moves of a role in order, whoever's turn it is.
    pub(crate) fn legal<'a>(
        &'a self,
        state: &'a mut State,
        role: usize,
    ) -> impl Iterator<Item = MoveId> + 'a {
        self.refresh(state);
        let state = &*state;
        let moves = self.roles.all[role].moves.clone();
        moves.filter(|&m| PlainEvaluator::holds(state, self.legal[m as usize]))
    }

    /// True if some role has nothing to do: the rules leave it undefined how to go on.
    fn is_stuck(&self, state: &mut State) -> bool {
        (0..self.roles.all.len()).any(|role| self.legal(state, role).next().is_none())
    }

    /// Lists the legal moves of the role that chooses, and returns whose turn it is.
    pub(crate) fn expand(&self, state: &mut State, legal: &mut Vec<MoveId>) -> Turn {
        if self.is_terminal(state) {
            return Turn::Over;
        }
        let role = state.chosen.len();
        if role > 0 || !self.is_stuck(state) {
            legal.extend(self.legal(state, role));
        }
        Turn::Move(self.roles.all[role].player.unwrap_or(Player(0)))
    }

    /// The next role chooses; the choice of the last fires the transition.
    pub(crate) fn choose(&self, state: &mut State, action: MoveId) {
        state.chosen.push(action);
        if state.chosen.len() == self.roles.all.len() {
            let chosen = std::mem::take(&mut state.chosen);
            self.advance(state, &chosen);
        }
    }

    /// Goes to the next state by a joint action.
    pub(crate) fn advance(&self, state: &mut State, joint: &[MoveId]) {
        self.step(state, joint, None);
    }

    /// Like [`PlainEvaluator::advance`], for goals that may depend on the joint action: says which
    /// of them hold of the step.
    pub(crate) fn advance_with_goals(
        &self,
        state: &mut State,
        joint: &[MoveId],
        held: &mut dyn FnMut(&Goal),
    ) {
        self.step(state, joint, Some(held));
    }

    fn step(&self, state: &mut State, joint: &[MoveId], held: Option<&mut dyn FnMut(&Goal)>) {
        self.refresh(state);
        for &action in joint {
            state.values[self.circuit.does(action as usize) as usize] = true;
        }
        // Node 0 stands for moves that nothing depends on, too.
        state.values[0] = false;
        self.circuit.evaluate(self.circuit.stage(NEXT), &mut state.values);
        let next: Vec<bool> =
            self.bases.iter().map(|b| PlainEvaluator::holds(state, b.1)).collect();
        if let Some(held) = held {
            self.circuit.evaluate(self.circuit.stage(GOALS), &mut state.values);
            self.goals.iter().filter(|goal| PlainEvaluator::holds(state, goal.lit)).for_each(held);
        }
        for &action in joint {
            state.values[self.circuit.does(action as usize) as usize] = false;
        }
        for ((node, _), next) in self.bases.iter().zip(next) {
            if *node != 0 {
                state.values[*node as usize] = next;
            }
        }
        state.fresh = false;
    }

    /// Lets nature choose, where it is its turn.
    pub(crate) fn choose_nature<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        while let Some(Role { player: None, .. }) = self.roles.all.get(state.chosen.len()) {
            if self.is_terminal(state) || (state.chosen.is_empty() && self.is_stuck(state)) {
                return;
            }
            let role = state.chosen.len();
            let legal: Vec<MoveId> = self.legal(state, role).collect();
            let action = legal[chance.below(legal.len() as u32) as usize];
            self.choose(state, action);
            if state.chosen.is_empty() {
                return;
            }
        }
    }

    pub(crate) fn is_pass(&self, action: MoveId) -> bool {
        self.passes[action as usize]
    }

    /// The goal values of a role that hold, each once.
    pub(crate) fn goals(&self, state: &State, role: usize) -> impl Iterator<Item = i32> {
        let state = self.with_goals(state);
        let held =
            self.goals.iter().filter(|g| g.role == role && PlainEvaluator::holds(&state, g.lit));
        held.map(|g| g.value).collect::<BTreeSet<i32>>().into_iter()
    }

    /// A state in which the goals are evaluated too.
    fn with_goals(&self, state: &State) -> State {
        let mut state = state.clone();
        self.refresh(&mut state);
        // Goals may share gates with what is next.
        self.circuit.evaluate(self.circuit.stage(NEXT), &mut state.values);
        self.circuit.evaluate(self.circuit.stage(GOALS), &mut state.values);
        state
    }

    pub(crate) fn scores(&self, state: &State) -> Scores {
        let state = self.with_goals(state);
        self.roles.scores(&self.goals, |goal| PlainEvaluator::holds(&state, self.goals[goal].lit))
    }
}

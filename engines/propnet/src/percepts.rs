//! The percepts of players in a step, as a network of its own beside that which is played: playouts
//! have no node of it, and positions ask it afterwards.

use std::collections::BTreeSet;

use gdl::ground::GroundProgram;
use play::{Percepts, Player};
use rustc_hash::FxHashMap;

use crate::network::{Move, Network};
use crate::plain_evaluator::{self, MoveId, PlainEvaluator};

/// Percepts and all that they depend on.
pub(crate) struct Observer {
    plain: PlainEvaluator,
    roles: usize,
    /// By the value of a goal of the plain evaluator: who perceives, and what.
    percepts: Vec<(Player, String)>,
    /// By role and text: the number of a move in the ground program, which the plain evaluator has.
    moves: FxHashMap<(usize, String), MoveId>,
    /// The same by the number of the move in the network that is played.
    of_played: Vec<Option<MoveId>>,
}

/// The state up to which percepts have been followed, and the moves since. Playouts only write down
/// what they do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// The state of the plain evaluator before the moves; `None` at the start.
    state: Option<plain_evaluator::State>,
    /// The moves chosen since, role by role and step by step, by numbers of the network that is
    /// played.
    made: Vec<MoveId>,
}

impl Trace {
    pub(crate) fn push(&mut self, action: MoveId) {
        self.made.push(action);
    }

    /// The number of choices that are written down.
    pub(crate) fn made(&self) -> usize {
        self.made.len()
    }
}

impl Observer {
    /// `None` where nobody perceives anything. It still has to be told how moves are numbered.
    pub(crate) fn new(program: &GroundProgram) -> Option<Observer> {
        if program.percepts.is_empty() {
            return None;
        }
        let network = Network::of_percepts(program).rebuilt(&|_| None);
        let player = |role: usize| program.roles[..role].iter().filter(|r| !r.nature).count();
        let percepts = program.percepts.iter();
        let moves = (0..).zip(&program.moves).map(|(at, m)| ((m.role, m.text.clone()), at));
        Some(Observer {
            plain: PlainEvaluator::new(&network),
            roles: program.roles.len(),
            percepts: percepts.map(|p| (Player(player(p.role) as u8), p.text.clone())).collect(),
            moves: moves.collect(),
            of_played: Vec::new(),
        })
    }

    /// All that can be perceived, each once.
    pub(crate) fn texts(&self) -> Vec<String> {
        let texts: BTreeSet<&String> = self.percepts.iter().map(|(_, text)| text).collect();
        texts.into_iter().cloned().collect()
    }

    /// Learns the numbers of moves in the network that is played.
    pub(crate) fn number(&mut self, moves: &[Move]) {
        let number = |m: &Move| self.moves.get(&(m.role, m.text.clone())).copied();
        self.of_played = moves.iter().map(number).collect();
    }

    /// Follows what was done since it was asked last, and tells what is perceived of all steps that
    /// begin `from` or later in what was done.
    pub(crate) fn follow(&self, trace: &mut Trace, from: usize, percepts: &mut Percepts) {
        let mut state = trace.state.take().unwrap_or_else(|| self.plain.start());
        let done = trace.made.len() / self.roles * self.roles;
        for (step, joint) in trace.made[..done].chunks(self.roles).enumerate() {
            let joint: Vec<MoveId> =
                joint.iter().filter_map(|&m| self.of_played[m as usize]).collect();
            if (step + 1) * self.roles > from {
                self.plain.advance_with_goals(&mut state, &joint, &mut |goal| {
                    let (player, what) = &self.percepts[goal.value as usize];
                    percepts.tell(*player, what.as_str());
                });
            } else {
                self.plain.advance(&mut state, &joint);
            }
        }
        trace.made.drain(..done);
        trace.state = Some(state);
    }
}

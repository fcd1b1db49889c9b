//! States of the game.

use std::sync::Arc;

use crate::automaton::{Automaton, Cell, NodeId};
use crate::search::{Fault, Move};

/// A state in which a player is to move, or the play is over.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) node: NodeId,
    pub(crate) cells: Vec<Cell>,
    /// The fault that ended the play.
    pub(crate) fault: Option<Fault>,
    /// The moves, if they have been listed.
    pub(crate) moves: Option<Arc<Vec<Move>>>,
    /// Percepts of players before the first choice, if that is still ahead.
    pub(crate) seen: Option<Arc<Seen>>,
    /// The edges that searches have tried since the last choice.
    pub(crate) spent: u64,
}

impl State {
    /// A state of which no moves are known.
    pub(crate) fn new(node: NodeId, cells: Vec<Cell>) -> State {
        State { node, cells, fault: None, moves: None, seen: None, spent: 0 }
    }

    /// Makes a move.
    pub(crate) fn make(&mut self, chosen: &Move) {
        self.node = chosen.to;
        for &(at, value) in &chosen.changes {
            self.cells[at as usize] = value;
        }
        self.moves = None;
        self.seen = None;
    }
}

/// The tags that each player has seen since the last choice, move by move, in their order.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) moves: Vec<Vec<Vec<Cell>>>,
}

impl Seen {
    pub(crate) fn new(automaton: &Automaton) -> Seen {
        Seen { moves: vec![Vec::new(); automaton.players.len()] }
    }

    pub(crate) fn add(&mut self, chosen: &Move) {
        for (player, seen) in self.moves.iter_mut().enumerate() {
            let visible = chosen.tags.iter().filter(|tag| tag.seers >> player & 1 != 0);
            let tags: Vec<Cell> = visible.map(|tag| tag.symbol).collect();
            if !tags.is_empty() {
                seen.push(tags);
            }
        }
    }
}

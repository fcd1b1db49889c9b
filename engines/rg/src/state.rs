//! States of the game.

use std::sync::Arc;

use crate::automaton::{Cell, NodeId};
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
}

impl State {
    /// A state of which no moves are known.
    pub(crate) fn new(node: NodeId, cells: Vec<Cell>) -> State {
        State { node, cells, fault: None, moves: None }
    }

    /// Makes a move.
    pub(crate) fn make(&mut self, chosen: &Move) {
        self.node = chosen.to;
        for &(at, value) in &chosen.changes {
            self.cells[at as usize] = value;
        }
        self.moves = None;
    }
}

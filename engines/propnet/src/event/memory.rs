//! The memory that playouts and steps work in, which is used again.

use crate::event::cells::Wide;
use crate::event::net::Propagation;
use crate::event::on_demand::Found;
use crate::plain_evaluator::MoveId;

/// The values of a network in one state of the game.
#[derive(Debug)]
pub(crate) struct Values<C> {
    pub(crate) propagation: Propagation<C>,
    /// The joint move that the net has been told of last, if it is told.
    pub(crate) told: Vec<MoveId>,
}

impl Clone for Values<Wide> {
    fn clone(&self) -> Values<Wide> {
        Values { propagation: self.propagation.clone(), told: self.told.clone() }
    }

    fn clone_from(&mut self, other: &Values<Wide>) {
        self.propagation.clone_from(&other.propagation);
        self.told.clone_from(&other.told);
    }
}

/// The memory of a transition besides the values; used again for the next step.
pub(crate) struct Scratch {
    pub(crate) found: Found,
    /// Bases about to change.
    pub(crate) changing: Vec<u32>,
    /// Drifting bases about to change, a bit each.
    pub(crate) drifting: Vec<u64>,
}

/// The memory of a playout besides the network; used again for the next.
pub(crate) struct Desk<C> {
    pub(crate) values: Values<C>,
    pub(crate) scratch: Scratch,
    /// Number of legal moves, by role.
    pub(crate) counts: Vec<u32>,
    pub(crate) joint: Vec<MoveId>,
    pub(crate) plies: u32,
    pub(crate) passes: u32,
}

//! A state of a game, as far as it has been evaluated.

use super::actions::Action;
use crate::datalog::machine::Machine;
use crate::datalog::store::Store;

/// The progress of the evaluation of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Progress {
    Nothing,
    Terminal,
    Legal,
    /// Over, and goals too.
    Goals,
    /// A budget ran out, or somebody has no action.
    Undefined,
}

/// The facts that are true, what was derived from them so far, and what the first roles chose.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) store: Store,
    pub(super) machine: Machine,
    pub(super) progress: Progress,
    pub(super) over: bool,
    pub(super) chosen: Vec<Action>,
    /// The legal actions, role by role, and where those of each end; once they are known.
    pub(super) actions: Vec<Action>,
    pub(super) ends: Vec<usize>,
    /// A role that has no legal action.
    pub(super) stuck: Option<usize>,
    /// Steps that bringing up what is kept may take, and how many it took. They do not count for
    /// the rest: how many there are depends on the state before.
    pub(super) maintenance_fuel: u64,
    pub(super) maintenance: u64,
    pub(super) sweep_at: usize,
}

impl State {
    /// Steps that may still be taken to evaluate it.
    pub(super) fn fuel(&self) -> u64 {
        self.machine.fuel
    }

    pub(super) fn set_fuel(&mut self, fuel: u64) {
        self.machine.fuel = fuel;
        self.maintenance_fuel = fuel;
        self.maintenance = 0;
    }

    /// Steps that it took to bring what is kept up to it.
    pub(super) fn maintenance(&self) -> u64 {
        self.maintenance
    }

    /// The place of a role that has no legal action.
    pub(super) fn stuck(&self) -> Option<usize> {
        self.stuck
    }

    /// Rows of a relation, by its number in the store.
    pub(super) fn len(&self, slot: usize) -> u32 {
        self.store.relations[slot].len
    }

    /// The number of times that a tuple of a kept relation came or went, by the relation's number
    /// in the store.
    pub(super) fn changes(&self, slot: usize) -> u32 {
        self.store.maintenance.changes[slot]
    }

    /// True if a budget ran out, or somebody has no action.
    pub(super) fn is_undefined(&self) -> bool {
        self.progress == Progress::Undefined
    }
}

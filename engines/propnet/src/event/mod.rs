//! The event-driven evaluator: one playout at a time, visiting only what changes.

mod cells;
mod compile;
mod effects;
mod net;
mod on_demand;
mod parts;
mod play;
mod program;
mod turns;

use ::play::{BuildFact, Job, Tally};

use cells::{Narrow, Wide};
use compile::{Blueprint, EventNetwork};
use play::{Play, Rules};

pub(crate) use effects::base_literals;

use crate::costs::Costs;
use crate::cpu::Level;
use crate::guards::Group;
use crate::machine::Machine;
use crate::network::{Goal, Network};
use crate::trial::Trial;

/// A network laid out for change propagation, with numbers as narrow as they can be.
pub(crate) enum Event {
    /// Up to 2^16 nodes.
    Narrow(Box<EventNetwork<Narrow>>),
    /// Any number.
    Wide(Box<EventNetwork<Wide>>),
}

impl Event {
    /// Lays out a network; also what it costs to find what is next, see [`Costs`]. `groups` cover
    /// its moves in order.
    pub(crate) fn new(
        network: &Network,
        machine: &Machine,
        trial: &Trial,
        groups: &[Group],
        costs: &Costs,
    ) -> (Event, f64) {
        let blueprint = Blueprint::new(network, machine, trial, groups, costs.told);
        let next = blueprint.next;
        let event = if blueprint.nodes() <= 1 << 16 {
            Event::Narrow(Box::new(blueprint.build()))
        } else {
            Event::Wide(Box::new(blueprint.build()))
        };
        (event, next)
    }

    /// Plays a job.
    pub(crate) fn run(&self, level: Level, machine: &Machine, goals: &[Goal], job: &Job) -> Tally {
        let rules = Rules { machine, goals };
        match self {
            Event::Narrow(fast) => level.call(Play { fast, rules, job }),
            Event::Wide(fast) => level.call(Play { fast, rules, job }),
        }
    }

    /// What was built, by name.
    pub(crate) fn statistics(&self) -> Vec<(BuildFact, u64)> {
        match self {
            Event::Narrow(fast) => fast.statistics(),
            Event::Wide(fast) => fast.statistics(),
        }
    }

    /// Bytes of the state of one playout.
    pub(crate) fn state_bytes(&self) -> usize {
        match self {
            Event::Narrow(fast) => fast.state_bytes(),
            Event::Wide(fast) => fast.state_bytes(),
        }
    }
}

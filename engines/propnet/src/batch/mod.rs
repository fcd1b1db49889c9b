//! The bit-sliced evaluator: the network as a straight-line program on words that hold a bit of
//! each of many playouts.

mod choice;
mod complement;
mod fold;
mod gates;
pub(crate) mod lanes;
mod layout;
mod move_groups;
mod pack;
mod play;
mod segments;
mod share;
mod slots;

use ::play::{BuildFact, Job, Tally};

use crate::cpu::Level;
use crate::machine::Machine;
use crate::network::{Network, Products};
use crate::vector::LANES;
use layout::{Layout, sketch};
use move_groups::MoveGroups;
use play::{Doubled, Play};
use slots::Index;

/// A network laid out for evaluation in lanes, with numbers as narrow as they can be.
pub(crate) enum Batch {
    /// Up to 2^16 slots.
    Narrow(Box<Layout<u16>>),
    /// Any number.
    Wide(Box<Layout<u32>>),
}

impl Batch {
    /// Lays out a network.
    pub(crate) fn new(network: &Network, machine: &Machine) -> Batch {
        let network = &network.factored(Products::All);
        let at_once = network.asking_at_once();
        let ways = std::iter::once(network).chain(&at_once).flat_map(|network| {
            // By the moves of this network: a copy may have found out that some are never legal.
            let move_groups = MoveGroups::ways(network).into_iter();
            move_groups.map(move |move_groups| (network, sketch(network, move_groups)))
        });
        let best = ways.min_by_key(|(_, sketch)| sketch.cost());
        let (network, sketch) = best.unwrap_or_else(|| unreachable!("there is a way"));
        if slots::is_narrow(sketch.places.count) {
            Batch::Narrow(Box::new(Layout::new(&sketch, network, machine)))
        } else {
            Batch::Wide(Box::new(Layout::new(&sketch, network, machine)))
        }
    }

    /// Plays a job.
    pub(crate) fn run(&self, level: Level, job: &Job) -> Tally {
        match self {
            Batch::Narrow(layout) => run(layout, level, job),
            Batch::Wide(layout) => run(layout, level, job),
        }
    }

    /// What was built, by name.
    pub(crate) fn statistics(&self) -> Vec<(BuildFact, u64)> {
        match self {
            Batch::Narrow(layout) => layout.statistics(),
            Batch::Wide(layout) => layout.statistics(),
        }
    }

    /// Bytes of the state of one lane.
    pub(crate) fn state_bytes(&self) -> usize {
        match self {
            Batch::Narrow(layout) => layout.state_bytes(),
            Batch::Wide(layout) => layout.state_bytes(),
        }
    }
}

/// Plays a job, on lanes as wide as are worth while.
fn run<I: Index>(layout: &Layout<I>, level: Level, job: &Job) -> Tally {
    let play = Play { layout, job };
    // Wider lanes would stand empty.
    if job.count <= 64 {
        return Level::Portable.call(play);
    }
    // `FEW` follows from `doubled`; it is asked since it is known while compiling.
    if I::FEW && layout.doubled && job.count >= 2 * LANES as u64 {
        return match level.call_doubled(Doubled(play)) {
            Ok(tally) => tally,
            Err(Doubled(play)) => level.call(play),
        };
    }
    level.call(play)
}

//! The bit-sliced evaluator: the network as a straight-line program on words that hold a bit of
//! each of many playouts.

mod choice;
mod complement;
mod draw;
mod fold;
mod gates;
pub(crate) mod lanes;
mod layout;
mod memory;
mod move_groups;
mod pack;
mod play;
mod segments;
mod share;
mod slots;

use ::play::{BuildFact, End, Ending, Job, Tally};

use crate::network::{Network, Products};
use crate::plain_evaluator::PlainEvaluator;
use crate::vector::LANES;
use cpu::Level;
use layout::{Layout, sketch};
use move_groups::MoveGroups;
use play::{Account, Doubled, Play, Starts};
use slots::Index;

pub(crate) use play::{OwnStart, Start};

/// A network laid out for evaluation in lanes, with numbers as narrow as they can be.
pub(crate) enum Batch {
    /// Up to 2^16 slots.
    Narrow(Box<Layout<u16>>),
    /// Any number.
    Wide(Box<Layout<u32>>),
}

impl Batch {
    /// Lays out a network that is [numbered](Network::numbered), of a game that may take so many
    /// bytes.
    pub(crate) fn new(network: &Network, plain: &PlainEvaluator, bytes: u64) -> Batch {
        let network = &network.factored(Products::All);
        let at_once = network.asking_at_once();
        let ways = std::iter::once(network).chain(&at_once).flat_map(|network| {
            // By the moves of this network: a copy may have found out that some are never legal.
            let move_groups = MoveGroups::ways(network).into_iter();
            move_groups.map(move |move_groups| (network, sketch(network, move_groups, bytes)))
        });
        let best = ways.min_by_key(|(_, sketch)| sketch.cost());
        let (network, sketch) = best.unwrap_or_else(|| unreachable!("there is a way"));
        if slots::is_narrow(sketch.places.count) {
            Batch::Narrow(Box::new(Layout::new(&sketch, network, plain)))
        } else {
            Batch::Wide(Box::new(Layout::new(&sketch, network, plain)))
        }
    }

    /// Plays a job from a state.
    pub(crate) fn run(&self, level: Level, job: &Job, start: &Start) -> Tally {
        match self.play(level, job, Starts::One(start), Account::Sum(Tally::default())) {
            Account::Sum(tally) => tally,
            Account::Each(..) => unreachable!("it is the sum"),
        }
    }

    /// Plays a job from a state, and appends how each playout ended.
    pub(crate) fn playouts(&self, level: Level, job: &Job, start: &Start, ends: &mut Vec<End>) {
        let before = ends.len();
        // Each is written over.
        ends.resize(before + job.count as usize, End { plies: 0, ending: Ending::Stuck });
        self.play(level, job, Starts::One(start), Account::Each(job.first, &mut ends[before..]));
    }

    /// Plays a playout from each of some states, and appends how each ended.
    pub(crate) fn play_each(&self, level: Level, starts: &[OwnStart], ends: &mut Vec<End>) {
        for starts in starts.chunks(lanes::lanes_of(level)) {
            let cap = starts.iter().map(|own| own.cap).max().unwrap_or(0);
            let job = Job { seed: 0, first: 0, count: starts.len() as u64, cap };
            let before = ends.len();
            ends.resize(before + starts.len(), End { plies: 0, ending: Ending::Stuck });
            let account = Account::Each(0, &mut ends[before..]);
            self.play(level, &job, Starts::Own(starts), account);
            for (end, own) in ends[before..].iter_mut().zip(starts) {
                end.plies -= cap - own.cap;
            }
        }
    }

    fn play<'a>(
        &'a self,
        level: Level,
        job: &'a Job,
        starts: Starts<'a>,
        account: Account<'a>,
    ) -> Account<'a> {
        match self {
            Batch::Narrow(layout) => run(level, Play { layout, job, starts, account }),
            Batch::Wide(layout) => run(level, Play { layout, job, starts, account }),
        }
    }

    /// The sizes of the compiled batch, by name.
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
fn run<I: Index>(level: Level, play: Play<'_, I>) -> Account<'_> {
    let Play { layout, job, .. } = play;
    // Wider lanes would stand empty.
    if job.count <= 64 {
        return Level::PORTABLE.call(play);
    }
    // `FEW` follows from `doubled`; it is asked since it is known while compiling.
    if I::FEW && layout.doubled && job.count >= 2 * LANES as u64 {
        return level.try_call(Doubled(play)).unwrap_or_else(|Doubled(play)| level.call(play));
    }
    level.call(play)
}

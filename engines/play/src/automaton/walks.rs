//! Walks along an automaton, many side by side.

use cpu::{Cpu, Task};

use super::{Automaton, Node, PARKED};
use crate::job::Job;
use crate::streams::{Streams, Upcoming};
use crate::tally::{End, Ending, Tally};

/// The playouts of a job that have no more than so many plies.
pub(super) struct Walk<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) job: &'a Job,
    pub(super) plies: u32,
}

impl Task for Walk<'_> {
    type Output = (Tally, Vec<u64>);

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> (Tally, Vec<u64>) {
        let Walk { automaton, job, plies } = self;
        let mut walks = Walks::new(automaton, job, plies);
        if automaton.count(automaton.start) == 0 {
            for id in job.ids() {
                walks.end(id, 0, automaton.start);
            }
        } else if walks.limit == 0 {
            for id in job.ids() {
                walks.give_up(id, 0);
            }
        } else {
            walks.go();
        }
        walks.finish()
    }
}

/// Walks side by side.
const LANES: usize = 64;

/// The playouts of a job, so many at a time; a lane whose playout has ended takes the next one.
struct Walks<'a> {
    automaton: &'a Automaton,
    job: &'a Job,
    nodes: [Node; LANES],
    streams: Streams,
    ids: [u64; LANES],
    /// The clock at the start of the playout of each lane.
    since: [u32; LANES],
    /// Counts steps.
    clock: u32,
    /// A bit for each lane that has something to play.
    busy: u64,
    upcoming: Upcoming,
    /// Plies of the longest playout that is not given up.
    limit: u32,
    /// Playouts given up although the job does not cap them.
    beyond: Vec<u64>,
    /// The number of times that each end has been reached.
    reached: Vec<u64>,
    tally: Tally,
}

impl<'a> Walks<'a> {
    fn new(automaton: &'a Automaton, job: &'a Job, limit: u32) -> Walks<'a> {
        Walks {
            automaton,
            job,
            nodes: [PARKED; LANES],
            streams: Streams::default(),
            ids: [0; LANES],
            since: [0; LANES],
            clock: 0,
            busy: 0,
            upcoming: Upcoming::new(job),
            limit: limit.min(job.cap),
            beyond: Vec::new(),
            reached: vec![0; automaton.ends.len()],
            tally: Tally::default(),
        }
    }

    /// Plays all playouts. The start must not be an end, and the limit not 0.
    #[inline(always)]
    fn go(&mut self) {
        for lane in 0..LANES {
            self.start(lane);
        }
        while self.busy != 0 {
            // No playout takes more steps than these to the limit.
            for _ in 0..self.stop() {
                self.step();
                if self.busy == 0 {
                    break;
                }
            }
        }
    }

    /// Gives up the playouts that stand at the limit; how many plies the longest of the others has
    /// before it.
    #[inline(always)]
    fn stop(&mut self) -> u32 {
        let mut most = 0;
        for lane in 0..LANES {
            let mut plies = self.clock.wrapping_sub(self.since[lane]);
            if self.busy >> lane & 1 == 0 {
                continue;
            }
            if plies == self.limit {
                self.give_up(self.ids[lane], plies);
                self.start(lane);
                plies = 0;
            }
            most = most.max(plies);
        }
        self.limit - most
    }

    /// A playout does not end within the limit.
    fn give_up(&mut self, id: u64, plies: u32) {
        if self.limit < self.job.cap {
            self.beyond.push(id);
        } else {
            self.tally.note(id, End { plies, ending: Ending::Capped });
        }
    }

    /// One ply in all lanes.
    #[inline(always)]
    fn step(&mut self) {
        let automaton = self.automaton;
        let mut counts = [0; LANES];
        for (count, &node) in counts.iter_mut().zip(&self.nodes) {
            *count = automaton.count(node);
        }
        let drawn = self.streams.below(&counts, self.busy);
        self.clock = self.clock.wrapping_add(1);
        let mut ended = [0; LANES];
        let mut ends = 0;
        for (lane, (node, drawn)) in self.nodes.iter_mut().zip(drawn).enumerate() {
            let action = automaton.first(*node) as usize + drawn as usize;
            *node = automaton.next.get(action).copied().unwrap_or(PARKED);
            ended[ends % LANES] = lane as u8;
            ends += usize::from(automaton.count(*node) == 0);
        }
        for &lane in &ended[..ends] {
            let lane = usize::from(lane) % LANES;
            let plies = self.clock.wrapping_sub(self.since[lane]);
            self.end(self.ids[lane], plies, self.nodes[lane]);
            self.start(lane);
        }
    }

    /// Counts a playout that has reached an end.
    #[inline(always)]
    fn end(&mut self, id: u64, plies: u32, node: Node) {
        let end = self.automaton.first(node) as usize;
        let ending = self.automaton.ends[end];
        if ending == Ending::Capped {
            return self.give_up(id, plies);
        }
        self.reached[end] += 1;
        self.tally.note(id, End { plies, ending });
    }

    /// Lets the next playout begin in this lane, or parks it.
    #[inline(always)]
    fn start(&mut self, lane: usize) {
        let Some(id) = self.upcoming.begin(&mut self.streams, lane) else {
            self.busy &= !(1 << lane);
            self.nodes[lane] = PARKED;
            return;
        };
        self.busy |= 1 << lane;
        self.ids[lane] = id;
        self.since[lane] = self.clock;
        self.nodes[lane] = self.automaton.start;
    }

    fn finish(mut self) -> (Tally, Vec<u64>) {
        for (&end, n) in self.automaton.ends.iter().zip(self.reached) {
            if let (Ending::Over(scores), 1..) = (end, n) {
                self.tally.count(scores, n);
            }
        }
        (self.tally, self.beyond)
    }
}

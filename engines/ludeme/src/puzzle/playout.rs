//! Random playouts of a puzzle whose constraints all have forms.

use play::{End, Ending, Job, Rng, Tally};

use super::Plan;
use super::cpu::{self, Cpu, Task};
use super::steps::{Candidates, Known, Steps, draw};
use super::zero_completion::ZeroCompletion;

/// Playouts side by side: each waits for the result of an instruction most of its time, and what
/// they wait for differs.
const LANES: usize = 4;

/// Why a playout stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopReason {
    /// There have been as many plies as there may be.
    Capped,
    /// The puzzle is solved, and a rule asks for it.
    Solved,
    /// Nothing can be given a value.
    Stuck,
}

/// Says how playouts end.
pub(super) trait Judge {
    /// How a playout ends in which these candidates have been given.
    fn end(&mut self, reason: StopReason, given: &[u32], rng: &mut Rng) -> End;
}

/// A job of a puzzle.
struct Playouts<'a, S> {
    plan: &'a Plan,
    first: S,
    job: &'a Job,
    judge: &'a mut dyn Judge,
}

/// A playout under way.
struct Lane<S> {
    /// Whose it is; `None` where there is none any more.
    id: Option<u64>,
    rng: Rng,
    set: S,
    known: Known,
    /// The candidates given; beyond `plies` those of an earlier playout.
    given: Vec<u32>,
    plies: usize,
    /// The value of each site, where somebody asks for it.
    values: Vec<u16>,
}

/// Plays a job.
pub(super) fn run(plan: &Plan, job: &Job, judge: &mut dyn Judge) -> Tally {
    let first = &plan.first[..];
    /// With an array of this size, where there is one.
    macro_rules! sized {
        ($($size:literal)*) => {
            match first.len() {
                $($size => {
                    let mut array = [0; $size];
                    array.copy_from_slice(first);
                    cpu::run(Playouts { plan, first: array, job, judge })
                })*
                _ => cpu::run(Playouts { plan, first: first.to_vec(), job, judge }),
            }
        };
    }
    sized!(1 2 4 8 12)
}

impl<S: Candidates> Task for Playouts<'_, S> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let Playouts { plan, first, job, judge } = self;
        let (steps, known, completion) = (&plan.steps, &plan.known, plan.completion.as_ref());
        let cap = job.cap as usize;
        let mut ids = job.ids();
        let mut lanes: [Lane<S>; LANES] = std::array::from_fn(|_| Lane {
            id: ids.next(),
            rng: Rng::stream(0, 0),
            set: first.clone(),
            known: known.clone(),
            given: vec![0; first.as_ref().len() * 64],
            plies: 0,
            values: completion.map_or(Vec::new(), |completion| completion.values.clone()),
        });
        for lane in &mut lanes {
            lane.rng = Rng::stream(job.seed, lane.id.unwrap_or(0));
        }
        let mut tally = Tally::default();
        // Playouts by number of plies: finding their outcomes in a list takes as long as a few
        // plies.
        let scores = plan.ends.scores.as_ref();
        let mut ended = vec![0; scores.map_or(0, |(_, scores)| scores.len())];
        while lanes.iter().any(|lane| lane.id.is_some()) {
            for lane in &mut lanes {
                let Some(id) = lane.id else { continue };
                let Some(reason) = lane.ply(cpu, steps, completion, cap) else { continue };
                match scores {
                    Some((rule, scores)) if *rule == reason && lane.plies > 0 => {
                        ended[lane.plies] += 1;
                        let ending = Ending::Over(scores[lane.plies]);
                        tally.note(id, End { plies: lane.plies as u32, ending });
                    }
                    _ => {
                        let given = &lane.given[..lane.plies];
                        tally.record(id, judge.end(reason, given, &mut lane.rng));
                    }
                }
                lane.id = ids.next();
                lane.rng = Rng::stream(job.seed, lane.id.unwrap_or(0));
                lane.set.clone_from(&first);
                lane.known.clone_from(known);
                lane.plies = 0;
                if let Some(completion) = completion {
                    lane.values.clone_from(&completion.values);
                }
            }
        }
        if let Some((_, scores)) = scores {
            let ended = scores.iter().zip(ended).filter(|&(_, count)| count > 0);
            ended.for_each(|(scores, count)| tally.count(*scores, count));
        }
        tally
    }
}

impl<S: Candidates> Lane<S> {
    /// Makes one ply; says why the playout stops if it does.
    #[inline(always)]
    fn ply(
        &mut self,
        cpu: impl Cpu,
        steps: &Steps,
        completion: Option<&ZeroCompletion>,
        cap: usize,
    ) -> Option<StopReason> {
        let Some(candidate) = draw(cpu, self.set.as_ref(), &mut self.rng) else {
            return Some(StopReason::Stuck);
        };
        if self.plies == cap {
            return Some(StopReason::Capped);
        }
        self.given[self.plies] = candidate;
        self.plies += 1;
        steps.give(&mut self.set, &mut self.known, candidate, self.plies);
        if let Some(completion) = completion {
            let (value, site) = steps.candidate(candidate);
            self.values[usize::from(site)] = value;
            if completion.are_solved(&self.values, &self.known.left) {
                return Some(StopReason::Solved);
            }
        }
        None
    }
}

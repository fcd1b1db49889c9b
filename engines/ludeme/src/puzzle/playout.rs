//! Random playouts of a puzzle whose constraints all have forms.

use cpu::{Cpu, Instructions, Level, Task};
use play::{End, Ending, Job, Rng, Tally};

use super::Plan;
use super::steps::{Candidates, Steps, draw};
use super::zero_completion::ZeroCompletion;
use crate::state::Domains;

/// A ply does little but count and find bits: with instructions for that the puzzles of the
/// catalogue play 1.4 to 2.1 times as fast.
pub(super) const BITS: &[Instructions] = &[Instructions::Bmi2];

/// Number of playouts side by side. Each waits for the result of an instruction most of its time,
/// and they wait for different instructions.
const LANES: usize = 4;

/// A reason for the end of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopReason {
    /// The number of plies has reached its cap.
    Capped,
    /// The puzzle is solved, and a rule asks for it.
    Solved,
    /// No variable can be given a value.
    Stuck,
}

/// A source of the ends of playouts.
pub(super) trait Judge {
    /// The end of a playout in which these candidates have been given.
    fn end(&mut self, reason: StopReason, given: &[u32], rng: &mut Rng) -> End;
}

/// A job of a puzzle.
struct Playouts<'a, S> {
    plan: &'a Plan,
    start: Domains<S>,
    job: &'a Job,
    judge: &'a mut dyn Judge,
}

/// A playout under way.
struct Lane<S> {
    /// The number of the playout; `None` if none is left.
    id: Option<u64>,
    rng: Rng,
    domains: Domains<S>,
    /// The candidates given; entries beyond their number belong to an earlier playout.
    given: Vec<u32>,
}

/// Plays a job.
pub(super) fn run(plan: &Plan, job: &Job, judge: &mut dyn Judge) -> Tally {
    let first = &plan.start.domains.set[..];
    /// The start with a set of this type.
    fn start<S>(plan: &Plan, set: S) -> Domains<S> {
        let Domains { tallies, given, values, .. } = &plan.start.domains;
        Domains { set, tallies: tallies.clone(), given: *given, values: values.clone() }
    }
    /// Uses an array of this size, if there is one.
    macro_rules! sized {
        ($($size:literal)*) => {
            match first.len() {
                $($size => {
                    let mut array = [0; $size];
                    array.copy_from_slice(first);
                    Level::best().call(Playouts { plan, start: start(plan, array), job, judge })
                })*
                _ => {
                    let start = start(plan, first.to_vec());
                    Level::best().call(Playouts { plan, start, job, judge })
                }
            }
        };
    }
    sized!(1 2 4 8 12)
}

impl<S: Candidates> Task for Playouts<'_, S> {
    type Output = Tally;

    const COMPILED_FOR: &'static [Instructions] = BITS;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let Playouts { plan, start, job, judge } = self;
        let (steps, completion) = (&plan.steps, plan.completion.as_ref());
        let cap = job.cap as usize;
        let mut ids = job.ids();
        let mut lanes: [Lane<S>; LANES] = std::array::from_fn(|_| Lane {
            id: ids.next(),
            rng: Rng::stream(0, 0),
            domains: start.clone(),
            given: vec![0; start.set.as_ref().len() * 64],
        });
        for lane in &mut lanes {
            lane.rng = Rng::stream(job.seed, lane.id.unwrap_or(0));
        }
        let mut tally = Tally::default();
        // Playouts are counted by number of plies, because a search for their outcomes in a list
        // takes as long as a few plies.
        let scores = plan.ends.scores.as_ref();
        let mut ended = vec![0; scores.map_or(0, |(_, scores)| scores.len())];
        while lanes.iter().any(|lane| lane.id.is_some()) {
            for lane in &mut lanes {
                let Some(id) = lane.id else { continue };
                let Some(reason) = lane.ply(cpu, steps, completion, cap) else { continue };
                let plies = lane.domains.given;
                match scores {
                    Some((rule, scores)) if *rule == reason && plies > 0 => {
                        ended[plies] += 1;
                        let ending = Ending::Over(scores[plies]);
                        tally.note(id, End { plies: plies as u32, ending });
                    }
                    _ => {
                        let given = &lane.given[..plies];
                        tally.record(id, judge.end(reason, given, &mut lane.rng));
                    }
                }
                lane.id = ids.next();
                lane.rng = Rng::stream(job.seed, lane.id.unwrap_or(0));
                lane.domains.clone_from(&start);
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
    /// Makes one ply. Returns the reason if the playout ends.
    #[inline(always)]
    fn ply(
        &mut self,
        cpu: impl Cpu,
        steps: &Steps,
        completion: Option<&ZeroCompletion>,
        cap: usize,
    ) -> Option<StopReason> {
        let domains = &mut self.domains;
        let Some(candidate) = draw(cpu, domains.set.as_ref(), &mut self.rng) else {
            return Some(StopReason::Stuck);
        };
        if domains.given == cap {
            return Some(StopReason::Capped);
        }
        self.given[domains.given] = candidate;
        give(steps, completion, domains, candidate).then_some(StopReason::Solved)
    }
}

/// Gives a variable a value. Returns true if all constraints with forms are satisfied then and a
/// rule asks for it.
#[inline(always)]
pub(super) fn give(
    steps: &Steps,
    completion: Option<&ZeroCompletion>,
    domains: &mut Domains<impl Candidates>,
    candidate: u32,
) -> bool {
    domains.given += 1;
    steps.give(&mut domains.set, &mut domains.tallies, candidate, domains.given);
    let Some(completion) = completion else { return false };
    let (value, site) = steps.candidate(candidate);
    domains.values[usize::from(site)] = value;
    completion.are_solved(&domains.values, &domains.tallies.left)
}

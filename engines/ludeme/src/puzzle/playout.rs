//! Random playouts of a puzzle whose constraints all have forms.

use play::{End, Ending, Job, Rng, Scores, Tally};

use super::cpu::{self, Cpu, Task};
use super::steps::{Candidates, Known, Steps, draw};
use super::zeros::Zeros;

/// Playouts side by side: each waits for the result of an instruction most of its time, and what they
/// wait for differs.
const LANES: usize = 2;

/// How a playout stands that does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stands {
    /// There have been as many plies as there may be.
    Capped,
    /// The puzzle is solved, and a rule asks for it.
    Solved,
    /// Nothing can be given a value.
    Stuck,
}

/// Says how playouts end.
pub(super) trait Judge {
    /// How a playout ends in which these candidates have been given, and whether all do that stand so
    /// after so many plies.
    fn end(&mut self, stands: Stands, given: &[u32], rng: &mut Rng) -> (End, bool);
}

/// A job of a puzzle.
struct Playouts<'a, S> {
    steps: &'a Steps,
    first: S,
    known: &'a Known,
    /// Where a rule asks whether the puzzle is solved.
    zeros: Option<&'a Zeros>,
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
pub(super) fn run(
    steps: &Steps,
    first: &[u64],
    known: &Known,
    zeros: Option<&Zeros>,
    job: &Job,
    judge: &mut dyn Judge,
) -> Tally {
    /// With arrays of the first size that fits.
    macro_rules! sized {
        ($($size:literal)*) => {
            match first.len() {
                $($size => {
                    let mut array = [0; $size];
                    array.copy_from_slice(first);
                    cpu::run(Playouts { steps, first: array, known, zeros, job, judge })
                })*
                _ => cpu::run(Playouts { steps, first: first.to_vec(), known, zeros, job, judge }),
            }
        };
    }
    sized!(1 2 4 8 12)
}

impl<S: Candidates> Task for Playouts<'_, S> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let Playouts { steps, first, known, zeros, job, judge } = self;
        let cap = job.cap as usize;
        let mut ids = job.ids();
        let mut lanes: [Lane<S>; LANES] = std::array::from_fn(|_| Lane {
            id: ids.next(),
            rng: Rng::stream(0, 0),
            set: first.clone(),
            known: known.clone(),
            given: vec![0; first.as_ref().len() * 64],
            plies: 0,
            values: zeros.map_or(Vec::new(), |zeros| zeros.values.clone()),
        });
        for lane in &mut lanes {
            lane.rng = Rng::stream(job.seed, lane.id.unwrap_or(0));
        }
        let mut tally = Tally::default();
        // Outcomes by number of plies: finding them in a list takes as long as a few plies.
        let mut outcomes: Vec<Option<(Scores, u64)>> = Vec::new();
        while lanes.iter().any(|lane| lane.id.is_some()) {
            for lane in &mut lanes {
                let Some(id) = lane.id else { continue };
                let Some(stands) = lane.ply(cpu, steps, zeros, cap) else { continue };
                let place = 2 * lane.plies + usize::from(stands == Stands::Solved);
                if let Some(Some((scores, count))) = outcomes.get_mut(place)
                    && stands != Stands::Capped
                {
                    *count += 1;
                    let (plies, ending) = (lane.plies as u32, Ending::Over(*scores));
                    tally.note(id, End { plies, ending });
                } else {
                    let given = &lane.given[..lane.plies];
                    let (end, always) = judge.end(stands, given, &mut lane.rng);
                    tally.record(id, end);
                    if let Ending::Over(scores) = end.ending
                        && always
                    {
                        outcomes.resize(outcomes.len().max(place + 1), None);
                        outcomes[place] = Some((scores, 0));
                    }
                }
                lane.id = ids.next();
                lane.rng = Rng::stream(job.seed, lane.id.unwrap_or(0));
                lane.set.clone_from(&first);
                lane.known.clone_from(known);
                lane.plies = 0;
                if let Some(zeros) = zeros {
                    lane.values.clone_from(&zeros.values);
                }
            }
        }
        for (scores, count) in outcomes.into_iter().flatten() {
            tally.count(scores, count);
        }
        tally
    }
}

impl<S: Candidates> Lane<S> {
    /// Makes one ply; says how the playout stands if it does not go on.
    #[inline(always)]
    fn ply(
        &mut self,
        cpu: impl Cpu,
        steps: &Steps,
        zeros: Option<&Zeros>,
        cap: usize,
    ) -> Option<Stands> {
        let Some(candidate) = draw(cpu, self.set.as_ref(), &mut self.rng) else {
            return Some(Stands::Stuck);
        };
        if self.plies == cap {
            return Some(Stands::Capped);
        }
        steps.give(&mut self.set, &mut self.known, candidate);
        self.given[self.plies] = candidate;
        self.plies += 1;
        if let Some(zeros) = zeros {
            let (value, site) = steps.candidate(candidate);
            self.values[usize::from(site)] = value;
            if zeros.are_solved(&self.values, &self.known.left) {
                return Some(Stands::Solved);
            }
        }
        None
    }
}

//! The playout of one of many positions that go on together: its chance, and the actions so far.

use crate::lockstep::LockstepJob;
use crate::rng::Rng;

/// A playout that goes on action by action, by codes, and can be written as numbers.
#[derive(Clone)]
pub(crate) struct RunningPlayout {
    pub(crate) rng: Rng,
    pub(crate) plies: u32,
    /// Id of the next playout.
    next: u64,
    /// The actions since it was begun, by code, and above 32 bits the number of draws before each.
    course: Vec<u64>,
    /// The number of draws since the last action.
    draws: u32,
}

/// What numbers say of a playout that was begun: its actions with the draws before each, and the
/// draws after them.
pub(crate) struct SavedPlayout<'s> {
    pub(crate) course: &'s [u64],
    pub(crate) draws: u64,
}

/// The code and the number of draws before it, of an entry of a course.
pub(crate) fn action_and_draws(entry: u64) -> (Option<i32>, u64) {
    ((entry as u32).try_into().ok(), entry >> 32)
}

impl RunningPlayout {
    /// The playout of the position of a number, which has yet to be begun.
    pub(crate) fn new(job: &LockstepJob, position: u64) -> RunningPlayout {
        let next = job.first.wrapping_add(position);
        let rng = Rng::stream(job.seed, next);
        RunningPlayout { rng, plies: 0, next, course: Vec::new(), draws: 0 }
    }

    /// Begins the next playout of the position.
    pub(crate) fn begin(&mut self, job: &LockstepJob) {
        self.rng = Rng::stream(job.seed, self.next);
        self.next = self.next.wrapping_add(job.stride);
        self.plies = 0;
        self.course.clear();
        self.draws = 0;
    }

    /// True if no action has been counted.
    pub(crate) fn is_new(&self) -> bool {
        self.plies == 0
    }

    /// Counts an action, by its code.
    #[inline]
    pub(crate) fn note(&mut self, code: u32) {
        self.course.push(u64::from(std::mem::take(&mut self.draws)) << 32 | u64::from(code));
        self.plies += 1;
    }

    /// Draws the place of one of so many actions; `None` where there is none.
    #[inline]
    pub(crate) fn draw(&mut self, legal: u32) -> Option<u32> {
        if legal == 0 {
            return None;
        }
        self.draws += 1;
        Some(self.rng.below(legal))
    }

    /// Draws again what was drawn so many times.
    pub(crate) fn draw_again(&mut self, legal: u32, draws: u64) -> Option<()> {
        (0..u32::try_from(draws).ok()?).try_for_each(|_| self.draw(legal).map(|_| ()))
    }

    /// Appends what [`RunningPlayout::resume`] has to know.
    pub(crate) fn save(&self, saved: &mut Vec<u64>) {
        saved.extend([self.next, self.draws.into(), self.course.len() as u64]);
        saved.extend(&self.course);
    }

    /// Takes over the id of what the first of some words say, and gives the playout, if it was
    /// begun, and the other words; `None` where they say nothing of this position.
    pub(crate) fn resume<'s>(
        &mut self,
        saved: &'s [u64],
        job: &LockstepJob,
    ) -> Option<(Option<SavedPlayout<'s>>, &'s [u64])> {
        let (&[next, draws, plies], saved) = saved.split_first_chunk()?;
        let (course, rest) = saved.split_at_checked(usize::try_from(plies).ok()?)?;
        // Of one that was never begun nothing is played; whether it was the ids say.
        let begun = next.wrapping_sub(job.first) / job.stride.max(1) > 0;
        self.next = if begun { next.wrapping_sub(job.stride) } else { next };
        if !begun {
            return course.is_empty().then_some((None, rest));
        }
        Some((Some(SavedPlayout { course, draws }), rest))
    }
}

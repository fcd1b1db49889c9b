//! Two playouts interleaved: a step of one, a step of the other, and whichever ends makes room for
//! the next.
//!
//! A ply is a chain of what waits for what, and the processor has room for another beside it. Each
//! playout has its own stream, so the results are those of one after the other.

use play::{End, Job, Rng};

use crate::rules::{Results, Rules};
use cpu::Cpu;

/// A game whose playouts can be left after a step and gone on with.
pub(crate) trait Resumable: Rules {
    /// A playout under way.
    type Run: Copy;

    /// The start of a playout.
    fn begin(&self) -> Self::Run;

    /// Plays on, for a ply or a few, and says how the playout ended if it did. Must be
    /// `#[inline(always)]`.
    fn step<C: Cpu>(&self, cpu: C, run: &mut Self::Run, rng: &mut Rng, cap: u32) -> Option<End>;

    /// Plays on to the end.
    #[inline(always)]
    fn finish<C: Cpu>(&self, cpu: C, mut run: Self::Run, rng: &mut Rng, cap: u32) -> End {
        loop {
            if let Some(end) = self.step(cpu, &mut run, rng, cap) {
                return end;
            }
        }
    }

    /// The implementation of [`Rules::play`] for such a game.
    #[inline(always)]
    fn in_flight<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        let mut ids = job.ids();
        let take_off =
            |id| RunningPlayout { id, rng: Rng::stream(job.seed, id), run: self.begin() };
        let (Some(one), Some(other)) = (ids.next(), ids.next()) else {
            for id in job.ids() {
                results.note(id, self.playout(cpu, &mut Rng::stream(job.seed, id), job.cap));
            }
            return;
        };
        let (mut one, mut other) = (take_off(one), take_off(other));
        let mut last = loop {
            if let Some(end) = self.step(cpu, &mut one.run, &mut one.rng, job.cap) {
                results.note(one.id, end);
                let Some(next) = ids.next() else { break other };
                one = take_off(next);
            }
            if let Some(end) = self.step(cpu, &mut other.run, &mut other.rng, job.cap) {
                results.note(other.id, end);
                let Some(next) = ids.next() else { break one };
                other = take_off(next);
            }
        };
        results.note(last.id, self.finish(cpu, last.run, &mut last.rng, job.cap));
    }
}

/// A playout under way, and its stream.
struct RunningPlayout<R> {
    id: u64,
    rng: Rng,
    run: R,
}

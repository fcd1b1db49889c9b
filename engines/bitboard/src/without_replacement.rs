//! Games in which a ply only ever takes plies away.

use play::{End, Job, Rng, Scores};

use crate::bits::Bits;
use crate::rules::{Results, capped, draw, over};
use crate::select::Select;
use cpu::Cpu;

/// A game for one whose plies are numbers: each excludes some, itself among them, and the others
/// stay legal. It ends when none is left, and the number of plies is all that counts.
pub(crate) trait WithoutReplacement<const W: usize> {
    /// The plies that are legal at the start.
    fn all(&self) -> Bits<W>;

    /// The plies that a ply excludes. Must be `#[inline(always)]`.
    fn excluded(&self, ply: u32) -> Bits<W>;

    /// The score for so many plies.
    fn score(&self, plies: u32) -> Scores;

    /// Plays on after so many plies, with these still legal; plies are counted from here.
    #[inline(always)]
    fn thin_on<C: Cpu>(&self, cpu: C, rng: &mut Rng, open: Bits<W>, made: u32, cap: u32) -> End {
        let cap = cap.saturating_add(made);
        let End { plies, ending } = self.finish(cpu, rng, open, made, cap);
        End { plies: plies - made, ending }
    }

    /// Plays a job, two playouts in step.
    #[inline(always)]
    fn thin_in_pairs<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        let mut ids = job.ids();
        while let Some(id) = ids.next() {
            let Some(other) = ids.next() else {
                let rng = &mut Rng::stream(job.seed, id);
                results.note(id, self.finish(cpu, rng, self.all(), 0, job.cap));
                return;
            };
            // Not by `map`, which would be compiled for the baseline.
            let mut rngs = [Rng::stream(job.seed, id), Rng::stream(job.seed, other)];
            let ends = self.thin_pair(cpu, &mut rngs, job.cap);
            results.note(id, ends[0]);
            results.note(other, ends[1]);
        }
    }

    /// Plays two playouts in step, so that neither waits for itself alone: a ply is a chain of
    /// count, draw, selection and table, in which every link needs the one before.
    #[inline(always)]
    fn thin_pair<C: Cpu>(&self, cpu: C, [a, b]: &mut [Rng; 2], cap: u32) -> [End; 2] {
        let (mut left, mut right) = (self.all(), self.all());
        let mut plies = 0;
        while !left.is_empty() && !right.is_empty() && plies < cap {
            plies += 1;
            left = self.after(cpu, a, left);
            right = self.after(cpu, b, right);
        }
        [self.finish(cpu, a, left, plies, cap), self.finish(cpu, b, right, plies, cap)]
    }

    /// The plies that are legal after a random ply.
    #[inline(always)]
    fn after<C: Cpu>(&self, cpu: C, rng: &mut Rng, open: Bits<W>) -> Bits<W> {
        let ply = open.select(cpu, draw(rng, open.len()));
        open.without(self.excluded(ply))
    }

    /// Plays on to the end.
    #[inline(always)]
    fn finish<C: Cpu>(
        &self,
        cpu: C,
        rng: &mut Rng,
        mut open: Bits<W>,
        mut plies: u32,
        cap: u32,
    ) -> End {
        while !open.is_empty() {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            open = self.after(cpu, rng, open);
        }
        over(plies, self.score(plies))
    }
}

//! The random streams of 64 playouts side by side.

use std::ops::Range;

use crate::job::Job;
use crate::rng::Rng;

/// Generators in 64 lanes, each with the stream that [`Rng`] would have: word by word, so that a
/// compiler turns a round of draws into vector instructions where a caller is compiled for them.
#[derive(Clone, Debug)]
pub struct Streams {
    s: [[u64; 64]; 4],
}

impl Default for Streams {
    /// Lanes that must be [set](Streams::set) before they are drawn from.
    fn default() -> Streams {
        Streams { s: [[1; 64]; 4] }
    }
}

impl Streams {
    /// Puts a generator into a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, rng: &Rng) {
        for (word, value) in self.s.iter_mut().zip(rng.s) {
            word[lane] = value;
        }
    }

    /// The generator of a lane.
    pub(crate) fn get(&self, lane: usize) -> Rng {
        Rng { s: self.s.map(|word| word[lane]) }
    }

    /// The streams of these playouts, see [`Rng::stream`].
    #[inline(always)]
    pub fn begin(seed: u64, ids: &[u64; 64]) -> Streams {
        let mut streams = Streams::default();
        for (lane, &id) in ids.iter().enumerate() {
            streams.set(lane, &Rng::stream(seed, id));
        }
        streams
    }

    /// Takes the lanes of some bits over from others.
    #[inline(always)]
    pub fn take(&mut self, others: &Streams, lanes: u64) {
        for (own, other) in self.s.iter_mut().zip(&others.s) {
            for (lane, (own, other)) in own.iter_mut().zip(other).enumerate() {
                *own ^= (*own ^ *other) & (lanes >> lane & 1).wrapping_neg();
            }
        }
    }

    /// For each lane whose bit is set in `draws`, what [`Rng::below`] says of the lane's bound,
    /// which must not be 0. Other lanes stay as they are, and what they get means nothing.
    #[inline(always)]
    pub fn below(&mut self, bounds: &[u32; 64], draws: u64) -> [u32; 64] {
        let mut drawn = [0; 64];
        let mut rest = [[0; 64]; 2];
        let mut near = 0;
        let [s0, s1, s2, s3] = &mut self.s;
        for lane in 0..64 {
            let (a, b, c, d) = (s0[lane], s1[lane], s2[lane], s3[lane]);
            let x = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            let (c1, d1) = (c ^ a, d ^ b);
            let draws = (draws >> lane & 1).wrapping_neg();
            let step = |old: u64, new: u64| old ^ ((old ^ new) & draws);
            s0[lane] = step(a, a ^ d1);
            s1[lane] = step(b, b ^ c1);
            s2[lane] = step(c, c1 ^ b << 17);
            s3[lane] = step(d, d1.rotate_left(45));
            // The product of 64 by 32 bits, the halves of `x` apart.
            let n = u64::from(bounds[lane]);
            let low = (x & 0xffff_ffff) * n;
            let high = (x >> 32) * n + (low >> 32);
            drawn[lane] = (high >> 32) as u32;
            rest[0][lane] = high as u32;
            rest[1][lane] = low as u32;
            near |= draws & u64::from(high as u32 == 0).wrapping_neg();
        }
        if near != 0 {
            self.redraw(bounds, draws, &rest, &mut drawn);
        }
        drawn
    }

    /// Draws again where the lower half of the product was too small, as [`Rng::below`] does. The
    /// half is given as two quarters, the upper one first.
    #[cold]
    fn redraw(
        &mut self,
        bounds: &[u32; 64],
        draws: u64,
        rest: &[[u32; 64]; 2],
        drawn: &mut [u32; 64],
    ) {
        for lane in (0..64).filter(|lane| draws >> lane & 1 == 1) {
            let n = u64::from(bounds[lane]);
            let half = u64::from(rest[0][lane]) << 32 | u64::from(rest[1][lane]);
            if half < n.wrapping_neg() % n {
                let mut rng = Rng { s: self.s.map(|word| word[lane]) };
                drawn[lane] = rng.below(bounds[lane]);
                self.set(lane, &rng);
            }
        }
    }
}

/// Streams that are made at a time.
const AHEAD: usize = 64;

/// The playouts of a job that have not begun, with their streams: many of these are made at a time,
/// which takes less than as many made one by one.
#[derive(Debug)]
pub struct Upcoming {
    ids: Range<u64>,
    seed: u64,
    /// The streams of the next playouts and of some before them, which have been taken.
    ready: [Rng; AHEAD],
    taken: usize,
}

impl Upcoming {
    /// All playouts of a job.
    pub fn new(job: &Job) -> Upcoming {
        let ready = std::array::from_fn(|_| Rng::stream(0, 0));
        Upcoming { ids: job.ids(), seed: job.seed, ready, taken: AHEAD }
    }

    /// The playout that begins next, and its stream, which goes into a lane of `streams`; none if
    /// all have begun.
    #[inline(always)]
    pub fn begin(&mut self, streams: &mut Streams, lane: usize) -> Option<u64> {
        let id = self.ids.next()?;
        if self.taken == AHEAD {
            for (after, stream) in (0..).zip(&mut self.ready) {
                *stream = Rng::stream(self.seed, id.wrapping_add(after));
            }
            self.taken = 0;
        }
        streams.set(lane, &self.ready[self.taken]);
        self.taken += 1;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_draw_what_their_streams_do() {
        let mut plain: Vec<Rng> = (0..64).map(|id| Rng::stream(9, id)).collect();
        let mut streams = Streams::default();
        for (lane, rng) in plain.iter().enumerate() {
            streams.set(lane, rng);
        }
        let mut choose = Rng::stream(10, 0);
        for round in 0..300 {
            let draws = if round % 3 == 0 { u64::MAX } else { choose.next_u64() };
            let bounds: [u32; 64] =
                std::array::from_fn(|_| 1 + (choose.next_u64() >> choose.below(32) >> 32) as u32);
            let drawn = streams.below(&bounds, draws);
            for lane in (0..64).filter(|lane| draws >> lane & 1 == 1) {
                assert_eq!(drawn[lane], plain[lane].below(bounds[lane]), "lane {lane}");
            }
        }
    }

    #[test]
    fn draws_that_would_be_biased_are_repeated() {
        // The first output of these states is 0, which no bound but powers of two may use.
        let mut plain: Vec<Rng> = (0..64).map(|i| Rng { s: [0, i + 1, 7, 0] }).collect();
        assert_eq!(plain[5].clone().next_u64(), 0);
        let mut streams = Streams::default();
        for (lane, rng) in plain.iter().enumerate() {
            streams.set(lane, rng);
        }
        let bounds: [u32; 64] = std::array::from_fn(|lane| 1 + lane as u32 % 7);
        for _ in 0..3 {
            let drawn = streams.below(&bounds, u64::MAX);
            for (lane, rng) in plain.iter_mut().enumerate() {
                assert_eq!(drawn[lane], rng.below(bounds[lane]), "lane {lane}");
            }
        }
    }
}

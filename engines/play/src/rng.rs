use crate::chance::Chance;
use crate::mix;

/// The one random generator of the whole project: xoshiro256++ (Blackman and Vigna 2019) with
/// Lemire's unbiased bounded draw (2019) on the full 64 bits.
///
/// Every playout id owns its stream, so results depend on the seed and the ids alone, never on
/// threads, lanes or batch sizes. The generator is named in every result, since the choice alone
/// moves playout rates by several per cent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    pub(crate) s: [u64; 4],
}

impl Rng {
    /// Name recorded with every measurement.
    pub const NAME: &'static str = "xoshiro256++/lemire64";

    /// The stream that belongs to playout `id` of a run seeded with `seed`.
    #[inline]
    pub fn stream(seed: u64, id: u64) -> Rng {
        // SplitMix64 from a start that depends on both; its outputs cannot all be zero.
        let mut x = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ mix(id ^ 0x6a09_e667_f3bc_c909);
        let mut next = || {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(x)
        };
        Rng { s: [next(), next(), next(), next()] }
    }

    /// A generator whose first number below `n` is this one, which is less: for whoever has chosen
    /// what a playout would draw.
    #[inline]
    pub fn that_draws(number: u32, n: u32) -> Rng {
        debug_assert!(number < n);
        // In the middle of the words that give it, where none is drawn again.
        let word = (((2 * u128::from(number) + 1) << 63) / u128::from(n.max(1))) as u64;
        // As the first word of the state is 0, what is drawn first is the last one.
        Rng { s: [0, 1, 0, word.rotate_right(23)] }
    }

    /// Words of its state.
    pub const WORDS: usize = 4;

    /// The generator whose state some words begin with.
    #[inline(always)]
    pub fn load(words: &[u64]) -> Rng {
        Rng { s: words.first_chunk().copied().unwrap_or_default() }
    }

    /// Writes its state into the first of some words.
    #[inline(always)]
    pub fn store(&self, words: &mut [u64]) {
        if let Some(first) = words.first_chunk_mut() {
            *first = self.s;
        }
    }

    /// 64 uniformly random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.s;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A uniformly random number in `0..n`. One call of [`Rng::next_u64`] except with probability
    /// below `n / 2^64`; so all engines that draw in the same order stay in step. `n` must not be
    /// 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let n = u64::from(n);
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u32
    }

    /// A uniformly random number in `0.0..1.0`, of 53 bits.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts items into a random order (Fisher and Yates, in the form of Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

impl Chance for Rng {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        Rng::below(self, n)
    }
}

/// Draws at random, and writes down what it drew.
#[derive(Clone, Debug)]
pub struct Drawn {
    rng: Rng,
    /// The outcomes, in the order in which they were asked for.
    pub outcomes: Vec<u32>,
}

impl Drawn {
    /// Draws from this generator.
    pub fn new(rng: Rng) -> Drawn {
        Drawn { rng, outcomes: Vec::new() }
    }
}

impl Chance for Drawn {
    fn below(&mut self, n: u32) -> u32 {
        let outcome = self.rng.below(n);
        self.outcomes.push(outcome);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_generator() {
        // First outputs of the reference implementation from the state 1, 2, 3, 4.
        let mut rng = Rng { s: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn what_is_to_be_drawn_can_be_chosen() {
        for n in [1, 2, 3, 7, 64, 2176, 1_000_003, u32::MAX] {
            for number in [0, 1, n / 3, n / 2, n - 1].map(|number| number.min(n - 1)) {
                assert_eq!(Rng::that_draws(number, n).below(n), number, "below {n}");
            }
        }
    }

    #[test]
    fn bounded_draws_are_uniform_and_streams_differ() {
        let mut counts = [0u32; 7];
        for id in 0..1000 {
            let mut rng = Rng::stream(42, id);
            for _ in 0..70 {
                counts[rng.below(7) as usize] += 1;
            }
        }
        // 70,000 draws: 10,000 a cell, standard deviation 93.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 500), "{counts:?}");
        assert_ne!(Rng::stream(1, 2), Rng::stream(2, 1));
    }
}

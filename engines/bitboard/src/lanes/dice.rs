//! Operations of lanes without branches and tables, so that a compiler turns them into vector
//! instructions.

use std::hint::cold_path;

use play::mix;

/// The generator of a playout in a lane, which draws what [`play::Rng`] would.
#[derive(Clone, Copy)]
pub(crate) struct Dice {
    /// The words of xoshiro256++.
    pub(crate) state: [u64; 4],
    /// True if a draw may have been one that [`play::Rng::below`] repeats.
    pub(crate) doubtful: bool,
}

impl Dice {
    /// The words of the stream [`play::Rng::stream`]`(seed, id)`.
    #[inline(always)]
    pub(crate) fn stream(seed: u64, id: u64) -> [u64; 4] {
        let mut x = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ mix(id ^ 0x6a09_e667_f3bc_c909);
        let mut next = || {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(x)
        };
        [next(), next(), next(), next()]
    }

    /// A number below `n`, which must be below 2^32. If `n` is 0, so is what is drawn.
    #[inline(always)]
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.below_if(true, n)
    }

    /// The same, or if not `draws` a number without meaning, for which nothing is taken from the
    /// stream.
    #[inline(always)]
    pub(crate) fn below_if(&mut self, draws: bool, n: u64) -> u64 {
        let [a, b, c, d] = self.state;
        let x = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c1, d1) = (c ^ a, d ^ b);
        let after = [a ^ d1, b ^ c1, c1 ^ b << 17, d1.rotate_left(45)];
        self.state = if draws { after } else { self.state };
        // The product of 64 by 32 bits, the halves of `x` apart: its upper word is drawn. A draw is
        // repeated only if the lower word is below `n`, and then the upper half of that is 0.
        let low = (x & 0xffff_ffff) * n;
        let high = (x >> 32) * n + (low >> 32);
        self.doubtful |= draws && high as u32 == 0;
        high >> 32
    }

    /// A number below two.
    #[inline(always)]
    pub(crate) fn coin(&mut self) -> u64 {
        self.next() >> 63
    }

    /// [`Dice::below`] for a lane by itself, where a branch is cheaper than half a product.
    #[inline(always)]
    pub(crate) fn below_alone(&mut self, n: u32) -> u32 {
        let product = u128::from(self.next()) * u128::from(n);
        if (product as u64) < u64::from(n) {
            cold_path();
            self.doubtful = true;
        }
        (product >> 64) as u32
    }

    /// The next word of the stream.
    #[inline(always)]
    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let (c1, d1) = (c ^ a, d ^ b);
        self.state = [a ^ d1, b ^ c1, c1 ^ b << 17, d1.rotate_left(45)];
        a.wrapping_add(d).rotate_left(23).wrapping_add(a)
    }
}

/// The `k`-th set bit of `word` alone, counted from 0 at the lowest, which must be there: by
/// bisection with bit counts.
#[inline(always)]
pub(crate) fn nth_bit(mut word: u64, mut k: u64) -> u64 {
    let mut at = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let below = u64::from((word & ((1 << width) - 1)).count_ones());
        let above = k >= below;
        word = if above { word >> width } else { word };
        k = if above { k - below } else { k };
        at = if above { at + width } else { at };
    }
    1 << at
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::Rng;

    #[test]
    fn lanes_draw_what_their_streams_do() {
        let mut choose = Rng::stream(10, 0);
        for id in 0..200 {
            let mut rng = Rng::stream(9, id);
            let mut dice = Dice { state: Dice::stream(9, id), doubtful: false };
            let mut alone = dice;
            for _ in 0..50 {
                let n = 1 + (choose.next_u64() >> choose.below(32) >> 32) as u32;
                let draws = choose.below(4) > 0;
                let drawn = dice.below_if(draws, n.into());
                if draws {
                    let expected = rng.below(n);
                    assert_eq!(drawn, u64::from(expected));
                    assert_eq!(alone.below_alone(n), expected);
                }
                if choose.below(4) == 0 {
                    let expected = u64::from(rng.below(2));
                    assert_eq!((dice.coin(), alone.coin()), (expected, expected));
                }
                assert_eq!(dice.below_if(false, 0), 0);
            }
            assert!(!dice.doubtful && !alone.doubtful);
        }
    }

    #[test]
    fn draws_that_might_be_repeated_are_doubtful() {
        // The first output of this state is 0, which no bound but powers of two may use.
        let state = [0, 1, 7, 0];
        let mut dice = Dice { state, doubtful: false };
        assert_eq!(dice.below_if(false, 3), 0);
        assert!(!dice.doubtful);
        let mut alone = dice;
        assert_eq!(dice.below(3), 0);
        assert!(dice.doubtful);
        assert_eq!(alone.below_alone(3), 0);
        assert!(alone.doubtful);
    }

    #[test]
    fn bits_are_found_by_their_number() {
        let mut rng = Rng::stream(3, 3);
        for round in 0..500 {
            let word = rng.next_u64() & if round % 2 == 0 { rng.next_u64() } else { !0 };
            let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
            for (k, bit) in bits.enumerate() {
                assert_eq!(nth_bit(word, k as u64), 1 << bit, "bit {k} of {word:x}");
            }
        }
    }
}

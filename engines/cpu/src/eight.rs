//! Eight words side by side, such as one for each direction.

use std::ops::{BitAnd, BitOr};

/// Eight words, which a level with vectors for it keeps in one.
pub trait Eight: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// The words.
    fn words(self) -> [u64; 8];

    /// The bits of each word that the other has not.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Each word rotated left by so many bits.
    #[must_use]
    fn turned(self, by: [u32; 8]) -> Self;

    /// With the first four words and the last four exchanged.
    #[must_use]
    fn exchanged(self) -> Self;

    /// The bits of any word.
    fn any(self) -> u64;

    /// The number of bits that are set in each word, sixteen bits each: those of four words, then
    /// of the others.
    fn counts(self) -> [u64; 2];
}

/// Eight words, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain(pub [u64; 8]);

impl Plain {
    #[inline(always)]
    fn with(self, other: Plain, operate: impl Fn(u64, u64) -> u64) -> Plain {
        Plain(std::array::from_fn(
            #[inline(always)]
            |i| operate(self.0[i], other.0[i]),
        ))
    }
}

impl BitAnd for Plain {
    type Output = Plain;

    #[inline(always)]
    fn bitand(self, other: Plain) -> Plain {
        self.with(other, |a, b| a & b)
    }
}

impl BitOr for Plain {
    type Output = Plain;

    #[inline(always)]
    fn bitor(self, other: Plain) -> Plain {
        self.with(other, |a, b| a | b)
    }
}

impl Eight for Plain {
    #[inline(always)]
    fn words(self) -> [u64; 8] {
        self.0
    }

    #[inline(always)]
    fn minus(self, other: Plain) -> Plain {
        self.with(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn turned(self, by: [u32; 8]) -> Plain {
        Plain(std::array::from_fn(
            #[inline(always)]
            |i| self.0[i].rotate_left(by[i]),
        ))
    }

    #[inline(always)]
    fn exchanged(self) -> Plain {
        let [a, b, c, d, e, f, g, h] = self.0;
        Plain([e, f, g, h, a, b, c, d])
    }

    #[inline(always)]
    fn any(self) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a | b) | (c | d)) | ((e | f) | (g | h))
    }

    #[inline(always)]
    fn counts(self) -> [u64; 2] {
        let [a, b, c, d, e, f, g, h] = self.0.map(
            #[inline(always)]
            |word| u64::from(word.count_ones()),
        );
        [a | b << 16 | c << 32 | d << 48, e | f << 16 | g << 32 | h << 48]
    }
}

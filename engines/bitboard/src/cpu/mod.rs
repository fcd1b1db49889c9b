//! The instructions that the processor offers, found at run time.
//!
//! The build is for the baseline of its architecture, which on x86-64 lacks even a bit count. Whole
//! jobs are therefore compiled once for each [`Level`], and a job picks its copy when it begins.
//! The results are the same on every level.

mod eight;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use eight::{Eight, Plain};
pub(crate) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Bmi2};

use crate::bits::Bits;

/// Instructions that hot loops ask for by name. Bit counts and the like need no name: the compiler
/// uses the best that the level around the loop has.
pub(crate) trait Cpu: Copy {
    /// Eight words side by side.
    type Eight: Eight;

    /// These eight words.
    fn eight(self, words: [u64; 8]) -> Self::Eight;

    /// The same word eight times.
    #[inline(always)]
    fn all(self, word: u64) -> Self::Eight {
        self.eight([word; 8])
    }

    /// The `k`-th set bit of `word` alone, counted from 0 at the lowest. It must be there:
    /// otherwise what comes back is not specified.
    fn nth_bit(self, word: u64, k: u32) -> u64;

    /// The `k`-th set bit of `word` alone, or 0 if there is none, for any `k`.
    fn nth_bit_if_any(self, word: u64, k: u32) -> u64;

    /// The index of the `k`-th set bit of `word`, which must be there.
    fn nth(self, word: u64, k: u32) -> u32;

    /// True if a set has `length` numbers, each greater than the one before by the same stride, for
    /// any of four strides. Strides times half the length must be below 64.
    fn has_run<const W: usize>(self, set: Bits<W>, length: u32, strides: [u32; 4]) -> bool;
}

/// Work that is compiled for each level. `run` and all that it calls in hot loops must be
/// `#[inline(always)]`: what stays a call of its own is compiled for the baseline.
pub(crate) trait Task {
    /// The result of the work.
    type Output;

    /// True if to compile it with vector instructions. They do not always pay: the compiler puts
    /// neighbouring scalars into vectors of its own accord, at a loss where those are soon needed
    /// one by one.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only x86-64 has a level with vectors")
    )]
    const VECTORS: bool;

    /// True if to compile it with AVX-512 where there is that.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only x86-64 has a level with vectors")
    )]
    const WIDE: bool = false;

    /// Does it.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A set of instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The instructions that every machine of the architecture has.
    Portable,
    /// x86-64 with BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Bmi2(Bmi2),
    /// AVX2 in addition, for the games that gain by it.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 in addition, for playouts side by side.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Level {
    /// All levels of this machine, the plainest first.
    pub fn available() -> Vec<Level> {
        #[cfg(target_arch = "x86_64")]
        let found = [
            Bmi2::detect().map(Level::Bmi2),
            Avx2::detect().map(Level::Avx2),
            Avx512::detect().map(Level::Avx512),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let found = [None; 0];
        std::iter::once(Level::Portable).chain(found.into_iter().flatten()).collect()
    }

    /// The best level of this machine.
    pub fn best() -> Level {
        Level::available().pop().unwrap_or(Level::Portable)
    }

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Bmi2(_) => "bmi2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "avx512",
        }
    }

    /// True if it is worth while to play many playouts side by side: with fewer lanes, and without
    /// an instruction that counts the bits of each, one at a time is about as quick.
    pub(crate) fn is_wide(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => true,
            _ => false,
        }
    }

    /// Does a task with these instructions.
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Level::Portable => task.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Level::Bmi2(cpu) => cpu.run(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(cpu) if T::VECTORS => cpu.run(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(cpu) => cpu.bmi2().run(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(cpu) if T::WIDE => cpu.run(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(cpu) => Level::Avx2(cpu.avx2()).run(task),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::Rng;

    /// Tries every operation on random words and compares with the plainest way to say it.
    struct Operations;

    impl Task for Operations {
        type Output = u64;

        const VECTORS: bool = true;
        const WIDE: bool = true;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> u64 {
            let mut rng = Rng::stream(7, 7);
            let mut checked = 0;
            for round in 0..2000 {
                let word = match round % 3 {
                    0 => rng.next_u64(),
                    1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                    _ => rng.next_u64() | rng.next_u64() | rng.next_u64(),
                };
                let bits: Vec<u32> = (0..64).filter(|i| word >> i & 1 == 1).collect();
                for (k, &bit) in (0..).zip(&bits) {
                    assert_eq!(cpu.nth(word, k), bit, "bit {k} of {word:x}");
                    assert_eq!(cpu.nth_bit(word, k), 1 << bit, "bit {k} of {word:x}");
                    assert_eq!(cpu.nth_bit_if_any(word, k), 1 << bit, "bit {k} of {word:x}");
                }
                for k in [bits.len() as u32, 64, 127, u32::MAX] {
                    assert_eq!(cpu.nth_bit_if_any(word, k), 0, "bit {k} of {word:x}");
                }
                checked += runs::<C, 1>(cpu, &mut rng) + runs::<C, 2>(cpu, &mut rng);
                eights(cpu, &mut rng);
            }
            checked
        }
    }

    fn runs<C: Cpu, const W: usize>(cpu: C, rng: &mut Rng) -> u64 {
        let mut set = Bits::<W>::EMPTY;
        for _ in 0..rng.below(48) {
            set |= Bits::single(rng.below(Bits::<W>::ROOM as u32));
        }
        let length = 2 + rng.below(5);
        let strides = [1, 9, 10, 11];
        let last = |start, stride| start + (length - 1) * stride;
        let expected = strides.iter().any(|&stride| {
            (0..Bits::<W>::ROOM as u32).any(|start| {
                last(start, stride) < Bits::<W>::ROOM as u32
                    && (0..length).all(|i| set.contains(start + i * stride))
            })
        });
        assert_eq!(cpu.has_run(set, length, strides), expected, "{set:?} {length}");
        u64::from(expected)
    }

    fn eights<C: Cpu>(cpu: C, rng: &mut Rng) {
        let mut random =
            || -> [u64; 8] { std::array::from_fn(|_| rng.next_u64() & rng.next_u64()) };
        let (a, b) = (random(), random());
        let (own, other) = (cpu.eight(a), cpu.eight(b));
        let each = |f: &dyn Fn(usize) -> u64| -> [u64; 8] { std::array::from_fn(f) };
        assert_eq!(own.words(), a);
        assert_eq!(cpu.all(a[3]).words(), [a[3]; 8]);
        assert_eq!((own & other).words(), each(&|i| a[i] & b[i]));
        assert_eq!((own | other).words(), each(&|i| a[i] | b[i]));
        assert_eq!(own.minus(other).words(), each(&|i| a[i] & !b[i]));
        let by = [1, 9, 8, 7, 63, 55, 56, 57];
        assert_eq!(own.turned(by).words(), each(&|i| a[i].rotate_left(by[i])));
        assert_eq!(own.exchanged().words(), each(&|i| a[(i + 4) % 8]));
        assert_eq!(own.any(), a.iter().fold(0, |any, word| any | word));
        let counts = each(&|i| u64::from(own.counts()[i / 4].to_le_bytes()[i % 4 * 2]));
        assert_eq!(counts, each(&|i| a[i].count_ones().into()));
    }

    #[test]
    fn operations_are_the_same_on_every_level() {
        let counts: Vec<u64> =
            Level::available().into_iter().map(|level| level.run(Operations)).collect();
        assert!(counts.iter().all(|&n| n == counts[0] && n > 500), "{counts:?}");
    }

    #[test]
    fn levels_have_names_of_their_own() {
        let names: Vec<&str> = Level::available().into_iter().map(Level::name).collect();
        assert_eq!(names[0], "portable");
        assert_eq!(names.last(), Some(&Level::best().name()));
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

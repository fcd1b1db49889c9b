#![doc = include_str!("../README.md")]

mod eight;
#[cfg(target_arch = "x86_64")]
mod x86;

use sites::SiteSet;

pub use eight::{Eight, Plain};

/// Sets of instructions that code may be compiled for, each with all before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Instructions {
    /// Those that every machine of the architecture has.
    Portable,
    /// BMI1, BMI2, LZCNT and POPCNT.
    Bmi2,
    /// AVX2.
    Avx2,
    /// AVX-512: F, BW, DQ and VL.
    Avx512,
    /// VPOPCNTDQ, which counts the bits of eight words at once.
    Avx512Popcnt,
}

/// Instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(Instructions);

impl Level {
    /// The baseline of any architecture.
    pub const PORTABLE: Level = Level(Instructions::Portable);

    /// The best level of this machine.
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        return Level(x86::detect());
        #[cfg(not(target_arch = "x86_64"))]
        Level::PORTABLE
    }

    /// All levels of this machine, the plainest first.
    pub fn available() -> impl Iterator<Item = Level> {
        use Instructions::{Avx2, Avx512, Avx512Popcnt, Bmi2, Portable};

        let best = Level::best();
        let all = [Portable, Bmi2, Avx2, Avx512, Avx512Popcnt].map(Level);
        all.into_iter().filter(move |level| *level <= best)
    }

    /// True if it has these instructions.
    pub fn has(self, instructions: Instructions) -> bool {
        self.0 >= instructions
    }

    /// Does a task in the copy that is compiled for the most of these instructions.
    pub fn call<T: Task>(self, task: T) -> T::Output {
        self.try_call(task).unwrap_or_else(|task| Portable.call(task))
    }

    /// As [`Level::call`], but gives the task back if it is compiled for none of these instructions
    /// but the baseline.
    pub fn try_call<T: Task>(self, task: T) -> Result<T::Output, T> {
        #[cfg(target_arch = "x86_64")]
        {
            use Instructions::{Avx2, Avx512, Avx512Popcnt, Bmi2};

            // Copies are made only for the levels whose conditions are constants that hold.
            if const { lists::<T>(Avx512Popcnt) }
                && let Some(cpu) = x86::Avx512Popcnt::of(self)
            {
                return Ok(cpu.call(task));
            }
            if const { lists::<T>(Avx512) }
                && let Some(cpu) = x86::Avx512::of(self)
            {
                return Ok(cpu.call(task));
            }
            if const { lists::<T>(Avx2) }
                && let Some(cpu) = x86::Avx2::of(self)
            {
                return Ok(cpu.call(task));
            }
            if const { lists::<T>(Bmi2) }
                && let Some(cpu) = x86::Bmi2::of(self)
            {
                return Ok(cpu.call(task));
            }
        }
        Err(task)
    }
}

/// Work that is compiled for some levels. `run` and all that it calls in hot loops must be
/// `#[inline(always)]` or tasks of their own: what stays a plain call is compiled for the baseline.
pub trait Task {
    /// The result of the work.
    type Output;

    /// The instructions that it is compiled for, beside the baseline. Vectors do not always pay:
    /// the compiler puts neighbouring scalars into vectors of its own accord, at a loss where those
    /// are soon needed one by one.
    const COMPILED_FOR: &'static [Instructions] = &[Instructions::Avx2, Instructions::Avx512];

    /// Does it.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// True if a task is compiled for these instructions.
#[cfg(target_arch = "x86_64")]
const fn lists<T: Task>(instructions: Instructions) -> bool {
    let mut at = 0;
    while at < T::COMPILED_FOR.len() {
        if T::COMPILED_FOR[at] as u8 == instructions as u8 {
            return true;
        }
        at += 1;
    }
    false
}

/// A byte for each of 64 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Bytes(pub [u8; 64]);

/// Counters that are changed together.
pub const ROW: usize = 32;

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Instructions that hot loops ask for by name. Bit counts and the like need no name: the compiler
/// uses the best that the level around the loop has.
pub trait Cpu: Copy {
    /// Words of the vectors that bits of many playouts have best.
    const WORDS: usize = 1;

    /// Eight words side by side.
    type Eight: Eight;

    /// Does a task in code that is compiled with these instructions.
    fn call<T: Task>(self, task: T) -> T::Output;

    /// These eight words.
    fn eight(self, words: [u64; 8]) -> Self::Eight;

    /// The same word eight times.
    #[inline(always)]
    fn all(self, word: u64) -> Self::Eight {
        self.eight([word; 8])
    }

    /// The `k`-th set bit of `word` alone, counted from 0 at the lowest. It must be there:
    /// otherwise what comes back is not specified.
    #[inline(always)]
    fn nth_bit(self, word: u64, k: u32) -> u64 {
        1 << self.nth(word, k)
    }

    /// The `k`-th set bit of `word` alone, or 0 if there is none, for any `k`.
    #[inline(always)]
    fn nth_bit_if_any(self, word: u64, k: u32) -> u64 {
        u64::from(k < word.count_ones()) << self.nth(word, k)
    }

    /// The index of the `k`-th set bit of `word`, which must be there.
    #[inline(always)]
    fn nth(self, word: u64, k: u32) -> u32 {
        sites::select(word, k)
    }

    /// True if a set has `length` numbers, each greater than the one before by the same stride, for
    /// any of four strides. Strides times half the length must be below 64.
    ///
    /// By doubling: the starts of runs of a, kept where a run of b starts right behind, are the
    /// starts of runs of a + b (the test of J. Tromp's Fhourstones for four in a row).
    #[inline(always)]
    fn has_run<const W: usize>(self, words: [u64; W], length: u32, strides: [u32; 4]) -> bool {
        let set = SiteSet::<W, u32>::from_words(words);
        let mut all = SiteSet::EMPTY;
        for stride in strides {
            let (mut runs, mut reached) = (set, 1);
            while reached < length {
                let more = reached.min(length - reached);
                runs &= runs.down(stride * more);
                reached += more;
            }
            all |= runs;
        }
        !all.is_empty()
    }

    /// For each bit a byte of eight such bits.
    ///
    /// Eight bits at a time: copied to eight bytes, each of which keeps one.
    #[inline(always)]
    fn spread(self, word: u64) -> Bytes {
        let mut bytes = Bytes([0; 64]);
        for (bytes, bits) in bytes.0.as_chunks_mut::<8>().0.iter_mut().zip(word.to_le_bytes()) {
            let kept = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
            let tops = (((kept & (ONES * 0x7f)) + ONES * 0x7f) | kept) & (ONES << 7);
            *bytes = ((tops >> 7) * 0xff).to_le_bytes();
        }
        bytes
    }

    /// The bit with this number of each byte.
    ///
    /// Eight bytes at a time: a product moves the lowest bit of each byte to its place in the top
    /// byte.
    #[inline(always)]
    fn gather(self, bytes: &Bytes, bit: u32) -> u64 {
        let mut word = 0;
        for (at, bytes) in bytes.0.as_chunks::<8>().0.iter().enumerate() {
            let lowest = (u64::from_le_bytes(*bytes) >> bit) & ONES;
            word |= lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * at);
        }
        word
    }

    /// Adds the steps to the counters, or takes them away if `negated`. Returns a bit for each
    /// counter that has changed its sign.
    #[inline(always)]
    fn shift(self, counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
        let mut crossed = 0;
        // All ones to negate.
        let sign = -i16::from(negated);
        for (at, (counter, step)) in counters.iter_mut().zip(steps).enumerate() {
            let new = counter.wrapping_add((step ^ sign) - sign);
            crossed |= u32::from((*counter ^ new) as u16 >> 15) << at;
            *counter = new;
        }
        crossed
    }
}

/// The baseline of any architecture.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    type Eight = Plain;

    // One copy of each task, as on the other levels, however often it is called.
    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn eight(self, words: [u64; 8]) -> Plain {
        Plain(words)
    }
}

/// The address of a function of a word and a number below 64 for code that is made at run time: by
/// the C convention, it gives the index of the set bit of the word with that rank, which must be
/// there.
pub fn select_address() -> usize {
    #[cfg(target_arch = "x86_64")]
    if x86::Bmi2::of(Level::best()).is_some() {
        return x86::select as *const () as usize;
    }
    extern "C" fn select(word: u64, rank: u32) -> u32 {
        sites::select(word, rank)
    }
    select as *const () as usize
}

#[cfg(test)]
mod tests;

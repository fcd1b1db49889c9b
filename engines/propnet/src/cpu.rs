//! The instructions that the processor offers, found at run time.
//!
//! The build is for the baseline of its architecture. Hot loops are therefore written once, as a
//! [`Task`] over any [`Cpu`], and compiled for each [`Level`]; a run picks its copy when it begins.
//! The results are the same on every level.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

use crate::vector::Vector;

/// A byte for each of 64 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Bytes(pub(crate) [u8; 64]);

/// Counters that are changed together.
pub(crate) const ROW: usize = 32;

/// A set of instructions.
pub(crate) trait Cpu: Copy {
    /// The lanes that a run of many playouts has best.
    type Wide: Vector;

    /// Twice as many, for what is small enough that its values stay near: what to compute is then
    /// looked up half as often.
    type Double: Vector;

    /// Does a task in code that is compiled with these instructions.
    fn call<T: Task>(self, task: T) -> T::Output;

    /// For each bit a byte of eight such bits.
    fn spread(self, word: u64) -> Bytes;

    /// The bit with this number of each byte.
    fn gather(self, bytes: &Bytes, bit: u32) -> u64;

    /// The place of the set bit with this number, counted from the lowest. There must be so many.
    fn nth(self, word: u64, number: u32) -> u32;

    /// Adds the steps to the counters, or takes them away if `negated`. Returns a bit for each
    /// counter that has changed its sign.
    fn shift(self, counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32;
}

/// Work that is compiled for each level. `run` and all that it calls in hot loops must be
/// `#[inline(always)]` or tasks of their own: what stays a plain call is compiled for the baseline.
pub(crate) trait Task {
    /// The result of the work.
    type Output;

    /// Does it.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A set of instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The instructions that every machine of the architecture has.
    Portable,
    /// x86-64 with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with AVX-512 (F, BW, DQ and VL).
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Level {
    /// All levels of this machine, the plainest first.
    pub fn available() -> Vec<Level> {
        #[cfg(target_arch = "x86_64")]
        let found = [Avx2::detect().map(Level::Avx2), Avx512::detect().map(Level::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let found = [None; 0];
        std::iter::once(Level::Portable).chain(found.into_iter().flatten()).collect()
    }

    /// The best level of this machine.
    pub fn best() -> Level {
        Level::available().pop().unwrap_or(Level::Portable)
    }

    /// Does a task on doubled lanes, or gives it back where they do not pay: elsewhere it is not
    /// compiled.
    pub(crate) fn call_doubled<T: Task>(self, task: T) -> Result<T::Output, T> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(cpu) => Ok(cpu.call(task)),
            _ => Err(task),
        }
    }

    /// Does a task with these instructions.
    pub(crate) fn call<T: Task>(self, task: T) -> T::Output {
        match self {
            Level::Portable => Portable.call(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(cpu) => cpu.call(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(cpu) => cpu.call(task),
        }
    }
}

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::*;

    struct NthAndShift;

    impl Task for NthAndShift {
        type Output = Vec<i16>;

        fn run<C: Cpu>(self, cpu: C) -> Vec<i16> {
            let mut rng = Rng::stream(4, 4);
            let mut counters = [0i16; ROW];
            for round in 0..500 {
                let word = rng.next_u64() & rng.next_u64();
                let set = (0..64).filter(|bit| word >> bit & 1 == 1);
                for (number, bit) in (0..).zip(set) {
                    assert_eq!(cpu.nth(word, number), bit);
                }
                let steps: [i16; ROW] = std::array::from_fn(|_| rng.below(9) as i16 - 4);
                let before = counters;
                let crossed = cpu.shift(&mut counters, &steps, round % 2 == 1);
                for (at, (old, new)) in before.into_iter().zip(counters).enumerate() {
                    let sign = if round % 2 == 1 { -1 } else { 1 };
                    assert_eq!(new, old + sign * steps[at]);
                    assert_eq!(crossed >> at & 1 == 1, (old < 0) != (new < 0));
                }
            }
            counters.to_vec()
        }
    }

    #[test]
    fn bits_are_found_and_counters_change_alike_on_every_level() {
        let all: Vec<Vec<i16>> =
            Level::available().into_iter().map(|level| level.call(NthAndShift)).collect();
        assert!(all.iter().all(|counters| *counters == all[0]));
    }

    struct SpreadAndGather;

    impl Task for SpreadAndGather {
        type Output = u64;

        fn run<C: Cpu>(self, cpu: C) -> u64 {
            let mut rng = Rng::stream(3, 3);
            let mut sum = 0u64;
            for _ in 0..500 {
                let word = rng.next_u64() & rng.next_u64();
                let bytes = cpu.spread(word);
                for (lane, &byte) in bytes.0.iter().enumerate() {
                    assert_eq!(byte, if word >> lane & 1 == 1 { 255 } else { 0 });
                }
                let bytes = Bytes(std::array::from_fn(|_| rng.next_u64() as u8));
                for bit in 0..8 {
                    let gathered = cpu.gather(&bytes, bit);
                    for (lane, &byte) in bytes.0.iter().enumerate() {
                        assert_eq!(gathered >> lane & 1, u64::from(byte >> bit & 1));
                    }
                    sum = sum.wrapping_add(gathered);
                }
            }
            sum
        }
    }

    #[test]
    fn bits_become_bytes_and_back_on_every_level() {
        let sums: Vec<u64> =
            Level::available().into_iter().map(|level| level.call(SpreadAndGather)).collect();
        assert!(sums.iter().all(|&sum| sum == sums[0] && sum != 0));
    }
}

//! The only module with `unsafe`: calls into code that is compiled for more than the baseline, each
//! guarded by a value that exists only where the instructions were detected.
#![expect(unsafe_code, reason = "calls code compiled for instructions that were detected")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi128_si64, _mm_extract_epi64, _mm256_and_si256, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_testz_si256, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_cvtepi64_epi16, _mm512_or_si512, _mm512_popcnt_epi64, _mm512_reduce_or_epi64,
    _mm512_rolv_epi64, _mm512_set_epi64, _mm512_shuffle_i64x2, _mm512_storeu_si512, _pdep_u64,
};
use std::ops::{BitAnd, BitOr};

use play::Instructions;

use super::{Cpu, Eight, Plain, Portable, Task};
use crate::bits::Bits;

/// Proof that this machine has BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bmi2(());

impl Bmi2 {
    /// Looks for them.
    pub fn detect() -> Option<Bmi2> {
        (Instructions::detect() >= Instructions::Bmi2).then_some(Bmi2(()))
    }

    /// Does a task with these instructions.
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(cpu: Bmi2, task: T) -> T::Output {
            task.run(cpu)
        }
        // SAFETY: a `Bmi2` exists only where these features were detected.
        unsafe { compiled(self, task) }
    }
}

impl Cpu for Bmi2 {
    type Eight = Plain;

    #[inline(always)]
    fn eight(self, words: [u64; 8]) -> Plain {
        Plain(words)
    }

    /// Deposits one bit in the mask (Pandey, Bender and Johnson, "A fast x86 implementation of
    /// select", 2017).
    #[inline(always)]
    fn nth_bit(self, word: u64, k: u32) -> u64 {
        // SAFETY: a `Bmi2` exists only where BMI2 was detected.
        unsafe { _pdep_u64(1 << (k % 64), word) }
    }

    #[inline(always)]
    fn nth_bit_if_any(self, word: u64, k: u32) -> u64 {
        // SAFETY: a `Bmi2` exists only where BMI2 was detected.
        unsafe { _pdep_u64(u64::from(k < 64) << (k % 64), word) }
    }

    #[inline(always)]
    fn nth(self, word: u64, k: u32) -> u32 {
        self.nth_bit(word, k).trailing_zeros()
    }

    #[inline(always)]
    fn has_run<const W: usize>(self, set: Bits<W>, length: u32, strides: [u32; 4]) -> bool {
        Portable.has_run(set, length, strides)
    }
}

/// Proof that this machine has AVX2 and all of [`Bmi2`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(Bmi2);

impl Avx2 {
    /// Looks for them.
    pub fn detect() -> Option<Avx2> {
        (Instructions::detect() >= Instructions::Avx2).then_some(Avx2(Bmi2(())))
    }

    /// The instructions without vectors.
    pub(super) fn bmi2(self) -> Bmi2 {
        self.0
    }

    /// Does a task with these instructions.
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(cpu: Avx2, task: T) -> T::Output {
            task.run(cpu)
        }
        // SAFETY: an `Avx2` exists only where these features were detected.
        unsafe { compiled(self, task) }
    }
}

/// Proof that this machine has AVX-512 (F, BW, DQ, VL and VPOPCNTDQ) and all of [`Avx2`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// Looks for them.
    pub fn detect() -> Option<Avx512> {
        let all = Instructions::detect() >= Instructions::Avx512
            && is_x86_feature_detected!("avx512vpopcntdq");
        all.then_some(Avx512(Avx2(Bmi2(()))))
    }

    /// The instructions of the level below.
    pub(super) fn avx2(self) -> Avx2 {
        self.0
    }

    /// Does a task with these instructions.
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(cpu: Avx512, task: T) -> T::Output {
            task.run(cpu)
        }
        // SAFETY: an `Avx512` exists only where these features were detected.
        unsafe { compiled(self, task) }
    }
}

impl Cpu for Avx2 {
    type Eight = Plain;

    #[inline(always)]
    fn eight(self, words: [u64; 8]) -> Plain {
        Plain(words)
    }

    #[inline(always)]
    fn nth_bit(self, word: u64, k: u32) -> u64 {
        self.0.nth_bit(word, k)
    }

    #[inline(always)]
    fn nth_bit_if_any(self, word: u64, k: u32) -> u64 {
        self.0.nth_bit_if_any(word, k)
    }

    #[inline(always)]
    fn nth(self, word: u64, k: u32) -> u32 {
        self.0.nth(word, k)
    }

    #[inline(always)]
    fn has_run<const W: usize>(self, set: Bits<W>, length: u32, strides: [u32; 4]) -> bool {
        // SAFETY: an `Avx2` exists only where AVX2 was detected.
        unsafe { has_run_in_lanes(set.words, length, strides) }
    }
}

impl Cpu for Avx512 {
    type Eight = Wide;

    #[inline(always)]
    fn eight(self, [a, b, c, d, e, f, g, h]: [u64; 8]) -> Wide {
        let [a, b, c, d] = [a, b, c, d].map(u64::cast_signed);
        let [e, f, g, h] = [e, f, g, h].map(u64::cast_signed);
        // SAFETY: an `Avx512` exists only where AVX-512 was detected.
        Wide(unsafe { _mm512_set_epi64(h, g, f, e, d, c, b, a) })
    }

    #[inline(always)]
    fn nth_bit(self, word: u64, k: u32) -> u64 {
        self.0.nth_bit(word, k)
    }

    #[inline(always)]
    fn nth_bit_if_any(self, word: u64, k: u32) -> u64 {
        self.0.nth_bit_if_any(word, k)
    }

    #[inline(always)]
    fn nth(self, word: u64, k: u32) -> u32 {
        self.0.nth(word, k)
    }

    #[inline(always)]
    fn has_run<const W: usize>(self, set: Bits<W>, length: u32, strides: [u32; 4]) -> bool {
        self.0.has_run(set, length, strides)
    }
}

/// Eight words in one vector, which only an [`Avx512`] makes.
#[derive(Clone, Copy)]
pub(crate) struct Wide(__m512i);

impl BitAnd for Wide {
    type Output = Wide;

    #[inline(always)]
    fn bitand(self, other: Wide) -> Wide {
        // SAFETY: a `Wide` exists only where AVX-512 was detected.
        Wide(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline(always)]
    fn bitor(self, other: Wide) -> Wide {
        // SAFETY: a `Wide` exists only where AVX-512 was detected.
        Wide(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl Eight for Wide {
    #[inline(always)]
    fn words(self) -> [u64; 8] {
        let mut words = [0; 8];
        // SAFETY: a `Wide` exists only where AVX-512 was detected, and it is as large as eight
        // words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) };
        words
    }

    #[inline(always)]
    fn minus(self, other: Wide) -> Wide {
        // SAFETY: a `Wide` exists only where AVX-512 was detected.
        Wide(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn turned(self, by: [u32; 8]) -> Wide {
        let [a, b, c, d, e, f, g, h] = by.map(i64::from);
        // SAFETY: a `Wide` exists only where AVX-512 was detected.
        Wide(unsafe { _mm512_rolv_epi64(self.0, _mm512_set_epi64(h, g, f, e, d, c, b, a)) })
    }

    #[inline(always)]
    fn exchanged(self) -> Wide {
        // SAFETY: a `Wide` exists only where AVX-512 was detected.
        Wide(unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0) })
    }

    #[inline(always)]
    fn any(self) -> u64 {
        // SAFETY: a `Wide` exists only where AVX-512 was detected.
        unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
    }

    #[inline(always)]
    fn counts(self) -> [u64; 2] {
        // SAFETY: a `Wide` exists only where AVX-512 and its bit count were detected.
        unsafe {
            let counts = _mm512_cvtepi64_epi16(_mm512_popcnt_epi64(self.0));
            [_mm_cvtsi128_si64(counts) as u64, _mm_extract_epi64::<1>(counts) as u64]
        }
    }
}

/// The doubling of [`Portable`] with the four strides in the four lanes of a vector, one vector for
/// each word of the set.
#[inline]
#[target_feature(enable = "avx2")]
fn has_run_in_lanes<const W: usize>(words: [u64; W], length: u32, strides: [u32; 4]) -> bool {
    let [a, b, c, d] = strides.map(i64::from);
    let mut runs = words.map(|word| _mm256_set1_epi64x(word as i64));
    let mut reached = 1;
    while reached < length {
        let more = reached.min(length - reached);
        let by = i64::from(more);
        let shift = _mm256_set_epi64x(a * by, b * by, c * by, d * by);
        let rest = _mm256_set_epi64x(64 - a * by, 64 - b * by, 64 - c * by, 64 - d * by);
        for w in 0..W {
            let mut behind = _mm256_srlv_epi64(runs[w], shift);
            if w + 1 < W {
                behind = _mm256_or_si256(behind, _mm256_sllv_epi64(runs[w + 1], rest));
            }
            runs[w] = _mm256_and_si256(runs[w], behind);
        }
        reached += more;
    }
    let any: __m256i =
        runs.into_iter().fold(_mm256_setzero_si256(), |any, lane| _mm256_or_si256(any, lane));
    _mm256_testz_si256(any, any) == 0
}

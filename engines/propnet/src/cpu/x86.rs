//! The only module with `unsafe`: calls into code that is compiled for more than the baseline, each
//! guarded by a value that exists only where the instructions were detected.
#![expect(unsafe_code, reason = "calls code compiled for instructions that were detected")]

use std::arch::x86_64::{
    _mm_cvtsi32_si128, _mm256_add_epi16, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_packs_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_shuffle_epi8,
    _mm256_sll_epi64, _mm256_storeu_si256, _mm256_sub_epi16, _mm256_xor_si256, _mm512_add_epi16,
    _mm512_loadu_si512, _mm512_movepi16_mask, _mm512_movm_epi8, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_storeu_si512, _mm512_sub_epi16, _mm512_test_epi8_mask,
    _mm512_xor_si512, _pdep_u64,
};

use play::Instructions;

use super::{Bytes, Cpu, ROW, Task};
use crate::vector::{Lanes256, Lanes512, Lanes1024};

/// Proof that this machine has AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// Looks for it.
    pub fn detect() -> Option<Avx2> {
        (Instructions::detect() >= Instructions::Avx2).then_some(Avx2(()))
    }
}

impl Cpu for Avx2 {
    type Wide = Lanes256;
    type Double = Lanes512;

    #[inline(always)]
    fn call<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(cpu: Avx2, task: T) -> T::Output {
            task.run(cpu)
        }
        // SAFETY: an `Avx2` exists only where these features were detected.
        unsafe { compiled(self, task) }
    }

    #[inline(always)]
    fn spread(self, word: u64) -> Bytes {
        // SAFETY: an `Avx2` exists only where AVX2 was detected.
        unsafe { spread_avx2(word) }
    }

    #[inline(always)]
    fn gather(self, bytes: &Bytes, bit: u32) -> u64 {
        // SAFETY: an `Avx2` exists only where AVX2 was detected.
        unsafe { gather_avx2(bytes, bit) }
    }

    #[inline(always)]
    fn nth(self, word: u64, number: u32) -> u32 {
        // SAFETY: an `Avx2` exists only where BMI2 was detected.
        unsafe { nth_bmi2(word, number) }
    }

    #[inline(always)]
    fn shift(self, counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
        // SAFETY: an `Avx2` exists only where AVX2 was detected.
        unsafe { shift_avx2(counters, steps, negated) }
    }
}

/// Each byte gets the byte that holds its bit, and keeps that bit.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_avx2(word: u64) -> Bytes {
    const EIGHT: i64 = 0x0101_0101_0101_0101;
    let mut bytes = Bytes([0; 64]);
    let places = _mm256_setr_epi64x(0, EIGHT, 2 * EIGHT, 3 * EIGHT);
    let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    for half in 0..2 {
        let bits = _mm256_set1_epi32((word >> (32 * half)) as i32);
        let kept = _mm256_and_si256(_mm256_shuffle_epi8(bits, places), own);
        let all = _mm256_cmpeq_epi8(kept, own);
        // SAFETY: the destination is one half of 64 bytes.
        unsafe { _mm256_storeu_si256(bytes.0.as_mut_ptr().add(32 * half).cast(), all) };
    }
    bytes
}

/// Moves the bit to the top of each byte, which is where a mask is made of.
#[inline]
#[target_feature(enable = "avx2")]
fn gather_avx2(bytes: &Bytes, bit: u32) -> u64 {
    let shift = _mm_cvtsi32_si128(7 - bit as i32);
    let half = |half: usize| {
        // SAFETY: the source is one half of 64 bytes.
        let bytes = unsafe { _mm256_loadu_si256(bytes.0.as_ptr().add(32 * half).cast()) };
        u64::from(_mm256_movemask_epi8(_mm256_sll_epi64(bytes, shift)) as u32)
    };
    half(0) | half(1) << 32
}

/// Puts one bit where the set bit of that number is.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn nth_bmi2(word: u64, number: u32) -> u32 {
    _pdep_u64(1 << number, word).trailing_zeros()
}

/// Half of the counters at a time; signs are packed into bytes, from which a mask is made.
#[inline]
#[target_feature(enable = "avx2")]
fn shift_avx2(counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
    let sign = _mm256_set1_epi16(-i16::from(negated));
    let mut half = |half: usize| {
        // SAFETY: both pointers are to one half of 32 numbers of 16 bits.
        let (old, steps) = unsafe {
            let old = _mm256_loadu_si256(counters.as_ptr().add(16 * half).cast());
            (old, _mm256_loadu_si256(steps.as_ptr().add(16 * half).cast()))
        };
        let steps = _mm256_sub_epi16(_mm256_xor_si256(steps, sign), sign);
        let new = _mm256_add_epi16(old, steps);
        // SAFETY: the destination is one half of 32 numbers of 16 bits.
        unsafe { _mm256_storeu_si256(counters.as_mut_ptr().add(16 * half).cast(), new) };
        _mm256_xor_si256(old, new)
    };
    let (low, high) = (half(0), half(1));
    // Packing takes the quarters in the order 0, 2, 1, 3.
    let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
    _mm256_movemask_epi8(packed) as u32
}

/// Proof that this machine has AVX-512 with its instructions for bytes, and all of [`Avx2`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(());

impl Avx512 {
    /// Looks for them.
    pub fn detect() -> Option<Avx512> {
        (Instructions::detect() >= Instructions::Avx512).then_some(Avx512(()))
    }
}

impl Cpu for Avx512 {
    type Wide = Lanes512;
    type Double = Lanes1024;

    #[inline(always)]
    fn call<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(cpu: Avx512, task: T) -> T::Output {
            task.run(cpu)
        }
        // SAFETY: an `Avx512` exists only where these features were detected.
        unsafe { compiled(self, task) }
    }

    #[inline(always)]
    fn spread(self, word: u64) -> Bytes {
        // SAFETY: an `Avx512` exists only where AVX-512BW was detected.
        unsafe { spread_avx512(word) }
    }

    #[inline(always)]
    fn gather(self, bytes: &Bytes, bit: u32) -> u64 {
        // SAFETY: an `Avx512` exists only where AVX-512BW was detected.
        unsafe { gather_avx512(bytes, bit) }
    }

    #[inline(always)]
    fn nth(self, word: u64, number: u32) -> u32 {
        // SAFETY: an `Avx512` exists only where BMI2 was detected.
        unsafe { nth_bmi2(word, number) }
    }

    #[inline(always)]
    fn shift(self, counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
        // SAFETY: an `Avx512` exists only where AVX-512BW was detected.
        unsafe { shift_avx512(counters, steps, negated) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn spread_avx512(word: u64) -> Bytes {
    let mut bytes = Bytes([0; 64]);
    // SAFETY: the destination is 64 bytes.
    unsafe { _mm512_storeu_si512(bytes.0.as_mut_ptr().cast(), _mm512_movm_epi8(word)) };
    bytes
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn gather_avx512(bytes: &Bytes, bit: u32) -> u64 {
    // SAFETY: the source is 64 bytes.
    let bytes = unsafe { _mm512_loadu_si512(bytes.0.as_ptr().cast()) };
    _mm512_test_epi8_mask(bytes, _mm512_set1_epi8((1u8 << bit) as i8))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn shift_avx512(counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
    let sign = _mm512_set1_epi16(-i16::from(negated));
    // SAFETY: both are 32 numbers of 16 bits.
    let (old, steps) = unsafe {
        let old = _mm512_loadu_si512(counters.as_ptr().cast());
        (old, _mm512_loadu_si512(steps.as_ptr().cast()))
    };
    let new = _mm512_add_epi16(old, _mm512_sub_epi16(_mm512_xor_si512(steps, sign), sign));
    // SAFETY: the destination is 32 numbers of 16 bits.
    unsafe { _mm512_storeu_si512(counters.as_mut_ptr().cast(), new) };
    _mm512_movepi16_mask(_mm512_xor_si512(old, new))
}

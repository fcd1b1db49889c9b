//! The only module with `unsafe`: calls into code that is compiled for more than the baseline, each
//! guarded by a value that exists only where the instructions were detected.
#![expect(unsafe_code, reason = "calls code compiled for instructions that were detected")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_extract_epi64, _mm256_add_epi16,
    _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_packs_epi16, _mm256_permute4x64_epi64, _mm256_set_epi64x, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_sll_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi16, _mm256_testz_si256, _mm256_xor_si256, _mm512_add_epi16,
    _mm512_and_si512, _mm512_andnot_si512, _mm512_cvtepi64_epi16, _mm512_loadu_si512,
    _mm512_movepi16_mask, _mm512_movm_epi8, _mm512_or_si512, _mm512_popcnt_epi64,
    _mm512_reduce_or_epi64, _mm512_rolv_epi64, _mm512_set_epi64, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_shuffle_i64x2, _mm512_storeu_si512, _mm512_sub_epi16,
    _mm512_test_epi8_mask, _mm512_xor_si512, _pdep_u64,
};
use std::ops::{BitAnd, BitOr};

use crate::{Bytes, Cpu, Eight, Instructions, Level, Plain, ROW, Task};

/// The largest set of instructions that this machine has.
pub(crate) fn detect() -> Instructions {
    let bmi2 = is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let avx2 = bmi2 && is_x86_feature_detected!("avx2");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (bmi2, avx2, avx512) {
        (_, _, true) if is_x86_feature_detected!("avx512vpopcntdq") => Instructions::Avx512Popcnt,
        (_, _, true) => Instructions::Avx512,
        (_, true, _) => Instructions::Avx2,
        (true, ..) => Instructions::Bmi2,
        _ => Instructions::Portable,
    }
}

/// The type of the proofs that this machine has a set of instructions, the first argument, with
/// features and operations beyond those of BMI2.
macro_rules! instructions {
    ($name:ident, $features:literal, { $($operations:tt)* }) => {
        #[doc = concat!("Proof that this machine has [`Instructions::", stringify!($name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        impl $name {
            /// The proof, if they belong to a level.
            pub(crate) fn of(level: Level) -> Option<$name> {
                level.has(Instructions::$name).then_some($name(()))
            }
        }

        impl Cpu for $name {
            #[inline(always)]
            fn call<T: Task>(self, task: T) -> T::Output {
                #[target_feature(enable = $features)]
                fn compiled<T: Task>(cpu: $name, task: T) -> T::Output {
                    task.run(cpu)
                }
                // SAFETY: the proof exists only where these features were detected.
                unsafe { compiled(self, task) }
            }

            /// Deposits one bit in the mask (Pandey, Bender and Johnson, "A fast x86 implementation
            /// of select", 2017).
            #[inline(always)]
            fn nth_bit(self, word: u64, k: u32) -> u64 {
                // SAFETY: every proof is one of BMI2, too.
                unsafe { _pdep_u64(1 << (k % 64), word) }
            }

            #[inline(always)]
            fn nth_bit_if_any(self, word: u64, k: u32) -> u64 {
                // SAFETY: every proof is one of BMI2, too.
                unsafe { _pdep_u64(u64::from(k < 64) << (k % 64), word) }
            }

            #[inline(always)]
            fn nth(self, word: u64, k: u32) -> u32 {
                self.nth_bit(word, k).trailing_zeros()
            }

            $($operations)*
        }
    };
}

/// Eight words, one at a time.
macro_rules! plain_words {
    () => {
        type Eight = Plain;

        #[inline(always)]
        fn eight(self, words: [u64; 8]) -> Plain {
            Plain(words)
        }
    };
}

/// Operations of AVX-512 without VPOPCNTDQ.
macro_rules! wide_bytes {
    () => {
        const WORDS: usize = 8;

        #[inline(always)]
        fn spread(self, word: u64) -> Bytes {
            // SAFETY: the proof exists only where AVX-512BW was detected.
            unsafe { spread_avx512(word) }
        }

        #[inline(always)]
        fn gather(self, bytes: &Bytes, bit: u32) -> u64 {
            // SAFETY: the proof exists only where AVX-512BW was detected.
            unsafe { gather_avx512(bytes, bit) }
        }

        #[inline(always)]
        fn shift(self, counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
            // SAFETY: the proof exists only where AVX-512BW was detected.
            unsafe { shift_avx512(counters, steps, negated) }
        }

        #[inline(always)]
        fn has_run<const W: usize>(self, words: [u64; W], length: u32, strides: [u32; 4]) -> bool {
            // SAFETY: the proof exists only where AVX2 was detected.
            unsafe { has_run_in_lanes(words, length, strides) }
        }
    };
}

instructions!(Bmi2, "bmi1,bmi2,lzcnt,popcnt", {
    plain_words!();
});

instructions!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt", {
    const WORDS: usize = 4;

    plain_words!();

    #[inline(always)]
    fn spread(self, word: u64) -> Bytes {
        // SAFETY: the proof exists only where AVX2 was detected.
        unsafe { spread_avx2(word) }
    }

    #[inline(always)]
    fn gather(self, bytes: &Bytes, bit: u32) -> u64 {
        // SAFETY: the proof exists only where AVX2 was detected.
        unsafe { gather_avx2(bytes, bit) }
    }

    #[inline(always)]
    fn shift(self, counters: &mut [i16; ROW], steps: &[i16; ROW], negated: bool) -> u32 {
        // SAFETY: the proof exists only where AVX2 was detected.
        unsafe { shift_avx2(counters, steps, negated) }
    }

    #[inline(always)]
    fn has_run<const W: usize>(self, words: [u64; W], length: u32, strides: [u32; 4]) -> bool {
        // SAFETY: the proof exists only where AVX2 was detected.
        unsafe { has_run_in_lanes(words, length, strides) }
    }
});

instructions!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt", {
    plain_words!();
    wide_bytes!();
});

instructions!(
    Avx512Popcnt,
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt",
    {
        type Eight = Wide;

        #[inline(always)]
        fn eight(self, words: [u64; 8]) -> Wide {
            let [a, b, c, d, e, f, g, h] = words.map(u64::cast_signed);
            // SAFETY: the proof exists only where AVX-512 was detected.
            Wide(unsafe { _mm512_set_epi64(h, g, f, e, d, c, b, a) })
        }

        wide_bytes!();
    }
);

/// # Safety
/// The processor must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(crate) unsafe extern "C" fn select(word: u64, rank: u32) -> u32 {
    _pdep_u64(1 << rank, word).trailing_zeros()
}

/// Eight words in one vector, which only an [`Avx512Popcnt`] makes.
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

/// The doubling of [`Cpu::has_run`] with the four strides in the four lanes of a vector, one vector
/// for each word of the set.
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

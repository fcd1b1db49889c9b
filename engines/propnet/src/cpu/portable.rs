use super::{Bytes, Cpu, ROW, Task};
use crate::vector::Lanes64;

/// The baseline of any architecture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

const ONES: u64 = 0x0101_0101_0101_0101;

impl Cpu for Portable {
    type Wide = Lanes64;
    type Double = Lanes64;

    // One copy of each task, as on the other levels, however often it is called.
    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }

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

    #[inline(always)]
    fn nth(self, mut word: u64, number: u32) -> u32 {
        for _ in 0..number {
            word &= word.wrapping_sub(1);
        }
        word.trailing_zeros()
    }

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

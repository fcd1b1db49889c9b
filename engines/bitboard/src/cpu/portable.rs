use super::{Cpu, Plain};
use crate::bits::Bits;

/// The baseline of any architecture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

impl Cpu for Portable {
    type Eight = Plain;

    #[inline(always)]
    fn eight(self, words: [u64; 8]) -> Plain {
        Plain(words)
    }

    #[inline(always)]
    fn nth_bit(self, word: u64, k: u32) -> u64 {
        1 << self.nth(word, k)
    }

    #[inline(always)]
    fn nth_bit_if_any(self, word: u64, k: u32) -> u64 {
        u64::from(k < word.count_ones()) << self.nth(word, k)
    }

    /// Finds the byte by prefix sums of byte counts, then the bit by a table (S. Vigna, "Broadword
    /// implementation of rank/select queries", 2008).
    #[inline(always)]
    fn nth(self, word: u64, k: u32) -> u32 {
        let k = u64::from(k) & 0x3f;
        let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        let bytes = (nibbles + (nibbles >> 4)) & (ONES * 15);
        // Byte i: set bits in bytes 0..=i, at most 64, so that the borrows below stay in the bytes.
        let upto = bytes.wrapping_mul(ONES);
        let passed = (((ONES * k) | TOPS) - upto) & TOPS;
        let at = ((passed >> 7).wrapping_mul(ONES) >> 56 << 3) as u32 & 0x38;
        let before = (upto << 8 >> at) & 0xff;
        let byte = (word >> at) & 0xff;
        at + u32::from(NTH_IN_BYTE[(k.wrapping_sub(before) % 8) as usize][byte as usize])
    }

    /// By doubling: the starts of runs of a, kept where a run of b starts right behind, are the
    /// starts of runs of a + b (the test of J. Tromp's Fhourstones for four in a row).
    #[inline(always)]
    fn has_run<const W: usize>(self, set: Bits<W>, length: u32, strides: [u32; 4]) -> bool {
        let mut all = Bits::EMPTY;
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
}

/// `NTH_IN_BYTE[k][byte]`: the index of the `k`-th set bit of `byte`, 0 if there is none.
static NTH_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[k][byte] = bit;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

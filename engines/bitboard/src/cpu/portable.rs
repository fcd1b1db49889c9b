use super::{Cpu, Plain};
use crate::bits::Bits;

/// The baseline of any architecture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

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

    #[inline(always)]
    fn nth(self, word: u64, k: u32) -> u32 {
        sites::select(word, k)
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

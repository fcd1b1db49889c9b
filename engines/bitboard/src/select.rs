//! Select: the `k`-th number of a set, with the instructions that the processor has.

use crate::bits::Bits;
use cpu::Cpu;

/// Selection with the instructions of a level.
pub(crate) trait Select {
    /// The `k`-th number of the set from 0 at the smallest, which must be there.
    fn select<C: Cpu>(self, cpu: C, k: u32) -> u32;

    /// The `k`-th number alone, on the same terms.
    fn select_bit<C: Cpu>(self, cpu: C, k: u32) -> Self;
}

impl<const W: usize> Select for Bits<W> {
    #[inline(always)]
    fn select<C: Cpu>(self, cpu: C, k: u32) -> u32 {
        let words = self.words;
        let mut found = (0, words[0], k);
        let mut before = 0;
        for w in 1..W {
            before += words[w - 1].count_ones();
            if k >= before {
                found = (64 * w as u32, words[w], k - before);
            }
        }
        let (base, word, k) = found;
        base + cpu.nth(word, k)
    }

    #[inline(always)]
    fn select_bit<C: Cpu>(self, cpu: C, k: u32) -> Bits<W> {
        let mut bits = self;
        if W == 1 {
            bits.words[0] = cpu.nth_bit(bits.words[0], k);
            return bits;
        }
        // Each word looks on its own, so that none waits for the search of the right one.
        let mut before = 0;
        for word in &mut bits.words {
            let here = word.count_ones();
            *word = cpu.nth_bit_if_any(*word, k.wrapping_sub(before));
            before += here;
        }
        bits
    }
}

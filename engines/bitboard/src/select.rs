//! Select: the `k`-th number of a set, with the instructions that the processor has.

use crate::bits::Bits;
use crate::cpu::Cpu;

impl<const W: usize> Bits<W> {
    /// The `k`-th number of the set from 0 at the smallest, which must be there.
    #[inline(always)]
    pub(crate) fn nth<C: Cpu>(self, cpu: C, k: u32) -> u32 {
        let words = self.words();
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

    /// The `k`-th number alone, on the same terms.
    #[inline(always)]
    pub(crate) fn nth_bit<C: Cpu>(self, cpu: C, k: u32) -> Bits<W> {
        let mut words = self.words();
        if W == 1 {
            words[0] = cpu.nth_bit(words[0], k);
            return Bits::from_words(words);
        }
        // Each word looks on its own, so that none waits for the search of the right one.
        let mut before = 0;
        for (bit, word) in words.iter_mut().zip(self.words()) {
            *bit = cpu.nth_bit_if_any(word, k.wrapping_sub(before));
            before += word.count_ones();
        }
        Bits::from_words(words)
    }
}

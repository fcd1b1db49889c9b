//! A draw among several kinds of actions at once.

use crate::bits::Bits;
use crate::lanes::{Dice, nth_bit};
use crate::select::Select;
use cpu::{Cpu, Eight};

/// The actions of a position: for each of `KINDS` kinds, such as the directions of a step, the
/// squares that it leads to. They are numbered kind after kind, in each by ascending square.
pub(crate) struct Choice<const KINDS: usize, const W: usize> {
    squares: [Bits<W>; KINDS],
    /// Actions of this kind and all before it.
    upto: [u32; KINDS],
}

impl<const KINDS: usize, const W: usize> Choice<KINDS, W> {
    /// Counts the actions.
    #[inline(always)]
    pub(crate) fn new(squares: [Bits<W>; KINDS]) -> Choice<KINDS, W> {
        let mut sum = 0;
        let upto = squares.map(|set| {
            sum += set.len();
            sum
        });
        Choice { squares, upto }
    }

    /// The squares that the actions of a kind lead to.
    pub(crate) fn squares(&self, kind: usize) -> Bits<W> {
        self.squares[kind]
    }

    /// The number of actions.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.upto[KINDS - 1]
    }

    /// The kind of the `k`-th action and its square alone. There must be more than `k`.
    #[inline(always)]
    pub(crate) fn nth<C: Cpu>(&self, cpu: C, k: u32) -> (usize, Bits<W>) {
        let (mut kind, mut squares, mut rest) = (0, self.squares[0], k);
        // No branch: which kind it is cannot be predicted.
        for next in 1..KINDS {
            let before = self.upto[next - 1];
            if k >= before {
                (kind, squares, rest) = (next, self.squares[next], k - before);
            }
        }
        (kind, squares.select_bit(cpu, rest))
    }

    /// All actions in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, u32)> {
        self.squares
            .into_iter()
            .enumerate()
            .flat_map(|(kind, set)| set.iter().map(move |s| (kind, s)))
    }
}

impl<const KINDS: usize> Choice<KINDS, 1> {
    /// A random action in a lane: its square alone, and what is given for its kind. If there is
    /// none, no matter what.
    #[inline(always)]
    pub(crate) fn draw_in_lane(&self, of_kinds: [u64; KINDS], dice: &mut Dice) -> (u64, u64) {
        let squares = self.squares.map(|set| set.words[0]);
        // Counted again, since all numbers in a lane are best as wide as its words.
        let counts = squares.map(|squares| u64::from(squares.count_ones()));
        let k = dice.below(counts.iter().sum());
        let (mut chosen, mut kind, mut rest, mut before) = (squares[0], of_kinds[0], k, 0);
        for next in 1..KINDS {
            before += counts[next - 1];
            let here = k >= before;
            chosen = if here { squares[next] } else { chosen };
            kind = if here { of_kinds[next] } else { kind };
            rest = if here { k - before } else { rest };
        }
        (nth_bit(chosen, rest), kind)
    }
}

/// The actions of a position in eight kinds, numbered as those of a [`Choice`].
pub(crate) struct ByRank {
    squares: [u64; 8],
    /// Actions of each kind and all before it, sixteen bits each, four kinds in a word.
    upto: [u64; 2],
}

/// A one in each sixteen bits.
const ONES: u64 = 0x0001_0001_0001_0001;

/// The highest bit of each sixteen.
const TOPS: u64 = ONES << 15;

impl ByRank {
    /// Counts the actions.
    #[inline(always)]
    pub(crate) fn new(squares: impl Eight) -> ByRank {
        let [former, latter] = squares.counts();
        let former = former.wrapping_mul(ONES);
        let latter = latter.wrapping_mul(ONES) + (former >> 48) * ONES;
        ByRank { squares: squares.words(), upto: [former, latter] }
    }

    /// The number of actions.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        (self.upto[1] >> 48) as u32
    }

    /// The kind of the `k`-th action and its square alone. There must be more than `k`.
    #[inline(always)]
    pub(crate) fn nth<C: Cpu>(&self, cpu: C, k: u32) -> (usize, u64) {
        // Sums are at most 8 * 64, so that no bit is borrowed beyond the highest of a sixteen.
        let each = (ONES * u64::from(k)) | TOPS;
        let passed = self.upto.map(
            #[inline(always)]
            |upto| (each - upto) & TOPS,
        );
        let kind = (passed[0].count_ones() + passed[1].count_ones()) as usize % 8;
        let [former, latter] = self.upto;
        let before = if kind < 4 { former << 16 } else { latter << 16 | former >> 48 };
        let rest = k - (before >> (16 * (kind % 4)) & 0xffff) as u32;
        (kind, cpu.nth_bit(self.squares[kind], rest))
    }

    /// All actions in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, u32)> {
        self.squares
            .into_iter()
            .enumerate()
            .flat_map(|(kind, set)| Bits::<1>::from_words([set]).iter().map(move |s| (kind, s)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpu::Portable;
    use play::Rng;

    #[test]
    fn actions_are_drawn_in_the_order_in_which_they_are_listed() {
        let mut rng = Rng::stream(2, 2);
        for _ in 0..200 {
            // Some kinds have no action.
            let sets: [Bits<2>; 5] = std::array::from_fn(|_| {
                let mut word = || if rng.below(3) == 0 { 0 } else { rng.next_u64() };
                Bits::from_words([word(), word()])
            });
            let choice = Choice::new(sets);
            let all: Vec<(usize, u32)> = choice.iter().collect();
            assert_eq!(choice.count() as usize, all.len());
            for (k, &(kind, square)) in (0..).zip(&all) {
                assert!(sets[kind].contains(square));
                assert_eq!(choice.nth(Portable, k), (kind, Bits::single(square)));
            }
        }
    }
    #[test]
    fn eight_kinds_are_numbered_like_any_others() {
        let mut rng = Rng::stream(2, 8);
        for round in 0..200 {
            let words: [u64; 8] = std::array::from_fn(|_| match rng.below(4 + round % 3) {
                0 => 0,
                1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                4 => !0,
                _ => rng.next_u64(),
            });
            let choice = Choice::new(words.map(|word| Bits::<1>::from_words([word])));
            let fan = ByRank::new(Portable.eight(words));
            assert_eq!(fan.count(), choice.count());
            assert!(fan.iter().eq(choice.iter()));
            for k in 0..fan.count() {
                let (kind, square) = choice.nth(Portable, k);
                assert_eq!(fan.nth(Portable, k), (kind, square.words[0]));
            }
        }
    }
}

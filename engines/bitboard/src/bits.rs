//! Sets of up to 64·W squares.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of numbers below 64·W, one bit each, the lowest in the lowest bit of word 0.
///
/// Loops over the words have a constant length and unroll, shifts by constants fold, and `Bits<1>`
/// compiles to what a bare `u64` does. The named operations are there for constants, where
/// operators cannot be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// No number.
    pub(crate) const EMPTY: Bits<W> = Bits([0; W]);

    /// Numbers there is room for.
    pub(crate) const ROOM: u32 = 64 * W as u32;

    /// The set whose words are these.
    #[inline(always)]
    pub(crate) const fn from_words(words: [u64; W]) -> Bits<W> {
        Bits(words)
    }

    /// Its words.
    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; W] {
        self.0
    }

    /// Only `i`, which must be below [`Bits::ROOM`].
    #[inline(always)]
    pub(crate) const fn one(i: u32) -> Bits<W> {
        let mut set = Bits::EMPTY;
        if W == 1 {
            set.0[0] = 1 << (i % 64);
            return set;
        }
        let mut w = 0;
        // Without an index that is not known while compiling, the words stay in registers.
        while w < W {
            set.0[w] = ((i / 64 == w as u32) as u64) << (i % 64);
            w += 1;
        }
        set
    }

    /// The smallest number of a set that is not empty.
    #[inline(always)]
    pub(crate) const fn first(self) -> u32 {
        let (mut first, mut w) = (Self::ROOM, W);
        while w > 0 {
            w -= 1;
            if self.0[w] != 0 {
                first = 64 * w as u32 + self.0[w].trailing_zeros();
            }
        }
        first
    }

    /// The greatest number of a set that is not empty.
    #[inline(always)]
    pub(crate) const fn last(self) -> u32 {
        let (mut last, mut w) = (0, 0);
        while w < W {
            if self.0[w] != 0 {
                last = 64 * w as u32 + self.0[w].ilog2();
            }
            w += 1;
        }
        last
    }

    /// Whether `i` is in the set.
    #[inline(always)]
    pub(crate) const fn has(self, i: u32) -> bool {
        self.meets(Bits::one(i))
    }

    /// How many numbers are in the set.
    #[inline(always)]
    pub(crate) const fn count(self) -> u32 {
        let (mut sum, mut w) = (0, 0);
        while w < W {
            sum += self.0[w].count_ones();
            w += 1;
        }
        sum
    }

    /// Whether nothing is in the set.
    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        let (mut all, mut w) = (0, 0);
        while w < W {
            all |= self.0[w];
            w += 1;
        }
        all == 0
    }

    /// Whether the sets have a number in common.
    #[inline(always)]
    pub(crate) const fn meets(self, other: Bits<W>) -> bool {
        !self.and(other).is_empty()
    }

    /// The numbers in both sets.
    #[inline(always)]
    pub(crate) const fn and(self, other: Bits<W>) -> Bits<W> {
        let (mut set, mut w) = (self, 0);
        while w < W {
            set.0[w] &= other.0[w];
            w += 1;
        }
        set
    }

    /// The numbers in at least one of the sets.
    #[inline(always)]
    pub(crate) const fn or(self, other: Bits<W>) -> Bits<W> {
        let (mut set, mut w) = (self, 0);
        while w < W {
            set.0[w] |= other.0[w];
            w += 1;
        }
        set
    }

    /// The numbers in exactly one of the sets.
    #[inline(always)]
    pub(crate) const fn xor(self, other: Bits<W>) -> Bits<W> {
        let (mut set, mut w) = (self, 0);
        while w < W {
            set.0[w] ^= other.0[w];
            w += 1;
        }
        set
    }

    /// The numbers that are not in the set, up to [`Bits::ROOM`].
    #[inline(always)]
    pub(crate) const fn complement(self) -> Bits<W> {
        let (mut set, mut w) = (self, 0);
        while w < W {
            set.0[w] = !set.0[w];
            w += 1;
        }
        set
    }

    /// The numbers that are not in `other`.
    #[inline(always)]
    pub(crate) const fn minus(self, other: Bits<W>) -> Bits<W> {
        self.and(other.complement())
    }

    /// The sum of both sets as numbers; what does not fit is lost.
    #[inline(always)]
    pub(crate) fn plus(self, other: Bits<W>) -> Bits<W> {
        let (mut set, mut carry, mut w) = (self, false, 0);
        while w < W {
            (set.0[w], carry) = self.0[w].carrying_add(other.0[w], carry);
            w += 1;
        }
        set
    }

    /// Every number greater by `n`, which must be below [`Bits::ROOM`]; numbers beyond fall off.
    #[inline(always)]
    pub(crate) const fn up(self, n: u32) -> Bits<W> {
        if W == 1 {
            let mut set = self;
            set.0[0] <<= n % 64;
            return set;
        }
        let (words, bits) = ((n / 64) as usize, n % 64);
        let (mut set, mut w) = (Bits::EMPTY, words);
        while w < W {
            set.0[w] = self.0[w - words] << bits;
            if bits > 0 && w > words {
                set.0[w] |= self.0[w - words - 1] >> (64 - bits);
            }
            w += 1;
        }
        set
    }

    /// Every number smaller by `n`, which must be below [`Bits::ROOM`]; numbers below 0 fall off.
    #[inline(always)]
    pub(crate) const fn down(self, n: u32) -> Bits<W> {
        if W == 1 {
            let mut set = self;
            set.0[0] >>= n % 64;
            return set;
        }
        let (words, bits) = ((n / 64) as usize, n % 64);
        let (mut set, mut w) = (Bits::EMPTY, 0);
        while w + words < W {
            set.0[w] = self.0[w + words] >> bits;
            if bits > 0 && w + words + 1 < W {
                set.0[w] |= self.0[w + words + 1] << (64 - bits);
            }
            w += 1;
        }
        set
    }

    /// Every number greater by `n`, which may be negative.
    #[inline(always)]
    pub(crate) const fn shift(self, n: i32) -> Bits<W> {
        if n < 0 { self.down(n.unsigned_abs()) } else { self.up(n.unsigned_abs()) }
    }

    /// The numbers in ascending order.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().zip((0..).step_by(64)).flat_map(|(mut word, base)| {
            std::iter::from_fn(move || {
                let i = (word != 0).then(|| base + word.trailing_zeros());
                word &= word.wrapping_sub(1);
                i
            })
        })
    }
}

macro_rules! operator {
    ($operator:ident, $operate:ident, $assign:ident, $operate_assign:ident, $named:ident) => {
        impl<const W: usize> $operator for Bits<W> {
            type Output = Bits<W>;

            #[inline(always)]
            fn $operate(self, other: Bits<W>) -> Bits<W> {
                self.$named(other)
            }
        }

        impl<const W: usize> $assign for Bits<W> {
            #[inline(always)]
            fn $operate_assign(&mut self, other: Bits<W>) {
                *self = self.$named(other);
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, and);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, or);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, xor);

impl<const W: usize> Not for Bits<W> {
    type Output = Bits<W>;

    #[inline(always)]
    fn not(self) -> Bits<W> {
        self.complement()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use play::Rng;

    fn random<const W: usize>(rng: &mut Rng) -> Bits<W> {
        Bits(std::array::from_fn(|_| rng.next_u64() & rng.next_u64()))
    }

    /// Numbers plus `n`, as far as there is room.
    fn moved<const W: usize>(set: Bits<W>, n: i32) -> Vec<u32> {
        set.iter()
            .filter_map(|i| i.checked_add_signed(n))
            .filter(|&i| i < Bits::<W>::ROOM)
            .collect()
    }

    fn check<const W: usize>() {
        let mut rng = Rng::stream(1, W as u64);
        for _ in 0..200 {
            let (a, b) = (random::<W>(&mut rng), random::<W>(&mut rng));
            let numbers: Vec<u32> = (0..Bits::<W>::ROOM).filter(|&i| a.has(i)).collect();
            assert_eq!(a.iter().collect::<Vec<_>>(), numbers);
            assert_eq!(a.count() as usize, numbers.len());
            assert_eq!(a.first(), numbers.first().copied().unwrap_or(Bits::<W>::ROOM));
            assert_eq!(a.last(), numbers.last().copied().unwrap_or(0));
            for i in 0..Bits::<W>::ROOM {
                assert_eq!((a & b).has(i), a.has(i) && b.has(i));
                assert_eq!((a | b).has(i), a.has(i) || b.has(i));
                assert_eq!((a ^ b).has(i), a.has(i) != b.has(i));
                assert_eq!(a.minus(b).has(i), a.has(i) && !b.has(i));
                assert_eq!((!a).has(i), !a.has(i));
            }
            assert_eq!(a.meets(b), !(a & b).is_empty());
            let mut carry = 0;
            for i in 0..Bits::<W>::ROOM {
                let sum = u32::from(a.has(i)) + u32::from(b.has(i)) + carry;
                assert_eq!(a.plus(b).has(i), sum % 2 == 1);
                carry = sum / 2;
            }
            let ones = Bits([u64::MAX; W]);
            assert_eq!(ones.plus(Bits::one(0)), Bits::EMPTY);
            for n in [0, 1, 7, 31, 63].into_iter().chain((W > 1).then_some(64 * W as i32 - 1)) {
                assert_eq!(a.shift(n).iter().collect::<Vec<_>>(), moved(a, n), "up {n}");
                assert_eq!(a.shift(-n).iter().collect::<Vec<_>>(), moved(a, -n), "down {n}");
            }
            for (k, &i) in (0..).zip(&numbers) {
                assert_eq!(a.nth(Portable, k), i);
                assert_eq!(a.nth_bit(Portable, k), Bits::one(i));
            }
        }
        assert!(Bits::<W>::EMPTY.is_empty() && Bits::<W>::EMPTY.iter().next().is_none());
    }

    #[test]
    fn sets_of_every_width_are_sets_of_numbers() {
        check::<1>();
        check::<2>();
        check::<4>();
        check::<6>();
    }
}

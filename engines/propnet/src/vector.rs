//! Words of lanes: a bit for each playout.

/// The most lanes that there are.
pub(crate) const LANES: usize = 1024;
/// Lanes that are written down together.
const AT_ONCE: usize = 8;

/// Room for a list of lanes.
#[derive(Clone, Debug)]
pub(crate) struct LaneList([u16; LANES + AT_ONCE]);

impl LaneList {
    /// No lanes yet.
    pub(crate) const EMPTY: LaneList = LaneList([0; LANES + AT_ONCE]);

    /// The first so many.
    #[inline(always)]
    pub(crate) fn first(&self, count: usize) -> impl Iterator<Item = usize> {
        self.0.iter().take(count).map(|&lane| usize::from(lane))
    }
}

/// Bits of as many lanes as there are playouts side by side.
pub(crate) trait Vector: Copy + Send + 'static {
    /// Words of 64 lanes.
    const WORDS: usize;
    /// No lane.
    const NONE: Self;
    /// Every lane.
    const ALL: Self;

    /// Its words.
    fn words(&self) -> &[u64];

    /// Its words.
    fn words_mut(&mut self) -> &mut [u64];

    /// Computes word by word.
    fn map3(a: Self, b: Self, c: Self, f: impl Fn(u64, u64, u64) -> u64) -> Self;

    #[inline(always)]
    fn map2(a: Self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self::map3(a, b, b, |a, b, _| f(a, b))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::map2(self, other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::map2(self, other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::map2(self, other, |a, b| a ^ b)
    }

    /// In this one and not in the other.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self::map2(self, other, |a, b| a & !b)
    }

    #[inline(always)]
    fn not(self) -> Self {
        Self::map2(self, self, |a, _| !a)
    }

    /// Itself, or its complement if `flip`.
    #[inline(always)]
    fn flip(self, flip: bool) -> Self {
        if flip { self.not() } else { self }
    }

    /// The sum of three bits.
    #[inline(always)]
    fn sum3(self, b: Self, c: Self) -> Self {
        Self::map3(self, b, c, |a, b, c| a ^ b ^ c)
    }

    /// The carry of the sum of three bits.
    #[inline(always)]
    fn carry3(self, b: Self, c: Self) -> Self {
        Self::map3(self, b, c, |a, b, c| (a & b) | (c & (a | b)))
    }

    /// The borrow of the difference of a bit and two others.
    #[inline(always)]
    fn borrow3(self, b: Self, c: Self) -> Self {
        Self::map3(self, b, c, |a, b, c| (b & c) | (!a & (b | c)))
    }

    #[inline(always)]
    fn is_none(&self) -> bool {
        self.words().iter().fold(0, |any, word| any | word) == 0
    }

    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.words()[lane / 64] >> (lane % 64) & 1 == 1
    }

    #[inline(always)]
    fn insert(&mut self, lane: usize) {
        self.words_mut()[lane / 64] |= 1 << (lane % 64);
    }

    #[inline(always)]
    fn remove(&mut self, lane: usize) {
        self.words_mut()[lane / 64] &= !(1 << (lane % 64));
    }

    /// Lists the lanes in order; how many there are. Many at once, so without a branch for each.
    #[inline(always)]
    fn list(&self, list: &mut LaneList) -> usize {
        let mut count = 0;
        for (first, &word) in (0..).step_by(64).zip(self.words()) {
            let (mut word, mut at) = (word, count);
            count += word.count_ones() as usize;
            while word != 0 {
                let Some(some) = list.0[at..].first_chunk_mut::<AT_ONCE>() else { break };
                for lane in some {
                    // Those after the last are overwritten.
                    *lane = first + word.trailing_zeros() as u16;
                    word &= word.wrapping_sub(1);
                }
                at += AT_ONCE;
            }
        }
        count
    }

    /// The lanes in order.
    #[inline(always)]
    fn lanes(self) -> impl Iterator<Item = usize> {
        (0..Self::WORDS).flat_map(move |at| {
            let mut word = self.words()[at];
            std::iter::from_fn(move || {
                let lane = (word != 0).then(|| at * 64 + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                lane
            })
        })
    }
}

macro_rules! vector {
    ($name:ident, $words:literal, $align:literal) => {
        #[doc = concat!(stringify!($words), " words.")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(align($align))]
        pub(crate) struct $name([u64; $words]);

        impl Vector for $name {
            const WORDS: usize = $words;
            const NONE: $name = $name([0; $words]);
            const ALL: $name = $name([u64::MAX; $words]);

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                &mut self.0
            }

            #[inline(always)]
            fn map3(a: $name, b: $name, c: $name, f: impl Fn(u64, u64, u64) -> u64) -> $name {
                let (mut out, mut i) = ([0; $words], 0);
                // Not by an iterator: where it is not inlined, as in builds for tests, its calls take
                // most of the time.
                while i < $words {
                    out[i] = f(a.0[i], b.0[i], c.0[i]);
                    i += 1;
                }
                $name(out)
            }
        }
    };
}

vector!(Lanes64, 1, 8);
vector!(Lanes256, 4, 32);
vector!(Lanes512, 8, 64);
vector!(Lanes1024, 16, 64);

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::*;

    #[test]
    fn lanes_are_listed_in_order() {
        let mut rng = Rng::stream(5, 5);
        let mut list = LaneList::EMPTY;
        for round in 0..200 {
            let mut lanes = Lanes512::NONE;
            for word in lanes.words_mut() {
                // From all over none to all.
                let words = [rng.next_u64(), rng.next_u64(), rng.next_u64()];
                *word = match round % 5 {
                    0 => words[0] & words[1] & words[2],
                    1 => words[0] & (words[1] | words[2]),
                    2 => words[0] | words[1] | words[2],
                    3 => u64::MAX,
                    _ => words[0] & words[1] & words[2] & 0xff,
                };
            }
            let expected: Vec<usize> = (0..512).filter(|&lane| lanes.has(lane)).collect();
            let count = lanes.list(&mut list);
            assert!(list.first(count).eq(expected.iter().copied()), "{lanes:?}");
            assert!(lanes.lanes().eq(expected.iter().copied()), "{lanes:?}");
        }
    }
}

//! Words of lanes: a bit for each playout.

/// Bits of as many lanes as there are playouts side by side.
pub(crate) trait Vector: Copy + 'static {
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

    /// What the sum of three bits carries.
    #[inline(always)]
    fn carry3(self, b: Self, c: Self) -> Self {
        Self::map3(self, b, c, |a, b, c| (a & b) | (c & (a | b)))
    }

    /// What the difference of a bit and two others borrows.
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
                let mut out = [0; $words];
                for i in 0..$words {
                    out[i] = f(a.0[i], b.0[i], c.0[i]);
                }
                $name(out)
            }
        }
    };
}

vector!(Lanes64, 1, 8);
vector!(Lanes256, 4, 32);
vector!(Lanes512, 8, 64);

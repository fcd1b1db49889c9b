use crate::set::SiteSet;

impl<const W: usize, S: Copy> SiteSet<W, S> {
    /// All sites up to the lowest of the set, that one counted; all that there is room for where
    /// the set is empty.
    #[inline(always)]
    #[must_use]
    pub fn up_to_first(self) -> SiteSet<W, S> {
        if W == 2 {
            let wide = self.wide();
            return SiteSet::of_wide(wide ^ wide.wrapping_sub(1));
        }
        let (mut set, mut borrow) = (self, true);
        for word in &mut set.words {
            let (less, borrows) = word.overflowing_sub(u64::from(borrow));
            *word ^= less;
            borrow = borrows;
        }
        set
    }

    /// The sites of this set, all on one side of a site, up to the nearest that is in `blockers`,
    /// which is among them if `hit`. `ascending` says that the nearest is the lowest.
    #[inline(always)]
    #[must_use]
    pub fn until(self, blockers: SiteSet<W, S>, ascending: bool, hit: bool) -> SiteSet<W, S> {
        match W {
            1 => {
                let (ray, block) = (self.words[0], self.words[0] & blockers.words[0]);
                let mut set = self;
                set.words[0] = if ascending {
                    let low = block & block.wrapping_neg();
                    ray & (low.wrapping_sub(1) | if hit { low } else { 0 })
                } else {
                    // The highest blocker and all below it, or nothing.
                    let below = u64::MAX.checked_shr(block.leading_zeros()).unwrap_or(0);
                    let high = below & !(below >> 1);
                    ray & (!below | if hit { high } else { 0 })
                };
                set
            }
            2 => {
                let ray = self.wide();
                let block = ray & blockers.wide();
                SiteSet::of_wide(if ascending {
                    let low = block & block.wrapping_neg();
                    ray & (low.wrapping_sub(1) | if hit { low } else { 0 })
                } else if block == 0 {
                    ray
                } else {
                    let high = 1u128 << block.ilog2();
                    ray & (!(high | (high - 1)) | if hit { high } else { 0 })
                })
            }
            _ => self.until_in_words(blockers, ascending, hit),
        }
    }

    fn until_in_words(self, blockers: SiteSet<W, S>, ascending: bool, hit: bool) -> SiteSet<W, S> {
        let mut set = SiteSet::EMPTY;
        for step in 0..W {
            let w = if ascending { step } else { W - 1 - step };
            let block = self.words[w] & blockers.words[w];
            set.words[w] = self.words[w];
            if block != 0 {
                let keep = if ascending {
                    let low = block & block.wrapping_neg();
                    (low - 1) | if hit { low } else { 0 }
                } else {
                    let high = 1 << block.ilog2();
                    !(high | (high - 1)) | if hit { high } else { 0 }
                };
                set.words[w] &= keep;
                break;
            }
        }
        set
    }

    /// The first two words as one number.
    #[inline(always)]
    fn wide(self) -> u128 {
        u128::from(self.words[0]) | u128::from(self.words[1 % W]) << 64
    }

    /// The set with such words.
    #[inline(always)]
    fn of_wide(wide: u128) -> SiteSet<W, S> {
        let mut set = SiteSet::EMPTY;
        set.words[0] = wide as u64;
        set.words[1 % W] = (wide >> 64) as u64;
        set
    }
}

//! Sets of constants that columns of relations can hold.

/// A set of values of constants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Domain(Vec<u64>);

impl Domain {
    pub(crate) fn add(&mut self, value: u32) {
        let word = value as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (value % 64);
    }

    /// Adds all of another; whether there was something new.
    pub(crate) fn add_all(&mut self, other: &Domain) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = 0;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            new |= other & !*own;
            *own |= other;
        }
        new != 0
    }

    /// Keeps what is in another too.
    pub(crate) fn intersect(&mut self, other: &Domain) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }

    /// Words that it takes.
    pub(crate) fn words(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The values in order.
    pub(crate) fn values(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.0).flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        })
    }

    /// The least value and the greatest, and how many there are.
    pub(crate) fn range(&self) -> (u32, u32, u32) {
        self.values().fold((0, 0, 0), |(low, _, count), value| match count {
            0 => (value, value, 1),
            _ => (low, value, count + 1),
        })
    }
}

/// By flat relation and column: its values, where they are constants and the relation changes.
pub(crate) type Domains = Vec<Vec<Option<Domain>>>;

//! The number and the ids of the playouts to be played.

/// A number of playouts to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Seed of the run.
    pub seed: u64,
    /// Id of the first playout; each id owns the stream [`Rng::stream`](crate::Rng::stream)`(seed,
    /// id)`.
    pub first: u64,
    /// The number of playouts, with ids counting up from `first`.
    pub count: u64,
    /// Plies after which a playout is given up and counted as capped.
    pub cap: u32,
}

impl Job {
    /// The ids to play.
    pub fn ids(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.count
    }

    /// The same playouts in jobs of so many, at least one; the last has what is left.
    pub fn in_parts(&self, most: u64) -> impl Iterator<Item = Job> + use<> {
        let (whole, most, ids) = (*self, most.max(1), self.ids());
        let firsts = ids.clone().step_by(usize::try_from(most).unwrap_or(usize::MAX));
        firsts.map(move |first| Job { first, count: most.min(ids.end - first), ..whole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        let job = Job { seed: 1, first: 7, count: 10, cap: 9 };
        let parts = |most| job.in_parts(most).map(|part| (part.first, part.count));
        assert!(parts(4).eq([(7, 4), (11, 4), (15, 2)]));
        assert!(parts(10).eq([(7, 10)]) && parts(u64::MAX).eq([(7, 10)]));
        assert!(parts(0).map(|(first, _)| first).eq(job.ids()));
        assert_eq!(Job { count: 0, ..job }.in_parts(4).count(), 0);
    }
}

//! How many playouts are to be played, and which.

/// A number of playouts to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Seed of the run.
    pub seed: u64,
    /// Id of the first playout; each id owns the stream [`Rng::stream`](crate::Rng::stream)`(seed,
    /// id)`.
    pub first: u64,
    /// How many, with ids counting up from `first`.
    pub count: u64,
    /// Plies after which a playout is given up and counted as capped.
    pub cap: u32,
}

impl Job {
    /// The ids to play.
    pub fn ids(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.count
    }
}

//! Ids of playouts: proofs and samples draw them from one range under one seed, so that no worker
//! can tell a question of the one from a question of the other.
//!
//! Ids lie below 2^48, which every JSON number holds exactly. The range is cut into chunks, and a
//! hash says of each chunk whether proofs or samples use it, so that no playout is in both. A job
//! has its place in a chunk that the same hash chooses. Places and the seed that workers are told
//! both come from the run's seed by SHA-256, so that a worker cannot work out the ones from the
//! other.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use play::Job;
use sha2::{Digest, Sha256};

/// Ids are below this.
pub const RANGE: u64 = 1 << 48;

/// Ids that proofs or samples have as a whole.
const CHUNK: u64 = 1 << 40;

/// Most ids that one job may ask for.
pub const MOST: u64 = 1 << 38;

/// Jobs begin at multiples of this, so that it can be said of lanes which of them are alike.
const ALIGNED: u64 = 64;

/// The purpose of playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Proof,
    Sample,
}

/// Hands out ids, none of them twice.
#[derive(Clone, Debug)]
pub struct PlayoutIds {
    seed: u64,
    purpose: Purpose,
    whose: String,
    /// The number of places that were looked at.
    looked: u64,
    /// The ids that are used, by the first of each job: the one after the last.
    used: BTreeMap<u64, u64>,
}

impl PlayoutIds {
    /// Ids of proofs of whoever is named so, in a run of this seed.
    pub fn of_proof(seed: u64, whose: &str) -> PlayoutIds {
        PlayoutIds::new(seed, Purpose::Proof, whose)
    }

    /// Ids of samples.
    pub fn of_samples(seed: u64, whose: &str) -> PlayoutIds {
        PlayoutIds::new(seed, Purpose::Sample, whose)
    }

    fn new(seed: u64, purpose: Purpose, whose: &str) -> PlayoutIds {
        PlayoutIds { seed, purpose, whose: whose.to_owned(), looked: 0, used: BTreeMap::new() }
    }

    /// A job of so many fresh playouts, of [`MOST`] at most.
    pub fn job(&mut self, count: u64, cap: u32) -> Job {
        let count = count.min(MOST);
        loop {
            let place =
                hash(self.seed, &[&self.whose, &format!("{:?}", self.purpose)], self.looked);
            self.looked += 1;
            let first = place % RANGE / ALIGNED * ALIGNED;
            let chunk = first / CHUNK;
            let fits = first + count <= (chunk + 1) * CHUNK;
            if fits && purpose_of(self.seed, chunk) == self.purpose && self.is_free(first, count) {
                self.leave_out(first, count);
                return Job { seed: told(self.seed), first, count, cap };
            }
        }
    }

    /// Never hands out these ids: they have been played.
    pub fn leave_out(&mut self, first: u64, count: u64) {
        let end = first.saturating_add(count);
        let known = self.used.entry(first).or_insert(end);
        *known = end.max(*known);
    }

    fn is_free(&self, first: u64, count: u64) -> bool {
        let last = self.used.range(..first + count.max(1)).next_back();
        last.is_none_or(|(_, &end)| end <= first)
    }
}

/// The purpose that a chunk serves: proofs or samples.
fn purpose_of(seed: u64, chunk: u64) -> Purpose {
    match hash(seed, &["chunk"], chunk) % 2 {
        0 => Purpose::Proof,
        _ => Purpose::Sample,
    }
}

/// The seed that workers are told in a run of this seed: playout `id` draws from the stream of this
/// one and the id.
pub fn told(seed: u64) -> u64 {
    hash(seed, &["told"], 0) % RANGE
}

/// A seed that nobody could know beforehand.
pub fn random_seed() -> u64 {
    // The keys of the standard library's hash maps are random.
    RandomState::new().hash_one(std::process::id()) % RANGE
}

fn hash(seed: u64, words: &[&str], number: u64) -> u64 {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    for word in words {
        hash.update(word);
        hash.update([0]);
    }
    hash.update(number.to_le_bytes());
    let digest = hash.finalize();
    digest.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(mut ids: PlayoutIds, counts: &[u64]) -> Vec<Job> {
        counts.iter().map(|&count| ids.job(count, 9)).collect()
    }

    const COUNTS: [u64; 6] = [1, 5000, 1 << 22, MOST, u64::MAX, 3];

    #[test]
    fn no_id_is_handed_out_twice_nor_to_proof_and_sample() {
        let mut all = Vec::new();
        for _ in 0..20 {
            all.extend(jobs(PlayoutIds::of_proof(3, "a"), &COUNTS.repeat(4)));
            all.extend(jobs(PlayoutIds::of_samples(3, "a"), &COUNTS.repeat(4)));
            all.sort_by_key(|job| job.first);
            all.dedup();
        }
        assert_eq!(all.len(), 2 * 4 * COUNTS.len(), "the same seed gives the same ids");
        assert!(all.windows(2).all(|pair| pair[0].first + pair[0].count <= pair[1].first));
        assert!(all.iter().all(|job| job.first + job.count <= RANGE));
        assert!(all.iter().all(|job| job.seed == told(3) && told(3) < RANGE));
    }

    #[test]
    fn ids_of_an_earlier_part_of_a_run_are_not_handed_out_again() {
        let earlier = jobs(PlayoutIds::of_samples(1, "a"), &COUNTS);
        let mut ids = PlayoutIds::of_samples(1, "a");
        for job in &earlier {
            ids.leave_out(job.first, job.count);
        }
        for job in jobs(ids, &COUNTS) {
            let apart = |other: &Job| {
                job.first + job.count <= other.first || other.first + other.count <= job.first
            };
            assert!(earlier.iter().all(apart), "{job:?}");
        }
    }

    /// Whatever is asked by its place in the range alone: both uses have ids everywhere.
    #[test]
    fn neither_order_nor_size_of_ids_tells_what_they_are_for() {
        let proofs = jobs(PlayoutIds::of_proof(1, "a"), &[1000; 400]);
        let samples = jobs(PlayoutIds::of_samples(1, "a"), &[1000; 400]);
        for eighth in 0..8 {
            let inside =
                |jobs: &[Job]| jobs.iter().filter(|job| job.first / (RANGE / 8) == eighth).count();
            for count in [inside(&proofs), inside(&samples)] {
                assert!((20..90).contains(&count), "{eighth}: {count}");
            }
        }
        let rises = |jobs: &[Job]| jobs.windows(2).filter(|w| w[0].first < w[1].first).count();
        for count in [rises(&proofs), rises(&samples)] {
            assert!((140..260).contains(&count), "{count}");
        }
        let others = jobs(PlayoutIds::of_samples(2, "a"), &[1000; 400]);
        assert!(samples.iter().zip(&others).all(|(one, other)| one.first != other.first));
    }

    #[test]
    fn random_seeds_differ() {
        let seeds: std::collections::BTreeSet<u64> = (0..20).map(|_| random_seed()).collect();
        assert!(seeds.len() > 15 && seeds.iter().all(|&seed| seed < RANGE), "{seeds:?}");
    }
}

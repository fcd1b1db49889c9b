use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::mix;
use crate::scores::{Player, Scores};

/// The ending of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules, with these scores.
    Over(Scores),
    /// At the ply cap (or at [`MAX_FORCED_PASSES`](crate::MAX_FORCED_PASSES) forced passes in a
    /// row). Never counted as a draw.
    Capped,
    /// In a position that the rules leave undefined: not over, yet nothing is legal.
    Stuck,
}

/// One playout, summed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Actions applied, forced passes not counted.
    pub plies: u32,
    /// The ending of the playout.
    pub ending: Ending,
}

/// Commutative sum over playouts: however they are split over threads, lanes and batches, the same
/// playout ids give the same tally.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Playouts counted.
    pub playouts: u64,
    /// Plies of all of them.
    pub plies: u64,
    /// Sum of the squares of their plies, for standard errors.
    pub plies_squared: u64,
    /// Playouts that ended at the ply cap.
    pub capped: u64,
    /// Playouts that ended where the rules are undefined.
    pub stuck: u64,
    /// Sum over playouts of a hash of (id, plies, ending).
    pub digest: u64,
    /// Outcome counts: the few common ones first come, first served, the rest by key.
    common: Vec<(Scores, u64)>,
    rare: BTreeMap<Scores, u64>,
}

/// Outcomes kept in the linear list.
const COMMON: usize = 8;

impl Tally {
    /// Counts one playout.
    #[inline]
    pub fn record(&mut self, id: u64, end: End) {
        if let Ending::Over(scores) = end.ending {
            self.count(scores, 1);
        }
        self.note(id, end);
    }

    /// Counts one playout in everything but the outcome counts, for engines that keep those apart
    /// and add them by [`Tally::count`] in the end: where a playout takes few nanoseconds, finding
    /// the outcome in the list takes as long.
    #[inline]
    pub fn note(&mut self, id: u64, end: End) {
        let code = match end.ending {
            Ending::Over(scores) => scores.bits(),
            Ending::Capped => {
                self.capped += 1;
                u64::MAX
            }
            Ending::Stuck => {
                self.stuck += 1;
                u64::MAX - 1
            }
        };
        self.add(id, end.plies, code);
    }

    /// Counts one playout whose ending is noted as these bits.
    #[inline]
    fn add(&mut self, id: u64, plies: u32, ending: u64) {
        let plies = u64::from(plies);
        self.playouts += 1;
        self.plies += plies;
        self.plies_squared += plies * plies;
        self.digest = self.digest.wrapping_add(mix(mix(id) ^ ending ^ plies.rotate_left(40)));
    }

    /// Adds `n` playouts with this outcome to the outcome counts alone.
    #[inline]
    pub fn count(&mut self, scores: Scores, n: u64) {
        for entry in &mut self.common {
            if entry.0 == scores {
                entry.1 += n;
                return;
            }
        }
        self.count_other(scores, n);
    }

    /// The same for an outcome that is not one of the common ones. Apart from these, so that no loop
    /// of playouts is compiled with the code of a map.
    #[inline(never)]
    fn count_other(&mut self, scores: Scores, n: u64) {
        if self.common.len() < COMMON {
            self.common.push((scores, n));
        } else {
            *self.rare.entry(scores).or_default() += n;
        }
    }

    /// The number of playouts with each vector of scores, in the order of the scores.
    pub fn outcomes(&self) -> BTreeMap<Scores, u64> {
        let mut all = self.rare.clone();
        for &(scores, n) in &self.common {
            *all.entry(scores).or_default() += n;
        }
        all
    }

    /// Sum of scores per player over the playouts that ended by the rules.
    pub fn score_sums(&self) -> Vec<i64> {
        let outcomes = self.outcomes();
        let players = outcomes.keys().map(|s| s.players()).max().unwrap_or(0);
        let mut sums = vec![0; players];
        for (scores, n) in outcomes {
            for (sum, score) in sums.iter_mut().zip(scores.iter()) {
                *sum += i64::from(score) * n as i64;
            }
        }
        sums
    }

    /// Mean score of each player over the playouts that ended by the rules, with its standard
    /// error.
    pub fn mean_scores(&self) -> Vec<(f64, f64)> {
        let outcomes = self.outcomes();
        let n = outcomes.values().sum::<u64>().max(1) as f64;
        let mean_of = |value: &dyn Fn(&Scores) -> f64| {
            outcomes.iter().map(|(scores, &count)| value(scores) * count as f64).sum::<f64>() / n
        };
        let players = outcomes.keys().map(|scores| scores.players()).max().unwrap_or(0);
        let player = |player| {
            let of = |scores: &Scores| f64::from(scores.get(Player(player as u8)));
            let mean = mean_of(&of);
            (mean, (mean_of(&|scores| (of(scores) - mean).powi(2)) / n).sqrt())
        };
        (0..players).map(player).collect()
    }

    /// Mean plies a playout, with its standard error.
    pub fn mean_plies(&self) -> (f64, f64) {
        let n = self.playouts.max(1) as f64;
        let mean = self.plies as f64 / n;
        let variance = (self.plies_squared as f64 / n - mean * mean).max(0.0);
        (mean, (variance / n).sqrt())
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.plies_squared += other.plies_squared;
        self.capped += other.capped;
        self.stuck += other.stuck;
        self.digest = self.digest.wrapping_add(other.digest);
        for (scores, n) in other.outcomes() {
            self.count(scores, n);
        }
    }
}

impl PartialEq for Tally {
    fn eq(&self, other: &Tally) -> bool {
        let sums = |t: &Tally| (t.playouts, t.plies, t.plies_squared, t.capped, t.stuck, t.digest);
        sums(self) == sums(other) && self.outcomes() == other.outcomes()
    }
}

/// The endings of the playouts of a run, by the key from which an engine works out their scores:
/// scores are worked out once for all playouts that ended alike, which takes as long as a short
/// playout.
#[derive(Debug)]
pub struct Outcomes<E> {
    seen: Vec<Outcome<E>>,
}

#[derive(Debug)]
struct Outcome<E> {
    end: E,
    scores: Scores,
    bits: u64,
    playouts: u64,
}

impl<E> Default for Outcomes<E> {
    fn default() -> Outcomes<E> {
        Outcomes { seen: Vec::with_capacity(COMMON) }
    }
}

impl<E> Outcomes<E> {
    /// Counts one playout that ended by the rules, given which ends are as its own, and the end and
    /// the scores for when it is the first of its kind. The tally knows of the outcomes once they
    /// are [counted](Outcomes::count).
    #[inline]
    pub fn record(
        &mut self,
        tally: &mut Tally,
        id: u64,
        plies: u32,
        is_same: impl Fn(&E) -> bool,
        first: impl FnOnce() -> (E, Scores),
    ) {
        let at = match self.seen.iter().position(|outcome| is_same(&outcome.end)) {
            Some(at) => at,
            None => {
                let (end, scores) = first();
                let bits = scores.bits();
                if self.seen.len() == COMMON {
                    *tally.rare.entry(scores).or_default() += 1;
                    return tally.add(id, plies, bits);
                }
                self.seen.push(Outcome { end, scores, bits, playouts: 0 });
                self.seen.len() - 1
            }
        };
        self.seen[at].playouts += 1;
        tally.add(id, plies, self.seen[at].bits);
    }

    /// Adds them all to the outcome counts of the tally that they were recorded in.
    pub fn count(self, tally: &mut Tally) {
        for outcome in self.seen {
            tally.count(outcome.scores, outcome.playouts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_order_or_split() {
        let ends: Vec<End> = (0..40u8)
            .map(|i| End {
                plies: u32::from(i % 7),
                ending: Ending::Over(Scores::single(i32::from(i % 13))),
            })
            .chain([
                End { plies: 9, ending: Ending::Capped },
                End { plies: 1, ending: Ending::Stuck },
            ])
            .collect();
        let mut forward = Tally::default();
        for (id, &end) in ends.iter().enumerate() {
            forward.record(id as u64, end);
        }
        let (mut left, mut right) = (Tally::default(), Tally::default());
        for (id, &end) in ends.iter().enumerate().rev() {
            if id % 3 == 0 { &mut left } else { &mut right }.record(id as u64, end);
        }
        right += &left;
        assert_eq!(forward, right);
        assert_eq!(forward.outcomes().values().sum::<u64>(), 40);
        assert_eq!((forward.capped, forward.stuck), (1, 1));
    }

    #[test]
    fn the_digest_sees_id_plies_and_scores() {
        let digest = |id, plies, scores| {
            let mut tally = Tally::default();
            tally.record(id, End { plies, ending: Ending::Over(scores) });
            tally.digest
        };
        let base = digest(1, 5, Scores::FIRST);
        assert_ne!(base, digest(2, 5, Scores::FIRST));
        assert_ne!(base, digest(1, 6, Scores::FIRST));
        assert_ne!(base, digest(1, 5, Scores::SECOND));
    }
}

//! The comparison of samples of random playouts.

use std::collections::{BTreeMap, BTreeSet};

use super::power::{Contrast, Detects, SIGMAS, contrasts};
use crate::tally::Tally;

/// The result of a comparison of two samples of random playouts, or of a sample with recorded
/// means.
#[derive(Clone, PartialEq, Debug)]
pub enum Comparison {
    /// They do not differ, and deviations of this size would have shown.
    Agrees(Detects),
    /// They differ beyond what chance explains; the text says how.
    Differs(String),
    /// They do not differ, but a difference might not have shown; the text says why.
    Unchecked(String),
}

impl Comparison {
    /// A comparison of samples that do not differ: of `playouts` playouts, of which `capped` were
    /// cut by the ply cap.
    pub fn alike(playouts: u64, capped: u64, detects: Detects) -> Comparison {
        if capped > 0 {
            return Comparison::Unchecked(format!(
                "{capped} of {playouts} playouts were cut by the ply cap; a greater cap would \
                 tell more"
            ));
        }
        Comparison::Agrees(detects)
    }

    /// The deviations that would have shown, if any.
    pub fn detects(&self) -> Option<Detects> {
        match self {
            Comparison::Agrees(detects) => Some(*detects),
            _ => None,
        }
    }

    /// The reason why it vouches for no engine, if it does not.
    pub fn weakness(&self) -> Option<String> {
        match self {
            Comparison::Agrees(detects) if detects.is_enough() => None,
            Comparison::Agrees(detects) => {
                Some(format!("too few playouts: less than {detects} might not show"))
            }
            Comparison::Unchecked(why) | Comparison::Differs(why) => Some(why.clone()),
        }
    }
}

/// Compares two independent samples of playouts under the same ply cap, by a single test.
pub fn compare(a: &Tally, b: &Tally) -> Comparison {
    compared(a, b, Detects::once)
}

/// The same, where suspicions were followed up.
pub fn compare_followed_up(a: &Tally, b: &Tally) -> Comparison {
    compared(a, b, Detects::followed_up)
}

fn compared(a: &Tally, b: &Tally, detects: fn(&[Contrast]) -> Detects) -> Comparison {
    if let Some(how) = differs(a, b) {
        return Comparison::Differs(how);
    }
    let playouts = a.playouts.min(b.playouts);
    Comparison::alike(playouts, a.capped.max(b.capped), detects(&contrasts(a, b)))
}

/// The difference between two independent tallies, if it is beyond what chance explains
/// ([`SIGMAS`]). Compares mean plies and payoffs, the shares of capped and stuck playouts, and the
/// outcomes. Samples under the same ply cap may be compared although it cut some: both are cut
/// alike.
pub fn differs(a: &Tally, b: &Tally) -> Option<String> {
    if a.playouts == 0 || b.playouts == 0 {
        return None;
    }
    let (outcomes_a, outcomes_b) = (a.outcomes(), b.outcomes());
    let outcomes = || format!("outcomes {outcomes_a:?} and {outcomes_b:?}");
    if let Some(apart) = contrasts(a, b).iter().find(|one| one.sigmas() > SIGMAS) {
        let [mean_a, mean_b] = apart.means;
        let error = apart.error;
        return Some(match apart.player {
            None => {
                format!("mean plies {mean_a:.4} and {mean_b:.4} (standard error {error:.4})")
            }
            Some(_) => outcomes(),
        });
    }
    let mut rows = side_by_side(&outcomes_a, &outcomes_b, |&n| n as f64);
    rows.extend([[a.capped, b.capped], [a.stuck, b.stuck]].map(|row| row.map(|n| n as f64)));
    let (chi, freedom) = homogeneity(rows, [a.playouts as f64, b.playouts as f64]);
    (chi_squared_sigmas(chi, freedom) > SIGMAS).then(outcomes)
}

/// True if two independent samples, counted by what was seen, differ beyond what chance explains
/// ([`SIGMAS`]). One of a sample may be shared out among several things. Fractions are not to be
/// rounded: where each of many things has little, nothing would be left of them.
pub fn unlike_counts(a: &BTreeMap<u64, f64>, b: &BTreeMap<u64, f64>) -> bool {
    let total = |counts: &BTreeMap<u64, f64>| counts.values().sum::<f64>();
    let totals = [total(a), total(b)];
    if totals.contains(&0.0) {
        return false;
    }
    let (chi, freedom) = homogeneity(side_by_side(a, b, |&n| n), totals);
    chi_squared_sigmas(chi, freedom) > SIGMAS
}

/// A row for each thing that was counted in either sample.
fn side_by_side<K: Ord, N>(
    a: &BTreeMap<K, N>,
    b: &BTreeMap<K, N>,
    number: impl Fn(&N) -> f64,
) -> Vec<[f64; 2]> {
    let keys: BTreeSet<&K> = a.keys().chain(b.keys()).collect();
    let count = |counts: &BTreeMap<K, N>, key| counts.get(key).map_or(0.0, &number);
    keys.into_iter().map(|key| [count(a, key), count(b, key)]).collect()
}

/// Playouts to be expected in each cell of a chi-squared test, at least.
const EXPECTED: f64 = 5.0;

/// The chi-squared statistic of a table of two columns, and its degrees of freedom. Rare rows are
/// put together until the test holds for them, in the order of the table: an order that hangs on
/// the counts would put those together that one of the samples has by chance.
fn homogeneity(rows: Vec<[f64; 2]>, totals: [f64; 2]) -> (f64, usize) {
    let all = totals[0] + totals[1];
    let expected = |row: &[f64; 2], side: usize| (row[0] + row[1]) * totals[side] / all;
    let is_rare = |row: &[f64; 2]| expected(row, 0).min(expected(row, 1)) < EXPECTED;
    let (rare, mut rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_rare);
    let mut together = [0.0; 2];
    for [x, y] in rare {
        together = [together[0] + x, together[1] + y];
        if !is_rare(&together) {
            rows.push(std::mem::take(&mut together));
        }
    }
    match rows.last_mut() {
        Some(last) => *last = [last[0] + together[0], last[1] + together[1]],
        None => rows.push(together),
    }
    let chi = rows
        .iter()
        .flat_map(|row| [0, 1].map(|side| (row, side)))
        .map(|(row, side)| (row[side] - expected(row, side)).powi(2) / expected(row, side))
        .sum();
    (chi, rows.len() - 1)
}

/// Turns a chi-squared statistic into standard deviations of a normal one (Wilson and Hilferty
/// 1931).
pub fn chi_squared_sigmas(chi: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return 0.0;
    }
    let k = freedom as f64;
    let v = 2.0 / (9.0 * k);
    ((chi / k).cbrt() - (1.0 - v)) / v.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::{Player, Scores};
    use crate::tally::{End, Ending};

    #[test]
    fn samples_without_power_are_no_agreement() {
        let sample = |playouts: u64, mean: u64| {
            let mut tally = Tally::default();
            for id in 0..playouts {
                let end = Ending::Over(Scores::win(Player((id % 2) as u8)));
                tally.record(id, End { plies: (mean + id % 7) as u32, ending: end });
            }
            tally
        };
        let alike = compare(&sample(20_000, 60), &sample(20_000, 60));
        assert_eq!(alike.weakness(), None);
        assert!(alike.detects().is_some_and(|detects| detects.plies < 0.01), "{alike:?}");
        let few = compare(&sample(15, 600), &sample(15, 858));
        let weakness = few.weakness().unwrap_or_default();
        assert!(weakness.starts_with("too few playouts: less than "), "{few:?}: {weakness}");
        let apart = compare(&sample(20_000, 60), &sample(20_000, 62));
        assert!(matches!(apart, Comparison::Differs(_)), "{apart:?}");
        let mut cut = sample(20_000, 60);
        cut.record(7, End { plies: 63, ending: Ending::Capped });
        let cut = compare(&cut, &sample(20_000, 60));
        assert!(matches!(cut, Comparison::Unchecked(_)), "{cut:?}");
    }

    #[test]
    fn a_rare_outcome_in_a_small_sample_is_no_difference() {
        let sample = |playouts: u64, rare: u64| {
            let mut tally = Tally::default();
            for id in 0..playouts {
                let scores = if id < rare { Scores::DRAW } else { Scores::FIRST };
                tally.record(id, End { plies: 9, ending: Ending::Over(scores) });
            }
            tally
        };
        assert_eq!(differs(&sample(5, 1), &sample(100_000, 100)), None);
        assert!(differs(&sample(1000, 500), &sample(100_000, 100)).is_some());
    }
}

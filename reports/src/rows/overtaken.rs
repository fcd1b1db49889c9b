//! Failures that later rows overtake, as where a pair that crashed was tried again.

use std::collections::BTreeSet;

use super::sample::Sample;
use super::words::Phase;

/// The rows, in order, without the failures that do not hold any more: those that may have been an
/// accident ([`Verdict::may_be_accident`](super::Verdict::may_be_accident)), and after which the
/// same column of the game has a sample or another failure.
pub fn without_overtaken<'s>(rows: impl IntoIterator<Item = &'s Sample>) -> Vec<&'s Sample> {
    let rows: Vec<&Sample> = rows.into_iter().collect();
    let mut later = BTreeSet::new();
    let mut standing: Vec<&Sample> = Vec::new();
    for row in rows.into_iter().rev() {
        let Sample { game, engine, via, threads, job, control, .. } = row;
        let column = (game, engine, via, threads, job, control);
        let is_accident = row.phase == Phase::None && row.verdict.may_be_accident();
        if !(is_accident && later.contains(&column)) {
            standing.push(row);
        }
        if row.phase != Phase::Warmup {
            later.insert(column);
        }
    }
    standing.reverse();
    standing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Verdict, Via};

    #[test]
    fn later_rows_of_the_same_column_overtake_an_accident_and_nothing_else() {
        let failure = |verdict| Sample::failure("hex", "ludeme", verdict, "why");
        let measured = |phase| Sample { phase, ..failure(Verdict::Ok) };
        let kept = |rows: &[&Sample]| -> Vec<Verdict> {
            without_overtaken(rows.iter().copied()).iter().map(|row| row.verdict).collect()
        };
        let sample = measured(Phase::Sample);
        for accident in [Verdict::Crashed, Verdict::Timeout, Verdict::TooLarge] {
            let accident = failure(accident);
            assert_eq!(kept(&[&sample, &accident]), [Verdict::Ok, accident.verdict]);
            assert_eq!(kept(&[&sample, &accident, &sample]), [Verdict::Ok; 2]);
            assert_eq!(kept(&[&accident, &failure(Verdict::Wrong)]), [Verdict::Wrong]);
            // It was begun again, and nothing came of it yet.
            let warmup = measured(Phase::Warmup);
            assert_eq!(kept(&[&accident, &warmup]), [accident.verdict, Verdict::Ok]);
            let elsewhere = Sample { via: Via::Reference, ..sample.clone() };
            assert_eq!(kept(&[&accident, &elsewhere]), [accident.verdict, Verdict::Ok]);
        }
        for decided in [Verdict::Wrong, Verdict::Disputed, Verdict::Unsupported, Verdict::Invalid] {
            assert_eq!(kept(&[&failure(decided), &sample]), [decided, Verdict::Ok]);
        }
    }
}

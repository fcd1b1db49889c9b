//! The comparison of measured samples, column against column: samples that each agree with the
//! proof of their own engine may still be of different games.

use super::attribute::{Dispute, Ruling, Vote, Voter, rule};
use super::difference::{Counterexample, Question};
use super::sums::{Sums, unlike};

/// The samples of a column of a game.
pub(crate) struct Measured<'m> {
    /// Its name in messages.
    pub(crate) name: &'m str,
    /// The lineage of its engine.
    pub(crate) lineage: &'m str,
    /// Its samples.
    pub(crate) sums: &'m Sums,
}

/// Decides of each column. Where two differ, all others side with one of them, with neither, or
/// cannot tell, and lineages vote.
pub(crate) fn judge(columns: &[Measured<'_>], cap: u32, limit: f64) -> Vec<Ruling> {
    let differ =
        |i: usize, j: usize| unlike(columns[i].sums, columns[j].sums, cap, limit).is_some();
    let mut disputes = Vec::new();
    for j in 0..columns.len() {
        for i in 0..j {
            let Some(how) = unlike(columns[i].sums, columns[j].sums, cap, limit) else { continue };
            let vote = |voter: usize| match (voter == i, voter == j) {
                (true, _) => Vote::First,
                (_, true) => Vote::Second,
                _ => match (differ(voter, i), differ(voter, j)) {
                    (false, true) => Vote::First,
                    (true, false) => Vote::Second,
                    (true, true) => Vote::Third,
                    (false, false) => Vote::Abstains,
                },
            };
            disputes.push(Dispute {
                parties: [i, j],
                how: Counterexample::bare(Question::Playouts, format!("in their samples, {how}")),
                votes: (0..columns.len()).map(vote).collect(),
            });
        }
    }
    let voters: Vec<Voter<'_>> = columns
        .iter()
        .map(|&Measured { name, lineage, .. }| Voter {
            name,
            lineage,
            plays_as: None,
            fault: None,
            vouched: false,
        })
        .collect();
    rule(&voters, &disputes)
}

#[cfg(test)]
mod tests {
    use play::{End, Ending, Scores, Tally};

    use super::*;
    use crate::verify::sums::limit;

    fn sums(playouts: u64, first: u64) -> Sums {
        let mut tally = Tally::default();
        for id in 0..playouts {
            let scores = if id % 100 < first { Scores::FIRST } else { Scores::SECOND };
            tally.record(id, End { plies: 9 + (id % 7) as u32, ending: Ending::Over(scores) });
        }
        Sums::from(&tally)
    }

    /// Columns by lineage, playouts, and how often of 100 the first player wins.
    fn decide(columns: &[(&str, u64, u64)]) -> (String, Vec<Ruling>) {
        let sums: Vec<Sums> =
            columns.iter().map(|&(_, playouts, first)| sums(playouts, first)).collect();
        let measured: Vec<Measured<'_>> = columns
            .iter()
            .zip(&sums)
            .map(|(&(name, ..), sums)| Measured { name, lineage: name, sums })
            .collect();
        let rulings = judge(&measured, 100, limit(1000));
        let letter = |ruling: &Ruling| match ruling {
            Ruling::Sound => '.',
            Ruling::Wrong(_) => 'W',
            Ruling::Disputed(_) => '?',
        };
        (rulings.iter().map(letter).collect(), rulings)
    }

    #[test]
    fn lineages_vote_on_what_was_measured() {
        let many = 100_000;
        assert_eq!(decide(&[("a", many, 50), ("b", many, 50)]).0, "..");
        let (found, rulings) = decide(&[("a", many, 50), ("b", many, 53), ("c", many, 50)]);
        assert_eq!(found, ".W.");
        let Ruling::Wrong(reason) = &rulings[1] else { panic!("{rulings:?}") };
        let words = "differs from a: in their samples, mean payoff of player 1 50.0000 ± 0.1581 \
                     of 100000 playouts and 53.0000 ± 0.1578 of 100000 playouts";
        assert!(reason.contains(words), "{reason}");
        assert_eq!(decide(&[("a", many, 50), ("b", many, 53)]).0, "??");
        // Columns of one engine have one vote.
        assert_eq!(decide(&[("a", many, 50), ("b", many, 53), ("b", many, 53)]).0, "???");
        // Who played little sides with nobody.
        assert_eq!(decide(&[("a", many, 50), ("b", many, 53), ("c", 100, 50)]).0, "??.");
    }
}

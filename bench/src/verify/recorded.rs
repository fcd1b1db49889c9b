//! Playouts beside what is recorded of a game.

use play::Tally;
use play::kit::{Comparison, Contrast, Detects, SIGMAS, payoff_range};

/// The recorded facts about a game, independent of any engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// Number of players.
    pub players: Option<u8>,
    /// Leaf counts at depth 1, 2, ...
    pub perft: Vec<u64>,
    /// Mean plies of a random playout, and the half-width within which a long run must fall.
    pub mean_plies: Option<(f64, f64)>,
    /// Mean score of each player.
    pub mean_scores: Option<Vec<f64>>,
    /// Half-width for the scores, in points.
    pub score_tolerance: f64,
}

impl Expected {
    /// The expectations of searches in the place of playouts: searches prefer good actions, so that
    /// nothing is known of their length and their payoffs.
    #[must_use]
    pub fn of_searches(&self) -> Expected {
        Expected { players: self.players, perft: self.perft.clone(), ..Expected::default() }
    }

    /// True if there is anything that an engine could fail.
    pub fn says_anything(&self) -> bool {
        !self.perft.is_empty() || self.mean_plies.is_some()
    }
}

/// Compares playouts with the recorded means, if there are any.
pub(super) fn compare(tally: &Tally, expected: &Expected) -> Option<Comparison> {
    let contrasts = contrasts(tally, expected);
    let means = tally.mean_scores();
    if let Some(recorded) = &expected.mean_scores
        && means.len() != recorded.len()
        && !means.is_empty()
    {
        return Some(Comparison::Differs(format!(
            "scores of {} players, recorded {}",
            means.len(),
            recorded.len()
        )));
    }
    if contrasts.is_empty() {
        return None;
    }
    // Recorded means are of whole playouts: a sample that the cap has cut says nothing about them.
    let apart = contrasts.iter().find(|one| one.sigmas() > SIGMAS).filter(|_| tally.capped == 0);
    Some(match apart {
        Some(apart) => Comparison::Differs(describe(apart)),
        None => {
            let detects = Detects::followed_up(&contrasts);
            Comparison::alike(tally.playouts, tally.capped, detects)
        }
    })
}

/// Playouts too few for their own spread to be trusted.
const FEW: u64 = 1000;

/// The means of playouts beside the recorded ones.
pub(super) fn contrasts(tally: &Tally, expected: &Expected) -> Vec<Contrast> {
    let mut all = Vec::new();
    let n = tally.playouts.max(1) as f64;
    if let Some((wanted, tolerance)) = expected.mean_plies {
        let (mean, error) = tally.mean_plies();
        // A rare ending that the sample happens to lack moves the mean by up to its length over the
        // number of playouts, and the sample's own spread does not know of it.
        let error = error.max(wanted / n);
        let error = if tally.playouts < 30 { error.max(0.1 * wanted) } else { error };
        let tolerance = tolerance + 1e-9;
        all.push(Contrast { player: None, means: [mean, wanted], error, tolerance, scale: wanted });
    }
    let range = payoff_range(tally);
    let recorded = expected.mean_scores.iter().flatten();
    for (player, (&(mean, error), &wanted)) in tally.mean_scores().iter().zip(recorded).enumerate()
    {
        let scale = range.max(wanted.abs());
        // Half the range for a small sample: one that happens to be even is not trusted, nor is a
        // rare payoff that it happens to lack.
        let few = tally.playouts < FEW;
        let error = error.max(if few { 0.5 * scale / n.sqrt() } else { scale / n });
        let tolerance = expected.score_tolerance;
        all.push(Contrast { player: Some(player), means: [mean, wanted], error, tolerance, scale });
    }
    all
}

fn describe(apart: &Contrast) -> String {
    let Contrast { player, means: [mean, wanted], error, tolerance, .. } = apart;
    match player {
        None => format!("mean plies {mean:.3} ± {error:.3}, recorded {wanted} ± {tolerance}"),
        Some(player) => {
            format!("mean score of player {} is {mean:.2}, recorded {wanted}", player + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use play::{End, Ending, Scores};

    use super::*;

    fn sample(playouts: u64, plies: u32, ending: Ending) -> Tally {
        let mut tally = Tally::default();
        for id in 0..playouts {
            tally.record(id, End { plies: plies + (id % 5) as u32, ending });
        }
        tally
    }

    #[test]
    fn a_recorded_mean_is_kept_missed_or_not_compared() {
        let over = Ending::Over(Scores::DRAW);
        let recorded = |plies, scores: Option<[f64; 2]>| Expected {
            mean_plies: plies,
            mean_scores: scores.map(Vec::from),
            score_tolerance: 0.5,
            ..Expected::default()
        };
        let lengths = |tally: &Tally| {
            compare(tally, &recorded(Some((102.0, 0.1)), None)).expect("it is recorded")
        };
        let scores = |tally: &Tally, scores| {
            compare(tally, &recorded(None, Some(scores))).expect("they are recorded")
        };
        assert_eq!(lengths(&sample(10_000, 100, over)).weakness(), None);
        let differs = lengths(&sample(10_000, 110, over));
        assert!(matches!(differs, Comparison::Differs(_)), "{differs:?}");
        let few = lengths(&sample(20, 110, over));
        assert!(few.detects().is_some_and(|few| few.plies > 0.4), "{few:?}");
        assert!(few.weakness().is_some(), "{few:?}");
        // Cut off, far below the recorded mean.
        let mut cut = sample(10_000, 60, over);
        cut += &sample(100, 70, Ending::Capped);
        let cut = lengths(&cut);
        assert!(matches!(cut, Comparison::Unchecked(_)), "{cut:?}");
        let few = scores(&sample(100, 9, over), [50.0, 50.0]);
        assert!(few.weakness().is_some(), "{few:?}");
        let many = sample(40_000, 9, over);
        assert_eq!(scores(&many, [50.0, 50.0]).weakness(), None);
        let differs = scores(&many, [55.0, 45.0]);
        assert!(matches!(differs, Comparison::Differs(_)), "{differs:?}");
        assert_eq!(compare(&many, &Expected::default()), None);
    }
}

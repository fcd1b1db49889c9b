//! The smallest deviation that a comparison of random playouts would have shown: its *detection
//! limit* (Currie, "Limits for qualitative detection and quantitative determination", Analytical
//! Chemistry 40, 1968).
//!
//! A comparison is a test in two steps (double sampling, Dodge and Romig 1929): means that lie
//! further apart than [`SUSPICION`] standard errors are followed up with so many more playouts that
//! both samples have [`FOLLOW_UP`] times as many, and are a fault beyond [`SIGMAS`]. Each step
//! misses a deviation of the size that it is said to detect in 2.5 % of cases, so that both
//! together find it with a probability of 95 %, on 2.6 times fewer playouts than a test in one
//! step.

use std::fmt;

use crate::tally::Tally;

/// Deviations beyond this many standard errors are faults: a false alarm in 10^8 tests or so, which
/// is corrected for the tens of thousands of comparisons that a run of many games makes.
pub const SIGMAS: f64 = 6.0;

/// Deviations beyond this many standard errors are followed up: one in 370 by chance.
pub const SUSPICION: f64 = 3.0;

/// The growth of a sample that is followed up: as much as lets the second step see what the first
/// one sees.
pub const FOLLOW_UP: f64 = {
    let ratio = (SIGMAS + CONFIDENCE) / (SUSPICION + CONFIDENCE);
    ratio * ratio
};

/// The quantile of the normal distribution that 2.5 % lie beyond.
const CONFIDENCE: f64 = 1.96;

/// A comparison that would not have shown a deviation of this share vouches for nobody.
const ENOUGH: f64 = 0.02;

/// A mean beside another one, of two samples or of a sample and what is recorded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contrast {
    /// The player whose payoff it is the mean of; `None` for the length in plies.
    pub player: Option<usize>,
    /// The two means.
    pub means: [f64; 2],
    /// The standard error of their difference.
    pub error: f64,
    /// By how much they may differ besides: the rounding of a recorded mean.
    pub tolerance: f64,
    /// The unit of deviations: the mean length, or the range of payoffs.
    pub scale: f64,
}

impl Contrast {
    /// The distance of the means in standard errors, beyond the tolerance.
    pub fn sigmas(&self) -> f64 {
        let apart = (self.means[0] - self.means[1]).abs() - self.tolerance;
        (apart / self.error.max(1e-9)).max(0.0)
    }

    /// The factor by which playouts must grow to detect a deviation of this share by a test whose
    /// suspicions are followed up; infinite if the tolerance is greater.
    pub fn factor(&self, share: f64) -> f64 {
        let room = (share * self.scale - self.tolerance).max(0.0);
        ((SUSPICION + CONFIDENCE) * self.error / room).powi(2)
    }

    /// The smallest deviation that a test beyond so many standard errors misses in 2.5 % of cases,
    /// as a share.
    fn detects(&self, sigmas: f64) -> f64 {
        (self.tolerance + (sigmas + CONFIDENCE) * self.error) / self.scale.max(1e-9)
    }
}

/// The mean lengths and payoffs of two independent samples side by side. Payoffs are those of the
/// playouts that ended by the rules; there are none where either sample has no such playout.
pub fn contrasts(a: &Tally, b: &Tally) -> Vec<Contrast> {
    if a.playouts == 0 || b.playouts == 0 {
        return Vec::new();
    }
    let mut both = a.clone();
    both += b;
    let plies = both.mean_plies();
    let means = [a, b].map(Tally::mean_plies);
    let counts = [a.playouts, b.playouts];
    let scale = means[0].0.max(means[1].0);
    let mut all = vec![contrast(None, means, counts, (plies.1, both.playouts), scale)];
    let ended = |tally: &Tally| tally.playouts - tally.capped - tally.stuck;
    let counts = [ended(a), ended(b)];
    if counts.contains(&0) {
        return all;
    }
    let scale = payoff_range(&both);
    let payoffs = a.mean_scores().into_iter().zip(b.mean_scores()).zip(both.mean_scores());
    for (player, ((x, y), pooled)) in payoffs.enumerate() {
        all.push(contrast(Some(player), [x, y], counts, (pooled.1, ended(&both)), scale));
    }
    all
}

/// Two means, each with its standard error and of so many playouts; `pooled` is the standard error
/// of both samples together. A sample that happens to be even is not trusted, since a rare payoff
/// makes most of a spread: were both of one distribution, it would show best in both together.
fn contrast(
    player: Option<usize>,
    means: [(f64, f64); 2],
    counts: [u64; 2],
    pooled: (f64, u64),
    scale: f64,
) -> Contrast {
    let spread = pooled.0 * (pooled.1 as f64).sqrt();
    let error = |side: usize| {
        let n = counts[side] as f64;
        // What both samples happen to lack may come once in the next.
        means[side].1.max(spread / n.sqrt()).max(scale / n)
    };
    let error = error(0).hypot(error(1));
    Contrast { player, means: means.map(|(mean, _)| mean), error, tolerance: 0.0, scale }
}

/// The greatest payoff of a sample less the smallest; 1 where all are alike.
pub fn payoff_range(tally: &Tally) -> f64 {
    let outcomes = tally.outcomes();
    let payoffs = || outcomes.keys().flat_map(|scores| scores.iter()).map(f64::from);
    let (least, most) =
        payoffs().fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(x), most.max(x)));
    (most - least).max(1.0)
}

/// The smallest deviations that a comparison would have found with a probability of 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Detects {
    /// Of the mean length, as a share of it.
    pub plies: f64,
    /// Of the mean payoff of any player, as a share of the range of payoffs; infinite where no
    /// payoffs were compared.
    pub payoffs: f64,
}

impl Detects {
    /// The deviations that a single test beyond [`SIGMAS`] detects.
    pub fn once(contrasts: &[Contrast]) -> Detects {
        Detects::beyond(contrasts, SIGMAS)
    }

    /// The deviations that a test detects whose suspicions were followed up. If a contrast is still
    /// suspicious, it was not followed up far enough.
    pub fn followed_up(contrasts: &[Contrast]) -> Detects {
        Detects::beyond(contrasts, if is_suspicious(contrasts) { SIGMAS } else { SUSPICION })
    }

    fn beyond(contrasts: &[Contrast], sigmas: f64) -> Detects {
        let worst = |of_plies: bool| {
            let own = contrasts.iter().filter(|one| one.player.is_none() == of_plies);
            own.map(|one| one.detects(sigmas)).reduce(f64::max).unwrap_or(f64::INFINITY)
        };
        Detects { plies: worst(true), payoffs: worst(false) }
    }

    /// The greater of the two shares.
    pub fn worst(self) -> f64 {
        self.plies.max(self.payoffs)
    }

    /// True if what has agreed so vouches for anything: a deviation of 2 % of either would have
    /// shown.
    pub fn is_enough(self) -> bool {
        self.plies.min(self.payoffs) <= ENOUGH
    }
}

impl fmt::Display for Detects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of mean plies", percent(self.plies))?;
        if self.payoffs.is_finite() {
            write!(f, ", {} of payoffs", percent(self.payoffs))?;
        }
        Ok(())
    }
}

/// A share in per cent, with two digits.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = (1.0 - percent.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{percent:.digits$} %")
}

/// True if means lie so far apart that more playouts must tell.
pub fn is_suspicious(contrasts: &[Contrast]) -> bool {
    contrasts.iter().any(|one| one.sigmas() > SUSPICION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::scores::Scores;
    use crate::{End, Ending};

    /// Playouts of a made-up game for two: it ends at each ply after the tenth with a probability
    /// of a tenth, `late` plies of 1,000 playouts later than it should, and the first player wins
    /// `wins` of 1,000.
    fn play(tally: &mut Tally, until: u64, stream: u64, (late, wins): (u32, u32)) {
        for id in tally.playouts..until {
            let mut rng = Rng::stream(stream, id);
            let mut plies = 10 + late / 1000 + u32::from(rng.below(1000) < late % 1000);
            while rng.below(10) > 0 {
                plies += 1;
            }
            let first = rng.below(1000) < wins;
            let scores = if first { Scores::FIRST } else { Scores::SECOND };
            tally.record(id, End { plies, ending: Ending::Over(scores) });
        }
    }

    /// True if a comparison in two steps finds that two ways of playing differ.
    fn is_found(playouts: u64, stream: u64, ways: [(u32, u32); 2]) -> bool {
        let [mut a, mut b] = [Tally::default(), Tally::default()];
        for until in [playouts, (playouts as f64 * FOLLOW_UP).ceil() as u64] {
            play(&mut a, until, 2 * stream, ways[0]);
            play(&mut b, until, 2 * stream + 1, ways[1]);
            let contrasts = contrasts(&a, &b);
            if contrasts.iter().any(|one| one.sigmas() > SIGMAS) {
                return true;
            }
            if !is_suspicious(&contrasts) {
                return false;
            }
        }
        false
    }

    fn detects(playouts: u64, ways: [(u32, u32); 2]) -> Detects {
        let [mut a, mut b] = [Tally::default(), Tally::default()];
        play(&mut a, playouts, 1 << 40, ways[0]);
        play(&mut b, playouts, 1 << 41, ways[1]);
        Detects::beyond(&contrasts(&a, &b), SUSPICION)
    }

    #[test]
    fn what_is_said_to_be_detected_is_found_in_95_of_100_cases() {
        const RUNS: u64 = 200;
        let found = |ways| (0..RUNS).filter(|&run| is_found(4000, run, ways)).count() as u64;
        // A mean of 19 plies.
        let said = detects(4000, [(0, 500); 2]);
        let late = |share: f64| (19_000.0 * share).round() as u32;
        let wins = |share: f64| 500 + (1000.0 * share).round() as u32;
        let plies = found([(0, 500), (late(said.plies), 500)]);
        let payoffs = found([(0, 500), (0, wins(said.payoffs))]);
        for found in [plies, payoffs] {
            assert!((RUNS * 9 / 10..RUNS).contains(&found), "{found} of {RUNS}, {said}");
        }
        // Half of that is found seldom, and what is alike never.
        let half = found([(0, 500), (0, wins(said.payoffs / 2.0))]);
        assert!(half < RUNS / 4, "{half} of {RUNS}");
        assert_eq!(found([(0, 500); 2]), 0);
    }

    #[test]
    fn more_playouts_detect_less_and_two_steps_less_than_one() {
        let [few, many] = [2000, 32_000].map(|n| detects(n, [(0, 500); 2]));
        assert!((3.5..4.5).contains(&(few.plies / many.plies)), "{few} and {many}");
        assert!((3.5..4.5).contains(&(few.payoffs / many.payoffs)), "{few} and {many}");
        assert!(!few.is_enough() && many.is_enough(), "{few} and {many}");
        let one = Contrast {
            player: None,
            means: [100.0, 100.5],
            error: 0.1,
            tolerance: 0.0,
            scale: 100.0,
        };
        assert!(is_suspicious(&[one]));
        let calm = Contrast { means: [100.0, 100.2], ..one };
        let once = Detects::once(&[calm]).plies;
        assert!((once - 0.00796).abs() < 1e-9, "{once}");
        assert!((Detects::followed_up(&[calm]).plies - 0.00496).abs() < 1e-9);
        let left = Detects::followed_up(&[one]).plies;
        assert!((left - once).abs() < 1e-9, "a suspicion that is left: {left}");
        let recorded = Contrast { tolerance: 0.4, ..calm };
        assert!((Detects::once(&[recorded]).plies - 0.01196).abs() < 1e-9);
        assert!(recorded.sigmas() < 1e-9, "{}", recorded.sigmas());
        // Half of what is detected now, by four times as many playouts.
        assert!((calm.factor(0.00248) - 4.0).abs() < 1e-9, "{}", calm.factor(0.00248));
        assert!(recorded.factor(0.004).is_infinite(), "{}", recorded.factor(0.004));
        assert!(Detects::once(&[]).worst().is_infinite());
    }

    #[test]
    fn samples_that_vary_in_nothing_detect_what_one_playout_would_show() {
        let mut even = Tally::default();
        for id in 0..10_000 {
            even.record(id, End { plies: 60, ending: Ending::Over(Scores::single(0)) });
        }
        let said = Detects::followed_up(&contrasts(&even, &even));
        assert!((0.0005..0.001).contains(&said.plies), "{said}");
        assert!((0.0005..0.001).contains(&said.payoffs), "{said}");
        let shown = Detects { plies: 0.0041, payoffs: 0.123 }.to_string();
        assert_eq!(shown, "0.41 % of mean plies, 12 % of payoffs");
    }
}

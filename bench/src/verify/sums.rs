//! Sums of playouts, and whether two of them may be of one distribution.
//!
//! The probability that chance explains a difference is bounded rather than approximated, since
//! what is at stake are deviations of seven standard errors in samples of any size. Counts, and
//! squares of lengths under the ply cap, are means of numbers between 0 and 1: if both samples are
//! of one distribution, either is drawn from both together without putting back, and such a mean
//! keeps within Chernoff's bound (Hoeffding 1963, theorems 1 and 4). Lengths and payoffs have no
//! useful range; their means keep within Bernstein's bound, with the greater of the spread of both
//! together and of their own spreads. The former holds where a sample lacks what is rare, the
//! latter where it has it: k rare lengths add k to a sum whose own spread is at least the root of k
//! then (as in Student's ratio, Efron 1969).

use std::collections::{BTreeMap, BTreeSet};

use play::{Scores, Tally};
use reports::{Payoff, Sample};

/// Probability of a false alarm among all comparisons of a run.
const FALSE_ALARM: f64 = 1e-6;

/// The sums of the playouts of one column.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    playouts: u64,
    plies: u128,
    plies_squared: u128,
    capped: u64,
    stuck: u64,
    payoffs: Vec<Payoff>,
    /// The number of playouts that ended with each vector of scores, of so many playouts: rows do
    /// not tell.
    outcomes: BTreeMap<Scores, u64>,
    told: u64,
}

/// Natural logarithm of the probability below which one of so many comparisons is an alarm
/// (Bonferroni).
pub fn limit(comparisons: u64) -> f64 {
    (FALSE_ALARM / comparisons.max(1) as f64).ln()
}

impl From<&Tally> for Sums {
    fn from(tally: &Tally) -> Sums {
        let outcomes = tally.outcomes();
        let players = outcomes.keys().map(|scores| scores.players()).max().unwrap_or(0);
        let mut payoffs = vec![Payoff::default(); players];
        for (scores, &n) in &outcomes {
            for (payoff, score) in payoffs.iter_mut().zip(scores.iter()) {
                let (score, n) = (i128::from(score), u128::from(n));
                payoff.playouts += n as u64;
                payoff.sum += score * n as i128;
                payoff.squares += (score * score) as u128 * n;
            }
        }
        Sums {
            playouts: tally.playouts,
            plies: tally.plies.into(),
            plies_squared: tally.plies_squared.into(),
            capped: tally.capped,
            stuck: tally.stuck,
            payoffs,
            outcomes,
            told: tally.playouts,
        }
    }
}

impl Sums {
    /// The sums in a row; `None` if it lacks one.
    pub fn of_row(row: &Sample) -> Option<Sums> {
        Some(Sums {
            playouts: row.playouts,
            plies: row.plies.into(),
            plies_squared: row.plies_squared?.into(),
            capped: row.capped,
            stuck: row.stuck,
            payoffs: row.payoffs.clone(),
            ..Sums::default()
        })
    }

    /// Playouts that were summed up.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Adds more playouts.
    pub fn add(&mut self, other: &Sums) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.plies_squared += other.plies_squared;
        self.capped += other.capped;
        self.stuck += other.stuck;
        self.told += other.told;
        let players = self.payoffs.len().max(other.payoffs.len());
        self.payoffs.resize(players, Payoff::default());
        for (payoff, more) in self.payoffs.iter_mut().zip(&other.payoffs) {
            payoff.playouts += more.playouts;
            payoff.sum += more.sum;
            payoff.squares += more.squares;
        }
        for (scores, n) in &other.outcomes {
            *self.outcomes.entry(*scores).or_default() += n;
        }
    }

    fn lengths(&self) -> Mean {
        let (sum, squares) = (self.plies as f64, self.plies_squared as f64);
        Mean { n: self.playouts as f64, sum, squares }
    }

    fn payoff(&self, player: usize) -> Mean {
        let payoff = self.payoffs.get(player).copied().unwrap_or_default();
        let (sum, squares) = (payoff.sum as f64, payoff.squares as f64);
        Mean { n: payoff.playouts as f64, sum, squares }
    }
}

/// The difference between two samples under the same ply cap, if it is beyond what chance explains
/// with a probability of this logarithm: the figures of both in a sentence.
pub(crate) fn unlike(a: &Sums, b: &Sums, cap: u32, limit: f64) -> Option<String> {
    let features = features(a, b, cap);
    let limit = limit - (features.len() as f64).ln();
    let found = features.iter().find(|feature| feature.log_probability() < limit)?;
    Some(found.in_words())
}

/// Something that is compared of two samples.
struct Feature {
    name: String,
    both: [Mean; 2],
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A mean of numbers of any size.
    Free,
    /// A share of the playouts.
    Share,
    /// A mean of numbers, as shares of this.
    Of(f64),
}

fn features(a: &Sums, b: &Sums, cap: u32) -> Vec<Feature> {
    let both = |mean: &dyn Fn(&Sums) -> Mean| [mean(a), mean(b)];
    let count = |n: u64, of: u64| Mean { n: of as f64, sum: n as f64, squares: n as f64 };
    let mut all = vec![
        Feature { name: "mean plies".to_owned(), both: both(&Sums::lengths), kind: Kind::Free },
        Feature {
            name: "capped playouts".to_owned(),
            both: both(&|s| count(s.capped, s.playouts)),
            kind: Kind::Share,
        },
        Feature {
            name: "stuck playouts".to_owned(),
            both: both(&|s| count(s.stuck, s.playouts)),
            kind: Kind::Share,
        },
        Feature {
            name: "mean square of plies".to_owned(),
            both: both(&|s| Mean { sum: s.plies_squared as f64, ..s.lengths() }),
            kind: Kind::Of(f64::from(cap).powi(2).max(1.0)),
        },
    ];
    let players = a.payoffs.len().max(b.payoffs.len());
    all.extend((0..players).map(|player| Feature {
        name: format!("mean payoff of player {}", player + 1),
        both: both(&|s| s.payoff(player)),
        kind: Kind::Free,
    }));
    let outcomes: BTreeSet<&Scores> = a.outcomes.keys().chain(b.outcomes.keys()).collect();
    all.extend(outcomes.into_iter().map(|scores| Feature {
        name: format!("playouts that end {scores}"),
        both: both(&|s| count(s.outcomes.get(scores).copied().unwrap_or(0), s.told)),
        kind: Kind::Share,
    }));
    all
}

impl Feature {
    /// Natural logarithm of an upper bound of the probability that the two differ so much, if they
    /// are of one distribution.
    fn log_probability(&self) -> f64 {
        let [a, b] = &self.both;
        match self.kind {
            Kind::Free => bernstein(a, b),
            Kind::Share => chernoff(a, b, 1.0),
            Kind::Of(scale) => chernoff(a, b, scale),
        }
    }

    fn in_words(&self) -> String {
        let [a, b] = self.both.each_ref().map(|mean| match self.kind {
            Kind::Share => format!("{:.3} ± {:.3} %", 100.0 * mean.mean(), 100.0 * mean.error()),
            Kind::Free => format!("{:.4} ± {:.4}", mean.mean(), mean.error()),
            Kind::Of(_) => format!("{:.1}", mean.mean()),
        });
        let [m, n] = self.both.each_ref().map(|mean| mean.n);
        format!("{} {a} of {m} playouts and {b} of {n} playouts", self.name)
    }
}

/// A mean of n numbers.
#[derive(Clone, Copy)]
struct Mean {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn mean(&self) -> f64 {
        self.sum / self.n.max(1.0)
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        // What is lost in the difference of two large numbers is no spread.
        (self.squares / self.n.max(1.0) - mean * mean).max(1e-14 * mean * mean)
    }

    fn error(&self) -> f64 {
        (self.variance() / self.n.max(1.0)).sqrt()
    }

    fn and(&self, other: &Mean) -> Mean {
        Mean {
            n: self.n + other.n,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }
}

/// The variance of the difference of two means of one distribution, and how much a single number
/// may add to it beyond what a normal distribution knows.
fn spread(a: &Mean, b: &Mean) -> (f64, f64) {
    let pooled = a.and(b).variance();
    let own = a.variance() / a.n + b.variance() / b.n;
    let variance = own.max(pooled * (1.0 / a.n + 1.0 / b.n));
    let one = pooled.max(a.variance()).max(b.variance()).sqrt();
    // Bernstein's bound holds for moments of the exponential distribution with a third of the
    // greatest deviation, or the standard deviation, in this place.
    (variance, one / a.n.min(b.n))
}

fn bernstein(a: &Mean, b: &Mean) -> f64 {
    let apart = (a.mean() - b.mean()).abs();
    if a.n == 0.0 || b.n == 0.0 || apart <= 1e-9 * a.mean().abs().max(b.mean().abs()) {
        return 0.0;
    }
    let (variance, one) = spread(a, b);
    std::f64::consts::LN_2 - apart * apart / (2.0 * (variance + one * apart))
}

fn chernoff(a: &Mean, b: &Mean, scale: f64) -> f64 {
    if a.n == 0.0 || b.n == 0.0 {
        return 0.0;
    }
    let pooled = a.and(b).mean() / scale;
    let exponent = |own: &Mean| own.n * divergence(own.mean() / scale, pooled);
    std::f64::consts::LN_2 - exponent(a).max(exponent(b))
}

/// The divergence of a share of so many cases from the probability of one (Kullback and Leibler
/// 1951), in nats: the exponent of Chernoff's bound for each case.
pub(super) fn divergence(share: f64, probability: f64) -> f64 {
    let term = |x: f64, y: f64| if x > 0.0 { x * (x / y).ln() } else { 0.0 };
    term(share, probability) + term(1.0 - share, 1.0 - probability)
}

#[cfg(test)]
mod tests {
    use play::{End, Ending, Rng};

    use super::*;

    /// Playouts whose lengths and endings are drawn so.
    fn drawn(playouts: u64, seed: u64, draw: impl Fn(&mut Rng) -> (u32, Ending)) -> Sums {
        let mut tally = Tally::default();
        for id in 0..playouts {
            let (plies, ending) = draw(&mut Rng::stream(seed, id));
            tally.record(id, End { plies, ending });
        }
        Sums::from(&tally)
    }

    const CAP: u32 = 10_000;

    fn win(first: bool) -> Ending {
        Ending::Over(if first { Scores::FIRST } else { Scores::SECOND })
    }

    /// Lengths with a long tail: most are short, one in so many goes on to the cap or near it.
    fn heavy(rng: &mut Rng, one_in: u32) -> (u32, Ending) {
        match rng.below(one_in) {
            0 if rng.below(2) == 0 => (CAP, Ending::Capped),
            0 => (CAP / 2 + rng.below(CAP / 2), win(false)),
            _ => (5 + rng.below(40), win(rng.below(3) > 0)),
        }
    }

    #[test]
    fn samples_of_one_distribution_raise_no_alarm() {
        // A thousand times as many alarms as in a run.
        let limit = (1e-3f64 / 1000.0).ln();
        for one_in in [3, 100, 3000, 100_000] {
            let proof = drawn(60_000, 1, |rng| heavy(rng, one_in));
            for (number, playouts) in [1, 2, 3, 10, 40, 300, 3000].into_iter().enumerate() {
                for seed in 0..60 {
                    let seed = 2 + seed * 10 + number as u64;
                    let sample = drawn(playouts, seed, |rng| heavy(rng, one_in));
                    assert_eq!(unlike(&sample, &proof, CAP, limit), None, "{one_in} {playouts}");
                }
            }
        }
    }

    #[test]
    fn what_differs_is_found_and_said() {
        let limit = limit(2000);
        let draw = |rng: &mut Rng| (40 + rng.below(21), win(rng.below(100) < 55));
        let proof = drawn(20_000, 1, draw);
        let found = |sample: &Sums, words: &str| {
            let how = unlike(sample, &proof, CAP, limit).unwrap_or_default();
            assert!(how.contains(words), "{words}: {how}");
        };
        found(&drawn(20_000, 2, |rng| (draw(rng).0 - 1, draw(rng).1)), "mean plies 49.0");
        found(&drawn(20_000, 3, |rng| (draw(rng).0, win(rng.below(100) < 50))), "mean payoff");
        // A mean that is kept, in few playouts: all end at once, in a draw; nobody wins.
        found(
            &drawn(300, 4, |_| (50, Ending::Over(Scores::DRAW))),
            "playouts that end 0/100 0.000 ",
        );
        let cut = |rng: &mut Rng| match rng.below(50) {
            0 => (40 + rng.below(21), Ending::Capped),
            _ => draw(rng),
        };
        found(&drawn(20_000, 5, cut), "capped playouts 1.995 ");
        assert_eq!(unlike(&drawn(20_000, 6, draw), &proof, CAP, limit), None);
    }

    #[test]
    fn squares_are_compared_under_the_cap() {
        let draw = |rng: &mut Rng| (40 + rng.below(21), win(true));
        let spread = |rng: &mut Rng| (20 + 60 * rng.below(2), win(true));
        let [one, other] = [drawn(40_000, 1, draw), drawn(40_000, 2, spread)];
        let how = unlike(&one, &other, 100, limit(2000)).unwrap_or_default();
        assert!(how.contains("mean square of plies"), "{how}");
    }

    #[test]
    fn rows_tell_what_tallies_do_but_for_the_outcomes() {
        let draw = |rng: &mut Rng| heavy(rng, 10);
        let whole = drawn(3000, 7, draw);
        let row = Sample {
            playouts: whole.playouts,
            plies: whole.plies as u64,
            plies_squared: Some(whole.plies_squared as u64),
            capped: whole.capped,
            payoffs: whole.payoffs.clone(),
            ..Sample::failure("game", "engine", reports::Verdict::Ok, "")
        };
        let mut sums = Sums::of_row(&row).expect("it has squares");
        assert_eq!(unlike(&sums, &whole, CAP, limit(2000)), None);
        sums.add(&drawn(9000, 8, draw));
        assert_eq!((sums.playouts(), sums.told), (12_000, 9000));
        assert_eq!(unlike(&sums, &whole, CAP, limit(2000)), None);
        assert!(Sums::of_row(&Sample { plies_squared: None, ..row }).is_none());
    }
}

//! Figures of a game, made of what was seen in random games of it.

use reports::stats::{Estimate, Interval, Mean, Z, mean_between_batches, wilson};
use serde::Serialize;

use super::sample::{Ended, Played, Sampled};

/// Figures of a game. Intervals are of 95 %; what does not apply is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The games that they are made of.
    pub games: u64,
    /// Lengths in plies.
    pub plies: Spread,
    /// Legal actions at a ply, in the mean over all plies.
    pub actions: Option<Estimate>,
    /// The same over the plies at which there is a choice.
    pub actions_of_choices: Option<Estimate>,
    /// The greatest number of legal actions.
    pub most_actions: u32,
    /// The share of plies at which there is a choice.
    pub choices: Option<Estimate>,
    /// The ends of the games.
    pub ends: Ends,
    /// The mean payoff of each player in games that were over.
    pub payoffs: Vec<Estimate>,
    /// The share of variance of the first player's payoff that comes from the draws of chance,
    /// whatever the players do: the first-order index of Sobol (1993), by pairs of games with the
    /// same chance.
    pub luck: Option<Estimate>,
    /// How often the lead changes in a game. Playouts from a position tell who leads there.
    pub lead_changes: Option<Estimate>,
    /// The decimal logarithm of the number of ways to play through the choices of a game, in the
    /// mean over games.
    pub log_tree: Estimate,
    /// The decimal logarithm of Knuth's estimate (1975) of the leaves of the tree: the mean of that
    /// number, which few games carry.
    pub log_leaves: f64,
    /// Different positions that were seen.
    pub positions_seen: u64,
    /// A lower bound of the number of positions that random games reach, from how many were seen
    /// once and twice (Chao 1984, with the interval of Chao 1987). `None` where none was looked at.
    pub positions: Option<Estimate>,
}

/// Lengths of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: Estimate,
    /// The standard deviation.
    pub deviation: f64,
    /// The least, the quantiles of 5 %, 50 % and 95 %, and the greatest.
    pub quantiles: [u32; 5],
    /// A histogram of at most 16 bins, all of one width.
    pub bins: Vec<Bin>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Its least value.
    pub from: u32,
    /// Its greatest value.
    pub to: u32,
    /// How many values lie in it.
    pub count: u64,
}

/// Most bins of a histogram.
pub(super) const BINS: u32 = 16;

/// The ends of games, as shares of all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// Over by the rules.
    pub over: Estimate,
    /// Over with the same payoff for all players, of several.
    pub drawn: Option<Estimate>,
    /// Over with a payoff for the first player above that of each other one.
    pub first_wins: Option<Estimate>,
    /// Given up at the ply cap.
    pub capped: Estimate,
    /// Without legal actions, and not over by the rules.
    pub stuck: Estimate,
}

impl Figures {
    /// The figures of what was seen; `None` where no game was played.
    pub fn of(sampled: &Sampled) -> Option<Figures> {
        let games = &sampled.games;
        let mut lengths: Vec<u32> = games.iter().map(|game| game.plies).collect();
        lengths.sort_unstable();
        let (least, greatest) = (*lengths.first()?, *lengths.last()?);
        let quantile = |share: f64| lengths[((lengths.len() - 1) as f64 * share).round() as usize];
        let each = |of: &dyn Fn(&Played) -> f64| games.iter().map(of).collect::<Vec<f64>>();
        let plies = each(&|game| f64::from(game.plies));
        let chosen = |game: &Played| game.actions - u64::from(game.plies - game.choices);
        let logs = each(&|game| game.log_actions);
        Some(Figures {
            games: games.len() as u64,
            plies: Spread {
                mean: mean(&plies)?,
                deviation: variance(&plies).sqrt(),
                quantiles: [least, quantile(0.05), quantile(0.5), quantile(0.95), greatest],
                bins: bins(&lengths, least, greatest),
            },
            actions: ratio(games, |game| game.actions, |game| game.plies),
            actions_of_choices: ratio(games, chosen, |game| game.choices),
            most_actions: games.iter().map(|game| game.most).max()?,
            choices: ratio(games, |game| game.choices.into(), |game| game.plies),
            ends: Ends::of(sampled),
            payoffs: payoffs(sampled),
            luck: luck(&sampled.twins),
            lead_changes: mean(&each_of(&sampled.lead_changes)).map(not_negative),
            log_tree: mean(&logs)?,
            log_leaves: log_mean(&logs),
            positions_seen: sampled.seen.iter().map(|(_, positions)| positions).sum(),
            positions: chao(&sampled.seen),
        })
    }
}

impl Ends {
    fn of(sampled: &Sampled) -> Ends {
        let games = &sampled.games;
        let share_of = |is: &dyn Fn(&Played) -> bool| {
            share(games.iter().filter(|game| is(game)).count(), games.len())
        };
        let several = |estimate| (sampled.players > 1).then_some(estimate);
        let is_drawn = |game: &Played| {
            game.ended == Ended::Over && game.scores.windows(2).all(|two| two[0] == two[1])
        };
        let is_won = |game: &Played| {
            let [first, others @ ..] = &game.scores[..] else { return false };
            others.iter().all(|other| other < first)
        };
        Ends {
            over: share_of(&|game| game.ended == Ended::Over),
            drawn: several(share_of(&is_drawn)),
            first_wins: several(share_of(&is_won)),
            capped: share_of(&|game| game.ended == Ended::Capped),
            stuck: share_of(&|game| game.ended == Ended::Stuck),
        }
    }
}

/// The histogram of sorted values.
fn bins(values: &[u32], least: u32, greatest: u32) -> Vec<Bin> {
    let width = (greatest - least) / BINS + 1;
    let below = |end: u64| values.partition_point(|&value| u64::from(value) < end) as u64;
    (least..=greatest)
        .step_by(width as usize)
        .map(|from| {
            let end = u64::from(from) + u64::from(width);
            Bin { from, to: (end - 1) as u32, count: below(end) - below(from.into()) }
        })
        .collect()
}

fn payoffs(sampled: &Sampled) -> Vec<Estimate> {
    let of = |player: usize| {
        let games = sampled.games.iter();
        let all: Vec<f64> =
            games.filter_map(|game| game.scores.get(player).copied().map(f64::from)).collect();
        mean(&all)
    };
    (0..sampled.players.into()).map_while(of).collect()
}

fn each_of(numbers: &[u32]) -> Vec<f64> {
    numbers.iter().copied().map(f64::from).collect()
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance; 0 of a single value.
fn variance(values: &[f64]) -> f64 {
    let middle = average(values);
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    squares / (values.len() as f64 - 1.0).max(1.0)
}

/// The mean of independent values; without an interval if there is only one.
fn mean(values: &[f64]) -> Option<Estimate> {
    let count = values.len() as f64;
    let error = (values.len() > 1).then(|| (variance(values) / count).sqrt());
    (!values.is_empty()).then(|| Mean { value: average(values), error }.estimate())
}

/// An estimate of what is never below 0.
fn not_negative(Estimate { value, interval }: Estimate) -> Estimate {
    let bounded = |Interval { low, high }| Interval { low: f64::max(low, 0.0), high };
    Estimate { value, interval: interval.map(bounded) }
}

/// The ratio of two sums over the same games.
fn ratio(
    games: &[Played],
    above: impl Fn(&Played) -> u64,
    below: impl Fn(&Played) -> u32,
) -> Option<Estimate> {
    let batches: Vec<(u64, u64)> =
        games.iter().map(|game| (below(game).into(), above(game))).collect();
    mean_between_batches(&batches).map(Mean::estimate)
}

/// A share of so many.
fn share(count: usize, of: usize) -> Estimate {
    let value = count as f64 / of as f64;
    Estimate { value, interval: Some(wilson(value, of as f64)) }
}

/// The correlation of payoffs in pairs that chance alone has in common, between 0 and 1, with the
/// interval of Fisher (1921) for pairs whose order means nothing.
fn luck(twins: &[(i32, i32)]) -> Option<Estimate> {
    let pairs: Vec<(f64, f64)> =
        twins.iter().map(|&(one, other)| (one.into(), other.into())).collect();
    if pairs.len() < 8 {
        return None;
    }
    let all: Vec<f64> = pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
    let middle = average(&all);
    let total: f64 = all.iter().map(|value| (value - middle).powi(2)).sum();
    if total == 0.0 {
        return None;
    }
    let common: f64 = pairs.iter().map(|(one, other)| (one - middle) * (other - middle)).sum();
    let correlation = (2.0 * common / total).clamp(-0.999_999, 0.999_999);
    let (turned, half) = (correlation.atanh(), Z / (pairs.len() as f64 - 1.5).sqrt());
    let bounded = |value: f64| value.clamp(0.0, 1.0);
    let [low, high] = [turned - half, turned + half].map(|end| bounded(end.tanh()));
    Some(Estimate { value: bounded(correlation), interval: Some(Interval { low, high }) })
}

/// The decimal logarithm of the mean of numbers that are given by theirs.
fn log_mean(logs: &[f64]) -> f64 {
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| 10f64.powf(log - greatest)).sum();
    greatest + (sum / logs.len() as f64).log10()
}

/// A lower bound of the number of kinds, by how many were seen how often.
fn chao(seen: &[(u64, u64)]) -> Option<Estimate> {
    let of = |wanted: u64| {
        let found = seen.iter().find(|(times, _)| *times == wanted);
        found.map_or(0.0, |&(_, kinds)| kinds as f64)
    };
    let kinds: f64 = seen.iter().map(|&(_, kinds)| kinds as f64).sum();
    if kinds == 0.0 {
        return None;
    }
    let (once, twice) = (of(1), of(2));
    let (unseen, variance) = if twice > 0.0 {
        let ratio = once / twice;
        let powers = ratio.powi(2) / 2.0 + ratio.powi(3) + ratio.powi(4) / 4.0;
        (once * ratio / 2.0, twice * powers)
    } else {
        // The form without bias, for samples without doubles.
        let unseen = once * (once - 1.0) / 2.0;
        let value = kinds + unseen;
        let squares = once * (2.0 * once - 1.0).powi(2) / 4.0;
        (unseen, (unseen + squares - once.powi(4) / (4.0 * value)).max(0.0))
    };
    let spread = (Z * (1.0 + variance / unseen.powi(2)).ln().sqrt()).exp();
    let interval = if unseen > 0.0 {
        Interval { low: kinds + unseen / spread, high: kinds + unseen * spread }
    } else {
        Interval { low: kinds, high: kinds }
    };
    Some(Estimate { value: kinds + unseen, interval: Some(interval) })
}

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::*;

    fn is_near(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 1e-6 * expected.abs().max(1.0)
    }

    fn game(plies: u32, scores: [i32; 2]) -> Played {
        Played {
            plies,
            choices: plies / 2,
            actions: u64::from(plies) * 3,
            log_actions: f64::from(plies),
            most: plies,
            ended: Ended::Over,
            scores: scores.into(),
        }
    }

    #[test]
    fn figures_are_those_of_the_games() {
        let games = vec![game(2, [100, 0]), game(4, [50, 50]), game(6, [0, 100])];
        let sampled = Sampled { players: 2, games, ..Sampled::default() };
        let figures = Figures::of(&sampled).unwrap();
        assert!(is_near(figures.plies.mean.value, 4.0) && is_near(figures.plies.deviation, 2.0));
        assert_eq!(figures.plies.quantiles, [2, 2, 4, 6, 6]);
        let bin = |length, count| Bin { from: length, to: length, count };
        assert_eq!(figures.plies.bins, [bin(2, 1), bin(3, 0), bin(4, 1), bin(5, 0), bin(6, 1)]);
        assert!(is_near(figures.actions.unwrap().value, 3.0));
        // Of 36 actions six are forced, and six plies are choices.
        assert!(is_near(figures.actions_of_choices.unwrap().value, 5.0));
        assert!(is_near(figures.choices.unwrap().value, 0.5));
        assert!(is_near(figures.ends.drawn.unwrap().value, 1.0 / 3.0));
        assert!(is_near(figures.ends.first_wins.unwrap().value, 1.0 / 3.0));
        assert_eq!((figures.payoffs.len(), figures.most_actions), (2, 6));
        assert!(is_near(figures.log_tree.value, 4.0));
        // (10^2 + 10^4 + 10^6) / 3.
        assert!(is_near(figures.log_leaves, (1_010_100f64 / 3.0).log10()));
        assert_eq!((figures.luck, figures.lead_changes, figures.positions), (None, None, None));
        let changes = Figures::of(&Sampled { lead_changes: vec![0, 0, 1], ..sampled }).unwrap();
        let changes = changes.lead_changes.unwrap();
        assert!(changes.low() == 0.0 && changes.high() > 0.9, "{changes:?}");
        assert_eq!(Figures::of(&Sampled::default()), None);
    }

    #[test]
    fn luck_is_the_correlation_of_twins() {
        let alike: Vec<(i32, i32)> = (0..64).map(|i| (i % 2, i % 2)).collect();
        assert!(luck(&alike).unwrap().value > 0.99);
        let free: Vec<(i32, i32)> = (0..64).map(|i| (i % 2, i / 2 % 2)).collect();
        let free = luck(&free).unwrap();
        assert!(is_near(free.value, 0.0) && (0.2..0.3).contains(&free.high()));
        assert_eq!(luck(&[(1, 1); 64]), None);
        assert_eq!(luck(&[(1, 0); 7]), None);
    }

    #[test]
    fn kinds_that_were_not_seen_are_counted() {
        // 10 + 6 * 6 / (2 * 3).
        let estimate = chao(&[(1, 6), (2, 3), (9, 1)]).unwrap();
        assert!(is_near(estimate.value, 16.0));
        assert!(estimate.low() > 10.0 && estimate.high() < 50.0, "{estimate:?}");
        assert!(is_near(chao(&[(2, 7)]).unwrap().high(), 7.0));
        assert!(is_near(chao(&[(1, 4)]).unwrap().value, 10.0));
    }

    /// Kinds of equal chances, sampled as often as there are kinds: the bound is close.
    #[test]
    fn the_bound_holds_for_kinds_that_are_drawn() {
        let mut rng = Rng::stream(1, 1);
        let mut times = [0u64; 1000];
        for _ in 0..1000 {
            times[rng.below(1000) as usize] += 1;
        }
        let seen: Vec<(u64, u64)> = (1..9)
            .map(|wanted| (wanted, times.iter().filter(|&&times| times == wanted).count() as u64))
            .collect();
        let estimate = chao(&seen).unwrap();
        assert!(estimate.low() < 1000.0 && estimate.high() > 950.0, "{estimate:?}");
    }
}

//! Ratios between languages over the games that both describe.

use std::collections::{BTreeMap, BTreeSet};

use super::names::LANGUAGES;
use crate::format::{count, plain};
use crate::stats::{Bootstrap, Estimate};

/// All pairs of two languages, each language over one before it.
pub(crate) fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let names = LANGUAGES.map(|(name, _)| name);
    (0..names.len())
        .flat_map(move |base| (base + 1..names.len()).map(move |over| (names[over], names[base])))
}

/// Values of games in languages.
pub(crate) struct Values<'r>(BTreeMap<(&'r str, &'r str), f64>);

/// A ratio over games: the geometric mean, whose interval tells the luck of having chosen these
/// games, and the games with the least and the largest ratio.
pub(crate) struct Ratio<'r> {
    pub(crate) mean: Estimate,
    pub(crate) games: usize,
    pub(crate) least: (&'r str, f64),
    pub(crate) most: (&'r str, f64),
}

impl<'r> Ratio<'r> {
    /// Of the ratio of each game, resampled by a stream; `None` of no game.
    pub(crate) fn of(mut each: Vec<(&'r str, f64)>, stream: u64) -> Option<Ratio<'r>> {
        let rows: Vec<Vec<Option<f64>>> =
            each.iter().map(|(_, ratio)| vec![Some(*ratio), Some(1.0)]).collect();
        let mean = Bootstrap::ratios_to_last(2, &rows, stream)?.first()?.estimate();
        each.sort_by(|one, other| one.1.total_cmp(&other.1));
        Some(Ratio { mean, games: each.len(), least: *each.first()?, most: *each.last()? })
    }
}

impl<'r> Values<'r> {
    /// Of game, language and value; those that are not positive are left out.
    pub(crate) fn new(values: impl IntoIterator<Item = (&'r str, &'r str, f64)>) -> Values<'r> {
        let positive = values.into_iter().filter(|(.., value)| *value > 0.0);
        Values(positive.map(|(game, language, value)| ((game, language), value)).collect())
    }

    /// The value of a game in a language.
    pub(crate) fn get(&self, game: &str, language: &str) -> Option<f64> {
        self.0.get(&(game, language)).copied()
    }

    /// The ratio of a language to another; `None` where no game has both.
    pub(crate) fn ratio(&self, over: &'r str, base: &'r str) -> Option<Ratio<'r>> {
        let games: BTreeSet<&str> = self.0.keys().map(|(game, _)| *game).collect();
        let ratio = |game| Some((game, self.get(game, over)? / self.get(game, base)?));
        Ratio::of(games.into_iter().filter_map(ratio).collect(), 0)
    }
}

/// `12.3 (10.1–15.2)`, or the value alone.
pub(crate) fn with_interval(estimate: &Estimate) -> String {
    let value = plain(estimate.value, 3);
    estimate.interval.map_or(value.clone(), |interval| {
        format!("{value} ({}–{})", plain(interval.low, 3), plain(interval.high, 3))
    })
}

/// `12.3 times (10.1–15.2)`.
pub(crate) fn times(ratio: &Ratio<'_>) -> String {
    let text = with_interval(&ratio.mean);
    let (value, interval) = text.split_once(' ').unwrap_or((&text, ""));
    format!("{value} times {interval}").trim_end().to_owned()
}

/// The middle one of some values, or the mean of the two in the middle; `None` of none.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(f64::midpoint(values[last / 2], values[values.len() / 2]))
}

/// A field of a table that may lack a value.
pub(crate) fn field(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), short)
}

/// A whole number as it is, any other to three digits.
pub(crate) fn short(value: f64) -> String {
    if value.fract() == 0.0 && value >= 0.0 { count(value as u64) } else { plain(value, 3) }
}

/// Names in a row, with `and` before the last.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => one.as_ref().to_owned(),
        [before @ .., last] => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", before.join(", "), last.as_ref())
        }
    }
}

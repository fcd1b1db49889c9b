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

/// The ratio of two languages: the geometric mean over games, whose interval tells the luck of
/// having chosen these, and the games with the least and the largest ratio.
pub(crate) struct Ratio<'r> {
    pub(crate) mean: Estimate,
    pub(crate) games: usize,
    pub(crate) least: (&'r str, f64),
    pub(crate) most: (&'r str, f64),
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
        let both = |game: &'r str| Some((game, self.get(game, over)?, self.get(game, base)?));
        let both: Vec<(&str, f64, f64)> = games.into_iter().filter_map(both).collect();
        let rows: Vec<Vec<Option<f64>>> =
            both.iter().map(|(_, over, base)| vec![Some(*over), Some(*base)]).collect();
        let mean = Bootstrap::ratios_to_last(2, &rows, 0)?.first()?.estimate();
        let mut each: Vec<(&str, f64)> =
            both.iter().map(|(game, over, base)| (*game, over / base)).collect();
        each.sort_by(|one, other| one.1.total_cmp(&other.1));
        Some(Ratio { mean, games: each.len(), least: *each.first()?, most: *each.last()? })
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
    let value = plain(ratio.mean.value, 3);
    let interval = ratio.mean.interval.map_or_else(String::new, |interval| {
        format!(" ({}–{})", plain(interval.low, 3), plain(interval.high, 3))
    });
    format!("{value} times{interval}")
}

/// `1 game`, `41 games`.
pub(crate) fn games(number: usize) -> String {
    format!("{} {}", count(number as u64), if number == 1 { "game" } else { "games" })
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

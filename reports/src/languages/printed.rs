//! Comparisons of speed that papers printed, beside the same comparisons here: made of the rates of
//! the part `speed` and of `reports/published/comparisons.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::ratios::{Ratio, median, with_interval};
use super::section::{Grid, Section};
use super::speed::{Rates, Row};
use crate::format::plain;
use crate::published;
use crate::rows::Via;

/// A printed comparison, and what asks the same here.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comparison {
    source: String,
    says: String,
    measured: String,
    ratio: Option<f64>,
    range: Option<[f64; 2]>,
    rates: Option<[f64; 2]>,
    #[serde(default)]
    table: bool,
    #[serde(default)]
    games: Vec<String>,
    statistic: Statistic,
    here: Vec<[String; 2]>,
}

/// What is said of many games at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Statistic {
    Mean,
    Median,
    Range,
}

#[derive(Debug, Deserialize)]
struct File {
    comparison: Vec<Comparison>,
}

static COMPARISONS: LazyLock<Vec<Comparison>> = LazyLock::new(|| {
    let text = include_str!("../../published/comparisons.toml");
    let file: File = toml::from_str(text).expect("the file of this crate is sound");
    file.comparison
});

/// A column as the file names it: `engine:way`.
fn column(text: &str) -> Option<(&str, Via)> {
    let (engine, way) = text.split_once(':')?;
    Some((engine, way.parse().ok()?))
}

impl Comparison {
    /// The printed factors, the least and the greatest; nothing where only a direction is printed.
    fn printed(&self) -> Option<[f64; 2]> {
        if self.table {
            let rows = published::all().iter().filter_map(|row| Some(row.ludii / row.gdl?));
            let ratios: Vec<(&str, f64)> = rows.map(|ratio| ("", ratio)).collect();
            return Ratio::of(ratios, 0).map(|ratio| [ratio.mean.value; 2]);
        }
        let of_rates = self.rates.map(|[above, below]| [above / below; 2]);
        self.range.or(self.ratio.map(|ratio| [ratio; 2])).or(of_rates)
    }

    fn printed_text(&self) -> String {
        match self.printed() {
            None => "> 1".to_owned(),
            Some([low, high]) if low >= high => plain(low, 3),
            Some([low, high]) => format!("{}\u{2013}{}", plain(low, 3), plain(high, 3)),
        }
    }

    /// The comparison of two columns here: its text, whether it is above 1, and how many games.
    fn here(&self, rates: &Rates<'_>, pair: &[String; 2], stream: u64) -> Option<Here> {
        let mut ratios = rates.ratios(column(&pair[0])?, column(&pair[1])?);
        ratios.retain(|(game, _)| self.games.is_empty() || self.games.iter().any(|g| g == game));
        let ratio = Ratio::of(ratios.clone(), stream)?;
        let games = ratio.games;
        let (text, low, high) = match self.statistic {
            Statistic::Mean => {
                // Of one game the interval is that of measuring.
                let of_one = || rates.ratio(column(&pair[0])?, column(&pair[1])?, ratio.least.0);
                let mean = of_one().filter(|_| games == 1).unwrap_or(ratio.mean);
                (with_interval(&mean), mean.low(), mean.high())
            }
            Statistic::Median => {
                let median = median(ratios.iter().map(|(_, ratio)| *ratio).collect())?;
                (format!("{} in the median", plain(median, 3)), median, median)
            }
            Statistic::Range => {
                let [least, most] = [ratio.least.1, ratio.most.1];
                (format!("{}\u{2013}{}", plain(least, 3), plain(most, 3)), least, most)
            }
        };
        let outcome = match (low > 1.0, high < 1.0) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        Some(Here { text, outcome, games })
    }
}

/// What becomes of a printed direction.
const OUTCOMES: [&str; 3] = ["holds", "turned round", "open"];

/// A comparison here.
struct Here {
    text: String,
    /// The number among [`OUTCOMES`].
    outcome: usize,
    games: usize,
}

/// The printed comparisons beside those of the rates.
pub(super) fn section(rows: &[Row]) -> Section {
    let rates = Rates::new(rows);
    let mut grid = Grid::new(
        "printed",
        "Factors as printed, and of the engines here.",
        "printed",
        ["factor", "here", "factor here", "games", "direction"],
    );
    let mut sources: Vec<String> = Vec::new();
    let mut counts = [0_usize; OUTCOMES.len()];
    for (comparison, stream) in COMPARISONS.iter().zip(20..) {
        let number = sources.iter().position(|source| *source == comparison.source);
        let number = number.unwrap_or_else(|| {
            sources.push(comparison.source.clone());
            sources.len() - 1
        });
        for (index, pair) in comparison.here.iter().enumerate() {
            let Some(here) = comparison.here(&rates, pair, stream) else { continue };
            let name = format!("[{}] {} ({})", number + 1, comparison.says, comparison.measured);
            let [above, below] = pair;
            counts[here.outcome] += 1;
            grid.push(
                if index == 0 { &name } else { "" },
                [
                    if index == 0 { comparison.printed_text() } else { String::new() },
                    format!("{above} / {below}"),
                    here.text,
                    here.games.to_string(),
                    OUTCOMES[here.outcome].to_owned(),
                ],
            );
        }
    }
    let mut findings = vec![format!(
        "Of {} comparisons here that ask what papers printed, the direction holds in {}, is turned \
         round in {}, and is open in {}.",
        counts.iter().sum::<usize>(),
        counts[0],
        counts[1],
        counts[2]
    )];
    findings.extend(sources.iter().enumerate().map(|(n, source)| format!("[{}] {source}", n + 1)));
    Section {
        title: "Printed comparisons, repeated",
        definitions: vec![
            "Each comparison of speed that a paper prints in its text or abstract, with what it \
             measured, and the same comparison between the engines here, on one machine and on \
             games that are proven to be equal: the geometric mean with its interval over games, \
             the median, or the least and greatest. The direction `holds` if the whole interval \
             (or range) is above 1, is `turned round` if it is below, and is `open` otherwise. The \
             engines are others than the papers'; so a factor that does not come again speaks of \
             engines, not of languages.",
        ],
        grids: vec![grid],
        findings,
        pictures: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_names_columns_and_one_figure_at_most() {
        for comparison in COMPARISONS.iter() {
            let figures = [
                comparison.ratio.is_some(),
                comparison.range.is_some(),
                comparison.rates.is_some(),
                comparison.table,
            ];
            let says = &comparison.says;
            assert!(figures.iter().filter(|figure| **figure).count() <= 1, "{says}");
            for name in comparison.here.iter().flatten() {
                assert!(column(name).is_some(), "{says}: {name}");
            }
        }
    }
}

//! Shares of cases by language, with their intervals.

use std::collections::{BTreeMap, BTreeSet};

use super::names::LANGUAGES;
use super::ratios;
use super::section::Grid;
use crate::format;
use crate::stats::{Estimate, wilson};

/// The languages of some rows, in the order of columns.
pub(super) fn languages_of<'r>(names: impl Iterator<Item = &'r str>) -> Vec<&'r str> {
    let place = |name: &str| LANGUAGES.iter().position(|(known, _)| *known == name);
    let all: BTreeSet<(usize, &str)> =
        names.map(|name| (place(name).unwrap_or(LANGUAGES.len()), name)).collect();
    all.into_iter().map(|(_, name)| name).collect()
}

/// Names, each once, in the order in which they come first.
pub(super) fn distinct<'r>(all: impl IntoIterator<Item = &'r str>) -> Vec<&'r str> {
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|name| seen.insert(*name)).collect()
}

/// The games that have something in each of these languages, given the pairs of game and language
/// that have.
pub(super) fn common<'r>(
    pairs: impl Iterator<Item = (&'r str, &'r str)>,
    languages: &[&str],
) -> BTreeSet<&'r str> {
    let mut by_game: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (game, language) in pairs {
        by_game.entry(game).or_default().insert(language);
    }
    let has_all =
        |(_, has): &(&str, BTreeSet<&str>)| languages.iter().all(|name| has.contains(name));
    by_game.into_iter().filter(has_all).map(|(game, _)| game).collect()
}

/// A number of cases among all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Share {
    pub(super) of: u32,
    pub(super) cases: u32,
}

impl Share {
    /// The shares of rows together, each a number of cases among all of its row.
    pub(super) fn sum(rows: impl Iterator<Item = (u32, u32)>) -> Share {
        rows.fold(Share::default(), |sum, (of, cases)| Share {
            of: sum.of + of,
            cases: sum.cases + cases,
        })
    }

    /// The share; 0 of no cases.
    pub(super) fn value(&self) -> f64 {
        f64::from(self.of) / f64::from(self.cases.max(1))
    }

    /// The share with Wilson's interval.
    pub(super) fn estimate(&self) -> Estimate {
        let interval = (self.cases > 0).then(|| wilson(self.value(), self.cases.into()));
        Estimate { value: self.value(), interval }
    }

    /// In percent with Wilson's interval, `61.2 (60.1–62.3)`, or `–` of no cases.
    pub(super) fn percent(&self) -> String {
        if self.cases == 0 {
            return "–".to_owned();
        }
        let [value, low, high] = self.in_percent();
        format!("{value} ({low}–{high})")
    }

    fn in_percent(&self) -> [String; 3] {
        let all = self.estimate();
        [all.value, all.low(), all.high()].map(|share| format!("{:.1}", 100.0 * share))
    }

    /// The same in a sentence: `61.2 % (60.1–62.3 %)`.
    pub(super) fn said(&self) -> String {
        if self.cases == 0 {
            return "none".to_owned();
        }
        let [value, low, high] = self.in_percent();
        format!("{value} % ({low}–{high} %)")
    }
}

/// The shares of languages in a sentence, the largest first; languages without cases are left out.
pub(super) fn listed(shares: impl Iterator<Item = (String, Share)>) -> String {
    let mut all: Vec<(String, Share)> = shares.filter(|(_, share)| share.cases > 0).collect();
    all.sort_by(|(_, a), (_, b)| b.value().total_cmp(&a.value()));
    let all: Vec<String> =
        all.iter().map(|(name, share)| format!("{} {name}", share.said())).collect();
    ratios::listed(&all)
}

/// A number of games or cases with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", format::count(count as u64), if count == 1 { "" } else { "s" })
}

/// A line for each description that has a reason why it could not be played, or for which an engine
/// panicked; `None` if there is none.
pub(super) fn failures<'r>(
    label: &'static str,
    rows: impl Iterator<Item = (&'r str, &'r str, &'r str)>,
) -> Option<Grid> {
    let mut grid = Grid::new(label, "Failures", "description", ["reason"]);
    for (game, language, reason) in rows.filter(|(.., reason)| !reason.is_empty()) {
        grid.push(&format!("{game}.{language}"), [reason.to_owned()]);
    }
    (!grid.lines.is_empty()).then_some(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_intervals_and_are_listed_by_size() {
        let share = |of, cases| Share { of, cases };
        assert_eq!(share(50, 100).percent(), "50.0 (40.4–59.6)");
        assert_eq!(share(0, 0).percent(), "–");
        let all = [("in GDL", share(1, 2)), ("in RBG", share(2, 2)), ("in none", share(0, 0))];
        let text = listed(all.into_iter().map(|(name, share)| (name.to_owned(), share)));
        assert_eq!(text, "100.0 % (34.2–100.0 %) in RBG and 50.0 % (9.5–90.5 %) in GDL");
    }

    #[test]
    fn languages_have_an_order_and_games_in_common() {
        let languages = languages_of(["rg", "other", "lud", "rg"].into_iter());
        assert_eq!(languages, ["lud", "rg", "other"]);
        let pairs = [("a", "lud"), ("a", "rg"), ("b", "lud")];
        assert!(common(pairs.into_iter(), &["lud", "rg"]).iter().eq(&["a"]));
    }
}

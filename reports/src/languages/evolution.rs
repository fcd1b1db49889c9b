//! The part `evolution`: how many random edits of a description are games again.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::names::{engine, shown};
use super::section::{Grid, Section};
use super::shares::{Share, common, counted, distinct, failures, languages_of, listed};
use crate::Error;
use crate::chart::{LanguageCurve, distances_picture};
use crate::format::plain;
use crate::stats::wilson;

/// Numbers of edits between a child and its parent; 0 is the parent itself.
pub const DISTANCES: [u32; 5] = [0, 1, 2, 4, 8];

/// What became of the children of one description at one distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Id of the game.
    pub game: String,
    /// Language of the description.
    pub language: String,
    /// Number of edits.
    pub distance: u32,
    /// Number of children.
    pub children: u32,
    /// Accepted by the front end.
    pub read: u32,
    /// Compiled.
    pub compiled: u32,
    /// All random playouts end by the rules.
    pub ended: u32,
    /// Of these, those with different payoffs.
    pub varied: u32,
    /// Of those that end, those that last between 10 and 500 plies on average.
    pub lengthy: u32,
    /// Of those that end, those that play otherwise than their parent.
    pub differs: u32,
    /// Children that end, with different payoffs, after some plies.
    pub viable: u32,
    /// Viable children that play otherwise than their parent.
    pub new: u32,
    /// Children at which an engine panicked.
    pub panics: u32,
    /// CPU seconds of making, reading, compiling and playing the children.
    pub seconds: f64,
    /// The last panic, or the reason why the parent could not be played.
    pub reason: String,
}

type Of = fn(&Row) -> (u32, u32);

/// How far children get, in the order of time.
const STAGES: [(&str, Of); 7] = [
    ("read", |row| (row.read, row.children)),
    ("compiled", |row| (row.compiled, row.children)),
    ("ends", |row| (row.ended, row.children)),
    ("payoffs vary", |row| (row.varied, row.children)),
    ("10 to 500 plies", |row| (row.lengthy, row.children)),
    ("viable", VIABLE),
    ("viable and new", NEW),
];
const VIABLE: Of = |row| (row.viable, row.children);
const NEW: Of = |row| (row.new, row.children);

const DEFINITIONS: [&str; 4] = [
    "A child of a description differs from it by 1, 2, 4 or 8 random edits. Half of them are slips \
     as in the part `mistakes`, but for misspelt names and missing brackets. The others are \
     crossovers: brackets of another game in the same language, or a line of one in Regular Games, \
     in the place of those with the same word before or behind the opening bracket.",
    "A child is read if the front end accepts it. It ends if it is compiled and all random \
     playouts end by the rules within 1,000 plies. It is viable if, besides, playouts have \
     different payoffs and last between 10 and 500 plies on average. It is new if a comparison \
     with its parent shows a difference: trees, walks by labels, playouts.",
    "Only parents count that are viable themselves. Shares are in percent of children, with \
     Wilson's intervals of 95 %; children of one parent are alike, so that the intervals hold for \
     these games.",
    "New viable children a CPU second count the time of making, reading, compiling and playing all \
     children, without the comparison with the parent. The interval is that of the share, the time \
     taken as it is; it depends on the machine and the build.",
];

/// What rows show.
///
/// # Errors
/// A picture that cannot be encoded.
pub fn section(rows: &[Row]) -> Result<Section, Error> {
    let parents = rows.iter().filter(|row| row.distance == 0 && row.viable > 0);
    let parents: BTreeSet<(&str, &str)> = parents.map(|row| (&*row.game, &*row.language)).collect();
    let languages = languages_of(parents.iter().map(|(_, language)| *language));
    let games = common(parents.iter().copied(), &languages);
    let counts = |row: &&Row| {
        let pair = (&*row.game, &*row.language);
        row.distance > 0 && parents.contains(&pair) && (games.is_empty() || games.contains(pair.0))
    };
    let about = Languages { languages, rows: rows.iter().filter(counts).collect() };
    let of = match games.len() {
        0 => "all viable games".to_owned(),
        count => format!("{} that are viable in all these languages", counted(count, "game")),
    };
    let mut grids = vec![
        about.stages(&format!("Children of {of}, in percent of children of all distances")),
        about.by_distance(
            "children-viable",
            "Viable children by number of edits, in percent",
            VIABLE,
        ),
        about.by_distance(
            "children-new",
            "Viable and new children by number of edits, in percent",
            NEW,
        ),
        about.by_distance(
            "children-read",
            "Children that are read, by number of edits, in percent",
            STAGES[0].1,
        ),
        about.speed(),
        parents_by_game(rows),
    ];
    let reasons = rows.iter().map(|row| (&*row.game, &*row.language, &*row.reason));
    grids.extend(failures("children-failures", reasons));
    Ok(Section {
        title: "Random edits",
        definitions: DEFINITIONS.to_vec(),
        findings: findings(&about, rows, &of),
        grids,
        pictures: distances_picture(&about.distances())?.into_iter().collect(),
    })
}

/// Rows of some languages.
struct Languages<'r> {
    languages: Vec<&'r str>,
    rows: Vec<&'r Row>,
}

impl Languages<'_> {
    fn of(&self, language: &str, distance: Option<u32>) -> impl Iterator<Item = &Row> {
        let is_meant = move |row: &&&Row| {
            row.language == language && distance.is_none_or(|distance| distance == row.distance)
        };
        self.rows.iter().filter(is_meant).copied()
    }

    fn share(&self, language: &str, distance: Option<u32>, of: Of) -> Share {
        Share::sum(self.of(language, distance).map(of))
    }

    /// A line a language, a column a stage.
    fn stages(&self, caption: &str) -> Grid {
        let heads = ["children"].into_iter().chain(STAGES.iter().map(|(head, _)| *head));
        let mut grid = Grid::new("children", caption, "language", heads);
        for language in &self.languages {
            let shares = STAGES.map(|(_, of)| self.share(language, None, of));
            let cases = shares[0].cases.to_string();
            grid.push(shown(language), [cases].into_iter().chain(shares.map(|it| it.percent())));
        }
        grid
    }

    /// A line a language, a column a number of edits.
    fn by_distance(&self, label: &'static str, caption: &str, of: Of) -> Grid {
        let heads = DISTANCES[1..].iter().map(u32::to_string).collect::<Vec<_>>();
        let mut grid = Grid::new(label, caption, "language", heads.iter().map(String::as_str));
        for language in &self.languages {
            let share = |&distance: &u32| self.share(language, Some(distance), of).percent();
            grid.push(shown(language), DISTANCES[1..].iter().map(share));
        }
        grid
    }

    /// The shares of new games by the number of edits, for a chart.
    fn distances(&self) -> Vec<LanguageCurve> {
        let of = |language: &&str| {
            let share = |&edits: &u32| (edits, self.share(language, Some(edits), NEW));
            let shares = DISTANCES[1..].iter().map(share).filter(|(_, share)| share.cases > 0);
            LanguageCurve {
                engine: engine(language),
                name: shown(language).to_owned(),
                points: shares.map(|(edits, share)| (edits.into(), share.estimate())).collect(),
            }
        };
        self.languages.iter().map(of).collect()
    }

    /// The number of children and of new viable ones a CPU second, with the interval of the share.
    fn rate(&self, language: &str) -> Option<[f64; 4]> {
        let share = self.share(language, None, NEW);
        let seconds: f64 = self.of(language, None).map(|row| row.seconds).sum();
        let each = (seconds > 0.0).then(|| f64::from(share.cases) / seconds)?;
        let interval = wilson(share.value(), share.cases.into());
        Some([each, each * share.value(), each * interval.low, each * interval.high])
    }

    fn speed(&self) -> Grid {
        let heads = ["children", "new viable children"];
        let mut grid = Grid::new("children-speed", "Children a CPU second", "language", heads);
        for language in &self.languages {
            let Some([each, value, low, high]) = self.rate(language) else { continue };
            let [each, value, low, high] = [each, value, low, high].map(|it| plain(it, 3));
            grid.push(shown(language), [each, format!("{value} ({low}–{high})")]);
        }
        grid
    }

    /// The shares of all languages in a sentence.
    fn listed(&self, distance: Option<u32>, of: Of) -> String {
        let share = |language: &&str| {
            (format!("in {}", shown(language)), self.share(language, distance, of))
        };
        listed(self.languages.iter().map(share))
    }
}

/// All parents: the share of children that are viable and new, or what the parent itself lacks.
fn parents_by_game(rows: &[Row]) -> Grid {
    let languages = languages_of(rows.iter().map(|row| &*row.language));
    let caption = "All games: viable and new children, in percent of children; or why the parent \
                   is not viable itself";
    let heads = languages.iter().map(|language| shown(language));
    let mut grid = Grid::new("children-games", caption, "game", heads);
    for game in distinct(rows.iter().map(|row| &*row.game)) {
        let field = |language: &&str| {
            let of = |row: &&Row| row.game == game && row.language == *language;
            let Some(parent) = rows.iter().filter(of).find(|row| row.distance == 0) else {
                return String::new();
            };
            let lacks = match parent {
                Row { compiled: 0, .. } => "not played",
                Row { ended: 0, .. } => "does not end",
                Row { varied: 0, .. } => "one payoff",
                Row { lengthy: 0, .. } => "length",
                _ => "",
            };
            let children = rows.iter().filter(of).filter(|row| row.distance > 0);
            let share = Share::sum(children.map(NEW));
            if lacks.is_empty() {
                format!("{:.0}", 100.0 * share.value())
            } else {
                lacks.to_owned()
            }
        };
        grid.push(game, languages.iter().map(field));
    }
    grid
}

fn findings(about: &Languages<'_>, rows: &[Row], of: &str) -> Vec<String> {
    let mut all = vec![
        format!(
            "Of children by one edit of {of}, these are viable games other than their parents: {}.",
            about.listed(Some(1), NEW)
        ),
        format!("By eight edits: {}.", about.listed(Some(8), NEW)),
        format!(
            "The front end reads, of children of all distances: {}.",
            about.listed(None, STAGES[0].1)
        ),
        format!(
            "Of what is compiled, all playouts end by the rules: {}.",
            about.listed(None, |row| (row.ended, row.compiled))
        ),
    ];
    all.extend(fastest(about));
    let panics: u32 = rows.iter().map(|row| row.panics).sum();
    let children: u32 = rows.iter().map(|row| row.children).sum();
    all.push(match panics {
        0 => format!("None of {children} children makes an engine panic."),
        some => format!(
            "PANICS: {some} of {children} children make an engine panic; the table of failures has \
             them."
        ),
    });
    all
}

/// The languages by new viable children a CPU second.
fn fastest(about: &Languages<'_>) -> Option<String> {
    let mut rates: Vec<(&str, [f64; 4])> = Vec::new();
    for &language in &about.languages {
        rates.extend(about.rate(language).map(|rate| (shown(language), rate)));
    }
    rates.sort_by(|(_, a), (_, b)| b[1].total_cmp(&a[1]));
    let said = rates.iter().map(|(name, [_, value, low, high])| {
        let [value, low, high] = [value, low, high].map(|it| plain(*it, 3));
        format!("{value} ({low}–{high}) in {name}")
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("New viable children a CPU second: {}.", said.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: &str, language: &str, distance: u32, children: u32, new: u32) -> Row {
        Row {
            game: game.to_owned(),
            language: language.to_owned(),
            distance,
            children,
            read: children,
            compiled: children,
            ended: children,
            varied: new,
            lengthy: new,
            differs: children,
            viable: new,
            new,
            seconds: 2.0,
            ..Row::default()
        }
    }

    #[test]
    fn children_of_viable_parents_count() {
        let rows = [
            row("a", "lud", 0, 1, 1),
            row("a", "lud", 1, 10, 5),
            row("a", "lud", 8, 10, 1),
            row("a", "rbg", 0, 1, 1),
            row("a", "rbg", 1, 10, 2),
            row("b", "lud", 0, 1, 0),
            row("b", "lud", 1, 10, 10),
            Row { compiled: 0, reason: "it fell".to_owned(), ..row("c", "rbg", 0, 0, 0) },
        ];
        let section = section(&rows).expect("it is drawn");
        assert_eq!(
            section.findings[0],
            "Of children by one edit of 1 game that are viable in all these languages, these are \
             viable games other than their parents: 50.0 % (23.7–76.3 %) in ludemes and 20.0 % \
             (5.7–51.0 %) in RBG."
        );
        let fields = |number: usize, line: usize| section.grids[number].lines[line].1.join(" | ");
        assert_eq!(fields(2, 0), "50.0 (23.7–76.3) | – | – | 10.0 (1.8–40.4)");
        assert_eq!(fields(4, 0), "5.00 | 1.50 (0.727–2.59)");
        assert_eq!(fields(5, 0), "30 | 20");
        assert_eq!(fields(5, 1), "one payoff | ");
        assert_eq!(section.grids[6].lines[0].1, ["it fell"]);
    }

    #[test]
    fn panics_are_loud_and_no_rows_are_no_panic() {
        let rows = [Row { panics: 2, ..row("a", "lud", 1, 10, 1) }];
        let panics = |section: Section| section.findings.last().cloned().unwrap_or_default();
        assert!(panics(section(&rows).expect("it is drawn")).starts_with("PANICS: 2 of 10"));
        assert!(panics(section(&[]).expect("it is drawn")).starts_with("None of 0"));
    }
}

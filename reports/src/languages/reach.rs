//! The games that languages say, those that they do not, and why.

use serde::{Deserialize, Serialize};

use super::names::LANGUAGES;
use super::section::{Grid, Section};
use super::shares::{counted, distinct};
use crate::format::{count, plain};
use crate::stats::wilson;

/// The reasons why a game lacks a language, as manifests name them, and what each means.
pub const REASONS: [(&str, &str); 6] = [
    ("chance", "the language draws nothing by chance"),
    ("hidden", "the language lets all players see everything"),
    ("simultaneous", "the language lets one player choose at a time"),
    ("memory", "the rules compare the position with all earlier ones"),
    ("numbers", "the rules add numbers, and the language would need a case for each sum"),
    ("unwritten", "nothing is in the way but the work, which nobody has done here"),
];

/// A listed share from which on a description spells out.
const SPELLED_OUT: f64 = 0.5;

/// A game and a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The game of the catalogue.
    pub game: String,
    /// Players.
    pub players: u8,
    /// True if chance has a say.
    pub chance: bool,
    /// True if players do not see everything.
    pub hidden: bool,
    /// True if several players choose at the same time.
    pub simultaneous: bool,
    /// Squares, hands and other places of the game in ludemes.
    pub places: u64,
    /// The short name of the language.
    pub language: String,
    /// The share of nodes in runs of pieces that are alike but for words; empty where there is no
    /// description.
    pub listed: Option<f64>,
    /// The reason why there is no description, one of [`REASONS`]; empty where there is one.
    pub reason: String,
}

/// A kind of game: its name, and what tells it.
type Nature = (&'static str, fn(&Row) -> bool);

const NATURES: [Nature; 7] = [
    ("all", |_| true),
    ("one player", |row| row.players == 1),
    ("chance", |row| row.chance),
    ("hidden information", |row| row.hidden),
    ("simultaneous choices", |row| row.simultaneous),
    ("none of these three", |row| !row.chance && !row.hidden && !row.simultaneous),
    ("100 places or more", |row| row.places >= 100),
];

const DEFINITIONS: [&str; 3] = [
    "A language says a game if the catalogue has a description in it, which has been proven to be \
     the same game as all others. Chance, hidden information and simultaneous choices are what the \
     engine of ludemes finds out when it compiles the game; places are squares, hands and the like.",
    "It says a game by spelling out if half or more of the nodes of the description stand in runs \
     of four or more pieces side by side that have the same form and differ in words alone.",
    "Why a game lacks a language is noted in its manifest: chance, hidden and simultaneous are what \
     the language has no means for; memory and numbers are what it could only say by a case for each \
     position or sum; unwritten is what nobody has written here, so that nothing follows from it for \
     the language. The catalogue was chosen by people, who know some languages better than others: \
     shares are of these games, with Wilson's intervals, and no measure of all games.",
];

/// What the rows show.
pub(super) fn section(rows: &[Row]) -> Section {
    let mut section = Section {
        title: "What languages can say",
        definitions: DEFINITIONS.to_vec(),
        ..Section::default()
    };
    for (language, name) in LANGUAGES {
        let of: Vec<&Row> = rows.iter().filter(|row| row.language == language).collect();
        if !of.is_empty() {
            section.findings.push(finding(&of, name));
        }
    }
    section.findings.extend(unsure(rows));
    section.grids.extend([natures(rows), reasons(rows), per_game(rows)]);
    section.grids.retain(|grid| !grid.lines.is_empty());
    section
}

/// How many of the games a language says, and why not the others.
fn finding(of: &[&Row], name: &str) -> String {
    let said = of.iter().filter(|row| row.reason.is_empty()).count();
    let share = wilson(said as f64 / of.len() as f64, of.len() as f64);
    let spelled = of.iter().filter(|row| spells(row)).count();
    let reasons: Vec<String> = REASONS
        .iter()
        .filter_map(|(reason, what)| {
            let number = of.iter().filter(|row| row.reason == *reason).count();
            (number > 0).then(|| format!("{} as {what}", count(number as u64)))
        })
        .collect();
    let mut text = format!(
        "{name} says {said} of {} ({}–{} %), {spelled} of them by spelling out.",
        counted(of.len(), "game"),
        plain(100.0 * share.low, 2),
        plain(100.0 * share.high, 2),
    );
    if !reasons.is_empty() {
        text += &format!(" It does not say the others: {}.", reasons.join("; "));
    }
    text
}

/// True if a description spells out.
fn spells(row: &Row) -> bool {
    row.listed.is_some_and(|share| share >= SPELLED_OUT)
}

/// What the table cannot tell.
fn unsure(rows: &[Row]) -> Option<String> {
    let unwritten = rows.iter().filter(|row| row.reason == "unwritten").count();
    let lacking = rows.iter().filter(|row| !row.reason.is_empty()).count();
    (unwritten > 0).then(|| {
        format!(
            "{} of {} descriptions that are not there are missing for no reason that lies in the language.",
            count(unwritten as u64),
            count(lacking as u64)
        )
    })
}

fn natures(rows: &[Row]) -> Grid {
    let caption = "Games that each language says, of those of the catalogue, by what they are like";
    let heads = ["games"].into_iter().chain(LANGUAGES.map(|(_, shown)| shown));
    let mut grid = Grid::new("reach", caption, "games with", heads);
    for (nature, holds) in NATURES {
        let of = |language: &str| {
            rows.iter().filter(|row| row.language == language && holds(row)).collect::<Vec<_>>()
        };
        let all = distinct(rows.iter().filter(|row| holds(row)).map(|row| &*row.game)).len();
        let said = LANGUAGES.map(|(language, _)| {
            let of = of(language);
            count(of.iter().filter(|row| row.reason.is_empty()).count() as u64)
        });
        if all > 0 {
            grid.push(nature, std::iter::once(count(all as u64)).chain(said));
        }
    }
    grid
}

fn reasons(rows: &[Row]) -> Grid {
    let caption = "Why games lack a language";
    let mut grid = Grid::new("unsaid", caption, "reason", LANGUAGES.map(|(_, shown)| shown));
    for (reason, _) in REASONS {
        let of = |(language, _): (&str, &str)| {
            let rows = rows.iter().filter(|row| row.language == language && row.reason == reason);
            count(rows.count() as u64)
        };
        let fields = LANGUAGES.map(of);
        if fields.iter().any(|field| field != "0") {
            grid.push(reason, fields);
        }
    }
    grid
}

fn per_game(rows: &[Row]) -> Grid {
    let caption = "Each game: what it is like, and how each language says it, or why not";
    let heads = ["players", "nature", "places"].into_iter();
    let heads = heads.chain(LANGUAGES.map(|(_, shown)| shown));
    let mut grid = Grid::new("reach-games", caption, "game", heads);
    for game in distinct(rows.iter().map(|row| &*row.game)) {
        let of = || rows.iter().filter(|row| row.game == game);
        let Some(first) = of().next() else { continue };
        let nature: Vec<&str> = NATURES[2..5]
            .iter()
            .filter(|(_, holds)| holds(first))
            .map(|(name, _)| name.split(' ').next().unwrap_or(name))
            .collect();
        let says = LANGUAGES.map(|(language, _)| {
            of().find(|row| row.language == language).map_or_else(|| "–".to_owned(), says)
        });
        let facts =
            [count(first.players.into()), nature.join(", "), count(first.places)].into_iter();
        grid.push(game, facts.chain(says));
    }
    grid
}

/// The word for how a language says a game.
fn says(row: &Row) -> String {
    match &*row.reason {
        "" if spells(row) => "spells out".to_owned(),
        "" => "says".to_owned(),
        reason => format!("no: {reason}"),
    }
}

/// True if a game of this nature may lack a language for that reason.
pub fn fits(row: &Row) -> bool {
    match &*row.reason {
        "chance" => row.chance,
        "hidden" => row.hidden,
        "simultaneous" => row.simultaneous,
        reason => reason.is_empty() || REASONS.iter().any(|(known, _)| *known == reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: &str, language: &str, listed: Option<f64>, reason: &str) -> Row {
        Row {
            game: game.to_owned(),
            players: 2,
            chance: game == "dice",
            hidden: false,
            simultaneous: false,
            places: 9,
            language: language.to_owned(),
            listed,
            reason: reason.to_owned(),
        }
    }

    #[test]
    fn what_is_said_and_why_not_is_counted() {
        let rows = [
            row("ttt", "lud", Some(0.1), ""),
            row("ttt", "rbg", Some(0.6), ""),
            row("dice", "lud", Some(0.0), ""),
            row("dice", "rbg", None, "chance"),
            row("other", "rbg", None, "unwritten"),
        ];
        let section = section(&rows);
        assert!(section.findings[0].starts_with("ludemes says 2 of 2 games ("), "{section:?}");
        let rbg = "RBG says 1 of 3 games (6.1–79 %), 1 of them by spelling out. It does not say \
            the others: 1 as the language draws nothing by chance; 1 as nothing is in the way";
        assert!(section.findings[1].starts_with(rbg), "{section:?}");
        assert!(section.findings[2].starts_with("1 of 2 descriptions"), "{section:?}");
        let lines = &section.grids[2].lines;
        assert_eq!(lines[0].1[3..6], ["says", "–", "spells out"]);
        assert_eq!(lines[1].1, ["2", "chance", "9", "says", "–", "no: chance", "–"]);
        assert!(rows.iter().all(fits));
        assert!(
            !fits(&row("ttt", "rbg", None, "chance")) && !fits(&row("ttt", "rbg", None, "odd"))
        );
    }
}

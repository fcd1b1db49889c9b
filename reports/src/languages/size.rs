//! The size of descriptions of the same games.

use serde::{Deserialize, Serialize};

use super::names::{LANGUAGES, shown};
use super::ratios::{Ratio, Values, field, listed, median, pairs, times, with_interval};
use super::section::{Grid, Section};
use super::shares::{counted, distinct};
use crate::format::{count, factor};
use crate::published;

/// The size of a game's description in one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The game of the catalogue.
    pub game: String,
    /// The short name of the language.
    pub language: String,
    /// Tokens as publications about the language count them; empty where the text cannot be read.
    pub tokens: Option<u64>,
    /// Characters without comments and runs of blanks.
    pub characters: u64,
    /// Nodes of the tree of brackets and words.
    pub nodes: u64,
    /// Levels of the tree.
    pub depth: u64,
    /// Different words, numbers and strings.
    pub words: u64,
    /// Different marks and pairs of brackets.
    pub operators: u64,
    /// Halstead's volume, in bits.
    pub volume: f64,
    /// Bytes when compressed by itself.
    pub compressed: u64,
    /// Bytes that it adds to the compressed rest of the language's catalogue.
    pub added: u64,
    /// The share of nodes that stand in runs of pieces which differ in words alone.
    pub listed: f64,
    /// Calls of definitions that a library has for all games, not the file.
    pub library: u64,
}

/// A measure: its head, and its value in a row.
type Measure = (&'static str, fn(&Row) -> f64);

/// The measures that are compared between languages.
const MEASURES: [Measure; 6] = [
    ("tokens", |row| row.tokens.unwrap_or(0) as f64),
    ("characters", |row| row.characters as f64),
    ("nodes", |row| row.nodes as f64),
    ("volume", |row| row.volume),
    ("compressed", |row| row.compressed as f64),
    ("new bytes", |row| row.added as f64),
];

/// Measures of one description, of which the table has medians.
const MEDIANS: [Measure; 7] = [
    ("tokens", |row| row.tokens.unwrap_or(0) as f64),
    ("characters", |row| row.characters as f64),
    ("depth", |row| row.depth as f64),
    ("words", |row| row.words as f64),
    ("operators", |row| row.operators as f64),
    ("new bytes", |row| row.added as f64),
    ("listed, %", |row| 100.0 * row.listed),
];

const DEFINITIONS: [&str; 6] = [
    "Tokens are counted as publications about the language count them: of ludemes the calls and \
     atoms of the description with its definitions filled in at each use, of GDL the atoms without \
     brackets, of RBG and Regular Games the tokens of the text. They are not one unit: a bracket is \
     a token in some and none in others.",
    "Characters are those of the text without comments, and with one blank in the place of a run \
     of blanks and line ends. Nodes are the words, marks and pairs of brackets of the text as \
     written, in which a definition stands once however often it is used; depth is the levels of \
     brackets within each other. All other columns but tokens are taken from the text as written, \
     too.",
    "Words are different words, numbers and strings, operators different marks and pairs of \
     brackets. Volume is Halstead's (1977): N log2 n bits, with N nodes of n different words and \
     operators.",
    "Compressed is the text, without comments and runs of blanks, in bytes of LZMA at its highest \
     level. New bytes are those that the game adds to all other games of the catalogue in the same \
     language: the compressed size of the rest and the game less that of the rest, an estimate of \
     its conditional Kolmogorov complexity (Cilibrasi and Vitányi, Clustering by compression, \
     2005). LZMA has a window that is larger than the catalogue, where gzip forgets all but 32 KiB, \
     and no dictionary of its own, where Brotli's knows English and HTML. Of a game that the \
     catalogue has at another size, too, only the difference is new.",
    "Listed is the share of nodes in runs of four or more pieces side by side that have the same \
     form and differ in words alone: what is spelled out case by case.",
    "A ratio is the geometric mean over the games that both languages describe, with an interval \
     of 95 % from resampling these games.",
];

/// What the rows show.
pub(super) fn section(rows: &[Row]) -> Section {
    let mut section = Section {
        title: "How long descriptions are",
        definitions: DEFINITIONS.to_vec(),
        ..Section::default()
    };
    let values = MEASURES.map(|(_, of)| of_measure(rows, of));
    findings(rows, &values, &mut section.findings);
    section.grids.extend([ratios(&values), medians(rows), tokens(rows, &values[0])]);
    section.grids.push(per_game(rows, "added", "New bytes of each game", &values[5]));
    section.grids.push(per_game(rows, "characters", "Characters of each game", &values[1]));
    section
}

fn of_measure(rows: &[Row], of: fn(&Row) -> f64) -> Values<'_> {
    Values::new(rows.iter().map(|row| (&*row.game, &*row.language, of(row))))
}

fn findings(rows: &[Row], values: &[Values<'_>; 6], out: &mut Vec<String>) {
    for (over, base) in pairs() {
        let [tokens, characters, .., added] = values;
        let Some(ratio) = characters.ratio(over, base) else { continue };
        let (longer, shorter) = (shown(over), shown(base));
        let mut text = format!(
            "Over {} that both describe, a description in {longer} has {} as many characters as one \
             in {shorter} (from {} of {} to {} of {}).",
            counted(ratio.games, "game"),
            times(&ratio),
            factor(ratio.least.1),
            ratio.least.0,
            factor(ratio.most.1),
            ratio.most.0
        );
        if let Some((tokens, added)) = tokens.ratio(over, base).zip(added.ratio(over, base)) {
            text += &format!(
                " Tokens are {} times as many, and the bytes that are new in a game {} times.",
                with_interval(&tokens.mean),
                with_interval(&added.mean)
            );
            text += part_of_repetition(&ratio, &added);
        }
        out.push(text);
    }
    out.extend(paper(&values[0]));
    out.extend(library(rows));
    let unread: Vec<String> = rows
        .iter()
        .filter(|row| row.tokens.is_none())
        .map(|row| format!("{} in {}", row.game, shown(&row.language)))
        .collect();
    if !unread.is_empty() {
        out.push(format!("Not read, so that their tokens are not known: {}.", listed(&unread)));
    }
}

/// What the ratio of new bytes says beside that of characters.
fn part_of_repetition(characters: &Ratio<'_>, added: &Ratio<'_>) -> &'static str {
    let (written, new) = (&characters.mean, &added.mean);
    if written.low() <= 1.0 && written.high() >= 1.0 {
        ""
    } else if new.low() <= 1.0 && new.high() >= 1.0 {
        " So the difference is what games of the language repeat, and no difference in what is new \
         can be told."
    } else if (new.value - 1.0).signum() != (written.value - 1.0).signum() {
        " So the order turns round when what the games of a language repeat is left out."
    } else if new.high() < written.low() && written.value > 1.0 {
        " So a part of the difference is what games of the language repeat, and a part is new in \
         each."
    } else {
        " So the difference is there, too, when what games of the language repeat is left out."
    }
}

/// The counts of the paper beside ours.
fn paper(tokens: &Values<'_>) -> Vec<String> {
    let of = |known: &published::Tokens| {
        let (lud, kif) = (tokens.get(&known.game, "lud")?, tokens.get(&known.game, "kif")?);
        Some(format!(
            "For {} the paper counts {} tokens of ludemes and {} of GDL ({}); ours have {} and {} \
             ({}). The descriptions are not the same: ours were written for this project.",
            known.row,
            count(known.lud),
            count(known.kif),
            factor(known.kif as f64 / known.lud as f64),
            count(lud as u64),
            count(kif as u64),
            factor(kif / lud)
        ))
    };
    published::tokens().iter().filter_map(of).collect()
}

/// What a library defines for all games.
fn library(rows: &[Row]) -> Option<String> {
    let of_ludemes = || rows.iter().filter(|row| row.language == "lud");
    let with = of_ludemes().filter(|row| row.library > 0).count();
    (of_ludemes().count() > 0).then(|| match with {
        0 => format!(
            "None of {} in ludemes calls a definition of the library that comes with the language, \
             so that nothing is counted that stands outside of the files.",
            counted(of_ludemes().count(), "game")
        ),
        _ => format!(
            "{} of {} in ludemes call definitions of the library that comes with the language; what \
             these stand for is in the tokens, and in no other column.",
            count(with as u64),
            counted(of_ludemes().count(), "game")
        ),
    })
}

fn ratios(values: &[Values<'_>; 6]) -> Grid {
    let caption = "Ratios between languages: geometric means over the games that both describe";
    let heads = ["games"].into_iter().chain(MEASURES.map(|(head, _)| head));
    let mut grid = Grid::new("language-sizes", caption, "languages", heads);
    for (over, base) in pairs() {
        let of = values.each_ref().map(|values| values.ratio(over, base));
        let Some(first) = of[1].as_ref() else { continue };
        let fields = of.iter().map(|ratio| {
            ratio.as_ref().map_or_else(|| "–".to_owned(), |ratio| with_interval(&ratio.mean))
        });
        let fields = std::iter::once(count(first.games as u64)).chain(fields);
        grid.push(&format!("{} / {}", shown(over), shown(base)), fields);
    }
    grid
}

fn medians(rows: &[Row]) -> Grid {
    let caption = "The median description of each language, over all games that it describes";
    let heads = ["games"].into_iter().chain(MEDIANS.map(|(head, _)| head));
    let mut grid = Grid::new("language-medians", caption, "language", heads);
    for (language, shown) in LANGUAGES {
        let of: Vec<&Row> = rows.iter().filter(|row| row.language == language).collect();
        if !of.is_empty() {
            let medians =
                MEDIANS.map(|(_, value)| field(median(of.iter().map(|row| value(row)).collect())));
            grid.push(shown, std::iter::once(count(of.len() as u64)).chain(medians));
        }
    }
    grid
}

fn tokens(rows: &[Row], values: &Values<'_>) -> Grid {
    let mut grid =
        per_game(rows, "tokens", "Tokens of each game, beside those of the paper", values);
    grid.heads.extend(["ludemes, paper".to_owned(), "GDL, paper".to_owned()]);
    for (game, fields) in &mut grid.lines {
        let known = published::tokens().iter().find(|known| known.game == *game);
        let of = |tokens: fn(&published::Tokens) -> u64| {
            known.map_or_else(|| "–".to_owned(), |known| count(tokens(known)))
        };
        fields.extend([of(|known| known.lud), of(|known| known.kif)]);
    }
    grid
}

fn per_game(rows: &[Row], label: &'static str, caption: &str, values: &Values<'_>) -> Grid {
    let mut grid = Grid::new(label, caption, "game", LANGUAGES.map(|(_, shown)| shown));
    for game in distinct(rows.iter().map(|row| &*row.game)) {
        let value = |(language, _)| values.get(game, language);
        let whole =
            |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| count(value as u64));
        grid.push(game, LANGUAGES.map(value).map(whole));
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: &str, language: &str, characters: u64, added: u64) -> Row {
        Row {
            game: game.to_owned(),
            language: language.to_owned(),
            tokens: Some(characters / 5),
            characters,
            nodes: characters / 4,
            depth: 5,
            words: 9,
            operators: 2,
            volume: characters as f64,
            compressed: added + 10,
            added,
            listed: 0.25,
            library: 0,
        }
    }

    #[test]
    fn ratios_are_over_games_that_both_describe() {
        let rows = [
            row("tic-tac-toe-3x3", "lud", 100, 50),
            row("tic-tac-toe-3x3", "kif", 400, 50),
            row("hex", "lud", 200, 60),
            row("hex", "kif", 3_200, 60),
            row("alone", "lud", 1, 1),
        ];
        let section = section(&rows);
        assert!(section.findings[0].contains("in GDL has 8.00 times ("), "{section:?}");
        assert!(section.findings[0].starts_with("Over 2 games that both"), "{section:?}");
        assert!(section.findings[0].contains("16.0× of hex"), "{section:?}");
        assert!(section.findings[0].contains("no difference in what is new"), "{section:?}");
        assert!(
            section.findings[1].contains(
                "29 tokens of ludemes and 381 of GDL (13.1×); ours \
            have 20 and 80 (4.00×)"
            ),
            "{section:?}"
        );
        let grid = &section.grids[0];
        assert_eq!(grid.lines.len(), 1);
        assert_eq!(grid.lines[0].1[..2], ["2", "8.00 (4.00–16.0)"]);
        // A game without a partner has its line and no ratio.
        assert_eq!(section.grids[4].lines[2].1[..2], ["1", "–"]);
    }

    #[test]
    fn what_is_not_read_is_said() {
        let broken = Row { tokens: None, ..row("a", "kif", 10, 5) };
        let section = section(&[broken]);
        assert_eq!(section.findings, ["Not read, so that their tokens are not known: a in GDL."]);
    }
}

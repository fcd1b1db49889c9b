//! What it costs to turn a game into its relative.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::names::{LANGUAGES, shown};
use super::ratios::{Values, listed, median, short, with_interval};
use super::section::{Grid, Section};
use super::shares::distinct;
use crate::format::{count, factor, plain};

/// The kinds of differences between two games, and what is another in each.
pub const KINDS: [(&str, &str); 9] = [
    ("size", "the number of squares, cards or arrows"),
    ("shape", "the neighbours of the squares"),
    ("start", "the position at which the game begins"),
    ("movement", "the moves of the pieces"),
    ("goal", "what wins or pays"),
    ("misere", "who wins, so that whoever would have won loses"),
    ("players", "the number of players, from one to two"),
    ("third player", "the number of players, from two to three"),
    ("sight", "what the players see"),
];

/// The kind of rows that compare a family's template with one of its games.
pub const TEMPLATE: &str = "template";

/// The difference between the descriptions of two games in one language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The game that is changed; of templates, the family.
    pub from: String,
    /// The game that it is to become; of templates, a game of the family.
    pub to: String,
    /// One of [`KINDS`], or [`TEMPLATE`].
    pub kind: String,
    /// The short name of the language.
    pub language: String,
    /// Nodes of both trees.
    pub nodes_from: u64,
    /// The same of the other.
    pub nodes_to: u64,
    /// Nodes put in, taken out or renamed; empty where finding out is too much work.
    pub distance: Option<u64>,
    /// Lines of both texts.
    pub lines_from: u64,
    /// The same of the other.
    pub lines_to: u64,
    /// Lines taken out or put in.
    pub lines_changed: u64,
    /// Words and marks of both texts.
    pub tokens_from: u64,
    /// The same of the other.
    pub tokens_to: u64,
    /// Words and marks taken out or put in.
    pub tokens_changed: u64,
    /// Characters of both texts.
    pub characters_from: u64,
    /// The same of the other.
    pub characters_to: u64,
}

impl Row {
    /// The distance as a share of the larger tree.
    fn share(&self) -> Option<f64> {
        let larger = self.nodes_from.max(self.nodes_to).max(1);
        Some(self.distance? as f64 / larger as f64)
    }
}

const DEFINITIONS: [&str; 4] = [
    "Pairs are games that differ in one thing, described by the same author, which engines have \
     been proven to play alike in all languages. A description is compared with that of the relative \
     in the same language, without comments and runs of blanks.",
    "The distance is the fewest nodes of the tree of brackets and words that are put in, taken out \
     or renamed (Zhang and Shasha, 1989); its share is that of the larger tree. Changed lines and \
     tokens are those taken out and those put in, by Myers's difference; a token that is replaced \
     counts twice. The title, which ludemes write into the text, counts as a node and a token.",
    "Nobody has to change what a language says once for all sizes. So a template is compared with \
     the largest game of its family that the study takes, too: a short template beside a long game \
     is one that has to generate the rules square by square. Templates are a little longer for the \
     parameters of their families.",
    "Ratios are geometric means over the pairs that differ in both languages, with an interval of \
     95 % from resampling pairs.",
];

/// What the rows show.
pub(super) fn section(rows: &[Row]) -> Section {
    let mut section = Section {
        title: "What a change costs",
        definitions: DEFINITIONS.to_vec(),
        ..Section::default()
    };
    let (templates, pairs): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.kind == TEMPLATE);
    findings(&pairs, &templates, &mut section.findings);
    section.grids.push(kinds(&pairs));
    let distance = |row: &Row| {
        let share = row.share()?;
        Some(format!("{} ({} %)", count(row.distance?), plain(100.0 * share, 2)))
    };
    let of =
        |label, caption, of: &dyn Fn(&Row) -> Option<String>| per_pair(&pairs, label, caption, of);
    section.grids.push(of("tree-changes", "Nodes changed, and their share of the tree", &distance));
    section.grids.push(of(
        "line-changes",
        "Lines changed, of those of both texts",
        &|row: &Row| {
            let both = row.lines_from + row.lines_to;
            Some(format!("{} of {}", count(row.lines_changed), count(both)))
        },
    ));
    section.grids.push(of("token-changes", "Words and marks changed", &|row: &Row| {
        Some(count(row.tokens_changed))
    }));
    section.grids.push(template_grid(&templates));
    section.grids.retain(|grid| !grid.lines.is_empty());
    section
}

/// A name for a pair.
fn name(row: &Row) -> String {
    format!("{} to {}", row.from, row.to)
}

fn findings(pairs: &[&Row], templates: &[&Row], out: &mut Vec<String>) {
    let names_of: Vec<String> = pairs.iter().map(|row| name(row)).collect();
    let of = |value: fn(&Row) -> f64| {
        let rows = pairs.iter().zip(&names_of);
        Values::new(rows.map(move |(row, name)| (&**name, &*row.language, value(row))))
    };
    let nodes = of(|row| row.distance.unwrap_or(0) as f64);
    let tokens = of(|row| row.tokens_changed as f64);
    for (language, name) in &LANGUAGES[1..] {
        let ratios = nodes.ratio(language, "lud").zip(tokens.ratio(language, "lud"));
        let Some((nodes, tokens)) = ratios else { continue };
        out.push(format!(
            "The same change is {} times as many nodes in {name} as in ludemes, and {} times as many \
             words and marks, over {} pairs; the least is {} ({}), the most {} ({}).",
            with_interval(&nodes.mean),
            with_interval(&tokens.mean),
            count(nodes.games as u64),
            factor(nodes.least.1),
            nodes.least.0,
            factor(nodes.most.1),
            nodes.most.0
        ));
    }
    for (kind, what) in KINDS {
        let of_kind: Vec<&Row> = pairs.iter().copied().filter(|row| row.kind == kind).collect();
        if !of_kind.is_empty() {
            out.push(of_one_kind(&of_kind, kind, what));
        }
    }
    out.extend(template_findings(templates));
    let unknown: Vec<String> = pairs
        .iter()
        .filter(|row| row.distance.is_none())
        .map(|row| format!("{} in {}", name(row), shown(&row.language)))
        .collect();
    if !unknown.is_empty() {
        out.push(format!("Too much work to compare as trees: {}.", listed(&unknown)));
    }
}

/// The medians of a kind of change.
fn of_one_kind(rows: &[&Row], kind: &str, what: &str) -> String {
    let each: Vec<String> = LANGUAGES
        .iter()
        .filter_map(|(language, name)| {
            let rows = || rows.iter().filter(|row| row.language == *language);
            let nodes = rows().filter_map(|row| Some(row.distance? as f64)).collect();
            let share = rows().filter_map(|row| row.share()).collect();
            let (nodes, share) = median(nodes).zip(median(share))?;
            Some(format!("{} in {name} ({} %)", short(nodes), plain(100.0 * share, 2)))
        })
        .collect();
    let number = rows.iter().map(|row| name(row)).collect::<BTreeSet<_>>().len();
    format!(
        "To change {what} ({kind}, {number} {}) takes, in the median, {} of the nodes.",
        if number == 1 { "pair" } else { "pairs" },
        listed(&each)
    )
}

/// What templates are beside their games.
fn template_findings(templates: &[&Row]) -> Vec<String> {
    let of = |value: fn(&Row) -> f64, name: &'static str| {
        let rows = templates.iter().filter(|row| row.characters_to > 0);
        rows.map(move |row| (&*row.from, &*row.language, name, value(row))).collect::<Vec<_>>()
    };
    let template = of(|row| row.characters_from as f64, "template");
    let game = of(|row| row.characters_to as f64, "game");
    LANGUAGES
        .iter()
        .filter_map(|(language, name)| {
            let rows = template.iter().chain(&game).filter(|row| row.1 == *language);
            let values = Values::new(rows.map(|row| (row.0, row.2, row.3)));
            let ratio = values.ratio("template", "game")?;
            Some(format!(
                "A template of {name} is {} times as long as the largest game that it makes, over {} \
                 families (least: {} of {}).",
                with_interval(&ratio.mean),
                count(ratio.games as u64),
                factor(ratio.least.1),
                ratio.least.0
            ))
        })
        .collect()
}

fn kinds(pairs: &[&Row]) -> Grid {
    let caption = "The median share of the tree that a change takes, by what is changed; in brackets \
        the number of pairs";
    let mut grid = Grid::new("change-kinds", caption, "changed", LANGUAGES.map(|(_, shown)| shown));
    for (kind, _) in KINDS {
        let share = |(language, _): (&str, &str)| {
            let rows = pairs.iter().filter(|row| row.kind == kind && row.language == language);
            let shares: Vec<f64> = rows.filter_map(|row| row.share()).collect();
            let number = shares.len();
            median(shares).map_or_else(
                || "–".to_owned(),
                |share| format!("{} % ({number})", plain(100.0 * share, 2)),
            )
        };
        let fields = LANGUAGES.map(share);
        if fields.iter().any(|field| field != "–") {
            grid.push(kind, fields);
        }
    }
    grid
}

fn per_pair(
    pairs: &[&Row],
    label: &'static str,
    caption: &str,
    of: &dyn Fn(&Row) -> Option<String>,
) -> Grid {
    let heads = ["changed"].into_iter().chain(LANGUAGES.map(|(_, shown)| shown));
    let mut grid = Grid::new(label, caption, "change", heads);
    let all: Vec<String> = pairs.iter().map(|row| name(row)).collect();
    for pair in distinct(all.iter().map(String::as_str)) {
        let rows = || pairs.iter().filter(|row| name(row) == pair);
        let kind = rows().next().map_or_else(String::new, |row| row.kind.clone());
        let fields = LANGUAGES.map(|(language, _)| match rows().find(|r| r.language == language) {
            Some(row) => of(row).unwrap_or_else(|| "not known".to_owned()),
            None => "–".to_owned(),
        });
        grid.push(pair, std::iter::once(kind).chain(fields));
    }
    grid
}

fn template_grid(templates: &[&Row]) -> Grid {
    let caption = "Characters of a family's template, and of its game at the largest size";
    let mut grid = Grid::new("templates", caption, "family", LANGUAGES.map(|(_, shown)| shown));
    for family in distinct(templates.iter().map(|row| &*row.from)) {
        let field = |(language, _): (&str, &str)| {
            let row = templates.iter().find(|row| row.from == family && row.language == language);
            row.map_or_else(
                || "–".to_owned(),
                |row| format!("{}, {}", count(row.characters_from), count(row.characters_to)),
            )
        };
        grid.push(family, LANGUAGES.map(field));
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(from: &str, language: &str, kind: &str, distance: Option<u64>) -> Row {
        Row {
            from: from.to_owned(),
            to: "other".to_owned(),
            kind: kind.to_owned(),
            language: language.to_owned(),
            nodes_from: 50,
            nodes_to: 100,
            distance,
            lines_from: 10,
            lines_to: 12,
            lines_changed: 4,
            tokens_from: 40,
            tokens_to: 80,
            tokens_changed: 2 * distance.unwrap_or(30),
            characters_from: 100,
            characters_to: 400,
        }
    }

    #[test]
    fn changes_are_compared_pair_by_pair() {
        let rows = [
            row("a", "lud", "size", Some(2)),
            row("a", "kif", "size", Some(20)),
            row("b", "lud", "goal", Some(5)),
            row("b", "kif", "goal", Some(50)),
            row("c", "kif", "goal", None),
            row("family", "kif", TEMPLATE, None),
        ];
        let section = section(&rows);
        let findings = &section.findings;
        assert!(
            findings[0]
                .starts_with("The same change is 10.0 (10.0–10.0) times as many nodes in GDL"),
            "{findings:?}"
        );
        assert!(findings[0].contains("over 2 pairs"), "{findings:?}");
        assert!(findings[1].contains("(size, 1 pair) takes, in the median, 2 in ludemes (2.0 %)"));
        assert!(findings[3].contains("template of GDL is 0.250 times"));
        assert_eq!(findings[4], "Too much work to compare as trees: c to other in GDL.");
        assert_eq!(section.grids[0].lines[1].1[..2], ["5.0 % (1)", "50 % (1)"]);
        assert_eq!(section.grids[1].lines[2].1[1..3], ["–", "not known"]);
    }
}

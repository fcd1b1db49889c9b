//! The difference between the descriptions of a game and of its relative.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use edits::{Budget, Tree, distance, plain, read};
use games::{Catalogue, Family, GameEntry};
use play::{Language, Rules};
use reports::languages::change::{Row, TEMPLATE};
use reports::languages::text;
use similar::{Algorithm, ChangeTag, TextDiff, capture_diff_slices};

use super::Setting;
use super::size::LANGUAGES;

/// Games that differ in one thing: the game, its relative, and the kind of difference.
///
/// A game is one of the catalogue, or `FAMILY SIZE` with perhaps `PARAMETER=VALUE` behind it. Where
/// both are of a family, neither is taken from the catalogue, whose lines may be broken elsewhere.
const PAIRS: [(&str, &str, &str); 33] = [
    ("tic-tac-toe 3", "tic-tac-toe 5", "size"),
    ("breakthrough 6", "breakthrough 8", "size"),
    ("connect-4 7", "connect-4 12", "size"),
    ("connect-4-6x7", "connect-4-12x9", "size"),
    ("gomoku 15", "gomoku 19", "size"),
    ("hex 9", "hex 11", "size"),
    ("lights-out 5", "lights-out 7", "size"),
    ("queens 8", "queens 16", "size"),
    ("futoshiki-4x4", "futoshiki-5x5", "size"),
    ("futoshiki 4", "futoshiki 6", "size"),
    ("nonogram-5x5", "nonogram-10x10", "size"),
    ("nonogram 5", "nonogram 8", "size"),
    ("sudoku 4", "sudoku 9", "size"),
    ("goofspiel 5", "goofspiel 8", "size"),
    ("wumpus 4", "wumpus 6", "size"),
    ("wumpus-hunt 1", "wumpus-hunt 2", "size"),
    ("tic-tac-toe 3", "tic-tac-toe 3 rhombus=1", "shape"),
    ("tic-tac-toe 5", "tic-tac-toe 5 rhombus=1", "shape"),
    ("breakthrough 8", "breakthrough 8 pawns=1", "start"),
    ("breakthrough 6", "breakthrough 6 pawns=1", "start"),
    ("breakthrough 8", "breakthrough 8 straight=1", "movement"),
    ("breakthrough-8x8", "knightthrough-8x8", "movement"),
    ("tic-tac-toe 3", "tic-tac-toe 3 misere=1", "misere"),
    ("tic-tac-toe 5", "tic-tac-toe 5 misere=1", "misere"),
    ("hex 9", "hex 9 misere=1", "misere"),
    ("wumpus-hunt 1", "wumpus-hunt 1 alive=2", "goal"),
    ("wumpus 4", "wumpus 4 grabbed=1", "goal"),
    ("wumpus-hunt-solo 2", "wumpus-hunt 2", "players"),
    ("wumpus-hunt-solo 1", "wumpus-hunt 1", "players"),
    ("tic-tac-toe 3", "tic-tac-toe 3 players=3", "third player"),
    ("tic-tac-toe 5", "tic-tac-toe 5 players=3", "third player"),
    ("gomoku 15", "gomoku 15 players=3", "third player"),
    ("tic-tac-toe-3x3", "phantom-tic-tac-toe", "sight"),
];

pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let known = Known::new(setting.catalogue)?;
    let mut jobs: Vec<(Side, Side, &str, Language)> = Vec::new();
    for (from, to, kind) in PAIRS {
        if is_wanted(setting, from) || is_wanted(setting, to) {
            let (from, to) = (known.side(from)?, known.side(to)?);
            for language in LANGUAGES {
                if from.has(language) && to.has(language) {
                    jobs.push((from.clone(), to.clone(), kind, language));
                }
            }
        }
    }
    let rows = setting.each(&jobs, |(from, to, kind, language)| {
        compared(&from.text(*language), &to.text(*language), *language).named(from, to, kind)
    });
    let templates = known.templates(setting)?;
    Ok(text(&[rows, templates].concat())?)
}

/// True if a game is asked for, or one of its family.
fn is_wanted(setting: &Setting<'_>, side: &str) -> bool {
    let family = side.split(' ').next().unwrap_or(side);
    setting.games.iter().any(|game| game.id.starts_with(family))
}

/// A game of a pair.
#[derive(Clone)]
struct Side {
    /// Its name in the report.
    name: String,
    game: GameEntry,
}

impl Side {
    fn has(&self, language: Language) -> bool {
        self.game.descriptions.contains_key(&language)
    }

    /// The text without comments and runs of blanks.
    fn text(&self, language: Language) -> String {
        let rules: Option<Rules> = self.game.rules_in(language);
        rules.map_or_else(String::new, |rules| plain(rules.source.text(), language))
    }
}

/// The games that pairs may name.
struct Known<'c> {
    catalogue: &'c Catalogue,
    families: BTreeMap<String, Family>,
}

impl<'c> Known<'c> {
    fn new(catalogue: &'c Catalogue) -> Result<Known<'c>> {
        let families = Family::embedded().map_err(|error| anyhow!("{error}"))?;
        let families = families.into_iter().map(|family| (family.id.clone(), family)).collect();
        Ok(Known { catalogue, families })
    }

    fn side(&self, name: &str) -> Result<Side> {
        let mut words = name.split(' ');
        let id = words.next().unwrap_or_default();
        let Some(size) = words.next() else {
            let game = self.catalogue.get(id).map_err(|error| anyhow!("{error}"))?;
            return Ok(Side { name: id.to_owned(), game: game.clone() });
        };
        let mut family =
            self.families.get(id).with_context(|| format!("no family `{id}`"))?.clone();
        for parameter in words {
            let (parameter, value) =
                parameter.split_once('=').context("a parameter has a value")?;
            family = family.with(parameter, value.parse()?).map_err(|error| anyhow!("{error}"))?;
        }
        let game = family.at(size.parse()?, self.catalogue).map_err(|error| anyhow!("{error}"))?;
        Ok(Side { name: game.id.clone(), game })
    }

    /// The template of each family beside its largest game of a study.
    fn templates(&self, setting: &Setting<'_>) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for family in self.families.values().filter(|family| is_wanted(setting, &family.id)) {
            let largest = family.sizes.last().copied().unwrap_or(1);
            let game = self.side(&format!("{} {largest}", family.id))?;
            for language in LANGUAGES {
                let Some(template) = family.template(language) else { continue };
                let characters = |text: &str| text.chars().count() as u64;
                rows.push(Row {
                    from: family.id.clone(),
                    to: game.name.clone(),
                    kind: TEMPLATE.to_owned(),
                    language: language.name().to_owned(),
                    characters_from: characters(&plain(template, language)),
                    characters_to: characters(&game.text(language)),
                    ..Row::default()
                });
            }
        }
        Ok(rows)
    }
}

/// A row without names.
struct Compared(Row);

impl Compared {
    fn named(self, from: &Side, to: &Side, kind: &str) -> Row {
        let (from, to, kind) = (from.name.clone(), to.name.clone(), kind.to_owned());
        Row { from, to, kind, ..self.0 }
    }
}

/// The difference between two texts of a language.
fn compared(from: &str, to: &str, language: Language) -> Compared {
    let (before, after) = (read(from, language), read(to, language));
    let (one, other) = (leaves(&before), leaves(&after));
    let lines = TextDiff::from_lines(from, to);
    let changed = lines.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    let tokens = capture_diff_slices(Algorithm::Myers, &one, &other);
    let of_both = |op: &similar::DiffOp| match op.tag() {
        similar::DiffTag::Equal => 0,
        _ => (op.old_range().len() + op.new_range().len()) as u64,
    };
    Compared(Row {
        language: language.name().to_owned(),
        nodes_from: edits::size(&before),
        nodes_to: edits::size(&after),
        distance: distance(&before, &after, Budget::default()),
        lines_from: from.lines().count() as u64,
        lines_to: to.lines().count() as u64,
        lines_changed: changed.count() as u64,
        tokens_from: one.len() as u64,
        tokens_to: other.len() as u64,
        tokens_changed: tokens.iter().map(of_both).sum(),
        characters_from: from.chars().count() as u64,
        characters_to: to.chars().count() as u64,
        ..Row::default()
    })
}

/// The words and marks of a tree, in order.
fn leaves(pieces: &[Tree]) -> Vec<&str> {
    fn walk<'p>(pieces: &'p [Tree], out: &mut Vec<&'p str>) {
        for piece in pieces {
            match piece {
                Tree::Leaf(word) => out.push(word),
                Tree::Group(_, inner, _) => walk(inner, out),
            }
        }
    }
    let mut out = Vec::new();
    walk(pieces, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use reports::languages::change::KINDS;

    use super::*;

    #[test]
    fn pairs_exist_and_are_described_in_two_languages_or_more() {
        let catalogue = Catalogue::embedded().unwrap();
        let known = Known::new(&catalogue).unwrap();
        for (from, to, kind) in PAIRS {
            assert!(KINDS.iter().any(|(name, _)| *name == kind), "{kind}");
            let side = |name| known.side(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (from, to) = (side(from), side(to));
            let both = LANGUAGES.iter().filter(|l| from.has(**l) && to.has(**l)).count();
            assert!(both >= 2, "{} and {}", from.name, to.name);
            for language in LANGUAGES.into_iter().filter(|l| from.has(*l) && to.has(*l)) {
                assert_ne!(from.text(language), to.text(language), "{} {}", from.name, to.name);
            }
        }
        for (kind, _) in KINDS {
            assert!(PAIRS.iter().any(|(.., other)| *other == kind), "no pair of the kind {kind}");
        }
    }

    #[test]
    fn a_change_is_counted() {
        let (from, to) = ("(a b)\n(c (d 1))\n(e)", "(a b)\n(c (d 2) (f))\n(e)");
        let Compared(row) = compared(from, to, Language::Kif);
        // 1 is renamed, and (f) put in: a group and its word.
        assert_eq!((row.nodes_from, row.nodes_to, row.distance), (10, 12, Some(3)));
        assert_eq!((row.lines_from, row.lines_to, row.lines_changed), (3, 3, 2));
        assert_eq!((row.tokens_from, row.tokens_to, row.tokens_changed), (6, 7, 3));
        let Compared(same) = compared(from, from, Language::Kif);
        assert_eq!((same.distance, same.lines_changed, same.tokens_changed), (Some(0), 0, 0));
    }
}

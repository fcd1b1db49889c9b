//! The size of each description.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Context, Result};
use edits::{Tree, listed, paths, plain, read};
use lzma_rust2::{LzmaOptions, LzmaWriter};
use play::{Language, Rules};
use reports::languages::size::Row;
use reports::languages::text;

use super::{Setting, described};

/// The languages that games are described in, in the order of columns.
pub(super) const LANGUAGES: [Language; 4] =
    [Language::Lud, Language::Kif, Language::Rbg, Language::Rg];

/// The highest level of LZMA.
const LEVEL: u32 = 9;

pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let descriptions: Vec<(&str, &Rules)> = setting
        .games
        .iter()
        .flat_map(|game| described(game).map(|rules| (&*game.id, rules)))
        .collect();
    // A game adds to the whole catalogue, also where few games are asked for.
    let catalogue = setting.catalogue.games();
    let all: Vec<(&str, Rules)> = catalogue
        .iter()
        .flat_map(|game| LANGUAGES.map(|language| (&*game.id, game.rules_in(language))))
        .filter_map(|(game, rules)| Some((game, rules?)))
        .collect();
    let rest = LANGUAGES.map(|language| texts(&all, language));
    let rows = setting.each(&descriptions, |(game, rules)| {
        let language = LANGUAGES.iter().position(|language| *language == rules.language);
        row(game, rules, language.map_or(&[][..], |at| &rest[at]))
    });
    Ok(text(&rows.into_iter().collect::<Result<Vec<Row>>>()?)?)
}

/// The texts of all games in a language, without comments and runs of blanks.
fn texts<'c>(all: &[(&'c str, Rules)], language: Language) -> Vec<(&'c str, String)> {
    let of = all.iter().filter(|(_, rules)| rules.language == language);
    of.map(|(game, rules)| (*game, on_one_line(rules))).collect()
}

/// The text without comments, with one blank in the place of each run of them.
fn on_one_line(rules: &Rules) -> String {
    plain(rules.source.text(), rules.language).replace('\n', " ")
}

fn row(game: &str, rules: &Rules, all: &[(&str, String)]) -> Result<Row> {
    let pieces = read(rules.source.text(), rules.language);
    let text = on_one_line(rules);
    let rest = all.iter().filter(|(other, _)| *other != game).map(|(_, text)| &**text);
    let rest: Vec<&str> = rest.collect();
    let without = compressed(&rest.join("\n"))?;
    let with = compressed(&[&rest[..], &[&text]].concat().join("\n"))?;
    let all_paths = paths(&pieces);
    let (words, operators) = vocabulary(&pieces);
    let different = (words + operators).max(1) as f64;
    let nodes = all_paths.len() as u64;
    Ok(Row {
        game: game.to_owned(),
        language: rules.language.name().to_owned(),
        tokens: roster::tokens(rules),
        characters: text.chars().count() as u64,
        nodes,
        depth: all_paths.iter().map(Vec::len).max().unwrap_or(0) as u64,
        words,
        operators,
        volume: (nodes as f64 * different.log2()).round(),
        compressed: compressed(&text)?,
        added: with.saturating_sub(without),
        listed: share_listed(&pieces),
        library: if rules.language == Language::Lud { library_calls(&pieces) } else { 0 },
    })
}

/// The share of nodes that are spelled out, in whole thousandths.
pub(super) fn share_listed(pieces: &[Tree]) -> f64 {
    let share = listed(pieces) as f64 / edits::size(pieces).max(1) as f64;
    (1000.0 * share).round() / 1000.0
}

/// Bytes of the text when compressed.
fn compressed(text: &str) -> Result<u64> {
    let whole = u32::try_from(text.len()).context("too much to compress")?;
    // A window for all of the text: more would only take memory.
    let dict_size = whole.max(1 << 16).next_power_of_two();
    let options = LzmaOptions { dict_size, ..LzmaOptions::with_preset(LEVEL) };
    let writer = LzmaWriter::new_no_header(Vec::new(), &options, false);
    let mut writer = writer.context("cannot begin to compress")?;
    writer.write_all(text.as_bytes()).context("cannot compress")?;
    Ok(writer.finish().context("cannot end compressing")?.len() as u64)
}

/// Different words and different operators: marks, and pairs of brackets.
fn vocabulary(pieces: &[Tree]) -> (u64, u64) {
    fn walk<'p>(pieces: &'p [Tree], words: &mut BTreeSet<&'p str>, marks: &mut BTreeSet<&'p str>) {
        for piece in pieces {
            match piece {
                Tree::Leaf(word) if word.contains(char::is_alphanumeric) => words.insert(word),
                Tree::Leaf(mark) => marks.insert(mark),
                Tree::Group(begin, inner, _) => {
                    walk(inner, words, marks);
                    marks.insert(begin)
                }
            };
        }
    }
    let (mut words, mut marks) = (BTreeSet::new(), BTreeSet::new());
    walk(pieces, &mut words, &mut marks);
    (words.len() as u64, marks.len() as u64)
}

/// Calls of names in quotes that the text does not define: definitions of the library of ludemes.
fn library_calls(pieces: &[Tree]) -> u64 {
    fn walk<'p>(pieces: &'p [Tree], defined: &mut BTreeSet<&'p str>, called: &mut Vec<&'p str>) {
        for piece in pieces {
            let Tree::Group(begin, inner, _) = piece else { continue };
            match &inner[..] {
                [Tree::Leaf(define), Tree::Leaf(name), ..] if define == "define" => {
                    defined.insert(name);
                }
                [Tree::Leaf(name), ..] if name.starts_with('"') && *begin == "(" => {
                    called.push(name);
                }
                _ => {}
            }
            walk(inner, defined, called);
        }
    }
    let (mut defined, mut called) = (BTreeSet::new(), Vec::new());
    walk(pieces, &mut defined, &mut called);
    called.iter().filter(|name| !defined.contains(*name)).count() as u64
}

#[cfg(test)]
mod tests {
    use games::Catalogue;

    use super::*;

    fn rules(language: Language, text: &str) -> Rules {
        Rules::new(language, "made", text)
    }

    #[test]
    fn a_description_is_counted() {
        let text = "(role x) ; who\n(<= (legal x (a 1))\n    (true b))";
        let row = row("made", &rules(Language::Kif, text), &[]).unwrap();
        assert_eq!(row.characters, 38);
        // Groups: role, rule, legal, a, true. Words: role x <= legal x a 1 true b.
        assert_eq!((row.nodes, row.depth), (14, 4));
        assert_eq!((row.words, row.operators), (7, 2));
        assert!((row.volume - 14.0 * 9_f64.log2()).abs() <= 0.5, "{}", row.volume);
    }

    #[test]
    fn what_is_repeated_adds_little() {
        let long: String =
            (0..300).map(|n: u64| format!("(fact {} {}) ", n * n % 71, n * n % 97)).collect();
        let of = |rest: &[(&str, String)]| row("made", &rules(Language::Kif, &long), rest).unwrap();
        let alone = of(&[]);
        assert!(alone.compressed.abs_diff(alone.added) < 40, "{alone:?}");
        let again = of(&[("other", long.clone())]);
        assert_eq!(again.compressed, alone.compressed);
        assert!(again.added < 40, "{again:?}");
        // It does not see itself.
        assert_eq!(of(&[("made", long.clone())]).added, alone.added);
    }

    #[test]
    fn calls_of_the_library_are_seen() {
        let of = |text| library_calls(&read(text, Language::Lud));
        assert_eq!(of(r#"(define "A" (x)) (game "G" ("A") (y "A" "B"))"#), 0);
        assert_eq!(of(r#"(game "G" ("StepToEmpty" Forward))"#), 1);
    }

    #[test]
    fn the_catalogue_calls_nothing_of_the_library() {
        // The library's texts would have to be counted, too.
        for game in Catalogue::embedded().unwrap().games() {
            let Some(rules) = game.rules_in(Language::Lud) else { continue };
            assert_eq!(library_calls(&read(rules.source.text(), Language::Lud)), 0, "{}", game.id);
        }
    }
}

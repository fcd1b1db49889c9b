//! Positions of a game: `[setup]` of a manifest, and those of `[perft]`.

use std::collections::BTreeMap;

use play::Language;
use text::Diagnostic;

use crate::entry::{Description, PerftPosition};
use crate::fields::{Fields, Value, list, span};
use crate::setup::{BoardWords, KEYS, Notation, Piece, Pieces, Setup, Signs};

/// The notations by their names.
const NOTATIONS: [&str; 3] = ["fen", "pdn", "drawing"];

/// Reads `[setup]`, whose pieces are looked for in the descriptions.
pub(crate) fn read_setup(
    fields: Fields<'_>,
    descriptions: &BTreeMap<Language, Description>,
) -> Option<Setup> {
    let notation = fields.require("notation").and_then(|value| {
        let name = fields.text(value)?;
        match name.as_str() {
            "fen" => {
                let royal = fields.find("royal").and_then(|v| fields.flag(v));
                Some(Notation::Fen { royal: royal.unwrap_or(true) })
            }
            "pdn" => Some(Notation::Pdn),
            "drawing" => Some(Notation::Drawing(read_signs(&fields))),
            _ => {
                let message = format!("no notation `{name}`");
                let problem = Diagnostic::error("bad-setup", span(value.span()), message);
                let expected = format!("expected {}", list(&NOTATIONS));
                fields.note(problem.label(expected).suggest(&name, NOTATIONS));
                None
            }
        }
    });
    let start = fields.require("start").and_then(|v| Some((v, fields.text(v)?)));
    let mut pieces = BTreeMap::new();
    for language in Language::ALL {
        let Some(value) = fields.find(language.name()) else { continue };
        let Some(rules) = descriptions.get(&language) else {
            let message = format!("a setup for `{language}`, in which the game is not described");
            fields.note(Diagnostic::error("bad-setup", span(value.span()), message));
            continue;
        };
        pieces.insert(language, read_pieces(&fields, value, language, rules));
    }
    let setup = notation.zip(start).map(|(notation, (value, start))| {
        let setup = Setup { notation, start, pieces };
        let position = setup.position(&setup.start);
        let filled = position.map_err(|why| why.lines().next().unwrap_or_default().to_owned());
        let filled = filled.and_then(|start| {
            descriptions.iter().try_for_each(|(&language, rules)| {
                let filled = setup.fill(language, &rules.text, &start);
                filled.map(drop).map_err(|why| format!("[setup.{language}]: {why}"))
            })
        });
        if let Err(why) = filled {
            fields.note(Diagnostic::error("bad-setup", span(value.span()), why));
        }
        setup
    });
    fields.finish();
    setup
}

/// Reads the signs of drawings.
fn read_signs(fields: &Fields<'_>) -> Signs {
    let text = |key| fields.find(key).and_then(|v| fields.text(v)).unwrap_or_default();
    let men = fields.require("signs").and_then(|v| fields.text(v)).unwrap_or_default();
    let ways = fields.find("ways").and_then(|v| fields.integer(v, 1..=10));
    let count = fields.find("count").and_then(|v| fields.integer(v, 1..=i64::from(u32::MAX)));
    Signs {
        men,
        players: text("players"),
        empty: text("empty"),
        once: text("once"),
        off: text("off").chars().next(),
        ways: ways.map(|ways| ways as u32),
        count: count.map(|count| count as u32),
        fixed: fields.find("fixed").and_then(|v| fields.flag(v)).unwrap_or(false),
    }
}

/// Reads what hangs on the position in a language: words and pieces, or pieces alone.
fn read_pieces<'a>(
    setup: &Fields<'a>,
    value: Value<'a>,
    language: Language,
    rules: &Description,
) -> Pieces {
    let read = |piece| read_piece(setup, piece, &format!("[[setup.{language}]]"), rules);
    if !value.get_ref().is_table() {
        let all = setup.array(value).unwrap_or_default();
        return Pieces { words: None, own: all.into_iter().filter_map(read).collect() };
    }
    let Some(table) = setup.fields("a table of [setup]", value) else { return Pieces::default() };
    let own = table.find("pieces").and_then(|v| table.array(v)).unwrap_or_default();
    let [each, turn, count] = KEYS.map(|key| table.find(key).and_then(|v| table.text(v)));
    let mut signs = BTreeMap::new();
    for (key, value) in table.table() {
        let name = key.get_ref().as_ref();
        if name == "pieces" || KEYS.contains(&name) {
            continue;
        }
        let mut letters = name.chars();
        match (letters.next(), letters.next()) {
            (Some(sign), None) => {
                signs.extend(table.text(value).map(|word| (sign, word)));
            }
            _ => {
                let message = format!("`{name}` is no sign");
                let problem = Diagnostic::error("unknown-key", span(key.span()), message);
                let expected = format!("expected a sign of the drawing, `pieces`, {}", list(&KEYS));
                table.note(problem.label(expected).suggest(name, KEYS));
            }
        }
    }
    let words = BoardWords { signs, each, turn, count };
    Pieces { words: Some(words), own: own.into_iter().filter_map(read).collect() }
}

/// Reads a piece of the rules and looks for it.
fn read_piece(
    setup: &Fields<'_>,
    value: Value<'_>,
    name: &str,
    rules: &Description,
) -> Option<Piece> {
    let fields = setup.fields("a piece of the rules", value)?;
    let whole = |value: Value<'_>| value.get_ref().as_str().map(str::to_owned);
    let from = fields.require("from").and_then(|v| Some((v, fields.text(v).and(whole(v))?)));
    let to = fields.find("to").and_then(|v| fields.text(v).and(whole(v)));
    let text = fields.require("text").and_then(|v| fields.text(v).and(whole(v)));
    fields.finish();
    let (place, from) = from?;
    let piece = Piece { name: name.to_owned(), from, to, text: text? };
    if let Err(why) = piece.range(&rules.text) {
        setup.note(Diagnostic::error("bad-setup", span(place.span()), why));
    }
    Some(piece)
}

/// Reads the positions whose leaves were counted.
pub(crate) fn read_positions(fields: &Fields<'_>, value: Value<'_>) -> Vec<PerftPosition> {
    let mut positions = Vec::new();
    for element in fields.array(value).unwrap_or_default() {
        let Some(table) = fields.fields("a position of [perft]", element) else { continue };
        let name = table.require("name").and_then(|v| table.text(v));
        let position = table.require("position").and_then(|v| table.text(v));
        let counts = read_counts(&table);
        table.finish();
        if let (Some(name), Some(position)) = (name, position) {
            positions.push(PerftPosition { name, position, counts });
        }
    }
    positions
}

/// Numbers of leaves at depth 1, 2, ...
pub(crate) fn read_counts(fields: &Fields<'_>) -> Vec<u64> {
    let mut counts: Vec<u64> = Vec::new();
    let elements = fields.require("counts").and_then(|v| fields.array(v)).unwrap_or_default();
    for value in elements {
        let Some(count) = fields.integer(value, 0..=i64::MAX) else { continue };
        let fault = if counts.is_empty() && count == 0 {
            Some("a game has at least one first action")
        } else if counts.last() == Some(&0) && count > 0 {
            Some("a game that has ended does not go on")
        } else {
            None
        };
        if let Some(why) = fault {
            let message = format!("{count} leaves are impossible here");
            fields.note(Diagnostic::error("bad-perft", span(value.span()), message).label(why));
        }
        counts.push(count as u64);
    }
    counts
}

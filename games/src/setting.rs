//! Positions of a game: `[setup]` of a manifest, and those of `[perft]`.

use std::collections::BTreeMap;

use play::Language;
use text::Diagnostic;

use crate::entry::{Description, PerftPosition};
use crate::fields::{Fields, Value, list, span};
use crate::setup::{Notation, Piece, Setup};

/// The notations by their names.
const NOTATIONS: [&str; 3] = ["fen", "pdn", "drawing"];

/// Reads `[setup]`, whose pieces are looked for in the descriptions.
pub(crate) fn read_setup(
    fields: Fields<'_>,
    descriptions: &BTreeMap<Language, Description>,
) -> Option<Setup> {
    let notation = fields.require("notation").and_then(|value| {
        let name = fields.text(value)?;
        let drawing = |key| fields.require(key).and_then(|v| fields.text(v)).unwrap_or_default();
        match name.as_str() {
            "fen" => Some(Notation::Fen),
            "pdn" => Some(Notation::Pdn),
            "drawing" => {
                Some(Notation::Drawing { signs: drawing("signs"), players: drawing("players") })
            }
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
        let all = fields.array(value).unwrap_or_default();
        let read = |piece| read_piece(&fields, piece, &format!("[[setup.{language}]]"), rules);
        pieces.insert(language, all.into_iter().filter_map(read).collect());
    }
    let setup = notation.zip(start).map(|(notation, (value, start))| {
        let setup = Setup { notation, start, pieces };
        if let Err(why) = setup.position(&setup.start) {
            let why = why.lines().next().unwrap_or_default().to_owned();
            fields.note(Diagnostic::error("bad-setup", span(value.span()), why));
        }
        setup
    });
    fields.finish();
    setup
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

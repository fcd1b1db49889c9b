//! Games in Portable Game Notation.

use text::{Diagnostic, Source};

use super::movetext::{ResultWord, Section, Stated, sections};
use super::san::START;
use super::{Course, GameRecord, Move, Named, Said, SetUp};

/// The words for results.
const RESULTS: [ResultWord; 6] = [
    ("1-0", Stated::First),
    ("0-1", Stated::Second),
    ("1/2-1/2", Stated::Draw),
    ("1/2", Stated::Draw),
    ("½-½", Stated::Draw),
    ("*", Stated::Open),
];

/// Names of chess in the tag `Variant`.
const CHESS: [&str; 4] = ["standard", "chess", "normal", "from position"];

pub(super) fn read(source: &Source) -> Vec<Result<GameRecord, Diagnostic>> {
    let sections = sections(source.text(), &RESULTS);
    sections.into_iter().map(|section| record(source, section)).collect()
}

fn record(source: &Source, section: Section) -> Result<GameRecord, Diagnostic> {
    if let Some(fault) = section.fault {
        return Err(fault);
    }
    let game = match section.tag("Variant") {
        Some((name, _)) if !CHESS.contains(&name.to_lowercase().as_str()) => {
            Named::Id(name.to_lowercase().replace(' ', "-"))
        }
        _ => Named::Id("chess".to_owned()),
    };
    let set_up = section.tag("FEN").map(|(text, span)| SetUp { span, text: text.to_owned() });
    let set_up = set_up.filter(|set_up| {
        let fields: Vec<&str> = set_up.text.split_whitespace().take(3).collect();
        fields.join(" ") != START
    });
    let claim = section.claim(source, &RESULTS);
    let last = section.moves.last().copied();
    let over = last.filter(|&span| source.slice(span).ends_with('#'));
    let moves = section.moves.iter();
    let moves = moves.map(|&span| Move { span, player: None, said: Said::Text }).collect();
    Ok(GameRecord { span: section.span, game, set_up, course: Course::Moves(moves), claim, over })
}

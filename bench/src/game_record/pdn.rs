//! Games of English draughts in Portable Draughts Notation.

use text::{Diagnostic, Source, Span};

use super::movetext::{ResultWord, Section, Stated, sections};
use super::{Claim, Conventions, Course, GameRecord, Move, Named, Said, SetUp, syntax};

/// The words for results.
const RESULTS: [ResultWord; 9] = [
    ("1-0", Stated::First),
    ("2-0", Stated::First),
    ("0-1", Stated::Second),
    ("0-2", Stated::Second),
    ("1/2-1/2", Stated::Draw),
    ("½-½", Stated::Draw),
    ("1-1", Stated::Draw),
    ("0-0", Stated::Open),
    ("*", Stated::Open),
];

/// The number of English draughts in the tag `GameType`.
const ENGLISH: &str = "21";

pub(super) fn read(source: &Source, with: Conventions) -> Vec<Result<GameRecord, Diagnostic>> {
    let sections = sections(source.text(), &RESULTS);
    sections.into_iter().map(|section| record(source, section, with)).collect()
}

fn record(source: &Source, section: Section, with: Conventions) -> Result<GameRecord, Diagnostic> {
    if let Some(fault) = section.fault {
        return Err(fault);
    }
    let game = match section.tag("GameType") {
        Some((kind, _)) if kind.split(',').next().map(str::trim) != Some(ENGLISH) => {
            Named::Unknown(format!("draughts of the game type {kind}; English draughts are 21"))
        }
        _ => Named::Id("english-draughts".to_owned()),
    };
    let set_up = section.tag("FEN").map(|(text, span)| SetUp { span, text: text.to_owned() });
    let set_up = set_up.filter(|set_up| !is_start(&set_up.text));
    let claim = section.claim(source, &RESULTS).map(|claim| {
        let winner = claim.winner.map(|first| first ^ u8::from(with.white_first));
        Claim { winner, ..claim }
    });
    let said = |span: &Span| {
        let squares = path(source.slice(*span)).ok_or_else(|| {
            let message = format!("`{}` is no move of draughts", source.slice(*span));
            syntax(*span, message).help("moves are 11-15, 22x15 or 1x10x17, squares 1 to 32")
        })?;
        Ok(Move { span: *span, player: None, said: Said::Path(squares) })
    };
    let moves = section.moves.iter().map(said).collect::<Result<_, _>>()?;
    let course = Course::Moves(moves);
    Ok(GameRecord { span: section.span, game, set_up, course, claim, over: None })
}

/// The squares of a move.
fn path(text: &str) -> Option<Vec<String>> {
    let text = text.trim_end_matches(['*', '+', '#']);
    let squares: Option<Vec<String>> =
        text.split(['-', 'x', 'X', ':', '×', '–']).map(square).collect();
    squares.filter(|squares| squares.len() >= 2)
}

/// A square, by its number or by its file and rank as White sees them: in the catalogue the player
/// who begins sits at the bottom, in this notation at the top.
fn square(text: &str) -> Option<String> {
    let (file, rank) = match *text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (file - b'a', rank - b'1'),
        _ => {
            let number: u8 = text.parse().ok().filter(|number| (1..=32).contains(number))?;
            let (row, column) = ((number - 1) / 4, (number - 1) % 4);
            (2 * column + u8::from(row % 2 == 0), 7 - row)
        }
    };
    Some(format!("{}{}", char::from(b'a' + 7 - file), 8 - rank))
}

/// True if a FEN is of the start: Black, who moves, has men on 1 to 12, White on 21 to 32.
fn is_start(fen: &str) -> bool {
    let mut parts = fen.trim_end_matches('.').split(':').map(str::trim);
    let to_move = parts.next();
    let mut men = [false; 33];
    for part in parts {
        let first = match part.as_bytes().first() {
            Some(b'B') => 1,
            Some(b'W') => 21,
            _ => return false,
        };
        for item in part[1..].split(',').filter(|item| !item.is_empty()) {
            let (low, high) = item.split_once('-').unwrap_or((item, item));
            let (Ok(low), Ok(high)) = (low.trim().parse::<usize>(), high.trim().parse()) else {
                return false;
            };
            if low < first || high > first + 11 || low > high {
                return false;
            }
            men[low..=high].fill(true);
        }
    }
    to_move == Some("B") && (1..=32).all(|n| men[n] != (13..=20).contains(&n))
}

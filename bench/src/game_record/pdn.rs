//! Games of English draughts in Portable Draughts Notation.

use games::setup::{self, PdnFen, Square};
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
    let square = match *text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Square { file: usize::from(b'h' - file), rank: usize::from(b'8' - rank) }
        }
        _ => setup::pdn::square(text.parse().ok()?)?,
    };
    Some(square.name())
}

/// True if a FEN is of the start.
fn is_start(fen: &str) -> bool {
    PdnFen::read(fen).is_ok_and(|read| Ok(read) == PdnFen::read(START))
}

/// The start: Black, who moves, has men on 1 to 12, White on 21 to 32.
const START: &str = "B:B1-12:W21-32";

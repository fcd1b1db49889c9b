//! Positions in the notations of the games' own worlds, which need not be reachable.

mod board;
mod drawing;
mod fen;
pub mod pdn;
mod rules;
mod words;

pub use board::{Board, Square};
pub use drawing::{Drawing, Signs};
pub use fen::Fen;
pub use pdn::PdnFen;
pub use rules::{Notation, Piece, Pieces, Setup};
pub use words::BoardWords;
pub(crate) use words::KEYS;

/// A message about a place in a text of one line or several: below it the line, and a caret.
pub fn shown(text: &str, at: usize, message: &str) -> String {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let before = text[start..at].chars().count();
    format!("{message}\n  {line}\n  {}^", " ".repeat(before))
}

/// The words of a text with their places.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    parts(text, char::is_whitespace)
}

/// The parts of a text between line breaks and strokes, with their places.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    parts(text, |sign| matches!(sign, '\n' | '\r' | '/'))
}

/// Parts between single signs, with their places; empty ones are left out.
fn parts(text: &str, is_between: fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> + Clone {
    let between = move |(_, sign): &(usize, char)| is_between(*sign);
    let starts = std::iter::once(0)
        .chain(text.char_indices().filter(between).map(|(at, sign)| at + sign.len_utf8()));
    let part = move |start: usize| {
        let rest = &text[start..];
        (start, &rest[..rest.find(is_between).unwrap_or(rest.len())])
    };
    starts.map(part).filter(|(_, part)| !part.is_empty())
}

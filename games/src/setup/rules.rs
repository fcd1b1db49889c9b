//! The rules of a game from a position: `[setup]` of a manifest, filled in.

use std::collections::BTreeMap;
use std::fmt;

use minijinja::{Value, context};
use play::Language;

use super::board::{Board, Square};
use super::drawing::{Drawing, Signs, rows_of, split};
use super::fen::Fen;
use super::pdn::{self, PdnFen};
use super::words::{BoardWords, Part, Placed};
use crate::template::render;

/// A notation of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Forsyth-Edwards notation, of chess.
    Fen {
        /// True if each side has one king; false if kings may be taken, and be missing.
        royal: bool,
    },
    /// The FEN of Portable Draughts Notation, of English draughts.
    Pdn,
    /// A drawing, with its signs.
    Drawing(Signs),
}

impl Notation {
    /// The form of a text, for messages.
    pub fn shape(&self) -> &'static str {
        match self {
            Notation::Fen { .. } => "FEN, such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`",
            Notation::Pdn => "the FEN of PDN, such as `W:W18,24,K10:B12,K25`",
            Notation::Drawing(_) => "a drawing, as `play` draws the game",
        }
    }
}

/// The positions at which a game may begin, and the places of its rules that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The notation.
    pub notation: Notation,
    /// The start of the game in that notation.
    pub start: String,
    /// The pieces of the rules that hang on the position, in each language.
    pub pieces: BTreeMap<Language, Pieces>,
}

/// The pieces of rules that hang on the position.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pieces {
    /// The words for what stands on the board, which go where the language has it.
    pub words: Option<BoardWords>,
    /// All others, with their templates.
    pub own: Vec<Piece>,
}

/// A piece of the rules that hangs on the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The place of the manifest that has the template, for messages.
    pub name: String,
    /// The text that it begins with, which stands once in the rules,
    pub from: String,
    /// and the text that it ends with, the first behind that one; nothing if it is no longer.
    pub to: Option<String>,
    /// The template of the text in its place.
    pub text: String,
}

impl Piece {
    /// The bytes of the piece in rules. The error says what is wrong.
    pub(crate) fn range(&self, rules: &str) -> Result<std::ops::Range<usize>, String> {
        let Piece { from, to, .. } = self;
        let mut all = rules.match_indices(from.as_str());
        let (Some((start, _)), None) = (all.next(), all.next()) else {
            let count = rules.matches(from.as_str()).count();
            return Err(format!(
                "the text `from` stands {count} times in the rules, expected once"
            ));
        };
        let behind = start + from.len();
        let end = match to {
            None => behind,
            Some(to) => rules[behind..]
                .find(to.as_str())
                .map(|at| behind + at + to.len())
                .ok_or("the text `to` does not stand behind `from` in the rules".to_owned())?,
        };
        Ok(start..end)
    }
}

/// A position, read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Position {
    Fen(Fen),
    Pdn(PdnFen),
    Drawing(Drawing),
}

impl Position {
    fn board(&self) -> &Board {
        match self {
            Position::Fen(Fen { board, .. })
            | Position::Pdn(PdnFen { board })
            | Position::Drawing(Drawing { board, .. }) => board,
        }
    }

    /// What templates see of a square.
    fn square(&self, square: Square) -> Value {
        let sign = self.board().get(square);
        let (sign, way) = sign.map(split).unzip();
        let way = way.flatten();
        let text = sign.map_or_else(String::new, String::from);
        // Side 0 moves first: white in chess, and black in draughts.
        let side = match self {
            Position::Fen(_) => usize::from(text == text.to_lowercase()),
            Position::Pdn(_) => usize::from(text.eq_ignore_ascii_case("w")),
            Position::Drawing(drawing) => drawing.side(sign).unwrap_or(0),
        };
        let fresh = matches!(self, Position::Fen(fen) if fen.is_fresh(square));
        let number = matches!(self, Position::Pdn(_)).then(|| pdn::number(square)).flatten();
        let Square { file, rank } = square;
        let name = square.name();
        context! {
            name, way, sign => text, kind => text.to_lowercase(), side, fresh, number,
            file => name.chars().next().map(String::from),
            rank => rank + 1,
            x => file,
            y => rank,
        }
    }

    /// What templates see.
    fn names(&self, piece: &str, off: Option<char>) -> Value {
        let Board { rows, mover } = self.board();
        let height = rows.len();
        let squares = |(row, cells): (usize, &Vec<Option<char>>)| -> Value {
            let square = |file| self.square(Square { file, rank: height - 1 - row });
            (0..cells.len()).map(square).collect()
        };
        let men = self.board().men().filter(|&(_, sign)| Some(sign) != off);
        let men: Value = men.map(|(square, _)| self.square(square)).collect();
        let drawn: Value = rows.iter().enumerate().map(squares).collect();
        let (castling, passant, quiet) = match self {
            Position::Fen(Fen { castling, passant, quiet, .. }) => {
                let letters: Vec<String> = castling.chars().map(String::from).collect();
                (letters, passant.map(|square| self.square(square)), *quiet)
            }
            _ => (Vec::new(), None, 0),
        };
        let (number, count) = match self {
            Position::Fen(fen) => (fen.number, 0),
            Position::Pdn(_) => (1, 0),
            Position::Drawing(drawing) => (1, drawing.count),
        };
        let (text, drawing) = (self.to_string(), rows_of(self.board()));
        context! {
            piece, text, drawing, men, rows => drawn, mover, castling, passant, quiet, number, count
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Fen(fen) => fen.fmt(f),
            Position::Pdn(fen) => fen.fmt(f),
            Position::Drawing(drawing) => drawing.fmt(f),
        }
    }
}

/// True if a character stands in a row of a drawing and on no square.
fn is_beside(sign: char) -> bool {
    sign.is_whitespace() || sign.is_ascii_digit()
}

impl Setup {
    /// True if a text is meant for a position in this notation and is no list of labels.
    pub fn is_meant(&self, text: &str) -> bool {
        match &self.notation {
            Notation::Fen { .. } => {
                text.split_whitespace().next().is_some_and(|word| word.contains('/'))
            }
            Notation::Pdn => text.contains(':'),
            Notation::Drawing(signs) => {
                let is_row = |row: &str| {
                    let has_sign = row.contains(|c| signs.is_known(c));
                    let is_plain = row.chars().all(|c| signs.is_known(c) || is_beside(c));
                    row.contains('.') || has_sign && is_plain && signs.ways.is_none()
                };
                // A sign and a digit may be a square.
                let is_row = |row: &str| is_row(row) || signs.ways.is_some() && text.contains('.');
                let mut rows = text.split(['\n', '/']).filter(|row| !row.trim().is_empty());
                rows.next().is_some_and(is_row) && rows.next().is_some()
            }
        }
    }

    fn read(&self, text: &str, form: Option<&Board>) -> Result<Position, String> {
        Ok(match &self.notation {
            Notation::Fen { royal: true } => Position::Fen(Fen::read(text)?),
            Notation::Fen { royal: false } => Position::Fen(Fen::read_any(text)?),
            Notation::Pdn => Position::Pdn(PdnFen::read(text)?),
            Notation::Drawing(signs) => Position::Drawing(Drawing::read(text, signs, form)?),
        })
    }

    /// A position as it is written on one line. The error says what is wrong with the text, and
    /// shows where.
    pub fn position(&self, text: &str) -> Result<String, String> {
        self.checked(text).map(|position| position.to_string())
    }

    fn checked(&self, text: &str) -> Result<Position, String> {
        let start = self.read(&self.start, None)?;
        self.read(text, Some(start.board()))
    }

    /// The text of rules in a language from a position; `None` if `[setup]` has nothing for the
    /// language. The error says what is wrong.
    pub(crate) fn fill(
        &self,
        language: Language,
        rules: &str,
        position: &str,
    ) -> Result<Option<String>, String> {
        let Some(pieces) = self.pieces.get(&language) else { return Ok(None) };
        let position = self.checked(position)?;
        let signs = match &self.notation {
            Notation::Drawing(signs) => Some(signs),
            _ => None,
        };
        let off = signs.and_then(|signs| signs.off);
        let mut filled = rules.to_owned();
        if let Some(words) = &pieces.words {
            let board = position.board();
            let count = match &position {
                Position::Drawing(drawing) => drawing.count,
                _ => 0,
            };
            let placed = Placed { board, off, count };
            filled = replaced(rules, words.fill(language, rules, &placed)?)?;
        }
        let mut parts = Vec::new();
        for piece in &pieces.own {
            let range = piece.range(&filled)?;
            let names = position.names(&filled[range.clone()], off);
            parts.push((range, render(&piece.name, &piece.text, names)?));
        }
        replaced(&filled, parts).map(Some)
    }
}

/// A text with others in place of some parts of it, which must not overlap.
pub(crate) fn replaced(text: &str, mut parts: Vec<Part>) -> Result<String, String> {
    parts.sort_by_key(|(range, _)| range.start);
    let (mut filled, mut end) = (String::new(), 0);
    for (range, part) in parts {
        filled += text.get(end..range.start).ok_or("two pieces of the rules overlap")?;
        filled += &part;
        end = range.end;
    }
    Ok(filled + &text[end..])
}

//! Games that other programs and people recorded, in the formats of their games: chess in PGN; Go,
//! Hex, Othello and Gomoku in SGF; English draughts in PDN; matches of GGP servers; trials of
//! Ludii. `bench/trials.md` says what is read of each.
//!
//! A record comes from anybody: it is read without recursion, and no part of it is trusted.

mod follow;
mod ggp;
mod ludii;
mod movetext;
mod pdn;
mod pgn;
mod san;
mod sgf;
mod trace;
mod xml;

use std::path::Path;

use play::Language;
use text::{Diagnostic, Source, Span};

pub use follow::{Finding, follow};
pub use trace::follow_trace;

/// A format of recorded games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Portable Game Notation.
    Pgn,
    /// Smart Game Format.
    Sgf,
    /// Portable Draughts Notation.
    Pdn,
    /// A match of a GGP server, as JSON.
    Json,
    /// The same as XML.
    Xml,
    /// A trial of Ludii.
    Ludii,
}

impl Format {
    /// The format of a file, by its extension.
    pub fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let formats = [
            ("pgn", Format::Pgn),
            ("sgf", Format::Sgf),
            ("pdn", Format::Pdn),
            ("json", Format::Json),
            ("xml", Format::Xml),
            ("trl", Format::Ludii),
        ];
        formats.into_iter().find(|(name, _)| *name == extension).map(|(_, format)| format)
    }
}

/// The conventions that a format leaves open.
#[derive(Clone, Copy, Default, Debug)]
pub struct Conventions {
    /// True if the first number of a result in PDN is White's, who moves second.
    pub white_first: bool,
}

/// A game as somebody recorded it.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The place where it begins.
    pub span: Span,
    /// The game that was played.
    pub game: Named,
    /// The position that it begins from, if that is not the start of the game.
    pub set_up: Option<SetUp>,
    /// What was played.
    pub course: Course,
    /// The result that the record states.
    pub claim: Option<Claim>,
    /// The place where the record says that the rules ended the game.
    pub over: Option<Span>,
}

/// The name that a record gives its game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Named {
    /// A game of the catalogue, by its id.
    Id(String),
    /// A family of games at a size, such as Hex on 11x11 cells.
    Sized(&'static str, u32),
    /// A rule file, which may lie beside the record.
    File(String),
    /// A game that is not in the catalogue, in the words of a message.
    Unknown(String),
}

/// A position that a record begins from.
#[derive(Clone, Debug)]
pub struct SetUp {
    /// The place where the record has it.
    pub span: Span,
    /// Its text: a FEN, or a drawing.
    pub text: String,
}

/// What was played.
#[derive(Clone, Debug)]
pub enum Course {
    /// Moves, which any engine of the game follows by its labels.
    Moves(Vec<Move>),
    /// Moves in the words of rules in this language, which its engines replay.
    Trace {
        /// The language.
        language: Language,
        /// The options of the rules.
        options: Vec<String>,
        /// The record as [`play::Engine::replay`] reads it.
        text: String,
        /// The place of each step.
        steps: Vec<Span>,
    },
}

/// A recorded move.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its place.
    pub span: Span,
    /// The player who made it, if the record says so, counted from 0.
    pub player: Option<u8>,
    /// The move itself.
    pub said: Said,
}

/// A move as a format says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// The text of the record: a label, or standard algebraic notation (SAN).
    Text,
    /// The label of the action.
    Label(String),
    /// A pass. Where the game itself passes for a player who cannot move, it is no ply.
    Pass,
    /// The squares that a piece goes by, perhaps in several plies: from, some between, to.
    Path(Vec<String>),
}

/// The result that a record states.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its place.
    pub span: Span,
    /// The winner, counted from 0; nobody in a draw.
    pub winner: Option<u8>,
    /// The reason why the result of the game may be another one, if there is one.
    pub incomparable: Option<String>,
}

/// Reads the games of a file: what cannot be read is an error with its place, once for each game.
pub fn read(
    source: &Source,
    format: Format,
    conventions: Conventions,
) -> Vec<Result<GameRecord, Diagnostic>> {
    match format {
        Format::Pgn => pgn::read(source),
        Format::Sgf => sgf::read(source),
        Format::Pdn => pdn::read(source, conventions),
        Format::Json => vec![ggp::read_json(source)],
        Format::Xml => vec![ggp::read_xml(source)],
        Format::Ludii => vec![ludii::read(source)],
    }
}

/// The error of a text that is not of its format.
fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("syntax", span, message)
}

#[cfg(test)]
mod tests;

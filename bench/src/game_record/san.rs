//! Standard algebraic notation, read against the legal actions of an engine: which of these a text
//! means follows from the pieces that stand on the squares, and those from the moves so far. So
//! that no rule of chess is needed here, the engine says alone what is legal.

use std::collections::BTreeMap;

use games::setup::{Fen, Square};

/// The pieces on the squares of a game of chess, without their colours.
#[derive(Clone, Debug)]
pub(super) struct Board(BTreeMap<[u8; 2], u8>);

/// The fields of a FEN that say where pieces stand, who moves and who may castle, at the start.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";

impl Board {
    /// The board at the start of a game of chess.
    pub(super) fn start() -> Board {
        Board::of_fen(&format!("{START} -"))
    }

    /// The board of a FEN; of what is none an empty board.
    pub(super) fn of_fen(fen: &str) -> Board {
        let men = Fen::read(fen).into_iter().flat_map(|fen| fen.board.men().collect::<Vec<_>>());
        let piece = |(square, sign): (Square, char)| {
            let at = [b'a' + square.file as u8, b'1' + square.rank as u8];
            (at, sign.to_ascii_uppercase() as u8)
        };
        Board(men.map(piece).collect())
    }

    /// Makes a move by its label; labels that are no moves of pieces change nothing.
    pub(super) fn play(&mut self, label: &str) {
        let Some((from, to, becomes)) = squares(label) else { return };
        let Some(piece) = self.0.remove(&from) else { return };
        let captured = self.0.insert(to, becomes.map_or(piece, |p| p.to_ascii_uppercase()));
        match piece {
            b'P' if from[0] != to[0] && captured.is_none() => {
                self.0.remove(&[to[0], from[1]]);
            }
            b'K' if from[0] == b'e' && to[0].abs_diff(from[0]) == 2 => {
                let (rook, beside) = if to[0] == b'g' { (b'h', b'f') } else { (b'a', b'd') };
                if let Some(rook) = self.0.remove(&[rook, from[1]]) {
                    self.0.insert([beside, from[1]], rook);
                }
            }
            _ => {}
        }
    }

    /// The legal labels that a text in this notation means.
    pub(super) fn meant<'l>(&self, text: &str, labels: &'l [String]) -> Vec<&'l String> {
        let Some(san) = San::read(text) else { return Vec::new() };
        labels.iter().filter(|label| self.fits(&san, label)).collect()
    }

    fn fits(&self, san: &San, label: &str) -> bool {
        let Some((from, to, becomes)) = squares(label) else { return false };
        let piece = self.0.get(&from).copied();
        let castles = piece == Some(b'K') && to[0].abs_diff(from[0]) == 2;
        match *san {
            San::Castling(file) => castles && to[0] == file,
            San::Move { piece: moved, file, rank, to: aim, becomes: wanted } => {
                piece == Some(moved)
                    && !castles
                    && to == aim
                    && file.is_none_or(|file| from[0] == file)
                    && rank.is_none_or(|rank| from[1] == rank)
                    && becomes.map(|p| p.to_ascii_uppercase()) == wanted
            }
        }
    }
}

/// The squares of a label, and the piece that a pawn becomes.
fn squares(label: &str) -> Option<([u8; 2], [u8; 2], Option<u8>)> {
    let bytes = label.as_bytes();
    let (from, to) = ([*bytes.first()?, *bytes.get(1)?], [*bytes.get(2)?, *bytes.get(3)?]);
    let becomes = match bytes[4..] {
        [] => None,
        [piece] => Some(piece),
        _ => return None,
    };
    (is_square(from) && is_square(to)).then_some((from, to, becomes))
}

fn is_square([file, rank]: [u8; 2]) -> bool {
    (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank)
}

/// A move in standard algebraic notation.
enum San {
    /// Castling, with the file that the king goes to.
    Castling(u8),
    /// Any other move, with what is said of the square that it leaves.
    Move { piece: u8, file: Option<u8>, rank: Option<u8>, to: [u8; 2], becomes: Option<u8> },
}

impl San {
    fn read(text: &str) -> Option<San> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text.replace('0', "O").to_uppercase().as_str() {
            "O-O" | "OO" => return Some(San::Castling(b'g')),
            "O-O-O" | "OOO" => return Some(San::Castling(b'c')),
            _ => {}
        }
        let mut rest: Vec<u8> = text
            .bytes()
            .filter(|c| !matches!(c, b'x' | b':' | b'-' | b'=' | b'(' | b')'))
            .collect();
        let is_piece = |c: &u8| b"KQRBN".contains(c);
        let becomes = rest.pop_if(|c| is_piece(c));
        let (rank, file) = (rest.pop()?, rest.pop()?);
        let piece = match rest.first() {
            Some(c) if is_piece(c) || *c == b'P' => rest.remove(0),
            _ => b'P',
        };
        let (from_file, from_rank) = match rest[..] {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file), Some(rank)),
            _ => return None,
        };
        let to = [file, rank];
        is_square(to).then_some(San::Move { piece, file: from_file, rank: from_rank, to, becomes })
    }
}

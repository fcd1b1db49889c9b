//! Positions of chess in Forsyth-Edwards notation (FEN), such as
//! `r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1`.

use std::fmt;

use super::board::{Board, Square};
use super::shown;

/// A position of chess. It need not be reachable, but the player who has just moved is not in
/// check, pawns stand on neither end, and what the fields say fits the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen {
    /// The pieces by their letters, those of white in capitals, and who moves: 0 is white.
    pub board: Board,
    /// The letters of the castlings that are still possible, in the order `KQkq`.
    pub castling: String,
    /// The square that the last ply's pawn passed with a double step.
    pub passant: Option<Square>,
    /// Plies since the last capture or move of a pawn.
    pub quiet: u32,
    /// Number of the move, from 1.
    pub number: u32,
}

/// Plies without a capture or a move of a pawn that are the end of a game.
const MOST_QUIET: u32 = 100;

/// The kings of both sides.
const KINGS: [(char, &str); 2] = [('K', "white"), ('k', "black")];

/// A field of the text with its place.
type Field<'t> = (usize, &'t str);

impl Fen {
    /// Reads a position of chess. Fields after the fourth may be left out. The error says what is
    /// wrong, and shows where.
    pub fn read(text: &str) -> Result<Fen, String> {
        let fen = Fen::read_any(text)?;
        fen.check_kings().map_err(|why| shown(text, 0, &format!("FEN: {why}")))?;
        Ok(fen)
    }

    /// The same where kings may be taken, and be missing.
    pub fn read_any(text: &str) -> Result<Fen, String> {
        let mut fields = super::words_of(text);
        let mut field = |what: &str| {
            let missing = || shown(text, text.trim_end().len(), &format!("FEN: {what} is missing"));
            fields.next().ok_or_else(missing)
        };
        let mut board = read_rows(text, field("the board")?)?;
        let (at, mover) = field("who is to move, `w` or `b`,")?;
        board.mover = match mover {
            "w" => 0,
            "b" => 1,
            _ => return Err(shown(text, at, "FEN: expected `w` or `b`, who is to move")),
        };
        let castling = read_castling(text, &board, field("castling, such as `KQkq` or `-`,")?)?;
        let passant = read_passant(text, &board, field("the square of `en passant`, or `-`,")?)?;
        let quiet =
            fields.next().map_or(Ok(0), |field| read_number(text, field, 0..=MOST_QUIET))?;
        let number = fields.next().map_or(Ok(1), |field| read_number(text, field, 0..=9999))?;
        if let Some((at, _)) = fields.next() {
            return Err(shown(text, at, "FEN: there is nothing after the number of the move"));
        }
        let fen = Fen { board, castling, passant, quiet, number: number.max(1) };
        fen.check_pieces().map_err(|why| shown(text, 0, &format!("FEN: {why}")))?;
        Ok(fen)
    }

    /// True if a piece has not moved, by the castlings that are possible: a rook of one of them, or
    /// their king.
    pub fn is_fresh(&self, square: Square) -> bool {
        self.castling.chars().any(|letter| {
            let (king, rook) = home(letter);
            square == king || square == rook
        })
    }

    fn kings(&self, letter: char) -> usize {
        self.board.men().filter(|&(_, sign)| sign == letter).count()
    }

    /// Checks that each side has one king, and that none could be taken.
    fn check_kings(&self) -> Result<(), String> {
        let Board { mover, .. } = self.board;
        for (letter, name) in KINGS {
            let kings = self.kings(letter);
            if kings != 1 {
                return Err(format!("{name} has {kings} kings, expected one"));
            }
        }
        let (king, name) = if mover == 0 { ('k', "black") } else { ('K', "white") };
        let at = self.board.men().find(|&(_, sign)| sign == king).map(|(square, _)| square);
        if at.is_some_and(|at| is_attacked(&self.board, at, mover)) {
            return Err(format!("{name} is in check, and not to move"));
        }
        Ok(())
    }

    /// Checks that no side has several kings, and where pawns are.
    fn check_pieces(&self) -> Result<(), String> {
        for (letter, name) in KINGS {
            let kings = self.kings(letter);
            if kings > 1 {
                return Err(format!("{name} has {kings} kings, expected one"));
            }
        }
        match self.board.men().find(|&(square, sign)| {
            sign.eq_ignore_ascii_case(&'p') && (square.rank == 0 || square.rank == 7)
        }) {
            Some((square, _)) => Err(format!("a pawn on {}, where none can be", square.name())),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.board.rows.iter().enumerate() {
            if number > 0 {
                f.write_str("/")?;
            }
            for part in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
                match part[0] {
                    Some(sign) => write!(f, "{sign}")?,
                    None => write!(f, "{}", part.len())?,
                }
            }
        }
        let mover = if self.board.mover == 0 { 'w' } else { 'b' };
        let castling = if self.castling.is_empty() { "-" } else { &self.castling };
        let passant = self.passant.map_or_else(|| "-".to_owned(), Square::name);
        write!(f, " {mover} {castling} {passant} {} {}", self.quiet, self.number)
    }
}

/// The squares of king and rook before a castling.
fn home(letter: char) -> (Square, Square) {
    let rank = if letter.is_ascii_uppercase() { 0 } else { 7 };
    let file = if letter.eq_ignore_ascii_case(&'k') { 7 } else { 0 };
    (Square { file: 4, rank }, Square { file, rank })
}

fn read_rows(text: &str, (start, field): Field<'_>) -> Result<Board, String> {
    let mut board = Board { rows: Vec::new(), mover: 0 };
    let mut at = start;
    for row in field.split('/') {
        let mut cells = Vec::new();
        for (offset, sign) in row.char_indices() {
            match sign {
                '1'..='8' => cells.extend(vec![None; sign as usize - '0' as usize]),
                _ if "pnbrqkPNBRQK".contains(sign) => cells.push(Some(sign)),
                _ => {
                    let message = format!("FEN: `{sign}` is no piece and no number of squares");
                    return Err(shown(text, at + offset, &message));
                }
            }
            if cells.len() > 8 {
                let rank = 8_usize.saturating_sub(board.rows.len());
                let message = format!("FEN: rank {rank} has more than 8 squares");
                return Err(shown(text, at + offset, &message));
            }
        }
        if cells.len() < 8 {
            let rank = 8_usize.saturating_sub(board.rows.len());
            let message = format!("FEN: rank {rank} has {} squares, expected 8", cells.len());
            return Err(shown(text, at, &message));
        }
        board.rows.push(cells);
        at += row.len() + 1;
    }
    match board.rows.len() {
        8 => Ok(board),
        count => Err(shown(text, start, &format!("FEN: {count} ranks, expected 8"))),
    }
}

fn read_castling(text: &str, board: &Board, (at, field): Field<'_>) -> Result<String, String> {
    if field == "-" {
        return Ok(String::new());
    }
    for (offset, letter) in field.char_indices() {
        let fault = |message: String| Err(shown(text, at + offset, &format!("FEN: {message}")));
        if !"KQkq".contains(letter) {
            return fault(format!("`{letter}` is no castling: expected letters of `KQkq`, or `-`"));
        }
        let (king, rook) = home(letter);
        let white = letter.is_ascii_uppercase();
        let side = |sign: char| if white { sign.to_ascii_uppercase() } else { sign };
        for (square, sign, name) in [(king, 'k', "king"), (rook, 'r', "rook")] {
            if board.get(square) != Some(side(sign)) {
                let whose = if white { "white" } else { "black" };
                let square = square.name();
                return fault(format!("`{letter}` wants a {whose} {name} on {square}"));
            }
        }
    }
    Ok("KQkq".chars().filter(|&letter| field.contains(letter)).collect())
}

fn read_passant(
    text: &str,
    board: &Board,
    (at, field): Field<'_>,
) -> Result<Option<Square>, String> {
    if field == "-" {
        return Ok(None);
    }
    let fault = |message: String| Err(shown(text, at, &format!("FEN: {message}")));
    let (rank, pawn) = if board.mover == 0 { (5, 'p') } else { (2, 'P') };
    let Some(square) = Square::named(field).filter(|s| s.file < 8 && s.rank == rank) else {
        return fault(format!("expected a square of rank {}, or `-`", rank + 1));
    };
    // The pawn went from behind the square to before it.
    let [behind, before] = if board.mover == 0 { [6, 4] } else { [1, 3] };
    let other = |rank| Square { rank, ..square };
    let passed = [square, other(behind)].iter().all(|&empty| board.get(empty).is_none());
    if !passed || board.get(other(before)) != Some(pawn) {
        return fault(format!("no pawn has passed {field} with its last ply"));
    }
    Ok(Some(square))
}

fn read_number(
    text: &str,
    (at, field): Field<'_>,
    range: std::ops::RangeInclusive<u32>,
) -> Result<u32, String> {
    let number = field.parse().ok().filter(|number| range.contains(number));
    let message = format!("FEN: expected a number from {} to {}", range.start(), range.end());
    number.ok_or_else(|| shown(text, at, &message))
}

const STRAIGHT: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(isize, isize); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// True if a side attacks a square.
fn is_attacked(board: &Board, square: Square, side: u8) -> bool {
    let own = |sign: char| if side == 0 { sign.to_ascii_uppercase() } else { sign };
    let step = |from: Square, (x, y): (isize, isize)| {
        let file = from.file.checked_add_signed(x).filter(|&file| file < 8)?;
        let rank = from.rank.checked_add_signed(y).filter(|&rank| rank < 8)?;
        Some(Square { file, rank })
    };
    let stands = |way, sign| step(square, way).and_then(|at| board.get(at)) == Some(own(sign));
    let slides = |way: &(isize, isize), sign: char| {
        let mut at = step(square, *way);
        while let Some(free) = at.filter(|&at| board.get(at).is_none()) {
            at = step(free, *way);
        }
        let first = at.and_then(|at| board.get(at));
        first == Some(own(sign)) || first == Some(own('q'))
    };
    let below = if side == 0 { -1 } else { 1 };
    STRAIGHT.iter().any(|way| slides(way, 'r'))
        || DIAGONAL.iter().any(|way| slides(way, 'b'))
        || LEAPS.iter().any(|&way| stands(way, 'n'))
        || STRAIGHT.iter().chain(&DIAGONAL).any(|&way| stands(way, 'k'))
        || [-1, 1].iter().any(|&x| stands((x, below), 'p'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn positions_are_read_and_written() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 12 40",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        ] {
            assert_eq!(Fen::read(fen).unwrap().to_string(), fen);
        }
        let short = Fen::read("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
        assert_eq!(short.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let fresh = |name| short.is_fresh(Square::named(name).unwrap());
        assert_eq!(["e1", "h1", "a1", "e8"].map(fresh), [true, true, false, false]);
    }

    #[test]
    fn what_is_wrong_is_shown() {
        let text = "4k3/8/8/8/8/8/8/4K2x w - - 0 1";
        let caret = " ".repeat(text.find('x').unwrap());
        let message = "FEN: `x` is no piece and no number of squares";
        assert_eq!(Fen::read(text), Err(format!("{message}\n  {text}\n  {caret}^")));
        for (text, message) in [
            ("", "the board is missing"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks, expected 8"),
            ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 has 7 squares, expected 8"),
            ("4k3/8/8/8/8/8/44P/4K3 w - - 0 1", "rank 2 has more than 8 squares"),
            ("4k3/8/8/8/8/8/8/4K3", "who is to move, `w` or `b`, is missing"),
            ("4k3/8/8/8/8/8/8/4K3 x - -", "expected `w` or `b`"),
            ("4k3/8/8/8/8/8/8/4K3 w K -", "`K` wants a white rook on h1"),
            ("4k3/8/8/8/8/8/8/4K3 w x -", "`x` is no castling"),
            ("4k3/8/8/8/8/8/8/4K3 w - e3", "expected a square of rank 6"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", "no pawn has passed e6"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 101 1", "expected a number from 0 to 100"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "nothing after"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn on a1"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "black is in check, and not to move"),
            ("4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "white is in check, and not to move"),
            ("4k3/3N4/2N5/8/8/8/8/4K3 w - - 0 1", ""),
        ] {
            match (Fen::read(text), message) {
                (Ok(_), "") => {}
                (Ok(_), _) => panic!("{text} is read"),
                (Err(why), _) => {
                    assert!(!message.is_empty() && why.contains(message), "{text}: {why}");
                }
            }
        }
    }
}

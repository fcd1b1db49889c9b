//! Positions of English draughts in the FEN of Portable Draughts Notation (PDN), such as
//! `W:W18,24,K10:B12,K25`: who moves, then the squares of both sides.
//!
//! Squares are numbered from 1 to 32. Black moves first and begins on squares 1 to 12. Here the
//! side that moves first is below, so that the numbers run from the right to the left and from the
//! bottom to the top: 1 is g1, 4 is a1, 5 is h2, 32 is b8.

use std::fmt;

use super::board::{Board, Square};
use super::shown;

/// Squares of the board.
const SQUARES: usize = 32;

/// A position of English draughts: `b` and `w` are men of black (who moves first) and white, `B`
/// and `W` kings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnFen {
    /// The board, and who moves: 0 is black.
    pub board: Board,
}

/// The square of a number from 1 to 32.
pub fn square(number: usize) -> Option<Square> {
    if !(1..=SQUARES).contains(&number) {
        return None;
    }
    let (rank, place) = ((number - 1) / 4, (number - 1) % 4);
    Some(Square { file: 6 - 2 * place + rank % 2, rank })
}

/// The number of a square that is played on.
pub fn number(square: Square) -> Option<usize> {
    (1..=SQUARES).find(|&number| self::square(number) == Some(square))
}

impl PdnFen {
    /// Reads a position; a tag around it (`[FEN "..."]`) and a full stop behind it are left out.
    /// The error says what is wrong, and shows where.
    pub fn read(text: &str) -> Result<PdnFen, String> {
        let fault = |at: usize, message: &str| Err(shown(text, at, &format!("PDN: {message}")));
        let mut board = Board::empty(8, 8);
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().trim_end_matches('.').len().max(start);
        let mut parts = parts_of(text, start, end, ':');
        board.mover = match parts.next() {
            Some((_, "B")) => 0,
            Some((_, "W")) => 1,
            _ => return fault(start, "expected `B:` or `W:`, who is to move"),
        };
        let mut seen = Vec::new();
        for (at, part) in parts {
            let Some(side @ ('B' | 'W')) = part.chars().next() else {
                return fault(at, "expected `B` or `W` and the squares of that side");
            };
            if seen.contains(&side) {
                return fault(at, &format!("the squares of `{side}` stand here again"));
            }
            seen.push(side);
            for (at, item) in parts_of(text, at + 1, at + part.len(), ',') {
                if !item.trim().is_empty() {
                    put(&mut board, side, item)
                        .map_err(|why| shown(text, at, &format!("PDN: {why}")))?;
                }
            }
        }
        match seen[..] {
            [] => fault(end, "the squares of both sides are missing"),
            _ => Ok(PdnFen { board }),
        }
    }
}

/// The parts of a text between separators, with their places.
fn parts_of(
    text: &str,
    start: usize,
    end: usize,
    separator: char,
) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    text.get(start..end).unwrap_or_default().split(separator).map(move |part| {
        let place = at + part.len() - part.trim_start().len();
        at += part.len() + 1;
        (place, part.trim())
    })
}

/// Puts a man, a king (`K`), or some of them (`1-12`).
fn put(board: &mut Board, side: char, item: &str) -> Result<(), String> {
    let (numbers, is_king) = match item.strip_prefix('K') {
        Some(rest) => (rest, true),
        None => (item, false),
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let read = |number: &str| number.trim().parse().ok().filter(|n| (1..=SQUARES).contains(n));
    let (Some(first), Some(last)) = (read(first), read(last)) else {
        return Err(format!("`{item}` is no square: expected a number from 1 to 32"));
    };
    for square in (first..=last).filter_map(square) {
        if board.get(square).is_some() {
            return Err(format!("two pieces on square {}", number(square).unwrap_or_default()));
        }
        let far = if side == 'B' { 7 } else { 0 };
        if !is_king && square.rank == far {
            return Err(format!("a man on `{item}` would be a king, `K{item}`"));
        }
        board.put(square, if is_king { side } else { side.to_ascii_lowercase() });
    }
    Ok(())
}

impl fmt::Display for PdnFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.board.mover == 0 { "B" } else { "W" })?;
        for side in ['W', 'B'] {
            let mut men: Vec<(usize, char)> = self
                .board
                .men()
                .filter(|(_, sign)| sign.eq_ignore_ascii_case(&side))
                .filter_map(|(square, sign)| Some((number(square)?, sign)))
                .collect();
            men.sort_unstable();
            let item = |&(number, sign): &(usize, char)| {
                if sign == side { format!("K{number}") } else { number.to_string() }
            };
            let men: Vec<String> = men.iter().map(item).collect();
            write!(f, ":{side}{}", men.join(","))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_numbers_from_the_side_that_moves_first() {
        let names = |numbers: &[usize]| -> Vec<String> {
            numbers.iter().map(|&n| square(n).unwrap().name()).collect()
        };
        // 11-15 is a first move of black.
        assert_eq!(names(&[1, 4, 5, 8, 11, 15, 32]), ["g1", "a1", "h2", "b2", "c3", "d4", "b8"]);
        assert!((1..=32).all(|n| number(square(n).unwrap()) == Some(n)));
        assert_eq!((square(0), square(33)), (None, None));
        assert_eq!(number(Square { file: 0, rank: 1 }), None);
    }

    #[test]
    fn positions_are_read_and_written() {
        for (text, written) in [
            ("W:W18,24,K10:B12,K25", "W:WK10,18,24:B12,K25"),
            ("B:W21-23:B1, 2,K3.", "B:W21,22,23:B1,2,K3"),
            (" B:B1:W32 ", "B:W32:B1"),
            ("B:W:B1", "B:W:B1"),
        ] {
            assert_eq!(PdnFen::read(text).unwrap().to_string(), written, "{text}");
        }
        let fen = PdnFen::read("B:W21-32:B1-12").unwrap();
        assert_eq!((fen.board.mover, fen.board.men().count()), (0, 24));
        assert_eq!(fen.board.get(Square::named("a1").unwrap()), Some('b'));
    }

    #[test]
    fn what_is_wrong_is_shown() {
        for (text, told) in [
            (
                "W:W18,34:B12",
                "PDN: `34` is no square: expected a number from 1 to 32\n  W:W18,34:B12\n        ^",
            ),
            ("W18:B12", "PDN: expected `B:` or `W:`, who is to move\n  W18:B12\n  ^"),
            (
                "W:18:B12",
                "PDN: expected `B` or `W` and the squares of that side\n  W:18:B12\n    ^",
            ),
            ("W:W18:B18", "PDN: two pieces on square 18\n  W:W18:B18\n         ^"),
            ("W:W1:B18", "PDN: a man on `1` would be a king, `K1`\n  W:W1:B18\n     ^"),
            ("W:W5:W18", "PDN: the squares of `W` stand here again\n  W:W5:W18\n       ^"),
            ("W", "PDN: the squares of both sides are missing\n  W\n   ^"),
        ] {
            assert_eq!(PdnFen::read(text).unwrap_err(), told);
        }
    }
}

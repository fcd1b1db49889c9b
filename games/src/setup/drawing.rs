//! Positions as they are drawn: rows from the top, a sign for each square, `.` for an empty one.

use std::fmt;

use super::board::Board;
use super::{lines, shown, words};

/// A board as it is drawn, and the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The board.
    pub board: Board,
    /// The signs of the players, by which a line behind the rows says who moves.
    players: Vec<char>,
}

/// The signs that a drawing may have.
#[derive(Clone, Copy, Debug)]
pub struct Signs<'s> {
    /// Those of men and marks.
    pub men: &'s str,
    /// For each player the sign by which it is said to move.
    pub players: &'s str,
}

impl Drawing {
    /// Reads a drawing. Numbers of ranks before the rows and the line with the letters of the files
    /// may be left out, and rows may stand on one line with `/` between them; behind the rows
    /// stands the sign of the player to move, or nothing where that is the first. `size` is the
    /// number of files and ranks, if it is known. The error says what is wrong, and shows where.
    pub fn read(
        text: &str,
        signs: Signs<'_>,
        size: Option<(usize, usize)>,
    ) -> Result<Drawing, String> {
        let fault = |at: usize, message: &str| Err(shown(text, at, message));
        let players: Vec<char> = signs.players.chars().collect();
        let mut board = Board { rows: Vec::new(), mover: 0 };
        let mut mover = None;
        for (start, line) in lines(text) {
            let cells = cells(start, line);
            let Some(&(first, sign)) = cells.first() else { continue };
            if is_files(&cells) && !board.rows.is_empty() {
                continue;
            }
            let is_last = size.map_or(board.rows.len() > 1, |(_, ranks)| board.rows.len() == ranks);
            if is_last && cells.len() == 1 && size.is_none_or(|(files, _)| files > 1) {
                let player = players.iter().position(|&player| player == sign);
                let (Some(player), None) = (player, mover) else {
                    let known = signs.players;
                    return fault(first, &format!("expected one of `{known}`, who is to move"));
                };
                mover = Some(player as u8);
                continue;
            }
            let mut row = Vec::new();
            for &(at, sign) in &cells {
                match sign {
                    '.' => row.push(None),
                    sign if signs.men.contains(sign) => row.push(Some(sign)),
                    _ => {
                        let known = signs.men;
                        let message = format!("`{sign}` is none of the signs `{known}` and `.`");
                        return fault(at, &message);
                    }
                }
            }
            let files = size.map(|(files, _)| files).or(board.rows.first().map(Vec::len));
            if let Some(files) = files.filter(|&files| files != row.len()) {
                let message = format!("a row of {} squares, expected {files}", row.len());
                return fault(first, &message);
            }
            board.rows.push(row);
        }
        if let Some((_, ranks)) = size.filter(|&(_, ranks)| ranks != board.rows.len()) {
            return fault(0, &format!("{} rows, expected {ranks}", board.rows.len()));
        }
        board.mover = mover.unwrap_or(0);
        Ok(Drawing { board, players })
    }

    /// The number of the player who has this sign, from 0.
    pub(crate) fn side(&self, sign: Option<char>) -> Option<usize> {
        self.players.iter().position(|&player| Some(player) == sign)
    }
}

/// The signs of a row with their places, without the number of its rank.
fn cells(start: usize, line: &str) -> Vec<(usize, char)> {
    let is_rank = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = words(line).peekable();
    let several = words.clone().count() > 1;
    if several {
        words.next_if(|(_, word)| is_rank(word));
    }
    words
        .flat_map(|(at, word)| word.char_indices().map(move |(i, sign)| (start + at + i, sign)))
        .collect()
}

/// True if a line has the letters of the files, from `a`.
fn is_files(cells: &[(usize, char)]) -> bool {
    cells.len() > 1 && cells.iter().zip('a'..='z').all(|(&(_, sign), letter)| sign == letter)
}

impl fmt::Display for Drawing {
    /// On one line, with `/` between the rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.board.rows.iter().enumerate() {
            let row: String = row.iter().map(|sign| sign.unwrap_or('.')).collect();
            write!(f, "{}{row}", if number > 0 { "/" } else { "" })?;
        }
        match self.players.get(usize::from(self.board.mover)) {
            Some(sign) => write!(f, "/{sign}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNS: Signs<'_> = Signs { men: "xo", players: "xo" };

    fn read(text: &str) -> Result<String, String> {
        Drawing::read(text, SIGNS, Some((3, 3))).map(|drawing| drawing.to_string())
    }

    #[test]
    fn drawings_are_read_with_and_without_their_coordinates() {
        for (text, written) in [
            ("3 . . .\n2 . x .\n1 o . .\n  a b c\n", ".../.x./o../x"),
            ("3 . . .\n2 . x .\n1 o . .\n  a b c\no", ".../.x./o../o"),
            ("  3 . . .\n 2 . x .\n1 o . .\no\n", ".../.x./o../o"),
            (". . .\n.x.\no..\n\n", ".../.x./o../x"),
            (".../.x./o../o", ".../.x./o../o"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(written), "{text}");
        }
        let open = Drawing::read("10 x . o\n 9 . . .\nx", SIGNS, None).unwrap();
        assert_eq!(open.to_string(), "x.o/.../x");
    }

    #[test]
    fn what_is_wrong_is_shown() {
        for (text, told) in [
            (".../.w./...", "`w` is none of the signs `xo` and `.`\n  .../.w./...\n       ^"),
            ("...\n..\n...", "a row of 2 squares, expected 3\n  ..\n  ^"),
            ("...\n...", "2 rows, expected 3\n  ...\n  ^"),
            (
                ".../.../.../y",
                "expected one of `xo`, who is to move\n  .../.../.../y\n              ^",
            ),
            ("3 . . .\n2 . . .\n1 . . x x", "a row of 4 squares, expected 3\n  1 . . x x\n    ^"),
        ] {
            assert_eq!(read(text), Err(told.to_owned()), "{text}");
        }
    }
}

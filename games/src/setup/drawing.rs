//! Positions as they are drawn: rows from the top, a sign for each square, `.` for an empty one.

use std::fmt;

use super::board::Board;
use super::{lines, shown, words_of};

/// A board as it is drawn, the player to move, and what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The board. Where the grid has no square stands [`Signs::off`].
    pub board: Board,
    /// What was counted, such as the plies so far; 0 where nothing is.
    pub count: u32,
    /// The signs of the players, by which a line behind the rows says who moves.
    players: Vec<char>,
}

/// The signs that a drawing may have.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Signs {
    /// Those of men and marks.
    pub men: String,
    /// For each player the sign by which it is said to move; none where one plays alone.
    pub players: String,
    /// Those of empty squares besides `.`, which mean the same.
    pub empty: String,
    /// Those that stand exactly once.
    pub once: String,
    /// The sign that stands where the grid has no square.
    pub off: Option<char>,
    /// The number of ways that men may point to, each said by a digit behind the man's sign.
    pub ways: Option<u32>,
    /// The largest number that may stand behind the rows: of plies so far, or of men put.
    pub count: Option<u32>,
    /// True if what stands on the start's squares is never moved, so that no drawing is without it.
    pub fixed: bool,
}

impl Signs {
    /// True if a sign may stand in a row.
    pub fn is_known(&self, sign: char) -> bool {
        sign == '.'
            || Some(sign) == self.off
            || [&self.men, &self.empty].iter().any(|s| s.contains(sign))
    }

    /// All but `.`, for messages.
    fn listed(&self) -> String {
        self.men.chars().chain(self.empty.chars()).chain(self.off).collect()
    }
}

/// A reader of drawings of one game.
struct Reader<'r> {
    text: &'r str,
    signs: &'r Signs,
    /// The board of the start, if that is known: it tells which squares there are.
    form: Option<&'r Board>,
    board: Board,
    mover: Option<u8>,
    count: Option<u32>,
}

impl Drawing {
    /// Reads a drawing. Numbers of ranks before the rows and the line with the letters of the files
    /// may be left out, and rows may stand on one line with `/` between them, without the places
    /// where the grid has no square. Behind the rows stand the sign of the player to move, or
    /// nothing where that is the first, and what was counted. `form` is the board of the start, if
    /// it is known. The error says what is wrong, and shows where.
    pub fn read(text: &str, signs: &Signs, form: Option<&Board>) -> Result<Drawing, String> {
        let board = Board { rows: Vec::new(), mover: 0 };
        let mut reader = Reader { text, signs, form, board, mover: None, count: None };
        for (start, line) in lines(text) {
            reader.line(start, line)?;
        }
        let Reader { mut board, mover, count, .. } = reader;
        if let Some(ranks) = form.map(|form| form.rows.len()).filter(|&n| n != board.rows.len()) {
            return Err(shown(text, 0, &format!("{} rows, expected {ranks}", board.rows.len())));
        }
        board.mover = mover.unwrap_or(0);
        let count_of = |sign: char| board.men().filter(|&(_, other)| other == sign).count();
        if let Some(sign) = signs.once.chars().find(|&sign| count_of(sign) != 1) {
            let found = count_of(sign);
            return Err(shown(text, 0, &format!("`{sign}` stands {found} times, expected once")));
        }
        let drawing =
            Drawing { board, count: count.unwrap_or(0), players: signs.players.chars().collect() };
        if let Some(form) = form.filter(|_| signs.fixed) {
            let moved = form.men().find(|&(square, sign)| drawing.board.get(square) != Some(sign));
            if let Some((square, sign)) = moved {
                let name = square.name();
                return Err(shown(text, 0, &format!("{name} has no `{sign}`, which always stays")));
            }
        }
        Ok(drawing)
    }

    /// The number of the player who has this sign, from 0.
    pub(crate) fn side(&self, sign: Option<char>) -> Option<usize> {
        self.players.iter().position(|&player| Some(player) == sign)
    }
}

impl Reader<'_> {
    fn fault<T>(&self, at: usize, message: &str) -> Result<T, String> {
        Err(shown(self.text, at, message))
    }

    /// Reads a line, which is a row or stands behind the rows.
    fn line(&mut self, start: usize, line: &str) -> Result<(), String> {
        let done = self.board.rows.len();
        let form = self.form.map(|form| form.rows.get(done));
        let most = form.flatten().or(self.board.rows.first()).map(Vec::len);
        let cells = self.cells(start, line, most);
        let Some(&(first, sign)) = cells.first() else { return Ok(()) };
        if done > 0 && is_files(&cells) {
            return Ok(());
        }
        match form {
            Some(Some(form)) => {
                let row = self.row_of(&cells, form)?;
                self.board.rows.push(row);
            }
            Some(None) => self.behind(start, line, &cells)?,
            None if done > 1 && cells.len() == 1 && most != Some(1) => {
                self.player(first, sign)?;
            }
            None => {
                let row = self.signs(&cells)?;
                if let Some(files) = most.filter(|&files| files != row.len()) {
                    let message = format!("a row of {} squares, expected {files}", row.len());
                    return self.fault(first, &message);
                }
                self.board.rows.push(row);
            }
        }
        Ok(())
    }

    /// The signs of a row with their places, without the number of its rank.
    fn cells(&self, start: usize, line: &str, most: Option<usize>) -> Vec<(usize, char)> {
        let mut words = words_of(line).peekable();
        let signs: usize = words.clone().map(|(_, word)| word.chars().count()).sum();
        // Where numbers are signs, that of a rank is one too many.
        let has_numbers = self.signs.men.contains(|sign: char| sign.is_ascii_digit());
        let has_rank = !has_numbers || most.is_some_and(|most| signs > most);
        if words.clone().count() > 1 && has_rank {
            words.next_if(|(_, word)| is_number(word));
        }
        let mut signs = words
            .flat_map(|(at, word)| word.char_indices().map(move |(i, sign)| (start + at + i, sign)))
            .peekable();
        let mut cells = Vec::new();
        while let Some((at, sign)) = signs.next() {
            let ways = self.signs.ways.filter(|_| self.signs.men.contains(sign)).unwrap_or(0);
            let way_of = |&(_, next): &(usize, char)| next.to_digit(10).filter(|&way| way < ways);
            let man = signs.peek().and_then(way_of).and_then(|way| pointing(sign, way));
            if man.is_some() {
                signs.next();
            }
            cells.push((at, man.unwrap_or(sign)));
        }
        cells
    }

    /// What the squares of a row have on them.
    fn signs(&self, cells: &[(usize, char)]) -> Result<Vec<Option<char>>, String> {
        let signs = self.signs;
        let read = |&(at, sign): &(usize, char)| match sign {
            _ if split(sign).1.is_some() || Some(sign) == signs.off => Ok(Some(sign)),
            _ if signs.men.contains(sign) => match signs.ways {
                None => Ok(Some(sign)),
                Some(ways) => {
                    let most = ways.saturating_sub(1);
                    let message = format!("expected a way from 0 to {most} behind `{sign}`");
                    self.fault(at, &message)
                }
            },
            _ if signs.is_known(sign) => Ok(None),
            _ => {
                let known = signs.listed();
                self.fault(at, &format!("`{sign}` is none of the signs `{known}` and `.`"))
            }
        };
        cells.iter().map(read).collect()
    }

    /// A row where the start has `form`, with or without the places that are no squares.
    fn row_of(
        &self,
        cells: &[(usize, char)],
        form: &[Option<char>],
    ) -> Result<Vec<Option<char>>, String> {
        let read = self.signs(cells)?;
        let is_off = |sign: &Option<char>| sign.is_some() && *sign == self.signs.off;
        let squares = form.iter().filter(|sign| !is_off(sign)).count();
        let row: Vec<Option<char>> = if read.len() == squares {
            let mut read = read.into_iter();
            form.iter()
                .map(|sign| if is_off(sign) { *sign } else { read.next().flatten() })
                .collect()
        } else {
            read
        };
        let first = cells.first().map_or(0, |&(at, _)| at);
        if row.len() != form.len() {
            let message = format!("a row of {} squares, expected {squares}", row.len());
            return self.fault(first, &message);
        }
        match row.iter().zip(form).position(|(sign, form)| is_off(sign) != is_off(form)) {
            Some(i) => {
                let at = cells.get(i).map_or(first, |&(at, _)| at);
                let message = if is_off(&form[i]) {
                    "the board has no square here"
                } else {
                    "here is a square"
                };
                self.fault(at, message)
            }
            None => Ok(row),
        }
    }

    /// Reads a line behind the rows: who moves, what was counted, or what a game writes there.
    fn behind(&mut self, start: usize, line: &str, cells: &[(usize, char)]) -> Result<(), String> {
        let mut parts = words_of(line).map(|(at, word)| (start + at, word));
        let Some((at, word)) = parts.next() else { return Ok(()) };
        let is_note = parts.next().is_some() || word.contains('<');
        match self.signs.count {
            Some(most) if is_number(word) && self.count.is_none() => {
                let count = word.parse().ok().filter(|&count: &u32| count <= most);
                if count.is_none() {
                    return self.fault(at, &format!("expected a number up to {most}"));
                }
                self.count = count;
                Ok(())
            }
            _ if is_note && word.contains(|sign| !self.signs.is_known(sign)) => Ok(()),
            _ if cells.len() == 1 => self.player(at, cells[0].1),
            _ => {
                let rows = self.board.rows.len();
                self.fault(at, &format!("a row too many, expected {rows}"))
            }
        }
    }

    /// Reads who moves.
    fn player(&mut self, at: usize, sign: char) -> Result<(), String> {
        let player = self.signs.players.chars().position(|player| player == sign);
        let (Some(player), None) = (player, self.mover) else {
            let known = &self.signs.players;
            let message = if known.is_empty() {
                "expected nothing behind the rows".to_owned()
            } else {
                format!("expected one of `{known}`, who is to move")
            };
            return self.fault(at, &message);
        };
        self.mover = Some(player as u8);
        Ok(())
    }
}

/// Where men that point to a way have their characters, 16 for each sign.
const POINTING: u32 = 0xf0000;

/// The character of a man that points to a way, for signs of ASCII.
fn pointing(sign: char, way: u32) -> Option<char> {
    char::from_u32(POINTING + 16 * u32::from(u8::try_from(sign).ok()?) + way.min(15))
}

/// The sign of a man, and the way that he points to.
pub(crate) fn split(man: char) -> (char, Option<u32>) {
    match u32::from(man).checked_sub(POINTING) {
        Some(code) => (char::from((code / 16) as u8), Some(code % 16)),
        None => (man, None),
    }
}

/// The rows of a board on one line, with `/` between them.
pub(crate) fn rows_of(board: &Board) -> String {
    let drawn = |sign: &Option<char>| match sign.map(split) {
        None => ".".to_owned(),
        Some((sign, None)) => sign.to_string(),
        Some((sign, Some(way))) => format!("{sign}{way}"),
    };
    let row = |row: &Vec<Option<char>>| row.iter().map(drawn).collect();
    board.rows.iter().map(row).collect::<Vec<String>>().join("/")
}

/// True if a word is a number.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if a line has the letters of the files, from `a`.
fn is_files(cells: &[(usize, char)]) -> bool {
    cells.len() > 1 && cells.iter().zip('a'..='z').all(|(&(_, sign), letter)| sign == letter)
}

impl fmt::Display for Drawing {
    /// On one line, with `/` between the rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rows_of(&self.board))?;
        if let Some(sign) = self.players.get(usize::from(self.board.mover)) {
            write!(f, "/{sign}")?;
        }
        if self.count > 0 { write!(f, "/{}", self.count) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs() -> Signs {
        Signs { men: "xo".to_owned(), players: "xo".to_owned(), ..Signs::default() }
    }

    /// What a text is read as, by a game with this start.
    fn read_as(signs: &Signs, start: &str, text: &str) -> Result<String, String> {
        let form = Drawing::read(start, signs, None).unwrap().board;
        Drawing::read(text, signs, Some(&form)).map(|drawing| drawing.to_string())
    }

    fn read(text: &str) -> Result<String, String> {
        read_as(&signs(), ".../.../...", text)
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
        let open = Drawing::read("10 x . o\n 9 . . .\nx", &signs(), None).unwrap();
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

    #[test]
    fn places_without_squares_may_be_left_out() {
        let signs = Signs { off: Some('+'), count: Some(9), ..signs() };
        let read = |text: &str| read_as(&signs, "+../.x./..+", text);
        for text in
            ["+.o/xxx/.o+/o/3", ".o/xxx/.o/o/3", "3   . o\n2 x x x\n1 . o\n  a b c\n3 of 9 put\no"]
        {
            assert_eq!(read(text).as_deref(), Ok("+.o/xxx/.o+/o/3"), "{text}");
        }
        for (text, told) in [
            ("..+/xxx/..+", "the board has no square here\n  ..+/"),
            (".+o/xxx/.o+", "the board has no square here"),
            ("+.o/xxx/x", "a row of 1 squares, expected 2"),
            ("+.o/xxx/..+/10", "expected a number up to 9\n  +.o/xxx/..+/10\n              ^"),
            ("+.o/xxx/..+/3/4", "expected one of `xo`, who is to move"),
            ("+.o/xxx/..+/...", "a row too many, expected 3"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(told), "{text}: {why}");
        }
    }

    #[test]
    fn men_may_point_to_ways() {
        let signs = Signs { ways: Some(8), ..signs() };
        let read = |text: &str| read_as(&signs, "o4./../x0.", text);
        for text in ["o4.x7/../x0./o", "3 o4 . x7\n2 . .\n"] {
            assert!(read(text).unwrap_err().contains("a row of 3 squares, expected 2"), "{text}");
        }
        for text in ["o4x7/../x0./o", "3 o4 x7\n2  .  .\n1 x0  .\n  a  b\no"] {
            assert_eq!(read(text).as_deref(), Ok("o4x7/../x0./o"), "{text}");
        }
        for text in ["ox7/../x0.", "o8x7/../x0."] {
            let why = read(text).unwrap_err();
            assert!(why.contains("expected a way from 0 to 7 behind `o`"), "{text}: {why}");
        }
    }

    #[test]
    fn numbers_may_be_signs() {
        let men = "123".to_owned();
        let signs = Signs { men, once: "3".to_owned(), fixed: true, ..Signs::default() };
        let read = |text: &str| read_as(&signs, "3../.../...", text);
        for text in
            ["312/.21/2..", "3 1 2\n. 2 1\n2 . .", "3 3 1 2\n2 . 2 1\n1 2 . .\n  a b c\na1<b1\n"]
        {
            assert_eq!(read(text).as_deref(), Ok("312/.21/2.."), "{text}");
        }
        for (text, told) in [
            ("1../3../...", "a3 has no `3`, which always stays"),
            ("3../3../...", "`3` stands 2 times, expected once"),
            ("3../.../.../x", "expected nothing behind the rows"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(told), "{text}: {why}");
        }
    }
}

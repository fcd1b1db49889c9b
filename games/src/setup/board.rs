//! Squares with pieces, as all notations give them.

/// A board of squares, each with the sign of what stands on it, and the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The rows from the top, each from the left; `None` for nothing.
    pub rows: Vec<Vec<Option<char>>>,
    /// The player to move, counted from 0.
    pub mover: u8,
}

/// A square by its file and its rank, both counted from 0, `a1` first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square {
    /// The file.
    pub file: usize,
    /// The rank.
    pub rank: usize,
}

impl Square {
    /// The square of a name such as `e4`.
    pub fn named(name: &str) -> Option<Square> {
        let mut signs = name.chars();
        let file = signs.next().filter(char::is_ascii_lowercase)?;
        let rank: usize = signs.as_str().parse().ok()?;
        Some(Square { file: usize::from(file as u8 - b'a'), rank: rank.checked_sub(1)? })
    }

    /// Its name, such as `e4`; files beyond `z` have none, and are written as a number.
    pub fn name(self) -> String {
        let file = (b'a'..=b'z').nth(self.file);
        let file =
            file.map_or_else(|| format!("{}.", self.file + 1), |f| char::from(f).to_string());
        format!("{file}{}", self.rank + 1)
    }
}

impl Board {
    /// An empty board.
    pub fn empty(width: usize, height: usize) -> Board {
        Board { rows: vec![vec![None; width]; height], mover: 0 }
    }

    /// The sign on a square; `None` where nothing is, and beyond the board.
    pub fn get(&self, Square { file, rank }: Square) -> Option<char> {
        let row = self.rows.len().checked_sub(rank + 1)?;
        *self.rows[row].get(file)?
    }

    /// Puts a sign on a square of the board.
    pub(crate) fn put(&mut self, Square { file, rank }: Square, sign: char) {
        let row = self.rows.len().checked_sub(rank + 1);
        if let Some(cell) = row.and_then(|row| self.rows[row].get_mut(file)) {
            *cell = Some(sign);
        }
    }

    /// The squares with something on them, with it, rank by rank from the bottom.
    pub fn men(&self) -> impl Iterator<Item = (Square, char)> + '_ {
        self.rows.iter().rev().enumerate().flat_map(|(rank, row)| {
            let sign =
                move |(file, &sign): (usize, &Option<char>)| Some((Square { file, rank }, sign?));
            row.iter().enumerate().filter_map(sign)
        })
    }
}

use play::{Adapted, Chance, Facts, Game, Mechanics, Player, Scores, Turn};

const COLUMNS: usize = 5;
const ROWS: usize = 5;

/// Four in a row on five columns of five, pieces falling down as in Connect Four.
pub(crate) struct Connect(Facts);

impl Connect {
    pub(crate) fn boxed() -> Box<dyn Game> {
        Adapted::boxed(Connect(Facts { players: 2, ..Facts::default() }))
    }
}

#[derive(Clone, Default)]
pub(crate) struct Board {
    /// 0 empty, else 1 + player; columns one after another, from below.
    squares: [u8; COLUMNS * ROWS],
    heights: [usize; COLUMNS],
    plies: usize,
    won: bool,
}

impl Board {
    fn at(&self, column: i32, row: i32) -> u8 {
        let inside = (0..COLUMNS as i32).contains(&column) && (0..ROWS as i32).contains(&row);
        if inside { self.squares[column as usize * ROWS + row as usize] } else { 0 }
    }

    /// True if four in a row go through a square.
    fn four(&self, column: i32, row: i32) -> bool {
        let piece = self.at(column, row);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let run = |sign: i32| {
                let same = |&i: &i32| self.at(column + sign * i * dx, row + sign * i * dy) == piece;
                (1..4).take_while(same).count()
            };
            run(1) + run(-1) >= 3
        })
    }
}

impl Mechanics for Connect {
    type State = Board;
    type Action = usize;

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> Board {
        Board::default()
    }

    fn expand(&self, board: &mut Board, legal: &mut Vec<usize>) -> Turn {
        if board.won || board.plies == COLUMNS * ROWS {
            return Turn::Over;
        }
        legal.extend((0..COLUMNS).filter(|&column| board.heights[column] < ROWS));
        Turn::Move(Player((board.plies % 2) as u8))
    }

    fn apply<C: Chance + ?Sized>(&self, board: &mut Board, column: usize, _: &mut C) {
        let row = board.heights[column];
        board.squares[column * ROWS + row] = 1 + (board.plies % 2) as u8;
        board.heights[column] += 1;
        board.won = board.four(column as i32, row as i32);
        board.plies += 1;
    }

    fn scores(&self, board: &Board) -> Scores {
        if board.won { Scores::win(Player(((board.plies + 1) % 2) as u8)) } else { Scores::DRAW }
    }

    fn label(&self, _: &Board, column: usize) -> String {
        char::from(b'a' + column as u8).to_string()
    }

    fn draw(&self, board: &Board) -> String {
        format!("{:?}", board.squares)
    }
}

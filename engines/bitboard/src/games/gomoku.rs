//! Gomoku on 15x15.

use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::cpu::{Cpu, Portable};
use crate::grid::{Grid, GuardedRanks};
use crate::rules::{Rules, over_unless_capped};

/// Gomoku, free style: five or more in a row win, a full board is a draw.
pub(crate) struct Gomoku;

/// Files and ranks.
const N: u32 = 15;

/// Squares.
const SQUARES: u32 = N * N;

/// Stones in a row that win.
const FIVE: u32 = 5;

type Board = Grid<GuardedRanks, 4, N, N>;

/// All squares in one list, numbered rank after rank from the bottom: first the empty ones in no
/// special order, then the stones, the last one first. A ply swaps its square with the last empty one,
/// which needs no search for the k-th square of a set.
#[derive(Clone, Copy)]
pub(crate) struct State {
    squares: [u8; SQUARES as usize],
    stones: u8,
}

impl State {
    const START: State = {
        let (mut squares, mut i) = ([0; SQUARES as usize], 0);
        while i < SQUARES as usize {
            squares[i] = i as u8;
            i += 1;
        }
        State { squares, stones: 0 }
    };

    /// The stones of a player.
    fn stones(&self, player: usize) -> Bits<4> {
        self.squares
            .iter()
            .rev()
            .take(usize::from(self.stones))
            .skip(player)
            .step_by(2)
            .fold(Bits::EMPTY, |set, &square| {
                set | Bits::one(Board::at(u32::from(square) % N, u32::from(square) / N))
            })
    }

    /// Whoever has five in a row.
    fn winner(&self) -> Option<Player> {
        (0..2)
            .find(|&player| Board::has_line(Portable, self.stones(player.into()), FIVE))
            .map(Player)
    }
}

/// The stones of a player by line: 15 files, 15 ranks, and 29 diagonals each way.
struct Lines([u16; LINES]);

const LINES: usize = 6 * N as usize - 2;

/// The lines through each square, a byte each.
static THROUGH: [u32; SQUARES as usize] = {
    let (mut through, mut square) = ([0; SQUARES as usize], 0);
    while square < SQUARES {
        let (file, rank) = (square % N, square / N);
        let (down, up) = (3 * N - 1 + file - rank, 4 * N - 1 + file + rank);
        through[square as usize] = file | (N + rank) << 8 | down << 16 | up << 24;
        square += 1;
    }
    through
};

impl Lines {
    /// Places a stone and says whether it completes five in a row: the four lines through it stand
    /// side by side in one word, with a bit to spare between them.
    #[inline(always)]
    fn place(&mut self, square: usize) -> bool {
        let through = THROUGH[square % THROUGH.len()];
        // Where on its line the stone lies: by the rank on its file, by the file on the others.
        let (on_file, on_others) = (1 << (square as u32 / N), 1 << (square as u32 % N));
        let mut rows = 0;
        for i in 0..4 {
            let line = &mut self.0[(through >> (8 * i) & 255) as usize % LINES];
            *line |= if i == 0 { on_file } else { on_others };
            rows |= u64::from(*line) << (16 * i);
        }
        let pairs = rows & rows >> 1;
        let fours = pairs & pairs >> 2;
        fours & rows >> 4 != 0
    }
}

impl Rules for Gomoku {
    type State = State;
    type Action = u8;

    const PLAYERS: u8 = 2;

    fn start(&self) -> State {
        State::START
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if u32::from(state.stones) == SQUARES || state.winner().is_some() {
            return Turn::Over;
        }
        legal.extend(&state.squares[..state.squares.len() - usize::from(state.stones)]);
        Turn::Move(Player(state.stones % 2))
    }

    fn apply(&self, state: &mut State, square: u8) {
        let last = state.squares.len() - usize::from(state.stones) - 1;
        if let Some(chosen) = state.squares[..=last].iter().position(|&s| s == square) {
            state.squares.swap(chosen, last);
            state.stones += 1;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        state.winner().map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, _: &State, square: u8) -> String {
        Board::name(Board::at(u32::from(square) % N, u32::from(square) / N))
    }

    fn draw(&self, state: &State) -> String {
        Board::draw_sides(0, [state.stones(0), state.stones(1)])
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let State { mut squares, .. } = State::START;
        let mut lines = [Lines([0; LINES]), Lines([0; LINES])];
        for ply in 0..SQUARES {
            let last = (SQUARES - 1 - ply) as usize;
            let chosen = rng.below(SQUARES - ply) as usize % squares.len();
            let square = squares[chosen];
            squares[chosen] = squares[last];
            let mover = (ply % 2) as u8;
            if lines[usize::from(mover)].place(square.into()) {
                return over_unless_capped(ply + 1, Scores::win(Player(mover)), cap);
            }
        }
        over_unless_capped(SQUARES, Scores::DRAW, cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stone_of_five_is_found_on_every_line() {
        let mut rng = Rng::stream(4, 4);
        let mut won = 0;
        for _ in 0..300 {
            let mut lines = Lines([0; LINES]);
            let mut stones = Bits::EMPTY;
            let mut squares = State::START.squares;
            for placed in 0..60 {
                squares.swap(placed, placed + rng.below(SQUARES - placed as u32) as usize);
                let square = u32::from(squares[placed]);
                stones |= Bits::one(Board::at(square % N, square / N));
                let found = lines.place(square as usize);
                assert_eq!(found, Board::has_line(Portable, stones, FIVE), "{stones:?}");
                if found {
                    won += 1;
                    break;
                }
            }
        }
        assert!(won > 100, "{won}");
    }
}

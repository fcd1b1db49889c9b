//! Gomoku and Connect 6: stones on large boards, so many in a row to win.

use play::picture::Picture;
use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, GuardedRanks};
use crate::pictures::beside;
use crate::rules::{Rules, draw, over, over_unless_capped};
use cpu::{Cpu, Portable};

/// Stones on `N` x `N` squares, `SQUARES` in all: `RUN` or more in a row win, a full board is a
/// draw. A turn is `TURN` stones of the same player, a ply each, but for the first turn, which is
/// one.
pub(crate) struct InARow<const N: u32, const SQUARES: usize, const RUN: u32, const TURN: u32>;

/// Five in a row on 15x15, stone by stone.
pub(crate) type Gomoku = InARow<15, 225, 5, 1>;

/// Six in a row on 19x19, two stones a turn.
pub(crate) type ConnectSix = InARow<19, 361, 6, 2>;

type Board<const N: u32> = Grid<GuardedRanks, 6, N, N>;

/// All squares in one list, numbered rank after rank from the bottom: first the empty ones in no
/// special order, then the stones, the last one first. A ply swaps its square with the last empty
/// one, which needs no search for the k-th square of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State<const SQUARES: usize> {
    squares: [u16; SQUARES],
    stones: u16,
}

impl<const SQUARES: usize> State<SQUARES> {
    const START: State<SQUARES> = {
        let (mut squares, mut i) = ([0; SQUARES], 0);
        while i < SQUARES {
            squares[i] = i as u16;
            i += 1;
        }
        State { squares, stones: 0 }
    };
}

impl<const N: u32, const SQUARES: usize, const RUN: u32, const TURN: u32>
    InARow<N, SQUARES, RUN, TURN>
{
    /// The player who places the stone of a ply.
    #[inline(always)]
    const fn mover(ply: u32) -> u8 {
        (ply.div_ceil(TURN) % 2) as u8
    }

    /// The stones of a player.
    fn stones(state: &State<SQUARES>, player: u8) -> Bits<6> {
        let stones = state.squares.iter().rev().take(usize::from(state.stones));
        let own = (0..).zip(stones).filter(|&(ply, _)| Self::mover(ply) == player);
        own.fold(Bits::EMPTY, |set, (_, &square)| {
            set | Bits::single(Board::<N>::at(u32::from(square) % N, u32::from(square) / N))
        })
    }

    /// Whoever has a row that wins.
    fn winner(state: &State<SQUARES>) -> Option<Player> {
        (0..2)
            .find(|&player| Board::<N>::has_line(Portable, Self::stones(state, player), RUN))
            .map(Player)
    }

    /// The lines through each square, a byte each: N files, N ranks, and 2N - 1 diagonals each way.
    const THROUGH: [u32; SQUARES] = {
        assert!(SQUARES == (N * N) as usize && 6 * N as usize - 2 <= LINES);
        let (mut through, mut square) = ([0; SQUARES], 0);
        while square < SQUARES {
            let (file, rank) = (square as u32 % N, square as u32 / N);
            let (down, up) = (3 * N - 1 + file - rank, 4 * N - 1 + file + rank);
            through[square] = file | (N + rank) << 8 | down << 16 | up << 24;
            square += 1;
        }
        through
    };

    /// Lines side by side in a word: they need a bit to spare between them.
    const ABREAST: u32 = if N < 16 { 4 } else { 2 };

    /// Places a stone and says whether it completes a row.
    #[inline(always)]
    fn place(lines: &mut Lines, square: usize) -> bool {
        let through = Self::THROUGH[square % SQUARES];
        // Where on its line the stone lies: by the rank on its file, by the file on the others.
        let (on_file, on_others) = (1 << (square as u32 / N), 1 << (square as u32 % N));
        let mut words = [0u64; 2];
        for i in 0..4 {
            let line = &mut lines.0[(through >> (8 * i) & 255) as usize % LINES];
            *line |= if i == 0 { on_file } else { on_others };
            words[(i / Self::ABREAST) as usize] |=
                u64::from(*line) << (64 / Self::ABREAST * (i % Self::ABREAST));
        }
        let runs = words.map(|word| {
            let (mut runs, mut reached) = (word, 1);
            while reached < RUN {
                let more = if reached < RUN - reached { reached } else { RUN - reached };
                runs &= runs >> more;
                reached += more;
            }
            runs
        });
        runs[0] | runs[1] != 0
    }
}

/// The stones of a player by line.
struct Lines([u32; LINES]);

impl Lines {
    const EMPTY: Lines = Lines([0; LINES]);
}

/// Room for the lines of a board with files and ranks of up to 21 squares.
const LINES: usize = 128;

impl<const N: u32, const SQUARES: usize, const RUN: u32, const TURN: u32> Rules
    for InARow<N, SQUARES, RUN, TURN>
{
    type State = State<SQUARES>;
    type Action = u16;

    fn start(&self) -> State<SQUARES> {
        State::START
    }

    fn expand(&self, state: &State<SQUARES>, legal: &mut Vec<u16>) -> Turn {
        if usize::from(state.stones) == SQUARES || Self::winner(state).is_some() {
            return Turn::Over;
        }
        legal.extend(&state.squares[..SQUARES - usize::from(state.stones)]);
        Turn::Move(Player(Self::mover(state.stones.into())))
    }

    fn apply(&self, state: &mut State<SQUARES>, square: u16) {
        let last = SQUARES - usize::from(state.stones) - 1;
        if let Some(chosen) = state.squares[..=last].iter().position(|&s| s == square) {
            state.squares.swap(chosen, last);
            state.stones += 1;
        }
    }

    fn scores(&self, state: &State<SQUARES>) -> Scores {
        Self::winner(state).map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, _: &State<SQUARES>, square: u16) -> String {
        Board::<N>::name(Board::<N>::at(u32::from(square) % N, u32::from(square) / N))
    }

    fn picture(&self, state: &State<SQUARES>) -> Picture {
        let stones = [0, 1].map(|player| Self::stones(state, player));
        Board::<N>::sides(false, stones).with_men("stone").on_lines(beside)
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(Encoding::placements(Board::<N>::names(), &["x", "o"]))
    }

    #[inline]
    fn code(&self, _: &State<SQUARES>, square: u16) -> u32 {
        square.into()
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        planes.fill(0);
        let stones = state.squares.iter().rev().take(usize::from(state.stones));
        for (ply, &square) in (0..).zip(stones) {
            let plane = usize::from(Self::mover(ply)) * SQUARES;
            planes[plane + usize::from(square)] = 1;
        }
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, _: C, state: State<SQUARES>, rng: &mut Rng, cap: u32) -> Option<End> {
        let mut lines = [Lines::EMPTY, Lines::EMPTY];
        for ply in 0..u32::from(state.stones) {
            let square = state.squares[(SQUARES - 1 - ply as usize) % SQUARES];
            let mover = Self::mover(ply);
            if Self::place(&mut lines[usize::from(mover)], square.into()) {
                return Some(over(0, Scores::win(Player(mover))));
            }
        }
        Some(Self::fill(state, lines, rng, cap))
    }
}

impl<const N: u32, const SQUARES: usize, const RUN: u32, const TURN: u32>
    InARow<N, SQUARES, RUN, TURN>
{
    /// Fills the board from a state that nobody has won, whose stones are in these lines.
    #[inline(always)]
    fn fill(state: State<SQUARES>, mut lines: [Lines; 2], rng: &mut Rng, cap: u32) -> End {
        let State { mut squares, stones } = state;
        let before = u32::from(stones);
        for ply in before..SQUARES as u32 {
            let last = SQUARES - 1 - ply as usize;
            let chosen = draw(rng, SQUARES as u32 - ply) as usize % SQUARES;
            let square = squares[chosen];
            squares[chosen] = squares[last];
            let mover = Self::mover(ply);
            if Self::place(&mut lines[usize::from(mover)], square.into()) {
                return over_unless_capped(ply + 1 - before, Scores::win(Player(mover)), cap);
            }
        }
        over_unless_capped(SQUARES as u32 - before, Scores::DRAW, cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: u32, const SQUARES: usize, const RUN: u32, const TURN: u32>(stones: usize) {
        let mut rng = Rng::stream(4, 4);
        let mut won = 0;
        for _ in 0..300 {
            let mut lines = Lines::EMPTY;
            let mut set = Bits::EMPTY;
            let mut squares = State::<SQUARES>::START.squares;
            for placed in 0..stones {
                squares.swap(placed, placed + rng.below((SQUARES - placed) as u32) as usize);
                let square = u32::from(squares[placed]);
                set |= Bits::single(Board::<N>::at(square % N, square / N));
                let found = InARow::<N, SQUARES, RUN, TURN>::place(&mut lines, square as usize);
                assert_eq!(found, Board::<N>::has_line(Portable, set, RUN), "{set:?}");
                if found {
                    won += 1;
                    break;
                }
            }
        }
        assert!(won > 100, "{won}");
    }

    #[test]
    fn the_last_stone_of_a_row_is_found_on_every_line() {
        check::<15, 225, 5, 1>(60);
        check::<19, 361, 6, 2>(150);
    }

    #[test]
    fn turns_are_one_stone_and_then_two() {
        let movers: Vec<u8> = (0..8).map(ConnectSix::mover).collect();
        assert_eq!(movers, [0, 1, 1, 0, 0, 1, 1, 0]);
        let movers: Vec<u8> = (0..4).map(Gomoku::mover).collect();
        assert_eq!(movers, [0, 1, 0, 1]);
    }
}

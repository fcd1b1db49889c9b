//! The 8 Puzzle and its kin.

use play::picture::{Ground, Picture, Piece};
use play::{End, Player, Rng, Scores, Turn};

use crate::grid::{Grid, Ranks};
use crate::rules::{Rules, below, capped, over};
use cpu::Cpu;

/// `N` x `N` squares with a tile on each but one. A ply slides a tile into the hole beside it. At
/// the start the tiles read from the greatest to 1 from the top left on, at the goal (100) from 1
/// on, the hole last both times; it is lost (0) after `MOVES` plies.
pub(crate) struct Sliding<const N: u32, const MOVES: u32>;

type Board<const N: u32> = Grid<Ranks, 1, N, N>;

/// The tiles, the square of the hole, and the plies so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    tiles: Tiles,
    hole: u32,
    plies: u32,
}

/// The number on each square in four bits, 0 for the hole.
type Tiles = u64;

/// The squares beside a square.
#[derive(Clone, Copy)]
struct Neighbours {
    count: u8,
    squares: [u8; 4],
}

impl<const N: u32, const MOVES: u32> Sliding<N, MOVES> {
    /// The hole's square at the start and at the goal.
    const CORNER: u32 = Board::<N>::at(N - 1, 0);

    const START: Tiles = Self::reading(true);
    const GOAL: Tiles = Self::reading(false);

    /// The tiles with their numbers in reading order, or falling.
    const fn reading(falling: bool) -> Tiles {
        assert!(N <= 4);
        let (mut tiles, mut i) = (0, 0);
        while i < N * N - 1 {
            let number = if falling { N * N - 1 - i } else { i + 1 } as Tiles;
            tiles |= number << (4 * Board::<N>::at(i % N, N - 1 - i / N));
            i += 1;
        }
        tiles
    }

    const BESIDE: [Neighbours; 16] = {
        let (mut all, mut square) = ([Neighbours { count: 0, squares: [0; 4] }; 16], 0);
        while square < N * N {
            let beside = &mut all[square as usize];
            let (file, rank) = Board::<N>::place(square);
            let mut other = 0;
            while other < N * N {
                let (f, r) = Board::<N>::place(other);
                if file.abs_diff(f) + rank.abs_diff(r) == 1 {
                    beside.squares[beside.count as usize] = other as u8;
                    beside.count += 1;
                }
                other += 1;
            }
            square += 1;
        }
        all
    };

    /// Slides the tile on `from` into the hole.
    #[inline(always)]
    fn slide(tiles: Tiles, hole: u32, from: u32) -> Tiles {
        let tile = tiles >> (4 * from) & 15;
        tiles ^ tile << (4 * from) ^ tile << (4 * hole)
    }
}

impl<const N: u32, const MOVES: u32> Rules for Sliding<N, MOVES> {
    type State = State;
    /// The square of the tile.
    type Action = u32;

    const PLAYERS: u8 = 1;

    fn start(&self) -> State {
        State { tiles: Self::START, hole: Self::CORNER, plies: 0 }
    }

    /// Tiles are digits, up to 9.
    fn placed(&self, rows: &str, _: u8, count: u32) -> Option<State> {
        let digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
        let sets = Board::<N>::drawn(rows, digits)?;
        let (mut tiles, mut free) = (0, Board::<N>::BOARD);
        for (number, set) in (1..).zip(sets) {
            if set.len() != u32::from(number < N * N) {
                return None;
            }
            set.iter().for_each(|square| tiles |= Tiles::from(number) << (4 * square));
            free = free.without(set);
        }
        Some(State { tiles, hole: free.iter().next()?, plies: count })
    }

    fn expand(&self, state: &State, legal: &mut Vec<u32>) -> Turn {
        if state.tiles == Self::GOAL || state.plies == MOVES {
            return Turn::Over;
        }
        let beside = &Self::BESIDE[state.hole as usize];
        legal.extend(beside.squares[..usize::from(beside.count)].iter().map(|&s| u32::from(s)));
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, from: u32) {
        state.tiles = Self::slide(state.tiles, state.hole, from);
        state.hole = from;
        state.plies += 1;
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::single(if state.tiles == Self::GOAL { 100 } else { 0 })
    }

    fn label(&self, state: &State, from: u32) -> String {
        Board::<N>::name(from) + &Board::<N>::name(state.hole)
    }

    fn picture(&self, state: &State) -> Picture {
        let board = Board::<N>::picture(false, |square| match state.tiles >> (4 * square) & 15 {
            0 => '.',
            number => char::from_digit(number as u32, 16).unwrap_or('?'),
        });
        board
            .with_signs(|sign| {
                let number = sign.to_digit(16)?.to_string();
                Some((vec![Piece::of(0, number)], Ground::Plain))
            })
            .with_notes(&format!("{} of {MOVES} moves\n", state.plies))
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, _: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.tiles == Self::GOAL {
            return Some(over(0, Scores::single(100)));
        }
        Some(Self::slide_on(state, rng, cap))
    }
}

impl<const N: u32, const MOVES: u32> Sliding<N, MOVES> {
    /// Plays on from a state that is not over.
    #[inline(always)]
    fn slide_on(state: State, rng: &mut Rng, cap: u32) -> End {
        let State { mut tiles, mut hole, plies: before } = state;
        let left = MOVES - before.min(MOVES);
        let mut plies = 0;
        while plies < left {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let beside = &Self::BESIDE[hole as usize % 16];
            let k = below(rng, u32::from(beside.count), 3);
            let from = u32::from(beside.squares[k as usize % 4]);
            tiles = Self::slide(tiles, hole, from);
            hole = from;
            if tiles == Self::GOAL {
                return over(plies, Scores::single(100));
            }
        }
        over(plies, Scores::single(0))
    }
}

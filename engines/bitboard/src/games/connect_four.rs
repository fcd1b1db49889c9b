//! Connect Four on boards of several sizes.

use std::hint::cold_path;

use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::cpu::{Cpu, Portable};
use crate::grid::{Grid, GuardedFiles};
use crate::rules::{Rules, over_unless_capped};
use crate::sides::Sides;

/// Connect Four on `FILES` columns and `RANKS` rows, an even number of squares.
pub(crate) struct ConnectFour<const W: usize, const FILES: u32, const RANKS: u32>;

type Board<const W: usize, const FILES: u32, const RANKS: u32> =
    Grid<GuardedFiles, W, FILES, RANKS>;

impl<const W: usize, const FILES: u32, const RANKS: u32> ConnectFour<W, FILES, RANKS> {
    const SQUARES: u32 = Board::<W, FILES, RANKS>::SQUARES;

    /// The square that a stone dropped into a file comes to rest on, if there is one.
    fn landing(state: &Sides<W>, file: u32) -> Option<u32> {
        (0..RANKS)
            .map(|rank| Board::<W, FILES, RANKS>::at(file, rank))
            .find(|&square| !state.occupied().has(square))
    }

    #[inline(always)]
    fn has_four<C: Cpu>(cpu: C, stones: Bits<W>) -> bool {
        Board::<W, FILES, RANKS>::has_line(cpu, stones, 4)
    }
}

impl<const W: usize, const FILES: u32, const RANKS: u32> Rules for ConnectFour<W, FILES, RANKS> {
    type State = Sides<W>;
    /// The landing square.
    type Action = u32;

    const PLAYERS: u8 = 2;
    const VECTORS: bool = true;

    fn start(&self) -> Sides<W> {
        Sides::new(Bits::EMPTY, Bits::EMPTY)
    }

    fn expand(&self, state: &Sides<W>, legal: &mut Vec<u32>) -> Turn {
        if state.men.into_iter().any(|stones| Self::has_four(Portable, stones)) {
            return Turn::Over;
        }
        legal.extend((0..FILES).filter_map(|file| Self::landing(state, file)));
        if legal.is_empty() { Turn::Over } else { Turn::Move(state.mover()) }
    }

    fn apply(&self, state: &mut Sides<W>, square: u32) {
        state.place(square);
    }

    fn scores(&self, state: &Sides<W>) -> Scores {
        match state.men.map(|stones| Self::has_four(Portable, stones)) {
            [true, _] => Scores::FIRST,
            [_, true] => Scores::SECOND,
            _ => Scores::DRAW,
        }
    }

    fn label(&self, _: &Sides<W>, square: u32) -> String {
        Board::<W, FILES, RANKS>::name(square)
    }

    fn draw(&self, state: &Sides<W>) -> String {
        Board::<W, FILES, RANKS>::draw_sides(0, state.men)
    }

    /// The heights of the files are counted apart from the stones, and a file that fills up is an
    /// event off the path that the processor expects: so the draw of a file does not wait for the
    /// last stone.
    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        const { assert!(FILES <= 16 && RANKS <= 15 && (FILES * RANKS).is_multiple_of(2)) };
        // Four bits a file.
        let mut heights = 0u64;
        let mut open = Bits::<1>::from_words([(1 << FILES) - 1]);
        let mut drop = |stones: &mut Bits<W>| {
            let file = open.nth(cpu, rng.below(open.count()));
            let rank = (heights >> (4 * file)) as u32 & 15;
            heights += 1 << (4 * file);
            *stones |= Bits::one(Board::<W, FILES, RANKS>::at(file, rank));
            if rank == RANKS - 1 {
                cold_path();
                open ^= Bits::one(file);
            }
        };
        let mut stones = [Bits::EMPTY; 2];
        let last = cap.min(Self::SQUARES);
        let mut plies = 0;
        // Nobody has four stones before the seventh ply.
        while plies < last.min(6) {
            drop(&mut stones[0]);
            drop(&mut stones[1]);
            plies += 2;
        }
        while plies < last {
            for (mover, stones) in stones.iter_mut().enumerate() {
                drop(stones);
                plies += 1;
                if Self::has_four(cpu, *stones) {
                    let scores = Scores::win(Player(mover as u8));
                    return over_unless_capped(plies, scores, cap);
                }
            }
        }
        over_unless_capped(Self::SQUARES, Scores::DRAW, cap)
    }
}

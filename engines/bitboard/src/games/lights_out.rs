//! Lights Out on N x N.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::kinds;
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// All `N` x `N` lights are on; a ply presses one, which toggles it and its orthogonal neighbours.
/// It is solved (100) when all are off, and lost (0) after `PRESSES` plies.
pub(crate) struct LightsOut<const N: u32, const PRESSES: u32>;

type Board<const N: u32> = Grid<Ranks, 1, N, N>;

/// The lights that are on, and the presses so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    lit: Bits<1>,
    presses: u32,
}

impl<const N: u32, const PRESSES: u32> LightsOut<N, PRESSES> {
    /// The lights that a press on each square toggles.
    const TOGGLED: [Bits<1>; 64] = {
        let (mut toggled, mut square) = ([Bits::EMPTY; 64], 0);
        while square < Board::<N>::SQUARES {
            let light = Bits::of_index(square as usize);
            toggled[square as usize] = light
                .or(Board::<N>::step::<1, 0>(light))
                .or(Board::<N>::step::<-1, 0>(light))
                .or(Board::<N>::step::<0, 1>(light))
                .or(Board::<N>::step::<0, -1>(light));
            square += 1;
        }
        toggled
    };
}

impl<const N: u32, const PRESSES: u32> Rules for LightsOut<N, PRESSES> {
    type State = State;
    type Action = u32;

    const PLAYERS: u8 = 1;

    fn start(&self) -> State {
        State { lit: Board::<N>::BOARD, presses: 0 }
    }

    fn placed(&self, rows: &str, _: u8, count: u32) -> Option<State> {
        let [lit] = Board::<N>::drawn(rows, ['*'])?;
        Some(State { lit, presses: count })
    }

    fn expand(&self, state: &State, legal: &mut Vec<u32>) -> Turn {
        if state.lit.is_empty() || state.presses == PRESSES {
            return Turn::Over;
        }
        legal.extend(0..Board::<N>::SQUARES);
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, square: u32) {
        state.lit ^= Self::TOGGLED[square as usize];
        state.presses += 1;
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::single(if state.lit.is_empty() { 100 } else { 0 })
    }

    fn label(&self, _: &State, square: u32) -> String {
        Board::<N>::name(square)
    }

    fn picture(&self, state: &State) -> Picture {
        let board =
            Board::<N>::picture(false, |square| if state.lit.contains(square) { '*' } else { '.' });
        board
            .with_signs(kinds(&[('*', None, "lit")]))
            .with_notes(&format!("{} of {PRESSES} presses\n", state.presses))
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, _: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.lit.is_empty() {
            return Some(over(0, Scores::single(100)));
        }
        Some(Self::press(state, rng, cap))
    }
}

impl<const N: u32, const PRESSES: u32> LightsOut<N, PRESSES> {
    /// Presses random lights until all are out, or no presses are left.
    #[inline(always)]
    fn press(state: State, rng: &mut Rng, cap: u32) -> End {
        let State { mut lit, presses } = state;
        let left = PRESSES - presses.min(PRESSES);
        let mut plies = 0;
        while plies < left {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            lit ^= Self::TOGGLED[draw(rng, Board::<N>::SQUARES) as usize % 64];
            if lit.is_empty() {
                return over(plies, Scores::single(100));
            }
        }
        over(plies, Scores::single(0))
    }
}

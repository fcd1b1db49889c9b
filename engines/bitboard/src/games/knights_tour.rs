//! The Knight's Tour.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::{kinds, spent};
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use cpu::Cpu;

/// A knight on `N` x `N` squares, at first in the corner, never enters a square twice. It ends when
/// the knight is stuck; the score is the share of the squares that it has entered, in percent.
pub(crate) struct KnightsTour<const N: u32>;

type Board<const N: u32> = Grid<Ranks, 1, N, N>;

/// The square of the knight, and the squares that it has not entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    knight: u32,
    free: Bits<1>,
}

impl<const N: u32> KnightsTour<N> {
    /// A knight's moves from each square.
    const LEAPS: [Bits<1>; 64] = {
        let (mut leaps, mut square) = ([Bits::EMPTY; 64], 0);
        while square < Board::<N>::SQUARES {
            let knight = Bits::of_index(square as usize);
            leaps[square as usize] = Board::<N>::step::<1, 2>(knight)
                .or(Board::<N>::step::<2, 1>(knight))
                .or(Board::<N>::step::<2, -1>(knight))
                .or(Board::<N>::step::<1, -2>(knight))
                .or(Board::<N>::step::<-1, -2>(knight))
                .or(Board::<N>::step::<-2, -1>(knight))
                .or(Board::<N>::step::<-2, 1>(knight))
                .or(Board::<N>::step::<-1, 2>(knight));
            square += 1;
        }
        leaps
    };

    const START: State =
        State { knight: 0, free: Board::<N>::BOARD.without(Board::<N>::named("a1")) };

    #[inline(always)]
    fn legal(state: &State) -> Bits<1> {
        Self::LEAPS[state.knight as usize % 64] & state.free
    }

    const fn score(entered: u32) -> Scores {
        Scores::single((100 * entered / (N * N)) as i32)
    }
}

impl<const N: u32> Rules for KnightsTour<N> {
    type State = State;
    /// The square that is entered.
    type Action = u32;

    const PLAYERS: u8 = 1;

    fn start(&self) -> State {
        Self::START
    }

    fn placed(&self, rows: &str, _: u8, _: u32) -> Option<State> {
        let [knight, entered] = Board::<N>::drawn(rows, ['N', '+'])?;
        let free = Board::<N>::BOARD.without(knight | entered);
        Some(State { knight: knight.iter().next()?, free })
    }

    fn expand(&self, state: &State, legal: &mut Vec<u32>) -> Turn {
        legal.extend(Self::legal(state).iter());
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(0)) }
    }

    fn apply(&self, state: &mut State, square: u32) {
        state.knight = square;
        state.free = state.free.without(Bits::single(square));
    }

    fn scores(&self, state: &State) -> Scores {
        Self::score(N * N - state.free.len())
    }

    fn label(&self, state: &State, square: u32) -> String {
        Board::<N>::name(state.knight) + &Board::<N>::name(square)
    }

    fn picture(&self, state: &State) -> Picture {
        Board::<N>::picture(false, |square| {
            match (square == state.knight, state.free.contains(square)) {
                (true, _) => 'N',
                (_, true) => '.',
                _ => '+',
            }
        })
        .with_signs(kinds(&[('N', Some(0), "knight")]))
        .with_signs(spent)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(Self::tour(cpu, state, N * N - state.free.len(), rng, cap))
    }
}

impl<const N: u32> KnightsTour<N> {
    /// Goes on as long as there is a square to enter, after so many of them.
    #[inline(always)]
    fn tour<C: Cpu>(cpu: C, mut state: State, entered: u32, rng: &mut Rng, cap: u32) -> End {
        let mut plies = 0;
        loop {
            let legal = Self::legal(&state);
            if legal.is_empty() {
                return over(plies, Self::score(entered + plies));
            }
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            state.knight = legal.select(cpu, draw(rng, legal.len()));
            state.free = state.free.without(Bits::single(state.knight));
        }
    }
}

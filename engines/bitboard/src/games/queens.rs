//! N queens placed one by one.

use play::picture::Picture;
use play::{End, Job, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::{kinds, spent};
use crate::rules::{Results, Rules};
use crate::without_replacement::WithoutReplacement;
use cpu::Cpu;

/// A queen a ply on any square of `N` x `N` that none attacks, until there is no such square; the
/// score is the share of N queens in percent.
pub(crate) struct Queens<const W: usize, const N: u32>;

type Board<const W: usize, const N: u32> = Grid<Ranks, W, N, N>;

/// The queens, and the squares that they leave.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State<const W: usize> {
    queens: Bits<W>,
    safe: Bits<W>,
}

impl<const W: usize, const N: u32> Queens<W, N> {
    /// The squares that a queen on each square does not leave safe, its own included.
    const SWEPT: [Bits<W>; 256] = {
        let (mut swept, mut square) = ([Bits::EMPTY; 256], 0);
        while square < Board::<W, N>::SQUARES {
            let (file, rank) = Board::<W, N>::place(square);
            let mut other = 0;
            while other < Board::<W, N>::SQUARES {
                let (f, r) = Board::<W, N>::place(other);
                let (files, ranks) = (file.abs_diff(f), rank.abs_diff(r));
                if files == 0 || ranks == 0 || files == ranks {
                    swept[square as usize] =
                        swept[square as usize].or(Bits::of_index(other as usize));
                }
                other += 1;
            }
            square += 1;
        }
        swept
    };
}

impl<const W: usize, const N: u32> Rules for Queens<W, N> {
    type State = State<W>;
    type Action = u32;

    const PLAYERS: u8 = 1;

    fn start(&self) -> State<W> {
        State { queens: Bits::EMPTY, safe: Board::<W, N>::BOARD }
    }

    fn placed(&self, rows: &str, _: u8, _: u32) -> Option<State<W>> {
        let [queens] = Board::<W, N>::drawn(rows, ['Q'])?;
        let swept = queens.iter().fold(queens, |all, at| all | Self::SWEPT[at as usize]);
        Some(State { queens, safe: Board::<W, N>::BOARD.without(swept) })
    }

    fn expand(&self, state: &State<W>, legal: &mut Vec<u32>) -> Turn {
        legal.extend(state.safe.iter());
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(0)) }
    }

    fn apply(&self, state: &mut State<W>, square: u32) {
        state.queens |= Bits::single(square);
        state.safe = state.safe.without(Self::SWEPT[square as usize]);
    }

    fn scores(&self, state: &State<W>) -> Scores {
        self.score(state.queens.len())
    }

    fn label(&self, _: &State<W>, square: u32) -> String {
        Board::<W, N>::name(square)
    }

    fn picture(&self, state: &State<W>) -> Picture {
        Board::<W, N>::picture(false, |square| {
            match (state.queens.contains(square), state.safe.contains(square)) {
                (true, _) => 'Q',
                (_, true) => '.',
                _ => '+',
            }
        })
        .with_signs(kinds(&[('Q', Some(0), "queen")]))
        .with_signs(spent)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        self.thin_in_pairs(cpu, job, results);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State<W>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(self.thin_on(cpu, rng, state.safe, state.queens.len(), cap))
    }
}

impl<const W: usize, const N: u32> WithoutReplacement<W> for Queens<W, N> {
    #[inline(always)]
    fn all(&self) -> Bits<W> {
        Board::<W, N>::BOARD
    }

    #[inline(always)]
    fn excluded(&self, square: u32) -> Bits<W> {
        Self::SWEPT[square as usize % 256]
    }

    #[inline(always)]
    fn score(&self, queens: u32) -> Scores {
        Scores::single((100 * queens / N) as i32)
    }
}

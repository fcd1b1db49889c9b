//! Tic-Tac-Toe on N x N with a full line of N to win.

use std::sync::Arc;

use play::picture::Picture;
use play::{End, Job, Lockstep, LockstepJob, Player, Rng, Scores, Symmetry, Turn};

use crate::bits::Bits;
use crate::form::{Form, Formed};
use crate::grid::{Grid, GuardedRanks, Ranks};
use crate::lanes::{self, Dice, Lanes, Step};
use crate::pictures::{MARKS, kinds};
use crate::placement_lockstep::{self, PlacementRules};
use crate::rules::handmade::Handmade;
use crate::rules::{Results, Rules, capped, draw, over, over_unless_capped};
use crate::select::Select;
use crate::sides::Sides;
use cpu::{Cpu, Portable};

/// Tic-Tac-Toe on `N` x `N`, N in a line. A line of N is a whole rank, file or diagonal, so one
/// word holds a counter for each: 2N + 2 counters of four bits, which bounds N at 7.
pub(crate) struct TicTacToe<const N: u32>;

type Board<const N: u32> = Grid<Ranks, 1, N, N>;

impl<const N: u32> TicTacToe<N> {
    /// Every counter begins so that N stones set its highest bit.
    const NO_STONES: u64 = (8 - N as u64) * (FULL >> 3 & Self::COUNTERS);
    /// The bits of the 2N + 2 counters.
    const COUNTERS: u64 = !0 >> (64 - 4 * (2 * N + 2));
    /// The amount that a stone on each square adds to the counters: one for each line through it.
    const LINES: [u64; 64] = {
        assert!(N <= 7);
        let (mut lines, mut square) = ([0; 64], 0);
        while square < Board::<N>::SQUARES {
            let (file, rank) = Board::<N>::place(square);
            let mut sum = 1 << (4 * file) | 1 << (4 * (N + rank));
            if file == rank {
                sum |= 1 << (4 * 2 * N);
            }
            if file + rank == N - 1 {
                sum |= 1 << (4 * (2 * N + 1));
            }
            lines[square as usize] = sum;
            square += 1;
        }
        lines
    };

    /// True if a set has a whole line: each direction from the squares on which its lines begin.
    #[inline(always)]
    fn has_line(stones: Bits<1>) -> bool {
        let [stones] = stones.words;
        let [mut rank, mut file, mut up, mut down] = [stones; 4];
        for step in 1..N {
            rank &= stones >> step;
            file &= stones >> (N * step);
            up &= stones >> ((N + 1) * step);
            down &= stones >> ((N - 1) * step);
        }
        let [ranks, files] = const { [Board::<N>::file(0).words[0], Board::<N>::rank(0).words[0]] };
        rank & ranks | file & files | up & 1 | down & 1 << (N - 1) != 0
    }
}

/// The highest bit of each counter.
const FULL: u64 = 0x8888_8888_8888_8888;

impl<const N: u32> Rules for TicTacToe<N> {
    type State = Sides<1>;
    type Action = u32;
    type Board = Board<N>;

    const FORMS: &'static [Form] = &[Form::At("")];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Same);

    const WIDE: bool = true;

    fn start(&self) -> Sides<1> {
        Sides::new(Bits::EMPTY, Bits::EMPTY)
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        Sides::placed(Board::<N>::drawn(rows, ['x', 'o'])?, mover)
    }

    fn expand(&self, state: &Sides<1>, legal: &mut Vec<u32>) -> Turn {
        let empty = Board::<N>::BOARD.without(state.occupied());
        if empty.is_empty() || state.men.into_iter().any(Self::has_line) {
            return Turn::Over;
        }
        legal.extend(empty.iter());
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<1>, square: u32) {
        state.place(square);
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        match state.men.map(Self::has_line) {
            [true, _] => Scores::FIRST,
            [_, true] => Scores::SECOND,
            _ => Scores::DRAW,
        }
    }

    #[inline]
    fn form(&self, _: &Sides<1>, square: u32) -> Formed {
        Formed::at(square)
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        Board::<N>::sides(false, state.men).with_signs(kinds(&MARKS))
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        Board::<N>::write_planes(state.men, planes);
    }

    fn lockstep(game: &Arc<Handmade<Self>>, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        placement_lockstep::boxed(game, job)
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let wins = Self::fill(
            cpu,
            #[inline(always)]
            |n| draw(rng, n),
        );
        let plies = Self::plies(wins);
        let scores = match wins {
            0 => Scores::DRAW,
            _ if plies % 2 == 1 => Scores::FIRST,
            _ => Scores::SECOND,
        };
        over_unless_capped(plies, scores, cap)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        let mut mover = usize::from(state.mover().0);
        let mut stones = state.men;
        if Self::has_line(stones[1 - mover]) {
            return Some(over(0, Scores::win(Player(1 - mover as u8))));
        }
        let mut empty = Board::<N>::BOARD.without(state.occupied());
        let room = empty.len();
        for plies in 0..room {
            if plies == cap {
                return Some(capped(cap));
            }
            let stone = empty.select_bit(cpu, draw(rng, room - plies));
            empty ^= stone;
            stones[mover] |= stone;
            if Self::has_line(stones[mover]) {
                return Some(over(plies + 1, Scores::win(Player(mover as u8))));
            }
            mover = 1 - mover;
        }
        Some(over(room, Scores::DRAW))
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        lanes::play_one_by_one(
            self,
            job,
            results,
            #[inline(always)]
            |dice| {
                let wins = Self::fill(
                    cpu,
                    #[inline(always)]
                    |n| dice.below_alone(n),
                );
                let plies = Self::plies(wins);
                let winner = if plies % 2 == 1 { lanes::FIRST } else { lanes::SECOND };
                let outcome = if wins == 0 { lanes::DRAW } else { winner };
                Step { plies: plies.into(), outcome }
            },
        );
    }
}

impl<const N: u32> PlacementRules<1> for TicTacToe<N> {
    const BOARD: Bits<1> = Board::<N>::BOARD;

    #[inline(always)]
    fn open<C: Cpu>(&self, _: C, state: &mut Sides<1>) -> Option<Bits<1>> {
        let [_, last] = state.own_and_other();
        let empty = Self::BOARD.without(state.occupied());
        (!empty.is_empty() && !Self::has_line(last)).then_some(empty)
    }
}

impl<const N: u32> TicTacToe<N> {
    /// Fills the board without a branch, and says at which plies whoever moved had a line, to look
    /// for the first one then: cheaper than to guess at every ply whether the playout ends there.
    #[inline(always)]
    fn fill<C: Cpu>(cpu: C, mut below: impl FnMut(u32) -> u32) -> u64 {
        let squares = Board::<N>::SQUARES;
        let mut empty = Board::<N>::BOARD;
        let mut counters = [Self::NO_STONES; 2];
        let mut wins = 0;
        for round in 0..squares.div_ceil(AT_ONCE) {
            at_once(
                #[inline(always)]
                |i| {
                    let ply = AT_ONCE * round + i;
                    if ply >= squares {
                        return;
                    }
                    // Of the last square nobody asks who draws it.
                    let last = ply == squares - 1;
                    let stone =
                        if last { empty } else { empty.select_bit(cpu, below(squares - ply)) };
                    empty ^= stone;
                    let own = &mut counters[ply as usize % 2];
                    *own += Self::LINES[stone.first_index() % 64];
                    // Nobody has N stones before.
                    if ply >= 2 * (N - 1) {
                        wins |= u64::from(*own & FULL != 0) << ply;
                    }
                },
            );
        }
        wins
    }

    /// The plies of a playout, given those at which there was a line.
    #[inline(always)]
    fn plies(wins: u64) -> u32 {
        Board::<N>::SQUARES.min(wins.trailing_zeros() + 1)
    }
}

/// Plies that are written out instead of a loop.
const AT_ONCE: u32 = 10;

/// Does something for the numbers below [`AT_ONCE`]. A loop that the compiler leaves one would look
/// up in memory which counter is meant.
#[inline(always)]
fn at_once(mut act: impl FnMut(u32)) {
    act(0);
    act(1);
    act(2);
    act(3);
    act(4);
    act(5);
    act(6);
    act(7);
    act(8);
    act(9);
}

/// The board of a playout in a lane: lines are found by shifts there, which need a guard.
type Guarded = Grid<GuardedRanks, 1, 3, 3>;

/// Its squares in their order, four bits each.
const SQUARES: u64 = {
    let (mut squares, mut i) = (0, 0);
    while i < Guarded::SQUARES {
        squares |= (Guarded::at(i % 3, i / 3) as u64) << (4 * i);
        i += 1;
    }
    squares
};

impl Lanes<0> for TicTacToe<3> {
    fn words(&self, _: &Sides<1>) -> Option<[u64; 0]> {
        None
    }

    /// The empty squares are a list in a word, from which a shift takes the chosen one.
    #[inline(always)]
    fn step(&self, _: &mut [u64; 0], dice: &mut Dice) -> Step {
        let mut empty = SQUARES;
        let mut stones = [Bits::<1>::EMPTY; 2];
        let mut wins = 0u64;
        for ply in 0..9 {
            let at = 4 * dice.below(9 - ply);
            let own = &mut stones[ply as usize % 2];
            *own |= Bits::from_words([1 << (empty >> at & 15)]);
            let before = (1u64 << at) - 1;
            empty = empty & before | empty >> 4 & !before;
            // Nobody has three stones before the fifth ply.
            if ply >= 4 {
                wins |= u64::from(Guarded::has_line(Portable, *own, 3)) << ply;
            }
        }
        let last = wins & wins.wrapping_neg();
        let plies = if wins == 0 { 9 } else { u64::from(last.wrapping_sub(1).count_ones()) + 1 };
        let winner = if last & 0b1_0101_0101 == 0 { lanes::SECOND } else { lanes::FIRST };
        Step { plies, outcome: if wins == 0 { lanes::DRAW } else { winner } }
    }
}

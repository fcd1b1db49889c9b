//! Tron on 10x10: both riders choose at once.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, GuardedRanks};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Tron: each rider steps to a neighbouring cell and leaves a trail. Whoever meets the edge, a
/// trail or the other rider has crashed, and loses unless the other one crashed, too.
pub(crate) struct Tron;

/// Cells are numbered modulo 128: beyond the last rank, before the first, and behind each rank lie
/// numbers that belong to no cell, and these are walls.
type Board = Grid<GuardedRanks, 2, 10, 10>;

/// The names of the directions, with what a step adds to a cell's number.
const DIRECTIONS: [(&str, i32); 4] = [
    ("north", Board::stride(0, 1)),
    ("east", Board::stride(1, 0)),
    ("south", Board::stride(0, -1)),
    ("west", Board::stride(-1, 0)),
];

/// The cells that nobody may enter any more, the riders, what the first one chose if the other one
/// is to choose, and who crashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    blocked: Bits<2>,
    riders: [u8; 2],
    chosen: Option<u8>,
    crashed: [bool; 2],
}

const START: State = {
    let riders = [Board::at(2, 2), Board::at(7, 7)];
    let blocked = Board::BOARD
        .complement()
        .or(Bits::of_index(riders[0] as usize))
        .or(Bits::of_index(riders[1] as usize));
    State { blocked, riders: [riders[0] as u8, riders[1] as u8], chosen: None, crashed: [false; 2] }
};

impl State {
    /// Both riders step.
    #[inline(always)]
    fn ride(&mut self, directions: [usize; 2]) {
        for (rider, direction) in self.riders.iter_mut().zip(directions) {
            *rider = rider.wrapping_add(DIRECTIONS[direction % 4].1 as u8) % 128;
        }
        let cells = self.riders.map(u32::from);
        let met = cells[0] == cells[1];
        self.crashed = cells.map(|cell| met | self.blocked.contains(cell));
        self.blocked |= Bits::single(cells[0]) | Bits::single(cells[1]);
    }

    /// True if anybody crashed.
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.crashed[0] | self.crashed[1]
    }

    /// The scores after a crash.
    #[inline(always)]
    fn scores(&self) -> Scores {
        match self.crashed {
            [true, true] => Scores::DRAW,
            [crashed, _] => Scores::win(Player(u8::from(crashed))),
        }
    }
}

impl State {
    /// Both ride at random, after so many plies, until somebody crashes.
    #[inline(always)]
    fn ride_on(mut self, mut plies: u32, rng: &mut Rng, cap: u32) -> End {
        while plies + 1 < cap {
            plies += 2;
            self.ride([draw(rng, 4) as usize, draw(rng, 4) as usize]);
            if self.is_over() {
                return over(plies, self.scores());
            }
        }
        capped(cap)
    }
}

impl Rules for Tron {
    type State = State;
    type Action = u8;

    const SIMULTANEOUS: bool = true;

    fn start(&self) -> State {
        START
    }

    fn placed(&self, rows: &str, _: u8, _: u32) -> Option<State> {
        let sets = Board::drawn(rows, ['x', 'o', '#'])?;
        let rider = |set: Bits<2>| set.iter().next().map(|cell| cell as u8);
        let riders = [rider(sets[0])?, rider(sets[1])?];
        let trails = sets.into_iter().fold(Bits::EMPTY, |all, set| all | set);
        let blocked = Board::BOARD.complement() | trails;
        Some(State { blocked, riders, chosen: None, crashed: [false; 2] })
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if state.is_over() {
            return Turn::Over;
        }
        legal.extend(0..4);
        Turn::Move(Player(u8::from(state.chosen.is_some())))
    }

    fn apply(&self, state: &mut State, direction: u8) {
        match state.chosen.take() {
            None => state.chosen = Some(direction),
            Some(first) => state.ride([first.into(), direction.into()]),
        }
    }

    fn scores(&self, state: &State) -> Scores {
        state.scores()
    }

    fn label(&self, _: &State, direction: u8) -> String {
        DIRECTIONS[usize::from(direction)].0.to_owned()
    }

    fn picture(&self, state: &State) -> Picture {
        let [x, o] = state.riders.map(u32::from);
        Board::picture(false, |cell| match cell {
            _ if cell == x => 'x',
            _ if cell == o => 'o',
            _ if state.blocked.contains(cell) => '#',
            _ => '.',
        })
        .with_men("agent")
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, _: C, mut state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.is_over() {
            return Some(over(0, state.scores()));
        }
        let Some(first) = state.chosen.take() else { return Some(state.ride_on(0, rng, cap)) };
        if cap == 0 {
            return Some(capped(cap));
        }
        state.ride([usize::from(first), draw(rng, 4) as usize]);
        if state.is_over() {
            return Some(over(1, state.scores()));
        }
        Some(state.ride_on(1, rng, cap))
    }
}

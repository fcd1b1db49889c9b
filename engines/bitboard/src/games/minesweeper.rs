//! Minesweeper on 8x8.

use play::picture::{Cover, Picture};
use play::{Chance, End, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::kinds;
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use cpu::Cpu;

/// One player uncovers squares, of which ten hide a bomb. A square without a bomb beside it
/// uncovers its neighbours as well. The player is told how many bombs are beside the squares that
/// open. The first bomb loses; when only bombs are covered, it is won.
pub(crate) struct Minesweeper;

type Board = Grid<Ranks, 1, 8, 8>;

const BOMBS: u32 = 10;

/// The squares of the bombs, and those that are still covered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    bombs: Bits<1>,
    covered: Bits<1>,
}

/// Squares and their neighbours.
#[inline(always)]
fn widened(set: Bits<1>) -> Bits<1> {
    let row = set | Board::step::<-1, 0>(set) | Board::step::<1, 0>(set);
    row | Board::step::<0, 1>(row) | Board::step::<0, -1>(row)
}

impl State {
    /// A square and what opens with it, some of which may be open already.
    #[inline(always)]
    fn opened(&self, square: Bits<1>) -> Bits<1> {
        let mut open = square;
        let clear = Board::BOARD.without(widened(self.bombs));
        if square.intersects(clear) {
            loop {
                let wider = open | widened(open & clear);
                if wider == open {
                    break;
                }
                open = wider;
            }
        }
        open
    }

    #[inline(always)]
    fn uncover(&mut self, square: Bits<1>) {
        self.covered = self.covered.without(self.opened(square));
    }

    fn bombs_beside(&self, square: u32) -> u32 {
        let square = Bits::single(square);
        (widened(square).without(square) & self.bombs).len()
    }

    fn is_lost(&self) -> bool {
        self.bombs.without(self.covered) != Bits::EMPTY
    }
}

/// Puts the bombs on squares drawn one after another from those that are free.
#[inline(always)]
fn lay<C: Chance + ?Sized>(chance: &mut C, nth: impl Fn(Bits<1>, u32) -> Bits<1>) -> Bits<1> {
    let mut free = Board::BOARD;
    for laid in 0..BOMBS {
        free ^= nth(free, chance.below(Board::SQUARES - laid));
    }
    Board::BOARD.without(free)
}

impl Rules for Minesweeper {
    type State = State;
    type Action = u8;

    const PLAYERS: u8 = 1;

    const CHANCE: bool = true;

    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State { bombs: Bits::EMPTY, covered: Board::BOARD }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        if state.bombs.is_empty() {
            state.bombs =
                lay(chance, |free, k| Bits::single(free.iter().nth(k as usize).unwrap_or(0)));
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if state.is_lost() || state.covered == state.bombs {
            return Turn::Over;
        }
        legal.extend(state.covered.iter().map(|square| square as u8));
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, square: u8) {
        state.uncover(Bits::single(square.into()));
    }

    fn perceive(&self, before: &State, square: u8, _: &State, percepts: &mut Percepts) {
        for square in before.opened(Bits::single(square.into())) {
            percepts.tell(Player(0), before.bombs_beside(square).to_string());
        }
    }

    fn scores(&self, state: &State) -> Scores {
        if state.is_lost() { Scores::single(0) } else { Scores::single(100) }
    }

    fn label(&self, _: &State, square: u8) -> String {
        Board::name(square.into())
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Board::picture(false, |square| {
            match (state.covered.contains(square), state.bombs.contains(square)) {
                (true, _) => '#',
                (_, true) => '*',
                _ => match state.bombs_beside(square) {
                    0 => '.',
                    near => char::from(b'0' + near as u8),
                },
            }
        })
        .with_signs(kinds(&[('*', None, "mine")]));
        for cell in picture.cells.iter_mut().filter(|cell| cell.sign == "#") {
            (cell.pieces, cell.cover) = (Vec::new(), Cover::Closed);
        }
        picture
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let bombs = lay(rng, |free, k| free.select_bit(cpu, k));
        let mut state = State { bombs, covered: Board::BOARD };
        let mut plies = 0;
        loop {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let square = state.covered.select_bit(cpu, draw(rng, state.covered.len()));
            if square.intersects(bombs) {
                return over(plies, Scores::single(0));
            }
            state.uncover(square);
            if state.covered == bombs {
                return over(plies, Scores::single(100));
            }
        }
    }
}

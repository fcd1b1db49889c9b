//! Alquerque, jump by jump.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::alquerque_board::AlquerqueBoard;
use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, Ranks};
use crate::pictures::on_alquerque;
use crate::rules::{Rules, capped, draw, over};
use crate::turns::{self, Turns};
use cpu::Cpu;

/// Alquerque in which each jump is a ply, and the man that jumped goes on as long as he can. Jumps
/// are mandatory; who cannot move loses.
pub(crate) struct Alquerque;

type Board = Grid<Ranks, 1, 5, 5>;
type Lines = AlquerqueBoard<5, 5>;

/// The men, whoever moves, and the man who has to go on jumping, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: [Bits<1>; 2],
    jumper: Bits<1>,
    mover: u8,
}

const START: State = State {
    men: [
        Board::rank(0).or(Board::rank(1)).or(Board::named("d3 e3")),
        Board::rank(4).or(Board::rank(3)).or(Board::named("a3 b3")),
    ],
    jumper: Bits::EMPTY,
    mover: 0,
};

/// The direction, whether it jumps, and the point that it leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    way: u8,
    jumps: bool,
    to: u8,
}

/// The points that jumps in each direction lead to.
#[inline(always)]
fn jumps(men: Bits<1>, enemies: Bits<1>, empty: Bits<1>) -> [Bits<1>; 8] {
    std::array::from_fn(|way| Lines::step(Lines::step(men, way) & enemies, way) & empty)
}

#[inline(always)]
fn any(points: [Bits<1>; 8]) -> bool {
    points.into_iter().fold(Bits::EMPTY, |all, to| all | to) != Bits::EMPTY
}

impl State {
    /// The legal moves of `SIDE`; true if they are jumps.
    #[inline(always)]
    fn choice<const SIDE: usize>(&self) -> (Choice<8, 1>, bool) {
        let (own, enemies) = (self.men[SIDE], self.men[1 - SIDE]);
        let empty = Board::BOARD.without(own | enemies);
        let movers = if self.jumper.is_empty() { own } else { self.jumper };
        let jumps = jumps(movers, enemies, empty);
        if any(jumps) {
            (Choice::new(jumps), true)
        } else {
            (Choice::new(Lines::steps(own, empty)), false)
        }
    }

    /// Makes a move of `SIDE` and says whether the same man has to go on.
    #[inline(always)]
    fn play<const SIDE: usize>(&mut self, way: usize, jump: bool, to: Bits<1>) -> bool {
        let stride = Lines::stride(way);
        let before = to.shifted(-stride);
        self.jumper = Bits::EMPTY;
        if !jump {
            self.men[SIDE] ^= before | to;
            return false;
        }
        self.men[SIDE] ^= before.shifted(-stride) | to;
        self.men[1 - SIDE] ^= before;
        let empty = Board::BOARD.without(self.men[0] | self.men[1]);
        let goes_on = any(jumps(to, self.men[1 - SIDE], empty));
        if goes_on {
            self.jumper = to;
        }
        goes_on
    }

    /// The legal moves of the player to move.
    fn moves(&self) -> (Choice<8, 1>, bool) {
        if self.mover == 0 { self.choice::<0>() } else { self.choice::<1>() }
    }
}

impl Turns for State {
    /// One ply in most turns.
    #[inline(always)]
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        loop {
            let (choice, jump) = self.choice::<SIDE>();
            if choice.count() == 0 {
                return Some(over(*plies, Scores::win(Player(1 - SIDE as u8))));
            }
            if *plies == cap {
                return Some(capped(cap));
            }
            *plies += 1;
            let (way, to) = choice.nth(cpu, draw(rng, choice.count()));
            if !self.play::<SIDE>(way, jump, to) {
                return None;
            }
        }
    }
}

impl Rules for Alquerque {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<State> {
        let men = Board::drawn(rows, ['x', 'o'])?;
        (mover < 2).then_some(State { men, jumper: Bits::EMPTY, mover })
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        let (choice, jumps) = state.moves();
        if choice.count() == 0 {
            return Turn::Over;
        }
        legal.extend(choice.iter().map(|(way, to)| Action { way: way as u8, jumps, to: to as u8 }));
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, Action { way, jumps, to }: Action) {
        let (way, to) = (way.into(), Bits::single(to.into()));
        let goes_on = match state.mover {
            0 => state.play::<0>(way, jumps, to),
            _ => state.play::<1>(way, jumps, to),
        };
        if !goes_on {
            state.mover = 1 - state.mover;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::win(Player(1 - state.mover))
    }

    fn label(&self, _: &State, Action { way, jumps, to }: Action) -> String {
        let distance = Lines::stride(way.into()) * if jumps { 2 } else { 1 };
        Board::name((i32::from(to) - distance) as u32) + &Board::name(to.into())
    }

    fn picture(&self, state: &State) -> Picture {
        Board::sides(false, state.men).on_lines(on_alquerque)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(turns::play_on(state, state.mover, cpu, rng, cap))
    }
}

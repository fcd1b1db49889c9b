//! Fanorona on 9x5, capture by capture.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::alquerque_board::{AlquerqueBoard, opposite};
use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, Ranks};
use crate::pictures::on_alquerque;
use crate::rules::{Rules, capped, draw, over};
use crate::turns::{self, Turns};
use cpu::Cpu;

/// Fanorona in which each capture is a ply. A step captures the row of enemies that it approaches
/// or that it withdraws from; the same man may go on capturing, to points where he was not in this
/// turn. Who has no men left loses.
pub(crate) struct Fanorona;

type Board = Grid<Ranks, 1, 9, 5>;
type Lines = AlquerqueBoard<9, 5>;

/// Kinds of captures: approaches in eight directions, then withdrawals in them.
const CAPTURES: usize = 16;

/// The men, whoever moves, and where the man who may go on capturing is and has been.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: [Bits<1>; 2],
    /// Empty between turns.
    capturer: Bits<1>,
    /// Points of this turn.
    visited: Bits<1>,
    mover: u8,
}

const START: State = State {
    men: [
        Board::rank(0).or(Board::rank(1)).or(Board::named("b3 d3 g3 i3")),
        Board::rank(4).or(Board::rank(3)).or(Board::named("a3 c3 f3 h3")),
    ],
    capturer: Bits::EMPTY,
    visited: Bits::EMPTY,
    mover: 0,
};

/// The moves of a player, in the order in which they are numbered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// A step without capture, by its direction and the point that it leads to.
    Step(u8, u8),
    /// A capture, by its kind and the point that it leads to.
    Capture(u8, u8),
    /// No further capture in this turn.
    Stop,
}

/// The points that captures of each kind lead to.
#[inline(always)]
fn captures(men: Bits<1>, enemies: Bits<1>, free: Bits<1>) -> [Bits<1>; CAPTURES] {
    std::array::from_fn(|kind| {
        let way = kind % 8;
        if kind < 8 {
            Lines::step(men, way) & free & Lines::step(enemies, opposite(way))
        } else {
            Lines::step(men & Lines::step(enemies, way), way) & free
        }
    })
}

impl State {
    #[inline(always)]
    fn empty(&self) -> Bits<1> {
        Board::BOARD.without(self.men[0] | self.men[1])
    }

    /// The captures of `SIDE`, of one man alone if he is in the middle of them.
    #[inline(always)]
    fn captures<const SIDE: usize>(&self) -> Choice<CAPTURES, 1> {
        let men = if self.capturer.is_empty() { self.men[SIDE] } else { self.capturer };
        Choice::new(captures(men, self.men[1 - SIDE], self.empty().without(self.visited)))
    }

    #[inline(always)]
    fn steps<const SIDE: usize>(&self) -> Choice<8, 1> {
        Choice::new(Lines::steps(self.men[SIDE], self.empty()))
    }

    /// Makes a capture of `SIDE` and says whether the same man can go on.
    #[inline(always)]
    fn capture<const SIDE: usize>(&mut self, kind: usize, to: Bits<1>) -> bool {
        let way = kind % 8;
        let from = to.shifted(-Lines::stride(way));
        let (mut next, onward) = if kind < 8 { (to, way) } else { (from, opposite(way)) };
        loop {
            next = Lines::step(next, onward) & self.men[1 - SIDE];
            if next.is_empty() {
                break;
            }
            self.men[1 - SIDE] ^= next;
        }
        self.men[SIDE] ^= from | to;
        self.capturer = to;
        self.visited |= from | to;
        self.captures::<SIDE>().count() > 0
    }

    #[inline(always)]
    fn step<const SIDE: usize>(&mut self, way: usize, to: Bits<1>) {
        self.men[SIDE] ^= to | to.shifted(-Lines::stride(way));
    }

    /// Ends the captures of a turn.
    #[inline(always)]
    fn rest(&mut self) {
        self.capturer = Bits::EMPTY;
        self.visited = Bits::EMPTY;
    }

    /// True if a side has nothing to do at the beginning of its turn.
    #[inline(always)]
    fn is_stuck<const SIDE: usize>(&self) -> bool {
        // A man who can capture can step as well.
        self.steps::<SIDE>().count() == 0
    }

    /// True if a side that is stuck waits for one that is stuck as well.
    #[inline(always)]
    fn is_stuck_twice<const SIDE: usize>(&self) -> bool {
        if SIDE == 0 { self.is_stuck::<1>() } else { self.is_stuck::<0>() }
    }

    /// Hands on the turn, back to the same player if the other one is stuck.
    fn pass_on(&mut self) {
        self.rest();
        let stuck = if self.mover == 0 { self.is_stuck::<1>() } else { self.is_stuck::<0>() };
        if !stuck || self.men[usize::from(1 - self.mover)].is_empty() {
            self.mover = 1 - self.mover;
        }
    }

    fn moves<const SIDE: usize>(&self, legal: &mut Vec<Action>) {
        let captures = self.captures::<SIDE>();
        legal.extend(captures.iter().map(|(kind, to)| Action::Capture(kind as u8, to as u8)));
        if !self.capturer.is_empty() {
            legal.push(Action::Stop);
        } else if captures.count() == 0 {
            let steps = self.steps::<SIDE>();
            legal.extend(steps.iter().map(|(way, to)| Action::Step(way as u8, to as u8)));
        }
    }
}

impl Turns for State {
    #[inline(always)]
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        let mut captures = self.captures::<SIDE>();
        // The first capture of a turn is a must, each one after it a choice.
        let mut stops = u32::from(!self.capturer.is_empty());
        if captures.count() == 0 {
            let steps = self.steps::<SIDE>();
            if steps.count() == 0 {
                return self.is_stuck_twice::<SIDE>().then(|| over(*plies, Scores::DRAW));
            }
            if *plies == cap {
                return Some(capped(cap));
            }
            *plies += 1;
            let (way, to) = steps.nth(cpu, draw(rng, steps.count()));
            self.step::<SIDE>(way, to);
            return None;
        }
        loop {
            if *plies == cap {
                return Some(capped(cap));
            }
            *plies += 1;
            let n = draw(rng, captures.count() + stops);
            if n == captures.count() {
                break;
            }
            let (kind, to) = captures.nth(cpu, n);
            if !self.capture::<SIDE>(kind, to) {
                if self.men[1 - SIDE].is_empty() {
                    return Some(over(*plies, Scores::win(Player(SIDE as u8))));
                }
                break;
            }
            captures = self.captures::<SIDE>();
            stops = 1;
        }
        self.rest();
        None
    }
}

impl Rules for Fanorona {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<State> {
        let men = Board::drawn(rows, ['x', 'o'])?;
        (mover < 2).then_some(State { men, mover, ..START })
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        match state.mover {
            0 => state.moves::<0>(legal),
            _ => state.moves::<1>(legal),
        }
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(state.mover)) }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let goes_on = match (action, state.mover) {
            (Action::Capture(kind, to), 0) => {
                state.capture::<0>(kind.into(), Bits::single(to.into()))
            }
            (Action::Capture(kind, to), _) => {
                state.capture::<1>(kind.into(), Bits::single(to.into()))
            }
            (Action::Step(way, to), 0) => {
                state.step::<0>(way.into(), Bits::single(to.into()));
                false
            }
            (Action::Step(way, to), _) => {
                state.step::<1>(way.into(), Bits::single(to.into()));
                false
            }
            (Action::Stop, _) => false,
        };
        if !goes_on {
            state.pass_on();
        }
    }

    fn scores(&self, state: &State) -> Scores {
        if state.men[usize::from(state.mover)].is_empty() {
            Scores::win(Player(1 - state.mover))
        } else {
            Scores::DRAW
        }
    }

    /// A withdrawal is told from an approach between the same points where both are possible.
    fn label(&self, state: &State, action: Action) -> String {
        let squares = |way: usize, to: u8| {
            let from = i32::from(to) - Lines::stride(way);
            Board::name(from as u32) + &Board::name(to.into())
        };
        match action {
            Action::Step(way, to) => squares(way.into(), to),
            Action::Capture(kind, to) if kind < 8 => squares(kind.into(), to),
            Action::Capture(kind, to) => {
                let mut legal = Vec::new();
                self.expand(state, &mut legal);
                let is_one_of_two = legal.contains(&Action::Capture(kind - 8, to));
                squares(usize::from(kind) - 8, to) + if is_one_of_two { "-" } else { "" }
            }
            Action::Stop => play::PASS.to_owned(),
        }
    }

    fn picture(&self, state: &State) -> Picture {
        Board::sides(false, state.men).on_lines(on_alquerque)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        let mover = usize::from(state.mover);
        if state.men[mover].is_empty() {
            return Some(over(0, Scores::win(Player(1 - state.mover))));
        }
        Some(turns::play_on(state, state.mover, cpu, rng, cap))
    }
}

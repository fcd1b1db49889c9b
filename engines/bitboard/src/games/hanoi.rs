//! Towers of Hanoi.

use play::picture::{Cell, Outline, Picture, Piece};
use play::{End, Method, Player, Rng, Scores, Turn};

use crate::rules::{Rules, below, capped, over};
use cpu::Cpu;

/// Three pegs and `DISCS` discs, all on the first peg; solved (100) when all are on the last, lost
/// (0) after `MOVES` plies. There are few positions, so each has its moves in a table.
pub(crate) struct Hanoi<const DISCS: u32, const MOVES: u32> {
    table: Box<[Moves; POSITIONS]>,
}

/// The peg of each disc in two bits, the smallest disc in the lowest.
type Position = u16;

/// Room for five discs.
const POSITIONS: usize = 1 << 10;

/// The legal moves of a position.
#[derive(Clone, Copy, Default)]
struct Moves {
    count: u8,
    /// From which peg to which, in ascending order.
    pegs: [(u8, u8); 3],
    /// The position that each leads to.
    next: [Position; 3],
}

/// The position of the discs, and the plies so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    position: Position,
    plies: u32,
}

fn peg(position: Position, disc: u32) -> u8 {
    (position >> (2 * disc)) as u8 & 3
}

impl<const DISCS: u32, const MOVES: u32> Hanoi<DISCS, MOVES> {
    /// All discs on the last peg.
    const SOLVED: Position = (2 * ((1 << (2 * DISCS)) - 1) / 3) as Position;

    /// Fills in the table.
    pub(crate) fn new() -> Self {
        const { assert!(1 << (2 * DISCS) <= POSITIONS) };
        Hanoi { table: Box::new(std::array::from_fn(|position| Self::moves(position as Position))) }
    }

    fn top(position: Position, on: u8) -> Option<u32> {
        (0..DISCS).find(|&disc| peg(position, disc) == on)
    }

    fn moves(position: Position) -> Moves {
        let mut moves = Moves::default();
        for (from, to) in (0..3).flat_map(|from| (0..3).map(move |to| (from, to))) {
            let Some(disc) = Self::top(position, from) else { continue };
            if from == to || Self::top(position, to).is_some_and(|other| other < disc) {
                continue;
            }
            let toggled = Position::from(from ^ to) << (2 * disc);
            moves.pegs[usize::from(moves.count)] = (from, to);
            moves.next[usize::from(moves.count)] = position ^ toggled;
            moves.count += 1;
        }
        moves
    }

    #[inline(always)]
    fn at(&self, position: Position) -> &Moves {
        &self.table[usize::from(position) % POSITIONS]
    }
}

impl<const DISCS: u32, const MOVES: u32> Rules for Hanoi<DISCS, MOVES> {
    type State = State;
    /// The number of the move in the table.
    type Action = usize;

    const PLAYERS: u8 = 1;

    /// All positions are in the table before the first playout.
    const METHOD: Method = Method::Tabled;

    fn start(&self) -> State {
        State { position: 0, plies: 0 }
    }

    fn expand(&self, state: &State, legal: &mut Vec<usize>) -> Turn {
        if state.position == Self::SOLVED || state.plies == MOVES {
            return Turn::Over;
        }
        legal.extend(0..usize::from(self.at(state.position).count));
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, number: usize) {
        state.position = self.at(state.position).next[number];
        state.plies += 1;
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::single(if state.position == Self::SOLVED { 100 } else { 0 })
    }

    fn label(&self, state: &State, number: usize) -> String {
        let (from, to) = self.at(state.position).pegs[number];
        [from, to].map(|peg| format!("{}1", char::from(b'a' + peg))).concat()
    }

    fn draw(&self, state: &State) -> String {
        let mut text = String::new();
        for on in 0..3 {
            text.push(char::from(b'a' + on));
            text += "1:";
            for disc in (0..DISCS).rev().filter(|&disc| peg(state.position, disc) == on) {
                text.push(' ');
                text += &(disc + 1).to_string();
            }
            text.push('\n');
        }
        format!("{text}{} of {MOVES} moves\n", state.plies)
    }

    fn picture(&self, state: &State) -> Picture {
        let on = |on: u8| {
            let name = format!("{}1", char::from(b'a' + on));
            let mut cell = Cell::new(name, [f32::from(on), 0.0], Outline::Square);
            let discs = (0..DISCS).rev().filter(|&disc| peg(state.position, disc) == on);
            cell.pieces = discs.map(|disc| Piece::of(0, (disc + 1).to_string())).collect();
            cell
        };
        Picture { cells: (0..3).map(on).collect(), ..Picture::default() }
            .with_notes(&format!("{} of {MOVES} moves", state.plies))
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, _: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.position == Self::SOLVED {
            return Some(over(0, Scores::single(100)));
        }
        Some(self.wander(state, rng, cap))
    }
}

impl<const DISCS: u32, const MOVES: u32> Hanoi<DISCS, MOVES> {
    /// Moves random discs until all are there, or no moves are left.
    #[inline(always)]
    fn wander(&self, state: State, rng: &mut Rng, cap: u32) -> End {
        let State { mut position, plies: before } = state;
        let left = MOVES - before.min(MOVES);
        let mut plies = 0;
        while plies < left {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let moves = self.at(position);
            position = moves.next[below(rng, u32::from(moves.count), 3) as usize % 3];
            if position == Self::SOLVED {
                return over(plies, Scores::single(100));
            }
        }
        over(plies, Scores::single(0))
    }
}

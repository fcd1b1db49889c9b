//! Hnefatafl on 11x11 by the common rules of Fetlar.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, Ranks};
use crate::pictures::kinds;
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Attackers against a king with his men, all of whom move like rooks. Men are taken between two
/// enemies; the king is caught when all his neighbours are attackers, and wins in a corner.
pub(crate) struct Hnefatafl;

/// Files and ranks.
const N: u32 = 11;

type Board = Grid<Ranks, 2, N, N>;

const CORNERS: Bits<2> = Board::named("a1 k1 a11 k11");

/// Squares that only the king goes onto or across, and that stand by everybody in captures.
const MARKED: Bits<2> = CORNERS.or(Board::named("f6"));

/// The board, whoever moves, and whether the king is caught.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The attackers' and the defenders' men.
    men: [Bits<2>; 2],
    king: Bits<2>,
    mover: u8,
    caught: bool,
}

const START: State = State {
    men: [
        Board::named(
            "d1 e1 f1 g1 h1 f2 a4 a5 a6 a7 a8 b6 k4 k5 k6 k7 k8 j6 d11 e11 f11 g11 h11 f10",
        ),
        Board::named("f4 e5 f5 g5 d6 e6 g6 h6 e7 f7 g7 f8"),
    ],
    king: Board::named("f6"),
    mover: 0,
    caught: false,
};

/// The kinds of moves: men up, right, down and left, then the king likewise.
const KINDS: usize = 8;

/// The kind of the move and the square that it leads to; `PASS` instead where there is none.
type Action = (u8, u8);

const PASS: Action = (KINDS as u8, 0);

/// For each direction the squares that a piece may have come from.
static BEHIND: [[Bits<2>; 128]; 4] =
    [Board::rays(0, -1), Board::rays(-1, 0), Board::rays(0, 1), Board::rays(1, 0)];

/// The squares that rooks on `from` get to over `free` squares in one direction: a fill by doubling
/// (Kogge and Stone 1973).
#[inline(always)]
fn slide<const DF: i32, const DR: i32>(from: Bits<2>, free: Bits<2>) -> Bits<2> {
    let stride = const { Board::stride(DF, DR) };
    let mut reached = from;
    let mut open = free & const { Board::staying(-DF, -DR) };
    // Not a loop, so that every shift is by a constant.
    reached |= open & reached.shifted(stride);
    open &= open.shifted(stride);
    reached |= open & reached.shifted(stride * 2);
    open &= open.shifted(stride * 2);
    reached |= open & reached.shifted(stride * 4);
    open &= open.shifted(stride * 4);
    reached |= open & reached.shifted(stride * 8);
    reached.without(from)
}

#[inline(always)]
fn slides(from: Bits<2>, free: Bits<2>) -> [Bits<2>; 4] {
    [
        slide::<0, 1>(from, free),
        slide::<1, 0>(from, free),
        slide::<0, -1>(from, free),
        slide::<-1, 0>(from, free),
    ]
}

/// The orthogonal neighbours of squares, each direction for itself.
#[inline(always)]
fn steps(set: Bits<2>) -> [Bits<2>; 4] {
    [
        Board::step::<0, 1>(set),
        Board::step::<1, 0>(set),
        Board::step::<0, -1>(set),
        Board::step::<-1, 0>(set),
    ]
}

impl State {
    /// The moves of `SIDE`.
    #[inline(always)]
    fn choice<const SIDE: usize>(&self) -> Choice<KINDS, 2> {
        let empty = Board::BOARD.without(self.men[0] | self.men[1] | self.king);
        let [up, right, down, left] = slides(self.men[SIDE], empty.without(MARKED));
        let king = if SIDE == 0 { [Bits::EMPTY; 4] } else { slides(self.king, empty) };
        Choice::new([up, right, down, left, king[0], king[1], king[2], king[3]])
    }

    /// The square that a move leads from.
    #[inline(always)]
    fn origin<const SIDE: usize>(&self, kind: usize, to: u32) -> Bits<2> {
        if kind >= 4 {
            return self.king;
        }
        let line = BEHIND[kind % 4][to as usize % 128] & self.men[SIDE];
        // The nearest is the last where the move goes towards higher numbers.
        Bits::of_index(if kind < 2 { line.last_index() } else { line.first_index() })
    }

    /// Makes a move of `SIDE`, captures included.
    #[inline(always)]
    fn play<const SIDE: usize>(&mut self, kind: usize, to: Bits<2>) {
        let from = self.origin::<SIDE>(kind, to.first_index() as u32);
        if SIDE == 1 && kind >= 4 {
            self.king = to;
        } else {
            self.men[SIDE] ^= from | to;
        }
        let own = if SIDE == 0 { self.men[0] } else { self.men[1] | self.king };
        let beside = steps(to);
        // What stands beside a friend in each direction, so that the friend is behind it.
        let [above, right, below, left] = steps(own | MARKED);
        let taken = beside[0] & below | beside[1] & left | beside[2] & above | beside[3] & right;
        self.men[1 - SIDE] = self.men[1 - SIDE].without(taken);
        if SIDE == 0 {
            let [a, b, c, d] = steps(self.king);
            let around = a | b | c | d;
            self.caught = to.intersects(around) && around.without(own | MARKED).is_empty();
        }
    }

    /// Whoever has won.
    fn winner(&self) -> Option<Player> {
        match (self.caught, self.king.intersects(CORNERS)) {
            (true, _) => Some(Player(0)),
            (_, true) => Some(Player(1)),
            _ => None,
        }
    }
}

impl Rules for Hnefatafl {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<State> {
        let [attackers, defenders, king] = Board::drawn(rows, ['x', 'o', 'K'])?;
        let men = [attackers, defenders];
        (mover < 2 && king.len() == 1).then_some(State { men, king, mover, caught: false })
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if state.winner().is_some() {
            return Turn::Over;
        }
        let [mut own, mut other] = [state.choice::<0>(), state.choice::<1>()];
        if state.mover == 1 {
            std::mem::swap(&mut own, &mut other);
        }
        if own.count() + other.count() == 0 {
            return Turn::Over;
        }
        legal.extend(own.iter().map(|(kind, to)| (kind as u8, to as u8)));
        if legal.is_empty() {
            legal.push(PASS);
        }
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, action: Action) {
        if action != PASS {
            let (kind, to) = (action.0.into(), Bits::single(action.1.into()));
            match state.mover {
                0 => state.play::<0>(kind, to),
                _ => state.play::<1>(kind, to),
            }
        }
        state.mover = 1 - state.mover;
    }

    fn scores(&self, state: &State) -> Scores {
        state.winner().map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, state: &State, action: Action) -> String {
        if action == PASS {
            return "pass".to_owned();
        }
        let (kind, to) = (action.0.into(), action.1.into());
        let from = match state.mover {
            0 => state.origin::<0>(kind, to),
            _ => state.origin::<1>(kind, to),
        };
        Board::name(from.first_index() as u32) + &Board::name(to)
    }

    fn is_pass(&self, action: Action) -> bool {
        action == PASS
    }

    fn picture(&self, state: &State) -> Picture {
        Board::picture(false, |square| match state.men.map(|men| men.contains(square)) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ if state.king.contains(square) => 'K',
            _ if MARKED.contains(square) => '+',
            _ => '.',
        })
        .with_signs(kinds(&[('K', Some(1), "king")]))
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if let Some(winner) = state.winner() {
            return Some(over(0, Scores::win(winner)));
        }
        Some(state.play_on(cpu, rng, cap))
    }
}

impl State {
    /// Plays random plies to the end, from a state that nobody has won.
    #[inline(always)]
    fn play_on<C: Cpu>(self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let mut state = self;
        let mut waits = self.mover == 1;
        let mut plies = 0;
        loop {
            let attack = state.choice::<0>();
            // The attackers wait where the defenders begin.
            if !std::mem::take(&mut waits) && attack.count() > 0 {
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                let (kind, to) = attack.nth(cpu, draw(rng, attack.count()));
                state.play::<0>(kind, to);
                if state.caught {
                    return over(plies, Scores::FIRST);
                }
            }
            let defence = state.choice::<1>();
            if defence.count() > 0 {
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                let (kind, to) = defence.nth(cpu, draw(rng, defence.count()));
                state.play::<1>(kind, to);
                if state.king.intersects(CORNERS) {
                    return over(plies, Scores::SECOND);
                }
            } else if state.choice::<0>().count() == 0 {
                return over(plies, Scores::DRAW);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_reach_what_walks_do() {
        let mut rng = Rng::stream(11, 3);
        for _ in 0..100 {
            let mut set = || Bits::from_words([rng.next_u64() & rng.next_u64(), rng.next_u64()]);
            let taken = set() & set() & Board::BOARD;
            let from = taken & set();
            let free = Board::BOARD.without(taken);
            let filled = slides(from, free);
            for (d, (files, ranks)) in [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().enumerate() {
                let stride = Board::stride(files, ranks);
                let staying = Board::staying(files, ranks);
                let mut walked = Bits::EMPTY;
                for mut square in from {
                    while staying.contains(square) {
                        square = square.wrapping_add_signed(stride);
                        if !free.contains(square) {
                            break;
                        }
                        walked |= Bits::single(square);
                    }
                }
                assert_eq!(filled[d], walked, "{from:?} {free:?} {files} {ranks}");
            }
        }
    }
}

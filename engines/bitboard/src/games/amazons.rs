//! Amazons on 10x10, a turn in two plies.

use play::picture::Picture;
use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::grid::{Grid, Ranks};
use crate::lines::{Lines, Reach, Square};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Amazons: a queen moves, then shoots an arrow, which blocks its square for good. A player who has
/// no queen move at the start of a turn loses.
pub(crate) struct Amazons;

type Board = Grid<Ranks, 2, 10, 10>;

/// Queens of a side.
const QUEENS: usize = 4;

/// The queens and what is occupied, who moves, and which queen is to shoot.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    lines: Lines<10, 58>,
    queens: [[Square; QUEENS]; 2],
    mover: u8,
    shooter: Option<u8>,
}

/// The move of the mover's queen: its number, direction and number of steps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    queen: u8,
    direction: u8,
    steps: u8,
}

const START: State = {
    let queens = [
        [Square::at(0, 3), Square::at(3, 0), Square::at(6, 0), Square::at(9, 3)],
        [Square::at(0, 6), Square::at(3, 9), Square::at(6, 9), Square::at(9, 6)],
    ];
    let (mut lines, mut i) = (Lines::FREE, 0);
    while i < 2 * QUEENS {
        lines = lines.toggled(queens[i / QUEENS][i % QUEENS]);
        i += 1;
    }
    State { lines, queens, mover: 0, shooter: None }
};

impl State {
    /// The squares that an action of a queen leads from and to.
    fn squares(&self, action: Action) -> [Square; 2] {
        let from = self.queens[usize::from(self.mover)][usize::from(action.queen)];
        [from, from.onward(usize::from(action.direction), u32::from(action.steps))]
    }
}

impl Rules for Amazons {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    /// Each side has four queens.
    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<State> {
        let sets = Board::drawn(rows, ['x', 'o', '#'])?;
        let mut lines = Lines::FREE;
        let mut squares = sets.map(|set| -> Vec<Square> {
            let square = |square| Board::place(square);
            set.iter().map(square).map(|(file, rank)| Square::at(file, rank)).collect()
        });
        squares.iter().flatten().for_each(|&square| lines.toggle(square));
        let [first, second, _] = &mut squares;
        let queens = [first.as_slice().try_into().ok()?, second.as_slice().try_into().ok()?];
        (mover < 2).then_some(State { lines, queens, mover, shooter: None })
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        for (queen, &square) in (0..).zip(&state.queens[usize::from(state.mover)]) {
            if state.shooter.is_none_or(|shooter| shooter == queen) {
                let reach = state.lines.reach(square);
                legal.extend((0..reach.count()).map(|k| {
                    let (direction, steps) = reach.nth(k);
                    Action { queen, direction: direction as u8, steps: steps as u8 }
                }));
            }
        }
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(state.mover)) }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let [from, to] = state.squares(action);
        state.lines.toggle(to);
        if state.shooter.take().is_none() {
            state.lines.toggle(from);
            state.queens[usize::from(state.mover)][usize::from(action.queen)] = to;
            state.shooter = Some(action.queen);
        } else {
            state.mover = 1 - state.mover;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::win(Player(1 - state.mover))
    }

    fn label(&self, state: &State, action: Action) -> String {
        let [from, to] = state.squares(action).map(|square| {
            let (file, rank) = square.place();
            Board::name(Board::at(file, rank))
        });
        if state.shooter.is_none() { from + &to } else { to }
    }

    fn picture(&self, state: &State) -> Picture {
        Board::picture(false, |square| {
            let (file, rank) = Board::place(square);
            let square = Square::at(file, rank);
            match state.queens.map(|queens| queens.contains(&square)) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ if state.lines.occupied(square) => '#',
                _ => '.',
            }
        })
        .with_men("queen")
    }

    fn encoding(&self) -> Option<Encoding> {
        // Moves, then shots.
        let mut encoding = Encoding::moves(Board::names(), &["x", "o", "#"]);
        encoding.actions.extend(Board::names());
        Some(encoding)
    }

    #[inline]
    fn code(&self, state: &State, action: Action) -> u32 {
        let [from, to] = state.squares(action).map(|square| {
            let (file, rank) = square.place();
            Board::at(file, rank)
        });
        let shot = state.shooter.is_some();
        if shot { Board::SQUARES * Board::SQUARES + to } else { from * Board::SQUARES + to }
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        planes.fill(0);
        let mut mark = |plane: u32, square: Square| {
            let (file, rank) = square.place();
            planes[(plane * Board::SQUARES + Board::at(file, rank)) as usize] = 1;
        };
        for square in (0..Board::SQUARES).map(Board::place).map(|(f, r)| Square::at(f, r)) {
            if state.lines.occupied(square) {
                match state.queens.map(|queens| queens.contains(&square)) {
                    [true, _] => mark(0, square),
                    [_, true] => mark(1, square),
                    _ => mark(2, square),
                }
            }
        }
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, _: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(state.play_on(rng, cap))
    }
}

impl State {
    /// Plays random plies until somebody cannot move.
    #[inline(always)]
    fn play_on(self, rng: &mut Rng, cap: u32) -> End {
        let State { mut lines, mut queens, mut mover, shooter } = self;
        let mut plies = 0;
        if let Some(queen) = shooter {
            if cap == 0 {
                return capped(cap);
            }
            plies = 1;
            let from = queens[usize::from(mover)][usize::from(queen)];
            let reach = lines.reach(from);
            let (direction, steps) = reach.nth(draw(rng, reach.count()));
            lines.toggle(from.onward(direction, steps));
            mover = 1 - mover;
        }
        let mut waits = mover == 1;
        loop {
            for (mover, own) in queens.iter_mut().enumerate() {
                // The first player, where the second begins.
                if std::mem::take(&mut waits) {
                    continue;
                }
                let reach = own.map(|queen| lines.reach(queen));
                let total = reach.iter().map(|r| r.count()).sum();
                if total == 0 {
                    let winner = Player(1 - mover as u8);
                    return over(plies, Scores::win(winner));
                }
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                let (queen, direction, steps) = nth(reach, draw(rng, total));
                let from = own[queen % QUEENS];
                let to = from.onward(direction, steps);
                own[queen % QUEENS] = to;
                lines.toggle(from);
                lines.toggle(to);
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                let reach = lines.reach(to);
                let (direction, steps) = reach.nth(draw(rng, reach.count()));
                lines.toggle(to.onward(direction, steps));
            }
        }
    }
}

/// The `k`-th move of four queens: whose, in which direction, how far.
#[inline(always)]
fn nth(reach: [Reach; QUEENS], k: u32) -> (usize, usize, u32) {
    let (mut queen, mut rest, mut before) = (0, k, 0);
    let mut chosen = reach[0];
    for next in 1..QUEENS {
        before += reach[next - 1].count();
        if k >= before {
            (queen, chosen, rest) = (next, reach[next], k - before);
        }
    }
    let (direction, steps) = chosen.nth(rest);
    (queen, direction, steps)
}

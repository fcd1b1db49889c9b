//! Dara on 6x5.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, GuardedRanks};
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use crate::turns::{self, Turns};
use cpu::Cpu;

/// Twelve men each are put on the board, then step orthogonally. Three in a row made by a step take
/// an enemy who stands in no such row; four in a row must not be made. Who has two men left loses.
pub(crate) struct Dara;

/// The guard keeps rows from going round the edge, and steps from doing so.
type Board = Grid<GuardedRanks, 1, 6, 5>;

/// Men of each player.
const MEN: u8 = 12;

/// From a square to its right and its upper neighbour.
const STRIDES: [u32; 2] = [Board::FILE_STEP, Board::RANK_STEP];

/// Enough squares in a row to take an enemy, and too many.
const ROW: usize = 3;

/// The board, the men in hand, and what is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: [Bits<1>; 2],
    in_hand: [u8; 2],
    mover: u8,
    /// True if the mover has to take an enemy.
    takes: bool,
}

const START: State = State { men: [Bits::EMPTY; 2], in_hand: [MEN; 2], mover: 0, takes: false };

/// The moves of a player.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Puts a man on a square.
    Put(u8),
    /// Steps right, left, up or down to a square.
    Step(u8, u8),
    /// Takes the enemy from a square.
    Take(u8),
}

/// Squares before which men stand in a row along a stride, by the number of men: at least one, two
/// and three, in front of them and behind them.
#[inline(always)]
fn runs(men: Bits<1>, stride: u32) -> [[Bits<1>; ROW]; 2] {
    let (one, other) = (men.down(stride), men.up(stride));
    let (two, second) = (one & men.down(2 * stride), other & men.up(2 * stride));
    [[one, two, two & men.down(3 * stride)], [other, second, second & men.up(3 * stride)]]
}

/// The squares on which a man would stand in a row of more than three along a stride.
#[inline(always)]
fn crowded([front, behind]: [[Bits<1>; ROW]; 2]) -> Bits<1> {
    front[2] | behind[2] | front[1] & behind[0] | front[0] & behind[1]
}

/// The men who stand in rows of three.
#[inline(always)]
fn in_rows(men: Bits<1>) -> Bits<1> {
    STRIDES.into_iter().fold(Bits::EMPTY, |all, stride| {
        let last = men & men.down(stride) & men.down(2 * stride);
        all | last | last.up(stride) | last.up(2 * stride)
    })
}

/// The squares on which men may be put.
#[inline(always)]
fn free(men: Bits<1>, enemies: Bits<1>) -> Bits<1> {
    let crowded = STRIDES.map(|stride| crowded(runs(men, stride)));
    Board::BOARD.without(men | enemies | crowded[0] | crowded[1])
}

/// The squares that steps to the right, left, up and down lead to. A row of four along the way of a
/// step can only be made of men in front of it, since behind it is the square that was left.
#[inline(always)]
fn steps(men: Bits<1>, enemies: Bits<1>) -> Choice<4, 1> {
    let empty = Board::BOARD.without(men | enemies);
    let [along, across] = STRIDES.map(|stride| runs(men, stride));
    let crowded = [along, across].map(crowded);
    Choice::new([
        men.up(STRIDES[0]) & empty.without(along[0][2] | crowded[1]),
        men.down(STRIDES[0]) & empty.without(along[1][2] | crowded[1]),
        men.up(STRIDES[1]) & empty.without(across[0][2] | crowded[0]),
        men.down(STRIDES[1]) & empty.without(across[1][2] | crowded[0]),
    ])
}

/// The square that a step to a square comes from.
#[inline(always)]
fn origin(way: usize, to: Bits<1>) -> Bits<1> {
    let stride = if way < 2 { STRIDES[0] } else { STRIDES[1] };
    if way.is_multiple_of(2) { to.down(stride) } else { to.up(stride) }
}

impl State {
    /// True if everything is put, so that men step.
    #[inline(always)]
    fn is_put(&self) -> bool {
        self.in_hand[1] == 0
    }

    /// The number of actions of a side at the beginning of its turn.
    #[inline(always)]
    fn moves<const SIDE: usize>(&self) -> u32 {
        let (own, enemies) = (self.men[SIDE], self.men[1 - SIDE]);
        if self.is_put() {
            steps(own, enemies).count()
        } else if self.in_hand[SIDE] > 0 {
            free(own, enemies).len()
        } else {
            0
        }
    }

    /// True if a side has nothing to do at the beginning of its turn.
    fn is_stuck(&self, side: u8) -> bool {
        (if side == 0 { self.moves::<0>() } else { self.moves::<1>() }) == 0
    }

    /// True if a side has two men left. A man who could not be put is out of the game.
    #[inline(always)]
    fn is_beaten(&self, side: usize) -> bool {
        self.is_put() && self.men[side].len() == 2
    }

    /// Whoever has taken all men but two of the other one.
    fn winner(&self) -> Option<Player> {
        (0..2).find(|&side| self.is_beaten(1 - side)).map(|side| Player(side as u8))
    }

    /// Makes a step of `SIDE`; the enemies of whom it takes one.
    #[inline(always)]
    fn step<const SIDE: usize>(&mut self, way: usize, to: Bits<1>) -> Bits<1> {
        self.men[SIDE] ^= to | origin(way, to);
        if in_rows(self.men[SIDE]).intersects(to) { self.prey::<SIDE>() } else { Bits::EMPTY }
    }

    /// The enemies that `SIDE` may take: those in no row.
    #[inline(always)]
    fn prey<const SIDE: usize>(&self) -> Bits<1> {
        self.men[1 - SIDE].without(in_rows(self.men[1 - SIDE]))
    }

    /// Takes a random enemy of `SIDE`; the end of the game, if this is it.
    #[inline(always)]
    fn take<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        if *plies == cap {
            return Some(capped(cap));
        }
        *plies += 1;
        let prey = self.prey::<SIDE>();
        self.men[1 - SIDE] ^= prey.select_bit(cpu, draw(rng, prey.len()));
        self.is_beaten(1 - SIDE).then(|| over(*plies, Scores::win(Player(SIDE as u8))))
    }

    /// The end of a game in which nobody can do anything, if the other side cannot, either.
    #[cold]
    fn stuck_twice<const SIDE: usize>(&self, plies: u32) -> Option<End> {
        self.is_stuck(1 - SIDE as u8).then(|| over(plies, Scores::DRAW))
    }
}

impl Turns for State {
    /// One ply, or two where it takes an enemy.
    #[inline(always)]
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        let (own, enemies) = (self.men[SIDE], self.men[1 - SIDE]);
        if self.takes {
            self.takes = false;
            return self.take::<SIDE, C>(cpu, rng, plies, cap);
        }
        if !self.is_put() {
            let free = if self.in_hand[SIDE] > 0 { free(own, enemies) } else { Bits::EMPTY };
            if free.is_empty() {
                return self.stuck_twice::<SIDE>(*plies);
            }
            if *plies == cap {
                return Some(capped(cap));
            }
            *plies += 1;
            self.men[SIDE] |= free.select_bit(cpu, draw(rng, free.len()));
            self.in_hand[SIDE] -= 1;
            return None;
        }
        let steps = steps(own, enemies);
        if steps.count() == 0 {
            return self.stuck_twice::<SIDE>(*plies);
        }
        if *plies == cap {
            return Some(capped(cap));
        }
        *plies += 1;
        let (way, to) = steps.nth(cpu, draw(rng, steps.count()));
        if self.step::<SIDE>(way, to).is_empty() {
            return None;
        }
        self.take::<SIDE, C>(cpu, rng, plies, cap)
    }
}

impl Rules for Dara {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    /// Before all men are put, none has been taken.
    fn placed(&self, rows: &str, mover: u8, count: u32) -> Option<State> {
        let men = Board::drawn(rows, ['x', 'o'])?;
        let left = |men: Bits<1>| (men.len() as u8 <= MEN).then(|| MEN - men.len() as u8);
        let in_hand = match count {
            _ if count >= 2 * u32::from(MEN) => [0; 2],
            _ => [left(men[0])?, left(men[1])?],
        };
        (mover < 2).then_some(State { men, in_hand, mover, takes: false })
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if state.winner().is_some() {
            return Turn::Over;
        }
        let mover = usize::from(state.mover);
        let (own, enemies) = (state.men[mover], state.men[1 - mover]);
        if state.takes {
            let prey = enemies.without(in_rows(enemies));
            legal.extend(prey.iter().map(|at| Action::Take(at as u8)));
        } else if state.is_put() {
            let steps = steps(own, enemies);
            legal.extend(steps.iter().map(|(way, to)| Action::Step(way as u8, to as u8)));
        } else if state.in_hand[mover] > 0 {
            legal.extend(free(own, enemies).iter().map(|to| Action::Put(to as u8)));
        }
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(state.mover)) }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let mover = usize::from(state.mover);
        state.takes = false;
        match action {
            Action::Put(to) => {
                state.men[mover] |= Bits::single(to.into());
                state.in_hand[mover] -= 1;
            }
            Action::Take(at) => state.men[1 - mover] ^= Bits::single(at.into()),
            Action::Step(way, to) => {
                let (way, to) = (way.into(), Bits::single(to.into()));
                let prey = match mover {
                    0 => state.step::<0>(way, to),
                    _ => state.step::<1>(way, to),
                };
                state.takes = !prey.is_empty();
            }
        }
        // A player who is stuck waits.
        if !state.takes && !state.is_stuck(1 - state.mover) {
            state.mover = 1 - state.mover;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        state.winner().map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, _: &State, action: Action) -> String {
        match action {
            Action::Put(at) | Action::Take(at) => Board::name(at.into()),
            Action::Step(way, to) => {
                let from = origin(way.into(), Bits::single(to.into())).first_index() as u32;
                Board::name(from) + &Board::name(to.into())
            }
        }
    }

    fn picture(&self, state: &State) -> Picture {
        let put: u8 = state.in_hand.iter().map(|in_hand| MEN - in_hand).sum();
        Board::sides(false, state.men).with_notes(&format!("{put} of {} men put\n", 2 * MEN))
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if let Some(winner) = state.winner() {
            return Some(over(0, Scores::win(winner)));
        }
        Some(turns::play_on(state, state.mover, cpu, rng, cap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of the row of a man along a direction, by walking.
    fn row(men: Bits<1>, square: u32, (files, ranks): (i32, i32)) -> u32 {
        let walk = |sign: i32| {
            let ray = |n: i32| {
                let (file, rank) = Board::place(square);
                let (file, rank) = (file as i32 + sign * n * files, rank as i32 + sign * n * ranks);
                (0..6).contains(&file)
                    && (0..5).contains(&rank)
                    && men.contains(Board::at(file as u32, rank as u32))
            };
            (1..6).take_while(|&n| ray(n)).count() as u32
        };
        1 + walk(1) + walk(-1)
    }

    fn longest(men: Bits<1>, square: u32) -> u32 {
        row(men, square, (1, 0)).max(row(men, square, (0, 1)))
    }

    #[test]
    fn rows_are_those_of_a_walk() {
        let mut rng = Rng::stream(6, 1);
        for _ in 0..2000 {
            let mut word = || Bits::from_words([rng.next_u64()]) & Board::BOARD;
            let (men, mut enemies) = (word() & word(), word() & word());
            enemies = enemies.without(men);
            let rows = in_rows(men);
            for square in Board::BOARD {
                let one = Bits::single(square);
                assert_eq!(
                    rows.contains(square),
                    men.contains(square) && longest(men, square) >= 3
                );
                let empty = !(men | enemies).contains(square);
                let fits = empty && longest(men | one, square) <= 3;
                assert_eq!(free(men, enemies).contains(square), fits);
            }
            for (way, to) in steps(men, enemies).iter() {
                let after = men ^ origin(way, Bits::single(to)) | Bits::single(to);
                assert!(longest(after, to) <= 3);
            }
            let all = Board::BOARD.iter().flat_map(|to| (0..4).map(move |way| (way, to)));
            let expected = all.filter(|&(way, to)| {
                let (one, from) = (Bits::single(to), origin(way, Bits::single(to)));
                men.intersects(from)
                    && !(men | enemies).intersects(one)
                    && longest(men ^ from | one, to) <= 3
            });
            assert_eq!(steps(men, enemies).count() as usize, expected.count());
        }
    }
}

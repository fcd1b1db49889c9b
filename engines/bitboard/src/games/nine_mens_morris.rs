//! Nine Men's Morris.

use play::picture::{Cell, Picture};
use play::{End, Job, Player, Rng, Scores, Turn};

use crate::grid::{Grid, Ranks};
use crate::interleaved::Resumable;
use crate::rules::{Results, Rules, capped, draw, over};
use cpu::Cpu;

/// Nine men each are put on the 24 points of three squares, then step along the lines, and fly with
/// three left. A row of three takes an enemy, which is a ply of its own.
pub(crate) struct NineMensMorris;

/// Points by square from the outermost, eight bits each: from the corner at the bottom left on
/// clockwise, so that corners have even numbers and a step along a square is a rotation of eight
/// bits.
type Points = u32;

/// All points.
const ALL: Points = 0x00ff_ffff;

/// The points in the middle of a side, from which lines lead to the other squares.
const MIDDLES: Points = 0x00aa_aaaa;

/// Men of each player.
const MEN: u8 = 9;

/// Points of which one is the neighbour of the other clockwise.
#[inline(always)]
const fn clockwise(points: Points) -> Points {
    points << 1 & 0x00fe_fefe | points >> 7 & 0x0001_0101
}

/// The other way round.
#[inline(always)]
const fn back(points: Points) -> Points {
    points >> 1 & 0x007f_7f7f | points << 7 & 0x0080_8080
}

/// The points that stand in a row of three of the same set.
#[inline(always)]
fn in_rows(men: Points) -> Points {
    let sides = men & clockwise(men) & back(men) & MIDDLES;
    let spokes = men & men >> 8 & men >> 16 & MIDDLES;
    sides | clockwise(sides) | back(sides) | spokes | spokes << 8 | spokes << 16
}

/// The two rows that a point belongs to.
const ROWS: [[Points; 2]; 32] = {
    let (mut rows, mut point) = ([[ALL; 2]; 32], 0);
    while point < 24 {
        let one = 1 << point;
        let beside = clockwise(one) | back(one);
        rows[point] = if one & MIDDLES != 0 {
            [one | beside, 0x0001_0101 << (point % 8)]
        } else {
            let (next, previous) = (clockwise(one), back(one));
            [one | next | clockwise(next), one | previous | back(previous)]
        };
        point += 1;
    }
    rows
};

/// All steps of a player in one word, a bit each: clockwise ones by the point that they lead to,
/// from bit 24 those back, and from bit 48 those between squares, outward ones on odd bits and
/// inward ones on even ones. Together they fill the word.
#[inline(always)]
const fn steps(men: Points, empty: Points) -> u64 {
    let outward = men >> 8 & empty & MIDDLES;
    let inward = men << 8 & empty & MIDDLES;
    let across = outward | inward >> 9;
    (clockwise(men) & empty) as u64 | ((back(men) & empty) as u64) << 24 | (across as u64) << 48
}

/// The points of a step.
#[derive(Clone, Copy)]
struct Step {
    from: u8,
    to: u8,
    /// Both points.
    both: Points,
}

/// The steps by their bits.
const STEPS: [Step; 64] = {
    let (mut all, mut bit) = ([Step { from: 0, to: 0, both: 0 }; 64], 0);
    while bit < 64 {
        let (from, to): (Points, Points) = if bit < 24 {
            (back(1 << bit), 1 << bit)
        } else if bit < 48 {
            (clockwise(1 << (bit - 24)), 1 << (bit - 24))
        } else if bit % 2 == 1 {
            (1 << (bit - 40), 1 << (bit - 48))
        } else {
            (1 << (bit - 47), 1 << (bit - 39))
        };
        all[bit] = Step {
            from: from.trailing_zeros() as u8,
            to: to.trailing_zeros() as u8,
            both: from | to,
        };
        bit += 1;
    }
    all
};

/// The board, what was put on it, and what is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: [Points; 2],
    /// Men put on the board so far, by both.
    put: u8,
    mover: u8,
    /// True if the mover has to take an enemy.
    takes: bool,
}

const START: State = State { men: [0; 2], put: 0, mover: 0, takes: false };

/// A point that a man leaves, and one that he comes to; the same where he is put or taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    from: u8,
    to: u8,
}

/// The set that the mover chooses from.
enum Choice {
    /// One of these points.
    Points(Points),
    /// One of the steps of a word.
    Steps(u64),
    /// Any of these men to any of these points.
    Flights(Points, Points),
}

impl State {
    const fn empty(&self) -> Points {
        ALL & !(self.men[0] | self.men[1])
    }

    /// The set that the mover chooses from, in a game that is not lost.
    fn choice(&self) -> Choice {
        let (own, enemy) =
            (self.men[usize::from(self.mover)], self.men[usize::from(1 - self.mover)]);
        if self.takes {
            Choice::Points(takeable(enemy))
        } else if self.put < 2 * MEN {
            Choice::Points(self.empty())
        } else if own.count_ones() > 3 {
            Choice::Steps(steps(own, self.empty()))
        } else {
            Choice::Flights(own, self.empty())
        }
    }

    /// True if the mover has lost: too few men, or no step.
    fn is_lost(&self) -> bool {
        let own = self.men[usize::from(self.mover)];
        self.put == 2 * MEN
            && !self.takes
            && (own.count_ones() < 3 || own.count_ones() > 3 && steps(own, self.empty()) == 0)
    }
}

/// The men of an enemy that may be taken: those in no row, or any if all are.
#[inline(always)]
fn takeable(enemy: Points) -> Points {
    let free = enemy & !in_rows(enemy);
    if free == 0 { enemy } else { free }
}

/// True if a man on a point stands in a row.
#[inline(always)]
fn closes(own: Points, point: u8) -> bool {
    let rows = ROWS[usize::from(point % 32)];
    own & rows[0] == rows[0] || own & rows[1] == rows[1]
}

/// The points of a set in ascending order.
fn points(set: Points) -> impl Iterator<Item = u8> {
    (0..24).filter(move |point| set >> point & 1 != 0)
}

/// The names of points are those of the 7x7 squares that the board fits on.
type Board = Grid<Ranks, 1, 7, 7>;

/// The square of a point.
fn square(point: u8) -> u32 {
    // Bottom left, left, top left, top, top right, right, bottom right, bottom.
    const AROUND: [(i32, i32); 8] =
        [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
    let (files, ranks) = AROUND[usize::from(point % 8)];
    let far = 3 - i32::from(point / 8);
    Board::at((3 + far * files) as u32, (3 + far * ranks) as u32)
}

/// A playout under way.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    men: [Points; 2],
    /// Men that each player has put.
    put: u8,
    plies: u32,
}

impl Run {
    /// Takes a random enemy of `SIDE`; says whether the cap lets it.
    #[inline(always)]
    fn take<const SIDE: usize, C: Cpu>(&mut self, cpu: C, rng: &mut Rng, cap: u32) -> bool {
        if self.plies == cap {
            return false;
        }
        self.plies += 1;
        let enemies = takeable(self.men[1 - SIDE]);
        let n = draw(rng, enemies.count_ones());
        self.men[1 - SIDE] ^= cpu.nth_bit(enemies.into(), n) as Points;
        true
    }

    /// Puts a man of `SIDE` on a random point, and takes one where that makes a row.
    #[inline(always)]
    fn put<const SIDE: usize, C: Cpu>(&mut self, cpu: C, rng: &mut Rng, cap: u32) -> bool {
        if self.plies == cap {
            return false;
        }
        self.plies += 1;
        let empty = ALL & !(self.men[0] | self.men[1]);
        let point = cpu.nth(empty.into(), draw(rng, empty.count_ones()));
        self.men[SIDE] |= 1 << point;
        !closes(self.men[SIDE], point as u8) || self.take::<SIDE, C>(cpu, rng, cap)
    }

    /// Moves a man of `SIDE`; the end of the game, if this is it.
    #[inline(always)]
    fn turn<const SIDE: usize, C: Cpu>(&mut self, cpu: C, rng: &mut Rng, cap: u32) -> Option<End> {
        let own = self.men[SIDE];
        let empty = ALL & !(own | self.men[1 - SIDE]);
        let lost = over(self.plies, Scores::win(Player(1 - SIDE as u8)));
        let (both, to) = if own.count_ones() > 3 {
            let steps = steps(own, empty);
            if steps == 0 {
                return Some(lost);
            }
            let step = STEPS[cpu.nth(steps, draw(rng, steps.count_ones())) as usize % 64];
            (step.both, step.to)
        } else {
            if own.count_ones() < 3 {
                return Some(lost);
            }
            let room = empty.count_ones();
            // Three men, point by point: cheaper to compare than to divide.
            let n = draw(rng, 3 * room);
            let man = u32::from(n >= room) + u32::from(n >= 2 * room);
            let from = cpu.nth_bit(own.into(), man) as Points;
            let to = cpu.nth(empty.into(), n - man * room);
            (from | 1 << to, to as u8)
        };
        if self.plies == cap {
            return Some(capped(cap));
        }
        self.plies += 1;
        self.men[SIDE] ^= both;
        if closes(self.men[SIDE], to) && !self.take::<SIDE, C>(cpu, rng, cap) {
            return Some(capped(cap));
        }
        None
    }
}

impl Rules for NineMensMorris {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    /// Men are put in turn.
    fn placed(&self, rows: &str, mover: u8, count: u32) -> Option<State> {
        let men = Board::drawn(rows, ['x', 'o'])?.map(|set| {
            let points = (0..24).filter(|&point| set.contains(square(point)));
            points.fold(0, |all, point| all | 1 << point)
        });
        let put = u8::try_from(count).ok().filter(|&put| put <= 2 * MEN)?;
        let is_turn = mover < 2 && (put == 2 * MEN || mover == put % 2);
        is_turn.then_some(State { men, put, mover, takes: false })
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if state.is_lost() {
            return Turn::Over;
        }
        match state.choice() {
            Choice::Points(set) => legal.extend(points(set).map(|p| Action { from: p, to: p })),
            Choice::Steps(steps) => legal.extend(
                (0..64)
                    .filter(|bit| steps >> bit & 1 != 0)
                    .map(|bit| STEPS[bit])
                    .map(|step| Action { from: step.from, to: step.to }),
            ),
            Choice::Flights(men, empty) => legal.extend(
                points(men).flat_map(|from| points(empty).map(move |to| Action { from, to })),
            ),
        }
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, Action { from, to }: Action) {
        let mover = usize::from(state.mover);
        if state.takes {
            state.men[1 - mover] ^= 1 << to;
            state.takes = false;
        } else {
            if state.put < 2 * MEN {
                state.put += 1;
            } else {
                state.men[mover] ^= 1 << from;
            }
            state.men[mover] |= 1 << to;
            state.takes = closes(state.men[mover], to);
        }
        if !state.takes {
            state.mover = 1 - state.mover;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::win(Player(1 - state.mover))
    }

    fn label(&self, _: &State, Action { from, to }: Action) -> String {
        let name = |point| Board::name(square(point));
        if from == to { name(to) } else { name(from) + &name(to) }
    }

    fn picture(&self, state: &State) -> Picture {
        let board = Board::picture(false, |at| {
            let Some(point) = (0..24).find(|&point| square(point) == at) else { return ' ' };
            match state.men.map(|men| men >> point & 1 != 0) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ => '.',
            }
        });
        let point = |cell: &Cell| {
            let named = |&point: &u8| Board::name(square(point)) == cell.name;
            (0..24).find(named).unwrap_or_default()
        };
        let joined = |a: &Cell, b: &Cell| {
            let (a, b) = (point(a), point(b));
            let round = a / 8 == b / 8 && [1, 7].contains(&a.abs_diff(b));
            round || a.abs_diff(b) == 8 && MIDDLES >> a & 1 == 1
        };
        let notes = format!("{} of {} men put\n", state.put, 2 * MEN);
        board.on_lines(joined).with_notes(&notes)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        self.in_flight(cpu, job, results);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        let State { men, put, mut mover, takes } = state;
        let mut run = Run { men, put: put.div_ceil(2), plies: 0 };
        if takes {
            let takes = match mover {
                0 => run.take::<0, C>(cpu, rng, cap),
                _ => run.take::<1, C>(cpu, rng, cap),
            };
            if !takes {
                return Some(capped(cap));
            }
            mover = 1 - mover;
        }
        if mover == 1 {
            let end = if put < 2 * MEN {
                (!run.put::<1, C>(cpu, rng, cap)).then_some(capped(cap))
            } else {
                run.turn::<1, C>(cpu, rng, cap)
            };
            if end.is_some() {
                return end;
            }
        }
        Some(self.finish(cpu, run, rng, cap))
    }
}

impl Resumable for NineMensMorris {
    type Run = Run;

    #[inline(always)]
    fn begin(&self) -> Run {
        Run { men: START.men, put: 0, plies: 0 }
    }

    #[inline(always)]
    fn step<C: Cpu>(&self, cpu: C, run: &mut Run, rng: &mut Rng, cap: u32) -> Option<End> {
        if run.put < MEN {
            run.put += 1;
            let both = run.put::<0, C>(cpu, rng, cap) && run.put::<1, C>(cpu, rng, cap);
            return (!both).then_some(capped(cap));
        }
        match run.turn::<0, C>(cpu, rng, cap) {
            None => run.turn::<1, C>(cpu, rng, cap),
            end => end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if two points are joined, by their squares.
    fn joined(a: u8, b: u8) -> bool {
        let (ring, place) = (a / 8 == b / 8, (a % 8).abs_diff(b % 8));
        ring && (place == 1 || place == 7)
            || place == 0 && a % 2 == 1 && (a / 8).abs_diff(b / 8) == 1
    }

    #[test]
    fn every_step_has_its_bit() {
        let mut pairs = Vec::new();
        for from in 0..24 {
            let steps = steps(1 << from, ALL & !(1 << from));
            for bit in (0..64).filter(|bit| steps >> bit & 1 != 0) {
                assert_eq!(STEPS[bit].from, from);
                assert_eq!(STEPS[bit].both, 1 << from | 1 << STEPS[bit].to);
                pairs.push((from, STEPS[bit].to));
            }
        }
        pairs.sort_unstable();
        let all = (0..24).flat_map(|a| (0..24).map(move |b| (a, b)));
        assert_eq!(pairs, all.filter(|&(a, b)| joined(a, b)).collect::<Vec<_>>());
        assert_eq!(pairs.len(), 64);
    }

    #[test]
    fn rows_are_three_squares_in_line() {
        let mut rows: Vec<Points> = ROWS[..24].iter().flatten().copied().collect();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), 16);
        for &row in &rows {
            let squares: Vec<(u32, u32)> =
                points(row).map(|point| Board::place(square(point))).collect();
            let [files, ranks] = [0, 1].map(|i| {
                let all = squares.iter().map(|s| if i == 0 { s.0 } else { s.1 });
                all.collect::<std::collections::BTreeSet<_>>().len()
            });
            assert_eq!((squares.len(), files.min(ranks), files.max(ranks)), (3, 1, 3));
            assert_eq!(in_rows(row), row);
        }
        let mut rng = Rng::stream(3, 1);
        for _ in 0..1000 {
            let men = rng.next_u64() as Points & ALL;
            let expected = rows.iter().filter(|&&r| men & r == r).fold(0, |all, r| all | r);
            assert_eq!(in_rows(men), expected);
            for point in points(men) {
                assert_eq!(closes(men, point), expected >> point & 1 != 0);
            }
        }
    }
}

//! Reversi on 8x8.

use std::cmp::Ordering;
use std::sync::Arc;

use play::picture::Picture;
use play::{End, Lockstep, LockstepJob, Player, Rng, Scores, Symmetry, Turn};

use crate::bits::Bits;
use crate::form::{Form, Formed};
use crate::grid::{Grid, Ranks};
use crate::lanes::{self, Dice, Lanes, Step};
use crate::placement_lockstep::{self, PlacementRules};
use crate::rays::{self, DIRECTIONS, TURNS};
use crate::rules::handmade::Handmade;
use crate::rules::{Rules, capped, draw, over};
use crate::sides::Sides;
use cpu::{Cpu, Eight, Portable};

/// Reversi, black first; a player without a capture passes, and when neither has one the greater
/// number of discs wins.
pub(crate) struct Reversi;

type Board = Grid<Ranks, 1, 8, 8>;

/// A square to place on, or [`PASS`].
type Action = u32;

/// The action that hands on the turn.
const PASS: Action = 64;

/// The squares of the other's discs that a run in each direction may go over: behind each is one
/// square, and before it another.
const INNER: [u64; 8] = {
    let (mut inner, mut d) = ([0; 8], 0);
    while d < 8 {
        let (files, ranks) = DIRECTIONS[d];
        inner[d] = Board::staying(files, ranks).and(Board::staying(-files, -ranks)).words[0];
        d += 1;
    }
    inner
};

/// The discs that can be captured: in each direction the other's discs that lie in a run behind an
/// own one.
#[inline(always)]
fn runs<C: Cpu>(cpu: C, own: u64, other: u64) -> C::Eight {
    grown::<C>(cpu.all(own), cpu.all(other) & cpu.eight(INNER), TURNS, TWICE)
}

/// The squares to place on: the empty ones at the ends of runs.
#[inline(always)]
fn ends<E: Eight>(runs: E, own: u64, other: u64) -> u64 {
    runs.turned(TURNS).any() & !(own | other)
}

/// The discs that one on a square captures: the runs that end there, back from their ends.
#[inline(always)]
fn captured<C: Cpu>(cpu: C, stone: u64, runs: C::Eight) -> u64 {
    grown::<C>(cpu.all(stone), runs, BACK, TWICE_BACK).any()
}

/// In each direction the squares of runs that `from` is just before: at most six, by parallel
/// prefix (G. Kogge and H. Stone 1973, as used for fills in chess).
#[inline(always)]
fn grown<C: Cpu>(from: C::Eight, runs: C::Eight, by: [u32; 8], twice: [u32; 8]) -> C::Eight {
    let mut grown = runs & from.turned(by);
    grown = grown | runs & grown.turned(by);
    let pairs = runs & runs.turned(by);
    grown = grown | pairs & grown.turned(twice);
    grown | pairs & grown.turned(twice)
}

/// The rotations of a word by two steps; next come those by a step back, and by two back.
const TWICE: [u32; 8] = rays::turns(2);
const BACK: [u32; 8] = rays::back(TURNS);
const TWICE_BACK: [u32; 8] = rays::back(TWICE);

/// Strides between neighbours, each with the squares that can lie between two others along it.
const AXES: [(u32, u64); 4] =
    [(1, 0x7e7e_7e7e_7e7e_7e7e), (7, 0x7e7e_7e7e_7e7e_7e7e), (8, !0), (9, 0x7e7e_7e7e_7e7e_7e7e)];

/// Fills from some squares both ways along a stride, for as long as there is a run of discs.
#[inline(always)]
fn fills(from: u64, run: u64, stride: u32) -> (u64, u64) {
    let mut up = run & (from << stride);
    let mut down = run & (from >> stride);
    up |= run & (up << stride);
    down |= run & (down >> stride);
    let run_up = run & (run << stride);
    let run_down = run & (run >> stride);
    for _ in 0..2 {
        up |= run_up & (up << (2 * stride));
        down |= run_down & (down >> (2 * stride));
    }
    (up, down)
}

/// The squares to place on, in a lane.
#[inline(always)]
fn ends_in_lane(own: u64, other: u64) -> u64 {
    let mut found = 0;
    for (stride, inner) in AXES {
        let (up, down) = fills(own, other & inner, stride);
        found |= (up << stride) | (down >> stride);
    }
    found & !(own | other)
}

/// The discs that a stone captures, in a lane: fills from it, of which those count that end at an
/// own disc.
#[inline(always)]
fn captured_in_lane(stone: u64, own: u64, other: u64) -> u64 {
    let mut flipped = 0;
    for (stride, inner) in AXES {
        let (up, down) = fills(stone, other & inner, stride);
        flipped |= if (up << stride) & own == 0 { 0 } else { up };
        flipped |= if (down >> stride) & own == 0 { 0 } else { down };
    }
    flipped
}

/// The squares on which a disc captures.
fn squares(own: u64, other: u64) -> Bits<1> {
    Bits::from_words([ends(runs(Portable, own, other), own, other)])
}

/// Whoever has more discs wins.
fn outcome(first: u64, second: u64) -> Scores {
    match first.count_ones().cmp(&second.count_ones()) {
        Ordering::Greater => Scores::FIRST,
        Ordering::Less => Scores::SECOND,
        Ordering::Equal => Scores::DRAW,
    }
}

fn words(discs: [Bits<1>; 2]) -> [u64; 2] {
    discs.map(|side| side.words[0])
}

/// Plays on until neither side can place.
#[inline(always)]
fn play_from<C: Cpu>(cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> End {
    let [mut own, mut other] = words(state.own_and_other());
    let mut black_moves = state.mover() == Player(0);
    let mut plies = 0;
    loop {
        let mut runs = self::runs(cpu, own, other);
        let mut squares = ends(runs, own, other);
        if squares == 0 {
            (own, other) = (other, own);
            black_moves = !black_moves;
            runs = self::runs(cpu, own, other);
            squares = ends(runs, own, other);
            if squares == 0 {
                let [black, white] = if black_moves { [own, other] } else { [other, own] };
                return over(plies, outcome(black, white));
            }
        }
        if plies == cap {
            return capped(cap);
        }
        plies += 1;
        let stone = cpu.nth_bit(squares, draw(rng, squares.count_ones()));
        let flipped = captured(cpu, stone, runs);
        (own, other) = (other ^ flipped, own | flipped | stone);
        black_moves = !black_moves;
    }
}

impl Rules for Reversi {
    type State = Sides<1>;
    type Action = Action;
    type Board = Board;

    const FORMS: &'static [Form] = &[Form::At(""), Form::Word(play::PASS)];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Ranks);

    const WIDE: bool = true;

    fn start(&self) -> Sides<1> {
        const { Sides::new(Board::named("e4 d5"), Board::named("d4 e5")) }
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        Sides::placed(Board::drawn(rows, ['x', 'o'])?, mover)
    }

    fn expand(&self, state: &Sides<1>, legal: &mut Vec<Action>) -> Turn {
        let [own, other] = words(state.own_and_other());
        legal.extend(squares(own, other).iter());
        if legal.is_empty() {
            if squares(other, own).is_empty() {
                return Turn::Over;
            }
            legal.push(PASS);
        }
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<1>, action: Action) {
        let [mut own, mut other] = words(state.own_and_other());
        if action != PASS {
            let flipped = captured(Portable, 1 << action, runs(Portable, own, other));
            own |= flipped | 1 << action;
            other ^= flipped;
        }
        state.become_and_pass(Bits::from_words([own]), Bits::from_words([other]));
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        let [black, white] = words(state.men);
        outcome(black, white)
    }

    #[inline]
    fn form(&self, _: &Sides<1>, action: Action) -> Formed {
        if action == PASS { Formed::word(1) } else { Formed::at(action) }
    }

    fn is_pass(&self, action: Action) -> bool {
        action == PASS
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        Board::sides(false, state.men)
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        Board::write_planes(state.men, planes);
    }

    fn lockstep(game: &Arc<Handmade<Self>>, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        placement_lockstep::boxed(game, job)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(play_from(cpu, state, rng, cap))
    }
}

impl PlacementRules<1> for Reversi {
    const BOARD: Bits<1> = Board::BOARD;

    #[inline(always)]
    fn open<C: Cpu>(&self, cpu: C, state: &mut Sides<1>) -> Option<Bits<1>> {
        let open = |own, other| Bits::from_words([ends(self::runs(cpu, own, other), own, other)]);
        let [own, other] = words(state.own_and_other());
        let squares: Bits<1> = open(own, other);
        if !squares.is_empty() {
            return Some(squares);
        }
        let squares: Bits<1> = open(other, own);
        if squares.is_empty() {
            return None;
        }
        // A forced pass.
        state.become_and_pass(Bits::from_words([own]), Bits::from_words([other]));
        Some(squares)
    }

    #[inline(always)]
    fn place<C: Cpu>(&self, cpu: C, state: &mut Sides<1>, square: u32) {
        let [own, other] = words(state.own_and_other());
        let flipped = captured(cpu, 1 << square, runs(cpu, own, other));
        let own = own | flipped | 1 << square;
        state.become_and_pass(Bits::from_words([own]), Bits::from_words([other ^ flipped]));
    }
}

/// The bits of a lane's third word: white moves next; the last player passed.
const WHITE: u64 = 1;
const PASSED: u64 = 2;

impl Lanes<3> for Reversi {
    fn words(&self, state: &Sides<1>) -> Option<[u64; 3]> {
        let [own, other] = words(state.own_and_other());
        Some([own, other, if state.mover() == Player(0) { 0 } else { WHITE }])
    }

    /// A ply, or a pass, which neither draws nor is a ply.
    #[inline(always)]
    fn step(&self, words: &mut [u64; 3], dice: &mut Dice) -> Step {
        let [own, other, turn] = *words;
        let squares = ends_in_lane(own, other);
        let moves = squares != 0;
        let k = dice.below_if(moves, squares.count_ones().into());
        let stone = if moves { lanes::nth_bit(squares, k) } else { 0 };
        let flipped = captured_in_lane(stone, own, other);
        let passed = if moves { 0 } else { PASSED };
        *words = [other ^ flipped, own | flipped | stone, (turn ^ WHITE) & WHITE | passed];
        let over = !moves && turn & PASSED != 0;
        let [own, other] = [own, other].map(u64::count_ones);
        let ahead = if turn & WHITE == 0 { own > other } else { other > own };
        let winner = if ahead { lanes::FIRST } else { lanes::SECOND };
        let outcome = if own == other { lanes::DRAW } else { winner };
        Step { plies: u64::from(moves), outcome: if over { outcome } else { lanes::GOES_ON } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The discs that a disc on a square captures, by walking.
    fn naive(square: u32, own: u64, other: u64) -> u64 {
        let mut flipped = 0;
        let directions = (-1..2).flat_map(|files| (-1..2).map(move |ranks| (files, ranks)));
        for (files, ranks) in directions.filter(|&direction| direction != (0, 0)) {
            let mut run = 0;
            let ray = Board::ray(square, files, ranks);
            let stride = Board::stride(files, ranks);
            for steps in 1..=ray.len() as i32 {
                let passed = square as i32 + steps * stride;
                if other >> passed & 1 == 1 {
                    run |= 1 << passed;
                } else {
                    flipped |= if own >> passed & 1 == 1 { run } else { 0 };
                    break;
                }
            }
        }
        flipped
    }

    #[test]
    fn captures_are_those_of_a_walk() {
        let mut rng = Rng::stream(6, 6);
        for round in 0..3000 {
            // Boards from nearly empty to full.
            let mut occupied = rng.next_u64();
            for _ in 0..round % 4 {
                occupied |= rng.next_u64();
            }
            let own = occupied & rng.next_u64() & if round % 3 == 0 { rng.next_u64() } else { !0 };
            let other = occupied & !own;
            let mut squares = 0;
            let runs = runs(Portable, own, other);
            for square in (0..64).filter(|square| occupied >> square & 1 == 0) {
                let expected = naive(square, own, other);
                let stone = 1 << square;
                assert_eq!(captured(Portable, stone, runs), expected, "{own:x} {other:x} {square}");
                assert_eq!(captured_in_lane(stone, own, other), expected);
                squares |= u64::from(expected != 0) << square;
            }
            assert_eq!(ends(runs, own, other), squares, "{own:x} {other:x}");
            assert_eq!(ends_in_lane(own, other), squares);
        }
    }
}

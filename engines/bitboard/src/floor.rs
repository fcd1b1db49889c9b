//! The operations that a ply is made of, alone and in chains: a lower bound of its cost. Only the
//! bench asks.

use std::hint::black_box;

use play::Rng;

use crate::bits::Bits;
use crate::lanes::{Dice, nth_bit};
use crate::rules::handmade::instructions;
use crate::select::Select;
use cpu::{Cpu, Instructions, Level, Task};

/// A link of a chain, in which each waits for the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// An exclusive or and a multiplication: four cycles on every x86-64 of the last fifteen years,
    /// and so a measure of how long a cycle is.
    FourCycles,
    /// A draw below a number that is known; it waits for the state of the generator only.
    Draw,
    /// The selection of the k-th set bit, and the word without it.
    Select,
    /// The plain ply: count, draw, selection, update of one word.
    Ply,
    /// The plain ply in lanes, counted once for each lane.
    PlyInLanes,
}

impl Link {
    /// All of them.
    pub const ALL: [Link; 5] =
        [Link::FourCycles, Link::Draw, Link::Select, Link::Ply, Link::PlyInLanes];

    /// Does so many, a multiple of 64, with the instructions of a level; what comes back depends on
    /// all.
    pub fn chain(self, links: u64, level: Level) -> u64 {
        level.call(Chain { link: self, links })
    }
}

struct Chain {
    link: Link,
    links: u64,
}

/// Half the squares of a board.
const START: u64 = 0x5a5a_a5a5_c3c3_3c3c;

/// The squares after one of them was taken: as many as are left become free elsewhere, so that
/// there is always something to choose.
#[inline(always)]
fn after(squares: u64, taken: u64) -> u64 {
    !(squares ^ taken)
}

impl Task for Chain {
    type Output = u64;

    const COMPILED_FOR: &'static [Instructions] = instructions(true, true);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut rng = Rng::stream(1, 1);
        match self.link {
            Link::FourCycles => (0..self.links).fold(black_box(START), |x, _| {
                (x ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9)
            }),
            Link::Draw => (0..self.links).fold(0, |sum, _| sum ^ u64::from(rng.below(30))),
            Link::Select => (0..self.links).fold(START, |squares, i| {
                after(squares, cpu.nth_bit(squares, i as u32 % 16 + squares as u32 % 8))
            }),
            Link::Ply => (0..self.links).fold(START, |squares, _| {
                let set = Bits::<1>::from_words([squares]);
                let [taken] = set.select_bit(cpu, rng.below(set.len())).words;
                after(squares, taken)
            }),
            Link::PlyInLanes => {
                let mut squares = [START; 64];
                let mut states = [[0; 64]; 4];
                for lane in 0..64 {
                    let words = Dice::stream(1, lane as u64);
                    states.iter_mut().zip(words).for_each(|(state, word)| state[lane] = word);
                }
                for _ in 0..self.links / 64 {
                    for (lane, squares) in squares.iter_mut().enumerate() {
                        let state = states.each_ref().map(|state| state[lane]);
                        let mut dice = Dice { state, doubtful: false };
                        let k = dice.below(squares.count_ones().into());
                        *squares = after(*squares, nth_bit(*squares, k));
                        let [a, b, c, d] = &mut states;
                        [a[lane], b[lane], c[lane], d[lane]] = dice.state;
                    }
                }
                squares.into_iter().fold(0, |all, squares| all ^ squares)
            }
        }
    }
}

//! Rays on 8x8: where sliding pieces get to, many at once by fills, or one by looking along lines.
//!
//! Squares are numbered rank after rank from a1. Directions are numbered counterclockwise from
//! east, such that the first four lead to higher numbers, and `d + 4` is opposite to `d`.

use crate::grid::{Grid, Ranks};
use cpu::{Cpu, Eight};

type Board = Grid<Ranks, 1, 8, 8>;

/// Files to the right and ranks up of a step: east, northeast, north, northwest, and the opposites.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The direction straight up.
pub(crate) const NORTH: usize = 2;

/// True if a direction is that of a file or a rank.
#[inline(always)]
pub(crate) const fn is_straight(direction: usize) -> bool {
    direction.is_multiple_of(2)
}

/// The opposite direction.
#[inline(always)]
pub(crate) const fn opposite(direction: usize) -> usize {
    (direction + 4) % 8
}

/// The difference of square numbers by a step, either way.
const STRIDES: [u32; 4] = [1, 9, 8, 7];

/// The squares that a step in each direction can lead to.
const ENTERED: [u64; 8] = {
    let (mut entered, mut d) = ([0; 8], 0);
    while d < 8 {
        let (files, ranks) = DIRECTIONS[d];
        entered[d] = Board::staying(-files, -ranks).words[0];
        d += 1;
    }
    entered
};

/// The squares on the ray from each square in each direction.
static RAYS: [[u64; 8]; 64] = {
    let (mut rays, mut square) = ([[0; 8]; 64], 0);
    while square < 64 {
        let mut d = 0;
        while d < 8 {
            let (files, ranks) = DIRECTIONS[d];
            rays[square][d] = Board::ray(square as u32, files, ranks).words[0];
            d += 1;
        }
        square += 1;
    }
    rays
};

/// A set moved by some steps, without regard to edges.
#[inline(always)]
const fn shifted(set: u64, direction: usize, steps: u32) -> u64 {
    let stride = STRIDES[direction % 4] * steps;
    if direction < 4 { set << stride } else { set >> stride }
}

/// The squares that single steps in a direction lead to.
#[inline(always)]
pub(crate) const fn step(set: u64, direction: usize) -> u64 {
    shifted(set, direction, 1) & ENTERED[direction % 8]
}

/// The number of bits by which steps in the eight directions turn the words of a set.
pub(crate) const TURNS: [u32; 8] = turns(1);

/// The same for so many steps.
pub(crate) const fn turns(steps: u32) -> [u32; 8] {
    let (mut turns, mut d) = ([0; 8], 0);
    while d < 8 {
        let stride = STRIDES[d % 4] * steps;
        turns[d] = if d < 4 { stride } else { 64 - stride };
        d += 1;
    }
    turns
}

/// The turns that turn words back.
pub(crate) const fn back(turns: [u32; 8]) -> [u32; 8] {
    let (mut back, mut d) = ([0; 8], 0);
    while d < 8 {
        back[d] = 64 - turns[d];
        d += 1;
    }
    back
}

/// The squares that sliding pieces, those of each direction, see in it: over empty squares, up to
/// the first that is not empty, included (parallel prefix, after G. Kogge and H. Stone 1973). No
/// square is seen twice in a direction. What turns around the edge is masked like what steps over
/// it.
#[inline(always)]
pub(crate) fn slides<C: Cpu>(cpu: C, sliders: C::Eight, empty: u64) -> C::Eight {
    let entered = cpu.eight(ENTERED);
    let mut over = cpu.all(empty) & entered;
    let mut reached = sliders | over & sliders.turned(TURNS);
    over = over & over.turned(TURNS);
    reached = reached | over & reached.turned(const { turns(2) });
    over = over & over.turned(const { turns(2) });
    reached = reached | over & reached.turned(const { turns(4) });
    reached.turned(TURNS) & entered
}

/// The squares seen from one square in a direction: all up to the first occupied one, included, and
/// that one alone, or nothing.
#[inline(always)]
pub(crate) fn look(square: u32, direction: usize, occupied: u64) -> (u64, u64) {
    let ray = RAYS[square as usize % 64][direction % 8];
    let blockers = ray & occupied;
    if direction < 4 {
        let first = blockers & blockers.wrapping_neg();
        (ray & (first ^ first.wrapping_sub(1)), first)
    } else {
        // With the lowest bit set there always is a first; it is none if it was not there before.
        let first = (1u64 << 63) >> (blockers | 1).leading_zeros();
        (ray & first.wrapping_neg(), first & blockers)
    }
}

/// The first occupied square that is seen from a square in a direction, in which there must be one:
/// found without a branch, since directions cannot be predicted.
#[inline(always)]
pub(crate) fn nearest(square: u32, direction: usize, occupied: u64) -> u32 {
    let blockers = RAYS[square as usize % 64][direction % 8] & occupied;
    let (lowest, highest) = (blockers.trailing_zeros(), (blockers | 1).ilog2());
    if direction < 4 { lowest } else { highest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpu::Portable;
    use play::Rng;

    /// The squares that are passed from a square up to an occupied one.
    fn walk(square: u32, direction: usize, occupied: u64) -> Vec<u32> {
        let (files, ranks) = DIRECTIONS[direction];
        let (mut file, mut rank) = ((square % 8) as i32, (square / 8) as i32);
        let mut passed = Vec::new();
        loop {
            (file, rank) = (file + files, rank + ranks);
            if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                return passed;
            }
            passed.push((file + 8 * rank) as u32);
            if occupied >> (file + 8 * rank) & 1 == 1 {
                return passed;
            }
        }
    }

    #[test]
    fn slides_steps_and_looks_are_walks() {
        let mut rng = Rng::stream(9, 9);
        for round in 0..2000 {
            let mut occupied = rng.next_u64();
            for _ in 0..round % 4 {
                occupied &= rng.next_u64();
            }
            let sliders = occupied & rng.next_u64();
            let all = slides(Portable, Portable.all(sliders), !occupied).words();
            for (direction, &filled) in all.iter().enumerate() {
                let (mut slid, mut stepped) = (0, 0);
                for square in 0..64 {
                    let walked = walk(square, direction, occupied);
                    let seen = walked.iter().fold(0, |set, &s| set | 1 << s);
                    let last = walked.last().map_or(0, |&s| (1 << s) & occupied);
                    assert_eq!(look(square, direction, occupied), (seen, last), "{square}");
                    if last != 0 {
                        assert_eq!(1 << nearest(square, direction, occupied), last);
                    }
                    if sliders >> square & 1 == 1 {
                        assert_eq!(slid & seen, 0, "seen twice");
                        slid |= seen;
                        stepped |= walked.first().map_or(0, |&s| 1 << s);
                    }
                }
                assert_eq!(filled, slid, "{direction}");
                assert_eq!(step(sliders, direction), stepped, "{direction}");
            }
        }
    }

    #[test]
    fn directions_are_where_they_are_said_to_be() {
        assert_eq!(DIRECTIONS[NORTH], (0, 1));
        for d in 0..8 {
            let ((files, ranks), (back, down)) = (DIRECTIONS[d], DIRECTIONS[opposite(d)]);
            assert_eq!((files + back, ranks + down), (0, 0));
            assert_eq!(is_straight(d), files == 0 || ranks == 0);
        }
    }
}

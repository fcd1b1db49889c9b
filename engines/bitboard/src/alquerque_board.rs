//! Boards of points on which every other point has diagonals, as in Alquerque.

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};

/// The grid of a board.
type Plain<const FILES: u32, const RANKS: u32> = Grid<Ranks, 1, FILES, RANKS>;

/// The directions of lines: files to the right and ranks up. Those that are four apart are
/// opposite.
const WAYS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The direction back.
pub(crate) const fn opposite(way: usize) -> usize {
    (way + 4) % 8
}

/// A board of `FILES` x `RANKS` points joined along files and ranks, and along the diagonals
/// through a1 and every other point. All functions are static, and fold where the direction is
/// known.
pub(crate) struct AlquerqueBoard<const FILES: u32, const RANKS: u32>;

impl<const FILES: u32, const RANKS: u32> AlquerqueBoard<FILES, RANKS> {
    /// The points that a step in each direction leads from.
    const FROM: [Bits<1>; 8] = {
        let (mut from, mut way) = ([Bits::EMPTY; 8], 0);
        while way < 8 {
            let (files, ranks) = WAYS[way];
            from[way] = Plain::<FILES, RANKS>::staying(files, ranks);
            if files != 0 && ranks != 0 {
                from[way] = from[way].and(Self::CROSSINGS);
            }
            way += 1;
        }
        from
    };

    /// The points with diagonals.
    const CROSSINGS: Bits<1> = {
        let (mut set, mut point) = (Bits::EMPTY, 0);
        while point < FILES * RANKS {
            if (point % FILES + point / FILES).is_multiple_of(2) {
                set = set.or(Bits::of_index(point as usize));
            }
            point += 1;
        }
        set
    };

    /// The points that a step along the lines leads to from the points of a set.
    #[inline(always)]
    pub(crate) const fn step(set: Bits<1>, way: usize) -> Bits<1> {
        set.and(Self::FROM[way % 8]).shifted(Self::stride(way))
    }

    /// The number that a step adds to the number of a point.
    #[inline(always)]
    pub(crate) const fn stride(way: usize) -> i32 {
        let (files, ranks) = WAYS[way % 8];
        Plain::<FILES, RANKS>::stride(files, ranks)
    }

    /// The points that steps in all directions lead to, as far as they are in `empty`.
    #[inline(always)]
    pub(crate) fn steps(men: Bits<1>, empty: Bits<1>) -> [Bits<1>; 8] {
        std::array::from_fn(|way| Self::step(men, way) & empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_point_has_diagonals() {
        let named = Plain::<5, 5>::named;
        let around = |name| {
            let steps = AlquerqueBoard::<5, 5>::steps(named(name), !Bits::EMPTY);
            steps.into_iter().fold(Bits::EMPTY, |all, to| all | to)
        };
        assert_eq!(around("c3"), named("b2 c2 d2 b3 d3 b4 c4 d4"));
        assert_eq!(around("b3"), named("b2 a3 c3 b4"));
        assert_eq!(around("a1"), named("b1 a2 b2"));
        assert_eq!(around("e2"), named("e1 d2 e3"));
        let wide = Plain::<9, 5>::named;
        assert_eq!(AlquerqueBoard::<9, 5>::step(wide("i5 a1 e4"), 5), wide("h4"));
    }

    #[test]
    fn opposite_ways_lead_back() {
        for way in 0..8 {
            let there = AlquerqueBoard::<5, 5>::step(Plain::<5, 5>::BOARD, way);
            let again = AlquerqueBoard::<5, 5>::step(there, opposite(way));
            assert_eq!(AlquerqueBoard::<5, 5>::step(again, way), there);
            assert_eq!(
                AlquerqueBoard::<5, 5>::stride(way),
                -AlquerqueBoard::<5, 5>::stride(opposite(way))
            );
        }
    }
}

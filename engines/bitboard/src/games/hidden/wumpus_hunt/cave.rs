//! The cave of the hunters, of unknown size, and what chance puts into it.

use play::Chance;

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};

/// Room for the greatest cave.
pub(super) type Board = Grid<Ranks, 1, 4, 4>;

/// The shorter side of a cave; the longer one is one square more.
const SHORT: u32 = 3;

/// Directions by files and ranks.
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The squares of a cave.
const fn squares(files: u32, ranks: u32) -> Bits<1> {
    let (mut wide, mut long, mut i) = (Bits::EMPTY, Bits::EMPTY, 0);
    while i < 4 {
        if i < files {
            wide = wide.or(Board::file(i));
        }
        if i < ranks {
            long = long.or(Board::rank(i));
        }
        i += 1;
    }
    wide.and(long)
}

/// The four caves: by whether there are more files, and twice by whether there are more ranks.
const CAVES: [Bits<1>; 4] = [
    squares(SHORT, SHORT),
    squares(SHORT + 1, SHORT),
    squares(SHORT, SHORT + 1),
    squares(SHORT + 1, SHORT + 1),
];

/// The layout of the cave, which chance draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cave {
    /// Empty before that.
    pub(super) squares: Bits<1>,
    pub(super) wumpus: Bits<1>,
    pub(super) pits: Bits<1>,
    /// The square on which the gold lies or lay, if there is any.
    pub(super) gold: Bits<1>,
}

impl Cave {
    /// Nothing is laid out yet.
    pub(super) const NONE: Cave =
        Cave { squares: Bits::EMPTY, wumpus: Bits::EMPTY, pits: Bits::EMPTY, gold: Bits::EMPTY };

    /// Draws the number of its files, of its ranks, of pits, and where all are. Given how to find a
    /// square of a set by its number, and whether there is gold; with the kind of the cave, for
    /// [`NEXT`].
    #[inline(always)]
    pub(super) fn laid<C: Chance + ?Sized>(
        chance: &mut C,
        has_gold: bool,
        nth: impl Fn(Bits<1>, u32) -> Bits<1>,
    ) -> (Cave, usize) {
        let (files, ranks) = (chance.below(2), chance.below(2));
        let kind = (files + 2 * ranks) as usize % CAVES.len();
        let squares = CAVES[kind];
        let pits = 1 + chance.below(2);
        let mut free = squares.without(Bits::single(0));
        let count = (SHORT + files) * (SHORT + ranks) - 1;
        let wumpus = nth(free, chance.below(count));
        free ^= wumpus;
        let mut pit = nth(free, chance.below(count - 1));
        if pits == 2 {
            pit |= nth(free ^ pit, chance.below(count - 2));
        }
        let mut gold = Bits::EMPTY;
        if has_gold {
            gold = nth(free ^ pit, chance.below(count - 1 - pits));
        }
        (Cave { squares, wumpus, pits: pit, gold }, kind)
    }

    /// The neighbouring square in a direction, or none.
    pub(super) fn beside(&self, from: Bits<1>, direction: u8) -> Bits<1> {
        let (files, ranks) = DIRECTIONS[usize::from(direction)];
        let staying = from & Board::staying(files, ranks);
        staying.shifted(Board::stride(files, ranks)) & self.squares
    }

    /// True if a square of the set is beside this one.
    pub(super) fn is_near(&self, square: Bits<1>, set: Bits<1>) -> bool {
        (0..4).any(|direction| self.beside(square, direction).intersects(set))
    }
}

/// For each cave, square and direction the square that a step leads to, the same at a wall.
pub(super) const NEXT: [[[u8; 4]; 16]; 4] = {
    let (mut next, mut kind) = ([[[0; 4]; 16]; 4], 0);
    while kind < CAVES.len() {
        let mut square = 0;
        while square < 16 {
            let mut direction = 0;
            while direction < 4 {
                let (files, ranks) = DIRECTIONS[direction];
                let ahead = Board::ray(square, files, ranks).and(CAVES[kind]);
                let leads = Board::staying(files, ranks).contains_index(square as usize)
                    && ahead.contains_index(
                        (square as i32 + Board::stride(files, ranks)) as u32 as usize,
                    );
                next[kind][square as usize][direction] = if leads {
                    (square as i32 + Board::stride(files, ranks)) as u8
                } else {
                    square as u8
                };
                direction += 1;
            }
            square += 1;
        }
        kind += 1;
    }
    next
};

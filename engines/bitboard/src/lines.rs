//! Queens on square boards: how far they can go, by lines.

/// The occupied squares of an `N` x `N` board, once for each line of the board: `N` ranks, `N`
/// files, and `2N - 1` diagonals each way, so `LINES` must be `6N - 2`. What a queen can reach
/// along a line is then one look into a table, and a square costs four words to change.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lines<const N: usize, const LINES: usize>([u16; LINES]);

/// A square with its file in the low and its rank in the high four bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Square(u8);

impl Square {
    /// The square on a file and a rank, both counted from 0.
    pub(crate) const fn at(file: u32, rank: u32) -> Square {
        Square((file | rank << 4) as u8)
    }

    #[inline(always)]
    const fn file(self) -> usize {
        self.0 as usize & 15
    }

    #[inline(always)]
    const fn rank(self) -> usize {
        self.0 as usize >> 4
    }

    /// Its file and rank.
    pub(crate) const fn place(self) -> (u32, u32) {
        (self.file() as u32, self.rank() as u32)
    }

    /// The square some steps away in a direction; it must be on the board.
    #[inline(always)]
    pub(crate) const fn onward(self, direction: usize, steps: u32) -> Square {
        Square((self.0 as i32 + DIRECTIONS[direction % 8] * steps as i32) as u8)
    }
}

/// The number that a step in each of the eight directions adds to a square: each line back and
/// forth.
const DIRECTIONS: [i32; 8] = [-1, 1, -16, 16, -17, 17, -15, 15];

/// Squares on the longest line.
const LONGEST: usize = 10;

/// `FREE[i][occupied]`: how many free squares lie on a line next to its square `i`, before it in
/// the low four bits and behind it in the high ones.
static FREE: [[u8; 1 << LONGEST]; 16] = {
    let mut free = [[0; 1 << LONGEST]; 16];
    let mut occupied = 0;
    while occupied < 1 << LONGEST {
        let mut i = 0;
        while i < LONGEST {
            let (mut before, mut behind) = (0, 0);
            while before < i && occupied >> (i - before - 1) & 1 == 0 {
                before += 1;
            }
            while i + behind + 1 < LONGEST && occupied >> (i + behind + 1) & 1 == 0 {
                behind += 1;
            }
            free[i][occupied] = (before | behind << 4) as u8;
            i += 1;
        }
        occupied += 1;
    }
    free
};

impl<const N: usize, const LINES: usize> Lines<N, LINES> {
    /// Nothing is occupied but what is not on the board.
    pub(crate) const FREE: Self = {
        assert!(N <= LONGEST && LINES == 6 * N - 2);
        let mut lines = Lines([!0; LINES]);
        let (mut file, mut rank) = (0, 0);
        while rank < N {
            lines = lines.toggled(Square::at(file as u32, rank as u32));
            (file, rank) = if file + 1 < N { (file + 1, rank) } else { (0, rank + 1) };
        }
        lines
    };

    /// The four lines through a square, and which bit of each it is.
    #[inline(always)]
    const fn through(square: Square) -> [(usize, usize); 4] {
        let (file, rank) = (square.file(), square.rank());
        [
            (rank, file),
            (N + file, rank),
            (3 * N - 1 + file - rank, file),
            (4 * N - 1 + file + rank, rank),
        ]
    }

    /// With a square toggled, see [`Lines::toggle`]; for constants.
    pub(crate) const fn toggled(mut self, square: Square) -> Self {
        let (through, mut i) = (Self::through(square), 0);
        while i < 4 {
            let (line, bit) = through[i];
            self.0[line] ^= 1 << bit;
            i += 1;
        }
        self
    }

    /// Makes an occupied square free, and a free one occupied.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, square: Square) {
        for (line, bit) in Self::through(square) {
            self.0[line.min(LINES - 1)] ^= 1 << bit;
        }
    }

    /// True if a square is occupied.
    pub(crate) fn occupied(&self, square: Square) -> bool {
        self.0[square.rank()] >> square.file() & 1 == 1
    }

    /// The squares that a queen on a square can go to.
    #[inline(always)]
    pub(crate) fn reach(&self, square: Square) -> Reach {
        let mut pairs = 0;
        for (i, (line, bit)) in Self::through(square).into_iter().enumerate() {
            let occupied = usize::from(self.0[line.min(LINES - 1)]) % (1 << LONGEST);
            pairs |= u64::from(FREE[bit % 16][occupied]) << (16 * i);
        }
        let free = (pairs | pairs << 4) & (ONES * 15);
        Reach(free.wrapping_mul(ONES))
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

/// The moves of a queen, numbered direction by direction, in each from the nearest square on.
#[derive(Clone, Copy)]
pub(crate) struct Reach(
    /// Byte i: moves in the directions 0..=i, at most 8 * 9.
    u64,
);

impl Reach {
    /// The number of moves.
    #[inline(always)]
    pub(crate) const fn count(self) -> u32 {
        (self.0 >> 56) as u32
    }

    /// The direction and the number of steps of the `k`-th move, which must be there: a search of
    /// all bytes at once.
    #[inline(always)]
    pub(crate) const fn nth(self, k: u32) -> (usize, u32) {
        let passed = (((ONES * k as u64) | TOPS) - self.0) & TOPS;
        let direction = passed.count_ones();
        let before = (self.0 << 8 >> (8 * (direction % 8))) as u32 & 255;
        (direction as usize, k - before + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::Rng;
    use std::collections::BTreeSet;

    /// The moves of a queen, square by square.
    fn naive<const N: usize>(occupied: &BTreeSet<(u32, u32)>, from: (u32, u32)) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        let directions = (-1..2).flat_map(|files| (-1..2).map(move |ranks| (files, ranks)));
        for (files, ranks) in directions.filter(|&direction| direction != (0, 0)) {
            let (mut file, mut rank) = from;
            loop {
                (file, rank) = (file.wrapping_add_signed(files), rank.wrapping_add_signed(ranks));
                if file.max(rank) >= N as u32 || occupied.contains(&(file, rank)) {
                    break;
                }
                all.push((file, rank));
            }
        }
        all.sort_unstable();
        all
    }

    fn check<const N: usize, const LINES: usize>() {
        let mut rng = Rng::stream(3, N as u64);
        for _ in 0..60 {
            let mut lines = Lines::<N, LINES>::FREE;
            let mut occupied = BTreeSet::new();
            for _ in 0..rng.below((N * N) as u32) {
                let place = (rng.below(N as u32), rng.below(N as u32));
                // Twice toggled is free again.
                lines.toggle(Square::at(place.0, place.1));
                if !occupied.insert(place) {
                    occupied.remove(&place);
                }
            }
            for file in 0..N as u32 {
                for rank in 0..N as u32 {
                    let square = Square::at(file, rank);
                    assert_eq!(square.place(), (file, rank));
                    assert_eq!(lines.occupied(square), occupied.contains(&(file, rank)));
                    let reach = lines.reach(square);
                    let mut moves: Vec<(u32, u32)> = (0..reach.count())
                        .map(|k| {
                            let (direction, steps) = reach.nth(k);
                            square.onward(direction, steps).place()
                        })
                        .collect();
                    moves.sort_unstable();
                    assert_eq!(moves, naive::<N>(&occupied, (file, rank)));
                }
            }
        }
    }

    #[test]
    fn queens_reach_what_a_walk_reaches() {
        check::<10, 58>();
        check::<6, 34>();
    }
}

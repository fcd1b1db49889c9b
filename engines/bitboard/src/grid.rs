//! Rectangular boards: which bit is which square, steps, lines, names and drawings.

use std::marker::PhantomData;

use crate::bits::Bits;
use crate::form::Sites;
use cpu::Cpu;
use play::picture::Picture;
use play::spread;

/// The order in which the squares of a board are numbered.
pub(crate) trait Layout {
    /// True if squares of a file follow each other, instead of squares of a rank.
    const BY_FILES: bool;
    /// Bits left empty after each file or rank, into which steps off its end fall.
    const GUARD: u32;
}

/// Rank after rank from the bottom, each from file a on, without gaps.
pub(crate) enum Ranks {}

impl Layout for Ranks {
    const BY_FILES: bool = false;
    const GUARD: u32 = 0;
}

/// Rank after rank from the bottom, each from file a on with one bit left empty behind it.
pub(crate) enum GuardedRanks {}

impl Layout for GuardedRanks {
    const BY_FILES: bool = false;
    const GUARD: u32 = 1;
}

/// File after file from the left, each from the bottom up with one bit left empty above it.
pub(crate) enum GuardedFiles {}

impl Layout for GuardedFiles {
    const BY_FILES: bool = true;
    const GUARD: u32 = 1;
}

/// A board of `FILES` x `RANKS` squares in sets of `W` words. All functions are static: a board is
/// a type.
pub(crate) struct Grid<L, const W: usize, const FILES: u32, const RANKS: u32>(PhantomData<L>);

impl<L: Layout, const W: usize, const FILES: u32, const RANKS: u32> Grid<L, W, FILES, RANKS> {
    /// The number of squares.
    pub(crate) const SQUARES: u32 = FILES * RANKS;

    /// From a square to its right neighbour.
    pub(crate) const FILE_STEP: u32 = if L::BY_FILES { RANKS + L::GUARD } else { 1 };

    /// From a square to its upper neighbour.
    pub(crate) const RANK_STEP: u32 = if L::BY_FILES { 1 } else { FILES + L::GUARD };

    /// All squares.
    pub(crate) const BOARD: Bits<W> = {
        assert!(FILES <= 26 && (Self::at(FILES - 1, RANKS - 1) as usize) < Bits::<W>::ROOM);
        let (mut board, mut file) = (Bits::EMPTY, 0);
        while file < FILES {
            board = board.or(Self::file(file));
            file += 1;
        }
        board
    };

    /// The square on a file and a rank, both counted from 0.
    #[inline(always)]
    pub(crate) const fn at(file: u32, rank: u32) -> u32 {
        file * Self::FILE_STEP + rank * Self::RANK_STEP
    }

    /// The file and the rank of a square.
    #[inline(always)]
    pub(crate) const fn place(square: u32) -> (u32, u32) {
        if L::BY_FILES {
            (square / Self::FILE_STEP, square % Self::FILE_STEP)
        } else {
            (square % Self::RANK_STEP, square / Self::RANK_STEP)
        }
    }

    /// The squares of a file.
    pub(crate) const fn file(file: u32) -> Bits<W> {
        let (mut set, mut rank) = (Bits::EMPTY, 0);
        while rank < RANKS {
            set = set.or(Bits::of_index(Self::at(file, rank) as usize));
            rank += 1;
        }
        set
    }

    /// The squares of a rank.
    pub(crate) const fn rank(rank: u32) -> Bits<W> {
        let (mut set, mut file) = (Bits::EMPTY, 0);
        while file < FILES {
            set = set.or(Bits::of_index(Self::at(file, rank) as usize));
            file += 1;
        }
        set
    }

    /// The squares with these names, one blank between them: `"a4 d1"`. For constants: a name that
    /// is not on the board stops the compiler.
    pub(crate) const fn named(names: &str) -> Bits<W> {
        let names = names.as_bytes();
        let (mut set, mut i) = (Bits::EMPTY, 0);
        while i < names.len() {
            let file = (names[i] - b'a') as u32;
            let mut rank = 0;
            i += 1;
            while i < names.len() && names[i] != b' ' {
                rank = rank * 10 + (names[i] - b'0') as u32;
                i += 1;
            }
            i += 1;
            assert!(file < FILES && 1 <= rank && rank <= RANKS);
            set = set.or(Bits::of_index(Self::at(file, rank - 1) as usize));
        }
        set
    }

    /// The difference of the numbers of squares that are `files` to the right and `ranks` up.
    #[inline(always)]
    pub(crate) const fn stride(files: i32, ranks: i32) -> i32 {
        files * Self::FILE_STEP as i32 + ranks * Self::RANK_STEP as i32
    }

    /// The squares from which a step does not leave the board.
    pub(crate) const fn staying(files: i32, ranks: i32) -> Bits<W> {
        let (mut set, mut file) = (Bits::EMPTY, 0);
        while file < FILES {
            let mut rank = 0;
            while rank < RANKS {
                let (f, r) = (file as i32 + files, rank as i32 + ranks);
                if 0 <= f && f < FILES as i32 && 0 <= r && r < RANKS as i32 {
                    set = set.or(Bits::of_index(Self::at(file, rank) as usize));
                }
                rank += 1;
            }
            file += 1;
        }
        set
    }

    /// The squares that a step leads to from the squares of a set; squares off the board are lost.
    #[inline(always)]
    pub(crate) const fn step<const DF: i32, const DR: i32>(set: Bits<W>) -> Bits<W> {
        set.and(const { Self::staying(DF, DR) }).shifted(const { Self::stride(DF, DR) })
    }

    /// The squares that are passed by going on in one direction from a square, nearest first.
    pub(crate) const fn ray(square: u32, files: i32, ranks: i32) -> Bits<W> {
        let (file, rank) = Self::place(square);
        let (mut set, mut file, mut rank) = (Bits::EMPTY, file as i32 + files, rank as i32 + ranks);
        while 0 <= file && file < FILES as i32 && 0 <= rank && rank < RANKS as i32 {
            set = set.or(Bits::of_index(Self::at(file as u32, rank as u32) as usize));
            (file, rank) = (file + files, rank + ranks);
        }
        set
    }

    /// The rays of a direction by the square that they start from, with room for `ROOM` squares.
    pub(crate) const fn rays<const ROOM: usize>(files: i32, ranks: i32) -> [Bits<W>; ROOM] {
        let (mut rays, mut file) = ([Bits::EMPTY; ROOM], 0);
        while file < FILES {
            let mut rank = 0;
            while rank < RANKS {
                let square = Self::at(file, rank);
                rays[square as usize] = Self::ray(square, files, ranks);
                rank += 1;
            }
            file += 1;
        }
        rays
    }

    /// True if a set has `length` squares in a row in any of the four directions. Steps off the
    /// board must not land on another square, so that this needs a layout with guards.
    #[inline(always)]
    pub(crate) fn has_line<C: Cpu>(cpu: C, set: Bits<W>, length: u32) -> bool {
        const { assert!(L::GUARD > 0) };
        cpu.has_run(set.words, length, const { Self::LINES })
    }

    /// The differences of the numbers of neighbours on lines: files, ranks and both diagonals.
    const LINES: [u32; 4] = [
        Self::stride(1, 0).unsigned_abs(),
        Self::stride(0, 1).unsigned_abs(),
        Self::stride(1, 1).unsigned_abs(),
        Self::stride(1, -1).unsigned_abs(),
    ];

    /// The name of a square: `a1` is at the bottom left.
    pub(crate) fn name(square: u32) -> String {
        let (file, rank) = Self::place(square);
        format!("{}{}", letter(file), rank + 1)
    }

    /// The names of all squares, rank by rank from `a1`.
    pub(crate) fn names() -> Vec<String> {
        let ranks = (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| Self::at(file, rank)));
        ranks.map(Self::name).collect()
    }

    /// The place of a square among all [`Grid::names`].
    #[inline(always)]
    pub(crate) const fn number(square: u32) -> u32 {
        if L::GUARD == 0 && !L::BY_FILES {
            return square;
        }
        if W <= 2 {
            return Self::NUMBERS[square as usize % 128] as u32;
        }
        let (file, rank) = Self::place(square);
        rank * FILES + file
    }

    /// The same by table, since divisions take longer.
    const NUMBERS: [u8; 128] = {
        let (mut numbers, mut file) = ([0; 128], 0);
        while W <= 2 && file < FILES {
            let mut rank = 0;
            while rank < RANKS {
                numbers[Self::at(file, rank) as usize] = (rank * FILES + file) as u8;
                rank += 1;
            }
            file += 1;
        }
        numbers
    };

    /// Writes 1 for each square of a set and 0 for the others, in the order of [`Grid::names`].
    #[inline]
    pub(crate) fn write_plane(set: Bits<W>, plane: &mut [u8]) {
        for (rank, row) in (0..RANKS).zip(plane.chunks_exact_mut(FILES as usize)) {
            if L::BY_FILES && W == 1 && FILES == 7 && Self::FILE_STEP == 7 {
                // The squares of a rank are seven bits apart; the bit of file i is put i further
                // up. No two products fall on the same bit, since both factors have less than eight
                // places to go.
                let row_of_bits = set.down(rank).words[0] & const { Self::rank(0).words[0] };
                let bytes = (row_of_bits.wrapping_mul(0x7f) & 0x0101_0101_0101_0101).to_le_bytes();
                row.copy_from_slice(&bytes[..7]);
                continue;
            }
            if L::BY_FILES {
                for (file, out) in (0..FILES).zip(row) {
                    *out = u8::from(set.contains(Self::at(file, rank)));
                }
                continue;
            }
            let bits = set.down(rank * Self::RANK_STEP).words[0];
            if FILES == 8 {
                row.copy_from_slice(&spread(bits as u8));
            } else {
                for (file, out) in (0..FILES).zip(row) {
                    *out = (bits >> file & 1) as u8;
                }
            }
        }
    }

    /// Writes the planes of sets, one after another.
    #[inline]
    pub(crate) fn write_planes<const N: usize>(sets: [Bits<W>; N], planes: &mut [u8]) {
        for (set, plane) in sets.into_iter().zip(planes.chunks_exact_mut(Self::SQUARES as usize)) {
            Self::write_plane(set, plane);
        }
    }

    /// A picture with a sign on each square, or on each hexagon, where each rank is half a cell to
    /// the left of the one below it. Signs mean what [`meaning`](play::picture::meaning) says.
    pub(crate) fn picture(hexagons: bool, show: impl Fn(u32) -> char) -> Picture {
        Picture::grid((FILES, RANKS), hexagons, &|file, rank| show(Self::at(file, rank)))
    }

    /// The squares of each sign in rows from the top, with `/` between them and `.` on empty
    /// squares, and `+`, which stands on squares of no meaning, where that is no sign; `None` if
    /// they are no rows of this board.
    pub(crate) fn drawn<const N: usize>(rows: &str, signs: [char; N]) -> Option<[Bits<W>; N]> {
        let rows: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
        let is_whole = rows.len() == RANKS as usize;
        if !is_whole || rows.iter().any(|row| row.len() != FILES as usize) {
            return None;
        }
        let mut sets = [Bits::EMPTY; N];
        for (rank, row) in (0..RANKS).rev().zip(&rows) {
            for (file, sign) in (0..FILES).zip(row) {
                match signs.iter().position(|known| known == sign) {
                    Some(set) => sets[set] |= Bits::single(Self::at(file, rank)),
                    None if ".+".contains(*sign) => {}
                    None => return None,
                }
            }
        }
        Some(sets)
    }

    /// The same of the men of two sides, `x` and `o`.
    pub(crate) fn sides(hexagons: bool, sides: [Bits<W>; 2]) -> Picture {
        Self::picture(hexagons, |square| match sides.map(|side| side.contains(square)) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        })
    }
}

impl<L: Layout, const W: usize, const FILES: u32, const RANKS: u32> Sites
    for Grid<L, W, FILES, RANKS>
{
    const SITES: u32 = Self::SQUARES;

    fn name(square: u32) -> String {
        Self::name(square)
    }

    #[inline(always)]
    fn number(square: u32) -> u32 {
        Self::number(square)
    }

    fn names() -> Vec<String> {
        Self::names()
    }
}

/// The letter of a file.
fn letter(file: u32) -> char {
    char::from(b'a' + file as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpu::Portable;
    use expect_test::expect;

    type Plain = Grid<Ranks, 1, 5, 4>;
    type ByRanks = Grid<GuardedRanks, 1, 5, 4>;
    type ByFiles = Grid<GuardedFiles, 1, 5, 4>;

    fn check_layout<L: Layout>() {
        let squares: Vec<u32> = Grid::<L, 1, 5, 4>::BOARD.iter().collect();
        assert_eq!(squares.len() as u32, Grid::<L, 1, 5, 4>::SQUARES);
        for &square in &squares {
            let (file, rank) = Grid::<L, 1, 5, 4>::place(square);
            assert!(file < 5 && rank < 4);
            assert_eq!(Grid::<L, 1, 5, 4>::at(file, rank), square);
            let name = Grid::<L, 1, 5, 4>::name(square);
            assert_eq!(Grid::<L, 1, 5, 4>::named(&name), Bits::single(square), "{name}");
            assert!(Grid::<L, 1, 5, 4>::file(file).contains(square));
            assert!(Grid::<L, 1, 5, 4>::rank(rank).contains(square));
        }
    }

    #[test]
    fn squares_have_their_places_and_names_in_every_layout() {
        check_layout::<Ranks>();
        check_layout::<GuardedRanks>();
        check_layout::<GuardedFiles>();
        assert_eq!(Plain::name(Plain::at(1, 3)), "b4");
    }

    fn check_steps<L: Layout>() {
        let named = Grid::<L, 1, 5, 4>::named;
        let set = named("a1 e1 c2 a4 e4");
        assert_eq!(Grid::<L, 1, 5, 4>::step::<1, 0>(set), named("b1 d2 b4"));
        assert_eq!(Grid::<L, 1, 5, 4>::step::<-1, 1>(set), named("d2 b3"));
        assert_eq!(Grid::<L, 1, 5, 4>::step::<2, -1>(set), named("e1 c3"));
        let from = set.first_index() as u32;
        assert_eq!(Grid::<L, 1, 5, 4>::name(from), "a1");
        assert_eq!(Grid::<L, 1, 5, 4>::ray(from, 1, 1), named("b2 c3 d4"));
        assert_eq!(Grid::<L, 1, 5, 4>::ray(from, -1, 0), Bits::EMPTY);
    }

    #[test]
    fn steps_and_rays_end_at_the_edge_in_every_layout() {
        check_steps::<Ranks>();
        check_steps::<GuardedRanks>();
        check_steps::<GuardedFiles>();
    }

    fn check_planes<L: Layout, const W: usize, const FILES: u32, const RANKS: u32>() {
        let names = Grid::<L, W, FILES, RANKS>::names();
        let mut rng = play::Rng::stream(3, 3);
        for _ in 0..50 {
            let board = Grid::<L, W, FILES, RANKS>::BOARD;
            let set = Bits::from_words(std::array::from_fn(|_| rng.next_u64())) & board;
            let mut plane = vec![7; names.len()];
            Grid::<L, W, FILES, RANKS>::write_plane(set, &mut plane);
            for square in board {
                let number = Grid::<L, W, FILES, RANKS>::number(square) as usize;
                assert_eq!(names[number], Grid::<L, W, FILES, RANKS>::name(square));
                assert_eq!(plane[number], u8::from(set.contains(square)), "{}", names[number]);
            }
        }
        assert_eq!(names[1], "b1");
    }

    #[test]
    fn planes_have_the_squares_rank_by_rank_in_every_layout() {
        check_planes::<Ranks, 1, 5, 4>();
        check_planes::<Ranks, 1, 8, 8>();
        check_planes::<Ranks, 2, 10, 10>();
        check_planes::<GuardedRanks, 1, 5, 4>();
        check_planes::<GuardedFiles, 1, 7, 6>();
    }

    #[test]
    fn lines_do_not_go_round_the_edge() {
        let lines = [
            ("a1 b1 c1", true),
            ("e2 e3 e4", true),
            ("b1 c2 d3", true),
            ("c1 b2 a3", true),
            ("d1 e1 a2 b2", false),
            ("a3 a4 b1 b2", false),
            ("d1 e2 a4 b1", false),
            ("b1 a2 e2 d3", false),
        ];
        for (names, expected) in lines {
            assert_eq!(ByRanks::has_line(Portable, ByRanks::named(names), 3), expected, "{names}");
            assert_eq!(ByFiles::has_line(Portable, ByFiles::named(names), 3), expected, "{names}");
        }
    }

    #[test]
    fn drawings_have_coordinates() {
        expect![[r"
             4 . . . . .
             3 . . . . .
             2 . o . . .
             1 x x . . .
               a b c d e
        "]]
        .assert_eq(&Plain::sides(false, [Plain::named("a1 b1"), Plain::named("b2")]).text());
        expect![[r"
             4 . . . . .
              3 . . . . .
               2 . . . . .
                1 x . . . .
                   a b c d e
        "]]
        .assert_eq(&Plain::sides(true, [Plain::named("a1"), Bits::EMPTY]).text());
    }
}

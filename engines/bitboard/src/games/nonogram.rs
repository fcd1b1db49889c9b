//! Nonograms.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::{kinds, spent};
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use cpu::Cpu;

/// The numbers of a square puzzle: the lengths of the runs of filled squares in each line, in their
/// order; a comma between lines.
pub(crate) struct Puzzle {
    /// Files from a on, each from the bottom up.
    pub(crate) files: &'static str,
    /// Ranks from 1 on, each from the left.
    pub(crate) ranks: &'static str,
}

/// A man with his arms stretched out.
pub(crate) const MAN: Puzzle = Puzzle { files: "1, 4, 3, 4, 1", ranks: "1 1, 1 1, 5, 3, 1" };

/// A bird on the ground.
pub(crate) const BIRD: Puzzle = Puzzle {
    files: "3, 3, 1 3, 5, 4, 1 7, 8 1, 4 3, 2 2, 1",
    ranks: "2 2, 1 1, 6, 8, 10, 2 4, 1 2, 4, 1 2, 2",
};

/// A ply fills a square of `N` x `N` where its file and its rank can still be completed to their
/// numbers by filling more, until there is no such square; the score is the share of the squares to
/// fill, in percent. Sets of squares have `W` words.
///
/// Which squares of a line are open depends on those of it that are filled alone, so it is in a
/// table.
pub(crate) struct Nonogram<const W: usize, const N: u32> {
    /// For each set of filled squares of each line, its squares that are filled or cannot be.
    files: Box<[[Line; SETS]; LINES]>,
    ranks: Box<[[Line; SETS]; LINES]>,
    /// The squares of file a for each set of a file's squares.
    upright: Box<[u128; SETS]>,
    start: Bits<W>,
    /// Squares to fill.
    total: u32,
}

/// A set of squares of a line, by their place in it.
type Line = u16;

/// Room for lines of ten squares.
const SETS: usize = 1 << 10;

/// Room for sixteen files and as many ranks, as one has to be found fast.
const LINES: usize = 16;

type Board<const W: usize, const N: u32> = Grid<Ranks, W, N, N>;

/// The squares that are filled and those that are open.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State<const W: usize> {
    files: [Line; LINES],
    ranks: [Line; LINES],
    open: Bits<W>,
}

/// The lengths of the runs of each line.
fn numbers(text: &str) -> impl Iterator<Item = Vec<u32>> {
    let run = |run: &str| run.parse().expect("a number");
    text.split(',').map(move |line| line.split_whitespace().map(run).collect())
}

/// All ways to place the runs in `room` squares from `from` on.
fn placements(runs: &[u32], from: u32, room: u32) -> Vec<Line> {
    let Some((&first, rest)) = runs.split_first() else { return vec![0] };
    let mut all = Vec::new();
    for start in from..(room + 1).saturating_sub(first) {
        let run = ((1 << first) - 1) << start;
        all.extend(
            placements(rest, start + first + 1, room).into_iter().map(|others| others | run),
        );
    }
    all
}

fn words<const W: usize>(set: u128) -> Bits<W> {
    Bits::from_words(std::array::from_fn(|w| (set >> (64 * w)) as u64))
}

impl<const W: usize, const N: u32> Nonogram<W, N> {
    /// Fills in the tables.
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        const { assert!(1 << N <= SETS && N as usize <= LINES && W <= 2) };
        let mut upright = Box::new([0; SETS]);
        for (set, squares) in (0..1 << N).zip(upright.iter_mut()) {
            for rank in (0..N).filter(|rank| set >> rank & 1 == 1) {
                *squares |= 1 << (N * rank);
            }
        }
        let mut game = Nonogram {
            files: Self::table(puzzle.files),
            ranks: Self::table(puzzle.ranks),
            upright,
            start: Board::<W, N>::BOARD,
            total: numbers(puzzle.ranks).flatten().sum(),
        };
        for line in 0..N {
            game.start = game.start.without(game.closed(line, line, 0, 0));
        }
        game
    }

    /// For each set of filled squares of each line, its squares that are filled or cannot be.
    fn table(text: &str) -> Box<[[Line; SETS]; LINES]> {
        let table = vec![[0; SETS]; LINES];
        let mut table: Box<[_; LINES]> = table.try_into().expect("one for each line");
        assert_eq!(numbers(text).count(), N as usize, "{text}");
        for (closed, runs) in table.iter_mut().zip(numbers(text)) {
            let all = placements(&runs, 0, N);
            for (filled, closed) in (0..1 << N).zip(closed) {
                let fitting = all.iter().filter(|&&placement| placement & filled == filled);
                let open = fitting.fold(0, |open, placement| open | placement & !filled);
                *closed = !open & ((1 << N) - 1);
            }
        }
        table
    }

    /// The squares that are not open on a file and a rank with these squares filled.
    #[inline(always)]
    fn closed(&self, file: u32, rank: u32, on_file: Line, on_rank: Line) -> Bits<W> {
        let upright = self.files[file as usize % LINES][usize::from(on_file) % SETS];
        let across = self.ranks[rank as usize % LINES][usize::from(on_rank) % SETS];
        let upright = self.upright[usize::from(upright) % SETS] << file;
        words(upright | u128::from(across) << (N * rank))
    }

    #[inline(always)]
    fn fill(&self, state: &mut State<W>, square: u32) {
        let (file, rank) = Board::<W, N>::place(square);
        let on_file = &mut state.files[file as usize % LINES];
        *on_file |= 1 << rank;
        let on_rank = &mut state.ranks[rank as usize % LINES];
        *on_rank |= 1 << file;
        state.open = state.open.without(self.closed(file, rank, *on_file, *on_rank));
    }

    #[inline(always)]
    fn score(&self, filled: u32) -> Scores {
        Scores::single((100 * filled / self.total) as i32)
    }
}

impl<const W: usize, const N: u32> Rules for Nonogram<W, N> {
    type State = State<W>;
    /// The square.
    type Action = u32;

    const PLAYERS: u8 = 1;

    fn start(&self) -> State<W> {
        State { files: [0; LINES], ranks: [0; LINES], open: self.start }
    }

    fn placed(&self, rows: &str, _: u8, _: u32) -> Option<State<W>> {
        let [filled] = Board::<W, N>::drawn(rows, ['#'])?;
        let mut state = self.start();
        filled.iter().for_each(|square| self.fill(&mut state, square));
        Some(state)
    }

    fn expand(&self, state: &State<W>, legal: &mut Vec<u32>) -> Turn {
        legal.extend(state.open.iter());
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(0)) }
    }

    fn apply(&self, state: &mut State<W>, square: u32) {
        self.fill(state, square);
    }

    fn scores(&self, state: &State<W>) -> Scores {
        self.score(state.ranks.iter().map(|rank| rank.count_ones()).sum())
    }

    fn label(&self, _: &State<W>, square: u32) -> String {
        Board::<W, N>::name(square)
    }

    fn picture(&self, state: &State<W>) -> Picture {
        Board::<W, N>::picture(false, |square| {
            let (file, rank) = Board::<W, N>::place(square);
            match (state.ranks[rank as usize] >> file & 1 == 1, state.open.contains(square)) {
                (true, _) => '#',
                (_, true) => '.',
                _ => '+',
            }
        })
        .with_signs(kinds(&[('#', None, "filled")]))
        .with_signs(spent)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State<W>, rng: &mut Rng, cap: u32) -> Option<End> {
        let filled = state.ranks.iter().map(|rank| rank.count_ones()).sum();
        Some(self.fill_all(cpu, state, filled, rng, cap))
    }
}

impl<const W: usize, const N: u32> Nonogram<W, N> {
    /// Fills random squares, of which so many are filled already, as long as there are any.
    #[inline(always)]
    fn fill_all<C: Cpu>(
        &self,
        cpu: C,
        mut state: State<W>,
        filled: u32,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let mut plies = 0;
        while !state.open.is_empty() {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let square = state.open.select(cpu, draw(rng, state.open.len()));
            self.fill(&mut state, square);
        }
        over(plies, self.score(filled + plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways to complete a picture, rank after rank, counted up to two.
    fn solutions(picture: &mut Vec<Line>, ranks: &[Vec<Line>], files: &[Vec<Line>]) -> u32 {
        let done = picture.len();
        let seen = (1 << done) - 1;
        let fits = (0..).zip(files).all(|(file, all)| {
            let bits =
                (0..).zip(picture.iter()).fold(0, |b, (i, rank)| b | (rank >> file & 1) << i);
            all.iter().any(|placement| placement & seen == bits)
        });
        if !fits || done == ranks.len() {
            return u32::from(fits);
        }
        let mut sum = 0;
        for &rank in &ranks[done] {
            picture.push(rank);
            sum += solutions(picture, ranks, files);
            picture.pop();
            if sum > 1 {
                break;
            }
        }
        sum
    }

    #[test]
    fn every_puzzle_has_one_solution() {
        for puzzle in [&MAN, &BIRD] {
            let side = numbers(puzzle.files).count() as u32;
            let all =
                |text| -> Vec<_> { numbers(text).map(|runs| placements(&runs, 0, side)).collect() };
            let (files, ranks) = (all(puzzle.files), all(puzzle.ranks));
            assert_eq!(solutions(&mut Vec::new(), &ranks, &files), 1, "{}", puzzle.ranks);
        }
    }
}

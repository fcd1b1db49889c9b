//! Sudoku, Futoshiki and their kin.

use play::picture::{Cell, Ground, Picture};
use play::{End, Job, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::rules::{Results, Rules};
use crate::without_replacement::WithoutReplacement;
use cpu::Cpu;

/// A square board to fill with the numbers up to its side, none twice in a file or a rank.
pub(crate) struct Puzzle {
    /// Files and ranks, at most nine.
    pub(crate) side: usize,
    /// True if no number may be twice in a 3x3 box either.
    pub(crate) boxes: bool,
    /// The numbers that are there at the start, rank by rank from the top; a dot is an empty
    /// square.
    pub(crate) given: &'static str,
    /// Squares of which the first must have the smaller number: `"a1<b1"`.
    pub(crate) less: &'static str,
}

/// Two numbers are given, and three signs.
pub(crate) const FUTOSHIKI_4: Puzzle =
    Puzzle { side: 4, boxes: false, given: ".2.. .... .... ...4", less: "a2<a3 a3<b3 c2<c3" };

/// Three numbers and five signs.
pub(crate) const FUTOSHIKI_5: Puzzle = Puzzle {
    side: 5,
    boxes: false,
    given: "5.... ..... ....5 2.... .....",
    less: "e2<e1 c2<c3 c4<c5 d4<c4 d5<e5",
};

/// Six numbers and eight signs.
pub(crate) const FUTOSHIKI_6: Puzzle = Puzzle {
    side: 6,
    boxes: false,
    given: "2..5.. ..4..6 ...... ...... 1..4.. ......",
    less: "d2<d1 c2<d2 c3<c2 e3<d3 f3<f4 a4<b4 d5<d4 a6<b6",
};

/// Twenty-nine digits, symmetric about the middle.
pub(crate) const SUDOKU: Puzzle = Puzzle {
    side: 9,
    boxes: true,
    given: "1.287.... .....5.81 .5.4..3.. 68......2 ..4.3.9.. 2......34 ..8..9.1. 94.3..... \
            ....814.9",
    less: "",
};

/// A ply writes a number into an empty square where it contradicts none that is written, until
/// there is no such ply; the score is the share of the empty squares that were filled, in percent.
///
/// What contradicts what is known beforehand: a ply is a bit, and takes out those that it excludes.
pub(crate) struct Latin<const W: usize> {
    puzzle: &'static Puzzle,
    /// The plies that are legal at the start, which are all there ever are: square after square,
    /// in each by number.
    plies: Vec<Ply>,
    start: Bits<W>,
    /// The plies that each ply makes illegal, itself included.
    excluded: Box<[Bits<W>; ROOM]>,
    /// Squares that are empty at the start.
    empty: u32,
}

/// Plies there is room for in tables.
const ROOM: usize = 256;

/// A number on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ply {
    file: usize,
    rank: usize,
    number: usize,
}

/// The plies made, and those that are legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State<const W: usize> {
    made: Bits<W>,
    open: Bits<W>,
}

/// The numbers in rows from the top, of which there are `side`.
fn numbers<'r>(rows: impl Iterator<Item = &'r str>, side: usize) -> Vec<Ply> {
    let numbers = rows.enumerate().flat_map(|(line, row)| {
        row.chars().enumerate().map(move |(file, number)| (file, line, number))
    });
    numbers
        .filter_map(|(file, line, number)| {
            let number = number.to_digit(10)? as usize;
            Some(Ply { file, rank: side.checked_sub(1 + line)?, number })
        })
        .collect()
}

impl Puzzle {
    /// The numbers that are there at the start.
    fn given(&self) -> Vec<Ply> {
        numbers(self.given.split_whitespace(), self.side)
    }

    /// The file and rank of the squares with the smaller and the greater number of each sign.
    fn signs(&self) -> Vec<[(usize, usize); 2]> {
        let square = |name: &[u8]| (usize::from(name[0] - b'a'), usize::from(name[1] - b'1'));
        let signs = self.less.split_whitespace().map(str::as_bytes);
        signs.map(|sign| [square(&sign[..2]), square(&sign[3..])]).collect()
    }

    /// True if two plies cannot both be made.
    fn contradict(&self, a: Ply, b: Ply) -> bool {
        let (same_file, same_rank) = (a.file == b.file, a.rank == b.rank);
        if same_file && same_rank {
            return true;
        }
        let same_box = self.boxes && a.file / 3 == b.file / 3 && a.rank / 3 == b.rank / 3;
        let repeated = a.number == b.number && (same_file || same_rank || same_box);
        let disobeyed = self.signs().into_iter().any(|sign| {
            let wrong = |smaller: Ply, greater: Ply| {
                sign == [(smaller.file, smaller.rank), (greater.file, greater.rank)]
                    && smaller.number >= greater.number
            };
            wrong(a, b) || wrong(b, a)
        });
        repeated || disobeyed
    }

    /// The plies that contradict no given number.
    fn plies(&self) -> Vec<Ply> {
        let given = self.given();
        let squares = (0..self.side * self.side).map(|i| (i % self.side, i / self.side));
        squares
            .flat_map(|(file, rank)| (1..=self.side).map(move |number| Ply { file, rank, number }))
            .filter(|&ply| !given.iter().any(|&other| self.contradict(ply, other)))
            .collect()
    }
}

impl<const W: usize> Latin<W> {
    /// Fills in the tables.
    pub(crate) fn new(puzzle: &'static Puzzle) -> Latin<W> {
        let plies = puzzle.plies();
        assert!(plies.len() <= ROOM.min(64 * W), "{} plies", plies.len());
        let set = |belongs: &dyn Fn(Ply) -> bool| {
            let numbered = (0..).zip(&plies).filter(|&(_, &ply)| belongs(ply));
            numbered.fold(Bits::EMPTY, |set, (i, _)| set | Bits::single(i))
        };
        let mut excluded = Box::new([Bits::EMPTY; ROOM]);
        for (excluded, &ply) in excluded.iter_mut().zip(&plies) {
            *excluded = set(&|other| puzzle.contradict(ply, other));
        }
        let empty = (puzzle.side * puzzle.side - puzzle.given().len()) as u32;
        Latin { puzzle, start: set(&|_| true), excluded, empty, plies }
    }
}

impl<const W: usize> Rules for Latin<W> {
    type State = State<W>;
    /// The number of the ply in the list of all.
    type Action = u32;

    const PLAYERS: u8 = 1;

    fn start(&self) -> State<W> {
        State { made: Bits::EMPTY, open: self.start }
    }

    /// The given numbers stand where they are.
    fn placed(&self, rows: &str, _: u8, _: u32) -> Option<State<W>> {
        let given = self.puzzle.given();
        let written = numbers(rows.split('/'), self.puzzle.side);
        if !given.iter().all(|ply| written.contains(ply)) {
            return None;
        }
        let mut state = self.start();
        for ply in written.iter().filter(|ply| !given.contains(ply)) {
            self.apply(&mut state, self.plies.iter().position(|known| known == ply)? as u32);
        }
        Some(state)
    }

    fn expand(&self, state: &State<W>, legal: &mut Vec<u32>) -> Turn {
        legal.extend(state.open.iter());
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(0)) }
    }

    fn apply(&self, state: &mut State<W>, ply: u32) {
        state.made |= Bits::single(ply);
        state.open = state.open.without(self.excluded[ply as usize]);
    }

    fn scores(&self, state: &State<W>) -> Scores {
        self.score(state.made.len())
    }

    fn label(&self, _: &State<W>, ply: u32) -> String {
        let Ply { file, rank, number } = self.plies[ply as usize];
        format!("{}{}{number}", char::from(b'a' + file as u8), rank + 1)
    }

    fn picture(&self, state: &State<W>) -> Picture {
        let made = state.made.iter().map(|i| self.plies[i as usize]);
        let written: Vec<Ply> = self.puzzle.given().into_iter().chain(made).collect();
        let side = self.puzzle.side;
        let number = |file: u32, rank: u32| {
            let at = (file as usize, rank as usize);
            let there = written.iter().find(|ply| (ply.file, ply.rank) == at);
            there.map_or('.', |ply| char::from_digit(ply.number as u32, 10).unwrap_or('?'))
        };
        let given = self.puzzle.given();
        let is_given = |cell: &&mut Cell| {
            given.iter().any(|ply| (ply.file as f32, ply.rank as f32) == (cell.x, cell.y))
        };
        let mut picture = Picture::grid((side as u32, side as u32), false, &number);
        for cell in picture.cells.iter_mut().filter(is_given) {
            cell.ground = Ground::Marked;
        }
        picture.with_notes(self.puzzle.less)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        self.thin_in_pairs(cpu, job, results);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State<W>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(self.thin_on(cpu, rng, state.open, state.made.len(), cap))
    }
}

impl<const W: usize> WithoutReplacement<W> for Latin<W> {
    #[inline(always)]
    fn all(&self) -> Bits<W> {
        self.start
    }

    #[inline(always)]
    fn excluded(&self, ply: u32) -> Bits<W> {
        self.excluded[ply as usize % ROOM]
    }

    #[inline(always)]
    fn score(&self, plies: u32) -> Scores {
        Scores::single((100 * plies / self.empty) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways to fill a puzzle, counted up to two by trying everything on the emptiest square.
    fn solutions(puzzle: &Puzzle, plies: &[Ply], made: &mut Vec<Ply>, missing: usize) -> u32 {
        if missing == 0 {
            return 1;
        }
        let open: Vec<Ply> = plies
            .iter()
            .copied()
            .filter(|&ply| !made.iter().any(|&other| puzzle.contradict(ply, other)))
            .collect();
        let on = |square: (usize, usize)| open.iter().filter(move |p| (p.file, p.rank) == square);
        let squares = (0..puzzle.side * puzzle.side).map(|i| (i % puzzle.side, i / puzzle.side));
        let taken = |s: &(usize, usize)| made.iter().any(|p| (p.file, p.rank) == *s);
        let given = puzzle.given();
        let there = |s: &(usize, usize)| given.iter().any(|p| (p.file, p.rank) == *s);
        let empty: Vec<_> = squares.filter(|s| !taken(s) && !there(s)).collect();
        let Some(square) = empty.into_iter().min_by_key(|&s| on(s).count()) else { return 0 };
        let mut sum = 0;
        for &ply in on(square) {
            made.push(ply);
            sum += solutions(puzzle, plies, made, missing - 1);
            made.pop();
            if sum > 1 {
                break;
            }
        }
        sum
    }

    #[test]
    fn every_puzzle_has_one_solution() {
        for puzzle in [&FUTOSHIKI_4, &FUTOSHIKI_5, &FUTOSHIKI_6, &SUDOKU] {
            let missing = puzzle.side * puzzle.side - puzzle.given().len();
            let found = solutions(puzzle, &puzzle.plies(), &mut Vec::new(), missing);
            assert_eq!(found, 1, "{}", puzzle.given);
        }
    }
}

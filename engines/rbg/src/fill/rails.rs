//! Lines: for every direction in which rows of pieces count, the cells of each line stand side by
//! side in a word, so that the pieces around a cell are found by a shift and tell by a table
//! whether they are enough.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

/// Directions.
const MOST_AXES: usize = 4;
/// Pieces in a row.
const LONGEST: usize = 7;
/// What cells around one may look like.
const WINDOWS: usize = 1 << (2 * LONGEST - 1);
/// Cells, and words of all pieces: tables of these sizes are looked up without a check.
const MOST_CELLS: usize = 64 * super::MOST_WORDS;
pub(super) const MOST_RAILS: usize = 256;

/// A test: whether one of so many pieces in a row goes through a cell; and the rows that count, for
/// each cell.
#[derive(Debug)]
pub(crate) struct Runs {
    /// The place of the piece in [`super::Fill::pieces`].
    pub(crate) slot: usize,
    /// The bit that says whether the test holds.
    pub(crate) bit: u8,
    pub(crate) long: usize,
    pub(crate) through: Vec<Vec<Run>>,
}

/// A row of pieces, by the numbers of its cells (see [`Layout::numbers`](crate::layout::Layout)):
/// how much they grow, and the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Run {
    by: u16,
    first: u16,
}

impl Run {
    /// From ascending numbers, if they grow by the same.
    pub(crate) fn of(numbers: &[u16]) -> Option<Run> {
        let by = numbers.get(1)? - numbers[0];
        let even = by > 0 && numbers.windows(2).all(|two| two[1] - two[0] == by);
        even.then_some(Run { by, first: numbers[0] })
    }

    fn numbers(self, long: usize) -> impl Iterator<Item = u16> {
        (0..long as u16).map(move |i| self.first + i * self.by)
    }
}

/// Where a cell stands on a line: the word, the bit, and 1, or 0 where no line goes through the
/// cell.
#[derive(Clone, Copy, Debug)]
struct Spot {
    word: u8,
    bit: u8,
    on: u8,
}

/// The lines of a board.
#[derive(Debug)]
pub(crate) struct Rails {
    /// Of each cell, in each direction.
    spots: Box<[[Spot; MOST_AXES]; MOST_CELLS]>,
    /// Words of each piece. The first stays empty, for cells without a line.
    words: usize,
    /// Cells on either side that matter.
    reach: u8,
    /// For each piece by the cells around one: which tests hold.
    says: Vec<[u8; WINDOWS]>,
}

/// The pieces on the lines.
pub(crate) type Railed = [u64; MOST_RAILS];

impl Rails {
    /// How large they are, about.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&*self.spots) + size_of_val(&*self.says)) as u64
    }

    /// Lines for all tests, if all rows that count are those on some lines. `never` tells of two
    /// cells, the one that is filled and another, that the other holds no piece yet.
    pub(crate) fn new(
        tests: &[Runs],
        pieces: usize,
        numbers: &[u16],
        cells: impl Iterator<Item = u16>,
        never: impl Fn(u16, u16) -> bool,
    ) -> Option<Rails> {
        let mut cell_of: BTreeMap<u16, u16> = BTreeMap::new();
        for cell in cells {
            if cell_of.insert(numbers[usize::from(cell)], cell).is_some() {
                return None; // larger than numbers are
            }
        }
        let long = tests.iter().map(|test| test.long).max().unwrap_or(1);
        if long > LONGEST || tests.iter().any(|test| test.long < 2) {
            return None;
        }
        // Which cells have another behind them in any row, by direction.
        let mut behind: FxHashMap<u16, FxHashSet<u16>> = FxHashMap::default();
        for test in tests {
            for run in test.through.iter().flatten() {
                let steps = run.numbers(test.long - 1);
                behind.entry(run.by).or_default().extend(steps);
            }
        }
        let mut directions: Vec<u16> = behind.keys().copied().collect();
        directions.sort_unstable();
        if directions.len() > MOST_AXES || numbers.len() > MOST_CELLS {
            return None;
        }
        let nowhere = Spot { word: 0, bit: long as u8 - 1, on: 0 };
        let mut rails = Rails {
            spots: Box::new([[nowhere; MOST_AXES]; MOST_CELLS]),
            words: 1,
            reach: long as u8 - 1,
            says: vec![[0; WINDOWS]; pieces],
        };
        let mut lines: Vec<Vec<u16>> = Vec::new();
        for (axis, by) in directions.iter().enumerate() {
            let steps = &behind[by];
            let mut bit = 64;
            for &first in cell_of.keys() {
                let is_first = !first.checked_sub(*by).is_some_and(|n| steps.contains(&n));
                if !steps.contains(&first) || !is_first {
                    continue;
                }
                let mut line = vec![first];
                while let Some(last) = line.last().filter(|last| steps.contains(last)) {
                    line.push(last + by);
                }
                // Apart from the line before it, and with room for what is looked at before it.
                if bit + line.len() > 64 {
                    (rails.words, bit) = (rails.words + 1, long - 1);
                }
                if bit + line.len() > 64 {
                    return None;
                }
                for number in &line {
                    let word = u8::try_from(rails.words - 1).ok()?;
                    let spots = rails.spots.get_mut(usize::from(*cell_of.get(number)?))?;
                    spots[axis] = Spot { word, bit: bit as u8, on: 1 };
                    bit += 1;
                }
                bit += 1;
                lines.push(line);
            }
        }
        for test in tests {
            test.tell(&mut rails.says[test.slot], long);
        }
        let fits = rails.words * pieces <= MOST_RAILS;
        let counts = |test: &Runs| counts(test, &lines, &cell_of, &never);
        (fits && tests.iter().all(counts)).then_some(rails)
    }

    /// Where the words of a piece begin.
    pub(crate) fn first_word(&self, piece: usize) -> u8 {
        (self.words * piece) as u8
    }

    /// How many words all pieces have.
    pub(crate) fn all_words(&self, pieces: usize) -> usize {
        self.words * pieces
    }

    /// Puts a piece, whose words begin at `first`; returns the tests that hold of its cell.
    #[inline(always)]
    pub(crate) fn put(&self, words: &mut Railed, piece: u8, first: u8, cell: u16) -> u8 {
        let says = &self.says[usize::from(piece)];
        let mask = (2 << (2 * self.reach)) - 1;
        let mut held = 0;
        for spot in &self.spots[usize::from(cell) % MOST_CELLS] {
            let word = &mut words[usize::from(first.wrapping_add(spot.word))];
            *word |= u64::from(spot.on) << (spot.bit % 64);
            let around = *word >> (spot.bit.wrapping_sub(self.reach) % 64) & mask;
            held |= says[around as usize % WINDOWS];
        }
        held
    }
}

impl Runs {
    /// Tells by the cells around one whether this test holds, where up to so many pieces in a row
    /// count.
    fn tell(&self, says: &mut [u8; WINDOWS], long: usize) {
        let (centre, sides) = (long - 1, 2 * long - 1);
        for (window, held) in says[..1 << sides].iter_mut().enumerate() {
            let has = |i: &usize| window >> i & 1 != 0;
            let after = (centre..sides).take_while(has).count();
            let before = (0..centre).rev().take_while(has).count();
            if after > 0 && before + after >= self.long {
                *held |= self.bit;
            }
        }
    }
}

/// Whether the rows of a test are all that the lines have, but for those that are never full when
/// they are asked about.
fn counts(
    test: &Runs,
    lines: &[Vec<u16>],
    cell_of: &BTreeMap<u16, u16>,
    never: impl Fn(u16, u16) -> bool,
) -> bool {
    let mut through: FxHashMap<u16, FxHashSet<Run>> = FxHashMap::default();
    for run in lines.iter().flat_map(|line| line.windows(test.long)).filter_map(Run::of) {
        for number in run.numbers(test.long) {
            through.entry(number).or_default().insert(run);
        }
    }
    let none = FxHashSet::default();
    cell_of.iter().all(|(number, &cell)| {
        let (there, asked) = (through.get(number).unwrap_or(&none), &test.through[cell as usize]);
        let is_never_full = |run: &Run| run.numbers(test.long).any(|n| never(cell, cell_of[&n]));
        asked.iter().all(|run| there.contains(run))
            && there.iter().all(|run| asked.contains(run) || is_never_full(run))
    })
}

//! Tests that are read from numbers kept of pieces that are only ever put.
//!
//! A row through the cell where a piece has just been put, or a path from there to a goal over
//! pieces of its kind, is then a bit of a number that is at hand. Instructions are first written as
//! if all such tests were made at that cell. Then the possible contents of cells are followed
//! through them, and if another test turns out to be made elsewhere, or its piece to be moved, they
//! are written again without it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use super::lines::Clauses;
use crate::bits::Bits;
use crate::bytecode::{
    Bytecode, CellSet, Cells, Inst, Kept, Known, Links, MOST_KEPT, RowTest, Rows, follow,
};
use crate::description::Piece;
use crate::program::Step;

/// Most words of the masks of a cell for which a comparison is faster than kept numbers.
const MOST_COMPARED: usize = 8;
/// Most tests of a piece.
const MOST_TESTS: u8 = 30;

/// A test of a piece that has just been put.
#[derive(Debug)]
pub(super) struct Asked {
    piece: Piece,
    of: What,
}

#[derive(Debug)]
enum What {
    /// A number of such pieces in a row, on one of these lines.
    Row(RowTest, Lines),
    /// A group that touches a goal, given the neighbours of each cell.
    Goal(CellSet, Vec<CellSet>),
}

impl Asked {
    /// Approximate bytes of the test.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = match &self.of {
            What::Row(_, lines) => lines.iter().flatten().map(|line| size_of_val(&**line)).sum(),
            What::Goal(_, near) => size_of_val(&**near),
        };
        (size_of::<Asked>() + bytes) as u64
    }
}

/// For each direction the lines, as cells.
type Lines = Vec<Vec<Vec<u16>>>;

/// A test: the index of its piece among those with kept numbers, and its bit.
pub(super) type Test = (u8, u8);

impl<const W: usize> Compiler<W> {
    /// The test of a walk that must lead somewhere, if it is a path to a goal over pieces of a
    /// kind.
    pub(super) fn goal_asked(&self, forward: &[Step<W>]) -> Option<Asked> {
        let [Step::Flood { rows, class }, Step::Within(goal)] = forward else { return None };
        if const { W > kernel::MAX_NATIVE_WORDS } {
            return None;
        }
        let both_ways = |(cell, row): (usize, &Bits<W>)| {
            row.iter().all(|near| rows[usize::from(near)].contains(cell as u16))
        };
        let piece = self.lone_piece(*class)?;
        let mut near: Vec<CellSet> = rows.iter().map(|set| set.resized()).collect();
        near.resize(64 * self.words, CellSet::EMPTY);
        let of = What::Goal(goal.resized(), near);
        rows.iter().enumerate().all(both_ways).then_some(Asked { piece, of })
    }

    /// The test of a walk that must lead somewhere, if it looks for rows of a piece.
    pub(super) fn row_asked(&mut self, forward: &[Step<W>]) -> Option<Asked> {
        if const { W > kernel::MAX_NATIVE_WORDS } {
            return None;
        }
        let clauses = self.clauses(forward)?;
        self.work += clauses.iter().map(Vec::len).sum::<usize>() as u64;
        let most = clauses.iter().map(Vec::len).max().unwrap_or(0);
        if self.words * most <= MOST_COMPARED {
            return None;
        }
        // On a board with one other piece, that piece may be the one that must not stand at the
        // ends.
        let mut classes = clauses.iter().flatten().next()?.iter().map(|&(class, _)| class);
        classes.find_map(|class| self.rows_of(&clauses, class))
    }

    /// The test for rows of the piece of a class, if some clauses contain no more than that.
    fn rows_of(&self, clauses: &Clauses<W>, class: u32) -> Option<Asked> {
        let piece = self.lone_piece(class)?;
        let is_other = |class: u32| {
            let pieces = &self.classes[class as usize].pieces;
            pieces.len() + 1 == self.pieces && !pieces.contains(&piece)
        };
        let exact = clauses.iter().flatten().any(|clause| clause.len() > 1);
        let mut rows: Vec<Vec<RequiredPieces<W>>> = Vec::new();
        for (cell, clauses) in (0..).zip(clauses) {
            let mut here = Vec::new();
            for clause in clauses {
                let mut stones = RequiredPieces { on: Bits::single(cell), off: Bits::EMPTY };
                for &(other, cells) in clause {
                    if other == class {
                        stones.on = stones.on.or(cells);
                    } else if is_other(other) {
                        stones.off = cells;
                    } else {
                        return None;
                    }
                }
                // The piece has been put on this cell.
                if !stones.off.contains(cell) {
                    here.push(stones);
                }
            }
            rows.push(if exact { here } else { least(here) });
        }
        let (long, lines) = lines(&rows, exact, &self.numbers, self.all)?;
        Some(Asked { piece, of: What::Row(RowTest { long, exact }, lines) })
    }

    /// The only piece of a class.
    fn lone_piece(&self, class: u32) -> Option<Piece> {
        match *self.classes[class as usize].pieces {
            [piece] => Some(piece),
            _ => None,
        }
    }
}

/// Adds a test to those that are read from kept numbers.
pub(super) fn add(asked: &Asked, kept: &mut Vec<Kept>) -> Option<Test> {
    let numbers = kept.iter().map(Kept::numbers).sum::<usize>();
    let of = kept.iter().position(|kept| kept.piece == asked.piece).unwrap_or_else(|| {
        kept.push(Kept { piece: asked.piece, rows: Vec::new(), links: Vec::new(), tests: 0 });
        kept.len() - 1
    });
    let Kept { rows, links, tests, .. } = &mut kept[of];
    let has_room = |more: usize| numbers + more <= MOST_KEPT;
    let bit = match &asked.of {
        What::Row(test, lines) => {
            if !rows.iter().any(|known| known.lines == *lines) {
                let new = Rows { lines: lines.clone(), tests: Vec::new() };
                has_room(new.numbers()).then(|| rows.push(new))?;
            }
            let of = rows.iter_mut().find(|known| known.lines == *lines)?;
            bit_of(&mut of.tests, *test, tests)?
        }
        What::Goal(goal, near) => {
            if !links.iter().any(|known| known.near == *near) {
                let new = Links { near: near.clone(), tests: Vec::new() };
                has_room(new.numbers()).then(|| links.push(new))?;
            }
            let of = links.iter_mut().find(|known| known.near == *near)?;
            bit_of(&mut of.tests, *goal, tests)?
        }
    };
    Some((of as u8, bit))
}

/// The bit of a test among others, which is added to all bits of its piece; `None` if there are too
/// many.
fn bit_of<T: PartialEq>(tests: &mut Vec<(T, u8)>, asked: T, all: &mut u8) -> Option<u8> {
    if let Some((_, bit)) = tests.iter().find(|(known, _)| *known == asked) {
        return Some(*bit);
    }
    let bit = *all;
    *all = (bit < MOST_TESTS).then_some(bit + 1)?;
    tests.push((asked, bit));
    Some(bit)
}

/// The tests that are made elsewhere than at the cell where their piece has just been put, or whose
/// piece is not only put.
pub(super) fn misplaced(bytecode: &Bytecode) -> FxHashSet<Test> {
    if bytecode.kept.is_empty() {
        return FxHashSet::default();
    }
    let known = follow(bytecode);
    let only = only_put(bytecode, &known);
    let asked = bytecode.code.iter().zip(&known).filter_map(|(ins, known)| match *ins {
        Inst::IfKept { kept, bit, .. } => Some((kept, bit, (*known)?)),
        _ => None,
    });
    let misplaced = asked.filter(|(kept, _, known)| {
        let piece = bytecode.kept[usize::from(*kept)].piece;
        known.last != Some(piece) || !only.has(piece)
    });
    misplaced.map(|(kept, bit, _)| (kept, bit)).collect()
}

/// The pieces that are only put, each on a cell with another piece that has no kept numbers.
fn only_put(bytecode: &Bytecode, known: &[Option<Known>]) -> Cells {
    let mut only = Cells::ALL;
    for (ins, known) in bytecode.code.iter().zip(known) {
        let Some(known) = known else { continue };
        only = match *ins {
            // A piece that may be taken back during play is not only put.
            Inst::PutNoted(piece) if known.is_open => {
                only.without(known.cell).without(Cells::of([piece]))
            }
            Inst::Put(_) | Inst::PutNoted(_) => only.without(known.cell),
            Inst::Try(_) => Cells::of([]),
            _ => only,
        };
    }
    if bytecode.ways.iter().any(|way| way.put.is_some()) { Cells::of([]) } else { only }
}

/// Cells that must hold pieces of a kind, the piece just put among them, and cells that must not.
#[derive(Clone, Copy)]
struct RequiredPieces<const W: usize> {
    on: Bits<W>,
    off: Bits<W>,
}

/// Removes those that require more than another.
fn least<const W: usize>(mut rows: Vec<RequiredPieces<W>>) -> Vec<RequiredPieces<W>> {
    rows.sort_unstable_by_key(|row| row.on.len());
    let mut kept: Vec<RequiredPieces<W>> = Vec::new();
    for row in rows {
        if !kept.iter().any(|less| less.on.without(row.on).is_empty()) {
            kept.push(row);
        }
    }
    kept
}

/// A row of pieces, by the numbers of its cells (see [`Layout::numbers`](crate::layout::Layout)):
/// their distance, the first, and flags for ends before and behind it that must not hold such
/// pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    by: u16,
    first: u16,
    ends: (bool, bool),
}

impl Row {
    /// The row with these ascending numbers, if their distances are equal, and with these cells
    /// that must not hold pieces.
    fn of(numbers: &[u16], off: &[u16]) -> Option<Row> {
        let (first, by) = (numbers[0], numbers.get(1)? - numbers[0]);
        let even = by > 0 && numbers.windows(2).all(|two| two[1] - two[0] == by);
        let (before, behind) = (first.checked_sub(by), numbers.last()?.checked_add(by));
        let has = |end: Option<u16>| end.is_some_and(|end| off.contains(&end));
        let ends = (has(before), has(behind));
        let all = usize::from(ends.0) + usize::from(ends.1) == off.len();
        (even && all).then_some(Row { by, first, ends })
    }

    fn numbers(self, long: usize) -> impl Iterator<Item = u16> {
        (0..long as u16).map(move |i| self.first + i * self.by)
    }
}

/// The length of some rows through each cell, and the lines of which they are all rows. No such
/// piece may stand at the ends of exact rows.
fn lines<const W: usize>(
    rows: &[Vec<RequiredPieces<W>>],
    exact: bool,
    numbers: &[u16],
    all: Bits<W>,
) -> Option<(usize, Lines)> {
    let mut cell_of: BTreeMap<u16, u16> = BTreeMap::new();
    for cell in all {
        if cell_of.insert(numbers[usize::from(cell)], cell).is_some() {
            return None; // larger than numbers are
        }
    }
    let numbers_of = |cells: Bits<W>| {
        let mut of: Vec<u16> = cells.iter().map(|cell| numbers[usize::from(cell)]).collect();
        of.sort_unstable();
        of
    };
    // The rows through each number.
    let mut asked: FxHashMap<u16, FxHashSet<Row>> = FxHashMap::default();
    let mut long = None;
    for (&number, &cell) in &cell_of {
        for row in &rows[usize::from(cell)] {
            let of_row = numbers_of(row.on);
            if *long.get_or_insert(of_row.len()) != of_row.len() {
                return None;
            }
            asked.entry(number).or_default().insert(Row::of(&of_row, &numbers_of(row.off))?);
        }
    }
    let long = long?;
    // By direction, the cells that have another one behind them in any row.
    let mut behind: BTreeMap<u16, FxHashSet<u16>> = BTreeMap::new();
    for row in asked.values().flatten() {
        behind.entry(row.by).or_default().extend(row.numbers(long - 1));
    }
    let mut through: FxHashMap<u16, FxHashSet<Row>> = FxHashMap::default();
    let mut directions = Vec::new();
    for (&by, steps) in &behind {
        let mut lines = Vec::new();
        for &first in cell_of.keys().filter(|&first| steps.contains(first)) {
            if first.checked_sub(by).is_some_and(|before| steps.contains(&before)) {
                continue;
            }
            let mut line = vec![first];
            while let Some(last) = line.last().filter(|last| steps.contains(last)) {
                line.push(last + by);
            }
            for (at, row) in line.windows(long).enumerate() {
                let ends = (exact && at > 0, exact && at + long < line.len());
                let row = Row { by, first: row[0], ends };
                for number in row.numbers(long) {
                    through.entry(number).or_default().insert(row);
                }
            }
            let cells: Option<Vec<u16>> = line.iter().map(|n| cell_of.get(n).copied()).collect();
            lines.push(cells?);
        }
        directions.push(lines);
    }
    (through == asked).then_some((long, directions))
}

//! Patterns that are lists of "all of these cells hold such pieces", compared without a branch.

use super::Cells;
use crate::program::Masks;

/// The clauses of each cell.
#[derive(Debug)]
pub(crate) struct Clauses {
    cells: [Cells; 2],
    table: Table,
}

/// Masks of cells. Where there is one class, each cell has a fixed number of them, the same again and
/// again, so that no loop ends sooner than another; besides, the cells that have any.
#[derive(Debug)]
enum Table {
    Four(Box<[[u64; 4]; 64]>, u64),
    Sixteen(Box<[[u64; 16]; 64]>, u64),
    /// Those of two classes, and where those of each cell begin.
    Pairs(Box<[[u64; 2]]>, Box<[u16; 65]>),
}

impl Clauses {
    /// From masks of one or two classes; none where there are too many.
    pub(crate) fn new(masks: &Masks, cells: [Cells; 2]) -> Option<Clauses> {
        let of = |cell: usize| -> &[u64] {
            let (start, end) = masks.ranges.get(cell).copied().unwrap_or_default();
            masks.firsts.get(start as usize..end as usize).unwrap_or_default()
        };
        let most = (0..64).map(|cell| of(cell).len()).max().unwrap_or(0);
        let table = if !masks.seconds.is_empty() {
            let pairs = masks.firsts.iter().zip(&masks.seconds).map(|(&a, &b)| [a, b]).collect();
            let mut starts = [0; 65];
            for (cell, &(start, end)) in masks.ranges.iter().enumerate().take(64) {
                starts[cell] = u16::try_from(start).ok()?;
                starts[cell + 1..].fill(u16::try_from(end).ok()?);
            }
            Table::Pairs(pairs, Box::new(starts))
        } else if most <= 4 {
            let (table, some) = again(of);
            Table::Four(table, some)
        } else if most <= 16 {
            let (table, some) = again(of);
            Table::Sixteen(table, some)
        } else {
            return None;
        };
        Some(Clauses { cells, table })
    }

    /// The classes, in the order of their masks.
    pub(crate) fn cells(&self) -> [Cells; 2] {
        self.cells
    }

    /// Whether any clause holds at a cell, given the cells without a piece of each class.
    #[inline(always)]
    pub(crate) fn hold(&self, cell: u8, first: u64, second: u64) -> bool {
        let cell = usize::from(cell & 63);
        match &self.table {
            Table::Four(masks, some) => any_within(&masks[cell], first) & (some >> cell) != 0,
            Table::Sixteen(masks, some) => any_within(&masks[cell], first) & (some >> cell) != 0,
            Table::Pairs(pairs, starts) => {
                let range = usize::from(starts[cell])..usize::from(starts[cell + 1]);
                let pairs = pairs.get(range).unwrap_or_default();
                let hit = |[a, b]: &[u64; 2]| u64::from(first & a | second & b == 0);
                pairs.iter().fold(0, |hits, pair| hits | hit(pair)) != 0
            }
        }
    }

    /// The cells of a set at which any clause holds.
    #[inline(always)]
    pub(crate) fn among(&self, set: u64, first: u64, second: u64) -> u64 {
        let (mut rest, mut held) = (set, 0);
        if let Table::Four(masks, some) = &self.table {
            rest &= some;
            while rest != 0 {
                let here = rest.trailing_zeros() % 64;
                held |= any_within(&masks[here as usize], first) << here;
                rest &= rest - 1;
            }
            return held;
        }
        while rest != 0 {
            let here = rest.trailing_zeros() % 64;
            held |= u64::from(self.hold(here as u8, first, second)) << here;
            rest &= rest - 1;
        }
        held
    }
}

/// The masks of each cell as often as there is room for, and the cells that have any.
fn again<'m, const N: usize>(of: impl Fn(usize) -> &'m [u64]) -> (Box<[[u64; N]; 64]>, u64) {
    let (mut table, mut some) = (Box::new([[0; N]; 64]), 0);
    for (cell, masks) in table.iter_mut().enumerate() {
        for (slot, &mask) in masks.iter_mut().zip(of(cell).iter().cycle()) {
            *slot = mask;
            some |= 1 << cell;
        }
    }
    (table, some)
}

/// 1 if any mask has nothing in common with a set, or 0.
#[inline(always)]
fn any_within<const N: usize>(masks: &[u64; N], without: u64) -> u64 {
    if N <= 4 {
        return masks.iter().fold(0, |hits, mask| hits | u64::from(without & mask == 0));
    }
    // What is below the lowest bit, which is all bits where there is none: many of these are quicker
    // than as many comparisons.
    let below = |word: u64| !word & word.wrapping_sub(1);
    masks.iter().fold(0, |hits, mask| hits | below(without & mask)) >> 63
}

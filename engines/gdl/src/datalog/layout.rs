//! The layout of relations in the store: how their tuples are numbered, and by which columns their
//! rows are found.

use super::rows::WORD_BYTES;

/// Of which tuples a relation keeps rows beside the bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowPolicy {
    All,
    Nothing,
    /// The tuples whose bit is not set from this word on: of `next`, those that are not true
    /// already.
    New(u32),
}

/// Tables over possible tuples or keys are not made larger than this, in entries.
const MAX_BITS: u64 = 1 << 20;
const MAX_HEADS: u64 = 1 << 16;

/// The values that a column can hold: `low..low + size`, or anything at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Range { low: u32, size: u32 },
    Anything,
}

/// The number of a tuple among all possible ones: the sum over columns of
/// `(value - low) * multiplier`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dense {
    pub(crate) columns: Vec<DenseColumn>,
    /// One more than the largest number.
    pub(crate) size: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DenseColumn {
    pub(crate) column: usize,
    pub(crate) low: u32,
    pub(crate) size: u32,
    pub(crate) multiplier: u32,
    /// One part in `multiplier`, rounded up, in units of `1 / 2^SHIFT`: divides numbers of tuples
    /// that are kept as bits, which are below 2^20, without an error.
    reciprocal: u64,
}

const SHIFT: u32 = 44;

impl Dense {
    /// The numbering of these columns' values, if there are at most `limit` combinations.
    pub(crate) fn new(all: &[Column], columns: &[usize], limit: u64) -> Option<Dense> {
        let mut total = 1u64;
        let mut dense = Vec::with_capacity(columns.len());
        for &column in columns.iter().rev() {
            let Column::Range { low, size } = all[column] else { return None };
            let (multiplier, reciprocal) = (total as u32, (1 << SHIFT) / total + 1);
            dense.push(DenseColumn { column, low, size, multiplier, reciprocal });
            total = total.checked_mul(u64::from(size)).filter(|&t| t <= limit)?;
        }
        dense.reverse();
        Some(Dense { columns: dense, size: total as u32 })
    }

    /// The number of a row's values; `None` if one is out of range.
    pub(crate) fn number(&self, row: &[u32]) -> Option<usize> {
        let mut number = 0;
        for c in &self.columns {
            let offset = row[c.column].wrapping_sub(c.low);
            if offset >= c.size {
                return None;
            }
            number += offset * c.multiplier;
        }
        Some(number as usize)
    }

    /// The values of the columns, in order, that have this number, which is below 2^20.
    pub(crate) fn tuple(&self, number: u32) -> impl Iterator<Item = u32> {
        debug_assert!(u64::from(number) < MAX_BITS);
        let mut rest = number;
        self.columns.iter().map(move |c| {
            let value = ((u64::from(rest) * c.reciprocal) >> SHIFT) as u32;
            rest -= value * c.multiplier;
            value + c.low
        })
    }
}

/// The index by which rows are found by some of their columns.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) columns: Vec<usize>,
    /// Numbering of the keys and where their chains' heads begin; else the keys are hashed.
    pub(crate) dense: Option<(Dense, u32)>,
}

/// The layout of a relation in the store.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) columns: Vec<Column>,
    /// Numbering of the tuples and the first word of their bits; else there is an index over all
    /// columns, the first.
    pub(crate) bits: Option<(Dense, u32)>,
    pub(crate) indexes: Vec<Index>,
    /// The rows that are kept; only bits are of the others, and the number of tuples.
    pub(crate) keep: RowPolicy,
    /// The first of the numbers of derivations of its tuples, if they are counted.
    pub(crate) counts: Option<u32>,
    /// Tables over keys are not made larger than this.
    most_heads: u64,
}

/// The layouts of all relations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layouts {
    pub(crate) relations: Vec<Layout>,
    /// Bits that relations may take which are larger than most.
    spare: u64,
    pub(super) words: u32,
    pub(super) heads: u32,
    pub(super) counts: u32,
}

impl Layout {
    /// Words of a row: its columns, and for each index the place of the row before it with the same
    /// key. At least one, so that rows have places even where they have no columns.
    pub(super) fn stride(&self) -> usize {
        (self.columns.len() + self.indexes.len()).max(1)
    }

    /// Bytes that a row takes, with the room that is left for others.
    pub(crate) fn row_bytes(&self) -> u64 {
        let hashed = self.indexes.iter().filter(|index| index.dense.is_none()).count();
        (WORD_BYTES * self.stride() + 12 * hashed) as u64
    }

    /// True if it can be asked for a tuple.
    pub(crate) fn is_set(&self) -> bool {
        self.bits.is_some() || !self.indexes.is_empty()
    }
}

impl Layouts {
    /// For relations of which those that are larger than most may have bits too, which are found
    /// faster than rows, as long as all take no more than an eighth of so many bytes.
    pub(crate) fn with_room(bytes: u64) -> Layouts {
        Layouts { spare: bytes.min(1 << 31), ..Layouts::default() }
    }

    /// Adds a relation and returns its number.
    pub(crate) fn add(&mut self, columns: Vec<Column>) -> usize {
        let all: Vec<usize> = (0..columns.len()).collect();
        let bits = Dense::new(&columns, &all, MAX_BITS.max(self.spare)).map(|dense| {
            let at = self.words;
            self.spare = self.spare.saturating_sub(dense.size.into());
            self.words += dense.size.div_ceil(64);
            (dense, at)
        });
        let indexes =
            if bits.is_some() { vec![] } else { vec![Index { columns: all, dense: None }] };
        self.push(columns, bits, indexes, MAX_HEADS)
    }

    /// Adds a relation that takes every row for new, so many in all.
    pub(crate) fn add_bag(&mut self, columns: Vec<Column>, rows: u32) -> usize {
        self.push(columns, None, Vec::new(), MAX_HEADS.max(4 * u64::from(rows)))
    }

    fn push(
        &mut self,
        columns: Vec<Column>,
        bits: Option<(Dense, u32)>,
        indexes: Vec<Index>,
        most_heads: u64,
    ) -> usize {
        let (keep, counts) = (RowPolicy::All, None);
        self.relations.push(Layout { columns, bits, indexes, keep, counts, most_heads });
        self.relations.len() - 1
    }

    /// Counts the derivations of the tuples of a relation that is kept with bits.
    pub(crate) fn count(&mut self, relation: usize) {
        let layout = &mut self.relations[relation];
        if let (Some((dense, _)), None) = (&layout.bits, layout.counts) {
            layout.counts = Some(self.counts);
            self.counts += dense.size;
        }
    }

    /// The index over these columns, which are in order; new or known.
    pub(crate) fn index(&mut self, relation: usize, columns: &[usize]) -> usize {
        let layout = &mut self.relations[relation];
        if let Some(known) = layout.indexes.iter().position(|i| i.columns == columns) {
            return known;
        }
        let dense = Dense::new(&layout.columns, columns, layout.most_heads).map(|dense| {
            let at = self.heads;
            self.heads += dense.size;
            (dense, at)
        });
        layout.indexes.push(Index { columns: columns.to_vec(), dense });
        layout.indexes.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::SmallVec;

    #[test]
    fn tuples_have_their_numbers() {
        for sizes in [&[7, 1, 9][..], &[1 << 20], &[1023, 1025], &[3, 5, 7, 11, 13, 17], &[2; 20]] {
            let columns: Vec<Column> =
                (1..).zip(sizes).map(|(low, &size)| Column::Range { low, size }).collect();
            let all: Vec<usize> = (0..columns.len()).collect();
            let dense = Dense::new(&columns, &all, MAX_BITS).unwrap();
            for number in 0..dense.size {
                let row: SmallVec<[u32; 32]> = dense.tuple(number).collect();
                assert_eq!(dense.number(&row), Some(number as usize), "{sizes:?}");
            }
        }
    }
}

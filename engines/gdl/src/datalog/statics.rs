//! Relations that do not change, as tables made for the questions that rules ask them.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::layout::{Column, Dense};

/// Entries of a table by key.
const MAX_KEYS: u64 = 1 << 20;
/// Bits of a set.
const MAX_BITS: u64 = 1 << 24;

/// The rows of relations that do not change, by flat relation; sorted.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    /// Columns and rows by relation; `None` for relations that change.
    pub(crate) relations: Vec<Option<Extent>>,
}

/// The rows of one relation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) columns: Vec<Column>,
    /// Row after row.
    pub(crate) values: Vec<u32>,
    pub(crate) len: usize,
}

impl Extent {
    /// From rows in any order.
    pub(crate) fn new<'a>(rows: impl Iterator<Item = &'a [u32]>, arity: usize) -> Extent {
        let mut rows: Vec<&[u32]> = rows.collect();
        rows.sort_unstable();
        rows.dedup();
        let columns = (0..arity)
            .map(|c| {
                let low = rows.iter().map(|row| row[c]).min().unwrap_or(0);
                let high = rows.iter().map(|row| row[c]).max().unwrap_or(0);
                Column::Range { low, size: high - low + 1 }
            })
            .collect();
        Extent { columns, values: rows.concat(), len: rows.len() }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len).map(|row| self.row(row))
    }

    fn row(&self, row: usize) -> &[u32] {
        let arity = self.columns.len();
        &self.values[row * arity..][..arity]
    }

    /// True if the row is there, found by halving.
    pub(crate) fn contains(&self, row: &[u32]) -> bool {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            match self.row(middle).cmp(row) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return true,
                Ordering::Greater => high = middle,
            }
        }
        false
    }
}

/// Rows of a static relation, reduced to some columns, by key.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Number of columns kept.
    pub(crate) stride: usize,
    /// Row after row; those of one key stand together.
    pub(crate) values: Vec<u32>,
    pub(crate) keys: Keys,
    /// Number of rows.
    pub(crate) len: u32,
    /// True if no key has two rows.
    pub(crate) unique: bool,
}

/// The index from keys to rows.
#[derive(Clone, Debug)]
pub(crate) enum Keys {
    /// By the number of the key: where its rows begin; those of the next begin where they end.
    Dense(Dense, Vec<u32>),
    /// By the key: where its rows begin and end.
    Hashed(FxHashMap<Box<[u32]>, (u32, u32)>),
}

impl Table {
    /// Rows of `extent` by the columns `key`, reduced to the columns `kept`; each once.
    pub(crate) fn new(extent: &Extent, key: &[usize], kept: &[usize]) -> Table {
        let mut rows: Vec<(Projection, Projection)> =
            extent.rows().map(|row| (pick(row, key), pick(row, kept))).collect();
        rows.sort_unstable();
        rows.dedup();
        let unique = rows.windows(2).all(|pair| pair[0].0 != pair[1].0);
        let dense = Dense::new(&extent.columns, key, MAX_KEYS);
        let keys = if let Some(dense) = dense {
            let mut starts = vec![0u32; dense.size as usize + 1];
            for row in extent_keys(&rows, key, extent.columns.len()) {
                if let Some(number) = dense.number(&row) {
                    starts[number + 1] += 1;
                }
            }
            for i in 1..starts.len() {
                starts[i] += starts[i - 1];
            }
            Keys::Dense(dense, starts)
        } else {
            let mut map: FxHashMap<Box<[u32]>, (u32, u32)> = FxHashMap::default();
            for (i, (key, _)) in rows.iter().enumerate() {
                map.entry(key.as_slice().into()).or_insert((i as u32, 0)).1 = i as u32 + 1;
            }
            Keys::Hashed(map)
        };
        let values: Vec<u32> = rows.iter().flat_map(|(_, kept)| kept.iter().copied()).collect();
        Table { stride: kept.len(), values, keys, len: rows.len() as u32, unique }
    }
}

/// Some columns of a row.
type Projection = SmallVec<[u32; 4]>;

fn pick(row: &[u32], columns: &[usize]) -> Projection {
    columns.iter().map(|&c| row[c]).collect()
}

/// The keys put back into rows of full width, as [`Dense::number`] wants them. Numbers grow with
/// keys, so that sorted rows stand in the order of their numbers.
fn extent_keys<'a>(
    rows: &'a [(Projection, Projection)],
    key: &'a [usize],
    arity: usize,
) -> impl Iterator<Item = Vec<u32>> + 'a {
    rows.iter().map(move |(values, _)| {
        let mut row = vec![0; arity];
        for (&column, &value) in key.iter().zip(values) {
            row[column] = value;
        }
        row
    })
}

/// The tuples of a static relation as bits, if there are not too many possible ones.
pub(crate) fn bits(extent: &Extent) -> Option<(Dense, Vec<u64>)> {
    let all: Vec<usize> = (0..extent.columns.len()).collect();
    let dense = Dense::new(&extent.columns, &all, MAX_BITS)?;
    let mut bits = vec![0; dense.size.div_ceil(64) as usize];
    for row in extent.rows() {
        if let Some(number) = dense.number(row) {
            bits[number / 64] |= 1 << (number % 64);
        }
    }
    Some((dense, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_each_reduced_row_once_under_its_key() {
        let rows: Vec<Vec<u32>> = (0..60).map(|i| vec![i % 6, i % 4, i % 5]).collect();
        let extent = Extent::new(rows.iter().map(Vec::as_slice), 3);
        assert_eq!(extent.len, 60);
        assert!(rows.iter().all(|row| extent.contains(row)) && !extent.contains(&[1, 2, 3]));
        let table = Table::new(&extent, &[0], &[1]);
        let Keys::Dense(dense, starts) = &table.keys else { panic!("{:?}", table.keys) };
        for key in 0..6 {
            let at = dense.number(&[key, 0, 0]).unwrap();
            let found = &table.values[starts[at] as usize..starts[at + 1] as usize];
            let expected: Vec<u32> = (0..4).filter(|v| v % 2 == key % 2).collect();
            assert_eq!(found, expected);
        }
        assert!(!table.unique && Table::new(&extent, &[0, 1, 2], &[]).unique);
        assert_eq!(Table::new(&extent, &[], &[]).len, 1, "only asked whether there is a row");
    }

    #[test]
    fn wide_keys_are_hashed() {
        let rows: Vec<Vec<u32>> = (0..50).map(|i| vec![i * 1_000_003, i % 3]).collect();
        let extent = Extent::new(rows.iter().map(Vec::as_slice), 2);
        let table = Table::new(&extent, &[0], &[1]);
        let Keys::Hashed(map) = &table.keys else { panic!("{:?}", table.keys) };
        let (start, end) = map[&[7 * 1_000_003][..]];
        assert_eq!((&table.values[start as usize..end as usize], table.unique), (&[1][..], true));
        assert!(bits(&extent).is_none());
    }
}

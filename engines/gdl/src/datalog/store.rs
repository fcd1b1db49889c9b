//! The store of relations that change: flat rows, a bit a possible tuple to know which are there,
//! and chains of rows by key. Where a table over all possible keys would be too large, hashing
//! takes its place.

use std::ops::Range;

use smallvec::SmallVec;

use super::layout::{Dense, Index, Layout, Layouts, RowPolicy};
use super::pool::Pool;
use super::rows::Rows;

/// End of a chain.
pub(crate) const NONE: u32 = u32::MAX;

impl Layouts {
    /// An empty store.
    pub(crate) fn store(&self, pool: Pool) -> Store {
        let rows = |layout: &Layout| {
            let (values, stride) = (Vec::new(), layout.stride() as u32);
            Rows { values, stride, len: 0, heads: vec![Vec::new(); layout.indexes.len()] }
        };
        let relations = self.relations.iter().map(rows).collect();
        Store {
            relations,
            bits: vec![0; self.words as usize],
            heads: vec![NONE; self.heads as usize],
            maintenance: Counts {
                derivations: vec![0; self.counts as usize],
                touched: vec![Vec::new(); self.relations.len()],
                changes: vec![0; self.relations.len()],
                whole: false,
            },
            pool,
        }
    }
}

/// The tuples of all relations.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) relations: Vec<Rows>,
    pub(crate) bits: Vec<u64>,
    pub(crate) heads: Vec<u32>,
    pub(crate) maintenance: Counts,
    pub(crate) pool: Pool,
}

/// The counts of relations that are kept from state to state, see `maintenance`.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// By tuple, see [`Layout::counts`].
    pub(crate) derivations: Vec<u32>,
    /// By relation: numbers of tuples that have got a first derivation, or lost the last.
    pub(crate) touched: Vec<Vec<u32>>,
    /// By relation: how often a tuple came or went.
    pub(crate) changes: Vec<u32>,
    /// True if they hold what follows from the facts that they were last brought up to.
    pub(crate) whole: bool,
}

impl Store {
    /// The columns of a row, given its place.
    pub(crate) fn row(&self, layouts: &Layouts, relation: usize, place: u32) -> &[u32] {
        let arity = layouts.relations[relation].columns.len();
        &self.relations[relation].values[place as usize..][..arity]
    }

    /// All rows of a relation in the order of their insertion, each with its place.
    pub(crate) fn rows<'a>(
        &'a self,
        layouts: &'a Layouts,
        relation: usize,
    ) -> impl Iterator<Item = (u32, &'a [u32])> {
        let Rows { values, stride, .. } = &self.relations[relation];
        let arity = layouts.relations[relation].columns.len();
        let rows = values.chunks_exact(*stride as usize).enumerate();
        rows.map(move |(i, row)| (i as u32 * stride, &row[..arity]))
    }

    /// Adds a row unless it is there; whether it was added. Values out of their column's range are
    /// a fault of the analysis and are refused.
    pub(crate) fn insert(&mut self, layouts: &Layouts, relation: usize, row: &[u32]) -> bool {
        let layout = &layouts.relations[relation];
        if let Some((dense, at)) = &layout.bits {
            let Some(number) = dense.number(row) else {
                debug_assert!(false, "{row:?} is out of the range of {layout:?}");
                return false;
            };
            let word = &mut self.bits[*at as usize + number / 64];
            if *word >> (number % 64) & 1 == 1 {
                return false;
            }
            *word |= 1 << (number % 64);
        } else if layout.is_set() && self.find_hashed(layouts, relation, 0, row).is_some() {
            return false;
        }
        self.push(layout, relation, row);
        true
    }

    /// Adds a row to a relation that takes every row for new.
    pub(crate) fn append(&mut self, layouts: &Layouts, relation: usize, row: &[u32]) {
        self.push(&layouts.relations[relation], relation, row);
    }

    /// Adds a row that is known not to be there, and whose bit is set.
    fn push(&mut self, layout: &Layout, relation: usize, row: &[u32]) {
        let known = match (layout.keep, &layout.bits) {
            (RowPolicy::New(word), Some((dense, _))) => dense.number(row).is_some_and(|number| {
                self.bits[word as usize + number / 64] >> (number % 64) & 1 == 1
            }),
            (keep, _) => keep == RowPolicy::Nothing,
        };
        let rows = &mut self.relations[relation];
        if known {
            rows.len += 1;
            return;
        }
        let place = rows.values.len();
        rows.make_room();
        rows.values.extend_from_slice(row);
        rows.values.resize(place + rows.stride as usize, NONE);
        rows.len += 1;
        for i in 0..layout.indexes.len() {
            self.link(layout, relation, i, place);
        }
    }

    /// Calls `found` for each number in a range whose bit is set, in order. `word` is where the
    /// relation's bits begin.
    pub(crate) fn numbers(&self, word: usize, range: Range<usize>, found: &mut impl FnMut(u32)) {
        let first = range.start / 64;
        let words = &self.bits[word + first..word + range.end.div_ceil(64).max(first)];
        // Most are empty.
        for (eight, words) in (first..).step_by(8).zip(words.chunks(8)) {
            if words.iter().fold(0, |all, bits| all | bits) == 0 {
                continue;
            }
            for (at, &bits) in (eight..).zip(words) {
                let mut bits = bits;
                if at * 64 < range.start {
                    bits &= !0 << (range.start % 64);
                }
                if range.end < at * 64 + 64 {
                    bits &= !(!0 << (range.end % 64));
                }
                while bits != 0 {
                    found(at as u32 * 64 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Puts a row that is stored already into a hashed index.
    pub(crate) fn link_hashed(&mut self, layouts: &Layouts, relation: usize, i: usize, place: u32) {
        let layout = &layouts.relations[relation];
        let arity = layout.columns.len();
        self.relations[relation].link_hashed(&layout.indexes[i], i, arity, place as usize);
    }

    /// The first row of a hashed index with this key (the values of its columns, in order).
    pub(crate) fn find_hashed(
        &self,
        layouts: &Layouts,
        relation: usize,
        index: usize,
        key: &[u32],
    ) -> Option<u32> {
        let layout = &layouts.relations[relation];
        let columns = &layout.indexes[index].columns;
        let rows = &self.relations[relation];
        let mut place = rows.bucket(index, hash(key.iter().copied()));
        while place != NONE {
            let values = &rows.values[place as usize..];
            if columns.iter().zip(key).all(|(&c, &k)| values[c] == k) {
                return Some(place);
            }
            place = values[layout.columns.len() + index];
        }
        None
    }

    /// Removes all rows.
    pub(crate) fn clear(&mut self, layouts: &Layouts, relation: usize) {
        if self.relations[relation].len == 0 {
            return;
        }
        let layout = &layouts.relations[relation];
        let Store { relations, bits, heads, .. } = self;
        let rows = &mut relations[relation];
        let stride = rows.stride as usize;
        if let Some((dense, at)) = &layout.bits {
            let words = dense.size.div_ceil(64);
            // Row by row where they are few.
            if words > 8 + 4 * rows.len && layout.keep == RowPolicy::All {
                for row in rows.values.chunks_exact(stride) {
                    if let Some(number) = dense.number(row) {
                        bits[*at as usize + number / 64] = 0;
                    }
                }
            } else {
                bits[*at as usize..(at + words) as usize].fill(0);
            }
        }
        for (i, index) in layout.indexes.iter().enumerate() {
            let Some((dense, at)) = &index.dense else {
                rows.heads[i].fill(NONE);
                continue;
            };
            if dense.size > 16 + 4 * rows.len {
                for row in rows.values.chunks_exact(stride) {
                    if let Some(number) = dense.number(row) {
                        heads[*at as usize + number] = NONE;
                    }
                }
            } else {
                heads[*at as usize..(at + dense.size) as usize].fill(NONE);
            }
        }
        rows.values.clear();
        rows.len = 0;
    }

    /// Makes the tuples of `next` those of `is_true`, which has the same columns; then there are
    /// none in `next`.
    pub(crate) fn advance(&mut self, layouts: &Layouts, next: usize, is_true: usize) {
        let [source, target] = [next, is_true].map(|r| &layouts.relations[r]);
        if let (RowPolicy::New(to), Some((dense, from))) = (source.keep, &source.bits) {
            let (to, from) = (to as usize, *from as usize);
            let words = dense.size.div_ceil(64) as usize;
            let gone = (0..words).map(|at| self.bits[to + at] & !self.bits[from + at]);
            let count: u32 = gone.map(u64::count_ones).sum();
            if count > 8 && 8 * count > self.relations[is_true].len {
                self.retain(layouts, is_true, dense, from);
            } else if count > 0 {
                for at in 0..words {
                    let mut gone = self.bits[to + at] & !self.bits[from + at];
                    while gone != 0 {
                        let number = at as u32 * 64 + gone.trailing_zeros();
                        let row: SmallVec<[u32; 8]> = dense.tuple(number).collect();
                        self.remove_row(target, is_true, &row);
                        gone &= gone - 1;
                    }
                }
            }
            self.bits.copy_within(from..from + words, to);
            self.bits[from..from + words].fill(0);
        } else {
            self.clear(layouts, is_true);
            if self.relations[next].len == 0 {
                return;
            }
            if let (Some((dense, from)), Some((_, to))) = (&source.bits, &target.bits) {
                let words = dense.size.div_ceil(64) as usize;
                let (from, to) = (*from as usize, *to as usize);
                self.bits.copy_within(from..from + words, to);
            }
        }
        let values = std::mem::take(&mut self.relations[next].values);
        let stride = self.relations[next].stride as usize;
        for row in values.chunks_exact(stride) {
            self.push(target, is_true, &row[..target.columns.len()]);
        }
        self.relations[next].values = values;
        if let RowPolicy::New(_) = source.keep {
            self.relations[next].values.clear();
            self.relations[next].len = 0;
        } else {
            self.clear(layouts, next);
        }
    }

    /// Adds a tuple that is not there to a relation of which only bits are kept, from this word on,
    /// or takes it out if it is there.
    pub(crate) fn flip(&mut self, relation: usize, word: u32, number: u32) {
        let word = &mut self.bits[(word + number / 64) as usize];
        *word ^= 1 << (number % 64);
        let len = &mut self.relations[relation].len;
        *len = if *word >> (number % 64) & 1 == 1 { *len + 1 } else { *len - 1 };
    }

    /// Adds a tuple that is not there to a relation kept with bits.
    pub(crate) fn add(&mut self, layouts: &Layouts, relation: usize, number: u32, row: &[u32]) {
        let layout = &layouts.relations[relation];
        let Some((_, word)) = layout.bits else { return };
        self.bits[word as usize + number as usize / 64] |= 1 << (number % 64);
        self.push(layout, relation, row);
    }

    /// Takes a tuple that is there out of a relation kept with bits.
    pub(crate) fn take(&mut self, layouts: &Layouts, relation: usize, number: u32, row: &[u32]) {
        let layout = &layouts.relations[relation];
        let Some((_, word)) = layout.bits else { return };
        self.bits[word as usize + number as usize / 64] &= !(1 << (number % 64));
        if layout.keep == RowPolicy::Nothing {
            self.relations[relation].len -= 1;
        } else {
            self.remove_row(layout, relation, row);
        }
    }

    /// Takes a row out, and puts the last one in its place. Its bit is left as it is.
    fn remove_row(&mut self, layout: &Layout, relation: usize, row: &[u32]) {
        let rows = &self.relations[relation];
        let stride = rows.stride as usize;
        let is_it = |place: usize| rows.values[place..][..row.len()] == *row;
        let keyed = layout.indexes.iter().enumerate().find_map(|(i, index)| {
            let (dense, at) = index.dense.as_ref()?;
            Some((row.len() + i, self.heads[*at as usize + dense.number(row)?]))
        });
        let place = match keyed {
            Some((link, mut place)) => {
                while place != NONE && !is_it(place as usize) {
                    place = rows.values[place as usize + link];
                }
                (place != NONE).then_some(place as usize)
            }
            None => (0..rows.values.len()).step_by(stride).find(|&place| is_it(place)),
        };
        let Some(place) = place else { return };
        let last = rows.values.len() - stride;
        for i in 0..layout.indexes.len() {
            let after = self.relations[relation].values[place + row.len() + i];
            self.point(layout, relation, i, place, after);
            if last != place {
                self.point(layout, relation, i, last, place as u32);
            }
        }
        let rows = &mut self.relations[relation];
        rows.values.copy_within(last.., place);
        rows.values.truncate(last);
        rows.len -= 1;
    }

    /// Makes what leads to a row of an index lead elsewhere.
    fn point(&mut self, layout: &Layout, relation: usize, i: usize, place: usize, to: u32) {
        let Store { relations, heads, .. } = self;
        let rows = &mut relations[relation];
        let index = &layout.indexes[i];
        let values = &mut rows.values;
        let head = match &index.dense {
            Some((dense, at)) => {
                dense.number(&values[place..]).map(|number| &mut heads[*at as usize + number])
            }
            None => {
                let hash = hash(index.columns.iter().map(|&c| values[place + c]));
                let buckets = rows.heads[i].len();
                rows.heads[i].get_mut(hash as usize & buckets.wrapping_sub(1))
            }
        };
        let Some(head) = head else { return };
        let link = layout.columns.len() + i;
        let mut at = *head;
        if at == place as u32 {
            *head = to;
            return;
        }
        while at != NONE {
            let next = values[at as usize + link];
            if next == place as u32 {
                values[at as usize + link] = to;
                return;
            }
            at = next;
        }
    }

    /// Keeps the rows of a relation whose bits are set from `word` on. Its own bits are left as
    /// they are.
    fn retain(&mut self, layouts: &Layouts, relation: usize, dense: &Dense, word: usize) {
        let layout = &layouts.relations[relation];
        let Store { relations, heads, bits, .. } = self;
        for (i, index) in layout.indexes.iter().enumerate() {
            match &index.dense {
                Some((dense, at)) => heads[*at as usize..][..dense.size as usize].fill(NONE),
                None => relations[relation].heads[i].fill(NONE),
            }
        }
        let mut values = std::mem::take(&mut relations[relation].values);
        let stride = relations[relation].stride as usize;
        let mut kept = 0;
        for at in (0..values.len()).step_by(stride) {
            let number = dense.number(&values[at..]);
            if number.is_some_and(|n| bits[word + n / 64] >> (n % 64) & 1 == 1) {
                values.copy_within(at..at + stride, kept);
                kept += stride;
            }
        }
        values.truncate(kept);
        relations[relation].len = (kept / stride) as u32;
        relations[relation].values = values;
        for i in 0..layout.indexes.len() {
            for place in (0..kept).step_by(stride) {
                self.link(layout, relation, i, place);
            }
        }
    }

    /// Puts a stored row into an index.
    fn link(&mut self, layout: &Layout, relation: usize, i: usize, place: usize) {
        let Store { relations, heads, .. } = self;
        let rows = &mut relations[relation];
        let (index, arity) = (&layout.indexes[i], layout.columns.len());
        if let Some((dense, at)) = &index.dense {
            let Some(number) = dense.number(&rows.values[place..]) else { return };
            let head = &mut heads[*at as usize + number];
            rows.values[place + arity + i] = *head;
            *head = place as u32;
        } else {
            rows.link_hashed(index, i, arity, place);
        }
    }

    /// Bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let heads = |rows: &Rows| rows.heads.iter().map(Vec::capacity).sum::<usize>();
        let rows = self.relations.iter().map(|rows| rows.values.capacity() + heads(rows));
        let counts = self.maintenance.derivations.len() + self.maintenance.changes.len();
        8 * self.bits.len() + 4 * (self.heads.len() + counts + rows.sum::<usize>())
    }
}

impl Rows {
    /// The last row of a bucket.
    pub(crate) fn bucket(&self, index: usize, hash: u32) -> u32 {
        let heads = &self.heads[index];
        if heads.is_empty() { NONE } else { heads[hash as usize & (heads.len() - 1)] }
    }

    fn link_hashed(&mut self, index: &Index, i: usize, arity: usize, place: usize) {
        if self.heads[i].len() < self.len as usize {
            // Twice as many buckets, and all rows anew.
            let buckets = (2 * self.len as usize).max(16).next_power_of_two();
            self.heads[i].clear();
            self.heads[i].resize(buckets, NONE);
            for place in (0..place).step_by(self.stride as usize) {
                self.link_into_bucket(index, i, arity, place);
            }
        }
        self.link_into_bucket(index, i, arity, place);
    }

    fn link_into_bucket(&mut self, index: &Index, i: usize, arity: usize, place: usize) {
        let values = &mut self.values[place..];
        let hash = hash(index.columns.iter().map(|&c| values[c]));
        let buckets = self.heads[i].len();
        let head = &mut self.heads[i][hash as usize & (buckets - 1)];
        values[arity + i] = *head;
        *head = place as u32;
    }
}

/// Hash of a key.
pub(crate) fn hash(values: impl Iterator<Item = u32>) -> u32 {
    let mut h = 0u64;
    for value in values {
        h = (h.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (h >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::super::layout::Column;
    use super::*;

    /// A relation of three columns, kept with bits or hashed, with an index over two of them.
    fn store(column: Column) -> (Layouts, Store) {
        let mut layouts = Layouts::default();
        layouts.add(vec![column; 3]);
        layouts.add(vec![column; 3]);
        layouts.index(0, &[0, 2]);
        let store = layouts.store(Pool::new(100));
        (layouts, store)
    }

    fn chain(layouts: &Layouts, store: &Store, key: [u32; 2]) -> Vec<Vec<u32>> {
        let index = layouts.relations[0].indexes.len() - 1;
        let rows = &store.relations[0];
        let mut place = match &layouts.relations[0].indexes[index].dense {
            Some((dense, at)) => {
                store.heads[*at as usize + dense.number(&[key[0], 0, key[1]]).unwrap()]
            }
            None => rows.bucket(index, hash(key.into_iter())),
        };
        let mut found = Vec::new();
        while place != NONE {
            let row = store.row(layouts, 0, place);
            if [row[0], row[2]] == key {
                found.push(row.to_vec());
            }
            place = rows.values[place as usize + 3 + index];
        }
        found.sort();
        found
    }

    #[test]
    fn rows_are_kept_once_and_found_by_key_however_they_are_kept() {
        for column in [Column::Range { low: 0, size: 7 }, Column::Anything] {
            let (layouts, mut store) = store(column);
            assert_eq!(layouts.relations[0].bits.is_some(), column != Column::Anything);
            for round in 0..3 {
                // Filled by insertion, then by taking over from another relation.
                let into = usize::from(round == 1);
                let mut expected = Vec::new();
                for i in 0..200u32 {
                    let row = [i % 7, i * i % 5, (i / 7) % 3];
                    let new = !expected.contains(&row.to_vec());
                    assert_eq!(store.insert(&layouts, into, &row), new, "{row:?}");
                    if new {
                        expected.push(row.to_vec());
                    }
                }
                if into == 1 {
                    store.advance(&layouts, 1, 0);
                    assert_eq!((store.relations[1].len, store.rows(&layouts, 1).count()), (0, 0));
                }
                let rows: Vec<Vec<u32>> =
                    store.rows(&layouts, 0).map(|(_, row)| row.to_vec()).collect();
                assert_eq!(rows, expected);
                for key in [[0, 0], [6, 2], [3, 1]] {
                    let mut matching = expected.clone();
                    matching.retain(|row| [row[0], row[2]] == key);
                    matching.sort();
                    assert_eq!(chain(&layouts, &store, key), matching);
                }
                store.clear(&layouts, 0);
                assert_eq!(chain(&layouts, &store, [0, 0]), Vec::<Vec<u32>>::new());
            }
        }
    }

    #[test]
    fn facts_that_stay_keep_their_rows() {
        let (mut layouts, _) = store(Column::Range { low: 0, size: 7 });
        let Some((_, word)) = layouts.relations[0].bits.clone() else { panic!("it has bits") };
        layouts.relations[1].keep = RowPolicy::New(word);
        let mut store = layouts.store(Pool::new(100));
        let (mut facts, mut most) = (Vec::<Vec<u32>>::new(), 0);
        for round in 0..40u32 {
            // Some stay, some go, some come.
            let mut next: Vec<Vec<u32>> =
                facts.iter().filter(|row| (row[0] + round) % 3 != 0).cloned().collect();
            next.extend((0..5).map(|i| vec![(round + i) % 7, round % 5, i * round % 7]));
            next.sort();
            next.dedup();
            for row in &next {
                assert!(store.insert(&layouts, 1, row) && !store.insert(&layouts, 1, row));
            }
            assert_eq!(store.relations[1].len as usize, next.len());
            store.advance(&layouts, 1, 0);
            most = most.max(next.len());
            facts = next;
            let mut rows: Vec<Vec<u32>> =
                store.rows(&layouts, 0).map(|(_, row)| row.to_vec()).collect();
            rows.sort();
            assert_eq!((&rows, store.relations[1].len), (&facts, 0));
            for key in [[0, 0], [6, 2], [3, 1]] {
                let mut matching = facts.clone();
                matching.retain(|row| [row[0], row[2]] == key);
                assert_eq!(chain(&layouts, &store, key), matching);
            }
        }
        assert!(most > 6, "{most}");
    }

    #[test]
    fn a_relation_without_columns_holds_one_row_at_most() {
        let mut layouts = Layouts::default();
        layouts.add(Vec::new());
        let mut store = layouts.store(Pool::new(1));
        assert!(store.insert(&layouts, 0, &[]) && !store.insert(&layouts, 0, &[]));
        assert_eq!(store.rows(&layouts, 0).count(), 1);
        store.clear(&layouts, 0);
        assert!(store.insert(&layouts, 0, &[]));
    }
}

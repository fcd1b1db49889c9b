//! The innermost loop of a rule in one operation, where it goes through rows of a relation, tests
//! them and derives a tuple from each, with the same columns in the same places: then the bits of
//! the rows stand side by side, and so do those of what is derived, and are taken over word by
//! word. What the rows are tested for are bits too: those of another relation, or masks made
//! beforehand.

use smallvec::SmallVec;

use super::code::{BitScan, Code, CodeRange, Filter, Key, Move, Op, Part};
use super::layout::{Dense, DenseColumn, Layouts};

/// Bits that are gone through at most where rows are tested, and where rows by key are found among
/// all.
const MAX_FILTERED: u32 = 1 << 12;
const MAX_AMONG_ALL: u32 = 1 << 10;
/// Bits of one mask for all keys, and of all masks.
const MAX_MASK: u64 = 1 << 19;
const MAX_MASKS: u64 = 1 << 21;

/// The value of a column that is known before the loop begins.
#[derive(Clone, Copy)]
enum Known {
    Register(u32),
    /// The value less the least one.
    Offset(u32),
}

/// The bits that a loop goes through: each stands for values of columns, some of which are loaded.
struct Bits<'a> {
    dense: &'a Dense,
    /// By column that is loaded: the register.
    loads: Vec<Move>,
    /// The other columns, if the bits are those of all rows; else the bits are those of rows that
    /// have the known values in their first columns.
    known: Vec<(usize, Known)>,
    len: u32,
}

/// Makes one operation of the loop at this place, if it is of that form; whether it was. With
/// `copies` it has to derive the very tuples of the rows, as far as numbers say.
pub(crate) fn innermost(code: &mut Code, layouts: &Layouts, at: usize, copies: bool) -> bool {
    let lengths = (code.parts.len(), code.filters.len(), code.masks.len());
    if let Some(bit_scan) = make(code, layouts, at)
        && (!copies || code.is_same(bit_scan.source, bit_scan.target))
        && let Op::Scan { back, .. } | Op::Chain { back, .. } = code.ops[at]
    {
        code.ops[at] = Op::BitScan { bit_scan, back };
        return true;
    }
    code.parts.truncate(lengths.0);
    code.filters.truncate(lengths.1);
    code.masks.truncate(lengths.2);
    false
}

/// The place of the operation that says what the loop at this place derives, if there is nothing
/// but tests in between.
pub(crate) fn derives(code: &Code, at: usize) -> Option<usize> {
    if !matches!(code.ops[at], Op::Scan { .. } | Op::Chain { .. }) {
        return None;
    }
    let is_test = |op: &Op| match *op {
        Op::Test { back, .. } | Op::StaticTest { back, .. } | Op::Differ { back, .. } => {
            back as usize == at
        }
        _ => false,
    };
    let emit = (at + 1..code.ops.len()).find(|&place| !is_test(&code.ops[place]))?;
    matches!(code.ops[emit], Op::Emit { back, .. } if back as usize == at).then_some(emit)
}

fn make(code: &mut Code, layouts: &Layouts, at: usize) -> Option<BitScan> {
    let emit = derives(code, at)?;
    let Op::Emit { relation, word: to, key: head, .. } = code.ops[emit] else { return None };
    let (Op::Scan { relation: scanned, row, .. } | Op::Chain { relation: scanned, row, .. }) =
        code.ops[at]
    else {
        return None;
    };
    let (dense, from) = layouts.relations[scanned as usize].bits.as_ref()?;
    let loads: Vec<Move> = row.loads.of(&code.moves).to_vec();
    let checks: Vec<Move> = row.checks.of(&code.moves).to_vec();
    // A variable that stands twice.
    if checks.iter().any(|check| loads.iter().any(|load| load.register == check.register)) {
        return None;
    }
    let mut known: Vec<(usize, Known)> = checks
        .iter()
        .map(|check| {
            let column = dense.columns[check.column as usize];
            (check.column as usize, code.known(check.register, column))
        })
        .collect();
    if let Op::Chain { link, key, .. } = code.ops[at] {
        let layout = &layouts.relations[scanned as usize];
        let index = &layout.indexes[link as usize - layout.columns.len()];
        known.extend(code.known_by_key(key, &index.dense.as_ref()?.0));
    }
    known.sort_unstable_by_key(|&(column, _)| column);
    let mut columns: Vec<usize> = known.iter().map(|&(column, _)| column).collect();
    let filtered = emit > at + 1;
    let in_front = columns.iter().copied().eq(0..columns.len());
    columns.extend(loads.iter().map(|load| load.column as usize));
    columns.sort_unstable();
    if loads.is_empty() || !columns.iter().copied().eq(0..dense.columns.len()) {
        return None;
    }
    let (source, bits) = if in_front {
        let last = known.len().checked_sub(1);
        let len = last.map_or(dense.size, |last| dense.columns[last].multiplier);
        let source = code.number(&known, dense);
        (source, Bits { dense, loads, known: Vec::new(), len })
    } else {
        if dense.size > MAX_AMONG_ALL {
            return None;
        }
        let start = code.filters.len();
        for &(column, known) in &known {
            code.filter_column(&bits_of(dense, &loads), column, known)?;
        }
        debug_assert!(code.filters.len() == start + known.len());
        let source = Key { base: 0, parts: CodeRange::default() };
        (source, Bits { dense, loads, known, len: dense.size })
    };
    if filtered && bits.len > MAX_FILTERED {
        return None;
    }
    let filters = code.filters.len() as u32 - if in_front { 0 } else { bits.known.len() as u32 };
    for place in at + 1..emit {
        match code.ops[place] {
            Op::Test { word, key, want, .. } if word == to => {
                // Whether the tuple is there already makes no difference.
                if want || !code.is_same(key, head) {
                    return None;
                }
            }
            Op::Test { word, key, want, .. } => {
                let key = without(code, key, &bits)?;
                code.filters.push(Filter { mask: false, word, key, want, outside: !want });
            }
            Op::StaticTest { set, key, want, .. } => filter_static(code, &bits, set, key, want)?,
            Op::Differ { pairs, .. } => filter_differ(code, &bits, pairs)?,
            _ => return None,
        }
    }
    let target = without(code, head, &bits)?;
    let filters = CodeRange { start: filters, end: code.filters.len() as u32 };
    let (from, len) = (*from, bits.len);
    Some(BitScan { from, source, len, to, target, relation, filters })
}

/// All bits of a relation.
fn bits_of<'a>(dense: &'a Dense, loads: &[Move]) -> Bits<'a> {
    Bits { dense, loads: loads.to_vec(), known: Vec::new(), len: dense.size }
}

/// The rest of a key without the columns that the bits stand for; `None` if these have another
/// weight in the key than among the bits.
fn without(code: &mut Code, key: Key, bits: &Bits<'_>) -> Option<Key> {
    let mut rest: Vec<Part> = key.parts.of(&code.parts).to_vec();
    let mut base = key.base;
    let by_register = |&(column, known): &(usize, Known)| match known {
        Known::Register(register) => Some((column, register)),
        Known::Offset(_) => None,
    };
    let loaded = bits.loads.iter().map(|load| (load.column as usize, load.register));
    for (column, register) in loaded.chain(bits.known.iter().filter_map(by_register)) {
        let DenseColumn { low, size, multiplier, .. } = bits.dense.columns[column];
        let is_it = |part: &Part| {
            (part.register, part.low, part.size, part.multiplier)
                == (register, low, size, multiplier)
        };
        rest.remove(rest.iter().position(is_it)?);
    }
    for &(column, known) in &bits.known {
        if let Known::Offset(offset) = known {
            base = base.checked_sub(offset * bits.dense.columns[column].multiplier)?;
        }
    }
    let is_loaded = |part: &Part| bits.loads.iter().any(|load| load.register == part.register);
    (!rest.iter().any(is_loaded)).then(|| Key { base, parts: add(code, rest) })
}

/// A mask for a test of a relation that never changes.
fn filter_static(code: &mut Code, bits: &Bits<'_>, set: u32, key: Key, want: bool) -> Option<()> {
    let parts: Vec<Part> = key.parts.of(&code.parts).to_vec();
    let column = |register: u32| bits.loads.iter().find(|load| load.register == register);
    let loaded: Vec<(DenseColumn, Part)> = parts
        .iter()
        .filter_map(|part| {
            Some((bits.dense.columns[column(part.register)?.column as usize], *part))
        })
        .collect();
    let outer: Vec<Part> =
        parts.into_iter().filter(|part| column(part.register).is_none()).collect();
    // For each bit what its columns count for, or that there is no such tuple.
    let inner = (0..bits.len).map(|number| {
        loaded.iter().try_fold(key.base, |sum, (column, part)| {
            let value = number / column.multiplier % column.size + column.low;
            let offset = value.wrapping_sub(part.low);
            (offset < part.size).then(|| sum + offset * part.multiplier)
        })
    });
    let inner: Vec<Option<u32>> = inner.collect();
    let tuples = std::mem::take(&mut code.sets[set as usize].1);
    let passes = |values: &[u32], number: u32| {
        let counts = outer.iter().zip(values).map(|(part, offset)| offset * part.multiplier);
        let there = inner[number as usize].is_some_and(|inner| {
            let at = (inner + counts.sum::<u32>()) as usize;
            tuples[at / 64] >> (at % 64) & 1 == 1
        });
        there == want
    };
    let made = code.mask(&outer, bits.len, !want, passes);
    code.sets[set as usize].1 = tuples;
    made
}

/// A mask for pairs of values of which one has to differ.
fn filter_differ(code: &mut Code, bits: &Bits<'_>, pairs: CodeRange) -> Option<()> {
    let pairs: Vec<(u32, u32)> = pairs.of(&code.pairs).to_vec();
    let column = |register: u32| {
        let load = bits.loads.iter().find(|load| load.register == register)?;
        Some(bits.dense.columns[load.column as usize])
    };
    // Each a column, and a constant, another column, or the place of a value.
    enum Other {
        Value(u32),
        Column(DenseColumn),
        Outer(usize),
    }
    let (mut outer, mut compared) = (Vec::new(), Vec::new());
    for (a, b) in pairs {
        let (one, other) = match (column(a), column(b)) {
            (Some(one), Some(other)) => (one, Other::Column(other)),
            (Some(one), None) | (None, Some(one)) => {
                let register = if column(a).is_some() { b } else { a };
                match code.constants.get(register as usize) {
                    Some(&value) => (one, Other::Value(value)),
                    None => {
                        let (low, size) = (one.low, one.size);
                        outer.push(Part { register, low, size, multiplier: 0 });
                        (one, Other::Outer(outer.len() - 1))
                    }
                }
            }
            (None, None) => return None,
        };
        compared.push((one, other));
    }
    let value =
        |column: &DenseColumn, number: u32| number / column.multiplier % column.size + column.low;
    let passes = |values: &[u32], number: u32| {
        compared.iter().any(|(one, other)| {
            let other = match other {
                Other::Value(constant) => *constant,
                Other::Column(other) => value(other, number),
                Other::Outer(place) => values[*place] + one.low,
            };
            value(one, number) != other
        })
    };
    code.mask(&outer, bits.len, true, passes)
}

impl Code {
    fn known(&self, register: u32, column: DenseColumn) -> Known {
        match self.constants.get(register as usize) {
            Some(value) if value.wrapping_sub(column.low) < column.size => {
                Known::Offset(value - column.low)
            }
            _ => Known::Register(register),
        }
    }

    /// The values that a key fixes in the columns of its numbering.
    fn known_by_key(&self, key: Key, dense: &Dense) -> Vec<(usize, Known)> {
        let mut parts = key.parts.of(&self.parts).iter().peekable();
        let known = |column: &DenseColumn| {
            let same = |part: &&Part| {
                (part.low, part.size, part.multiplier)
                    == (column.low, column.size, column.multiplier)
            };
            let known = match parts.next_if(same) {
                Some(part) => Known::Register(part.register),
                None => Known::Offset(key.base / column.multiplier % column.size),
            };
            (column.column, known)
        };
        dense.columns.iter().map(known).collect()
    }

    /// The number of the first row that has the known values.
    fn number(&mut self, known: &[(usize, Known)], dense: &Dense) -> Key {
        let (mut base, mut parts) = (0, Vec::new());
        for &(column, known) in known {
            let DenseColumn { low, size, multiplier, .. } = dense.columns[column];
            match known {
                Known::Register(register) => parts.push(Part { register, low, size, multiplier }),
                Known::Offset(offset) => base += offset * multiplier,
            }
        }
        Key { base, parts: add(self, parts) }
    }

    /// Lets those bits pass whose column has the known value.
    fn filter_column(&mut self, bits: &Bits<'_>, column: usize, known: Known) -> Option<()> {
        let DenseColumn { low, size, multiplier, .. } = bits.dense.columns[column];
        let offset = |number: u32| number / multiplier % size;
        match known {
            Known::Offset(known) => {
                self.mask(&[], bits.len, false, |_, number| offset(number) == known)
            }
            Known::Register(register) => {
                let outer = [Part { register, low, size, multiplier: 0 }];
                self.mask(&outer, bits.len, false, |values, number| offset(number) == values[0])
            }
        }
    }

    /// Adds a filter: for all combinations of values less the least ones (of `outer`, whose
    /// multipliers do not matter) which of `len` bits pass; `outside` says whether they do where a
    /// value is out of range. `None` if that is too much.
    fn mask(
        &mut self,
        outer: &[Part],
        len: u32,
        outside: bool,
        passes: impl Fn(&[u32], u32) -> bool,
    ) -> Option<()> {
        let size = outer.iter().try_fold(u64::from(len), |size, part| {
            size.checked_mul(u64::from(part.size)).filter(|&size| size <= MAX_MASK)
        })?;
        if 64 * self.masks.len() as u64 + size > MAX_MASKS {
            return None;
        }
        let mut parts = outer.to_vec();
        let mut multiplier = len;
        for part in parts.iter_mut().rev() {
            part.multiplier = multiplier;
            multiplier *= part.size;
        }
        let word = self.masks.len();
        self.masks.resize(word + size.div_ceil(64) as usize, 0);
        let mut values = vec![0; outer.len()];
        for first in (0..size as u32).step_by(len as usize) {
            for (value, part) in values.iter_mut().zip(&parts) {
                *value = first / part.multiplier % part.size;
            }
            for number in (0..len).filter(|&number| passes(&values, number)) {
                let at = (first + number) as usize;
                self.masks[word + at / 64] |= 1 << (at % 64);
            }
        }
        let key = Key { base: 0, parts: add(self, parts) };
        self.filters.push(Filter { mask: true, word: word as u32, key, want: true, outside });
        Some(())
    }

    fn is_same(&self, a: Key, b: Key) -> bool {
        let parts = |key: Key| {
            key.parts.of(&self.parts).iter().map(|p| (p.register, p.low, p.size, p.multiplier))
        };
        a.base == b.base && parts(a).eq(parts(b))
    }
}

fn add(code: &mut Code, parts: Vec<Part>) -> CodeRange {
    let start = code.parts.len() as u32;
    code.parts.extend(parts);
    CodeRange { start, end: code.parts.len() as u32 }
}

/// A filter at work: where its first bit is, and whether that is set where the row passes.
#[derive(Clone, Copy)]
pub(crate) struct ActiveFilter {
    pub(crate) mask: bool,
    pub(crate) start: usize,
    pub(crate) want: bool,
}

/// Filters at work.
pub(crate) type ActiveFilters = SmallVec<[ActiveFilter; 4]>;

/// Like [`take_over`], of those bits that pass all sieves.
pub(crate) fn sift(
    bits: &mut [u64],
    masks: &[u64],
    sieves: &[ActiveFilter],
    (from, to, len): (usize, usize, usize),
) -> u32 {
    let mut new = 0;
    for at in (0..len).step_by(64) {
        let width = (len - at).min(64);
        let mut found = read(bits, from + at, width);
        for sieve in sieves {
            if found == 0 {
                break;
            }
            let passing = read(if sieve.mask { masks } else { bits }, sieve.start + at, width);
            found &= if sieve.want { passing } else { !passing };
        }
        if found != 0 {
            new += write(bits, to + at, found);
        }
    }
    new
}

/// Sets those bits from `to` on that are set from `from` on, of so many; how many are new.
pub(crate) fn take_over(bits: &mut [u64], from: usize, to: usize, len: usize) -> u32 {
    let mut new = 0;
    if (from | to | len).is_multiple_of(64) && from.abs_diff(to) >= len {
        let (from, to, len) = (from / 64, to / 64, len / 64);
        let (low, high) = bits.split_at_mut(from.max(to));
        let (sources, targets) = if from < to {
            (&low[from..from + len], &mut high[..len])
        } else {
            (&high[..len], &mut low[to..to + len])
        };
        for (source, target) in sources.iter().zip(targets) {
            if *source != 0 {
                new += (source & !*target).count_ones();
                *target |= source;
            }
        }
        return new;
    }
    for at in (0..len).step_by(64) {
        let found = read(bits, from + at, (len - at).min(64));
        if found != 0 {
            new += write(bits, to + at, found);
        }
    }
    new
}

/// Sets these bits from a place on; how many are new.
#[inline(always)]
fn write(bits: &mut [u64], to: usize, found: u64) -> u32 {
    let (word, shift) = (to / 64, to % 64);
    let mut new = (found << shift & !bits[word]).count_ones();
    bits[word] |= found << shift;
    if shift > 0 && found >> (64 - shift) != 0 {
        let high = found >> (64 - shift);
        new += (high & !bits[word + 1]).count_ones();
        bits[word + 1] |= high;
    }
    new
}

/// So many bits, at most 64, from a place on; none are set behind the end.
#[inline(always)]
fn read(bits: &[u64], from: usize, len: usize) -> u64 {
    let (word, shift) = (from / 64, from % 64);
    let mut found = bits.get(word).copied().unwrap_or(0) >> shift;
    if shift > 0 && shift + len > 64 {
        found |= bits.get(word + 1).copied().unwrap_or(0) << (64 - shift);
    }
    if len < 64 { found & !(!0 << len) } else { found }
}

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::{ActiveFilter, sift, take_over};

    #[test]
    fn bits_are_taken_over_wherever_they_stand() {
        let mut rng = Rng::stream(1, 1);
        for _ in 0..500 {
            let mut bits: Vec<u64> =
                (0..16).map(|_| u64::from(rng.below(1 << 30)) * 0x9e37_79b9).collect();
            let before = bits.clone();
            let align = if rng.below(3) == 0 { 64 } else { 1 };
            let place = |at: u32| at as usize / align * align;
            let (len, from) = (place(rng.below(400)), place(rng.below(100)));
            let to = place(512 + rng.below(100));
            let bit = |bits: &[u64], at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
            let new = take_over(&mut bits, from, to, len);
            let mut expected = 0;
            for at in 0..64 * bits.len() {
                let taken = (to..to + len).contains(&at) && bit(&before, from + at - to);
                expected += u32::from(taken && !bit(&before, at));
                assert_eq!(
                    bit(&bits, at),
                    bit(&before, at) || taken,
                    "bit {at} of {from} {to} {len}"
                );
            }
            assert_eq!(new, expected);
        }
    }

    #[test]
    fn bits_that_pass_all_sieves_are_taken_over() {
        let mut rng = Rng::stream(1, 2);
        let bit = |bits: &[u64], at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
        for _ in 0..500 {
            let mut random = |words: usize| -> Vec<u64> {
                (0..words).map(|_| u64::from(rng.below(u32::MAX)) * 0x1_0000_8001).collect()
            };
            let (mut bits, masks) = (random(16), random(8));
            let before = bits.clone();
            let (len, from) = (1 + rng.below(200) as usize, rng.below(100) as usize);
            let to = 640 + rng.below(100) as usize;
            let mut sieve = || {
                let (mask, want) = (rng.below(2) == 0, rng.below(2) == 0);
                ActiveFilter { mask, start: 300 + rng.below(40) as usize, want }
            };
            let sieves = [sieve(), sieve()];
            let passes = |at: usize| {
                sieves.iter().all(|sieve| {
                    let of = if sieve.mask { &masks } else { &before };
                    let there = sieve.start + at < 64 * of.len() && bit(of, sieve.start + at);
                    there == sieve.want
                })
            };
            let new = sift(&mut bits, &masks, &sieves, (from, to, len));
            let mut expected = 0;
            for at in 0..64 * bits.len() {
                let taken =
                    (to..to + len).contains(&at) && bit(&before, from + at - to) && passes(at - to);
                expected += u32::from(taken && !bit(&before, at));
                assert_eq!(bit(&bits, at), bit(&before, at) || taken, "bit {at}");
            }
            assert_eq!(new, expected);
        }
    }
}

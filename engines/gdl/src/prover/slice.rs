//! The innermost loop of a rule in one operation, where it goes through rows of a relation and does
//! nothing but derive a tuple from each, with the same columns in the same places: then the bits of
//! the rows stand side by side, and so do those of what is derived, and are taken over word by word.

use super::code::{Code, Key, Move, Op, Part, Row, Stretch};
use super::store::{Dense, Layouts};

/// Bits to take over, and where to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    /// Where the bits of the relation begin that is gone through, and the first of the bits.
    pub(super) from: u32,
    pub(super) source: Key,
    pub(super) len: u32,
    /// The same of the relation that is derived, and its number in the store.
    pub(super) to: u32,
    pub(super) target: Key,
    pub(super) relation: u32,
}

/// Makes one operation of the loop at this place, if it is of that form; whether it was.
pub(super) fn innermost(code: &mut Code, layouts: &Layouts, at: usize) -> bool {
    let Some(&Op::Emit { relation, word: to, key: head, back: after, .. }) = code.ops.get(at + 1)
    else {
        return false;
    };
    if after as usize != at {
        return false;
    }
    let (Op::Scan { relation: scanned, row, back, .. }
    | Op::Chain { relation: scanned, row, back, .. }) = code.ops[at]
    else {
        return false;
    };
    let Some((dense, from)) = &layouts.relations[scanned as usize].bits else { return false };
    let known = match code.ops[at] {
        Op::Chain { link, .. } => {
            let layout = &layouts.relations[scanned as usize];
            let columns = &layout.indexes[link as usize - layout.columns.len()].columns;
            if row.checks.start != row.checks.end {
                return false;
            }
            columns.clone()
        }
        _ => row.checks.of(&code.moves).iter().map(|check| check.column as usize).collect(),
    };
    let loads: Vec<Move> = row.loads.of(&code.moves).to_vec();
    // The columns that are known come first, and all others are loaded.
    let mut columns = known.clone();
    columns.sort_unstable();
    columns.extend(loads.iter().map(|load| load.column as usize));
    if !columns.iter().copied().eq(0..dense.columns.len()) {
        return false;
    }
    let len = known.len().checked_sub(1).map_or(dense.size, |last| dense.columns[last].multiplier);
    let Some(target) = without(code, head, &loads, dense) else { return false };
    let source = match code.ops[at] {
        Op::Chain { key, .. } => scaled(code, key, len),
        _ => of_checks(code, row, dense),
    };
    let slice = Slice { from: *from, source, len, to, target, relation };
    code.ops[at] = Op::Slice { slice, back };
    true
}

/// What is left of a key without the columns that are loaded, if these count in it for what they
/// count for in the rows.
fn without(code: &mut Code, key: Key, loads: &[Move], dense: &Dense) -> Option<Key> {
    let mut left = loads.len();
    let mut rest = Vec::new();
    for part in key.parts.of(&code.parts) {
        let Some(load) = loads.iter().find(|load| load.register == part.register) else {
            rest.push(*part);
            continue;
        };
        let column = dense.columns[load.column as usize];
        if (part.low, part.size, part.multiplier) != (column.low, column.size, column.multiplier) {
            return None;
        }
        left = left.checked_sub(1)?;
    }
    (left == 0).then(|| Key { base: key.base, parts: add(code, rest) })
}

fn scaled(code: &mut Code, key: Key, by: u32) -> Key {
    let parts: Vec<Part> = key.parts.of(&code.parts).to_vec();
    let parts = parts.into_iter().map(|p| Part { multiplier: p.multiplier * by, ..p }).collect();
    Key { base: key.base * by, parts: add(code, parts) }
}

fn of_checks(code: &mut Code, row: Row, dense: &Dense) -> Key {
    let checks = row.checks.of(&code.moves).iter();
    let parts = checks.map(|check| {
        let column = dense.columns[check.column as usize];
        let (low, size, multiplier) = (column.low, column.size, column.multiplier);
        Part { register: check.register, low, size, multiplier }
    });
    let parts = parts.collect();
    Key { base: 0, parts: add(code, parts) }
}

fn add(code: &mut Code, parts: Vec<Part>) -> Stretch {
    let start = code.parts.len() as u32;
    code.parts.extend(parts);
    Stretch { start, end: code.parts.len() as u32 }
}

/// Sets those bits from `to` on that are set from `from` on, of so many; how many are new.
pub(super) fn take_over(bits: &mut [u64], from: usize, to: usize, len: usize) -> u32 {
    let mut new = 0;
    if (from | to | len).is_multiple_of(64) && from + len <= to {
        let (sources, targets) = bits.split_at_mut(to / 64);
        let sources = &sources[from / 64..(from + len) / 64];
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
        if found == 0 {
            continue;
        }
        let (word, shift) = ((to + at) / 64, (to + at) % 64);
        new += (found << shift & !bits[word]).count_ones();
        bits[word] |= found << shift;
        if shift > 0 && found >> (64 - shift) != 0 {
            let high = found >> (64 - shift);
            new += (high & !bits[word + 1]).count_ones();
            bits[word + 1] |= high;
        }
    }
    new
}

/// So many bits, at most 64, from a place on.
fn read(bits: &[u64], from: usize, len: usize) -> u64 {
    let (word, shift) = (from / 64, from % 64);
    let mut found = bits[word] >> shift;
    if shift > 0 && shift + len > 64 {
        found |= bits[word + 1] << (64 - shift);
    }
    if len < 64 { found & !(!0 << len) } else { found }
}

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::take_over;

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
}

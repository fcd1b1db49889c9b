//! The innermost loop of a rule in one operation, where it goes through a relation that never
//! changes and does nothing but test tuples and derive one: what the rows contribute to the numbers
//! of those tuples is added up beforehand, row by row.

use super::code::{Code, CodeRange, Key, Op, Part, Probe, TableScan};
use super::store::NONE;

/// Numbers made for one loop, and for all.
const MAX_NUMBERS: usize = 1 << 16;
const MAX_ALL: usize = 1 << 22;

/// A row's part of a tuple's number where there is no such tuple.
pub(crate) const OUT: u32 = NONE;

/// Makes one operation of the innermost loop of the rule that begins at `start` and ends with the
/// code, if it is of that form. What it is made from stays behind it.
pub(crate) fn innermost(code: &mut Code, start: usize) {
    let Some(at) = (start..code.ops.len()).rev().find(|&i| !is_tail(&code.ops[i])) else { return };
    let (table, key, row, back) = match code.ops[at] {
        Op::Table { table, row, back, .. } => (table, None, row, back),
        Op::Rows { table, key, row, back, .. } => (table, Some(key), row, back),
        _ => return,
    };
    let emit = code.ops.len() - 1;
    let (Op::Emit { key: head, .. } | Op::Count { key: head, .. }) = code.ops[emit] else { return };
    let width = emit - at;
    let rows = code.tables[table as usize].len as usize;
    let made: usize = code.table_scans.iter().map(|scan| scan.numbers.len()).sum();
    if row.checks.start != row.checks.end
        || rows * width > MAX_NUMBERS
        || made + rows * width > MAX_ALL
    {
        return;
    }
    let mut numbers = vec![0; rows * width];
    let mut probes = Vec::with_capacity(width - 1);
    for place in at + 1..emit {
        let (word, set, key, want) = match code.ops[place] {
            Op::Test { word, key, want, back } if back as usize == at => (word, None, key, want),
            Op::StaticTest { set, key, want, back } if back as usize == at => {
                (0, Some(set), key, want)
            }
            _ => return,
        };
        let key = split(code, key, table, row.loads, &mut numbers, width, place - at - 1);
        probes.push(Probe { word, set, key, want });
    }
    let head = split(code, head, table, row.loads, &mut numbers, width, width - 1);
    let scan = code.table_scans.len() as u32;
    let emit = emit as u32;
    code.table_scans.push(TableScan { table, key, loads: row.loads, probes, emit, head, numbers });
    code.ops[at] = Op::TableScan { scan, back };
}

fn is_tail(op: &Op) -> bool {
    matches!(op, Op::Test { .. } | Op::StaticTest { .. } | Op::Emit { .. } | Op::Count { .. })
}

/// Adds to each row's number `which` what its columns contribute to a key; returns what is left of
/// the key.
fn split(
    code: &mut Code,
    key: Key,
    table: u32,
    loads: CodeRange,
    numbers: &mut [u32],
    width: usize,
    which: usize,
) -> Key {
    let parts: Vec<Part> = key.parts.of(&code.parts).to_vec();
    let start = code.parts.len() as u32;
    for part in parts {
        let load = loads.of(&code.moves).iter().find(|load| load.register == part.register);
        let Some(load) = load else {
            code.parts.push(part);
            continue;
        };
        let table = &code.tables[table as usize];
        for row in 0..table.len as usize {
            let value = table.values[row * table.stride + load.column as usize];
            let offset = value.wrapping_sub(part.low);
            let number = &mut numbers[row * width + which];
            *number = match *number {
                OUT => OUT,
                _ if offset >= part.size => OUT,
                sum => sum + offset * part.multiplier,
            };
        }
    }
    Key { base: key.base, parts: CodeRange { start, end: code.parts.len() as u32 } }
}

//! Access to rows and tables, by the registers of a rule.

use super::RegisterFile;
use crate::datalog::code::{Code, CodeRange, Key, Move, Row};
use crate::datalog::layout::{Layouts, RowPolicy};
use crate::datalog::rows::Rows;
use crate::datalog::statics::Keys;
use crate::datalog::store::{Counts, NONE, Store};

/// A table position, or nothing if a value is out of range.
#[inline(always)]
pub(super) fn position(key: Key, code: &Code, registers: &[u32]) -> Option<usize> {
    let mut position = key.base;
    for part in key.parts.of(&code.parts) {
        let offset = registers[part.register as usize].wrapping_sub(part.low);
        if offset >= part.size {
            return None;
        }
        position += offset * part.multiplier;
    }
    Some(position as usize)
}

/// Loads and compares; whether all comparisons hold.
#[inline(always)]
pub(super) fn take(row: Row, values: &[u32], moves: &[Move], registers: &mut [u32]) -> bool {
    for load in row.loads.of(moves) {
        registers[load.register as usize] = values[load.column as usize];
    }
    row.checks
        .of(moves)
        .iter()
        .all(|check| values[check.column as usize] == registers[check.register as usize])
}

#[inline(always)]
pub(super) fn bit(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

/// Counts a derivation of a tuple more, or one less.
#[inline(always)]
pub(super) fn count(store: &mut Store, relation: u32, counts: u32, at: usize, up: bool) {
    let Counts { derivations, touched, .. } = &mut store.maintenance;
    let count = &mut derivations[counts as usize + at];
    debug_assert!(up || *count > 0, "more is taken than was there");
    let before = *count;
    *count = if up { before.wrapping_add(1) } else { before.wrapping_sub(1) };
    if before == 0 || *count == 0 {
        touched[relation as usize].push(at as u32);
    }
}

/// The first row from a place on that fits, and the place after it.
#[inline(always)]
pub(super) fn scan(
    code: &Code,
    rows: &Rows,
    mut next: u32,
    row: Row,
    registers: &mut [u32],
) -> (bool, u32) {
    while (next as usize) < rows.values.len() {
        let values = &rows.values[next as usize..];
        next += rows.stride;
        if take(row, values, &code.moves, registers) {
            return (true, next);
        }
    }
    (false, next)
}

/// The first row of a chain that fits, and the place that the chain goes on at.
#[inline(always)]
pub(super) fn follow(
    code: &Code,
    rows: &Rows,
    mut next: u32,
    link: u32,
    row: Row,
    registers: &mut [u32],
) -> (bool, u32) {
    while next != NONE {
        let values = &rows.values[next as usize..];
        next = values[link as usize];
        if take(row, values, &code.moves, registers) {
            return (true, next);
        }
    }
    (false, next)
}

#[inline(always)]
pub(super) fn next_row(
    code: &Code,
    file: &mut RegisterFile,
    table: u32,
    row: Row,
    frame: usize,
) -> bool {
    let table = &code.tables[table as usize];
    let (mut next, end) = file.frames[frame];
    let mut found = false;
    while next < end {
        let values = &table.values[next as usize * table.stride..][..table.stride];
        next += 1;
        if take(row, values, &code.moves, &mut file.registers) {
            found = true;
            break;
        }
    }
    file.frames[frame].0 = next;
    found
}

/// True if a row is kept of a tuple with this number.
#[inline(always)]
pub(super) fn keeps(store: &Store, keep: RowPolicy, number: usize) -> bool {
    match keep {
        RowPolicy::All => true,
        RowPolicy::Nothing => false,
        RowPolicy::New(word) => !bit(&store.bits[word as usize..], number),
    }
}

#[inline(always)]
pub(super) fn append(
    code: &Code,
    file: &RegisterFile,
    layouts: &Layouts,
    store: &mut Store,
    relation: usize,
    columns: CodeRange,
    links: CodeRange,
) {
    let Store { relations, heads, .. } = &mut *store;
    let rows = &mut relations[relation];
    let place = rows.values.len();
    rows.make_room();
    for &register in columns.of(&code.registers) {
        rows.values.push(file.registers[register as usize]);
    }
    rows.len += 1;
    let mut hashed = false;
    for link in links.of(&code.links) {
        let at = position(link.key, code, &file.registers);
        if let (Some(at), true) = (at, link.heads != NONE) {
            let head = &mut heads[link.heads as usize + at];
            rows.values.push(*head);
            *head = place as u32;
        } else {
            rows.values.push(NONE);
            hashed |= link.heads == NONE;
        }
    }
    if rows.values.len() == place {
        rows.values.push(NONE); // a row without columns has a place too
    }
    if hashed {
        for link in links.of(&code.links).iter().filter(|link| link.heads == NONE) {
            store.link_hashed(layouts, relation, link.index as usize, place as u32);
        }
    }
}

#[inline(always)]
pub(super) fn dense_rows(code: &Code, table: u32, at: usize) -> (u32, u32) {
    match &code.tables[table as usize].keys {
        Keys::Dense(_, starts) => (starts[at], starts[at + 1]),
        Keys::Hashed(_) => (0, 0),
    }
}

pub(super) fn hashed_rows(code: &Code, table: u32, key: &[u32]) -> (u32, u32) {
    match &code.tables[table as usize].keys {
        Keys::Hashed(map) => map.get(key).copied().unwrap_or((0, 0)),
        Keys::Dense(..) => (0, 0),
    }
}

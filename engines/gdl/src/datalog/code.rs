//! The code of the machine: rules as nested loops over rows, one operation a literal. An operation
//! that finds nothing (more) goes back to the loop that can supply another row.

use super::layout::{Dense, RowPolicy};
use super::statics::Table;
use crate::symbols::Symbol;

/// A stretch of one of the arrays of [`Code`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl CodeRange {
    /// The stretch of `array`.
    #[inline(always)]
    pub(crate) fn of<T>(self, array: &[T]) -> &[T] {
        &array[self.start as usize..self.end as usize]
    }
}

/// One summand of a table position: a register's value in its range, times a multiplier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) register: u32,
    pub(crate) low: u32,
    pub(crate) size: u32,
    pub(crate) multiplier: u32,
}

/// A position in a table: `base` plus its parts. A value out of range has no position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) base: u32,
    pub(crate) parts: CodeRange,
}

/// A column of a row and a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) column: u32,
    pub(crate) register: u32,
}

/// The treatment of the row that a loop is at: load columns into registers, then compare columns
/// with registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) loads: CodeRange,
    pub(crate) checks: CodeRange,
}

/// Place of an operation to go back to; past the end for the end of the rule.
pub(crate) type Back = u32;

/// The end of a rule, as a place to go back to.
pub(crate) const END: Back = u32::MAX;

/// Bits to take over, and where to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitScan {
    /// The first word of the relation that is gone through, and the first of its bits.
    pub(crate) from: u32,
    pub(crate) source: Key,
    pub(crate) len: u32,
    /// The same of the relation that is derived, and its number in the store.
    pub(crate) to: u32,
    pub(crate) target: Key,
    pub(crate) relation: u32,
    /// The tests of the rows.
    pub(crate) filters: CodeRange,
}

/// One operation. `frame` numbers the loops of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// All rows of a relation, those added meanwhile too.
    Scan { relation: u32, row: Row, frame: u32, back: Back },
    /// Rows of a relation that the cursor has not seen, those added meanwhile too.
    Delta { relation: u32, row: Row, cursor: u32, back: Back },
    /// Rows by key, through heads from `heads` on; `link` is the word of a row that leads to the
    /// next.
    Chain { relation: u32, link: u32, heads: u32, key: Key, row: Row, frame: u32, back: Back },
    /// Rows by hashed key; `row` compares the key's columns too.
    HashChain {
        relation: u32,
        index: u32,
        link: u32,
        key: CodeRange,
        row: Row,
        frame: u32,
        back: Back,
    },
    /// All rows of a table.
    Table { table: u32, row: Row, frame: u32, back: Back },
    /// Rows of a table by key.
    Rows { table: u32, key: Key, row: Row, frame: u32, back: Back },
    /// The only row of a table by key.
    Only { table: u32, key: Key, row: Row, back: Back },
    /// Rows of a table by hashed key.
    HashRows { table: u32, key: CodeRange, row: Row, frame: u32, back: Back },
    /// Goes on if the bit is set, or not set, as `want` says.
    Test { word: u32, key: Key, want: bool, back: Back },
    /// The same for a relation that does not change.
    StaticTest { set: u32, key: Key, want: bool, back: Back },
    /// The same for hashed relations.
    HashTest { relation: u32, key: CodeRange, want: bool, back: Back },
    /// The same for a hashed relation that does not change.
    StaticHashTest { table: u32, key: CodeRange, want: bool, back: Back },
    /// Goes on if one of the pairs of registers differs.
    Differ { pairs: CodeRange, back: Back },
    /// Takes a compound term apart: loads arguments, then compares arguments.
    Open { register: u32, functor: Symbol, arity: u32, row: Row, back: Back },
    /// Puts the id of a compound term into a register, or goes back if there is none.
    Find { functor: Symbol, args: CodeRange, register: u32, back: Back },
    /// Like `Find`; makes the term if there is none.
    Make { functor: Symbol, args: CodeRange, register: u32 },
    /// Adds a row to a relation kept with bits.
    Emit {
        relation: u32,
        word: u32,
        key: Key,
        columns: CodeRange,
        links: CodeRange,
        rows: RowPolicy,
        back: Back,
    },
    /// Sets all bits of a relation in another with the same columns, which keeps new rows only.
    Copy { from: u32, word: u32, words: u32, relation: u32 },
    /// Asks for a key of a relation on demand: adds it to the relation of keys, and if it is new
    /// has the relation's stage evaluated, unless that is going on already.
    Call { relation: u32, word: u32, key: Key, columns: CodeRange, links: CodeRange, stage: u32 },
    /// Clears a bit.
    Drop { relation: u32, word: u32, key: Key, back: Back },
    /// The innermost loop as a whole, see `loop_fusion`.
    TableScan { scan: u32, back: Back },
    /// The innermost loop as a whole, see `bit_scan`.
    BitScan { bit_scan: BitScan, back: Back },
    /// Adds a row to a hashed relation.
    HashEmit { relation: u32, columns: CodeRange, back: Back },
    /// The tuple that the machine has in hand.
    Given { row: Row, back: Back },
    /// A derivation of a tuple more or less, as the machine says; `counts` is where the relation's
    /// numbers of derivations begin.
    Count { relation: u32, counts: u32, key: Key, back: Back },
}

/// An index to put a new row into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) index: u32,
    /// The first of the heads, and the key; hashed indexes are kept by the store itself.
    pub(crate) heads: u32,
    pub(crate) key: Key,
}

/// A test inside a scan.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    /// The first word of the bits: those of this set, or else of a relation that changes.
    pub(crate) word: u32,
    pub(crate) set: Option<u32>,
    /// The position, but for what the row adds to it.
    pub(crate) key: Key,
    pub(crate) want: bool,
}

/// A test of the bits of a bit scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filter {
    /// The first word of the bits: of masks, or else of a relation that changes.
    pub(crate) mask: bool,
    pub(crate) word: u32,
    /// The first of the bits.
    pub(crate) key: Key,
    /// True if the bit has to be set.
    pub(crate) want: bool,
    /// True if rows pass where there is no such first bit.
    pub(crate) outside: bool,
}

/// A loop over rows of a table that tests tuples and derives one.
#[derive(Clone, Debug)]
pub(crate) struct TableScan {
    pub(crate) table: u32,
    /// The key of the rows; all rows without.
    pub(crate) key: Option<Key>,
    pub(crate) loads: CodeRange,
    pub(crate) probes: Vec<Probe>,
    /// Place of the operation that says what is derived.
    pub(crate) emit: u32,
    /// Its position, but for what the row adds to it.
    pub(crate) head: Key,
    /// Row by row: what it adds to the position of each probe, and to that of what is derived.
    pub(crate) numbers: Vec<u32>,
}

/// The operations of many rules, with what they refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) parts: Vec<Part>,
    pub(crate) moves: Vec<Move>,
    pub(crate) registers: Vec<u32>,
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) links: Vec<Link>,
    pub(crate) table_scans: Vec<TableScan>,
    pub(crate) filters: Vec<Filter>,
    /// Bits that filters test.
    pub(crate) masks: Vec<u64>,
    pub(crate) tables: Vec<Table>,
    pub(crate) sets: Vec<(Dense, Vec<u64>)>,
    /// The values that the first registers always hold.
    pub(crate) constants: Vec<u32>,
    /// Registers beyond the constants that the largest rule needs.
    pub(crate) variables: u32,
    /// Loops that the largest rule has.
    pub(crate) frames: u32,
    /// Places where recursive rules go on.
    pub(crate) cursors: u32,
}

impl Code {
    /// Bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(|t| 4 * t.values.len()).sum();
        let sets: usize = self.sets.iter().map(|(_, bits)| 8 * bits.len()).sum();
        let table_scans: usize = self.table_scans.iter().map(|s| 4 * s.numbers.len()).sum();
        let masks = 8 * self.masks.len();
        size_of::<Op>() * self.ops.len()
            + 16 * self.parts.len()
            + tables
            + sets
            + table_scans
            + masks
    }
}

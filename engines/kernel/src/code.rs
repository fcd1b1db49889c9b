//! The code of the interpreter: programs as instructions over registers, with jumps.
//!
//! A function has a window of registers for numbers and one for words of sets: first its variables,
//! then intermediate results. The window of a callee begins where the caller puts the arguments, so
//! that they are its parameters. Results are left in the first register of the window.

use crate::ir::{Binary, Combine, Compare, FunctionId, HostId, Ints, SetTable, Sets, Table, Unary};

/// A register, counted from where a window begins: a number, or the first word of a set.
pub(crate) type Slot = u32;

/// The number of an instruction.
pub(crate) type Target = u32;

/// An instruction. The first operand is the register that is written, if one is.
///
/// Nothing is written before all operands are read, and operations on sets go word by word: a
/// register may be operand and result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Int(Slot, i32),
    Copy(Slot, Slot),
    Load(Slot, Ints, Slot),
    Table(Slot, Table, Slot),
    Unary(Unary, Slot, Slot),
    Binary(Binary, Slot, Slot, Slot),
    /// With a constant as its second operand.
    BinaryInt(Binary, Slot, Slot, i32),
    Compare(Compare, Slot, Slot, Slot),
    Len(Slot, Slot),
    Last(Slot, Slot),
    IsEmpty(Slot, Slot),
    Contains(Slot, Slot, Slot),
    Nth(Slot, Slot, Slot),
    IsSubset(Slot, Slot, Slot),
    Draw(Slot, Sets, Slot),
    NoSites(Slot),
    CopySet(Slot, Slot),
    Single(Slot, Slot),
    LoadSet(Slot, Sets, Slot),
    SetTable(Slot, SetTable, Slot),
    Combine(Combine, Slot, Slot, Slot),
    Shift(Slot, Slot, i32),
    /// Index and value.
    Store(Ints, Slot, Slot),
    /// Index and set.
    StoreSet(Sets, Slot, Slot),
    /// Index and site, and whether it is there then.
    Put(Sets, Slot, Slot, bool),
    /// An array, and the number of its entries.
    Clear(Ints, u32),
    /// To which array, from which, how many entries.
    CopyInts(Ints, Ints, u32),
    CopySets(Sets, Sets, u32),
    /// Arguments from a register on, so many; the result goes to that register.
    Host(HostId, Slot, u32),
    /// The callee, and the first registers of its windows of numbers and of words.
    Call(FunctionId, Slot, Slot),
    Return,
    /// Makes numbers from one register up to another, that excluded, 0.
    ClearInts(Slot, Slot),
    /// Makes words likewise 0.
    ClearSets(Slot, Slot),
    Jump(Target),
    /// Jumps if a number is not 0.
    If(Slot, Target),
    /// Jumps if a number is 0.
    Unless(Slot, Target),
    /// Jumps if a comparison holds.
    IfCompare(Compare, Slot, Slot, Target),
    /// With a constant as its second operand.
    IfCompareInt(Compare, Slot, i32, Target),
    /// Takes the first site out of a set, or jumps if there is none.
    NextSite(Slot, Slot, Target),
    /// Counts a number up to the one in the register after it, or jumps if it is there.
    NextNumber(Slot, Slot, Target),
    /// Takes 1 from the budget, or jumps if it is 0.
    Spend(Target),
}

/// The entry of a function, and its needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routine {
    pub(crate) start: Target,
    /// Registers for numbers that it and what it calls use.
    pub(crate) ints: usize,
    /// Registers for words of sets, likewise.
    pub(crate) sets: usize,
}

/// A program as instructions.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// Its functions, by number.
    pub(crate) routines: Vec<Routine>,
}

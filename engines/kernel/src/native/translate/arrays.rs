//! Entries of arrays: where they are, and what stands in their place out of range.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value, types};

use super::Translation;
use crate::ir::{Access, Binary, Expr, Ints, Sets};
use crate::native::context::{Context, clear, copy};
use crate::native::ranges::Range;

/// An array that is lent: where its pointer and lengths are in the context, how many bytes an entry
/// has, and how many entries are promised.
#[derive(Clone, Copy)]
pub(super) struct Array {
    pub(super) slot: usize,
    pub(super) bytes: usize,
    pub(super) least: usize,
}

/// An index: a value, if it is not constant, and a constant that is added to it; and what both
/// together can be.
#[derive(Clone, Copy)]
pub(super) struct Index {
    value: Option<Value>,
    more: i32,
    range: Range,
}
impl<'a> Translation<'a, '_> {
    pub(super) fn lent_ints(&self, array: Ints) -> Array {
        let least = self.target.program.ints[array.0 as usize].least;
        Array { slot: Context::ints(array), bytes: 4, least }
    }

    pub(super) fn lent_sets(&self, array: Sets) -> Array {
        let program = self.target.program;
        let slot = Context::slot(program.ints.len() + array.0 as usize);
        let least = program.sets[array.0 as usize].least;
        Array { slot, bytes: 8 * self.words, least }
    }

    /// An index of an array.
    pub(super) fn index(&mut self, index: &'a Expr) -> Index {
        let range = self.ranges.value(index);
        // What is added to it is left to the address, where nothing overflows.
        let (value, more) = match index {
            Expr::Int(number) => (None, *number),
            Expr::Binary(Binary::Add, first, second) => match **second {
                Expr::Int(more) if more >= 0 && range.least >= more => {
                    (Some(self.number(first)), more)
                }
                _ => (Some(self.number(index)), 0),
            },
            _ => (Some(self.number(index)), 0),
        };
        Index { value, more, range }
    }

    /// The address of an entry of an array, and an offset to it; out of range those of something in
    /// the context. Where it is not known to be within what was promised both are computed and one
    /// is selected: branches would make more code, and take longer to compile.
    pub(super) fn entry(&mut self, array: Array, index: Index, access: Access) -> (Value, i32) {
        let Array { slot, bytes, least } = array;
        let base = self.of_slot(types::I64, slot + Context::POINTER);
        let offset = i32::try_from(i64::from(index.more) * bytes as i64);
        if let (true, Ok(offset)) = (index.range.is_below(least), offset) {
            let address = index.value.map_or(base, |index| self.address(base, index, bytes));
            return (address, offset);
        }
        let (len, elsewhere) = bounds(access);
        let index = self.whole(index);
        let len = self.of_slot(types::I32, slot + len);
        let is_inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let address = self.address(base, index, bytes);
        let elsewhere = self.b.ins().iadd_imm_s(self.context, elsewhere as i64);
        (self.b.ins().select(is_inside, address, elsewhere), 0)
    }

    /// Makes so many entries of an array 0, or all where it has fewer.
    pub(super) fn clear(&mut self, array: Ints, entries: u32) {
        let array = self.lent_ints(array);
        let first = self.of_slot(types::I64, array.slot + Context::POINTER);
        let count = self.int(entries as i32);
        let count = self.at_most_all(count, entries, array, Access::Write);
        self.call_native(clear as *const (), &[first, count]);
    }

    /// Copies so many entries to an array from another of the same type, or fewer where either has
    /// no more.
    pub(super) fn copy(&mut self, to: Array, from: Array, entries: u32) {
        let [first, source] =
            [to, from].map(|array| self.of_slot(types::I64, array.slot + Context::POINTER));
        let mut count = self.int(entries as i32);
        for (array, access) in [(to, Access::Write), (from, Access::Read)] {
            count = self.at_most_all(count, entries, array, access);
        }
        let count = self.b.ins().uextend(types::I64, count);
        let bytes = self.b.ins().imul_imm_s(count, to.bytes as i64);
        self.call_native(copy as *const (), &[first, source, bytes]);
    }

    /// So many entries of an array, or all where it has fewer.
    fn at_most_all(&mut self, count: Value, entries: u32, array: Array, access: Access) -> Value {
        if entries as usize <= array.least {
            return count;
        }
        let len = self.of_slot(types::I32, array.slot + bounds(access).0);
        self.b.ins().umin(count, len)
    }

    /// Calls a function of this crate that gives nothing.
    fn call_native(&mut self, function: *const (), arguments: &[Value]) {
        let mut signature = Signature::new(self.target.isa.default_call_conv());
        let types = arguments.iter().map(|value| self.b.func.dfg.value_type(*value));
        signature.params.extend(types.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let function = self.word(function as u64);
        self.b.ins().call_indirect(signature, function, arguments);
    }

    /// An index as one number.
    fn whole(&mut self, Index { value, more, .. }: Index) -> Value {
        match value {
            Some(value) if more == 0 => value,
            Some(value) => self.b.ins().iadd_imm_s(value, i64::from(more)),
            None => self.int(more),
        }
    }

    /// The address of the word that a site is in, of an entry of an array of sets, and an offset to
    /// it; those of something in the context where either is out of range. Of the site it may be
    /// known that it is one.
    pub(super) fn word_of(
        &mut self,
        array: Array,
        index: Index,
        (site, is_site): (Value, bool),
        access: Access,
    ) -> (Value, i32) {
        let (address, offset) = self.entry(array, index, access);
        let mut within = address;
        if self.words > 1 {
            let number = self.b.ins().ushr_imm_u(site, 6);
            within = self.address(address, number, 8);
        }
        if is_site {
            return (within, offset);
        }
        let (_, elsewhere) = bounds(access);
        let is_site = self.is_site(site);
        let within = self.b.ins().iadd_imm_s(within, i64::from(offset));
        let elsewhere = self.b.ins().iadd_imm_s(self.context, elsewhere as i64);
        (self.b.ins().select(is_site, within, elsewhere), 0)
    }

    /// The address of an entry of a table of which address and last entry are given, and how it
    /// may be read; that of the last one, which is empty, where there are not so many.
    pub(super) fn table_entry(
        &mut self,
        table: (usize, u32),
        index: &'a Expr,
        bytes: usize,
    ) -> (Value, MemFlagsData) {
        let (address, last) = table;
        let entries = last as usize + 1;
        let is_inside = self.ranges.value(index).is_below(entries);
        // What is inside because of a condition around could be beyond the table elsewhere.
        let anywhere = !is_inside || self.ranges.anywhere(index).is_below(entries);
        let flags = if anywhere { self.memory.tables } else { self.memory.tables_here };
        let mut index = self.number(index);
        if !is_inside {
            let last = self.int(last as i32);
            index = self.b.ins().umin(index, last);
        }
        let base = self.word(address as u64);
        (self.address(base, index, bytes), flags)
    }

    pub(super) fn address(&mut self, base: Value, index: Value, bytes: usize) -> Value {
        let index = self.b.ins().uextend(types::I64, index);
        let offset = if bytes.is_power_of_two() {
            self.b.ins().ishl_imm_u(index, i64::from(bytes.trailing_zeros()))
        } else {
            self.b.ins().imul_imm_s(index, bytes as i64)
        };
        self.b.ins().iadd(base, offset)
    }
}

/// The offset of the number of entries, and that of the entry that stands for others.
fn bounds(access: Access) -> (usize, usize) {
    match access {
        Access::Read => (Context::LEN, Context::ZEROS),
        Access::Write => (Context::WRITTEN, Context::SINK),
    }
}

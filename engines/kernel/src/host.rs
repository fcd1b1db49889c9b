//! The environment that a program runs in.

use crate::ir::{Access, HostId, Ints, Sets};
use crate::loans::{Loans, Slot};

/// The environment that a program runs in: the arrays that it is lent, and the functions that it
/// can call.
///
/// An array keeps its length and its place from one call of [`Host::call`] to the next. Numbers of
/// arrays and functions are those of the [program](crate::ir::Program), whatever a program is given
/// as operands.
pub trait Host {
    /// Lends all arrays at once to machine code, by default each as it is lent by its number. A
    /// host that is run often can do the same in less time by itself; it must not lend an array to
    /// be written that the program only reads, since the interpreter would know nothing of it.
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        lend_all(self, loans);
    }

    /// An array of numbers.
    fn ints(&self, array: Ints) -> &[i32];

    /// An array of numbers to be written; asked only for arrays with [`Access::Write`]. A host may
    /// lend them for reading alone: then this is empty, and writing does nothing.
    ///
    /// [`Access::Write`]: crate::ir::Access::Write
    fn ints_mut(&mut self, array: Ints) -> &mut [i32];

    /// An array of sets: the words of one set after those of another. What is left at the end, with
    /// fewer words than a set has, is not read.
    fn sets(&self, array: Sets) -> &[u64];

    /// An array of sets to be written; as [`Host::ints_mut`].
    ///
    /// [`Access::Write`]: crate::ir::Access::Write
    fn sets_mut(&mut self, array: Sets) -> &mut [u64];

    /// Calls a function with as many arguments as the program declares for it.
    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32;
}

/// Lends all arrays that a host has by their numbers.
fn lend_all<'a, H: Host + ?Sized>(host: &'a mut H, loans: &mut Loans<'a>) {
    let arrays = loans.arrays();
    for (number, access) in arrays.ints.iter().enumerate() {
        let array = Ints(number as u32);
        let mut slot = Slot::NONE;
        if *access == Access::Write {
            slot = Slot::written(host.ints_mut(array));
        }
        if slot.len == 0 {
            slot = Slot::read(host.ints(array));
        }
        loans.put(number, slot);
    }
    for (number, access) in arrays.sets.iter().enumerate() {
        let array = Sets(number as u32);
        let mut slot = Slot::NONE;
        if *access == Access::Write {
            slot = Slot::written(host.sets_mut(array));
        }
        if slot.len == 0 {
            slot = Slot::read(host.sets(array));
        }
        loans.put_sets(array, slot);
    }
}

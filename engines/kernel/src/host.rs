//! The environment that a program runs in.

use crate::ir::HostId;
use crate::loans::Loans;

/// The environment that a program runs in: the arrays that it is lent, and the functions that it
/// can call.
///
/// An array keeps its length and its place from one call of [`Host::call`] to the next. Numbers of
/// arrays and functions are those of the [program](crate::ir::Program), whatever a program is given
/// as operands.
pub trait Host {
    /// Lends the arrays that there are, when a run begins and after each call; by default none.
    #[inline(always)]
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        let _ = loans;
    }

    /// Calls a function with as many arguments as the program declares for it.
    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32;
}

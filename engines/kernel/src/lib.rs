#![doc = include_str!("../README.md")]

pub mod build;
mod check;
mod code;
mod host;
mod inline;
mod interpret;
pub mod ir;
mod loans;
mod lower;
mod memory;
#[cfg(feature = "native")]
mod native;
mod needs;
mod passes;
mod print;
mod promote;
mod properties;
pub mod views;
mod walk;

pub use check::{Checked, Fault, MAX_NESTING, MAX_NODES, MAX_REGISTERS, MAX_WORDS, Problem, check};
pub use host::Host;
pub use loans::Loans;
pub use memory::Memory;
#[cfg(feature = "native")]
pub use native::{
    MAX_NATIVE_ARRAYS, MAX_NATIVE_SIZE, MAX_NATIVE_STACK, MAX_NATIVE_WORDS, Native, Reason,
};

// Tests name what they use as others do.
#[cfg(test)]
extern crate self as kernel;
#[cfg(test)]
mod tests;

//! A small compiler for playouts: [`ir`] is what front ends write, [`build`] helps them to write it,
//! [`check`] is the way in, [`Checked::interpret`] runs it everywhere, [`Native`] as machine code,
//! [`Checked::simplified`] makes it simpler first.

pub mod build;
mod check;
mod code;
mod host;
mod interpret;
pub mod ir;
mod lower;
#[cfg(feature = "native")]
mod native;
mod passes;
mod print;

pub use check::{Checked, Fault, MAX_NESTING, MAX_NODES, MAX_REGISTERS, MAX_WORDS, Problem, check};
pub use host::Host;
#[cfg(feature = "native")]
pub use native::{MAX_NATIVE_ARRAYS, MAX_NATIVE_STACK, MAX_NATIVE_WORDS, Native, Reason};

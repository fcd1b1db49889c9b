//! A small compiler for playouts: [`ir`] is what front ends write, [`build`] helps them to write it,
//! [`check`] is the way in, [`Checked::interpret`] runs it everywhere.

pub mod build;
mod check;
mod code;
mod host;
mod interpret;
pub mod ir;
mod lower;

pub use check::{Checked, Fault, MAX_NESTING, MAX_NODES, MAX_REGISTERS, MAX_WORDS, Problem, check};
pub use host::Host;

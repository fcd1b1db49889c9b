//! Automata to programs of the kernel.

mod memory;
mod moves;
mod tables;
mod terms;
mod conditions;
mod direct;
mod loops;
mod turns;
mod walk;
mod writer;

pub(crate) use memory::MemoryMap;
pub(crate) use turns::{Compiled, Event, Turn, compile};
pub(crate) use walk::arrays;

//! Automata to programs of the kernel.

mod apart;
pub(crate) mod arrays;
mod assign;
mod choices;
mod conditions;
mod direct;
mod distinct;
mod expressions;
mod functions;
mod lines;
mod loops;
mod memory;
mod moves;
mod patterns;
mod playouts;
mod ranges;
mod regions;
mod slides;
mod tables;
mod terms;
mod turns;
mod walk;
mod writer;

pub(crate) use memory::MemoryMap;
pub(crate) use turns::{Compiled, Event, Kind, Turn, compile};

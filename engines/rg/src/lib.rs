//! The engine of Regular Games.

mod automaton;
mod code;
mod compile;
mod compiled;
mod distinct;
mod regions;
mod dot;
mod engine;
mod front;
mod limits;
mod liveness;
mod minimize;
mod perft;
mod reference;
mod search;
mod show;
mod symbols;
#[cfg(test)]
mod tests;
mod syntax;
mod values;

pub use engine::{RgEngine, check, expand, perft, tokens};

#![doc = include_str!("../README.md")]

mod automaton;
mod code;
mod compile;
mod compiled;
mod dot;
mod engine;
mod front;
pub mod guide;
mod limits;
mod liveness;
mod minimize;
mod perft;
mod probe;
mod reference;
mod search;
mod show;
mod state;
mod symbols;
mod syntax;
#[cfg(test)]
mod tests;
mod values;

pub use engine::{RgEngine, check, expand, perft, perft_by_code, tokens};

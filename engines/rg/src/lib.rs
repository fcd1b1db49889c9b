//! The engine of Regular Games.

mod automaton;
mod compile;
mod distinct;
mod regions;
mod dot;
mod engine;
mod front;
mod limits;
mod liveness;
mod perft;
mod reference;
mod search;
mod show;
mod symbols;
mod syntax;
mod values;

pub use engine::{RgEngine, check, expand, perft, tokens};

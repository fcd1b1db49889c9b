#![doc = include_str!("../README.md")]

mod bits;
mod compile;
mod description;
mod draw;
mod engine;
mod fan;
mod formula;
mod front;
mod layout;
mod moves;
mod perft;
mod place;
mod playout;
mod program;
mod quick;
mod relation;
mod scratch;
mod script;
mod search;
mod show;
mod state;
mod strides;
mod sweep;
mod walk;

pub use engine::{RbgEngine, check, perft, tokens};

// Tests name what they use as others do.
#[cfg(test)]
extern crate self as rbg;
#[cfg(test)]
mod tests;

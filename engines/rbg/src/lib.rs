#![doc = include_str!("../README.md")]

mod bits;
mod compile;
mod description;
mod engine;
mod formula;
mod front;
mod layout;
mod perft;
mod program;
mod quick;
mod relation;
mod script;
mod search;
mod show;
mod state;
mod walk;

pub use engine::{RbgEngine, check, perft, tokens};

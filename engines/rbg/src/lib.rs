#![doc = include_str!("../README.md")]

mod bits;
mod bytecode;
mod compile;
mod description;
mod draw;
mod engine;
mod formula;
mod front;
mod layout;
mod leads;
mod limits;
mod moves;
mod perft;
mod place;
mod playout;
mod position;
mod program;
mod rays;
mod relation;
mod scratch;
mod search;
mod searched;
mod show;
mod state;
mod walk;

pub use engine::{RbgEngine, check, perft, tokens};

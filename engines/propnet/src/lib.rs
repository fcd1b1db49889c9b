#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod circuit;
pub mod graph;
pub mod network;
pub mod order;

mod batch;
mod costs;
mod cpu;
mod dot;
mod engine;
mod event;
mod factor;
mod guards;
mod implied;
mod machine;
mod passes;
mod percepts;
mod steps;
mod trial;
mod vector;

pub use engine::{Evaluator, PropnetEngine, PropnetGame, PropnetState};
pub use machine::{MoveId, State};

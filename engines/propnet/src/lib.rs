#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod circuit;
pub mod graph;
pub mod network;
pub mod order;

mod batch;
mod costs;
mod dot;
mod encoding;
mod engine;
mod event;
mod factor;
mod guards;
mod implied;
mod passes;
mod percepts;
mod plain_evaluator;
mod steps;
mod sweep;
mod trial;
mod vector;

pub use cpu::Level;
pub use engine::{Evaluator, PropnetEngine, PropnetGame, PropnetState};
pub use plain_evaluator::{MoveId, State};

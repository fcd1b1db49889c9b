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
mod encoding;
mod engine;
mod event;
mod factor;
mod guards;
mod implied;
mod machine;
mod passes;
mod percepts;
mod steps;
mod sweep;
mod trial;
mod vector;

pub use cpu::Level;
#[cfg(target_arch = "x86_64")]
pub use cpu::{Avx2, Avx512};
pub use engine::{Evaluator, PropnetEngine, PropnetGame, PropnetState};
pub use machine::{MoveId, State};

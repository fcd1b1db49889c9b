//! The prover: plays rulesheets by evaluating their rules bottom-up in every state, without
//! grounding them. Slow beside a propositional network, and the truth that one is checked against.

mod actions;
mod assemble;
mod build;
mod encoding;
mod engine;
mod game;
mod maintenance;
mod mechanics;
mod percepts;
mod phases;
mod reach;
mod state;
mod tune;
mod write;

pub use actions::Action;
pub use engine::ProverEngine;
pub use mechanics::{ProverGame, ProverState};

#[cfg(test)]
mod tests;

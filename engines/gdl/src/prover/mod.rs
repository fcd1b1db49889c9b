//! The prover: plays rulesheets by evaluating their rules bottom-up in every state, without
//! grounding them. Slow beside a propositional network, and the truth that one is checked against.

mod actions;
mod assemble;
mod base;
mod bit_scan;
mod build;
mod code;
mod compile;
mod demand;
mod domain;
mod domain_inference;
mod encoding;
mod engine;
mod flat;
mod frame;
mod game;
mod loop_fusion;
mod machine;
mod maintenance;
mod mechanics;
mod percepts;
mod plan;
mod pool;
mod reach;
mod schedule;
mod shapes;
mod statics;
mod store;
mod transpositions;
mod tune;
mod universe;

pub use actions::Action;
pub(crate) use assemble::derived_roles;
pub use engine::ProverEngine;
pub use mechanics::{ProverGame, ProverState};

#[cfg(test)]
mod tests;

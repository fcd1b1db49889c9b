//! The prover: plays rulesheets by evaluating their rules bottom-up in every state, without
//! grounding them. Slow beside a propositional network, and the truth that one is checked against.

mod actions;
mod assemble;
mod base;
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
mod fuse;
mod game;
mod machine;
mod mechanics;
mod memo;
mod percepts;
mod plan;
mod pool;
mod reach;
mod schedule;
mod shapes;
mod slice;
mod statics;
mod store;
mod tune;
mod universe;
mod upkeep;

pub use actions::Action;
pub(crate) use assemble::derived_roles;
pub use engine::ProverEngine;
pub use mechanics::{ProverGame, ProverState};

#[cfg(test)]
mod tests;

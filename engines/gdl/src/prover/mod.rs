//! The prover: plays rulesheets by evaluating their rules bottom-up in every state, without
//! grounding them. Slow beside a propositional network, and the truth that one is checked against.

mod actions;
mod build;
mod code;
mod compile;
mod demand;
mod encoding;
mod engine;
mod flat;
mod frame;
mod fuse;
mod game;
mod machine;
mod memo;
mod narrow;
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
pub use engine::{ProverEngine, ProverGame, ProverState};
pub(crate) use game::derived_roles;

#[cfg(test)]
mod tests;

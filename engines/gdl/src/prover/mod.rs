//! The prover: plays rulesheets by evaluating their rules bottom-up in every state, without
//! grounding them. Slow beside a propositional network, and the truth that one is checked against.

mod build;
mod code;
mod compile;
mod demand;
mod engine;
mod flat;
mod game;
mod machine;
mod plan;
mod pool;
mod schedule;
mod shapes;
mod statics;
mod store;
mod tune;
mod universe;

pub use engine::{ProverEngine, ProverGame, ProverState};
pub use game::Action;
pub(crate) use game::derived_roles;

#[cfg(test)]
mod tests;

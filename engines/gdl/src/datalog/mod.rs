//! Datalog: rules over flat relations, and the machine that evaluates them bottom-up. The grounder
//! evaluates a whole game by it, once; the prover state by state.

pub(crate) mod base;
pub(crate) mod bit_scan;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod demand;
pub(crate) mod domain;
pub(crate) mod domain_inference;
pub(crate) mod fixpoint;
pub(crate) mod flat;
pub(crate) mod flatten;
pub(crate) mod frame;
pub(crate) mod layout;
pub(crate) mod loop_fusion;
pub(crate) mod machine;
pub(crate) mod once;
pub(crate) mod plan;
pub(crate) mod pool;
pub(crate) mod rows;
pub(crate) mod schedule;
pub(crate) mod shapes;
pub(crate) mod statics;
pub(crate) mod store;
pub(crate) mod universe;

//! Tests of the agents: on games whose truth is known, and against each other.

mod full;
pub(crate) mod games;
mod hidden;
mod names;
mod reason;
mod rules;
mod same;
mod worlds;

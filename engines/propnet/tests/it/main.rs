//! Tests of `propnet` as others use it. They play whole games, which the program of the unit tests
//! is spared: what they reach is compiled once, with the crate.

mod catalogue;
mod chance;
mod common;
mod corpus;
mod ground_programs;
mod hidden;
mod hostile;
mod levels;
mod together;

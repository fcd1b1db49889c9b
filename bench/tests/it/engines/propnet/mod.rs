//! Tests of `propnet` as others use it.

mod catalogue;
mod chance;
mod common;
mod corpus;
mod ground_programs;
mod hidden;
mod hostile;
mod levels;
mod together;

//! Tests of `propnet` as others use it, in the program of its unit tests.

mod catalogue;
mod chance;
mod common;
mod corpus;
mod ground_programs;
mod hidden;
mod hostile;
mod levels;
mod together;

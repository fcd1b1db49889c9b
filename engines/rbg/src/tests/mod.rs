//! Tests of `rbg` as others use it, in the program of its unit tests.

mod bytecode;
mod common;
mod corpus;
mod hostile;
mod keeper;
mod kept;
mod labels;

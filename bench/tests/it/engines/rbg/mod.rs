//! Tests of `rbg` as others use it.

mod bytecode;
mod common;
mod corpus;
mod hostile;
mod keeper;
mod kept;
mod labels;

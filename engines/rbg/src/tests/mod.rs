//! Tests of `rbg` as others use it, in the program of its unit tests.

mod common;
mod corpus;
mod fill;
mod hostile;
mod keeper;
mod labels;
mod quick;

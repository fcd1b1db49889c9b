//! Tests of `ludeme` as others use it, in the program of its unit tests.

mod allocations;
pub(crate) mod common;
mod front_catalogue;
mod front_corpus;
mod guide;
mod hidden;
mod hidden_games;
mod kit;
mod matches;
mod mutations;
mod puzzles;
mod records;
mod tables;
mod turns;

//! Tests of `ludeme` as others use it. They play whole games, which the program of the unit tests
//! is spared: what they reach is compiled once, with the crate.

mod allocations;
mod common;
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

//! The integration tests of `ludeme`, in one program: linked once, and run side by side.

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

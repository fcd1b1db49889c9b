//! Tests of `ludeme` as others use it.

mod allocations;
mod common;
#[path = "../../../../../engines/ludeme/src/checks/files.rs"]
mod files;
mod front_catalogue;
mod front_corpus;
mod guide;
mod hidden;
mod hidden_games;
mod kit;
mod matches;
mod missing_sites;
mod mutations;
mod puzzles;
mod records;
mod tables;
mod turns;

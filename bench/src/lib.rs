//! The harness: worker protocol, verification, measuring, and the commands of `ggpbench`.
//!
//! Every engine runs behind the [`protocol`] in a process of its own ([`worker`] is our server
//! side, [`client`] the harness's). A [`subject`] is a game loaded into an engine; [`verify`]
//! proves that subjects play the same game, [`measure`] takes interleaved samples of them.
#![warn(missing_docs)]

// First, since its macros are used in all that follow.
#[macro_use]
mod output;

pub mod analysis;
mod behaviour;
pub mod belief;
mod boards;
pub mod cli;
pub mod client;
pub mod clock;
pub mod conform;
pub mod contest;
pub mod engine_check;
pub mod engine_set;
pub mod engines_file;
pub mod entry;
pub mod failure;
pub mod game_record;
pub mod identity;
pub mod languages;
pub mod machine;
pub mod measure;
mod outcomes;
pub mod outside;
mod peers;
pub mod playout_ids;
pub mod position;
mod process;
pub mod protocol;
pub mod random_walk;
mod raw;
pub mod run_config;
pub mod seat;
pub mod shard;
pub mod strategies;
pub mod subject;
pub mod trial;
pub mod universal;
pub mod verify;
mod viability;
pub mod worker;

mod suite;
mod ui;

#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod automaton;
pub mod kit;
pub mod reference;
pub mod toy;
pub mod tree;

mod chance;
mod encoding;
mod engine;
mod lockstep;
mod mechanics;
mod numbers;
mod percepts;
mod position;
mod replay;
mod rng;
mod scores;
mod streams;
mod tally;

pub use chance::{Certain, Chance, Drawn, Script};
pub use encoding::{BEFORE, Encoding, NOW, PASS, write_planes};
pub use engine::{
    CompileError, Compiled, Engine, EngineId, Facts, Game, Job, Language, Limits, Method, Promise,
    Rules, Stage, Via, Way,
};
pub use lockstep::{Flock, IllegalStep, Lockstep, Progress, Views};
pub use mechanics::{Adapted, Mechanics};
pub use percepts::Percepts;
pub use position::{IllegalAction, MAX_FORCED_PASSES, Position, settle};
pub use replay::{Course, Difference, Replay, ReplayError};
pub use rng::Rng;
pub use scores::{MAX_PLAYERS, Player, Scores, Turn};
pub use streams::{Streams, Upcoming};
pub use tally::{End, Ending, Tally};

/// Mixes 64 bits so that every input bit reaches every output bit (the finaliser of SplitMix64,
/// Steele, Lea and Flood 2014).
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

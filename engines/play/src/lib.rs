#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod automaton;
pub mod kit;
pub mod lazy_automaton;
pub mod picture;
pub mod toy;
pub mod tree;

mod adapted;
mod any_state;
mod bounds;
mod build_fact;
mod chance;
mod code_book;
mod coded_position;
mod encoding;
mod engine;
mod game;
mod job;
mod label_template;
mod listed_lockstep;
mod lockstep;
mod mechanics;
mod merged;
mod method;
mod not_reached;
mod numbers;
mod observed;
mod open_position;
mod percepts;
mod pool;
mod position;
mod position_table;
mod recoded;
mod replay;
mod reworded;
mod rng;
mod rules;
mod running_playout;
mod scores;
mod search;
mod searched;
mod site_list;
mod site_lockstep;
mod site_rows;
mod started;
mod strategy;
mod streams;
mod tabled_lockstep;
mod tally;
mod typed_state;
mod uct;
mod words;

pub use adapted::Adapted;
pub use bounds::Bounds;
pub use build_fact::BuildFact;
pub use chance::{Chance, NoChance, Script};
pub use encoding::{
    BEFORE, Encoding, NOW, PASS, SiteGrid, Symmetry, Turned, spread, write_planes, write_set,
};
pub use engine::{Compiled, Engine, EngineId};
pub use game::{Facts, Game, Stage, Via};
pub use job::Job;
pub use lockstep::{Buffers, IllegalStep, Lockstep, LockstepJob, Progress, Views};
pub use mechanics::{Continuation, Mechanics, each_by_itself, one_by_one, reference};
pub use method::{Method, PlayoutMode, Promise};
pub use not_reached::NotReached;
pub use observed::observed_encoding;
pub use percepts::Percepts;
pub use picture::Picture;
pub use pool::Pool;
pub use position::{
    IllegalAction, MAX_FORCED_PASSES, OpenLoopSearch, Position, passes_without_end, settle,
};
pub use recoded::{RecodedLockstep, Recoding};
pub use replay::{Course, Difference, Replay, ReplayError};
pub use rng::{Drawn, Rng};
pub use rules::{CompileError, Language, Limits, Rules};
pub use scores::{MAX_PLAYERS, Player, Scores, Turn};
pub use search::{ActionValue, Search, SearchSettings, Simulated};
pub use searched::{NotSearched, Searched};
pub use site_list::SiteTurn;
pub use site_rows::{NO_SITE, SitePly, SiteRows};
pub use strategy::Strategy;
pub use streams::{Streams, Upcoming};
pub use tally::{End, Ending, Outcomes, Tally};
pub use uct::{grow_open_loop_through, grow_through};
pub use words::{Wording, WordingFault, Words};

/// Mixes 64 bits so that every input bit reaches every output bit (the finaliser of SplitMix64,
/// Steele, Lea and Flood 2014).
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

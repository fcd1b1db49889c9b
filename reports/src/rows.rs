//! `measurements.csv`: the row type, its writer and its strict reader.
//!
//! The struct [`Sample`] is the format: writer and reader share it, so they cannot drift apart.
//! The column dictionary with units is in `reports/README.md`; a test compares it with [`COLUMNS`].

mod detects;
mod payoff;
mod read;
mod sample;
mod words;
mod write;

pub use detects::Detects;
pub use payoff::Payoff;
pub use read::{Loaded, OPTIONAL, read_file, read_text};
pub use sample::{COLUMNS, Digest, Sample};
pub use words::{Method, Phase, Verdict, Via};
pub use write::SampleWriter;
pub(crate) use write::{header, to_line};

/// Name of the file of rows inside a run's folder.
pub const FILE_NAME: &str = "measurements.csv";

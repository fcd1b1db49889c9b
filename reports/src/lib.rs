//! Raw samples in, tables and charts out.
//!
//! Everything ggpbench publishes is a pure function of one file, `measurements.csv`: one row a
//! sample, and one row for each pair of game and engine that failed. This crate owns that file's
//! row type and turns it into aggregates, tables and charts. It knows no engine, no game and no
//! clock.
//!
//! ```text
//! measurements.csv -> rows::Sample -> Run -> Table -> Speedups -> render::*  (text)
//!                                            -> Curves         -> chart::*   (SVG, PNG)
//! ```
//! `README.md` beside this crate has the dictionary of columns and the invariants.

pub mod chart;
pub mod claim;
pub mod compare;
pub mod curves;
mod error;
pub mod format;
pub mod languages;
pub mod published;
pub mod rank;
pub mod record;
pub mod render;
pub mod rows;
pub mod run;
pub mod standing;
pub mod stats;
pub mod table;
pub mod text;
pub mod write;

pub use compare::{Comparison, compare};
pub use error::Error;
pub use record::Record;
pub use rows::{Detects, Digest, Method, Payoff, Phase, Sample, SampleWriter, Verdict, Via};
pub use run::Run;
pub use table::{Bound, Cell, Column, Figures, GameRow, Order, Speedups, Table, Way};
pub use write::{Options, Written, artefacts, check_baseline, replace, write_all};

// Tests name what they use as others do.
#[cfg(test)]
extern crate self as reports;
#[cfg(test)]
mod tests;

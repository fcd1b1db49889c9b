#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod catalogue;
mod entry;
mod family;
mod fields;
mod folder;
mod manifest;
mod order;
mod problem;
mod setting;
pub mod setup;
mod template;
mod unsaid;
mod words;

pub use catalogue::{Catalogue, UnknownGame};
pub use entry::{Description, GameEntry, PaperRow, Perft, PerftPosition, Playouts, Recorded};
pub use family::{Family, FamilyError};
pub use problem::{CatalogueError, Problem};
pub use setup::{Notation, Setup};
pub use unsaid::REASONS;

// Tests name what they use as others do.
#[cfg(test)]
extern crate self as games;
#[cfg(test)]
mod tests;

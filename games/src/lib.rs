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
mod words;

pub use catalogue::{Catalogue, UnknownGame};
pub use entry::{Description, GameEntry, PaperRow, Perft, Playouts, Recorded};
pub use family::{Family, FamilyError};
pub use problem::{CatalogueError, Problem};

// Tests name what they use as others do.
#[cfg(test)]
extern crate self as games;
#[cfg(test)]
mod tests;

#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod catalogue;
mod entry;
mod fields;
mod folder;
mod manifest;
mod order;
mod problem;

pub use catalogue::{Catalogue, UnknownGame};
pub use entry::{Description, GameEntry, PaperRow, Perft, Playouts};
pub use problem::{CatalogueError, Problem};

#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod child;
mod distance;
mod listed;
mod mutation;
mod opposite;
mod piece;
mod plain;
mod slip;
mod tree;
mod unit;

pub use child::{Child, Donors, Edit};
pub use distance::{Budget, distance, size};
pub use listed::listed;
pub use mutation::Originals;
pub use piece::{LINE, Piece, pieces};
pub use plain::{comment_mark, plain};
pub use slip::{Slip, SlipKind, Slips};
pub use tree::{Path, Tree, get, paths, read, siblings, write};

#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod child;
mod mutation;
mod opposite;
mod piece;
mod slip;
mod tree;
mod unit;

pub use child::{Child, Donors, Edit};
pub use mutation::Originals;
pub use piece::{LINE, Piece, pieces};
pub use slip::{Slip, SlipKind, Slips};
pub use tree::{Path, Tree, get, paths, read, siblings, write};

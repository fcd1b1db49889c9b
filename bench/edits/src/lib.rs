#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod mutation;
mod tree;

pub use mutation::Originals;
pub use tree::{LINE, Path, Tree, get, paths, read, siblings, write};

#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod distance;
mod listed;
mod mutation;
mod plain;
mod tree;

pub use distance::{Budget, distance, size};
pub use listed::listed;
pub use mutation::Originals;
pub use plain::plain;
pub use tree::{LINE, Path, Tree, get, paths, read, siblings, write};

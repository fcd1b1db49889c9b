//! Games of chance and of hidden information as a tree with one token.
//!
//! Soemers, Piette, Stephenson and Browne (*The Ludii Game Description Language is Universal*,
//! arXiv 2205.00451) prove that ludemes can say every finite game in extensive form: nature chooses
//! at some nodes, and players do not see at which node of several the token stands. [`grow`] makes
//! the tree of a game, [`lud`] and [`kif`] write it, and [`check`] compares all histories with
//! their odds.

mod check;
mod kif;
mod lud;
mod tree;

pub use check::check;
pub use kif::kif;
pub use lud::lud;
pub use tree::{Node, Tree, grow};

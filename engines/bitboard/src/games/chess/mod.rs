//! Chess, and Skirmish, which is chess without check.

mod full;
mod men;
mod moves;
mod skirmish;

pub(crate) use full::Chess;
pub(crate) use skirmish::Skirmish;

//! Tests of `games` as others use it, in the program of its unit tests.

mod catalogue;
mod errors;
mod families;
mod setup;

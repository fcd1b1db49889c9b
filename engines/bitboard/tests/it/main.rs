//! The integration tests of `bitboard`, in one program: linked once, and run side by side.

mod common;
mod conformance;
mod hidden;
mod lockstep;
mod names;
mod perft;
mod rules;
mod statistics;

//! Tests of `bitboard` as others use it, in the program of its unit tests.

mod common;
mod conformance;
mod hidden;
mod lockstep;
mod names;
mod perft;
mod rules;
mod statistics;

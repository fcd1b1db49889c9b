//! Tests of `bitboard` as others use it.

mod common;
mod conformance;
mod hidden;
mod lockstep;
mod names;
mod perft;
mod rules;
mod statistics;

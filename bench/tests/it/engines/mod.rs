//! Tests of the list of all engines, of engines that play games of the catalogue alike, and of what
//! others use of an engine, a folder each.

mod bitboard;
mod gdl;
mod hidden;
mod ludeme;
mod propnet;
mod random_games;
mod rbg;
mod sites;
mod sizes;
mod ways;

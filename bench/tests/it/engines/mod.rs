//! What the list of all engines says of them, what they play alike on games of the catalogue, and
//! the tests of what others use of an engine, a folder each.

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

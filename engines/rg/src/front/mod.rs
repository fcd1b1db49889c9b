//! The front ends: text to a checked [`Automaton`](crate::automaton::Automaton).

mod cursor;
mod hrg;
mod lex;

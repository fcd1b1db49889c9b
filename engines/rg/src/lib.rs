//! The engine of Regular Games.

mod automaton;
mod front;
mod limits;
mod symbols;
mod syntax;

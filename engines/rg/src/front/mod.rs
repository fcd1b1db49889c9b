//! The front ends: text to a checked [`Automaton`](crate::automaton::Automaton).

mod cursor;
mod lex;

pub(crate) fn read(_: &text::Source) -> (Option<crate::automaton::Automaton>, Vec<text::Diagnostic>) { todo!() }
pub(crate) fn tokens(_: &text::Source) -> usize { todo!() }
pub(crate) fn expand(_: &text::Source) -> Result<String, Vec<text::Diagnostic>> { todo!() }

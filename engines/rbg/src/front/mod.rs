//! The front end: text to a checked [`Description`].

mod board;
mod cursor;
mod lex;
mod macros;
mod names;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use text::{Diagnostic, Source, Span};

use crate::description::Description;
use crate::limits::MAX_TEXT;
use cursor::Cursor;
use lex::{Sym, Words};
use names::Names;

/// Reads a description. There is one exactly if no diagnostic is an error. An error in a macro or
/// in an argument of one is reported once, however often it is pasted.
pub(crate) fn read(source: &Source) -> (Option<Description>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let description = try_read(source, &mut diagnostics);
    let mut said = HashSet::new();
    diagnostics.retain(|diagnostic| said.insert((diagnostic.span, diagnostic.message.clone())));
    if diagnostics.len() > text::MAX_DIAGNOSTICS {
        text::keep_first(&mut diagnostics);
    }
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    (description.filter(|_| sound), diagnostics)
}

/// Number of tokens of the text; other characters do not count.
pub(crate) fn tokens(source: &Source) -> usize {
    lex::lex(source, &mut Words::new(), &mut Vec::new()).len()
}

fn try_read(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Option<Description> {
    if let Some(diagnostic) = text::too_large(source, MAX_TEXT) {
        diagnostics.push(diagnostic);
        return None;
    }
    if let Some(diagnostic) = source.encoding() {
        let is_error = diagnostic.is_error();
        diagnostics.push(diagnostic);
        if is_error {
            return None;
        }
    }
    let mut words = Words::new();
    let tokens = lex::lex(source, &mut words, diagnostics);
    let expanded = macros::expand(source, &tokens, &mut words, diagnostics);
    let words = words;
    let mut complete = true;
    for sym in [Sym::PLAYERS, Sym::PIECES, Sym::VARIABLES, Sym::BOARD, Sym::RULES] {
        if !expanded.sections.contains_key(&sym) {
            complete = false;
            let name = words.text(sym);
            let mut diagnostic = Diagnostic::error(
                "missing-section",
                Span::at(source.text().len()),
                format!("there is no `#{name}`"),
            );
            let near: Vec<Sym> = expanded
                .macros
                .iter()
                .copied()
                .filter(|m| text::near_miss(words.text(*m), [name]).is_some())
                .collect();
            diagnostic = match near.first() {
                Some(&m) => diagnostic.help(format!("is `#{}` meant to be it?", words.text(m))),
                None if sym == Sym::VARIABLES => {
                    diagnostic.help("write `#variables =` where there are none")
                }
                None => diagnostic.help(format!("add `#{name} = ...`")),
            };
            diagnostics.push(diagnostic);
        }
    }
    if expanded.sections.is_empty() {
        return None;
    }
    let mut names = Names::default();
    let (mut players, mut bounds, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
    macro_rules! cursor {
        ($sym:expr) => {
            expanded.sections.get(&$sym).map(|section| {
                Cursor::new(&section.tokens, section.end, &words, &expanded, diagnostics)
            })
        };
    }
    if let Some(mut cursor) = cursor!(Sym::PLAYERS) {
        names::bounded(&mut cursor, &mut names, true, &mut players, &mut bounds);
    }
    let mut vars = players.clone();
    if let Some(mut cursor) = cursor!(Sym::VARIABLES) {
        names::bounded(&mut cursor, &mut names, false, &mut vars, &mut bounds);
    }
    if let Some(mut cursor) = cursor!(Sym::PIECES) {
        names::pieces(&mut cursor, &mut names, &mut pieces);
    }
    let board = cursor!(Sym::BOARD).and_then(|mut cursor| board::board(&mut cursor, &mut names));
    if players.is_empty()
        && let Some(section) = expanded.sections.get(&Sym::PLAYERS)
    {
        diagnostics.push(
            Diagnostic::error("no-players", section.span, "a game without players")
                .label("expected at least one, such as `white(100)`"),
        );
    }
    // Without a board, every direction would be unknown.
    let board = board?;
    let rules = cursor!(Sym::RULES).and_then(|mut cursor| rules::rules(&mut cursor, &names))?;
    complete.then_some(Description { players, pieces, bounds, vars, board, rules, says_all: false })
}

//! The front ends: text to a checked [`Automaton`](crate::automaton::Automaton).

mod builtin;
mod check;
mod cursor;
mod hrg;
mod labels;
mod lex;
mod print;
mod rg;
#[cfg(test)]
mod tests;
mod types;
mod values;

use std::collections::HashSet;
use std::path::Path;

pub(crate) use print::print;
use text::{Diagnostic, Source, Span};

use crate::automaton::Automaton;
use crate::limits::MAX_TEXT;
use crate::symbols::Symbols;
use crate::syntax::Declarations;

/// Reads a description, which is RG unless its name ends in `.hrg`. There is an automaton exactly
/// if no diagnostic is an error.
pub(crate) fn read(source: &Source) -> (Option<Automaton>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let automaton = declarations(source, &mut diagnostics)
        .and_then(|declarations| check::check(declarations, &mut diagnostics));
    let mut said = HashSet::new();
    diagnostics.retain(|diagnostic| said.insert((diagnostic.span, diagnostic.message.clone())));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    if diagnostics.len() > text::MAX_DIAGNOSTICS {
        text::keep_first(&mut diagnostics);
    }
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    (automaton.filter(|_| sound), diagnostics)
}

/// The number of tokens of the text; other characters do not count. `$_` is one token, also before
/// a blank.
pub(crate) fn tokens(source: &Source) -> usize {
    let tokens = lex::lex(source, &mut Symbols::default(), &mut Vec::new());
    let texts = tokens.windows(2).filter(|pair| {
        let [first, second] = [pair[0], pair[1]].map(|token| &source.text()[token.span.range()]);
        first == "$" && second == "_" && pair[0].span.end == pair[1].span.start
    });
    tokens.len() - texts.count()
}

/// The declarations of a description of either form.
fn declarations(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Option<Declarations> {
    if source.text().len() > MAX_TEXT {
        let message = format!("a description of {} bytes", source.text().len());
        diagnostics.push(
            Diagnostic::error("too-large", Span::at(0), message)
                .label(format!("expected at most {MAX_TEXT}")),
        );
        return None;
    }
    if Path::new(source.name()).extension().is_some_and(|extension| extension == "hrg") {
        return hrg::expand(source, diagnostics);
    }
    Some(rg::parse(source, diagnostics))
}

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

use text::{Diagnostic, Source};

use self::print::print;
use crate::automaton::Automaton;
use crate::limits::{Bounds, MAX_TEXT};
use crate::symbols::Symbols;
use crate::syntax::Declarations;

/// Reads a description, which is RG unless its name ends in `.hrg`. There is an automaton exactly
/// if no diagnostic is an error.
pub(crate) fn read(source: &Source) -> (Option<Automaton>, Vec<Diagnostic>) {
    read_within(source, &Bounds::default())
}

/// Like [`read`], within bounds.
pub(crate) fn read_within(
    source: &Source,
    bounds: &Bounds,
) -> (Option<Automaton>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let declarations = declarations(source, bounds, &mut diagnostics);
    checked(declarations, diagnostics)
}

/// A description in RG, as text, and what there is to say about it; no text of a faulty one.
pub(crate) fn expand(source: &Source) -> (String, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let declarations = declarations(source, &Bounds::default(), &mut diagnostics);
    let text = declarations.as_ref().map(print).unwrap_or_default();
    let (automaton, diagnostics) = checked(declarations, diagnostics);
    (automaton.map_or_else(String::new, |_| text), diagnostics)
}

/// The automaton of declarations, and all that there is to say about the description, in order.
fn checked(
    declarations: Option<Declarations>,
    mut diagnostics: Vec<Diagnostic>,
) -> (Option<Automaton>, Vec<Diagnostic>) {
    let automaton = declarations.and_then(|all| check::check(all, &mut diagnostics));
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
fn declarations(
    source: &Source,
    bounds: &Bounds,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Declarations> {
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
    if is_high_level(source) {
        return hrg::expand(source, bounds, diagnostics);
    }
    Some(rg::parse(source, diagnostics))
}

/// True if a description is in HRG: by the extension of its name, or, if it has none of either
/// form, by a graph, which every game in HRG has and none in RG.
fn is_high_level(source: &Source) -> bool {
    match Path::new(source.name()).extension().and_then(|extension| extension.to_str()) {
        Some("hrg") => true,
        Some("rg") => false,
        _ => {
            let words: Vec<&str> = source.text().split_whitespace().collect();
            words.windows(2).any(|pair| pair[0] == "graph" && pair[1].starts_with("rules"))
        }
    }
}

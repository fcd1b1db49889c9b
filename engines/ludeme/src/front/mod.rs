//! The front end: from the text of a `.lud` file to a checked tree of ludeme calls.
//!
//! ```text
//! text --text::read--> brackets --options, macros, ranges--> expanded tree --grammar--> Parsed
//! ```
//!
//! [`parse`] does all of it. What comes out is a tree of [`Call`]s, each with its signature chosen
//! among the overloads of its keyword and its arguments sorted into the labelled slots of that
//! signature; the signatures are the lines of `grammar/*.ludemes`. Everything in the tree knows its
//! [`Place`]: where the user wrote it and through which macro calls it came.
//!
//! | module | what it does |
//! |---|---|
//! | `expand` | the order of the steps up to the expanded tree |
//! | `token` | lists of tokens with places, which options and macros cut and paste |
//! | `options` | `option` and `rulesets`: what can be chosen, and putting it in |
//! | `define` | macros, those of the description and those of `library/*.lud` |
//! | `range` | `1..9` and `"A1".."C3"` |
//! | `implied` | the rules of a description without any |
//! | `tree` | the expanded tree, its size and its text |
//! | `grammar` | the signatures |
//! | `resolve` | which signature each call is |
//! | `explain` | why none fits |
//! | `names` | whether strings name something that is there |
//!
//! A description that fits no signature is not for that reason wrong: where all that does not fit
//! is ludemes of the language, right by themselves and put together in a way that the grammar
//! lacks, it is reported as not supported.
//!
//! Every step is bounded: nesting by [`text::MAX_DEPTH`], expansion by a number of tokens,
//! resolution by trying each node once with each type. A description that never expands to an end
//! gets the cycle of its macros for an answer.
//!
//! Where the reference pastes text, lists of tokens are pasted here, which public descriptions
//! cannot tell apart: their sizes agree, and so do the invented inputs of the specification but for
//! three that are listed in `tests/front_corpus.rs` with the reasons.

mod call;
mod define;
mod expand;
mod explain;
pub mod grammar;
mod implied;
mod names;
mod options;
mod place;
mod range;
mod resolve;
mod token;
mod tree;

pub use call::{Arg, Call, Value};
pub use grammar::{Kind, Label, Name, Word};
pub use options::{OptionBlock, OptionItem, Options, Ruleset};
pub use place::{Place, Replaced, Via};
pub use tree::TokenCount;

use crate::limits::{MAX_DIAGNOSTICS, MAX_GAMES_OF_MATCH};
use play::{CompileError, Rules};
use rustc_hash::FxHashSet;
use text::Diagnostic;

/// A description that was read, expanded and checked.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The call of `game` or `match` that is the description.
    pub root: Call,
    /// What was accepted, but probably does not say what its author means.
    pub warnings: Vec<Diagnostic>,
}

/// Reads, expands and checks a description.
///
/// # Errors
/// [`CompileError::Invalid`] with everything that is wrong with the text, in its order, warnings
/// among it; [`CompileError::Unsupported`] when nothing is wrong, but ludemes occur that the
/// language has and the grammar here lacks.
pub fn parse(rules: &Rules) -> Result<Parsed, CompileError> {
    let expanded = expand::expand(&rules.source, &rules.options);
    let tree = &expanded.tree;
    let mut diagnostics = Vec::new();
    let mut call = None;
    if expanded.given_up {
        diagnostics = expanded.diagnostics;
        tidy(&mut diagnostics);
        return Err(CompileError::Invalid(diagnostics));
    }
    let macros = expanded.macro_names();
    let mut resolver = resolve::Resolver::new(tree);
    let game = grammar::grammar().kind_type(Kind::Game);
    if expanded.broken {
        // Where brackets are guesswork, so is which arguments belong to which call.
        let mut explainer = explain::Explainer::new(&mut resolver, &macros);
        explainer.scan();
        diagnostics = explainer.found;
    } else if let Some(root) = expanded.root(&rules.source, &mut diagnostics) {
        if resolver.fits(root, game) {
            let mut build = resolve::Build::new(&mut resolver);
            call = build.call(root, game);
            diagnostics.append(&mut build.warnings);
            if let Some(call) = &call {
                diagnostics.extend(names::check(call, &build.texts, &macros));
            }
        } else {
            let mut explainer = explain::Explainer::new(&mut resolver, &macros);
            explainer.root(root, game);
            explainer.former_ludemes();
            diagnostics.append(&mut explainer.found);
        }
    }
    diagnostics.splice(0..0, expanded.diagnostics.iter().cloned());
    tidy(&mut diagnostics);
    let unsupported = expanded.unsupported();
    match call {
        _ if diagnostics.iter().any(Diagnostic::is_error) => {
            Err(CompileError::Invalid(diagnostics))
        }
        _ if !unsupported.is_empty() => Err(CompileError::Unsupported(unsupported)),
        Some(root) => Ok(Parsed { root, warnings: diagnostics }),
        None => Err(CompileError::Invalid(vec![
            Place::default().error("not-a-game", "this text is no description of a game"),
        ])),
    }
}

/// In the order of the text and each only once: what is wrong in a macro is wrong in all its calls.
fn tidy(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let mut seen = FxHashSet::default();
    diagnostics.retain(|diagnostic| {
        seen.insert((diagnostic.code, diagnostic.span, diagnostic.message.clone()))
    });
    // Errors must not be lost behind a hundred warnings.
    if diagnostics.len() > MAX_DIAGNOSTICS {
        diagnostics.sort_by_key(|diagnostic| !diagnostic.is_error());
        diagnostics.truncate(MAX_DIAGNOSTICS);
    }
}

/// The description with its options, macros and ranges replaced and its metadata left out, laid out
/// for reading, and everything that was remarked on the way. Whether it means anything is not
/// checked; where there are errors, the text is what could be made of it.
pub fn expand_to_text(rules: &Rules) -> (String, Vec<Diagnostic>) {
    let expanded = expand::expand(&rules.source, &rules.options);
    let mut diagnostics = expanded.diagnostics.clone();
    let root = expanded.root(&rules.source, &mut diagnostics);
    tidy(&mut diagnostics);
    (root.map_or_else(String::new, |root| expanded.tree.layout(root)), diagnostics)
}

/// How long the expanded description is.
///
/// # Errors
/// [`CompileError::Invalid`] when the text cannot be expanded.
pub fn tokens(rules: &Rules) -> Result<TokenCount, CompileError> {
    let expanded = expand::expand(&rules.source, &rules.options);
    let mut diagnostics = expanded.diagnostics.clone();
    let root = expanded.root(&rules.source, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        tidy(&mut diagnostics);
        return Err(CompileError::Invalid(diagnostics));
    }
    Ok(root.map_or_else(TokenCount::default, |root| expanded.tree.count(root)))
}

/// The names of the games of a match, each once, in their order; none of a description of one game.
pub fn subgames(rules: &Rules) -> Vec<String> {
    if !rules.source.text().contains("subgame") {
        return Vec::new();
    }
    let Ok(parsed) = parse(rules) else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    let games = games_of(&parsed.root).take(MAX_GAMES_OF_MATCH);
    for title in games.filter_map(|game| game.text(Label::Title)) {
        if !names.iter().any(|name| name == title) {
            names.push(title.to_owned());
        }
    }
    names
}

/// The games of a match, in their order.
pub(crate) fn games_of(root: &Call) -> impl Iterator<Item = &Call> {
    let games = (root.name() == Name::Match).then(|| root.call(Label::Games)).flatten();
    games.into_iter().flat_map(|games| games.items(Label::List)).filter_map(Arg::as_call)
}

/// The options and rulesets that a description offers, with what is chosen.
pub fn options(rules: &Rules) -> Options {
    expand::expand(&rules.source, &rules.options).options
}

#[cfg(test)]
mod tests;

//! The front end: from the text of a `.lud` file to a checked tree of ludeme calls.
//!
//! ```text
//! text --text::read--> brackets --options, macros, ranges--> expanded tree --grammar--> Parsed
//! ```
//!
//! [`parse`] does all of it. The result is a tree of [`Call`]s, each with its signature chosen
//! among the overloads of its keyword and its arguments sorted into the labelled slots of that
//! signature; the signatures are the lines of `grammar/*.ludemes`. Every part of the tree has its
//! [`Place`]: its span in the user's text, and the macro calls through which it came.
//!
//! | module | content |
//! |---|---|
//! | `expand` | the order of the steps up to the expanded tree |
//! | `token` | lists of tokens with places, which options and macros cut and paste |
//! | `options` | `option` and `rulesets`: choices, and their insertion |
//! | `define` | macros, those of the description and those of `library/*.lud` |
//! | `range` | `1..9` and `"A1".."C3"` |
//! | `implied` | the rules of a description without any |
//! | `tree` | the expanded tree, its size and its text |
//! | `grammar` | the signatures |
//! | `resolve` | the signature of each call |
//! | `explain` | the reasons why none fits |
//! | `metadata` | the words of metadata, which is left out |
//! | `names` | the check that strings name declared things |
//! | `modern` | forms of early descriptions, written as today |
//!
//! A description that fits no signature need not be wrong. If all parts that do not fit are ludemes
//! of the language, right by themselves and combined in a way that the grammar lacks, the
//! description is reported as not supported.
//!
//! Every step is bounded: nesting by [`text::MAX_DEPTH`], expansion by a number of tokens,
//! resolution by trying each node once with each type. For a description whose expansion never
//! ends, the cycle of its macros is reported.
//!
//! The reference pastes text, and this front end lists of tokens. Public descriptions show no
//! difference: their sizes agree. So do the invented inputs of the specification, except three that
//! are listed in `front_corpus.rs` of the tests of `bench` with the reasons.

mod call;
mod define;
mod expand;
mod explain;
pub mod grammar;
mod implied;
mod metadata;
mod modern;
mod names;
mod options;
mod place;
mod range;
mod resolve;
mod token;
mod tree;

pub use call::{Arg, Call, Value};
pub use grammar::{Kind, Label, Name, Word};
pub use modern::Change;
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
    /// Remarks on accepted parts that probably do not mean what their author thinks.
    pub warnings: Vec<Diagnostic>,
}

/// Reads, expands and checks a description.
///
/// # Errors
///
/// [`CompileError::Invalid`] with all errors in the text, in its order, and with its warnings;
/// [`CompileError::Unsupported`] if nothing is wrong, but some ludemes belong to the language and
/// are missing in the grammar.
pub fn parse(rules: &Rules) -> Result<Parsed, CompileError> {
    let mut diagnostics: Vec<Diagnostic> = rules.source.encoding().into_iter().collect();
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(CompileError::Invalid(diagnostics));
    }
    let expanded = expand::expand(&rules.source, &rules.options);
    let tree = &expanded.tree;
    let mut call = None;
    if expanded.given_up {
        diagnostics.extend(expanded.diagnostics);
        tidy(&mut diagnostics);
        return Err(CompileError::Invalid(diagnostics));
    }
    let macros = expanded.macro_names();
    let mut resolver = resolve::Resolver::new(tree);
    let game = grammar::grammar().kind_type(Kind::Game);
    if expanded.broken {
        // If brackets are guessed, so are the arguments of calls.
        let mut explainer = explain::Explainer::new(&mut resolver, &macros);
        explainer.scan();
        diagnostics.append(&mut explainer.found);
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
    if let Some(former) = diagnostics.iter_mut().find(|one| one.code == "former-ludeme") {
        former.help.push("`ggpbench expand --modern` rewrites such descriptions".to_owned());
    }
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

/// Sorts diagnostics in the order of the text, and keeps each only once: an error in a macro is an
/// error in all its calls.
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
/// for reading, and all remarks. Its meaning is not checked. If there are errors, the text is as
/// complete as possible.
pub fn expand_to_text(rules: &Rules) -> (String, Vec<Diagnostic>) {
    let expanded = expand::expand(&rules.source, &rules.options);
    let mut diagnostics = expanded.diagnostics.clone();
    let root = expanded.root(&rules.source, &mut diagnostics);
    tidy(&mut diagnostics);
    (root.map_or_else(String::new, |root| expanded.tree.layout(root)), diagnostics)
}

/// The same as [`expand_to_text`] in the forms of today, with what was rewritten, for descriptions
/// in the syntax of 2019. There are errors about ludemes of that syntax that are not rewritten.
pub fn modernised(rules: &Rules) -> (String, Vec<Change>, Vec<Diagnostic>) {
    let expanded = expand::expand(&rules.source, &rules.options);
    let mut diagnostics = expanded.diagnostics.clone();
    let root = expanded.root(&rules.source, &mut diagnostics);
    let Some(root) = root else {
        tidy(&mut diagnostics);
        return (String::new(), Vec::new(), diagnostics);
    };
    let (text, changes, left) = modern::modernised(&expanded.tree, root);
    diagnostics.extend(left);
    tidy(&mut diagnostics);
    let text = expand_to_text(&Rules::new(rules.language, rules.source.name(), text)).0;
    (text, changes, diagnostics)
}

/// The size of the expanded description.
///
/// # Errors
///
/// [`CompileError::Invalid`] if the text cannot be expanded.
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

/// The names of the games of a match, each once, in their order; empty for the description of a
/// game.
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

/// The options and rulesets of a description, with the present choice.
pub fn options(rules: &Rules) -> Options {
    expand::expand(&rules.source, &rules.options).options
}

#[cfg(test)]
mod tests;

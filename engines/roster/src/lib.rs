//! The one crate that names every engine. Adding an engine written in Rust is one line here.
#![warn(missing_docs)]

use play::{Engine, Language, Rules};
use propnet::{Evaluator, PropnetEngine};
use text::{Diagnostic, near_miss};

/// The level of optimisation at which engines were compiled.
pub const OPT_LEVEL: &str = env!("ROSTER_OPT_LEVEL");

/// Every engine, in the order of the columns of tables.
pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(bitboard::BitboardEngine::new()),
        Box::new(ludeme::LudemeEngine),
        Box::new(rbg::RbgEngine),
        Box::new(rg::RgEngine),
        Box::new(PropnetEngine { evaluator: Evaluator::Quickest }),
        Box::new(PropnetEngine { evaluator: Evaluator::Batch }),
        Box::new(gdl::ProverEngine),
    ]
}

/// The engine of that name.
pub fn engine(id: &str) -> Option<Box<dyn Engine>> {
    engines().into_iter().find(|engine| engine.id() == id)
}

/// The name of an engine that `id` was probably meant to be.
pub fn similar(id: &str) -> Option<&'static str> {
    near_miss(id, engines().iter().map(|engine| engine.id()))
}

/// Everything that the front end of the language has to say about these rules, without compiling
/// them for play. `None` for a language without a front end.
pub fn check(rules: &Rules) -> Option<Vec<Diagnostic>> {
    match rules.language {
        Language::Lud => Some(ludeme::check(rules)),
        Language::Kif => Some(gdl::check(&rules.source).diagnostics),
        Language::Rbg => Some(rbg::check(rules)),
        Language::Rg => Some(rg::check(rules)),
        Language::Bitboard => None,
    }
}

/// Size of a description in tokens, as publications about its language count them; `None` where it
/// cannot be read, and for hand-coded games.
///
/// - `.lud`: calls and atoms of the expanded description.
/// - `.kif`: atoms, brackets not counted.
/// - `.rbg`: tokens of the text, macros not written out.
/// - `.rg`, `.hrg`: tokens of the text.
pub fn tokens(rules: &Rules) -> Option<u64> {
    match rules.language {
        Language::Lud => ludeme::front::tokens(rules).ok().map(|count| count.tokens.into()),
        Language::Kif => gdl::check(&rules.source).program.map(|program| program.tokens as u64),
        Language::Rbg => Some(rbg::tokens(&rules.source) as u64),
        Language::Rg => Some(rg::tokens(&rules.source) as u64),
        Language::Bitboard => None,
    }
}

/// The names of other descriptions that this one is made of: the games of a match.
pub fn parts(rules: &Rules) -> Vec<String> {
    match rules.language {
        Language::Lud => ludeme::front::subgames(rules),
        Language::Kif | Language::Rbg | Language::Rg | Language::Bitboard => Vec::new(),
    }
}

/// The text of a description in the forms of today, what was rewritten, and what is wrong. `None` for
/// a language whose forms have not changed.
pub fn modernised(rules: &Rules) -> Option<(String, Vec<ludeme::front::Change>, Vec<Diagnostic>)> {
    (rules.language == Language::Lud).then(|| ludeme::front::modernised(rules))
}

/// The text of a description as its engine reads it, with options chosen and macros replaced, and
/// what is wrong with it. `None` for a language without macros.
pub fn expand(rules: &Rules) -> Option<(String, Vec<Diagnostic>)> {
    match rules.language {
        Language::Lud => Some(ludeme::front::expand_to_text(rules)),
        Language::Rg => Some(rg::expand(&rules.source)),
        Language::Kif | Language::Rbg | Language::Bitboard => None,
    }
}

/// The solutions of a deduction puzzle, up to so many, with at most so many assignments tried;
/// `None` for a language without such puzzles.
pub fn solve(
    rules: &Rules,
    limit: u64,
    most_tried: u64,
) -> Option<Result<ludeme::Solutions, play::CompileError>> {
    match rules.language {
        Language::Lud => Some(ludeme::solve(rules, limit, most_tried)),
        Language::Kif | Language::Rbg | Language::Rg | Language::Bitboard => None,
    }
}

/// The number of public descriptions among which uses of ludemes are counted.
pub fn public_files() -> u32 {
    ludeme::guide::public_files()
}

/// The ludemes whose names have these words, or all: signatures, meanings, examples, and whether
/// they are played.
pub fn ludemes(words: &str) -> Vec<ludeme::guide::Entry> {
    ludeme::guide::ludemes(words)
}

/// The constructs of Regular Games whose names have these words, or whose meanings have, or all.
pub fn constructs(words: &str) -> Vec<rg::guide::Construct> {
    rg::guide::constructs(words)
}

/// Something that a description lets its reader choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name: the words for `--option`.
    pub name: String,
    /// The description by its author, or else the value that it stands for.
    pub about: String,
    /// True if it holds now.
    pub holds: bool,
}

/// Everything that a description lets its reader choose, in its order. `None` for a language
/// without options.
pub fn choices(rules: &Rules) -> Option<Vec<Choice>> {
    if rules.language != Language::Lud {
        return None;
    }
    let options = ludeme::front::options(rules);
    let mut choices = Vec::new();
    for block in &options.blocks {
        for (number, item) in block.items.iter().enumerate() {
            choices.push(Choice {
                name: format!("{}/{}", block.heading, item.name),
                about: item.description.clone(),
                holds: number == block.chosen,
            });
        }
    }
    choices.extend(options.rulesets.iter().map(|ruleset| Choice {
        name: ruleset.name.clone(),
        about: ruleset.choices.join(", "),
        holds: rules.options.contains(&ruleset.name),
    }));
    Some(choices)
}

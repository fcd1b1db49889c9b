//! The input of an engine, rules within limits, and the reasons for which rules may be refused.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use text::{Diagnostic, Source};

use crate::not_reached::NotReached;
use crate::words::Words;

/// A language that games are described in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Ludii's ludemes, `.lud`.
    Lud,
    /// Game Description Language in KIF syntax, `.kif`.
    Kif,
    /// Regular Boardgames, `.rbg`.
    Rbg,
    /// Regular Games, `.rg`, and its high-level form, `.hrg`.
    Rg,
    /// No description: hand-written code, named by the module that plays the game.
    Bitboard,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 5] =
        [Language::Lud, Language::Kif, Language::Rbg, Language::Rg, Language::Bitboard];

    /// Its short name, which for descriptions is a file extension.
    pub fn name(self) -> &'static str {
        match self {
            Language::Lud => "lud",
            Language::Kif => "kif",
            Language::Rbg => "rbg",
            Language::Rg => "rg",
            Language::Bitboard => "bitboard",
        }
    }

    /// The language of a file, by its extension (`.gdl` counts as `.kif`, `.hrg` as `.rg`).
    pub fn of_extension(extension: &str) -> Option<Language> {
        match extension.to_ascii_lowercase().as_str() {
            "lud" => Some(Language::Lud),
            "kif" | "gdl" => Some(Language::Kif),
            "rbg" => Some(Language::Rbg),
            "rg" | "hrg" => Some(Language::Rg),
            _ => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(s: &str) -> Result<Language, String> {
        Language::ALL
            .into_iter()
            .find(|l| l.name() == s)
            .ok_or_else(|| format!("no language `{s}`: expected lud, kif, rbg, rg or bitboard"))
    }
}

/// A description to compile.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The language of the rules.
    pub language: Language,
    /// The text, under the name that messages show. For [`Language::Bitboard`] the text is the name
    /// of the hand-written module.
    pub source: Source,
    /// Chosen options, in the words of the language (for `.lud`: `"Board Size/8x8"`).
    pub options: Vec<String>,
    /// Other descriptions that this one is made of, by the names that it calls them: the games of a
    /// match. Engines open no files, so whoever reads the description brings them along.
    pub parts: BTreeMap<String, Source>,
    /// The words of the game where the description says others, see [`Engine::load`].
    ///
    /// [`Engine::load`]: crate::Engine::load
    pub words: Words,
    /// The plies that are played before the game begins, by their labels in the words of the game,
    /// see [`Engine::load`].
    ///
    /// [`Engine::load`]: crate::Engine::load
    pub start: Vec<String>,
}

impl Rules {
    /// Rules without options and parts.
    pub fn new(language: Language, name: impl Into<String>, text: impl Into<String>) -> Rules {
        Rules {
            language,
            source: Source::new(name, text),
            options: Vec::new(),
            parts: BTreeMap::new(),
            words: Words::default(),
            start: Vec::new(),
        }
    }
}

/// Budgets of a compilation. Engines see no clock: they count work instead, and the harness adds
/// real limits of time and memory around the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes that the compiled game and the work on it may take, roughly.
    pub bytes: u64,
    /// Elementary steps (tuples derived, rules instantiated, nodes built), of the order of 10 to
    /// 100 ns each.
    pub work: u64,
}

impl Default for Limits {
    /// 4 GiB and 2 billion steps.
    fn default() -> Limits {
        Limits { bytes: 4 << 30, work: 2_000_000_000 }
    }
}

/// The reason why rules were not compiled.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The rules are wrong: their author's fault.
    Invalid(Vec<Diagnostic>),
    /// The rules may be right, but this engine lacks something that they use: our fault.
    Unsupported(Vec<Diagnostic>),
    /// A budget of [`Limits`] ran out; the text says which and where it went.
    TooLarge(String),
    /// The rules describe more than this engine has room for, whatever the budget.
    Beyond(Box<Diagnostic>),
    /// The machine or this build lacks something that the engine needs.
    Unavailable(String),
    /// The plies of [`Rules::start`] are not legal.
    Start(NotReached),
}

impl CompileError {
    /// `invalid`, `unsupported`, `too large` or `unavailable`.
    pub fn kind(&self) -> &'static str {
        match self {
            CompileError::Invalid(_) | CompileError::Start(_) => "invalid",
            CompileError::Unsupported(_) => "unsupported",
            CompileError::TooLarge(_) | CompileError::Beyond(_) => "too large",
            CompileError::Unavailable(_) => "unavailable",
        }
    }

    /// The diagnostics, where there are any.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            CompileError::Invalid(all) | CompileError::Unsupported(all) => all,
            CompileError::Beyond(one) => std::slice::from_ref(&**one),
            CompileError::TooLarge(_) | CompileError::Unavailable(_) | CompileError::Start(_) => {
                &[]
            }
        }
    }

    /// The reason on one line, for tables.
    pub fn one_line(&self, source: &Source) -> String {
        match self {
            CompileError::Invalid(all) | CompileError::Unsupported(all) => {
                let first = all.iter().find(|d| d.is_error()).or(all.first());
                first.map_or_else(|| self.kind().to_owned(), |d| d.one_line(source))
            }
            CompileError::Beyond(one) => one.one_line(source),
            CompileError::TooLarge(text) | CompileError::Unavailable(text) => text.clone(),
            CompileError::Start(why) => why.to_string(),
        }
    }
}

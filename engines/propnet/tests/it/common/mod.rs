//! Compiling rules in tests.

use play::{Engine, Game, Language, Limits, Rules};

/// Rules in KIF.
pub(crate) fn kif(name: &str, text: &str) -> Rules {
    Rules::new(Language::Kif, name, text)
}

/// Compiles, or says on one line why not.
pub(crate) fn compile(
    engine: &dyn Engine,
    rules: &Rules,
    limits: &Limits,
) -> Result<Box<dyn Game>, String> {
    match engine.compile(rules, limits) {
        Ok(compiled) => Ok(compiled.game),
        Err(error) => Err(format!("{}: {}", error.kind(), error.one_line(&rules.source))),
    }
}

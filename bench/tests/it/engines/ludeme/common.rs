//! Helpers that the tests share: games compiled.

use std::fs;

use ludeme::LudemeEngine;
use play::{Engine, Game, Language, Limits, Rules};

use super::files::games;

/// Compiles rules that are right.
pub(crate) fn compiled(name: &str, text: &str) -> Box<dyn Game> {
    let rules = Rules::new(Language::Lud, name, text);
    let compiled = LudemeEngine.compile(&rules, &Limits::default());
    compiled.unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source))).game
}

/// A game of the catalogue.
pub(crate) fn catalogue_game(id: &str) -> Box<dyn Game> {
    let path = games().join(id).join("rules.lud");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    compiled(id, &text)
}

//! Compiling rules in tests, and what is known of the games.

use play::{Engine, Game, Limits, Rules};
use rbg::RbgEngine;

/// Compiles rules that are right.
pub(crate) fn compiled(rules: &Rules) -> Box<dyn Game> {
    let compiled = RbgEngine.compile(rules, &Limits::default());
    compiled.unwrap_or_else(|error| panic!("{}", error.one_line(&rules.source))).game
}

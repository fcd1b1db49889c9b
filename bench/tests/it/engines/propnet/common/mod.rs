//! Helpers that the tests share: rules, those of the catalogue among them, and games compiled.

use std::fs;

use play::{Engine, Game, Language, Limits, Rules};
use propnet::Evaluator;

/// The folder of the games.
const CATALOGUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue");

/// The evaluators, each for jobs of any length.
pub(crate) const EVALUATORS: [Evaluator; 2] = [Evaluator::Event, Evaluator::Batch];

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

/// All sheets of the catalogue, named after their games and sorted by name.
pub(crate) fn catalogue() -> Vec<Rules> {
    let mut sheets: Vec<Rules> = fs::read_dir(CATALOGUE)
        .expect("the catalogue is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter_map(|game| {
            let text = fs::read_to_string(game.join("rules.kif")).ok()?;
            Some(kif(game.file_name()?.to_str()?, &text))
        })
        .collect();
    sheets.sort_by(|a, b| a.source.name().cmp(b.source.name()));
    assert!(sheets.len() >= 14, "only {} sheets", sheets.len());
    sheets
}

/// The sheet of a game of the catalogue.
pub(crate) fn sheet(name: &str) -> Rules {
    let text = fs::read_to_string(format!("{CATALOGUE}/{name}/rules.kif")).expect(name);
    kif(name, &text)
}

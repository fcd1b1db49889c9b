//! Games for the tests.

use bitboard::{BitboardEngine, Level};
use play::{Engine, Game, Language, Limits, Rules};

/// A game, on the best level of this machine.
pub(crate) fn game(module: &str) -> Box<dyn Game> {
    game_on(Level::best(), module)
}

/// A game on a level.
pub(crate) fn game_on(level: Level, module: &str) -> Box<dyn Game> {
    let rules = Rules::new(Language::Bitboard, module, module);
    BitboardEngine::on(level).compile(&rules, &Limits::default()).unwrap().game
}

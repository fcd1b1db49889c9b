//! What is known of compiled games, in tests.

use play::Game;

/// A build fact by its name.
pub(crate) fn build_fact(game: &dyn Game, name: &str) -> Option<u64> {
    game.facts().build.iter().find(|fact| fact.0 == name).map(|fact| fact.1)
}

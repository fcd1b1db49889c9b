//! The log of how games are played.

use log::Level;
use play::{Game, Rules};

/// The source that entries of the log name.
const TARGET: &str = "ggpbench::strategies";

/// How an engine plays the parts of a game, and why not in a quicker way, a sentence each; none
/// unless they are to be logged: to tell them, an engine may have to make code that nobody needs
/// yet.
pub fn of(game: &dyn Game) -> Vec<String> {
    if !log::log_enabled!(target: TARGET, Level::Debug) {
        return Vec::new();
    }
    game.strategies().iter().map(ToString::to_string).collect()
}

/// Writes to the log how an engine plays a game, as [`of`] says it.
pub fn log(engine: &str, rules: &Rules, strategies: &[String]) {
    for strategy in strategies {
        log::debug!(target: TARGET, "{} on {engine}: {strategy}", rules.source.name());
    }
}

//! The conformance kit on small games.

use play::Game;
use play::kit::{Effort, check};

use super::{compiled, games, searched};

/// Panics with the faults of a game.
fn sound(name: &str, game: &dyn Game) {
    let effort = Effort { walks: 10, playouts: 1000, cap: 100, ..Effort::default() };
    let report = check(game, &effort);
    assert!(report.faults.is_empty(), "{name}: {:?}", report.faults);
    assert!(report.plies >= 10, "{name}: {} plies", report.plies);
}

/// Small games as code plays them.
#[test]
fn code_conforms() {
    games::all().iter().for_each(|(name, text)| sound(name, &*compiled(name, text)));
}

/// The same as the search does.
#[test]
fn the_search_conforms() {
    games::all().iter().for_each(|(name, text)| sound(name, &*searched(name, text)));
}

//! The conformance kit on small games.

use play::Game;
use play::kit::{Effort, check};

use super::{compiled, games, searched};

/// Panics with the faults of a game as code plays it, and as the search does.
fn sound(name: &str, text: &str) {
    sound_game(name, &*compiled(name, text));
    sound_game(name, &*searched(name, text));
}

fn sound_game(name: &str, game: &dyn Game) {
    let effort = Effort { walks: 10, playouts: 1000, cap: 100, ..Effort::default() };
    let report = check(game, &effort);
    assert!(report.faults.is_empty(), "{name}: {:?}", report.faults);
    assert!(report.plies >= 10, "{name}: {} plies", report.plies);
}

#[test]
fn a_game_of_dominoes() {
    sound("dominoes.hrg", games::DOMINOES);
}

#[test]
fn a_game_of_chance() {
    sound("race.hrg", games::RACE);
}

#[test]
fn a_game_of_hidden_information() {
    sound("cups.rg", games::CUPS);
}

#[test]
fn a_game_with_passes() {
    sound("passes.hrg", games::PASSES);
}

#[test]
fn a_game_of_three_players() {
    sound("three.hrg", games::THREE);
}

#[test]
fn a_game_where_moves_share_a_condition() {
    sound("leaps.hrg", games::LEAPS);
}

#[test]
fn deals_before_moves_that_are_compared() {
    sound("deals.hrg", games::DEALS);
}

#[test]
fn games_with_slides() {
    sound("slides.hrg", &games::slides());
    sound("tube.hrg", &games::slides_on_a_tube());
}

#[test]
fn a_game_with_a_loop() {
    sound_game("ring.hrg", &*searched("ring.hrg", games::RING));
}

#[test]
fn a_game_with_a_loop_by_code() {
    sound_game("ring.hrg", &*compiled("ring.hrg", games::RING));
}

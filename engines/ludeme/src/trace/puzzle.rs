//! Recorded deduction puzzles.
//!
//! The recordings have more moves than are played. A variable that has a value can be set again,
//! unless the set-up fixes it, to any value that breaks no constraint, even the one that it has.
//! Only moves that give a value to a variable without one are played.

use std::fmt::Write as _;

use play::Difference;
use serde_json::Value;

use super::{differing, listed, moves_difference};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Puzzle, component_of};
use crate::moves::Move;
use crate::state::{PieceValues, State};

/// A puzzle with its values, in the form of recordings.
pub(super) fn describe(game: &Game, state: &State) -> String {
    let mut text = if state.head.over { "m0 ph0".to_owned() } else { "m1 ph0".to_owned() };
    for site in 0..game.world.topology.sites() {
        if !state.is_empty(site) {
            let _ = write!(text, " {site}:{}", state.what(site) as i32 - 1);
        }
    }
    text
}

/// Gives a variable a value, in place of the one that it may have.
fn set(game: &Game, state: &mut State, site: u16, value: i32) {
    let site_index = usize::from(site);
    if !state.is_empty(site_index) {
        state.remove(&game.layout, site_index);
    }
    state.add(
        &game.layout,
        site_index,
        usize::from(component_of(value)),
        1,
        PieceValues::default(),
    );
    (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
}

/// The values that variables can be set to, each as the variable and its value.
pub(super) fn legal(game: &Game, state: &State, puzzle: &Puzzle) -> Vec<(u16, i32)> {
    let mut found = Vec::new();
    for &site in &puzzle.open {
        for value in puzzle.values.0..=puzzle.values.1 {
            let mut after = state.trial();
            set(game, &mut after, site, value);
            if Eval::new(game, &after).is_consistent(puzzle) {
                found.push((site, value));
            }
        }
    }
    found
}

/// The keys of the values that variables can be set to.
pub(super) fn keys(legal: &[(u16, i32)]) -> Vec<String> {
    legal.iter().map(|(site, value)| format!("{site}={value}")).collect()
}

/// Compares a ply with the recording and makes its move.
pub(super) fn ply(
    game: &Game,
    puzzle: &Puzzle,
    state: &mut State,
    entry: &Value,
) -> Result<(), Difference> {
    let number = entry["p"].as_u64().unwrap_or(0);
    let legal = if state.head.over { Vec::new() } else { legal(game, state, puzzle) };
    let keys = keys(&legal);
    let found = listed(&keys, entry["n"].as_u64().unwrap_or(0));
    let expected = entry["legal"].as_str().unwrap_or_default();
    if found != expected {
        return Err(differing(number, "legal", moves_difference(&found, expected)));
    }
    let Some(play) = entry["play"].as_str() else { return Ok(()) };
    if play == "pass" {
        // Records of this engine have the pass that ends a puzzle without moves.
        game.advance(state, &Move::pass(), None);
        return Ok(());
    }
    let Some(index) = keys.iter().position(|key| key == play) else {
        return Err(differing(number, "play", (found, play.to_owned())));
    };
    state.record_move(false);
    let (site, value) = legal[index];
    set(game, state, site, value);
    game.run_end_rules(state);
    game.after_end_rules(state);
    let (found, expected) = (describe(game, state), entry["state"].as_str().unwrap_or_default());
    if found != expected {
        return Err(differing(number, "state", (found, expected.to_owned())));
    }
    Ok(())
}

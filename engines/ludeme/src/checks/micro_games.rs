//! Small games played move by move beside their records by the reference.

use serde_json::Value;

use super::lowered;
use crate::checks::files::shared;
use crate::game::Game;
use crate::moves::Move;
use crate::state::State;

/// Micro-games that are not supported yet, by name.
const UNSUPPORTED: [&str; 0] = [];

fn site_pair(made: &Move) -> String {
    if made.is_pass() { "pass".to_owned() } else { format!("{}>{}", made.from, made.to) }
}

fn compare(name: &str, game: &Game, state: &State, ply: &Value) {
    let players = game.world.players;
    for (var, value) in ply["vars"].as_object().unwrap() {
        let index = game.names.vars.iter().position(|v| v == var);
        let found = index.map_or(-1, |i| state.vars()[i]);
        assert_eq!(i64::from(found), value.as_i64().unwrap(), "{name}: {var}");
    }
    let ranks: Vec<f64> = (1..=players).map(|p| f64::from(state.head.ranks[p]) / 2.0).collect();
    let expected: Vec<f64> =
        ply["ranking"].as_array().unwrap().iter().map(|r| r.as_f64().unwrap()).collect();
    assert_eq!(ranks, expected, "{name}: ranking");
    let active: Vec<bool> = (1..=players).map(|p| state.head.active >> p & 1 != 0).collect();
    let expected: Vec<bool> =
        ply["active"].as_array().unwrap().iter().map(|a| a.as_bool().unwrap()).collect();
    assert_eq!(active, expected, "{name}: active");
    assert_eq!(state.head.over, ply["over"].as_bool().unwrap(), "{name}: over");
    if let Some(winner) = ply.get("winner") {
        assert_eq!(i64::from(state.head.winner), winner.as_i64().unwrap(), "{name}: winner");
    }
}

fn check(game: &Value) {
    let name = game["name"].as_str().unwrap();
    let compiled: Game = Game::new(lowered(name, game["lud"].as_str().unwrap()));
    let mut state = compiled.initial.clone();
    for ply in game["plies"].as_array().unwrap() {
        assert_eq!(
            i64::from(state.head.turns.mover),
            ply["mover"].as_i64().unwrap(),
            "{name}: mover"
        );
        let legal = compiled.list(&mut state, None);
        let kept = compiled.distinct(&state, &legal);
        let legal: Vec<&Move> = kept.into_iter().map(|place| &legal[place]).collect();
        let mut labels: Vec<String> = legal.iter().map(|made| site_pair(made)).collect();
        labels.sort();
        let expected: Vec<&str> =
            ply["legal"].as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
        assert_eq!(labels, expected, "{name}: legal moves");
        let played = ply["play"].as_str().unwrap();
        let made = legal.iter().find(|made| site_pair(made) == played).unwrap();
        compiled.advance(&mut state, made, None);
        compare(name, &compiled, &state, ply);
    }
}

#[test]
fn micro_games_agree_with_the_reference() {
    let Some(path) = shared("spec/checks/functions-checks.jsonl") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut agree = 0;
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let name = game["name"].as_str().unwrap().to_owned();
        if UNSUPPORTED.contains(&name.as_str()) {
            continue;
        }
        match std::panic::catch_unwind(|| check(&game)) {
            Ok(()) => agree += 1,
            Err(_) => wrong.push(name),
        }
    }
    assert_eq!((wrong, agree), (Vec::<String>::new(), 65 - UNSUPPORTED.len()));
}

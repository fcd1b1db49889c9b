//! Games written as recordings, which [`replay`](super::replay) reads.

use std::cell::RefCell;

use play::{Course, ReplayError, Rules};
use serde_json::{Value, json};

use super::{all_moves, describe, key, listed, puzzle};
use crate::buffer::Buffer;
use crate::eval::ChanceSource;
use crate::front;
use crate::game::Game;
use crate::lower;
use crate::moves::{Move, MoveId};
use crate::state::State;

/// Writes games that were played on this engine: a header without the hash of the file, then for
/// each game its start, its plies with their legal moves, and its end. Draws of chance, throws of
/// dice among them, are in the line during which they were made.
///
/// # Errors
///
/// [`ReplayError::Unsupported`] if all players choose at once, [`ReplayError::Malformed`] if a game
/// cannot have been played like this.
pub fn write(rules: &Rules, courses: &[Course]) -> Result<String, ReplayError> {
    let parsed = front::parse(rules)?;
    let lowering = lower::lower(&parsed.root)?;
    let game = Game::new(lowering);
    if game.simultaneous {
        let what = "games in which all players choose at once are not written as traces";
        return Err(ReplayError::Unsupported(what.to_owned()));
    }
    let header = json!({
        "game": rules.source.name(),
        "players": game.world.players,
        "stochastic": game.facts.chance,
        "trials": courses.len(),
    });
    let mut out = format!("{header}\n");
    for (number, course) in (1..).zip(courses) {
        let chance = ScriptedChance::new(&course.chance);
        let mut writer = Writer { game: &game, moves: course.moves.iter(), chance, out: &mut out };
        writer.write(number).map_err(|what| {
            ReplayError::Malformed(format!("game {number} cannot be written: {what}"))
        })?;
    }
    Ok(out)
}

/// Outcomes of chance from a record, and the draws made since they were last written.
struct ScriptedChance<'a> {
    outcomes: RefCell<std::slice::Iter<'a, u32>>,
    asked: RefCell<Vec<String>>,
}

impl<'a> ScriptedChance<'a> {
    fn new(outcomes: &'a [u32]) -> ScriptedChance<'a> {
        ScriptedChance { outcomes: RefCell::new(outcomes.iter()), asked: RefCell::default() }
    }

    fn next(&self, n: u32) -> u32 {
        self.outcomes.borrow_mut().next().copied().unwrap_or(0) % n
    }

    fn note(&self, n: u32, outcome: u32) {
        self.asked.borrow_mut().push(format!("{n}:{outcome}"));
    }

    /// Adds the draws since the last time to a line, as a field.
    fn enter(&self, line: &mut Value, field: &str) {
        let asked = std::mem::take(&mut *self.asked.borrow_mut());
        if !asked.is_empty() {
            line[field] = asked.into();
        }
    }
}

impl ChanceSource for ScriptedChance<'_> {
    fn below(&self, n: u32) -> u32 {
        let outcome = self.next(n);
        self.note(n, outcome);
        outcome
    }

    /// The engine draws among the values that are left; a recording has draws among all.
    fn different(&self, n: u32, count: u32) -> Buffer<u32> {
        let mut left: Vec<u32> = (0..n).collect();
        let draw = |_| {
            let drawn = left.remove(self.next(left.len() as u32) as usize);
            self.note(n, drawn);
            drawn
        };
        (0..count.min(n)).map(draw).collect()
    }
}

/// A game on its way.
struct Writer<'a> {
    game: &'a Game,
    moves: std::slice::Iter<'a, String>,
    chance: ScriptedChance<'a>,
    out: &'a mut String,
}

impl Writer<'_> {
    fn line(&mut self, line: &Value) {
        *self.out += &format!("{line}\n");
    }

    fn write(&mut self, number: u64) -> Result<(), String> {
        let mut state = self.game.initial_state(Some(&self.chance));
        let mut start = json!({"trial": number, "start": self.describe(&state)});
        self.chance.enter(&mut start, "drawn");
        self.line(&start);
        let mut plies = 0u64;
        while !state.head.over {
            if !self.ply(&mut state, plies)? {
                let end = json!({"end": "cut", "plies": plies, "winner": null, "ranking": null});
                self.line(&end);
                return Ok(());
            }
            plies += 1;
        }
        if let Some(label) = self.moves.next() {
            return Err(format!("`{label}` comes after its end"));
        }
        let players = 1..=self.game.world.players;
        let places = players.clone().map(|p| f64::from(state.head.ranks[p]) / 2.0);
        let mut end = json!({
            "end": "over",
            "plies": plies,
            "winner": state.head.winner,
            "ranking": places.collect::<Vec<_>>(),
        });
        let scores = &state.scores()[players];
        if scores.iter().any(|&score| score != 0) {
            end["scores"] = scores.into();
        }
        self.line(&end);
        Ok(())
    }

    fn describe(&self, state: &State) -> String {
        match &self.game.puzzle {
            Some(_) => puzzle::describe(self.game, state),
            None => describe(self.game, state),
        }
    }

    /// Plays and writes a ply; false if the game was left.
    fn ply(&mut self, state: &mut State, number: u64) -> Result<bool, String> {
        let moves = all_moves(self.game, state, Some(&self.chance));
        let keys: Vec<String> = moves.iter().map(|made| key(self.game, state, made)).collect();
        let distinct = self.game.distinct(state, &moves);
        let distinct: Vec<&Move> = distinct.into_iter().map(|place| &moves[place]).collect();
        let ids: Vec<MoveId> =
            (0..).zip(&distinct).map(|(number, made)| made.id(number, 0)).collect();
        let labels = self.game.labels(&ids);
        let chosen: &Move = match distinct[..] {
            [only] if only.is_pass() => only,
            _ => {
                let Some(label) = self.moves.next() else { return Ok(false) };
                let index = labels.iter().position(|listed| listed == label);
                distinct[index.ok_or_else(|| format!("`{label}` is no move at ply {number}"))?]
            }
        };
        let mut line = json!({
            "p": number,
            "mover": state.head.turns.mover,
            "n": moves.len(),
            "legal": listed(&keys, moves.len() as u64),
            "play": key(self.game, state, chosen),
        });
        self.chance.enter(&mut line, "drawn");
        let mut after = state.clone();
        self.game.advance(&mut after, chosen, Some(&self.chance));
        self.chance.enter(&mut line, "drawn_in");
        line["state"] = self.describe(&after).into();
        if let Some(rules) = &self.game.puzzle {
            // The list of a recorded puzzle has more moves than are played.
            let legal = puzzle::legal(self.game, state, rules);
            line["n"] = legal.len().into();
            line["legal"] = listed(&puzzle::keys(&legal), legal.len() as u64).into();
            if let Ok(site) = usize::try_from(chosen.to) {
                line["play"] = format!("{site}={}", after.what(site) as i32 - 1).into();
            }
        }
        *state = after;
        self.line(&line);
        Ok(true)
    }
}

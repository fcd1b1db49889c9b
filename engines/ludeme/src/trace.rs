//! Replays of games that another implementation has recorded, move by move, up to the first
//! difference of this engine.
//!
//! A recording is a text of JSON lines: a header, then for every game its start, its plies with
//! their legal moves, and its end. The outcomes of chance are in it and are used. What it does not
//! have is not compared: a start that is `null`, the legal moves (`n`, `legal`) and the state
//! behind a ply.

mod puzzle;
mod text;
mod write;

use std::cell::RefCell;
use std::collections::VecDeque;

use play::{Difference, ReplayError, Rules};
use serde_json::Value;

use crate::buffer::Buffer;
use crate::eval::ChanceSource;
use crate::front;
use crate::game::Game;
use crate::lower;
use crate::moves::Move;
use crate::state::State;

pub(crate) use text::{all_moves, describe, difference, key, listed, moves_difference};
pub use write::write;

/// Most moves of a position that a recording lists; for more it has a hash.
const LISTED: u64 = 400;

/// Most positions that are kept while a recorded move can be one of several.
const MOST_READINGS: usize = 16;

/// Replays all games of a recording on the plain interpreter. `go_on` is called before every ply;
/// if it returns false, the result covers the plies so far.
pub fn replay(
    rules: &Rules,
    recording: &str,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<play::Replay, ReplayError> {
    let parsed = front::parse(rules)?;
    let lowering = lower::lower(&parsed.root)?;
    let game = Game::new(lowering);
    let mut replay = Replay { game: &game, readings: Vec::new(), plies: 0, drops: false };
    let mut report = play::Replay::default();
    for (number, line) in recording.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let entry = serde_json::from_str::<Value>(line)
            .map_err(|error| ReplayError::Malformed(format!("line {}: {error}", number + 1)))?;
        let found = if entry.get("start").is_some() {
            report.trials += 1;
            replay.start(&entry)
        } else if entry.get("p").is_some() {
            if !go_on() {
                report.trials -= 1;
                report.remark = Some("stopped before the end of the record".to_owned());
                break;
            }
            replay.ply(&entry)
        } else if entry.get("end").is_some() {
            let ended = replay.end(&entry);
            report.agreed += u64::from(ended.is_ok());
            ended
        } else {
            Ok(())
        };
        report.plies = replay.plies;
        if let Err(difference) = found {
            report.difference = Some(play::Difference { trial: report.trials, ..difference });
            if replay.drops {
                let remark = "moves share sites, and the record does not tell which were played: it \
                              has more readings than are kept";
                report.remark = Some(remark.to_owned());
            }
            break;
        }
    }
    Ok(report)
}

/// A difference at a ply; the caller adds the number of the game.
fn differing(ply: u64, what: &'static str, (found, expected): (String, String)) -> Difference {
    Difference { trial: 0, ply, what, expected, found }
}

struct Replay<'g> {
    game: &'g Game,
    /// The positions that agree with all recorded plies so far.
    readings: Vec<State>,
    plies: u64,
    /// True if there were too many of these, and the record has no states that tell them apart.
    drops: bool,
}

/// Recorded chance.
#[derive(Default)]
struct Recorded {
    /// The faces that the dice show after a throw, by die.
    faces: Vec<Option<u32>>,
    /// True if draws in order come before the final faces of the dice.
    tests_first: bool,
    /// Other draws: bound and outcome.
    drawn: RefCell<VecDeque<(u32, u32)>>,
}

impl ChanceSource for Recorded {
    fn below(&self, n: u32) -> u32 {
        let mut drawn = self.drawn.borrow_mut();
        // Draws that this engine does not need are skipped.
        let at = drawn.iter().position(|d| d.0 == n);
        at.and_then(|at| drawn.drain(..=at).next_back()).map_or(0, |d| d.1)
    }

    /// The record has draws among all values, those drawn before included.
    fn different(&self, n: u32, count: u32) -> Buffer<u32> {
        let mut chosen: Buffer<u32> = Buffer::new();
        while chosen.len() < count.min(n) as usize {
            let recorded = self.drawn.borrow().iter().any(|d| d.0 == n);
            let drawn = if recorded { self.below(n).min(n - 1) } else { 0 };
            if !chosen.contains(&drawn) {
                chosen.push(drawn);
            } else if !recorded {
                let next = (0..n).find(|number| !chosen.contains(number));
                chosen.extend(next);
            }
        }
        chosen
    }

    fn face(&self, die: usize, faces: u32) -> u32 {
        let shown = self.faces.get(die).copied().flatten();
        if self.tests_first && self.drawn.borrow().iter().any(|d| d.0 == faces) {
            return self.below(faces);
        }
        shown.unwrap_or_else(|| self.below(faces))
    }
}

impl Replay<'_> {
    fn recorded(&self, values: &str, draws: Option<&Value>) -> Recorded {
        let shown: Vec<Option<i32>> = values.split(',').map(|v| v.trim().parse().ok()).collect();
        let mut faces = Vec::new();
        for (die, sides) in self.game.world.dice.iter().flat_map(|d| d.faces.iter().enumerate()) {
            let value = shown.get(die).copied().flatten();
            let face = value.and_then(|v| sides.iter().position(|&s| s == v));
            faces.push(face.map(|f| f as u32));
        }
        let mut drawn = VecDeque::new();
        let texts: Vec<&str> = match draws {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => text.split([' ', ',']).collect(),
            _ => Vec::new(),
        };
        for text in texts {
            if let Some((n, outcome)) = text.split_once(':')
                && let (Ok(n), Ok(outcome)) = (n.parse(), outcome.parse())
            {
                drawn.push_back((n, outcome));
            }
        }
        Recorded { faces, tests_first: false, drawn: RefCell::new(drawn) }
    }

    fn start(&mut self, entry: &Value) -> Result<(), Difference> {
        let chance = self.recorded("", entry.get("drawn"));
        let state = self.game.initial_state(Some(&chance));
        let found = match &self.game.puzzle {
            Some(_) => puzzle::describe(self.game, &state),
            None => describe(self.game, &state),
        };
        if !entry["start"].is_null()
            && let Some(detail) = difference(&found, entry["start"].as_str().unwrap_or_default())
        {
            return Err(differing(0, "start", detail));
        }
        (self.readings, self.drops) = (vec![state], false);
        Ok(())
    }

    fn ply(&mut self, entry: &Value) -> Result<(), Difference> {
        if let Some(rules) = &self.game.puzzle {
            if let Some(state) = self.readings.first_mut() {
                puzzle::ply(self.game, rules, state, entry)?;
                self.plies += 1;
            }
            return Ok(());
        }
        let ply = entry["p"].as_u64().unwrap_or(0);
        let roll = entry["roll"].as_str().unwrap_or_default();
        let expected = entry["legal"].as_str().unwrap_or_default();
        let mut fitting = Vec::new();
        let mut detail: Option<(String, String)> = None;
        let before = std::mem::take(&mut self.readings);
        for mut state in before.clone() {
            let chance = self.recorded(roll, entry.get("drawn"));
            let (legal, keys) = self.legal(&mut state, &chance);
            let found = listed(&keys, entry["n"].as_u64().unwrap_or(0));
            if entry["legal"].is_null() && entry["n"].is_null() || found == expected {
                fitting.push((state, legal, keys));
            } else if detail.is_none() {
                detail = Some(moves_difference(&found, expected));
            }
        }
        if fitting.is_empty() {
            fitting = self.other_throws(&before, entry);
        }
        if fitting.is_empty() {
            return Err(differing(ply, "legal", detail.unwrap_or_default()));
        }
        let Some(play) = entry["play"].as_str() else { return Ok(()) };
        let expected = entry["state"].as_str().unwrap_or_default();
        let shown = expected.split(' ').find_map(|f| f.strip_prefix("dice=")).unwrap_or_default();
        let mut tried = false;
        let known = fitting.first().map(|(_, _, keys)| listed(keys, 0)).unwrap_or_default();
        for (state, legal, keys) in fitting {
            let named = |play: &str| {
                let play = play.to_owned();
                legal.iter().zip(&keys).filter(move |(_, key)| **key == play).map(|(made, _)| made)
            };
            let choices: Vec<Vec<&Move>> = if self.game.simultaneous {
                let of_each = play.split(' ').map(|play| named(play).next());
                of_each.collect::<Option<_>>().into_iter().collect()
            } else {
                named(play).map(|made| vec![made]).collect()
            };
            for choice in choices {
                tried = true;
                let mut after = state.clone();
                let chance =
                    Recorded { tests_first: true, ..self.recorded(shown, entry.get("drawn_in")) };
                for made in choice {
                    self.game.advance(&mut after, made, Some(&chance));
                }
                let is_recorded = !entry["state"].is_null();
                let found = is_recorded.then(|| describe(self.game, &after));
                match found.and_then(|found| difference(&found, expected)) {
                    Some((found, expected)) if detail.is_none() => {
                        detail = Some((format!("after {play}: {found}"), expected));
                    }
                    Some(_) => {}
                    None if self.readings.iter().any(|r| r.same(&after)) => {}
                    None if self.readings.len() < MOST_READINGS => self.readings.push(after),
                    None => self.drops |= !is_recorded,
                }
            }
        }
        if self.readings.is_empty() {
            let what = if tried { "state" } else { "play" };
            let unlisted = || (known, play.to_owned());
            return Err(differing(ply, what, detail.unwrap_or_else(unlisted)));
        }
        self.plies += 1;
        Ok(())
    }

    /// The legal moves with their keys; those of all players if they choose at once.
    fn legal(&self, state: &mut State, chance: &Recorded) -> (Buffer<Move>, Vec<String>) {
        let game = self.game;
        if !game.simultaneous || state.head.over {
            let legal = all_moves(game, state, Some(chance));
            let keys = legal.iter().map(|m| key(game, state, m)).collect();
            return (legal, keys);
        }
        let active = |player: &u8| state.head.active >> player & 1 != 0;
        let players = (1..=game.world.players as u8).filter(active);
        players
            .flat_map(|player| {
                let legal = game.list_choices(state, player, Some(chance));
                legal.into_iter().map(move |made| (player, made))
            })
            .map(|(player, made)| {
                let key = format!("p{player}:{}", key(game, state, &made));
                (made, key)
            })
            .unzip()
    }

    /// The throws that explain the legal moves of a ply whose throw is hidden in the record by
    /// later parts of the turn. These are the plies of a double that is played twice, at which the
    /// record shows the double instead of the throw. Any other throw that does not fit is a
    /// difference.
    fn other_throws(
        &self,
        before: &[State],
        entry: &Value,
    ) -> Vec<(State, Buffer<Move>, Vec<String>)> {
        const MOST_THROWS: usize = 216;
        let sides: Vec<usize> =
            self.game.world.dice.iter().flat_map(|d| d.faces.iter().map(Vec::len)).collect();
        let throws = sides.iter().try_fold(1usize, |all, &n| all.checked_mul(n));
        let Some(throws) = throws.filter(|&throws| throws <= MOST_THROWS) else {
            return Vec::new();
        };
        if !shows_double(entry) {
            return Vec::new();
        }
        let expected = entry["legal"].as_str().unwrap_or_default();
        let mut fitting = Vec::new();
        for state in before {
            for mut throw in 0..throws {
                let faces = sides.iter().map(|&n| {
                    let face = throw % n;
                    throw /= n;
                    Some(face as u32)
                });
                let chance = Recorded { faces: faces.collect(), ..Recorded::default() };
                let mut state = state.clone();
                let (legal, keys) = self.legal(&mut state, &chance);
                if listed(&keys, entry["n"].as_u64().unwrap_or(0)) == expected {
                    fitting.push((state, legal, keys));
                }
            }
        }
        fitting
    }

    fn end(&mut self, entry: &Value) -> Result<(), Difference> {
        let players = self.game.world.players;
        let Some(state) = self.readings.first() else { return Ok(()) };
        let ply = entry["plies"].as_u64().unwrap_or(0);
        let over = entry["end"].as_str() == Some("over");
        if entry["end"].as_str() == Some("error") {
            return Ok(());
        }
        if over != state.head.over {
            let text = |over: bool| if over { "over" } else { "not over" }.to_owned();
            return Err(differing(ply, "end", (text(state.head.over), text(over))));
        }
        if !over {
            return Ok(());
        }
        let winner = entry["winner"].as_i64().unwrap_or(0);
        let ranking: Vec<f64> =
            entry["ranking"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let found: Vec<f64> = (1..=players).map(|p| f64::from(state.head.ranks[p]) / 2.0).collect();
        if winner != i64::from(state.head.winner) || ranking != found {
            let ours = format!("winner {} {found:?}", state.head.winner);
            return Err(differing(ply, "end", (ours, format!("winner {winner} {ranking:?}"))));
        }
        let scores: Vec<i64> =
            entry["scores"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
        let found: Vec<i64> = (1..=players).map(|p| i64::from(state.scores()[p])).collect();
        if !scores.is_empty() && scores != found {
            return Err(differing(ply, "scores", (format!("{found:?}"), format!("{scores:?}"))));
        }
        Ok(())
    }
}

/// True if the throw of a ply is the double that its turn has kept to be played again.
fn shows_double(entry: &Value) -> bool {
    let mut thrown = entry["roll"].as_str().unwrap_or_default().split(',').map(str::trim);
    let mut fields = entry["state"].as_str().unwrap_or_default().split(' ');
    let put_by = fields.find_map(|field| field.strip_prefix("temp="));
    put_by.is_some_and(|double| thrown.all(|value| value == double))
}

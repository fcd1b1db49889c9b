//! Writing games as records: what [`replay`](crate::record::replay) reads.

use play::{Course, ReplayError};
use serde_json::{Value, json};

use super::actions::Action;
use super::mechanics::{ProverGame, ProverState};
use crate::record::Steps;

/// Writes games that were played on the prover: a header without the hash of the sheet, then for
/// each game all steps with every role's legal actions, the facts that were true, and where the
/// sheet has percepts what each role perceived.
///
/// # Errors
/// [`ReplayError::Malformed`] where a game cannot have been played so.
pub(super) fn write(
    name: &str,
    game: &ProverGame,
    courses: &[Course],
) -> Result<String, ReplayError> {
    let program = game.program();
    let roles = program.roles.iter().map(|&role| program.symbols.lower(role));
    let roles: Vec<&str> = roles.collect();
    let header = json!({"sheet": name, "roles": roles, "trials": courses.len()});
    let mut out = format!("{header}\n");
    for (number, course) in (1..).zip(courses) {
        out += &format!("{}\n", json!({ "trial": number }));
        let mut writer = Writer { game, moves: course.moves.iter(), chance: course.chance.iter() };
        writer.write(&mut out).map_err(|what| {
            ReplayError::Malformed(format!("game {number} cannot be written: {what}"))
        })?;
    }
    Ok(out)
}

/// A game on its way.
struct Writer<'a> {
    game: &'a ProverGame,
    moves: std::slice::Iter<'a, String>,
    chance: std::slice::Iter<'a, u32>,
}

impl Writer<'_> {
    fn write(&mut self, out: &mut String) -> Result<(), String> {
        let mut state = self.game.start();
        let mut depth = 0;
        while !self.game.is_terminal(&mut state) {
            let Some(line) = self.step(&mut state)? else {
                *out += &format!("{}\n", json!({"end": "cut", "depth": depth}));
                return Ok(());
            };
            depth += 1;
            *out += &format!("{line}\n");
        }
        if let Some(label) = self.moves.next() {
            return Err(format!("`{label}` comes after its end"));
        }
        let goals: Vec<i64> = (0..self.game.roles())
            .map(|role| match self.game.goals(&mut state, role)[..] {
                [goal] => goal.parse().unwrap_or(-1),
                _ => -1,
            })
            .collect();
        *out += &format!("{}\n", json!({"end": "over", "depth": depth, "goals": goals}));
        Ok(())
    }

    /// The line of a step, which is taken; `None` where the game was left before all had chosen.
    fn step(&mut self, state: &mut ProverState) -> Result<Option<Value>, String> {
        let facts = self.game.facts_text(state);
        let (mut counts, mut texts, mut does) = (Vec::new(), Vec::new(), Vec::new());
        let mut percepts = None;
        for role in 0..self.game.roles() {
            let legal = self.game.legal(state, role);
            let Some(action) = self.chosen(state, role, &legal)? else { return Ok(None) };
            let mut own: Vec<String> =
                legal.iter().map(|&action| self.game.action_text(state, action)).collect();
            own.sort_unstable();
            counts.push(own.len());
            texts.push(own);
            does.push(self.game.action_text(state, action));
            percepts = self.game.choose_perceived(state, action);
        }
        let mut line = json!({"n": counts, "legal": texts, "does": does, "true": facts});
        if let Some(percepts) = percepts {
            line["sees"] = json!(percepts);
        }
        Ok(Some(line))
    }

    /// The choice of a role: of nature the draw, of players the next move unless they were forced
    /// to pass.
    fn chosen(
        &mut self,
        state: &ProverState,
        role: usize,
        legal: &[Action],
    ) -> Result<Option<Action>, String> {
        if self.game.is_nature(role) {
            let Some(&drawn) = self.chance.next() else { return Ok(None) };
            let action = legal.get(drawn as usize).copied();
            return action.map(Some).ok_or_else(|| format!("chance cannot draw {drawn}"));
        }
        if let &[only] = legal
            && self.game.is_forced_pass(state, role, only)
        {
            return Ok(Some(only));
        }
        if legal.is_empty() {
            return Ok(None);
        }
        let Some(label) = self.moves.next() else { return Ok(None) };
        let labels = self.game.labels_of(state, legal);
        let at = labels.iter().position(|l| l == label);
        at.map(|at| Some(legal[at])).ok_or_else(|| format!("`{label}` is not legal"))
    }
}

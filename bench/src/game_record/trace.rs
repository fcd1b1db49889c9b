//! Records in the words of rules: written as traces, which engines of their language replay.

use play::{Engine, Limits, ReplayError, Rules};
use serde_json::{Value, json};
use text::{Diagnostic, Span};

use super::{Finding, GameRecord};

/// The lines of a trace of one game: its start, its steps, its end.
pub(super) fn text_of(steps: impl IntoIterator<Item = Value>, end: &Value) -> String {
    let head = [json!({"trials": 1}), json!({"trial": 1, "start": null})];
    let lines = head.into_iter().chain(steps).map(|line| line.to_string());
    lines.chain([end.to_string()]).collect::<Vec<String>>().join("\n")
}

/// Replays a record on an engine that reads the language of its rules.
pub fn follow_trace(
    engine: &dyn Engine,
    rules: &Rules,
    record: &GameRecord,
    text: &str,
    steps: &[Span],
) -> Finding {
    let error = |code, span, message: String| Diagnostic::error(code, span, message);
    let replay = match engine.replay(rules, text, &Limits::default()) {
        Ok(replay) => replay,
        Err(ReplayError::Compile(refused)) => {
            return Finding::NotFollowed(refused.one_line(&rules.source));
        }
        Err(ReplayError::Unsupported(why)) => return Finding::NotFollowed(why),
        Err(ReplayError::Malformed(why)) => {
            return Finding::Wrong { plies: 0, diagnostic: error("record", record.span, why) };
        }
    };
    let plies = replay.plies;
    if let (Some(_), Some(remark)) = (&replay.difference, &replay.remark) {
        return Finding::NotFollowed(remark.clone());
    }
    if let Some(difference) = replay.difference {
        let step = usize::try_from(difference.ply).unwrap_or(usize::MAX);
        let end = record.claim.as_ref().map(|claim| claim.span).or(record.over);
        let span = steps.get(step).copied().or(end).unwrap_or(record.span);
        let message = format!("the record differs at step {}: {}", step + 1, difference.what);
        let (expected, found) = (&difference.expected, &difference.found);
        let diagnostic = error("differs", span, message)
            .help(format!("recorded: {expected}"))
            .help(format!("here: {found}"));
        return Finding::Wrong { plies, diagnostic };
    }
    match (replay.remark, record.over) {
        (Some(remark), _) if replay.agreed == 0 => Finding::NotFollowed(remark),
        (_, Some(_)) => Finding::Ended { plies, remark: None },
        (_, None) => Finding::Stopped { plies },
    }
}

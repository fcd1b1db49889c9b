//! Matches of GGP servers, as JSON or XML.

use play::Language;
use serde_json::{Value, json};
use text::{Diagnostic, Flavour, Node, NodeKind, Source, Span};

use super::xml::{Piece, pieces};
use super::{Claim, Course, GameRecord, Named, syntax, trace};

/// What both forms of a match hold.
#[derive(Default)]
struct Match {
    /// The name of its rules.
    game: Option<String>,
    /// The joint moves with their places.
    steps: Vec<(Vec<String>, Span)>,
    /// The facts of the states, the initial one first, if they are recorded.
    states: Vec<String>,
    /// The scores with their place.
    goals: Option<(Vec<i64>, Span)>,
    /// True if the match was played to its end.
    is_completed: bool,
}

pub(super) fn read_json(source: &Source) -> Result<GameRecord, Diagnostic> {
    let text = source.text();
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let start = start.min(text.len());
        syntax(Span::new(start, start), format!("not JSON: {error}"))
    })?;
    let whole = Span::new(0, text.len().min(1));
    let moves = value.get("moves").and_then(Value::as_array);
    let moves = moves.ok_or_else(|| {
        syntax(whole, "no match of a GGP server: it has no list `moves`")
            .help("expected an object with `moves`, a list of one action for each role a step")
    })?;
    let places = places(text);
    let mut steps = Vec::new();
    for (number, joint) in moves.iter().enumerate() {
        let span = places.get(number).copied().unwrap_or(whole);
        let actions = joint.as_array().map(|joint| joint.iter().map(Value::as_str).collect());
        let actions: Option<Vec<&str>> = actions.unwrap_or_default();
        let actions = actions.ok_or_else(|| {
            syntax(span, "a step of `moves` is no list of actions, one for each role")
        })?;
        steps.push((actions.into_iter().map(str::to_owned).collect(), span));
    }
    let strings = |name: &str| {
        let list = value.get(name).and_then(Value::as_array).into_iter().flatten();
        list.map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
    };
    let goals = value.get("goalValues").and_then(Value::as_array);
    let goals = goals.and_then(|goals| goals.iter().map(Value::as_i64).collect());
    let at = text.find("\"goalValues\"").unwrap_or_default();
    let is_completed = value.get("isCompleted").and_then(Value::as_bool);
    let of = |name: &str| value.get(name).and_then(Value::as_str);
    Ok(record(Match {
        game: of("gameMetaURL").or_else(|| of("gameRulesheetURL")).map(str::to_owned),
        steps,
        states: strings("states"),
        is_completed: is_completed.unwrap_or(goals.is_some()),
        goals: goals.map(|goals| (goals, Span::new(at, at + "\"goalValues\"".len()))),
    }))
}

/// The places of the items of the list `moves` in an object.
fn places(text: &str) -> Vec<Span> {
    let (mut depth, mut key, mut in_moves) = (0u32, "", false);
    let (mut item, mut places) = (0, Vec::new());
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' => {
                let mut escaped = false;
                let end = rest.find(|&(_, c)| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                key = &text[at + 1..end.map_or(text.len(), |(end, _)| end)];
            }
            ':' if depth == 1 => in_moves = key == "moves",
            '[' | '{' => {
                if depth == 2 {
                    item = at;
                }
                depth += 1;
            }
            ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 2 && in_moves {
                    places.push(Span::new(item, at + 1));
                }
            }
            _ => {}
        }
    }
    places
}

pub(super) fn read_xml(source: &Source) -> Result<GameRecord, Diagnostic> {
    let mut found = Match::default();
    let mut goals = Vec::new();
    let mut scores = Span::at(0);
    let mut is_match = false;
    // The element `move` that is open, with the words in it, and how deep these are.
    let mut words: Option<(Vec<String>, u32)> = None;
    let mut last = "";
    for piece in pieces(source.text())? {
        match (piece, &mut words) {
            (Piece::Open("move", _), None) => words = Some((Vec::new(), 0)),
            (Piece::Open(..), Some((_, depth))) => *depth += 1,
            (Piece::Text(text, _), Some((words, depth))) => {
                // Text without elements is the action itself.
                let bare = if *depth == 0 { text } else { text.replace(['(', ')'], " ") };
                words.push(bare);
            }
            (Piece::Close("move", span), Some((said, 0))) => {
                let term = match &said[..] {
                    [one] => one.clone(),
                    all => format!("({})", all.join(" ")),
                };
                match found.steps.last_mut() {
                    Some((joint, place)) => {
                        joint.push(term);
                        *place = place.to(span);
                    }
                    None => return Err(syntax(span, "an action outside of any element `step`")),
                }
                words = None;
            }
            (Piece::Close(..), Some((_, depth))) => *depth = depth.saturating_sub(1),
            (Piece::Open("match", _), None) => is_match = true,
            (Piece::Open("step", span), None) => found.steps.push((Vec::new(), span)),
            (Piece::Open("scores", span), None) => scores = span,
            (Piece::Open(name, _), None) => last = name,
            (Piece::Text(text, span), None) if last == "reward" => {
                let goal = text.parse().map_err(|_| syntax(span, "a reward is no number"))?;
                goals.push(goal);
            }
            (Piece::Text(text, _), None) if matches!(last, "game" | "game-id" | "game-name") => {
                found.game = Some(text);
            }
            (Piece::Close(..), None) => last = "",
            (Piece::Text(..), None) => {}
        }
    }
    if !is_match {
        return Err(syntax(Span::at(0), "no match of a GGP server: no element `match`"));
    }
    found.steps.retain(|(joint, _)| !joint.is_empty());
    found.is_completed = !goals.is_empty();
    found.goals = found.is_completed.then_some((goals, scores));
    Ok(record(found))
}

/// The match as a trace.
fn record(found: Match) -> GameRecord {
    let Match { game, steps, states, goals, is_completed } = found;
    let depth = steps.len();
    let lines = steps.iter().enumerate().map(|(number, (joint, _))| {
        let does: Vec<String> = joint.iter().map(|action| term(action)).collect();
        match states.get(number).and_then(|state| facts(state)) {
            Some(facts) => json!({"does": does, "true": facts}),
            None => json!({"does": does}),
        }
    });
    let goals_of = goals.as_ref().map(|(goals, _)| goals.clone());
    let end = if is_completed { "over" } else { "cut" };
    let text = trace::text_of(lines, &json!({"end": end, "depth": depth, "goals": goals_of}));
    let name = game.unwrap_or_default();
    // `http://games.ggp.org/base/games/ticTacToe/v0/` names `ticTacToe`.
    let is_version = |part: &&str| {
        part.strip_prefix('v')
            .is_some_and(|v| !v.is_empty() && v.bytes().all(|c| c.is_ascii_digit()))
    };
    let last = name.split('/').rev().find(|part| !part.is_empty() && !is_version(part));
    let stem = last.map(|last| last.trim_end_matches(".kif"));
    let game = match stem {
        Some(stem) => Named::File(format!("{stem}.kif")),
        None => Named::Unknown("a match that does not name its rules".to_owned()),
    };
    let over = if is_completed { goals.as_ref().map(|(_, span)| *span) } else { None };
    let steps: Vec<Span> = steps.into_iter().map(|(_, span)| span).collect();
    let course =
        Course::Trace { language: Language::Kif, options: Vec::new(), text, steps: steps.clone() };
    let claim = over.map(|span| Claim { span, winner: None, incomparable: None });
    let span = steps.first().copied().unwrap_or_default();
    GameRecord { span, game, set_up: None, course, claim, over }
}

/// An action in the words of records: lower case, one blank between symbols.
fn term(text: &str) -> String {
    match &nodes(text)[..] {
        [node] => written(node),
        _ => text.trim().to_lowercase(),
    }
}

/// The facts of a state in sorted order; `None` if it is no list of facts.
fn facts(text: &str) -> Option<Vec<String>> {
    let nodes = nodes(text);
    let [node] = &nodes[..] else { return None };
    let NodeKind::List(_, all) = &node.kind else { return None };
    let fact = |node: &Node| match &node.kind {
        NodeKind::List(_, items) => match &items[..] {
            [head, fact] if head.word() == Some("true") => written(fact),
            _ => written(node),
        },
        _ => written(node),
    };
    let mut facts: Vec<String> = all.iter().map(fact).collect();
    facts.sort();
    facts.dedup();
    Some(facts)
}

fn nodes(text: &str) -> Vec<Node> {
    let tree = text::read(&Source::new("", text), Flavour::KIF);
    if tree.diagnostics.is_empty() { tree.nodes } else { Vec::new() }
}

/// A term as text. The reader bounds how deep it is.
fn written(node: &Node) -> String {
    match &node.kind {
        NodeKind::Word(word) | NodeKind::Text(word) => word.to_lowercase(),
        NodeKind::List(_, items) => {
            format!("({})", items.iter().map(written).collect::<Vec<String>>().join(" "))
        }
    }
}

//! Replaying recorded games of rulesheets.
//!
//! A record is a header and then one JSON object a line. A line with `trial` begins a game. Every
//! step says for each role, in the order of the `role` facts, how many actions are legal (`n`),
//! which (`legal`: their texts in sorted order, or `#` and the FNV-1a hash of the texts joined by
//! blanks) and which was taken (`does`). A step without `n` and `legal` says only what was taken. A
//! line with `end` says `over` or `cut` and the `goals`, -1 where a role has none or several. A
//! header with `error` says that the recorder got nowhere. `random` is a role like any other here.
//!
//! What the prover writes has two members more in a step, which are compared where they are there
//! and the engine can tell: `true`, the facts in sorted order, and `sees`, what each role
//! perceived, in the words of percepts and sorted.

use play::{Difference, Replay, ReplayError};
use serde_json::Value;

/// A rulesheet that can be played step by step in its own words.
pub trait Steps {
    /// A state, in which some roles may have chosen already.
    type State;
    /// An action of a role.
    type Action: Copy;

    /// Number of roles, nature included.
    fn roles(&self) -> usize;

    /// The initial state; no role has chosen.
    fn start(&self) -> Self::State;

    /// True if the game is over.
    fn is_terminal(&self, state: &mut Self::State) -> bool;

    /// The distinct legal actions of a role with their texts: lower case, one blank between
    /// symbols.
    fn legal(&self, state: &mut Self::State, role: usize) -> Vec<(Self::Action, String)>;

    /// The next role chooses; the choice of the last fires the transition.
    fn choose(&self, state: &mut Self::State, action: Self::Action);

    /// Like [`Steps::choose`]. Returns, if the transition fires and the rules have percepts, what
    /// each role perceives of it, sorted; `None` also if the engine cannot tell.
    fn choose_perceived(
        &self,
        state: &mut Self::State,
        action: Self::Action,
    ) -> Option<Vec<Vec<String>>> {
        self.choose(state, action);
        None
    }

    /// All facts that are true, sorted, where the engine can tell.
    fn facts(&self, _state: &Self::State) -> Option<Vec<String>> {
        None
    }

    /// The distinct goal values of a role that hold, as they are written.
    fn goals(&self, state: &mut Self::State, role: usize) -> Vec<String>;
}

/// Replays a record and compares legal actions, ends and goals.
///
/// # Errors
/// [`ReplayError::Malformed`] with the number of the line.
pub fn replay<S: Steps>(game: &S, record: &str) -> Result<Replay, ReplayError> {
    let mut replay = Replay::default();
    let mut trial = None;
    for (number, line) in record.lines().enumerate() {
        let malformed = |what: &str| {
            ReplayError::Malformed(format!("line {} of the record: {what}", number + 1))
        };
        let line: Value =
            serde_json::from_str(line).map_err(|error| malformed(&error.to_string()))?;
        if let Some(error) = line.get("error") {
            let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            replay.remark = Some(format!("the recorder got nowhere: {error}"));
        } else if line.get("trial").is_some() {
            replay.trials += 1;
            replay.agreed += 1;
            trial = Some(Trial { state: game.start(), ply: 0, differs: false });
        } else if number > 0 {
            let trial = trial.as_mut().ok_or_else(|| malformed("a step before any `trial`"))?;
            if trial.differs {
                continue;
            }
            let difference = if line.get("end").is_some() {
                compare_end(game, &mut trial.state, &line)
            } else {
                replay.plies += 1;
                compare_step(game, &mut trial.state, &line)
            };
            if let Some((what, expected, found)) = difference.map_err(malformed)? {
                trial.differs = true;
                replay.agreed -= 1;
                let place = (replay.trials, trial.ply);
                replay.difference.get_or_insert_with(|| Difference {
                    trial: place.0,
                    ply: place.1,
                    what,
                    expected: shorten(expected),
                    found: shorten(found),
                });
            }
            trial.ply += 1;
        }
    }
    if replay.trials == 0 && replay.remark.is_none() {
        replay.remark = Some("the record holds no game".to_owned());
    }
    Ok(replay)
}

struct Trial<State> {
    state: State,
    ply: u64,
    differs: bool,
}

/// A difference: its subject, the value of the record, the value of the game.
type Found = Option<(&'static str, String, String)>;

/// Compares the legal actions of all roles, and takes the joint action that was taken.
fn compare_step<S: Steps>(
    game: &S,
    state: &mut S::State,
    line: &Value,
) -> Result<Found, &'static str> {
    if game.is_terminal(state) {
        return Ok(Some(("end", "the game goes on".to_owned(), "it is over".to_owned())));
    }
    if let (Some(recorded), Some(facts)) = (line.get("true"), game.facts(state)) {
        let found = Value::from(facts);
        if *recorded != found {
            let (expected, found) = differing(recorded, &found);
            return Ok(Some(("state", expected, found)));
        }
    }
    let mut joint = Vec::with_capacity(game.roles());
    for role in 0..game.roles() {
        let mut legal = game.legal(state, role);
        legal.sort_by(|a, b| a.1.cmp(&b.1));
        let texts: Vec<&str> = legal.iter().map(|(_, text)| text.as_str()).collect();
        let lists_legal = line.get("legal").is_some() || line.get("n").is_some();
        if lists_legal && let Some(found) = compare_legal(line, role, &texts)? {
            return Ok(Some(found));
        }
        let does = line.get("does").and_then(|does| does.get(role)).and_then(Value::as_str);
        let does = does.ok_or("no `does`")?;
        match legal.iter().find(|(_, text)| text == does) {
            Some((action, _)) => joint.push(*action),
            None if lists_legal => return Err("an action was taken that is not in `legal`"),
            None => {
                let texts = texts.join(" ");
                let found = format!("{} legal actions of role {}: {texts}", legal.len(), role + 1);
                return Ok(Some(("an action that is not legal", does.to_owned(), found)));
            }
        }
    }
    let mut perceived = None;
    for action in joint {
        perceived = game.choose_perceived(state, action);
    }
    if let (Some(recorded), Some(perceived)) = (line.get("sees"), perceived) {
        let found = Value::from(perceived);
        if *recorded != found {
            return Ok(Some(("percepts", recorded.to_string(), found.to_string())));
        }
    }
    Ok(None)
}

/// Compares the legal actions of a role, given by their texts in sorted order.
fn compare_legal(line: &Value, role: usize, texts: &[&str]) -> Result<Found, &'static str> {
    let recorded = line.get("legal").and_then(|all| all.get(role)).ok_or("no `legal`")?;
    let count = line.get("n").and_then(|n| n.get(role)).and_then(Value::as_u64);
    let count = count.ok_or("no `n`")?;
    let same = match recorded {
        Value::Array(all) => all.iter().map(Value::as_str).eq(texts.iter().map(|t| Some(*t))),
        Value::String(hash) => *hash == format!("#{:016x}", fnv(&texts.join(" "))),
        _ => return Err("`legal` is neither a list nor a hash"),
    };
    if !same || count != texts.len() as u64 {
        let (expected, found) = lists(recorded, count, texts);
        return Ok(Some(("legal actions", expected, found)));
    }
    Ok(None)
}

fn compare_end<S: Steps>(
    game: &S,
    state: &mut S::State,
    line: &Value,
) -> Result<Found, &'static str> {
    let over = match line.get("end").and_then(Value::as_str) {
        Some("over") => true,
        Some("cut") => false,
        _ => return Err("`end` is neither `over` nor `cut`"),
    };
    if over != game.is_terminal(state) {
        let says = |over: bool| if over { "the game is over" } else { "the game goes on" };
        return Ok(Some(("end", says(over).to_owned(), says(!over).to_owned())));
    }
    if !over {
        return Ok(None);
    }
    let goals = line.get("goals").and_then(Value::as_array).ok_or("no `goals`")?;
    for (role, expected) in goals.iter().enumerate().take(game.roles()) {
        let found = game.goals(state, role);
        let single = match &found[..] {
            [goal] => goal.parse().unwrap_or(-1),
            _ => -1,
        };
        if expected.as_i64() != Some(single) {
            let found = format!("{found:?} of role {}", role + 1);
            return Ok(Some(("goals", expected.to_string(), found)));
        }
    }
    Ok(None)
}

/// Of two lists of facts what only one of them has.
fn differing(recorded: &Value, found: &Value) -> (String, String) {
    let only = |these: &Value, those: &Value| match (these.as_array(), those.as_array()) {
        (Some(these), Some(those)) => {
            let only = these.iter().filter(|fact| !those.contains(fact));
            format!("{} with {}", these.len(), only.cloned().collect::<Value>())
        }
        _ => these.to_string(),
    };
    (only(recorded, found), only(found, recorded))
}

/// The legal actions of a record and of the game: of lists what only one of them has, of hashes the
/// numbers.
fn lists(recorded: &Value, count: u64, texts: &[&str]) -> (String, String) {
    let Value::Array(all) = recorded else {
        return (format!("{count} of {recorded}"), format!("{} actions", texts.len()));
    };
    let all: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
    let only = |these: &[&str], those: &[&str]| {
        let only: Vec<&str> = these.iter().filter(|t| !those.contains(t)).copied().collect();
        format!(
            "{} with {}",
            these.len(),
            if only.is_empty() { "none else".to_owned() } else { only.join(" ") }
        )
    };
    (only(&all, texts), only(texts, &all))
}

/// FNV-1a, 64 bits.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Longest part of a difference that is kept.
const LONGEST: usize = 200;

fn shorten(text: String) -> String {
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(" ...".chars()).collect()
}

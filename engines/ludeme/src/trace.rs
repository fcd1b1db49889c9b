//! Replays games that another implementation has recorded, move by move, and says where this engine
//! differs from them first.
//!
//! A recording is a text of JSON lines: a header, then for every game its start, its plies with
//! their legal moves, and its end. What chance decided is in it and fed in.

mod puzzle;
mod write;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;

use play::{CompileError, Difference, ReplayError, Rules};
use serde_json::Value;

use crate::board::SiteType;
use crate::buffer::Buffer;
use crate::eval::{ChanceSource, MaybeChance};
use crate::front::{self, Call};
use crate::game::Game;
use crate::ir::{LeafKind, Place};
use crate::lower::{self, Lowering};
use crate::moves::{Move, Sort};
use crate::set::with_words;
use crate::state::{List, State};
use crate::world::{AMOUNT, POT, TRUMP};

pub use write::write;

/// Sites of a game; larger ones are neither replayed nor written.
const MOST_SITES: usize = 2048;

/// Moves of a position beyond which a recording has a hash instead of their list.
const LISTED: u64 = 400;

/// Positions kept beside each other while a recorded move can be one of several.
const MOST_READINGS: usize = 16;

/// Replays all games of a recording on the plain interpreter. `go_on` is asked before every ply;
/// where it says no, what was compared so far counts.
pub fn replay(
    rules: &Rules,
    recording: &str,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<play::Replay, ReplayError> {
    let parsed = front::parse(rules)?;
    let lowering = lowered(&parsed.root)?;
    let sites = lowering.world.sites();
    with_words!(sites, W => replay_on::<W>(lowering, recording, go_on))
        .unwrap_or_else(|| Err(too_large(sites).into()))
}

/// Replays all games of a recording on a game whose sites are in sets of `W` words.
fn replay_on<const W: usize>(
    lowering: Lowering,
    recording: &str,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<play::Replay, ReplayError> {
    let game = Game::<W>::new(lowering);
    let mut replay = Replay { game: &game, readings: Vec::new(), plies: 0 };
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
            break;
        }
    }
    Ok(report)
}

/// The data of a description, unless it has too many sites.
fn lowered(root: &Call) -> Result<Lowering, CompileError> {
    let lowering = lower::lower(root)?;
    match lowering.world.sites() {
        ..=MOST_SITES => Ok(lowering),
        sites => Err(too_large(sites)),
    }
}

fn too_large(sites: usize) -> CompileError {
    CompileError::TooLarge(format!("{sites} sites, {MOST_SITES} can be recorded"))
}

/// A difference at a ply, of a game whose number the caller knows.
fn differing(ply: u64, what: &'static str, (found, expected): (String, String)) -> Difference {
    Difference { trial: 0, ply, what, expected, found }
}

struct Replay<'g, const W: usize> {
    game: &'g Game<W>,
    /// The positions that agree with everything so far.
    readings: Vec<State>,
    plies: u64,
}

/// Recorded chance.
#[derive(Default)]
struct Recorded {
    /// Faces that the dice show after a throw, by die.
    faces: Vec<Option<u32>>,
    /// True if draws in order come before what the dice show in the end.
    tests_first: bool,
    /// Other draws: bound and outcome.
    drawn: RefCell<VecDeque<(u32, u32)>>,
}

impl ChanceSource for Recorded {
    fn below(&self, n: u32) -> u32 {
        let mut drawn = self.drawn.borrow_mut();
        // Draws that only this engine does without are passed over.
        let at = drawn.iter().position(|d| d.0 == n);
        at.and_then(|at| drawn.drain(..=at).next_back()).map_or(0, |d| d.1)
    }

    /// The record has draws among all, those that came before included.
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

impl<const W: usize> Replay<'_, W> {
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
        let expected = entry["start"].as_str().unwrap_or_default();
        let found = match &self.game.puzzle {
            Some(_) => puzzle::describe(self.game, &state),
            None => describe(self.game, &state),
        };
        if let Some(detail) = difference(&found, expected) {
            return Err(differing(0, "start", detail));
        }
        self.readings = vec![state];
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
            if found == expected {
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
                match difference(&describe(self.game, &after), expected) {
                    Some((found, expected)) if detail.is_none() => {
                        detail = Some((format!("after {play}: {found}"), expected));
                    }
                    Some(_) => {}
                    None if self.readings.len() < MOST_READINGS
                        && !self.readings.iter().any(|r| r.same(&after)) =>
                    {
                        self.readings.push(after);
                    }
                    None => {}
                }
            }
        }
        if self.readings.is_empty() {
            let what = if tried { "state" } else { "play" };
            return Err(differing(ply, what, detail.unwrap_or_default()));
        }
        self.plies += 1;
        Ok(())
    }

    /// The legal moves and what they go by; those of all players where they choose at once.
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

    /// Where a throw is recorded that later parts of the turn have hidden: the throws that explain
    /// the legal moves. These are the plies of a double that is played twice, at which the record
    /// shows the double instead of what was thrown; any other throw that does not fit is a
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

/// True if the throw of a ply is the double that its turn has put by to be played again.
fn shows_double(entry: &Value) -> bool {
    let mut thrown = entry["roll"].as_str().unwrap_or_default().split(',').map(str::trim);
    let mut fields = entry["state"].as_str().unwrap_or_default().split(' ');
    let put_by = fields.find_map(|field| field.strip_prefix("temp="));
    put_by.is_some_and(|double| thrown.all(|value| value == double))
}

/// A site as recordings have it: elements of another type than the board's begin with its letter.
fn site_key<const W: usize>(game: &Game<W>, site: usize) -> String {
    match game.world.elements_at(site) {
        Some(elements) => {
            let letter = match elements.of {
                SiteType::Cell => 'C',
                SiteType::Vertex => 'V',
                SiteType::Edge => 'E',
            };
            format!("{letter}{}", site - elements.first)
        }
        None => site.to_string(),
    }
}

/// What a move goes by.
pub(crate) fn key<const W: usize>(game: &Game<W>, state: &State, made: &Move) -> String {
    let text = |number: i16| {
        let text = usize::try_from(number).ok().and_then(|t| game.texts.get(t));
        text.map_or(String::new(), |t| t.replace(' ', "_"))
    };
    match made.sort {
        Sort::Pass => return "pass".to_owned(),
        Sort::Swap => return "swap".to_owned(),
        Sort::Next => return format!("next={}", made.piece),
        Sort::Propose => return format!("propose:{}", text(made.piece)),
        Sort::Bet => return format!("bet={}", made.piece),
        Sort::Trump => return format!("trump={}", made.piece),
        Sort::Vote => return format!("vote:{}", text(made.piece)),
        Sort::Plain => {}
    }
    let site = |site: i16| match usize::try_from(site) {
        Ok(site) => site_key(game, site),
        Err(_) => "-".to_owned(),
    };
    let height = |site: i16| {
        usize::try_from(site).map_or(0, |s| if game.stacking() { state.height(s) } else { 0 })
    };
    let level = |level: Option<u16>, top: usize| match level {
        Some(level) if usize::from(level) + 1 < top => format!("@{level}"),
        _ => String::new(),
    };
    let onto = height(made.to) + usize::from(made.from != made.to);
    format!(
        "{}{}>{}{}",
        site(made.from),
        level(made.from_level, height(made.from)),
        site(made.to),
        level(made.to_level, onto),
    )
}

/// The legal moves as the reference lists them: additions to a region twice where they have an
/// effect.
pub(crate) fn all_moves<const W: usize>(
    game: &Game<W>,
    state: &mut State,
    chance: MaybeChance<'_>,
) -> Buffer<Move> {
    let mut all = game.list(state, chance);
    let twice = |made: &&Move| match game.leaf(made.leaf).map(|leaf| &leaf.kind) {
        Some(LeafKind::Add { to, apply: Some(apply), .. }) => {
            apply.effect.is_some() && matches!(**to, Place::Region(_))
        }
        _ => false,
    };
    let again: Buffer<Move> = all.iter().filter(twice).cloned().collect();
    all.extend(again);
    all
}

/// A list of keys as recordings have it.
pub(crate) fn listed(keys: &[String], expected: u64) -> String {
    let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    keys.sort_unstable();
    let mut text = String::new();
    for group in keys.chunk_by(|a, b| a == b) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(group[0]);
        if group.len() > 1 {
            let _ = write!(text, "*{}", group.len());
        }
    }
    if keys.len() as u64 > LISTED || expected > LISTED {
        format!("#{:016x}", fnv(&text))
    } else {
        text
    }
}

/// The hash FNV-1a with 64 bits.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A state as recordings have it.
pub(crate) fn describe<const W: usize>(game: &Game<W>, state: &State) -> String {
    let head = &state.head;
    let mover = usize::from(head.turns.mover);
    let mut text =
        if head.over { "m0 ph0".to_owned() } else { format!("m{mover} ph{}", head.phase[mover]) };
    let piece = |what: usize, count: i32, extra: crate::state::Extra| {
        let mut text = what.to_string();
        if count > 1 {
            let _ = write!(text, "x{count}");
        }
        for (letter, value) in [('s', extra.state), ('r', extra.rotation), ('v', extra.value)] {
            if value != 0 {
                let _ = write!(text, "{letter}{value}");
            }
        }
        text
    };
    let dice = game.world.dice.as_ref().map_or(0..0, |d| d.first..d.first + d.faces.len());
    for site in game.everywhere.iter().filter(|s| !dice.contains(s)) {
        if game.stacking() {
            let height = state.height(site);
            if height > 0 {
                let levels = (0..height)
                    .map(|l| piece(state.what_at(site, l), 1, state.extra(site, Some(l))));
                let site = site_key(game, site);
                let _ = write!(text, " {site}:{}", levels.collect::<Vec<_>>().join("/"));
            }
            continue;
        }
        let extra = state.extra(site, None);
        if state.what(site) != 0 || extra != crate::state::Extra::default() {
            let site_text = site_key(game, site);
            let _ =
                write!(text, " {site_text}:{}", piece(state.what(site), state.count(site), extra));
        }
    }
    let fields = fields(game, state);
    if !fields.is_empty() {
        let _ = write!(text, " | {}", fields.join(" "));
    }
    text
}

fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|v| v.to_string()).collect::<Vec<_>>().join(",")
}

fn fields<const W: usize>(game: &Game<W>, state: &State) -> Vec<String> {
    let head = &state.head;
    let players = game.world.players;
    let mut fields = Vec::new();
    if state.scores()[1..=players].iter().any(|&s| s != 0) {
        fields.push(format!("score={}", joined(&state.scores()[1..=players])));
    }
    let mut pending: Vec<i32> = state.pending::<W>(&game.layout).iter().map(|s| s as i32).collect();
    pending.extend(head.pending_number);
    pending.sort_unstable();
    if !pending.is_empty() {
        fields.push(format!("pend={}", joined(pending)));
    }
    let mut vars: Vec<(&str, i32)> =
        game.vars.iter().map(String::as_str).zip(state.vars().iter().copied()).skip(1).collect();
    vars.sort_unstable();
    for (name, value) in vars.into_iter().filter(|v| v.1 != -1 && !v.0.starts_with('\0')) {
        fields.push(format!("var:{}={value}", name.replace(' ', "_")));
    }
    let money = |name: &str| {
        let var = game.vars.iter().position(|v| v == name);
        var.map_or(0, |var| state.vars()[var])
    };
    let amounts: Vec<i32> = (1..=players).map(|p| money(&format!("{AMOUNT}{p}"))).collect();
    if amounts.iter().any(|&amount| amount != 0) {
        fields.push(format!("amount={}", joined(amounts)));
    }
    if money(POT) != 0 {
        fields.push(format!("pot={}", money(POT)));
    }
    if !state.dice().is_empty() {
        fields.push(format!("dice={}", joined(state.dice())));
    }
    fields.push(format!("count={}", head.counter));
    if !head.over {
        let next = game.following(state, head.turns.mover);
        if next != head.turns.next {
            fields.push(format!("next={}", head.turns.next));
        }
    }
    if state.vars().first().is_some_and(|&v| v != -1) {
        fields.push(format!("temp={}", state.vars()[0]));
    }
    let mut lists: Vec<(&str, &Vec<i32>)> =
        game.list_names.iter().map(String::as_str).zip(state.remembered()).collect();
    lists.sort_unstable();
    for (name, list) in lists.into_iter().filter(|l| !l.1.is_empty() && !l.0.starts_with('\0')) {
        let name = if name.is_empty() {
            "rem".to_owned()
        } else {
            format!("rem:{}", name.replace(' ', "_"))
        };
        fields.push(format!("{name}={}", joined(list)));
    }
    if state.player_values()[1..=players].iter().any(|&v| v != -1) {
        fields.push(format!("pval={}", joined(&state.player_values()[1..=players])));
    }
    let trump = game.vars.iter().position(|v| v == TRUMP).map_or(-1, |var| state.vars()[var]);
    if trump != -1 {
        fields.push(format!("trump={trump}"));
    }
    let out: Vec<usize> = (1..=players).filter(|p| head.active >> p & 1 == 0).collect();
    if !out.is_empty() && !head.over {
        fields.push(format!("out={}", joined(out)));
    }
    if !state.list(List::ToClear).is_empty() {
        let mut sites = state.list(List::ToClear).to_vec();
        sites.sort_unstable();
        fields.push(format!("taken={}", joined(sites)));
    }
    let seats = &head.record.seats[1..=players];
    if seats.iter().enumerate().any(|(i, &s)| usize::from(s) != i + 1) {
        fields.push(format!("order={}", joined(seats)));
    }
    let texts = |list: &[u16]| {
        let names = list.iter().filter_map(|&t| game.texts.get(usize::from(t)));
        names.map(|t| t.replace(' ', "_")).collect::<Vec<_>>().join(",")
    };
    for (name, list) in [("prop", List::Proposals), ("vote", List::Votes)] {
        let list = state.list(list);
        if !list.is_empty() {
            fields.push(format!("{name}={}", texts(list)));
        }
    }
    if let Some(text) = head.record.decided {
        fields.push(format!("decided={}", texts(&[text])));
    }
    fields
}

/// What differs between two states in text; the counter is compared only where it is recorded.
pub(crate) fn difference(found: &str, expected: &str) -> Option<(String, String)> {
    if found == expected {
        return None;
    }
    let counted = expected.contains(" count=");
    let mut ours: Vec<&str> = found.split(' ').filter(|i| *i != "|").collect();
    if !counted {
        ours.retain(|i| !i.starts_with("count="));
    }
    let theirs: Vec<&str> = expected.split(' ').filter(|i| *i != "|").collect();
    let missing: Vec<&str> = theirs.iter().copied().filter(|i| !ours.contains(i)).collect();
    let extra: Vec<&str> = ours.iter().copied().filter(|i| !theirs.contains(i)).collect();
    if missing.is_empty() && extra.is_empty() {
        return None;
    }
    Some(shorten(&extra, &missing))
}

pub(crate) fn moves_difference(found: &str, expected: &str) -> (String, String) {
    let ours: Vec<&str> = found.split(' ').collect();
    let theirs: Vec<&str> = expected.split(' ').collect();
    let missing: Vec<&str> = theirs.iter().copied().filter(|i| !ours.contains(i)).collect();
    let extra: Vec<&str> = ours.iter().copied().filter(|i| !theirs.contains(i)).collect();
    shorten(&extra, &missing)
}

fn shorten(extra: &[&str], missing: &[&str]) -> (String, String) {
    let some = |list: &[&str]| {
        let rest = if list.len() > 8 { " .." } else { "" };
        list.iter().take(8).copied().collect::<Vec<_>>().join(" ") + rest
    };
    (some(extra), some(missing))
}

//! Moves and states in the text of recordings.

use std::fmt::Write as _;

use crate::board::SiteType;
use crate::buffer::Buffer;
use crate::eval::MaybeChance;
use crate::game::Game;
use crate::ir::{LeafKind, Place};
use crate::moves::{Move, Sort};
use crate::state::{List, State};
use crate::world::{AMOUNT, POT, TRUMP};

use super::LISTED;

/// A site as recordings write it: elements of a type other than that of the board begin with its
/// letter.
fn site_key(game: &Game, site: usize) -> String {
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

/// The key of a move.
pub(crate) fn key(game: &Game, state: &State, made: &Move) -> String {
    let text = |number: i16| {
        let text = usize::try_from(number).ok().and_then(|t| game.names.texts.get(t));
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
        Sort::Plain if game.simulation => return "auto".to_owned(),
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
    // A piece that is added or comes from elsewhere makes the stack higher.
    let adds = matches!(game.leaf(made.leaf).map(|leaf| &leaf.kind), Some(LeafKind::Add { .. }));
    let onto = height(made.to) + usize::from(adds || made.from != made.to);
    format!(
        "{}{}>{}{}",
        site(made.from),
        level(made.from_level, height(made.from)),
        site(made.to),
        level(made.to_level, onto),
    )
}

/// The legal moves as the reference lists them: additions to a region that have an effect come
/// twice.
pub(crate) fn all_moves(game: &Game, state: &mut State, chance: MaybeChance<'_>) -> Buffer<Move> {
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

/// A list of keys as recordings write it.
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

/// A state as recordings write it.
pub(crate) fn describe(game: &Game, state: &State) -> String {
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

fn fields(game: &Game, state: &State) -> Vec<String> {
    let head = &state.head;
    let players = game.world.players;
    let mut fields = Vec::new();
    if state.scores()[1..=players].iter().any(|&s| s != 0) {
        fields.push(format!("score={}", joined(&state.scores()[1..=players])));
    }
    let mut pending: Vec<i32> = state.pending(&game.layout).iter().map(|s| s as i32).collect();
    pending.extend(head.pending_number);
    pending.sort_unstable();
    if !pending.is_empty() {
        fields.push(format!("pend={}", joined(pending)));
    }
    let mut vars: Vec<(&str, i32)> = game
        .names
        .vars
        .iter()
        .map(String::as_str)
        .zip(state.vars().iter().copied())
        .skip(1)
        .collect();
    vars.sort_unstable();
    for (name, value) in vars.into_iter().filter(|v| v.1 != -1 && !v.0.starts_with('\0')) {
        fields.push(format!("var:{}={value}", name.replace(' ', "_")));
    }
    let money = |name: &str| {
        let var = game.names.vars.iter().position(|v| v == name);
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
        game.names.lists.iter().map(String::as_str).zip(state.remembered()).collect();
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
    let trump = game.names.vars.iter().position(|v| v == TRUMP).map_or(-1, |var| state.vars()[var]);
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
        let names = list.iter().filter_map(|&t| game.names.texts.get(usize::from(t)));
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

/// The difference between two states in text. The counter is compared only if it is recorded.
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

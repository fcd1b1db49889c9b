//! What the page shows, as JSON.

use agents::{AGENTS, ObservedPly};
use pictures::Options;
use play::picture::Picture;
use serde::Serialize;

use crate::cli::play::search::Search;
use crate::cli::play::table::{Next, PERSON, Table};

/// Texts that do not change.
#[derive(Serialize)]
pub(super) struct About<'t> {
    title: &'t str,
    rules: String,
    engine: &'t str,
    players: usize,
    hidden: bool,
    budget: String,
    /// Those who can be chosen to play a role: their names, and what they are.
    agents: Vec<(String, String)>,
}

impl About<'_> {
    pub(super) fn of(table: &Table) -> About<'_> {
        let setup = &table.setup;
        let hidden = setup.game.facts().hidden;
        let person = (PERSON.to_owned(), "at this page".to_owned());
        let ours = AGENTS.iter().filter(|kind| kind.can_play(hidden));
        let ours = ours.map(|kind| (kind.name.to_owned(), kind.about.to_owned()));
        let mut agents: Vec<(String, String)> = std::iter::once(person).chain(ours).collect();
        for name in table.named() {
            if agents.iter().all(|(known, _)| known != name) {
                agents.push((name.clone(), String::new()));
            }
        }
        About {
            title: &setup.title,
            rules: table.rules(),
            engine: &table.header().engine,
            players: table.seats.len(),
            hidden,
            budget: crate::trial::budget_in_words(setup.setting.budget),
            agents,
        }
    }
}

/// The game as it is seen from a role.
#[derive(Serialize)]
pub(in crate::cli::play) struct View<'t> {
    /// The number of changes of all that is shown.
    pub(super) version: u64,
    game: u64,
    seed: u64,
    /// The role that it is seen from, counted from 0.
    viewer: u8,
    /// True if everything is seen.
    open: bool,
    seats: Vec<Place<'t>>,
    /// The role whose turn it is, if that is known.
    turn: Option<u8>,
    /// True if an agent thinks about a ply, and true if one thinks about advice.
    thinking: bool,
    advising: bool,
    result: Option<String>,
    scores: Option<Vec<i32>>,
    /// The position as SVG, if the engine knows of a board, and the lines that belong to it; or
    /// else in text alone.
    picture: Option<String>,
    drawing: String,
    legal: Vec<Choosable>,
    plies: usize,
    /// All plies, or what the role knows of them.
    moves: Vec<Seen>,
    search: Option<&'t Search>,
    advice: Option<Advice<'t>>,
    /// The pace of the agents, where nobody else plays.
    pace: Option<Paced>,
    can_undo: bool,
    can_save: bool,
}

/// The pace of agents before people who watch.
#[derive(Serialize)]
struct Paced {
    /// The least seconds that a ply takes.
    seconds: f64,
    paused: bool,
}

/// A role, who plays it, and the seconds that were used.
#[derive(Serialize)]
struct Place<'t> {
    who: &'t str,
    person: bool,
    seconds: Option<f64>,
    runs: bool,
}

/// A ply as it is seen, or the start.
#[derive(Serialize)]
struct Seen {
    player: Option<u8>,
    label: Option<String>,
    percepts: Vec<String>,
}

/// An action that may be chosen, and the sites of the picture that its label names, on the board and
/// beside it.
#[derive(Serialize)]
struct Choosable {
    label: String,
    sites: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Advice<'t> {
    Search(&'t Search),
    None(&'t str),
}

impl View<'_> {
    /// The view from a role.
    pub(in crate::cli::play) fn of(table: &Table, viewer: u8, version: u64) -> View<'_> {
        let open = table.is_open();
        let next = table.next();
        let turn = match next {
            Next::Person(player) | Next::Agent(player) => Some(player),
            Next::Nobody => None,
        };
        let turn = turn.filter(|&player| table.is_seen(player, viewer));
        let mine = |player| table.is_seen(player, viewer);
        let position = table.session.position();
        let over = next == Next::Nobody;
        let shown = if open { position.picture() } else { Picture::default() };
        let (picture, drawing) = drawn(table, &shown);
        let legal = table.legal(viewer).into_iter().map(|label| {
            let sites = shown.sites_in(&label).into_iter();
            Choosable { sites: sites.map(str::to_owned).collect(), label }
        });
        let advice = table.advice.as_ref().filter(|_| table.may_choose(viewer).is_some());
        View {
            version,
            game: table.number(),
            seed: table.session.seed(),
            viewer,
            open,
            seats: places(table, viewer, turn),
            turn,
            thinking: matches!(next, Next::Agent(_)),
            advising: table.is_advising(),
            result: table.result(),
            scores: position.scores().map(|scores| scores.iter().collect()),
            picture,
            drawing,
            legal: legal.collect(),
            plies: table.session.plies.len(),
            moves: moves(table, viewer),
            search: table.search.as_ref().filter(|search| mine(search.player)),
            advice: advice.map(|advice| match advice {
                Ok(search) => Advice::Search(search),
                Err(why) => Advice::None(why),
            }),
            pace: table.is_watched().then_some(Paced {
                seconds: table.pace.least.as_secs_f64(),
                paused: table.pace.paused,
            }),
            can_undo: table.session.plies.iter().any(|ply| table.is_person(ply.player)),
            can_save: open || over,
        }
    }
}

/// A position as a picture, with the lines that are no part of it, or in text.
fn drawn(table: &Table, shown: &Picture) -> (Option<String>, String) {
    if !table.is_open() {
        return (None, String::new());
    }
    if shown.cells.is_empty() && shown.trays.is_empty() {
        return (None, table.session.position().draw().trim_end().to_owned());
    }
    let last = table.session.plies.last().map(|ply| ply.label.as_str());
    let options = Options { title: &table.setup.title, last, notes: false, ..Options::default() };
    (Some(pictures::svg(shown, &options)), shown.notes.join("\n"))
}

fn places(table: &Table, viewer: u8, turn: Option<u8>) -> Vec<Place<'_>> {
    let seats = table.seats.iter().zip(0..);
    let place = seats.map(|(seat, player)| {
        let is_seen = table.is_seen(player, viewer);
        Place {
            who: seat.name(),
            person: seat.is_person(),
            seconds: is_seen.then(|| table.session.used(player).as_secs_f64()),
            runs: turn == Some(player) && table.session.clock_runs(),
        }
    });
    place.collect()
}

/// The plies of the game, or, where something is hidden, what a role did and perceived.
fn moves(table: &Table, viewer: u8) -> Vec<Seen> {
    if !table.is_open() {
        let own = |ply: ObservedPly| Seen {
            player: ply.own.is_some().then_some(viewer),
            label: ply.own,
            percepts: ply.percepts,
        };
        return table.session.past(viewer).into_iter().map(own).collect();
    }
    let told = |percepts: &[Vec<String>]| -> Vec<String> {
        let told = percepts.iter().zip(1..).filter(|(percepts, _)| !percepts.is_empty());
        told.map(|(percepts, player)| format!("player {player}: {}", percepts.join(", "))).collect()
    };
    let start = Seen { player: None, label: None, percepts: told(table.session.start()) };
    let start = Some(start).filter(|start| !start.percepts.is_empty());
    let plies = table.session.plies.iter().map(|ply| Seen {
        player: Some(ply.player),
        label: Some(ply.label.clone()),
        percepts: told(&ply.percepts),
    });
    start.into_iter().chain(plies).collect()
}

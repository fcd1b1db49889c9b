//! Games that were played, as JSON lines: `bench/trials.md` documents the format.

mod follow;
mod read;

use std::collections::BTreeMap;
use std::io::Write;

use agents::{Budget, ObservedPly, Played};
use play::{Facts, Player, Rules};
use serde::{Deserialize, Serialize};

use crate::identity;

pub use follow::{Agreement, Followed, follow};
pub use read::Reader;

/// The value of the member `format` of a header.
pub const FORMAT: &str = "ggpbench trials";

/// Version of the format that is written; readers refuse later ones.
pub const VERSION: u32 = 2;

/// The first line of a file: what all of its trials share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Id in the catalogue, or path of the rule file.
    pub game: String,
    /// The language of the rules that were played.
    pub language: String,
    /// Their options.
    pub options: Vec<String>,
    /// Their hash, see [`identity::of_rules`].
    pub rules: String,
    /// The position at which all games began, as it was given; `None` for that of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The engine that kept the rules.
    pub engine: String,
    /// Number of players.
    pub players: u8,
    /// True if players do not see everything.
    pub hidden: bool,
    /// Plies after which games were given up.
    pub cap: u32,
}

impl Header {
    /// The header for games played on an engine.
    pub fn new(game: &str, rules: &Rules, engine: &str, facts: &Facts, cap: u32) -> Header {
        Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.to_owned(),
            language: rules.language.name().to_owned(),
            options: rules.options.clone(),
            rules: identity::of_rules(rules),
            position: None,
            engine: engine.to_owned(),
            players: facts.players,
            hidden: facts.hidden,
            cap,
        }
    }

    /// The same for games that began at a position.
    #[must_use]
    pub fn at(self, position: Option<&str>) -> Header {
        Header { position: position.map(str::to_owned), ..self }
    }
}

/// One game that was played: every line after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Its number, unique in its file.
    pub trial: u64,
    /// Seed of chance and of the agents.
    pub seed: u64,
    /// The agent of each role.
    pub agents: Vec<String>,
    /// The budget of an agent for a ply, such as `100 iterations` or `50 ms`.
    pub budget: String,
    /// The draws of chance, in the order of the engine's draws.
    pub chance: Vec<u32>,
    /// The percepts of each role at the start; empty in games of full information.
    pub start: Vec<Vec<String>>,
    /// All plies.
    pub plies: Vec<Ply>,
    /// The end of the game.
    pub end: End,
    /// The payoffs, where the game was over.
    pub scores: Option<Vec<i32>>,
    /// The fault that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Faulty>,
    /// Nanoseconds that each agent spent choosing, where they were measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search_ns: Vec<u64>,
    /// The counts of each agent in this game by name, if one of them counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<BTreeMap<String, u64>>,
}

/// The end of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// By the rules.
    Over,
    /// Given up at the ply cap.
    Cap,
    /// The one to act had no legal action although the game was not over.
    Stuck,
    /// By the fault of an agent.
    Fault,
    /// A person left.
    Left,
}

/// One ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ply {
    /// The role that acted, counted from 0.
    pub player: u8,
    /// The label of the action.
    #[serde(rename = "move")]
    pub label: String,
    /// In games of chance in which nothing is hidden, the [digest](agents::digest) of the legal
    /// actions, which tells what chance did before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<String>,
    /// The percepts of each role; empty in games of full information.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<Vec<String>>,
    /// Simulations before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub simulations: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// An agent that chose nothing legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faulty {
    /// Its role, counted from 0.
    pub player: u8,
    /// The fault of the agent.
    pub reason: String,
}

/// The knowledge of a role about a game from its start and these plies.
pub fn past_of(player: Player, start: &[Vec<String>], plies: &[Ply]) -> Vec<ObservedPly> {
    let role = usize::from(player.0);
    let known = plies.iter().filter_map(|ply| {
        let own = (ply.player == player.0).then_some(ply.label.as_str());
        ObservedPly::of(role, own, &ply.percepts)
    });
    ObservedPly::of(role, None, start).into_iter().chain(known).collect()
}

/// A budget in words.
pub fn budget_in_words(budget: Budget) -> String {
    match budget {
        Budget::Iterations(1) => "1 iteration".to_owned(),
        Budget::Iterations(n) => format!("{n} iterations"),
        Budget::Time(time) => format!("{} ms", time.as_secs_f64() * 1e3),
    }
}

impl Trial {
    /// The trial of a game that agents played.
    pub fn of(
        trial: u64,
        seed: u64,
        agents: Vec<String>,
        budget: Budget,
        cap: u32,
        played: Played,
    ) -> Trial {
        let end = match (&played.fault, played.scores) {
            (Some(_), _) => End::Fault,
            (None, Some(_)) => End::Over,
            (None, None) if played.plies.len() >= cap as usize => End::Cap,
            (None, None) => End::Stuck,
        };
        let plies = played.plies.into_iter().map(|ply| Ply {
            player: ply.player.0,
            label: ply.label,
            legal: ply.legal,
            percepts: ply.percepts,
            simulations: ply.simulations,
        });
        Trial {
            trial,
            seed,
            agents,
            budget: budget_in_words(budget),
            chance: played.chance,
            start: played.start,
            plies: plies.collect(),
            end,
            scores: played.scores.map(|scores| scores.iter().collect()),
            fault: played.fault.map(|(player, fault)| Faulty { player: player.0, reason: fault.0 }),
            search_ns: Vec::new(),
            counts: Vec::new(),
        }
    }
}

/// Writes a header or a trial as one line, whole: a writer that is killed leaves at most one line
/// that is cut.
pub fn write_line(out: &mut impl Write, line: &impl Serialize) -> std::io::Result<()> {
    out.write_all(line_of(line)?.as_bytes())?;
    out.flush()
}

/// A header or a trial as one line, with its end. JSON has no control characters.
pub(crate) fn line_of(line: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(line).map(|text| text + "\n")
}

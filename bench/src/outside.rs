//! Agents that are programs in any language: `bench/agents.md` documents what they are asked.

use std::collections::BTreeMap;
use std::time::Duration;

use agents::{Agent, Budget, Choice, Estimate, Fault, Observation};
use play::Rules;
use serde::{Deserialize, Serialize};

use crate::client::{Bounds, start_limited};
use crate::process::{NoAnswer, Process};
use crate::protocol::{Reply, parts_of};

/// Version of what is spoken.
pub const VERSION: u32 = 1;

/// The time that a program may take beyond a budget of time, which an agent of ours watches itself.
const GRACE: Duration = Duration::from_secs(2);

/// An agent whose process is started at its first ply and serves one game.
#[derive(Debug)]
pub struct ProcessAgent {
    name: String,
    command: Vec<String>,
    rules: Rules,
    bounds: Bounds,
    process: Option<Process>,
}

/// The request to a program.
#[derive(Serialize)]
struct Choose<'a> {
    cmd: &'static str,
    protocol: u32,
    /// The rules; in the first request of a game alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<Described<'a>>,
    players: u8,
    player: u8,
    legal: &'a [String],
    past: Vec<Perceived<'a>>,
    /// Labels of all plies so far; only in games of full information.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<f64>,
    seed: u64,
}

#[derive(Serialize)]
struct Described<'a> {
    language: &'static str,
    name: &'a str,
    text: &'a str,
    options: &'a [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<String, String>,
    /// Labels of the plies that were played before the game began.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    start: &'a [String],
}

#[derive(Serialize)]
struct Perceived<'a> {
    own: Option<&'a str>,
    percepts: &'a [String],
}

/// The answer of a program. Other members are left alone.
#[derive(Deserialize)]
struct Chosen {
    #[serde(rename = "move")]
    label: String,
    #[serde(default)]
    simulations: u64,
    #[serde(default)]
    values: BTreeMap<String, f64>,
    #[serde(default)]
    visits: BTreeMap<String, u64>,
}

impl ProcessAgent {
    /// The agent of a command.
    pub fn new(command: Vec<String>, rules: Rules, bounds: Bounds) -> ProcessAgent {
        let name = format!("program:{}", command.join(" "));
        ProcessAgent { name, command, rules, bounds, process: None }
    }

    fn ask(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Chosen, String> {
        let ProcessAgent { command, rules, bounds, process, .. } = self;
        let first = process.is_none();
        let process = match process {
            Some(process) => process,
            None => {
                let started = start_limited(command, bounds);
                process.insert(started.map_err(|error| format!("it cannot be started: {error}"))?)
            }
        };
        let (iterations, milliseconds, patience) = match budget {
            Budget::Iterations(n) => (Some(n), None, bounds.patience),
            Budget::Time(time) => {
                (None, Some(time.as_secs_f64() * 1e3), bounds.patience.min(time * 2 + GRACE))
            }
        };
        let request = Choose {
            cmd: "choose",
            protocol: VERSION,
            game: first.then(|| Described {
                language: rules.language.name(),
                name: rules.source.name(),
                text: rules.source.text(),
                options: &rules.options,
                parts: parts_of(rules),
                start: &rules.start,
            }),
            players: obs.game.facts().players,
            player: obs.player.0,
            legal: obs.legal,
            past: obs
                .past
                .iter()
                .map(|ply| Perceived { own: ply.own.as_deref(), percepts: &ply.percepts })
                .collect(),
            moves: (!obs.game.facts().hidden).then_some(obs.moves),
            iterations,
            milliseconds,
            seed: obs.seed,
        };
        let mut line = serde_json::to_string(&request).map_err(|error| error.to_string())?;
        line.push('\n');
        let answer = match process.exchange(line.as_bytes(), patience) {
            Ok(answer) => answer,
            Err(NoAnswer::Timeout { elapsed, .. }) => {
                return Err(format!("no answer in {elapsed:.1?}, where it has {patience:.1?}"));
            }
            Err(NoAnswer::Ended) => {
                let (status, complaints) = process.last_words();
                let last = complaints.lines().rev().find(|line| !line.trim().is_empty());
                let last: String = last.unwrap_or_default().chars().take(400).collect();
                let colon = if last.is_empty() { "" } else { ": " };
                return Err(format!("the program ended ({status}){colon}{last}"));
            }
            Err(NoAnswer::Unasked(line)) => {
                return Err(format!("it wrote {line:?} before it was asked"));
            }
            Err(NoAnswer::TooLong) => return Err("its answer has no end".to_owned()),
            Err(NoAnswer::Broken(error)) => return Err(format!("cannot speak to it: {error}")),
        };
        match serde_json::from_str::<Reply<Chosen>>(&answer) {
            Ok(Reply::Ok(chosen)) => Ok(chosen),
            Ok(Reply::Error(refusal)) => Err(format!("{}: {}", refusal.kind, refusal.message)),
            Err(error) => {
                let start: String = answer.trim_end().chars().take(120).collect();
                Err(format!("it answered {start:?}: {error}"))
            }
        }
    }
}

impl Agent for ProcessAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let chosen = match self.ask(obs, budget) {
            Ok(chosen) => chosen,
            Err(reason) => {
                if let Some(mut process) = self.process.take() {
                    process.kill();
                }
                return Err(Fault(reason));
            }
        };
        let number = |label: &str| obs.legal.iter().position(|legal| legal == label);
        let Some(action) = number(&chosen.label) else {
            let label: String = chosen.label.chars().take(60).collect();
            return Err(Fault(format!(
                "{label:?} is none of the {} legal actions",
                obs.legal.len()
            )));
        };
        let values = chosen
            .values
            .iter()
            .filter(|(_, value)| value.is_finite())
            .filter_map(|(label, &value)| {
                let visits = chosen.visits.get(label).copied().unwrap_or(0);
                Some(Estimate { action: number(label)?, value, visits })
            })
            .collect();
        Ok(Choice { action, simulations: chosen.simulations, values })
    }
}

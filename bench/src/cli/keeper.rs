//! The engine that keeps the rules of a game that is played in this process.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use clap::Args;
use play::{EngineId, Game, Limits, Rules};

use super::select::{self, Usage, bounds};
use crate::entry::Entry;
use crate::seat::{AgentName, EngineGames, Setting, check_name};
use crate::strategies;

/// A game with the engine that keeps its rules.
pub(super) struct Kept {
    pub(super) game: Box<dyn Game>,
    pub(super) engine: EngineId,
    pub(super) rules: Rules,
}

/// Compiles a game on an engine, or else on the first that reads it in the order of the tables,
/// from quick to slow.
pub(super) fn keep(entry: &Entry, wanted: Option<&str>) -> Result<Kept> {
    if let Some(wanted) = wanted {
        select::own_engine(wanted)?;
    }
    let mut reasons = Vec::new();
    for engine in roster::engines() {
        if wanted.is_some_and(|w| w != engine.id()) {
            continue;
        }
        for rules in &entry.descriptions {
            if !engine.languages().contains(&rules.language) {
                continue;
            }
            match engine.load(rules, &Limits::default()) {
                Ok(compiled) => {
                    strategies::log(engine.id(), rules, &strategies::of(&*compiled.game));
                    let (game, engine, rules) = (compiled.game, engine.id(), rules.clone());
                    return Ok(Kept { game, engine, rules });
                }
                Err(error) => {
                    let shown = error.diagnostics().iter().map(|d| d.render(&rules.source));
                    let shown: Vec<String> = shown.collect();
                    let text = if shown.is_empty() {
                        error.one_line(&rules.source)
                    } else {
                        shown.join("\n\n")
                    };
                    reasons.push(format!("{}: {}\n{text}", engine.id(), error.kind()));
                }
            }
        }
    }
    if reasons.is_empty() {
        let engine = wanted.map_or_else(|| "no engine".to_owned(), |w| format!("the engine `{w}`"));
        return Err(Usage(format!("{engine} does not read {}", entry.id)).into());
    }
    Err(anyhow!("{}", reasons.join("\n\n")))
}

/// The budget of agents, and the limits of those that are programs.
#[derive(Args, Clone, Debug)]
pub(super) struct AgentLimits {
    /// Simulations that an agent may spend on a ply
    #[arg(long, default_value_t = 1000, conflicts_with = "time",
          value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Instead: CPU time that an agent may spend on a ply, such as 50ms or 1s; results then depend
    /// on the machine
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<std::time::Duration>,
    /// Memory limit of each agent that is a program in GiB; 0 for none
    #[arg(long, default_value_t = 8.0, value_name = "GIB")]
    memory: f64,
    /// Seconds of CPU time that an agent that is a program may take for an answer; by the clock,
    /// where others have the cores, twenty times as many
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    patience: f64,
}

impl AgentLimits {
    pub(super) fn budget(&self) -> agents::Budget {
        match self.time {
            Some(time) => agents::Budget::Time(time),
            None => agents::Budget::Iterations(self.iterations),
        }
    }

    /// The setting of these agents at a game whose rules an engine keeps.
    pub(super) fn setting(
        &self,
        agents: &[AgentName],
        entry: &Entry,
        kept: &Kept,
        cap: u32,
    ) -> Result<Setting> {
        let bounds = bounds(self.memory, "--patience", self.patience)?;
        let (rules, games) = (kept.rules.clone(), own_games(agents, entry, kept)?);
        Ok(Setting { rules, bounds, budget: self.budget(), cap, games })
    }
}

/// The game on each engine that an agent names, but for the one that keeps the rules.
fn own_games(agents: &[AgentName], entry: &Entry, kept: &Kept) -> Result<EngineGames> {
    let facts = kept.game.facts();
    let mut games = BTreeMap::new();
    for engine in agents.iter().filter_map(|agent| agent.engine.as_deref()) {
        if engine == kept.engine || games.contains_key(engine) {
            continue;
        }
        if facts.chance && !facts.hidden {
            let message = format!(
                "in {} chance decides, which each engine counts in its own order: agents think on \
                 the engine that keeps the rules there (`--engine {engine}`)",
                entry.title
            );
            return Err(Usage(message).into());
        }
        games.insert(engine.to_owned(), keep(entry, Some(engine))?.game);
    }
    Ok(EngineGames::new(games))
}

/// A time such as `50ms`, `1.5s` or `2m`.
fn duration(text: &str) -> Result<std::time::Duration, String> {
    let wrong = || "expected a time such as 50ms, 1s or 2m".to_owned();
    let at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let number: f64 = text[..at].parse().map_err(|_| wrong())?;
    let unit = match &text[at..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err(wrong()),
    };
    let seconds = number * unit;
    if !(1e-6..=86400.0).contains(&seconds) {
        return Err("expected a time from 1us to a day".to_owned());
    }
    Ok(std::time::Duration::from_secs_f64(seconds))
}

/// The agents of these names. Names that no agent or engine has are refused.
pub(super) fn check_agents(names: &[String]) -> Result<Vec<AgentName>> {
    let check = |name: &String| {
        let agent = check_name(name).map_err(|reason| {
            let program = crate::seat::PROGRAM;
            Usage(format!("{reason}; `{program}COMMAND` is a program of yours"))
        })?;
        if let Some(engine) = &agent.engine {
            select::own_engine(engine)?;
        }
        Ok(agent)
    };
    names.iter().map(check).collect()
}

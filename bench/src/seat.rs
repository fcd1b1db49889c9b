//! Agents in the seats of a game: made by name, timed, and held to faults of their own.

mod name;
mod own_engine;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use agents::{Agent, Budget, Choice, Fault, Observation, play_out};
use play::{Game, Rules};

use crate::client::Bounds;
use crate::outside::ProcessAgent;
use crate::trial::Trial;

pub use name::AgentName;
pub use own_engine::EngineGames;
use own_engine::OnOwnEngine;

/// The prefix of the name of an agent that is a program of the user's.
pub const PROGRAM: &str = "program:";

/// The setting that agents of one game are made with.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The rules, for programs.
    pub rules: Rules,
    /// Limits of programs.
    pub bounds: Bounds,
    /// The budget of an agent for a ply.
    pub budget: Budget,
    /// Plies after which a game is given up.
    pub cap: u32,
    /// The game on the engines that agents name, unless that is the one which keeps the rules.
    pub games: EngineGames,
}

/// The parts of a name, if there is such an agent; if not, the reason.
pub fn check_name(name: &str) -> Result<AgentName, String> {
    let name = AgentName::parse(name)?;
    match name.agent.strip_prefix(PROGRAM) {
        Some(command) => drop(words(command)?),
        None => drop(agents::by_name(&name.agent)?),
    }
    Ok(name)
}

/// The agent of that name, new: one of ours, or `program:` and a command.
pub fn agent(name: &str, setting: &Setting) -> Result<Box<dyn Agent>, String> {
    let AgentName { agent, engine, .. } = AgentName::parse(name)?;
    if let Some(command) = agent.strip_prefix(PROGRAM) {
        let (rules, bounds) = (setting.rules.clone(), setting.bounds);
        return Ok(Box::new(ProcessAgent::new(words(command)?, rules, bounds)));
    }
    let agent = agents::by_name(&agent)?;
    Ok(match engine.filter(|engine| setting.games.has(engine)) {
        Some(engine) => Box::new(OnOwnEngine::new(agent, &engine, &setting.games)),
        None => agent,
    })
}

fn words(command: &str) -> Result<Vec<String>, String> {
    match shlex::split(command) {
        Some(words) if !words.is_empty() => Ok(words),
        _ => Err(format!(
            "`{PROGRAM}{command}` has no command; write {PROGRAM} and a command as a shell takes it"
        )),
    }
}

/// An agent that is timed. Its panic is a fault of its own and ends its game, never the match.
struct Seat {
    agent: Box<dyn Agent>,
    spent_ns: Arc<AtomicU64>,
}

impl Agent for Seat {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let start = Instant::now();
        let chosen = guarded(&mut *self.agent, obs, budget);
        self.spent_ns.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        chosen
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.agent.counts()
    }
}

/// Lets an agent choose; a panic is its fault.
pub fn guarded(
    agent: &mut dyn Agent,
    obs: &Observation<'_>,
    budget: Budget,
) -> Result<Choice, Fault> {
    let chosen = catch_unwind(AssertUnwindSafe(|| agent.choose(obs, budget)));
    chosen.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(Fault(format!("it panicked: {said}")))
    })
}

/// Plays one game, with agents that are new; `names` has one a role.
pub fn play_trial(
    game: &dyn Game,
    setting: &Setting,
    names: &[String],
    number: u64,
    seed: u64,
) -> Result<Trial, String> {
    let mut spent = Vec::new();
    let mut seats: Vec<Box<dyn Agent>> = Vec::new();
    for name in names {
        let agent = agent(name, setting)?;
        let spent_ns = Arc::new(AtomicU64::new(0));
        spent.push(Arc::clone(&spent_ns));
        seats.push(Box::new(Seat { agent, spent_ns }));
    }
    let played = play_out(game, &mut seats, setting.budget, seed, setting.cap);
    let mut trial = Trial::of(number, seed, names.to_vec(), setting.budget, setting.cap, played);
    if trial.plies.iter().any(|ply| ply.simulations > 0) {
        trial.search_ns = spent.iter().map(|ns| ns.load(Ordering::Relaxed)).collect();
    }
    let counts = seats.iter().map(|seat| {
        let counts = seat.counts().into_iter().filter(|&(_, count)| count > 0);
        counts.map(|(what, count)| (what.to_owned(), count)).collect()
    });
    trial.counts = counts.collect();
    if trial.counts.iter().all(BTreeMap::is_empty) {
        trial.counts.clear();
    }
    Ok(trial)
}

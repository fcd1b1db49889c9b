//! `play`: people and agents, at the terminal or on a page.

mod answer;
mod pace;
mod record;
mod search;
mod session;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod web;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use super::Outcome;
use super::keeper::{AgentLimits, check_agents, keep};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Usage, entry_of};
use crate::trial::{End, Header};

use pace::Pace;
use table::{PERSON, Setup, Table};

#[derive(Args, Clone, Debug)]
pub(super) struct PlayArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// Which player you are, `all` of them or `none`; agents play the others
    #[arg(long, default_value = "1")]
    you: String,
    /// The agent that plays the others, such as `uct:c=0.7`, or `program:COMMAND`
    #[arg(long, default_value = "random", value_name = "AGENT")]
    against: String,
    /// The agent that gives hints [default: `uct`, or where something is hidden `hyperplay`]
    #[arg(long, value_name = "AGENT")]
    hints: Option<String>,
    #[command(flatten)]
    thinking: AgentLimits,
    /// Play on a page, in a browser on this machine
    #[arg(long)]
    web: bool,
    /// Least seconds for a ply where only agents play, or `step`: then each waits for the return key
    /// [default: 0, and 0.4 with --web]
    #[arg(long, value_name = "SECONDS")]
    pace: Option<Pace>,
    /// Show the position and all moves of games in which players do not see everything
    #[arg(long)]
    show: bool,
    /// File for the games that were played, as trials: see bench/trials.md
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Engine that keeps the rules [default: the first that reads the game]
    #[arg(long)]
    engine: Option<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Seed of chance and of the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies after which the game is given up
    #[arg(long, default_value_t = DEFAULT_CAP)]
    cap: u32,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
}

pub(super) fn play(args: &PlayArgs) -> Result<Outcome> {
    let named: Vec<String> = args.hints.iter().chain([&args.against]).cloned().collect();
    let named = check_agents(&named)?;
    let entry = args.at.of(entry_of(&args.game, &args.place, &args.options, args.cap)?)?;
    // Games coded by hand have the plainest drawings, and labels in the words of the rules.
    let kept = keep(&entry, args.engine.as_deref())?;
    let facts = kept.game.facts();
    let names = names(args, facts.players, &entry.title)?;
    let header = Header::new(&args.game, &kept.rules, kept.engine, facts, args.cap)
        .at(entry.position.as_deref());
    let setting = args.thinking.setting(&named, &entry, &kept, args.cap)?;
    let hints = if facts.hidden { "hyperplay" } else { "uct" };
    let setup = Setup {
        title: entry.title.clone(),
        in_words: entry.in_words.clone(),
        game: Arc::from(kept.game),
        setting,
        hints: args.hints.clone().unwrap_or_else(|| hints.to_owned()),
        show: args.show,
        pace: pace(args),
        seed: args.seed,
    };
    let mut table = Table::new(setup, &names, header, args.record.as_deref())?;
    outln!("{}\n", entry.title)?;
    if args.web {
        return web::serve(table);
    }
    let played = terminal::play_on(&mut table);
    // Whatever happened, what was played is kept.
    let place = table.leave()?;
    played?;
    if let Some(place) = place {
        outln!("{place}")?;
    }
    let failed = matches!(table.end(), Some(End::Fault | End::Stuck));
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// The pace of agents where a person only watches. A page that begins with a pause goes on at its own.
fn pace(args: &PlayArgs) -> Pace {
    let usual = if args.web { web::PACE } else { Pace::default() };
    let mut pace = args.pace.unwrap_or(usual);
    if pace.paused {
        pace.least = usual.least;
    }
    pace
}

/// The one who plays each role: a person or an agent.
fn names(args: &PlayArgs, players: u8, title: &str) -> Result<Vec<String>> {
    let person = match args.you.as_str() {
        "all" => 0..players,
        "none" => 0..0,
        number => match number.parse::<u8>() {
            Ok(n) if n > players => {
                return Err(Usage(format!("{title} has {players} players")).into());
            }
            Ok(n) if n > 0 => n - 1..n,
            _ => {
                let what = "--you takes a player's number, `all` or `none`";
                return Err(Usage(what.to_owned()).into());
            }
        },
    };
    let name = |player| if person.contains(&player) { PERSON } else { &args.against };
    Ok((0..players).map(|player| name(player).to_owned()).collect())
}

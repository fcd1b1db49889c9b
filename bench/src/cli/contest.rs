//! `match`: agents against each other.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use reports::chart::{RatedAgent, ratings_picture};

use super::Outcome;
use super::keeper::{AgentLimits, check_agents, keep};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Usage, entry_of};
use crate::contest::{
    self, Mean, Pairs, Rating, Standing, Teams, TrialFolder, rate, schedule, standings,
};
use crate::entry::Entry;
use crate::output;
use crate::seat::AgentName;
use crate::trial::{Header, Trial};
use crate::ui::Ui;

#[derive(Args, Clone, Debug)]
pub(super) struct MatchArgs {
    /// Agents, such as `random`, `uct:c=0.7`, `uct@rbg` for one that thinks on the engine `rbg`,
    /// `fast=uct@bitboard:c=0.7` with a name of its own, or `program:COMMAND` for a program of
    /// yours
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,
    /// Games of the catalogue by id, or rule files
    #[arg(long = "game", num_args = 1.., default_value = "tic-tac-toe-3x3", value_name = "GAME")]
    titles: Vec<String>,
    /// Instead: a named list of games, see `ggpbench list`
    #[arg(long, conflicts_with = "titles")]
    suite: Option<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Games of each pair of agents at each game; two in a row have exchanged seats and the same
    /// seed
    #[arg(long = "games", default_value_t = 100, value_name = "NUMBER", value_parser = number)]
    count: u64,
    #[command(flatten)]
    thinking: AgentLimits,
    /// A program of yours as one more agent: the same as the agent `program:COMMAND`
    #[arg(long, value_name = "COMMAND")]
    agent_program: Vec<String>,
    /// Players who have one result together, and so one agent: `1+3,2+4` [default: those that the
    /// game's manifest names, else all play for themselves]
    #[arg(long, value_delimiter = ',', value_name = "PLAYERS", value_parser = team)]
    teams: Vec<Vec<u8>>,
    /// Engine that keeps the rules [default: the quickest that reads the game]
    #[arg(long)]
    engine: Option<String>,
    /// Games played at the same time [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Seed of chance and of the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies after which a game is given up [default: the game's own]
    #[arg(long)]
    cap: Option<u32>,
    /// Folder for the trials, and for a chart of ratings over speeds; the same command goes on after
    /// a stop
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    at: At,
    /// Games of your own besides the built-in ones: a folder of game folders
    #[arg(long, value_name = "DIR")]
    catalogue: Option<PathBuf>,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

/// The number of games. `--games` is a folder elsewhere.
fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        "it is no number of games; a folder of games is `--catalogue DIR` here".to_owned()
    })
}

/// A team: numbers of players, from 1.
fn team(text: &str) -> Result<Vec<u8>, String> {
    let player = |number: &str| match number.trim().parse::<u8>() {
        Ok(number @ 1..) => Ok(number - 1),
        _ => Err(format!("`{number}` is no player; a team is written `1+3`")),
    };
    text.split('+').map(player).collect()
}

/// An error where a team names a player that a game does not have, or one that is in another team.
fn check_teams(teams: &[Vec<u8>], players: u8, title: &str) -> Result<()> {
    let mut seen = Vec::new();
    for &player in teams.iter().flatten() {
        let number = player + 1;
        if player >= players {
            let message = format!("--teams names player {number}; {title} has {players}");
            return Err(Usage(message).into());
        }
        if seen.contains(&player) {
            return Err(Usage(format!("--teams has player {number} twice")).into());
        }
        seen.push(player);
    }
    Ok(())
}

/// The results of a contest at one game.
struct AtGame {
    entry: Entry,
    engine: &'static str,
    standings: Vec<Standing>,
    pairs: Pairs,
}

pub(super) fn contest(args: &MatchArgs) -> Result<Outcome> {
    let programs = args.agent_program.iter().map(|c| format!("{}{c}", crate::seat::PROGRAM));
    let names: Vec<String> = args.agents.iter().cloned().chain(programs).collect();
    let agents = check_agents(&names)?;
    let is_there = |shown: &String, of: &[AgentName]| of.iter().any(|agent| agent.shown == *shown);
    if let Some(twice) = (1..agents.len()).find(|&i| is_there(&agents[i].shown, &agents[..i])) {
        let message = format!(
            "the agent {} is named twice; each plays all others, and one more of its kind has a \
             name of its own: `second={}`",
            agents[twice].shown, names[twice]
        );
        return Err(Usage(message).into());
    }
    let place = CatalogueArgs { catalogue: args.catalogue.clone(), ..CatalogueArgs::default() };
    let entries: Vec<(String, Entry)> = match &args.suite {
        Some(suite) => {
            let entries = place.entries(&[], Some(suite))?;
            entries.into_iter().map(|entry| (entry.id.clone(), entry)).collect()
        }
        None => args
            .titles
            .iter()
            .map(|title| {
                let cap = args.cap.unwrap_or(DEFAULT_CAP);
                Ok((title.clone(), entry_of(title, &place, &args.options, cap)?))
            })
            .collect::<Result<_>>()?,
    };
    let (titles, entries): (Vec<String>, Vec<Entry>) = entries.into_iter().unzip();
    let mut results = Vec::new();
    for (title, entry) in titles.into_iter().zip(args.at.of_one(entries)?) {
        results.push(one_game(args, &names, &agents, &title, entry)?);
    }
    let mut pairs = Pairs::new(names.len());
    for result in &results {
        pairs.join(&result.pairs);
    }
    let met = (0..names.len()).any(|i| (0..i).any(|j| pairs.games(i, j) > 0.0));
    let ratings = if met { rate(&pairs) } else { Vec::new() };
    if let Some(folder) = &args.out {
        draw_ratings(folder, &agents, &results, &ratings)?;
    }
    let names: Vec<String> = agents.into_iter().map(|agent| agent.shown).collect();
    if args.csv {
        print_csv(&names, &results, &ratings)?;
    } else {
        for result in &results {
            print_game(&names, result)?;
        }
        if !ratings.is_empty() {
            print_ratings(&names, &pairs, &ratings, &speeds(names.len(), &results))?;
        }
    }
    let faults = results.iter().flat_map(|r| &r.standings).any(|s| s.faults > 0);
    Ok(if faults { Outcome::Failed } else { Outcome::Fine })
}

/// Plays what is left of one game, and adds it up.
fn one_game(
    args: &MatchArgs,
    names: &[String],
    agents: &[AgentName],
    title: &str,
    entry: Entry,
) -> Result<AtGame> {
    let cap = args.cap.unwrap_or(entry.cap);
    let kept = keep(&entry, args.engine.as_deref())?;
    let facts = kept.game.facts();
    let teams = if args.teams.is_empty() { &entry.teams } else { &args.teams };
    check_teams(teams, facts.players, &entry.title)?;
    let teams = Teams::new(facts.players, teams);
    if names.len() == 1 && teams.count() > 1 {
        let message = format!("{} is not for one; name two agents or more", entry.title);
        return Err(Usage(message).into());
    }
    let setting = args.thinking.setting(agents, &entry, &kept, cap)?;
    let fixtures = schedule(&teams, names.len(), args.count, args.seed);
    let header =
        Header::new(title, &kept.rules, kept.engine, facts, cap).at(entry.position.as_deref());
    let path = match &args.out {
        Some(folder) => {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            Some(folder.join(format!("{}.jsonl", entry.id)))
        }
        None => None,
    };
    let mut shelf = match &path {
        Some(path) => TrialFolder::open(path, &header, &setting)?,
        None => TrialFolder::default(),
    };
    let ui = Ui::new(&entry.id, fixtures.len() as u64, args.quiet);
    if !shelf.is_empty() {
        ui.line(&format!("{} trials were there", shelf.len()));
    }
    let progress = |trial: &Trial| ui.step(1, &trial.agents.join(" – "));
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| jobs as usize,
    );
    let game = &*kept.game;
    let trials = contest::play(game, &setting, names, &fixtures, &mut shelf, jobs, &progress);
    ui.finish();
    let trials = trials?;
    if let Some(path) = &path {
        shelf.finish(path, &header, &trials)?;
    }
    tell_faults(&entry.id, &trials);
    let (standings, pairs) = standings(names, &trials);
    Ok(AtGame { entry, engine: kept.engine, standings, pairs })
}

/// Says the first of all faults with the same agent and reason, and how many there were.
fn tell_faults(game: &str, trials: &[Trial]) {
    let mut told: Vec<(&str, &str, &Trial, u64)> = Vec::new();
    for trial in trials {
        let Some(fault) = &trial.fault else { continue };
        let agent = trial.agents[usize::from(fault.player)].as_str();
        match told.iter_mut().find(|(a, reason, ..)| *a == agent && *reason == fault.reason) {
            Some((.., count)) => *count += 1,
            None => told.push((agent, &fault.reason, trial, 1)),
        }
    }
    for (agent, reason, trial, count) in told {
        let more = if count == 1 { String::new() } else { format!(" ({count} games)") };
        let ply = trial.plies.len() + 1;
        errln!("{game}: trial {}, ply {ply}: fault of {agent}: {reason}{more}", trial.trial);
    }
}

fn print_game(names: &[String], result: &AtGame) -> Result<()> {
    outln!("{} on {}", result.entry.title, result.engine)?;
    let mut table = Table::new();
    let header = [
        "agent",
        "games",
        "payoff (95 %)",
        "won–drawn–lost",
        "faults",
        "given up",
        "simulations/s",
        "plies",
    ];
    table.load_style(NOTHING).set_header(header);
    for (name, s) in names.iter().zip(&result.standings) {
        table.add_row([
            name.clone(),
            s.games.to_string(),
            mean_payoff(s),
            format!("{}–{}–{}", s.wins, s.draws, s.losses),
            s.faults.to_string(),
            s.unfinished.to_string(),
            shown_speed(speed(s.simulations, s.search_ns)),
            format!("{:.1}", s.plies as f64 / s.games.max(1) as f64),
        ]);
    }
    outln!("{table}")?;
    for (name, standing) in names.iter().zip(&result.standings) {
        if !standing.counts.is_empty() {
            outln!("{name}: {}", counted(standing))?;
        }
    }
    outln!()?;
    Ok(())
}

/// The counts of an agent: `12 plies with all states; 3 plies with no state`.
fn counted(standing: &Standing) -> String {
    let all = standing.counts.iter().map(|(what, count)| format!("{count} {what}"));
    all.collect::<Vec<_>>().join("; ")
}

/// The mean payoff of an agent with its interval.
fn mean_payoff(standing: &Standing) -> String {
    let Some(Mean { mean, interval }) = Mean::of(&standing.payoffs, standing.range) else {
        return "–".to_owned();
    };
    // Of games that were given up, and of those that the other lost by a fault, there is none.
    let known = standing.payoffs.len();
    let of = if known as u64 == standing.games { String::new() } else { format!(" of {known}") };
    match interval {
        Some((low, high)) => format!("{mean:.2} ({low:.1} to {high:.1}){of}"),
        None => format!("{mean:.2}{of}"),
    }
}

/// Simulations per second of choosing, where there were any.
fn speed(simulations: u64, search_ns: u64) -> Option<f64> {
    (simulations > 0 && search_ns > 0).then(|| simulations as f64 * 1e9 / search_ns as f64)
}

fn shown_speed(speed: Option<f64>) -> String {
    speed.map_or_else(|| "–".to_owned(), |speed| format!("{speed:.0}"))
}

/// The simulations per second of each agent over all games, where it made any: all of them over
/// the time in which it chose.
fn speeds(agents: usize, results: &[AtGame]) -> Vec<Option<f64>> {
    let of = |agent: usize| {
        let sum =
            |count: fn(&Standing) -> u64| results.iter().map(|r| count(&r.standings[agent])).sum();
        speed(sum(|s| s.simulations), sum(|s| s.search_ns))
    };
    (0..agents).map(of).collect()
}

/// Draws ratings over speeds into a folder, if there are both.
fn draw_ratings(
    folder: &Path,
    agents: &[AgentName],
    results: &[AtGame],
    ratings: &[Rating],
) -> Result<()> {
    let keepers = |agent: &AgentName| match &agent.engine {
        Some(engine) => engine.clone(),
        // It thinks on the engine that keeps the rules, which may be another at each game.
        None => match results {
            [first, rest @ ..] if rest.iter().all(|result| result.engine == first.engine) => {
                first.engine.to_owned()
            }
            _ => "the game's engine".to_owned(),
        },
    };
    let speeds = speeds(agents.len(), results);
    let rated: Vec<RatedAgent> = (agents.iter().zip(ratings).zip(speeds))
        .filter_map(|((agent, rating), speed)| {
            Some(RatedAgent {
                name: agent.shown.clone(),
                engine: keepers(agent),
                per_second: speed?,
                points: rating.points,
                half_width: Some(rating.half_width).filter(|half| half.is_finite()),
            })
        })
        .collect();
    let Some(picture) = ratings_picture(&rated)? else { return Ok(()) };
    for (ending, bytes) in [("svg", picture.svg.as_bytes()), ("png", &picture.png)] {
        let path = folder.join(format!("{}.{ending}", picture.name));
        reports::replace(&path, |out| out.write_all(bytes))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Ratings beside speeds, and the cross table, the strongest first.
fn print_ratings(
    names: &[String],
    pairs: &Pairs,
    ratings: &[Rating],
    speeds: &[Option<f64>],
) -> Result<()> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&i, &j| ratings[j].points.total_cmp(&ratings[i].points));
    outln!(
        "Ratings over all games, and points of each agent (rows) against the others, in per cent"
    )?;
    let mut table = Table::new();
    let numbers = (1..=names.len()).map(|number| number.to_string());
    let header = ["", "agent", "Elo (95 %)", "simulations/s"].map(str::to_owned);
    let header = header.into_iter().chain(numbers);
    table.load_style(NOTHING).set_header(header);
    for (number, &i) in (1..).zip(&order) {
        let Rating { points, half_width } = ratings[i];
        let mut row = vec![
            number.to_string(),
            names[i].clone(),
            if half_width.is_finite() {
                format!("{points:+.0} ± {half_width:.0}")
            } else {
                format!("{points:+.0}")
            },
            shown_speed(speeds[i]),
        ];
        row.extend(order.iter().map(|&j| {
            if i == j || pairs.games(i, j) == 0.0 {
                "–".to_owned()
            } else {
                format!("{:.0}", 100.0 * pairs.points(i, j) / pairs.games(i, j))
            }
        }));
        table.add_row(row);
    }
    outln!("{table}")?;
    Ok(())
}

/// A row for each agent at each game, then one for each agent with its rating.
fn print_csv(names: &[String], results: &[AtGame], ratings: &[Rating]) -> Result<()> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record([
        "game",
        "engine",
        "agent",
        "games",
        "payoff",
        "payoff_low",
        "payoff_high",
        "wins",
        "draws",
        "losses",
        "faults",
        "given_up",
        "simulations",
        "simulations_per_s",
        "plies",
        "elo",
        "elo_half_width",
        "counts",
    ])?;
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    for result in results {
        for (name, s) in names.iter().zip(&result.standings) {
            let mean = Mean::of(&s.payoffs, s.range);
            let interval = mean.and_then(|mean| mean.interval);
            out.write_record([
                result.entry.id.clone(),
                result.engine.to_owned(),
                name.clone(),
                s.games.to_string(),
                number(mean.map(|m| m.mean)),
                number(interval.map(|(low, _)| low)),
                number(interval.map(|(_, high)| high)),
                s.wins.to_string(),
                s.draws.to_string(),
                s.losses.to_string(),
                s.faults.to_string(),
                s.unfinished.to_string(),
                s.simulations.to_string(),
                number(speed(s.simulations, s.search_ns).map(f64::round)),
                number(Some(s.plies as f64 / s.games.max(1) as f64)),
                String::new(),
                String::new(),
                counted(s),
            ])?;
        }
    }
    let speeds = speeds(names.len(), results);
    for ((name, rating), speed) in names.iter().zip(ratings).zip(speeds) {
        let mut row = vec![String::new(); 18];
        row[2].clone_from(name);
        row[13] = number(speed.map(f64::round));
        row[15] = rating.points.to_string();
        row[16] = number(Some(rating.half_width).filter(|h| h.is_finite()));
        out.write_record(row)?;
    }
    let bytes = out.into_inner().context("cannot write CSV")?;
    outln!("{}", String::from_utf8_lossy(&bytes).trim_end())?;
    Ok(output::flush()?)
}

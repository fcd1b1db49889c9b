//! `list`: games, engines, suites, families; or what a rule file lets its reader choose.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agents::AgentKind;
use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json};
use super::select::{self, CatalogueArgs, Usage};
use crate::engine_set::EngineSet;
use crate::entry::read_rules;
use crate::output;
use crate::suite;

#[derive(Args, Clone, Debug)]
pub(super) struct ListArgs {
    #[command(flatten)]
    place: CatalogueArgs,
    /// A rule file, with --options
    #[arg(requires = "choices")]
    file: Option<PathBuf>,
    /// List what a rule file lets its reader choose: options and rulesets
    #[arg(long = "options", requires = "file")]
    choices: bool,
    /// An option to choose, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION", requires = "file")]
    options: Vec<String>,
    /// List the agents that play games, with their parameters
    #[arg(long, conflicts_with_all = ["file", "choices", "options"])]
    agents: bool,
    #[command(flatten)]
    json: Json,
}

/// A choice that a rule file leaves.
#[derive(Serialize)]
struct OptionRecord {
    name: String,
    about: String,
    /// True if it holds with the options given.
    holds: bool,
}

#[derive(Serialize)]
struct AgentRecord<'a> {
    agent: &'a str,
    about: &'a str,
}

#[derive(Serialize)]
struct ParameterRecord<'a> {
    agent: &'a str,
    parameter: &'a str,
    default: String,
    values: String,
}

#[derive(Serialize)]
struct GameRecord<'a> {
    game: &'a str,
    title: &'a str,
    players: u8,
    /// Plies after which a playout is given up.
    cap: u32,
    languages: Vec<&'static str>,
    /// Rows of published tables that it stands for.
    paper: Vec<String>,
}

#[derive(Serialize)]
struct EngineRecord<'a> {
    engine: &'a str,
    languages: &'a [String],
    /// Program and arguments of an external one, else nothing.
    program: &'a [String],
}

#[derive(Serialize)]
struct SuiteRecord<'a> {
    suite: &'a str,
    about: &'a str,
    games: Vec<&'a str>,
}

#[derive(Serialize)]
struct FamilyRecord<'a> {
    family: &'a str,
    title: &'a str,
    sizes: &'a [u32],
    /// The unit of the size.
    unit: &'a str,
    /// The values that parameters besides the size may have, the usual one first.
    parameters: BTreeMap<&'a str, &'a [u32]>,
}

pub(super) fn list(args: &ListArgs) -> Result<Outcome> {
    if args.agents {
        return list_agents(args.json);
    }
    match &args.file {
        Some(file) if args.choices => {
            select::there(file)?;
            list_choices(&read_rules(file, &args.options)?, args.json)
        }
        _ => list_catalogue(&args.place, args.json),
    }
}

/// The choices of a description, those that hold marked.
fn list_choices(rules: &play::Rules, Json { json }: Json) -> Result<Outcome> {
    let Some(choices) = roster::choices(rules) else {
        anyhow::bail!("a .{} file has no options", rules.language);
    };
    if json {
        for choice in choices {
            let (name, about, holds) = (choice.name, choice.about, choice.holds);
            json::record("option", OptionRecord { name, about, holds })?;
        }
        return Ok(Outcome::Fine);
    }
    if choices.is_empty() {
        outln!("{}: no options", rules.source.name())?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["", "--option", "about"]);
    for choice in choices {
        let mark = if choice.holds { "*" } else { "" };
        table.add_row([mark.to_owned(), choice.name, choice.about]);
    }
    output::table(&mut table)?;
    Ok(Outcome::Fine)
}

/// The agents, then what can be set of each.
fn list_agents(Json { json }: Json) -> Result<Outcome> {
    if json {
        for &AgentKind { name: agent, about, .. } in agents::AGENTS {
            json::record("agent", AgentRecord { agent, about })?;
            for agents::Parameter { key, default, values } in
                agents::parameters(agent).map_err(Usage)?
            {
                let parameter = ParameterRecord { agent, parameter: key, default, values };
                json::record("parameter", parameter)?;
            }
        }
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["agent", "what it does"]);
    for &AgentKind { name, about, .. } in agents::AGENTS {
        table.add_row([name, about]);
    }
    table.add_row(["program:COMMAND", "a program of yours, see bench/agents.md"]);
    output::table(&mut table)?;
    outln!()?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["agent", "parameter", "default", "values"]);
    for &AgentKind { name, .. } in agents::AGENTS {
        for parameter in agents::parameters(name).map_err(Usage)? {
            let agents::Parameter { key, default, values } = parameter;
            table.add_row([name.to_owned(), key.to_owned(), default, values]);
        }
    }
    output::table(&mut table)?;
    outln!()?;
    outln!("Parameters follow the name: hyperplay:samples=100,search=uct")?;
    Ok(Outcome::Fine)
}

/// Our engines and external programs. Nothing is run here, so a faulty file of external engines is
/// no reason to list nothing.
fn all_engines() -> Result<EngineSet> {
    EngineSet::new(None, &[], None).or_else(|error| {
        errln!("note: {}", output::chain(&error));
        EngineSet::own(&[])
    })
}

fn list_as_records(catalogue: &games::Catalogue) -> Result<Outcome> {
    for game in catalogue.games() {
        let languages = game.descriptions.keys().map(|language| language.name()).collect();
        let paper = game.paper.iter().map(ToString::to_string).collect();
        let (id, title, players, cap) = (&game.id, &game.title, game.players, game.cap);
        let game = GameRecord { game: id, title, players, cap, languages, paper };
        json::record("game", game)?;
    }
    let engine_set = all_engines()?;
    for program in engine_set.programs() {
        let external = engine_set.external().any(|other| other.engine == program.engine);
        let engine = EngineRecord {
            engine: &program.engine,
            languages: &program.languages,
            program: if external { &program.command } else { &[] },
        };
        json::record("engine", engine)?;
    }
    for name in suite::names() {
        let suite = suite::get(name)?;
        let Ok(games) = suite.games(catalogue) else { continue };
        let games = games.into_iter().map(|game| &*game.id).collect();
        json::record("suite", SuiteRecord { suite: name, about: &suite.about, games })?;
    }
    for family in select::families(None)? {
        let (id, title, unit) = (&family.id, &family.title, &family.size);
        let (sizes, parameters) = (&family.sizes, family.parameters().collect());
        let family = FamilyRecord { family: id, title, sizes, unit, parameters };
        json::record("family", family)?;
    }
    Ok(Outcome::Fine)
}

/// A published row: of one with the title of the game only the table, so that lines stay short.
fn printed_row(row: &games::PaperRow, title: &str) -> String {
    let letters = |text: &str| text.to_lowercase().replace('-', " ");
    if letters(&row.row) == letters(title) { row.table.clone() } else { row.to_string() }
}

fn list_catalogue(place: &CatalogueArgs, Json { json }: Json) -> Result<Outcome> {
    let catalogue = place.load()?;
    if json {
        return list_as_records(&catalogue);
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["game", "title", "for", "languages", "paper"]);
    for game in catalogue.games() {
        let languages: Vec<&str> = game.descriptions.keys().map(|l| l.name()).collect();
        table.add_row([
            game.id.clone(),
            game.title.clone(),
            game.players.to_string(),
            // One word, so that a narrow table breaks titles first.
            languages.join(","),
            game.paper
                .iter()
                .map(|row| printed_row(row, &game.title))
                .collect::<Vec<_>>()
                .join(", "),
        ]);
    }
    output::table(&mut table)?;
    outln!()?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["engine", "reads", "external program"]);
    let engine_set = all_engines()?;
    for program in engine_set.programs() {
        let external = engine_set.external().any(|other| other.engine == program.engine);
        let command = if external { program.command.join(" ") } else { String::new() };
        table.add_row([program.engine.clone(), program.languages.join(" "), command]);
    }
    output::table(&mut table)?;
    outln!()?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["suite", "games", "what for"]);
    for name in suite::names() {
        let suite = suite::get(name)?;
        // Without the built-in games, a suite may have none.
        let Ok(games) = suite.games(&catalogue) else { continue };
        table.add_row([name.to_owned(), games.len().to_string(), suite.about]);
    }
    output::table(&mut table)?;
    outln!()?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header([
        "family",
        "title",
        "sizes",
        "what the size counts",
        "parameters",
    ]);
    for family in select::families(None)? {
        let sizes: Vec<String> = family.sizes.iter().map(ToString::to_string).collect();
        let parameters = family.parameters().map(|(name, values)| {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("{name}={}", values.join("|"))
        });
        let parameters = parameters.collect::<Vec<_>>().join(" ");
        table.add_row([family.id, family.title, sizes.join(" "), family.size, parameters]);
    }
    output::table(&mut table)?;
    Ok(Outcome::Fine)
}

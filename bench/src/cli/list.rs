//! `list`: games, engines, suites, families; or what a rule file lets its reader choose.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;

use super::Outcome;
use super::select::{self, Usage, Where};
use crate::entry::read_rules;
use crate::lineup::Lineup;
use crate::output;
use crate::suite;

#[derive(Args, Clone, Debug)]
pub(super) struct ListArgs {
    #[command(flatten)]
    place: Where,
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
}

pub(super) fn list(args: &ListArgs) -> Result<Outcome> {
    if args.agents {
        return list_agents();
    }
    match &args.file {
        Some(file) if args.choices => list_choices(&read_rules(file, &args.options)?),
        _ => list_catalogue(&args.place),
    }
}

/// The choices of a description, those that hold marked.
fn list_choices(rules: &play::Rules) -> Result<Outcome> {
    let Some(choices) = roster::choices(rules) else {
        anyhow::bail!("a .{} file has no options", rules.language);
    };
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
    outln!("{table}")?;
    Ok(Outcome::Fine)
}

/// The agents, then what can be set of each.
fn list_agents() -> Result<Outcome> {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["agent", "what it does"]);
    for (name, what) in agents::AGENTS {
        table.add_row([name, what]);
    }
    table.add_row(["program:COMMAND", "a program of yours, see bench/agents.md"]);
    outln!("{table}\n")?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["agent", "parameter", "default", "values"]);
    for (name, _) in agents::AGENTS {
        for parameter in agents::parameters(name).map_err(Usage)? {
            let agents::Parameter { key, default, values } = parameter;
            table.add_row([name.to_owned(), key.to_owned(), default, values]);
        }
    }
    outln!("{table}\n")?;
    outln!("Parameters follow the name: hyperplay:samples=100,search=uct")?;
    Ok(Outcome::Fine)
}

fn list_catalogue(place: &Where) -> Result<Outcome> {
    let catalogue = place.load()?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["game", "title", "players", "languages", "in the paper"]);
    for game in catalogue.games() {
        let languages: Vec<&str> = game.descriptions.keys().map(|l| l.name()).collect();
        table.add_row([
            game.id.clone(),
            game.title.clone(),
            game.players.to_string(),
            languages.join(" "),
            game.paper.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ]);
    }
    outln!("{table}\n")?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["engine", "reads", "external program"]);
    // Nothing is run here, so a faulty file of external engines is no reason to list nothing.
    let lineup = Lineup::new(None, &[], None).or_else(|error| {
        errln!("note: {}", output::chain(&error));
        Lineup::own(&[])
    })?;
    for program in lineup.programs() {
        let external = lineup.external().any(|other| other.engine == program.engine);
        let command = if external { program.command.join(" ") } else { String::new() };
        table.add_row([program.engine.clone(), program.languages.join(" "), command]);
    }
    outln!("{table}\n")?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["suite", "games", "what for"]);
    for name in suite::names() {
        let suite = suite::get(name)?;
        let games = suite.games(&catalogue)?;
        table.add_row([name.to_owned(), games.len().to_string(), suite.about]);
    }
    outln!("{table}\n")?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["family", "title", "sizes", "what the size counts"]);
    for family in select::families(None)? {
        let sizes: Vec<String> = family.sizes.iter().map(ToString::to_string).collect();
        table.add_row([family.id, family.title, sizes.join(" "), family.size]);
    }
    outln!("{table}")?;
    Ok(Outcome::Fine)
}

//! `completions`: scripts for shells, which know the names that there are.

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

use super::Outcome;
use super::select;
use crate::{output, suite};

/// Prints the script of a shell for a command.
pub(super) fn completions(command: Command, shell: Shell) -> Result<Outcome> {
    // Into memory first, because the generator panics where it cannot write.
    let mut script = Vec::new();
    let mut command = with_names(command)?;
    clap_complete::generate(shell, &mut command, "ggpbench", &mut script);
    output::raw(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Fine)
}

/// The command with the built-in games, suites, engines and families as values. Scripts alone have
/// them: files and folders of the user name others, which the command itself takes, too.
fn with_names(command: Command) -> Result<Command> {
    let catalogue = select::CatalogueArgs::default().load()?;
    let games = leaked(catalogue.games().iter().map(|game| game.id.clone()));
    let families = leaked(select::families(None)?.into_iter().map(|family| family.id));
    let engines = leaked(roster::engines().iter().map(|engine| engine.id().to_owned()));
    let suites: Vec<&'static str> = suite::names().into_iter().collect();
    let named = |argument: Arg| {
        let names = match argument.get_id().as_str() {
            "game" | "games" | "titles" => &games,
            "suite" => &suites,
            "engine" | "engines" | "names" | "baseline" => &engines,
            "families" => &families,
            _ => return argument,
        };
        argument.value_parser(PossibleValuesParser::new(names))
    };
    Ok(command.mut_subcommands(|command| command.mut_args(named)))
}

/// Names that last as long as the program, which ends soon.
fn leaked(names: impl Iterator<Item = String>) -> Vec<&'static str> {
    names.map(|name| &*name.leak()).collect()
}

//! `engine-check`: what is wrong with an external engine.

use anyhow::Result;
use clap::Args;

use super::Outcome;
use super::select::{CatalogueArgs, DEFAULT_CAP, Usage, bounds, entry_of};
use crate::client::Program;
use crate::engine_check;
use crate::entry::Entry;

#[derive(Args, Clone, Debug)]
pub(super) struct EngineCheckArgs {
    /// A game of the catalogue or a rule file that the engine plays [default: the first of the
    /// catalogue that it loads]
    game: Option<String>,
    #[command(flatten)]
    place: CatalogueArgs,
    /// Memory limit in GiB; 0 for none
    #[arg(long, default_value_t = 8.0, value_name = "GIB")]
    memory: f64,
    /// Seconds of CPU time that a single answer may take; by the clock, where others have the
    /// cores, twenty times as many
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    patience: f64,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn engine_check(args: &EngineCheckArgs) -> Result<Outcome> {
    let entries: Vec<Entry> = match &args.game {
        Some(game) => vec![entry_of(game, &args.place, &[], DEFAULT_CAP)?],
        None => args.place.entries(&[], None)?,
    };
    if entries.is_empty() {
        return Err(Usage("there is no game to try".to_owned()).into());
    }
    let program = Program {
        engine: args.command.join(" "),
        lineage: args.command.join(" "),
        command: args.command.clone(),
        languages: Vec::new(),
        version: Vec::new(),
    };
    let bounds = bounds(args.memory, "--patience", args.patience)?;
    let findings = engine_check::check(&program, &entries, &bounds);
    for finding in &findings {
        match &finding.result {
            Ok(note) if note.is_empty() => outln!("ok     {}", finding.what)?,
            Ok(note) => outln!("ok     {} ({note})", finding.what)?,
            Err(fault) => outln!("WRONG  {}\n       {fault}", finding.what)?,
        }
    }
    let faults = findings.iter().filter(|finding| finding.result.is_err()).count();
    if faults > 0 {
        outln!(
            "\n{faults} of {} checks failed; engines/README.md has the protocol",
            findings.len()
        )?;
        return Ok(Outcome::Failed);
    }
    outln!(
        "\nall {} checks passed; name it in engines.toml, and `ggpbench verify` compares it with \
         others",
        findings.len()
    )?;
    Ok(Outcome::Fine)
}

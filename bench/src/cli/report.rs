//! `report`: all artefacts of a run again, from its rows, and what these show.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::select::there;
use super::{Outcome, rows};

#[derive(Args, Clone, Debug)]
pub(super) struct ReportArgs {
    /// Folder of a run, with its measurements.csv
    dir: PathBuf,
    /// Engine that speed-ups are over; if none is named, the slowest of those with the most games
    #[arg(long, value_name = "ENGINE")]
    baseline: Option<String>,
}

pub(super) fn report(args: &ReportArgs) -> Result<Outcome> {
    there(&args.dir)?;
    let options =
        reports::Options { baseline: args.baseline.clone(), ..reports::Options::default() };
    let written = reports::write_all(&args.dir, &options)?;
    rows::tell(&args.dir, &written.run);
    for file in &written.files {
        outln!("{}", file.display())?;
    }
    rows::print_answer(&written)?;
    Ok(rows::outcome(&written.run))
}

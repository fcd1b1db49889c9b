//! `rank`: the engines of a run in order.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use reports::Run;
use reports::render::{contention, ranking_text};

use super::Outcome;
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct RankArgs {
    /// Folder of a run
    dir: PathBuf,
    /// Engines to rank, separated by commas [default: all with figures]
    #[arg(long, value_delimiter = ',', value_name = "ENGINES")]
    engines: Vec<String>,
}

pub(super) fn rank(args: &RankArgs) -> Result<Outcome> {
    let run = Run::load(&args.dir)?;
    for warning in &run.warnings {
        errln!("warning: {warning}");
    }
    let table = run.table();
    if let Some(warning) = contention(&table) {
        errln!("warning: {warning}");
    }
    let ranking = reports::rank::rank(&table, &args.engines)?;
    output::paragraph(ranking_text(&ranking).trim_end())?;
    Ok(Outcome::Fine)
}

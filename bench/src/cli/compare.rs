//! `compare`: two runs, cell by cell.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use reports::render::comparison_text;
use reports::{Run, compare as compare_runs};

use super::Outcome;
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct CompareArgs {
    /// Folder of the first run
    before: PathBuf,
    /// Folder of the second run
    after: PathBuf,
    /// Fail if a cell is slower by more than this many per cent, and significantly so
    #[arg(long, value_name = "PERCENT")]
    threshold: Option<f64>,
}

pub(super) fn compare(args: &CompareArgs) -> Result<Outcome> {
    let (before, after) = (Run::load(&args.before)?, Run::load(&args.after)?);
    for warning in before.warnings.iter().chain(&after.warnings) {
        errln!("warning: {warning}");
    }
    let comparison = compare_runs(&before, &after);
    output::paragraph(&comparison_text(&comparison))?;
    let failures = comparison.failures(args.threshold.map(|percent| percent / 100.0));
    for failure in &failures {
        errln!("error: {failure}");
    }
    Ok(if failures.is_empty() { Outcome::Fine } else { Outcome::Failed })
}

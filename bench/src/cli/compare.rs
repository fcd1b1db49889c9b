//! `compare`: two runs, cell by cell.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use reports::render::comparison_text;
use reports::{Run, compare as compare_tables};

use super::Outcome;

#[derive(Args, Clone, Debug)]
pub(super) struct CompareArgs {
    /// Folder of the first run
    before: PathBuf,
    /// Folder of the second run
    after: PathBuf,
    /// Fail if a cell is slower by more than this many per cent, with its whole interval below 1
    #[arg(long, value_name = "PERCENT")]
    threshold: Option<f64>,
}

pub(super) fn compare(args: &CompareArgs) -> Result<Outcome> {
    let (before, after) = (Run::load(&args.before)?, Run::load(&args.after)?);
    for warning in before.warnings.iter().chain(&after.warnings) {
        errln!("warning: {warning}");
    }
    let comparison = compare_tables(&before.table(), &after.table());
    outln!("{}", comparison_text(&comparison))?;
    let worse = comparison.changes.iter().any(reports::compare::Change::is_worse);
    let slower = args.threshold.is_some_and(|percent| {
        comparison.changes.iter().any(|change| change.is_regression(percent / 100.0))
    });
    Ok(if worse || slower { Outcome::Failed } else { Outcome::Fine })
}

//! The reports of commands on the rows of a run, and the refusal of rows that are not as they were
//! measured.

use std::path::Path;

use anyhow::{Result, bail};
use reports::{Run, Written};

use super::Outcome;
use super::select::there;
use crate::output::{self, OutputError};

/// Reads a run, and says on standard error what is odd about its rows.
pub(super) fn load(folder: &Path) -> Result<Run> {
    there(folder)?;
    let run = Run::load(folder)?;
    tell(folder, &run);
    Ok(run)
}

/// Says what is odd about the rows of a run.
pub(super) fn tell(folder: &Path, run: &Run) {
    for warning in &run.warnings {
        let word = if run.faults.contains(warning) { "error" } else { "warning" };
        errln!("{word}: {}: {warning}", folder.display());
    }
    if let Some(note) = run.note() {
        errln!("note: {}: {note}", folder.display());
    }
}

/// Prints what the rows of a run show, in a few lines after all else.
pub(super) fn print_answer(written: &Written) -> Result<(), OutputError> {
    outln!()?;
    written.answer.iter().try_for_each(|line| output::paragraph(line))
}

/// The outcome of a command that shows the rows of a run: it fails if they were changed.
pub(super) fn outcome(run: &Run) -> Outcome {
    if run.faults.is_empty() { Outcome::Fine } else { Outcome::Failed }
}

/// Refuses rows that are not as they were measured, where more would be built on them: what they
/// became part of would vouch for them.
pub(super) fn refuse_faults(folder: &Path, run: &Run) -> Result<()> {
    if run.faults.is_empty() {
        return Ok(());
    }
    bail!(
        "the rows in {} are not as they were measured:\n  {}\nPut the file back as it was, or \
         measure again.",
        folder.display(),
        run.faults.join("\n  ")
    )
}

//! `compare`: two runs, cell by cell.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use reports::compare::Change;
use reports::render::comparison_text;
use reports::{Column, Comparison, Verdict, compare as compare_runs};
use serde::Serialize;

use super::json::{self, ColumnId, Json, Range};
use super::{Outcome, rows};
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
    #[command(flatten)]
    json: Json,
}

/// A cell of both runs.
#[derive(Serialize)]
struct ChangeRecord<'a> {
    game: &'a str,
    #[serde(flatten)]
    column: ColumnId<'a>,
    verdict_before: Verdict,
    verdict_after: Verdict,
    /// Playouts a CPU second.
    rate_before: Option<f64>,
    rate_after: Option<f64>,
    contended_before: bool,
    contended_after: bool,
    /// Rate after over rate before.
    ratio: Option<Range>,
    p_value: Option<f64>,
    significant: bool,
}

impl<'a> From<&'a Change> for ChangeRecord<'a> {
    fn from(change: &'a Change) -> ChangeRecord<'a> {
        ChangeRecord {
            game: &change.game,
            column: (&change.column).into(),
            verdict_before: change.verdicts.0,
            verdict_after: change.verdicts.1,
            rate_before: change.rates.0,
            rate_after: change.rates.1,
            contended_before: change.contended.0,
            contended_after: change.contended.1,
            ratio: change.ratio.map(Range::from),
            p_value: change.p_value,
            significant: change.is_significant(),
        }
    }
}

/// A cell about which nothing can be compared.
#[derive(Serialize)]
struct OmittedRecord<'a> {
    game: &'a str,
    #[serde(flatten)]
    column: ColumnId<'a>,
    why: &'static str,
}

#[derive(Serialize)]
struct MeanRecord {
    ratio: Range,
    cells: usize,
}

#[derive(Serialize)]
struct TextRecord<'a> {
    text: &'a str,
}

fn print_records(comparison: &Comparison, warnings: &[&String]) -> Result<()> {
    for text in warnings.iter().copied().chain(&comparison.warnings) {
        json::record("warning", TextRecord { text })?;
    }
    for change in &comparison.changes {
        json::record("change", ChangeRecord::from(change))?;
    }
    let omitted: [(&[(String, Column)], _); 3] = [
        (&comparison.other_rules, "other rules"),
        (&comparison.only_a, "only before"),
        (&comparison.only_b, "only after"),
    ];
    for (cells, why) in omitted {
        for (game, column) in cells {
            json::record("omitted", OmittedRecord { game, column: column.into(), why })?;
        }
    }
    if let Some((ratio, cells)) = comparison.mean {
        json::record("mean", MeanRecord { ratio: ratio.into(), cells })?;
    }
    Ok(())
}

pub(super) fn compare(args: &CompareArgs) -> Result<Outcome> {
    let (before, after) = (rows::load(&args.before)?, rows::load(&args.after)?);
    let warnings: Vec<&String> = before.warnings.iter().chain(&after.warnings).collect();
    let comparison = compare_runs(&before, &after);
    if args.json.json {
        print_records(&comparison, &warnings)?;
    } else {
        output::paragraph(&comparison_text(&comparison))?;
    }
    let failures = comparison.failures(args.threshold.map(|percent| percent / 100.0));
    for failure in &failures {
        errln!("error: {failure}");
        if args.json.json {
            json::record("failure", TextRecord { text: failure })?;
        }
    }
    let is_fine = failures.is_empty() && before.faults.is_empty() && after.faults.is_empty();
    Ok(if is_fine { Outcome::Fine } else { Outcome::Failed })
}

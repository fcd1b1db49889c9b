//! Figures that another system gave about rule files: leaf counts, and the mean length of random
//! playouts. Unlike a record they need no names of moves, so that they compare any two systems.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use play::kit::SIGMAS;
use play::{Job, Tally};
use reports::Verdict;
use serde::Deserialize;

use super::{Record, Row, Settings};
use crate::client::Worker;
use crate::entry::read_bounded;
use crate::subject::{Failure, Subject};

/// What the other system says of a file. All that it says besides is left alone.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Figures {
    /// Leaf counts at depth 1, 2, ...; forced passes are moves.
    #[serde(default)]
    pub perft: Vec<u64>,
    /// Mean moves of a random playout, forced passes counted.
    pub mean_turns: Option<f64>,
    /// Over how many playouts that is the mean; 0 if it is exact.
    #[serde(default)]
    pub playouts: u64,
}

/// The figures of a collection, by file.
#[derive(Debug, Default)]
pub struct Oracle(BTreeMap<String, Figures>);

impl Oracle {
    /// Reads a JSON object with a member for each file, named as the file below its folder, with or
    /// without its extension.
    pub fn read(path: &Path) -> Result<Oracle> {
        let shown = || format!("cannot read {} as figures by file", path.display());
        let figures = serde_json::from_slice(&read_bounded(path)?).with_context(shown)?;
        Ok(Oracle(figures))
    }

    /// What is known of a file.
    pub(super) fn of(&self, file: &str) -> Option<&Figures> {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        self.0.get(file).or_else(|| self.0.get(stem))
    }
}

/// The mean is rounded by whoever prints it, to three digits behind the point at worst.
const ROUNDING: f64 = 0.0005;

/// With fewer playouts their own spread is not to be trusted: a tenth of the mean is taken instead.
const FEW: u64 = 30;

/// Depth of the deepest count that a worker answers.
const DEEPEST: usize = 64;

/// Of the time that an answer may take, what a count may be expected to take.
const CAUTION: f64 = 0.7;

/// Compares a file with its figures, and puts into the row what came of it. An error only where the
/// engine cannot say such things at all, or breaks down.
pub(super) fn compare(
    worker: &mut Worker,
    row: &mut Row,
    figures: &Figures,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut faults = Vec::new();
    if let Some(mean) = figures.mean_turns {
        row.moves_known = Some(mean);
        compare_lengths(worker, row, mean, figures.playouts, settings, &mut faults)?;
    }
    // After the lengths, since a count that takes too long ends the worker.
    row.perft_known = Some(figures.perft.len() as u32);
    let deeper = count_leaves(worker, row, figures, settings, &mut faults)?;
    row.figures = if faults.is_empty() { Record::Agrees } else { Record::Differs };
    faults.extend(deeper);
    row.figures_note = faults.join("; ");
    Ok(())
}

/// Counts leaves as deeply as the time for an answer allows; says why not more deeply.
fn count_leaves(
    worker: &mut Worker,
    row: &mut Row,
    figures: &Figures,
    settings: &Settings,
    faults: &mut Vec<String>,
) -> Result<Option<String>, Failure> {
    let patience = settings.bounds.patience;
    // What is visited to count the leaves at a depth: everything above them.
    let visited = |depth: usize| figures.perft[..depth - 1].iter().fold(1.0, |n, &l| n + l as f64);
    let mut last = Duration::ZERO;
    for depth in 1..=figures.perft.len().min(DEEPEST) {
        let known = &figures.perft[..depth];
        if depth > 1 {
            let seconds = last.as_secs_f64() * visited(depth) / visited(depth - 1);
            if seconds > patience.as_secs_f64() * CAUTION {
                return Ok(Some(format!("depth {depth} would take {seconds:.0} seconds")));
            }
        }
        let start = Instant::now();
        match worker.raw_perft(depth as u32, u64::MAX) {
            Ok(Some(counts)) if counts == known => {
                row.perft_depth = Some(depth as u32);
                row.perft_leaves = known.last().copied();
            }
            Ok(counts) => {
                faults.push(format!("leaves {:?}, expected {known:?}", counts.unwrap_or_default()));
                break;
            }
            Err(failure) if failure.verdict == Verdict::Timeout => {
                return Ok(Some(format!("depth {depth} took too long")));
            }
            Err(failure) => return Err(failure),
        }
        last = start.elapsed();
    }
    Ok(None)
}

/// Plays for a while and compares the mean length.
fn compare_lengths(
    worker: &mut Worker,
    row: &mut Row,
    theirs: f64,
    playouts: u64,
    settings: &Settings,
    faults: &mut Vec<String>,
) -> Result<(), Failure> {
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut count = 1;
    while tally.playouts < 2 || start.elapsed() < settings.play {
        let job = Job { seed: settings.seed, first: tally.playouts, count, cap: settings.cap };
        let before = Instant::now();
        let part = worker.raw_run(&job)?.tally();
        tally += &part.map_err(|fault| Failure::new(Verdict::Crashed, fault))?;
        if before.elapsed() * 4 < settings.play {
            count *= 2;
        }
    }
    let (mean, error) = tally.mean_plies();
    row.moves = Some((mean * 1000.0).round() / 1000.0);
    if tally.capped > 0 {
        // The mean is then too small by nobody knows how much.
        faults.push(format!(
            "{} of {} playouts take more than {} moves; a greater --cap would tell",
            tally.capped, tally.playouts, settings.cap
        ));
        return Ok(());
    }
    if let Some(fault) = apart(mean, error, tally.playouts, theirs, playouts) {
        faults.push(fault);
    }
    Ok(())
}

/// Whether two means of random playouts are further apart than chance explains. The other's spread is
/// not known, and taken to be ours.
fn apart(mean: f64, error: f64, ours: u64, theirs: f64, playouts: u64) -> Option<String> {
    // A rare ending that a sample happens to lack moves its mean by up to its length over the number.
    let error = error.max(theirs / ours as f64);
    let error = if ours < FEW { error.max(0.1 * theirs) } else { error };
    let deviation = error * (ours as f64).sqrt();
    let other = if playouts > 0 { deviation / (playouts as f64).sqrt() } else { 0.0 };
    let error = error.hypot(other);
    ((mean - theirs).abs() > SIGMAS * error + ROUNDING)
        .then(|| format!("mean moves {mean:.3} ± {error:.3}, expected {theirs}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_with_and_without_their_extension() {
        let text = r#"{"a": {"perft": [2, 6], "tokens": 352}, "x/b.rbg": {"mean_turns": 7.5}}"#;
        let oracle = Oracle(serde_json::from_str(text).unwrap());
        assert_eq!(oracle.of("a.rbg").unwrap().perft, [2, 6]);
        assert_eq!(oracle.of("x/b.rbg").unwrap().mean_turns, Some(7.5));
        assert_eq!(oracle.of("x/a.rbg"), None);
    }

    #[test]
    fn means_are_compared_within_the_error_of_both_samples() {
        // A spread of ten moves, ten thousand playouts each: errors of 0.1.
        assert_eq!(apart(60.7, 0.1, 10_000, 60.0, 10_000), None);
        assert!(apart(61.0, 0.1, 10_000, 60.0, 10_000).is_some());
        assert!(apart(60.7, 0.1, 10_000, 60.0, 0).is_some(), "an exact one");
        assert_eq!(apart(60.7, 0.1, 10_000, 57.0, 100), None, "a small sample");
        assert_eq!(apart(60.0, 0.0, 4, 75.0, 1000), None, "hardly any playouts of ours");
    }
}

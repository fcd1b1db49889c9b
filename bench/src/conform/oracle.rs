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
use crate::failure::Failure;
use crate::subject::Subject;

/// The figures of the other system for a file. Its other fields are left alone.
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
    /// The mean and its playouts once more, where they are written apart from the counts.
    run: Option<Run>,
    /// True if moves of chance are among the leaves, which are no plies here.
    #[serde(default)]
    random: bool,
}

/// Random playouts of the other system.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
struct Run {
    mean_turns: Option<f64>,
    #[serde(default)]
    playouts: u64,
}

/// The figures of a collection, by file.
#[derive(Debug, Default)]
pub struct Oracle(BTreeMap<String, Figures>);

impl Oracle {
    /// Reads a JSON object with a member for each file, named as the file below its folder, with or
    /// without its extension; these may also be members of a member `games`.
    pub fn read(path: &Path) -> Result<Oracle> {
        let shown = || format!("cannot read {} as figures by file", path.display());
        Oracle::parse(&read_bounded(path)?).with_context(shown)
    }

    fn parse(text: &[u8]) -> serde_json::Result<Oracle> {
        let mut figures: serde_json::Value = serde_json::from_slice(text)?;
        if let Some(games) = figures.get_mut("games") {
            figures = games.take();
        }
        let mut figures: BTreeMap<String, Figures> = serde_json::from_value(figures)?;
        for figures in figures.values_mut() {
            if let Some(Run { mean_turns, playouts }) = figures.run.take() {
                figures.mean_turns = figures.mean_turns.or(mean_turns);
                figures.playouts = playouts;
            }
            if figures.random {
                figures.perft.clear();
            }
        }
        Ok(Oracle(figures))
    }

    /// The figures for a file.
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

/// A mean is compared only where a difference of this share of it would be seen.
const VISIBLE: f64 = 0.02;

/// Playouts may be so many times as long as the known mean before they are cut.
const ROOM: f64 = 8.0;

/// Longest playout that is waited for, in moves.
const LONGEST: f64 = 1e6;

/// The most elapsed time of playouts, as a multiple of their CPU time, on a busy machine.
const PATIENCE: u32 = 8;

/// The result of comparing figures of one kind.
#[derive(Debug, PartialEq)]
struct Finding {
    verdict: Record,
    /// The difference, or the reason why there is nothing, or not more, to compare; empty if all
    /// agrees.
    note: String,
}

impl Finding {
    fn agrees() -> Finding {
        Finding { verdict: Record::Agrees, note: String::new() }
    }

    fn differs(note: String) -> Finding {
        Finding { verdict: Record::Differs, note }
    }

    fn unchecked(note: impl ToString) -> Finding {
        Finding { verdict: Record::Unchecked, note: note.to_string() }
    }
}

/// Compares a file with its figures, and puts into the row what came of it. Leaf counts come first,
/// since they are exact, and no playout that never ends keeps us from them. `load` gives a new
/// worker, should a count that takes too long end this one; an error if it does not.
pub(super) fn compare(
    worker: &mut Worker,
    load: &dyn Fn() -> Result<Worker, Failure>,
    row: &mut Row,
    figures: &Figures,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut findings = Vec::new();
    row.perft_known = Some(figures.perft.len() as u32);
    if !figures.perft.is_empty() {
        findings.push(count_leaves(worker, row, figures, settings));
    }
    if let Some(mean) = figures.mean_turns {
        row.moves_known = Some(mean);
        if worker.is_dead() {
            *worker = load()?;
        }
        let finding = compare_lengths(worker, row, mean, figures.playouts, settings)
            .unwrap_or_else(Finding::unchecked);
        row.lengths = finding.verdict;
        findings.push(finding);
    }
    let differs = findings.iter().any(|finding| finding.verdict == Record::Differs);
    let first = findings.first().map_or(Record::None, |finding| finding.verdict);
    row.figures = if differs { Record::Differs } else { first };
    let notes = findings.into_iter().map(|finding| finding.note).filter(|note| !note.is_empty());
    row.figures_note = notes.collect::<Vec<_>>().join("; ");
    Ok(())
}

/// Counts leaves as deeply as the time for an answer allows; the note says why not more deeply.
fn count_leaves(
    worker: &mut Worker,
    row: &mut Row,
    figures: &Figures,
    settings: &Settings,
) -> Finding {
    let patience = settings.bounds.patience;
    // What is visited to count the leaves at a depth: everything above them.
    let visited = |depth: usize| figures.perft[..depth - 1].iter().fold(1.0, |n, &l| n + l as f64);
    let mut last = Duration::ZERO;
    for depth in 1..=figures.perft.len().min(DEEPEST) {
        // A depth that agreed before stays so.
        let stop = |note: String| match depth {
            1 => Finding::unchecked(note),
            _ => Finding { note, ..Finding::agrees() },
        };
        let known = &figures.perft[..depth];
        if depth > 1 {
            let seconds = last.as_secs_f64() * visited(depth) / visited(depth - 1);
            if seconds > patience.as_secs_f64() * CAUTION {
                return stop(format!("depth {depth} would take {seconds:.0} seconds"));
            }
        }
        let start = Instant::now();
        match worker.raw_perft(depth as u32, u64::MAX) {
            Ok(Some(counts)) if counts == known => {
                row.perft_depth = Some(depth as u32);
                row.perft_leaves = known.last().copied();
            }
            Ok(counts) => {
                let counts = counts.unwrap_or_default();
                return Finding::differs(format!("leaves {counts:?}, expected {known:?}"));
            }
            Err(failure) if failure.verdict == Verdict::Timeout => {
                return stop(format!("depth {depth} took too long"));
            }
            Err(failure) => return stop(failure.to_string()),
        }
        last = start.elapsed();
    }
    Finding::agrees()
}

/// Plays for a while and compares the mean length. CPU time counts, so that a busy machine does not
/// make the sample smaller.
fn compare_lengths(
    worker: &mut Worker,
    row: &mut Row,
    theirs: f64,
    playouts: u64,
    settings: &Settings,
) -> Result<Finding, Failure> {
    // A cut playout would say nothing about the mean, and the mean tells where not to cut.
    let cap = settings.cap.max((theirs * ROOM).clamp(0.0, LONGEST) as u32);
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    let mut tally = Tally::default();
    let mut count = 1;
    let is_time_left = |spent| spent < settings.play && start.elapsed() < settings.play * PATIENCE;
    while tally.playouts < 2 || is_time_left(spent) {
        let job = Job { seed: settings.seed, first: tally.playouts, count, cap };
        let before = Instant::now();
        let ran = worker.raw_run(&job)?;
        // An engine that does not tell its CPU time spends that of the clock.
        let took = match ran.cpu_ns {
            0 => before.elapsed(),
            ns => Duration::from_nanos(ns),
        };
        tally += &ran.tally().map_err(|fault| Failure::new(Verdict::Crashed, fault))?;
        spent += took;
        if took * 4 < settings.play {
            count *= 2;
        }
    }
    let (mean, error) = tally.mean_plies();
    row.moves = Some((mean * 1000.0).round() / 1000.0);
    if tally.capped > 0 {
        return Ok(Finding::unchecked(format!(
            "{} of {} playouts take more than {cap} moves; a greater --cap would tell",
            tally.capped, tally.playouts
        )));
    }
    Ok(compare_means(mean, error, tally.playouts, theirs, playouts))
}

/// Compares two means of random playouts: `differs` if they are further apart than chance explains;
/// `unchecked` if chance explains [more](VISIBLE) than should go unseen. The other's spread is not
/// known, and taken to be ours.
fn compare_means(mean: f64, error: f64, ours: u64, theirs: f64, playouts: u64) -> Finding {
    // A rare ending that a sample happens to lack moves its mean by up to its length over the
    // number.
    let error = error.max(theirs / ours as f64);
    let error = if ours < FEW { error.max(0.1 * theirs) } else { error };
    let deviation = error * (ours as f64).sqrt();
    let other = if playouts > 0 { deviation / (playouts as f64).sqrt() } else { 0.0 };
    let error = error.hypot(other);
    let margin = SIGMAS * error + ROUNDING;
    let said = format!("mean moves {mean:.3} ± {error:.3}, expected {theirs}");
    if (mean - theirs).abs() > margin {
        Finding::differs(said)
    } else if margin <= VISIBLE * theirs {
        Finding::agrees()
    } else {
        Finding::unchecked(format!(
            "{said}: {ours} playouts against {playouts} do not show a difference of 2 %"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_with_and_without_their_extension() {
        let text = r#"{"a": {"perft": [2, 6], "tokens": 352}, "x/b.rbg": {"mean_turns": 7.5}}"#;
        let below = format!(r#"{{"what": "figures", "games": {text}}}"#);
        for text in [text, &below] {
            let oracle = Oracle::parse(text.as_bytes()).unwrap();
            assert_eq!(oracle.of("a.rbg").unwrap().perft, [2, 6]);
            assert_eq!(oracle.of("x/b.rbg").unwrap().mean_turns, Some(7.5));
            assert_eq!(oracle.of("x/a.rbg"), None);
        }
    }

    #[test]
    fn leaves_of_chance_are_left_alone_and_means_may_stand_apart() {
        let text =
            r#"{"a": {"perft": [6], "random": true, "run": {"mean_turns": 4.5, "playouts": 9}}}"#;
        let oracle = Oracle::parse(text.as_bytes()).unwrap();
        let figures = oracle.of("a.hrg").unwrap();
        assert_eq!((figures.perft.len(), figures.mean_turns, figures.playouts), (0, Some(4.5), 9));
    }

    #[test]
    fn means_are_compared_within_the_error_of_both_samples() {
        let verdict = |mean, error, ours, theirs, playouts| {
            compare_means(mean, error, ours, theirs, playouts).verdict
        };
        // A spread of ten moves, ten thousand playouts each: errors of 0.1.
        assert_eq!(verdict(60.7, 0.1, 10_000, 60.0, 10_000), Record::Agrees);
        assert_eq!(verdict(61.0, 0.1, 10_000, 60.0, 10_000), Record::Differs);
        assert_eq!(verdict(60.7, 0.1, 10_000, 60.0, 0), Record::Differs, "an exact one");
    }

    #[test]
    fn samples_that_would_not_show_two_per_cent_say_nothing() {
        let verdict = |mean, error, ours, theirs, playouts| {
            compare_means(mean, error, ours, theirs, playouts).verdict
        };
        assert_eq!(verdict(60.7, 0.1, 10_000, 57.0, 100), Record::Unchecked, "a small sample");
        assert_eq!(verdict(60.0, 0.0, 4, 75.0, 1000), Record::Unchecked, "hardly any of ours");
        assert_eq!(verdict(613.0, 45.0, 15, 857.791, 91), Record::Unchecked, "a quarter apart");
        assert_eq!(verdict(90.0, 0.1, 10_000, 57.0, 100), Record::Differs, "seen all the same");
    }
}

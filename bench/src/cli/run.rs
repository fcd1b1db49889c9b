//! `run` and `bench`: verify, measure, report.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use play::{Rules, Via};
use rayon::prelude::*;
use reports::render::{TerminalOptions, table_terminal};
use reports::{Phase, Run, Sample, SampleWriter, Verdict};

use super::select::Usage;
use super::{BenchArgs, Measuring, Outcome, RunArgs};
use crate::client::{Bounds, Program, Worker};
use crate::entry::Entry;
use crate::lineup::{self, Lineup};
use crate::machine;
use crate::measure::{self, Entrant, Protocol};
use crate::subject::{Failure, Subject};
use crate::ui::Ui;
use crate::verify::{Effort, verify};

/// Set by Ctrl-C: the current sample is finished, the reports are written, and that is all.
static STOP: AtomicBool = AtomicBool::new(false);

/// What is run when nothing is asked for.
const DEFAULT_SUITE: &str = "core";

pub(super) fn run(args: &RunArgs) -> Result<Outcome> {
    // All of the built-in catalogue takes longer than somebody who just looks around will wait.
    let chosen = !args.games.is_empty() || args.place.catalogue.is_some();
    let suite = args.suite.as_deref().or((!chosen).then_some(DEFAULT_SUITE));
    let entries = args.place.entries(&args.games, suite)?;
    study(&entries, &args.engines.lineup()?, &args.engines.bounds()?, &args.measuring)
}

pub(super) fn bench(args: &BenchArgs) -> Result<Outcome> {
    let entries = args.files.entries()?;
    study(&entries, &args.engines.lineup()?, &args.engines.bounds()?, &args.measuring)
}

/// A pair that is to be measured or reported, with its verdict.
struct Pair<'a> {
    program: &'a Program,
    rules: &'a Rules,
    verdict: Verdict,
    reason: String,
}

fn study(entries: &[Entry], lineup: &Lineup, bounds: &Bounds, how: &Measuring) -> Result<Outcome> {
    let protocol =
        Protocol { rounds: how.rounds.unwrap_or(how.protocol.rounds).max(1), ..how.protocol };
    let all_pairs: Vec<(&Entry, Vec<Pair<'_>>)> = entries
        .iter()
        .map(|entry| {
            let pairs = lineup.pairs(entry).into_iter().map(|(program, rules)| Pair {
                program,
                rules,
                verdict: Verdict::Unchecked,
                reason: "not verified".to_owned(),
            });
            (entry, pairs.collect::<Vec<_>>())
        })
        .collect();
    if all_pairs.iter().all(|(_, pairs)| pairs.is_empty()) {
        return Err(Usage("no engine reads any of these games".to_owned()).into());
    }
    let dir = match &how.out {
        Some(dir) => dir.clone(),
        None => default_dir(),
    };
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    std::fs::write(dir.join("machine.txt"), machine::describe(how.seed))
        .with_context(|| format!("cannot write to {}", dir.display()))?;
    let mut writer = SampleWriter::create(&dir.join("measurements.csv"))?;
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    if machine::is_debug_build() && !how.quiet {
        eprintln!(
            "warning: this is a debug build; its figures mean nothing. Use `cargo run --release`."
        );
    }

    let all_pairs = if how.no_verify { all_pairs } else { verify_all(all_pairs, bounds, how) };
    if !measure::settle_machine(Duration::from_secs(3)) && !how.quiet {
        eprintln!(
            "warning: the machine is busy with something else; close it, or read the intervals with care."
        );
    }
    measure_all(&all_pairs, bounds, how, &protocol, &mut writer)?;

    finish(&dir, how)
}

/// Verifies all games, several at a time: nothing is measured yet.
fn verify_all<'a>(
    all: Vec<(&'a Entry, Vec<Pair<'a>>)>,
    bounds: &Bounds,
    how: &Measuring,
) -> Vec<(&'a Entry, Vec<Pair<'a>>)> {
    let ui = Ui::new("verify", all.len() as u64, how.quiet);
    let verified = all
        .into_par_iter()
        .map(|(entry, mut pairs)| {
            if !STOP.load(Ordering::SeqCst) {
                verify_game(entry, &mut pairs, bounds, how.seed);
            }
            let words: Vec<String> =
                pairs.iter().map(|p| format!("{} {}", p.program.engine, p.verdict)).collect();
            ui.step(1, &format!("{}: {}", entry.id, words.join(", ")));
            for pair in pairs.iter().filter(|p| !p.verdict.is_ranked()) {
                ui.line(&format!(
                    "{} {}: {}: {}",
                    entry.id, pair.program.engine, pair.verdict, pair.reason
                ));
            }
            (entry, pairs)
        })
        .collect();
    ui.finish();
    verified
}

fn verify_game(entry: &Entry, pairs: &mut [Pair<'_>], bounds: &Bounds, seed: u64) {
    let mut subjects: Vec<Box<dyn Subject>> = Vec::new();
    let mut numbers = Vec::new();
    for (number, pair) in pairs.iter_mut().enumerate() {
        match lineup::load(pair.program, pair.rules, bounds) {
            Ok(worker) => {
                subjects.push(Box::new(worker));
                numbers.push(number);
            }
            Err(failure) => (pair.verdict, pair.reason) = (failure.verdict, failure.reason),
        }
    }
    let proof = verify(&mut subjects, &entry.expected, &Effort::quick(seed, entry.cap));
    for (number, engine) in numbers.into_iter().zip(proof.engines) {
        pairs[number].verdict = engine.verdict;
        pairs[number].reason = engine.reason;
    }
}

fn measure_all(
    all: &[(&Entry, Vec<Pair<'_>>)],
    bounds: &Bounds,
    how: &Measuring,
    protocol: &Protocol,
    writer: &mut SampleWriter,
) -> Result<()> {
    let cells: usize = all.iter().map(|(_, pairs)| pairs.len()).sum();
    let ui = Ui::new("measure", cells as u64 * u64::from(protocol.rounds), how.quiet);
    let mut trouble = None;
    for (entry, pairs) in all {
        let mut rows = Vec::new();
        let mut emit = |row: &Sample| {
            if let Err(error) = writer.write(row) {
                trouble.get_or_insert(error);
            }
            if row.phase == Phase::Sample {
                let rate = row.playouts as f64 / row.cpu_ns as f64 * 1e9;
                let rate = reports::format::readable(rate);
                ui.step(1, &format!("{} {} {rate}/s", row.title, row.engine));
            }
            rows.push(row.clone());
        };
        measure_game(entry, pairs, bounds, how, protocol, &mut emit);
        ui.line(&summary(&rows));
        if trouble.is_some() || STOP.load(Ordering::SeqCst) {
            break;
        }
    }
    ui.finish();
    match trouble {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

fn measure_game(
    entry: &Entry,
    pairs: &[Pair<'_>],
    bounds: &Bounds,
    how: &Measuring,
    protocol: &Protocol,
    emit: &mut dyn FnMut(&Sample),
) {
    let mut workers: Vec<(Worker, Via, Sample)> = Vec::new();
    for pair in pairs {
        let mut row = blank_row(entry, pair, how);
        // A wrong engine is not measured: its figures could not be shown.
        let loaded = if matches!(pair.verdict, Verdict::Ok | Verdict::Unchecked) {
            lineup::load(pair.program, pair.rules, bounds)
        } else {
            Err(Failure::new(pair.verdict, pair.reason.clone()))
        };
        match loaded {
            Ok(worker) => {
                let batch = worker.loaded().is_some_and(|loaded| loaded.batch);
                let ways = how.via.iter().copied().filter(|&via| batch || via != Via::Batch);
                // A process for each way, so that peak memory is that way's own.
                let mut first = Some(worker);
                for via in ways {
                    let worker = match first.take() {
                        Some(worker) => Ok(worker),
                        None => lineup::load(pair.program, pair.rules, bounds),
                    };
                    match worker {
                        Ok(worker) => {
                            describe_load(&mut row, &worker, via);
                            workers.push((worker, via, row.clone()));
                        }
                        Err(failure) => emit(&failure_row(&row, failure)),
                    }
                }
            }
            Err(failure) => emit(&failure_row(&row, failure)),
        }
    }
    let mut entrants: Vec<Entrant<'_>> = workers
        .iter_mut()
        .map(|(worker, via, row)| Entrant::new(worker, *via, row.clone(), entry.cap))
        .collect();
    measure::measure(&mut entrants, protocol, emit, &|| STOP.load(Ordering::SeqCst));
}

fn describe_load(row: &mut Sample, worker: &Worker, via: Via) {
    row.via = match via {
        Via::Fast => reports::Via::Fast,
        Via::Reference => reports::Via::Reference,
        Via::Batch => reports::Via::Batch,
    };
    worker.rng().clone_into(&mut row.rng);
    if let Some(loaded) = worker.loaded() {
        row.players = u32::from(loaded.players);
        row.compile_ns = Some(loaded.compile_ns);
        row.state_bytes = (loaded.state_bytes > 0).then_some(loaded.state_bytes);
        row.peak_bytes = (loaded.peak_bytes > 0).then_some(loaded.peak_bytes);
    }
}

fn failure_row(row: &Sample, failure: Failure) -> Sample {
    let Failure { verdict, reason } = failure;
    Sample { phase: Phase::None, verdict, reason, ..row.clone() }
}

fn blank_row(entry: &Entry, pair: &Pair<'_>, how: &Measuring) -> Sample {
    let mut row = Sample::failure(&entry.id, &pair.program.engine, pair.verdict, &*pair.reason);
    row.title.clone_from(&entry.title);
    row.paper.clone_from(&entry.paper);
    row.players = u32::from(entry.expected.players.unwrap_or(0));
    pair.rules.language.name().clone_into(&mut row.language);
    row.threads = how.threads;
    row.seed = how.seed;
    row.host = machine::host();
    if machine::is_debug_build() {
        row.warnings.push("debug build".to_owned());
    }
    row
}

/// One line for a game that has been measured.
fn summary(rows: &[Sample]) -> String {
    let table = Run::from_samples(rows.to_vec()).table();
    let mut out =
        table.games().first().map_or_else(String::new, |game| format!("{:<22}", game.title));
    for (number, column) in table.columns().iter().enumerate() {
        let Some(cell) = table.cell(0, number) else { continue };
        let figure = table.figures(0, number).map_or_else(
            || cell.verdict().to_string(),
            |f| reports::format::readable(f.per_cpu_second.value),
        );
        let _ = write!(out, "  {} {figure:>8}", column.label());
    }
    out
}

/// Writes the reports and prints the table; fails if a pair failed.
fn finish(dir: &Path, how: &Measuring) -> Result<Outcome> {
    let options =
        reports::Options { baseline: how.baseline.clone(), ..reports::Options::default() };
    let written = reports::write_all(dir, &options)?;
    let run = Run::load(dir)?;
    let table = run.table();
    let colour = std::io::stdout().is_terminal();
    println!("{}", table_terminal(&table, TerminalOptions { width: terminal_width(), colour }));
    println!("Playouts per CPU second. Written to {}:", dir.display());
    let names: Vec<String> = written
        .files
        .iter()
        .filter_map(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()))
        .collect();
    println!("  measurements.csv machine.txt {}", names.join(" "));
    if STOP.load(Ordering::SeqCst) {
        println!("Stopped early; what was measured is complete as far as it goes.");
    }
    let failed = table.verdicts().iter().any(|(verdict, _)| verdict.is_failure());
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// Columns of the terminal on standard output; `None` where there is none.
fn terminal_width() -> Option<u16> {
    let terminal = console::Term::stdout();
    terminal.is_term().then(|| terminal.size_checked().map(|(_, columns)| columns)).flatten()
}

/// `runs/<date and time>`, in UTC.
fn default_dir() -> PathBuf {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs());
    let (days, seconds) = ((now / 86_400) as i64, now % 86_400);
    let (year, month, day) = civil(days);
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    PathBuf::from(format!("runs/{year:04}-{month:02}-{day:02}T{h:02}-{m:02}-{s:02}"))
}

/// Year, month and day of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible
/// low-level date algorithms").
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_777), (2026, 11, 20));
    }
}

//! `run` and `bench`: verify, measure, report.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use play::{Rules, Via};
use rayon::prelude::*;
use reports::render::{TerminalOptions, table_terminal};
use reports::{Phase, Run, Sample, SampleWriter, Verdict};

use super::select::{self, Usage};
use super::{BenchArgs, Cli, Command, Measuring, Outcome, RunArgs, StudyArgs};
use crate::begun::{self, Begun};
use crate::client::{Bounds, Program, Worker};
use crate::entry::Entry;
use crate::lineup::{self, Lineup};
use crate::machine;
use crate::measure::{self, Done, Entrant, Protocol};
use crate::output;
use crate::subject::{Failure, Subject};
use crate::ui::Ui;
use crate::verify::{Effort, verify};

/// Set by Ctrl-C: the current sample is finished, the reports are written, and that is all.
static STOP: AtomicBool = AtomicBool::new(false);

/// What is run when nothing is asked for.
const DEFAULT_SUITE: &str = "core";

pub(super) fn run(args: &RunArgs) -> Result<Outcome> {
    match &args.resume {
        Some(folder) => resume(folder, args.measuring.quiet),
        None => run_from(args, None),
    }
}

pub(super) fn study(args: &StudyArgs) -> Result<Outcome> {
    study_from(args, None)
}

pub(super) fn bench(args: &BenchArgs) -> Result<Outcome> {
    bench_from(args, None)
}

/// Goes on with the run in a folder as it was begun, but for what it prints.
fn resume(folder: &Path, quiet: bool) -> Result<Outcome> {
    let begun = Begun::read(folder)?;
    begun.may_go_on()?;
    let words = std::iter::once("ggpbench".to_owned()).chain(begun.arguments.iter().cloned());
    let cli = Cli::try_parse_from(words)
        .with_context(|| format!("{} names no command of this program", folder.display()))?;
    let here = Some(folder.to_owned());
    match cli.command {
        Some(Command::Run(mut args)) => {
            args.measuring.out = here;
            args.measuring.quiet |= quiet;
            run_from(&args, Some(begun))
        }
        Some(Command::Bench(mut args)) => {
            args.measuring.out = here;
            args.measuring.quiet |= quiet;
            bench_from(&args, Some(begun))
        }
        Some(Command::Study(mut args)) => {
            args.measuring.out = here;
            args.measuring.quiet |= quiet;
            study_from(&args, Some(begun))
        }
        _ => bail!("{} was not made by `run`, `study` or `bench`", folder.display()),
    }
}

fn run_from(args: &RunArgs, begun: Option<Begun>) -> Result<Outcome> {
    let entries = chosen(args)?;
    let games = entries.iter().map(|entry| entry.id.clone()).collect();
    let entries = match args.shard {
        Some(shard) => shard.of(entries),
        None => entries,
    };
    let (lineup, bounds) = (args.engines.lineup()?, args.engines.bounds()?);
    carry_out(&entries, &lineup, &bounds, &args.measuring, games, begun)
}

/// The games that the command line asks for.
pub(super) fn chosen(args: &RunArgs) -> Result<Vec<Entry>> {
    // All of the built-in catalogue takes longer than somebody who just looks around will wait.
    let chosen = !args.games.is_empty() || args.place.catalogue.is_some();
    let suite = args.suite.as_deref().or((!chosen).then_some(DEFAULT_SUITE));
    args.place.entries(&args.games, suite)
}

fn study_from(args: &StudyArgs, begun: Option<Begun>) -> Result<Outcome> {
    let entries = select::sizes(&args.families, &args.sizes, args.folder.as_deref())?;
    let games = entries.iter().map(|entry| entry.id.clone()).collect();
    let (lineup, bounds) = (args.engines.lineup()?, args.engines.bounds()?);
    carry_out(&entries, &lineup, &bounds, &args.measuring, games, begun)
}

fn bench_from(args: &BenchArgs, begun: Option<Begun>) -> Result<Outcome> {
    let entries = args.files.entries()?;
    let games = entries.iter().map(|entry| entry.id.clone()).collect();
    let (lineup, bounds) = (args.engines.lineup()?, args.engines.bounds()?);
    carry_out(&entries, &lineup, &bounds, &args.measuring, games, begun)
}

/// A pair that is to be measured or reported, with its verdict.
struct Pair<'a> {
    program: &'a Program,
    rules: &'a Rules,
    verdict: Verdict,
    reason: String,
}

/// Verifies, measures and reports; `begun` is the record of a run that goes on.
fn carry_out(
    entries: &[Entry],
    lineup: &Lineup,
    bounds: &Bounds,
    how: &Measuring,
    games: Vec<String>,
    begun: Option<Begun>,
) -> Result<Outcome> {
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
    let playing = all_pairs.iter().flat_map(|(_, pairs)| pairs).map(|p| p.program.engine.as_str());
    select::check_baseline(how.baseline.as_deref(), playing)?;
    let dir = match &how.out {
        Some(dir) => dir.clone(),
        None => default_dir(),
    };
    let (mut writer, earlier) = match begun {
        Some(begun) if begun.games == games => go_on(&dir, lineup, how.seed)?,
        Some(_) => bail!("the games are not those that the run in {} began with", dir.display()),
        None => (begin(&dir, games, lineup, how.seed)?, Vec::new()),
    };
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    if machine::is_debug_build() && !how.quiet {
        errln!(
            "warning: this is a debug build; its figures mean nothing. Use `cargo run --release`."
        );
    }

    // Games are measured one after the other: all before the last that has rows are done.
    let has_rows =
        |(entry, _): &(&Entry, Vec<Pair<'_>>)| earlier.iter().any(|r| r.game == entry.id);
    let first = all_pairs.iter().rposition(has_rows).unwrap_or(0);
    let left = all_pairs.into_iter().skip(first).collect();
    let left = if how.no_verify { left } else { verify_all(left, bounds, how) };
    // Somebody who wants quick figures does not want to wait for better ones.
    let patience = (protocol.sample * 30).min(Duration::from_secs(3));
    if !measure::settle_machine(patience) && !how.quiet {
        errln!(
            "warning: the machine is busy with something else; close it, or read the intervals with care."
        );
    }
    // A run that was stopped before it measured anything has no games that were not verified.
    if !STOP.load(Ordering::SeqCst) {
        measure_all(&left, bounds, how, &protocol, &earlier, &mut writer)?;
    }

    finish(&dir, how)
}

/// Makes the folder of a new run. Its record comes first, so that a folder with anything in it can
/// go on, and only where there is no run yet, since nothing of that one may change.
fn begin(dir: &Path, games: Vec<String>, lineup: &Lineup, seed: u64) -> Result<SampleWriter> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    if dir.join(reports::rows::FILE_NAME).exists() || dir.join(begun::FILE_NAME).exists() {
        bail!(
            "there is a run in {} already; go on with it by --resume, or choose another folder",
            dir.display()
        );
    }
    Begun::now(games).write(dir)?;
    open_rows(dir, lineup, seed)
}

/// Opens the folder of a run that goes on: where to write more, and its rows so far.
fn go_on(dir: &Path, lineup: &Lineup, seed: u64) -> Result<(SampleWriter, Vec<Sample>)> {
    let writer = open_rows(dir, lineup, seed)?;
    Ok((writer, Run::load(dir)?.samples))
}

fn open_rows(dir: &Path, lineup: &Lineup, seed: u64) -> Result<SampleWriter> {
    let machine = dir.join(reports::run::MACHINE_FILE);
    if !machine.exists() {
        std::fs::write(&machine, machine::describe(seed, &lineup.versions()))
            .with_context(|| format!("cannot write {}", machine.display()))?;
    }
    Ok(SampleWriter::append(&dir.join(reports::rows::FILE_NAME))?)
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
    earlier: &[Sample],
    writer: &mut SampleWriter,
) -> Result<()> {
    let cells: usize = all.iter().map(|(_, pairs)| pairs.len()).sum();
    let ui = Ui::new("measure", cells as u64 * u64::from(protocol.rounds), how.quiet);
    let mut trouble = None;
    for (entry, pairs) in all {
        let earlier: Vec<Sample> =
            earlier.iter().filter(|row| row.game == entry.id).cloned().collect();
        let mut rows = earlier.clone();
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
        measure_game(entry, pairs, bounds, how, protocol, &earlier, &mut emit);
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
    earlier: &[Sample],
    emit: &mut dyn FnMut(&Sample),
) {
    let mut workers: Vec<(Worker, Sample)> = Vec::new();
    for pair in pairs {
        let own = || earlier.iter().filter(|row| row.engine == pair.program.engine);
        let blank = blank_row(entry, pair, how);
        let failed = |row: &Sample| own().any(|r| r.phase == Phase::None && same_column(r, row));
        if failed(&blank) && own().all(|row| row.phase == Phase::None) {
            continue; // it was not to be had at all
        }
        // A wrong engine is not measured: its figures could not be shown.
        let loaded = if matches!(pair.verdict, Verdict::Ok | Verdict::Unchecked) {
            lineup::load(pair.program, pair.rules, bounds)
        } else {
            Err(Failure::new(pair.verdict, pair.reason.clone()))
        };
        let worker = match loaded {
            Ok(worker) => worker,
            Err(failure) => {
                emit(&failure_row(&blank, failure));
                continue;
            }
        };
        let batch = worker.loaded().is_some_and(|loaded| loaded.batch);
        // A process for each column, so that peak memory is that column's own.
        let mut first = Some(worker);
        for mut row in columns(&blank, how, batch) {
            if failed(&row) {
                continue;
            }
            let worker = match first.take() {
                Some(worker) => Ok(worker),
                None => lineup::load(pair.program, pair.rules, bounds),
            };
            match worker {
                Ok(worker) => {
                    describe_load(&mut row, &worker);
                    workers.push((worker, row));
                }
                Err(failure) => emit(&failure_row(&row, failure)),
            }
        }
    }
    let mut entrants: Vec<Entrant<'_>> = workers
        .iter_mut()
        .map(|(worker, row)| {
            let same = |r: &&Sample| r.engine == row.engine && same_column(r, row);
            let done = Done::of(earlier.iter().filter(same));
            Entrant::new(worker, row.clone(), entry.cap, done)
        })
        .collect();
    measure::measure(&mut entrants, protocol, emit, &|| STOP.load(Ordering::SeqCst));
}

/// The columns to measure an engine in, as rows that say so.
fn columns(blank: &Sample, how: &Measuring, batch: bool) -> Vec<Sample> {
    let mut columns = Vec::new();
    for &via in how.via.iter().filter(|&&via| batch || via != Via::Batch) {
        for &threads in &how.threads {
            let jobs: Vec<Option<u64>> = match how.job[..] {
                [] => vec![None],
                _ => how.job.iter().map(|&job| Some(job)).collect(),
            };
            for job in jobs {
                columns.push(Sample { via: column_via(via), threads, job, ..blank.clone() });
            }
        }
    }
    columns
}

/// Whether rows of an engine are of the same column.
fn same_column(one: &Sample, other: &Sample) -> bool {
    (one.via, one.threads, one.job) == (other.via, other.threads, other.job)
}

/// The word for it in a row.
fn column_via(via: Via) -> reports::Via {
    match via {
        Via::Fast => reports::Via::Fast,
        Via::Reference => reports::Via::Reference,
        Via::Batch => reports::Via::Batch,
    }
}

fn describe_load(row: &mut Sample, worker: &Worker) {
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
    row.tokens = roster::tokens(pair.rules);
    row.threads = how.threads.first().copied().unwrap_or(1);
    row.job = how.job.first().copied();
    if let Some((family, size)) = &entry.size {
        row.family.clone_from(family);
        row.size = Some(u64::from(*size));
    }
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
    let run = Run::load(dir)?;
    if run.samples.is_empty() {
        bail!("stopped before anything was measured. {}", how_to_go_on(dir));
    }
    let options =
        reports::Options { baseline: how.baseline.clone(), ..reports::Options::default() };
    let written = reports::write_all(dir, &options)?;
    let table = run.table();
    let colour = std::io::stdout().is_terminal();
    let options = TerminalOptions { width: terminal_width(), colour };
    // As it is, since its colours are escape sequences of our own.
    output::raw(&format!("{}\n", table_terminal(&table, options)))?;
    outln!("Playouts per CPU second. Written to {}:", dir.display())?;
    let names: Vec<String> = written
        .files
        .iter()
        .filter_map(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()))
        .collect();
    outln!("  measurements.csv machine.txt {}", names.join(" "))?;
    if STOP.load(Ordering::SeqCst) {
        outln!("Stopped early; what was measured is complete. {}", how_to_go_on(dir))?;
    }
    let failed = table.verdicts().iter().any(|(verdict, _)| verdict.is_failure());
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

fn how_to_go_on(dir: &Path) -> String {
    format!("Go on with `ggpbench run --resume {}`.", dir.display())
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

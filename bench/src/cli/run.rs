//! `run` and `bench`: verify, measure, report.

mod records;
mod visits;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use reports::render::{TerminalOptions, table_terminal};
use reports::{Run, Sample, SampleWriter};

use self::records::{RunRecord, WrittenRecord};
use super::json;
use super::select::{self, Usage};
use super::{BenchArgs, Cli, Command, Measuring, Outcome, RunArgs, StudyArgs, rows};
use crate::boards;
use crate::client::Bounds;
use crate::clock;
use crate::engine_set::EngineSet;
use crate::entry::Entry;
use crate::machine;
use crate::measure;
use crate::output;
use crate::run_config::{self, RunConfig};
use crate::verify::Phases;

/// Set by Ctrl-C: the current sample is finished, the reports are written, and that is all.
static STOP: AtomicBool = AtomicBool::new(false);

/// The suite that is run when nothing is asked for.
const DEFAULT_SUITE: &str = "core";

pub(super) fn run(args: &RunArgs) -> Result<Outcome> {
    match &args.resume {
        Some(folder) => resume(folder, &args.measuring),
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
fn resume(folder: &Path, printed: &Measuring) -> Result<Outcome> {
    select::there(folder)?;
    let config = RunConfig::read(folder)?;
    let words = std::iter::once("ggpbench".to_owned()).chain(config.arguments.iter().cloned());
    let cli = Cli::try_parse_from(words)
        .with_context(|| format!("{} names no command of this program", folder.display()))?;
    let here = Some(folder.to_owned());
    match cli.command {
        Some(Command::Run(mut args)) => {
            args.measuring.out = here;
            args.measuring.quiet |= printed.quiet;
            args.measuring.json = printed.json;
            run_from(&args, Some(config))
        }
        Some(Command::Bench(mut args)) => {
            args.measuring.out = here;
            args.measuring.quiet |= printed.quiet;
            args.measuring.json = printed.json;
            bench_from(&args, Some(config))
        }
        Some(Command::Study(mut args)) => {
            args.measuring.out = here;
            args.measuring.quiet |= printed.quiet;
            args.measuring.json = printed.json;
            study_from(&args, Some(config))
        }
        _ => bail!("{} was not made by `run`, `study` or `bench`", folder.display()),
    }
}

fn run_from(args: &RunArgs, earlier_config: Option<RunConfig>) -> Result<Outcome> {
    let entries = chosen(args)?;
    let whole = RunConfig::now(&entries, args.measuring.seed);
    let entries = match args.shard {
        Some(shard) => shard.of(entries),
        None => entries,
    };
    let engine_set = args.engines.engine_set_of(args.suite.as_deref())?;
    let bounds = args.engines.bounds()?;
    carry_out(&entries, &engine_set, &bounds, &args.measuring, &whole, earlier_config)
}

/// The games that the command line asks for.
pub(super) fn chosen(args: &RunArgs) -> Result<Vec<Entry>> {
    // All of the built-in catalogue takes longer than somebody who just looks around will wait.
    let chosen = !args.games.is_empty() || args.place.catalogue.is_some();
    let suite = args.suite.as_deref().or((!chosen).then_some(DEFAULT_SUITE));
    args.at.of_one(args.place.entries(&args.games, suite)?)
}

fn study_from(args: &StudyArgs, earlier_config: Option<RunConfig>) -> Result<Outcome> {
    let place = select::CatalogueArgs { catalogue: args.catalogue.clone(), ..Default::default() };
    let folder = args.folder.as_deref();
    let sizes = (&args.sizes[..], &args.parameters[..]);
    let entries = select::sizes(&args.families, sizes, folder, &place.load()?)?;
    let whole = RunConfig::now(&entries, args.measuring.seed);
    let (engine_set, bounds) = (args.engines.engine_set()?, args.engines.bounds()?);
    carry_out(&entries, &engine_set, &bounds, &args.measuring, &whole, earlier_config)
}

fn bench_from(args: &BenchArgs, earlier_config: Option<RunConfig>) -> Result<Outcome> {
    let entries = args.at.of_one(args.files.entries()?)?;
    let whole = RunConfig::now(&entries, args.measuring.seed);
    let (engine_set, bounds) = (args.engines.engine_set()?, args.engines.bounds()?);
    carry_out(&entries, &engine_set, &bounds, &args.measuring, &whole, earlier_config)
}

/// Verifies, measures and reports: `whole` is the run, all shards included, as it would begin now;
/// `earlier_config` the record of one that goes on.
fn carry_out(
    entries: &[Entry],
    engine_set: &EngineSet,
    bounds: &Bounds,
    how: &Measuring,
    whole: &RunConfig,
    earlier_config: Option<RunConfig>,
) -> Result<Outcome> {
    let protocol = how.protocol.with(how.processes, how.rounds);
    if let Some(core) = how.core
        && !machine::has_core(core)
    {
        return Err(
            Usage(format!("this process may not run on core {core}: see `taskset -p $$`")).into()
        );
    }
    let bounds = &Bounds { core: how.core, ..*bounds };
    let all_pairs: Vec<_> = entries.iter().map(|entry| (entry, engine_set.pairs(entry))).collect();
    if all_pairs.iter().all(|(_, pairs)| pairs.is_empty()) {
        return Err(Usage("no engine reads any of these games".to_owned()).into());
    }
    let playing =
        all_pairs.iter().flat_map(|(_, pairs)| pairs).map(|(program, _)| program.engine.as_str());
    select::check_baseline(how.baseline.as_deref(), playing)?;
    let dir = match &how.out {
        Some(dir) => dir.clone(),
        None => default_dir(),
    };
    let (mut writer, earlier) = match earlier_config {
        Some(config) => {
            config
                .may_go_on(whole)
                .with_context(|| format!("cannot go on in {}", dir.display()))?;
            go_on(&dir, engine_set, how.seed)?
        }
        None => (begin(&dir, whole, engine_set, how.seed)?, Vec::new()),
    };
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            crate::process::kill_all();
            std::process::exit(super::INTERRUPTED.into());
        }
    });
    if machine::is_debug_build() && !how.quiet {
        errln!(
            "warning: this is a debug build; its figures mean nothing. Use `cargo run --release`."
        );
    }

    if how.json.json {
        let games = entries.iter().map(|entry| &*entry.id).collect();
        let dir = dir.to_string_lossy().into_owned();
        json::record("run", RunRecord { dir, seed: how.seed, games })?;
    } else if !how.quiet {
        errln!("seed {}", how.seed);
    }
    let start = Instant::now();
    let mut plan = visits::Plan::new(all_pairs, whole, &protocol, how, &earlier);
    if !how.quiet
        && earlier.is_empty()
        && let Some(words) = long(plan.sampling())
    {
        errln!(
            "note: the samples of this run take about {words} in all, proofs and warming up not \
             counted; a stopped run goes on with `ggpbench run --resume {}`",
            dir.display()
        );
    }
    let mut phases = Vec::new();
    if !how.no_verify {
        let of_proof = plan.verify(bounds)?;
        phases.push(("verifying", start.elapsed()));
        if !how.quiet {
            let seconds = start.elapsed().as_secs_f64();
            errln!("verified in {seconds:.1} s, of which {}", shares(&of_proof));
        }
    }
    // Somebody who wants quick figures does not want to wait for better ones.
    let patience = (protocol.sample * 30).min(Duration::from_secs(3));
    let settling = Instant::now();
    if !measure::settle_machine(patience) {
        errln!(
            "warning: the machine is busy with something else; close it, or read the intervals \
             with care."
        );
    }
    phases.push(("waiting for a quiet machine", settling.elapsed()));
    // A run that was stopped before it measured anything has no games that were not verified.
    if !STOP.load(Ordering::SeqCst) {
        phases.extend(plan.measure(bounds, &mut writer)?);
    }
    if !how.json.json {
        print_phases(&phases, start.elapsed())?;
    }
    boards::write(&dir, entries);
    finish(&dir, how)
}

/// A time that somebody may not want to wait, in words.
fn long(time: Duration) -> Option<String> {
    match time.as_secs() / 60 {
        0..10 => None,
        minutes @ 10..120 => Some(format!("{minutes} minutes")),
        minutes => Some(format!("{} hours", (minutes + 30) / 60)),
    }
}

/// Makes the folder of a new run. Its record comes first, so that a folder with anything in it can
/// go on, and only where there is no run yet, since nothing of that one may change.
fn begin(dir: &Path, whole: &RunConfig, engine_set: &EngineSet, seed: u64) -> Result<SampleWriter> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    if dir.join(reports::rows::FILE_NAME).exists() || dir.join(run_config::FILE_NAME).exists() {
        bail!(
            "there is a run in {} already; go on with it by --resume, or choose another folder",
            dir.display()
        );
    }
    whole.write(dir)?;
    open_rows(dir, engine_set, seed)
}

/// Opens the folder of a run that goes on: where to write more, and its rows so far.
fn go_on(dir: &Path, engine_set: &EngineSet, seed: u64) -> Result<(SampleWriter, Vec<Sample>)> {
    let known = Run::load(dir);
    if let Ok(run) = &known {
        rows::refuse_faults(dir, run)?;
    }
    let writer = open_rows(dir, engine_set, seed)?;
    // Where there were no rows yet, the writer has made the file.
    let run = known.or_else(|_| Run::load(dir))?;
    Ok((writer, run.samples))
}

fn open_rows(dir: &Path, engine_set: &EngineSet, seed: u64) -> Result<SampleWriter> {
    let machine = dir.join(reports::run::MACHINE_FILE);
    if !machine.exists() {
        std::fs::write(&machine, machine::describe(seed, &engine_set.versions()))
            .with_context(|| format!("cannot write {}", machine.display()))?;
    }
    Ok(SampleWriter::append(&dir.join(reports::rows::FILE_NAME))?)
}

/// The share of each phase in the time of a proof.
fn shares(phases: &Phases) -> String {
    let phases = phases.named();
    let whole: Duration = phases.iter().map(|(_, took)| *took).sum();
    let share = |took: Duration| 100.0 * took.as_secs_f64() / whole.as_secs_f64().max(1e-9);
    let parts = phases.map(|(name, took)| format!("{:.0} % {name}", share(took)));
    parts.join(", ")
}

/// Says where the time of a run went.
fn print_phases(phases: &[(&str, Duration)], whole: Duration) -> Result<()> {
    let mut left = whole;
    let mut line = format!("{:.0} s in all", whole.as_secs_f64());
    for (name, took) in phases {
        left = left.saturating_sub(*took);
        line += &format!(", {:.1} s {name}", took.as_secs_f64());
    }
    Ok(output::paragraph(&format!("{line}, {:.1} s other", left.as_secs_f64()))?)
}

/// Writes the reports and prints the table; fails if a pair failed.
fn finish(dir: &Path, how: &Measuring) -> Result<Outcome> {
    let run = rows::load(dir)?;
    if run.samples.is_empty() {
        bail!("stopped before anything was measured. {}", how_to_go_on(dir));
    }
    let options =
        reports::Options { baseline: how.baseline.clone(), ..reports::Options::default() };
    let written = reports::write_all(dir, &options)?;
    let table = run.table();
    let outcome = Outcome::of(table.verdicts().iter().map(|(verdict, _)| *verdict));
    if how.json.json {
        records::print_cells(&table)?;
        let rows = dir.join(reports::rows::FILE_NAME);
        let files = [reports::rows::checksums_of(&rows), dir.join(reports::run::MACHINE_FILE)];
        let files = std::iter::once(rows).chain(files).chain(written.files);
        let names = files.filter_map(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()));
        let (dir, stopped) = (dir.to_string_lossy().into_owned(), STOP.load(Ordering::SeqCst));
        json::record("written", WrittenRecord { dir, files: names.collect(), stopped })?;
        return Ok(outcome);
    }
    let colour = output::has_colour();
    let options = TerminalOptions { width: output::width(), colour };
    // As it is, since its colours are escape sequences of our own.
    output::raw(&format!("{}\n", table_terminal(&table, options)))?;
    output::paragraph(&format!("Playouts per CPU second. Written to {}:", dir.display()))?;
    let names: Vec<String> = written
        .files
        .iter()
        .filter_map(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()))
        .collect();
    output::paragraph(&format!(
        "  measurements.csv measurements.checksums machine.txt {}",
        names.join(" ")
    ))?;
    if STOP.load(Ordering::SeqCst) {
        let how = how_to_go_on(dir);
        output::paragraph(&format!("Stopped early; what was measured is complete. {how}"))?;
    }
    rows::print_answer(&written)?;
    Ok(outcome)
}

fn how_to_go_on(dir: &Path) -> String {
    format!("Go on with `ggpbench run --resume {}`.", dir.display())
}

/// `runs/<date and time>`, in UTC.
fn default_dir() -> PathBuf {
    Path::new("runs").join(clock::utc().replace(' ', "T").replace(':', "-"))
}

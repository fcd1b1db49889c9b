//! `conform`: a folder of rule files, each on every engine that reads it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use reports::Verdict;
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json};
use super::select::{Names, Usage, bounds, there};
use crate::conform::{self, Choices, Known, Mistakes, Oracle, Records, Row, Rows, Settings};
use crate::ui::Ui;

#[derive(Args, Clone, Debug)]
pub(super) struct ConformArgs {
    /// Folder of rule files: .lud, .kif (or .gdl), .rbg, .rg (or .hrg), at any depth
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Folder of games that another system recorded, laid out as DIR: x/y.jsonl.gz for x/y.kif
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,
    /// JSON file of figures that another system gave: leaf counts, mean lengths of playouts
    #[arg(long, value_name = "FILE")]
    oracle: Option<PathBuf>,
    /// CSV file with the columns `file` and `reason`: records and figures that are known to be
    /// wrong
    #[arg(long, value_name = "FILE")]
    mistakes: Option<PathBuf>,
    /// Folder for rows.csv and summary.md [default: runs/conform-<name of DIR>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Options of rule files, as Heading/Item, to be chosen together; files without one are left
    /// out
    #[arg(long = "option", value_name = "NAME", conflicts_with = "all_options")]
    options: Vec<String>,
    /// Play each file with its default options, and with each other one by itself, up to 64 of them
    #[arg(long)]
    all_options: bool,
    #[command(flatten)]
    engines: Names,
    /// Files checked at the same time [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Seconds that an engine may take to compile a file, to replay its record, to count leaves
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    seconds: f64,
    /// Memory limit of each worker in GiB; 0 for none
    #[arg(long, default_value_t = 4.0, value_name = "GIB")]
    memory: f64,
    /// Seconds for each of: random playouts, fingerprints, walks with another engine
    #[arg(long, default_value_t = 0.25, value_name = "SECONDS")]
    play: f64,
    /// Plies after which a playout is given up
    #[arg(long, default_value_t = 500)]
    cap: u32,
    /// Seed of everything drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Do files again that have a row with one of these statuses, such as timeout,crashed
    #[arg(long, value_delimiter = ',', value_name = "STATUSES")]
    again: Vec<Verdict>,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    json: Json,
}

/// A file on an engine: what `rows.csv` says of it, but for figures that only some engines give.
#[derive(Serialize)]
struct RowRecord<'a> {
    file: &'a str,
    sha256: &'a str,
    engine: &'a str,
    status: Verdict,
    reason: &'a str,
    players: u8,
    warnings: u64,
    compile_ms: f64,
    peak_mib: u64,
    playouts: u64,
    mean_plies: Option<f64>,
    capped: u64,
    stuck: u64,
    record_says: conform::Record,
    trials: u64,
    trials_agreed: u64,
    record_note: &'a str,
    figures: conform::Record,
    perft_depth: Option<u32>,
    perft_leaves: Option<u64>,
    lengths: conform::Record,
    figures_note: &'a str,
    peers: Vec<&'a str>,
    peer_depth: Option<u32>,
    peer_walks: u32,
}

impl<'a> From<&'a Row> for RowRecord<'a> {
    fn from(row: &'a Row) -> RowRecord<'a> {
        RowRecord {
            file: &row.file,
            sha256: &row.sha256,
            engine: &row.engine,
            status: row.status,
            reason: &row.reason,
            players: row.players,
            warnings: row.warnings,
            compile_ms: row.compile_ms,
            peak_mib: row.peak_mib,
            playouts: row.playouts,
            mean_plies: row.mean_plies,
            capped: row.capped,
            stuck: row.stuck,
            record_says: row.record,
            trials: row.trials,
            trials_agreed: row.trials_agreed,
            record_note: &row.record_note,
            figures: row.figures,
            perft_depth: row.perft_depth,
            perft_leaves: row.perft_leaves,
            lengths: row.lengths,
            figures_note: &row.figures_note,
            peers: row.peers.split_whitespace().collect(),
            peer_depth: row.peer_depth,
            peer_walks: row.peer_walks,
        }
    }
}

#[derive(Serialize)]
struct WrittenRecord {
    dir: String,
    files: [&'static str; 2],
}

/// The most ways to choose options that are tried of a file.
const MOST_OPTIONS: usize = 65;

pub(super) fn conform(args: &ConformArgs) -> Result<Outcome> {
    let engine_set = args.engines.engine_set()?;
    if !(0.0..=1e6).contains(&args.play) {
        return Err(Usage("--play must be a positive number".to_owned()).into());
    }
    let settings = Settings {
        bounds: bounds(args.memory, "--seconds", args.seconds)?,
        play: Duration::from_secs_f64(args.play),
        cap: args.cap,
        seed: args.seed,
    };
    let given = [&args.traces, &args.oracle, &args.mistakes].into_iter().flatten();
    given.chain([&args.folder]).try_for_each(|path| there(path))?;
    let files = conform::rule_files(&args.folder)?;
    let read = |file: &conform::RuleFile| {
        engine_set.programs().iter().any(|p| p.languages.iter().any(|l| l == file.language.name()))
    };
    let files: Vec<_> = files.into_iter().filter(read).collect();
    if files.is_empty() {
        let message = format!("no engine reads any file in {}", args.folder.display());
        return Err(Usage(message).into());
    }
    let choices = match (args.all_options, &args.options[..]) {
        (true, _) => Choices::All(MOST_OPTIONS),
        (_, []) => Choices::Defaults,
        (_, names) => Choices::Named(names.to_vec()),
    };
    let files = conform::with_options(files, &choices);
    if files.is_empty() {
        let names = args.options.join("; ");
        let folder = args.folder.display();
        return Err(Usage(format!("no file in {folder} has the options {names}")).into());
    }
    let known = Known {
        records: Records { folder: args.traces.clone() },
        oracle: args.oracle.as_deref().map(Oracle::read).transpose()?.unwrap_or_default(),
        mistakes: args.mistakes.as_deref().map(Mistakes::read).transpose()?.unwrap_or_default(),
    };
    let out = args.out.clone().unwrap_or_else(|| default_folder(&args.folder));
    std::fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    // Files that are gone are dropped, and so are rows that are to be done again.
    let there = |row: &Row| files.binary_search_by(|f| f.name.as_str().cmp(&row.file)).is_ok();
    let path = out.join("rows.csv");
    let mut rows = Rows::open(&path, |row| there(row) && !args.again.contains(&row.status))?;

    let ui = Ui::new("conform", files.len() as u64, args.quiet);
    let progress = |file: &str, rows: &[Row]| {
        ui.step(1, file);
        for row in rows.iter().filter(|r| r.status.is_failure()) {
            ui.line(&format!("{} {}: {}: {}", row.file, row.engine, row.status, row.reason));
        }
    };
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| jobs as usize,
    );
    let done = conform::run(&files, &engine_set, &known, &settings, jobs, &mut rows, &progress);
    ui.finish();
    let rows = rows.finish()?;
    done?;
    let summary = conform::summary(&rows);
    std::fs::write(out.join("summary.md"), &summary)
        .with_context(|| format!("cannot write to {}", out.display()))?;
    if args.json.json {
        for row in &rows {
            json::record("row", RowRecord::from(row))?;
        }
        let dir = out.to_string_lossy().into_owned();
        json::record("written", WrittenRecord { dir, files: ["rows.csv", "summary.md"] })?;
    } else {
        outln!("{summary}{} rows are in {}", rows.len(), path.display())?;
    }
    let failed = rows.iter().any(|row| row.status.is_failure());
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// Results of a folder have a place of their own, so that the same command goes on after a stop.
fn default_folder(folder: &std::path::Path) -> PathBuf {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().map_or_else(|| "root".into(), |n| n.to_string_lossy());
    PathBuf::from("runs").join(format!("conform-{name}"))
}

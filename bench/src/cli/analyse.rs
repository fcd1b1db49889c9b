//! `analyse`: figures of games, from random games of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use rayon::prelude::*;
use reports::Verdict;
use reports::format::plain;
use reports::stats::Estimate;
use reports::text::{csv_field, printable};
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json, Range};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Engines, Usage, entry_of};
use crate::analysis::{Bin, Effort, Figures};
use crate::conform;
use crate::engine_set::{self, EngineSet};
use crate::entry::Entry;
use crate::failure::Failure;
use crate::output;
use crate::subject::Subject;
use crate::ui::Ui;

#[derive(Args, Clone, Debug)]
pub(super) struct AnalyseArgs {
    /// Games of the catalogue by id, rule files, or folders of rule files [default: the catalogue]
    games: Vec<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Most games that are played of each game
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
    /// Plies after which no more games are played of a game
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    plies: u64,
    /// Plies after which a game is given up, for games that are not of the catalogue
    #[arg(long, default_value_t = DEFAULT_CAP)]
    cap: u32,
    /// Seed of everything drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games analysed at the same time [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Print each figure with its meaning and a histogram of lengths, as for a single game
    #[arg(long)]
    details: bool,
    /// Write a row of figures with their intervals for each game
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    engines: Engines,
    #[command(flatten)]
    json: Json,
}

/// A figure of games, as tables, files and records name it.
struct Column {
    /// Its name in files and records.
    name: &'static str,
    /// Its heading in the table; empty where the table has no room for it.
    heading: &'static str,
    /// True of shares, which people read in percent.
    is_share: bool,
    meaning: &'static str,
    of: fn(&Figures) -> Option<Estimate>,
}

/// All figures, in the order in which they are printed.
const COLUMNS: [Column; 14] = [
    Column {
        name: "plies",
        heading: "plies",
        is_share: false,
        meaning: "plies of a game, forced passes left out",
        of: |figures| Some(figures.plies.mean),
    },
    Column {
        name: "actions",
        heading: "actions",
        is_share: false,
        meaning: "legal actions at a ply",
        of: |figures| figures.actions,
    },
    Column {
        name: "actions_of_choices",
        heading: "",
        is_share: false,
        meaning: "legal actions at a ply with more than one",
        of: |figures| figures.actions_of_choices,
    },
    Column {
        name: "choices",
        heading: "choices",
        is_share: true,
        meaning: "plies with more than one legal action",
        of: |figures| figures.choices,
    },
    Column {
        name: "over",
        heading: "",
        is_share: true,
        meaning: "games that end by the rules",
        of: |figures| Some(figures.ends.over),
    },
    Column {
        name: "capped",
        heading: "capped",
        is_share: true,
        meaning: "games given up at the ply cap",
        of: |figures| Some(figures.ends.capped),
    },
    Column {
        name: "stuck",
        heading: "",
        is_share: true,
        meaning: "games in which nothing is legal, and which are not over",
        of: |figures| Some(figures.ends.stuck),
    },
    Column {
        name: "drawn",
        heading: "drawn",
        is_share: true,
        meaning: "games that end with the same payoff for all",
        of: |figures| figures.ends.drawn,
    },
    Column {
        name: "first_wins",
        heading: "first wins",
        is_share: true,
        meaning: "games in which the first player's payoff is above all others",
        of: |figures| figures.ends.first_wins,
    },
    Column {
        name: "lead_changes",
        heading: "lead changes",
        is_share: false,
        meaning: "changes of the lead in a game, by 32 playouts from each of 16 positions",
        of: |figures| figures.lead_changes,
    },
    Column {
        name: "luck",
        heading: "luck",
        is_share: true,
        meaning: "variance of the first player's payoff that comes from chance alone",
        of: |figures| figures.luck,
    },
    Column {
        name: "log10_paths",
        heading: "log10 paths",
        is_share: false,
        meaning: "sum over a game of log10 of the legal actions",
        of: |figures| Some(figures.log_tree),
    },
    Column {
        name: "log10_leaves",
        heading: "",
        is_share: false,
        meaning: "log10 of Knuth's estimate of the leaves of the game tree",
        of: |figures| Some(Estimate { value: figures.log_leaves, interval: None }),
    },
    Column {
        name: "positions",
        heading: "positions \u{2265}",
        is_share: false,
        meaning: "different positions that random games reach, at least (Chao)",
        of: |figures| figures.positions,
    },
];

impl Column {
    /// An estimate as people read it: with half the width of its interval in the table.
    fn cell(&self, figures: &Figures) -> String {
        let Some(estimate) = (self.of)(figures) else { return "\u{2013}".to_owned() };
        let (scale, unit) = if self.is_share { (100.0, " %") } else { (1.0, "") };
        let half = scale * (estimate.high() - estimate.low()) / 2.0;
        let value = plain(scale * estimate.value, 3);
        match estimate.interval {
            Some(_) if half > 0.0 => format!("{value} \u{b1}{}{unit}", plain(half, 2)),
            _ => format!("{value}{unit}"),
        }
    }

    fn line(&self, figures: &Figures) -> Option<String> {
        let estimate = (self.of)(figures)?;
        let (scale, unit) = if self.is_share { (100.0, " %") } else { (1.0, "") };
        let [value, low, high] =
            [estimate.value, estimate.low(), estimate.high()].map(|value| plain(scale * value, 3));
        let interval =
            estimate.interval.map_or_else(String::new, |_| format!(" ({low}\u{2013}{high})"));
        Some(format!(
            "  {:18} {:26} {}",
            self.name,
            format!("{value}{interval}{unit}"),
            self.meaning
        ))
    }
}

/// A game, and what came of it.
struct Row {
    game: String,
    engine: String,
    figures: Result<Figures, Failure>,
}

/// The record of a game: its columns, and what no column says.
#[derive(Serialize)]
struct Analysis<'a> {
    game: &'a str,
    engine: &'a str,
    status: Verdict,
    reason: &'a str,
    games: u64,
    figures: BTreeMap<&'static str, Option<Range>>,
    payoffs: Vec<Range>,
    most_actions: Option<u32>,
    positions_seen: Option<u64>,
    plies_deviation: Option<f64>,
    plies_quantiles: Option<[u32; 5]>,
    lengths: Vec<Bin>,
}

impl<'a> From<&'a Row> for Analysis<'a> {
    fn from(row: &'a Row) -> Analysis<'a> {
        let figures = row.figures.as_ref().ok();
        let of = |column: &Column| figures.and_then(column.of).map(Range::from);
        let failure = row.figures.as_ref().err();
        Analysis {
            game: &row.game,
            engine: &row.engine,
            status: failure.map_or(Verdict::Ok, |failure| failure.verdict),
            reason: failure.map_or("", |failure| &failure.reason),
            games: figures.map_or(0, |figures| figures.games),
            figures: COLUMNS.iter().map(|column| (column.name, of(column))).collect(),
            payoffs: figures.map_or_else(Vec::new, |figures| {
                figures.payoffs.iter().map(|&e| e.into()).collect()
            }),
            most_actions: figures.map(|figures| figures.most_actions),
            positions_seen: figures.map(|figures| figures.positions_seen),
            plies_deviation: figures.map(|figures| figures.plies.deviation),
            plies_quantiles: figures.map(|figures| figures.plies.quantiles),
            lengths: figures.map_or_else(Vec::new, |figures| figures.plies.bins.clone()),
        }
    }
}

pub(super) fn analyse(args: &AnalyseArgs) -> Result<Outcome> {
    let mut entries = entries(args)?;
    if args.at.is_given() {
        let [(_, Ok(entry))] = &mut entries[..] else {
            return Err(Usage("--position is of one game".to_owned()).into());
        };
        *entry = args.at.of(entry.clone())?;
    }
    let engine_set = args.engines.engine_set()?;
    let bounds = args.engines.bounds()?;
    let effort = |entry: &Entry| Effort {
        seed: args.seed,
        games: args.playouts,
        plies: args.plies,
        cap: entry.cap,
    };
    let ui = Ui::new("analyse", entries.len() as u64, args.quiet);
    let jobs = args.jobs.unwrap_or(0) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let rows: Vec<Row> = pool.context("cannot start threads")?.install(|| {
        let one = |(name, entry): &(String, Result<Entry, Failure>)| {
            let row = match entry {
                Ok(entry) => row(name, entry, &effort(entry), &engine_set, &bounds),
                Err(failure) => {
                    Row { game: name.clone(), engine: String::new(), figures: Err(failure.clone()) }
                }
            };
            ui.step(1, name);
            row
        };
        entries.par_iter().map(one).collect()
    });
    ui.finish();
    if let Some(path) = &args.csv {
        let shown = path.display();
        std::fs::write(path, csv(&rows)).with_context(|| format!("cannot write {shown}"))?;
    }
    if args.json.json {
        rows.iter().try_for_each(|row| json::record("analysis", Analysis::from(row)))?;
    } else {
        print(&rows, args.details || rows.len() == 1)?;
    }
    let verdicts = rows.iter().filter_map(|row| row.figures.as_ref().err());
    Ok(Outcome::of(verdicts.map(|failure| failure.verdict)))
}

/// The games that are named, by their names; files that cannot be read with the reason.
fn entries(args: &AnalyseArgs) -> Result<Vec<(String, Result<Entry, Failure>)>> {
    if args.games.is_empty() {
        let all = args.place.entries(&[], None)?;
        return Ok(all.into_iter().map(|entry| (entry.id.clone(), Ok(entry))).collect());
    }
    let mut entries = Vec::new();
    for target in &args.games {
        if !Path::new(target).is_dir() {
            let entry = entry_of(target, &args.place, &args.options, args.cap)?;
            entries.push((entry.id.clone(), Ok(entry)));
            continue;
        }
        for file in conform::rule_files(Path::new(target))? {
            let read = Entry::of_files(&[file.path], &args.options, args.cap);
            let entry = read
                .map(|mut entries| entries.pop())
                .map_err(|error| Failure::new(Verdict::Invalid, output::chain(&error)));
            entries.extend(entry.transpose().map(|entry| (file.name, entry)));
        }
    }
    if entries.is_empty() {
        return Err(Usage(format!("no rule files in {}", args.games.join(", "))).into());
    }
    Ok(entries)
}

/// The figures of a game by the first engine that loads it.
fn row(
    name: &str,
    entry: &Entry,
    effort: &Effort,
    engine_set: &EngineSet,
    bounds: &crate::client::Bounds,
) -> Row {
    let mut refused = None;
    for (program, rules) in engine_set.pairs(entry) {
        let figures = engine_set::load(program, rules, bounds)
            .and_then(|mut worker| worker.analyse(effort))
            .and_then(|sampled| {
                let none = || Failure::new(Verdict::Unsupported, "no game was played");
                Figures::of(&sampled).ok_or_else(none)
            });
        let row = Row { game: name.to_owned(), engine: program.engine.clone(), figures };
        if row.figures.is_ok() {
            return row;
        }
        refused.get_or_insert(row);
    }
    refused.unwrap_or_else(|| Row {
        game: name.to_owned(),
        engine: String::new(),
        figures: Err(Failure::new(Verdict::Unsupported, "no engine that takes part reads it")),
    })
}

fn print(rows: &[Row], details: bool) -> Result<()> {
    let mut table = Table::new();
    let shown = || COLUMNS.iter().filter(|column| !column.heading.is_empty());
    let heads = ["game", "engine", "games"].into_iter().chain(shown().map(|column| column.heading));
    table.load_style(NOTHING).set_header(heads);
    for row in rows {
        let Ok(figures) = &row.figures else { continue };
        if details {
            outln!("{} on {}, {} games", printable(&row.game), row.engine, figures.games)?;
            for line in COLUMNS.iter().filter_map(|column| column.line(figures)) {
                outln!("{line}")?;
            }
            histogram(&figures.plies.bins)?;
            continue;
        }
        let start =
            [printable(&row.game).into_owned(), row.engine.clone(), figures.games.to_string()];
        table.add_row(start.into_iter().chain(shown().map(|column| column.cell(figures))));
    }
    if table.row_iter().next().is_some() {
        output::table(&mut table)?;
    }
    for row in rows {
        if let Err(failure) = &row.figures {
            outln!("{} {}: {}: {}", row.game, row.engine, failure.verdict, failure.reason)?;
        }
    }
    Ok(())
}

/// The widest bar of a histogram.
const BAR: u64 = 40;

/// Prints how many games were how long.
fn histogram(bins: &[Bin]) -> Result<()> {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
    for Bin { from, to, count } in bins {
        let bar = "#".repeat((count * BAR).div_ceil(most) as usize);
        let range = if from == to { from.to_string() } else { format!("{from}\u{2013}{to}") };
        outln!("  {range:>13} plies {count:>7} {bar}")?;
    }
    Ok(())
}

/// A row for each game, with the ends of intervals in columns of their own.
fn csv(rows: &[Row]) -> String {
    let mut out = "game,engine,status,reason,games".to_owned();
    for Column { name, .. } in &COLUMNS {
        out += &format!(",{name},{name}_low,{name}_high");
    }
    out += ",payoffs,most_actions,positions_seen,plies_deviation,plies_least,plies_5,plies_50,\
            plies_95,plies_greatest\n";
    for row in rows {
        let record = Analysis::from(row);
        let texts = [&row.game, &row.engine, record.status.word(), record.reason].map(csv_field);
        out += &format!("{},{}", texts.join(","), record.games);
        let figures = row.figures.as_ref().ok();
        for column in &COLUMNS {
            out += &figures.and_then(column.of).map_or_else(
                || ",,,".to_owned(),
                |e| format!(",{},{},{}", e.value, e.low(), e.high()),
            );
        }
        let Some(figures) = figures else {
            out += &",".repeat(9);
            out.push('\n');
            continue;
        };
        let payoffs: Vec<String> = figures.payoffs.iter().map(|e| e.value.to_string()).collect();
        out += &format!(
            ",{},{},{},{}",
            payoffs.join(" "),
            figures.most_actions,
            figures.positions_seen,
            figures.plies.deviation
        );
        for quantile in figures.plies.quantiles {
            out += &format!(",{quantile}");
        }
        out.push('\n');
    }
    out
}

//! `perft`: leaf counts on every engine, side by side.

use std::time::Instant;

use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use reports::Verdict;
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Engines, entry_of};
use crate::engine_set;
use crate::failure::Failure;
use crate::subject::Subject;

#[derive(Args, Clone, Debug)]
pub(super) struct PerftArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Deepest level
    #[arg(long, short, default_value_t = 4)]
    depth: u32,
    /// Positions that may be visited at each level
    #[arg(long, default_value_t = 200_000_000)]
    budget: u64,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    engines: Engines,
    #[command(flatten)]
    json: Json,
}

/// The count of an engine at a depth, or the reason why there is none.
#[derive(Serialize)]
struct Level {
    engine: String,
    /// Nothing where the engine has not loaded the game.
    depth: Option<u32>,
    leaves: Option<u64>,
    seconds: Option<f64>,
    /// The count that the catalogue has recorded.
    recorded: Option<u64>,
    /// `agrees` or `WRONG` where something is recorded, `over budget`, or what became of the
    /// engine.
    verdict: Option<String>,
    reason: Option<String>,
}

impl Level {
    /// The record of a game that was not loaded, or not counted to a depth.
    fn failure(engine: &str, depth: Option<u32>, failure: &Failure) -> Level {
        Level {
            engine: engine.to_owned(),
            depth,
            leaves: None,
            seconds: None,
            recorded: None,
            verdict: Some(failure.verdict.to_string()),
            reason: Some(failure.reason.clone()),
        }
    }

    fn cells(&self) -> [String; 5] {
        let depth = self.depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string());
        let (leaves, verdict) = match (self.leaves, &self.verdict, &self.reason) {
            (Some(leaves), verdict, _) => (leaves.to_string(), verdict.clone()),
            (None, Some(verdict), Some(reason)) if verdict != OVER_BUDGET => {
                (format!("{verdict}: {reason}"), None)
            }
            (None, _, reason) => (reason.clone().unwrap_or_default(), None),
        };
        let seconds = self.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}"));
        [self.engine.clone(), depth, leaves, seconds, verdict.unwrap_or_default()]
    }
}

const OVER_BUDGET: &str = "over budget";

/// A depth at which engines counted differently.
#[derive(Serialize)]
struct Disagreement {
    depth: usize,
}

pub(super) fn perft(args: &PerftArgs) -> Result<Outcome> {
    let entry = args.at.of(entry_of(&args.game, &args.place, &args.options, DEFAULT_CAP)?)?;
    let engine_set = args.engines.engine_set()?;
    let bounds = args.engines.bounds()?;
    let mut table = Table::new();
    let header = ["engine", "depth", "leaves", "seconds", "recorded"];
    table.load_style(NOTHING).set_header(header);
    let mut show = |level: &Level| -> Result<()> {
        if args.json.json {
            json::record("level", level)?;
        } else {
            table.add_row(level.cells());
        }
        Ok(())
    };
    let mut verdicts = Vec::new();
    let mut levels: Vec<Vec<u64>> = vec![Vec::new(); args.depth as usize];
    for (program, rules) in engine_set.pairs(&entry) {
        let mut subject = match engine_set::load(program, rules, &bounds) {
            Ok(subject) => subject,
            Err(failure) => {
                verdicts.push(failure.verdict);
                show(&Level::failure(&program.engine, None, &failure))?;
                continue;
            }
        };
        for warning in subject.loaded().into_iter().flat_map(|loaded| &loaded.warnings) {
            errln!("{}: {warning}", program.engine);
        }
        for (depth, counted) in (1..=args.depth).zip(&mut levels) {
            let recorded = entry.expected.perft.get(depth as usize - 1).copied();
            let level = match count(&mut subject, depth, args.budget, recorded) {
                Ok(level) => level,
                Err(failure) => {
                    verdicts.push(failure.verdict);
                    Level::failure(&program.engine, Some(depth), &failure)
                }
            };
            counted.extend(level.leaves);
            if level.leaves.is_some_and(|leaves| recorded.is_some_and(|known| known != leaves)) {
                verdicts.push(Verdict::Wrong);
            }
            show(&level)?;
            if level.leaves.is_none() {
                break;
            }
        }
    }
    if !args.json.json {
        outln!("{table}")?;
    }
    for (depth, counts) in (1..).zip(&levels) {
        if counts.windows(2).any(|two| two[0] != two[1]) {
            verdicts.push(Verdict::Disputed);
            if args.json.json {
                json::record("disagreement", Disagreement { depth })?;
            } else {
                outln!("WRONG: the engines disagree at depth {depth}")?;
            }
        }
    }
    Ok(Outcome::of(verdicts))
}

/// Counts the leaves at one depth.
fn count(
    subject: &mut dyn Subject,
    depth: u32,
    budget: u64,
    recorded: Option<u64>,
) -> Result<Level, Failure> {
    let start = Instant::now();
    let counts = subject.perft(depth, budget)?;
    let leaves = counts.map(|counts| counts.last().copied().unwrap_or(0));
    let (verdict, reason) = match (leaves, recorded) {
        (None, _) => (Some(OVER_BUDGET), Some(format!("over the budget of {budget} positions"))),
        (Some(_), None) => (None, None),
        (Some(leaves), Some(known)) => {
            (Some(if known == leaves { "agrees" } else { "WRONG" }), None)
        }
    };
    Ok(Level {
        engine: subject.name().to_owned(),
        depth: Some(depth),
        leaves,
        seconds: leaves.is_some().then(|| start.elapsed().as_secs_f64()),
        recorded,
        verdict: verdict.map(str::to_owned),
        reason,
    })
}

//! `perft`: leaf counts on every engine, side by side.

use std::time::Instant;

use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use reports::Verdict;

use super::Outcome;
use super::select::{DEFAULT_CAP, Engines, Where, entry_of};
use crate::lineup;
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
    place: Where,
    #[command(flatten)]
    engines: Engines,
}

pub(super) fn perft(args: &PerftArgs) -> Result<Outcome> {
    let entry = entry_of(&args.game, &args.place, &args.options, DEFAULT_CAP)?;
    let lineup = args.engines.lineup()?;
    let bounds = args.engines.bounds()?;
    let mut table = Table::new();
    let header = ["engine", "depth", "leaves", "seconds", "recorded"];
    table.load_style(NOTHING).set_header(header);
    let mut verdicts = Vec::new();
    let mut levels: Vec<Vec<(String, u64)>> = vec![Vec::new(); args.depth as usize];
    for (program, rules) in lineup.pairs(&entry) {
        let mut subject = match lineup::load(program, rules, &bounds) {
            Ok(subject) => subject,
            Err(failure) => {
                verdicts.push(failure.verdict);
                table.add_row([&program.engine, "-", &failure.to_string(), "", ""]);
                continue;
            }
        };
        for depth in 1..=args.depth {
            let start = Instant::now();
            let row = match subject.perft(depth, args.budget) {
                Ok(Some(counts)) => {
                    let leaves = counts.last().copied().unwrap_or(0);
                    levels[depth as usize - 1].push((program.engine.clone(), leaves));
                    let recorded = entry.expected.perft.get(depth as usize - 1);
                    let verdict = match recorded {
                        None => "",
                        Some(&r) if r == leaves => "agrees",
                        Some(_) => "WRONG",
                    };
                    if verdict == "WRONG" {
                        verdicts.push(Verdict::Wrong);
                    }
                    let seconds = format!("{:.3}", start.elapsed().as_secs_f64());
                    [
                        program.engine.clone(),
                        depth.to_string(),
                        leaves.to_string(),
                        seconds,
                        verdict.into(),
                    ]
                }
                Ok(None) => {
                    let over = format!("over the budget of {} positions", args.budget);
                    [program.engine.clone(), depth.to_string(), over, String::new(), String::new()]
                }
                Err(failure) => {
                    verdicts.push(failure.verdict);
                    let reason = failure.to_string();
                    [
                        program.engine.clone(),
                        depth.to_string(),
                        reason,
                        String::new(),
                        String::new(),
                    ]
                }
            };
            let done = row[3].is_empty();
            table.add_row(row);
            if done {
                break;
            }
        }
    }
    outln!("{table}")?;
    for (level, counts) in levels.iter().enumerate() {
        if counts.windows(2).any(|w| w[0].1 != w[1].1) {
            outln!("WRONG: the engines disagree at depth {}", level + 1)?;
            verdicts.push(Verdict::Disputed);
        }
    }
    Ok(Outcome::of(verdicts))
}

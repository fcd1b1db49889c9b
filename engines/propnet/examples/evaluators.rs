//! Plays rule files and prints playouts per CPU second:
//! `measure [--work=STEPS] [--only=A|B|Q] [--count=PLAYOUTS] [--kit] [-v] FILE...`
//!
//! Evaluators A and B are measured each by itself; `Q`, which picks the quicker one, if it is asked
//! for. Jobs grow until one takes long enough, or all have the count given. With `--kit` the
//! conformance kit is run first, with `-v` the sizes of what was built are shown.

use std::time::Instant;

use play::{Adapted, Game, Job, Limits, Via, kit};
use propnet::{Evaluator, PropnetGame};

/// CPU time of this thread in seconds, where the kernel tells; else the wall clock since `start`.
fn cpu(start: Instant) -> f64 {
    let ticks = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = ticks.and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn main() {
    let (mut with_kit, mut verbose) = (false, false);
    let mut limits = Limits::default();
    let mut fixed = None;
    let both = vec![('A', Evaluator::Event), ('B', Evaluator::Batch)];
    let mut evaluators = both.clone();
    for path in std::env::args().skip(1) {
        if let Some(work) = path.strip_prefix("--work=") {
            limits.work = work.parse().expect("a number of steps");
            continue;
        }
        if let Some(count) = path.strip_prefix("--count=") {
            fixed = Some(count.parse::<u64>().expect("a number of playouts"));
            continue;
        }
        if let Some(only) = path.strip_prefix("--only=") {
            evaluators.clone_from(&both);
            evaluators.push(('Q', Evaluator::Quickest));
            evaluators.retain(|(name, _)| only.contains(*name));
            continue;
        }
        if path == "-v" {
            verbose = true;
            continue;
        }
        if path == "--kit" {
            with_kit = true;
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let source = text::Source::new(path.clone(), text);
        for &(letter, evaluator) in &evaluators {
            let start = Instant::now();
            let game = match PropnetGame::new(&source, evaluator, &limits) {
                Ok((game, _)) => Adapted::new(game),
                Err(error) => {
                    println!("{path}: {}", error.one_line(&source));
                    continue;
                }
            };
            let compiled = start.elapsed();
            if with_kit {
                let effort = kit::Effort { playouts: 200, ..kit::Effort::default() };
                let report = kit::check(&game, &effort);
                println!("{path}: fast {:?}", report.fast);
                for fault in report.faults {
                    println!("  {fault}");
                }
            }
            let (mut count, mut first) = (fixed.unwrap_or(1), 0);
            let (mut played, mut spent) = (0, 0.0);
            loop {
                let job = Job { seed: 7, first, count, cap: 10_000 };
                let play = || {
                    let start = Instant::now();
                    let before = cpu(start);
                    let tally = game.run(&job, Via::Fast);
                    (tally, cpu(start) - before)
                };
                // The first long job may have to find out things.
                if first == 0 {
                    play();
                }
                let (tally, seconds) = play();
                played += count;
                spent += seconds;
                if spent < 0.3 && played < 1 << 40 {
                    if fixed.is_none() {
                        count *= if seconds < 0.05 { 8 } else { 2 };
                        (played, spent) = (0, 0.0);
                    } else {
                        first += count;
                    }
                    continue;
                }
                let name = path.trim_end_matches("/rules.kif").rsplit('/').next().unwrap_or("");
                println!(
                    "{name:24} {letter} {:>10.0}/s  mean plies {:8.3} capped {} stuck {} scores {:?} compile {compiled:.1?}",
                    played as f64 / spent,
                    tally.mean_plies().0,
                    tally.capped,
                    tally.stuck,
                    tally.score_sums().iter().map(|&s| s as f64 / count as f64).collect::<Vec<_>>(),
                );
                if verbose {
                    println!("{:24} {:?}", "", game.facts().build);
                    for stage in game.stages() {
                        println!("{:24} {stage:?}", "");
                    }
                }
                break;
            }
        }
    }
}

//! Plays rule files and prints playouts per CPU second: `measure [--work=STEPS] [--kit] [-v] FILE...`
//!
//! With `--kit` the conformance kit is run first, with `-v` the sizes of what was built are shown.

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
    for path in std::env::args().skip(1) {
        if let Some(work) = path.strip_prefix("--work=") {
            limits.work = work.parse().expect("a number of steps");
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
        for evaluator in [Evaluator::Event, Evaluator::Batch] {
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
            let mut count = 1;
            loop {
                let job = Job { seed: 7, first: 0, count, cap: 10_000 };
                let start = Instant::now();
                let before = cpu(start);
                let tally = game.run(&job, Via::Fast);
                let seconds = cpu(start) - before;
                if seconds < 0.3 && count < 1 << 40 {
                    count *= if seconds < 0.05 { 8 } else { 2 };
                    continue;
                }
                let name = path.trim_end_matches("/rules.kif").rsplit('/').next().unwrap_or("");
                println!(
                    "{name:24} {} {:>10.0}/s  mean plies {:8.3} capped {} stuck {} scores {:?} compile {compiled:.1?}",
                    if evaluator == Evaluator::Event { 'A' } else { 'B' },
                    count as f64 / seconds,
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

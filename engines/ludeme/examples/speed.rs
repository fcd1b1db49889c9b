//! Playouts per CPU second, plies per playout and compile time of descriptions:
//! `speed FILES.. [--seconds N] [--via WAY]`; a line each, tab separated. Compile time is the best
//! of five; the way is `fast`, or another one that the game has.

use std::path::Path;
use std::time::Duration;

use ludeme::LudemeEngine;
use nix::time::{ClockId, clock_gettime};
use play::{Engine, Job, Language, Limits, Rules, Via};

/// CPU time of this thread.
fn cpu() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut option = |name: &str| {
        let at = files.iter().position(|a| a == name)?;
        files.drain(at..files.len().min(at + 2)).nth(1)
    };
    let seconds = option("--seconds").and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let via = option("--via").map_or(Ok(Via::Fast), |s| s.parse());
    let via = via.unwrap_or_else(|problem| panic!("{problem}"));
    println!("file\tplayouts/s\tplies\tcompile ms");
    for file in &files {
        match line(file, seconds, via) {
            Ok(line) => println!("{file}\t{line}"),
            Err(problem) => println!("{file}\t{problem}"),
        }
    }
}

fn line(file: &str, seconds: f64, via: Via) -> Result<String, String> {
    let text = std::fs::read_to_string(Path::new(file)).map_err(|e| e.to_string())?;
    let rules = Rules::new(Language::Lud, file, text);
    let compile = || {
        let start = cpu();
        let compiled = LudemeEngine.compile(&rules, &Limits::default());
        (compiled, cpu().saturating_sub(start))
    };
    let (compiled, mut best) = compile();
    let game = compiled.map_err(|e| e.one_line(&rules.source))?.game;
    for _ in 0..4 {
        best = best.min(compile().1);
    }
    let (mut count, mut first, mut plies, mut playouts) = (1, 0, 0, 0);
    let mut spent = Duration::ZERO;
    let mut warm = false;
    while spent.as_secs_f64() < seconds {
        let job = Job { seed: 1, first, count, cap: 10_000 };
        let start = cpu();
        let tally = game.run(&job, via);
        let took = cpu().saturating_sub(start);
        first += count;
        // The first jobs find out how long one takes, and do what is done once.
        if !warm {
            warm = took.as_secs_f64() >= seconds / 20.0;
            count *= 1 + u64::from(!warm);
            continue;
        }
        spent += took;
        playouts += tally.playouts;
        plies += tally.plies;
    }
    let speed = playouts as f64 / spent.as_secs_f64();
    let length = plies as f64 / playouts as f64;
    Ok(format!("{speed:.0}\t{length:.2}\t{:.2}", best.as_secs_f64() * 1000.0))
}

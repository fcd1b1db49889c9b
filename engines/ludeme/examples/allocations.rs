//! Whether playouts ask the allocator for memory: `allocations FILES.. [--playouts N]`; a line
//! each, tab separated, with what N further playouts ask for after as many have been played in the
//! same job.

use std::path::Path;

use allocation_counter::measure;
use ludeme::LudemeEngine;
use play::{Engine, Job, Language, Limits, Rules, Via};

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut playouts = 20;
    if let Some(at) = files.iter().position(|a| a == "--playouts") {
        let rest: Vec<String> = files.drain(at..).collect();
        playouts = rest.get(1).and_then(|n| n.parse().ok()).unwrap_or(playouts);
    }
    println!("file\tallocations\tbytes\tplies");
    for file in &files {
        match line(file, playouts) {
            Ok(line) => println!("{file}\t{line}"),
            Err(problem) => println!("{file}\t{problem}"),
        }
    }
}

fn line(file: &str, playouts: u64) -> Result<String, String> {
    let text = std::fs::read_to_string(Path::new(file)).map_err(|e| e.to_string())?;
    let rules = Rules::new(Language::Lud, file, text);
    let compiled = LudemeEngine.compile(&rules, &Limits::default());
    let game = compiled.map_err(|e| e.one_line(&rules.source))?.game;
    let run = |count| {
        let mut tally = None;
        let job = Job { seed: 1, first: 0, count, cap: 500 };
        let found = measure(|| tally = Some(game.run(&job, Via::Fast)));
        (found, tally)
    };
    // What grows while the same playouts are played for the first time is not counted.
    run(2 * playouts);
    let (before, _) = run(playouts);
    let (after, tally) = run(2 * playouts);
    let count = after.count_total as i64 - before.count_total as i64;
    let bytes = after.bytes_total as i64 - before.bytes_total as i64;
    Ok(format!("{count}\t{bytes}\t{}", tally.map_or(0, |tally| tally.plies)))
}

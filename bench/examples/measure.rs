//! Plays rule files in this process and prints playouts per CPU second:
//! `measure [OPTION]... FILE...`, options before the files that they are for.
//!
//! - `-s SECONDS`: how long each file is played.
//! - `-n PLAYOUTS`: plays so many playouts and prints their digest, for counting instructions and
//!   for comparing builds.
//! - `-p DEPTH`: prints leaf counts instead, as publications about the language count them; of RBG
//!   and Regular Games.
//! - `-c DEPTH`: the same by code, of Regular Games.
//! - `-o FILE`: compares leaf counts by the search and by code with those of a JSON file, up to a
//!   million: the member `perft` of the file's name, in `games`.
//! - `-r`, `-i`, `-l`: plays by the reference loop, by the interpreter in place of machine code, or
//!   by the actions that are listed for positions.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use play::{Game, Job, Language, Limits, Rules, Via};
use serde_json::Value;

/// The most plies of a playout.
const CAP: u32 = 1_000_000;

/// The most leaves that are counted to compare them.
const MOST_LEAVES: u64 = 1_000_000;

/// What is done with a file.
enum Task {
    Time(Duration),
    Playouts(u64),
    Leaves(u32),
    LeavesByCode(u32),
    /// Compares with figures.
    Compare(Value),
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut task = Task::Time(Duration::from_secs(1));
    let mut via = Via::Fast;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_default();
        match arg.as_str() {
            "-s" => task = Task::Time(Duration::from_secs_f64(value().parse()?)),
            "-n" => task = Task::Playouts(value().parse()?),
            "-p" => task = Task::Leaves(value().parse()?),
            "-c" => task = Task::LeavesByCode(value().parse()?),
            "-o" => task = Task::Compare(serde_json::from_str(&std::fs::read_to_string(value())?)?),
            "-r" => via = Via::Reference,
            "-i" => via = Via::Interpreted,
            "-l" => via = Via::Listed,
            file => measure(file, &task, via).map_err(|error| format!("{file}: {error}"))?,
        }
    }
    Ok(())
}

fn measure(file: &str, task: &Task, via: Via) -> Result<(), Box<dyn Error>> {
    let extension = Path::new(file).extension().unwrap_or_default().to_string_lossy();
    let language = Language::of_extension(&extension).ok_or("this is no rule file")?;
    let rules = Rules::new(language, file, std::fs::read_to_string(file)?);
    let begun = Instant::now();
    let said = match *task {
        Task::Time(_) | Task::Playouts(_) => return play(file, &rules, task, via),
        Task::Leaves(depth) => format!("{:?}", leaves(&rules, depth)?),
        Task::LeavesByCode(depth) => match leaves_by_code(&rules, depth)? {
            Some(counts) => format!("{counts:?}"),
            None => "no code".to_owned(),
        },
        Task::Compare(ref figures) => compared(file, &rules, figures)?,
    };
    println!("{file}: {said} in {:.1?}", begun.elapsed());
    Ok(())
}

/// Leaf counts by a search that the engine has beside its code.
fn leaves(rules: &Rules, depth: u32) -> Result<Vec<u64>, String> {
    let counts = match rules.language {
        Language::Rg => rg::perft(rules, &Limits::default(), depth),
        Language::Rbg => rbg::perft(&rules.source, &Limits::default(), depth),
        _ => return Err("`ggpbench perft` counts the leaves of this language".to_owned()),
    };
    counts.map_err(|error| error.one_line(&rules.source))
}

/// Leaf counts by code; `None` for a game without code.
fn leaves_by_code(rules: &Rules, depth: u32) -> Result<Option<Vec<u64>>, String> {
    match rules.language {
        Language::Rg => rg::perft_by_code(rules, &Limits::default(), depth)
            .map_err(|error| error.one_line(&rules.source)),
        _ => Err("only leaves of Regular Games are counted by code".to_owned()),
    }
}

/// The outcome of a comparison in words.
fn compared(file: &str, rules: &Rules, figures: &Value) -> Result<String, String> {
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    let known = figures["games"][&*name]["perft"].as_array().ok_or("no figures")?;
    let expected: Vec<u64> =
        known.iter().filter_map(Value::as_u64).take_while(|&count| count <= MOST_LEAVES).collect();
    let depth = expected.len() as u32;
    let verdict = |counts: &[u64]| if counts == expected { "agrees" } else { "DIFFERS" };
    let searched = leaves(rules, depth)?;
    let coded = leaves_by_code(rules, depth)?;
    let coded = coded.map_or("does not exist", |counts| verdict(&counts));
    let most = expected.iter().max().copied().unwrap_or_default();
    let searched = verdict(&searched);
    Ok(format!("{depth} plies, {most} leaves: the search {searched}, code {coded}"))
}

fn play(file: &str, rules: &Rules, task: &Task, via: Via) -> Result<(), Box<dyn Error>> {
    let engines = roster::engines();
    let engine = engines.iter().find(|engine| engine.languages().contains(&rules.language));
    let engine = engine.ok_or("no engine reads it")?;
    let begun = cpu();
    let compiled = engine.compile(rules, &Limits::default());
    let compiled = compiled.map_err(|error| error.one_line(&rules.source))?;
    let compiling = cpu().saturating_sub(begun);
    match *task {
        Task::Playouts(count) => {
            let job = Job { seed: 1, first: 0, count, cap: CAP };
            let tally = compiled.game.run(&job, via);
            println!("{file}: {} plies, digest {:016x}", tally.plies, tally.digest);
        }
        Task::Time(time) => {
            println!("{file:<50} {}", timed(&*compiled.game, time, via, compiling));
        }
        _ => {}
    }
    Ok(())
}

/// Plays for some time; the figures in words.
fn timed(game: &dyn Game, time: Duration, via: Via, compiling: Duration) -> String {
    let mut job = Job { seed: 1, first: 0, count: 1, cap: CAP };
    let (mut playouts, mut plies, mut stuck) = (0, 0, 0);
    let begun = cpu();
    let mut spent = Duration::ZERO;
    while spent < time {
        let tally = game.run(&job, via);
        playouts += tally.playouts;
        plies += tally.plies;
        stuck += tally.stuck;
        spent = cpu().saturating_sub(begun);
        let rate = playouts as f64 / spent.as_secs_f64().max(1e-6);
        let rest = time.saturating_sub(spent).as_secs_f64() * rate;
        job.first += job.count;
        job.count = (job.count * 2).min(20_000).min((rest as u64).max(1));
    }
    format!(
        "{:>12.1} playouts/s {:>9.3} plies  compiled in {:.1} ms{}",
        playouts as f64 / spent.as_secs_f64(),
        plies as f64 / playouts as f64,
        compiling.as_secs_f64() * 1e3,
        if stuck > 0 { format!("  {stuck} stuck") } else { String::new() }
    )
}

/// CPU time of this process as the scheduler of Linux counts it, or the wall clock where there is
/// none.
fn cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let wall = BEGUN.get_or_init(Instant::now).elapsed();
    let counted = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    counted.map_or(wall, Duration::from_nanos)
}

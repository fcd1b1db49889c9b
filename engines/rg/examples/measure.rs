//! Plays files and prints playouts per CPU second:
//! `measure [-p DEPTH] [-s SECONDS] [-n PLAYOUTS] [-r] FILE...`, options before the files that
//! they are for. With `-p` it prints leaf counts instead; `-n` plays so many playouts and prints
//! their digest, for counting instructions and comparing builds; `-r` plays by the reference loop.

use std::time::{Duration, Instant};

use play::{Engine, Job, Language, Limits, Rules, Via};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut depth, mut seconds, mut playouts) = (0, 1.0, 0);
    let mut via = Via::Fast;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-p" => depth = args.next().unwrap_or_default().parse()?,
            "-s" => seconds = args.next().unwrap_or_default().parse()?,
            "-n" => playouts = args.next().unwrap_or_default().parse()?,
            "-r" => via = Via::Reference,
            file => measure(file, depth, Duration::from_secs_f64(seconds), playouts, via)?,
        }
    }
    Ok(())
}

fn measure(
    file: &str,
    depth: u32,
    time: Duration,
    playouts: u64,
    via: Via,
) -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::new(Language::Rg, file, std::fs::read_to_string(file)?);
    let (begun, compiling) = (Instant::now(), cpu());
    if depth > 0 {
        let counts = rg::perft(&rules, &Limits::default(), depth)
            .map_err(|error| error.one_line(&rules.source))?;
        println!("{file}: {counts:?} in {:?}", begun.elapsed());
        return Ok(());
    }
    let compiled = rg::RgEngine
        .compile(&rules, &Limits::default())
        .map_err(|error| error.one_line(&rules.source))?;
    let compiling = cpu().saturating_sub(compiling);
    if std::env::var_os("IR").is_some() {
        println!("{}", compiled.game.ir().unwrap_or_default());
        return Ok(());
    }
    let name = std::path::Path::new(file).display();
    if playouts > 0 {
        let job = Job { seed: 1, first: 0, count: playouts, cap: 1_000_000 };
        let tally = compiled.game.run(&job, via);
        println!("{file}: {} plies, digest {:016x}", tally.plies, tally.digest);
        return Ok(());
    }
    let mut job = Job { seed: 1, first: 0, count: 1, cap: 1_000_000 };
    let (mut playouts, mut plies, mut stuck) = (0, 0, 0);
    let begun = cpu();
    let mut spent = Duration::ZERO;
    while spent < time {
        let tally = compiled.game.run(&job, via);
        playouts += tally.playouts;
        plies += tally.plies;
        stuck += tally.stuck;
        job.first += job.count;
        job.count = (job.count * 2).min(20_000);
        spent = cpu().saturating_sub(begun);
        let rate = playouts as f64 / spent.as_secs_f64().max(1e-6);
        let rest = (time.saturating_sub(spent)).as_secs_f64() * rate;
        job.count = job.count.min((rest as u64).max(1));
    }
    let rate = playouts as f64 / spent.as_secs_f64();
    println!(
        "{name:<50} {rate:>12.1} playouts/s {:>9.3} plies  compiled in {:.1} ms{}",
        plies as f64 / playouts as f64,
        compiling.as_secs_f64() * 1e3,
        if stuck > 0 { format!("  {stuck} stuck") } else { String::new() }
    );
    Ok(())
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

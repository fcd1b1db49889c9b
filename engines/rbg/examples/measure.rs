//! Plays files and prints playouts per CPU second:
//! `measure [-p DEPTH] [-s SECONDS] [-n PLAYOUTS] [-r] [-u] [-l] FILE...`, options before the files
//! that they are for. With `-p` it prints leaf counts instead; `-n` plays so many playouts (or
//! simulations) and prints their digest, for counting instructions and comparing builds; `-r` plays
//! by the reference loop. `-u` makes simulations of UCT from the start, in one tree; `-l` plays
//! position by position, with the moves of each listed, and prints plies.

use std::time::{Duration, Instant};

use play::{Engine, Game, Job, Language, Limits, NoChance, Rng, Rules, SearchSettings, Turn, Via};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut depth, mut seconds, mut playouts) = (0, 1.0, 0);
    let mut how = How::Playouts(Via::Fast);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-p" => depth = args.next().unwrap_or_default().parse()?,
            "-s" => seconds = args.next().unwrap_or_default().parse()?,
            "-n" => playouts = args.next().unwrap_or_default().parse()?,
            "-r" => how = How::Playouts(Via::Reference),
            "-u" => how = How::Simulations,
            "-l" => how = How::Listed,
            file => measure(file, depth, Duration::from_secs_f64(seconds), playouts, how)?,
        }
    }
    Ok(())
}

/// What is measured.
#[derive(Clone, Copy)]
enum How {
    Playouts(Via),
    /// Those of a search tree.
    Simulations,
    /// Playouts position by position.
    Listed,
}

fn measure(
    file: &str,
    depth: u32,
    time: Duration,
    playouts: u64,
    how: How,
) -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::new(Language::Rbg, file, std::fs::read_to_string(file)?);
    let (begun, compiling) = (Instant::now(), cpu());
    if depth > 0 {
        let counts = rbg::perft(&rules.source, &Limits::default(), depth)
            .map_err(|error| error.one_line(&rules.source))?;
        println!("{file}: {counts:?} in {:?}", begun.elapsed());
        return Ok(());
    }
    let compiled = rbg::RbgEngine
        .compile(&rules, &Limits::default())
        .map_err(|error| error.one_line(&rules.source))?;
    let compiling = cpu().saturating_sub(compiling);
    let name = std::path::Path::new(file).display();
    let via = match how {
        How::Playouts(via) => via,
        How::Simulations if playouts > 0 => {
            let start = compiled.game.open(&mut NoChance);
            let search = start.search(SearchSettings::default());
            let mut search = search.ok_or("a game of chance")?;
            search.simulate(playouts);
            println!("{file}: {} nodes, digest {:016x}", search.nodes(), search.digest());
            return Ok(());
        }
        How::Simulations => {
            let rate = simulations(&*compiled.game, time);
            println!("{name:<50} {rate:>12.1} simulations/s");
            return Ok(());
        }
        How::Listed => {
            let rate = listed(&*compiled.game, time);
            println!("{name:<50} {rate:>12.1} listed plies/s");
            return Ok(());
        }
    };
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

/// Simulations of UCT per CPU second.
fn simulations(game: &dyn Game, time: Duration) -> f64 {
    let start = game.open(&mut NoChance);
    let (mut made, mut part, begun) = (0, 1, cpu());
    let mut search = start.search(SearchSettings::default()).expect("there is no chance");
    loop {
        search.simulate(part);
        made += part;
        let spent = cpu().saturating_sub(begun);
        if spent >= time {
            return made as f64 / spent.as_secs_f64();
        }
        let rate = made as f64 / spent.as_secs_f64().max(1e-6);
        part = (2 * made).min((rate * time.saturating_sub(spent).as_secs_f64()) as u64).max(1);
    }
}

/// Plies per CPU second where the moves of each position are listed.
fn listed(game: &dyn Game, time: Duration) -> f64 {
    let (mut plies, begun) = (0u64, cpu());
    for id in 0.. {
        let mut rng = Rng::stream(1, id);
        let mut position = game.open(&mut rng);
        while position.turn() != Turn::Over && position.actions() > 0 {
            let action = rng.below(position.actions() as u32) as usize;
            if position.play(action, &mut rng).is_err() {
                break;
            }
            plies += 1;
        }
        if cpu().saturating_sub(begun) >= time {
            break;
        }
    }
    plies as f64 / cpu().saturating_sub(begun).as_secs_f64()
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

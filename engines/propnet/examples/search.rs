//! Prints how much searches gain where all playouts from a leaf are one job, per CPU second:
//! `search [--seconds=SECONDS] [--leaves=N,N,..] FILE...`
//!
//! A row of a table for each file and number of playouts from a leaf: simulations of UCT as the
//! engine plays them, side by side from one leaf or from several that it looks ahead to, and with
//! all playouts one after another; and the ratio of the same of playouts at once from a position
//! half way through a game. The example `positions` of `bench` has what is measured of every
//! engine.

use std::time::Instant;

use play::{
    Adapted, BuildFact, Game, Job, Limits, NoChance, Position, Rng, SearchSettings, Turn, Via,
    settle,
};
use propnet::{Evaluator, PropnetGame};
use text::Source;

/// Plies after which playouts and simulations are given up.
const CAP: u32 = 1000;

fn main() {
    let (mut seconds, mut leaves, mut files) = (0.5, vec![1, 16, 64, 256], Vec::new());
    for argument in std::env::args().skip(1) {
        if let Some(value) = argument.strip_prefix("--seconds=") {
            seconds = value.parse().expect("a number of seconds");
        } else if let Some(value) = argument.strip_prefix("--leaves=") {
            leaves = value.split(',').map(|n| n.parse().expect("numbers of playouts")).collect();
        } else {
            files.push(argument);
        }
    }
    println!("| game | side by side from | leaves | UCT | one by one | ratio | half way: ratio |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        rows(&Source::new(file, text), &leaves, seconds);
    }
}

fn rows(source: &Source, leaves: &[u32], seconds: f64) {
    let name = source.name().trim_end_matches("/rules.kif").rsplit('/').next().unwrap_or_default();
    let games = [Evaluator::Quickest, Evaluator::Event]
        .map(|evaluator| PropnetGame::new(source, evaluator, &Limits::default()));
    let [Ok((game, _)), Ok((one_by_one, _))] = games else {
        println!("| {name} | does not compile |");
        return;
    };
    let games = [Adapted::new(game), Adapted::new(one_by_one)];
    for &leaves in leaves {
        row(name, &games, leaves, seconds);
    }
}

/// Simulations with so many playouts from each leaf.
fn row(name: &str, games: &[Adapted<PropnetGame>; 2], leaves: u32, seconds: f64) {
    let [Some(simulations), Some(single)] = [0, 1].map(|i| simulated(&games[i], leaves, seconds))
    else {
        println!("| {name} | | {leaves} | no tree |");
        return;
    };
    let plies = mean_plies(&games[1]);
    let [at_once, one_by_one] =
        [0, 1].map(|i| at_once(&games[i], (plies / 2.0) as u32, leaves, seconds));
    let from = games[0].facts().built(BuildFact::SideBySideFrom);
    let from = from.map_or_else(String::new, |from| from.to_string());
    println!(
        "| {name} | {from} | {leaves} | {simulations:.0} | {single:.0} | {:.2} | {:.2} |",
        simulations / single,
        at_once / one_by_one,
    );
}

/// Playouts per second, of which so many begin at once from a position after so many plies.
fn at_once(game: &dyn Game, plies: u32, count: u32, seconds: f64) -> f64 {
    let position = (0..).map(|seed| after(game, plies, seed)).find_map(|position| position);
    let (Some(position), mut ends) = (position, Vec::new()) else { return f64::NAN };
    let count = u64::from(count);
    count as f64
        * rate(seconds, |times| {
            for first in (0..times).map(|time| time * count) {
                ends.clear();
                position.playouts(&Job { seed: 7, first, count, cap: CAP }, &mut ends);
            }
        })
}

/// Mean plies of a few playouts.
fn mean_plies(game: &dyn Game) -> f64 {
    game.run(&Job { seed: 7, first: 0, count: 100, cap: CAP }, Via::Fast).mean_plies().0
}

/// Simulations of a tree.
const SIMULATIONS: u64 = 1000;

/// Simulations of UCT from the start per second in trees of so many, each playout from a leaf
/// counted; `None` in games of chance.
fn simulated(game: &dyn Game, leaves: u32, seconds: f64) -> Option<f64> {
    let settings =
        SearchSettings { exploration: 0.7, cap: CAP, leaves, ..SearchSettings::default() };
    let start = game.open(&mut NoChance);
    start.search(settings)?;
    let search = || {
        if let Some(mut tree) = start.search(settings) {
            tree.simulate(SIMULATIONS);
        }
    };
    // What the first one has to lay out.
    search();
    let searches = rate(seconds, |count| (0..count).for_each(|_| search()));
    Some((u64::from(leaves) * SIMULATIONS) as f64 * searches)
}

/// A position after so many random plies; `None` if the game is over before.
fn after(game: &dyn Game, plies: u32, seed: u64) -> Option<Box<dyn Position>> {
    let mut rng = Rng::stream(9, seed);
    let mut position = game.open(&mut rng);
    for _ in 0..plies {
        settle(&mut *position, &mut rng);
        let actions = position.actions() as u32;
        if position.turn() == Turn::Over || actions == 0 {
            return None;
        }
        position.play(rng.below(actions) as usize, &mut rng).ok()?;
    }
    settle(&mut *position, &mut rng);
    (position.turn() != Turn::Over).then_some(position)
}

/// The rate per second of this thread at which something is done: it is done so many times at once,
/// more and more, until that takes long enough.
fn rate(seconds: f64, mut work: impl FnMut(u64)) -> f64 {
    let mut count = 1;
    // What the first one has to find out.
    work(count);
    loop {
        let start = Instant::now();
        let before = cpu(start);
        work(count);
        let spent = cpu(start) - before;
        if spent >= seconds || count >= 1 << 40 {
            return count as f64 / spent;
        }
        count *= if spent < seconds / 10.0 { 8 } else { 2 };
    }
}

/// CPU time of this thread in seconds, where the kernel tells; else the wall clock since `start`.
fn cpu(start: Instant) -> f64 {
    let ticks = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = ticks.and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

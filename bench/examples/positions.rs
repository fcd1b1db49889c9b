//! Prints how fast engines go on from positions, beside whole playouts:
//! `positions [--seconds=N] [--leaves=N] [--engines=A,B] GAME..`, where a game is an id of the
//! catalogue or a rule file.
//!
//! A row for each game and engine, all rates per second of CPU time: playouts from the start, as
//! the engine plays long jobs; playouts in jobs of one; playouts that list every position;
//! simulations of UCT from the start, in one tree that grows; these over playouts, and over those
//! in jobs of one; and plies of playouts from a position half way through a game, over plies of
//! playouts from the start, both played one after another.

use std::path::Path;

use anyhow::{Context, Result};
use bench::clock::process_cpu_ns;
use bench::entry::read_rules;
use games::Catalogue;
use play::{
    Game, Job, Language, Limits, NoChance, Position, Rng, Rules, SearchSettings, Turn, Via, settle,
};

/// Plies after which playouts and simulations are given up.
const CAP: u32 = 1000;

struct Options {
    seconds: f64,
    leaves: u32,
    engines: Vec<String>,
}

fn main() -> Result<()> {
    let mut options = Options { seconds: 0.5, leaves: 1, engines: Vec::new() };
    let mut games = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("--seconds", value)) => options.seconds = value.parse()?,
            Some(("--leaves", value)) => options.leaves = value.parse()?,
            Some(("--engines", value)) => {
                options.engines = value.split(',').map(str::to_owned).collect();
            }
            _ => games.push(argument),
        }
    }
    println!(
        "game\tengine\tplayouts\tone by one\tlisted\tsimulations\tover playouts\tover one by one\thalf way"
    );
    for game in &games {
        for rules in descriptions(game)? {
            for engine in roster::engines() {
                let wanted = options.engines.is_empty()
                    || options.engines.iter().any(|name| name == engine.id());
                if !wanted || !engine.languages().contains(&rules.language) {
                    continue;
                }
                let figures = match engine.compile(&rules, &Limits::default()) {
                    Ok(compiled) => figures(&*compiled.game, &options),
                    Err(error) => error.one_line(&rules.source),
                };
                println!("{game}\t{}\t{figures}", engine.id());
            }
        }
    }
    Ok(())
}

/// The descriptions of a game in all languages, or the one of a file.
fn descriptions(game: &str) -> Result<Vec<Rules>> {
    if Path::new(game).is_file() {
        return Ok(vec![read_rules(Path::new(game), &[])?]);
    }
    let catalogue = Catalogue::embedded().context("the catalogue")?;
    let entry = catalogue.get(game)?;
    Ok(Language::ALL.into_iter().filter_map(|language| entry.rules_in(language)).collect())
}

fn figures(game: &dyn Game, options: &Options) -> String {
    let seconds = options.seconds;
    let (playouts, _) = played(game, Via::Fast, u64::MAX, seconds);
    let listing = if game.facts().listed { Via::Listed } else { Via::Reference };
    let (listed, _) = played(game, listing, u64::MAX, seconds);
    let (single, plies) = played(game, Via::Fast, 1, seconds);
    let searched = simulated(game, options).map_or_else(
        || "-\t-\t-".to_owned(),
        |simulations| {
            let [over_playouts, over_single] = [playouts, single].map(|rate| simulations / rate);
            format!("{simulations:.0}\t{over_playouts:.3}\t{over_single:.3}")
        },
    );
    let half_way = half_way(game, (plies / 2.0) as u32, seconds) / (single * plies);
    format!("{playouts:.0}\t{single:.0}\t{listed:.0}\t{searched}\t{half_way:.2}")
}

/// The rate per second of `run(n)`, which does something n times and more often each time until
/// that has taken long enough. The first run, which may do one-time work, is not counted.
fn rate(seconds: f64, mut run: impl FnMut(u64) -> u64) -> f64 {
    run(1);
    let (mut count, mut done, mut spent) = (1, 0, 0.0);
    while spent < seconds {
        let start = process_cpu_ns();
        done += run(count);
        let took = (process_cpu_ns() - start) as f64 / 1e9;
        spent += took;
        if took < seconds / 10.0 {
            count *= 2;
        }
    }
    done as f64 / spent
}

/// Playouts a second in jobs of so many at most, and their mean plies.
fn played(game: &dyn Game, via: Via, most: u64, seconds: f64) -> (f64, f64) {
    let (mut first, mut plies) = (0, 0);
    let rate = rate(seconds, |count| {
        let jobs = Job { seed: 1, first, count, cap: CAP }.in_parts(most);
        plies += jobs.map(|job| game.run(&job, via).plies).sum::<u64>();
        first += count;
        count
    });
    (rate, plies as f64 / first as f64)
}

/// Simulations a second of a tree from the start; `None` where there is none.
fn simulated(game: &dyn Game, options: &Options) -> Option<f64> {
    if game.facts().chance {
        return None;
    }
    let leaves = options.leaves;
    let settings = SearchSettings { cap: CAP, leaves, ..SearchSettings::default() };
    let mut search = game.open(&mut NoChance).search(settings)?;
    Some(rate(options.seconds, |count| {
        search.simulate(count);
        count * u64::from(leaves)
    }))
}

/// Plies a second of playouts that begin so many plies after the start of random games.
fn half_way(game: &dyn Game, plies: u32, seconds: f64) -> f64 {
    let after = |number| position_after(game, plies, &mut Rng::stream(2, number));
    let positions: Vec<Box<dyn Position>> = (0..1000).filter_map(after).take(30).collect();
    let mut id = 0;
    rate(seconds, |count| {
        let mut plies = 0;
        for _ in 0..count {
            let Some(position) = positions.get(id as usize % positions.len().max(1)) else {
                return count;
            };
            plies += u64::from(position.playout(&mut Rng::stream(3, id), CAP).plies);
            id += 1;
        }
        plies
    })
}

/// A position of a random game; `None` if it is over before.
fn position_after(game: &dyn Game, plies: u32, rng: &mut Rng) -> Option<Box<dyn Position>> {
    let mut position = game.open(rng);
    settle(&mut *position, rng);
    for _ in 0..plies {
        let action = rng.below((position.actions() as u32).max(1)) as usize;
        position.play(action, rng).ok()?;
        settle(&mut *position, rng);
    }
    (position.turn() != Turn::Over && position.actions() > 0).then_some(position)
}

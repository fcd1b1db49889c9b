//! How fast positions are listed, moved on and searched, beside whole playouts:
//! `positions FILES.. [--seconds N]`; a line each, tab separated. All rates are per CPU second:
//! playouts, those of the reference loop, those that list every position through `Position`, their
//! plies, and simulations of `Position::search` from the start; the last column is the latter over
//! playouts.

use std::path::Path;
use std::time::Duration;

use ludeme::LudemeEngine;
use nix::time::{ClockId, clock_gettime};
use play::{Engine, Game, Job, Language, Limits, NoChance, Rng, Rules, SearchSettings, Via, kit};

/// CPU time of this thread.
fn cpu() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = 1.0;
    if let Some(at) = files.iter().position(|a| a == "--seconds") {
        let rest: Vec<String> = files.drain(at..).collect();
        seconds = rest.get(1).and_then(|s| s.parse().ok()).unwrap_or(seconds);
    }
    println!("file\tplayouts\treference\tlisted\tplies\tsimulations\tratio");
    for file in &files {
        match line(file, seconds) {
            Ok(line) => println!("{file}\t{line}"),
            Err(problem) => println!("{file}\t{problem}"),
        }
    }
}

/// How much of something is done in a second: it is done so many times, more often each time, until
/// it has taken so long; the first round, which does what is done once, is not counted.
fn rate(seconds: f64, mut run: impl FnMut(u64)) -> f64 {
    run(1);
    let (mut count, mut done, mut spent) = (1, 0, Duration::ZERO);
    while spent.as_secs_f64() < seconds {
        let start = cpu();
        run(count);
        let took = cpu().saturating_sub(start);
        spent += took;
        done += count;
        if took.as_secs_f64() < seconds / 10.0 {
            count *= 2;
        }
    }
    done as f64 / spent.as_secs_f64()
}

fn line(file: &str, seconds: f64) -> Result<String, String> {
    let text = std::fs::read_to_string(Path::new(file)).map_err(|e| e.to_string())?;
    let rules = Rules::new(Language::Lud, file, text);
    let compiled = LudemeEngine.compile(&rules, &Limits::default());
    let game = compiled.map_err(|e| e.one_line(&rules.source))?.game;
    let played = |via| {
        let mut first = 0;
        rate(seconds, |count| {
            game.run(&Job { seed: 1, first, count, cap: 1000 }, via);
            first += count;
        })
    };
    let (playouts, reference) = (played(Via::Fast), played(Via::Reference));
    let (mut id, mut all, mut plies) = (0, 0u64, 0u64);
    let listed = rate(seconds, |count| {
        for _ in 0..count {
            let mut rng = Rng::stream(1, id);
            let end = kit::play_listed(game.open(&mut rng), &mut rng, 1000);
            (id, all, plies) = (id + 1, all + 1, plies + u64::from(end.plies));
        }
    });
    let plies = listed * plies as f64 / all as f64;
    let simulations = simulations(&*game, seconds);
    let searched = match simulations {
        Some(simulations) => format!("{simulations:.0}\t{:.3}", simulations / playouts),
        None => "-\t-".to_owned(),
    };
    Ok(format!("{playouts:.0}\t{reference:.1}\t{listed:.0}\t{plies:.0}\t{searched}"))
}

/// Simulations of a search from the start; `None` where there is none, as in games of chance.
fn simulations(game: &dyn Game, seconds: f64) -> Option<f64> {
    let settings = SearchSettings { cap: 1000, ..SearchSettings::default() };
    let mut search = game.open(&mut NoChance).search(settings)?;
    Some(rate(seconds, |count| search.simulate(count)))
}

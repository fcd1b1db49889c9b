//! The part `batches`: many positions of a game side by side, with masks and planes, as programs
//! that learn step them.

use anyhow::Result;
use play::{Buffers, Engine, Limits, LockstepJob, Method, Progress, Rules};
use reports::languages::speed::Row;
use reports::stats::Bootstrap;
use reports::{Verdict, Via};

use super::Setting;
use crate::clock::thread_cpu_ns;
use crate::entry::Entry;

/// Positions of a batch.
const POSITIONS: usize = 256;
/// CPU time of a round, in nanoseconds. The first is not counted.
const ROUND: u64 = 30_000_000;
const ROUNDS: usize = 8;
/// Steps after which a round ends at the latest.
const MOST_STEPS: u32 = 1 << 20;

/// Rates of all games on all engines of our own. They are measured one after another, since
/// neighbours would slow each other.
pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let mut rows = Vec::new();
    for entry in setting.games {
        for (program, rules) in setting.engines.pairs(entry) {
            if let Some(engine) = roster::engine(&program.engine).filter(|_| program.is_own()) {
                rows.push(row(entry, rules, &*engine, setting.seed));
            }
        }
        (setting.step)();
    }
    Ok(reports::languages::text(&rows)?)
}

fn row(entry: &Entry, rules: &Rules, engine: &dyn Engine, seed: u64) -> Row {
    let measured = rates(entry, rules, engine, seed);
    let blank = Row {
        game: entry.id.clone(),
        language: rules.language.to_string(),
        engine: engine.id().to_owned(),
        via: Via::Batch,
        tabled: false,
        verdict: Verdict::Unchecked.word().to_owned(),
        reason: String::new(),
        rate: None,
        low: None,
        high: None,
    };
    match measured {
        Ok((tabled, rounds)) => {
            let rate = Bootstrap::ratio_of_sums(&rounds, 0).map(|rate| rate.estimate());
            Row {
                tabled,
                rate: rate.map(|rate| rate.value),
                low: rate.map(|rate| rate.low()),
                high: rate.map(|rate| rate.high()),
                ..blank
            }
        }
        Err(reason) => Row { verdict: Verdict::Unsupported.word().to_owned(), reason, ..blank },
    }
}

/// Games that ended, and the CPU seconds of this thread, round by round; true if positions are
/// looked up in a table of all.
fn rates(
    entry: &Entry,
    rules: &Rules,
    engine: &dyn Engine,
    seed: u64,
) -> Result<(bool, Vec<(f64, f64)>), String> {
    let compiled = engine.load(rules, &Limits::default());
    let game = compiled.map_err(|error| error.one_line(&rules.source))?.game;
    let count = POSITIONS;
    let job = LockstepJob { seed, first: 0, count, stride: count as u64, cap: entry.cap };
    let none = || "no codes for its actions".to_owned();
    let mut batch = game.lockstep(&job).ok_or_else(none)?;
    let encoding = game.encoding().ok_or_else(none)?;
    let players = usize::from(game.facts().players);
    let mut buffers = Buffers::new(&encoding, players, count, 0);
    let mut actions = vec![-1; count];
    batch.restart(&mut buffers.views());
    let mut rounds = Vec::new();
    for round in 0..=ROUNDS {
        let begun = thread_cpu_ns();
        let mut ended = 0_usize;
        let mut spent = 0;
        for _ in 0..MOST_STEPS {
            batch.draw(&mut actions);
            let stepped = batch.step(&actions, true, &mut buffers.views());
            stepped.map_err(|_| "a drawn action was refused".to_owned())?;
            let going = Progress::Going as u8;
            ended += buffers.progress.iter().filter(|progress| **progress != going).count();
            spent = thread_cpu_ns().saturating_sub(begun);
            if spent >= ROUND {
                break;
            }
        }
        if round > 0 && spent > 0 {
            rounds.push((ended as f64, spent as f64 / 1e9));
        }
    }
    if rounds.iter().all(|(ended, _)| *ended == 0.0) {
        return Err("no game ended while it was measured".to_owned());
    }
    Ok((batch.method() == Method::Tabled, rounds))
}

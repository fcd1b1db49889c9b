use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bench::failure::Failure;
use bench::measure::{Column, Done, Entrant, Proof, Protocol, visit};
use bench::subject::{Local, Subject};
use bench::verify::sums::{self, Sums};
use bench::verify::{Effort, Evidence, Goal};
use play::Via;
use reports::{Phase, Sample, Verdict};

use crate::error::{Error, ErrorKind};
use crate::game::Game;
use crate::load::Loader;

/// The settings of verification and measuring.
#[derive(Clone, Debug)]
pub struct Check {
    /// Engines that take part, or none for all that read the game.
    pub engines: Vec<String>,
    /// Options of the rules.
    pub options: Vec<String>,
    /// The size, for a family of games.
    pub size: Option<u32>,
    /// Seconds for each kind of evidence and each pair, and for the samples of each engine,
    /// roughly.
    pub seconds: f64,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Samples of each engine.
    pub samples: u32,
}

impl Default for Check {
    /// All engines, half a second, ten samples.
    fn default() -> Check {
        Check {
            engines: Vec::new(),
            options: Vec::new(),
            size: None,
            seconds: 0.5,
            seed: 1,
            samples: 10,
        }
    }
}

/// The result of the verification of one engine.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The game.
    pub game: String,
    /// The engine.
    pub engine: String,
    /// The language that it read.
    pub language: String,
    /// `ok`, `unchecked`, `WRONG`, `disputed`, or why there is no answer: `unsupported`, `invalid`,
    /// ...
    pub verdict: String,
    /// The reason, unless it is `ok`.
    pub reason: String,
    /// Leaf counts at depth 1, 2, ..., as deep as there are recorded ones and time.
    pub perft: Vec<u64>,
    /// Random playouts that were played.
    pub playouts: u64,
    /// Their mean length in plies; 0 where there are none.
    pub mean_plies: f64,
    /// Depth to which the whole game tree was compared, in plies.
    pub depth: usize,
}

/// One sample of one engine: a batch of random playouts that nobody played before.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The game.
    pub game: String,
    /// The engine.
    pub engine: String,
    /// The engine's way of playing: `fast` or `batch`.
    pub via: String,
    /// The verdict of the verification.
    pub verdict: String,
    /// The reason, unless it is `ok`.
    pub reason: String,
    /// Number of the sample, from 0.
    pub round: u32,
    /// Playouts of the batch.
    pub playouts: u64,
    /// Plies in them.
    pub plies: u64,
    /// Playouts that the ply cap ended.
    pub capped: u64,
    /// CPU time of this process, in nanoseconds.
    pub cpu_ns: u64,
    /// Elapsed time, in nanoseconds.
    pub wall_ns: u64,
    /// The warnings of the harness, such as one about a core that was not ours alone.
    pub warnings: Vec<String>,
}

impl Measured {
    /// Playouts per CPU second; 0 where nothing was played.
    pub fn rate(&self) -> f64 {
        if self.cpu_ns == 0 { 0.0 } else { self.playouts as f64 * 1e9 / self.cpu_ns as f64 }
    }
}

/// A game on an engine, or why there is none.
type Loaded = (&'static str, &'static str, Result<Game, Error>);

/// All engines that are asked for, and what is recorded of the game.
fn loaded(target: &str, check: &Check) -> Result<(bench::entry::Entry, Vec<Loaded>), Error> {
    if !(check.seconds > 0.0 && check.seconds <= 1e6) {
        return Err(Error::usage(format!("{} seconds: expected a positive number", check.seconds)));
    }
    let mut loader = Loader::new(target);
    for option in &check.options {
        loader = loader.option(option);
    }
    if let Some(size) = check.size {
        loader = loader.size(size);
    }
    let entry = loader.entry()?;
    let mut pairs = Vec::new();
    if check.engines.is_empty() {
        pairs = loader.pairs(&entry)?;
    }
    for engine in &check.engines {
        pairs.extend(loader.clone().engine(engine).pairs(&entry)?);
    }
    let games = pairs.iter().map(|(engine, rules)| {
        let game = loader.compile(&**engine, rules, &entry);
        (engine.id(), engine.lineage(), game)
    });
    let games = games.collect();
    Ok((entry, games))
}

/// A game on an engine, as the harness sees it.
fn subject<'g>(engine: &str, lineage: &str, game: &'g Game) -> Local<'g> {
    let subject = Local::new(engine, game.inner()).of_lineage(lineage);
    subject.saying_words(game.says_words())
}

fn verdict_of(error: &Error) -> Verdict {
    match error.kind() {
        ErrorKind::Invalid | ErrorKind::Usage | ErrorKind::Unreadable => Verdict::Invalid,
        ErrorKind::Unsupported => Verdict::Unsupported,
        ErrorKind::TooLarge => Verdict::TooLarge,
    }
}

/// Verifies the engines of a game against its records and against each other, in this process. The
/// command `ggpbench verify` gives each engine a process of its own, so that a crash there is a
/// row.
pub fn verify(target: &str, check: &Check) -> Result<Vec<Verified>, Error> {
    let (entry, games) = loaded(target, check)?;
    Ok(proof(&entry, &games, check).into_iter().map(|(row, _)| row).collect())
}

/// The verification of each engine, and the playouts that it is proven by, if it came so far.
fn proof(
    entry: &bench::entry::Entry,
    games: &[Loaded],
    check: &Check,
) -> Vec<(Verified, Option<Sums>)> {
    let mut rows: Vec<(Verified, Option<Sums>)> = games
        .iter()
        .map(|(engine, _, game)| {
            let error = game.as_ref().err();
            let language = game.as_ref().map_or("", |game| game.language().name());
            let reason = error.map_or_else(String::new, ToString::to_string);
            let row = Verified {
                game: entry.id.clone(),
                engine: (*engine).to_owned(),
                language: language.to_owned(),
                verdict: error.map_or(Verdict::Unchecked, verdict_of).to_string(),
                reason: reason.lines().next().unwrap_or_default().to_owned(),
                perft: Vec::new(),
                playouts: 0,
                mean_plies: 0.0,
                depth: 0,
            };
            (row, None)
        })
        .collect();
    let cap = games.iter().find_map(|(_, _, game)| game.as_ref().ok().map(Game::cap));
    let mut subjects: Vec<Box<dyn Subject + '_>> = Vec::new();
    for (engine, lineage, game) in games {
        if let Ok(game) = game {
            subjects.push(Box::new(subject(engine, lineage, game)));
        }
    }
    let time = Duration::from_secs_f64(check.seconds);
    let effort = Effort::quick(check.seed, cap.unwrap_or(1));
    let effort = Effort { time, goal: Goal { times: 4, ..effort.goal }, ..effort };
    let run = || bench::verify::verify(&mut subjects, &entry.expected, &effort);
    let Ok(proof) = catch_unwind(AssertUnwindSafe(run)) else {
        for (row, _) in &mut rows {
            row.verdict = Verdict::Crashed.to_string();
            "an engine panicked; `ggpbench verify` says which one".clone_into(&mut row.reason);
        }
        return rows;
    };
    for engine in proof.engines {
        let Some((row, proven)) = rows.iter_mut().find(|(row, _)| row.engine == engine.engine)
        else {
            continue;
        };
        row.verdict = engine.verdict.to_string();
        row.reason = engine.reason;
        if let Some(Evidence { tally, perft, prints, .. }) = engine.evidence {
            row.perft = perft;
            row.playouts = tally.playouts;
            row.mean_plies = if tally.playouts == 0 { 0.0 } else { tally.mean_plies().0 };
            row.depth = prints.len().saturating_sub(1);
            *proven = Some(Sums::from(&tally));
        }
    }
    rows
}

/// Verifies the engines of a game, then measures them, sample by sample in turn, in this process: a
/// row for each sample, and one without playouts for each engine that has none, or whose samples
/// are not what was proven of it. Intervals that hold for other processes, too, need several of
/// them; `ggpbench run` has that.
///
/// `stop` is asked between samples; if it says so, the rows so far are what comes.
pub fn measure(
    target: &str,
    check: &Check,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Measured>, Error> {
    let (entry, games) = loaded(target, check)?;
    measure_loaded(&entry, &games, check, proof(&entry, &games, check), stop)
}

fn measure_loaded(
    entry: &bench::entry::Entry,
    games: &[Loaded],
    check: &Check,
    verified: Vec<(Verified, Option<Sums>)>,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Measured>, Error> {
    let samples = check.samples.clamp(1, 10_000);
    // Each sample in each way with the proof of its engine.
    let limit = sums::limit(2 * games.len() as u64 * u64::from(samples));
    let mut rows = Vec::new();
    let mut ways: Vec<(Local<'_>, Column)> = Vec::new();
    for ((engine, lineage, game), (found, proven)) in games.iter().zip(verified) {
        let verdict: Verdict = found.verdict.parse().unwrap_or(Verdict::Unchecked);
        let blank = Sample::failure(&entry.id, engine, verdict, &found.reason);
        let blank = Sample { seed: check.seed, ..blank };
        let Ok(game) = game else {
            rows.push(measured(&blank));
            continue;
        };
        if verdict.is_failure() {
            rows.push(measured(&blank));
            continue;
        }
        let facts = game.facts();
        let ways_here = [Some(Via::Fast), facts.batch.map(|_| Via::Batch)];
        for via in ways_here.into_iter().flatten() {
            let shown = if via == Via::Batch { reports::Via::Batch } else { reports::Via::Fast };
            let row = Sample { via: shown, ..blank.clone() };
            let subject = subject(engine, lineage, game);
            let proof = proven.clone().map(|sums| Proof { sums, limit });
            let column = Column::new(row, via, game.cap(), Done::default()).held_to(proof);
            ways.push((subject, column));
        }
    }
    let protocol = Protocol {
        sample: Duration::from_secs_f64(check.seconds / f64::from(samples)),
        processes: 1,
        rounds: samples,
        longest: Duration::from_secs_f64(check.seconds * 20.0),
        warmups: 2,
    };
    let mut entrants: Vec<Entrant<'_>> =
        ways.iter_mut().map(|(subject, column)| Entrant::new(subject, column)).collect();
    let mut emit = |row: &Sample| {
        if row.phase != Phase::Warmup {
            rows.push(measured(row));
        }
    };
    let run = || visit(&mut entrants, &protocol, 0, &mut emit, stop);
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        let failure = Failure::new(Verdict::Crashed, "an engine panicked while it was measured");
        return Err(Error::new(ErrorKind::Unsupported, failure.to_string()));
    }
    Ok(rows)
}

fn measured(row: &Sample) -> Measured {
    Measured {
        game: row.game.clone(),
        engine: row.engine.clone(),
        via: row.via.to_string(),
        verdict: row.verdict.to_string(),
        reason: row.reason.clone(),
        round: row.round,
        playouts: row.playouts,
        plies: row.plies,
        capped: row.capped,
        cpu_ns: row.cpu_ns,
        wall_ns: row.wall_ns,
        warnings: row.warnings.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check() -> Check {
        Check { engines: vec!["bitboard".to_owned()], seconds: 0.1, ..Check::default() }
    }

    /// The verdicts of what is measured of one game and proven of another.
    fn verdicts(measured: &str, proven: &str) -> Vec<String> {
        let check = check();
        let (entry, games) = loaded(proven, &check).expect("it is in the catalogue");
        let verified = proof(&entry, &games, &check);
        let (_, games) = loaded(measured, &check).expect("it is in the catalogue");
        let rows = measure_loaded(&entry, &games, &check, verified, &|| false);
        rows.expect("it plays").into_iter().map(|row| row.verdict).collect()
    }

    #[test]
    fn samples_are_held_against_the_proof() {
        let verdicts_of = |measured| verdicts(measured, "tic-tac-toe-3x3");
        let sound = verdicts_of("tic-tac-toe-3x3");
        assert!(sound.len() >= 10 && sound.iter().all(|verdict| verdict != "WRONG"), "{sound:?}");
        let wrong = verdicts_of("tic-tac-toe-5x5");
        assert!(wrong.iter().any(|verdict| verdict == "WRONG"), "{wrong:?}");
    }
}

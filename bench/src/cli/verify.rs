//! `verify`: the proof alone, as a matrix.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use play::kit;
use rayon::prelude::*;
use reports::Verdict;
use reports::render::{Sheet, TerminalOptions, Tone};
use reports::text::printable;
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Engines};
use crate::client::Bounds;
use crate::engine_set::{self, EngineSet};
use crate::entry::Entry;
use crate::output;
use crate::playout_ids;
use crate::subject::Subject;
use crate::ui::Ui;
use crate::verify::{
    Effort, EngineProof, GameProof, Matching, PairReport, Phases, WayProof, verify as prove,
};

#[derive(Args, Clone, Debug)]
pub(super) struct VerifyArgs {
    /// Games of the catalogue by id, or rule files of your own [default: the whole catalogue]
    games: Vec<String>,
    /// A named list of games
    #[arg(long, conflicts_with = "games")]
    suite: Option<String>,
    /// An option of the rule files, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION", requires = "games")]
    options: Vec<String>,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    engines: Engines,
    /// Seconds for each kind of evidence and each pair
    #[arg(long, default_value_t = 1.5)]
    seconds: f64,
    /// Seed of everything drawn, which repeats a proof [default: one that nobody can know
    /// beforehand]
    #[arg(long, default_value_t = playout_ids::random_seed(), hide_default_value = true)]
    seed: u64,
    /// Show what was proven for every pair of engines
    #[arg(long)]
    details: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    json: Json,
}

/// The result of the verification of an engine at a game.
#[derive(Serialize)]
struct ProofRecord<'a> {
    game: &'a str,
    engine: &'a str,
    verdict: Verdict,
    reason: &'a str,
    /// Of everything drawn.
    seed: u64,
    /// Playouts of the fast way.
    playouts: Option<u64>,
    /// The relation of the other loops to the reference loop.
    fast: Option<&'a str>,
    batch: Option<&'a str>,
    interpreted: Option<&'a str>,
    /// Depth to which fingerprints of the tree were taken.
    depth: Option<usize>,
    /// Leaves at depth 1, 2, ...
    perft: Option<&'a [u64]>,
    faults: &'a [String],
}

/// The smallest deviation of a way of playing that would have been seen.
#[derive(Serialize)]
struct PowerRecord<'a> {
    game: &'a str,
    engine: &'a str,
    via: &'static str,
    /// Detected deviations, as shares of the mean length and of the range of payoffs.
    plies: Option<f64>,
    payoffs: Option<f64>,
    by: &'a str,
}

/// The result of comparing two engines.
#[derive(Serialize)]
struct PairRecord<'a> {
    game: &'a str,
    engines: &'a [String; 2],
    agree: bool,
    depth: Option<u32>,
    walks: Option<u32>,
    plies: Option<u64>,
    /// Walks that were given up, because actions could not be told apart.
    unclear: Option<u32>,
    /// `labels` or `fingerprints`.
    matching: Option<&'static str>,
    playouts: Option<u64>,
    /// The reason why comparing playouts shows nothing.
    unshown: Option<&'a str>,
    /// Labels of the actions that lead to the difference.
    walk: Option<&'a [String]>,
    difference: Option<&'a str>,
}

impl<'a> ProofRecord<'a> {
    fn new(game: &'a str, engine: &'a EngineProof, seed: u64) -> ProofRecord<'a> {
        let evidence = engine.evidence.as_ref();
        ProofRecord {
            game,
            engine: &engine.engine,
            verdict: engine.verdict,
            reason: &engine.reason,
            seed,
            playouts: evidence.map(|evidence| evidence.tally.playouts),
            fast: evidence.and_then(|evidence| evidence.fast.as_deref()),
            batch: evidence.and_then(|evidence| evidence.batch.as_deref()),
            interpreted: evidence.and_then(|evidence| evidence.interpreted.as_deref()),
            depth: evidence.map(|evidence| evidence.prints.len().saturating_sub(1)),
            perft: evidence.map(|evidence| &*evidence.perft),
            faults: evidence.map_or(&[], |evidence| &*evidence.faults),
        }
    }
}

impl<'a> PowerRecord<'a> {
    fn new(game: &'a str, engine: &'a str, way: &'a WayProof) -> PowerRecord<'a> {
        let share = |share: f64| Some(share).filter(|share| share.is_finite());
        PowerRecord {
            game,
            engine,
            via: way.via.name(),
            plies: way.detects.and_then(|detects| share(detects.plies)),
            payoffs: way.detects.and_then(|detects| share(detects.payoffs)),
            by: &way.by,
        }
    }
}

impl<'a> PairRecord<'a> {
    fn new(game: &'a str, pair: &'a PairReport) -> PairRecord<'a> {
        let (proof, example) = (pair.result.as_ref().ok(), pair.result.as_ref().err());
        PairRecord {
            game,
            engines: &pair.engines,
            agree: proof.is_some(),
            depth: proof.map(|proof| proof.depth),
            walks: proof.map(|proof| proof.walks),
            plies: proof.map(|proof| proof.plies),
            unclear: proof.map(|proof| proof.unclear),
            matching: proof.map(|proof| match proof.matching {
                Matching::Labels => "labels",
                Matching::Prints => "fingerprints",
            }),
            playouts: proof.map(|proof| proof.playouts),
            unshown: proof.and_then(|proof| proof.unshown.as_deref()),
            walk: example.map(|example| &*example.walk),
            difference: example.map(|example| &*example.difference),
        }
    }
}

pub(super) fn verify(args: &VerifyArgs) -> Result<Outcome> {
    let (files, ids): (Vec<String>, Vec<String>) =
        args.games.iter().cloned().partition(|g| std::path::Path::new(g).is_file());
    let mut entries = if ids.is_empty() && !files.is_empty() {
        Vec::new()
    } else {
        args.place.entries(&ids, args.suite.as_deref())?
    };
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    entries.extend(Entry::of_files(&files, &args.options, DEFAULT_CAP)?);
    let entries = args.at.of_one(entries)?;

    let engine_set = args.engines.engine_set_of(args.suite.as_deref())?;
    let bounds = args.engines.bounds()?;
    let ui = Ui::new("verify", entries.len() as u64, args.quiet);
    if !args.quiet {
        errln!("seed {}", args.seed);
    }
    let proofs: Vec<GameProof> = entries
        .par_iter()
        .map(|entry| {
            let time = Duration::from_secs_f64(args.seconds.clamp(0.01, 1e6));
            let effort = Effort::thorough(args.seed, time, entry.cap);
            let proof = prove_entry(entry, &engine_set, &bounds, &effort);
            ui.step(1, &entry.id);
            proof
        })
        .collect();
    ui.finish();
    if args.json.json {
        for (entry, proof) in entries.iter().zip(&proofs) {
            for engine in &proof.engines {
                json::record("proof", ProofRecord::new(&entry.id, engine, args.seed))?;
                for way in engine.evidence.iter().flat_map(|evidence| &evidence.ways) {
                    json::record("power", PowerRecord::new(&entry.id, &engine.engine, way))?;
                }
            }
            for pair in &proof.pairs {
                json::record("pair", PairRecord::new(&entry.id, pair))?;
            }
        }
    } else {
        print_in_words(args, &entries, &proofs, &engine_set)?;
    }
    let verdicts = proofs.iter().flat_map(|proof| &proof.engines).map(|engine| engine.verdict);
    Ok(Outcome::of(verdicts))
}

fn print_in_words(
    args: &VerifyArgs,
    entries: &[Entry],
    proofs: &[GameProof],
    engine_set: &EngineSet,
) -> Result<()> {
    print_matrix(entries, proofs, engine_set)?;
    for (entry, proof) in entries.iter().zip(proofs) {
        if args.details {
            for engine in &proof.engines {
                for line in describe_engine(engine) {
                    output::paragraph(&format!("{} {}: {line}", entry.id, engine.engine))?;
                }
            }
            for pair in &proof.pairs {
                output::paragraph(&format!("{}: {}", entry.id, describe(pair)))?;
            }
            output::paragraph(&format!("{}: {}", entry.id, describe_phases(&proof.phases)))?;
        }
        for engine in proof.engines.iter().filter(|e| e.verdict != Verdict::Ok) {
            let EngineProof { engine, verdict, reason, .. } = engine;
            output::paragraph(&format!("{} {engine}: {verdict}: {reason}", entry.id))?;
        }
        for pair in &proof.pairs {
            if let Err(counterexample) = &pair.result
                && let Some([a, b]) = &counterexample.drawings
            {
                let [first, second] = &pair.engines;
                output::paragraph(&format!("\n{}: {}", entry.id, describe(pair)))?;
                outln!("{first}:\n{a}\n{second}:\n{b}")?;
            }
        }
    }
    Ok(())
}

fn prove_entry(
    entry: &Entry,
    engine_set: &EngineSet,
    bounds: &Bounds,
    effort: &Effort,
) -> GameProof {
    let mut subjects: Vec<Box<dyn Subject>> = Vec::new();
    let mut failed = Vec::new();
    let start = Instant::now();
    for (program, rules) in engine_set.pairs(entry) {
        match engine_set::load(program, rules, bounds) {
            Ok(worker) => subjects.push(Box::new(worker)),
            Err(failure) => failed.push(EngineProof {
                engine: program.engine.clone(),
                verdict: failure.verdict,
                reason: failure.reason,
                evidence: None,
            }),
        }
    }
    let loading = start.elapsed();
    let mut proof = prove(&mut subjects, &entry.expected, effort);
    proof.engines.extend(failed);
    proof.phases.loading = loading;
    proof
}

/// Prints [`matrix`], in words where the terminal has room for them.
fn print_matrix(entries: &[Entry], proofs: &[GameProof], engine_set: &EngineSet) -> Result<()> {
    let colour = output::has_colour();
    let options = TerminalOptions { width: output::width(), colour };
    let words = matrix(entries, proofs, engine_set, |depth, walks, share| {
        let detects = share.map_or("detects nothing".to_owned(), |s| format!("detects {s}"));
        format!("ok (depth {depth}, {walks} walks, {detects})")
    });
    let in_words = words.fits(options.width);
    let drawn = if in_words {
        words.draw(options)
    } else {
        let short = matrix(entries, proofs, engine_set, |depth, walks, share| {
            format!("ok {depth}/{walks} {}", share.unwrap_or_else(|| "-".to_owned()))
        });
        short.draw(options)
    };
    // As it is, since its colours are escape sequences of our own.
    output::raw(&drawn)?;
    if !in_words {
        output::paragraph(
            "ok d/w p: the same tree as that of every other engine to depth d, w playouts walked \
             in lock-step with them, and a deviation of mean plies or payoffs of p would have \
             shown in every way of playing (--details has each).",
        )?;
    }
    Ok(())
}

/// Games by engines: the verdict, the depth to which an engine's tree has the fingerprint of every
/// other engine's, the playouts walked in lock-step with them, and the deviation that would have
/// shown in every way of playing.
fn matrix(
    entries: &[Entry],
    proofs: &[GameProof],
    engine_set: &EngineSet,
    proven: impl Fn(u32, u32, Option<String>) -> String,
) -> Sheet {
    let engines = engine_set.programs().iter().map(|p| printable(&p.engine).into_owned());
    let mut sheet = Sheet::new("game", engines);
    for (entry, proof) in entries.iter().zip(proofs) {
        let cells = engine_set.programs().iter().map(|program| {
            let Some(engine) = proof.engines.iter().find(|e| e.engine == program.engine) else {
                return ("-".to_owned(), Tone::Plain);
            };
            let shown: Vec<_> = proof
                .pairs
                .iter()
                .filter(|pair| pair.engines.contains(&engine.engine))
                .filter_map(|pair| pair.result.as_ref().ok())
                .collect();
            let depth = shown.iter().map(|p| p.depth).min();
            let walks: u32 = shown.iter().map(|p| p.walks).sum();
            match depth {
                Some(depth) if engine.verdict == Verdict::Ok => {
                    (proven(depth, walks, detects(engine)), Tone::Plain)
                }
                _ => (engine.verdict.to_string(), tone(engine.verdict)),
            }
        });
        sheet.push(&printable(&entry.id), cells);
    }
    sheet
}

/// The greatest deviation that would have been seen of each way of an engine; `None` where there is
/// a way of which nothing would have been seen.
fn detects(engine: &EngineProof) -> Option<String> {
    let ways = &engine.evidence.as_ref()?.ways;
    let worst = |way: &WayProof| way.detects.map_or(f64::INFINITY, kit::Detects::worst);
    let share = ways.iter().map(worst).reduce(f64::max).filter(|share| share.is_finite())?;
    Some(kit::percent(share))
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Ok => Tone::Plain,
        Verdict::Unchecked => Tone::Doubtful,
        verdict if verdict.is_failure() => Tone::Bad,
        _ => Tone::Faint,
    }
}

/// The evidence of an engine by itself, a line each.
fn describe_engine(engine: &EngineProof) -> Vec<String> {
    let Some(evidence) = &engine.evidence else { return Vec::new() };
    let (single, together) = (evidence.streams.single, evidence.streams.together);
    let mut lines = Vec::new();
    let ways = [
        ("fast", &evidence.fast),
        ("batch", &evidence.batch),
        ("interpreted", &evidence.interpreted),
    ];
    for (way, found) in ways {
        if let Some(found) = found {
            lines.push(format!("{way} = reference: {found} over {} playouts", evidence.compared));
        }
    }
    for WayProof { via, detects, by } in &evidence.ways {
        let way = via.name();
        lines.push(match detects {
            Some(detects) => format!("{way} detects {detects}, beside {by}"),
            None => format!("{way} detects nothing: {by}"),
        });
    }
    if evidence.streams.faults.is_empty() {
        lines.push(format!(
            "{single} playouts one by one and {together} in parts add up, and do not repeat"
        ));
    }
    if evidence.streams.stepped > 0 {
        let stepped = evidence.streams.stepped;
        lines.push(format!("{stepped} playouts are the same position by position"));
    }
    lines.extend(evidence.faults.iter().map(|fault| format!("fault: {fault}")));
    lines
}

/// The time of each phase.
fn describe_phases(phases: &Phases) -> String {
    let spent = phases.named().map(|(name, time)| format!("{name} {:.2}", time.as_secs_f64()));
    format!("seconds in {}", spent.join(", "))
}

fn describe(pair: &PairReport) -> String {
    let [a, b] = &pair.engines;
    match &pair.result {
        Ok(proof) => {
            let statistics = match &proof.unshown {
                None => {
                    let detects = proof.detects.map_or_else(String::new, |d| format!(" ({d})"));
                    format!("same statistics over {} playouts{detects}", proof.playouts)
                }
                Some(why) => format!("statistics unchecked ({why})"),
            };
            let matching = match proof.matching {
                Matching::Labels => "matched by labels",
                Matching::Prints => "matched by fingerprints",
            };
            let unclear = if proof.unclear > 0 {
                format!(", {} walks given up as unclear", proof.unclear)
            } else {
                String::new()
            };
            if proof.walks + proof.unclear == 0 {
                return format!(
                    "{a} = {b}: same tree to depth {}, {statistics}; not walked, since \
                     outcomes of chance have no numbers",
                    proof.depth
                );
            }
            format!(
                "{a} = {b}: same tree to depth {}, {} walks of {} plies {matching}{unclear}, \
                 {statistics}",
                proof.depth, proof.walks, proof.plies
            )
        }
        Err(counterexample) => format!("{a} ≠ {b}: {}", counterexample.one_line()),
    }
}

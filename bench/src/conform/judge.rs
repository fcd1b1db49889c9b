//! One file on all engines that read it.

use play::Tally;
use reports::Verdict;

use super::oracle::{self, Figures};
use super::{Known, Record, Row, RuleFile, Settings, Text};
use crate::client::{Program, Worker};
use crate::lineup;
use crate::protocol::{KitFindings, Loaded};
use crate::subject::Failure;
use crate::verify::evidence::{kit_findings, playouts, prints};
use crate::verify::{Effort, EngineProof, Evidence, compare_pair, largest_agreement};

/// The rows of a file, in the order of the engines.
pub(super) fn judge(
    file: &RuleFile,
    text: &Text,
    engines: &[&Program],
    known: &Known,
    settings: &Settings,
) -> Vec<Row> {
    let blank = |program: &&Program| Row::blank(&file.name, &text.sha256, &program.engine);
    let mut rows: Vec<Row> = engines.iter().map(blank).collect();
    let rules = match &text.rules {
        Ok(rules) => rules,
        Err(reason) => {
            for row in &mut rows {
                row.status = Verdict::Invalid;
                row.reason.clone_from(reason);
            }
            return rows;
        }
    };
    let other = Other {
        record: known.records.of(&file.name, &text.sha256),
        figures: known.oracle.of(&file.name),
        mistake: known.mistakes.reason(&file.name),
    };
    let mut candidates: Vec<Option<Candidate>> = Vec::new();
    for (program, row) in engines.iter().zip(&mut rows) {
        let load = || lineup::load(program, rules, &settings.bounds);
        candidates.push(match one(&load, row, &other, settings) {
            Ok(candidate) => Some(candidate),
            Err(failure) => {
                row.status = failure.verdict;
                row.reason = one_line(&failure.reason);
                None
            }
        });
    }
    let quarrels = compare(&mut candidates, &mut rows, settings);
    conclude(&candidates, &mut rows, &quarrels);
    rows
}

/// What other systems say of a file.
struct Other<'k> {
    /// The record, or why it cannot be used.
    record: Result<Option<String>, String>,
    figures: Option<&'k Figures>,
    /// Why they are wrong, if they are known to be.
    mistake: Option<&'k str>,
}

/// An engine that plays the file, and what it showed.
struct Candidate {
    worker: Worker,
    proof: EngineProof,
}

/// Loads the file into one engine, plays it, and compares it with what other systems say.
fn one(
    load: &dyn Fn() -> Result<Worker, Failure>,
    row: &mut Row,
    other: &Other<'_>,
    settings: &Settings,
) -> Result<Candidate, Failure> {
    let mut worker = load()?;
    if let Some(loaded) = worker.loaded() {
        describe(row, loaded);
    }
    // What others say comes first: random playouts of a slow game, on a busy machine, may take all
    // the time there is.
    let mut faults = compare_with_others(&mut worker, load, row, other, settings)?;
    let played = revive(&mut worker, load).and_then(|()| play(&mut worker, row, settings));
    let (tally, findings, prints) = match (played, faults.first()) {
        (Ok(played), _) => played,
        (Err(_), Some(fault)) => return Err(Failure::new(Verdict::Wrong, fault.as_str())),
        (Err(failure), None) => return Err(failure),
    };
    faults.extend(findings.faults);
    let (fast, batch) = (findings.fast, findings.batch);
    let evidence = Evidence { prints, perft: Vec::new(), tally, fast, batch, faults };
    let proof = EngineProof {
        engine: row.engine.clone(),
        verdict: Verdict::Ok,
        reason: String::new(),
        evidence: Some(evidence),
    };
    Ok(Candidate { worker, proof })
}

/// A new worker in place of one that a comparison ended: that says nothing against the game it plays.
fn revive(worker: &mut Worker, load: &dyn Fn() -> Result<Worker, Failure>) -> Result<(), Failure> {
    if worker.is_dead() {
        *worker = load()?;
    }
    Ok(())
}

/// Compares with recorded games and with figures; what speaks against the engine.
fn compare_with_others(
    worker: &mut Worker,
    load: &dyn Fn() -> Result<Worker, Failure>,
    row: &mut Row,
    other: &Other<'_>,
    settings: &Settings,
) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    if replay(worker, row, other) {
        faults.push(format!("recorded games differ: {}", row.record_note));
    }
    let Some(figures) = other.figures else { return Ok(faults) };
    revive(worker, load)?;
    oracle::compare(worker, load, row, figures, settings)?;
    row.figures_note = one_line(&row.figures_note);
    match (row.figures, other.mistake) {
        (Record::Differs, Some(reason)) => {
            row.figures = Record::Mistaken;
            if row.lengths == Record::Differs {
                row.lengths = Record::Mistaken;
            }
            row.figures_note = format!("{reason} ({})", row.figures_note);
        }
        (Record::Differs, None) => faults.push(format!("figures differ: {}", row.figures_note)),
        _ => {}
    }
    Ok(faults)
}

/// Random playouts, the conformance kit, and the fingerprints of the tree.
fn play(
    worker: &mut Worker,
    row: &mut Row,
    settings: &Settings,
) -> Result<(Tally, KitFindings, Vec<u64>), Failure> {
    let effort = effort(settings);
    let tally = playouts(worker, &effort)?;
    row.playouts = tally.playouts;
    row.capped = tally.capped;
    row.stuck = tally.stuck;
    row.mean_plies = Some((tally.mean_plies().0 * 1000.0).round() / 1000.0);
    // The kit takes a game in which nobody ever chooses for one that it did not get to test.
    let findings = if tally.plies > 0 {
        kit_findings(worker, tally.playouts, &effort)?
    } else {
        KitFindings::default()
    };
    let prints = prints(worker, &effort)?;
    Ok((tally, findings, prints))
}

fn effort(settings: &Settings) -> Effort {
    Effort { seed: settings.seed, time: settings.play, cap: settings.cap }
}

fn describe(row: &mut Row, loaded: &Loaded) {
    row.players = loaded.players;
    row.warnings = loaded.warnings.len() as u64;
    let ms = |ns: u64| (ns as f64 / 1e4).round() / 1e2;
    row.compile_ms = ms(loaded.compile_ns);
    row.compile_cpu_ms = ms(loaded.compile_cpu_ns);
    row.peak_mib = loaded.peak_bytes >> 20;
    row.atoms = loaded.build.get("atoms").copied();
    row.gates = loaded.build.get("gates").copied();
    let build: Vec<String> = loaded.build.iter().map(|(name, n)| format!("{name}={n}")).collect();
    row.build = build.join("; ");
}

/// Replays the record into the row; whether it speaks against the engine.
fn replay(worker: &mut Worker, row: &mut Row, other: &Other<'_>) -> bool {
    let record = match &other.record {
        Ok(Some(record)) => record,
        Ok(None) => return false,
        Err(reason) => {
            row.record = Record::NotReplayed;
            row.record_note = one_line(reason);
            return false;
        }
    };
    match worker.replay(record) {
        Ok(replayed) => {
            row.trials = replayed.trials;
            row.trials_agreed = replayed.agreed;
            row.record_plies = replayed.plies;
            let note = replayed.difference.or(replayed.remark).unwrap_or_default();
            row.record_note = one_line(&note);
            row.record = if replayed.agreed < replayed.trials {
                Record::Differs
            } else if replayed.trials > 0 {
                Record::Agrees
            } else {
                Record::None
            };
        }
        Err(failure) => {
            row.record = Record::NotReplayed;
            row.record_note = one_line(&failure.to_string());
        }
    }
    match (row.record, other.mistake) {
        (Record::Differs, Some(reason)) => {
            row.record = Record::Mistaken;
            row.record_note = format!("{reason} ({})", row.record_note);
        }
        (Record::Agrees, Some(_)) => {
            "listed as mistaken, but agrees".clone_into(&mut row.record_note);
        }
        _ => {}
    }
    row.record == Record::Differs
}

/// Where two engines, by their numbers, differ.
type Quarrels = Vec<(usize, usize, String)>;

/// Compares every two engines that play the file.
fn compare(
    candidates: &mut [Option<Candidate>],
    rows: &mut [Row],
    settings: &Settings,
) -> Quarrels {
    let mut quarrels = Vec::new();
    for i in 0..candidates.len() {
        for j in i + 1..candidates.len() {
            let (left, right) = candidates.split_at_mut(j);
            let (Some(a), Some(b)) = (&mut left[i], &mut right[0]) else { continue };
            let proofs = [&a.proof, &b.proof];
            match compare_pair(&mut a.worker, &mut b.worker, proofs, &effort(settings)) {
                Ok(Ok(proof)) => {
                    for (me, other) in [(i, j), (j, i)] {
                        let name = rows[other].engine.clone();
                        let row = &mut rows[me];
                        let blank = if row.peers.is_empty() { "" } else { " " };
                        row.peers.push_str(blank);
                        row.peers.push_str(&name);
                        let depth = row.peer_depth.map_or(proof.depth, |d| d.min(proof.depth));
                        row.peer_depth = Some(depth);
                        row.peer_walks += proof.walks;
                    }
                }
                Ok(Err(found)) => quarrels.push((i, j, found.one_line())),
                Err((culprit, failure)) => {
                    let culprit = if culprit == 0 { i } else { j };
                    rows[culprit].status = failure.verdict;
                    rows[culprit].reason = one_line(&failure.reason);
                    candidates[culprit] = None;
                }
            }
        }
    }
    quarrels
}

/// Decides who is wrong. Whoever has faults of its own is; where engines differ, the largest group
/// that agrees is believed, or else all are disputed; and engines that agree with other systems, if there are any, count first.
fn conclude(candidates: &[Option<Candidate>], rows: &mut [Row], quarrels: &Quarrels) {
    let alive: Vec<usize> = (0..rows.len()).filter(|&i| candidates[i].is_some()).collect();
    let fault = |i: usize| {
        let evidence = candidates[i].as_ref().and_then(|c| c.proof.evidence.as_ref());
        evidence.and_then(|e| e.faults.first().cloned())
    };
    let vouched = alive.iter().any(|&i| rows[i].is_vouched());
    let sound: Vec<bool> =
        alive.iter().map(|&i| fault(i).is_none() && (!vouched || rows[i].is_vouched())).collect();
    let agree = |x: usize, y: usize| {
        let pair = (alive[x].min(alive[y]), alive[x].max(alive[y]));
        !quarrels.iter().any(|&(i, j, _)| (i, j) == pair)
    };
    let believed = largest_agreement(&sound, &agree);
    for (place, &i) in alive.iter().enumerate() {
        let quarrel = quarrels.iter().find_map(|(a, b, how)| {
            let other = if *a == i {
                *b
            } else if *b == i {
                *a
            } else {
                return None;
            };
            Some(format!("differs from {}: {how}", rows[other].engine))
        });
        let row = &mut rows[i];
        let checked = row.is_vouched() || !row.peers.is_empty();
        (row.status, row.reason) = if let Some(fault) = fault(i) {
            (Verdict::Wrong, fault)
        } else if !believed.contains(&place) {
            // Where no group is the largest, nobody is believed, and nobody is known to be wrong.
            let verdict = if believed.is_empty() { Verdict::Disputed } else { Verdict::Wrong };
            (verdict, quarrel.unwrap_or_else(|| "differs from its peers".to_owned()))
        } else if checked {
            (Verdict::Ok, String::new())
        } else {
            (Verdict::Unchecked, "nothing to check it by".to_owned())
        };
        row.reason = one_line(&row.reason);
        if row.stuck > 0 && row.status.is_ranked() {
            row.reason = format!(
                "{} of {} playouts reach a state that is not over and where somebody has no action",
                row.stuck, row.playouts
            );
        }
    }
}

/// Rows have no line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! One file on all engines that read it.

use play::{BuildFact, Via};
use reports::Verdict;

use super::oracle::{self, Figures};
use super::{Known, Record, Row, RuleFile, Settings, Text};
use crate::client::{Program, Worker};
use crate::engine_set;
use crate::failure::Failure;
use crate::identity;
use crate::playout_ids::PlayoutIds;
use crate::protocol::{KitFindings, Loaded, Walked};
use crate::subject::Subject;
use crate::verify::compare::{Compared, compare_all};
use crate::verify::evidence::{kit_findings, prints, walks};
use crate::verify::played::Played;
use crate::verify::{Contestant, Effort, Evidence, Goal, PairProof, Phases, Ruling, Streams};

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
    let read = identity::sha256(rules.source.text().as_bytes());
    let other = Other {
        record: known.records.of(file, [&text.sha256, &read]),
        figures: known.oracle.of(&file.name),
        mistake: known.mistakes.reason(&file.name),
    };
    let mut candidates: Vec<Option<Candidate>> = Vec::new();
    for (program, row) in engines.iter().zip(&mut rows) {
        let load = || engine_set::load(program, rules, &settings.bounds);
        candidates.push(match one(&load, row, &other, settings) {
            Ok(candidate) => Some(candidate),
            Err(failure) => {
                row.status = failure.verdict;
                row.reason = one_line(&failure.reason);
                None
            }
        });
    }
    let compared = compare(candidates, &mut rows, settings);
    conclude(&compared, &mut rows);
    rows
}

/// The record and the figures of other systems for a file.
struct Other<'k> {
    /// The record, or why it cannot be used.
    record: Result<Option<String>, String>,
    figures: Option<&'k Figures>,
    /// The reason why they are wrong, if they are known to be.
    mistake: Option<&'k str>,
}

/// An engine that plays the file, and what it showed.
struct Candidate {
    worker: Worker,
    evidence: Evidence,
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
    let (Played { tally, cpu, .. }, findings, prints, walks) = match (played, faults.first()) {
        (Ok(played), _) => played,
        (Err(_), Some(fault)) => return Err(Failure::new(Verdict::Wrong, fault.as_str())),
        (Err(failure), None) => return Err(failure),
    };
    let KitFindings { faults: breaches, playouts: compared, fast, batch, interpreted, .. } =
        findings;
    faults.extend(breaches);
    let evidence = Evidence {
        prints,
        walks,
        perft: Vec::new(),
        tally,
        cpu,
        recorded: None,
        streams: Streams::default(),
        compared,
        fast,
        batch,
        interpreted,
        ways: Vec::new(),
        faults,
    };
    Ok(Candidate { worker, evidence })
}

/// A new worker in place of one that a comparison ended: that says nothing against the game it
/// plays.
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

/// Random playouts, the conformance kit, the fingerprints of the tree, and random walks.
fn play(
    worker: &mut Worker,
    row: &mut Row,
    settings: &Settings,
) -> Result<(Played, KitFindings, Vec<u64>, Vec<Walked>), Failure> {
    let effort = effort(settings);
    let mut ids = PlayoutIds::of_proof(effort.seed, worker.name());
    let played = Played::for_time(worker, Via::Fast, &effort)?;
    let tally = &played.tally;
    row.playouts = tally.playouts;
    row.capped = tally.capped;
    row.stuck = tally.stuck;
    row.mean_plies = Some((tally.mean_plies().0 * 1000.0).round() / 1000.0);
    let findings = kit_findings(worker, &effort, &mut ids)?;
    let prints = prints(worker, &effort)?;
    let walks = walks(worker, &effort)?;
    Ok((played, findings, prints, walks))
}

fn effort(settings: &Settings) -> Effort {
    let effort = Effort::quick(settings.seed, settings.cap);
    Effort { time: settings.play, goal: Goal { times: 0, ..effort.goal }, ..effort }
}

fn describe(row: &mut Row, loaded: &Loaded) {
    row.players = loaded.players;
    row.warnings = loaded.warnings.len() as u64;
    let ms = |ns: u64| (ns as f64 / 1e4).round() / 1e2;
    row.compile_ms = ms(loaded.compile_ns);
    row.compile_cpu_ms = ms(loaded.compile_cpu_ns);
    row.peak_mib = loaded.peak_bytes >> 20;
    row.atoms = loaded.build.get(BuildFact::Atoms.as_str()).copied();
    row.gates = loaded.build.get(BuildFact::Gates.as_str()).copied();
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

/// Compares every two engines that play the file, and asks all of them where two differ. Engines
/// that agree with other systems are heard first.
fn compare(
    mut candidates: Vec<Option<Candidate>>,
    rows: &mut [Row],
    settings: &Settings,
) -> Compared {
    let mut contestants: Vec<Option<Contestant<'_>>> = candidates
        .iter_mut()
        .zip(&*rows)
        .map(|(candidate, row)| {
            let Candidate { worker, evidence } = candidate.as_mut()?;
            let (evidence, vouched) = (evidence.clone(), row.is_vouched());
            Some(Contestant { subject: worker, evidence, vouched })
        })
        .collect();
    let compared = compare_all(&mut contestants, &effort(settings), &mut Phases::default());
    for (&[i, j], proof) in
        compared.pairs.iter().filter_map(|(pair, result)| Some((pair, result.as_ref().ok()?)))
    {
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
    for (number, contestant) in contestants.iter().enumerate() {
        // Whoever gave no answer has its reason already, or gets it here.
        if contestant.is_some() {
            rows[number].status = Verdict::Ok;
        }
    }
    for (number, failure) in &compared.failed {
        rows[*number].status = failure.verdict;
        rows[*number].reason = one_line(&failure.reason);
    }
    compared
}

/// Puts what was decided into the rows of the engines that play the file.
fn conclude(compared: &Compared, rows: &mut [Row]) {
    for (number, ruling) in compared.rulings.iter().enumerate() {
        let row = &mut rows[number];
        if row.status != Verdict::Ok {
            continue;
        }
        let checked = row.is_vouched() || is_shown(number, compared);
        (row.status, row.reason) = match ruling {
            Ruling::Wrong(reason) => (Verdict::Wrong, one_line(reason)),
            Ruling::Disputed(reason) => (Verdict::Disputed, one_line(reason)),
            Ruling::Sound if checked => (Verdict::Ok, String::new()),
            Ruling::Sound => (Verdict::Unchecked, "nothing to check it by".to_owned()),
        };
        if row.stuck > 0 && row.status.is_ranked() {
            row.reason = format!(
                "{} of {} playouts reach a state that is not over and where somebody has no action",
                row.stuck, row.playouts
            );
        }
    }
}

/// True if agreeing with a sound engine has shown something of this one.
fn is_shown(number: usize, compared: &Compared) -> bool {
    compared.pairs.iter().any(|(pair, result)| {
        pair.contains(&number)
            && pair.iter().all(|&n| compared.rulings[n] == Ruling::Sound)
            && result.as_ref().is_ok_and(PairProof::shows_something)
    })
}

/// Rows have no line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

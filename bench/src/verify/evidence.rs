//! What one engine shows by itself.

use std::time::{Duration, Instant};

use play::kit::{self, SIGMAS};
use play::{Job, Tally, Via};

use super::Effort;
use crate::protocol::{KitFindings, Ran};
use crate::subject::{Failure, Subject};

/// What is recorded about a game, independent of any engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// Number of players.
    pub players: Option<u8>,
    /// Leaf counts at depth 1, 2, ...
    pub perft: Vec<u64>,
    /// Mean plies of a random playout, and the half-width within which a long run must fall.
    pub mean_plies: Option<(f64, f64)>,
    /// Mean score of each player.
    pub mean_scores: Option<Vec<f64>>,
    /// Half-width for the scores, in points.
    pub score_tolerance: f64,
}

impl Expected {
    /// Whether there is anything that an engine could fail.
    pub fn says_anything(&self) -> bool {
        !self.perft.is_empty() || self.mean_plies.is_some()
    }
}

/// What one engine showed.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Fingerprints of the tree to depth 0, 1, 2, ...
    pub prints: Vec<u64>,
    /// Leaf counts at depth 1, 2, ...
    pub perft: Vec<u64>,
    /// Playouts by the fast path.
    pub tally: Tally,
    /// How the fast path relates to the reference, if the engine has a kit.
    pub fast: Option<String>,
    /// How the batch path relates to the fast one.
    pub batch: Option<String>,
    /// Breaches of the contract and of the recorded numbers.
    pub faults: Vec<String>,
}

/// Positions that a single question about the tree may visit, at first, and at most: ten times as
/// many each time, while there is time. Positions of large games of chance may take a millisecond.
const FIRST_NODES: u64 = 30_000;
const NODES: u64 = 3_000_000;

/// Deepest fingerprint worth asking for.
const DEEPEST: u32 = 12;

/// Gathers what one engine shows.
pub fn gather(
    subject: &mut dyn Subject,
    expected: &Expected,
    effort: &Effort,
) -> Result<Evidence, Failure> {
    let mut faults = Vec::new();
    if let Some(players) = expected.players
        && subject.players() != players
    {
        faults.push(format!("{} players, the manifest says {players}", subject.players()));
    }
    let tally = playouts(subject, effort)?;
    check_statistics(&tally, expected, &mut faults);

    let kit = kit_findings(subject, tally.playouts, effort)?;
    faults.extend(kit.faults);
    let prints = prints(subject, effort)?;

    let start = Instant::now();
    let mut perft = Vec::new();
    for depth in 1..=expected.perft.len() as u32 {
        let Some(counts) = subject.perft(depth, NODES)? else { break };
        perft = counts;
        let wanted = &expected.perft[..depth as usize];
        if perft != wanted {
            faults.push(format!("perft {perft:?}, recorded {wanted:?}"));
            break;
        }
        if start.elapsed() * 8 > effort.time {
            break;
        }
    }
    Ok(Evidence { prints, perft, tally, fast: kit.fast, batch: kit.batch, faults })
}

/// The conformance kit, on a fraction of as many playouts as were played; nothing from an engine that
/// has no kit.
pub(crate) fn kit_findings(
    subject: &mut dyn Subject,
    playouts: u64,
    effort: &Effort,
) -> Result<KitFindings, Failure> {
    // The kit plays each playout about five times, most of them by the reference loop, which may be a
    // thousand times as slow as what was played so far; and it walks some position by position.
    let count = (playouts / 8).clamp(2, 50_000);
    let count = reference_playouts(subject, count, effort).unwrap_or(count);
    let kit_effort = kit::Effort {
        seed: effort.seed,
        walks: (count / 20).clamp(1, 4),
        playouts: count,
        cap: effort.cap,
    };
    Ok(subject.kit(&kit_effort)?.unwrap_or_default())
}

/// The CPU time of a job; an engine that does not tell it spends the time of the clock.
fn cpu_time(ran: &Ran, before: Instant) -> Duration {
    match ran.cpu_ns {
        0 => before.elapsed(),
        ns => Duration::from_nanos(ns),
    }
}

/// How many playouts by the reference loop fit into a fraction of the time, at most so many; nothing
/// from an engine that does not answer.
fn reference_playouts(subject: &mut dyn Subject, most: u64, effort: &Effort) -> Option<u64> {
    let (mut played, mut spent, mut count) = (0, Duration::ZERO, 1);
    while played < 2 || (played < most && spent * 4 < effort.time) {
        let before = Instant::now();
        let first = (1 << 41) + played;
        let job = Job { seed: effort.seed, first, count, cap: effort.cap };
        let ran = subject.run(&job, Via::Reference, 1).ok()?;
        spent += cpu_time(&ran, before);
        played += count;
        count *= 2;
    }
    Some(played.min(most).max(2))
}

/// Fingerprints of the tree to depth 0, 1, 2, ... as far as the time allows.
pub(crate) fn prints(subject: &mut dyn Subject, effort: &Effort) -> Result<Vec<u64>, Failure> {
    let mut prints = Vec::new();
    let start = Instant::now();
    for depth in 0..=DEEPEST {
        let before = Instant::now();
        let mut nodes = FIRST_NODES;
        let print = loop {
            match subject.fingerprint(depth, nodes)? {
                None if nodes < NODES && start.elapsed() < effort.time => nodes *= 10,
                print => break print,
            }
        };
        let Some(print) = print else { break };
        prints.push(print);
        // The next depth takes longer by the branching factor, so stop at a fraction of the time.
        if start.elapsed() > effort.time || before.elapsed() * 8 > effort.time {
            break;
        }
    }
    Ok(prints)
}

/// How many times as long as its CPU time evidence may take, on a machine that is busy.
const PATIENCE: u32 = 8;

/// As many playouts as fit into the time, at least two. CPU time counts, so that a busy machine does
/// not make a proof shorter.
pub(crate) fn playouts(subject: &mut dyn Subject, effort: &Effort) -> Result<Tally, Failure> {
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    let mut tally = Tally::default();
    let mut count = 1;
    let goes_on = |tally: &Tally, spent| {
        spent < effort.time && start.elapsed() < effort.time * PATIENCE && tally.playouts < 1 << 20
    };
    while tally.playouts < 2 || goes_on(&tally, spent) {
        let before = Instant::now();
        // Ids far from those of measurements, which start at 0.
        let first = (1 << 40) + tally.playouts;
        let job = Job { seed: effort.seed, first, count, cap: effort.cap };
        let ran = subject.run(&job, Via::Fast, 1)?;
        let part = ran.tally().map_err(|fault| Failure::new(reports::Verdict::Crashed, fault))?;
        tally += &part;
        let took = cpu_time(&ran, before);
        spent += took;
        if took * 4 < effort.time {
            // Lanes cost nothing; where they do, the time is kept all the same.
            let within = effort.time.as_secs_f64() / (4.0 * took.as_secs_f64().max(1e-9));
            let filled = ((count as f64 * within) as u64).min(subject.lanes());
            count = (count * 2).max(filled);
        }
    }
    Ok(tally)
}

fn check_statistics(tally: &Tally, expected: &Expected, faults: &mut Vec<String>) {
    if tally.stuck > 0 {
        faults.push(format!(
            "{} of {} playouts reached a position that is not over and has no legal action",
            tally.stuck, tally.playouts
        ));
    }
    let (mean, error) = tally.mean_plies();
    if let Some((wanted, tolerance)) = expected.mean_plies {
        // A rare ending that the sample happens to lack moves the mean by up to its length over the
        // number of playouts, and the sample's own spread does not know of it.
        let error = error.max(wanted / tally.playouts as f64);
        let error = if tally.playouts < 30 { error.max(0.1 * wanted) } else { error };
        if (mean - wanted).abs() > tolerance + SIGMAS * error + 1e-9 {
            faults.push(format!(
                "mean plies {mean:.3} ± {error:.3}, recorded {wanted} ± {tolerance}"
            ));
        }
    }
    if let Some(wanted) = &expected.mean_scores {
        let ended = (tally.playouts - tally.capped - tally.stuck).max(1) as f64;
        let sums = tally.score_sums();
        if sums.len() != wanted.len() && tally.playouts > tally.capped + tally.stuck {
            faults.push(format!("scores of {} players, recorded {}", sums.len(), wanted.len()));
        }
        for (player, (&sum, &wanted)) in sums.iter().zip(wanted).enumerate() {
            let mean = sum as f64 / ended;
            // Scores lie in 0..=100, so the standard deviation is at most 50.
            let error = 50.0 / ended.sqrt();
            if (mean - wanted).abs() > expected.score_tolerance + SIGMAS * error {
                faults.push(format!(
                    "mean score of player {} is {mean:.2}, recorded {wanted}",
                    player + 1
                ));
            }
        }
    }
}

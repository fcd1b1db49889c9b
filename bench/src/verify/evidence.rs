//! The evidence of one engine by itself.

use std::time::{Duration, Instant};

use play::kit::{self, Comparison, Detects};
use play::{Tally, Via};

use super::consistency;
use super::effort::{Effort, Phases, timed};
use super::played::{LONGEST_ANSWER, MOST_PLAYOUTS, Played};
use super::recorded::{self, Expected};
use super::streams::{self, Streams};
use crate::failure::Failure;
use crate::playout_ids::{self, PlayoutIds};
use crate::protocol::{KitFindings, Walked};
use crate::subject::Subject;

/// The evidence of one engine.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Fingerprints of the tree to depth 0, 1, 2, ...
    pub prints: Vec<u64>,
    /// Random walks from the first on; none in games of chance from engines that only show
    /// positions.
    pub walks: Vec<Walked>,
    /// Leaf counts at depth 1, 2, ...
    pub perft: Vec<u64>,
    /// Playouts by the fast path.
    pub tally: Tally,
    /// CPU time that they took.
    pub cpu: Duration,
    /// The comparison of these playouts with recorded means, if there are any.
    pub recorded: Option<Comparison>,
    /// The results of checking the streams of playouts.
    pub streams: Streams,
    /// Playouts on which the ways of playing were compared, if the engine has a kit.
    pub compared: u64,
    /// The relation of the fast path to the reference.
    pub fast: Option<String>,
    /// The relation of the batch path to it.
    pub batch: Option<String>,
    /// The relation of the path without machine code to it.
    pub interpreted: Option<String>,
    /// The deviations of each way that would have been seen; empty if nothing was compared.
    pub ways: Vec<WayProof>,
    /// Breaches of the contract and of the recorded numbers.
    pub faults: Vec<String>,
}

impl Evidence {
    /// The playouts by the fast path, to be made more.
    pub(super) fn fast_sample(&self, engine: &str, seed: u64) -> Played {
        let nothing = Played::nothing(engine, Via::Fast, "more", seed);
        Played { tally: self.tally.clone(), cpu: self.cpu, ..nothing }
    }

    /// The proof of a way, if it was compared.
    pub fn way(&self, via: Via) -> Option<&WayProof> {
        self.ways.iter().find(|way| way.via == via)
    }
}

/// The smallest deviation of a way of playing that would have been seen.
#[derive(Clone, Debug, PartialEq)]
pub struct WayProof {
    /// The way.
    pub via: Via,
    /// The deviations that would have been found with a probability of 95 %; `None` if nothing
    /// could have shown a deviation.
    pub detects: Option<Detects>,
    /// The partner of the comparison, or the reason why nothing could have shown.
    pub by: String,
}

/// An engine that is to be compared with others.
pub(crate) struct Contestant<'s> {
    pub(crate) subject: &'s mut dyn Subject,
    pub(crate) evidence: Evidence,
    /// True if other systems' records of this game agree with it.
    pub(crate) vouched: bool,
}

/// Positions that a single question about the tree may visit, at first, and at most: ten times as
/// many each time, while there is time. Positions of large games of chance may take a millisecond.
const FIRST_NODES: u64 = 30_000;
const NODES: u64 = 3_000_000;

/// Deepest fingerprint worth asking for.
const DEEPEST: u32 = 12;

/// Gathers what one engine shows, and adds up the time that it takes.
pub(super) fn gather(
    subject: &mut dyn Subject,
    expected: &Expected,
    effort: &Effort,
    phases: &mut Phases,
) -> Result<Evidence, Failure> {
    let mut faults = Vec::new();
    if let Some(players) = expected.players
        && subject.players() != players
    {
        faults.push(format!("{} players, the manifest says {players}", subject.players()));
    }
    let mut ids = PlayoutIds::of_proof(effort.seed, subject.name());
    let sampled = || Played::for_time(subject, Via::Fast, effort);
    let Played { tally, cpu, .. } = timed(&mut phases.playouts, sampled)?;
    if tally.stuck > 0 {
        faults.push(format!(
            "{} of {} playouts reached a position that is not over and has no legal action",
            tally.stuck, tally.playouts
        ));
    }
    let recorded = recorded::compare(&tally, expected);
    if let Some(Comparison::Differs(how)) = &recorded {
        faults.push(how.clone());
    }

    // The same ids for all engines of a game: programs that play them alike are of one lineage.
    let mut shared = PlayoutIds::of_proof(effort.seed, "streams");
    let checked = || streams::check(subject, tally.playouts, effort, &mut shared);
    let streams = timed(&mut phases.streams, checked)?;
    faults.extend(streams.faults.iter().cloned());
    let kit = timed(&mut phases.kit, || kit_findings(subject, effort, &mut ids))?;
    faults.extend(kit.faults);
    let prints = timed(&mut phases.fingerprints, || prints(subject, effort))?;
    let contradiction = || consistency::check(subject, &prints, effort);
    faults.extend(timed(&mut phases.fingerprints, contradiction)?);
    let walks = timed(&mut phases.walks, || walks(subject, effort))?;
    // Searches prefer what is good.
    if subject.simulations() == 0 {
        faults.extend(unlike_walks(&tally, &walks));
    }
    let perft =
        timed(&mut phases.perft, || check_perft(subject, &expected.perft, effort, &mut faults))?;
    Ok(Evidence {
        prints,
        walks,
        perft,
        tally,
        cpu,
        recorded,
        streams,
        compared: kit.playouts,
        fast: kit.fast,
        batch: kit.batch,
        interpreted: kit.interpreted,
        ways: Vec::new(),
        faults,
    })
}

/// Counts leaves as deeply as the time allows, up to a difference.
fn check_perft(
    subject: &mut dyn Subject,
    recorded: &[u64],
    effort: &Effort,
    faults: &mut Vec<String>,
) -> Result<Vec<u64>, Failure> {
    let start = Instant::now();
    let mut perft = Vec::new();
    for depth in 1..=recorded.len() as u32 {
        let Some(counts) = subject.perft(depth, NODES)? else { break };
        perft = counts;
        let wanted = &recorded[..depth as usize];
        if perft != wanted {
            faults.push(format!("perft {perft:?}, recorded {wanted:?}"));
            break;
        }
        if start.elapsed() * 8 > effort.time {
            break;
        }
    }
    Ok(perft)
}

/// Playouts by the reference loop that the time must have room for, before the kit is given more.
const CALIBRATION: u32 = 8;

/// The conformance kit, on as many playouts as there is time for; nothing from an engine that has
/// no kit. The ways of playing are compared one playout at a time, so that more playouts find rarer
/// faults.
pub(crate) fn kit_findings(
    subject: &mut dyn Subject,
    effort: &Effort,
    ids: &mut PlayoutIds,
) -> Result<KitFindings, Failure> {
    let rate = reference_rate(subject, effort, ids);
    let start = Instant::now();
    let mut findings: Option<KitFindings> = None;
    for number in 0.. {
        let left = effort.time.saturating_sub(start.elapsed()).min(LONGEST_ANSWER);
        if findings.as_ref().is_some_and(|f| {
            !f.faults.is_empty() || left < effort.time / 4 || f.playouts >= MOST_PLAYOUTS
        }) {
            break;
        }
        let playouts = rate.map_or(2.0, |rate| rate * left.as_secs_f64() * SHARE) as u64;
        let playouts = playouts.clamp(2, MOST_PLAYOUTS);
        // Another seed each time: which ids the kit plays hangs on it.
        let kit_effort = kit::Effort {
            seed: playout_ids::told(effort.seed).wrapping_add(number),
            walks: if number == 0 { (playouts / 20).clamp(1, 4) } else { 0 },
            playouts,
            cap: effort.cap,
        };
        let Some(part) = subject.kit(&kit_effort)? else { break };
        findings = Some(match findings {
            None => part,
            Some(before) => both(before, part),
        });
    }
    Ok(findings.unwrap_or_default())
}

/// Of the kit's time what the reference loop takes, roughly.
const SHARE: f64 = 0.6;

/// The findings of two parts of a kit together. Playouts that agree less well in one of them do so
/// in both.
fn both(a: KitFindings, b: KitFindings) -> KitFindings {
    let weaker = |a: Option<String>, b: Option<String>| match (a, b) {
        (Some(a), Some(b)) => Some(if a == "identical" { b } else { a }),
        _ => None,
    };
    KitFindings {
        faults: [a.faults, b.faults].concat(),
        plies: a.plies + b.plies,
        playouts: a.playouts + b.playouts,
        fast: weaker(a.fast, b.fast),
        batch: weaker(a.batch, b.batch),
        interpreted: weaker(a.interpreted, b.interpreted),
    }
}

/// Playouts that the reference loop plays in a second of CPU time; nothing from an engine that does
/// not answer.
fn reference_rate(subject: &mut dyn Subject, effort: &Effort, ids: &mut PlayoutIds) -> Option<f64> {
    let (mut played, mut spent, mut count) = (0, Duration::ZERO, 1);
    while played < 2 || (played < MOST_PLAYOUTS && spent * CALIBRATION < effort.time) {
        let ran = subject.run(&ids.job(count, effort.cap), Via::Reference, 1).ok()?;
        spent += Duration::from_nanos(ran.cpu_ns);
        played += count;
        count *= 2;
    }
    Some(played as f64 / spent.as_secs_f64().max(1e-9))
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

/// Most random walks.
const MOST_WALKS: u64 = 1 << 14;

/// Random walks, as many as fit into the time. In games of chance each engine draws its own chance,
/// and those that only show positions take none: positions are named by numbers of actions, which
/// say nothing of what chance did.
pub(crate) fn walks(subject: &mut dyn Subject, effort: &Effort) -> Result<Vec<Walked>, Failure> {
    let start = Instant::now();
    let (mut walks, mut count) = (Vec::new(), 2);
    while walks.is_empty() || start.elapsed() < effort.time {
        let before = Instant::now();
        let number = walks.len() as u64;
        walks.extend(subject.random_walks(effort.walk(number), count)?);
        if walks.is_empty() {
            break;
        }
        let left = effort.time.saturating_sub(start.elapsed()).min(LONGEST_ANSWER).as_secs_f64();
        let each = before.elapsed().as_secs_f64() / count as f64;
        let most = MOST_WALKS.saturating_sub(walks.len() as u64).min(count * 8);
        if most == 0 {
            break;
        }
        count = ((left / each.max(1e-9)) as u64).clamp(1, most);
    }
    Ok(walks)
}

/// The difference between an engine's own playouts and random walks through its positions: these
/// are playouts by the harness's draws.
fn unlike_walks(own: &Tally, walks: &[Walked]) -> Option<String> {
    let mut tally = Tally::default();
    for (number, walk) in walks.iter().enumerate() {
        tally.record(number as u64, walk.end());
    }
    kit::differs(own, &tally).map(|how| {
        format!(
            "its playouts are not random walks through its own positions: {how}; draw uniformly \
             among the legal actions"
        )
    })
}

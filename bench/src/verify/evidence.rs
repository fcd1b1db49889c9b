//! What one engine shows by itself.

use std::time::{Duration, Instant};

use play::kit::{self, Comparison, SIGMAS};
use play::{Tally, Via};

use super::consistency;
use super::effort::{Effort, Phases, timed};
use super::streams::{self, Streams};
use crate::failure::Failure;
use crate::playout_ids::{self, PlayoutIds};
use crate::protocol::{KitFindings, Walked};
use crate::subject::Subject;

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
    /// Random walks from the first on; none in games of chance from engines that only show
    /// positions.
    pub walks: Vec<Walked>,
    /// Leaf counts at depth 1, 2, ...
    pub perft: Vec<u64>,
    /// Playouts by the fast path.
    pub tally: Tally,
    /// What comparing them with recorded means has shown, one for each mean.
    pub recorded: Vec<Comparison>,
    /// What checking the streams of playouts has shown.
    pub streams: Streams,
    /// Playouts on which the ways of playing were compared, if the engine has a kit.
    pub compared: u64,
    /// How the fast path relates to the reference.
    pub fast: Option<String>,
    /// How the batch path relates to it.
    pub batch: Option<String>,
    /// How the path without machine code relates to it.
    pub interpreted: Option<String>,
    /// Breaches of the contract and of the recorded numbers.
    pub faults: Vec<String>,
}

/// An engine that is to be compared with others.
pub(crate) struct Contestant<'s> {
    pub(crate) subject: &'s mut dyn Subject,
    pub(crate) evidence: Evidence,
    /// Whether other systems' records of this game agree with it.
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
    let tally = timed(&mut phases.playouts, || playouts(subject, effort, &mut ids))?;
    let recorded = check_statistics(&tally, expected, &mut faults);

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
    faults.extend(unlike_walks(&tally, &walks));
    let perft =
        timed(&mut phases.perft, || check_perft(subject, &expected.perft, effort, &mut faults))?;
    Ok(Evidence {
        prints,
        walks,
        perft,
        tally,
        recorded,
        streams,
        compared: kit.playouts,
        fast: kit.fast,
        batch: kit.batch,
        interpreted: kit.interpreted,
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

/// Longest that a single answer is meant to take: workers are killed that take too long.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);

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
        // Another seed each time: the kit always plays the same ids.
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

/// What two parts of a kit have found together. Playouts that agree less well in one of them do so
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

/// As many random walks as fit into the time. In games of chance each engine draws its own chance,
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

/// How an engine's own playouts differ from random walks through its positions: these are playouts
/// by the harness's draws.
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

/// Most playouts of one kind of evidence.
const MOST_PLAYOUTS: u64 = 1 << 20;

/// How many times as long as its CPU time evidence may take, on a machine that is busy.
const PATIENCE: u32 = 8;

/// As many playouts as fit into the time, at least two. CPU time counts, so that a busy machine
/// does not make a proof shorter.
pub(crate) fn playouts(
    subject: &mut dyn Subject,
    effort: &Effort,
    ids: &mut PlayoutIds,
) -> Result<Tally, Failure> {
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    let mut tally = Tally::default();
    let mut count = 1;
    let goes_on = |tally: &Tally, spent| {
        spent < effort.time
            && start.elapsed() < effort.time * PATIENCE
            && tally.playouts < MOST_PLAYOUTS
    };
    while tally.playouts < 2 || goes_on(&tally, spent) {
        let ran = subject.run(&ids.job(count, effort.cap), Via::Fast, 1)?;
        let part = ran.tally().map_err(|fault| Failure::new(reports::Verdict::Crashed, fault))?;
        tally += &part;
        let took = Duration::from_nanos(ran.cpu_ns);
        spent += took;
        if took * 4 < effort.time.min(LONGEST_ANSWER) {
            // Lanes cost nothing; where they do, the time is kept all the same.
            let within = effort.time.as_secs_f64() / (4.0 * took.as_secs_f64().max(1e-9));
            let filled = ((count as f64 * within) as u64).min(subject.lanes());
            count = (count * 2).max(filled);
        }
    }
    Ok(tally)
}

/// Compares playouts with what is recorded of the game; what came of it, one for each mean.
fn check_statistics(
    tally: &Tally,
    expected: &Expected,
    faults: &mut Vec<String>,
) -> Vec<Comparison> {
    if tally.stuck > 0 {
        faults.push(format!(
            "{} of {} playouts reached a position that is not over and has no legal action",
            tally.stuck, tally.playouts
        ));
    }
    let mut compared: Vec<Comparison> = Vec::new();
    if let Some(recorded) = expected.mean_plies {
        compared.push(mean_plies(tally, recorded));
    }
    if let Some(recorded) = &expected.mean_scores {
        compared.push(mean_scores(tally, recorded, expected.score_tolerance));
    }
    faults.extend(compared.iter().filter_map(|comparison| match comparison {
        Comparison::Differs(how) => Some(how.clone()),
        _ => None,
    }));
    compared
}

/// The recorded mean is of whole playouts: a sample that the cap has cut says nothing about it.
fn mean_plies(tally: &Tally, (wanted, tolerance): (f64, f64)) -> Comparison {
    let (mean, error) = tally.mean_plies();
    // A rare ending that the sample happens to lack moves the mean by up to its length over the
    // number of playouts, and the sample's own spread does not know of it.
    let error = error.max(wanted / tally.playouts as f64);
    let error = if tally.playouts < 30 { error.max(0.1 * wanted) } else { error };
    if tally.capped == 0 && (mean - wanted).abs() > tolerance + SIGMAS * error + 1e-9 {
        return Comparison::Differs(format!(
            "mean plies {mean:.3} ± {error:.3}, recorded {wanted} ± {tolerance}"
        ));
    }
    Comparison::agreement(tally.playouts, tally.capped, error, wanted)
}

fn mean_scores(tally: &Tally, recorded: &[f64], tolerance: f64) -> Comparison {
    let means = tally.mean_scores();
    if means.len() != recorded.len() && !means.is_empty() {
        return Comparison::Differs(format!(
            "scores of {} players, recorded {}",
            means.len(),
            recorded.len()
        ));
    }
    let all: Vec<i32> = tally.outcomes().keys().flat_map(|scores| scores.iter()).collect();
    let scale = all.iter().map(|score| f64::from(score.unsigned_abs())).fold(1.0, f64::max);
    let mut largest = 0.0f64;
    for (player, (&(mean, error), &wanted)) in means.iter().zip(recorded).enumerate() {
        // Half the range for a small sample: one that happens to be even is not trusted, nor is a
        // rare payoff that it happens to lack.
        let n = tally.playouts.max(1) as f64;
        let error = error.max(if n < 1000.0 { 0.5 * scale / n.sqrt() } else { scale / n });
        largest = largest.max(error);
        if tally.capped == 0 && (mean - wanted).abs() > tolerance + SIGMAS * error {
            return Comparison::Differs(format!(
                "mean score of player {} is {mean:.2}, recorded {wanted}",
                player + 1
            ));
        }
    }
    Comparison::agreement(tally.playouts, tally.capped, largest, scale)
}

#[cfg(test)]
mod tests {
    use play::{End, Ending, Scores};

    use super::*;

    fn sample(playouts: u64, plies: u32, ending: Ending) -> Tally {
        let mut tally = Tally::default();
        for id in 0..playouts {
            tally.record(id, End { plies: plies + (id % 5) as u32, ending });
        }
        tally
    }

    #[test]
    fn a_recorded_mean_is_kept_missed_or_not_compared() {
        let over = Ending::Over(Scores::DRAW);
        let recorded = (102.0, 0.1);
        assert_eq!(mean_plies(&sample(10_000, 100, over), recorded), Comparison::Agrees);
        let differs = mean_plies(&sample(10_000, 110, over), recorded);
        assert!(matches!(differs, Comparison::Differs(_)), "{differs:?}");
        let few = mean_plies(&sample(20, 110, over), recorded);
        assert!(matches!(few, Comparison::Unchecked(_)), "{few:?}");
        // Cut off, far below the recorded mean.
        let mut cut = sample(10_000, 60, over);
        cut += &sample(100, 70, Ending::Capped);
        let cut = mean_plies(&cut, recorded);
        assert!(matches!(cut, Comparison::Unchecked(_)), "{cut:?}");
        let few = mean_scores(&sample(100, 9, over), &[50.0, 50.0], 0.5);
        assert!(matches!(few, Comparison::Unchecked(_)), "{few:?}");
        let many = sample(40_000, 9, over);
        assert_eq!(mean_scores(&many, &[50.0, 50.0], 0.5), Comparison::Agrees);
        let differs = mean_scores(&many, &[55.0, 45.0], 0.5);
        assert!(matches!(differs, Comparison::Differs(_)), "{differs:?}");
    }
}

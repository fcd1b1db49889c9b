//! All engines of a game side by side: what every two show, and who is wrong.

use play::kit::Comparison;

use super::attribute::{Dispute, Ruling, Vote, Voter, ask_everybody, rule};
use super::difference::{Counterexample, Matching, Question};
use super::effort::{Effort, Phases, timed};
use super::evidence::{Contestant, Evidence};
use super::pair::{self, PairProof};
use super::sights::unlike_sights;
use crate::failure::Failure;
use crate::protocol::Walked;

/// What comparing has shown.
pub(crate) struct Compared {
    /// Every two engines that could be compared, by number.
    pub(crate) pairs: Vec<([usize; 2], Result<PairProof, Counterexample>)>,
    /// What was decided of each engine; of one that takes no part, nothing.
    pub(crate) rulings: Vec<Ruling>,
    /// Engines that gave no answer on the way, by number.
    pub(crate) failed: Vec<(usize, Failure)>,
}

/// Compares every two engines, asks all of them about each difference, and decides who is wrong.
/// Engines that fail on the way are taken out.
pub(crate) fn compare_all(
    contestants: &mut [Option<Contestant<'_>>],
    effort: &Effort,
    phases: &mut Phases,
) -> Compared {
    let (mut pairs, mut failed) = (Vec::new(), Vec::new());
    for i in 0..contestants.len() {
        for j in i + 1..contestants.len() {
            let Ok([Some(a), Some(b)]) = contestants.get_disjoint_mut([i, j]) else { continue };
            match timed(&mut phases.walks, || compare_pair(a, b, effort)) {
                Ok(result) => pairs.push(([i, j], result)),
                Err((culprit, failure)) => {
                    let culprit = [i, j][culprit];
                    contestants[culprit] = None;
                    failed.push((culprit, failure));
                }
            }
        }
    }
    let disputes = timed(&mut phases.disputes, || {
        let mut disputes: Vec<Dispute> = Vec::new();
        for (parties, result) in &pairs {
            let Err(how) = result else { continue };
            let before = failed.len();
            disputes.push(ask_everybody(contestants, *parties, how.clone(), &mut failed));
            for (culprit, _) in &failed[before..] {
                contestants[*culprit] = None;
            }
        }
        disputes
    });
    let rulings = decide(contestants, &disputes);
    Compared { pairs, rulings, failed }
}

fn decide(contestants: &[Option<Contestant<'_>>], disputes: &[Dispute]) -> Vec<Ruling> {
    let parties: Vec<Voter<'_>> = contestants
        .iter()
        .map(|contestant| match contestant {
            Some(Contestant { subject, evidence, vouched }) => Voter {
                name: subject.name(),
                lineage: subject.lineage(),
                fault: evidence.faults.first().map(String::as_str),
                vouched: *vouched,
            },
            None => Voter { name: "", lineage: "", fault: None, vouched: false },
        })
        .collect();
    // What an engine showed before it failed speaks for and against nobody.
    let answered = |dispute: &&Dispute| dispute.parties.iter().all(|&p| contestants[p].is_some());
    let mut disputes: Vec<Dispute> = disputes.iter().filter(answered).cloned().collect();
    for dispute in &mut disputes {
        for (vote, contestant) in dispute.votes.iter_mut().zip(contestants) {
            if contestant.is_none() {
                *vote = Vote::Abstains;
            }
        }
    }
    rule(&parties, &disputes)
}

/// Compares two engines: fingerprints, walks and statistics that are there already, and walks in
/// lock-step where their digests differ. An error names the engine (0 or 1) that failed to answer.
///
/// Fingerprints hold all that chance can do, in no order. Walks name positions by numbers of
/// actions, which say nothing of what chance did, so that in games of chance each engine walks
/// alone, and what there was to see is compared as a distribution.
fn compare_pair(
    a: &mut Contestant<'_>,
    b: &mut Contestant<'_>,
    effort: &Effort,
) -> Result<Result<PairProof, Counterexample>, (usize, Failure)> {
    let chance = [a.subject.chance(), b.subject.chance()];
    if chance[0] != chance[1] {
        let word = |chance| if chance { "chance has a say" } else { "chance has no say" };
        let how = format!("{} / {}", word(chance[0]), word(chance[1]));
        return Ok(Err(Counterexample::bare(Question::Chance, how)));
    }
    let found = match first_difference(&a.evidence, &b.evidence) {
        Some(depth) if chance[0] => {
            let how = format!("the trees differ within {depth} plies");
            Err(Counterexample::bare(Question::Tree(depth), how))
        }
        Some(depth) => Err(pair::descend(a.subject, b.subject, depth as u32)?),
        None if chance[0] => same_sights(&a.evidence.walks, &b.evidence.walks),
        None => {
            let (proof, unlike) = same_walks(&a.evidence, &b.evidence);
            pair::compare(a.subject, b.subject, effort, &unlike, proof)?
        }
    };
    Ok(found.and_then(|proof| with_statistics(proof, [&a.evidence, &b.evidence], effort)))
}

/// What random walks show in a game of chance: both engines see the same things, equally often.
fn same_sights(x: &[Walked], y: &[Walked]) -> Result<PairProof, Counterexample> {
    if let Some(how) = unlike_sights(x, y) {
        return Err(Counterexample::bare(Question::Sights, how));
    }
    let fewer = if x.len() < y.len() { x } else { y };
    let plies = fewer.iter().map(|walk| u64::from(walk.plies)).sum();
    let walks = fewer.len() as u32;
    Ok(PairProof { walks, plies, matching: Matching::Alone, ..PairProof::default() })
}

/// What random walks show that both engines took alike, and the numbers of those that they did not,
/// perhaps since they name actions differently.
fn same_walks(x: &Evidence, y: &Evidence) -> (PairProof, Vec<u64>) {
    let (mut proof, mut unlike) = (PairProof::default(), Vec::new());
    for (number, (x, y)) in (0..).zip(x.walks.iter().zip(&y.walks)) {
        if x.digest.is_some() && x.digest == y.digest {
            proof.walks += 1;
            proof.plies += u64::from(x.plies);
        } else {
            unlike.push(number);
        }
    }
    (proof, unlike)
}

/// The least depth to which fingerprints differ.
fn first_difference(x: &Evidence, y: &Evidence) -> Option<usize> {
    x.prints.iter().zip(&y.prints).position(|(x, y)| x != y)
}

/// What walks have shown, with what the statistics and fingerprints of both engines add.
fn with_statistics(
    mut proof: PairProof,
    [x, y]: [&Evidence; 2],
    effort: &Effort,
) -> Result<PairProof, Counterexample> {
    let comparison = effort.comparison()(&x.tally, &y.tally);
    if let Comparison::Differs(how) = comparison {
        let how = format!("random playouts differ: {how}");
        return Err(Counterexample::bare(Question::Playouts, how));
    }
    (proof.detects, proof.unshown) = (comparison.detects(), comparison.weakness());
    proof.depth = x.prints.len().min(y.prints.len()).saturating_sub(1) as u32;
    proof.playouts = x.tally.playouts.min(y.tally.playouts);
    Ok(proof)
}

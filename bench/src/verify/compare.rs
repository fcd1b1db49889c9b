//! All engines of a game side by side: what every two show, and who is wrong.

use std::collections::BTreeMap;

use play::Tally;
use play::kit::{self, Comparison};

use super::attribute::{Dispute, Party, Ruling, Stance, ask_everybody, rule};
use super::difference::{Counterexample, Matching, Question};
use super::effort::{Effort, Phases, timed};
use super::evidence::{Contestant, Evidence};
use super::pair::{self, PairProof};
use super::walk::{self, Followed};
use crate::subject::{Failure, Subject};

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
    let together = timed(&mut phases.walks, || walk_those_alike(contestants, effort));
    let (mut pairs, mut failed) = (Vec::new(), Vec::new());
    for i in 0..contestants.len() {
        for j in i + 1..contestants.len() {
            let Ok([Some(a), Some(b)]) = contestants.get_disjoint_mut([i, j]) else { continue };
            let result = match together.proof_of(i, j) {
                Some(proof) => Ok(with_statistics(proof, &a.evidence, &b.evidence)),
                None => timed(&mut phases.walks, || compare_pair(a, b, effort)),
            };
            match result {
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
    let parties: Vec<Party<'_>> = contestants
        .iter()
        .map(|contestant| match contestant {
            Some(Contestant { subject, evidence, vouched }) => Party {
                name: subject.name(),
                lineage: subject.lineage(),
                fault: evidence.faults.first().map(String::as_str),
                vouched: *vouched,
            },
            None => Party { name: "", lineage: "", fault: None, vouched: false },
        })
        .collect();
    // What an engine showed before it failed speaks for and against nobody.
    let answered = |dispute: &&Dispute| dispute.parties.iter().all(|&p| contestants[p].is_some());
    let mut disputes: Vec<Dispute> = disputes.iter().filter(answered).cloned().collect();
    for dispute in &mut disputes {
        for (stance, contestant) in dispute.stances.iter_mut().zip(contestants) {
            if contestant.is_none() {
                *stance = Stance::Abstains;
            }
        }
    }
    rule(&parties, &disputes)
}

/// Compares two engines: statistics and fingerprints that are there already, then walks. An error
/// names the engine (0 or 1) that failed to answer.
///
/// Fingerprints hold all that chance can do, in no order. Walks name positions by numbers of actions,
/// which say nothing of what chance did, so that games of chance are not walked.
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
        None if chance[0] => Ok(PairProof::default()),
        None => pair::compare(a.subject, b.subject, effort)?,
    };
    Ok(found.and_then(|proof| with_statistics(proof, &a.evidence, &b.evidence)))
}

/// The least depth to which fingerprints differ.
fn first_difference(x: &Evidence, y: &Evidence) -> Option<usize> {
    x.prints.iter().zip(&y.prints).position(|(x, y)| x != y)
}

/// What walks have shown, with what the statistics and fingerprints of both engines add.
fn with_statistics(
    mut proof: PairProof,
    x: &Evidence,
    y: &Evidence,
) -> Result<PairProof, Counterexample> {
    match kit::compare(&x.tally, &y.tally) {
        Comparison::Agrees => {}
        Comparison::Unchecked(why) => proof.unshown = Some(why),
        Comparison::Differs(how) => {
            let how = format!("random playouts differ: {how}");
            return Err(Counterexample::bare(Question::Playouts, how));
        }
    }
    proof.depth = x.prints.len().min(y.prints.len()).saturating_sub(1) as u32;
    proof.playouts = x.tally.playouts.min(y.tally.playouts);
    Ok(proof)
}

/// What engines have shown on walks that all of them took.
#[derive(Default)]
struct Walked {
    /// Plies of each walk.
    plies: Vec<u64>,
    /// By the number of the engine.
    engines: BTreeMap<usize, Followed>,
}

impl Walked {
    /// What it says of two engines; nothing if one of them did not take part.
    fn proof_of(&self, i: usize, j: usize) -> Option<PairProof> {
        let (a, b) = (self.engines.get(&i)?, self.engines.get(&j)?);
        let both = |walk: usize| a.walks & b.walks & 1 << walk != 0;
        let walks = (0..self.plies.len()).filter(|&walk| both(walk)).count();
        Some(PairProof {
            walks: walks as u32,
            plies: (0..self.plies.len()).filter(|&w| both(w)).map(|w| self.plies[w]).sum(),
            unclear: (self.plies.len() - walks) as u32,
            matching: a.matching.max(b.matching),
            ..PairProof::default()
        })
    }
}

/// Walks all engines together whose trees look like the first one's. Engines that differ on the way,
/// or give no answer, are left to be compared one by one, and so are all if the first one fails.
///
/// The walks are random playouts with the harness's own draws, so that they also check how each of
/// these engines draws: its own playouts must be as long, and end alike.
fn walk_those_alike(contestants: &mut [Option<Contestant<'_>>], effort: &Effort) -> Walked {
    let Some(first) = contestants.iter().position(Option::is_some) else {
        return Walked::default();
    };
    let alike = |i: usize| match (&contestants[first], &contestants[i]) {
        (Some(x), Some(y)) => {
            first_difference(&x.evidence, &y.evidence).is_none() && !y.subject.chance()
        }
        _ => false,
    };
    let members: Vec<usize> = (first..contestants.len()).filter(|&i| alike(i)).collect();
    let mut taking_part = contestants
        .iter_mut()
        .enumerate()
        .filter(|(i, _)| members.contains(i))
        .filter_map(|(_, contestant)| contestant.as_mut())
        .map(|contestant| &mut *contestant.subject as &mut dyn Subject);
    let Some(leader) = taking_part.next() else { return Walked::default() };
    let followers: Vec<&mut dyn Subject> = taking_part.collect();
    let Ok(together) = walk::walk_together(leader, followers, effort) else {
        return Walked::default();
    };
    let leader = Followed { walks: u128::MAX, matching: Matching::Labels };
    let shown = std::iter::once(Some(leader)).chain(together.followers);
    let engines: BTreeMap<usize, Followed> =
        members.into_iter().zip(shown).filter_map(|(i, shown)| Some((i, shown?))).collect();
    if let Some(sample) = &together.sample {
        for &number in engines.keys() {
            if let Some(contestant) = &mut contestants[number] {
                contestant.evidence.faults.extend(unlike_walks(&contestant.evidence.tally, sample));
            }
        }
    }
    Walked { plies: together.plies, engines }
}

/// How an engine's own playouts differ from random walks through its positions.
fn unlike_walks(own: &Tally, walks: &Tally) -> Option<String> {
    kit::differs(own, walks).map(|how| {
        format!(
            "its playouts are not random walks through its own positions: {how}; draw uniformly \
             among the legal actions"
        )
    })
}

//! Proof that engines play the same game, and the game that the manifest says.
//!
//! Per engine: the conformance kit, fingerprints of the tree, perft and playout statistics. Per pair:
//! fingerprints at every depth that both reached, lock-step walks, outcome statistics. An engine
//! that disagrees with the recorded numbers, or with the larger group of its peers, is `WRONG`.

pub(crate) mod evidence;
mod pair;
mod walk;

use std::collections::BTreeMap;
use std::time::Duration;

use play::kit;
use reports::Verdict;

pub use evidence::{Evidence, Expected, gather};
pub use pair::{Counterexample, Matching, PairProof, compare};

use crate::subject::{Failure, Subject};
use walk::Followed;

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Seed of everything drawn.
    pub seed: u64,
    /// Time for each kind of evidence and each pair, roughly. More time proves more, and never
    /// changes a verdict from right to wrong.
    pub time: Duration,
    /// Ply cap.
    pub cap: u32,
}

impl Effort {
    /// What `run` does before it measures: a fraction of a second each.
    pub fn quick(seed: u64, cap: u32) -> Effort {
        Effort { seed, time: Duration::from_millis(250), cap }
    }

    /// What `verify` does by default.
    pub fn thorough(seed: u64, cap: u32) -> Effort {
        Effort { seed, time: Duration::from_secs(2), cap }
    }
}

/// What is known about one engine after verification.
#[derive(Clone, Debug)]
pub struct EngineProof {
    /// Its name.
    pub engine: String,
    /// `ok`, `unchecked`, `WRONG`, or why it gave no answer.
    pub verdict: Verdict,
    /// Why, unless `ok`.
    pub reason: String,
    /// What it showed, if it got so far.
    pub evidence: Option<Evidence>,
}

/// The outcome for one pair.
#[derive(Clone, Debug)]
pub struct PairReport {
    /// Names of the two engines.
    pub engines: [String; 2],
    /// What was proven, or what differs.
    pub result: Result<PairProof, Counterexample>,
}

/// What verification of one game found.
#[derive(Clone, Debug)]
pub struct GameProof {
    /// In the order in which the engines were given.
    pub engines: Vec<EngineProof>,
    /// Every pair of engines that could be compared.
    pub pairs: Vec<PairReport>,
}

/// Verifies one game on all engines that loaded it.
pub fn verify(
    subjects: &mut [Box<dyn Subject + '_>],
    expected: &Expected,
    effort: &Effort,
) -> GameProof {
    let mut engines: Vec<EngineProof> = subjects
        .iter_mut()
        .map(|subject| {
            let engine = subject.name().to_owned();
            match gather(&mut **subject, expected, effort) {
                Ok(evidence) => EngineProof {
                    engine,
                    verdict: Verdict::Ok,
                    reason: String::new(),
                    evidence: Some(evidence),
                },
                Err(Failure { verdict, reason }) => {
                    EngineProof { engine, verdict, reason, evidence: None }
                }
            }
        })
        .collect();
    let together = walk_those_alike(subjects, &engines, effort);
    let mut pairs = Vec::new();
    let mut agrees = vec![vec![true; engines.len()]; engines.len()];
    for i in 0..engines.len() {
        for j in i + 1..engines.len() {
            if engines[i].evidence.is_none() || engines[j].evidence.is_none() {
                continue;
            }
            let (left, right) = subjects.split_at_mut(j);
            let proofs = [&engines[i], &engines[j]];
            let result = match together.proof_of(i, j) {
                Some(proof) => Ok(with_statistics(proof, proofs)),
                None => compare_pair(&mut *left[i], &mut *right[0], proofs, effort),
            };
            match result {
                Ok(result) => {
                    agrees[i][j] = result.is_ok();
                    agrees[j][i] = result.is_ok();
                    let engines = [engines[i].engine.clone(), engines[j].engine.clone()];
                    pairs.push(PairReport { engines, result });
                }
                Err((culprit, failure)) => {
                    let proof = &mut engines[if culprit == 0 { i } else { j }];
                    proof.verdict = failure.verdict;
                    proof.reason = failure.reason;
                    proof.evidence = None;
                }
            }
        }
    }
    judge(&mut engines, &pairs, &agrees, expected);
    GameProof { engines, pairs }
}

/// Compares two engines: statistics and fingerprints that are there already, then walks. An error
/// names the engine (0 or 1) that failed to answer.
///
/// Fingerprints hold all that chance can do, in no order. Walks name positions by numbers of actions,
/// which say nothing of what chance did, so that games of chance are not walked.
pub(crate) fn compare_pair(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    proofs: [&EngineProof; 2],
    effort: &Effort,
) -> Result<Result<PairProof, Counterexample>, (usize, Failure)> {
    let [Some(x), Some(y)] = proofs.map(|proof| proof.evidence.as_ref()) else {
        return Ok(Err(Counterexample::bare("no evidence")));
    };
    let chance = a.chance() || b.chance();
    let found = match first_difference(x, y) {
        Some(depth) if chance => {
            Err(Counterexample::bare(format!("the trees differ within {depth} plies")))
        }
        Some(depth) => Err(pair::descend(a, b, depth as u32)?),
        None if chance => Ok(PairProof::default()),
        None => compare(a, b, effort)?,
    };
    Ok(found.and_then(|proof| with_statistics(proof, proofs)))
}

/// The least depth to which fingerprints differ.
fn first_difference(x: &Evidence, y: &Evidence) -> Option<usize> {
    x.prints.iter().zip(&y.prints).position(|(x, y)| x != y)
}

/// What walks have shown, with what the statistics and fingerprints of both engines add.
fn with_statistics(
    mut proof: PairProof,
    engines: [&EngineProof; 2],
) -> Result<PairProof, Counterexample> {
    let [Some(x), Some(y)] = engines.map(|engine| engine.evidence.as_ref()) else {
        return Err(Counterexample::bare("no evidence"));
    };
    if let Some(how) = kit::differs(&x.tally, &y.tally) {
        return Err(Counterexample::bare(format!("random playouts differ: {how}")));
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
fn walk_those_alike(
    subjects: &mut [Box<dyn Subject + '_>],
    engines: &[EngineProof],
    effort: &Effort,
) -> Walked {
    let evidence = |i: usize| engines[i].evidence.as_ref();
    let Some(first) = (0..engines.len()).find(|&i| evidence(i).is_some()) else {
        return Walked::default();
    };
    let alike = |i: usize| match (evidence(first), evidence(i)) {
        (Some(x), Some(y)) => first_difference(x, y).is_none(),
        _ => false,
    };
    let members: Vec<usize> = (first..engines.len()).filter(|&i| alike(i)).collect();
    if members.len() < 2 || subjects.iter().any(|subject| subject.chance()) {
        return Walked::default();
    }
    let mut taking_part = subjects
        .iter_mut()
        .enumerate()
        .filter(|(i, _)| members.contains(i))
        .map(|(_, subject)| &mut **subject as &mut dyn Subject);
    let Some(leader) = taking_part.next() else { return Walked::default() };
    match walk::walk_together(leader, taking_part.collect(), effort) {
        Err(_) => Walked::default(),
        Ok(together) => {
            let leader = Followed { walks: u128::MAX, matching: Matching::Labels };
            let shown = std::iter::once(Some(leader)).chain(together.followers);
            let engines = members.into_iter().zip(shown).filter_map(|(i, shown)| Some((i, shown?)));
            Walked { plies: together.plies, engines: engines.collect() }
        }
    }
}

/// Decides who is wrong. Faults of an engine's own (kit, recorded numbers) speak for themselves.
/// Where engines disagree, the largest group that agrees among itself is believed, engines without
/// faults of their own counting first; if several groups are equally good, only what they have in
/// common is believed, and the rest are wrong until somebody finds out.
fn judge(
    engines: &mut [EngineProof],
    pairs: &[PairReport],
    agrees: &[Vec<bool>],
    expected: &Expected,
) {
    let alive: Vec<usize> = (0..engines.len()).filter(|&i| engines[i].evidence.is_some()).collect();
    let own_fault = |i: usize| -> Option<String> {
        engines[i].evidence.as_ref().and_then(|e| e.faults.first().cloned())
    };
    let sound: Vec<bool> = alive.iter().map(|&i| own_fault(i).is_none()).collect();
    let alike = |i: usize, j: usize| agrees[alive[i]][alive[j]];
    let believed: Vec<usize> =
        largest_agreement(&sound, &alike).into_iter().map(|i| alive[i]).collect();
    let mut verdicts = Vec::new();
    for &i in &alive {
        // Say how it differs from somebody who is believed, or else from anybody.
        let quarrels = pairs.iter().filter_map(|pair| {
            let me = pair.engines.iter().position(|e| *e == engines[i].engine)?;
            Some((&pair.engines[1 - me], pair.result.as_ref().err()?))
        });
        let dispute = quarrels
            .max_by_key(|(other, _)| believed.iter().any(|&j| engines[j].engine == **other))
            .map(|(other, how)| format!("differs from {other}: {}", how.one_line()));
        let outside = !believed.contains(&i);
        let (verdict, reason) = if let Some(fault) = own_fault(i) {
            (Verdict::Wrong, fault)
        } else if outside {
            (Verdict::Wrong, dispute.unwrap_or_else(|| "differs from its peers".to_owned()))
        } else if alive.len() == 1 && !expected.says_anything() {
            (
                Verdict::Unchecked,
                "no other engine and no recorded numbers to check it by".to_owned(),
            )
        } else {
            (Verdict::Ok, String::new())
        };
        verdicts.push((i, verdict, reason));
    }
    for (i, verdict, reason) in verdicts {
        engines[i].verdict = verdict;
        engines[i].reason = reason;
    }
}

/// Of `sound.len()` engines the members that all the best agreeing groups have in common. A group is
/// better if it has more sound members, then if it has more members.
pub(crate) fn largest_agreement(
    sound: &[bool],
    agree: &dyn Fn(usize, usize) -> bool,
) -> Vec<usize> {
    // Cliques by adding engines to those found so far; a line-up has a handful of engines, and one of
    // more than MOST is cut so that this stays small.
    const MOST: usize = 16;
    let count = sound.len().min(MOST);
    let mut best = (0, 0);
    let mut common: u32 = 0;
    for group in 1u32..1 << count {
        let members: Vec<usize> = (0..count).filter(|&i| group >> i & 1 == 1).collect();
        let rank = (members.iter().filter(|&&i| sound[i]).count(), members.len());
        if rank < best {
            continue;
        }
        let agreed = members.iter().all(|&i| members.iter().all(|&j| i == j || agree(i, j)));
        if agreed {
            common = if rank == best { common & group } else { group };
            best = rank;
        }
    }
    (0..count).filter(|&i| common >> i & 1 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::largest_agreement;

    fn believed(sound: &[bool], quarrels: &[(usize, usize)]) -> Vec<usize> {
        largest_agreement(sound, &|i, j| !quarrels.contains(&(i, j)) && !quarrels.contains(&(j, i)))
    }

    #[test]
    fn the_largest_group_that_agrees_is_believed() {
        assert_eq!(believed(&[true; 4], &[]), [0, 1, 2, 3]);
        assert_eq!(believed(&[true; 4], &[(0, 1), (0, 2), (0, 3)]), [1, 2, 3]);
        // The slow engine 3 saw too little to quarrel with the wrong one.
        assert_eq!(believed(&[true; 4], &[(0, 1), (0, 2)]), [1, 2, 3]);
        // One against one: nobody is believed.
        assert!(believed(&[true; 2], &[(0, 1)]).is_empty());
        // Recorded numbers decide.
        assert_eq!(believed(&[false, true], &[(0, 1)]), [1]);
    }
}

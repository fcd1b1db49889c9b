//! Proof that engines play the same game, and the game that the manifest says.
//!
//! Per engine: playouts, their streams, the conformance kit, fingerprints of the tree, random
//! walks, perft. Per pair: fingerprints at every depth that both reached, the walks that both took,
//! in lock-step where they differ and in games of chance, outcome statistics. An engine that disagrees with the recorded
//! numbers is `WRONG`. Where two engines differ, all are asked about that very difference, and the
//! lineages of engines vote on it.

mod attribute;
mod chance;
pub(crate) mod compare;
mod consistency;
mod difference;
mod effort;
pub(crate) mod evidence;
mod pair;
mod streams;
mod walk;

use play::kit::Comparison;
use reports::Verdict;

pub(crate) use attribute::Ruling;
pub use difference::{Counterexample, Matching};
pub use effort::{Effort, Phases};
pub(crate) use evidence::Contestant;
pub use evidence::{Evidence, Expected};
pub use pair::PairProof;
pub use streams::Streams;

use crate::failure::Failure;
use crate::subject::Subject;
use compare::compare_all;

/// What is known about one engine after verification.
#[derive(Clone, Debug)]
pub struct EngineProof {
    /// Its name.
    pub engine: String,
    /// `ok`, `unchecked`, `disputed`, `WRONG`, or why it gave no answer.
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
    /// Where the time went.
    pub phases: Phases,
}

/// Whether verdicts make a command fail: an engine is wrong or disputed, died or hung, or the rules
/// are faulty. Gaps of engines and limits of size are answers.
pub fn fails(verdicts: impl IntoIterator<Item = Verdict>) -> bool {
    verdicts.into_iter().any(|verdict| verdict.is_failure() || verdict == Verdict::Invalid)
}

/// Verifies one game on all engines that loaded it.
pub fn verify(
    subjects: &mut [Box<dyn Subject + '_>],
    expected: &Expected,
    effort: &Effort,
) -> GameProof {
    let mut phases = Phases::default();
    let mut engines: Vec<EngineProof> = Vec::new();
    let mut contestants: Vec<Option<Contestant<'_>>> = Vec::new();
    for subject in subjects {
        let subject: &mut dyn Subject = &mut **subject;
        let engine = subject.name().to_owned();
        if let Some(variant) = subject.variant().map(str::to_owned) {
            let gathered = evidence::gather(subject, &Expected::default(), effort, &mut phases);
            engines.push(proof_of_variant(engine, &variant, gathered));
            contestants.push(None);
            continue;
        }
        let gathered = evidence::gather(subject, expected, effort, &mut phases);
        let (verdict, reason) = match &gathered {
            Ok(_) => (Verdict::Ok, String::new()),
            Err(Failure { verdict, reason }) => (*verdict, reason.clone()),
        };
        engines.push(EngineProof { engine, verdict, reason, evidence: None });
        contestants.push(gathered.ok().map(|evidence| Contestant {
            subject,
            evidence,
            vouched: false,
        }));
    }
    let compared = compare_all(&mut contestants, effort, &mut phases);
    for (number, contestant) in contestants.into_iter().enumerate() {
        let Some(Contestant { evidence, .. }) = contestant else { continue };
        let (verdict, reason) = match &compared.rulings[number] {
            Ruling::Wrong(reason) => (Verdict::Wrong, reason.clone()),
            Ruling::Disputed(reason) => (Verdict::Disputed, reason.clone()),
            Ruling::Sound => match shown(number, &evidence, &compared, expected) {
                Ok(()) => (Verdict::Ok, String::new()),
                Err(why) => (Verdict::Unchecked, why),
            },
        };
        let proof = &mut engines[number];
        (proof.verdict, proof.reason) = (verdict, reason);
        proof.evidence = Some(evidence);
    }
    for (number, Failure { verdict, reason }) in compared.failed {
        (engines[number].verdict, engines[number].reason) = (verdict, reason);
    }
    let pairs = compared
        .pairs
        .into_iter()
        .map(|(numbers, result)| PairReport {
            engines: numbers.map(|number| engines[number].engine.clone()),
            result,
        })
        .collect();
    GameProof { engines, pairs, phases }
}

/// What is known of an engine that plays by other rules, and says so: its playouts are checked, and
/// compared with nobody.
fn proof_of_variant(
    engine: String,
    variant: &str,
    gathered: Result<Evidence, Failure>,
) -> EngineProof {
    let (verdict, reason, evidence) = match gathered {
        Err(Failure { verdict, reason }) => (verdict, reason, None),
        Ok(evidence) if evidence.faults.is_empty() => {
            (Verdict::Unchecked, format!("plays by other rules: {variant}"), Some(evidence))
        }
        Ok(evidence) => (Verdict::Wrong, evidence.faults.join("; "), Some(evidence)),
    };
    EngineProof { engine, verdict, reason, evidence }
}

/// Whether anything that an engine could have failed speaks for it; if not, why.
fn shown(
    number: usize,
    evidence: &Evidence,
    compared: &compare::Compared,
    expected: &Expected,
) -> Result<(), String> {
    let Evidence { tally, recorded, perft, .. } = evidence;
    if tally.plies == 0 && tally.capped == 0 {
        return Err("nobody ever chooses in this game: there is nothing to check".to_owned());
    }
    let peers: Vec<&PairProof> = compared
        .pairs
        .iter()
        .filter(|(numbers, _)| numbers.contains(&number))
        .filter(|(numbers, _)| numbers.iter().all(|&n| compared.rulings[n] == Ruling::Sound))
        .filter_map(|(_, result)| result.as_ref().ok())
        .collect();
    let by_record = !perft.is_empty() || recorded.contains(&Comparison::Agrees);
    if by_record || peers.iter().any(|proof| proof.shows_something()) {
        return Ok(());
    }
    let unshown = recorded.iter().find_map(|comparison| match comparison {
        Comparison::Unchecked(why) => Some(why),
        _ => None,
    });
    match unshown.or_else(|| peers.iter().find_map(|proof| proof.unshown.as_ref())) {
        Some(why) => Err(format!("nothing that was compared could have shown a fault: {why}")),
        None if expected.says_anything() || compared.pairs.is_empty() => {
            Err("no other engine and no recorded numbers to check it by".to_owned())
        }
        None => Err("the other engines are wrong or gave no answer, and nothing else is there to \
                     check it by"
            .to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_fails_by_what_is_wrong_and_not_by_gaps() {
        use Verdict::{
            Capped, Crashed, Disputed, Invalid, Ok, TooLarge, Unchecked, Unsupported, Wrong,
        };
        assert!(!fails([]));
        assert!(!fails([Ok, Unchecked, Unsupported, TooLarge, Capped]));
        for verdict in [Wrong, Disputed, Crashed, Invalid] {
            assert!(fails([Ok, verdict]), "{verdict}");
        }
    }
}

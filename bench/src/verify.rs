//! Proof that engines play the same game, and the game that the manifest says.
//!
//! Per engine: playouts, as many as it takes to see small deviations, their streams, the
//! conformance kit, fingerprints of the tree, random walks, perft. Per pair: fingerprints at every
//! depth that both reached, the walks that both took, in lock-step where they differ and in games
//! of chance, outcome statistics. An engine that disagrees with the recorded numbers is `WRONG`.
//! Where two engines differ, all are asked about that very difference, and the lineages of engines
//! vote on it.

mod attribute;
mod chance;
pub(crate) mod compare;
mod consistency;
mod difference;
mod effort;
pub(crate) mod evidence;
mod pair;
pub(crate) mod played;
mod power;
mod recorded;
pub(crate) mod samples;
mod streams;
pub mod sums;
mod walk;

use play::Via;
use play::kit::Comparison;
use reports::Verdict;

pub(crate) use attribute::Ruling;
pub use difference::{Counterexample, Matching};
pub use effort::{Effort, Goal, Phases, Ways};
pub(crate) use evidence::Contestant;
pub use evidence::{Evidence, WayProof};
pub use pair::PairProof;
pub use recorded::Expected;
pub use streams::Streams;

use crate::failure::Failure;
use crate::subject::Subject;
use compare::compare_all;

/// The result of the verification of one engine.
#[derive(Clone, Debug)]
pub struct EngineProof {
    /// Its name.
    pub engine: String,
    /// `ok`, `unchecked`, `disputed`, `WRONG`, or why it gave no answer.
    pub verdict: Verdict,
    /// The reason, unless the verdict is `ok`.
    pub reason: String,
    /// Its evidence, if it got so far.
    pub evidence: Option<Evidence>,
}

/// The outcome for one pair.
#[derive(Clone, Debug)]
pub struct PairReport {
    /// Names of the two engines.
    pub engines: [String; 2],
    /// The proof, or the difference.
    pub result: Result<PairProof, Counterexample>,
}

/// The result of the verification of one game.
#[derive(Clone, Debug)]
pub struct GameProof {
    /// In the order in which the engines were given.
    pub engines: Vec<EngineProof>,
    /// Every pair of engines that could be compared.
    pub pairs: Vec<PairReport>,
    /// The time of each phase.
    pub phases: Phases,
}

/// True if verdicts make a command fail: an engine is wrong or disputed, died or hung, or the rules
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
            let asked_for = |&via: &Via| effort.goal.ways.contains(via) && subject.has(via);
            let ways = Via::ALL.into_iter().filter(asked_for);
            engines.push(proof_of_variant(engine, &variant, gathered, ways));
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
    let mut failed = Vec::new();
    let samples = effort::timed(&mut phases.power, || {
        power::raise(&mut contestants, expected, effort, &mut failed)
    });
    let mut compared = compare_all(&mut contestants, effort, &mut phases);
    compared.failed.extend(failed);
    let names: Vec<String> = engines.iter().map(|proof| proof.engine.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (number, contestant) in contestants.into_iter().enumerate() {
        let Some(Contestant { mut evidence, .. }) = contestant else { continue };
        evidence.ways = samples.proofs(number, &names, &compared.rulings, (expected, effort));
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

/// The result for an engine that plays by other rules, and says so: its playouts are checked, and
/// compared with nobody.
fn proof_of_variant(
    engine: String,
    variant: &str,
    gathered: Result<Evidence, Failure>,
    ways: impl Iterator<Item = Via>,
) -> EngineProof {
    let (verdict, reason, evidence) = match gathered {
        Err(Failure { verdict, reason }) => (verdict, reason, None),
        Ok(mut evidence) if evidence.faults.is_empty() => {
            let by = || "it plays by other rules, and was compared with nobody".to_owned();
            let blind = |via| WayProof { via, detects: None, by: by() };
            evidence.ways = ways.map(blind).collect();
            (Verdict::Unchecked, format!("plays by other rules: {variant}"), Some(evidence))
        }
        Ok(evidence) => (Verdict::Wrong, evidence.faults.join("; "), Some(evidence)),
    };
    EngineProof { engine, verdict, reason, evidence }
}

/// Succeeds if anything that an engine could have failed speaks for it; else the reason why not.
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
    let weak = recorded.as_ref().map(Comparison::weakness);
    if !perft.is_empty() || weak == Some(None) || peers.iter().any(|proof| proof.shows_something())
    {
        return Ok(());
    }
    let of_peers = || peers.iter().find_map(|proof| proof.unshown.clone());
    match weak.flatten().or_else(of_peers) {
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
    use std::time::Duration;

    use play::toy::Toy;
    use play::{
        Chance, End, Ending, Facts, Game, Job, PlayoutMode, Position, Promise, Scores, Tally,
    };

    use super::*;
    use crate::subject::Local;

    fn toy() -> Box<dyn Game> {
        Toy::parse("1(=100,0 2(=0,100 =50,50))").expect("it is a tree").boxed()
    }

    /// A game whose quick ways promise a distribution only, and give some of 1,000 playouts to the
    /// second player.
    struct Drifting {
        inner: Box<dyn Game>,
        facts: Facts,
        wrong: u64,
    }

    impl Drifting {
        fn new(wrong: u64) -> Drifting {
            let promise = Promise::SameDistribution("it draws otherwise");
            let fast = PlayoutMode { promise, ..PlayoutMode::default() };
            let inner = toy();
            let facts = Facts { fast, interpreted: Some(fast), ..inner.facts().clone() };
            Drifting { inner, facts, wrong }
        }
    }

    impl Game for Drifting {
        fn facts(&self) -> &Facts {
            &self.facts
        }

        fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
            self.inner.open(chance)
        }

        fn run(&self, job: &Job, via: Via) -> Tally {
            if via == Via::Reference {
                return self.inner.run(job, via);
            }
            let mut all = Tally::default();
            for first in job.ids() {
                let one = Job { seed: !job.seed, first, count: 1, ..*job };
                let one = self.inner.run(&one, Via::Reference);
                if play::mix(first) % 1000 < self.wrong && one.capped == 0 {
                    let ending = Ending::Over(Scores::SECOND);
                    all.record(first, End { plies: one.plies as u32, ending });
                } else {
                    all += &one;
                }
            }
            all
        }
    }

    /// Verifies games, each of a lineage of its own, in little time but what the goal takes.
    fn prove(games: &[(&str, &dyn Game)], expected: &Expected, goal: Goal) -> GameProof {
        let mut subjects: Vec<Box<dyn Subject + '_>> = games
            .iter()
            .map(|&(name, game)| Box::new(Local::new(name, game)) as Box<dyn Subject + '_>)
            .collect();
        let effort = Effort { time: Duration::from_millis(2), goal, ..Effort::quick(3, 100) };
        verify(&mut subjects, expected, &effort)
    }

    const GOAL: Goal = Goal { share: 0.01, times: 1_000_000, ways: Ways::CHECKED };

    fn way(proof: &GameProof, via: Via) -> &WayProof {
        let evidence = proof.engines[0].evidence.as_ref().expect("it has played");
        evidence.way(via).expect("it was asked for")
    }

    #[test]
    fn a_distribution_is_compared_until_small_deviations_would_show() {
        let (sound, plain) = (Drifting::new(0), toy());
        let games: [(&str, &dyn Game); 2] = [("quick", &sound), ("plain", &*plain)];
        let proof = prove(&games, &Expected::default(), GOAL);
        for engine in &proof.engines {
            assert_eq!(engine.verdict, Verdict::Ok, "{}: {}", engine.engine, engine.reason);
        }
        for (via, by) in
            [(Via::Fast, "plain"), (Via::Interpreted, "plain, as `fast`, whose playouts it plays")]
        {
            let way = way(&proof, via);
            assert!(way.detects.is_some_and(|detects| detects.worst() <= GOAL.share), "{way:?}");
            assert_eq!(way.by, by);
        }
        let pair = proof.pairs[0].result.as_ref().expect("they agree");
        assert!(pair.detects.is_some_and(|d| d.worst() <= GOAL.share), "{pair:?}");
        // Three of a hundred results are more than that.
        let faulty = Drifting::new(60);
        let games: [(&str, &dyn Game); 2] = [("quick", &faulty), ("plain", &*plain)];
        let proof = prove(&games, &Expected::default(), GOAL);
        let found = &proof.engines[0];
        assert!(found.verdict.is_failure(), "{}", found.verdict);
    }

    #[test]
    fn what_a_figure_stands_beside_is_said() {
        let (sound, plain) = (Drifting::new(0), toy());
        let quick: [(&str, &dyn Game); 1] = [("quick", &sound)];
        let proof = prove(&quick, &Expected::default(), GOAL);
        let reference = way(&proof, Via::Fast);
        assert_eq!(reference.by, "its own reference loop");
        assert!(reference.detects.is_some_and(|d| d.worst() <= GOAL.share), "{reference:?}");

        let expected = Expected {
            mean_plies: Some((1.5, 0.0001)),
            mean_scores: Some(vec![62.5, 37.5]),
            score_tolerance: 0.01,
            ..Expected::default()
        };
        // Which partner takes least time is measured, and a busy machine may have it the other way.
        let by_means = |_| {
            let proof = prove(&quick, &expected, GOAL);
            assert_eq!(proof.engines[0].verdict, Verdict::Ok, "{}", proof.engines[0].reason);
            way(&proof, Via::Fast).by == "recorded means"
        };
        assert!((0..10).any(by_means));

        // A tenth of a second is enough for some playouts on any machine, and for a share this small on none.
        let late = prove(&quick, &expected, Goal { share: 1e-7, times: 50, ..GOAL });
        let late = way(&late, Via::Fast);
        assert!(late.by.ends_with(", when the time was up"), "{late:?}");
        assert!(late.detects.is_some_and(|d| d.worst() > 1e-7), "{late:?}");

        let alone = prove(&[("plain", &*plain)], &Expected::default(), GOAL);
        assert_eq!(way(&alone, Via::Fast).detects, None);
    }

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

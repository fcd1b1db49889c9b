//! All engines of a game side by side: what every two show, and who is wrong.

use play::kit::Comparison;

use super::attribute::{Dispute, Ruling, Vote, Voter, ask_everybody, rule};
use super::chance;
use super::difference::{Counterexample, Question};
use super::effort::{Effort, Phases, timed};
use super::evidence::{Contestant, Evidence};
use super::pair::{self, PairProof};
use super::streams::{cannot_be_told_apart, coincide};
use crate::failure::Failure;
use crate::subject::Subject;

/// The results of comparing engines.
pub(crate) struct Compared {
    /// Every two engines that could be compared, by number.
    pub(crate) pairs: Vec<([usize; 2], Result<PairProof, Counterexample>)>,
    /// The decision about each engine; none about one that takes no part.
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
    let models = models(contestants);
    let parties: Vec<Voter<'_>> = contestants
        .iter()
        .zip(models)
        .map(|(contestant, model)| match contestant {
            Some(Contestant { subject, evidence, vouched }) => Voter {
                name: subject.name(),
                lineage: model.unwrap_or(&**subject).lineage(),
                plays_as: model.map(Subject::name),
                fault: evidence.faults.first().map(String::as_str),
                vouched: *vouched,
            },
            None => Voter { name: "", lineage: "", plays_as: None, fault: None, vouched: false },
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

/// For each program the engine whose playouts it plays, id by id, as only chance or common parts
/// could make it: the first of the programs before it, or any engine of our own. These draw from
/// one generator, so that equal playouts say nothing of two of them. In doubt two programs are
/// taken for one: then they decide nothing, and nobody is blamed.
fn models<'c>(contestants: &'c [Option<Contestant<'_>>]) -> Vec<Option<&'c dyn Subject>> {
    let mut models: Vec<Option<&dyn Subject>> = vec![None; contestants.len()];
    for (at, contestant) in contestants.iter().enumerate() {
        let Some(program) = contestant.as_ref().filter(|c| !c.subject.is_own()) else { continue };
        let draws_alike = |number: usize, other: &Contestant<'_>| {
            let (a, b) = (&other.evidence.streams, &program.evidence.streams);
            let in_doubt = || !other.subject.is_own() && cannot_be_told_apart(a, b);
            (other.subject.is_own() || number < at) && (coincide(a, b) || in_doubt())
        };
        let mut others = contestants.iter().enumerate();
        let found = others.find_map(|(number, other)| {
            other.as_ref().filter(|other| draws_alike(number, other)).map(|other| (number, other))
        });
        // What that one has by another is by it, too.
        models[at] = found.map(|(number, other)| models[number].unwrap_or(&*other.subject));
    }
    models
}

/// Compares two engines: fingerprints, walks and statistics that are there already, and walks in
/// lock-step where their digests differ. An error names the engine (0 or 1) that failed to answer.
///
/// Fingerprints hold all that chance can do, in no order. Walks are named by what is observed on
/// them in games of chance, since engines number its outcomes each in its own order.
fn compare_pair(
    a: &mut Contestant<'_>,
    b: &mut Contestant<'_>,
    effort: &Effort,
) -> Result<Result<PairProof, Counterexample>, (usize, Failure)> {
    let [chance, other] = [a.subject.chance(), b.subject.chance()];
    if chance != other {
        let word = |chance| if chance { "chance has a say" } else { "chance has no say" };
        let how = format!("{} / {}", word(chance), word(other));
        return Ok(Err(Counterexample::bare(Question::Chance, how)));
    }
    let found = match first_difference(&a.evidence, &b.evidence) {
        Some(depth) if chance => {
            let how = format!("the trees differ within {depth} plies");
            Err(Counterexample::bare(Question::Tree(depth), how))
        }
        Some(depth) => Err(pair::descend(a.subject, b.subject, depth as u32)?),
        None => {
            let (proof, unlike) = same_walks(&a.evidence, &b.evidence);
            let compare = if chance { chance::compare } else { pair::compare };
            compare(a.subject, b.subject, effort, &unlike, proof)?
        }
    };
    Ok(found.and_then(|proof| with_statistics(proof, [&a.evidence, &b.evidence], effort)))
}

/// The proof from random walks that both engines took alike, and the numbers of those that they did
/// not, perhaps since they name actions differently.
fn same_walks(x: &Evidence, y: &Evidence) -> (PairProof, Vec<u64>) {
    let (mut proof, mut unlike) = (PairProof::default(), Vec::new());
    for (number, (x, y)) in (0..).zip(x.walks.iter().zip(&y.walks)) {
        let whole = (x.digest.is_some() && x.digest == y.digest).then_some(x.plies.into());
        if let Some(plies) = whole.or_else(|| chance::taken_alike(x, y)) {
            proof.walks += 1;
            proof.plies += plies;
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

/// The proof from walks, with what the statistics and fingerprints of both engines add.
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

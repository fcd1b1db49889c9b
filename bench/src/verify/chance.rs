//! Walks of two engines in a game of chance: what one observes the other may observe too, with the
//! same odds.

use std::collections::BTreeMap;
use std::time::Duration;

use play::kit;
use reports::Verdict;

use super::difference::{Counterexample, Matching, Question};
use super::effort::Effort;
use super::pair::{Culprit, PairProof};
use crate::belief::ChanceWalk;
use crate::protocol::{ObservedPly, Sight, Walked};
use crate::subject::Subject;

/// The most that exact odds may lie apart: they are sums of fractions.
const ROUNDING: f64 = 1e-6;

/// The result of a walk of two engines.
pub(super) enum Meeting {
    /// They observe the same for so many plies.
    Alike(u32),
    /// They name actions differently.
    Named(Counterexample),
    /// They observe something else.
    Differs(Counterexample),
}

/// Takes the walks of these numbers with two engines, until the time is up: at least two, at most a
/// hundred. `proof` is what is shown already.
pub(super) fn compare(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    effort: &Effort,
    numbers: &[u64],
    mut proof: PairProof,
) -> Result<Result<PairProof, Counterexample>, Culprit> {
    if !a.takes_outcomes() || !b.takes_outcomes() {
        return Ok(Ok(proof));
    }
    for number in effort.some_of(numbers) {
        let id = effort.walk(number);
        let width = if effort.time < Duration::from_secs(1) { 512 } else { 2048 };
        let labels = proof.matching == Matching::Labels;
        let mut meeting = meet(a, b, ChanceWalk { id, labels, width, samples: width });
        if matches!(meeting, Ok(Meeting::Named(..))) && !(a.says_words() && b.says_words()) {
            proof.matching = Matching::Prints;
            meeting = meet(a, b, ChanceWalk { id, labels: false, width, samples: width });
        }
        match meeting {
            // Some outcomes are too many for its list, and it draws none.
            Err((_, failure)) if failure.verdict == Verdict::Unsupported => proof.unclear += 1,
            Err(failure) => return Err(failure),
            Ok(Meeting::Differs(how) | Meeting::Named(how)) => return Ok(Err(how)),
            Ok(Meeting::Alike(plies)) if plies > 0 => {
                proof.walks += 1;
                proof.plies += u64::from(plies);
            }
            Ok(Meeting::Alike(_)) => proof.unclear += 1,
        }
    }
    Ok(Ok(proof))
}

/// Takes a walk with both engines: the first draws what is observed, and the second follows.
pub(super) fn meet(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    walk: ChanceWalk,
) -> Result<Meeting, Culprit> {
    let leader = a.observe(walk, &[]).map_err(|failure| (0, failure))?;
    let follow: Vec<(u64, u64)> = leader.plies.iter().map(|ply| (ply.seen, ply.action)).collect();
    let follower = b.observe(walk, &follow).map_err(|failure| (1, failure))?;
    let (mut labels, mut plies): (Vec<String>, u32) = (Vec::new(), 0);
    for (ply, (x, y)) in (0..).zip(leader.plies.iter().zip(&follower.plies)) {
        plies = ply;
        let (samples, fitting) = ([x.samples, y.samples], [x.fitting, y.fitting]);
        let sights =
            |hash: fn(&Sight) -> u64| unlike([x, y].map(|ply| odds_by(ply, hash)), samples);
        let actions = || {
            let odds = [x, y].map(|ply| ply.actions.iter().copied().collect::<BTreeMap<_, _>>());
            let of = |at: usize, key| odds[at].get(key).copied().unwrap_or(0.0);
            let key = unlike(odds.clone(), fitting)?;
            let [a, b] = [of(0, &key), of(1, &key)];
            let samples = samples_in_words(fitting);
            Some(format!("what a legal action leads to has odds {a:.4} / {b:.4}{samples}"))
        };
        let how = sights(|sight| sight.plain).map(|plain| in_words(x, y, plain));
        let named = || sights(|sight| sight.key).map(|key| names_in_words(x, y, key));
        let found = |how: String| Counterexample {
            walk: labels.clone(),
            ..Counterexample::bare(Question::Observed(walk, ply), how)
        };
        if let Some(how) = how {
            return Ok(Meeting::Differs(found(how)));
        }
        if let Some(how) = named() {
            return Ok(Meeting::Named(found(how)));
        }
        if let Some(how) = actions() {
            return Ok(Meeting::Differs(found(how)));
        }
        labels.push(x.label.clone());
    }
    Ok(Meeting::Alike(plies))
}

/// The odds of what may be seen, by one of its hashes.
fn odds_by(ply: &ObservedPly, hash: impl Fn(&Sight) -> u64) -> BTreeMap<u64, f64> {
    let mut odds = BTreeMap::new();
    for sight in &ply.sights {
        *odds.entry(hash(sight)).or_default() += sight.odds;
    }
    odds
}

/// Samples that exact odds count as, beside those of another engine.
const MANY: u64 = 10_000_000;

/// The observation that is most unlike between two engines, if its odds are not the same; these
/// rest on so many samples, or are exact.
fn unlike([p, q]: [BTreeMap<u64, f64>; 2], samples: [u64; 2]) -> Option<u64> {
    let apart = |key: &u64| {
        let [p, q] = [&p, &q].map(|odds| odds.get(key).copied().unwrap_or(0.0));
        (p - q).abs()
    };
    let most = p.keys().chain(q.keys()).max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
    let differ = if samples == [0, 0] {
        apart(most) > ROUNDING
    } else {
        let counts = |odds: &BTreeMap<u64, f64>, samples: u64| {
            let samples = if samples == 0 { MANY } else { samples } as f64;
            odds.iter().map(|(&key, odds)| (key, odds * samples)).collect()
        };
        kit::unlike_counts(&counts(&p, samples[0]), &counts(&q, samples[1]))
    };
    differ.then_some(*most)
}

/// The difference between two engines in the possible observations.
fn in_words(x: &ObservedPly, y: &ObservedPly, plain: u64) -> String {
    let odds = [x, y].map(|ply| odds_by(ply, |sight| sight.plain).remove(&plain).unwrap_or(0.0));
    let only = |ply: &ObservedPly| match &ply.sights[..] {
        [one] => Some(one.text.clone()),
        _ => None,
    };
    if let (Some(a), Some(b)) = (only(x), only(y)) {
        return format!("{a} / {b}");
    }
    let named = x.sights.iter().chain(&y.sights).find(|sight| sight.plain == plain);
    let text = named.map_or("", |sight| &sight.text);
    let samples = samples_in_words([x.samples, y.samples]);
    format!("with odds {:.4} / {:.4}{samples}: {text}", odds[0], odds[1])
}

/// The difference between two engines in the names of actions, where one of them sees this.
fn names_in_words(x: &ObservedPly, y: &ObservedPly, key: u64) -> String {
    let named = |ply: &ObservedPly, other: &ObservedPly| {
        let own = ply.sights.iter().find(|sight| sight.key == key);
        let unlike = |sight: &&Sight| other.sights.iter().all(|other| other.key != sight.key);
        let sight = own.or_else(|| ply.sights.iter().find(unlike)).or(ply.sights.first());
        sight.map_or_else(String::new, |sight| sight.text.clone())
    };
    format!("legal actions are called otherwise: {} / {}", named(x, y), named(y, x))
}

/// The number of samples that odds rest on, if they do.
fn samples_in_words(samples: [u64; 2]) -> String {
    match samples {
        [0, 0] => String::new(),
        [a, b] => format!(" ({a} / {b} samples, 0 where odds are exact)"),
    }
}

/// The plies for which two engines took a walk alike by themselves; `None` if they have nothing in
/// common.
pub(super) fn taken_alike(x: &Walked, y: &Walked) -> Option<u64> {
    let common = x.digests.len().min(y.digests.len());
    // The digests are of ply 0, 1, 2, 4, 8, ...
    let plies = 1u64.checked_shl(common.checked_sub(2)? as u32)?;
    (x.digests[..common] == y.digests[..common]).then_some(plies)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use play::toy::Toy;

    use super::*;
    use crate::random_walk::WalkId;
    use crate::subject::Local;

    #[test]
    fn odds_of_actions_rest_on_the_samples_that_fit_what_was_seen() {
        // What chance does is too much for a list, and shows in the number of actions alone.
        let mut tree = "*(".to_owned();
        for outcome in 0..200 {
            let ends: String =
                (0..2 + outcome % 7).map(|end| format!("={} ", outcome % 30 + end)).collect();
            let _ = write!(tree, "1({ends})");
        }
        let game = Toy::parse(&(tree + ")")).unwrap().boxed();
        let [mut one, mut other] = ["one", "other"].map(|name| Local::new(name, &*game));
        for number in 0..50 {
            let id = WalkId { seed: 3, number, cap: 9 };
            let mut walk = ChanceWalk { id, labels: false, width: 16, samples: 512 };
            let leader = one.observe(walk, &[]).unwrap();
            // Another engine draws other samples.
            walk.id.seed = 4;
            let follow: Vec<_> = leader.plies.iter().map(|ply| (ply.seen, ply.action)).collect();
            let follower = other.observe(walk, &follow).unwrap();
            for (x, y) in leader.plies.iter().zip(&follower.plies) {
                let odds = [x, y].map(|ply| ply.actions.iter().copied().collect());
                assert!(x.fitting < x.samples, "some do not fit");
                assert_eq!(unlike(odds, [x.fitting, y.fitting]), None, "walk {number}");
            }
        }
    }

    #[test]
    fn what_each_sample_shares_out_among_many_actions_is_counted() {
        // A tenth of what may be done is the same everywhere, the rest is of each sample alone.
        const SAME: u64 = 7;
        let shared_out = |samples: u64| -> BTreeMap<u64, f64> {
            let own = (0..samples * 9).map(|key| (play::mix(key), 0.1 / samples as f64));
            own.chain([(SAME, 0.1)]).collect()
        };
        assert_eq!(unlike([shared_out(5000), shared_out(500)], [0, 500]), None);
        // What is the same everywhere is five times as much.
        let mut more = shared_out(500);
        more.insert(SAME, 0.5);
        assert!(unlike([shared_out(5000), more], [0, 500]).is_some());
    }
}

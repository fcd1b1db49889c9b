//! Walks that engines take in lock-step: one leads, the others follow.

use std::collections::BTreeMap;
use std::time::Instant;

use play::{Ending, Rng, Scores, Tally};

use super::difference::{Counterexample, Matching, Question, difference};
use super::effort::Effort;
use crate::protocol::View;
use crate::subject::{Failure, Subject};

/// Candidate positions followed at once where fingerprints do not tell actions apart.
const BEAM: usize = 48;

/// Positions that the fingerprints of one position's actions may visit.
pub(super) const LOOK: u64 = 200_000;

/// Most walks of one comparison: they are numbered by the bits of a word.
const MOST_WALKS: u32 = 100;

/// An engine that follows another one's walk.
pub(super) struct Follower<'s> {
    subject: &'s mut dyn Subject,
    /// How its actions have been matched so far.
    matching: Matching,
    /// Positions that may be the one that the leader is in.
    candidates: Vec<Vec<usize>>,
    /// Those of them that look like it.
    views: Vec<(Vec<usize>, View)>,
    truncated: bool,
    rng: Rng,
    end: Option<End>,
}

/// Why a follower left a walk before its end.
pub(super) enum End {
    /// Actions could not be told apart.
    Unclear,
    /// It plays something else.
    Differs(Counterexample),
    /// It gave no answer.
    Failed(Failure),
}

impl<'s> Follower<'s> {
    /// A follower whose actions have been matched so.
    pub(super) fn matching_by(subject: &'s mut dyn Subject, matching: Matching) -> Follower<'s> {
        Follower {
            subject,
            matching,
            candidates: Vec::new(),
            views: Vec::new(),
            truncated: false,
            rng: Rng::stream(0, 0),
            end: None,
        }
    }

    /// How its actions have been matched.
    pub(super) fn matched_by(&self) -> Matching {
        self.matching
    }

    /// Why it left the last walk; nothing if it came to the end.
    pub(super) fn end(self) -> Option<End> {
        self.end
    }

    fn begin(&mut self, seed: u64, number: u64) {
        self.candidates = vec![Vec::new()];
        self.truncated = false;
        self.rng = Rng::stream(seed ^ 0x6b07, number);
        self.end = None;
    }

    fn goes_on(&self) -> bool {
        self.end.is_none()
    }

    /// Finds which of its candidates look like the leader's position, at the end of `path`.
    fn compare(&mut self, view: &View, depth: u32, path: &[usize], walk: &[String]) {
        self.views.clear();
        let mut first_difference = None;
        for candidate in std::mem::take(&mut self.candidates) {
            let own = match self.subject.look(&candidate, depth, LOOK) {
                Ok(own) => own,
                Err(failure) => {
                    self.end = Some(End::Failed(failure));
                    return;
                }
            };
            match difference(view, &own) {
                None => self.views.push((candidate, own)),
                Some(text) => {
                    first_difference.get_or_insert((text, own.draw, candidate));
                }
            }
        }
        if self.views.is_empty() {
            let (difference, draw, own_path) = first_difference.unwrap_or_default();
            self.end = Some(if self.truncated {
                End::Unclear
            } else {
                End::Differs(Counterexample {
                    walk: walk.to_vec(),
                    difference,
                    drawings: Some([view.draw.clone(), draw]),
                    question: Question::Paths([path.to_vec(), own_path]),
                })
            });
        }
    }

    /// Takes the leader's action, or all that may be it.
    fn take(&mut self, view: &View, action: usize) {
        let by_label = match &self.views[..] {
            [(_, own)] => match_labels(view, own),
            _ => None,
        };
        if let Some(matched) = by_label {
            self.candidates = vec![[&self.views[0].0[..], &[matched[action]]].concat()];
            return;
        }
        self.matching = Matching::Prints;
        let Some(prints) = &view.prints else {
            self.end = Some(End::Unclear);
            return;
        };
        let mut next = Vec::new();
        for (candidate, own) in &self.views {
            for (number, print) in own.prints.iter().flatten().enumerate() {
                if *print == prints[action] {
                    next.push([&candidate[..], &[number]].concat());
                }
            }
        }
        if next.is_empty() {
            self.end = Some(End::Unclear);
        }
        self.truncated |= next.len() > BEAM;
        // A random part, so that a fault is not overlooked for being listed late.
        while next.len() > BEAM {
            next.swap_remove(self.rng.below(next.len() as u32) as usize);
        }
        self.candidates = next;
    }
}

/// A walk that was taken.
pub(super) struct Walk {
    pub(super) plies: u64,
    /// How it ended; nothing if it was given up, since nobody followed any more.
    ending: Option<Ending>,
}

/// A random walk of `leader`, to the end of the game or to the cap, with everybody who follows (if
/// there is anybody). Each follower knows afterwards whether it left the walk. The error is the
/// leader's.
pub(super) fn walk(
    leader: &mut dyn Subject,
    followers: &mut [Follower<'_>],
    effort: &Effort,
    number: u64,
) -> Result<Walk, Failure> {
    let mut rng = Rng::stream(effort.seed ^ 0x3a1f, number);
    let (mut path, mut taken): (Vec<usize>, Vec<String>) = (Vec::new(), Vec::new());
    for follower in &mut *followers {
        follower.begin(effort.seed, number);
    }
    let start = Instant::now();
    let alone = followers.is_empty();
    let mut ending = None;
    loop {
        let by_prints = followers.iter().any(|f| f.goes_on() && f.matching == Matching::Prints);
        // Fingerprints cost an expansion an action; engines that are slow at it get them for the
        // first half of the time only, unless actions are matched by nothing else.
        let depth = u32::from(!alone && (by_prints || start.elapsed() * 2 < effort.time));
        let view = leader.look(&path, depth, LOOK)?;
        for follower in followers.iter_mut().filter(|f| f.goes_on()) {
            follower.compare(&view, depth, &path, &taken);
        }
        if !alone && !followers.iter().any(Follower::goes_on) {
            break;
        }
        if view.turn.is_none() {
            let scores = view.scores.iter().flatten().copied();
            ending = Some(Ending::Over(Scores::new(scores)));
            break;
        }
        if view.labels.is_empty() || path.len() >= effort.cap as usize {
            let stuck = view.labels.is_empty();
            ending = Some(if stuck { Ending::Stuck } else { Ending::Capped });
            break;
        }
        let action = rng.below(view.labels.len() as u32) as usize;
        for follower in followers.iter_mut().filter(|f| f.goes_on()) {
            follower.take(&view, action);
        }
        taken.push(view.labels[action].clone());
        path.push(action);
    }
    Ok(Walk { plies: path.len() as u64, ending })
}

/// Follows a path of `leader` to its end. Nothing if the follower found the same all the way.
pub(super) fn retrace(
    leader: &mut dyn Subject,
    path: &[usize],
    follower: &mut dyn Subject,
) -> Result<Option<End>, Failure> {
    let mut follower = Follower::matching_by(follower, Matching::Labels);
    follower.begin(0, 0);
    let mut taken = Vec::new();
    for ply in 0..=path.len() {
        let view = leader.look(&path[..ply], 1, LOOK)?;
        follower.compare(&view, 1, &path[..ply], &taken);
        let Some(&action) = path.get(ply) else { break };
        if !follower.goes_on() {
            break;
        }
        let Some(label) = view.labels.get(action) else {
            return Ok(Some(End::Unclear));
        };
        taken.push(label.clone());
        follower.take(&view, action);
    }
    Ok(follower.end)
}

/// What walks of several engines together have shown.
pub(super) struct Together {
    /// Plies of each walk.
    pub(super) plies: Vec<u64>,
    /// Followers that never differed from the leader.
    pub(super) followers: Vec<Option<Followed>>,
    /// The walks as a sample of random playouts; nothing where some were given up, since the rest
    /// would be no fair sample.
    pub(super) sample: Option<Tally>,
}

/// What a follower has shown.
#[derive(Clone, Copy)]
pub(super) struct Followed {
    /// Walks that it took to the end, a bit each.
    pub(super) walks: u128,
    /// How its actions were matched.
    pub(super) matching: Matching,
}

/// Walks with everybody at once: what agrees with the leader's walks agrees with each other on them,
/// and nobody has to walk once for each of the others. At least two walks; a follower that differs or
/// fails takes no part in the rest, and is to be compared by itself. A leader without followers walks
/// for the sample alone.
pub(super) fn walk_together(
    leader: &mut dyn Subject,
    followers: Vec<&mut dyn Subject>,
    effort: &Effort,
) -> Result<Together, Failure> {
    let mut plies = Vec::new();
    let mut sample = Some(Tally::default());
    let alone = followers.is_empty();
    let time = effort.time * followers.len().max(1) as u32;
    let mut shown = vec![Some(Followed { walks: 0, matching: Matching::Labels }); followers.len()];
    let mut numbers: Vec<usize> = (0..followers.len()).collect();
    let mut followers: Vec<Follower<'_>> = followers
        .into_iter()
        .map(|subject| Follower::matching_by(subject, Matching::Labels))
        .collect();
    let start = Instant::now();
    for number in 0..MOST_WALKS {
        if (followers.is_empty() && !alone) || (number >= 2 && start.elapsed() > time) {
            break;
        }
        let walked = walk(leader, &mut followers, effort, u64::from(number))?;
        plies.push(walked.plies);
        match (&mut sample, walked.ending) {
            (Some(tally), Some(ending)) => {
                let plies = u32::try_from(walked.plies).unwrap_or(u32::MAX);
                tally.record(u64::from(number), play::End { plies, ending });
            }
            (sample, _) => *sample = None,
        }
        for (follower, &who) in followers.iter().zip(&numbers) {
            shown[who] = match (&follower.end, shown[who]) {
                (Some(End::Differs(_) | End::Failed(_)), _) => None,
                (Some(End::Unclear), Some(before)) => {
                    Some(Followed { matching: follower.matching, ..before })
                }
                (None, Some(before)) => Some(Followed {
                    walks: before.walks | 1 << number,
                    matching: follower.matching,
                }),
                (_, None) => None,
            };
        }
        followers = std::mem::take(&mut followers)
            .into_iter()
            .zip(&numbers)
            .filter_map(|(follower, &who)| shown[who].map(|_| follower))
            .collect();
        numbers.retain(|&who| shown[who].is_some());
    }
    Ok(Together { plies, followers: shown, sample })
}

/// For each action of `a` the one of `b` with the same label and the same fingerprint, if there is
/// one for each.
fn match_labels(a: &View, b: &View) -> Option<Vec<usize>> {
    let numbers: BTreeMap<&str, usize> =
        b.labels.iter().enumerate().map(|(i, l)| (l.as_str(), i)).collect();
    a.labels
        .iter()
        .enumerate()
        .map(|(i, label)| {
            let &j = numbers.get(label.as_str())?;
            let same = match (&a.prints, &b.prints) {
                (Some(x), Some(y)) => x[i] == y[j],
                _ => true,
            };
            same.then_some(j)
        })
        .collect()
}

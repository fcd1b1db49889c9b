//! Random walks that engines take in lock-step: one leads, the others follow.

use std::collections::BTreeMap;
use std::time::Instant;

use play::Rng;

use super::Effort;
use super::pair::{Counterexample, Matching};
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

    fn begin(&mut self, effort: &Effort, number: u64) {
        self.candidates = vec![Vec::new()];
        self.truncated = false;
        self.rng = Rng::stream(effort.seed ^ 0x6b07, number);
        self.end = None;
    }

    fn goes_on(&self) -> bool {
        self.end.is_none()
    }

    /// Finds which of its candidates look like the leader's position.
    fn compare(&mut self, view: &View, depth: u32, walk: &[String]) {
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
                    first_difference.get_or_insert((text, own.draw));
                }
            }
        }
        if self.views.is_empty() {
            let (difference, draw) = first_difference.unwrap_or_default();
            self.end = Some(if self.truncated {
                End::Unclear
            } else {
                let drawings = Some([view.draw.clone(), draw]);
                End::Differs(Counterexample { walk: walk.to_vec(), difference, drawings })
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

/// A random walk of `leader`, to the end of the game or to the cap, with everybody who follows; its
/// plies. Each follower knows afterwards whether it left the walk. The error is the leader's.
pub(super) fn walk(
    leader: &mut dyn Subject,
    followers: &mut [Follower<'_>],
    effort: &Effort,
    number: u64,
) -> Result<u64, Failure> {
    let mut rng = Rng::stream(effort.seed ^ 0x3a1f, number);
    let (mut path, mut taken): (Vec<usize>, Vec<String>) = (Vec::new(), Vec::new());
    for follower in &mut *followers {
        follower.begin(effort, number);
    }
    let start = Instant::now();
    for _ in 0..effort.cap {
        let by_prints = followers.iter().any(|f| f.goes_on() && f.matching == Matching::Prints);
        // Fingerprints cost an expansion an action; engines that are slow at it get them for the
        // first half of the time only, unless actions are matched by nothing else.
        let depth = u32::from(by_prints || start.elapsed() * 2 < effort.time);
        let view = leader.look(&path, depth, LOOK)?;
        for follower in followers.iter_mut().filter(|f| f.goes_on()) {
            follower.compare(&view, depth, &taken);
        }
        // Over, or nobody has an action though it is not over: the walk ends in either.
        let over = view.turn.is_none() || view.labels.is_empty();
        if over || !followers.iter().any(Follower::goes_on) {
            break;
        }
        let action = rng.below(view.labels.len() as u32) as usize;
        for follower in followers.iter_mut().filter(|f| f.goes_on()) {
            follower.take(&view, action);
        }
        taken.push(view.labels[action].clone());
        path.push(action);
    }
    Ok(path.len() as u64)
}

/// What walks of several engines together have shown.
pub(super) struct Together {
    /// Plies of each walk.
    pub(super) plies: Vec<u64>,
    /// Followers that never differed from the leader.
    pub(super) followers: Vec<Option<Followed>>,
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
/// fails takes no part in the rest, and is to be compared by itself.
pub(super) fn walk_together(
    leader: &mut dyn Subject,
    followers: Vec<&mut dyn Subject>,
    effort: &Effort,
) -> Result<Together, Failure> {
    let mut plies = Vec::new();
    let time = effort.time * followers.len() as u32;
    let mut shown = vec![Some(Followed { walks: 0, matching: Matching::Labels }); followers.len()];
    let mut numbers: Vec<usize> = (0..followers.len()).collect();
    let mut followers: Vec<Follower<'_>> = followers
        .into_iter()
        .map(|subject| Follower::matching_by(subject, Matching::Labels))
        .collect();
    let start = Instant::now();
    for number in 0..MOST_WALKS {
        if followers.is_empty() || (number >= 2 && start.elapsed() > time) {
            break;
        }
        plies.push(walk(leader, &mut followers, effort, u64::from(number))?);
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
    Ok(Together { plies, followers: shown })
}

/// What differs between two views, if anything.
pub(super) fn difference(a: &View, b: &View) -> Option<String> {
    let turn = |view: &View| match view.turn {
        None => "the game is over".to_owned(),
        Some(player) => format!("player {} moves", player + 1),
    };
    if a.turn != b.turn {
        return Some(format!("{} / {}", turn(a), turn(b)));
    }
    if a.scores != b.scores {
        return Some(format!("scores {:?} / {:?}", a.scores, b.scores));
    }
    if a.labels.len() != b.labels.len() {
        let only = |x: &View, y: &View| {
            let mut labels: Vec<&str> =
                x.labels.iter().filter(|l| !y.labels.contains(l)).map(String::as_str).collect();
            labels.sort_unstable();
            let shown = labels.len().min(8);
            let more = if labels.len() > shown { " ..." } else { "" };
            format!("{}{more}", labels[..shown].join(" "))
        };
        return Some(format!(
            "{} / {} legal actions (only in the first: {}; only in the second: {})",
            a.labels.len(),
            b.labels.len(),
            only(a, b),
            only(b, a)
        ));
    }
    if let (Some(x), Some(y)) = (&a.prints, &b.prints) {
        let (mut x, mut y) = (x.clone(), y.clone());
        x.sort_unstable();
        y.sort_unstable();
        if x != y {
            return Some("what the legal actions lead to differs".to_owned());
        }
    }
    None
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

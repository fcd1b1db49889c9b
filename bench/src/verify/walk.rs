//! Walks that two engines take in lock-step: one leads, the other follows.

use play::Rng;
use std::collections::BTreeMap;

use super::difference::{Counterexample, Matching, Question, difference_named};
use super::effort::Effort;
use crate::failure::Failure;
use crate::protocol::View;
use crate::random_walk::{LOOK, by_label};
use crate::subject::Subject;

/// Candidate positions followed at once where fingerprints do not tell actions apart.
const BEAM: usize = 48;

/// An engine that follows another one's walk.
pub(super) struct Follower<'s> {
    subject: &'s mut dyn Subject,
    /// True if it and its leader say the words of the game: then nothing is guessed.
    named: bool,
    /// The way in which its actions have been matched so far.
    matching: Matching,
    /// Positions that may be the one that the leader is in.
    candidates: Vec<Vec<usize>>,
    /// The candidates that look like it.
    views: Vec<(Vec<usize>, View)>,
    truncated: bool,
    rng: Rng,
    end: Option<End>,
}

/// The reason why a follower left a walk before its end.
pub(super) enum End {
    /// Actions could not be told apart.
    Unclear,
    /// It plays something else.
    Differs(Counterexample),
    /// It gave no answer.
    Failed(Failure),
}

impl<'s> Follower<'s> {
    /// A follower of an engine, whose actions have been matched so.
    pub(super) fn matching_by(
        subject: &'s mut dyn Subject,
        leader: &dyn Subject,
        matching: Matching,
    ) -> Follower<'s> {
        Follower {
            named: subject.says_words() && leader.says_words(),
            subject,
            matching,
            candidates: Vec::new(),
            views: Vec::new(),
            truncated: false,
            rng: Rng::stream(0, 0),
            end: None,
        }
    }

    /// The way in which its actions have been matched.
    pub(super) fn matched_by(&self) -> Matching {
        self.matching
    }

    /// The reason why it left the last walk; `None` if it came to the end.
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
            match difference_named(view, &own, self.named) {
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

    /// Looks at the same positions again, to another depth.
    fn compare_again(&mut self, view: &View, depth: u32, path: &[usize], walk: &[String]) {
        self.candidates = self.views.drain(..).map(|(candidate, _)| candidate).collect();
        self.compare(view, depth, path, walk);
    }

    /// True if it is in one position, in which actions have the leader's names.
    fn names_alike(&self, view: &View) -> bool {
        matches!(&self.views[..], [(_, own)] if match_labels(view, own).is_some())
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

/// A random walk of `leader`, to the end of the game or to the cap, as long as the follower
/// follows; how many plies it took. The follower knows afterwards whether it left the walk. The
/// error is the leader's.
pub(super) fn walk(
    leader: &mut dyn Subject,
    follower: &mut Follower<'_>,
    effort: &Effort,
    number: u64,
) -> Result<u64, Failure> {
    let id = effort.walk(number);
    let mut draws = id.draws();
    let (mut path, mut taken): (Vec<usize>, Vec<String>) = (Vec::new(), Vec::new());
    follower.begin(effort.seed, number);
    loop {
        let depth = id.depth(path.len() as u64);
        let mut view = leader.look(&path, depth, LOOK)?;
        follower.compare(&view, depth, &path, &taken);
        // Fingerprints cost an expansion an action: they are asked for where names do not tell
        // actions apart, too.
        if depth == 0 && follower.goes_on() && !follower.names_alike(&view) {
            view = leader.look(&path, 1, LOOK)?;
            follower.compare_again(&view, 1, &path, &taken);
        }
        let ends = view.turn.is_none() || view.labels.is_empty();
        if ends || !follower.goes_on() || path.len() >= effort.cap as usize {
            return Ok(path.len() as u64);
        }
        let action = draws.choose(&by_label(&view.labels));
        follower.take(&view, action);
        taken.push(view.labels[action].clone());
        path.push(action);
    }
}

/// Follows a path of `leader` to its end. Nothing if the follower found the same all the way.
pub(super) fn retrace(
    leader: &mut dyn Subject,
    path: &[usize],
    follower: &mut dyn Subject,
) -> Result<Option<End>, Failure> {
    let mut follower = Follower::matching_by(follower, leader, Matching::Labels);
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

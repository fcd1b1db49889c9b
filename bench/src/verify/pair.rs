//! Two engines side by side, and the shortest walk on which they differ.

use std::time::Instant;

use play::kit::Detects;

use super::difference::{Counterexample, Matching, Question, difference, difference_named};
use super::effort::Effort;
use super::walk::{End, Follower, walk};
use crate::failure::Failure;
use crate::protocol::View;
use crate::random_walk::LOOK;
use crate::subject::Subject;

/// The proof that a comparison has given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairProof {
    /// Depth to which the trees have the same fingerprint.
    pub depth: u32,
    /// Random walks that both took alike: to their end, and in games of chance as far as what may
    /// be observed was compared.
    pub walks: u32,
    /// Plies on those walks.
    pub plies: u64,
    /// Playouts whose statistics were compared, of the engine with fewer.
    pub playouts: u64,
    /// The smallest deviation of mean plies and payoffs that it would have found with a probability
    /// of 95 %; `None` where the ply cap cut playouts.
    pub detects: Option<Detects>,
    /// The reason why that comparison shows nothing, if it does not.
    pub unshown: Option<String>,
    /// Walks given up because actions could not be told apart.
    pub unclear: u32,
    /// The way in which actions were matched.
    pub matching: Matching,
}

impl PairProof {
    /// True if a fault could have shown: some plies were compared, or enough playouts.
    pub fn shows_something(&self) -> bool {
        self.depth > 0 || self.walks > 0 || self.unshown.is_none()
    }
}

/// Failure of the engine with this number (0 or 1).
pub(super) type Culprit = (usize, Failure);

/// Takes the walks of these numbers with two engines together, until the time is up: at least two,
/// at most a hundred. `proof` is what is shown already.
pub(super) fn compare(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    effort: &Effort,
    numbers: &[u64],
    mut proof: PairProof,
) -> Result<Result<PairProof, Counterexample>, Culprit> {
    for number in effort.some_of(numbers) {
        let (plies, end) = walk_pair(a, b, &mut proof.matching, effort, number)?;
        proof.plies += plies;
        match end {
            None => proof.walks += 1,
            Some(End::Unclear) => proof.unclear += 1,
            Some(End::Failed(failure)) => return Err((1, failure)),
            Some(End::Differs(found)) => {
                let found = find_shorter(a, b, found, effort)?;
                return Ok(Err(shorten(a, b, found, effort)?));
            }
        }
    }
    Ok(Ok(proof))
}

fn walk_pair(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    matching: &mut Matching,
    effort: &Effort,
    number: u64,
) -> Result<(u64, Option<End>), Culprit> {
    let mut follower = Follower::matching_by(b, a, *matching);
    let plies = walk(a, &mut follower, effort, number).map_err(|failure| (0, failure))?;
    *matching = follower.matched_by();
    Ok((plies, follower.end()))
}

/// Takes more random walks, each no longer than the shortest that led to a difference so far: which
/// one was met first is an accident, and a short one is easier to shorten.
fn find_shorter(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    found: Counterexample,
    effort: &Effort,
) -> Result<Counterexample, Culprit> {
    let start = Instant::now();
    let mut best = found;
    for number in 1 << 32.. {
        if start.elapsed() >= effort.time || best.walk.is_empty() {
            break;
        }
        let short = Effort { cap: best.walk.len() as u32 - 1, ..*effort };
        let (_, end) = walk_pair(a, b, &mut Matching::Labels, &short, number)?;
        if let Some(End::Differs(counterexample)) = end {
            best = counterexample;
        }
    }
    Ok(best)
}

/// A shortest walk to a difference, where the fingerprints of the whole tree to `depth` differ and
/// those to any smaller depth do not.
pub(super) fn descend(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    depth: u32,
) -> Result<Counterexample, Culprit> {
    let mut paths = [Vec::new(), Vec::new()];
    let mut walk = Vec::new();
    for left in (0..=depth).rev() {
        let view = a.look(&paths[0], left, u64::MAX).map_err(|f| (0, f))?;
        let other = b.look(&paths[1], left, u64::MAX).map_err(|f| (1, f))?;
        let plain = |view: &View| View { prints: None, ..view.clone() };
        let found = difference(&plain(&view), &plain(&other));
        let unmatched = match (&view.prints, &other.prints) {
            (Some(x), Some(y)) if found.is_none() => unlike(&view, &other).or_else(|| {
                let i = (0..x.len()).find(|&i| count(x, &x[i]) > count(y, &x[i]))?;
                let j = (0..y.len()).find(|&j| count(y, &y[j]) > count(x, &y[j]))?;
                Some((i, j))
            }),
            _ => None,
        };
        let Some((i, j)) = unmatched else {
            let difference = found.unwrap_or_else(|| "the trees differ".to_owned());
            let drawings = Some([view.draw, other.draw]);
            let question = Question::Paths(paths);
            return Ok(Counterexample { walk, difference, drawings, question });
        };
        walk.push(view.labels[i].clone());
        paths[0].push(i);
        paths[1].push(j);
    }
    let (difference, question) = ("the trees differ".to_owned(), Question::Paths(paths));
    Ok(Counterexample { walk, difference, drawings: None, question })
}

/// The first two actions with the same label and different fingerprints.
fn unlike(a: &View, b: &View) -> Option<(usize, usize)> {
    let (x, y) = (a.prints.as_ref()?, b.prints.as_ref()?);
    (0..x.len()).find_map(|i| {
        let j = b.labels.iter().position(|label| *label == a.labels[i])?;
        (x[i] != y[j]).then_some((i, j))
    })
}

fn count(all: &[String], one: &str) -> usize {
    all.iter().filter(|x| *x == one).count()
}

/// Shortens a walk that leads to a difference: plies are left out, in ever smaller pieces and then
/// in pairs (players alternate), as long as the rest can still be played in both and still ends in
/// a difference (delta debugging, Zeller and Hildebrandt 2002). Works on labels, so where they are
/// not shared the walk stays as it is.
fn shorten(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    found: Counterexample,
    effort: &Effort,
) -> Result<Counterexample, Culprit> {
    let start = Instant::now();
    let mut best = found;
    // Also names the very action whose result differs.
    if let Some(same) = replay(a, b, &best.walk)? {
        best = same;
    }
    loop {
        let length = best.walk.len();
        let pieces = (0..length.checked_ilog2().unwrap_or(0)).rev().map(|power| 1 << power);
        let ranges = pieces.flat_map(|piece: usize| {
            (0..=length.saturating_sub(piece)).map(move |at| (at..at + piece, 0..0))
        });
        let pairs = (0..length).flat_map(|i| (i + 1..length).map(move |j| (i..i + 1, j..j + 1)));
        let mut shorter = None;
        for (first, second) in ranges.chain(pairs) {
            if start.elapsed() > effort.time * 4 {
                return Ok(best);
            }
            let kept = |i: &usize| !first.contains(i) && !second.contains(i);
            let rest: Vec<String> =
                (0..length).filter(kept).map(|i| best.walk[i].clone()).collect();
            let counterexample = replay(a, b, &rest)?;
            if counterexample.as_ref().is_some_and(|c| c.walk.len() < length) {
                shorter = counterexample;
                break;
            }
        }
        match shorter {
            Some(counterexample) => best = counterexample,
            None => return Ok(best),
        }
    }
}

/// Plays labels in both engines as far as they are legal in both; the first difference on the way.
fn replay(
    a: &mut dyn Subject,
    b: &mut dyn Subject,
    labels: &[String],
) -> Result<Option<Counterexample>, Culprit> {
    let mut paths = [Vec::new(), Vec::new()];
    let named = a.says_words() && b.says_words();
    for ply in 0..=labels.len() {
        let view = a.look(&paths[0], 1, LOOK).map_err(|f| (0, f))?;
        let other = b.look(&paths[1], 1, LOOK).map_err(|f| (1, f))?;
        if let Some(difference) = difference_named(&view, &other, named) {
            let mut found = Counterexample {
                walk: labels[..ply].to_vec(),
                difference,
                drawings: Some([view.draw.clone(), other.draw.clone()]),
                question: Question::Paths(paths.clone()),
            };
            // Where only what an action leads to differs, go there and see how.
            if let Some((i, j)) = unlike(&view, &other) {
                paths[0].push(i);
                paths[1].push(j);
                let after = a.look(&paths[0], 0, 0).map_err(|f| (0, f))?;
                let other_after = b.look(&paths[1], 0, 0).map_err(|f| (1, f))?;
                if let Some(text) = self::difference(&after, &other_after) {
                    found.walk.push(view.labels[i].clone());
                    found.difference = text;
                    found.drawings = Some([after.draw, other_after.draw]);
                    found.question = Question::Paths(paths);
                }
            }
            return Ok(Some(found));
        }
        let Some(label) = labels.get(ply) else { break };
        let number = |view: &View| view.labels.iter().position(|l| l == label);
        let (Some(i), Some(j)) = (number(&view), number(&other)) else { break };
        paths[0].push(i);
        paths[1].push(j);
    }
    Ok(None)
}

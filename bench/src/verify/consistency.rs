//! The check that the answers of one engine fit each other: its views of positions, its
//! fingerprints and its leaf counts. An engine that contradicts itself is no witness against
//! others.

use std::time::Instant;

use play::Rng;

use super::effort::Effort;
use crate::failure::Failure;
use crate::protocol::View;
use crate::subject::Subject;

/// Positions that one question may visit.
const NODES: u64 = 30_000;

/// Most actions of the start that are followed to count what is below them.
const MOST_CHILDREN: usize = 64;

/// Most actions of a position that is looked at two plies deep.
const MOST_REPLIES: usize = 40;

/// Most walks along which positions are compared with what was said of them one ply before.
const MOST_WALKS: u64 = 32;

/// The contradiction between two answers of an engine, in a sentence that names both. `prints` are
/// its fingerprints to depth 0, 1, 2, ... Positions of games of chance are not compared: a view of
/// them is one outcome of several.
pub(super) fn check(
    subject: &mut dyn Subject,
    prints: &[u64],
    effort: &Effort,
) -> Result<Option<String>, Failure> {
    if subject.chance() {
        return Ok(None);
    }
    let start = Instant::now();
    for (depth, &print) in (0..).zip(prints) {
        let view = subject.look(&[], depth, NODES)?;
        if let Some(fault) = unlike_tree(&view, depth, print) {
            return Ok(Some(fault));
        }
        // The next depth takes longer by the branching factor.
        if (depth > 0 && view.prints.is_none()) || start.elapsed() * 64 > effort.time {
            break;
        }
    }
    if let Some(fault) = unlike_counts(subject)? {
        return Ok(Some(fault));
    }
    let deadline = Instant::now() + effort.time / 8;
    for number in 0..MOST_WALKS {
        if let Some(fault) = unlike_steps(subject, effort, number, deadline)? {
            return Ok(Some(fault));
        }
        if Instant::now() > deadline {
            break;
        }
    }
    Ok(None)
}

/// The start as it is shown against the fingerprint of the tree.
fn unlike_tree(view: &View, depth: u32, print: u64) -> Option<String> {
    if depth > 0 && view.prints.is_none() {
        return None;
    }
    let Some(shown) = view.fingerprint() else {
        return Some(format!("`prints` of `walk` are not hexadecimal: {:?}", view.prints));
    };
    (shown != print).then(|| {
        format!(
            "its answers contradict each other: `fingerprint` to depth {depth} is {print:016x}, \
             and what `walk` shows of the start folds to {shown:016x}"
        )
    })
}

/// Leaf counts against the numbers of actions that are shown.
fn unlike_counts(subject: &mut dyn Subject) -> Result<Option<String>, Failure> {
    let Some(counts) = subject.perft(2, NODES)? else { return Ok(None) };
    let actions = subject.look(&[], 0, NODES)?.labels.len();
    let mut shown = vec![actions as u64];
    if actions <= MOST_CHILDREN {
        let mut replies = 0;
        for action in 0..actions {
            replies += subject.look(&[action], 0, NODES)?.labels.len() as u64;
        }
        shown.push(replies);
    }
    Ok((!counts.starts_with(&shown)).then(|| {
        format!(
            "its answers contradict each other: `perft` counts {counts:?} leaves, and `walk` \
             shows {shown:?} actions"
        )
    }))
}

/// The positions along a random walk against what was said of them one ply before.
fn unlike_steps(
    subject: &mut dyn Subject,
    effort: &Effort,
    number: u64,
    deadline: Instant,
) -> Result<Option<String>, Failure> {
    let mut rng = Rng::stream(effort.seed ^ 0x57e9, number);
    let depth = |view: &View| if view.labels.len() <= MOST_REPLIES { 2 } else { 1 };
    let mut path = Vec::new();
    let mut next = subject.look(&path, 0, 0)?;
    while path.len() < effort.cap as usize && !next.labels.is_empty() {
        let depth = depth(&next);
        let view = subject.look(&path, depth, NODES)?;
        let action = rng.below(view.labels.len().max(1) as u32) as usize;
        path.push(action);
        next = subject.look(&path, depth - 1, NODES)?;
        let said = view.prints.as_ref().and_then(|prints| prints.get(action));
        let shown = next.fingerprint().filter(|_| depth == 1 || next.prints.is_some());
        if let (Some(said), Some(shown)) = (said, shown)
            && u64::from_str_radix(said, 16) != Ok(shown)
        {
            return Ok(Some(format!(
                "its answers contradict each other: before ply {}, `walk` says that {} leads to \
                 {said} within {depth} plies, and what it shows of the position there folds to \
                 {shown:016x}",
                path.len(),
                view.labels[action]
            )));
        }
        if path.len() > 1 && Instant::now() > deadline {
            break;
        }
    }
    Ok(None)
}

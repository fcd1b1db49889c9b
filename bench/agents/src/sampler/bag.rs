//! A bag of complete histories that fit, carried from ply to ply.

use play::Rng;

use super::history::{Choices, Known, Trace, Walk};
use super::sample::Sample;

/// Tries to mend a history before another one is taken up.
const TRIES: u32 = 30;
/// Changes tried on each history that fits.
const MOVES: u32 = 3;
/// Histories played over contradictions, to find the nearest.
const LOOSE: u32 = 200;

/// Histories that fitted what the role knew at its last ply: HyperPlay's bag of models (Schofield,
/// Cerexhe and Thielscher 2012; Schofield and Thielscher 2015). At the next ply each is played on
/// with random choices of chance and of others, and checked against the new percepts.
///
/// A history that contradicts is mended: some of its last choices are drawn anew (backtracking), or
/// a single one anywhere, which is what helps where chance drew everything before the first ply.
/// What contradicts no earlier than before is kept. The bag is then filled with copies of histories
/// that fit, and each is moved a little without ceasing to fit (resample and move, Gilks and
/// Berzuini 2001; one choice at a time, Wingate, Stuhlmueller and Goodman 2011), so that copies
/// drift apart and the bag towards the true distribution.
#[derive(Clone, Debug, Default)]
pub(super) struct Bag {
    traces: Vec<Trace>,
}

impl Bag {
    /// States for the present ply, all of the same weight. At most about `effort` positions are
    /// visited, and only while there is `more` time.
    pub(super) fn draw<'a>(
        &mut self,
        known: &Known<'a>,
        samples: usize,
        effort: u64,
        rng: &mut Rng,
        more: &dyn Fn() -> bool,
    ) -> Vec<Sample<'a>> {
        let mut spent = 0;
        let mut fits: Vec<(Trace, Walk<'a>)> = Vec::new();
        // Histories of the last ply, then new ones.
        let old = std::mem::take(&mut self.traces);
        let mut next = old.into_iter();
        // Half of the effort for finding any, so that some is left to tell copies apart.
        while fits.len() < samples && spent < effort / 2 && more() {
            let fresh = next.len() == 0;
            if fresh && spent >= effort / 4 && !fits.is_empty() {
                break;
            }
            let trace = next.next().unwrap_or_default();
            if let Some(fit) = mend(known, trace, rng, &mut spent) {
                fits.push(fit);
            }
        }
        if fits.is_empty() {
            while fits.is_empty() && spent < effort && more() {
                fits.extend(mend(known, Trace::new(), rng, &mut spent));
            }
        }
        if fits.is_empty() {
            return Vec::new();
        }
        let found = fits.len();
        for i in found..samples {
            if !more() {
                break;
            }
            // Copies are played, since positions are not shared.
            let mut choices = Choices::new(fits[i % found].0.clone(), rng);
            let walk = known.follow(&mut choices, &mut spent);
            fits.push((choices.into_trace(), walk));
        }
        for fit in &mut fits {
            if spent >= 2 * effort || !more() {
                break;
            }
            for _ in 0..MOVES {
                perturb(known, fit, rng, &mut spent);
            }
        }
        self.traces = fits.iter().map(|(trace, _)| trace.clone()).collect();
        let sample = |(_, walk): (Trace, Walk<'a>)| {
            Some(Sample { weight: 1.0, position: walk.position, order: walk.order? })
        };
        fits.into_iter().filter_map(sample).collect()
    }
}

/// Plays a history on, several times, and then changes choices of the one that went furthest until
/// it fits or [`TRIES`] changes in a row did not bring it further.
fn mend<'a>(
    known: &Known<'a>,
    trace: Trace,
    rng: &mut Rng,
    spent: &mut u64,
) -> Option<(Trace, Walk<'a>)> {
    // Plain rejection first: what it finds is distributed as it should be.
    let mut best: Option<(Trace, Walk<'a>)> = None;
    for _ in 0..TRIES {
        let mut choices = Choices::new(trace.clone(), rng);
        let walk = known.follow(&mut choices, spent);
        let trace = choices.into_trace();
        if walk.order.is_some() {
            return Some((trace, walk));
        }
        if best.as_ref().is_none_or(|(_, other)| walk.matched > other.matched) {
            best = Some((trace, walk));
        }
    }
    let (mut trace, mut walk) = best?;
    let mut tries = 0;
    while walk.order.is_none() && tries < TRIES && !trace.is_empty() {
        tries += 1;
        let mut changed = trace.clone();
        if rng.below(2) == 0 {
            // Back over 1, 2, 4, .. plies at which something was chosen.
            let back = 1 << rng.below(usize::BITS - walk.marks.len().leading_zeros());
            changed.truncate(walk.marks[walk.marks.len().saturating_sub(back)]);
        } else {
            redraw(&mut changed, rng);
        }
        let mut choices = Choices::new(changed, rng);
        let other = known.follow(&mut choices, spent);
        if other.order.is_some() || other.matched >= walk.matched {
            if other.matched > walk.matched {
                tries = 0;
            }
            trace = choices.into_trace();
            walk = other;
        }
    }
    walk.order.is_some().then_some((trace, walk))
}

/// Draws one choice of a history anew; what it makes of the later ones stays where it can.
fn redraw(trace: &mut Trace, rng: &mut Rng) {
    let at = rng.below(trace.len() as u32) as usize;
    trace[at].0 = rng.below(trace[at].1);
}

/// A step of the Metropolis-Hastings algorithm on a history that fits. Each choice is uniform, so
/// one that still fits is taken with the ratio of the numbers of choices to change.
fn perturb<'a>(known: &Known<'a>, fit: &mut (Trace, Walk<'a>), rng: &mut Rng, spent: &mut u64) {
    if fit.0.is_empty() {
        return;
    }
    let before = fit.0.len();
    let mut changed = fit.0.clone();
    redraw(&mut changed, rng);
    if changed == fit.0 {
        return;
    }
    let mut choices = Choices::new(changed, rng);
    let walk = known.follow(&mut choices, spent);
    let trace = choices.into_trace();
    if walk.order.is_some() && rng.fraction() * (trace.len() as f64) < before as f64 {
        *fit = (trace, walk);
    }
}

/// The state of the history that contradicts the past least, of some random ones.
pub(super) fn nearest<'a>(
    known: &Known<'a>,
    effort: u64,
    rng: &mut Rng,
    more: &dyn Fn() -> bool,
) -> Option<Sample<'a>> {
    let mut best: Option<(usize, Walk<'a>)> = None;
    let tries = u64::from(LOOSE).min(effort);
    for i in 0..tries {
        // A few are tried however late it is.
        if i >= 5 && !more() {
            break;
        }
        let mut choices = Choices::new(Trace::new(), rng);
        let Some((misses, walk)) = known.follow_loosely(&mut choices) else { continue };
        if best.as_ref().is_none_or(|&(least, _)| misses < least) {
            best = Some((misses, walk));
        }
    }
    let (_, walk) = best?;
    Some(Sample { weight: 1.0, position: walk.position, order: walk.order? })
}

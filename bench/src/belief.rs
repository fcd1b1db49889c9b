//! Walks in games of chance, with the dice in the walk's hand. Engines number the outcomes of
//! chance each in its own order, so that no number names a position in two of them; what there is
//! to see does. A walk is therefore named by what is observed: whose turn, how many actions or
//! which, percepts, scores, and of an action its label or what it leads to. On the way an engine
//! keeps its *belief*, all positions that it may be in with their odds (the filter of a hidden
//! Markov model), from which follow the odds of all that may be observed next. Engines that play
//! the same game have the same odds, and the harness draws among them in the order of their
//! hashes, so that they take the same walks.
//!
//! Where there are too many positions for a list, samples of them take their place, each drawn for
//! itself (a particle filter without resampling, so that samples stay independent).

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use play::Rng;

use crate::failure::Failure;
use crate::protocol::{Observed, ObservedPly, Sight, View, Walked};
use crate::random_walk::{WalkId, by_label};

/// The outcomes of chance at one step, each with its odds.
pub(crate) type Outcomes<A> = Vec<(A, f64)>;

/// The positions of an engine, and what chance does in them.
pub(crate) trait Explorer {
    /// A position.
    type At: Clone;

    /// All outcomes of an action, or of the start, each with its odds; `None` if there are more
    /// than so many.
    fn outcomes(
        &mut self,
        from: Option<(&Self::At, usize)>,
        most: usize,
    ) -> Result<Option<Outcomes<Self::At>>, Failure>;

    /// One outcome, drawn by its odds; the same number draws the same.
    fn draw(&mut self, from: Option<(&Self::At, usize)>, number: u32) -> Result<Self::At, Failure>;

    /// The view of a position, and of the positions behind its actions within so many plies.
    fn view(&mut self, at: &Self::At, depth: u32) -> Result<View, Failure>;
}

/// A walk, and the way in which it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChanceWalk {
    /// Its draws.
    pub id: WalkId,
    /// True if actions are named by their labels, or else by fingerprints of what they lead to
    /// within a ply.
    pub labels: bool,
    /// Most positions of a belief that is exact.
    pub width: u32,
    /// The number of samples that take the place of more.
    pub samples: u32,
}

/// Fewer samples than these show nothing, and the walk ends.
const FEWEST: usize = 24;

/// A position that an engine may be in.
struct Candidate<A> {
    at: A,
    odds: f64,
    view: View,
}

/// The belief of an engine, and the draws of the walk.
struct Belief<'e, E: Explorer> {
    explorer: &'e mut E,
    walk: ChanceWalk,
    candidates: Vec<Candidate<E::At>>,
    exact: bool,
    /// The draws of the walk, which are the same in all engines.
    draws: Rng,
    /// The draws of samples.
    samples: Rng,
}

/// A walk that was taken.
pub(crate) struct Taken<A> {
    /// The observations on it.
    pub(crate) observed: Observed,
    /// One of the positions that it led to.
    pub(crate) at: Option<A>,
    /// Its plies.
    pub(crate) plies: u32,
}

/// Takes a walk, to the end of the game or the cap, or as far as the belief shows something.
/// `follow` is what another engine observed, as keys and hashes of actions, to be observed here
/// too; what is observed is drawn where that is empty.
pub(crate) fn observe<E: Explorer>(
    explorer: &mut E,
    walk: ChanceWalk,
    follow: &[(u64, u64)],
) -> Result<Taken<E::At>, Failure> {
    let mut belief = Belief::of_start(explorer, walk)?;
    let (mut observed, mut plies) = (Observed::default(), 0);
    for ply in 0..=walk.id.cap as usize {
        if !belief.shows_something() || (!follow.is_empty() && ply >= follow.len()) {
            break;
        }
        let mut now = belief.see(follow.get(ply).map(|&(seen, _)| seen));
        let lost = belief.candidates.is_empty();
        let ends = lost || belief.candidates[0].view.labels.is_empty();
        let goes_on = !ends && ply < walk.id.cap as usize;
        let goes_on = goes_on && belief.act(&mut now, follow.get(ply).map(|&(_, act)| act))?;
        observed.plies.push(now);
        if !goes_on {
            break;
        }
        plies += 1;
    }
    Ok(Taken { observed, at: belief.any(), plies })
}

/// Takes a walk to its end: as long as the belief is exact with what is observed on the way, and
/// from one of its positions on by the engine's own chance.
pub(crate) fn walk_to_the_end<E: Explorer>(
    explorer: &mut E,
    id: WalkId,
    width: u32,
) -> Result<Walked, Failure> {
    let walk = ChanceWalk { id, labels: true, width, samples: 1 };
    let Taken { observed, at, mut plies } = observe(explorer, walk, &[])?;
    let mut walked = Walked { digests: digests(&observed), ..Walked::default() };
    let (mut at, mut rng) = (at, id.chance());
    while let Some(here) = at {
        let view = explorer.view(&here, 0)?;
        let actions = view.labels.len() as u32;
        (walked.plies, walked.scores, walked.stuck) = (plies, view.scores, actions == 0);
        if view.turn.is_none() || actions == 0 || plies >= id.cap {
            walked.stuck &= view.turn.is_some();
            break;
        }
        let action = rng.below(actions) as usize;
        at = Some(explorer.draw(Some((&here, action)), rng.below(u32::MAX))?);
        plies += 1;
    }
    Ok(walked)
}

/// Hashes of all that was observed up to ply 0, 1, 2, 4, 8, ... and the end, as long as odds are
/// exact.
fn digests(observed: &Observed) -> Vec<u64> {
    // Engines add up odds in orders of their own: sums that differ in the last place are rounded
    // alike, but for those that lie between two numbers. Odds are fractions, and lie nowhere in
    // particular on a scale that is none.
    let rounded = |odds: f64| (odds * 1e8 * std::f64::consts::PI).round() as u64;
    let (mut digests, mut digest) = (Vec::new(), 0);
    let exact = observed.plies.iter().take_while(|ply| ply.samples == 0);
    for (number, ply) in exact.enumerate() {
        let sights: Vec<(u64, u64)> =
            ply.sights.iter().map(|sight| (sight.key, rounded(sight.odds))).collect();
        digest = hash(&(digest, sights, ply.seen, ply.action));
        let ends = ply.action == 0;
        if number == 0 || number.is_power_of_two() || ends {
            digests.push(digest);
        }
    }
    digests
}

impl<'e, E: Explorer> Belief<'e, E> {
    /// The belief of an engine before the first ply.
    fn of_start(explorer: &'e mut E, walk: ChanceWalk) -> Result<Self, Failure> {
        let mut belief = Belief {
            explorer,
            walk,
            candidates: Vec::new(),
            exact: true,
            draws: Rng::stream(walk.id.seed ^ 0xd1ce, walk.id.number),
            samples: Rng::stream(walk.id.seed ^ 0x5a3e, walk.id.number),
        };
        belief.expand(None)?;
        Ok(belief)
    }

    /// True if odds can be told from it.
    fn shows_something(&self) -> bool {
        self.exact || self.candidates.len() >= FEWEST
    }

    /// Sees something: `given`, or what is drawn; candidates that look otherwise are dropped.
    fn see(&mut self, given: Option<u64>) -> ObservedPly {
        let labelled = self.walk.labels;
        let mut sights = BTreeMap::<u64, Sight>::new();
        let keys: Vec<u64> = self.candidates.iter().map(|c| key(&c.view, labelled)).collect();
        for (candidate, &key) in self.candidates.iter().zip(&keys) {
            let sight = sights.entry(key).or_insert_with(|| Sight {
                key,
                plain: candidate.view.shallow_fingerprint(),
                odds: 0.0,
                text: in_words(&candidate.view, labelled),
            });
            sight.odds += candidate.odds;
        }
        let drawn = draw(sights.values().map(|sight| (sight.key, sight.odds)), &mut self.draws);
        let seen = given.or(drawn).unwrap_or(0);
        let samples = if self.exact { 0 } else { self.candidates.len() as u64 };
        let mut keys = keys.into_iter();
        self.candidates.retain(|_| keys.next() == Some(seen));
        self.normalise();
        let fitting = if self.exact { 0 } else { self.candidates.len() as u64 };
        let sights = sights.into_values().collect();
        ObservedPly { samples, fitting, sights, seen, ..ObservedPly::default() }
    }

    /// Takes an action of which `given` is observed, or what is drawn. False if the walk cannot go
    /// on.
    fn act(&mut self, now: &mut ObservedPly, given: Option<u64>) -> Result<bool, Failure> {
        // Each candidate with the hashes of its actions.
        let mut names: Vec<Vec<u64>> = Vec::new();
        for candidate in &self.candidates {
            let prints;
            let texts = if self.walk.labels {
                Some(&candidate.view.labels)
            } else {
                prints = self.explorer.view(&candidate.at, 1)?.prints;
                prints.as_ref()
            };
            let Some(texts) = texts else { return Ok(false) };
            names.push(texts.iter().map(hash).collect());
        }
        let mut odds = BTreeMap::<u64, f64>::new();
        for (candidate, names) in self.candidates.iter().zip(&names) {
            for &name in names {
                *odds.entry(name).or_default() += candidate.odds / names.len() as f64;
            }
        }
        let drawn = draw(odds.iter().map(|(&name, &odds)| (name, odds)), &mut self.draws);
        now.action = given.or(drawn).unwrap_or(0);
        if !self.walk.labels {
            now.actions = odds.into_iter().collect();
        }
        let alike = |names: &[u64]| names.iter().filter(|&&name| name == now.action).count();
        let most = names.iter().map(|names| alike(names)).max().unwrap_or(0);
        let mut chosen = Vec::new();
        for (at, names) in names.iter().enumerate() {
            let mut actions: Vec<usize> =
                (0..names.len()).filter(|&i| names[i] == now.action).collect();
            if self.exact {
                let share = self.candidates[at].odds / names.len() as f64;
                chosen.extend(actions.into_iter().map(|action| (at, action, share)));
            } else if (self.samples.below(most.max(1) as u32) as usize) < actions.len() {
                // A sample is one position: of its actions one is taken, and the more of them are
                // observed so, the rather.
                let action = actions.swap_remove(self.samples.below(actions.len() as u32) as usize);
                chosen.push((at, action, 1.0));
            }
        }
        if let Some(&(at, action, _)) = chosen.first() {
            now.label.clone_from(&self.candidates[at].view.labels[action]);
        }
        self.expand(Some(chosen))?;
        Ok(!self.candidates.is_empty())
    }

    /// Goes on to all outcomes of the start, or of these actions of candidates with their odds, as
    /// long as these are few; else to samples of them.
    fn expand(&mut self, chosen: Option<Vec<(usize, usize, f64)>>) -> Result<(), Failure> {
        let before = std::mem::take(&mut self.candidates);
        let from = |at: usize, action: usize| before.get(at).map(|from| (&from.at, action));
        // The start is what nothing leads to.
        let mut chosen = chosen.unwrap_or_else(|| vec![(usize::MAX, 0, 1.0)]);
        let mut next: Outcomes<E::At> = Vec::new();
        let was_exact = self.exact;
        for &(at, action, odds) in chosen.iter().filter(|_| was_exact) {
            let left = (self.walk.width as usize).saturating_sub(next.len());
            let Some(outcomes) = self.explorer.outcomes(from(at, action), left)? else {
                self.exact = false;
                break;
            };
            next.extend(outcomes.into_iter().map(|(at, p)| (at, odds * p)));
        }
        if was_exact && !self.exact {
            // Independent samples of what was known exactly.
            next.clear();
            let by_odds = chosen.iter().map(|&step| (step, step.2));
            let drawn = (0..self.walk.samples).map(|_| draw(by_odds.clone(), &mut self.samples));
            chosen = drawn.flatten().collect();
        }
        if !self.exact {
            for &(at, action, _) in &chosen {
                let number = self.samples.below(u32::MAX);
                next.push((self.explorer.draw(from(at, action), number)?, 1.0));
            }
        }
        for (at, odds) in next {
            let view = self.explorer.view(&at, 0)?;
            self.candidates.push(Candidate { at, odds, view });
        }
        self.normalise();
        Ok(())
    }

    /// One position of the belief, drawn by its odds, if there is any.
    fn any(&mut self) -> Option<E::At> {
        let all = self.candidates.iter().map(|candidate| (&candidate.at, candidate.odds));
        draw(all, &mut self.samples).cloned()
    }

    fn normalise(&mut self) {
        let whole: f64 = self.candidates.iter().map(|candidate| candidate.odds).sum();
        self.candidates.iter_mut().for_each(|candidate| candidate.odds /= whole);
    }
}

/// One of several, each with its odds, drawn by these; `None` of none. Engines with the same odds
/// in the same order draw the same.
fn draw<T>(all: impl Iterator<Item = (T, f64)> + Clone, rng: &mut Rng) -> Option<T> {
    let mut left = rng.fraction() * all.clone().map(|(_, odds)| odds).sum::<f64>();
    let mut last = None;
    for (item, odds) in all {
        left -= odds;
        last = Some(item);
        if left < 0.0 {
            break;
        }
    }
    last
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The hash of what there is to see, with labels or without.
fn key(view: &View, labelled: bool) -> u64 {
    let plain = view.shallow_fingerprint();
    if !labelled {
        return plain;
    }
    let labels: Vec<&str> =
        by_label(&view.labels).into_iter().map(|action| view.labels[action].as_str()).collect();
    hash(&(plain, labels))
}

/// Most labels that a message names.
const MOST_NAMED: usize = 6;

/// The view in words, for a message, with labels or without.
fn in_words(view: &View, labelled: bool) -> String {
    let mut text = match (view.turn, &view.scores) {
        (Some(player), _) => {
            format!("player {} moves, {} legal actions", player + 1, view.labels.len())
        }
        (None, scores) => format!("the game is over, scores {scores:?}"),
    };
    if labelled && !view.labels.is_empty() {
        let order = by_label(&view.labels);
        let named = order.iter().take(MOST_NAMED).map(|&action| view.labels[action].as_str());
        let more = if order.len() > MOST_NAMED { " ..." } else { "" };
        text.push_str(&format!(" ({}{more})", named.collect::<Vec<_>>().join(", ")));
    }
    if !view.percepts.is_empty() {
        text.push_str(&format!(", percepts {:?}", view.percepts));
    }
    text
}

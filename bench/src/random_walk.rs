//! Random walks that engines take by themselves and that can be compared afterwards: the harness's
//! own draws choose among the sorted labels of the legal actions, so that engines which play the
//! same game, and name actions alike, take the same walks.

use std::hash::{DefaultHasher, Hash, Hasher};

use play::{End, Ending, Rng, Scores, mix};

use crate::failure::Failure;
use crate::protocol::{View, Walked};

/// Positions that the fingerprints of one position's actions may visit.
pub(crate) const LOOK: u64 = 200_000;

/// At one of so many plies, what all legal actions lead to is compared, too, and not what they are
/// alone: it takes as long as so many plies do.
const LOOKS: u64 = 16;

/// The identity of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkId {
    /// Seed of all walks.
    pub seed: u64,
    /// Its number.
    pub number: u64,
    /// Ply cap.
    pub cap: u32,
}

impl WalkId {
    /// This walk and those after it, so many.
    pub(crate) fn and_next(self, count: u64) -> impl Iterator<Item = WalkId> {
        (self.number..self.number.saturating_add(count))
            .map(move |number| WalkId { number, ..self })
    }

    /// The draws of this walk.
    pub(crate) fn draws(self) -> Draws {
        Draws { rng: Rng::stream(self.seed ^ 0x3a1f, self.number) }
    }

    /// The stream of chance on this walk, used where the walks of several engines are no longer
    /// compared.
    pub(crate) fn chance(self) -> Rng {
        Rng::stream(self.seed ^ 0xc4a9_ce00, self.number)
    }

    /// The depth of fingerprints at a ply.
    pub(crate) fn depth(self, ply: u64) -> u32 {
        u32::from(mix(mix(self.seed ^ mix(self.number)) ^ ply).is_multiple_of(LOOKS))
    }
}

/// Draws the actions of a walk.
pub(crate) struct Draws {
    rng: Rng,
}

impl Draws {
    /// The number of an action, uniformly. In this `order` of the actions, by [`by_label`], engines
    /// that name actions alike draw the same.
    pub(crate) fn choose(&mut self, order: &[usize]) -> usize {
        order[self.rng.below(order.len() as u32) as usize]
    }
}

/// The numbers of the actions in the order of their labels.
pub(crate) fn by_label(labels: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|&a, &b| labels[a].cmp(&labels[b]));
    order
}

/// Shows what is there after a path of action numbers, and what the actions lead to within so many
/// plies.
pub(crate) type ViewAt<'l> = dyn FnMut(&[usize], u32) -> Result<View, Failure> + 'l;

/// Takes a walk, to the end of the game or to the cap. Each path that it looks at is the last one
/// with one action more.
pub(crate) fn random_walk(id: WalkId, look: &mut ViewAt<'_>) -> Result<Walked, Failure> {
    let mut draws = id.draws();
    let mut path = Vec::new();
    let (mut hasher, mut clear) = (DefaultHasher::new(), true);
    let (scores, stuck) = loop {
        let view = look(&path, id.depth(path.len() as u64))?;
        let order = by_label(&view.labels);
        (view.turn, &view.scores, order.len(), &view.percepts).hash(&mut hasher);
        for &action in &order {
            let print = view.prints.as_ref().and_then(|prints| prints.get(action));
            (&view.labels[action], print).hash(&mut hasher);
        }
        clear &= order.is_sorted_by(|&a, &b| view.labels[a] < view.labels[b]);
        if view.turn.is_none() {
            break (view.scores, false);
        }
        if order.is_empty() || path.len() >= id.cap as usize {
            break (None, order.is_empty());
        }
        path.push(draws.choose(&order));
    };
    let digest = clear.then(|| hasher.finish());
    Ok(Walked { digest, digests: Vec::new(), plies: path.len() as u32, scores, stuck })
}

impl Walked {
    /// The end of the walk, as that of a playout.
    pub(crate) fn end(&self) -> End {
        let ending = match &self.scores {
            Some(scores) => Ending::Over(Scores::new(scores.iter().copied())),
            None if self.stuck => Ending::Stuck,
            None => Ending::Capped,
        };
        End { plies: self.plies, ending }
    }
}

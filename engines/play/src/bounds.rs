//! The bounds of exploring a game, and the test that it is worth trying.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::rng::Rng;

/// The bounds of exploring a game.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Positions with a choice.
    pub positions: usize,
    /// Actions of all of them, counted once for each outcome of chance.
    pub actions: usize,
    /// Plies up to which states with equal keys have the same future, however long the game has
    /// lasted.
    pub plies: u32,
}

/// Repetitions that are expected, at least, in the playouts of a game within the bounds, and fewer
/// of which say that it is beyond them. The number has nearly a Poisson distribution, so that one
/// game in ten thousand is missed.
const EXPECTED: usize = 16;
const TOO_FEW: usize = 4;

/// One in so many of the bytes that a game may take is for positions while they are explored.
const SHARE: u64 = 4;

impl Bounds {
    /// A table that stays in the cache of a core, found in a fraction of a second if a position
    /// takes no more than some microseconds.
    pub const SMALL: Bounds = Bounds { positions: 16_384, actions: 65_536, plies: u32::MAX };

    /// Such a table that is found by so much work, where each action takes some of it.
    pub fn small(work: u64, cost: u64) -> Bounds {
        let actions = (work / cost.max(1)).try_into().unwrap_or(usize::MAX);
        Bounds { actions: Bounds::SMALL.actions.min(actions), ..Bounds::SMALL }
    }

    /// With no more positions than can be explored in a share of the bytes that a game may take to
    /// compile, where a state takes some of them: the rest belongs to the game itself. What is
    /// kept of a position is its state, until its actions have been tried, and its key.
    #[must_use]
    pub fn within(self, bytes: u64, state_bytes: usize) -> Bounds {
        let positions = bytes / SHARE / (2 * state_bytes.max(1) as u64);
        let positions = positions.try_into().unwrap_or(usize::MAX);
        Bounds { positions: self.positions.min(positions), ..self }
    }

    /// True if random playouts meet each other's positions as often as they must if there are so
    /// few: asked first, since most games are beyond any bounds, and exploring one up to them takes
    /// much longer. `trail` plays one and says the keys of so many positions at most.
    ///
    /// Of `n` positions drawn from any distribution over `N`, `n^2 / 2N` pairs or more are equal on
    /// average (the birthday problem). Only the second half of each playout is looked at: the first
    /// positions are the same in most playouts of any game.
    pub(crate) fn may_hold<K: Hash + Eq>(
        &self,
        mut trail: impl FnMut(&mut Rng, usize) -> Vec<K>,
    ) -> bool {
        // Every position has an action.
        let positions = self.positions.min(self.actions);
        let enough = (2 * EXPECTED * positions).isqrt();
        // By position: the last playout that met it.
        let mut met: FxHashMap<K, u64> = FxHashMap::default();
        let (mut drawn, mut again) = (0, 0);
        for id in 0..enough as u64 {
            // Short enough that there are a good many.
            let mut keys = trail(&mut Rng::stream(0, id), enough / 8);
            for key in keys.drain(keys.len() / 2..) {
                drawn += 1;
                again += usize::from(met.insert(key, id).is_some_and(|other| other != id));
            }
            if drawn >= enough {
                return again >= TOO_FEW;
            }
        }
        true
    }
}

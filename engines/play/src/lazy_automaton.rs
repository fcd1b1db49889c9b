//! Games as finite automata of which only a part is known: what a playout found out about a
//! position is kept for those that come after. The automaton grows by a few positions a playout, so
//! that it holds what playouts meet most often, and no further than its bounds. A playout that
//! leaves it goes on from the last position that it knew, which is made again from what was written
//! of it.
//!
//! All that is kept was found by evaluating the rules, and a draw is the same with it and without.
//! [`Automaton`](crate::automaton::Automaton) is for games that are known as a whole: there an edge
//! holds all that a step needs, and many walks go side by side.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::automaton::settle;
use crate::chance::NoChance;
use crate::mechanics::{Mechanics, reference};
use crate::rng::Rng;
use crate::tally::{End, Ending};

/// Positions that a playout may add beyond as many as it knew.
const GROWTH: u32 = 2;
/// Actions of a position that is kept.
const MAX_ACTIONS: usize = 1024;
/// Bytes of all that is kept.
const MAX_BYTES: u64 = 64 << 20;
/// Nothing known.
const UNKNOWN: u32 = u32::MAX;

/// A game without chance whose states can be written as words and made again from them.
pub trait Snapshot: Mechanics {
    /// Writes a state, before forced passes; states that are written alike have the same future,
    /// and the same actions in the same order.
    fn save(&self, state: &Self::State, words: &mut Vec<u32>);

    /// Makes a state again.
    fn restore(&self, words: &[u32], state: &mut Self::State);

    /// Plays forced passes for as long as they are known without evaluating rules, so that less is
    /// written of the state, and more ways to it are known to lead to the same. They must be few:
    /// they do not count for [`MAX_FORCED_PASSES`](crate::MAX_FORCED_PASSES).
    fn skip_passes(&self, _state: &mut Self::State) {}

    /// True if what the state is, and what was found out about it, can be relied on: not where a
    /// budget ran out on the way.
    fn is_reliable(&self, state: &Self::State) -> bool;
}

/// Positions and what follows them. A position is known by its place in `graph`.
#[derive(Clone, Debug)]
pub struct LazyAutomaton {
    /// Position by position, so that a step of a walk looks in one place only: how many actions
    /// there are, the position's number, and the place where each action leads. Of an end 0, its
    /// number, and its place in `ends`.
    graph: Vec<u32>,
    ends: Vec<Ending>,
    /// By number: what is written of each position, and where that begins.
    words: Vec<u32>,
    starts: Vec<u32>,
    /// Hashes of what is written, with the places.
    known: HashTable<(u32, u32)>,
    max_bytes: usize,
    growth: u32,
    /// Positions that this playout may still add.
    left: u32,
}

/// The end of a walk through known positions.
enum Walked {
    End(Ending),
    /// From a position by an action of which nothing is known.
    Leaves {
        node: u32,
        action: u32,
    },
}

impl LazyAutomaton {
    /// Of the position that all playouts start from; `None` if that cannot be kept. In so many
    /// bytes at most, for a game in which so many players may choose at the same time.
    pub fn new<M: Snapshot>(game: &M, bytes: u64, choosers: u32) -> Option<LazyAutomaton> {
        let mut automaton = LazyAutomaton {
            graph: Vec::new(),
            ends: Vec::new(),
            words: Vec::new(),
            starts: vec![0],
            known: HashTable::new(),
            max_bytes: bytes.min(MAX_BYTES) as usize,
            growth: GROWTH * choosers,
            left: 0,
        };
        let (mut words, mut legal) = (Vec::new(), Vec::new());
        let mut state = game.initial(&mut NoChance);
        game.save(&state, &mut words);
        let ending = settle(game, &mut state, &mut legal);
        let reliable = game.is_reliable(&state);
        (reliable && automaton.add(&words, ending, legal.len()).is_some()).then_some(automaton)
    }

    /// Plays as the reference loop does. What is in the state and in the lists does not matter.
    pub fn playout<M: Snapshot>(
        &mut self,
        game: &M,
        rng: &mut Rng,
        cap: u32,
        state: &mut M::State,
        (words, legal): &mut (Vec<u32>, Vec<M::Action>),
    ) -> End {
        self.left = self.growth;
        let mut plies = 0;
        // The position that the state is in, where it is known.
        let mut at = UNKNOWN;
        let mut next = 0;
        loop {
            let (node, action) = match self.walk(next, rng, cap, &mut plies) {
                Walked::End(ending) => return End { plies, ending },
                Walked::Leaves { node, action } => (node, action),
            };
            if at != node {
                game.restore(self.written(node), state);
                settle(game, state, legal);
            }
            // A budget may run out that sufficed when the position was met from another one.
            let Some(&chosen) = legal.get(action as usize) else {
                return End { plies, ending: Ending::Stuck };
            };
            game.apply(state, chosen, &mut NoChance);
            game.skip_passes(state);
            words.clear();
            game.save(state, words);
            at = UNKNOWN;
            let mut found = None;
            if game.is_reliable(state) {
                found = self.find(words);
                if found.is_none() && self.may_grow() {
                    let ending = settle(game, state, legal);
                    if game.is_reliable(state) {
                        found = self.add(words, ending, legal.len());
                        at = found.unwrap_or(UNKNOWN);
                    }
                }
            }
            let Some(found) = found else {
                let end = reference::playout_from(game, state, rng, cap - plies, legal);
                return End { plies: plies + end.plies, ..end };
            };
            self.graph[(node + 2 + action) as usize] = found;
            next = found;
        }
    }

    /// Plays from a position on for as long as what follows is known.
    fn walk(&mut self, from: u32, rng: &mut Rng, cap: u32, plies: &mut u32) -> Walked {
        let mut node = from;
        loop {
            let actions = self.graph[node as usize];
            if actions == 0 {
                return Walked::End(self.ends[self.graph[node as usize + 2] as usize]);
            }
            if *plies == cap {
                return Walked::End(Ending::Capped);
            }
            *plies += 1;
            let action = rng.below(actions);
            match self.graph[(node + 2 + action) as usize] {
                UNKNOWN => return Walked::Leaves { node, action },
                next => node = next,
            }
            self.left += 1;
        }
    }

    /// True if this playout may add a position.
    fn may_grow(&self) -> bool {
        let numbers = self.graph.len() + self.words.len() + self.starts.len();
        let bytes = 4 * numbers + 9 * self.known.capacity();
        self.left > 0 && bytes < self.max_bytes
    }

    /// The numbers in which a position is written.
    fn written(&self, node: u32) -> &[u32] {
        let number = self.graph[node as usize + 1] as usize;
        &self.words[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The position of which this is written.
    fn find(&self, words: &[u32]) -> Option<u32> {
        let hash = hash(words);
        let same = |&(other, node): &(u32, u32)| other == hash && self.written(node) == words;
        self.known.find(spread(hash), same).map(|&(_, node)| node)
    }

    /// Adds a position that is not there yet, unless it has too many actions.
    fn add(&mut self, words: &[u32], ending: Option<Ending>, actions: usize) -> Option<u32> {
        let node = u32::try_from(self.graph.len()).ok()?;
        if actions > MAX_ACTIONS {
            return None;
        }
        let number = self.starts.len() as u32 - 1;
        match ending {
            Some(ending) => {
                let known = self.ends.iter().position(|&other| other == ending);
                let end = known.unwrap_or(self.ends.len());
                if known.is_none() {
                    self.ends.push(ending);
                }
                self.graph.extend([0, number, end as u32]);
            }
            None => {
                self.graph.extend([actions as u32, number]);
                self.graph.resize(self.graph.len() + actions, UNKNOWN);
            }
        }
        self.words.extend_from_slice(words);
        self.starts.push(self.words.len() as u32);
        let hash = hash(words);
        self.known.insert_unique(spread(hash), (hash, node), |&(hash, _)| spread(hash));
        self.left = self.left.saturating_sub(1);
        Some(node)
    }
}

fn hash(words: &[u32]) -> u32 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u32(word));
    hasher.finish() as u32
}

/// A table takes buckets by the lowest bits and tells what is in them apart by the highest.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::tally::Tally;
    use crate::toy::{TREES, Toy};

    impl Snapshot for Toy {
        fn save(&self, state: &usize, words: &mut Vec<u32>) {
            words.push(*state as u32);
        }

        fn restore(&self, words: &[u32], state: &mut usize) {
            *state = words[0] as usize;
        }

        fn is_reliable(&self, _: &usize) -> bool {
            true
        }
    }

    /// The playouts of a job, with the automaton grown by them.
    fn run(toy: &Toy, job: &Job, bytes: u64) -> (Tally, LazyAutomaton) {
        let mut automaton = LazyAutomaton::new(toy, bytes, 1).unwrap();
        let (mut tally, mut state, mut lists) = (Tally::default(), 0, Default::default());
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let end = automaton.playout(toy, &mut rng, job.cap, &mut state, &mut lists);
            tally.record(id, end);
        }
        (tally, automaton)
    }

    #[test]
    fn it_plays_what_the_reference_plays() {
        for tree in TREES {
            let toy = Toy::parse(tree).unwrap();
            for (cap, count, bytes) in [(0, 9, 9000), (1, 200, 9000), (9, 500, 9000), (9, 500, 1)] {
                let job = Job { seed: 7, first: 3, count, cap };
                let (tally, _) = run(&toy, &job, bytes);
                assert_eq!(tally, reference::run(&toy, &job), "{tree}: {job:?}, {bytes}");
            }
        }
    }

    #[test]
    fn it_grows_by_a_few_positions_a_playout_and_not_beyond_its_bounds() {
        let toy = Toy::parse("1(2(1(2(1(=100,0)))))").unwrap();
        let after = |count, bytes| {
            let (_, automaton) = run(&toy, &Job { seed: 7, first: 3, count, cap: 9 }, bytes);
            automaton.starts.len() - 1
        };
        assert_eq!([1, 2, 3, 9].map(|count| after(count, 9000)), [3, 6, 6, 6]);
        assert_eq!([1, 2, 3, 9].map(|count| after(count, 80)), [3, 3, 3, 3]);
    }
}

//! Positions met before: what a playout found out about a position is kept for those that come
//! after, as a graph whose nodes are sets of true facts. It grows by a few positions a playout, so
//! that it holds what playouts meet most often, and no further than its bounds. A playout that
//! leaves it goes on from the facts of the last position it knew.
//!
//! All that is kept was found by evaluating the rules, and a draw is the same with it and without.

use std::hash::Hasher;

use play::{Ending, MAX_FORCED_PASSES, Rng, Scores};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

/// Positions that a playout may add beyond as many as it knew.
const GROWTH: u32 = 2;
/// Joint choices of a position.
const MAX_JOINT: usize = 1024;
/// Bytes of all that is kept.
const MAX_BYTES: u64 = 64 << 20;
/// Of a choice of one action: that it is a pass.
const PASS: u32 = 1 << 31;
/// Nothing known.
const UNKNOWN: u32 = u32::MAX;

/// Positions and what follows them. A position is known by its place in `graph`.
#[derive(Clone, Debug)]
pub(super) struct Transpositions {
    roles: usize,
    /// Position by position, so that a step of a walk looks in one place only: its number, how many
    /// actions each role has (0 where it is over), and what follows its joint choices, or how it
    /// ended as a place in `endings`.
    graph: Vec<u32>,
    endings: Vec<Ending>,
    /// By number: of the facts that are true, in order, and where those of each position begin.
    facts: Vec<u32>,
    starts: Vec<u32>,
    /// Hashes of facts, above the places of the positions that have them, with probing; a power of
    /// two, at most half of them taken.
    table: Vec<(u32, u32)>,
    most: usize,
    /// Positions that this playout may still add.
    left: u32,
}

/// What is found out about a position.
pub(super) enum Found {
    Over(Scores),
    /// Some role has no action.
    Stuck,
    /// By role: how many actions, and whether the only one is a pass.
    Choice(SmallVec<[(u32, bool); 4]>),
}

/// A joint choice of a position, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub(super) node: u32,
    /// The place in the graph of what follows.
    edge: u32,
    /// By role.
    pub(super) actions: SmallVec<[u32; 4]>,
}

/// How a walk ended.
pub(super) enum Walked {
    End(Ending),
    /// By a choice that nothing is known of.
    Leaves(Choice),
}

/// How far a playout is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) plies: u32,
    /// Forced passes in a row.
    pub(super) passes: u32,
}

impl Transpositions {
    /// For so many roles, in so many bytes at most.
    pub(super) fn new(roles: usize, bytes: u64) -> Transpositions {
        Transpositions {
            roles,
            graph: Vec::new(),
            endings: Vec::new(),
            facts: Vec::new(),
            starts: vec![0],
            table: vec![(0, UNKNOWN); 64],
            most: bytes.min(MAX_BYTES) as usize,
            left: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.graph.is_empty()
    }

    /// A playout begins.
    pub(super) fn begin(&mut self) {
        self.left = GROWTH;
    }

    /// Whether this playout may add a position.
    pub(super) fn may_grow(&self) -> bool {
        self.left > 0 && self.bytes() < self.most
    }

    fn bytes(&self) -> usize {
        let numbers = [&self.graph, &self.facts, &self.starts].map(Vec::len).iter().sum::<usize>();
        4 * numbers + 8 * self.table.len() + size_of::<Ending>() * self.endings.len()
    }

    /// Positions that are known.
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The facts of a position.
    pub(super) fn facts(&self, node: u32) -> &[u32] {
        let number = self.graph[node as usize] as usize;
        let [start, end] = [0, 1].map(|after| self.starts[number + after] as usize);
        &self.facts[start..end]
    }

    /// The place in the table of a position with these facts, or a free one.
    fn place(&self, hash: u32, facts: &[u32]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (other, node) = self.table[at];
            if node == UNKNOWN || other == hash && self.facts(node) == facts {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The position with these facts.
    pub(super) fn find(&self, facts: &[u32]) -> Option<u32> {
        let (_, node) = self.table[self.place(hash(facts), facts)];
        (node != UNKNOWN).then_some(node)
    }

    /// Adds a position that is not there yet, unless it has too many choices.
    pub(super) fn add(&mut self, facts: &[u32], found: &Found) -> Option<u32> {
        let node = u32::try_from(self.graph.len()).ok().filter(|&node| node != UNKNOWN)?;
        let mut joint = 1usize;
        if let Found::Choice(roles) = found {
            for &(count, _) in roles {
                joint = joint.saturating_mul(count as usize);
            }
            if joint > MAX_JOINT {
                return None;
            }
        }
        self.graph.push(self.len() as u32);
        let ending = match found {
            Found::Over(scores) => Ending::Over(*scores),
            Found::Stuck => Ending::Stuck,
            Found::Choice(roles) => {
                let coded = |&(count, pass): &(u32, bool)| if pass { PASS | 1 } else { count };
                self.graph.extend(roles.iter().map(coded));
                self.graph.resize(self.graph.len() + joint, UNKNOWN);
                return Some(self.enter(node, facts));
            }
        };
        self.graph.resize(self.graph.len() + self.roles, 0);
        self.graph.push(self.endings.len() as u32);
        self.endings.push(ending);
        Some(self.enter(node, facts))
    }

    /// Puts the last position of the graph into the table.
    fn enter(&mut self, node: u32, facts: &[u32]) -> u32 {
        self.facts.extend_from_slice(facts);
        self.starts.push(self.facts.len() as u32);
        self.left = self.left.saturating_sub(1);
        if 2 * self.len() > self.table.len() {
            let larger = vec![(0, UNKNOWN); 2 * self.table.len()];
            let mask = larger.len() - 1;
            for entry in std::mem::replace(&mut self.table, larger) {
                let mut at = entry.0 as usize & mask;
                while entry.1 != UNKNOWN && self.table[at].1 != UNKNOWN {
                    at = (at + 1) & mask;
                }
                if entry.1 != UNKNOWN {
                    self.table[at] = entry;
                }
            }
        }
        let hash = hash(facts);
        let at = self.place(hash, facts);
        self.table[at] = (hash, node);
        node
    }

    /// Takes note of where a choice leads to.
    pub(super) fn link(&mut self, choice: &Choice, to: u32) {
        self.graph[choice.edge as usize] = to;
    }

    /// Plays from a position on for as long as what follows is known. Draws, plies and passes are
    /// those of the reference loop.
    pub(super) fn walk(&mut self, from: u32, rng: &mut Rng, cap: u32, count: &mut Count) -> Walked {
        let mut node = from;
        let mut actions: SmallVec<[u32; 4]> = SmallVec::new();
        loop {
            let first = node as usize + 1 + self.roles;
            actions.clear();
            let mut edge = 0;
            for &choices in &self.graph[node as usize + 1..first] {
                let number = if choices & PASS != 0 {
                    count.passes += 1;
                    if count.passes > MAX_FORCED_PASSES {
                        return Walked::End(Ending::Capped);
                    }
                    0
                } else if choices == 0 {
                    return Walked::End(self.endings[self.graph[first] as usize]);
                } else if count.plies == cap {
                    return Walked::End(Ending::Capped);
                } else {
                    count.plies += 1;
                    count.passes = 0;
                    rng.below(choices)
                };
                edge = edge * (choices & !PASS) + number;
                actions.push(number);
            }
            let edge = first as u32 + edge;
            let next = self.graph[edge as usize];
            if next == UNKNOWN {
                return Walked::Leaves(Choice { node, edge, actions });
            }
            self.left += 1;
            node = next;
        }
    }
}

fn hash(facts: &[u32]) -> u32 {
    let mut hasher = FxHasher::default();
    facts.iter().for_each(|&fact| hasher.write_u32(fact));
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(roles: &[(u32, bool)]) -> Found {
        Found::Choice(roles.into())
    }

    #[test]
    fn positions_are_found_by_their_facts_and_walked_from() {
        let mut transpositions = Transpositions::new(2, 1 << 20);
        let mut nodes = Vec::new();
        for i in 0..1000u32 {
            assert_eq!(transpositions.find(&[i, i % 3]), None);
            let found = if i % 2 == 0 { choice(&[(3, false), (1, true)]) } else { Found::Stuck };
            nodes.push(transpositions.add(&[i, i % 3], &found).unwrap());
        }
        for (i, &node) in nodes.iter().enumerate() {
            let facts = [i as u32, i as u32 % 3];
            assert_eq!(
                (transpositions.find(&facts), transpositions.facts(node)),
                (Some(node), &facts[..])
            );
        }
        let (mut rng, mut count) = (Rng::stream(1, 1), Count::default());
        let Walked::Leaves(left) = transpositions.walk(nodes[0], &mut rng, 9, &mut count) else {
            panic!("nothing is known of what follows")
        };
        assert!(left.node == nodes[0] && left.actions[0] < 3 && left.actions[1] == 0);
        assert_eq!((count.plies, count.passes), (1, 1));
        transpositions.link(&left, nodes[1]);
        let mut rng = Rng::stream(1, 1);
        let walked = transpositions.walk(nodes[0], &mut rng, 9, &mut Count::default());
        assert!(matches!(walked, Walked::End(Ending::Stuck)));
        let walked = transpositions.walk(nodes[0], &mut rng, 0, &mut Count::default());
        assert!(matches!(walked, Walked::End(Ending::Capped)));
    }

    #[test]
    fn it_grows_by_a_few_positions_a_playout_and_not_beyond_its_bounds() {
        let mut transpositions = Transpositions::new(1, 4000);
        assert_eq!(transpositions.add(&[7], &choice(&[(1 + MAX_JOINT as u32, false)])), None);
        let mut playouts = 0;
        for fact in 0u32.. {
            if !transpositions.may_grow() {
                transpositions.begin();
                playouts += 1;
            }
            if !transpositions.may_grow() {
                break;
            }
            transpositions.add(&[fact], &choice(&[(4, false)])).unwrap();
        }
        assert!(playouts > 10 && transpositions.len() > 20 && transpositions.bytes() < 6000);
    }
}

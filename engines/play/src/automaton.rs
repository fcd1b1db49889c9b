//! Small games as finite automata: every position that can be reached is found once, and from then on
//! a playout is a walk along numbered rows.
//!
//! What lazy regular-expression engines do for automata (and, with all positions of small games,
//! tablebases did first: Thompson 1986) is here done eagerly and within a bound, since it pays only
//! where the whole game is small.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash};

use crate::chance::Certain;
use crate::engine::Job;
use crate::mechanics::Mechanics;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::tally::{End, Ending, Tally};

/// A game without chance whose positions are numbered.
#[derive(Debug)]
pub struct Automaton {
    start: Node,
    rows: Box<[Row]>,
    /// Where the actions of all rows lead.
    next: Box<[Node]>,
    /// The scores of the ends.
    scores: Box<[Scores]>,
}

/// The actions of a position: a part of `next`.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: u32,
    count: u32,
}

/// A position with actions, by its row, or an end: `ENDS` and its scores, or one of the two below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node(u32);

const ENDS: u32 = 1 << 30;
const STUCK: Node = Node(u32::MAX);
/// So many forced passes in a row that the playout counts as capped.
const PASSING: Node = Node(u32::MAX - 1);

/// How much may be explored.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Positions with a choice.
    pub positions: usize,
    /// Actions of all of them.
    pub actions: usize,
}

impl Automaton {
    /// Explores a game breadth first; nothing if there is chance in it or if it is beyond the
    /// bounds. States with equal keys must have the same future.
    pub fn explore<M: Mechanics, K: Hash + Eq>(
        mechanics: &M,
        key: impl Fn(&M::State) -> K,
        bounds: Bounds,
    ) -> Option<Automaton> {
        let facts = mechanics.facts();
        if facts.chance {
            return None;
        }
        let mut explorer = Explorer {
            mechanics,
            known: HashMap::default(),
            found: Vec::new(),
            scores: Vec::new(),
            legal: Vec::new(),
        };
        let start = explorer.node(mechanics.initial(&mut Certain), &key);
        let (mut rows, mut next) = (Vec::new(), Vec::new());
        while let Some(state) = explorer.found.get_mut(rows.len()).and_then(Option::take) {
            let (state, legal) = state;
            let first = next.len();
            if first + legal.len() > bounds.actions {
                return None;
            }
            for &action in &*legal {
                let mut after = state.clone();
                mechanics.apply(&mut after, action, &mut Certain);
                next.push(explorer.node(after, &key));
            }
            // All that have been found will have a row.
            if explorer.found.len() > bounds.positions {
                return None;
            }
            rows.push(Row { first: first as u32, count: legal.len() as u32 });
        }
        Some(Automaton {
            start,
            rows: rows.into(),
            next: next.into(),
            scores: explorer.scores.into(),
        })
    }

    /// Number of positions in which there is a choice.
    pub fn positions(&self) -> usize {
        self.rows.len()
    }

    /// Plays a job: the same playouts as the reference loop.
    pub fn run(&self, job: &Job) -> Tally {
        let mut tally = Tally::default();
        let mut outcomes = vec![0; self.scores.len()];
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let (mut node, mut plies) = (self.start, 0);
            let ending = loop {
                if node.0 >= ENDS {
                    break match node {
                        STUCK => Ending::Stuck,
                        PASSING => Ending::Capped,
                        Node(end) => {
                            let end = (end - ENDS) as usize;
                            outcomes[end] += 1;
                            Ending::Over(self.scores[end])
                        }
                    };
                }
                if plies == job.cap {
                    break Ending::Capped;
                }
                let row = self.rows[node.0 as usize];
                node = self.next[(row.first + rng.below(row.count)) as usize];
                plies += 1;
            };
            tally.note(id, End { plies, ending });
        }
        for (&scores, n) in self.scores.iter().zip(outcomes) {
            if n > 0 {
                tally.count(scores, n);
            }
        }
        tally
    }
}

/// What has been found so far.
struct Explorer<'m, M: Mechanics, K> {
    mechanics: &'m M,
    known: HashMap<K, Node, BuildHasherDefault<DefaultHasher>>,
    /// Positions with their actions, in the order of their rows, until the row is made.
    found: Vec<Option<(M::State, Box<[M::Action]>)>>,
    scores: Vec<Scores>,
    legal: Vec<M::Action>,
}

impl<M: Mechanics, K: Hash + Eq> Explorer<'_, M, K> {
    /// The number of a state, after all forced passes.
    fn node(&mut self, mut state: M::State, key: &impl Fn(&M::State) -> K) -> Node {
        let asked = key(&state);
        if let Some(&node) = self.known.get(&asked) {
            return node;
        }
        let mut passes = 0;
        let node = loop {
            self.legal.clear();
            if self.mechanics.expand(&mut state, &mut self.legal) == Turn::Over {
                break self.end(self.mechanics.scores(&state));
            }
            match self.legal[..] {
                [] => break STUCK,
                [only] if self.mechanics.is_pass(&state, only) => {
                    passes += 1;
                    if passes > MAX_FORCED_PASSES {
                        break PASSING;
                    }
                    self.mechanics.apply(&mut state, only, &mut Certain);
                }
                _ if passes == 0 => break self.choice(state),
                _ => {
                    let settled = key(&state);
                    if let Some(&node) = self.known.get(&settled) {
                        break node;
                    }
                    let node = self.choice(state);
                    self.known.insert(settled, node);
                    break node;
                }
            }
        };
        self.known.insert(asked, node);
        node
    }

    fn choice(&mut self, state: M::State) -> Node {
        self.found.push(Some((state, self.legal[..].into())));
        Node(self.found.len() as u32 - 1)
    }

    fn end(&mut self, scores: Scores) -> Node {
        let end = self.scores.iter().position(|&s| s == scores).unwrap_or_else(|| {
            self.scores.push(scores);
            self.scores.len() - 1
        });
        Node(ENDS + end as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use crate::toy::Toy;

    const BOUNDS: Bounds = Bounds { positions: 100, actions: 1000 };

    #[test]
    fn it_plays_what_the_reference_plays() {
        // Passes, an end at once, an undefined position, equal positions under several numbers.
        for tree in [
            "1(=100,0 2(=0,100 =50,50))",
            "1(2[1(=100,0 2[=0,100])] 1[2[=50,50]] 2())",
            "1(1(1(=100,0 =0,100) =50,50) 2(=0,100 2(=100,0 =50,50 =0,100)))",
            "=50,50",
        ] {
            let toy = Toy::parse(tree).unwrap();
            let automaton = Automaton::explore(&toy, |&state| state, BOUNDS).unwrap();
            for cap in [0, 1, 2, 9] {
                let job = Job { seed: 7, first: 3, count: 200, cap };
                assert_eq!(automaton.run(&job), reference::run(&toy, &job), "{tree} to {cap}");
            }
        }
    }

    #[test]
    fn equal_keys_are_one_position() {
        let toy = Toy::parse("1(1(=100,0 =0,100) 1(=100,0 =0,100))").unwrap();
        let apart = Automaton::explore(&toy, |&state| state, BOUNDS).unwrap();
        // Nodes are numbered as they are read: 1 and 4 have the same future.
        let key = |&state: &usize| if state == 4 { 1 } else { state };
        let merged = Automaton::explore(&toy, key, BOUNDS).unwrap();
        assert_eq!((apart.positions(), merged.positions()), (3, 2));
        let job = Job { seed: 1, first: 0, count: 100, cap: 9 };
        assert_eq!(apart.run(&job), merged.run(&job));
    }

    #[test]
    fn chance_and_bounds_are_respected() {
        let toy = Toy::parse("1(*(=100,0 =0,100) =50,50)").unwrap();
        assert!(Automaton::explore(&toy, |&state| state, BOUNDS).is_none());
        let toy = Toy::parse("1(1(=100,0 =0,100) =50,50)").unwrap();
        let few = |positions, actions| {
            Automaton::explore(&toy, |&state| state, Bounds { positions, actions }).is_some()
        };
        assert_eq!([few(2, 4), few(1, 4), few(2, 3)], [true, false, false]);
    }
}

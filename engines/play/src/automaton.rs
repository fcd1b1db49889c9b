//! Small games as finite automata: every position that can be reached is found once, and from then
//! on a playout is a walk along a table.
//!
//! What lazy regular-expression engines do for automata (and, with all positions of small games,
//! tablebases did first: Thompson 1986) is here done eagerly and within a bound, since it pays only
//! where the whole game is small.
//!
//! A step of one walk is a draw and a load, each of which waits for the one before. So many walks
//! go side by side, with their generators in [`Streams`].

mod walks;

use std::hash::Hash;

use cpu::Level;
use rustc_hash::FxHashMap;
use walks::Walk;

use crate::bounds::Bounds;
use crate::chance::NoChance;
use crate::job::Job;
use crate::mechanics::Mechanics;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::Turn;
use crate::tally::{End, Ending, Tally};

/// Forced passes that games may have beyond four for each action of all.
const PASSES: usize = 1000;

/// A game without chance whose positions are numbered.
#[derive(Debug)]
pub struct Automaton {
    start: Node,
    /// The successors of all positions, one for each action; those of one position are adjacent.
    next: Box<[Node]>,
    ends: Box<[Ending]>,
    /// So many bits of a node count actions.
    width: u32,
    positions: usize,
}

/// A position: in the lower bits the number of its actions, in the others the first of them. An end
/// has no actions, and its number in the place of the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node(u32);

/// The node of a lane that has nothing more to play: beyond all actions, so the lane stays there,
/// and not an end.
const PARKED: Node = Node(u32::MAX);

impl Automaton {
    /// Explores a game breadth first; `None` if there is chance in it or if it is beyond its
    /// [`Mechanics::bounds`], or seems to be.
    pub fn explore<M: Mechanics>(mechanics: &M) -> Option<Automaton> {
        Automaton::explore_by(mechanics, |state| mechanics.key(state), mechanics.bounds()?)
    }

    /// Like [`Automaton::explore`], with these keys and bounds.
    fn explore_by<M: Mechanics, K: Hash + Eq>(
        mechanics: &M,
        key: impl Fn(&M::State) -> K,
        bounds: Bounds,
    ) -> Option<Automaton> {
        // Forced passes count as well, of which there may be thousands behind each action.
        let mut left = bounds.actions.saturating_mul(4).saturating_add(PASSES);
        let trail = |rng: &mut Rng, most: usize| trail(mechanics, &key, rng, (most, &mut left));
        if mechanics.facts().chance || !bounds.may_hold(trail) || left == 0 {
            return None;
        }
        let mut explorer = Explorer {
            mechanics,
            left,
            known: FxHashMap::default(),
            found: Vec::new(),
            ends: Vec::new(),
            legal: Vec::new(),
        };
        let start = explorer.place(mechanics.initial(&mut NoChance), &key);
        let (mut rows, mut next) = (Vec::new(), Vec::new());
        while let Some(found) = explorer.found.get_mut(rows.len()).and_then(Option::take) {
            let (state, legal) = found;
            let first = next.len();
            if first + legal.len() > bounds.actions {
                return None;
            }
            for &action in &*legal {
                let mut after = state.clone();
                mechanics.apply(&mut after, action, &mut NoChance);
                next.push(explorer.place(after, &key));
            }
            // All that have been found will have a row.
            if explorer.found.len() > bounds.positions || explorer.left == 0 {
                return None;
            }
            rows.push((first, legal.len()));
        }
        let most = rows.iter().map(|&(_, count)| count).max().unwrap_or(0);
        let width = (usize::BITS - most.leading_zeros()).max(1);
        // What is parked must lie beyond all others.
        let numbers = next.len().max(explorer.ends.len()) as u64;
        if numbers >= u64::from(u32::MAX) >> width {
            return None;
        }
        let node = |place: &Place| match *place {
            Place::Position(row) => Node((rows[row].0 as u32) << width | rows[row].1 as u32),
            Place::End(end) => Node((end as u32) << width),
        };
        Some(Automaton {
            start: node(&start),
            next: next.iter().map(node).collect(),
            ends: explorer.ends.into(),
            width,
            positions: rows.len(),
        })
    }

    /// True if a position is reached which is not over, and in which nothing is legal.
    pub fn may_be_stuck(&self) -> bool {
        self.ends.contains(&Ending::Stuck)
    }

    /// Number of positions in which there is a choice.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The position that playouts start from.
    pub fn start(&self) -> Node {
        self.start
    }

    /// The position after the action with this number, and after all forced passes; `None` if there
    /// are not so many actions.
    pub fn after(&self, node: Node, action: usize) -> Option<Node> {
        let is_there = action < self.count(node) as usize;
        is_there.then(|| self.next[self.first(node) as usize + action])
    }

    /// Plays on from a position: the playout of
    /// [`reference::playout_from`](crate::reference::playout_from) from any state whose forced
    /// passes lead there. `None` where players pass without end: what is left of the passes before
    /// a playout is given up depends on the state.
    pub fn playout(&self, mut node: Node, rng: &mut Rng, cap: u32) -> Option<End> {
        let mut plies = 0;
        loop {
            let count = self.count(node);
            if count == 0 {
                let ending = self.ends[self.first(node) as usize];
                return (plies > 0 || ending != Ending::Capped).then_some(End { plies, ending });
            }
            if plies == cap {
                return Some(End { plies, ending: Ending::Capped });
            }
            node = self.next[self.first(node) as usize + rng.below(count) as usize];
            plies += 1;
        }
    }

    /// Plays a job: the same playouts as the reference loop.
    pub fn run(&self, job: &Job) -> Tally {
        self.run_up_to(job, job.cap).0
    }

    /// Plays those playouts of a job that end before they have more than so many plies. The others
    /// are not counted but listed, unless the job itself caps them.
    pub fn run_up_to(&self, job: &Job, plies: u32) -> (Tally, Vec<u64>) {
        Level::best().call(Walk { automaton: self, job, plies })
    }

    /// The number of actions.
    #[inline(always)]
    fn count(&self, node: Node) -> u32 {
        node.0 & ((1 << self.width) - 1)
    }

    /// The first action, or the number of the end.
    #[inline(always)]
    fn first(&self, node: Node) -> u32 {
        node.0 >> self.width
    }
}

/// The keys of the first positions of a random playout in which there is a choice.
fn trail<M: Mechanics, K>(
    mechanics: &M,
    key: &impl Fn(&M::State) -> K,
    rng: &mut Rng,
    (most, left): (usize, &mut usize),
) -> Vec<K> {
    let (mut keys, mut legal) = (Vec::new(), Vec::new());
    let mut state = mechanics.initial(&mut NoChance);
    while keys.len() < most && settle_within(mechanics, &mut state, &mut legal, left).is_none() {
        *left = left.saturating_sub(1);
        keys.push(key(&state));
        let action = legal[rng.below(legal.len() as u32) as usize];
        mechanics.apply(&mut state, action, &mut NoChance);
    }
    keys
}

/// Plays forced passes. Says how the game has ended; else its actions are in `legal`.
pub(crate) fn settle<M: Mechanics>(
    mechanics: &M,
    state: &mut M::State,
    legal: &mut Vec<M::Action>,
) -> Option<Ending> {
    let mut left = usize::MAX;
    settle_within(mechanics, state, legal, &mut left)
}

/// Like [`settle`], by so many passes at most; a game that takes more counts as capped.
fn settle_within<M: Mechanics>(
    mechanics: &M,
    state: &mut M::State,
    legal: &mut Vec<M::Action>,
    left: &mut usize,
) -> Option<Ending> {
    for _ in 0..=MAX_FORCED_PASSES {
        if *left == 0 {
            break;
        }
        legal.clear();
        if mechanics.expand(state, legal) == Turn::Over {
            return Some(Ending::Over(mechanics.scores(state)));
        }
        match legal[..] {
            [] => return Some(Ending::Stuck),
            [only] if mechanics.is_pass(state, only) => {
                *left -= 1;
                mechanics.apply(state, only, &mut NoChance);
            }
            _ => return None,
        }
    }
    Some(Ending::Capped)
}

/// The target of an action, before positions are numbered by their actions.
#[derive(Clone, Copy)]
enum Place {
    Position(usize),
    End(usize),
}

/// A position and its actions.
type Found<M> = (<M as Mechanics>::State, Box<[<M as Mechanics>::Action]>);

/// The positions found so far, and the work left.
struct Explorer<'m, M: Mechanics, K> {
    mechanics: &'m M,
    /// Forced passes left.
    left: usize,
    known: FxHashMap<K, Place>,
    /// Positions with their actions, in the order of their rows, until the row is made.
    found: Vec<Option<Found<M>>>,
    ends: Vec<Ending>,
    legal: Vec<M::Action>,
}

impl<M: Mechanics, K: Hash + Eq> Explorer<'_, M, K> {
    /// The place of a state, after all forced passes.
    fn place(&mut self, mut state: M::State, key: &impl Fn(&M::State) -> K) -> Place {
        let asked = key(&state);
        if let Some(&place) = self.known.get(&asked) {
            return place;
        }
        let settled = settle_within(self.mechanics, &mut state, &mut self.legal, &mut self.left);
        let place = match settled {
            Some(ending) => self.end(ending),
            None => {
                let settled = key(&state);
                match self.known.get(&settled) {
                    Some(&place) => place,
                    None => {
                        let place = self.choice(state);
                        self.known.insert(settled, place);
                        place
                    }
                }
            }
        };
        self.known.insert(asked, place);
        place
    }

    fn choice(&mut self, state: M::State) -> Place {
        self.found.push(Some((state, self.legal[..].into())));
        Place::Position(self.found.len() - 1)
    }

    fn end(&mut self, ending: Ending) -> Place {
        let end = self.ends.iter().position(|&e| e == ending).unwrap_or_else(|| {
            self.ends.push(ending);
            self.ends.len() - 1
        });
        Place::End(end)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::chance::Chance;
    use crate::game::Facts;
    use crate::reference;
    use crate::scores::{Player, Scores};
    use crate::toy::{TREES, Toy};

    const BOUNDS: Bounds = Bounds { positions: 100, actions: 1000, ..Bounds::SMALL };

    #[test]
    fn it_plays_what_the_reference_plays() {
        for tree in TREES {
            let toy = Toy::parse(tree).unwrap();
            let automaton = Automaton::explore_by(&toy, |&state| state, BOUNDS).unwrap();
            for (cap, count) in [(0, 9), (1, 200), (2, 200), (9, 1), (9, 63), (9, 64), (9, 1000)] {
                let job = Job { seed: 7, first: 3, count, cap };
                let expected = reference::run(&toy, &job);
                assert_eq!(automaton.run(&job), expected, "{tree}: {job:?}");
                // Without vectors, and with each kind that this machine has.
                for level in Level::available() {
                    let walk = Walk { automaton: &automaton, job: &job, plies: job.cap };
                    assert_eq!(level.call(walk).0, expected, "{tree}: {job:?}, {level:?}");
                }
            }
        }
    }

    #[test]
    fn playouts_beyond_a_number_of_plies_are_listed() {
        let toy = Toy::parse("1(1(1(=100,0 =0,100) =50,50) 2(=0,100 2(=100,0 =50,50)))").unwrap();
        let automaton = Automaton::explore_by(&toy, |&state| state, BOUNDS).unwrap();
        for (cap, plies) in [(9, 0), (9, 1), (9, 2), (9, 3), (1, 2), (2, 2), (2, 1)] {
            let job = Job { seed: 7, first: 3, count: 500, cap };
            let (mut tally, beyond) = automaton.run_up_to(&job, plies);
            assert_eq!(beyond.is_empty(), plies >= cap.min(3), "{cap}, {plies}");
            for id in beyond {
                tally += &reference::run(&toy, &Job { first: id, count: 1, ..job });
            }
            assert_eq!(tally, reference::run(&toy, &job), "{cap}, {plies}");
        }
    }

    #[test]
    fn playouts_go_on_from_any_position() {
        for tree in TREES {
            let toy = Toy::parse(tree).unwrap();
            let automaton = Automaton::explore_by(&toy, |&state| state, BOUNDS).unwrap();
            for walk in 0..20 {
                let mut rng = Rng::stream(2, walk);
                let (mut state, mut legal) = (toy.initial(&mut NoChance), Vec::new());
                let mut node = automaton.start();
                loop {
                    for cap in [0, 1, 9] {
                        let mut from = state;
                        let stream = Rng::stream(3, walk);
                        let memory = &mut Vec::new();
                        let wanted = reference::playout_from(
                            &toy,
                            &mut from,
                            &mut stream.clone(),
                            cap,
                            memory,
                        );
                        let end = automaton.playout(node, &mut stream.clone(), cap);
                        assert_eq!(end, Some(wanted), "{tree}: {walk}, {cap}");
                    }
                    if settle(&toy, &mut state, &mut legal).is_some() {
                        break;
                    }
                    let action = rng.below(legal.len() as u32) as usize;
                    assert_eq!(automaton.after(node, legal.len()), None, "{tree}");
                    node = automaton.after(node, action).unwrap();
                    toy.apply(&mut state, legal[action], &mut NoChance);
                }
            }
        }
    }

    #[test]
    fn equal_keys_are_one_position() {
        let toy = Toy::parse("1(1(=100,0 =0,100) 1(=100,0 =0,100))").unwrap();
        let apart = Automaton::explore_by(&toy, |&state| state, BOUNDS).unwrap();
        // Nodes are numbered as they are read: 1 and 4 have the same future.
        let key = |&state: &usize| if state == 4 { 1 } else { state };
        let merged = Automaton::explore_by(&toy, key, BOUNDS).unwrap();
        assert_eq!((apart.positions(), merged.positions()), (3, 2));
        let job = Job { seed: 1, first: 0, count: 100, cap: 9 };
        assert_eq!(apart.run(&job), merged.run(&job));
    }

    /// Left or right, so many times: every way is a position of its own. The first `passing`
    /// have one action only, which is a pass.
    struct Ways {
        facts: Facts,
        depth: u32,
        passing: u32,
        expanded: AtomicUsize,
    }

    impl Mechanics for Ways {
        /// The number of plies, and the choices so far.
        type State = (u32, u64);
        type Action = bool;

        fn facts(&self) -> &Facts {
            &self.facts
        }

        fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> (u32, u64) {
            (0, 0)
        }

        fn expand(&self, state: &mut (u32, u64), legal: &mut Vec<bool>) -> Turn {
            self.expanded.fetch_add(1, Ordering::Relaxed);
            if state.0 == self.depth {
                return Turn::Over;
            }
            legal.extend_from_slice(if state.0 < self.passing { &[false] } else { &[false, true] });
            Turn::Move(Player(0))
        }

        fn is_pass(&self, state: &(u32, u64), _: bool) -> bool {
            state.0 < self.passing
        }

        fn apply<C: Chance + ?Sized>(&self, state: &mut (u32, u64), action: bool, _: &mut C) {
            *state = (state.0 + 1, 2 * state.1 + u64::from(action));
        }

        fn scores(&self, _: &(u32, u64)) -> Scores {
            Scores::single(100)
        }

        fn label(&self, _: &(u32, u64), action: bool) -> String {
            action.to_string()
        }

        fn draw(&self, state: &(u32, u64)) -> String {
            format!("{state:?}")
        }
    }

    #[test]
    fn games_that_are_plainly_too_large_are_not_explored() {
        let bounds = Bounds { positions: 10_000, actions: 40_000, ..Bounds::SMALL };
        let explored = |depth, passing| {
            let facts = Facts { players: 1, ..Facts::default() };
            let ways = Ways { facts, depth, passing, expanded: AtomicUsize::new(0) };
            let found = Automaton::explore_by(&ways, |&state| state, bounds);
            (found.map(|all| all.positions()), ways.expanded.into_inner())
        };
        let (found, expanded) = explored(40, 0);
        assert!(found.is_none() && expanded < 2000, "{expanded}");
        // Most of the bound, so that repetitions are rare.
        assert_eq!(explored(13, 0).0, Some((1 << 13) - 1));
        assert!(explored(14, 0).0.is_none());
        // Passes that end, and passes without end before every playout.
        assert_eq!(explored(50, 49).0, Some(1));
        let (found, expanded) = explored(u32::MAX, u32::MAX);
        assert!(found.is_none() && expanded < 200_000, "{expanded}");
    }

    #[test]
    fn chance_and_bounds_are_respected() {
        let toy = Toy::parse("1(*(=100,0 =0,100) =50,50)").unwrap();
        assert!(Automaton::explore_by(&toy, |&state| state, BOUNDS).is_none());
        let toy = Toy::parse("1(1(=100,0 =0,100) =50,50)").unwrap();
        let few = |positions, actions| {
            Automaton::explore_by(
                &toy,
                |&state| state,
                Bounds { positions, actions, ..Bounds::SMALL },
            )
            .is_some()
        };
        assert_eq!([few(2, 4), few(1, 4), few(2, 3)], [true, false, false]);
    }
}

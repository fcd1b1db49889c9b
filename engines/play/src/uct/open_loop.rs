//! The open-loop tree of UCT, whose nodes are what leads to positions.

use rustc_hash::FxHashMap;

use super::open_walker::Walker;
use super::range::Range;
use crate::mix;
use crate::position::{OpenLoopSearch, Position};
use crate::rng::Rng;
use crate::scores::{MAX_PLAYERS, Player};
use crate::search::{ActionValue, SearchSettings};

/// An action at a node, of whoever may choose it there.
struct Arm {
    /// The key that tells the arm from others of its node.
    key: u64,
    /// The sum of the payoffs of playouts to the player who chooses the arm.
    sum: f64,
    visits: u32,
    /// The number of times that it was legal when simulations came to the node.
    available: u32,
}

/// A tree over positions that a walker visits. It calls the walker through a table of functions:
/// that is nothing beside what it does at each ply, and code for each engine and game is long.
pub(super) struct Tree<'p> {
    walker: Box<dyn Walker<'p> + 'p>,
    settings: SearchSettings,
    observer: Option<Player>,
    /// The arms of each node.
    nodes: Vec<Vec<Arm>>,
    /// Nodes by the one above and what leads from there to here. Nobody goes through them in their
    /// order.
    below: FxHashMap<(u32, u64), u32>,
    range: Range,
    /// Simulations made.
    made: u64,
    /// Bytes of the arms.
    arm_bytes: usize,
    // Kept between simulations for their memory only.
    path: Vec<(u32, u32, Player)>,
    keys: Vec<u64>,
    legal: Vec<u32>,
}

/// Bytes of a node without its arms: the list of arms, and the entry that leads to it.
const NODE_BYTES: usize = 64;

impl<'p> Tree<'p> {
    pub(super) fn new(
        walker: Box<dyn Walker<'p> + 'p>,
        settings: SearchSettings,
        observer: Option<Player>,
    ) -> Tree<'p> {
        let range = Range::new(walker.players());
        Tree {
            walker,
            settings,
            observer,
            nodes: vec![Vec::new()],
            below: FxHashMap::default(),
            range,
            made: 0,
            arm_bytes: 0,
            path: Vec::new(),
            keys: Vec::new(),
            legal: Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        self.arm_bytes + self.nodes.len() * NODE_BYTES
    }

    fn is_full(&self) -> bool {
        self.bytes() >= self.settings.bytes
    }

    fn simulate_once(&mut self, root: &(dyn Position + 'p)) {
        if !self.walker.begin(root) {
            return;
        }
        let mut rng = Rng::stream(self.settings.seed, self.made);
        self.made += 1;
        self.path.clear();
        let mut at = 0;
        let mut mover = self.walker.settle(&mut rng);
        while let Some(player) = mover {
            if self.path.len() >= self.settings.cap as usize || !self.list(at, player) {
                break;
            }
            let action = self.select(at, player, &mut rng);
            let arm = self.legal[action];
            let Arm { key, visits, .. } = self.nodes[at as usize][arm as usize];
            self.path.push((at, arm, player));
            self.walker.take(action, &mut rng);
            let leads = if self.observer.is_none() {
                Some(key)
            } else {
                mover = self.walker.settle(&mut rng);
                self.seen(player, key)
            };
            // Below an action that was never tried begins the playout.
            match leads.map(|leads| self.next(at, leads)) {
                // The observer knows of nothing.
                None if visits > 0 => {}
                Some(Some(child)) if visits > 0 => at = child,
                _ => break,
            }
            if self.observer.is_none() {
                mover = self.walker.settle(&mut rng);
            }
        }
        let left = self.settings.cap.saturating_sub(self.path.len() as u32);
        let end = self.walker.play_out(&mut rng, left);
        let mut paid = [0.0; MAX_PLAYERS];
        self.range.add(end.ending, 1.0, &mut paid);
        for &(node, arm, player) in &self.path {
            let arm = &mut self.nodes[node as usize][arm as usize];
            arm.visits += 1;
            arm.sum += paid[usize::from(player.0)];
        }
    }

    /// The key of the edge that the observer follows after an action of this key; `None` if the
    /// observer perceives nothing.
    fn seen(&mut self, mover: Player, key: u64) -> Option<u64> {
        let seen = self.walker.seen();
        let own = (Some(mover) == self.observer).then_some(key);
        let bits = mix(own.map_or(0, mix) ^ mix(seen.unwrap_or(0)).rotate_left(1));
        (own.is_some() || seen.is_some()).then_some(bits)
    }

    /// The node that something leads to; `None` if there was none yet, and now there is one while
    /// there is memory for it.
    fn next(&mut self, at: u32, leads: u64) -> Option<u32> {
        let known = self.below.get(&(at, leads)).copied();
        if known.is_none() && !self.is_full() {
            self.below.insert((at, leads), self.nodes.len() as u32);
            self.nodes.push(Vec::new());
        }
        known
    }

    /// Finds the arms of all legal actions where the walker stands, and writes their places into
    /// `self.legal`. False if one is new and there is no memory for it: the root has room for all.
    fn list(&mut self, at: u32, player: Player) -> bool {
        self.write_keys(at, player);
        let is_full = at > 0 && self.is_full();
        let arms = &mut self.nodes[at as usize];
        let before = arms.capacity();
        self.legal.clear();
        let mut next = 0;
        for &key in &self.keys {
            // Actions come in the order of the arms nearly always, though some may not be there.
            let mut places = (next..arms.len()).chain(0..next.min(arms.len()));
            let place = places.find(|&place| arms[place].key == key).unwrap_or(arms.len());
            next = place + 1;
            if place == arms.len() {
                if is_full {
                    return false;
                }
                if arms.is_empty() {
                    arms.reserve_exact(self.keys.len());
                }
                arms.push(Arm { key, sum: 0.0, visits: 0, available: 0 });
            }
            self.legal.push(place as u32);
        }
        self.arm_bytes += (arms.capacity() - before) * size_of::<Arm>();
        self.legal.iter().for_each(|&place| arms[place as usize].available += 1);
        true
    }

    /// Writes the keys of the legal actions where the walker stands into `self.keys`.
    fn write_keys(&mut self, at: u32, player: Player) {
        if at == 0 && self.observer.is_none() {
            // The actions of one position are always the same.
            self.keys.clear();
            self.keys.extend(0..self.walker.actions() as u64);
            return;
        }
        self.walker.keys(&mut self.keys);
        let who = mix(u64::from(player.0) + 1);
        self.keys.iter_mut().for_each(|key| *key = mix(who ^ *key));
    }

    /// Chooses an action of those listed: one never tried, all equally likely, else by UCB1.
    fn select(&self, at: u32, player: Player, rng: &mut Rng) -> usize {
        let arms = &self.nodes[at as usize];
        let legal = self.legal.iter().map(|&place| &arms[place as usize]);
        let untried = legal.clone().filter(|arm| arm.visits == 0).count() as u32;
        if untried > 0 {
            let chosen = rng.below(untried) as usize;
            let mut all = legal.enumerate().filter(|(_, arm)| arm.visits == 0);
            return all.nth(chosen).map_or(0, |(action, _)| action);
        }
        let (low, per_point) = self.range.scale(player);
        let exploration = self.settings.exploration;
        // Nearly all of a node have been available equally often.
        let (mut available, mut log) = (1, 0.0);
        let bound = |arm: &Arm| {
            let visits = f64::from(arm.visits);
            if exploration == f64::INFINITY {
                return -visits;
            }
            if arm.available != available {
                (available, log) = (arm.available, f64::from(arm.available).ln());
            }
            (arm.sum / visits - low) * per_point + exploration * (log / visits).sqrt()
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (action, bound) in legal.map(bound).enumerate() {
            if bound > best.1 {
                best = (action, bound);
            }
        }
        best.0
    }
}

impl<'p> OpenLoopSearch<'p> for Tree<'p> {
    fn simulate(&mut self, root: &(dyn Position + 'p), count: u64) {
        for _ in 0..count {
            self.simulate_once(root);
        }
    }

    fn values(&mut self, root: &(dyn Position + 'p)) -> Vec<ActionValue> {
        // There are no forced passes before a root, so nothing is drawn.
        let is_here = self.walker.begin(root);
        let mover = self.walker.settle(&mut Rng::stream(0, 0)).filter(|_| is_here);
        let Some(player) = mover else { return Vec::new() };
        self.write_keys(0, player);
        let value = |key: &u64| {
            let arm = self.nodes[0].iter().find(|arm| arm.key == *key && arm.visits > 0);
            arm.map_or_else(ActionValue::default, |arm| ActionValue {
                visits: arm.visits.into(),
                mean: arm.sum / f64::from(arm.visits),
            })
        };
        self.keys.iter().map(value).collect()
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn digest(&self) -> u64 {
        let mut hash = 0;
        let mut add = |word: u64| hash = mix(hash ^ word);
        for arms in &self.nodes {
            add(arms.len() as u64);
            for arm in arms {
                add(arm.sum.to_bits());
                add(u64::from(arm.visits) << 32 | u64::from(arm.available));
            }
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::chance::NoChance;
    use crate::game::Game;
    use crate::position::OpenLoopSearch;
    use crate::search::SearchSettings;
    use crate::toy::{TREES, Toy};
    use crate::typed_state::initial;
    use crate::uct::grow_open_loop_through;
    use crate::uct::open_walker::OfState;

    const SETTINGS: SearchSettings =
        SearchSettings { seed: 3, exploration: 1.4, cap: 50, leaves: 1, bytes: 1 << 20 };

    /// The second action is worth 50 with a choice after the throw, and 25 at random.
    const THROWS: &str = "1(=30 *(1(=100 =0) 1(=0 =0)) *(=100 =0 =0 =0))";

    type Tree = Box<dyn OpenLoopSearch<'static>>;

    fn grown(game: &dyn Game, settings: SearchSettings, parts: &[u64]) -> Tree {
        let root = game.open(&mut NoChance);
        let mut search = root.search_open_loop(settings, None).unwrap();
        parts.iter().for_each(|&part| search.simulate(&*root, part));
        search
    }

    fn toy(tree: &str) -> Box<dyn Game> {
        Toy::parse(tree).unwrap().boxed()
    }

    #[test]
    fn trees_over_states_and_over_positions_are_the_same() {
        for tree in TREES.into_iter().chain([THROWS, "1(*(2[1(=1,0 =0,1)] 2(=0,2 =2,0)) =1,1)"]) {
            let game = toy(tree);
            let root = game.open(&mut NoChance);
            let mut other = grow_open_loop_through(game.facts().players, SETTINGS, None);
            other.simulate(&*root, 300);
            let mut own = grown(&*game, SETTINGS, &[300]);
            assert_eq!(own.digest(), other.digest(), "{tree}");
            assert_eq!(own.values(&*root), other.values(&*root), "{tree}");
        }
    }

    #[test]
    fn chance_is_drawn_anew_in_each_simulation() {
        let game = toy(THROWS);
        let values = grown(&*game, SETTINGS, &[3000]).values(&*game.open(&mut NoChance));
        assert_eq!(values.iter().map(|value| value.visits).sum::<u64>(), 3000);
        assert!(values[1].visits > 1500, "{values:?}");
        assert!((values[1].mean - 48.0).abs() < 5.0, "{values:?}");
        assert!((values[2].mean - 25.0).abs() < 10.0, "{values:?}");
    }

    #[test]
    fn simulations_depend_on_the_seed_and_their_number_alone() {
        let game = toy(THROWS);
        let digest = |seed, parts: &[u64]| {
            grown(&*game, SearchSettings { seed, ..SETTINGS }, parts).digest()
        };
        assert_eq!(digest(3, &[60]), digest(3, &[1, 20, 39]));
        assert_ne!(digest(3, &[60]), digest(4, &[60]));
    }

    #[test]
    fn a_full_tree_grows_no_more_and_goes_on() {
        let game = toy(THROWS);
        let values = |bytes: usize| {
            let mut search = grown(&*game, SearchSettings { bytes, ..SETTINGS }, &[200]);
            (search.nodes(), search.values(&*game.open(&mut NoChance)))
        };
        let (nodes, values_of_root) = values(1);
        assert_eq!(nodes, 1);
        assert_eq!(values_of_root.iter().map(|value| value.visits).sum::<u64>(), 200);
        assert!((2..values(1 << 20).0).contains(&values(300).0));
    }

    #[test]
    fn actions_that_become_legal_take_no_memory_of_a_full_tree() {
        // One node, at which each of 40 throws makes eight other actions legal.
        let throws = "1(=1 =1 =1 =1 =1 =1 =1 =1) ".repeat(40);
        let text = format!("1(*({throws}) =0)");
        let settings = SearchSettings { bytes: 1500, ..SETTINGS };
        let game = Arc::new(Toy::parse(&text).unwrap());
        let walker = OfState::new(initial(&game, &mut NoChance), None, None);
        let mut search = super::Tree::new(Box::new(walker), settings, None);
        search.simulate(&*toy(&text).open(&mut NoChance), 2000);
        assert!((1500..2500).contains(&search.bytes()), "{}", search.bytes());
        assert_eq!(search.made, 2000);
    }

    #[test]
    fn without_bound_on_exploration_actions_are_tried_equally_often() {
        let game = toy(THROWS);
        let settings = SearchSettings { exploration: f64::INFINITY, ..SETTINGS };
        let values = grown(&*game, settings, &[301]).values(&*game.open(&mut NoChance));
        let visits: Vec<u64> = values.iter().map(|value| value.visits).collect();
        assert_eq!((visits.iter().sum::<u64>(), visits.iter().min()), (301, Some(&100)));
    }
}

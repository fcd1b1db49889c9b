//! The tree of UCT, in flat arrays.

mod look_ahead;

use std::hint::black_box;

use look_ahead::LookAhead;

use super::range::{Payoffs, Range};
use super::walker::Walker;
use crate::job::Job;
use crate::mix;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::{MAX_PLAYERS, Player, Scores, Turn};
use crate::search::{ActionValue, Search, SearchSettings, Simulated};
use crate::tally::{End, Ending};

/// No node.
const NONE: u32 = u32::MAX;

/// The state of expansion of the position that a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing: playouts began here, and nobody has listed its actions.
    Unlisted,
    /// A player chooses.
    Choice(Player),
    /// It is over; the scores have this number.
    Over(u32),
    /// The rules leave it undefined, or players pass without end.
    Undefined,
}

/// A position after a sequence of actions, and after the forced passes behind the last of them.
#[derive(Clone, Copy)]
struct Node {
    kind: Kind,
    /// The first of its arms, and how many there are.
    arms: (u32, u32),
    /// The first of its actions that the walker has kept, and how many of these are forced passes,
    /// behind which are those of its arms.
    actions: u32,
    passes: u32,
    /// Arms that nobody has tried.
    untried: u32,
    /// Arms that are in the order in which they are tried, the first so many.
    in_order: u32,
    /// Playouts that went through it.
    visits: u64,
    /// A number of the way here, from which come the order of its arms and the playouts that begin
    /// here: they do not depend on when they are asked for.
    key: u64,
}

impl Node {
    /// One that nothing is known of.
    fn new(key: u64) -> Node {
        let (arms, actions, passes) = ((0, 0), 0, 0);
        Node {
            kind: Kind::Unlisted,
            arms,
            actions,
            passes,
            untried: 0,
            in_order: 0,
            visits: 0,
            key,
        }
    }

    /// The key of what is behind its arm of this number.
    fn key_behind(&self, arm: u32) -> u64 {
        let number = u64::from(arm - self.arms.0) + 1;
        mix(self.key.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd134_2543_de82_ef95)
            ^ number)
    }
}

/// An action of a node. Those of one node lie side by side, and all that is known of one together:
/// a large tree is not in the caches, and each place that is looked at takes as long as a playout's
/// ply.
#[derive(Clone, Copy)]
struct Arm {
    /// The sum of the payoffs of playouts to the player who chooses.
    sum: f64,
    /// 1 divided by `visits`, if there are any: to be multiplied with, as it is asked for more
    /// often than it changes.
    share: f64,
    visits: u32,
    child: u32,
    /// Its number in the list of actions of the node.
    number: u32,
}

impl Arm {
    /// An action that nobody has tried.
    fn new(number: u32) -> Arm {
        Arm { sum: 0.0, share: 0.0, visits: 0, child: NONE, number }
    }

    /// Takes in what playouts have paid, of which there were so many.
    fn add(&mut self, paid: f64, playouts: u32) {
        self.visits += playouts;
        self.sum += paid;
        self.share = 1.0 / f64::from(self.visits);
    }
}

/// A search tree over positions that a walker visits.
pub(super) struct Tree<'p> {
    walker: Box<dyn Walker + 'p>,
    /// Where the tree is: so many actions behind the root, or behind where the walker stands. The
    /// walker goes there when somebody asks for the position.
    from_root: bool,
    ahead: Vec<u32>,
    settings: SearchSettings,
    nodes: Vec<Node>,
    arms: Vec<Arm>,
    scores: Vec<Scores>,
    /// The number of nodes that simulations have made, and of the arms of those that they have
    /// visited. There may be more, see [`LookAhead`].
    made_nodes: usize,
    visited_arms: usize,
    /// True if arms have been tried for whose nodes there was no room.
    was_full: bool,
    range: Range,
    /// Simulations made.
    made: u64,
    /// Plies of all simulations, how many of these ended by the rules, and what they paid in all.
    plies: u64,
    ended: u64,
    payoffs: Payoffs,
    /// Simulations that will probably be made next: those that are asked for, and as many as were
    /// made in parts before.
    to_come: u64,
    /// Simulations that were asked for since the root is what it is.
    asked: u64,
    look_ahead: LookAhead,
    // Kept between simulations for their memory only.
    path: Vec<(u32, u32)>,
    ends: Vec<End>,
}

impl<'p> Tree<'p> {
    pub(super) fn new(walker: Box<dyn Walker + 'p>, settings: SearchSettings) -> Tree<'p> {
        let settings = SearchSettings { leaves: settings.leaves.max(1), ..settings };
        let range = Range::new(walker.players());
        let mut tree = Tree {
            walker,
            from_root: true,
            ahead: Vec::new(),
            settings,
            nodes: vec![Node::new(mix(settings.seed ^ NEW_ROOT))],
            arms: Vec::new(),
            scores: Vec::new(),
            made_nodes: 1,
            visited_arms: 0,
            was_full: false,
            range,
            made: 0,
            plies: 0,
            ended: 0,
            payoffs: [0.0; MAX_PLAYERS],
            to_come: 0,
            asked: 0,
            look_ahead: LookAhead::default(),
            path: Vec::new(),
            ends: Vec::new(),
        };
        tree.list_root();
        tree
    }

    /// Goes back to the root.
    fn rewind(&mut self) {
        self.from_root = true;
        self.ahead.clear();
    }

    /// The walker, where the tree is.
    fn arrived(&mut self) -> &mut (dyn Walker + 'p) {
        self.walker.go(std::mem::take(&mut self.from_root), &self.ahead);
        self.ahead.clear();
        &mut *self.walker
    }

    /// Lists the actions of a root that nothing is known of.
    fn list_root(&mut self) {
        self.list(0);
        self.visited_arms = self.arms.len();
    }

    /// Bytes of what simulations have visited; the few of each action, which the walker keeps, are
    /// not counted.
    fn visited_bytes(&self) -> usize {
        self.made_nodes * size_of::<Node>() + self.visited_arms * size_of::<Arm>()
    }

    /// True if these are all that there may be.
    fn is_full(&self) -> bool {
        self.visited_bytes() >= self.settings.bytes
    }

    /// Lists the actions of a node where the tree is, and takes its forced passes.
    fn list(&mut self, node: u32) {
        let (mut actions, mut passes) = (0, 0);
        let (kind, count) = loop {
            let (turn, count) = self.arrived().list();
            let is_pass = count == 1 && self.walker.is_pass();
            match turn {
                Turn::Over => {
                    self.scores.push(self.walker.scores());
                    break (Kind::Over(self.scores.len() as u32 - 1), 0);
                }
                Turn::Move(_) if count == 0 || is_pass && passes == MAX_FORCED_PASSES => {
                    break (Kind::Undefined, 0);
                }
                Turn::Move(player) => {
                    let kept = self.walker.keep();
                    actions = if passes == 0 { kept } else { actions };
                    if !is_pass {
                        break (Kind::Choice(player), count);
                    }
                    passes += 1;
                    self.ahead.push(kept);
                }
            }
        };
        let first = self.arms.len() as u32;
        self.arms.extend((0..count).map(Arm::new));
        let node = &mut self.nodes[node as usize];
        node.kind = kind;
        node.arms = (first, count);
        node.untried = count;
        (node.actions, node.passes) = (actions, passes);
    }

    /// Takes the forced passes of a node, before which the tree is.
    fn take_passes(&mut self, node: u32) {
        let Node { actions, passes, .. } = self.nodes[node as usize];
        self.ahead.extend(actions..actions + passes);
    }

    /// Takes the action of an arm of a node, before which the tree is.
    fn take(&mut self, node: u32, arm: u32) {
        let Node { actions, passes, .. } = self.nodes[node as usize];
        self.ahead.push(actions + passes + self.arms[arm as usize].number);
    }

    fn simulate_once(&mut self) {
        let simulation = self.made;
        self.made += 1;
        let leaves = self.settings.leaves;
        self.path.clear();
        self.rewind();
        let mut at = 0;
        let payoffs = loop {
            let Node { kind, visits, key, .. } = self.nodes[at as usize];
            let is_new = visits == 0 && at != 0;
            if is_new && self.is_full() {
                break self.play_out(key, 1 + simulation);
            }
            match kind {
                Kind::Unlisted => self.list(at),
                _ => self.take_passes(at),
            }
            let node = &mut self.nodes[at as usize];
            node.visits += u64::from(leaves);
            self.visited_arms += if is_new { node.arms.1 as usize } else { 0 };
            let mover = match node.kind {
                Kind::Choice(player) => player,
                Kind::Over(scores) => break self.paid(Ending::Over(self.scores[scores as usize])),
                Kind::Unlisted | Kind::Undefined => break self.paid(Ending::Stuck),
            };
            if self.path.len() >= self.settings.cap as usize {
                break self.play_out(key, 1 + simulation);
            }
            let number = self.select(at, mover);
            self.path.push((at, number));
            let Arm { child, visits, .. } = self.arms[number as usize];
            self.fetch(child);
            self.take(at, number);
            if visits == 0 || child == NONE {
                let key = self.nodes[at as usize].key_behind(number);
                if self.is_full() {
                    self.was_full = true;
                    self.arms[number as usize].child = NONE;
                } else {
                    self.make_child(number, key);
                    self.made_nodes += 1;
                }
                let number = if visits == 0 { 0 } else { 1 + simulation };
                break self.play_out(key, number);
            }
            at = child;
        };
        self.plies += u64::from(leaves) * self.path.len() as u64;
        for (sum, paid) in self.payoffs.iter_mut().zip(payoffs) {
            *sum += paid;
        }
        for &(node, arm) in &self.path {
            if let Kind::Choice(mover) = self.nodes[node as usize].kind {
                self.arms[arm as usize].add(payoffs[usize::from(mover.0)], leaves);
            }
        }
    }

    /// The node behind an arm, a new one unless there is one.
    fn make_child(&mut self, number: u32, key: u64) -> u32 {
        let arm = &mut self.arms[number as usize];
        if arm.child == NONE {
            arm.child = self.nodes.len() as u32;
            self.nodes.push(Node::new(key));
        }
        arm.child
    }

    /// Reads a node and its first arms, perhaps none, for nothing but to have them in the caches when
    /// the tree is there.
    fn fetch(&self, node: u32) {
        if let Some(node) = self.nodes.get(node as usize) {
            let (first, count) = node.arms;
            let arms = self.arms[first as usize..].iter().take(count as usize);
            // The caches have lines of two arms.
            for arm in arms.step_by(2).take(4) {
                black_box(arm.visits);
            }
        }
    }

    /// Chooses an action of a node: one never tried, all equally likely, else by UCB1 (Auer,
    /// Cesa-Bianchi and Fischer 2002, *Finite-time analysis of the multiarmed bandit problem*).
    ///
    /// Arms are put into the order in which they are tried, which is a random one: of arms that are
    /// equally good UCB1 takes the first, so that trees are of one distribution in whatever order
    /// engines list their actions. Where exploration has no bound they are taken in that order over
    /// and over, and so the first of those that were tried least often.
    fn select(&mut self, at: u32, mover: Player) -> u32 {
        let SearchSettings { exploration, leaves, .. } = self.settings;
        let node = &mut self.nodes[at as usize];
        let before = node.visits / u64::from(leaves) - 1;
        let (first, count) = node.arms;
        if node.untried > 0 {
            let next = count - node.untried;
            node.untried -= 1;
            if next == node.in_order {
                self.put_in_order(at);
            }
            return first + next;
        }
        if exploration == f64::INFINITY {
            return first + (before % u64::from(count)) as u32;
        }
        let arms = &self.arms[first as usize..(first + count) as usize];
        let (low, per_point) = self.range.scale(mover);
        let log = (node.visits as f64).ln();
        let bound = |arm: &Arm| {
            let explore = (log * arm.share).sqrt();
            (arm.sum * arm.share - low) * per_point + exploration * explore
        };
        first + first_greatest(arms, bound)
    }

    /// Draws which of the arms that are not in order comes next.
    fn put_in_order(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        let ((first, count), next) = (node.arms, node.in_order);
        let chosen = next + Rng::stream(node.key, u64::from(next)).below(count - next);
        node.in_order += 1;
        self.arms.swap((first + next) as usize, (first + chosen) as usize);
    }

    /// The summed payoffs of all playouts from where the tree is: those of this number, one for each
    /// of the leaves, of all that begin in the position of this key.
    fn play_out(&mut self, key: u64, number: u64) -> Payoffs {
        let SearchSettings { leaves, cap, .. } = self.settings;
        let cap = cap.saturating_sub(self.path.len() as u32);
        let (seed, count) = (key ^ PLAYOUTS, u64::from(leaves));
        let all = Job { seed, first: number * count, count, cap };
        let (mut ends, mut sums) = (std::mem::take(&mut self.ends), [0.0; MAX_PLAYERS]);
        for job in all.in_parts(AT_ONCE) {
            ends.clear();
            if count > 1 {
                self.arrived().play_all(&job, &mut ends);
            } else if number == 0 {
                ends.push(self.first_playout(key, cap));
            } else {
                ends.push(self.arrived().play_out(&mut Rng::stream(seed, job.first), cap));
            }
            for end in &ends {
                self.plies += u64::from(end.plies);
                self.ended += u64::from(matches!(end.ending, Ending::Over(_)));
                self.range.add(end.ending, 1.0, &mut sums);
            }
        }
        self.ends = ends;
        sums
    }

    /// The payoffs of a position at which nothing is left to play, counted as often as there would
    /// be playouts.
    fn paid(&mut self, ending: Ending) -> Payoffs {
        let mut sums = [0.0; MAX_PLAYERS];
        if let Ending::Over(_) = ending {
            self.ended += u64::from(self.settings.leaves);
        }
        self.range.add(ending, f64::from(self.settings.leaves), &mut sums);
        sums
    }

    /// Forgets all nodes but those from `root` on, whose order stays that in which they are met
    /// when the tree is read level by level.
    fn keep_only(&mut self, root: u32) {
        let old = std::mem::take(&mut self.nodes);
        let arms = std::mem::take(&mut self.arms);
        let scores = std::mem::take(&mut self.scores);
        let (mut order, mut actions) = (vec![root], Vec::new());
        let (mut next, mut kept_actions) = (0, 0);
        while let Some(&node) = order.get(next) {
            next += 1;
            let mut node = old[node as usize];
            if node.visits == 0 {
                node = Node::new(node.key);
            }
            let own = node.arms.0 as usize..(node.arms.0 + node.arms.1) as usize;
            let count = node.passes + node.arms.1;
            actions.push(node.actions..node.actions + count);
            node.arms.0 = self.arms.len() as u32;
            node.actions = kept_actions;
            kept_actions += count;
            if let Kind::Over(number) = &mut node.kind {
                self.scores.push(scores[*number as usize]);
                *number = self.scores.len() as u32 - 1;
            }
            for arm in &arms[own] {
                let kept = (arm.child != NONE && arm.visits > 0).then(|| {
                    order.push(arm.child);
                    order.len() as u32 - 1
                });
                self.arms.push(Arm { child: kept.unwrap_or(NONE), ..*arm });
            }
            self.nodes.push(node);
        }
        self.walker.keep_only(&actions);
        self.made_nodes = self.nodes.len();
        self.visited_arms = self.arms.len();
    }
}

/// The number of the first of some values that are the greatest, of at least one.
///
/// As many as [`LANES`] are compared at a time, without branches: which one is the greatest changes
/// from visit to visit, so branches would be guessed wrong, and roots are found two at a time.
fn first_greatest<T>(all: &[T], value: impl Fn(&T) -> f64) -> u32 {
    let (mut bests, mut places) = ([f64::NEG_INFINITY; LANES], [0.0; LANES]);
    let mut lanes = [0.0; LANES];
    for (lane, place) in lanes.iter_mut().enumerate() {
        *place = lane as f64;
    }
    let mut compare = |values: [f64; LANES]| {
        for lane in 0..LANES {
            let is_greater = values[lane] > bests[lane];
            bests[lane] = if is_greater { values[lane] } else { bests[lane] };
            places[lane] = if is_greater { lanes[lane] } else { places[lane] };
            lanes[lane] += LANES as f64;
        }
    };
    let (chunks, rest) = all.as_chunks::<LANES>();
    for chunk in chunks {
        compare(std::array::from_fn(|lane| value(&chunk[lane])));
    }
    compare(std::array::from_fn(|lane| rest.get(lane).map_or(f64::NEG_INFINITY, &value)));
    let mut best = (bests[0], places[0]);
    for (value, place) in bests.into_iter().zip(places).skip(1) {
        if value > best.0 || (value >= best.0 && place < best.1) {
            best = (value, place);
        }
    }
    best.1 as u32
}

/// Values that are compared at a time.
const LANES: usize = 4;

/// Playouts of a leaf whose ends are kept at a time.
const AT_ONCE: u64 = 1 << 12;

/// A constant that separates the streams of playouts from those of choices.
const PLAYOUTS: u64 = 0x706c_6179;

/// A constant that separates the keys of positions of which nothing is kept from those of others.
const NEW_ROOT: u64 = 0x726f_6f74;

impl Search for Tree<'_> {
    fn simulate(&mut self, count: u64) {
        for to_come in (0..count).rev() {
            self.to_come = to_come + self.asked;
            self.simulate_once();
        }
        self.asked += count;
    }

    fn values(&self) -> Vec<ActionValue> {
        let (first, count) = self.nodes[0].arms;
        let mut values = vec![ActionValue::default(); count as usize];
        for arm in &self.arms[first as usize..(first + count) as usize] {
            let mean = arm.sum / f64::from(arm.visits.max(1));
            values[arm.number as usize] = ActionValue { visits: u64::from(arm.visits), mean };
        }
        values
    }

    fn simulated(&self) -> Simulated {
        let simulations = self.made * u64::from(self.settings.leaves);
        let mean = |&sum: &f64| sum / simulations.max(1) as f64;
        let players = usize::from(self.walker.players()).min(MAX_PLAYERS);
        let payoffs = self.payoffs[..players].iter().map(mean).collect();
        Simulated { simulations, plies: self.plies, ended: self.ended, payoffs }
    }

    fn advance(&mut self, action: usize) -> bool {
        let (first, count) = self.nodes[0].arms;
        let is_it = |&arm: &u32| self.arms[arm as usize].number as usize == action;
        let Some(arm) = (first..first + count).find(is_it) else { return false };
        // Arms that nobody has tried have no place in the order yet.
        let key = mix(mix(self.nodes[0].key ^ NEW_ROOT) ^ action as u64);
        let child = self.arms[arm as usize].child;
        self.rewind();
        self.take_passes(0);
        self.take(0, arm);
        let known = child != NONE && self.nodes[child as usize].visits > 0;
        if known {
            self.take_passes(child);
            self.arrived();
            self.keep_only(child);
        } else {
            self.arrived().keep_only(&[]);
            self.nodes = vec![Node::new(key)];
            (self.arms, self.scores) = (Vec::new(), Vec::new());
            self.made_nodes = 1;
            self.list_root();
        }
        self.asked = 0;
        self.look_ahead.move_root();
        // The new root is behind them.
        self.nodes[0].actions += std::mem::take(&mut self.nodes[0].passes);
        self.arrived().settle_here();
        known
    }

    fn nodes(&self) -> usize {
        self.made_nodes
    }

    fn digest(&self) -> u64 {
        let mut hash = 0;
        let mut add = |word: u64| hash = mix(hash ^ word);
        // Level by level: in which order nodes were made does not matter.
        let (mut order, mut next) = (vec![0], 0);
        while let Some(&node) = order.get(next) {
            next += 1;
            let node = &self.nodes[node as usize];
            if node.visits == 0 {
                add(0);
                continue;
            }
            let kind = match node.kind {
                Kind::Unlisted => 0,
                Kind::Undefined => 1,
                Kind::Over(number) => 2 ^ self.scores[number as usize].bits() << 8,
                Kind::Choice(player) => 3 ^ u64::from(player.0) << 8,
            };
            add(kind);
            add(node.visits);
            add(u64::from(node.passes));
            let (first, count) = node.arms;
            for arm in &self.arms[first as usize..(first + count) as usize] {
                add(u64::from(arm.visits));
                add(arm.sum.to_bits());
                let is_kept = arm.visits > 0 && arm.child != NONE;
                add(u64::from(is_kept));
                order.extend(is_kept.then_some(arm.child));
            }
        }
        hash
    }
}

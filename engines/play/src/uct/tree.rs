//! The tree of UCT, in flat arrays.

use super::walker::Walker;
use crate::mix;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::{MAX_PLAYERS, Player, Scores, Turn};
use crate::search::{ActionValue, Search, SearchSettings};
use crate::tally::Ending;

/// No node.
const NONE: u32 = u32::MAX;

/// One number a player.
type Payoffs = [f64; MAX_PLAYERS];

/// What is known of the position that a node stands for.
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
    /// The first of its forced passes, and how many there are.
    passes: (u32, u32),
    /// Arms that nobody has tried.
    untried: u32,
    /// Playouts that went through it.
    visits: u64,
}

const UNLISTED: Node =
    Node { kind: Kind::Unlisted, arms: (0, 0), passes: (0, 0), untried: 0, visits: 0 };

/// The actions of all nodes, those of one node side by side.
struct Arms<A> {
    actions: Vec<A>,
    visits: Vec<u32>,
    /// What playouts paid to the player who chooses.
    sums: Vec<f64>,
    children: Vec<u32>,
}

impl<A> Default for Arms<A> {
    fn default() -> Arms<A> {
        let (actions, visits) = (Vec::new(), Vec::new());
        Arms { actions, visits, sums: Vec::new(), children: Vec::new() }
    }
}

/// A search tree over positions that a walker visits.
pub(super) struct Tree<W: Walker> {
    walker: W,
    settings: SearchSettings,
    nodes: Vec<Node>,
    arms: Arms<W::Action>,
    passes: Vec<W::Action>,
    scores: Vec<Scores>,
    range: Range,
    /// Simulations made.
    made: u64,
    // Kept between simulations for their memory only.
    path: Vec<(u32, u32)>,
    legal: Vec<W::Action>,
}

impl<W: Walker> Tree<W> {
    pub(super) fn new(walker: W, settings: SearchSettings) -> Tree<W> {
        let settings = SearchSettings { leaves: settings.leaves.max(1), ..settings };
        let range = Range::new(walker.players());
        let mut tree = Tree {
            walker,
            settings,
            nodes: vec![UNLISTED],
            arms: Arms::default(),
            passes: Vec::new(),
            scores: Vec::new(),
            range,
            made: 0,
            path: Vec::new(),
            legal: Vec::new(),
        };
        tree.walker.rewind();
        tree.list(0);
        tree
    }

    /// Bytes that the tree takes.
    fn bytes(&self) -> usize {
        let arm = size_of::<W::Action>() + size_of::<u32>() * 2 + size_of::<f64>();
        self.nodes.len() * size_of::<Node>() + self.arms.actions.len() * arm
    }

    fn is_full(&self) -> bool {
        self.bytes() >= self.settings.bytes
    }

    /// Lists the actions of a node where the walker stands, and takes its forced passes.
    fn list(&mut self, node: u32) {
        let passes = self.passes.len() as u32;
        let kind = loop {
            let turn = self.walker.list(&mut self.legal);
            match (turn, &self.legal[..]) {
                (Turn::Over, _) => {
                    self.scores.push(self.walker.scores());
                    break Kind::Over(self.scores.len() as u32 - 1);
                }
                (Turn::Move(_), []) => break Kind::Undefined,
                (Turn::Move(_), &[only]) if self.walker.is_pass(only) => {
                    if self.passes.len() as u32 - passes == MAX_FORCED_PASSES {
                        break Kind::Undefined;
                    }
                    self.passes.push(only);
                    self.walker.take(only);
                }
                (Turn::Move(player), _) => break Kind::Choice(player),
            }
        };
        let first = self.arms.actions.len() as u32;
        let count = match kind {
            Kind::Choice(_) => self.legal.len() as u32,
            _ => 0,
        };
        let arms = &mut self.arms;
        arms.actions.extend_from_slice(&self.legal[..count as usize]);
        arms.visits.resize(arms.actions.len(), 0);
        arms.sums.resize(arms.actions.len(), 0.0);
        arms.children.resize(arms.actions.len(), NONE);
        let node = &mut self.nodes[node as usize];
        node.kind = kind;
        node.arms = (first, count);
        node.untried = count;
        node.passes = (passes, self.passes.len() as u32 - passes);
    }

    /// Takes the forced passes of a node, before which the walker stands.
    fn take_passes(&mut self, node: u32) {
        let (first, count) = self.nodes[node as usize].passes;
        for &pass in &self.passes[first as usize..(first + count) as usize] {
            self.walker.take(pass);
        }
    }

    fn simulate_once(&mut self) {
        let number = self.made;
        self.made += 1;
        let mut rng = Rng::stream(self.settings.seed, number);
        self.path.clear();
        self.walker.rewind();
        let mut at = 0;
        let payoffs = loop {
            let node = self.nodes[at as usize];
            match node.kind {
                Kind::Unlisted if self.is_full() => break self.play_out(number),
                Kind::Unlisted => self.list(at),
                _ => self.take_passes(at),
            }
            let mover = match self.nodes[at as usize].kind {
                Kind::Choice(player) => player,
                Kind::Over(scores) => break self.paid(Ending::Over(self.scores[scores as usize])),
                Kind::Unlisted | Kind::Undefined => break self.paid(Ending::Stuck),
            };
            if self.path.len() >= self.settings.cap as usize {
                break self.play_out(number);
            }
            let arm = self.select(at, mover, &mut rng);
            self.path.push((at, arm));
            self.walker.take(self.arms.actions[arm as usize]);
            let child = self.arms.children[arm as usize];
            if child == NONE {
                if !self.is_full() {
                    self.arms.children[arm as usize] = self.nodes.len() as u32;
                    self.nodes.push(UNLISTED);
                }
                break self.play_out(number);
            }
            at = child;
        };
        let leaves = self.settings.leaves;
        for &(node, arm) in &self.path {
            if let Kind::Choice(mover) = self.nodes[node as usize].kind {
                self.arms.visits[arm as usize] += leaves;
                self.arms.sums[arm as usize] += payoffs[usize::from(mover.0)];
            }
        }
    }

    /// Chooses an action of a node: one never tried, all equally likely, else by UCB1 (Auer,
    /// Cesa-Bianchi and Fischer 2002, *Finite-time analysis of the multiarmed bandit problem*).
    fn select(&mut self, node: u32, mover: Player, rng: &mut Rng) -> u32 {
        let node = &mut self.nodes[node as usize];
        node.visits += u64::from(self.settings.leaves);
        let (first, count) = node.arms;
        let range = first as usize..(first + count) as usize;
        let visits = &self.arms.visits[range.clone()];
        if node.untried > 0 {
            let chosen = rng.below(node.untried) as usize;
            node.untried -= 1;
            let mut untried = (0..).zip(visits).filter(|(_, visits)| **visits == 0);
            return first + untried.nth(chosen).map_or(0, |(arm, _)| arm);
        }
        let (low, per_point) = self.range.scale(mover);
        let log = (node.visits as f64).ln();
        let mut best = (0, f64::NEG_INFINITY);
        for (arm, (&visits, &sum)) in (0..).zip(visits.iter().zip(&self.arms.sums[range])) {
            let share = 1.0 / f64::from(visits);
            let explore = (log * share).sqrt();
            let bound = (sum * share - low) * per_point + self.settings.exploration * explore;
            if bound > best.1 {
                best = (arm, bound);
            }
        }
        first + best.0
    }

    /// What all playouts from where the walker stands pay together.
    fn play_out(&mut self, simulation: u64) -> Payoffs {
        let SearchSettings { seed, leaves, cap, .. } = self.settings;
        let mut sums = [0.0; MAX_PLAYERS];
        if leaves > 1 {
            self.walker.mark();
        }
        for leaf in 0..leaves {
            if leaf > 0 {
                self.walker.go_back();
            }
            let id = simulation.wrapping_mul(u64::from(leaves)).wrapping_add(u64::from(leaf));
            let mut rng = Rng::stream(mix(seed ^ PLAYOUTS), id);
            let end = self.walker.play_out(&mut rng, cap);
            self.range.add(end.ending, 1.0, &mut sums);
        }
        sums
    }

    /// What a position pays at which nothing is left to play, as often as there would be playouts.
    fn paid(&mut self, ending: Ending) -> Payoffs {
        let mut sums = [0.0; MAX_PLAYERS];
        self.range.add(ending, f64::from(self.settings.leaves), &mut sums);
        sums
    }

    /// Forgets all nodes but those from `root` on, whose order stays that in which they are met
    /// when the tree is read level by level.
    fn keep_only(&mut self, root: u32) {
        let old = std::mem::take(&mut self.nodes);
        let arms = std::mem::take(&mut self.arms);
        let passes = std::mem::take(&mut self.passes);
        let scores = std::mem::take(&mut self.scores);
        let mut order = vec![root];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            let mut node = old[node as usize];
            let range = |(first, count): (u32, u32)| first as usize..(first + count) as usize;
            let (own, behind) = (range(node.arms), range(node.passes));
            node.arms.0 = self.arms.actions.len() as u32;
            node.passes.0 = self.passes.len() as u32;
            if let Kind::Over(number) = &mut node.kind {
                self.scores.push(scores[*number as usize]);
                *number = self.scores.len() as u32 - 1;
            }
            self.passes.extend_from_slice(&passes[behind]);
            self.arms.actions.extend_from_slice(&arms.actions[own.clone()]);
            self.arms.visits.extend_from_slice(&arms.visits[own.clone()]);
            self.arms.sums.extend_from_slice(&arms.sums[own.clone()]);
            for &child in &arms.children[own] {
                let kept = (child != NONE).then(|| {
                    order.push(child);
                    order.len() as u32 - 1
                });
                self.arms.children.push(kept.unwrap_or(NONE));
            }
            self.nodes.push(node);
        }
    }
}

/// What tells the streams of playouts from those of choices.
const PLAYOUTS: u64 = 0x706c_6179;

impl<W: Walker> Search for Tree<W> {
    fn simulate(&mut self, count: u64) {
        for _ in 0..count {
            self.simulate_once();
        }
    }

    fn values(&self) -> Vec<ActionValue> {
        let (first, count) = self.nodes[0].arms;
        let value = |arm: u32| {
            let visits = self.arms.visits[arm as usize];
            let mean = self.arms.sums[arm as usize] / f64::from(visits.max(1));
            ActionValue { visits: u64::from(visits), mean }
        };
        (first..first + count).map(value).collect()
    }

    fn advance(&mut self, action: usize) -> bool {
        let (first, count) = self.nodes[0].arms;
        if action >= count as usize {
            return false;
        }
        let arm = first as usize + action;
        self.walker.rewind();
        self.take_passes(0);
        self.walker.take(self.arms.actions[arm]);
        let child = self.arms.children[arm];
        let known = child != NONE && self.nodes[child as usize].kind != Kind::Unlisted;
        if known {
            self.take_passes(child);
            self.keep_only(child);
        } else {
            self.nodes = vec![UNLISTED];
            self.arms = Arms::default();
            (self.passes, self.scores) = (Vec::new(), Vec::new());
            self.list(0);
        }
        // They are behind the new root.
        self.nodes[0].passes = (0, 0);
        self.walker.settle_here();
        known
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn digest(&self) -> u64 {
        let mut hash = 0;
        let mut add = |word: u64| hash = mix(hash ^ word);
        for node in &self.nodes {
            let kind = match node.kind {
                Kind::Unlisted => 0,
                Kind::Undefined => 1,
                Kind::Over(number) => 2 ^ self.scores[number as usize].bits() << 8,
                Kind::Choice(player) => 3 ^ u64::from(player.0) << 8,
            };
            add(kind);
            add(node.visits);
            add(u64::from(node.passes.1));
            let (first, count) = node.arms;
            for arm in first as usize..(first + count) as usize {
                add(u64::from(self.arms.visits[arm]));
                add(self.arms.sums[arm].to_bits());
                add(u64::from(self.arms.children[arm]));
            }
        }
        hash
    }
}

/// The least and the greatest payoff of each player so far: UCB1 wants rewards in `0..=1`, and
/// rules do not say in advance what they pay.
struct Range {
    players: usize,
    seen: [(f64, f64); MAX_PLAYERS],
}

impl Range {
    fn new(players: u8) -> Range {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        Range { players: usize::from(players).min(MAX_PLAYERS), seen: [nothing; MAX_PLAYERS] }
    }

    /// Adds what an ending pays, so many times. One that is not by the rules counts as the middle
    /// of what was seen, so that it neither draws a search nor repels it.
    fn add(&mut self, ending: Ending, times: f64, sums: &mut Payoffs) {
        let players = self.seen.iter_mut().zip(sums).take(self.players);
        for (player, ((low, high), sum)) in (0..).zip(players) {
            let payoff = match ending {
                Ending::Over(scores) => {
                    let payoff = f64::from(scores.get(Player(player)));
                    (*low, *high) = (low.min(payoff), high.max(payoff));
                    payoff
                }
                _ if *low <= *high => f64::midpoint(*low, *high),
                _ => 0.0,
            };
            *sum += times * payoff;
        }
    }

    /// The least payoff of a player, and what a point more is worth where rewards go up to 1.
    fn scale(&self, player: Player) -> (f64, f64) {
        match self.seen.get(usize::from(player.0)) {
            Some(&(low, high)) if low < high => (low, 1.0 / (high - low)),
            _ => (0.0, 0.0),
        }
    }
}

use play::{ActionValue, Facts, Player, Position, Rng, Search, SearchSettings, Turn, settle};

use crate::payoffs::{Payoffs, Range, greatest};

/// Bytes of a node with few actions, about.
const NODE_BYTES: usize = 200;
/// Bytes of a tree that is to be its root alone.
pub(crate) const ROOT_ALONE: usize = 1;

/// A search below a position that is known.
pub(crate) enum Grown<'p> {
    /// Over the engine's own states, where the game has such trees.
    OverStates(Box<dyn Search + 'p>),
    /// Over positions, with what is drawn from.
    OverPositions(Tree, Box<dyn Position + 'p>, Rng),
}

impl<'p> Grown<'p> {
    /// A tree with this position as its root.
    pub(crate) fn below(
        position: &(dyn Position + 'p),
        facts: &Facts,
        settings: SearchSettings,
    ) -> Grown<'p> {
        if let Some(search) = position.search(settings) {
            return Grown::OverStates(search);
        }
        // The actions of one position are always the same.
        let numbers = !facts.chance || settings.bytes == ROOT_ALONE;
        let view = if numbers { View::Numbers } else { View::Labels };
        let tree = Tree::new(view, facts.players, settings);
        Grown::OverPositions(tree, position.copy(), Rng::stream(settings.seed, 0))
    }

    /// Makes so many simulations more.
    pub(crate) fn simulate(&mut self, count: u64) {
        match self {
            Grown::OverStates(search) => search.simulate(count),
            Grown::OverPositions(tree, root, rng) => {
                (0..count).for_each(|_| tree.simulate(root.copy(), rng));
            }
        }
    }

    /// What is known of each legal action of the position.
    pub(crate) fn values(&self) -> Vec<ActionValue> {
        match self {
            Grown::OverStates(search) => search.values(),
            Grown::OverPositions(tree, root, _) => match root.turn() {
                Turn::Move(player) => tree.values(player, &**root),
                Turn::Over => Vec::new(),
            },
        }
    }
}

/// What a node of a tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// A sequence of numbers of actions: games without chance, where the sequence makes the
    /// position.
    Numbers,
    /// A sequence of labels, whatever chance draws between them (open loop): after the same
    /// sequence other actions may be legal, or stand in another order.
    Labels,
    /// What one player did and perceived.
    Percepts(Player),
}

/// A search tree grown by UCT (Kocsis and Szepesvari 2006): UCB1 at each node, one new node a
/// simulation, then a random playout. Every player maximises the own payoff (max^n, Luckhardt and
/// Irani 1986).
///
/// The exploration term of an action counts how often it was *available* at the node, as Cowling,
/// Powley and Whitehouse (2012) do for trees whose legal actions vary; where they do not, that is
/// the number of visits, and the formula is UCB1's.
pub(crate) struct Tree {
    view: View,
    settings: SearchSettings,
    nodes: Vec<Node>,
    range: Range,
    players: u8,
    // Kept between simulations for their memory only.
    path: Vec<(usize, usize)>,
    legal: Vec<usize>,
}

#[derive(Default)]
struct Node {
    arms: Vec<Arm>,
    /// Nodes below, by what leads to them.
    next: Vec<(u64, usize)>,
}

/// An action at a node, of whoever may choose it there.
struct Arm {
    key: u64,
    visits: u32,
    available: u32,
    sums: Payoffs,
}

impl Tree {
    /// A tree of its root, whose leaves have one playout each.
    pub(crate) fn new(view: View, players: u8, settings: SearchSettings) -> Tree {
        let nodes = vec![Node::default()];
        let range = Range::new(players);
        Tree { view, settings, nodes, range, players, path: Vec::new(), legal: Vec::new() }
    }

    /// One simulation from a position that the root stands for.
    pub(crate) fn simulate<'p>(&mut self, mut position: Box<dyn Position + 'p>, rng: &mut Rng) {
        let mut node = 0;
        self.path.clear();
        while let Turn::Move(player) = position.turn() {
            if position.actions() == 0 || self.path.len() >= self.settings.cap as usize {
                break;
            }
            let action = self.select(node, player, &*position, rng);
            let arm = self.legal[action];
            let key = self.nodes[node].arms[arm].key;
            let fresh = self.nodes[node].arms[arm].visits == 0;
            self.path.push((node, arm));
            if position.play(action, rng).is_err() {
                break;
            }
            settle(&mut *position, rng);
            let below = match self.transition(player, key, &*position) {
                // Nothing that the observer knows of: the node stays.
                None if fresh => break,
                None => continue,
                Some(below) => below,
            };
            match self.nodes[node].next.iter().find(|&&(k, _)| k == below) {
                Some(_) if fresh => break,
                Some(&(_, child)) => node = child,
                None => {
                    if self.nodes.len() < self.settings.bytes / NODE_BYTES {
                        let child = self.nodes.len();
                        self.nodes[node].next.push((below, child));
                        self.nodes.push(Node::default());
                    }
                    break;
                }
            }
        }
        let payoffs = self.range.payoffs(position.playout(rng, self.settings.cap));
        for &(node, arm) in &self.path {
            let arm = &mut self.nodes[node].arms[arm];
            arm.visits += 1;
            for (sum, payoff) in arm.sums.iter_mut().zip(&payoffs) {
                *sum += payoff;
            }
        }
    }

    /// Chooses an action: one never tried, all equally likely, else by UCB1. Leaves the arms of all
    /// legal actions in `self.legal`.
    fn select(
        &mut self,
        node: usize,
        player: Player,
        position: &dyn Position,
        rng: &mut Rng,
    ) -> usize {
        let keys = keys(self.view, player, position);
        let arms = &mut self.nodes[node].arms;
        self.legal.clear();
        let mut untried = 0;
        for (i, &key) in keys.iter().enumerate() {
            // Actions come in the same order nearly always.
            let at = match arms.get(i) {
                Some(arm) if arm.key == key => i,
                _ => arms.iter().position(|arm| arm.key == key).unwrap_or(arms.len()),
            };
            if at == arms.len() {
                let sums = Payoffs::from_elem(0.0, usize::from(self.players));
                arms.push(Arm { key, visits: 0, available: 0, sums });
            }
            arms[at].available += 1;
            untried += u32::from(arms[at].visits == 0);
            self.legal.push(at);
        }
        if untried > 0 {
            let chosen = rng.below(untried) as usize;
            let mut all = self.legal.iter().enumerate().filter(|&(_, &at)| arms[at].visits == 0);
            return all.nth(chosen).map_or(0, |(i, _)| i);
        }
        let mover = usize::from(player.0);
        let bound = |&at: &usize| {
            let arm = &arms[at];
            let visits = f64::from(arm.visits);
            if self.settings.exploration == f64::INFINITY {
                return -visits;
            }
            let mean = arm.sums.get(mover).copied().unwrap_or(0.0) / visits;
            let explore = (f64::from(arm.available).ln() / visits).sqrt();
            self.range.scale(mover, mean) + self.settings.exploration * explore
        };
        greatest(self.legal.iter().map(bound))
    }

    /// What leads from a node to the next after an action was played; `None` if the observer knows
    /// of nothing.
    fn transition(&self, mover: Player, key: u64, after: &dyn Position) -> Option<u64> {
        let View::Percepts(observer) = self.view else { return Some(key) };
        let seen = after.percepts().of(observer);
        if mover != observer && seen.is_empty() {
            return None;
        }
        let own = if mover == observer { key } else { 0 };
        Some(
            seen.iter()
                .fold(play::mix(own ^ 0x5ee5), |h, percept| play::mix(h ^ text_bits(percept))),
        )
    }

    /// What the tree says of each legal action of a position that the root stands for.
    pub(crate) fn values(&self, player: Player, position: &dyn Position) -> Vec<ActionValue> {
        let arms = &self.nodes[0].arms;
        let mover = usize::from(player.0);
        let value = |key: u64| {
            let arm = arms.iter().find(|arm| arm.key == key && arm.visits > 0);
            arm.map_or_else(ActionValue::default, |arm| ActionValue {
                visits: arm.visits.into(),
                mean: arm.sums.get(mover).copied().unwrap_or(0.0) / f64::from(arm.visits),
            })
        };
        keys(self.view, player, position).into_iter().map(value).collect()
    }
}

/// Keys of the legal actions, in their order.
fn keys(view: View, player: Player, position: &dyn Position) -> Vec<u64> {
    match view {
        View::Numbers => (0..position.actions() as u64).collect(),
        View::Labels | View::Percepts(_) => {
            let who = play::mix(u64::from(player.0) + 1);
            position.labels().iter().map(|label| play::mix(who ^ text_bits(label))).collect()
        }
    }
}

/// 64 bits that tell texts apart (FNV-1a).
fn text_bits(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The action with most visits, of equal ones that with the greatest mean: a mean of few visits is
/// worth little.
pub(crate) fn most_visited(values: &[ActionValue]) -> usize {
    let most = values.iter().map(|value| value.visits).max().unwrap_or(0);
    let mean =
        |value: &ActionValue| if value.visits == most { value.mean } else { f64::NEG_INFINITY };
    greatest(values.iter().map(mean))
}

/// Means by action, for [`Choice::values`](crate::Choice::values).
pub(crate) fn means(values: &[ActionValue]) -> Vec<(usize, f64)> {
    let tried = values.iter().enumerate().filter(|(_, value)| value.visits > 0);
    tried.map(|(action, value)| (action, value.mean)).collect()
}

//! Small games for two whose payoffs sum to zero, as trees of information sets: what a player
//! remembers is what he perceived and what he did. By counterfactual regret minimization (Zinkevich
//! et al. 2007, with the positive regrets of Tammelin 2014) they are solved.

use std::collections::HashMap;

use play::{Game, Player, Position, Script, Turn};

/// The whole tree of a game; node 0 is chance at the start.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The information sets.
    pub(super) sets: Vec<Set>,
}

/// An information set: the nodes that a player who chooses cannot tell apart.
pub(super) struct Set {
    /// The player.
    pub(super) player: usize,
    /// The player's percepts and actions, ply by ply.
    pub(super) memory: String,
    /// The player's legal actions.
    pub(super) labels: Vec<String>,
    /// The nodes that he cannot tell apart.
    nodes: Vec<usize>,
}

enum Node {
    /// The first player's payoff.
    Over(f64),
    Chance(Vec<(f64, usize)>),
    Choice {
        set: usize,
        children: Vec<usize>,
    },
}

/// For each information set the probabilities of the actions.
pub(super) type Strategy = Vec<Vec<f64>>;

impl Tree {
    /// The tree of a game. Panics where a player could not know from what he perceived whether it
    /// is his turn and what he can do.
    pub(super) fn new(game: &dyn Game) -> Tree {
        let mut tree = Tree { nodes: vec![Node::Over(0.0)], sets: Vec::new() };
        let mut known = HashMap::new();
        let (mut script, mut outcomes) = (Script::default(), Vec::new());
        loop {
            script.rewind();
            let start = game.open(&mut script);
            let memories = remembered(&*start, &["", ""].map(str::to_owned));
            outcomes.push((script.probability(), tree.grow(&*start, memories, &mut known)));
            if !script.advance() {
                break;
            }
        }
        tree.nodes[0] = Node::Chance(outcomes);
        tree
    }

    fn grow(
        &mut self,
        position: &dyn Position,
        memories: [String; 2],
        known: &mut HashMap<(usize, String), usize>,
    ) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node::Over(0.0));
        let Turn::Move(player) = position.turn() else {
            let scores = position.scores().unwrap();
            assert_eq!(scores.get(Player(0)), -scores.get(Player(1)), "the sum is zero");
            self.nodes[node] = Node::Over(f64::from(scores.get(Player(0))));
            return node;
        };
        let (player, labels) = (usize::from(player.0), position.labels());
        let memory = memories[player].clone();
        let set = *known.entry((player, memory.clone())).or_insert_with(|| {
            let labels = labels.clone();
            self.sets.push(Set { player, memory, labels, nodes: Vec::new() });
            self.sets.len() - 1
        });
        assert_eq!(self.sets[set].labels, labels, "known to player {player}: {}", memories[player]);
        self.sets[set].nodes.push(node);
        let mut children = Vec::new();
        for (action, label) in labels.iter().enumerate() {
            let mut own = memories.clone();
            own[player] += &format!("{label}!");
            let (mut script, mut outcomes) = (Script::default(), Vec::new());
            loop {
                script.rewind();
                let mut child = position.copy();
                child.play(action, &mut script).unwrap();
                let memories = remembered(&*child, &own);
                outcomes.push((script.probability(), self.grow(&*child, memories, known)));
                if !script.advance() {
                    break;
                }
            }
            children.push(match outcomes[..] {
                [(_, child)] => child,
                _ => {
                    self.nodes.push(Node::Chance(outcomes));
                    self.nodes.len() - 1
                }
            });
        }
        self.nodes[node] = Node::Choice { set, children };
        node
    }

    /// Everybody chooses uniformly.
    pub(super) fn uniform(&self) -> Strategy {
        self.sets.iter().map(|set| vec![1.0 / set.labels.len() as f64; set.labels.len()]).collect()
    }

    /// The first player's expected payoff.
    pub(super) fn value(&self, strategy: &Strategy) -> f64 {
        self.value_of(0, strategy)
    }

    fn value_of(&self, node: usize, strategy: &Strategy) -> f64 {
        match &self.nodes[node] {
            Node::Over(payoff) => *payoff,
            Node::Chance(outcomes) => {
                outcomes.iter().map(|&(p, child)| p * self.value_of(child, strategy)).sum()
            }
            Node::Choice { set, children } => {
                let sum = strategy[*set].iter().zip(children);
                sum.map(|(p, &child)| p * self.value_of(child, strategy)).sum()
            }
        }
    }

    /// The first player's expected payoff when this player does what is best against the other's
    /// strategy.
    pub(super) fn value_of_best_response(&self, player: usize, strategy: &Strategy) -> f64 {
        // How likely each node is as far as it depends on the others.
        let mut reach = vec![0.0; self.nodes.len()];
        let mut open = vec![(0, 1.0)];
        while let Some((node, p)) = open.pop() {
            reach[node] = p;
            match &self.nodes[node] {
                Node::Over(_) => {}
                Node::Chance(outcomes) => open.extend(outcomes.iter().map(|&(q, c)| (c, p * q))),
                Node::Choice { set, children } => {
                    let own = self.sets[*set].player == player;
                    let share = |i: usize| if own { 1.0 } else { strategy[*set][i] };
                    open.extend(children.iter().enumerate().map(|(i, &c)| (c, p * share(i))));
                }
            }
        }
        let mut best = vec![None; self.sets.len()];
        self.respond(0, player, strategy, &reach, &mut best)
    }

    fn respond(
        &self,
        node: usize,
        player: usize,
        strategy: &Strategy,
        reach: &[f64],
        best: &mut Vec<Option<usize>>,
    ) -> f64 {
        match &self.nodes[node] {
            Node::Over(payoff) => *payoff,
            Node::Chance(outcomes) => outcomes
                .iter()
                .map(|&(p, child)| p * self.respond(child, player, strategy, reach, best))
                .sum(),
            Node::Choice { set, children } if self.sets[*set].player != player => strategy[*set]
                .iter()
                .zip(children)
                .map(|(p, &child)| p * self.respond(child, player, strategy, reach, best))
                .sum(),
            Node::Choice { set, children } => {
                if best[*set].is_none() {
                    let sign = if player == 0 { 1.0 } else { -1.0 };
                    let mut values = vec![0.0; children.len()];
                    for &other in &self.sets[*set].nodes {
                        let Node::Choice { children, .. } = &self.nodes[other] else { continue };
                        for (value, &child) in values.iter_mut().zip(children) {
                            let worth = self.respond(child, player, strategy, reach, best);
                            *value += sign * reach[other] * worth;
                        }
                    }
                    best[*set] = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
                }
                self.respond(children[best[*set].unwrap()], player, strategy, reach, best)
            }
        }
    }

    /// A strategy that nearly nothing can be won against, by so many rounds.
    pub(super) fn solve(&self, rounds: u32) -> Strategy {
        let zeros: Strategy = self.sets.iter().map(|set| vec![0.0; set.labels.len()]).collect();
        let (mut regrets, mut sums) = (zeros.clone(), zeros);
        for round in 1..=rounds {
            for player in 0..2 {
                let strategy = self.strategy_of(&regrets);
                let mut found = vec![Vec::new(); self.sets.len()];
                self.regret(0, player, &strategy, [1.0; 2], &mut found);
                for (set, found) in found.into_iter().enumerate() {
                    for (action, (gain, own)) in found.into_iter().enumerate() {
                        regrets[set][action] = f64::max(0.0, regrets[set][action] + gain);
                        sums[set][action] += f64::from(round) * own;
                    }
                }
            }
        }
        self.strategy_of(&sums)
    }

    /// In proportion to weights, or uniform where there are none.
    fn strategy_of(&self, weights: &Strategy) -> Strategy {
        let uniform = self.uniform();
        let pairs = weights.iter().zip(uniform);
        pairs
            .map(|(weights, uniform)| match weights.iter().sum::<f64>() {
                0.0 => uniform,
                sum => weights.iter().map(|weight| weight / sum).collect(),
            })
            .collect()
    }

    /// Walks the tree and notes for each action of this player what it would have gained, and how
    /// likely he was to choose it. Returns his expected payoff.
    fn regret(
        &self,
        node: usize,
        player: usize,
        strategy: &Strategy,
        reach: [f64; 2],
        found: &mut Vec<Vec<(f64, f64)>>,
    ) -> f64 {
        match &self.nodes[node] {
            Node::Over(payoff) => {
                if player == 0 {
                    *payoff
                } else {
                    -payoff
                }
            }
            Node::Chance(outcomes) => outcomes
                .iter()
                .map(|&(p, child)| {
                    let mut reach = reach;
                    reach[1 - player] *= p;
                    p * self.regret(child, player, strategy, reach, found)
                })
                .sum(),
            Node::Choice { set, children } => {
                let mover = self.sets[*set].player;
                let values: Vec<f64> = children
                    .iter()
                    .zip(&strategy[*set])
                    .map(|(&child, p)| {
                        let mut reach = reach;
                        reach[mover] *= p;
                        self.regret(child, player, strategy, reach, found)
                    })
                    .collect();
                let value = values.iter().zip(&strategy[*set]).map(|(value, p)| value * p).sum();
                if mover == player {
                    let found = &mut found[*set];
                    found.resize(children.len(), (0.0, 0.0));
                    for (i, (gain, own)) in found.iter_mut().enumerate() {
                        *gain += reach[1 - player] * (values[i] - value);
                        *own += reach[player] * strategy[*set][i];
                    }
                }
                value
            }
        }
    }
}

/// The memories of both players after this position.
fn remembered(position: &dyn Position, before: &[String; 2]) -> [String; 2] {
    let percepts = position.percepts();
    [0, 1].map(|player| {
        let own = percepts.of(Player(player)).join(",");
        format!("{}{own};", before[usize::from(player)])
    })
}

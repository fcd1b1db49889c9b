//! All positions of a game, as a tree or as a graph.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use play::{Game, NoChance, Position, Scores, Turn, settle, tree};

use super::check::merged_soundly;
use super::graph::{Graph, Node};

/// The limits and the mode of exploring a game.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most nodes.
    pub nodes: usize,
    /// The tree of the proof: a node for each sequence of actions. Else positions that cannot be
    /// told apart are one node.
    pub tree: bool,
    /// Nodes of the tree that are walked to show that positions are rightly one node.
    pub walk: u64,
}

/// The reason why a game has no graph here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Chance has a say.
    Chance,
    /// Players do not see everything.
    Hidden,
    /// More nodes than allowed.
    TooMany {
        /// Nodes that were found before it was given up.
        found: usize,
        /// True if it was the tree.
        tree: bool,
    },
    /// A position that is not over and has no action; the labels that lead to it.
    Stuck(String),
    /// Forced passes without end; the labels that lead there.
    Passes(String),
    /// Positions that look alike have different futures; the difference.
    Indistinct(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Chance => f.write_str(
                "chance has a say in this game; in definition 5 every node belongs to a player, \
                 and nature (player 0) has none: see `extensive`",
            ),
            Refusal::Hidden => f.write_str(
                "players do not see everything in this game; in definition 5 everybody sees where \
                 the token stands, which is full information: see `extensive`",
            ),
            Refusal::TooMany { found, tree } => {
                let what = if *tree { "tree" } else { "graph of positions" };
                let hint = if *tree { "leave out --tree, or " } else { "" };
                write!(
                    f,
                    "the {what} has more nodes than allowed: {found} were found, and there are \
                     more; {hint}\
                     allow more with --nodes"
                )
            }
            Refusal::Stuck(path) => write!(
                f,
                "the rules are undefined after `{path}`: the game is not over there, and nobody \
                 has an \
                 action, so the node would be neither a leaf nor a choice"
            ),
            Refusal::Passes(path) => {
                write!(f, "after `{path}` nobody can do anything but pass, without end")
            }
            Refusal::Indistinct(why) => write!(
                f,
                "positions that look alike have different futures ({why}); --tree keeps them apart"
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// By what positions are told apart, beside turn, labels and drawing.
#[derive(Clone, Copy)]
struct StateDetail {
    /// Depth of fingerprints.
    depth: u32,
    /// True if by the number of plies before them, which ends some games and is rarely drawn.
    plies: bool,
}

/// By nothing else.
const COARSEST: StateDetail = StateDetail { depth: 0, plies: false };

/// From the coarsest to the finest. A graph that turns out to be too coarse is made again.
const DETAILS: [StateDetail; 3] = [
    StateDetail { depth: 1, plies: false },
    StateDetail { depth: 1, plies: true },
    StateDetail { depth: 3, plies: true },
];

/// Positions that a fingerprint may visit.
const PRINT: u64 = 100_000;

/// All positions of a game.
pub fn explore(game: &dyn Game, bounds: Bounds) -> Result<Graph, Refusal> {
    let facts = game.facts();
    if facts.chance {
        return Err(Refusal::Chance);
    }
    if facts.hidden {
        return Err(Refusal::Hidden);
    }
    if bounds.tree {
        let mut graph = ordered(nodes(game, bounds, None)?, game);
        graph.proven = true;
        return Ok(graph);
    }
    // A finer look finds no fewer nodes, and fingerprints are what takes the time.
    nodes(game, bounds, Some(COARSEST))?;
    let mut last = Refusal::TooMany { found: 0, tree: false };
    for look in DETAILS {
        match nodes(game, bounds, Some(look)) {
            Ok(nodes) => {
                let mut graph = ordered(nodes, game);
                match merged_soundly(game, &graph, bounds.walk) {
                    Ok(whole) => {
                        graph.proven = whole;
                        return Ok(graph);
                    }
                    Err(why) => last = Refusal::Indistinct(why),
                }
            }
            // A finer look finds more nodes still, but for what was there to say before.
            Err(too_many @ Refusal::TooMany { .. }) => {
                return Err(if matches!(last, Refusal::Indistinct(_)) { last } else { too_many });
            }
            Err(refusal) => return Err(refusal),
        }
    }
    Err(last)
}

/// The features that positions of one node share: who chooses, drawing, labels, fingerprint, plies
/// before, and how many of their siblings are like them.
type Key = (Turn, String, Vec<String>, u64, u32, usize);

fn nodes(game: &dyn Game, bounds: Bounds, look: Option<StateDetail>) -> Result<Vec<Node>, Refusal> {
    let mut start = game.open(&mut NoChance);
    if !settle(&mut *start, &mut NoChance) {
        return Err(Refusal::Passes(String::new()));
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    // Each node with the one that it was found from and the label: the way to it, for messages.
    let mut from: Vec<(usize, String)> = vec![(0, String::new())];
    let mut queue: VecDeque<(Box<dyn Position + '_>, u32)> = VecDeque::from([(start, 0)]);
    let mut found = 1;
    while let Some((position, plies)) = queue.pop_front() {
        let number = nodes.len();
        let Turn::Move(player) = position.turn() else {
            let scores = position.scores().unwrap_or_else(|| Scores::new([0; 0]));
            nodes.push(Node { turn: None, edges: Vec::new(), scores: Some(scores) });
            continue;
        };
        if position.actions() == 0 {
            return Err(Refusal::Stuck(way(&from, number)));
        }
        let mut edges: Vec<(usize, String)> = Vec::new();
        for (action, label) in position.labels().into_iter().enumerate() {
            let mut child = position.copy();
            let fair =
                child.play(action, &mut NoChance).is_ok() && settle(&mut *child, &mut NoChance);
            if !fair {
                return Err(Refusal::Passes(format!("{} {label}", way(&from, number))));
            }
            let old = look.and_then(|look| {
                let mut key = key(&*child, plies + 1, look);
                // No two edges lead to one node, and none to where it comes from.
                loop {
                    match known.get(&key) {
                        Some(&old) if old == number || edges.iter().any(|e| e.0 == old) => {
                            key.5 += 1;
                        }
                        Some(&old) => return Some(old),
                        None => {
                            known.insert(key, found);
                            return None;
                        }
                    }
                }
            });
            if let Some(old) = old {
                edges.push((old, label));
                continue;
            }
            if found >= bounds.nodes {
                return Err(Refusal::TooMany { found, tree: bounds.tree });
            }
            edges.push((found, label.clone()));
            from.push((number, label));
            queue.push_back((child, plies + 1));
            found += 1;
        }
        nodes.push(Node { turn: Some(player.0), edges, scores: None });
    }
    Ok(nodes)
}

fn key(position: &dyn Position, plies: u32, look: StateDetail) -> Key {
    let print = tree::fingerprint(position, look.depth, &mut PRINT.clone()).unwrap_or(0);
    let plies = if look.plies { plies } else { 0 };
    (position.turn(), position.draw(), position.labels(), print, plies, 0)
}

fn way(from: &[(usize, String)], mut node: usize) -> String {
    let mut labels = Vec::new();
    while node != 0 {
        labels.push(from[node].1.as_str());
        node = from[node].0;
    }
    labels.reverse();
    labels.join(" ")
}

/// The graph with its nodes in an order in which all edges go forward, where there is one (Kahn
/// 1962).
fn ordered(nodes: Vec<Node>, game: &dyn Game) -> Graph {
    let serialised = game.facts().simultaneous;
    let players = game.facts().players;
    let mut into = vec![0u32; nodes.len()];
    for &(to, _) in nodes.iter().flat_map(|node| &node.edges) {
        into[to] += 1;
    }
    let (mut order, mut place) = (Vec::new(), vec![usize::MAX; nodes.len()]);
    let mut ready: VecDeque<usize> =
        if into[0] == 0 { VecDeque::from([0]) } else { VecDeque::new() };
    while let Some(node) = ready.pop_front() {
        place[node] = order.len();
        order.push(node);
        for &(to, _) in &nodes[node].edges {
            into[to] -= 1;
            if into[to] == 0 {
                ready.push_back(to);
            }
        }
    }
    if order.len() < nodes.len() {
        return Graph { players, nodes, tree: None, depth: u32::MAX, proven: false, serialised };
    }
    let moved = |&old: &usize| {
        let mut node = nodes[old].clone();
        node.edges.iter_mut().for_each(|(to, _)| *to = place[*to]);
        node
    };
    let nodes: Vec<Node> = order.iter().map(moved).collect();
    // Paths from the start, and the longest, in one sweep.
    let (mut paths, mut plies) = (vec![0u64; nodes.len()], vec![0u32; nodes.len()]);
    paths[0] = 1;
    for (number, node) in nodes.iter().enumerate() {
        for &(to, _) in &node.edges {
            paths[to] = paths[to].saturating_add(paths[number]);
            plies[to] = plies[to].max(plies[number] + 1);
        }
    }
    let tree = paths.iter().fold(0u64, |sum, &p| sum.saturating_add(p));
    let depth = plies.into_iter().max().unwrap_or(0);
    Graph { players, nodes, tree: Some(tree), depth, proven: false, serialised }
}

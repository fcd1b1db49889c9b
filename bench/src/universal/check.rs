//! The check that a graph, and the games made of it, play the original game.

use std::collections::HashMap;
use std::fmt;

use play::{Game, NoChance, Position, Rng, Turn, settle, tree};

use super::graph::{Graph, Node};

/// Random walks where a tree is too large to be walked whole, and their longest.
const WALKS: u64 = 200;
const PLIES: u32 = 300;

/// The part of the tree below the start that was compared by fingerprints and leaf counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walked {
    /// All of it.
    Whole,
    /// To this depth, and random walks to the end.
    Depth(u32),
}

impl fmt::Display for Walked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Walked::Whole => f.write_str("whole tree"),
            Walked::Depth(depth) => write!(f, "all edges, tree to {depth}"),
        }
    }
}

/// The counts of a check that found no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Nodes at which turn, actions and scores were compared: all of them.
    pub nodes: usize,
    /// Edges that were taken in both games: all of them.
    pub edges: usize,
    /// The part of the tree that was compared.
    pub tree: Walked,
}

/// Compares what was made with the original: lock-step over all nodes and all edges of the graph,
/// which is once a position, then leaf counts and fingerprints of the tree as deeply as `budget`
/// positions allow, which do not know of the graph. The first difference is the error. `label` is
/// what the made game calls an edge.
pub fn check(
    original: &dyn Game,
    made: &dyn Game,
    graph: &Graph,
    label: fn(&Graph, usize, usize) -> String,
    budget: u64,
) -> Result<Checked, String> {
    if made.facts().players != graph.players {
        return Err(format!("{} players, not {}", made.facts().players, graph.players));
    }
    let mut seen = vec![false; graph.nodes.len()];
    seen[0] = true;
    let mut stack = vec![(opened(original), opened(made), 0)];
    let mut edges = 0;
    while let Some((ours, theirs, number)) = stack.pop() {
        let node = &graph.nodes[number];
        agrees(&*ours, node, number, true)?;
        agrees(&*theirs, node, number, false)?;
        let labels = theirs.labels();
        let actions: HashMap<&str, usize> =
            labels.iter().enumerate().map(|(action, label)| (label.as_str(), action)).collect();
        for (action, (to, name)) in node.edges.iter().enumerate() {
            let wanted = label(graph, number, *to);
            let Some(&found) = actions.get(wanted.as_str()) else {
                return Err(format!(
                    "at node {number} no action `{wanted}` for `{name}`, only {}",
                    labels.join(" ")
                ));
            };
            let (ours, theirs) = (after(&*ours, action), after(&*theirs, found));
            edges += 1;
            agrees(&*theirs, &graph.nodes[*to], *to, false)?;
            if !std::mem::replace(&mut seen[*to], true) {
                stack.push((ours, theirs, *to));
            }
        }
    }
    let nodes = seen.iter().filter(|&&seen| seen).count();
    Ok(Checked { nodes, edges, tree: same_trees(original, made, graph, budget)? })
}

/// Leaf counts and fingerprints to the greatest depth that the budget allows.
fn same_trees(
    original: &dyn Game,
    made: &dyn Game,
    graph: &Graph,
    budget: u64,
) -> Result<Walked, String> {
    let (ours, theirs) = (opened(original), opened(made));
    let whole = graph.tree.is_some_and(|nodes| nodes <= budget);
    let depths = if whole { graph.depth..=graph.depth } else { 1..=graph.depth.min(64) };
    let mut reached = 0;
    for depth in depths {
        let spent = if whole { budget.saturating_mul(2) } else { budget / 10 };
        let prints = [&ours, &theirs].map(|p| tree::fingerprint(&**p, depth, &mut spent.clone()));
        let counts = [&ours, &theirs].map(|p| tree::perft(&**p, depth, spent, false));
        let ([Some(a), Some(b)], [Some(c), Some(d)]) = (prints, counts) else { break };
        if c != d {
            return Err(format!("leaves by depth are {d:?}, not {c:?}"));
        }
        if a != b {
            return Err(format!("the trees differ within {depth} plies"));
        }
        reached = depth;
    }
    if whole && reached == graph.depth {
        return Ok(Walked::Whole);
    }
    Ok(Walked::Depth(reached))
}

/// Walks the tree of the original along the graph: whether positions that are one node have the
/// same future. All of the tree where it has no more than `walk` nodes, which is a proof (`true`),
/// else random walks. The first difference is the error.
pub fn merged_soundly(game: &dyn Game, graph: &Graph, walk: u64) -> Result<bool, String> {
    let start = opened(game);
    if graph.tree.is_some_and(|nodes| nodes <= walk) {
        let mut stack = vec![(start, 0)];
        while let Some((position, number)) = stack.pop() {
            let node = &graph.nodes[number];
            agrees(&*position, node, number, true)?;
            for (action, &(to, _)) in node.edges.iter().enumerate() {
                stack.push((after(&*position, action), to));
            }
        }
        return Ok(true);
    }
    for id in 0..WALKS {
        let mut rng = Rng::stream(1, id);
        let (mut position, mut number) = (start.copy(), 0);
        for _ in 0..PLIES {
            let node = &graph.nodes[number];
            agrees(&*position, node, number, true)?;
            if node.edges.is_empty() {
                break;
            }
            let action = rng.below(node.edges.len() as u32) as usize;
            position = after(&*position, action);
            number = node.edges[action].0;
        }
    }
    Ok(false)
}

/// Checks that a position is what its node says; the labels only if they are the original's.
fn agrees(position: &dyn Position, node: &Node, number: usize, labels: bool) -> Result<(), String> {
    let turn = match position.turn() {
        Turn::Over => None,
        Turn::Move(player) => Some(player.0),
    };
    if turn != node.turn {
        let who = |turn: Option<u8>| {
            turn.map_or_else(|| "nobody".to_owned(), |p| format!("player {}", p + 1))
        };
        return Err(format!("at node {number} {} is to move, not {}", who(turn), who(node.turn)));
    }
    if position.actions() != node.edges.len() {
        let (found, wanted) = (position.actions(), node.edges.len());
        return Err(format!("at node {number} there are {found} actions, not {wanted}"));
    }
    if position.scores() != node.scores {
        let show = |s: Option<play::Scores>| s.map_or_else(|| "-".to_owned(), |s| s.to_string());
        let (found, wanted) = (show(position.scores()), show(node.scores));
        return Err(format!("at node {number} the scores are {found}, not {wanted}"));
    }
    if labels && position.labels().iter().ne(node.edges.iter().map(|(_, label)| label)) {
        return Err(format!("at node {number} the actions have other names"));
    }
    Ok(())
}

fn opened(game: &dyn Game) -> Box<dyn Position + '_> {
    let mut start = game.open(&mut NoChance);
    settle(&mut *start, &mut NoChance);
    start
}

/// The position after an action; the same one where it is not legal, which the next comparison
/// sees.
fn after<'a>(position: &(dyn Position + 'a), action: usize) -> Box<dyn Position + 'a> {
    let mut next = position.copy();
    if next.play(action, &mut NoChance).is_ok() {
        settle(&mut *next, &mut NoChance);
    }
    next
}

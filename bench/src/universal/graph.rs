//! A game as a graph.

use play::Scores;

/// A position in the neutral view: forced passes are no nodes.
#[derive(Clone, Debug)]
pub struct Node {
    /// The player who chooses, counted from 0; `None` at an end.
    pub turn: Option<u8>,
    /// The target of each action, in the order of the original, with its label there. No two lead
    /// to the same node.
    pub edges: Vec<(usize, String)>,
    /// The scores of an end.
    pub scores: Option<Scores>,
}

/// A game as a graph; its start is node 0.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Number of players.
    pub players: u8,
    /// All nodes; in an acyclic graph each comes before those that it leads to.
    pub nodes: Vec<Node>,
    /// Nodes of the tree that the graph unrolls to; `None` where it has a cycle, so that the tree
    /// is infinite.
    pub tree: Option<u64>,
    /// Plies of the longest playout.
    pub depth: u32,
    /// True if all of the tree was walked to show that positions are rightly one node.
    pub proven: bool,
    /// True if players chose at the same time in the original, and here choose in turn.
    pub serialised: bool,
}

impl Graph {
    /// Number of ends.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.scores.is_some()).count()
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.edges.len()).sum()
    }
}

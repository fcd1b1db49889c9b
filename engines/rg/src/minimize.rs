//! The smallest automaton of the same game: nodes that nothing tells apart are one. Descriptions in
//! HRG have a copy of a graph for each call.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::{Automaton, Edge, Label, Node, NodeId};

/// An automaton with fewer nodes, and what became of those of another.
pub(crate) struct Minimized {
    pub(crate) automaton: Automaton,
    /// For each node of the other automaton the one that it has become.
    pub(crate) of: Vec<NodeId>,
    /// For each node one of those that it was.
    pub(crate) was: Vec<NodeId>,
}

/// The automaton without edges that do nothing and without copies of nodes (partition refinement,
/// Moore 1956).
pub(crate) fn minimized(automaton: &Automaton) -> Minimized {
    let goals = goals(automaton);
    let next = skipped(automaton, &goals);
    let merged = merged_goals(automaton, &goals);
    // Labels by number, the nodes of tests apart.
    let mut labels: FxHashMap<Label, usize> = FxHashMap::default();
    let mut label = |label: &Label| {
        let label = match *label {
            Label::Test { negated, .. } => Label::Test { from: 0, to: 0, negated },
            ref label => label.clone(),
        };
        let next = labels.len();
        *labels.entry(label).or_insert(next)
    };
    let edges: Vec<Vec<usize>> = automaton
        .nodes
        .iter()
        .map(|node| node.edges.iter().map(|edge| label(&edge.label)).collect())
        .collect();
    let count = automaton.nodes.len();
    // Nodes that have a meaning of their own are alone in their class from the beginning.
    let mut class: Vec<usize> = (0..count)
        .map(|node| match node {
            _ if node == automaton.begin => 1,
            _ if node == automaton.end => 2,
            _ if merged.contains(&node) => 3,
            _ if goals.contains(&node) => 4 + node,
            _ => 0,
        })
        .collect();
    let mut classes = 0;
    loop {
        let mut numbers: FxHashMap<(usize, Vec<usize>), usize> = FxHashMap::default();
        let refined: Vec<usize> = (0..count)
            .map(|node| {
                let mut signature = Vec::new();
                for (edge, &label) in automaton.nodes[node].edges.iter().zip(&edges[node]) {
                    signature.extend([label, class[next[edge.to]]]);
                    if let Label::Test { from, to, .. } = edge.label {
                        signature.extend([class[next[from]], class[to]]);
                    }
                }
                let number = numbers.len();
                *numbers.entry((class[node], signature)).or_insert(number)
            })
            .collect();
        class = refined;
        if numbers.len() == classes {
            break;
        }
        classes = numbers.len();
    }
    build(automaton, &next, &class, classes)
}

/// The automaton of the classes.
fn build(automaton: &Automaton, next: &[NodeId], class: &[usize], classes: usize) -> Minimized {
    let of: Vec<NodeId> = next.iter().map(|&node| class[node]).collect();
    let mut was = vec![usize::MAX; classes];
    for (node, &class) in class.iter().enumerate() {
        was[class] = was[class].min(node);
    }
    let nodes = was
        .iter()
        .map(|&node| {
            let Node { name, edges } = &automaton.nodes[node];
            let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
            for edge in edges {
                let label = match edge.label {
                    // The end of a test is no place to go on from.
                    Label::Test { from, to, negated } => {
                        Label::Test { from: of[from], to: class[to], negated }
                    }
                    ref label => label.clone(),
                };
                let edge = Edge { to: of[edge.to], label, span: edge.span };
                if !kept.iter().any(|kept| (kept.to, &kept.label) == (edge.to, &edge.label)) {
                    kept.push(edge);
                }
            }
            Node { name: *name, edges: kept }
        })
        .collect();
    let automaton = Automaton {
        nodes,
        begin: class[automaton.begin],
        end: class[automaton.end],
        ..automaton.clone()
    };
    Minimized { automaton, of, was }
}

/// The nodes that somebody asks for: the ends of tests, and the end.
fn goals(automaton: &Automaton) -> FxHashSet<NodeId> {
    let edges = automaton.nodes.iter().flat_map(|node| &node.edges);
    let goals = edges.filter_map(|edge| match edge.label {
        Label::Test { to, .. } => Some(to),
        _ => None,
    });
    goals.chain([automaton.end, automaton.begin]).collect()
}

/// For each node the one that edges which do nothing lead to from there.
fn skipped(automaton: &Automaton, goals: &FxHashSet<NodeId>) -> Vec<NodeId> {
    let step = |node: NodeId| match automaton.nodes[node].edges.as_slice() {
        [Edge { to, label: Label::Skip, .. }] if !goals.contains(&node) => Some(*to),
        _ => None,
    };
    (0..automaton.nodes.len())
        .map(|start| {
            let mut node = start;
            // A ring of such edges leads nowhere.
            for _ in 0..automaton.nodes.len() {
                match step(node) {
                    Some(to) => node = to,
                    None => return node,
                }
            }
            start
        })
        .collect()
}

/// The ends of tests that may become one: no edge leaves them, and no test comes to the end of
/// another.
fn merged_goals(automaton: &Automaton, goals: &FxHashSet<NodeId>) -> FxHashSet<NodeId> {
    let is_last = |node: &NodeId| automaton.nodes[*node].edges.is_empty() && *node != automaton.end;
    let mut merged: FxHashSet<NodeId> = goals.iter().copied().filter(is_last).collect();
    let tests: FxHashSet<(NodeId, NodeId)> = automaton
        .nodes
        .iter()
        .flat_map(|node| &node.edges)
        .filter_map(|edge| match edge.label {
            Label::Test { from, to, .. } => Some((from, to)),
            _ => None,
        })
        .collect();
    let mut seen = vec![usize::MAX; automaton.nodes.len()];
    for (number, &(from, goal)) in tests.iter().enumerate() {
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut seen[node], number) == number {
                continue;
            }
            if goals.contains(&node) && node != goal {
                merged.remove(&node);
                merged.remove(&goal);
            }
            waiting.extend(automaton.nodes[node].edges.iter().map(|edge| edge.to));
        }
    }
    merged
}

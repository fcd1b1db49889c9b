//! The form of an automaton: its loops, the nodes where walks meet, and alternatives of conditions
//! that lead to one node.

use crate::automaton::{Automaton, Edge, Label, NodeId};

/// The most nodes of alternatives that only test.
const MAX_TESTED: usize = 64;

/// The form of an automaton, edges that end a move left out.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    /// For each node the loop that it is in, as a strongly connected component.
    loops: Vec<Option<usize>>,
    /// For each node the number of edges, and tests, from which walks may come.
    entries: Vec<u32>,
    /// For each node with several edges: the one node that conditions alone lead to from there.
    joins: Vec<Option<NodeId>>,
}

impl Regions {
    pub(crate) fn of(automaton: &Automaton) -> Regions {
        let mut entries = vec![0_u32; automaton.nodes.len()];
        for edge in automaton.nodes.iter().flat_map(|node| &node.edges) {
            entries[edge.to] += 1;
            if let Label::Test { from, .. } = edge.label {
                entries[from] += 1;
            }
        }
        let loops = components(automaton);
        let mut goals = vec![false; automaton.nodes.len()];
        goals[automaton.end] = true;
        for edge in automaton.nodes.iter().flat_map(|node| &node.edges) {
            if let Label::Test { to, .. } = edge.label {
                goals[to] = true;
            }
        }
        let joins = 0..automaton.nodes.len();
        let joins = joins.map(|node| join(automaton, &loops, &goals, node)).collect();
        Regions { loops, entries, joins }
    }

    /// The number of the loop that a node is in.
    pub(crate) fn loop_of(&self, node: NodeId) -> Option<usize> {
        self.loops[node]
    }

    /// True if walks may come to a node from several edges.
    pub(crate) fn meets(&self, node: NodeId) -> bool {
        self.entries[node] > 1
    }

    /// The number of edges, and tests, from which walks may come to a node.
    pub(crate) fn entries(&self, node: NodeId) -> u32 {
        self.entries[node]
    }

    /// The node that all walks from this one come to, if they only test on the way and there are
    /// several: `a || b`.
    pub(crate) fn join(&self, node: NodeId) -> Option<NodeId> {
        self.joins[node]
    }
}

/// The edges that a walk can go on along: all that do not end a move.
pub(crate) fn inner(automaton: &Automaton, node: NodeId) -> impl Iterator<Item = &Edge> {
    automaton.nodes[node].edges.iter().filter(|edge| !edge.label.ends_move())
}

/// The component of each node that is in a loop (Tarjan 1972, without recursion).
fn components(automaton: &Automaton) -> Vec<Option<usize>> {
    let count = automaton.nodes.len();
    let (mut index, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
    let mut component = vec![None; count];
    for root in 0..count {
        if index[root] != usize::MAX {
            continue;
        }
        let mut calls: Vec<(NodeId, usize)> = vec![(root, 0)];
        while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
            if *edge == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            let target = inner(automaton, node).nth(*edge).map(|edge| edge.to);
            *edge += 1;
            match target {
                Some(to) if index[to] == usize::MAX => calls.push((to, 0)),
                Some(to) if on_stack[to] => low[node] = low[node].min(index[to]),
                Some(_) => {}
                None => {
                    calls.pop();
                    if let Some(&(caller, _)) = calls.last() {
                        low[caller] = low[caller].min(low[node]);
                    }
                    if low[node] == index[node] {
                        let first = stack.iter().rposition(|&n| n == node).unwrap_or(0);
                        let members = stack.split_off(first);
                        let is_loop =
                            members.len() > 1 || inner(automaton, node).any(|edge| edge.to == node);
                        for member in members {
                            on_stack[member] = false;
                            component[member] = is_loop.then_some(found);
                        }
                        found += 1;
                    }
                }
            }
        }
    }
    component
}

/// The node that conditions lead to from a node with several edges, if it is one.
fn join(
    automaton: &Automaton,
    loops: &[Option<usize>],
    goals: &[bool],
    start: NodeId,
) -> Option<NodeId> {
    if automaton.nodes[start].edges.len() < 2 || loops[start].is_some() {
        return None;
    }
    // Where conditions alone do not lead on; a node without edges leads nowhere, and does not count
    // unless somebody wants to go there.
    let mut ends: Vec<NodeId> = Vec::new();
    let mut passed = vec![start];
    let mut at = 0;
    while at < passed.len() {
        let node = passed[at];
        at += 1;
        let edges = &automaton.nodes[node].edges;
        let only_tests = edges.iter().all(|edge| {
            matches!(edge.label, Label::Skip | Label::Compare { .. } | Label::Test { .. })
        });
        if !only_tests || loops[node].is_some() || goals[node] && node != start {
            ends.push(node);
            continue;
        }
        for edge in edges {
            if !passed.contains(&edge.to) {
                passed.push(edge.to);
            }
        }
        if passed.len() > MAX_TESTED {
            return None;
        }
    }
    // The nearest node that all walks come through: one that is behind every other.
    let candidates = passed.iter().skip(1).copied();
    candidates
        .filter(|&node| is_between(automaton, start, node, &passed, &ends))
        .min_by_key(|&node| passed.iter().position(|&other| other == node))
}

/// True if every walk from a node by conditions alone comes through another, or to an end.
fn is_between(
    automaton: &Automaton,
    start: NodeId,
    middle: NodeId,
    passed: &[NodeId],
    ends: &[NodeId],
) -> bool {
    let mut reached = vec![start];
    let mut at = 0;
    while at < reached.len() {
        let node = reached[at];
        at += 1;
        if ends.contains(&node) {
            return false;
        }
        for edge in &automaton.nodes[node].edges {
            if edge.to != middle && !reached.contains(&edge.to) {
                if !passed.contains(&edge.to) {
                    return false;
                }
                reached.push(edge.to);
            }
        }
    }
    true
}

//! Paths and cycles of edges that a player owns.
//!
//! The tests are those of the specification, which describes an algorithm more than a notion: in a cycle
//! of an exact length shorter ones pass, too, and the shortest cycle is looked for in the order of
//! vertices.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Eval;
use crate::ir::Path;

/// The edges of a player as a graph: for every vertex the edges there, with the vertices they lead to.
struct Owned {
    at: Vec<Vec<(usize, usize)>>,
    edges: Vec<[usize; 2]>,
}

impl Owned {
    fn new(edges: Vec<[usize; 2]>) -> Owned {
        let vertices = edges.iter().flatten().max().map_or(0, |&v| v + 1);
        let mut at = vec![Vec::new(); vertices];
        for (edge, &[a, b]) in edges.iter().enumerate() {
            at[a].push((edge, b));
            at[b].push((edge, a));
        }
        Owned { at, edges }
    }

    fn vertices(&self) -> usize {
        self.at.len()
    }

    /// Whether an edge is on no cycle.
    fn is_bridge(&self, edge: usize) -> bool {
        let [a, b] = self.edges[edge];
        let mut seen = vec![false; self.vertices()];
        seen[a] = true;
        let mut pending = vec![a];
        while let Some(vertex) = pending.pop() {
            for &(other, next) in &self.at[vertex] {
                if other != edge && !std::mem::replace(&mut seen[next], true) {
                    pending.push(next);
                }
            }
        }
        !seen[b]
    }

    /// The vertices that stay connected with one when all bridges are taken away.
    fn bridgeless(&self, start: usize) -> Vec<bool> {
        let bridges: Vec<bool> = (0..self.edges.len()).map(|e| self.is_bridge(e)).collect();
        let mut seen = vec![false; self.vertices()];
        seen[start] = true;
        let mut pending = vec![start];
        while let Some(vertex) = pending.pop() {
            for &(edge, next) in &self.at[vertex] {
                if !bridges[edge] && !std::mem::replace(&mut seen[next], true) {
                    pending.push(next);
                }
            }
        }
        seen
    }

    /// The edges of a way between the ends of an edge that does not use it, vertices being looked at in
    /// the order of their numbers, each once.
    fn way_around(&self, edge: usize) -> Option<usize> {
        let [from, to] = self.edges[edge];
        let mut distance = vec![usize::MAX; self.vertices()];
        let mut done = vec![false; self.vertices()];
        let mut queue = BinaryHeap::from([Reverse(from)]);
        distance[from] = 0;
        while let Some(Reverse(vertex)) = queue.pop() {
            if std::mem::replace(&mut done[vertex], true) {
                continue;
            }
            for &(other, next) in &self.at[vertex] {
                if other != edge && !done[next] && distance[vertex] + 1 < distance[next] {
                    distance[next] = distance[vertex] + 1;
                    queue.push(Reverse(next));
                }
            }
        }
        Some(distance[to]).filter(|&way| way != usize::MAX)
    }

    /// How far ways along edges lead from a vertex, never over an edge again, and how many edges they
    /// use.
    fn reach(&self, from: usize, not: usize) -> (usize, usize) {
        let mut used = vec![false; self.edges.len()];
        used[not] = true;
        let (mut deepest, mut count) = (0, 0);
        let mut pending = vec![(from, 0)];
        while let Some((vertex, depth)) = pending.pop() {
            deepest = deepest.max(depth);
            for &(edge, next) in &self.at[vertex] {
                if !std::mem::replace(&mut used[edge], true) {
                    count += 1;
                    pending.push((next, depth + 1));
                }
            }
        }
        (deepest, count)
    }
}

impl<const W: usize> Eval<'_, W> {
    /// Whether edges of a player through one of them are a path, or a cycle, of some length.
    pub(super) fn is_path(&mut self, path: &Path) -> bool {
        let owner = self.int(&path.owner);
        let from = self.int(&path.from);
        let (min, max) = (self.int(&path.length.0), self.int(&path.length.1));
        let closed = self.test(&path.closed);
        let Some(from) = usize::try_from(from).ok().filter(|&from| from < path.ends.len()) else {
            return false;
        };
        let is_owned = |edge: &usize| {
            let what = self.state.what(path.first + edge);
            *edge == from || what != 0 && i32::from(self.game.layout.owner[what]) == owner
        };
        let numbers: Vec<usize> = (0..path.ends.len()).filter(is_owned).collect();
        let graph = Owned::new(numbers.iter().map(|&e| path.ends[e].map(usize::from)).collect());
        let Some(edge) = numbers.iter().position(|&number| number == from) else { return false };
        let [a, b] = graph.edges[edge];
        let part = graph.bridgeless(a);
        let size = if part[b] { part.iter().filter(|&&inside| inside).count() } else { 0 };
        let as_length = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
        let exact = min == max;
        if !closed {
            let ((one, of_one), (other, of_other)) = (graph.reach(a, edge), graph.reach(b, edge));
            let length = one + other + 1;
            let fits = if exact { as_length(length) == min } else { as_length(length) <= max };
            return size == 0 && fits && of_one + of_other + 1 == length;
        }
        let inside = graph.edges.iter().filter(|[a, b]| part[*a] && part[*b]).count();
        let inside = if size == 0 { 0 } else { inside };
        if size == inside && exact && as_length(size) == max {
            return true;
        }
        if size == inside && !exact && max > 2 && size > 2 && as_length(size) <= max {
            return true;
        }
        let cycle = (inside > size).then(|| graph.way_around(edge)).flatten();
        cycle.is_some_and(|way| {
            let length = as_length(way + 1);
            exact && length == max || max > 2 && length <= max
        })
    }
}

//! Paths and cycles of edges that a player owns.
//!
//! The tests are those of the specification, which describes an algorithm more than a notion: in a
//! cycle of an exact length shorter ones pass, too, and the shortest cycle is looked for in the
//! order of vertices.

use super::Eval;
use crate::buffer::{Buffer, pooled};
use crate::ir::{Path, SitePath};
use crate::set::Set;

pooled!((usize, usize), [usize; 2]);

/// The edges of a player as a graph: for every vertex the edges there, with the vertices they lead
/// to.
struct Owned {
    /// By vertex the place in `at` at which its edges begin; the last number is the end.
    begins: Buffer<usize>,
    at: Buffer<(usize, usize)>,
    edges: Buffer<[usize; 2]>,
}

impl Owned {
    fn new(edges: Buffer<[usize; 2]>) -> Owned {
        let vertices = edges.iter().flatten().max().map_or(0, |&v| v + 1);
        let mut begins = Buffer::filled(0, vertices + 1);
        edges.iter().flatten().for_each(|&vertex| begins[vertex + 1] += 1);
        (0..vertices).for_each(|vertex| begins[vertex + 1] += begins[vertex]);
        let (mut ends, mut at) = (begins.clone(), Buffer::filled((0, 0), 2 * edges.len()));
        for (edge, &[a, b]) in edges.iter().enumerate() {
            for (vertex, next) in [(a, b), (b, a)] {
                at[ends[vertex]] = (edge, next);
                ends[vertex] += 1;
            }
        }
        Owned { begins, at, edges }
    }

    fn vertices(&self) -> usize {
        self.begins.len() - 1
    }

    /// The edges of a vertex, with the vertices they lead to.
    fn at(&self, vertex: usize) -> &[(usize, usize)] {
        &self.at[self.begins[vertex]..self.begins[vertex + 1]]
    }

    /// The vertices that ways lead to from one, along edges that may be used.
    fn connected(&self, start: usize, usable: impl Fn(usize) -> bool) -> Buffer<bool> {
        let mut seen = Buffer::filled(false, self.vertices());
        seen[start] = true;
        let mut pending = Buffer::one(start);
        while let Some(vertex) = pending.pop() {
            for &(edge, next) in self.at(vertex) {
                if usable(edge) && !std::mem::replace(&mut seen[next], true) {
                    pending.push(next);
                }
            }
        }
        seen
    }

    /// True if an edge is on no cycle.
    fn is_bridge(&self, edge: usize) -> bool {
        let [a, b] = self.edges[edge];
        !self.connected(a, |other| other != edge)[b]
    }

    /// The vertices that stay connected with one when all bridges are taken away.
    fn bridgeless(&self, start: usize) -> Buffer<bool> {
        let bridges: Buffer<bool> = (0..self.edges.len()).map(|e| self.is_bridge(e)).collect();
        self.connected(start, |edge| !bridges[edge])
    }

    /// The edges of a way between the ends of an edge that does not use it, vertices being looked
    /// at in the order of their numbers, each once.
    fn way_around(&self, edge: usize) -> Option<usize> {
        let [from, to] = self.edges[edge];
        let mut distance = Buffer::filled(usize::MAX, self.vertices());
        let mut pending = Buffer::filled(false, self.vertices());
        let mut done = pending.clone();
        (distance[from], pending[from]) = (0, true);
        while let Some(vertex) = pending.iter().position(|&pending| pending) {
            (pending[vertex], done[vertex]) = (false, true);
            for &(other, next) in self.at(vertex) {
                if other != edge && !done[next] {
                    distance[next] = distance[next].min(distance[vertex] + 1);
                    pending[next] = true;
                }
            }
        }
        Some(distance[to]).filter(|&way| way != usize::MAX)
    }

    /// The greatest lengths of ways along edges from a vertex, never over an edge again: how far
    /// they lead, and how many edges they use.
    fn reach(&self, from: usize, not: usize) -> (usize, usize) {
        let mut used = Buffer::filled(false, self.edges.len());
        used[not] = true;
        let (mut deepest, mut count) = (0, 0);
        let mut pending = Buffer::one((from, 0));
        while let Some((vertex, depth)) = pending.pop() {
            deepest = deepest.max(depth);
            for &(edge, next) in self.at(vertex) {
                if !std::mem::replace(&mut used[edge], true) {
                    count += 1;
                    pending.push((next, depth + 1));
                }
            }
        }
        (deepest, count)
    }
}

impl Eval<'_> {
    /// True if the sites of a player that are connected with one of them are a path of some length,
    /// each beside the next one and no others, or a cycle.
    pub(super) fn is_site_path(&mut self, path: &SitePath) -> bool {
        let owner = self.int(&path.owner);
        let (min, max) = (self.int(&path.length.0), self.int(&path.length.1));
        let closed = self.test(&path.closed);
        let Some(from) = self.site(&path.from).filter(|&from| self.game.board.contains(from))
        else {
            return false;
        };
        let is_owned = |site: usize| {
            let what = self.state.what(site);
            site == from || what != 0 && i32::from(self.game.layout.owner[what]) == owner
        };
        let mut all = Set::single(from);
        let mut pending = Buffer::one(from);
        // Of every step both ends count it; of a path in two directions all but the ends have two.
        let (mut steps, mut most) = (0, 0);
        while let Some(site) = pending.pop() {
            let near = self.game.jump(path.jumps).of(site).iter().map(|&next| usize::from(next));
            let mut here = 0;
            for next in near.filter(|&next| is_owned(next)) {
                here += 1;
                if !all.contains(next) {
                    all.insert(next);
                    pending.push(next);
                }
            }
            (steps, most) = (steps + here, most.max(here));
        }
        let sites = all.len();
        let wanted = if closed { sites } else { sites - 1 };
        most <= 2 && steps == 2 * wanted && (min..=max).contains(&(sites as i32))
    }

    /// True if edges of a player through one of them are a path, or a cycle, of some length.
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
        let numbers: Buffer<usize> = (0..path.ends.len()).filter(is_owned).collect();
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

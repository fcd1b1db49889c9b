//! The edges of a player as a graph.
//!
//! The specification names the properties only; they are those of graph theory. A tree is made of
//! edges and of the vertices that they join, and vertices without edges count where all of the
//! board are asked for.

use super::Eval;
use crate::ir::{Graph, GraphProperty};

impl Eval<'_> {
    /// True if the edges of a player have a property.
    pub(super) fn is_graph(&mut self, graph: &Graph) -> bool {
        let owner = graph.owner.as_ref().map(|owner| self.int(owner));
        let is_owned = |edge: &usize| {
            let what = self.state.what(graph.first + edge);
            let whose = i32::from(self.game.layout.owner[what]);
            what != 0 && owner.is_none_or(|owner| owner == whose)
        };
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices];
        let mut edges = 0;
        for edge in (0..graph.ends.len()).filter(is_owned) {
            let [a, b] = graph.ends[edge].map(usize::from);
            if a < near.len() && b < near.len() {
                near[a].push(b);
                near[b].push(a);
                edges += 1;
            }
        }
        match &graph.property {
            GraphProperty::Tree => is_tree(&near, edges),
            GraphProperty::SpanningTree => {
                is_tree(&near, edges) && near.iter().all(|near| !near.is_empty())
            }
            GraphProperty::CaterpillarTree => {
                let inner = |vertex: &usize| near[*vertex].len() > 1;
                let straight =
                    |vertex: usize| near[vertex].iter().copied().filter(inner).count() <= 2;
                is_tree(&near, edges) && (0..near.len()).filter(inner).all(straight)
            }
            GraphProperty::Centre { at, first_vertex } => {
                let Some(at) = self.site(at) else { return false };
                let edge = at.checked_sub(graph.first).filter(|&edge| edge < graph.ends.len());
                let vertex = first_vertex.and_then(|first| at.checked_sub(first));
                let wanted = match (edge, vertex) {
                    (Some(edge), _) => graph.ends[edge].map(usize::from).to_vec(),
                    (_, Some(vertex)) => vec![vertex],
                    _ => return false,
                };
                centre(&near, wanted[0]).is_some_and(|centre| match wanted[..] {
                    [vertex] => centre.contains(&vertex),
                    _ => centre.len() == 2 && wanted.iter().all(|vertex| centre.contains(vertex)),
                })
            }
            GraphProperty::Regular { degree, odd, even } => {
                let degree = degree.as_ref().map(|degree| self.int(degree));
                let Some(first) = near.first().map(Vec::len) else { return false };
                near.iter().all(|near| near.len() == first)
                    && degree.is_none_or(|degree| degree == first as i32)
                    && (!odd || first % 2 == 1)
                    && (!even || first.is_multiple_of(2))
            }
        }
    }
}

/// True if there are edges, which hang together without a cycle.
fn is_tree(near: &[Vec<usize>], edges: usize) -> bool {
    let Some(start) = near.iter().position(|near| !near.is_empty()) else { return false };
    let touched = near.iter().filter(|near| !near.is_empty()).count();
    reached(near, start).len() == touched && edges + 1 == touched
}

/// The vertices that edges lead to from one, that one first.
fn reached(near: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut seen = vec![false; near.len()];
    seen[start] = true;
    let mut all = vec![start];
    let mut next = 0;
    while let Some(&vertex) = all.get(next) {
        next += 1;
        for &other in &near[vertex] {
            if !std::mem::replace(&mut seen[other], true) {
                all.push(other);
            }
        }
    }
    all
}

/// The centre of the tree around a vertex: what is left where leaves are taken away until one
/// vertex is, or two. `None` where there is no tree.
fn centre(near: &[Vec<usize>], start: usize) -> Option<Vec<usize>> {
    near.get(start)?;
    let mut degrees: Vec<usize> = near.iter().map(Vec::len).collect();
    let all = reached(near, start);
    let ends: usize = all.iter().map(|&vertex| degrees[vertex]).sum();
    if all.len() < 2 || ends != 2 * (all.len() - 1) {
        return None;
    }
    let mut left = all.len();
    let mut leaves: Vec<usize> = all.iter().copied().filter(|&v| degrees[v] == 1).collect();
    while left > 2 {
        left -= leaves.len();
        let mut later = Vec::new();
        for &leaf in &leaves {
            degrees[leaf] = 0;
            for &other in &near[leaf] {
                degrees[other] = degrees[other].saturating_sub(1);
                if degrees[other] == 1 {
                    later.push(other);
                }
            }
        }
        leaves = later;
    }
    Some(leaves)
}

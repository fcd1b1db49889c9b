//! Contacts between elements of a board.

use super::geometry::crossing;
use super::{SiteType, Topology};

impl Topology {
    /// The elements of the type `result` that touch an element of the type `of`, in ascending
    /// order. Elements of one type touch over an edge, edges at a vertex. For vertices the
    /// reference returns the cells at the edges of the vertex, without the cell that has the number
    /// of the vertex, and so does this function.
    pub fn incident(&self, result: SiteType, of: SiteType, element: usize) -> Vec<u16> {
        let graph = &self.graph;
        let cells_at = |edge: usize| {
            let edge = &graph.edges[edge];
            edge.left.into_iter().chain(edge.right)
        };
        let mut found: Vec<usize> = match of {
            SiteType::Cell => {
                let Some(face) = graph.faces.get(element) else { return Vec::new() };
                match result {
                    SiteType::Vertex => face.vertices.clone(),
                    SiteType::Edge => face.edges.clone(),
                    SiteType::Cell => {
                        let cells = face.edges.iter().flat_map(|&edge| cells_at(edge));
                        cells.filter(|&cell| cell != element).collect()
                    }
                }
            }
            SiteType::Edge => {
                let Some(edge) = graph.edges.get(element) else { return Vec::new() };
                match result {
                    SiteType::Vertex => edge.ends.to_vec(),
                    SiteType::Cell => cells_at(element).collect(),
                    SiteType::Edge => {
                        let edges = edge.ends.iter().flat_map(|&end| &graph.vertices[end].edges);
                        edges.copied().filter(|&other| other != element).collect()
                    }
                }
            }
            SiteType::Vertex => {
                let Some(vertex) = graph.vertices.get(element) else { return Vec::new() };
                let cells = vertex.edges.iter().flat_map(|&edge| cells_at(edge));
                match result {
                    SiteType::Edge => vertex.edges.clone(),
                    SiteType::Cell => cells.collect(),
                    SiteType::Vertex => cells.filter(|&cell| cell != element).collect(),
                }
            }
        };
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|element| element as u16).collect()
    }

    /// The edges that cross an edge between the ends of both.
    pub fn crossing_edges(&self, edge: usize) -> Vec<u16> {
        let ends = |edge: usize| self.graph.edges[edge].ends.map(|v| self.graph.vertices[v].at);
        let inside = |along: f64| (0.01..=0.99).contains(&along);
        let edges = 0..self.graph.edges.len();
        if !edges.contains(&edge) {
            return Vec::new();
        }
        let [a, b] = ends(edge);
        let crosses = |&other: &usize| {
            let [c, d] = ends(other);
            crossing(a, b, c, d).is_some_and(|(t, u)| inside(t) && inside(u))
        };
        edges.filter(crosses).map(|other| other as u16).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Diagonals, Played, Shape};
    use super::*;

    #[test]
    fn what_touches_on_a_board_of_four_cells() {
        // Vertices 0 to 8 and cells 0 to 3 row by row; edges by height: 0 1, 2 3 4, 5 6, 7 8 9, 10
        // 11.
        let shape = Shape::Rectangle { rows: 2, columns: 2, diagonals: Diagonals::None };
        let board = Topology::new(&shape, Played::on(SiteType::Cell)).expect("a small board");
        let (cell, edge, vertex) = (SiteType::Cell, SiteType::Edge, SiteType::Vertex);
        for (result, of, element, expected) in [
            (vertex, cell, 0, &[0u16, 1, 3, 4][..]),
            (edge, cell, 0, &[0, 2, 3, 5]),
            (cell, cell, 0, &[1, 2]),
            (cell, vertex, 4, &[0, 1, 2, 3]),
            (edge, vertex, 4, &[3, 5, 6, 8]),
            (vertex, vertex, 1, &[0]),
            (vertex, edge, 3, &[1, 4]),
            (cell, edge, 3, &[0, 1]),
            (cell, edge, 0, &[0]),
            (edge, edge, 0, &[1, 2, 3]),
            (edge, cell, 4, &[]),
        ] {
            assert_eq!(
                board.incident(result, of, element),
                expected,
                "{result:?} {of:?} {element}"
            );
        }
    }
}

//! The outline of a board: perimeters, their corners and sides.

use super::geometry::{Point, Polygon, TINY, cross, distance_to_line};
use super::graph::Graph;
use super::shape::SiteType;
use crate::meter;

/// Properties of elements, as bits.
pub(super) mod flag {
    pub(crate) const CONVEX: u16 = 1;
    pub(crate) const CONCAVE: u16 = 1 << 1;
    pub(crate) const PERIMETER: u16 = 1 << 2;
    pub(crate) const CENTRE: u16 = 1 << 3;
    pub(crate) const TOP: u16 = 1 << 4;
    pub(crate) const BOTTOM: u16 = 1 << 5;
    pub(crate) const LEFT: u16 = 1 << 6;
    pub(crate) const RIGHT: u16 = 1 << 7;
    pub(crate) const MAJOR: u16 = 1 << 8;
}

/// Properties of every element with regard to the outline: bits of [`flag`] and bits of sides.
pub(super) struct Outline {
    pub(super) flags: [Vec<u16>; 3],
    /// Bit `i` is side `i` of N, NE, E, SE, S, SW, W, NW.
    pub(super) sides: [Vec<u8>; 3],
}

const CORNER: u16 = flag::CONVEX | flag::CONCAVE;
const V: usize = SiteType::Vertex as usize;
const E: usize = SiteType::Edge as usize;
const C: usize = SiteType::Cell as usize;

impl Outline {
    pub(super) fn of(graph: &Graph) -> Outline {
        let sizes = [graph.vertices.len(), graph.edges.len(), graph.faces.len()];
        let mut outline =
            Outline { flags: sizes.map(|n| vec![0; n]), sides: sizes.map(|n| vec![0; n]) };
        let perimeters = perimeters(graph);
        for perimeter in &perimeters {
            outline.mark_perimeter(graph, perimeter);
        }
        outline.widen(graph);
        let n = graph.vertices.len().max(1) as f64;
        let sum = graph.vertices.iter().fold((0.0, 0.0), |s, v| (s.0 + v.at.x, s.1 + v.at.y));
        let middle = Point::new(sum.0 / n, sum.1 / n);
        for perimeter in &perimeters {
            for (index, bit) in corners(graph, perimeter) {
                outline.flags[V][perimeter[index]] |= bit;
            }
        }
        for perimeter in &perimeters {
            outline.mark_sides(graph, perimeter, middle);
        }
        outline.corners_of_edges_and_faces(graph);
        outline.sides_of_edges_and_faces(graph);
        outline
    }

    fn mark_perimeter(&mut self, graph: &Graph, perimeter: &[usize]) {
        for (i, &v) in perimeter.iter().enumerate() {
            self.flags[V][v] |= flag::PERIMETER;
            let next = perimeter[(i + 1) % perimeter.len()];
            if let Some(edge) = graph.find_edge(v, next) {
                self.flags[E][edge] |= flag::PERIMETER;
                if let Some(face) = graph.edges[edge].left.or(graph.edges[edge].right) {
                    self.flags[C][face] |= flag::PERIMETER;
                }
            }
        }
    }

    /// Elements that touch the outline with a corner belong to it too.
    fn widen(&mut self, graph: &Graph) {
        let on = |v: &usize| self.flags[V][*v] & flag::PERIMETER != 0;
        let edges: Vec<usize> = (0..graph.edges.len())
            .filter(|&e| {
                let edge = &graph.edges[e];
                edge.ends.iter().all(on) && (edge.left.is_none() || edge.right.is_none())
            })
            .collect();
        let faces: Vec<usize> =
            (0..graph.faces.len()).filter(|&f| graph.faces[f].vertices.iter().any(on)).collect();
        for edge in edges {
            self.flags[E][edge] |= flag::PERIMETER;
        }
        for face in faces {
            self.flags[C][face] |= flag::PERIMETER;
        }
    }

    fn corners_of_edges_and_faces(&mut self, graph: &Graph) {
        for v in 0..graph.vertices.len() {
            let kind = self.flags[V][v] & CORNER;
            if kind == 0 {
                continue;
            }
            let incident = &graph.vertices[v].edges;
            let mut found = false;
            for &e in incident {
                if self.flags[V][graph.edges[e].other(v)] & CORNER != 0 {
                    found = true;
                    self.flags[E][e] |= kind;
                    if let Some(face) = graph.edges[e].left.or(graph.edges[e].right) {
                        self.flags[C][face] |= kind;
                    }
                }
            }
            if found {
                continue;
            }
            for &e in incident {
                if self.flags[E][e] & flag::PERIMETER != 0 {
                    self.flags[E][e] |= kind;
                    if kind & flag::CONVEX != 0
                        && let Some(face) = graph.edges[e].left.or(graph.edges[e].right)
                    {
                        self.flags[C][face] |= flag::CONVEX;
                    }
                }
            }
            if kind & flag::CONCAVE != 0 {
                for &f in &graph.vertices[v].faces {
                    let touching = graph.faces[f]
                        .vertices
                        .iter()
                        .filter(|&&w| self.flags[V][w] & flag::PERIMETER != 0)
                        .count();
                    if touching == 1 {
                        self.flags[C][f] |= flag::CONCAVE;
                    }
                }
            }
        }
    }

    fn mark_sides(&mut self, graph: &Graph, perimeter: &[usize], middle: Point) {
        let n = perimeter.len();
        // A walk may pass a corner several times.
        let is_corner = |&i: &usize| self.flags[V][perimeter[i]] & CORNER != 0;
        let corners: Vec<usize> = (0..n).filter(is_corner).collect();
        for (i, &start) in corners.iter().enumerate() {
            let end = corners[(i + 1) % corners.len()];
            let length = (end + n - start) % n;
            let length = if length == 0 { n } else { length };
            let run: Vec<usize> = (0..=length).map(|k| perimeter[(start + k) % n]).collect();
            let sum = run.iter().fold((0.0, 0.0), |s, &v| {
                (s.0 + graph.vertices[v].at.x, s.1 + graph.vertices[v].at.y)
            });
            let count = run.len() as f64;
            let mean = Point::new(sum.0 / count, sum.1 / count);
            // 16 sectors counter-clockwise from the east.
            let side = match super::steps::sector(middle.angle_to(mean), 16) {
                0 => 2,
                1..=3 => 1,
                4 => 0,
                5..=7 => 7,
                8 => 6,
                9..=11 => 5,
                12 => 4,
                _ => 3,
            };
            for v in run {
                self.sides[V][v] |= 1 << side;
            }
        }
    }

    fn sides_of_edges_and_faces(&mut self, graph: &Graph) {
        for (e, edge) in graph.edges.iter().enumerate() {
            self.sides[E][e] = edge.ends.iter().fold(0, |bits, &v| bits | self.sides[V][v]);
        }
        for (f, face) in graph.faces.iter().enumerate() {
            self.sides[C][f] = face.vertices.iter().fold(0, |bits, &v| bits | self.sides[V][v]);
        }
    }
}

/// Walks around each connected part, leaving out parts that lie inside others.
fn perimeters(graph: &Graph) -> Vec<Vec<usize>> {
    let mut covered = vec![false; graph.vertices.len()];
    let (mut found, mut polygons): (Vec<Vec<usize>>, Vec<Polygon>) = (Vec::new(), Vec::new());
    // The first uncovered vertex furthest to the left.
    while let Some(start) = (0..graph.vertices.len())
        .filter(|&v| !covered[v])
        .min_by(|&v, &w| graph.vertices[v].at.x.total_cmp(&graph.vertices[w].at.x))
    {
        if !meter::work(1 + graph.vertices.len() as u64 / 8) {
            break;
        }
        let walk = walk_around(graph, start);
        let polygon = Polygon::new(walk.iter().map(|&v| graph.vertices[v].at).collect());
        for &v in &walk {
            covered[v] = true;
        }
        for (v, covered) in covered.iter_mut().enumerate() {
            *covered = *covered || polygon.contains(graph.vertices[v].at);
        }
        found.push(walk);
        polygons.push(polygon);
    }
    for i in (0..found.len()).rev() {
        let first = graph.vertices[found[i][0]].at;
        if polygons.iter().enumerate().any(|(j, other)| j != i && other.contains(first)) {
            found.remove(i);
            polygons.remove(i);
        }
    }
    found
}

fn walk_around(graph: &Graph, start: usize) -> Vec<usize> {
    let origin = graph.vertices[start].at;
    let mut walk = vec![start];
    let heading = |&e: &usize| {
        let neighbour = graph.vertices[graph.edges[e].other(start)].at;
        (neighbour.x - origin.x).atan2(origin.y - neighbour.y)
    };
    let first = graph.vertices[start]
        .edges
        .iter()
        .copied()
        .min_by(|e, f| heading(e).total_cmp(&heading(f)));
    let Some(mut edge) = first else { return walk };
    let mut vertex = start;
    // Every edge is walked at most twice, once in each direction.
    for _ in 0..2 * graph.edges.len() {
        let previous = vertex;
        vertex = graph.edges[edge].other(vertex);
        if vertex == start {
            break;
        }
        walk.push(vertex);
        let incident = &graph.vertices[vertex].edges;
        let arrived = incident.iter().position(|&e| e == edge).unwrap_or(0);
        edge = (1..incident.len())
            .map(|i| incident[(arrived + i) % incident.len()])
            .find(|&e| graph.edges[e].other(vertex) != previous)
            .unwrap_or(edge);
    }
    walk
}

/// The corners of a perimeter: index in the walk, and the flag that tells if they are convex.
fn corners(graph: &Graph, perimeter: &[usize]) -> Vec<(usize, u16)> {
    let n = perimeter.len();
    if n < 6 {
        return (0..n).map(|i| (i, flag::CONVEX)).collect();
    }
    let point = |i: usize| graph.vertices[perimeter[i % n]].at;
    let bend: Vec<f64> = (0..n)
        .map(|i| {
            (1..=3)
                .map(|k| {
                    let (before, after) = (point(i + n - k), point(i + k));
                    let away = distance_to_line(point(i), before, after);
                    let clockwise = cross(before, point(i), after) < TINY;
                    (if clockwise { -away } else { away }) / k as f64
                })
                .sum()
        })
        .collect();
    let smooth: Vec<f64> =
        (0..n).map(|i| (4.0 * bend[i] + bend[(i + 1) % n] + bend[(i + n - 1) % n]) / 6.0).collect();
    let mut kept: Vec<u16> = (0..n)
        .map(|i| {
            let (own, left, right) = (smooth[i], smooth[(i + n - 1) % n], smooth[(i + 1) % n]);
            if own >= 0.32 && own >= left - 0.001 && own >= right - 0.001 {
                flag::CONVEX
            } else if own <= -0.25 && own <= left + 0.001 && own <= right + 0.001 {
                flag::CONCAVE
            } else {
                0
            }
        })
        .collect();
    for i in 0..n {
        if kept[i] & flag::CONVEX != 0 {
            for j in [(i + n - 1) % n, (i + 1) % n] {
                if smooth[j] >= 0.95 * smooth[i] {
                    kept[j] |= flag::CONVEX;
                }
            }
        }
    }
    (0..n).filter(|&i| kept[i] != 0).map(|i| (i, kept[i])).collect()
}

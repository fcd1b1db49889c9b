//! Single steps between neighbouring elements, and the directions they have.

use std::f64::consts::{FRAC_PI_2, TAU};

use rustc_hash::FxHashSet;

use super::directions::Direction;
use super::geometry::{Point, cross, distance_to_line};
use super::graph::Graph;
use super::shape::SiteType;

/// The sector of a circle that an angle falls into, sectors being counted counter-clockwise from
/// the one centred on the east.
pub(super) fn sector(angle: f64, sectors: usize) -> usize {
    let width = TAU / sectors as f64;
    let angle = if angle < -width / 2.0 { angle + TAU } else { angle };
    (0..sectors).find(|&i| angle < (i as f64 + 0.5) * width).unwrap_or(0)
}

/// Rank of a direction clockwise from the north.
pub(super) fn clockwise_from_north(from: Point, to: Point) -> f64 {
    let mut score = FRAC_PI_2 - from.angle_to(to) + 0.0001;
    while score < 0.0 {
        score += TAU;
    }
    score
}

/// A step to another element of the same type.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) to: usize,
    /// The directions that the step is listed under, as bits.
    pub(super) listed: u64,
}

/// A step to any element while it is being classified.
struct CandidateStep {
    to: (SiteType, usize),
    at: Point,
    listed: u64,
}

/// Steps from every element of one type to others of that type, clockwise from the north.
pub(super) fn steps(graph: &Graph, site: SiteType) -> Vec<Vec<Step>> {
    let finder = Finder::new(graph);
    let count = match site {
        SiteType::Vertex => graph.vertices.len(),
        SiteType::Edge => graph.edges.len(),
        SiteType::Cell => graph.faces.len(),
    };
    (0..count)
        .map(|element| {
            let origin = finder.position(site, element);
            let mut candidates = match site {
                SiteType::Vertex => finder.from_vertex(element),
                SiteType::Edge => finder.from_edge(element),
                SiteType::Cell => finder.from_cell(element),
            };
            finder.add_compass(origin, &mut candidates);
            finder.add_rotations(site, element, origin, &mut candidates);
            candidates.sort_by(|a, b| {
                clockwise_from_north(origin, a.at).total_cmp(&clockwise_from_north(origin, b.at))
            });
            let same = candidates.into_iter().filter(|d| d.to.0 == site);
            same.map(|d| Step { to: d.to.1, listed: d.listed }).collect()
        })
        .collect()
}

struct Finder<'g> {
    graph: &'g Graph,
    mean_edge: f64,
    /// End vertices of curved edges, smaller first.
    curved: FxHashSet<(usize, usize)>,
    pivots: FxHashSet<usize>,
}

const ORTHOGONAL: [Direction; 3] = [Direction::Orthogonal, Direction::Adjacent, Direction::All];

impl<'g> Finder<'g> {
    fn new(graph: &'g Graph) -> Finder<'g> {
        let curved = graph.edges.iter().filter(|e| e.curved);
        Finder {
            graph,
            mean_edge: graph.mean_edge_length(),
            curved: curved.map(|e| ordered(e.ends[0], e.ends[1])).collect(),
            pivots: graph.vertices.iter().filter_map(|v| v.pivot).collect(),
        }
    }

    fn position(&self, site: SiteType, element: usize) -> Point {
        match site {
            SiteType::Vertex => self.graph.vertices[element].at,
            SiteType::Edge => self.graph.edge_at(element),
            SiteType::Cell => self.graph.faces[element].at,
        }
    }

    /// Adds a step, unless there is one to the same element already.
    fn push(
        &self,
        candidates: &mut Vec<CandidateStep>,
        site: SiteType,
        element: usize,
        directions: &[Direction],
    ) {
        if candidates.iter().all(|d| d.to != (site, element)) {
            let listed = directions.iter().fold(0, |bits, d| bits | d.bit());
            let point = self.position(site, element);
            candidates.push(CandidateStep { to: (site, element), at: point, listed });
        }
    }

    fn from_vertex(&self, v: usize) -> Vec<CandidateStep> {
        let (graph, vertex) = (self.graph, &self.graph.vertices[v]);
        let mut candidates = Vec::new();
        for &e in &vertex.edges {
            self.push(&mut candidates, SiteType::Vertex, graph.edges[e].other(v), &ORTHOGONAL);
        }
        for face in vertex.faces.iter().map(|&f| &graph.faces[f]) {
            if face.vertices.len() < 4 {
                continue;
            }
            let off = |t: usize| distance_to_line(face.at, vertex.at, graph.vertices[t].at);
            let others = face.vertices.iter().copied().filter(|&t| t != v);
            if let Some(t) = others.min_by(|&t, &u| off(t).total_cmp(&off(u))) {
                let diagonal = [Direction::Diagonal, Direction::All];
                self.push(&mut candidates, SiteType::Vertex, t, &diagonal);
            }
        }
        for &e in &vertex.edges {
            self.push(&mut candidates, SiteType::Edge, e, &ORTHOGONAL);
        }
        for &f in &vertex.faces {
            self.push(&mut candidates, SiteType::Cell, f, &ORTHOGONAL);
        }
        candidates
    }

    fn from_edge(&self, e: usize) -> Vec<CandidateStep> {
        let edge = &self.graph.edges[e];
        let mut candidates = Vec::new();
        for v in edge.ends {
            for &other in &self.graph.vertices[v].edges {
                if other != e {
                    self.push(&mut candidates, SiteType::Edge, other, &ORTHOGONAL);
                }
            }
        }
        for v in edge.ends {
            self.push(&mut candidates, SiteType::Vertex, v, &ORTHOGONAL);
        }
        for f in [edge.left, edge.right].into_iter().flatten() {
            self.push(&mut candidates, SiteType::Cell, f, &ORTHOGONAL);
        }
        candidates
    }

    fn from_cell(&self, f: usize) -> Vec<CandidateStep> {
        let (graph, face) = (self.graph, &self.graph.faces[f]);
        let mut candidates = Vec::new();
        let mut used = vec![f];
        for edge in face.edges.iter().map(|&e| &graph.edges[e]) {
            for g in [edge.left, edge.right].into_iter().flatten().filter(|&g| g != f) {
                self.push(&mut candidates, SiteType::Cell, g, &ORTHOGONAL);
                used.push(g);
            }
        }
        let diagonal = [Direction::Diagonal, Direction::Adjacent, Direction::All];
        for &v in &face.vertices {
            let vertex = &graph.vertices[v];
            let off = |g: usize| distance_to_line(vertex.at, face.at, graph.faces[g].at);
            let free = vertex.faces.iter().copied().filter(|g| !used.contains(g));
            if let Some(g) = free.min_by(|&g, &h| off(g).total_cmp(&off(h))) {
                self.push(&mut candidates, SiteType::Cell, g, &diagonal);
                used.push(g);
            }
        }
        let off_diagonal = [Direction::OffDiagonal, Direction::Adjacent, Direction::All];
        for &v in &face.vertices {
            for &g in &graph.vertices[v].faces {
                if !used.contains(&g) {
                    self.push(&mut candidates, SiteType::Cell, g, &off_diagonal);
                    used.push(g);
                }
            }
        }
        self.far_cells(f, &mut used, &mut candidates);
        for &v in &face.vertices {
            self.push(&mut candidates, SiteType::Vertex, v, &ORTHOGONAL);
        }
        for &e in &face.edges {
            self.push(&mut candidates, SiteType::Edge, e, &ORTHOGONAL);
        }
        candidates
    }

    /// Cells across an edge that starts at a corner: on boards of hexagons they are in line with
    /// the corner.
    fn far_cells(&self, f: usize, used: &mut Vec<usize>, candidates: &mut Vec<CandidateStep>) {
        let (graph, face) = (self.graph, &self.graph.faces[f]);
        for &v in &face.vertices {
            let vertex = &graph.vertices[v];
            if vertex.edges.len() != 3 {
                continue;
            }
            let Some(&out) = vertex.edges.iter().find(|e| !face.edges.contains(e)) else {
                continue;
            };
            let w = graph.edges[out].other(v);
            for &g in &graph.vertices[w].faces {
                if used.contains(&g) {
                    continue;
                }
                let (a, b) = (face.at, graph.faces[g].at);
                let length = a.flat_distance(b);
                if length < super::geometry::TINY {
                    continue;
                }
                let off = distance_to_line(vertex.at, a, b)
                    + distance_to_line(graph.vertices[w].at, a, b);
                if off / length <= 0.1 {
                    let far = [Direction::Diagonal, Direction::All];
                    self.push(candidates, SiteType::Cell, g, &far);
                    used.push(g);
                }
            }
        }
    }

    /// Elevation of a step, and true if it goes straight up or down.
    fn elevation(&self, from: Point, to: Point) -> (i8, bool) {
        let near = 0.1 * self.mean_edge;
        let dz = to.z - from.z;
        if dz.abs() <= near {
            return (0, false);
        }
        (if dz > 0.0 { 1 } else { -1 }, from.flat_distance(to) < near)
    }

    fn add_compass(&self, origin: Point, candidates: &mut [CandidateStep]) {
        // Eight winds if they distinguish all steps, else sixteen.
        let mut taken = FxHashSet::default();
        let eight = candidates.iter().all(|d| {
            let (elevation, vertical) = self.elevation(origin, d.at);
            let wind = if vertical { 8 } else { sector(origin.angle_to(d.at), 8) };
            taken.insert((elevation, wind))
        });
        for candidate in candidates.iter_mut() {
            let (elevation, vertical) = self.elevation(origin, candidate.at);
            let angle = origin.angle_to(candidate.at);
            let wind = if eight { 2 * sector(angle, 8) } else { sector(angle, 16) };
            let direction = if elevation == 0 {
                candidate.listed |= Direction::SameLayer.bit();
                Direction::wind(wind)
            } else {
                let up = elevation > 0;
                candidate.listed |= if up { Direction::Upward } else { Direction::Downward }.bit();
                // Intermediate winds belong to the diagonal ones.
                let main = if wind % 4 == 0 { wind } else { wind / 4 * 4 + 2 };
                Direction::spatial(up, (!vertical).then(|| Direction::wind(main)))
            };
            candidate.listed |= direction.bit();
        }
    }

    fn add_rotations(
        &self,
        site: SiteType,
        element: usize,
        origin: Point,
        candidates: &mut [CandidateStep],
    ) {
        let graph = self.graph;
        if site == SiteType::Vertex && self.pivots.contains(&element) {
            for candidate in candidates {
                candidate.listed |= Direction::Out.bit() | Direction::Rotational.bit();
            }
            return;
        }
        let pivot = match site {
            SiteType::Vertex => graph.vertices[element].pivot,
            SiteType::Edge => {
                graph.edges[element].ends.iter().find_map(|&v| graph.vertices[v].pivot)
            }
            SiteType::Cell => {
                graph.faces[element].vertices.iter().find_map(|&v| graph.vertices[v].pivot)
            }
        };
        let Some(pivot) = pivot.map(|p| graph.vertices[p].at) else { return };
        let unit = |to: Point| {
            let length = origin.distance(to);
            let scale = if length == 0.0 { 0.0 } else { 1.0 / length };
            ((to.x - origin.x) * scale, (to.y - origin.y) * scale, (to.z - origin.z) * scale)
        };
        let inward = unit(pivot);
        for candidate in candidates {
            if candidate.listed & Direction::Diagonal.bit() != 0 {
                continue;
            }
            let step = unit(candidate.at);
            let dot = step.0 * inward.0 + step.1 * inward.1 + step.2 * inward.2;
            let direction = if dot > 0.9 {
                Direction::In
            } else if dot < -0.9 {
                Direction::Out
            } else if self.curved.contains(&ordered(element, candidate.to.1)) {
                // The numbers are compared as if they were numbers of vertices.
                if cross(pivot, candidate.at, origin) > super::geometry::TINY {
                    Direction::CW
                } else {
                    Direction::CCW
                }
            } else {
                continue;
            };
            candidate.listed |= direction.bit() | Direction::Rotational.bit();
        }
    }
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// Tangent of the angle between the directions from `a` to `b` and from `b` to `c`; `None` if it is
/// a right angle or more.
pub(super) fn bend(a: Point, b: Point, c: Point) -> Option<f64> {
    let (ux, uy) = (b.x - a.x, b.y - a.y);
    let (vx, vy) = (c.x - b.x, c.y - b.y);
    let dot = ux * vx + uy * vy;
    (dot > 0.0).then(|| ((ux * vy - uy * vx) / dot).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_centred_on_the_winds() {
        assert_eq!(sector(0.0, 8), 0);
        assert_eq!(sector(-std::f64::consts::PI / 8.0 + 1e-9, 8), 0);
        assert_eq!(sector(-std::f64::consts::PI / 8.0 - 1e-9, 8), 7);
        assert_eq!(sector(FRAC_PI_2, 16), 4);
        assert_eq!(sector(std::f64::consts::PI, 16), 8);
    }
}

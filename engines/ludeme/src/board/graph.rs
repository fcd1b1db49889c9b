//! The planar graph that a board is made from: vertices, edges and faces, their numbering, and the
//! walk that finds the faces.

use crate::limits::MAX_CORNERS;
use crate::meter;
use rustc_hash::FxHashSet;

use super::geometry::{Point, bounds, crossing};

/// A corner of the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) at: Point,
    /// Incident edges, ascending by angle when last sorted.
    pub(super) edges: Vec<usize>,
    /// Faces with this corner, in the order in which they were made.
    pub(super) faces: Vec<usize>,
    /// The vertex that rotational directions from this one turn around.
    pub(super) pivot: Option<usize>,
}

/// A line between two vertices.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) ends: [usize; 2],
    pub(super) left: Option<usize>,
    pub(super) right: Option<usize>,
    /// True if it is drawn as an arc, which makes steps along it rotational.
    pub(super) curved: bool,
}

impl Edge {
    pub(super) fn other(&self, vertex: usize) -> usize {
        if self.ends[0] == vertex { self.ends[1] } else { self.ends[0] }
    }

    fn joins(&self, a: usize, b: usize) -> bool {
        self.ends == [a, b] || self.ends == [b, a]
    }
}

/// A cell of the board.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// Corners in order; edge `i` joins corner `i` and the one after it.
    pub(super) vertices: Vec<usize>,
    pub(super) edges: Vec<usize>,
    pub(super) at: Point,
}

/// A tiling that a graph may consist of. It only decides on the number of sites of a container of
/// dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Basis {
    /// An unknown tiling, or several.
    Mixed,
    /// One known tiling.
    Known,
}

/// Vertices, edges and faces, each numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    pub(super) faces: Vec<Face>,
    pub(super) basis: Basis,
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph { vertices: Vec::new(), edges: Vec::new(), faces: Vec::new(), basis: Basis::Mixed }
    }

    /// A graph of vertices at these places, with edges but no faces yet.
    pub(super) fn of(points: &[Point], edges: impl IntoIterator<Item = [usize; 2]>) -> Graph {
        let mut graph = Graph::new();
        for &p in points {
            graph.add_vertex(p);
        }
        for [a, b] in edges {
            graph.push_edge(a, b, false);
        }
        graph.sort_all_incident();
        graph
    }

    /// Joins all pairs of points at distance 1 and finds the faces. The coordinates are rounded to
    /// 32-bit floats first, except where `exact`; distances are those before rounding.
    pub(super) fn unit(points: &[Point], exact: bool) -> Graph {
        let mut pairs = Vec::new();
        for (i, a) in points.iter().enumerate() {
            if !meter::work(1 + (points.len() - i) as u64 / 16) {
                break;
            }
            for (j, b) in points.iter().enumerate().skip(i + 1) {
                if (a.distance(*b) - 1.0).abs() < 0.01 {
                    pairs.push([i, j]);
                }
            }
        }
        let stored: Vec<Point> =
            points.iter().map(|p| if exact { *p } else { p.rounded() }).collect();
        let mut graph = Graph::of(&stored, pairs);
        graph.make_faces(false);
        graph
    }

    pub(super) fn add_vertex(&mut self, point: Point) -> usize {
        self.vertices.push(Vertex { at: point, ..Vertex::default() });
        self.vertices.len() - 1
    }

    pub(super) fn find_vertex(&self, point: Point) -> Option<usize> {
        if !meter::work(1 + self.vertices.len() as u64 / 32) {
            return None;
        }
        self.vertices.iter().position(|v| v.at.taxicab(point) < 0.001)
    }

    pub(super) fn find_or_add_vertex(&mut self, point: Point) -> usize {
        self.find_vertex(point).unwrap_or_else(|| self.add_vertex(point))
    }

    pub(super) fn find_edge(&self, a: usize, b: usize) -> Option<usize> {
        self.vertices.get(a)?.edges.iter().copied().filter(|&e| self.edges[e].joins(a, b)).min()
    }

    /// Appends an edge without sorting the incident lists.
    pub(super) fn push_edge(&mut self, a: usize, b: usize, curved: bool) -> usize {
        let id = self.edges.len();
        self.edges.push(Edge { ends: [a, b], left: None, right: None, curved });
        self.vertices[a].edges.push(id);
        self.vertices[b].edges.push(id);
        id
    }

    /// The edge between two vertices, appended if there is none.
    pub(super) fn find_or_add_edge(&mut self, a: usize, b: usize) -> usize {
        if let Some(edge) = self.find_edge(a, b) {
            return edge;
        }
        let id = self.push_edge(a, b, false);
        self.sort_incident(a);
        self.sort_incident(b);
        id
    }

    pub(super) fn sort_incident(&mut self, vertex: usize) {
        let point = self.vertices[vertex].at;
        meter::work(1 + self.vertices[vertex].edges.len() as u64 / 4);
        let mut edges = std::mem::take(&mut self.vertices[vertex].edges);
        edges.sort_by(|&e, &f| {
            let angle = |e: usize| point.angle_to(self.vertices[self.edges[e].other(vertex)].at);
            angle(e).total_cmp(&angle(f))
        });
        self.vertices[vertex].edges = edges;
    }

    pub(super) fn sort_all_incident(&mut self) {
        for vertex in 0..self.vertices.len() {
            self.sort_incident(vertex);
        }
    }

    pub(super) fn edge_at(&self, edge: usize) -> Point {
        let [a, b] = self.edges[edge].ends;
        self.vertices[a].at.middle(self.vertices[b].at)
    }

    /// Mean length of the edges; 0 if there are none.
    pub(super) fn mean_edge_length(&self) -> f64 {
        if self.edges.is_empty() {
            return 0.0;
        }
        let length = |e: &Edge| self.vertices[e.ends[0]].at.distance(self.vertices[e.ends[1]].at);
        self.edges.iter().map(length).sum::<f64>() / self.edges.len() as f64
    }

    pub(super) fn bounds(&self) -> (Point, Point) {
        bounds(self.vertices.iter().map(|v| v.at))
    }

    pub(super) fn clear_faces(&mut self) {
        self.faces.clear();
        for edge in &mut self.edges {
            edge.left = None;
            edge.right = None;
        }
        for vertex in &mut self.vertices {
            vertex.faces.clear();
        }
    }

    /// Appends a face with these corners. All its edges must exist, or nothing happens.
    pub(super) fn add_face(&mut self, corners: Vec<usize>) -> bool {
        let n = corners.len();
        let edges: Option<Vec<usize>> =
            (0..n).map(|i| self.find_edge(corners[i], corners[(i + 1) % n])).collect();
        let Some(edges) = edges else { return false };
        let id = self.faces.len();
        for (i, &edge) in edges.iter().enumerate() {
            let edge = &mut self.edges[edge];
            if edge.ends[0] == corners[i] {
                edge.right = Some(id);
            } else {
                edge.left = Some(id);
            }
        }
        for &corner in &corners {
            self.vertices[corner].faces.push(id);
        }
        let at = self.mean_of(&corners);
        self.faces.push(Face { vertices: corners, edges, at });
        true
    }

    fn mean_of(&self, corners: &[usize]) -> Point {
        let mut sum = Point::default();
        for &corner in corners {
            let p = self.vertices[corner].at;
            sum = Point { x: sum.x + p.x, y: sum.y + p.y, z: sum.z + p.z };
        }
        let n = corners.len() as f64;
        Point { x: sum.x / n, y: sum.y / n, z: sum.z / n }
    }

    /// Recomputes the positions of faces after vertices have moved.
    pub(super) fn refresh_faces(&mut self) {
        for face in 0..self.faces.len() {
            let at = self.mean_of(&self.faces[face].vertices);
            self.faces[face].at = at;
        }
    }

    /// Finds all faces anew, by walking from every vertex along every edge and always turning
    /// right. With `check_crossings`, faces are not walked along an edge that crosses another one
    /// with a smaller number.
    pub(super) fn make_faces(&mut self, check_crossings: bool) {
        self.clear_faces();
        let crossed: Vec<bool> = if check_crossings {
            (0..self.edges.len()).map(|e| self.crosses_earlier(e)).collect()
        } else {
            vec![false; self.edges.len()]
        };
        let mut seen: FxHashSet<Vec<usize>> = FxHashSet::default();
        for start in 0..self.vertices.len() {
            for nth in 0..self.vertices[start].edges.len() {
                let edge = self.vertices[start].edges[nth];
                if let Some(walk) = self.walk_face(start, edge, &crossed)
                    && seen.insert(canonical_cycle(&walk))
                {
                    self.add_face(walk);
                }
            }
        }
    }

    fn walk_face(&self, start: usize, edge: usize, crossed: &[bool]) -> Option<Vec<usize>> {
        let z = self.vertices[start].at.z;
        let mut walk = vec![start];
        let (mut vertex, mut edge) = (start, edge);
        loop {
            let incident = &self.vertices[vertex].edges;
            if !meter::work(1 + incident.len() as u64 / 8) {
                return None;
            }
            let arrived = incident.iter().position(|&e| e == edge)?;
            let next = (1..incident.len()).map(|i| incident[(arrived + i) % incident.len()]).find(
                |&e| {
                    let neighbour = self.edges[e].other(vertex);
                    e != edge && (self.vertices[neighbour].at.z - z).abs() < 0.0001
                },
            )?;
            edge = next;
            vertex = self.edges[edge].other(vertex);
            if vertex == start {
                break;
            }
            if walk.contains(&vertex) {
                return None;
            }
            walk.push(vertex);
            if crossed[edge] || walk.len() > MAX_CORNERS {
                return None;
            }
        }
        (walk.len() >= 3 && self.signed_area(&walk) < 0.0).then_some(walk)
    }

    fn signed_area(&self, walk: &[usize]) -> f64 {
        let n = walk.len();
        (0..n)
            .map(|i| {
                let (p, q) = (self.vertices[walk[i]].at, self.vertices[walk[(i + 1) % n]].at);
                p.x * q.y - p.y * q.x
            })
            .sum::<f64>()
            / 2.0
    }

    fn crosses_earlier(&self, edge: usize) -> bool {
        let [p, q] = self.edges[edge].ends.map(|v| self.vertices[v].at);
        !meter::work(1 + edge as u64 / 8)
            || self.edges[..edge].iter().any(|other| {
                let [a, b] = other.ends.map(|v| self.vertices[v].at);
                let near = |s: Point, t: Point| s.taxicab(t) < 0.001;
                if near(a, p) || near(a, q) || near(b, p) || near(b, q) {
                    return false;
                }
                let tolerance = super::geometry::TINY;
                let within = |t: f64| t >= -tolerance && t <= 1.0 + tolerance;
                crossing(p, q, a, b).is_some_and(|(t, u)| within(t) && within(u))
            })
    }

    /// Renumbers vertices, edges and faces upwards and then to the right, by `100 y + x`.
    pub(super) fn reorder(&mut self, vertices: bool, edges: bool, faces: bool) {
        let by_score = |positions: Vec<Point>| {
            let mut order: Vec<usize> = (0..positions.len()).collect();
            let score = |i: usize| 100.0 * positions[i].y + positions[i].x;
            order.sort_by(|&i, &j| score(i).total_cmp(&score(j)));
            order
        };
        if vertices {
            let order = by_score(self.vertices.iter().map(|v| v.at).collect());
            self.arrange_vertices(&order);
        }
        if edges {
            let order = by_score((0..self.edges.len()).map(|e| self.edge_at(e)).collect());
            self.arrange_edges(&order);
        }
        if faces {
            let order = by_score(self.faces.iter().map(|f| f.at).collect());
            self.arrange_faces(&order);
        }
    }

    /// Finds faces and renumbers everything.
    #[must_use]
    pub(super) fn finished(mut self, basis: Basis) -> Graph {
        self.make_faces(false);
        self.reordered(basis)
    }

    /// Renumbers everything.
    #[must_use]
    pub(super) fn reordered(mut self, basis: Basis) -> Graph {
        self.reorder(true, true, true);
        self.basis = basis;
        self
    }

    /// Keeps the vertices in `order`, in that order; nothing may refer to others.
    fn arrange_vertices(&mut self, order: &[usize]) {
        let new = inverse(order, self.vertices.len());
        self.vertices = order.iter().map(|&v| std::mem::take(&mut self.vertices[v])).collect();
        for vertex in &mut self.vertices {
            vertex.pivot = vertex.pivot.and_then(|p| new[p]);
        }
        for edge in &mut self.edges {
            edge.ends = edge.ends.map(|v| new[v].unwrap_or(0));
        }
        for face in &mut self.faces {
            for v in &mut face.vertices {
                *v = new[*v].unwrap_or(0);
            }
        }
    }

    fn arrange_edges(&mut self, order: &[usize]) {
        let new = inverse(order, self.edges.len());
        self.edges = order.iter().map(|&e| self.edges[e].clone()).collect();
        for vertex in &mut self.vertices {
            vertex.edges = vertex.edges.iter().filter_map(|&e| new[e]).collect();
        }
        for face in &mut self.faces {
            face.edges = face.edges.iter().filter_map(|&e| new[e]).collect();
        }
    }

    fn arrange_faces(&mut self, order: &[usize]) {
        let new = inverse(order, self.faces.len());
        self.faces = order.iter().map(|&f| self.faces[f].clone()).collect();
        for vertex in &mut self.vertices {
            vertex.faces = vertex.faces.iter().filter_map(|&f| new[f]).collect();
        }
        for edge in &mut self.edges {
            edge.left = edge.left.and_then(|f| new[f]);
            edge.right = edge.right.and_then(|f| new[f]);
        }
    }

    /// Drops the faces for which `keep` is false; the others keep their order.
    pub(super) fn retain_faces(&mut self, keep: impl Fn(usize) -> bool) {
        let order: Vec<usize> = (0..self.faces.len()).filter(|&f| keep(f)).collect();
        self.arrange_faces(&order);
    }

    /// Drops edges, and every face that one of them bounds.
    pub(super) fn retain_edges(&mut self, keep: impl Fn(usize) -> bool) {
        if !meter::work(1 + self.edges.len() as u64) {
            return;
        }
        let whole: Vec<bool> =
            self.faces.iter().map(|f| f.edges.iter().all(|&e| keep(e))).collect();
        self.retain_faces(|f| whole[f]);
        let order: Vec<usize> = (0..self.edges.len()).filter(|&e| keep(e)).collect();
        self.arrange_edges(&order);
    }

    /// Drops vertices with their edges and faces.
    pub(super) fn retain_vertices(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<bool> = self.edges.iter().map(|e| e.ends.iter().all(|&v| keep(v))).collect();
        self.retain_edges(|e| kept[e]);
        // A face may have a corner dropped only together with an edge, so none refers to it now.
        let order: Vec<usize> = (0..self.vertices.len()).filter(|&v| keep(v)).collect();
        self.arrange_vertices(&order);
    }

    /// Joins all pairs of vertices in `among` that are closer than 1.1 mean edge lengths.
    pub(super) fn connect(&mut self, among: &[usize]) {
        let reach = 1.1 * self.mean_edge_length();
        for (i, &a) in among.iter().enumerate() {
            if !meter::work(1 + (among.len() - i) as u64 / 16) {
                return;
            }
            for &b in &among[i + 1..] {
                if self.vertices[a].at.distance(self.vertices[b].at) < reach {
                    self.find_or_add_edge(a, b);
                }
            }
        }
    }
}

fn inverse(order: &[usize], len: usize) -> Vec<Option<usize>> {
    let mut new = vec![None; len];
    for (to, &from) in order.iter().enumerate() {
        new[from] = Some(to);
    }
    new
}

/// A cycle written from its smallest vertex towards the smaller neighbour.
fn canonical_cycle(walk: &[usize]) -> Vec<usize> {
    let n = walk.len();
    let smallest = (0..n).min_by_key(|&i| walk[i]).unwrap_or(0);
    let forward = walk[(smallest + 1) % n] < walk[(smallest + n - 1) % n];
    (0..n)
        .map(|i| walk[if forward { (smallest + i) % n } else { (smallest + n - i) % n }])
        .collect()
}

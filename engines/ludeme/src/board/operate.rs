//! Operators, which make graphs from graphs. Unless an operator says otherwise, numbers do not
//! change and faces are not found anew.

use super::geometry::{Point, Polygon, crossing, distance_to_line};
use super::graph::{Basis, Graph};
use super::shape::{Additions, Removals, Shape, SiteType};
use super::{BoardError, generate};
use crate::limits::MAX_VERTICES;
use crate::meter;

/// Builds the graph of a whole expression for a board played on `site`.
pub(super) fn build(shape: &Shape, site: SiteType) -> Result<Graph, BoardError> {
    if let Some(graph) = generate::generate(shape, site)? {
        return Ok(graph);
    }
    let graph = match shape {
        Shape::Shift(by, child) => {
            moved(build(child, site)?, |p, _| Point { x: p.x + by.x, y: p.y + by.y, z: p.z + by.z })
        }
        Shape::Scale(by, child) => {
            moved(build(child, site)?, |p, _| Point { x: p.x * by.x, y: p.y * by.y, z: p.z * by.z })
        }
        Shape::Skew(amount, child) => {
            moved(build(child, site)?, |p, (low, _)| Point { x: p.x + amount * (p.y - low.y), ..p })
        }
        Shape::Rotate(degrees, child) => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            moved(build(child, site)?, |p, (low, high)| {
                let centre = low.middle(high);
                let (x, y) = (p.x - centre.x, p.y - centre.y);
                Point { x: centre.x + x * cos - y * sin, y: centre.y + x * sin + y * cos, z: p.z }
            })
        }
        Shape::Merge(children, connect) => merge(&build_all(children, site)?, *connect)?,
        Shape::Union(children, connect) => union(&build_all(children, site)?, *connect)?,
        Shape::Intersect(children) => intersect(&build_all(children, site)?),
        Shape::Add(child, additions) => add(build(child, site)?, additions)?,
        Shape::Remove(child, removals) => remove(build(child, site)?, removals),
        Shape::Keep(child, polygon) => select(&build(child, site)?, polygon, true),
        Shape::Clip(child, polygon) => select(&build(child, site)?, polygon, false),
        Shape::Hole(child, polygon) => hole(build(child, site)?, polygon),
        Shape::Renumber(child, [vertices, edges, faces]) => {
            let mut graph = build(child, site)?;
            graph.reorder(*vertices, *edges, *faces);
            graph
        }
        Shape::SplitCrossings(child) => split_crossings(build(child, site)?)?,
        Shape::Dual(child) => dual(&build(child, site)?),
        Shape::Trim(child) => trim(build(child, site)?),
        Shape::Subdivide(child, min) => subdivide(build(child, site)?, *min, site),
        Shape::Complete(child, each_cell) => complete(build(child, site)?, *each_cell)?,
        Shape::MakeFaces(child) => {
            let mut graph = build(child, site)?;
            graph.make_faces(true);
            graph
        }
        Shape::Layers(count, child) => layers(&build(child, site)?, *count)?,
        // All other shapes are generators.
        _ => Graph::new(),
    };
    if meter::is_spent() {
        return Err(BoardError::TooLarge);
    }
    generate::limit(Some(graph.vertices.len()))?;
    Ok(graph)
}

fn build_all(children: &[Shape], site: SiteType) -> Result<Vec<Graph>, BoardError> {
    let mut total = 0;
    let mut graphs = Vec::new();
    for child in children {
        let graph = build(child, site)?;
        total += graph.vertices.len();
        generate::limit(Some(total))?;
        graphs.push(graph);
    }
    Ok(graphs)
}

fn moved(mut graph: Graph, place: impl Fn(Point, (Point, Point)) -> Point) -> Graph {
    let bounds = graph.bounds();
    for vertex in &mut graph.vertices {
        vertex.at = place(vertex.at, bounds);
    }
    graph.refresh_faces();
    graph
}

/// All vertices and edges of all children, one after the other, without faces.
#[expect(clippy::type_complexity, reason = "used once")]
fn concatenate(children: &[Graph]) -> (Vec<Point>, Vec<([usize; 2], bool)>, Vec<Option<usize>>) {
    let (mut points, mut edges, mut pivots) = (Vec::new(), Vec::new(), Vec::new());
    for child in children {
        let base = points.len();
        points.extend(child.vertices.iter().map(|v| v.at));
        pivots.extend(child.vertices.iter().map(|v| v.pivot.map(|p| p + base)));
        edges.extend(child.edges.iter().map(|e| (e.ends.map(|v| v + base), e.curved)));
    }
    (points, edges, pivots)
}

/// Copies at heights 0, 1, .. with vertical edges between them, numbered anew.
fn layers(child: &Graph, count: usize) -> Result<Graph, BoardError> {
    // Planar graphs have far fewer edges for their vertices.
    const MOST_EDGES: usize = 10 * MAX_VERTICES;
    generate::limit(child.vertices.len().checked_mul(count))?;
    if child.edges.len().saturating_mul(count) > MOST_EDGES {
        return Err(BoardError::TooLarge);
    }
    let raised = |layer: usize| {
        let mut copy = child.clone();
        copy.vertices.iter_mut().for_each(|vertex| vertex.at.z += layer as f64);
        copy
    };
    let copies: Vec<Graph> = (0..count).map(raised).collect();
    let mut graph = union(&copies, false)?;
    let each = child.vertices.len();
    for below in 0..graph.vertices.len().saturating_sub(each) {
        graph.push_edge(below, below + each, false);
    }
    graph.sort_all_incident();
    graph.reorder(true, true, true);
    Ok(graph)
}

fn merge(children: &[Graph], connect: bool) -> Result<Graph, BoardError> {
    let (points, edges, pivots) = concatenate(children);
    // The new number of each vertex: that of the first close vertex, or the next free number.
    let mut kept: Vec<Point> = Vec::new();
    let mut number = Vec::new();
    for &p in &points {
        meter::work(1 + kept.len() as u64 / 32);
        let found = kept.iter().position(|q| q.taxicab(p) < 0.01);
        number.push(found.unwrap_or_else(|| {
            kept.push(p);
            kept.len() - 1
        }));
    }
    let mut graph = Graph::of(&kept, []);
    for ([a, b], curved) in edges {
        let (a, b) = (number[a], number[b]);
        if graph.find_edge(a, b).is_none() {
            graph.push_edge(a, b, curved);
        }
    }
    for (v, pivot) in pivots.into_iter().enumerate() {
        let own = &mut graph.vertices[number[v]].pivot;
        *own = own.or(pivot.map(|p| number[p]));
    }
    graph.sort_all_incident();
    if connect {
        let vertices: Vec<usize> = (0..graph.vertices.len()).collect();
        graph.connect(&vertices);
    }
    graph.make_faces(connect);
    generate::limit(Some(graph.vertices.len()))?;
    Ok(graph)
}

fn union(children: &[Graph], connect: bool) -> Result<Graph, BoardError> {
    let (points, edges, pivots) = concatenate(children);
    generate::limit(Some(points.len()))?;
    let mut graph = Graph::of(&points, []);
    for ([a, b], curved) in edges {
        graph.push_edge(a, b, curved);
    }
    for (v, pivot) in pivots.into_iter().enumerate() {
        graph.vertices[v].pivot = pivot;
    }
    graph.sort_all_incident();
    let mut base = 0;
    for child in children {
        for face in &child.faces {
            graph.add_face(face.vertices.iter().map(|v| v + base).collect());
        }
        base += child.vertices.len();
    }
    if connect {
        let vertices: Vec<usize> = (0..graph.vertices.len()).collect();
        graph.connect(&vertices);
        graph.make_faces(true);
    }
    Ok(graph)
}

fn intersect(children: &[Graph]) -> Graph {
    let Some((first, others)) = children.split_first() else { return Graph::new() };
    let find = |graph: &Graph, p: Point| {
        let goes_on = meter::work(1 + graph.vertices.len() as u64 / 32);
        goes_on.then(|| graph.vertices.iter().position(|v| v.at.taxicab(p) < 0.01)).flatten()
    };
    let keep_vertex = |v: usize| others.iter().all(|g| find(g, first.vertices[v].at).is_some());
    let keep_edge = |e: usize| {
        let ends = first.edges[e].ends.map(|v| first.vertices[v].at);
        others.iter().all(|g| match ends.map(|p| find(g, p)) {
            [Some(a), Some(b)] => g.find_edge(a, b).is_some(),
            _ => false,
        })
    };
    rebuilt(first, keep_vertex, keep_edge)
}

/// A new graph of some of the vertices and edges, in their order, with faces found anew.
fn rebuilt(
    graph: &Graph,
    keep_vertex: impl Fn(usize) -> bool,
    keep_edge: impl Fn(usize) -> bool,
) -> Graph {
    let mut number = vec![None; graph.vertices.len()];
    let mut points = Vec::new();
    for (v, vertex) in graph.vertices.iter().enumerate() {
        if keep_vertex(v) {
            number[v] = Some(points.len());
            points.push(vertex.at);
        }
    }
    let mut result = Graph::of(&points, []);
    for (e, edge) in graph.edges.iter().enumerate() {
        if keep_edge(e)
            && let [Some(a), Some(b)] = edge.ends.map(|v| number[v])
        {
            result.push_edge(a, b, edge.curved);
        }
    }
    for (v, vertex) in graph.vertices.iter().enumerate() {
        if let Some(new) = number[v] {
            result.vertices[new].pivot = vertex.pivot.and_then(|p| number[p]);
        }
    }
    result.sort_all_incident();
    result.make_faces(false);
    result
}

fn select(graph: &Graph, polygon: &Polygon, inside: bool) -> Graph {
    let polygon = polygon.inflated();
    let keep = |v: usize| polygon.contains(graph.vertices[v].at) == inside;
    let mut result = rebuilt(graph, keep, |_| true);
    if inside {
        result.basis = graph.basis;
    }
    result
}

fn hole(mut graph: Graph, polygon: &Polygon) -> Graph {
    let polygon = polygon.inflated();
    let gone: Vec<bool> = graph.faces.iter().map(|f| polygon.contains(f.at)).collect();
    remove_faces(&mut graph, &gone, true);
    graph
}

/// Removes faces and, with `trim`, the edges of removed faces that bound no other face.
fn remove_faces(graph: &mut Graph, gone: &[bool], trim: bool) {
    let mut loose = vec![false; graph.edges.len()];
    for (face, _) in graph.faces.iter().zip(gone).filter(|(_, gone)| **gone) {
        for &edge in &face.edges {
            loose[edge] = trim;
        }
    }
    graph.retain_faces(|f| !gone[f]);
    for (edge, loose) in loose.iter_mut().enumerate() {
        *loose &= graph.edges[edge].left.is_none() && graph.edges[edge].right.is_none();
    }
    graph.retain_edges(|e| !loose[e]);
}

fn remove(mut graph: Graph, removals: &Removals) -> Graph {
    if let Some(polygon) = &removals.inside {
        let inside: Vec<bool> = graph.vertices.iter().map(|v| polygon.contains(v.at)).collect();
        graph.retain_vertices(|v| !inside[v]);
    }
    let mut gone = vec![false; graph.faces.len()];
    for &cell in &removals.cells {
        if let Some(gone) = gone.get_mut(cell) {
            *gone = true;
        }
    }
    for corners in &removals.cells_at {
        let ids: Vec<Option<usize>> = corners.iter().map(|&p| graph.find_vertex(p)).collect();
        let same = |face: &[usize]| {
            face.len() == ids.len() && ids.iter().all(|id| id.is_some_and(|v| face.contains(&v)))
        };
        if let Some(cell) = graph.faces.iter().position(|f| same(&f.vertices)) {
            gone[cell] = true;
        }
    }
    if gone.contains(&true) {
        remove_faces(&mut graph, &gone, removals.trim_edges);
    }
    let mut edges = removals.edges.clone();
    for pair in &removals.edges_at {
        if let [Some(a), Some(b)] = pair.map(|p| graph.find_vertex(p)) {
            edges.push([a, b]);
        }
    }
    for [a, b] in edges {
        if let Some(edge) = graph.find_edge(a, b) {
            graph.retain_edges(|e| e != edge);
        }
    }
    let mut vertices = removals.vertices.clone();
    vertices.extend(removals.vertices_at.iter().filter_map(|&p| graph.find_vertex(p)));
    if !vertices.is_empty() {
        graph.retain_vertices(|v| !vertices.contains(&v));
    }
    graph
}

fn add(mut graph: Graph, additions: &Additions) -> Result<Graph, BoardError> {
    let Additions { curves, vertices, edges, cells, edges_by_id, cells_by_id, connect } = additions;
    let corners: usize = cells.iter().map(Vec::len).sum();
    generate::limit(Some(
        graph.vertices.len() + 2 * curves.len() + vertices.len() + 2 * edges.len() + corners,
    ))?;
    let before = graph.vertices.len();
    for &[a, b, ..] in curves {
        let (a, b) = (graph.find_or_add_vertex(a), graph.find_or_add_vertex(b));
        let edge = graph.find_or_add_edge(a, b);
        graph.edges[edge].curved = true;
    }
    for &p in vertices {
        graph.find_or_add_vertex(p);
    }
    for pair in edges {
        let [a, b] = pair.map(|p| graph.find_or_add_vertex(p));
        if a != b {
            graph.find_or_add_edge(a, b);
        }
    }
    for cell in cells {
        let ids: Vec<usize> = cell.iter().map(|&p| graph.find_or_add_vertex(p)).collect();
        for i in 0..ids.len() {
            let j = (i + 1) % ids.len();
            if ids[i] != ids[j] {
                graph.find_or_add_edge(ids[i], ids[j]);
            }
        }
        graph.add_face(ids);
    }
    generate::join(&mut graph, edges_by_id)?;
    // Cells are left out if some of their edges are missing.
    let vertices = graph.vertices.len();
    for face in cells_by_id.iter().filter(|corners| corners.iter().all(|&v| v < vertices)) {
        graph.add_face(face.clone());
    }
    if *connect {
        let new: Vec<usize> = (before..graph.vertices.len()).collect();
        graph.connect(&new);
    }
    Ok(graph)
}

fn split_crossings(mut graph: Graph) -> Result<Graph, BoardError> {
    let inside = |t: f64| t > 0.01 && t < 0.99;
    loop {
        let ends = |g: &Graph, e: usize| g.edges[e].ends.map(|v| g.vertices[v].at);
        let mut found = None;
        'search: for a in 0..graph.edges.len() {
            if !meter::work(1 + (graph.edges.len() - a) as u64 / 8) {
                return Err(BoardError::TooLarge);
            }
            let [a0, a1] = ends(&graph, a);
            for b in a + 1..graph.edges.len() {
                let [b0, b1] = ends(&graph, b);
                if let Some((t, u)) = crossing(a0, a1, b0, b1)
                    && inside(t)
                    && inside(u)
                {
                    let point = Point::new(a0.x + t * (a1.x - a0.x), a0.y + t * (a1.y - a0.y));
                    found = Some((a, b, point));
                    break 'search;
                }
            }
        }
        let Some((a, b, point)) = found else { break };
        generate::limit(Some(graph.vertices.len() + graph.edges.len() / 8))?;
        let ([a0, a1], [b0, b1]) = (graph.edges[a].ends, graph.edges[b].ends);
        let x = graph.add_vertex(point);
        let pivot = |v: usize| graph.vertices[v].pivot;
        let own = pivot(a1).or(pivot(a0)).or(pivot(b0)).or(pivot(b1));
        graph.vertices[x].pivot = own;
        graph.retain_edges(|e| e != a && e != b);
        for (from, to) in [(a0, x), (x, a1), (b0, x), (x, b1)] {
            graph.find_or_add_edge(from, to);
        }
    }
    split_at_vertices(&mut graph);
    graph.make_faces(true);
    Ok(graph)
}

/// Splits edges that run through vertices.
fn split_at_vertices(graph: &mut Graph) {
    // Each split makes a shorter edge; the bound only stops degenerate input.
    for _ in 0..4 * MAX_VERTICES {
        let mut hits = None;
        for edge in 0..graph.edges.len() {
            if !meter::work(1 + graph.vertices.len() as u64 / 8) {
                return;
            }
            let [a, b] = graph.edges[edge].ends.map(|v| graph.vertices[v].at);
            let through: Vec<usize> = (0..graph.vertices.len())
                .filter(|&v| {
                    let p = graph.vertices[v].at;
                    let along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
                    let length = a.flat_distance(b).powi(2);
                    along > 0.0
                        && along < length
                        && distance_to_line(p, a, b) < 0.001
                        && p.distance(a) > 0.001
                        && p.distance(b) > 0.001
                })
                .collect();
            if !through.is_empty() {
                hits = Some((edge, through));
                break;
            }
        }
        let Some((edge, through)) = hits else { return };
        for v in through {
            // The edge at this number, whichever it is by now.
            let Some(ends) = graph.edges.get(edge).map(|e| e.ends) else { break };
            let pivot = ends.iter().find_map(|&e| graph.vertices[e].pivot);
            if pivot.is_some() {
                graph.vertices[v].pivot = pivot;
            }
            graph.retain_edges(|e| e != edge);
            for (a, b) in [(ends[0], v), (v, ends[1])] {
                if a != b {
                    graph.find_or_add_edge(a, b);
                }
            }
        }
    }
}

fn dual(graph: &Graph) -> Graph {
    let points: Vec<Point> = graph.faces.iter().map(|f| f.at).collect();
    let pairs = graph.edges.iter().filter_map(|e| Some([e.left?, e.right?]));
    let mut result = Graph::of(&points, []);
    for [a, b] in pairs {
        result.find_or_add_edge(a, b);
    }
    result.finished(Basis::Known)
}

fn trim(mut graph: Graph) -> Graph {
    for edge in (0..graph.edges.len()).rev() {
        if graph.edges[edge].ends.iter().any(|&v| graph.vertices[v].edges.len() == 1) {
            graph.retain_edges(|e| e != edge);
        }
    }
    let pivots: Vec<usize> = graph.vertices.iter().filter_map(|v| v.pivot).collect();
    let keep: Vec<bool> = (0..graph.vertices.len())
        .map(|v| !graph.vertices[v].edges.is_empty() || pivots.contains(&v))
        .collect();
    graph.retain_vertices(|v| keep[v]);
    graph
}

fn subdivide(mut graph: Graph, min: usize, site: SiteType) -> Graph {
    if site == SiteType::Vertex {
        graph.make_faces(true);
    }
    let split: Vec<bool> = graph.faces.iter().map(|f| f.vertices.len() >= min).collect();
    for face in (0..graph.faces.len()).rev().filter(|&f| split[f]) {
        let (middle, corners) = (graph.faces[face].at, graph.faces[face].vertices.clone());
        let centre = graph.add_vertex(middle);
        for corner in corners {
            graph.find_or_add_edge(centre, corner);
        }
    }
    if site == SiteType::Cell {
        graph.make_faces(true);
    } else {
        graph.clear_faces();
    }
    graph.basis = Basis::Mixed;
    graph
}

fn complete(mut graph: Graph, each_cell: bool) -> Result<Graph, BoardError> {
    if each_cell {
        for face in 0..graph.faces.len() {
            let corners = graph.faces[face].vertices.clone();
            for (i, &a) in corners.iter().enumerate() {
                for &b in &corners[i + 1..] {
                    graph.find_or_add_edge(a, b);
                }
            }
        }
        return Ok(graph);
    }
    let n = graph.vertices.len();
    // Every pair is joined: a hundred vertices already make 4950 edges that all cross.
    if n > 100 {
        return Err(BoardError::TooLarge);
    }
    let points: Vec<Point> = graph.vertices.iter().map(|v| v.at).collect();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
    graph = Graph::of(&points, pairs);
    graph.make_faces(true);
    Ok(graph)
}

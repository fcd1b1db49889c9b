//! Boards of unit squares.

use super::super::BoardError;
use super::super::geometry::{Point, Polygon};
use super::super::graph::{Basis, Graph};
use super::super::shape::{Diagonals, SiteType, SquareOutline};
use super::{lattice, limit};

pub(super) fn square(
    outline: SquareOutline,
    dim: usize,
    diagonals: Diagonals,
    pyramidal: bool,
    site: SiteType,
) -> Result<Graph, BoardError> {
    match outline {
        SquareOutline::Square if pyramidal => pyramid(dim, site),
        SquareOutline::Square => rectangle(dim, dim, diagonals, site),
        SquareOutline::Limping => {
            rectangle(dim, dim.checked_add(1).ok_or(BoardError::TooLarge)?, diagonals, site)
        }
        SquareOutline::Diamond => diamond(dim, diagonals),
    }
}

/// Corners in rows and columns, one more of each than there are cells.
fn corners(rows: usize, columns: usize, site: SiteType) -> Result<[usize; 2], BoardError> {
    let extra = usize::from(site == SiteType::Cell);
    let corners = [rows.checked_add(extra), columns.checked_add(extra)];
    let [Some(rows), Some(columns)] = corners else { return Err(BoardError::TooLarge) };
    limit(rows.checked_mul(columns))?;
    Ok([rows, columns])
}

/// The grid with its orthogonal edges: for each vertex the one upwards, then the one to the right.
fn grid(rows: usize, columns: usize) -> Graph {
    let mut graph = Graph::new();
    for r in 0..rows {
        for c in 0..columns {
            graph.add_vertex(Point::new(c as f64, r as f64));
        }
    }
    for r in 0..rows {
        for c in 0..columns {
            let v = r * columns + c;
            if r + 1 < rows {
                graph.push_edge(v, v + columns, false);
            }
            if c + 1 < columns {
                graph.push_edge(v, v + 1, false);
            }
        }
    }
    graph.sort_all_incident();
    graph
}

pub(super) fn rectangle(
    rows: usize,
    columns: usize,
    diagonals: Diagonals,
    site: SiteType,
) -> Result<Graph, BoardError> {
    let [rows, columns] = corners(rows, columns, site)?;
    let mut graph = grid(rows, columns);
    add_diagonals(&mut graph, diagonals, rows, columns);
    let basis = if diagonals == Diagonals::None { Basis::Known } else { Basis::Mixed };
    Ok(graph.finished(basis))
}

fn diamond(dim: usize, diagonals: Diagonals) -> Result<Graph, BoardError> {
    limit(dim.checked_mul(dim))?;
    let d = dim as i64;
    let points = lattice(
        0..2 * d,
        0..2 * d,
        |r, c| r + c >= d - 1 && (c - r).abs() <= d && r + c < 3 * d,
        |r, c| Point::new(c, r),
    )?;
    Ok(of_points(&points, diagonals))
}

/// Joins neighbouring lattice points and adds diagonals.
fn of_points(points: &[Point], diagonals: Diagonals) -> Graph {
    let mut graph = Graph::unit(points, false);
    let (_, high) = graph.bounds();
    add_diagonals(&mut graph, diagonals, high.y as usize + 1, high.x as usize + 1);
    graph.finished(Basis::Known)
}

pub(super) fn polygon(polygon: &Polygon, diagonals: Diagonals) -> Result<Graph, BoardError> {
    let points = super::lattice_in(polygon, 2, |r, c| Point::new(c, r))?;
    Ok(of_points(&points, diagonals))
}

pub(super) fn sides(sides: &[i32], diagonals: Diagonals) -> Result<Graph, BoardError> {
    const STEPS: [(f64, f64); 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let mut direction = 3usize;
    let (mut r, mut c) = (0.0, 0.0);
    let mut points = Vec::new();
    for &v in sides {
        direction = (direction + if v < 0 { 3 } else { 1 }) % 4;
        r += f64::from(v) * STEPS[direction].0;
        c += f64::from(v) * STEPS[direction].1;
        points.push(Point::new(c, r));
    }
    polygon(&Polygon::new(points), diagonals)
}

/// Layers of vertices, each half a step inside the one below, joined wherever they are about one
/// unit apart.
fn pyramid(dim: usize, site: SiteType) -> Result<Graph, BoardError> {
    let [size, _] = corners(dim, dim, site)?;
    limit(size.checked_pow(3))?;
    let mut graph = grid(size, size);
    for layer in 1..size {
        let offset = layer as f64 / 2.0;
        let z = layer as f64 / std::f64::consts::SQRT_2;
        for r in 0..size - layer {
            for c in 0..size - layer {
                graph.add_vertex(Point { x: offset + c as f64, y: offset + r as f64, z });
            }
        }
    }
    for a in 0..graph.vertices.len() {
        for b in a + 1..graph.vertices.len() {
            let distance = graph.vertices[a].at.distance(graph.vertices[b].at);
            if (distance - 1.0).abs() < 0.05 {
                graph.find_or_add_edge(a, b);
            }
        }
    }
    Ok(graph.finished(Basis::Known))
}

fn add_diagonals(graph: &mut Graph, diagonals: Diagonals, rows: usize, columns: usize) {
    let vertex =
        |graph: &Graph, r: usize, c: usize| graph.find_vertex(Point::new(c as f64, r as f64));
    match diagonals {
        Diagonals::None => {}
        Diagonals::Radiating => radiate(graph, rows, columns),
        _ => {
            for r in 0..rows.saturating_sub(1) {
                for c in 0..columns.saturating_sub(1) {
                    let square = [(r, c), (r + 1, c), (r + 1, c + 1), (r, c + 1)];
                    let corners = square.map(|(r, c)| vertex(graph, r, c));
                    let [Some(sw), Some(nw), Some(ne), Some(se)] = corners else { continue };
                    match diagonals {
                        Diagonals::Alternating if (r + c) % 2 == 0 => {
                            graph.find_or_add_edge(sw, ne);
                        }
                        Diagonals::Alternating => {
                            graph.find_or_add_edge(nw, se);
                        }
                        Diagonals::Solid => {
                            let centre = Point::new(c as f64 + 0.5, r as f64 + 0.5);
                            let centre = graph.add_vertex(centre);
                            for corner in [sw, nw, ne, se] {
                                graph.find_or_add_edge(corner, centre);
                            }
                        }
                        Diagonals::SolidNoSplit => {
                            graph.find_or_add_edge(sw, ne);
                            graph.find_or_add_edge(nw, se);
                        }
                        _ => {
                            let (half_r, half_c) = (rows / 2, columns / 2);
                            if (r < half_r) == (c < half_c) {
                                graph.find_or_add_edge(nw, se);
                            } else {
                                graph.find_or_add_edge(sw, ne);
                            }
                        }
                    }
                }
            }
        }
    }
}

fn radiate(graph: &mut Graph, rows: usize, columns: usize) {
    let (x, y) = ((rows / 2) as f64, (columns / 2) as f64);
    for n in 0..=(rows / 2).max(columns / 2) {
        for (dx, dy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)] {
            let step = |k: f64| Point::new(x + k * dx, y + k * dy);
            let ends = [step(n as f64), step(n as f64 + 1.0)].map(|p| graph.find_vertex(p));
            if let [Some(a), Some(b)] = ends {
                graph.find_or_add_edge(a, b);
            }
        }
    }
}

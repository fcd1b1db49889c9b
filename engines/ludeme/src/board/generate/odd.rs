//! Wedges, explicit graphs, regular polygons and stars, spirals, repeated polygons, semi-regular
//! tilings and mancala boards.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::super::BoardError;
use super::super::geometry::{Point, Polygon};
use super::super::graph::{Basis, Graph};
use super::super::shape::{NumberedEdge, SiteType, Tiling};
use super::hexagons::in_hexagon;
use super::{corners_around, join, lattice, limit};

pub(super) fn wedge(rows: usize, columns: usize) -> Result<Graph, BoardError> {
    limit(rows.checked_mul(columns))?;
    let mut graph = Graph::new();
    let last = rows as f64 - 1.0;
    graph.add_vertex(Point::new(last, last));
    for r in 1..rows {
        for c in 0..columns {
            let (left, width) = (last - r as f64, 2.0 * r as f64);
            let x = left + width * c as f64 / (columns.max(2) - 1) as f64;
            graph.add_vertex(Point::new(x, last - r as f64));
        }
    }
    let vertex = |r: usize, c: usize| 1 + (r - 1) * columns + c;
    for c in 0..if rows > 1 { columns } else { 0 } {
        graph.find_or_add_edge(0, vertex(1, c));
    }
    for r in 1..rows {
        for c in 1..columns {
            graph.find_or_add_edge(vertex(r, c - 1), vertex(r, c));
        }
        for c in 0..if r + 1 < rows { columns } else { 0 } {
            graph.find_or_add_edge(vertex(r, c), vertex(r + 1, c));
        }
    }
    Ok(graph)
}

pub(super) fn explicit(vertices: &[Point], edges: &[NumberedEdge]) -> Result<Graph, BoardError> {
    limit(Some(vertices.len().max(edges.len() / 8)))?;
    let points: Vec<Point> = vertices.iter().map(|p| p.rounded()).collect();
    let mut graph = Graph::of(&points, []);
    join(&mut graph, edges)?;
    graph.make_faces(false);
    Ok(graph)
}

pub(super) fn regular(n: usize, star: bool, site: SiteType) -> Result<Graph, BoardError> {
    limit(Some(n))?;
    let first = if n == 4 { PI / 4.0 } else { FRAC_PI_2 };
    let radius = n as f64 / TAU;
    let mut graph = Graph::new();
    for i in 0..n {
        let angle = first + TAU * i as f64 / n as f64;
        graph.add_vertex(Point::new(radius * angle.cos(), radius * angle.sin()));
    }
    let step = if star { n.saturating_sub(1) / 2 } else { 1 };
    for i in 0..n {
        let j = (i + step) % n;
        if i != j {
            graph.find_or_add_edge(i, j);
        }
    }
    if site == SiteType::Cell {
        graph.make_faces(true);
    }
    Ok(graph.reordered(Basis::Known))
}

pub(super) fn spiral(turns: usize, sites: usize, clockwise: bool) -> Result<Graph, BoardError> {
    limit(Some(turns.max(sites)))?;
    let angles = spiral_angles(turns, sites);
    let mut graph = Graph::new();
    for &theta in &angles {
        let x = theta * theta.cos();
        graph.add_vertex(Point::new(if clockwise { -x } else { x }, theta * theta.sin()));
    }
    for i in 1..sites {
        graph.push_edge(i - 1, i, true);
    }
    for vertex in &mut graph.vertices {
        vertex.pivot = Some(0);
    }
    graph.sort_all_incident();
    Ok(graph)
}

/// The winding angles of the sites of a spiral, smoothed twice.
fn spiral_angles(turns: usize, sites: usize) -> Vec<f64> {
    let holds = |base: usize| {
        let (mut total, mut steps) = (1, base);
        for ring in 1..turns {
            total += steps;
            if ring <= 2 {
                steps *= 2;
            }
        }
        total
    };
    let mut theta = vec![0.0; sites];
    let Some(base) = (1..=sites + 1).find(|&b| holds(b) > sites).map(|b| b - 1) else {
        return theta;
    };
    if base == 0 {
        return theta;
    }
    let mut index = 1;
    let mut steps = base;
    for ring in 1..=turns + 1 {
        let step = TAU / steps as f64;
        let back = if ring <= 2 || ring % 2 == 1 { step / 2.0 } else { 0.0 };
        for k in 0..steps {
            if index < sites {
                theta[index] = TAU * ring as f64 - back + k as f64 * step;
                index += 1;
            }
        }
        if ring <= 2 {
            steps *= 2;
        }
    }
    for _ in 0..2 {
        for i in 2..sites.saturating_sub(1) {
            theta[i] = (theta[i - 1] + theta[i + 1]) / 2.0;
        }
    }
    if sites > 2 {
        theta[1] -= (theta[2] - theta[1]) / 2.0;
    }
    theta
}

pub(super) fn repeat(
    [rows, columns]: [usize; 2],
    column_step: Point,
    row_step: Point,
    polygons: &[Polygon],
) -> Result<Graph, BoardError> {
    let corners: usize = polygons.iter().map(|p| p.points.len()).sum();
    limit(rows.checked_mul(columns).and_then(|n| n.checked_mul(corners)))?;
    let mut graph = Graph::new();
    for r in 0..rows {
        for c in 0..columns {
            let (r, c) = (r as f64, c as f64);
            let shift =
                Point::new(c * column_step.x + r * row_step.x, c * column_step.y + r * row_step.y);
            for polygon in polygons {
                let ids: Vec<usize> = polygon
                    .points
                    .iter()
                    .map(|p| graph.find_or_add_vertex(Point::new(p.x + shift.x, p.y + shift.y)))
                    .collect();
                for i in 0..ids.len() {
                    let j = (i + 1) % ids.len();
                    if ids[i] != ids[j] {
                        graph.find_or_add_edge(ids[i], ids[j]);
                    }
                }
            }
        }
    }
    Ok(graph.finished(Basis::Mixed))
}

pub(super) fn tiling(tiling: Tiling, a: usize, b: Option<usize>) -> Result<Graph, BoardError> {
    limit(a.checked_mul(b.unwrap_or(a)))?;
    let root3 = 3f64.sqrt();
    let n = a as i64;
    let size = 0..2 * n - 1;
    let hexagon = |r, c| in_hexagon(r, c, n);
    let unit_hexagon = |angle: f64| Point::new(angle.cos(), angle.sin());
    let (centres, offsets) = match tiling {
        Tiling::T3464 => {
            let centre = |r: f64, c: f64| {
                Point::new((3.0 + root3) / 2.0 * (c - r), (1.0 + root3) / 2.0 * (r + c))
            };
            let centres = match b {
                Some(b) => lattice(0..n, 0..b as i64, |_, _| true, centre)?,
                None => lattice(size.clone(), size, hexagon, centre)?,
            };
            let h = root3 / 2.0;
            let mut offsets: Vec<Point> =
                [(-0.5, h), (0.5, h), (1.0, 0.0), (0.5, -h), (-0.5, -h), (-1.0, 0.0)]
                    .map(|(x, y)| Point::new(x, y))
                    .to_vec();
            let radius = (1.0 + h) / (PI / 12.0).cos();
            for k in 0..12 {
                let angle = PI / 12.0 + f64::from(k) * PI / 6.0;
                offsets.push(Point::new(radius * angle.cos(), radius * angle.sin()));
            }
            (centres, offsets)
        }
        Tiling::T33434 => {
            let h = (1.0 + root3) / 2.0;
            let centres =
                lattice(0..n, 0..n, |_, _| true, |r, c| Point::new(h * (c - r), h * (r + c)))?;
            let (a, b) = (0.5, root3 / 2.0);
            let offsets = [
                (-a, -a - b),
                (a, -a - b),
                (-a - b, -b),
                (a + b, -b),
                (0.0, -a),
                (-2.0 * a - b, 0.0),
                (-b, 0.0),
                (b, 0.0),
                (2.0 * a + b, 0.0),
                (0.0, a),
                (-a - b, b),
                (a + b, b),
                (-a, a + b),
                (a, a + b),
            ];
            (centres, offsets.map(|(x, y)| Point::new(x, y)).to_vec())
        }
        Tiling::T3636 => {
            let centre = |r: f64, c: f64| Point::new(2.0 * c - r, root3 * r);
            let centres = match b {
                Some(b) => lattice(0..2 * n - 1, 0..2 * b as i64 - 1, |_, _| true, centre)?,
                None => lattice(size.clone(), size, hexagon, centre)?,
            };
            let offsets = (0..6).map(|k| unit_hexagon(f64::from(k) * PI / 3.0)).collect();
            (centres, offsets)
        }
        Tiling::T488 => {
            let step = 1.0 + 2f64.sqrt();
            let centre = |r: f64, c: f64| Point::new(c * step, r * step);
            let columns = 0..b.unwrap_or(a) as i64;
            (lattice(0..n, columns, |_, _| true, centre)?, polygon_of(8))
        }
        Tiling::T31212 | Tiling::T4612 => {
            let gap = if tiling == Tiling::T4612 { 1.0 } else { 0.0 };
            let step = 2.0 + root3 + gap;
            let centre = |r: f64, c: f64| Point::new((c - r / 2.0) * step, r * step * root3 / 2.0);
            (lattice(size.clone(), size, hexagon, centre)?, polygon_of(12))
        }
        Tiling::T33336 => {
            let centre =
                |r: f64, c: f64| Point::new(2.5 * c - 2.0 * r, root3 * r + root3 / 2.0 * c);
            let around = |i: i32, j: i32| (i, j) != (0, 0) && (i + j).abs() <= 2;
            let corners = (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j)));
            let corners = corners.filter(|&(i, j)| around(i, j)).map(|(i, j)| {
                Point::new(f64::from(i) + f64::from(j) / 2.0, f64::from(j) * root3 / 2.0)
            });
            (lattice(size.clone(), size, hexagon, centre)?, corners.collect())
        }
        Tiling::T33344 => {
            let centre = |r: f64, c: f64| Point::new(c + r / 2.0, r * (1.0 + root3 / 2.0));
            (lattice(0..n, 0..n, |_, _| true, centre)?, polygon_of(4))
        }
    };
    let graph = Graph::unit(&corners_around(&centres, &offsets)?, false);
    // This order is kept only if both sizes are given.
    let keeps = tiling == Tiling::T488 && b.is_some();
    Ok(if keeps { graph } else { graph.reordered(Basis::Known) })
}

/// The corners of a regular polygon with sides of length 1, one of which lies at its right.
fn polygon_of(sides: u32) -> Vec<Point> {
    let half = PI / f64::from(sides);
    let radius = 0.5 / half.sin();
    let corner = |k: u32| half * f64::from(2 * k + 1);
    (0..sides).map(|k| Point::new(radius * corner(k).cos(), radius * corner(k).sin())).collect()
}

pub(super) fn mancala(rows: usize, columns: usize, stores: bool) -> Result<Graph, BoardError> {
    limit(rows.checked_mul(columns))?;
    let (c, middle) = (columns as f64, (rows as f64 - 1.0) / 2.0);
    let gap = match rows {
        2 => 0.15,
        4 | 6 => 0.1,
        _ => 0.0,
    };
    let mut graph = Graph::new();
    if stores {
        graph.add_vertex(Point::new(gap - 1.0, middle));
    }
    for r in 0..rows {
        for c in 0..columns {
            graph.add_vertex(Point::new(c as f64, r as f64));
        }
    }
    if stores {
        graph.add_vertex(Point::new(c - gap, middle));
    }
    // The edges along the rows come first, then all others between holes that are close enough.
    let hole = |r: usize, c: usize| usize::from(stores) + r * columns + c;
    for r in 0..rows {
        for c in 1..columns {
            graph.push_edge(hole(r, c - 1), hole(r, c), false);
        }
    }
    let vertices: Vec<usize> = (0..graph.vertices.len()).collect();
    graph.connect(&vertices);
    graph.sort_all_incident();
    graph.make_faces(true);
    Ok(graph)
}

//! Boards of hexagons with sides of length 1.

use super::super::BoardError;
use super::super::geometry::{Point, Polygon};
use super::super::graph::{Basis, Graph};
use super::super::shape::Outline;
use super::{corners_around, lattice, lattice_in, limit, six_way_outline};

fn root3() -> f64 {
    3f64.sqrt()
}

/// Centre of a hexagon that stands on a corner.
fn centre(r: f64, c: f64) -> Point {
    Point::new(root3() * (c - r / 2.0), 1.5 * r)
}

/// Centre of a hexagon that stands on a side, on a rhombus standing on a corner.
fn rhombus_centre(r: f64, c: f64) -> Point {
    Point::new(1.5 * (c - r), root3() * (r + c) / 2.0)
}

/// Corners of a hexagon that stands on a corner, clockwise from the top.
fn offsets() -> [Point; 6] {
    let h = root3() / 2.0;
    [
        Point::new(0.0, 1.0),
        Point::new(h, 0.5),
        Point::new(h, -0.5),
        Point::new(0.0, -1.0),
        Point::new(-h, -0.5),
        Point::new(-h, 0.5),
    ]
}

fn build(centres: &[Point], offsets: &[Point]) -> Result<Graph, BoardError> {
    Ok(Graph::unit(&corners_around(centres, offsets)?, false).reordered(Basis::Known))
}

pub(super) fn outline(outline: Outline, a: usize, b: usize) -> Result<Graph, BoardError> {
    limit(a.checked_mul(a))?;
    limit(b.checked_mul(b))?;
    let (n, m) = (a as i64, b as i64);
    let turned = offsets().map(|p| Point::new(p.y, p.x));
    match outline {
        Outline::Hexagon => hexagon(n),
        Outline::Triangle => build(&lattice(0..n, 0..n, |r, c| r <= c, centre)?, &offsets()),
        Outline::Diamond => build(&lattice(0..n, 0..n, |_, _| true, rhombus_centre)?, &turned),
        Outline::Prism => {
            let size = 0..n + m - 1;
            let inside = |r: i64, c: i64| (r - c).abs() < n;
            build(&lattice(size.clone(), size, inside, rhombus_centre)?, &turned)
        }
        Outline::Star => build(
            &lattice(0..4 * n + 1, 0..4 * n + 1, |r, c| in_star(r, c, n), centre)?,
            &offsets(),
        ),
        Outline::Rectangle => {
            let inside = |r, c| in_rectangle(r, c, m);
            build(&lattice(0..n, 0..m + n / 2, inside, centre)?, &offsets())
        }
        Outline::Limping => sides(&[a as i32, a as i32 + 1]),
    }
}

pub(super) fn in_hexagon(r: i64, c: i64, n: i64) -> bool {
    c < n + r && r - c < n
}

pub(super) fn in_rectangle(r: i64, c: i64, columns: i64) -> bool {
    c >= (r + 1) / 2 && c < columns + r / 2
}

pub(super) fn in_star(r: i64, c: i64, d: i64) -> bool {
    if r < d {
        c >= d && c - r <= d
    } else if r <= 2 * d {
        r - c <= d && c <= 3 * d
    } else if r <= 3 * d {
        c >= d && c - r <= d
    } else {
        c <= 3 * d && r - c <= d
    }
}

/// Vertices are numbered along the zigzag lines between the rows of cells, from the bottom.
fn hexagon(n: i64) -> Result<Graph, BoardError> {
    let size = 0..2 * n - 1;
    let centres = lattice(size.clone(), size, |r, c| in_hexagon(r, c, n), centre)?;
    let mut points = corners_around(&centres, &offsets())?;
    let line = |p: &Point| ((p.y + 1.0) / 1.5 + 0.001).floor();
    points.sort_by(|p, q| line(p).total_cmp(&line(q)).then(p.x.total_cmp(&q.x)));
    // The graph of this one outline has no recorded tiling.
    Ok(Graph::unit(&points, true).reordered(Basis::Mixed))
}

pub(super) fn sides(sides: &[i32]) -> Result<Graph, BoardError> {
    polygon(&six_way_outline(sides, centre))
}

pub(super) fn polygon(polygon: &Polygon) -> Result<Graph, BoardError> {
    build(&lattice_in(polygon, 3, centre)?, &offsets())
}

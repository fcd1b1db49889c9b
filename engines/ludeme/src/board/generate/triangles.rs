//! Boards of triangles with sides of length 1.

use super::super::BoardError;
use super::super::geometry::{Point, Polygon};
use super::super::graph::{Basis, Graph};
use super::super::shape::{Outline, SiteType};
use super::hexagons::{in_hexagon, in_rectangle, in_star};
use super::{lattice, lattice_in, limit, six_way_outline};

fn vertex(r: f64, c: f64) -> Point {
    Point::new(c - r / 2.0, r * 3f64.sqrt() / 2.0)
}

fn rhombus_vertex(r: f64, c: f64) -> Point {
    Point::new(3f64.sqrt() / 2.0 * (c - r), (r + c) / 2.0)
}

fn build(points: &[Point]) -> Graph {
    Graph::unit(points, false).reordered(Basis::Known)
}

pub(super) fn outline(
    outline: Outline,
    a: usize,
    b: usize,
    site: SiteType,
) -> Result<Graph, BoardError> {
    limit(a.checked_mul(a))?;
    limit(b.checked_mul(b))?;
    let counted_in_cells =
        site == SiteType::Cell && !matches!(outline, Outline::Star | Outline::Limping);
    let extra = i64::from(counted_in_cells);
    let (n, m) = (a as i64 + extra, b as i64 + extra);
    Ok(match outline {
        Outline::Triangle => build(&lattice(0..n, 0..n, |r, c| r <= c, vertex)?),
        Outline::Hexagon => hexagon(n)?,
        Outline::Diamond => build(&lattice(0..n, 0..n, |_, _| true, rhombus_vertex)?),
        Outline::Prism => {
            let size = 0..n + m - 1;
            let inside = |r: i64, c: i64| (r - c).abs() < n;
            build(&lattice(size.clone(), size, inside, rhombus_vertex)?)
        }
        Outline::Star => {
            let size = 0..4 * n + 1;
            build(&lattice(size.clone(), size, |r, c| in_star(r, c, n), vertex)?)
        }
        Outline::Rectangle => {
            build(&lattice(0..n, 0..m + n / 2, |r, c| in_rectangle(r, c, m), vertex)?)
        }
        Outline::Limping => sides(&[a as i32, a as i32 + 1])?,
    })
}

/// Slanted edges above the middle row run downwards, all others upwards or to the right.
fn hexagon(n: i64) -> Result<Graph, BoardError> {
    let size = 0..2 * n - 1;
    let points = lattice(size.clone(), size, |r, c| in_hexagon(r, c, n), vertex)?;
    let mut graph = Graph::unit(&points, true);
    let middle = (n - 1) as f64 * 3f64.sqrt() / 2.0;
    for edge in 0..graph.edges.len() {
        let [a, b] = graph.edges[edge].ends.map(|v| graph.vertices[v].at);
        let slanted = (a.y - b.y).abs() > 0.1;
        if slanted && (a.y + b.y) / 2.0 > middle {
            graph.edges[edge].ends.reverse();
        }
    }
    graph.make_faces(false);
    Ok(graph.reordered(Basis::Mixed))
}

pub(super) fn sides(sides: &[i32]) -> Result<Graph, BoardError> {
    // For two alternating lengths the margin of the search is the first of them.
    let margin = if sides.len() == 2 { i64::from(sides[0].clamp(2, 100)) } else { 2 };
    Ok(build(&lattice_in(&six_way_outline(sides, vertex), margin, vertex)?))
}

pub(super) fn polygon(polygon: &Polygon) -> Result<Graph, BoardError> {
    Ok(build(&lattice_in(polygon, 2, vertex)?))
}

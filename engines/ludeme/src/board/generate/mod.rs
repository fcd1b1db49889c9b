//! Generators: from a [`Shape`] without operators to a [`Graph`].
//!
//! Numbering of elements is part of the language: pieces are placed and regions written by number.
//! So the order in which vertices, edges and faces are made, and where they are sorted again, is
//! kept exactly as specified.

mod concentric;
mod hexagons;
mod odd;
mod squares;
mod triangles;
mod woven;

use super::BoardError;
use super::geometry::{Point, Polygon};
use super::graph::Graph;
use super::shape::{NumberedEdge, Shape, SiteType};
use crate::limits::MAX_VERTICES;

/// Builds the graph of a generator for boards played on `site`; `None` for operators.
pub(super) fn generate(shape: &Shape, site: SiteType) -> Result<Option<Graph>, BoardError> {
    Ok(Some(match shape {
        Shape::Square { outline, dim, diagonals, pyramidal } => {
            squares::square(*outline, *dim, *diagonals, *pyramidal, site)?
        }
        Shape::Rectangle { rows, columns, diagonals } => {
            squares::rectangle(*rows, *columns, *diagonals, site)?
        }
        Shape::SquarePolygon(polygon, diagonals) => squares::polygon(polygon, *diagonals)?,
        Shape::SquareSides(sides, diagonals) => squares::sides(sides, *diagonals)?,
        Shape::Hex(outline, a, b) => hexagons::outline(*outline, *a, *b)?,
        Shape::HexSides(sides) => hexagons::sides(sides)?,
        Shape::HexPolygon(polygon) => hexagons::polygon(polygon)?,
        Shape::Tri(outline, a, b) => triangles::outline(*outline, *a, *b, site)?,
        Shape::TriSides(sides) => triangles::sides(sides)?,
        Shape::TriPolygon(polygon) => triangles::polygon(polygon)?,
        Shape::Rings(rings) => concentric::polygons(*rings, site)?,
        Shape::Concentric { counts, stagger } => concentric::circles(counts, *stagger, site)?,
        Shape::Wedge(rows, columns) => odd::wedge(*rows, *columns)?,
        Shape::Graph { vertices, edges } => odd::explicit(vertices, edges)?,
        Shape::Regular { corners, star } => odd::regular(*corners, *star, site)?,
        Shape::Spiral { turns, sites, clockwise } => odd::spiral(*turns, *sites, *clockwise)?,
        Shape::Repeat { rows, columns, column_step, row_step, polygons } => {
            odd::repeat([*rows, *columns], *column_step, *row_step, polygons)?
        }
        Shape::Bricks { rows, halves } => woven::bricks(rows, *halves)?,
        Shape::Celtic(rows, columns) => woven::celtic(*rows, *columns)?,
        Shape::Quadhex(layers) => woven::quadhex(*layers)?,
        Shape::Tiling(tiling, a, b) => odd::tiling(*tiling, *a, *b)?,
        Shape::Mancala { rows, columns, stores } => odd::mancala(*rows, *columns, *stores)?,
        _ => return Ok(None),
    }))
}

/// Refuses boards beyond the limit before anything is built.
pub(super) fn limit(vertices: Option<usize>) -> Result<(), BoardError> {
    match vertices {
        Some(n) if n <= MAX_VERTICES => Ok(()),
        _ => Err(BoardError::TooLarge),
    }
}

/// Adds edges between vertices with these numbers, without those from a vertex to itself.
pub(super) fn join(graph: &mut Graph, edges: &[NumberedEdge]) -> Result<(), BoardError> {
    let vertices = graph.vertices.len();
    for &NumberedEdge { ends: [a, b], written_at } in edges {
        if a.max(b) >= vertices {
            return Err(BoardError::NoVertex { written_at, vertices });
        }
        if a != b {
            graph.find_or_add_edge(a, b);
        }
    }
    Ok(())
}

/// Appends a point unless an earlier one is closer than 0.1.
fn push_distinct(points: &mut Vec<Point>, p: Point) {
    if points.iter().all(|q| q.distance(p) >= 0.1) {
        points.push(p);
    }
}

/// The corners of tiles around the given centres, each place once.
fn corners_around(centres: &[Point], offsets: &[Point]) -> Result<Vec<Point>, BoardError> {
    limit(centres.len().checked_mul(offsets.len()).map(|n| n / 3))?;
    let mut points = Vec::new();
    for c in centres {
        for o in offsets {
            push_distinct(&mut points, Point::new(c.x + o.x, c.y + o.y));
        }
    }
    Ok(points)
}

/// The lattice points that satisfy `inside`, row by row.
fn lattice(
    rows: std::ops::Range<i64>,
    columns: std::ops::Range<i64>,
    inside: impl Fn(i64, i64) -> bool,
    place: impl Fn(f64, f64) -> Point,
) -> Result<Vec<Point>, BoardError> {
    let area = (rows.end - rows.start).max(0).checked_mul((columns.end - columns.start).max(0));
    limit(area.and_then(|n| usize::try_from(n / 4).ok()))?;
    let mut points = Vec::new();
    for r in rows {
        for c in columns.clone() {
            if inside(r, c) {
                points.push(place(r as f64, c as f64));
            }
        }
    }
    Ok(points)
}

/// The polygon of lattice points that a list of side lengths walks around, on lattices with six
/// directions.
fn six_way_outline(sides: &[i32], place: impl Fn(f64, f64) -> Point) -> Polygon {
    const STEPS: [(f64, f64); 6] =
        [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 0.0), (-1.0, -1.0), (0.0, -1.0)];
    let (mut r, mut c) = (0.0, 0.0);
    let mut points = vec![place(r, c)];
    let mut direction = 1usize;
    for n in 0..sides.len().max(5) {
        let Some(&v) = sides.get(n % sides.len().max(1)) else { break };
        let w = if v >= 0 { v - 1 } else { v + 1 };
        direction = (direction + if w >= 0 { 1 } else { 5 }) % 6;
        if w > 0 {
            r += f64::from(w) * STEPS[direction].0;
            c += f64::from(w) * STEPS[direction].1;
            points.push(place(r, c));
        }
    }
    Polygon::new(points)
}

/// All lattice points inside a polygon, searched within its bounds and a margin.
fn lattice_in(
    polygon: &Polygon,
    margin: i64,
    place: impl Fn(f64, f64) -> Point,
) -> Result<Vec<Point>, BoardError> {
    let polygon = polygon.inflated();
    let (low, high) = polygon.bounds();
    let range = |a: f64, b: f64| {
        let clamp = |v: f64| v.clamp(-1e6, 1e6) as i64;
        clamp(a) - margin..clamp(b) + margin + 1
    };
    let area = lattice(range(low.y, high.y), range(low.x, high.x), |_, _| true, &place)?;
    Ok(area.into_iter().filter(|p| polygon.contains(*p)).collect())
}

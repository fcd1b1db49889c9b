//! Bricks, knots, and hexagons of quadrilaterals.
//!
//! No published board is made of them, and of most the specification has the names alone. So they
//! are the plainest boards of these names: walls of bricks that lie half a brick beside those
//! below, the medial graph of a grid, on which knots are drawn, and the board of chess for three.

use std::f64::consts::PI;

use super::super::BoardError;
use super::super::geometry::Point;
use super::super::graph::{Basis, Graph};
use super::limit;

pub(super) fn bricks(rows: &[(usize, i64)], halves: bool) -> Result<Graph, BoardError> {
    let longest = rows.iter().map(|row| row.0).max().unwrap_or(0);
    limit(longest.checked_mul(6).and_then(|n| n.checked_mul(rows.len())))?;
    let mut graph = Graph::new();
    for (y, &(count, start)) in rows.iter().enumerate() {
        let whole = (0..count as i64).map(|i| (start + 2 * i, 2));
        let ends = [(start - 1, 1), (start + 2 * count as i64, 1)];
        let ends = ends.into_iter().filter(|_| halves && count < longest);
        for (left, width) in whole.chain(ends) {
            // Around the brick in steps of one, so that it touches two bricks above and below.
            let above = (0..=width).map(|i| (left + i, 1));
            let below = (0..=width).rev().map(|i| (left + i, 0));
            let corners: Vec<usize> = above
                .chain(below)
                .map(|(x, up)| graph.find_or_add_vertex(Point::new(x as f64, (y + up) as f64)))
                .collect();
            for (index, &corner) in corners.iter().enumerate() {
                graph.find_or_add_edge(corner, corners[(index + 1) % corners.len()]);
            }
        }
    }
    Ok(graph.finished(Basis::Mixed))
}

/// A vertex in the middle of each line of the grid, joined with those around the same square.
pub(super) fn celtic(rows: usize, columns: usize) -> Result<Graph, BoardError> {
    limit(rows.checked_mul(columns).and_then(|n| n.checked_mul(4)))?;
    let mut graph = Graph::new();
    for r in 0..rows {
        for c in 0..columns {
            let (x, y) = (c as f64 + 0.5, r as f64 + 0.5);
            let around = [(0.0, 0.5), (0.5, 0.0), (0.0, -0.5), (-0.5, 0.0)];
            let middles =
                around.map(|(dx, dy)| graph.find_or_add_vertex(Point::new(x + dx, y + dy)));
            for (index, &middle) in middles.iter().enumerate() {
                graph.find_or_add_edge(middle, middles[(index + 1) % 4]);
            }
        }
    }
    Ok(graph.finished(Basis::Mixed))
}

/// A hexagon in six parts: lines lead from its centre to the middles of all sides, one of which
/// lies at the bottom.
pub(super) fn quadhex(layers: usize) -> Result<Graph, BoardError> {
    limit(layers.checked_mul(layers).and_then(|n| n.checked_mul(6)))?;
    let n = layers as f64;
    let on_circle = |radius: f64, turn: f64| {
        let angle = PI * turn / 3.0 - PI / 2.0;
        Point::new(radius * angle.cos(), radius * angle.sin())
    };
    let mut graph = Graph::new();
    for part in 0..6 {
        let (left, right) = (on_circle(n, f64::from(part)), on_circle(n, f64::from(part + 1)));
        let corner = on_circle(n / (PI / 6.0).cos(), f64::from(part) + 0.5);
        let place = |i: usize, j: usize| {
            let (s, t) = (i as f64 / n, j as f64 / n);
            let mix = |l: f64, r: f64, c: f64| s * (1.0 - t) * l + (1.0 - s) * t * r + s * t * c;
            Point::new(mix(left.x, right.x, corner.x), mix(left.y, right.y, corner.y))
        };
        for i in 0..=layers {
            for j in 0..=layers {
                let vertex = graph.find_or_add_vertex(place(i, j));
                if i > 0 {
                    let below = graph.find_or_add_vertex(place(i - 1, j));
                    graph.find_or_add_edge(below, vertex);
                }
                if j > 0 {
                    let beside = graph.find_or_add_vertex(place(i, j - 1));
                    graph.find_or_add_edge(beside, vertex);
                }
            }
        }
    }
    Ok(graph.finished(Basis::Mixed))
}

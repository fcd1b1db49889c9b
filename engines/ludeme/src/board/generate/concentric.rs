//! Boards of rings around a centre.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::super::BoardError;
use super::super::geometry::Point;
use super::super::graph::{Basis, Graph};
use super::super::shape::{Rings, SiteType};
use super::limit;

fn on_circle(radius: f64, angle: f64) -> Point {
    Point::new(radius * angle.cos(), radius * angle.sin())
}

/// Polygonal rings, such as those of morris boards.
pub(super) fn polygons(rings: Rings, site: SiteType) -> Result<Graph, BoardError> {
    let Rings { sides, rings, midpoints, join_midpoints, join_corners } = rings;
    let per_side = 1 + usize::from(midpoints);
    let per_ring = sides.checked_mul(per_side).ok_or(BoardError::TooLarge)?;
    limit(per_ring.checked_mul(rings))?;
    let first = if sides % 2 == 1 { FRAC_PI_2 } else { FRAC_PI_2 + PI / sides.max(1) as f64 };
    let mut graph = Graph::new();
    for ring in 0..rings {
        let radius = 1.0 + ring as f64 * if sides == 3 { 2.0 } else { 1.0 };
        let corner = |side: usize| on_circle(radius, first + TAU * side as f64 / sides as f64);
        for side in 0..sides {
            graph.add_vertex(corner(side));
            if midpoints {
                graph.add_vertex(corner(side).middle(corner((side + 1) % sides)));
            }
        }
    }
    for ring in 0..rings {
        for i in 0..per_ring {
            graph.find_or_add_edge(ring * per_ring + i, ring * per_ring + (i + 1) % per_ring);
        }
    }
    for ring in 0..rings.saturating_sub(1) {
        for side in 0..sides {
            let mut join = |i: usize| {
                let inner = ring * per_ring + i % per_ring;
                graph.find_or_add_edge(inner, inner + per_ring);
            };
            if join_corners {
                join(side * per_side);
            }
            if join_midpoints {
                join(side * per_side + 1);
            }
        }
    }
    graph.sort_all_incident();
    if site == SiteType::Cell {
        graph.make_faces(true);
    }
    Ok(graph.reordered(Basis::Mixed))
}

/// The angle of a step on a ring, clockwise from the top.
fn angle(step: usize, count: usize, staggered: bool) -> f64 {
    let offset = if staggered { PI / count as f64 } else { 0.0 };
    FRAC_PI_2 + offset - TAU * step as f64 / count as f64
}

/// Round rings with these numbers of places.
pub(super) fn circles(counts: &[i32], stagger: bool, site: SiteType) -> Result<Graph, BoardError> {
    let total = counts.iter().try_fold(0usize, |sum, n| sum.checked_add(n.unsigned_abs() as usize));
    limit(total)?;
    limit(Some(counts.len()))?;
    Ok(match (site, counts) {
        (SiteType::Cell, _) => cells(counts, stagger),
        (_, &[n]) => single(n.unsigned_abs() as usize),
        _ => points(counts, stagger),
    })
}

/// One ring alone is a plain polygon.
fn single(n: usize) -> Graph {
    let first = if n == 4 { PI / 4.0 } else { FRAC_PI_2 };
    let mut graph = Graph::new();
    for i in 0..n {
        graph.add_vertex(on_circle(n as f64 / TAU, first + TAU * i as f64 / n as f64));
    }
    for i in 0..n {
        if n > 1 {
            graph.find_or_add_edge(i, (i + 1) % n);
        }
    }
    graph.reordered(Basis::Mixed)
}

/// Rings whose places are vertices.
fn points(counts: &[i32], stagger: bool) -> Graph {
    let mut rings: Vec<i32> = counts.to_vec();
    if rings.first().is_none_or(|n| n.abs() > 1) {
        rings.insert(0, 0);
    }
    let mut graph = Graph::new();
    // The vertices of each ring with their angles.
    let mut placed: Vec<Vec<(usize, f64)>> = Vec::new();
    for (k, &n) in rings.iter().enumerate() {
        let n = n.unsigned_abs() as usize;
        let mut ring: Vec<(usize, f64)> = Vec::new();
        if k == 0 {
            if n == 1 {
                ring.push((graph.add_vertex(Point::default()), 0.0));
            }
            placed.push(ring);
            continue;
        }
        for step in (0..n).rev() {
            let turn = angle(step, n, stagger && k % 2 == 1);
            let p = on_circle(k as f64, turn);
            if ring.iter().all(|&(v, _)| graph.vertices[v].at.distance(p) >= 0.1) {
                ring.push((graph.add_vertex(p), turn));
            }
        }
        placed.push(ring);
    }
    for (k, ring) in placed.iter().enumerate().skip(1) {
        if rings[k] >= 2 {
            for i in 0..ring.len() {
                let (a, b) = (ring[i].0, ring[(i + 1) % ring.len()].0);
                if graph.find_edge(a, b).is_none() {
                    graph.push_edge(a, b, true);
                }
            }
        }
    }
    let mut spokes = Vec::new();
    for (k, pair) in placed.windows(2).enumerate() {
        for &(inner, turn) in &pair[0] {
            for &(outer, outer_turn) in &pair[1] {
                if k == 0 || same_angle(turn, outer_turn) {
                    spokes.push((inner, outer));
                }
            }
        }
    }
    for &(inner, outer) in &spokes {
        graph.push_edge(inner, outer, false);
    }
    let centre = placed[0].first().map(|&(v, _)| v);
    if centre.is_some() {
        for vertex in &mut graph.vertices {
            vertex.pivot = centre;
        }
    } else {
        for (inner, outer) in spokes {
            graph.vertices[outer].pivot = Some(inner);
        }
    }
    graph.sort_all_incident();
    graph
}

fn same_angle(a: f64, b: f64) -> bool {
    let turn = (a - b).rem_euclid(TAU);
    turn < 0.001 || TAU - turn < 0.001
}

/// Rings whose places are cells.
fn cells(counts: &[i32], stagger: bool) -> Graph {
    let wrap = |a: f64| {
        let mut a = a;
        while a > PI {
            a -= TAU;
        }
        while a < -PI {
            a += TAU;
        }
        a
    };
    let divisions: Vec<Vec<f64>> = counts
        .iter()
        .enumerate()
        .map(|(k, n)| {
            let n = n.unsigned_abs() as usize;
            let steps = if n < 2 { 0 } else { n };
            (0..steps).map(|step| wrap(angle(step, n, stagger && k % 2 == 1))).collect()
        })
        .collect();
    let radius = |circle: usize| (circle as f64 - 0.5).max(0.0);
    let mut graph = Graph::new();
    graph.add_vertex(Point::default());
    let mut circle_edges = Vec::new();
    for circle in 0..=counts.len() {
        let mut angles: Vec<f64> = Vec::new();
        for ring in [circle.checked_sub(1), Some(circle)].into_iter().flatten() {
            angles.extend(divisions.get(ring).into_iter().flatten());
        }
        angles.sort_by(f64::total_cmp);
        let mut ring = Vec::new();
        for turn in angles {
            let p = on_circle(radius(circle), turn);
            if graph.find_vertex(p).is_none() {
                ring.push(graph.add_vertex(p));
            }
        }
        for i in 0..ring.len() {
            if ring.len() > 1 {
                circle_edges.push((ring[i], ring[(i + 1) % ring.len()]));
            }
        }
    }
    for (a, b) in circle_edges {
        if graph.find_edge(a, b).is_none() {
            graph.push_edge(a, b, true);
        }
    }
    for (k, ring) in divisions.iter().enumerate() {
        for &turn in ring {
            let ends = [k, k + 1].map(|circle| graph.find_vertex(on_circle(radius(circle), turn)));
            if let [Some(a), Some(b)] = ends
                && graph.find_edge(a, b).is_none()
            {
                graph.push_edge(a, b, false);
            }
        }
    }
    for vertex in &mut graph.vertices {
        vertex.pivot = Some(0);
    }
    graph.sort_all_incident();
    graph.make_faces(true);
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rings_are_no_places() {
        for site in [SiteType::Cell, SiteType::Edge, SiteType::Vertex] {
            for stagger in [false, true] {
                let graph = circles(&[], stagger, site).expect("nothing is within the limit");
                // Rings of cells always have a centre.
                let most = usize::from(site == SiteType::Cell);
                assert!(graph.vertices.len() <= most, "{site:?}");
            }
        }
    }
}

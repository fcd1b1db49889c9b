//! Rows, columns, layers, labels and colouring of elements.

use std::collections::VecDeque;

use super::geometry::{Point, bounds, distance_to_line};
use super::graph::Graph;
use super::shape::SiteType;

/// Row, column, layer and label of each element of one type.
#[derive(Default)]
pub(super) struct Grid {
    pub(super) row: Vec<i32>,
    pub(super) column: Vec<i32>,
    /// The rows and columns as sets of elements: equal to `row` and `column`, but -1 for elements
    /// that have a number without being in the set.
    pub(super) rows: Vec<i32>,
    pub(super) columns: Vec<i32>,
    pub(super) layer: Vec<i32>,
    pub(super) labels: Vec<String>,
}

/// The angles, in degrees, of the lines that rows and columns run along.
#[derive(Clone, Copy)]
pub(super) struct RowAngles {
    row: f64,
    column: f64,
}

/// Buckets of elements by distance from a line, with a measure of their misfit.
struct Clusters {
    of: Vec<i32>,
    error: f64,
}

fn cluster(distances: &[f64], unit: f64) -> Clusters {
    let mut order: Vec<usize> = (0..distances.len()).collect();
    order.sort_by(|&i, &j| distances[i].total_cmp(&distances[j]));
    let mut buckets_of_elements = vec![0; distances.len()];
    // Sum, size and largest distance of each bucket.
    let mut buckets: Vec<(f64, f64, f64)> = Vec::new();
    for i in order {
        let d = distances[i];
        match buckets.last_mut() {
            Some((sum, size, last)) if (d - *sum / *size).abs() <= 0.6 * unit => {
                *sum += d;
                *size += 1.0;
                *last = d;
            }
            _ => buckets.push((d, 1.0, d)),
        }
        buckets_of_elements[i] = buckets.len() as i32 - 1;
    }
    let error =
        buckets.iter().map(|(sum, size, last)| (last - sum / size).powi(2) / size).sum::<f64>()
            + 0.01 * buckets.len() as f64;
    Clusters { of: buckets_of_elements, error }
}

fn best(
    points: &[Point],
    unit: f64,
    from: Point,
    width: f64,
    angles: &[f64],
) -> Option<(f64, Clusters)> {
    let mut found: Option<(f64, Clusters)> = None;
    for &degrees in angles {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let to = Point::new(from.x + width * cos, from.y + width * sin);
        let distances: Vec<f64> = points.iter().map(|&p| distance_to_line(p, from, to)).collect();
        let clusters = cluster(&distances, unit);
        let error = clusters.error;
        if found.as_ref().is_none_or(|(_, best)| error < best.error) {
            found = Some((degrees, clusters));
        }
        if error < 0.01 {
            break;
        }
    }
    found
}

impl Grid {
    /// Finds rows and columns; `slant` gives their directions if they are known.
    pub(super) fn of(
        points: &[Point],
        site: SiteType,
        slant: Option<RowAngles>,
    ) -> (Grid, Option<RowAngles>) {
        if points.is_empty() {
            return (Grid::default(), None);
        }
        let (low, high) = bounds(points.iter().copied());
        let (width, height) = (high.x - low.x, high.y - low.y);
        let unit = (width + height) / 2.0 / (points.len() as f64).sqrt();
        let middle = low.middle(high);
        let row_angles = slant.map_or(vec![0.0, 15.0, 30.0, 45.0, 60.0], |s| vec![s.row]);
        let under = Point::new(middle.x, low.y - height);
        let rows = best(points, unit, under, width, &row_angles);
        let row_angle = rows.as_ref().map_or(0.0, |r| r.0);
        let column_angles =
            slant.map_or([90.0, 105.0, 120.0].map(|a| row_angle + a).to_vec(), |s| vec![s.column]);
        let beside = Point::new(low.x - width, middle.y);
        let columns = best(points, unit, beside, width, &column_angles);
        let column_angle = columns.as_ref().map_or(90.0, |c| c.0);
        let heights: Vec<f64> = points.iter().map(|p| p.z - low.z).collect();
        let row = rows.map(|r| r.1.of).unwrap_or_default();
        let column = columns.map(|c| c.1.of).unwrap_or_default();
        let mut grid = Grid {
            rows: row.clone(),
            columns: column.clone(),
            row,
            column,
            layer: cluster(&heights, unit).of,
            labels: Vec::new(),
        };
        grid.label(points, site);
        (grid, Some(RowAngles { row: row_angle, column: column_angle }))
    }

    fn label(&mut self, points: &[Point], site: SiteType) {
        let layered = self.layer.iter().any(|&l| l != self.layer[0]);
        self.labels = (0..points.len())
            .map(|i| {
                let layer = if layered { format!("/{}", self.layer[i]) } else { String::new() };
                format!("{}{}{layer}", letters(self.column[i]), self.row[i] + 1)
            })
            .collect();
        let mut sorted: Vec<&String> = self.labels.iter().collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0] == w[1]) {
            self.by_centroid(points);
            self.labels = (0..points.len())
                .map(|i| format!("{}{}", letters(self.column[i]), self.row[i] + 1))
                .collect();
        }
        if site == SiteType::Edge {
            self.labels = (0..points.len()).map(|e| e.to_string()).collect();
        }
    }

    /// Makes a row or column of each distinct coordinate.
    pub(super) fn by_centroid(&mut self, points: &[Point]) {
        let distinct = |value: fn(&Point) -> f64| {
            let mut values: Vec<f64> =
                points.iter().filter(|p| p.z.abs() < 0.001).map(value).collect();
            values.sort_by(f64::total_cmp);
            values.dedup_by(|a, b| (*a - *b).abs() < 0.001);
            points
                .iter()
                .map(|p| {
                    let found = values.iter().position(|v| (v - value(p)).abs() < 0.001);
                    found.map_or(-1, |i| i as i32)
                })
                .collect::<Vec<i32>>()
        };
        self.rows = distinct(|p| p.y);
        self.columns = distinct(|p| p.x);
        // Elements of upper layers that are in line with none below keep the numbers they had.
        for (number, found) in self.row.iter_mut().zip(&self.rows) {
            *number = if *found < 0 { *number } else { *found };
        }
        for (number, found) in self.column.iter_mut().zip(&self.columns) {
            *number = if *found < 0 { *number } else { *found };
        }
    }
}

/// The elements with this number, ascending.
pub(super) fn members(numbers: &[i32], wanted: i32) -> Vec<u16> {
    let numbers = numbers.iter().enumerate().filter(|&(_, &n)| n == wanted && n >= 0);
    numbers.map(|(i, _)| i as u16).collect()
}

/// A column as spreadsheets name it: A to Z, AA, AB, ...
fn letters(column: i32) -> String {
    let mut n = column;
    let mut letters = Vec::new();
    while n >= 0 {
        letters.push(b'A' + (n % 26) as u8);
        n = n / 26 - 1;
    }
    letters.iter().rev().map(|&b| char::from(b)).collect()
}

/// Colours elements greedily so that neighbours differ. Colour 4 is used if four colours are not
/// enough.
pub(super) fn phases(neighbours: &[Vec<usize>]) -> Vec<u8> {
    let mut phase: Vec<Option<u8>> = vec![None; neighbours.len()];
    let mut visited = vec![false; neighbours.len()];
    let seen = |phase: &[Option<u8>], element: usize| {
        neighbours[element].iter().filter_map(|&n| phase[n]).fold(0u8, |bits, p| bits | 1 << p)
    };
    for start in 0..neighbours.len() {
        if phase[start].is_some() {
            continue;
        }
        phase[start] = Some(0);
        let mut queue = VecDeque::from([start]);
        while let Some(element) = queue.pop_front() {
            if visited[element] {
                continue;
            }
            let taken = seen(&phase, element);
            phase[element] = Some((0..4).find(|p| taken & 1 << p == 0).unwrap_or(4));
            visited[element] = true;
            for &next in &neighbours[element] {
                if visited[next] {
                    continue;
                }
                if seen(&phase, next).count_ones() > 1 {
                    queue.push_front(next);
                } else {
                    queue.push_back(next);
                }
            }
        }
    }
    phase.into_iter().map(|p| p.unwrap_or(0)).collect()
}

/// For each element of one type the neighbours from which its colour has to differ.
pub(super) fn colour_neighbours(graph: &Graph, site: SiteType) -> Vec<Vec<usize>> {
    match site {
        SiteType::Vertex => (0..graph.vertices.len())
            .map(|v| graph.vertices[v].edges.iter().map(|&e| graph.edges[e].other(v)).collect())
            .collect(),
        SiteType::Edge => (0..graph.edges.len())
            .map(|e| {
                let ends = graph.edges[e].ends;
                let incident = ends.iter().flat_map(|&v| graph.vertices[v].edges.iter().copied());
                incident.filter(|&f| f != e).collect()
            })
            .collect(),
        SiteType::Cell => (0..graph.faces.len())
            .map(|f| {
                let edges = graph.faces[f].edges.iter().map(|&e| &graph.edges[e]);
                edges.flat_map(|e| [e.left, e.right]).flatten().filter(|&g| g != f).collect()
            })
            .collect(),
    }
}

//! Boards: the way from a [`Shape`] to a [`Topology`] with numbered sites, labels, neighbours,
//! straight paths and named regions.
//!
//! Everything here is computed once, when a game is compiled. `shape` is the input, `generate` and
//! `operate` build a planar graph (`graph`), `outline` and `places` measure it, `steps` and
//! `radials` find neighbours and straight lines.

mod directions;
mod fingerprint;
mod generate;
mod geometry;
mod graph;
mod incidence;
mod operate;
mod outline;
mod places;
mod radials;
mod shape;
mod steps;

pub use crate::limits::MAX_VERTICES;
pub use directions::{Direction, Relative};
pub use geometry::{Point, Polygon};
pub use radials::Radial;
pub use shape::{
    Additions, Diagonals, NumberedEdge, Outline, Removals, Rings, Shape, SiteType, SquareOutline,
    Tiling,
};

use crate::meter;
use graph::{Basis, Graph};
use outline::flag;
use places::Grid;

/// A reason why a board cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardError {
    /// It has more than [`MAX_VERTICES`] vertices.
    TooLarge,
    /// An edge leads to a vertex that the graph lacks.
    NoVertex {
        /// Position of the edge: see [`NumberedEdge::written_at`].
        written_at: u32,
        /// Number of vertices of the graph.
        vertices: usize,
    },
}

/// The use of a board in a game, as far as the board depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The type of element that pieces stand on.
    pub site: SiteType,
    /// True if the rules ask for the layers of sites: rows and columns go through all layers then.
    pub by_layer: bool,
}

impl Played {
    /// A board played on elements of a type, without questions about layers.
    pub fn on(site: SiteType) -> Played {
        Played { site, by_layer: false }
    }
}

/// The elements of one type.
#[derive(Default)]
struct Elements {
    points: Vec<Point>,
    grid: Grid,
    phases: Vec<u8>,
    flags: Vec<u16>,
    sides: Vec<u8>,
}

/// A measured board.
pub struct Topology {
    site: SiteType,
    graph: Graph,
    elements: [Elements; 3],
    steps: Vec<Vec<steps::Step>>,
    radials: Vec<radials::ByDirection>,
    /// Facings on steps of each relation of [`Direction::RELATIONS`], sorted.
    supported: [Vec<Direction>; 5],
    /// The same facings for other elements that have steps.
    other: Vec<(SiteType, [Vec<Direction>; 5])>,
}

/// The sets of sites that a board has by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names are those of the language
pub enum Area {
    Board,
    Corners,
    ConvexCorners,
    ConcaveCorners,
    Centre,
    Perimeter,
    Outer,
    Inner,
    Top,
    Bottom,
    Left,
    Right,
    Major,
    Minor,
}

impl Area {
    fn has(self, flags: u16, site: SiteType) -> bool {
        let any = |bits: u16| flags & bits != 0;
        match self {
            Area::Board => true,
            Area::Corners => any(flag::CONVEX | flag::CONCAVE),
            Area::ConvexCorners => any(flag::CONVEX),
            Area::ConcaveCorners => any(flag::CONCAVE),
            Area::Centre => any(flag::CENTRE),
            Area::Perimeter | Area::Outer => any(flag::PERIMETER),
            Area::Inner => !any(flag::PERIMETER),
            Area::Top => any(flag::TOP),
            Area::Bottom => any(flag::BOTTOM),
            Area::Left => any(flag::LEFT),
            Area::Right => any(flag::RIGHT),
            Area::Major => any(flag::MAJOR),
            Area::Minor => site == SiteType::Cell && !any(flag::MAJOR),
        }
    }
}

/// Steps of work to measure an element, which cover its part in the outline, its row, column, label
/// and colour; and the bytes of all of these.
const OF_ELEMENT: u64 = 20;
const BYTES_OF_ELEMENT: usize = 600;

impl Topology {
    /// Builds and measures a board.
    pub fn new(shape: &Shape, played: Played) -> Result<Topology, BoardError> {
        let Played { site, by_layer } = played;
        let graph = operate::build(shape, site)?;
        let elements = graph.vertices.len() + graph.edges.len() + graph.faces.len();
        meter::work(OF_ELEMENT * elements as u64);
        if !meter::bytes(BYTES_OF_ELEMENT * elements) {
            return Err(BoardError::TooLarge);
        }
        let outline = outline::Outline::of(&graph);
        if meter::is_spent() {
            return Err(BoardError::TooLarge);
        }
        let mut slant = None;
        let mut elements = SiteType::ALL.map(|of| {
            let points = match of {
                SiteType::Vertex => graph.vertices.iter().map(|v| v.at).collect(),
                SiteType::Edge => (0..graph.edges.len()).map(|e| graph.edge_at(e)).collect(),
                SiteType::Cell => graph.faces.iter().map(|f| f.at).collect::<Vec<Point>>(),
            };
            let known_slant = if of == SiteType::Edge { slant } else { None };
            let (mut grid, found) = Grid::of(&points, of, known_slant);
            if by_layer {
                grid.by_centroid(&points);
            }
            if of == SiteType::Vertex {
                slant = found;
            }
            let phases = places::phases(&places::colour_neighbours(&graph, of));
            Elements {
                points,
                grid,
                phases,
                flags: outline.flags[of.index()].clone(),
                sides: outline.sides[of.index()].clone(),
            }
        });
        for of_type in &mut elements {
            of_type.mark_extremes();
            of_type.mark_centre();
        }
        let most = graph.faces.iter().map(|f| f.vertices.len()).max();
        for (face, flags) in elements[SiteType::Cell.index()].flags.iter_mut().enumerate() {
            if Some(graph.faces[face].vertices.len()) == most {
                *flags |= flag::MAJOR;
            }
        }
        let steps = steps::steps(&graph, site);
        let radials = radials::radials(&elements[site.index()].points, &steps);
        if meter::is_spent() {
            return Err(BoardError::TooLarge);
        }
        let supported = Direction::RELATIONS.map(|relation| supported(&steps, relation));
        Ok(Topology { site, graph, elements, steps, radials, supported, other: Vec::new() })
    }

    /// Adds steps and straight paths to the elements of a type other than that of the board, under
    /// the numbers from `first`, which must be beyond all that have steps.
    pub fn add_steps(&mut self, of: SiteType, first: usize) {
        let mut steps = steps::steps(&self.graph, of);
        let mut radials = radials::radials(&self.elements[of.index()].points, &steps);
        self.other.push((of, Direction::RELATIONS.map(|relation| supported(&steps, relation))));
        for step in steps.iter_mut().flatten() {
            step.to += first;
        }
        let found = radials.iter_mut().flat_map(|by_direction| by_direction.values_mut());
        for radial in found.flatten() {
            let paths = std::iter::once(&mut radial.path).chain(&mut radial.opposite);
            paths.flat_map(|path| path.iter_mut()).for_each(|site| *site += first as u16);
        }
        self.steps.resize_with(first, Vec::new);
        self.steps.append(&mut steps);
        self.radials.resize_with(first, radials::ByDirection::default);
        self.radials.append(&mut radials);
    }

    /// True if elements of a type have steps.
    pub fn has_steps(&self, of: SiteType) -> bool {
        of == self.site || self.other.iter().any(|(other, _)| *other == of)
    }

    /// The type of element that is played on.
    pub fn site_type(&self) -> SiteType {
        self.site
    }

    /// Number of elements of a type.
    pub fn count(&self, site: SiteType) -> usize {
        self.elements[site.index()].points.len()
    }

    /// Number of sites that are played on.
    pub fn sites(&self) -> usize {
        self.count(self.site)
    }

    /// Number of site numbers that the board takes; the next container starts there.
    pub fn extent(&self) -> usize {
        self.sites().max(self.count(SiteType::Cell))
    }

    /// The position of an element in the plane.
    pub fn point(&self, site: SiteType, element: usize) -> Option<Point> {
        self.elements[site.index()].points.get(element).copied()
    }

    /// The label of an element, such as `C4`; empty for edges.
    pub fn label(&self, site: SiteType, element: usize) -> &str {
        match site {
            SiteType::Edge => "",
            _ => self.elements[site.index()].grid.labels.get(element).map_or("", String::as_str),
        }
    }

    /// The element with a label.
    pub fn find(&self, site: SiteType, label: &str) -> Option<usize> {
        match site {
            SiteType::Edge => None,
            _ => self.elements[site.index()].grid.labels.iter().position(|l| l == label),
        }
    }

    /// The row of an element.
    pub fn row(&self, site: SiteType, element: usize) -> Option<i32> {
        self.elements[site.index()].grid.row.get(element).copied()
    }

    /// The column of an element.
    pub fn column(&self, site: SiteType, element: usize) -> Option<i32> {
        self.elements[site.index()].grid.column.get(element).copied()
    }

    /// Number of rows. On boards of several layers it may be that of the lowest layer.
    pub fn rows(&self, site: SiteType) -> usize {
        let rows = &self.elements[site.index()].grid.rows;
        rows.iter().max().map_or(0, |&last| (last + 1) as usize)
    }

    /// The number of columns, as [`Topology::rows`].
    pub fn columns(&self, site: SiteType) -> usize {
        let columns = &self.elements[site.index()].grid.columns;
        columns.iter().max().map_or(0, |&last| (last + 1) as usize)
    }

    /// The elements of a row, ascending.
    pub fn in_row(&self, site: SiteType, row: i32) -> Vec<u16> {
        places::members(&self.elements[site.index()].grid.rows, row)
    }

    /// The elements of a column, ascending.
    pub fn in_column(&self, site: SiteType, column: i32) -> Vec<u16> {
        places::members(&self.elements[site.index()].grid.columns, column)
    }

    /// The layer of an element.
    pub fn layer(&self, site: SiteType, element: usize) -> Option<i32> {
        self.elements[site.index()].grid.layer.get(element).copied()
    }

    /// The colour of an element, from 0.
    pub fn phase(&self, site: SiteType, element: usize) -> Option<u8> {
        self.elements[site.index()].phases.get(element).copied()
    }

    /// Gives an element another colour.
    pub fn set_phase(&mut self, site: SiteType, element: usize, phase: u8) {
        if let Some(colour) = self.elements[site.index()].phases.get_mut(element) {
            *colour = phase;
        }
    }

    /// The elements of one of the board's own areas, ascending.
    pub fn area(&self, site: SiteType, area: Area) -> Vec<u16> {
        let flags = self.elements[site.index()].flags.iter().enumerate();
        flags.filter(|&(_, &f)| area.has(f, site)).map(|(i, _)| i as u16).collect()
    }

    /// The elements of the side of the board towards one of the eight main winds.
    pub fn side(&self, site: SiteType, wind: Direction) -> Vec<u16> {
        let Some(bit) = Direction::MAIN_WINDS.iter().position(|&w| w == wind) else {
            return Vec::new();
        };
        let sides = self.elements[site.index()].sides.iter().enumerate();
        sides.filter(|&(_, &s)| s & 1 << bit != 0).map(|(i, _)| i as u16).collect()
    }

    /// The vertices of a cell, in its own order.
    pub fn cell_vertices(&self, cell: usize) -> Vec<u16> {
        self.graph
            .faces
            .get(cell)
            .map(|f| f.vertices.iter().map(|&v| v as u16).collect())
            .unwrap_or_default()
    }

    /// The two ends of an edge.
    pub fn edge_ends(&self, edge: usize) -> Option<[u16; 2]> {
        self.graph.edges.get(edge).map(|e| e.ends.map(|v| v as u16))
    }

    /// Number of sides of the first cell, which decides on the number of sites of a container of
    /// dice.
    pub fn cell_edges(&self) -> usize {
        match (self.graph.basis, self.graph.faces.first()) {
            (Basis::Known, Some(face)) => face.edges.len(),
            _ => 4,
        }
    }

    /// Neighbours of a site in a direction, clockwise from the north.
    pub fn steps(&self, site: usize, direction: Direction) -> impl Iterator<Item = u16> + '_ {
        self.steps
            .get(site)
            .into_iter()
            .flatten()
            .filter(move |s| s.listed & direction.bit() != 0)
            .map(|s| s.to as u16)
    }

    /// Straight paths from a site in a direction, clockwise from the north.
    pub fn radials(&self, site: usize, direction: Direction) -> &[Radial] {
        self.radials.get(site).and_then(|r| r.get(&direction)).map_or(&[], Vec::as_slice)
    }

    /// The facings that occur on steps of a relation (one of [`Direction::RELATIONS`]) anywhere on
    /// the board, sorted; for other directions the direction itself.
    pub fn supported(&self, relation: Direction) -> &[Direction] {
        self.supported_among(self.site, relation)
    }

    /// The facing after so many turns to the next supported one, by its place among `supported`.
    pub fn turned(supported: &[Direction], facing: usize, turns: i32) -> usize {
        let Some(&from) = supported.get(facing) else { return facing };
        let places = (0..supported.len()).filter(|&at| supported[at].is_on_a_circle_with(from));
        let circle: Vec<usize> = places.collect();
        let at = circle.iter().position(|&at| at == facing).unwrap_or_default();
        circle[(at as i32 + turns).rem_euclid(circle.len() as i32) as usize]
    }

    /// As [`Topology::supported`], for elements of any type that have steps.
    pub fn supported_among(&self, of: SiteType, relation: Direction) -> &[Direction] {
        let elements = self.other.iter().find(|(elements, _)| *elements == of);
        let supported = elements.map_or(&self.supported, |(_, supported)| supported);
        let index = Direction::RELATIONS.iter().position(|&r| r == relation);
        index.map_or(&[], |index| &supported[index])
    }

    /// The facings on steps of a relation from one site, clockwise.
    pub fn supported_at(&self, site: usize, relation: Direction) -> Vec<Direction> {
        let mut found = Vec::new();
        for step in self.steps.get(site).into_iter().flatten() {
            if step.listed & relation.bit() != 0 {
                collect_facings(step.listed, &mut found);
            }
        }
        found
    }
}

fn collect_facings(listed: u64, found: &mut Vec<Direction>) {
    for direction in Direction::ALL {
        if direction.is_facing() && listed & direction.bit() != 0 && !found.contains(&direction) {
            found.push(direction);
        }
    }
}

fn supported(steps: &[Vec<steps::Step>], relation: Direction) -> Vec<Direction> {
    let mut found = Vec::new();
    for step in steps.iter().flatten() {
        if step.listed & relation.bit() != 0 {
            collect_facings(step.listed, &mut found);
        }
    }
    found.sort_by_key(|d| d.facing_rank());
    found
}

impl Elements {
    fn mark_extremes(&mut self) {
        let (low, high) = geometry::bounds(self.points.iter().copied());
        for (p, flags) in self.points.iter().zip(&mut self.flags) {
            let near = |a: f64, b: f64| (a - b).abs() < 0.01;
            for (bit, applies) in [
                (flag::LEFT, near(p.x, low.x)),
                (flag::RIGHT, near(p.x, high.x)),
                (flag::BOTTOM, near(p.y, low.y)),
                (flag::TOP, near(p.y, high.y)),
            ] {
                if applies {
                    *flags |= bit;
                }
            }
        }
    }

    /// Marks the elements closest to the whole outline.
    fn mark_centre(&mut self) {
        let with = |bits: u16| {
            let marked = self.points.iter().zip(&self.flags).filter(move |(_, f)| **f & bits != 0);
            marked.map(|(p, _)| *p).collect::<Vec<Point>>()
        };
        let mut references = with(flag::CONVEX | flag::CONCAVE);
        if self.points.len() < 100 {
            references.extend(with(flag::PERIMETER));
        }
        // The sum of the squares of the distances from the references equals that from their
        // centroid plus `count` times the square of the distance to the centroid.
        let count = references.len() as f64;
        let mean = |coordinate: fn(&Point) -> f64| {
            references.iter().map(coordinate).sum::<f64>() / count.max(1.0)
        };
        let centroid = Point::new(mean(|p| p.x), mean(|p| p.y));
        let square = |p: &Point| (p.x - centroid.x).powi(2) + (p.y - centroid.y).powi(2);
        let around: f64 = references.iter().map(square).sum();
        let spread: Vec<f64> = self.points.iter().map(|p| around + count * square(p)).collect();
        let least = spread.iter().copied().fold(1_000_000.0, f64::min);
        for (sum, flags) in spread.iter().zip(&mut self.flags) {
            if (sum - least).abs() < 0.0001 {
                *flags |= flag::CENTRE;
            }
        }
    }
}

//! Shapes of boards: generators and operators as data.

use super::geometry::{Point, Polygon};

/// The type of the elements that pieces stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum SiteType {
    /// Corners.
    Vertex,
    /// Lines between two corners.
    Edge,
    /// Faces.
    Cell,
}

impl SiteType {
    /// All three, in the order that step lists name them.
    pub const ALL: [SiteType; 3] = [SiteType::Vertex, SiteType::Edge, SiteType::Cell];

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The constant of this name.
    pub fn named(name: impl AsRef<str>) -> Option<SiteType> {
        match name.as_ref() {
            "Vertex" => Some(SiteType::Vertex),
            "Edge" => Some(SiteType::Edge),
            "Cell" => Some(SiteType::Cell),
            _ => None,
        }
    }
}

/// Diagonal lines added to the unit squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Diagonals {
    /// None.
    #[default]
    None,
    /// Alternating in direction, as on an Alquerque board.
    Alternating,
    /// Both, meeting in a vertex.
    Solid,
    /// Both, crossing without a vertex.
    SolidNoSplit,
    /// As the sides of nested diamonds.
    Concentric,
    /// Along the two main diagonals.
    Radiating,
}

/// Outlines of boards of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquareOutline {
    /// As many rows as columns.
    Square,
    /// One column more than rows.
    Limping,
    /// A square standing on a corner.
    Diamond,
}

/// Outlines of boards of hexagons or triangles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outline {
    /// A regular hexagon.
    Hexagon,
    /// A triangle.
    Triangle,
    /// A rhombus on a corner.
    Diamond,
    /// A hexagon with two long sides.
    Prism,
    /// A six-pointed star.
    Star,
    /// A hexagon with sides of alternating lengths.
    Limping,
    /// A rectangle.
    Rectangle,
}

/// The regular polygons that concentric rings may follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rings {
    /// Corners of a ring.
    pub sides: usize,
    /// Number of rings.
    pub rings: usize,
    /// True if the middle of each side is a vertex.
    pub midpoints: bool,
    /// True if lines join the midpoints of neighbouring rings.
    pub join_midpoints: bool,
    /// True if lines join the corners of neighbouring rings.
    pub join_corners: bool,
}

/// The tilings with more than one kind of tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiling {
    /// Triangles, squares and hexagons.
    T3464,
    /// Triangles and squares.
    T33434,
    /// Triangles and hexagons.
    T3636,
    /// Squares and octagons.
    T488,
    /// Triangles and dodecagons.
    T31212,
    /// Squares, hexagons and dodecagons.
    T4612,
    /// Triangles and hexagons that share no corner.
    T33336,
    /// Rows of squares, and of triangles between them.
    T33344,
}

/// An edge between vertices given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberedEdge {
    /// The vertices.
    pub ends: [usize; 2],
    /// Offset in the description, by which an error names the edge.
    pub written_at: u32,
}

/// Parts that `add` adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additions {
    /// Arcs: both ends and their two tangents.
    pub curves: Vec<[Point; 4]>,
    /// Vertices.
    pub vertices: Vec<Point>,
    /// Edges between places.
    pub edges: Vec<[Point; 2]>,
    /// Cells with corners at these places.
    pub cells: Vec<Vec<Point>>,
    /// Edges between vertices of these numbers.
    pub edges_by_id: Vec<NumberedEdge>,
    /// Cells with corners of these numbers.
    pub cells_by_id: Vec<Vec<usize>>,
    /// True if new vertices are joined to each other.
    pub connect: bool,
}

/// Parts that `remove` removes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Removals {
    /// All vertices inside.
    pub inside: Option<Polygon>,
    /// Cells by number.
    pub cells: Vec<usize>,
    /// Cells by the places of their corners.
    pub cells_at: Vec<Vec<Point>>,
    /// Edges by the numbers of their ends.
    pub edges: Vec<[usize; 2]>,
    /// Edges by the places of their ends.
    pub edges_at: Vec<[Point; 2]>,
    /// Vertices by number.
    pub vertices: Vec<usize>,
    /// Vertices by place.
    pub vertices_at: Vec<Point>,
    /// True if edges that bound no cell any more go as well.
    pub trim_edges: bool,
}

/// A board graph as an expression of generators and operators.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Unit squares.
    Square {
        /// Outline.
        outline: SquareOutline,
        /// Length of a side in elements played on.
        dim: usize,
        /// Lines added.
        diagonals: Diagonals,
        /// True if further layers are stacked on it.
        pyramidal: bool,
    },
    /// Unit squares in rows.
    Rectangle {
        /// Rows of elements played on.
        rows: usize,
        /// Columns of elements played on.
        columns: usize,
        /// Lines added.
        diagonals: Diagonals,
    },
    /// Unit squares with corners inside a polygon.
    SquarePolygon(Polygon, Diagonals),
    /// Unit squares inside an outline of sides of given lengths, with turns.
    SquareSides(Vec<i32>, Diagonals),
    /// Hexagons.
    Hex(Outline, usize, usize),
    /// Hexagons inside an outline of sides of given lengths.
    HexSides(Vec<i32>),
    /// Hexagons with centres inside a polygon.
    HexPolygon(Polygon),
    /// Triangles.
    Tri(Outline, usize, usize),
    /// Triangles inside an outline of sides of given lengths.
    TriSides(Vec<i32>),
    /// Triangles with corners inside a polygon.
    TriPolygon(Polygon),
    /// Polygonal rings around a centre.
    Rings(Rings),
    /// Round rings with these numbers of places.
    Concentric {
        /// Places on each ring; negative for a ring without lines along it.
        counts: Vec<i32>,
        /// True if odd rings are turned by half a step.
        stagger: bool,
    },
    /// A triangle of lines from an apex.
    Wedge(usize, usize),
    /// Vertices and edges as written.
    Graph {
        /// Positions.
        vertices: Vec<Point>,
        /// Edges between them.
        edges: Vec<NumberedEdge>,
    },
    /// A regular polygon or star.
    Regular {
        /// Number of corners.
        corners: usize,
        /// True if it is a star.
        star: bool,
    },
    /// A spiral line.
    Spiral {
        /// Turns.
        turns: usize,
        /// Vertices.
        sites: usize,
        /// True if it winds clockwise.
        clockwise: bool,
    },
    /// Polygons repeated in rows and columns.
    Repeat {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
        /// Shift from column to column.
        column_step: Point,
        /// Shift from row to row.
        row_step: Point,
        /// The repeated polygons.
        polygons: Vec<Polygon>,
    },
    /// Rows of bricks, each half a brick beside the one below.
    Bricks {
        /// By row the number of bricks, and the number of unit squares by which the row is moved to
        /// the right.
        rows: Vec<(usize, i64)>,
        /// True if the rows that are shorter by a brick have half a brick at both ends.
        halves: bool,
    },
    /// The crossings of a knot on rows and columns of squares.
    Celtic(usize, usize),
    /// A hexagon in six parts around its centre, each of rows and columns of quadrilaterals.
    Quadhex(usize),
    /// A semi-regular tiling.
    Tiling(Tiling, usize, Option<usize>),
    /// Rows of holes with stores.
    Mancala {
        /// Rows of holes.
        rows: usize,
        /// Holes in a row.
        columns: usize,
        /// True if there is a store at each end.
        stores: bool,
    },
    /// Moved by a vector.
    Shift(Point, Box<Shape>),
    /// Turned counter-clockwise by a number of degrees.
    Rotate(f64, Box<Shape>),
    /// Stretched.
    Scale(Point, Box<Shape>),
    /// Sheared.
    Skew(f64, Box<Shape>),
    /// Put together, with equal places made one.
    Merge(Vec<Shape>, bool),
    /// Put beside each other.
    Union(Vec<Shape>, bool),
    /// With parts added.
    Add(Box<Shape>, Box<Additions>),
    /// With parts removed.
    Remove(Box<Shape>, Box<Removals>),
    /// The part inside a polygon.
    Keep(Box<Shape>, Polygon),
    /// The part outside a polygon.
    Clip(Box<Shape>, Polygon),
    /// Without the cells inside.
    Hole(Box<Shape>, Polygon),
    /// Numbered anew: vertices, edges, cells.
    Renumber(Box<Shape>, [bool; 3]),
    /// With vertices where edges cross.
    SplitCrossings(Box<Shape>),
    /// Cells become vertices.
    Dual(Box<Shape>),
    /// Without loose ends.
    Trim(Box<Shape>),
    /// Cells with at least this number of sides are cut from their centres.
    Subdivide(Box<Shape>, usize),
    /// The part that all shapes have in common.
    Intersect(Vec<Shape>),
    /// All vertices joined with each other, or the vertices of each cell.
    Complete(Box<Shape>, bool),
    /// Faces found anew.
    MakeFaces(Box<Shape>),
    /// Copies above each other, with each vertex joined to those above and below.
    Layers(usize, Box<Shape>),
}

//! Formations of pieces that conditions test: lines, loops, angles, patterns, paths, graphs,
//! connections and threats.

use crate::ir::walk::{fact, nodes, pattern, visit};
use crate::ir::{
    AxesId, Bool, EdgeEnds, GeneratorId, Int, JumpId, Place, RayId, Region, Role, SetId,
};

nodes! {
    /// A test for pieces in line.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Line {
        /// Straight paths with their opposites.
        pub(crate) axes: AxesId,
        /// Number of pieces.
        pub(crate) length: Int,
        /// The sites that the line must pass through; `None` for the last site moved to.
        pub(crate) through: Option<Place>,
        /// The pieces that count; `None` for those like the one passed through.
        pub(crate) what: Option<LinePieces>,
        /// True if longer lines do not count.
        pub(crate) exact: bool,
        /// True if the line has no gaps.
        pub(crate) contiguous: bool,
        /// Further condition on every site of the line.
        pub(crate) condition: Option<Bool>,
    }

    /// The pieces that count for a line.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum LinePieces {
        /// All pieces of an owner.
        Owner(Int),
        /// These components.
        Components(Box<[Int]>),
    }

    /// A test for a loop of pieces around other sites.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Loop {
        /// Neighbours by any relation, over which the inside of the loop is searched.
        pub(crate) near: JumpId,
        pub(crate) orthogonal: JumpId,
        /// Straight orthogonal paths.
        pub(crate) rays: RayId,
        /// Steps along the loop.
        pub(crate) steps: JumpId,
        /// Sites that are never inside.
        pub(crate) outer: SetId,
        /// The owners whose pieces may be inside; `None` for everybody.
        pub(crate) surround: Option<Box<[Role]>>,
        /// The sites that may be the piece where the loop is looked for.
        pub(crate) start: Place,
        /// The owner of the loop.
        pub(crate) colour: Int,
    }

    /// A test for an angle between two sites, as seen from another one.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Angle {
        pub(crate) at: Int,
        /// Conditions on the site at the left side of the angle, and on the one at the right.
        pub(crate) left: Bool,
        pub(crate) right: Bool,
        /// The least and the most degrees from the left to the right, both excluded.
        pub(crate) degrees: (f64, f64),
        /// The position of each site in the plane.
        pub(crate) points: Box<[(f64, f64)]>,
    }

    /// A pattern of pieces along walks.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Pattern {
        /// The walks from every site.
        pub(crate) paths: RayId,
        pub(crate) from: Int,
        /// The components at the start and at each step, repeated as often as necessary; if there
        /// are none, the component at the start.
        pub(crate) whats: Box<[Int]>,
    }

    /// A test for pieces in line in a game of stacks.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct StackLine {
        /// Straight paths with their opposites.
        pub(crate) axes: AxesId,
        /// Number of pieces.
        pub(crate) length: Int,
        pub(crate) through: Int,
        /// The pieces that count; `None` for those like the top of the one passed through.
        pub(crate) what: Option<LinePieces>,
        /// True if longer lines do not count.
        pub(crate) exact: bool,
        /// Further condition on every other site of the line.
        pub(crate) condition: Option<Bool>,
        /// Condition under which levels count one by one.
        pub(crate) by_level: Bool,
        /// Condition under which only tops count.
        pub(crate) top: Bool,
    }

    /// A test for a path or a cycle of edges.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Path {
        /// The vertices that each edge joins.
        pub(crate) ends: EdgeEnds,
        /// The site of edge 0.
        pub(crate) first: usize,
        /// An edge on the path, by number.
        pub(crate) from: Int,
        /// The owner of the edges that count.
        pub(crate) owner: Int,
        /// Fewest and most edges; an exact length where both are the same.
        pub(crate) length: (Int, Int),
        /// Condition under which the path must be a cycle.
        pub(crate) closed: Bool,
    }

    /// A test for a path or a cycle of sites that a player owns.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct SitePath {
        /// The neighbours of a site on the path.
        pub(crate) jumps: JumpId,
        /// A site on the path.
        pub(crate) from: Int,
        /// The owner of the sites that count.
        pub(crate) owner: Int,
        /// Fewest and most sites.
        pub(crate) length: (Int, Int),
        /// Condition under which the path must be a cycle.
        pub(crate) closed: Bool,
    }

    /// A test of the edges of a player as a graph.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Graph {
        /// The vertices that each edge joins.
        pub(crate) ends: EdgeEnds,
        /// The site of edge 0.
        pub(crate) first: usize,
        /// Number of vertices of the board.
        pub(crate) vertices: usize,
        /// The owner of the edges that count; `None` if all edges do.
        pub(crate) owner: Option<Int>,
        pub(crate) property: GraphProperty,
    }

    /// A property of a graph.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum GraphProperty {
        /// The graph has edges, is connected and has no cycle.
        Tree,
        /// The graph is a tree that touches all vertices of the board.
        SpanningTree,
        /// The graph is a tree, and a path remains without its leaves.
        CaterpillarTree,
        /// A vertex, or an edge given by both its ends, is the centre of its tree; `first_vertex`
        /// is the site of vertex 0, if vertices are sites.
        Centre { at: Int, first_vertex: Option<usize> },
        /// All vertices of the board have the same number of edges: an odd or even one, or this
        /// number.
        Regular { degree: Option<Int>, odd: bool, even: bool },
    }

    /// A test for a connected group that touches regions.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Connection {
        /// The relation between neighbours, as step targets.
        pub(crate) jumps: JumpId,
        /// Number of regions that must be touched; `None` for all.
        pub(crate) count: Option<Int>,
        /// A site of the group; `None` for the last site moved to.
        pub(crate) at: Option<Int>,
        /// The regions.
        pub(crate) regions: ConnectRegions,
    }

    /// The regions that a group is to connect.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum ConnectRegions {
        /// These regions.
        List(Box<[Region]>),
        /// The regions that a player owns, by player number.
        Of(Int, Box<[Box<[SetId]>]>),
    }

    /// A test for a piece that others could move to.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Threat {
        /// The component that is threatened; `None` for the piece that stands there.
        pub(crate) component: Option<Int>,
        /// The sites where it is threatened; `None` for the site of the component.
        pub(crate) place: Option<Place>,
        /// The moves that threaten; `None` for the play rules.
        pub(crate) moves: Option<GeneratorId>,
        /// True if the piece is put on the site for the test. The reference does not put it there
        /// if the site is an element of another type that nobody looks at.
        pub(crate) placed: bool,
    }
}

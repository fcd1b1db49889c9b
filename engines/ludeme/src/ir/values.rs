//! Numbers, conditions, regions and lists.

use std::sync::Arc;

use super::walk::{fact, nodes, pattern, visit};
use super::{
    Arithmetic, ByPiece, CodeId, Compare, Fold, GeneratorId, Iter, JumpId, Layer, RayId, Reach,
    Role, SetId, TilePaths,
};

nodes! {
    /// Whose pieces, and of which components, an enumeration of pieces covers.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Pieces {
        /// The owners.
        pub(crate) owners: Owners,
        /// Components allowed, as bits; `None` for all.
        pub(crate) components: Option<Box<[bool]>>,
    }

    /// A set of owners.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Owners {
        /// Those of a role.
        Role(Role),
        /// The one with this number.
        Number(Box<Int>),
    }

    /// A number.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Int as Int {
        Const(i32) => reads [],
        Iter(Iter) => reads [],
        Mover => reads [TURN],
        Next => reads [TURN],
        Prev => reads [TURN],
        Counter => reads [VARS],
        Score(Box<Int>) => reads [SCORES],
        PlayerValue(Box<Int>) => reads [SCORES],
        /// A variable of the rules; 0 is the one without a name.
        Var(usize) => reads [VARS],
        PendingValue => reads [PENDING],
        Fold(Fold, Box<[Int]>) => reads [],
        FoldInts(Fold, Box<Ints>) => reads [],
        Arithmetic(Arithmetic, Box<(Int, Int)>) => reads [],
        Abs(Box<Int>) => reads [],
        If(Box<(Bool, Int, Int)>) => reads [],
        FromBool(Box<Bool>) => reads [],
        /// A layer of a site, at a level where given (else the top, or for `what` the bottom).
        At { layer: Layer, at: Box<Int>, level: Option<Box<Int>>, reach: Reach } => reads [HERE],
        /// Pieces on a site.
        Count { at: Box<Int>, reach: Reach } => reads [HERE],
        /// Pieces on all sites of a region.
        CountIn { region: Box<Region>, reach: Reach } => reads [HERE],
        /// Height of the stacks on the sites of a region or one site.
        StackSize(Box<Place>) => reads [HERE],
        TopLevel(Box<Int>) => reads [HERE],
        CountPieces { pieces: Pieces, within: Option<Box<Region>>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [To],
        CountSites(Box<Region>) => reads [],
        Moves => reads [HISTORY],
        Turns => reads [HISTORY],
        MovesThisTurn => reads [HISTORY],
        ActivePlayers => reads [PLAYERS],
        /// How many moves the mover has.
        LegalMoves => reads [RULES],
        /// Steps from one site on to another along a track; -1 if it does not lead there.
        StepsOnTrack { tracks: TrackChoice, from: Box<Int>, to: Box<Int> } => reads [],
        CountGroups { jumps: JumpId, condition: Option<Box<Bool>>, min: Box<Int> }
            => reads [BOARD] binds [To],
        CountLiberties { jumps: JumpId, at: Box<Int>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [To],
        /// Steps between sites by the table of distances of this relation.
        CountSteps { distances: usize, from: Box<Int>, to: Box<Place> } => reads [],
        CountValue { value: Box<Int>, values: Box<Ints> } => reads [],
        GroupSize { jumps: JumpId, at: Box<Int>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [From To],
        Territory { jumps: JumpId, owners: Owners } => reads [BOARD],
        ArraySize(Box<Ints>) => reads [],
        /// What rules call a site, where elements of several types are played.
        Number(Box<Int>) => reads [],
        /// The site of a number among the elements of another type than the board's.
        Element { first: i32, count: i32, number: Box<Int> } => reads [],
        /// The edge between two vertices, by the ends of all edges; -1 where there is none.
        EdgeBetween(Box<(EdgeEnds, Int, Int)>) => reads [],
        LastTo => reads [LAST],
        LastFrom => reads [LAST],
        /// Destination or origin of the last action of the last move that has one.
        LastToAfter => reads [LAST],
        LastFromAfter => reads [LAST],
        LastLevelTo => reads [LAST],
        LastLevelFrom => reads [LAST],
        /// The most recent mover other than this one.
        PrevOther => reads [HISTORY],
        /// Sum of the dice shown.
        Pips => reads [DICE],
        /// What the die at a site shows.
        Face(Box<Int>) => reads [HERE LAYERS DICE],
        Random(Box<(Int, Int)>) => reads [CHANCE],
        /// Levels of a stack that satisfy a condition.
        CountStack {
            at: Box<Place>,
            from_top: bool,
            condition: Option<Box<Bool>>,
            stop: Option<Box<Bool>>,
        } => reads [HERE] binds [Site Level],
        /// The first site of a track, from a site on, where a condition holds.
        TrackFirst { tracks: TrackChoice, from: Option<Box<Int>>, condition: Option<Box<Bool>> }
            => reads [] binds [To],
        /// The level of a component in a stack.
        WhereLevel { component: Box<Int>, at: Box<Int>, from_top: bool } => reads [HERE],
        /// Site by row and column: tables of both, by site.
        ByCoordinates(Box<(Coordinates, Int, Int)>) => reads [],
        TeamOf(Box<Int>) => reads [VARS],
        /// How many rows or columns a path of a colour leads away from one of some tiles.
        PathExtent(Box<(Arc<TilePaths>, Int, Place)>) => reads [BOARD],
        /// Steps of a piece between sites, as its step move goes.
        StepsByMove {
            jumps: ByPiece<JumpId>,
            condition: Option<Box<Bool>>,
            from: Box<Int>,
            to: Box<Place>,
        } => reads [BOARD] binds [From To],
        /// The site `steps` further along the first ray long enough, or the site itself.
        Ahead { rays: ByPiece<RayId>, site: Box<Int>, steps: Box<Int> } => reads [],
        /// A static table of numbers, -1 beyond its end.
        Table(Box<(Box<[i32]>, Int)>) => reads [],
        RegionSite(Box<(Region, Int)>) => reads [],
        ArrayValue(Box<(Ints, Int)>) => reads [],
        /// The maps to look in, as sorted pairs; the key itself where none has it.
        MapEntry(Box<(Box<[SortedMap]>, Int)>) => reads [],
        /// First site of the hand of each player, and the index added.
        HandSite(Box<(Box<[i32]>, Int, Int)>) => reads [],
        TrackMove { tracks: TrackChoice, from: Box<Int>, steps: Box<Int> } => reads [],
        TrackEnd { tracks: TrackChoice } => reads [],
        /// First site of a component in the order in which its pieces were placed; the components
        /// are indexed by owner.
        WhereOwned { components: Box<[u16]>, owner: Box<Int> } => reads [BOARD],
        /// First site of a component by number.
        WhereLowest(Box<Int>) => reads [BOARD],
        /// A component by its owner.
        IdOf { components: Box<[i32]>, owner: Box<Int> } => reads [],
        /// As `WhereOwned`, of the pieces with a local state.
        WhereState { components: Box<[u16]>, owner: Box<Int>, state: Box<Int> }
            => reads [BOARD LAYERS],
    }

    /// Which track is meant, by player where it depends on one.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum TrackChoice with facts {
        /// This track, if there is one.
        One(Option<usize>) => reads [],
        /// The track of the mover: by player number.
        ByMover(Box<[Option<usize>]>) => reads [TURN],
        /// The track of a player: by player number.
        Of(Box<Int>, Box<[Option<usize>]>) => reads [],
    }

    /// One site or a region.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Place {
        /// One site; none where negative.
        Site(Int),
        /// Several.
        Region(Region),
    }

    /// A condition.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Bool as mut Bool {
        Const(bool) => reads [],
        And(Box<[Bool]>) => reads [],
        Or(Box<[Bool]>) => reads [],
        Xor(Box<(Bool, Bool)>) => reads [],
        Not(Box<Bool>) => reads [],
        If(Box<(Bool, Bool, Bool)>) => reads [],
        Compare(Compare, Box<(Int, Int)>) => reads [],
        SameRegion(Box<(Region, Region)>) => reads [],
        AllSites(Box<(Region, Bool)>) => reads [] binds [Site],
        AllValues(Box<(Ints, Bool)>) => reads [] binds [Value],
        AllPassed => reads [HISTORY],
        IsEnemy(Box<Int>) => reads [TURN VARS],
        IsFriend(Box<Int>) => reads [TURN VARS],
        IsActive(Box<Int>) => reads [PLAYERS],
        IsEmpty(Box<Int>) => reads [HERE],
        IsOccupied(Box<Int>) => reads [HERE],
        /// All the sites are in the region.
        InRegion(Box<[Int]>, Box<Region>) => reads [],
        InInts(Box<[Int]>, Box<Ints>) => reads [],
        IsPending => reads [PENDING],
        IsFull => reads [EMPTY],
        IsRelated { jumps: JumpId, a: Box<Int>, b: Box<Place> } => reads [],
        IsWithin { component: Box<Int>, place: Box<Place> } => reads [HERE],
        IsTarget { sites: Box<[u16]>, components: Box<[i32]>, possible: bool } => reads [BOARD],
        IsTriggered(Box<Int>) => reads [PLAYERS],
        IsLine(Box<Line>) => reads [BOARD LAST] binds [To],
        IsConnected(Box<Connection>) => reads [BOARD LAST],
        IsPath(Box<Path>) => reads [BOARD],
        IsPattern(Box<Pattern>) => reads [BOARD],
        IsLoop(Box<Loop>) => reads [BOARD],
        /// A path of a colour on one of some tiles closes.
        IsPathLoop(Box<(Arc<TilePaths>, Int, Place)>) => reads [BOARD],
        /// Two sites are seen from another one under an angle.
        IsAngle(Box<Angle>) => reads [] binds [Site],
        PipsMatch(Box<PipsMatch>) => reads [BOARD],
        /// Where a tile touches others the colours are the same.
        SidesMatch(Box<(Arc<TilePaths>, Int)>) => reads [BOARD LAYERS],
        IsStackLine(Box<StackLine>) => reads [BOARD] binds [To],
        /// A player cannot connect the regions any more; see [`Connection`], whose site is not
        /// asked for.
        IsBlocked(Box<(Int, Connection)>) => reads [BOARD],
        IsThreatened(Box<Threat>) => reads [BOARD RULES],
        IsEven(Box<Int>) => reads [],
        NoMoves(Role) => reads [RULES],
        NoPieces { pieces: Pieces, within: Option<Box<Region>> } => reads [BOARD],
        CanMove(GeneratorId) => reads [RULES],
        WasPass => reads [HISTORY],
        AllDiceUsed => reads [DICE],
        AllDiceEqual => reads [DICE],
        IsAnyDie(Box<Int>) => reads [DICE],
        IsVisited(Box<Int>) => reads [HISTORY],
        IsProposed(usize) => reads [PLAYERS],
        IsDecided(usize) => reads [PLAYERS],
        IsCycle => reads [HISTORY],
        /// The position is one after an earlier move.
        IsRepeat => reads [HISTORY],
        /// All pieces on the sites differ, and all sites satisfy a condition.
        AllDifferent(Box<(Region, Bool)>) => reads [HERE] binds [Site],
        /// A stack, from the bottom.
        IsTargetStack { sites: Option<Box<[u16]>>, components: Box<[i32]> } => reads [BOARD],
        /// A path in these directions leads from a site to another.
        Leads { rays: RayId, from: Box<Int>, to: Box<Int> } => reads [],
        /// The edges of a player have a property as a graph.
        IsGraph(Box<Graph>) => reads [BOARD],
        /// The end rules make the mover lose.
        MoverLoses => reads [RULES],
        /// Every vertex below is occupied.
        IsFlat(JumpId, Box<Int>) => reads [BOARD],
        /// A condition for which there is code, made from this one.
        Compiled(CodeId, Box<Bool>) => reads [],
        /// A constraint of a puzzle.
        Constraint(Box<Constraint>) => reads [BOARD],
        /// All constraints of the puzzle hold once what has no value is 0.
        IsSolved => reads [BOARD],
        /// A condition holds for every group of sites that satisfy another one, or of own sites.
        AllGroups { jumps: JumpId, of: Option<Box<Bool>>, condition: Box<Bool> }
            => reads [BOARD] binds [From To],
    }

    /// Sites that a constraint is about.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Area {
        /// The sites.
        pub(crate) region: Region,
        /// The site by which the area counts at all: only if it has a value that is not 0.
        pub(crate) lead: Option<u16>,
    }

    /// A constraint of a puzzle: whether the values that there are can still be right. Variables
    /// without a value never break one.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Constraint {
        /// In each area no value comes twice and none is 0, those excepted.
        Different { areas: Box<[Area]>, except: Box<[i32]> },
        /// The values of each area add up to a number, or to no more while some are not there yet.
        Sum(Box<[(Area, Int)]>),
        /// As many variables as a number have a value, or not more while some have none yet.
        Count { region: Region, of: Int, number: Int },
        /// No two areas of a family whose values are all there have the same values in the same
        /// order; each area with the number of its family.
        Unique(Box<[(Area, u32)]>),
        /// A comparison of the values of two sites.
        Values(Compare, Int, Int),
    }

    /// A test for pieces in line.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Line {
        /// Straight paths with their opposites.
        pub(crate) axes: AxesId,
        /// Number of pieces.
        pub(crate) length: Int,
        /// Where it must pass through; `None` for the last site moved to.
        pub(crate) through: Option<Place>,
        /// Which pieces count; `None` for those like the one passed through.
        pub(crate) what: Option<LinePieces>,
        /// Not more than `length`.
        pub(crate) exact: bool,
        /// Without gaps.
        pub(crate) contiguous: bool,
        /// What every site must satisfy besides.
        pub(crate) condition: Option<Bool>,
    }

    /// The pieces that count for a line.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum LinePieces {
        /// All of an owner.
        Owner(Int),
        /// These components.
        Components(Box<[Int]>),
    }

    /// A test for a loop of pieces around other sites.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Loop {
        /// Neighbours of any kind, where what is inside is looked for.
        pub(crate) near: JumpId,
        pub(crate) orthogonal: JumpId,
        /// Straight orthogonal paths.
        pub(crate) rays: RayId,
        /// Steps along the loop.
        pub(crate) steps: JumpId,
        /// Sites that are never inside.
        pub(crate) outer: SetId,
        /// Whose pieces may be inside, where not everybody's.
        pub(crate) surround: Option<Box<[Role]>>,
        /// A piece of the loop.
        pub(crate) start: Place,
        /// Whose loop it is.
        pub(crate) colour: Int,
    }

    /// A test for an angle between two sites, as seen from another one.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Angle {
        pub(crate) at: Int,
        /// What the site on the left satisfies, and the one on the right.
        pub(crate) left: Bool,
        pub(crate) right: Bool,
        /// The least and the most degrees from the left to the right; neither counts itself.
        pub(crate) degrees: (f64, f64),
        /// Where each site is.
        pub(crate) points: Box<[(f64, f64)]>,
    }

    /// A pattern of pieces along walks.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Pattern {
        /// The walks from every site.
        pub(crate) paths: RayId,
        pub(crate) from: Int,
        /// The components at the start and at each step, over and over; without any, that of the
        /// start.
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
        /// Which pieces count; `None` for those like the top of the one passed through.
        pub(crate) what: Option<LinePieces>,
        /// Not more than `length`.
        pub(crate) exact: bool,
        /// What every other site must satisfy besides.
        pub(crate) condition: Option<Bool>,
        /// Whether levels count one by one.
        pub(crate) by_level: Bool,
        /// Whether only tops count.
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
        /// Whose edges count.
        pub(crate) owner: Int,
        /// Fewest and most edges; an exact length where both are the same.
        pub(crate) length: (Int, Int),
        /// Whether it must be a cycle.
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
        /// Whose edges count; `None` for those of anybody.
        pub(crate) owner: Option<Int>,
        pub(crate) property: GraphProperty,
    }

    /// What can be asked of a graph.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum GraphProperty {
        /// It has edges, hangs together and has no cycle.
        Tree,
        /// It is a tree that touches all vertices of the board.
        SpanningTree,
        /// It is a tree, and what is left without its leaves is a path.
        CaterpillarTree,
        /// A vertex, or an edge by both its ends, is the centre of the tree that it belongs to; the
        /// site of vertex 0, where vertices are sites.
        Centre { at: Int, first_vertex: Option<usize> },
        /// All vertices of the board have as many edges, which is odd or even, or this number.
        Regular { degree: Option<Int>, odd: bool, even: bool },
    }

    /// A test for a connected group that touches regions.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Connection {
        /// What neighbours are.
        pub(crate) jumps: JumpId,
        /// How many regions must be touched; `None` for all.
        pub(crate) count: Option<Int>,
        /// Where the group is; `None` for the last site moved to.
        pub(crate) at: Option<Int>,
        /// The regions.
        pub(crate) regions: ConnectRegions,
    }

    /// The regions that a group is to connect.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum ConnectRegions {
        /// These.
        List(Box<[Region]>),
        /// Those that a player owns, by player number.
        Of(Int, Box<[Box<[SetId]>]>),
    }

    /// A test for a piece that others could move to.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Threat {
        /// The component; `None` for whatever stands there.
        pub(crate) component: Option<Int>,
        /// Where; `None` for where the component is.
        pub(crate) place: Option<Place>,
        /// The moves that threaten; `None` for the play rules.
        pub(crate) moves: Option<GeneratorId>,
        /// True if the piece is put there for the test. It is not where the reference puts it on
        /// elements of another type that nobody looks at.
        pub(crate) placed: bool,
    }

    /// Which sites around a site count.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Around with facts {
        Any => reads [],
        Empty => reads [EMPTY],
        NotEmpty => reads [EMPTY],
        Own => reads [BOARD TURN],
        NotOwn => reads [BOARD TURN],
        Enemy => reads [BOARD TURN],
        NotEnemy => reads [BOARD TURN],
    }

    /// A set of sites.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Region as Region {
        Static(SetId) => reads [],
        /// A static set by the number of a player.
        ByPlayer(Box<Int>, Box<[SetId]>) => reads [],
        /// Empty sites among these.
        Empty(SetId) => reads [EMPTY],
        /// Sites with pieces, among these.
        Occupied {
            pieces: Pieces,
            within: SetId,
            /// Only pieces on top of their stacks.
            top: bool,
        } => reads [BOARD],
        Union(Box<[Region]>) => reads [],
        Intersection(Box<[Region]>) => reads [],
        Difference(Box<(Region, Region)>) => reads [],
        /// Without one site, if the number is one.
        Without(Box<(Region, Int)>) => reads [],
        If(Box<(Bool, Region, Region)>) => reads [],
        /// The neighbours of the sites as well, so many times over.
        Expand { jumps: JumpId, region: Box<Region>, steps: Box<Int> } => reads [],
        /// The sites that satisfy a condition.
        Filter(Box<(Region, Bool)>) => reads [] binds [Site],
        /// Union of a region evaluated for each site of another.
        ForSites(Box<(Region, Region)>) => reads [] binds [Site],
        /// Union of a region evaluated for each player of a list.
        ForPlayers(Box<(Ints, Region)>) => reads [] binds [Player],
        /// These sites, negative ones dropped.
        List(Box<[Int]>) => reads [],
        FromInts(Box<Ints>) => reads [],
        Around {
            rays: RayId,
            origins: Box<Place>,
            kind: Around,
            distance: Box<Int>,
            condition: Option<Box<Bool>>,
            include_self: bool,
        } => reads [] binds [From To],
        Direction {
            rays: ByPiece<RayId>,
            origins: Box<Place>,
            included: Box<Bool>,
            stop: Option<Box<Bool>>,
            stop_included: Box<Bool>,
            distance: Box<Int>,
        } => reads [] binds [To],
        LineOfSight { rays: ByPiece<RayId>, at: Box<Int>, kind: LineOfSightKind } => reads [BOARD],
        Group { jumps: JumpId, from: Box<Place>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [From To],
        Pending => reads [PENDING],
        /// The sites of numbers among the elements of another type than the board's.
        Elements { first: u16, count: u16, region: Box<Region> } => reads [],
        /// The numbers of sites that are such elements.
        Numbers { first: u16, count: u16, region: Box<Region> } => reads [],
        /// Where a component stood after the set-up, by component.
        Start(Box<Int>) => reads [HISTORY],
        /// Destinations of the moves that a generator gives.
        Destinations(GeneratorId) => reads [RULES],
        /// Destinations of the moves by which a player wins.
        Winning(GeneratorId, Box<Int>) => reads [RULES],
        /// Sites passed by the last move.
        LastBetween => reads [LAST],
        /// Sites to be cleared when the turn ends.
        ToClear => reads [LISTS],
        /// Sites with a local state.
        State(Box<Int>) => reads [BOARD LAYERS],
        /// Where the last move went, with its last action.
        LastTo => reads [LAST],
        /// Where the last move went, with all its actions.
        Touched => reads [LAST],
        /// Sites of loops of pieces, or those inside.
        Loop(Box<Loop>, bool) => reads [BOARD LAST],
        /// Some sites drawn from a region.
        Random(Box<(Region, Int)>) => reads [CHANCE],
        /// Sites of a track, from and to sites on it.
        Track { tracks: TrackChoice, from: Option<Box<Int>>, to: Option<Box<Int>> } => reads [],
        /// Static sets by number; none beyond.
        Indexed(Box<(Box<[SetId]>, Int)>) => reads [],
        /// Sites at distances from a site.
        Distance { distances: usize, from: Box<Int>, range: Box<(Int, Int)> } => reads [],
        /// Sites at distances by the step move of a piece.
        DistanceByMove {
            jumps: ByPiece<JumpId>,
            condition: Option<Box<Bool>>,
            from: Box<Int>,
            range: Box<(Int, Int)>,
        } => reads [BOARD] binds [From To],
        Between {
            rays: ByPiece<RayId>,
            from: Box<Int>,
            to: Box<Int>,
            from_included: bool,
            to_included: bool,
            condition: Option<Box<Bool>>,
        } => reads [] binds [Between],
        /// Origins of the moves that a generator gives.
        Origins(GeneratorId) => reads [RULES],
        /// Levels of a stack, from one on up or down, that satisfy a condition.
        Levels {
            at: Box<Int>,
            from_top: bool,
            start: Option<Box<Int>>,
            condition: Option<Box<Bool>>,
        } => reads [HERE] binds [Level],
        /// Sites of which something is hidden from a player: the number of the bit of the kind.
        Hidden { kind: u32, from: Box<Int> } => reads [HIDDEN],
        /// The sites of all walks along which a pattern of pieces is found.
        Pattern(Box<Pattern>) => reads [BOARD],
        /// The region that an enclosing construct iterates over.
        Iterated => reads [ITERATED],
    }

    /// A list of numbers, in order and with repetitions.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Ints as Ints {
        List(Box<[Int]>) => reads [],
        Region(Box<Region>) => reads [],
        Union(Box<[Ints]>) => reads [],
        Intersection(Box<[Ints]>) => reads [],
        Difference(Box<(Ints, Ints)>) => reads [],
        If(Box<(Bool, Ints, Ints)>) => reads [],
        /// Players of a role that satisfy a condition.
        Players(Role, Option<Box<Bool>>) => reads [PLAYERS] binds [Player],
        Results { from: Box<Place>, to: Box<Place>, value: Box<Int> } => reads [] binds [From To],
        GroupSizes { jumps: JumpId, condition: Option<Box<Bool>>, min: Box<Int> }
            => reads [BOARD] binds [To],
        Remembered(usize) => reads [LISTS],
        /// All numbers from one to another.
        Range(Box<(Int, Int)>) => reads [],
    }

    /// Whether a domino shows the same wherever it touches others.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct PipsMatch {
        pub(crate) at: Int,
        /// By local state a table of the cells that a domino covers beside its first, as it goes
        /// over them.
        pub(crate) walks: Box<[RayId]>,
        /// By component what both halves show; `None` of what is no domino.
        pub(crate) pips: Box<[Option<(i32, i32)>]>,
        pub(crate) near: JumpId,
    }
}

/// The two vertices that each edge joins, by its number.
pub(crate) type EdgeEnds = Box<[[u16; 2]]>;

/// Row and column of each site.
pub(crate) type Coordinates = Box<[(i32, i32)]>;

/// Keys with their values, sorted by key.
pub(crate) type SortedMap = Box<[(i32, i32)]>;

/// Which sites on a line of sight count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineOfSightKind {
    Piece,
    Empty,
    Farthest,
}

impl Int {
    /// Its value, if it is a constant.
    pub(crate) fn constant(&self) -> Option<i32> {
        match self {
            Int::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// The site of which it is the owner, on top of a stack, and which sites that can be.
    pub(crate) fn owned_site(&self) -> Option<(&Int, Reach)> {
        match self {
            Int::At { layer: Layer::Who, at, level: None, reach } => Some((at, *reach)),
            _ => None,
        }
    }

    /// The components that it can be, if these are known.
    pub(crate) fn components(&self) -> Option<Vec<u16>> {
        let components = match self {
            Int::Const(component) => std::slice::from_ref(component),
            Int::IdOf { components, .. } => components,
            _ => return None,
        };
        let real = components.iter().filter_map(|&id| u16::try_from(id).ok());
        Some(real.filter(|&id| id > 0).collect())
    }
}

/// Lines through every site, by index into the table of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct AxesId(pub(crate) u32);

impl Bool {
    /// Whether it holds, as far as that follows from those of its parts of which it is known.
    pub(crate) fn value(&self, known: &dyn Fn(&Bool) -> Option<bool>) -> Option<bool> {
        match self {
            Bool::Const(value) => Some(*value),
            Bool::Not(inner) => inner.value(known).map(|value| !value),
            Bool::And(list) => list.iter().try_fold(true, |all, c| Some(all & c.value(known)?)),
            Bool::Or(list) => list.iter().try_fold(false, |any, c| Some(any | c.value(known)?)),
            Bool::Compiled(_, rules) => rules.value(known),
            condition => known(condition),
        }
    }

    /// True if it holds only where something else does, as one of its parts says.
    pub(crate) fn implies(&self, says: &dyn Fn(&Bool) -> bool) -> bool {
        match self {
            Bool::And(list) => list.iter().any(|part| part.implies(says)),
            Bool::Or(list) => list.iter().all(|part| part.implies(says)),
            condition => says(condition),
        }
    }

    /// True if it holds only where a piece stands on a site.
    pub(crate) fn wants_piece(&self, site: &Int) -> bool {
        let is_there = |number: &Int, layers: &[Layer]| {
            matches!(number, Int::At { layer, at, level: None, .. }
                if layers.contains(layer) && **at == *site)
        };
        self.implies(&|condition| match condition {
            Bool::IsOccupied(at) => **at == *site,
            Bool::IsFriend(who) | Bool::IsEnemy(who) => is_there(who, &[Layer::Who]),
            Bool::Compare(Compare::Equal, pair) => {
                is_there(&pair.0, &[Layer::What, Layer::Who])
                    && matches!(pair.1, Int::Mover | Int::Next | Int::Const(1..))
            }
            _ => false,
        })
    }
}

//! Numbers, conditions, regions and lists.

mod formations;

pub(crate) use formations::{
    Angle, ConnectRegions, Connection, Graph, GraphProperty, Line, LinePieces, Loop, Path, Pattern,
    SitePath, StackLine, Threat,
};

use std::sync::Arc;

use super::walk::{fact, nodes, pattern, visit};
use super::{
    Arithmetic, ByPiece, CodeId, Compare, Fold, GeneratorId, Iter, JumpId, Layer, RayId, Reach,
    Role, SetId, TilePaths,
};

nodes! {
    /// The pieces that an enumeration covers, by owner and component.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Pieces {
        /// The owners.
        pub(crate) owners: Owners,
        /// Components allowed, a flag each; `None` for all.
        pub(crate) components: Option<Box<[bool]>>,
    }

    /// A set of owners.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Owners {
        /// The players of a role.
        Role(Role),
        /// The player with this number.
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
        /// A variable of the rules, by number; 0 is the one without a name.
        Var(usize) => reads [VARS],
        PendingValue => reads [PENDING],
        Fold(Fold, Box<[Int]>) => reads [],
        FoldInts(Fold, Box<Ints>) => reads [],
        Arithmetic(Arithmetic, Box<(Int, Int)>) => reads [],
        Abs(Box<Int>) => reads [],
        If(Box<(Bool, Int, Int)>) => reads [],
        FromBool(Box<Bool>) => reads [],
        /// A layer of a site, at a level if one is given (else the top, or for `what` the bottom).
        At { layer: Layer, at: Box<Int>, level: Option<Box<Int>>, reach: Reach } => reads [HERE],
        /// Number of pieces on a site.
        Count { at: Box<Int>, reach: Reach } => reads [HERE],
        /// Number of pieces on all sites of a region.
        CountIn { region: Box<Region>, reach: Reach } => reads [HERE],
        /// Height of the stacks on the sites of a region or on one site.
        StackSize(Box<Place>) => reads [HERE],
        TopLevel(Box<Int>) => reads [HERE],
        CountPieces { pieces: Pieces, within: Option<Box<Region>>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [To],
        CountSites(Box<Region>) => reads [],
        Moves => reads [HISTORY],
        Turns => reads [HISTORY],
        MovesThisTurn => reads [HISTORY],
        ActivePlayers => reads [PLAYERS],
        /// Number of legal moves of the mover.
        LegalMoves => reads [RULES],
        /// Number of steps from one site on to another along a track; -1 if it does not lead there.
        StepsOnTrack { tracks: TrackChoice, from: Box<Int>, to: Box<Int> } => reads [],
        CountGroups { jumps: JumpId, condition: Option<Box<Bool>>, min: Box<Int> }
            => reads [BOARD] binds [To],
        CountLiberties { jumps: JumpId, at: Box<Int>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [To],
        /// Number of steps between sites, by the table of distances of a relation.
        CountSteps { distances: usize, from: Box<Int>, to: Box<Place> } => reads [],
        CountValue { value: Box<Int>, values: Box<Ints> } => reads [],
        GroupSize { jumps: JumpId, at: Box<Int>, condition: Option<Box<Bool>> }
            => reads [BOARD] binds [From To],
        Territory { jumps: JumpId, owners: Owners } => reads [BOARD],
        ArraySize(Box<Ints>) => reads [],
        /// The number that rules have for a site, if elements of several types are played.
        Number(Box<Int>) => reads [],
        /// The site of a number among the elements of another type than the board's.
        Element { first: i32, count: i32, number: Box<Int> } => reads [],
        /// The edge between two vertices, by the ends of all edges; -1 if there is none.
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
        /// The value that the die at a site shows.
        Face(Box<Int>) => reads [HERE LAYERS DICE],
        Random(Box<(Int, Int)>) => reads [CHANCE],
        /// Number of the levels of a stack that satisfy a condition.
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
        /// The site with a row and a column, by the tables of both.
        ByCoordinates(Box<(Coordinates, Int, Int)>) => reads [],
        TeamOf(Box<Int>) => reads [VARS],
        /// Number of rows or columns that a path of a colour leads away from one of some tiles.
        PathExtent(Box<(Arc<TilePaths>, Int, Place)>) => reads [BOARD],
        /// Number of steps of a piece between sites, as its step move goes.
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
        /// The value of a key in the first of these maps that has it; the key itself if none has.
        MapEntry(Box<(Box<[SortedMap]>, Int)>) => reads [],
        /// The site of a hand: by player its first site, to which the index is added.
        HandSite(Box<(Box<[i32]>, Int, Int)>) => reads [],
        TrackMove { tracks: TrackChoice, from: Box<Int>, steps: Box<Int> } => reads [],
        TrackEnd { tracks: TrackChoice } => reads [],
        /// First site of a component in the order in which its pieces were placed; the components
        /// are indexed by owner.
        WhereOwned { components: Box<[u16]>, owner: Box<Int> } => reads [BOARD],
        /// First site of a component by number.
        WhereLowest(Box<Int>) => reads [BOARD],
        /// The component of an owner.
        IdOf { components: Box<[i32]>, owner: Box<Int> } => reads [],
        /// As `WhereOwned`, for pieces with a local state.
        WhereState { components: Box<[u16]>, owner: Box<Int>, state: Box<Int> }
            => reads [BOARD LAYERS],
    }

    /// The track that a construct follows, by player if it depends on one.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum TrackChoice with facts {
        /// This track, if it exists.
        One(Option<usize>) => reads [],
        /// The track of the mover, by player number.
        ByMover(Box<[Option<usize>]>) => reads [TURN],
        /// The track of a player, by player number.
        Of(Box<Int>, Box<[Option<usize>]>) => reads [],
    }

    /// One site or a region.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Place {
        /// One site; none where negative.
        Site(Int),
        /// All sites of a region.
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
        IsSitePath(Box<SitePath>) => reads [BOARD],
        IsPattern(Box<Pattern>) => reads [BOARD],
        IsLoop(Box<Loop>) => reads [BOARD],
        /// True if a path of a colour on one of some tiles closes.
        IsPathLoop(Box<(Arc<TilePaths>, Int, Place)>) => reads [BOARD],
        /// True if two sites are seen from a third one under an angle.
        IsAngle(Box<Angle>) => reads [] binds [Site],
        PipsMatch(Box<PipsMatch>) => reads [BOARD],
        /// True if the colours are the same on all sides where a tile touches others.
        SidesMatch(Box<(Arc<TilePaths>, Int)>) => reads [BOARD LAYERS],
        IsStackLine(Box<StackLine>) => reads [BOARD] binds [To],
        /// True if a player cannot connect the regions any more; the site of the [`Connection`] is
        /// not read.
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
        /// True if the position is one that an earlier move led to.
        IsRepeat => reads [HISTORY],
        /// True if all pieces on the sites differ, and all sites satisfy a condition.
        AllDifferent(Box<(Region, Bool)>) => reads [HERE] binds [Site],
        /// True if one of the sites has a stack of these components, listed from the bottom.
        IsTargetStack { sites: Option<Box<[u16]>>, components: Box<[i32]> } => reads [BOARD],
        /// True if a path in these directions leads from a site to another.
        Leads { rays: RayId, from: Box<Int>, to: Box<Int> } => reads [],
        /// True if the edges of a player have a property as a graph.
        IsGraph(Box<Graph>) => reads [BOARD],
        /// True if the end rules make the mover lose.
        MoverLoses => reads [RULES],
        /// True if every vertex below is occupied.
        IsFlat(JumpId, Box<Int>) => reads [BOARD],
        /// A condition for which there is code, made from this one.
        Compiled(CodeId, Box<Bool>) => reads [],
        /// True if a constraint of a puzzle can still be satisfied.
        Constraint(Box<Constraint>) => reads [BOARD],
        /// True if all constraints of the puzzle hold when variables without a value count as 0.
        IsSolved => reads [BOARD],
        /// True if a condition holds for every group of sites that satisfy another one, or of own
        /// sites.
        AllGroups { jumps: JumpId, of: Option<Box<Bool>>, condition: Box<Bool> }
            => reads [BOARD] binds [From To],
    }

    /// Sites that a constraint is about.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Area {
        /// The sites.
        pub(crate) region: Region,
        /// The site that switches the area on: the area counts only if the site has a value other
        /// than 0.
        pub(crate) lead: Option<u16>,
    }

    /// A constraint of a puzzle. It holds as long as the present values can still be right, and
    /// variables without a value never break it.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Constraint {
        /// In each area no value comes twice and none is 0, exceptions aside.
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

    /// The sites around a site that count.
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
        /// A static set for each player, by the number of the player.
        ByPlayer(Box<Int>, Box<[SetId]>) => reads [],
        /// The empty sites of a set.
        Empty(SetId) => reads [EMPTY],
        /// The sites of a set that have pieces.
        Occupied {
            pieces: Pieces,
            within: SetId,
            /// True if only pieces on top of their stacks count.
            top: bool,
        } => reads [BOARD],
        Union(Box<[Region]>) => reads [],
        Intersection(Box<[Region]>) => reads [],
        Difference(Box<(Region, Region)>) => reads [],
        /// The region without one site, if the number is one.
        Without(Box<(Region, Int)>) => reads [],
        If(Box<(Bool, Region, Region)>) => reads [],
        /// The sites with their neighbours, the neighbours of these, and so on for a number of
        /// steps.
        Expand { jumps: JumpId, region: Box<Region>, steps: Box<Int> } => reads [],
        /// The sites that satisfy a condition.
        Filter(Box<(Region, Bool)>) => reads [] binds [Site],
        /// Union of a region evaluated for each site of another.
        ForSites(Box<(Region, Region)>) => reads [] binds [Site],
        /// Union of a region evaluated for each player of a list.
        ForPlayers(Box<(Ints, Region)>) => reads [] binds [Player],
        /// The sites with these numbers, negative ones dropped.
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
        /// The sites of numbers among the elements of another type than that of the board.
        Elements { first: u16, count: u16, region: Box<Region> } => reads [],
        /// The numbers of the sites that are such elements.
        Numbers { first: u16, count: u16, region: Box<Region> } => reads [],
        /// The sites where a component stood after the set-up.
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
        /// The destination of the last action of the last move.
        LastTo => reads [LAST],
        /// The destinations of all actions of the last move.
        Touched => reads [LAST],
        /// The sites of loops of pieces, or the sites inside.
        Loop(Box<Loop>, bool) => reads [BOARD LAST],
        /// Sites of a region drawn by lot, as many as the number.
        Random(Box<(Region, Int)>) => reads [CHANCE],
        /// The sites of a track, from a site to another.
        Track { tracks: TrackChoice, from: Option<Box<Int>>, to: Option<Box<Int>> } => reads [],
        /// One of several static sets, by number; no sites beyond the last set.
        Indexed(Box<(Box<[SetId]>, Int)>) => reads [],
        /// The sites at some distances from a site.
        Distance { distances: usize, from: Box<Int>, range: Box<(Int, Int)> } => reads [],
        /// The sites at some distances by the step move of a piece.
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
        /// The levels of a stack, from one on up or down, that satisfy a condition.
        Levels {
            at: Box<Int>,
            from_top: bool,
            start: Option<Box<Int>>,
            condition: Option<Box<Bool>>,
        } => reads [HERE] binds [Level],
        /// The sites of which a property is hidden from a player; `kind` is the number of its bit.
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
        /// The remembered values of a list.
        Remembered(usize) => reads [LISTS],
        /// Those of all lists.
        AllRemembered => reads [LISTS],
        /// All numbers from one to another.
        Range(Box<(Int, Int)>) => reads [],
    }

    /// A test that a domino shows the same pips as others on all sides where they touch.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct PipsMatch {
        pub(crate) at: Int,
        /// By local state a table of the cells that a domino covers beside its first, in the order
        /// of its walk.
        pub(crate) walks: Box<[RayId]>,
        /// By component the pips of both halves; `None` if it is no domino.
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

/// A sort of site that ends a line of sight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineOfSightKind {
    Piece,
    Empty,
    Farthest,
}

impl Int {
    /// The value, if it is a constant.
    pub(crate) fn constant(&self) -> Option<i32> {
        match self {
            Int::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// The site whose owner, on top of its stack, this number is, with the containers that the site
    /// can be in.
    pub(crate) fn owned_site(&self) -> Option<(&Int, Reach)> {
        match self {
            Int::At { layer: Layer::Who, at, level: None, reach } => Some((at, *reach)),
            _ => None,
        }
    }

    /// The components that the number can be, if these are known.
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
    /// The value that follows from the values of some conditions in it, if they decide it. `known`
    /// has these values.
    pub(crate) fn value(&self, known: &dyn Fn(&Bool) -> Option<bool>) -> Option<bool> {
        match self {
            Bool::Const(value) => Some(*value),
            Bool::Not(inner) => inner.value(known).map(|value| !value),
            Bool::And(list) => list.iter().try_fold(true, |value, c| Some(value & c.value(known)?)),
            Bool::Or(list) => list.iter().try_fold(false, |value, c| Some(value | c.value(known)?)),
            Bool::Compiled(_, rules) => rules.value(known),
            condition => known(condition),
        }
    }

    /// True if the condition holds only if a predicate holds of one of its parts.
    pub(crate) fn implies(&self, says: &dyn Fn(&Bool) -> bool) -> bool {
        match self {
            Bool::And(list) => list.iter().any(|part| part.implies(says)),
            Bool::Or(list) => list.iter().all(|part| part.implies(says)),
            condition => says(condition),
        }
    }

    /// True if the condition holds only if a piece stands on a site.
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

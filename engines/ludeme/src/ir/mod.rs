//! The rules of a compiled game as data: what the interpreter evaluates, and what code is made of.
//!
//! Everything that does not depend on the state is folded away while lowering: names are numbers,
//! static regions are lists of sites, directions are tables of targets and of straight paths. What
//! remains are small trees of enums. A node says *what* the rules ask for; how it is answered is
//! the business of `eval` (plainly, as specified) and `compile` (as machine code).

mod compiled;
mod moves;
mod paths;
mod puzzles;
mod rules;
mod values;
mod walk;

pub(crate) use compiled::{
    Binder, Bound, Compiled, DuplicatePairs, Longest, MoveTests, OnlyHere, Parts, Source,
    SourceKind, Wrapper, consequences,
};
pub(crate) use moves::{
    Apply, Composite, CompositeKind, Covers, Custodial, Deal, EachDirection, Facings, Hide, Hop,
    Leaf, LeafKind, Message, Moves, Note, Piece, PieceMoves, Slide, Sow, Stock, TrackSlide,
};
pub(crate) use paths::TilePaths;
pub(crate) use puzzles::{Puzzle, component_of};
pub(crate) use rules::{
    EndRule, Float, HistoryDependence, MatchEnd, MatchGame, NextPhase, Phase, Repeats, ResultKind,
    StartRule, StartSites, Verdict,
};
pub(crate) use values::{
    Angle, Area, Around, AxesId, Bool, ConnectRegions, Connection, Constraint, Coordinates,
    EdgeEnds, Graph, GraphProperty, Int, Ints, Line, LineOfSightKind, LinePieces, Loop, Owners,
    Path, Pattern, Pieces, PipsMatch, Place, Region, SortedMap, StackLine, Threat, TrackChoice,
};
pub(crate) use walk::{Aspects, Part, PartMut, Walk};

use walk::{fact, nodes, pattern, visit};

use crate::board::Direction;

/// A variable that constructs of the rules bind while their parts are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Iter {
    From,
    To,
    Between,
    Site,
    Level,
    Player,
    Value,
    Pips,
    /// The dice that a move uses, a bit each, where code gives it.
    Dice,
    /// The player who chooses, where all do at once.
    Chooser,
}

impl Iter {
    /// All of them, in order.
    pub(crate) const ALL: [Iter; 10] = [
        Iter::From,
        Iter::To,
        Iter::Between,
        Iter::Site,
        Iter::Level,
        Iter::Player,
        Iter::Value,
        Iter::Pips,
        Iter::Dice,
        Iter::Chooser,
    ];
}

/// Number of [`Iter`] variables.
pub(crate) const ITERS: usize = Iter::ALL.len();

nodes! {
    /// A player or group of players as rules name them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub(crate) enum Role with facts {
        Neutral => reads [],
        Player(u8) => reads [],
        Team(u8) => reads [VARS],
        TeamMover => reads [TURN VARS],
        /// All players: `Shared`, `All` and `Each` are the same number.
        Shared => reads [],
        All => reads [],
        Each => reads [],
        /// The player that an enclosing construct iterates over.
        Iterated => reads [PLAYER],
        Mover => reads [TURN],
        Next => reads [TURN],
        Prev => reads [TURN],
        NonMover => reads [TURN],
        Enemy => reads [TURN VARS],
        Friend => reads [TURN VARS],
        Ally => reads [TURN VARS],
    }

    /// What is kept for each site.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Layer with facts {
        What => reads [],
        Who => reads [],
        State => reads [LAYERS],
        Rotation => reads [LAYERS],
        Value => reads [LAYERS],
    }
}

/// Which sites a number can mean where the site type matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// The board and all other containers.
    All,
    /// The board alone.
    Board,
    /// The other containers alone.
    Hands,
}

/// A static set of sites, by index into the table of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct SetId(pub(crate) u32);

/// Step targets of every site, by index into the table of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct JumpId(pub(crate) u32);

/// Straight paths from every site, by index into the table of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct RayId(pub(crate) u32);

/// Consequences, by index into the table of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct EffectId(pub(crate) u32);

/// A generator that rules ask what moves it would give, by index into the table of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct GeneratorId(pub(crate) u32);

/// The code of a generator or a condition, by index into the table of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CodeId(pub(crate) u32);

/// A table that depends on the piece at a site, because the piece's facing does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ByPiece<T> {
    /// The same for all pieces.
    Same(T),
    /// One for each component, 0 being an empty site.
    Each(Box<[T]>),
}

impl<T: Copy> ByPiece<T> {
    /// The table for a component.
    #[inline]
    pub(crate) fn of(&self, component: usize) -> Option<T> {
        match self {
            ByPiece::Same(table) => Some(*table),
            ByPiece::Each(tables) => tables.get(component).copied(),
        }
    }
}

/// Comparisons of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    /// True if it holds of two numbers.
    #[inline]
    pub(crate) fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            Compare::GreaterEqual => a >= b,
        }
    }
}

/// Arithmetic on two numbers, wrapping at 32 bits as everywhere in rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    Sub,
    Div,
    Mod,
    Pow,
}

impl Arithmetic {
    /// Its value; what is undefined gives 0.
    pub(crate) fn of(self, a: i32, b: i32) -> i32 {
        match self {
            Arithmetic::Sub => a.wrapping_sub(b),
            Arithmetic::Div => a.checked_div(b).unwrap_or(0),
            Arithmetic::Mod => a.checked_rem(b).unwrap_or(0),
            // By way of real numbers, as specified; the cast saturates.
            Arithmetic::Pow => f64::from(a).powf(f64::from(b)) as i32,
        }
    }
}

/// Folding of several numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fold {
    Sum,
    Product,
    Max,
    Min,
}

impl Fold {
    /// Its value; no numbers give 0 for a sum or a product and -1 for an extreme.
    pub(crate) fn of(self, values: &[i32]) -> i32 {
        let values = values.iter().copied();
        match self {
            Fold::Sum => values.fold(0, i32::wrapping_add),
            Fold::Product if values.len() == 0 => 0,
            Fold::Product => values.fold(1, i32::wrapping_mul),
            Fold::Max => values.max().unwrap_or(-1),
            Fold::Min => values.min().unwrap_or(-1),
        }
    }
}

/// The relation of a direction that neighbours are taken by, where a ludeme names none.
pub(crate) const DEFAULT_RELATION: Direction = Direction::Adjacent;

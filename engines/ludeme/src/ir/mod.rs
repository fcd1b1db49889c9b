//! The rules of a compiled game as data, which the interpreter evaluates and code is made of.

mod compiled;
mod moves;
mod paths;
mod puzzles;
mod rules;
mod values;
mod walk;

pub(crate) use compiled::{
    Binder, Bound, Compiled, DuplicatePairs, EvaluatedParts, Longest, MoveTests, OnlyHere, Source,
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
    Path, Pattern, Pieces, PipsMatch, Place, Region, SitePath, SortedMap, StackLine, Threat,
    TrackChoice,
};
pub(crate) use walk::Aspects;

use std::sync::Arc;

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
    /// The dice that a move uses, a bit each, if code gives it.
    Dice,
    /// The player who chooses, if all choose at once.
    Chooser,
}

impl Iter {
    /// All variables, in order.
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

    /// A number that the state has for each site.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Layer with facts {
        What => reads [],
        Who => reads [],
        State => reads [LAYERS],
        Rotation => reads [LAYERS],
        Value => reads [LAYERS],
    }
}

/// The containers whose sites a number can mean.
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

/// A generator that rules ask for the moves that it would give, by index into the table of the
/// game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct GeneratorId(pub(crate) u32);

/// The code of a generator or a condition, by index into the table of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CodeId(pub(crate) u32);

/// A table that depends on the component of the piece at a site, because the facing of the piece
/// does.
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
    /// True if the comparison holds of two numbers.
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
    /// The result of the operation, 0 if it is undefined.
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
    /// The result of the operation; without numbers 0 for a sum or a product and -1 for an extreme.
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

/// The relation between neighbours if a ludeme names none.
pub(crate) const DEFAULT_RELATION: Direction = Direction::Adjacent;

/// A part of a node, or a fact about it.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Int(&'a Int),
    Bool(&'a Bool),
    Region(&'a Region),
    Ints(&'a Ints),
    /// A generator whose moves are moves of the node.
    Moves(&'a Moves),
    /// A generator whose moves are carried out before a move, or with it.
    Effect(&'a Moves),
    /// A generator that is asked for the moves that it would give.
    Generator(GeneratorId),
    /// The aspects that the node reads by itself.
    Reads(Aspects),
    /// The aspects that the node changes by itself.
    Writes(Aspects),
    /// The variables that the node binds while some of its parts are evaluated.
    Binds(&'static [Iter]),
}

/// A part of a node that can be replaced by code. Those inside numbers, regions and lists are not
/// visited.
pub(crate) enum PartMut<'a> {
    Bool(&'a mut Bool),
    Moves(&'a mut Moves),
    Generator(GeneratorId),
}

impl<'a> Part<'a> {
    /// The same part, a generator being one whose moves are carried out as effects.
    pub(super) fn into_effect(self) -> Part<'a> {
        match self {
            Part::Moves(moves) => Part::Effect(moves),
            part => part,
        }
    }

    /// The aspects that the part reads; see [`Walk::reads_beside`].
    fn reads_beside(self, is_here: &dyn Fn(&Int) -> bool) -> Aspects {
        match self {
            Part::Int(part) => part.reads_beside(is_here),
            Part::Bool(part) => part.reads_beside(is_here),
            Part::Region(part) => part.reads_beside(is_here),
            Part::Ints(part) => part.reads_beside(is_here),
            Part::Moves(part) | Part::Effect(part) => part.reads_beside(is_here),
            Part::Generator(_) => Aspects::RULES,
            Part::Reads(aspects) => aspects,
            Part::Writes(_) | Part::Binds(_) => Aspects::NONE,
        }
    }
}

/// A type that nodes consist of.
pub(crate) trait Walk {
    /// Calls `look` with each fact about the node, and with each of its parts.
    fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>));

    /// Calls `look` with each part of the node that can be replaced.
    fn each_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>));

    /// Calls `look` with the node itself if its type is a part of nodes, else with all parts of it.
    fn as_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
        self.each_part(look);
    }

    /// As [`Walk::as_part`], for parts that can be replaced.
    fn as_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>)) {
        self.each_part_mut(look);
    }

    /// The aspects that it and all its parts read, the variables among them even if they are bound
    /// inside.
    fn reads(&self) -> Aspects {
        self.reads_beside(&|_| false)
    }

    /// The aspects that it reads, if the numbers for which `is_here` is true are sites whose
    /// contents count as [here](Aspects::HERE).
    fn reads_beside(&self, is_here: &dyn Fn(&Int) -> bool) -> Aspects {
        let (mut reads, mut read_by_itself, mut only_here) = (Aspects::NONE, Aspects::NONE, true);
        self.each_part(&mut |part| {
            reads = reads | part.reads_beside(is_here);
            match part {
                Part::Reads(aspects) => read_by_itself = read_by_itself | aspects,
                Part::Int(number) => only_here &= is_here(number),
                Part::Binds(_) | Part::Writes(_) => {}
                _ => only_here = false,
            }
        });
        if only_here || !read_by_itself.has(Aspects::HERE) { reads } else { reads | Aspects::BOARD }
    }

    /// True if it is the same in all states, given the origin and destination of a move.
    fn is_fixed(&self) -> bool {
        self.reads().is_within(Aspects::ENDS)
    }

    /// The aspects that it changes by itself.
    fn writes(&self) -> Aspects {
        let mut written = Aspects::NONE;
        self.each_part(&mut |part| {
            if let Part::Writes(aspects) = part {
                written = written | aspects;
            }
        });
        written
    }

    /// The variables that it binds by itself.
    fn binds(&self) -> &'static [Iter] {
        let mut bound: &[Iter] = &[];
        self.each_part(&mut |part| {
            if let Part::Binds(iters) = part {
                bound = iters;
            }
        });
        bound
    }
}

impl Walk for Iter {
    fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
        look(Part::Reads(Aspects::of(*self)));
    }

    fn each_part_mut(&mut self, _: &mut dyn FnMut(PartMut<'_>)) {}
}

impl<T> Walk for ByPiece<T> {
    fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
        if let ByPiece::Each(_) = self {
            look(Part::Reads(Aspects::BOARD));
        }
    }

    fn each_part_mut(&mut self, _: &mut dyn FnMut(PartMut<'_>)) {}
}

impl Walk for GeneratorId {
    fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
        look(Part::Generator(*self));
    }

    fn each_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>)) {
        look(PartMut::Generator(*self));
    }
}

/// Implements [`Walk`] for types without parts.
macro_rules! plain {
    ($($of:ty)*) => {$(
        impl Walk for $of {
            fn each_part<'a>(&'a self, _: &mut dyn FnMut(Part<'a>)) {}

            fn each_part_mut(&mut self, _: &mut dyn FnMut(PartMut<'_>)) {}
        }
    )*};
}

plain! {
    bool u8 u16 u32 i32 usize f64 [u16; 2] SetId JumpId RayId AxesId EffectId CodeId Compare
    Arithmetic Fold Reach LineOfSightKind Arc<TilePaths> crate::world::Tile
}

/// Implements [`Walk`] for boxes and tuples.
macro_rules! holders {
    ($([$($param:tt)*] $of:ty: $held:pat => [$($part:expr),+];)*) => {$(
        impl<$($param)*> Walk for $of {
            fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
                let $held = self;
                $($part.as_part(look);)+
            }

            fn each_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>)) {
                let $held = self;
                $($part.as_part_mut(look);)+
            }
        }
    )*};
}

holders! {
    [T: Walk + ?Sized] Box<T>: held => [(**held)];
    [A: Walk, B: Walk] (A, B): (a, b) => [a, b];
    [A: Walk, B: Walk, C: Walk] (A, B, C): (a, b, c) => [a, b, c];
}

/// Implements [`Walk`] for types with any number of nodes.
macro_rules! lists {
    ($($of:ty)*) => {$(
        impl<T: Walk> Walk for $of {
            fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
                self.into_iter().for_each(|held| held.as_part(look));
            }

            fn each_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>)) {
                self.into_iter().for_each(|held| held.as_part_mut(look));
            }
        }
    )*};
}

lists!(Option<T> [T] Vec<T>);

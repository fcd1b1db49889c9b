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

/// A part of a node, or a fact about it.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Int(&'a Int),
    Bool(&'a Bool),
    Region(&'a Region),
    Ints(&'a Ints),
    /// A generator whose moves are given on.
    Moves(&'a Moves),
    /// A generator whose moves are carried out before a move, or with it.
    Effect(&'a Moves),
    /// A generator that is asked what moves it would give.
    Generator(GeneratorId),
    /// What the node reads by itself.
    Reads(Aspects),
    /// What the node changes by itself.
    Writes(Aspects),
    /// The variables that it binds while it asks some of its parts.
    Binds(&'static [Iter]),
}

/// A part of a node that can be replaced by code. Numbers, regions and lists are not gone into.
pub(crate) enum PartMut<'a> {
    Bool(&'a mut Bool),
    Moves(&'a mut Moves),
    Generator(GeneratorId),
}

impl<'a> Part<'a> {
    /// The same of a generator that is no more than an effect.
    pub(super) fn into_effect(self) -> Part<'a> {
        match self {
            Part::Moves(moves) => Part::Effect(moves),
            part => part,
        }
    }

    /// See [`Walk::reads_beside`].
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

/// Something of which nodes are made.
pub(crate) trait Walk {
    /// Looks at the facts about it, and at all parts of it.
    fn each_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>));

    /// Looks at all parts of it, to change them.
    fn each_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>));

    /// Looks at it as a part of something: at the node that it is, or at all parts of it.
    fn as_part<'a>(&'a self, look: &mut dyn FnMut(Part<'a>)) {
        self.each_part(look);
    }

    /// As [`Walk::as_part`], to change it.
    fn as_part_mut(&mut self, look: &mut dyn FnMut(PartMut<'_>)) {
        self.each_part_mut(look);
    }

    /// What it reads, with all that is in it. A variable that is bound inside counts, too.
    fn reads(&self) -> Aspects {
        self.reads_beside(&|_| false)
    }

    /// What it reads, where some numbers are sites that are [here](Aspects::HERE).
    fn reads_beside(&self, is_here: &dyn Fn(&Int) -> bool) -> Aspects {
        let (mut all, mut own, mut only_here) = (Aspects::NONE, Aspects::NONE, true);
        self.each_part(&mut |part| {
            all = all | part.reads_beside(is_here);
            match part {
                Part::Reads(aspects) => own = own | aspects,
                Part::Int(number) => only_here &= is_here(number),
                Part::Binds(_) | Part::Writes(_) => {}
                _ => only_here = false,
            }
        });
        if only_here || !own.has(Aspects::HERE) { all } else { all | Aspects::BOARD }
    }

    /// True if it is the same in all states, once origin and destination of a move are known.
    fn is_fixed(&self) -> bool {
        self.reads().is_within(Aspects::ENDS)
    }

    /// What it changes by itself.
    fn writes(&self) -> Aspects {
        let mut all = Aspects::NONE;
        self.each_part(&mut |part| {
            if let Part::Writes(aspects) = part {
                all = all | aspects;
            }
        });
        all
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

/// Types without parts that are looked at.
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

/// Types that hold others.
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

/// Types that hold any number of others.
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

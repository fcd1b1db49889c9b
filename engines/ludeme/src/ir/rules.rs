//! Phases, the set-up and the end.

use super::walk::{fact, nodes, pattern, visit};
use super::{Bool, Deal, Hide, Int, Ints, Moves, Place, Region, Role};

/// The result that an end rule gives.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Result {
        who: Role,
        kind: ResultKind,
    },
    /// A ranking by score, after these scores have been set; the lowest score wins if `misere`.
    ByScore {
        scores: Box<[(Int, Int)]>,
        misere: bool,
    },
    /// Payoffs, which are real numbers.
    Payoffs(Box<[(Int, Float)]>),
}

/// Kinds of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultKind {
    Win,
    Loss,
    Draw,
    Tie,
    Abandon,
}

/// One end rule.
#[derive(Clone, Debug)]
pub(crate) enum EndRule {
    /// If the condition holds: the first of the inner rules that gives something, else the verdict.
    If { condition: Bool, inner: Box<[EndRule]>, verdict: Option<Verdict> },
    /// For every player still active: the verdict if the condition holds for him.
    ForEach { skip_mover: bool, condition: Bool, verdict: Verdict },
}

/// A game within a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchGame {
    /// The variables with the scores of all players in the match, in order.
    pub(crate) scores: Box<[usize]>,
    /// The variable with the number of games that are over.
    pub(crate) played: usize,
    /// The points that winners get, if the match says so.
    pub(crate) gain: Option<Int>,
    /// The number of the next game, if it is not the following one.
    pub(crate) next: Option<Int>,
    /// The rules for the end of the match.
    pub(crate) end: Box<[MatchEnd]>,
}

/// A rule for the end of a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchEnd {
    /// The player for whom the condition is evaluated, if the rule is one for all players.
    pub(crate) player: Option<u8>,
    pub(crate) condition: Bool,
    /// The winners of the match if the condition holds, a bit each; none if it is drawn.
    pub(crate) winners: u32,
}

/// A real number.
#[derive(Clone, Debug)]
pub(crate) enum Float {
    Const(f32),
    FromInt(Int),
    /// With one of `+-*/^`, or `<` and `>` for the smaller and the greater one.
    Binary(char, Box<(Float, Float)>),
    /// A function of one real number.
    Function(fn(f32) -> f32, Box<Float>),
}

impl Float {
    /// The value in 32-bit precision, if the values of all whole numbers in it are known.
    pub(crate) fn value(&self, int: &mut dyn FnMut(&Int) -> Option<i32>) -> Option<f32> {
        Some(match self {
            Float::Const(value) => *value,
            Float::FromInt(value) => int(value)? as f32,
            Float::Binary(operator, pair) => {
                let (a, b) = (pair.0.value(int)?, pair.1.value(int)?);
                match operator {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '^' => a.powf(b),
                    '<' => a.min(b),
                    '>' => a.max(b),
                    _ => a / b,
                }
            }
            Float::Function(function, a) => function(a.value(int)?),
        })
    }

    /// The value, if it is always the same.
    pub(crate) fn constant(&self) -> Option<f32> {
        self.value(&mut Int::constant)
    }
}

/// The parts of the past that the rules can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HistoryDependence {
    /// The number of moves made, as far as it is below this number; `None` if all of it counts.
    pub(crate) moves: Option<u32>,
    /// True for the numbers of turns, the counter, earlier movers and passes.
    pub(crate) turns: bool,
    /// True for the sites of the last move, read before the next one is made.
    pub(crate) last: bool,
}

/// A phase of the game.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// The player whose phase it is; `None` if it is everybody's.
    pub(crate) owner: Option<u8>,
    /// The moves that may be made.
    pub(crate) play: Moves,
    /// The rules that end the game in this phase.
    pub(crate) end: Box<[EndRule]>,
    /// The changes to other phases.
    pub(crate) next: Box<[NextPhase]>,
}

/// A change of phase.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NextPhase {
    /// The player whose phase changes; `None` for everybody.
    pub(crate) who: Option<Int>,
    /// The condition of the change.
    pub(crate) condition: Bool,
    /// Index of the new phase; `None` for the phase after.
    pub(crate) to: Option<usize>,
}

nodes! {
    /// The sites where a start rule places pieces.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum StartSites {
        /// These sites, in this order.
        List(Box<[Int]>),
        /// The sites of a region, ascending.
        Region(Region),
        /// The lowest empty site of a region.
        FirstEmpty(Region),
    }

    /// A rule of the set-up.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum StartRule with facts {
        /// Puts pieces of each of these components on each of the sites, components from the bottom
        /// up.
        Place {
            components: Box<[u16]>,
            at: StartSites,
            count: Int,
            state: Option<Int>,
            rotation: Option<Int>,
            value: Option<Int>,
            stack: bool,
        } => reads [],
        SetCount { component: u16, count: Int, at: StartSites } => reads [],
        SetScore { players: Box<[u8]>, value: Int } => reads [],
        SetVar { var: usize, value: Int } => reads [],
        Remember { list: usize, values: Place, unique: bool } => reads [],
        /// Draws distinct empty sites of a region for each of the components.
        PlaceRandom {
            components: Box<[u16]>,
            region: Region,
            count: Int,
            state: Option<Int>,
            value: Option<Int>,
        } => reads [CHANCE],
        /// Puts as many pieces of each component on a site as the number with it, in an order drawn
        /// by lot.
        Shuffle { pieces: Box<[(u16, Int)]>, site: Int, state: Option<Int>, value: Option<Int> }
            => reads [CHANCE],
        /// Deals cards or dominoes.
        Deal(Box<Deal>) => reads [CHANCE],
        ForEachSite { region: Region, condition: Bool, rule: Box<StartRule> }
            => reads [] binds [Site],
        ForEachValue { values: Ints, rule: Box<StartRule> } => reads [] binds [Value],
        ForEachPlayer { players: Ints, rule: Box<StartRule> } => reads [] binds [Player],
        /// Several rules in order.
        All(Box<[StartRule]>) => reads [],
        /// Changes only what players see of sites.
        Hide(Box<Hide>) => reads [],
        /// Has no effect that the state shows.
        Nothing => reads [],
    }
}

/// The positions that must not occur again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeats {
    Positional,
    Situational,
    PositionalInTurn,
    SituationalInTurn,
}

//! Phases, the set-up and the end.

use super::walk::{fact, nodes, pattern, visit};
use super::{Bool, Deal, Hide, Int, Ints, Moves, Place, Region, Role};

/// What an end rule gives.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Result {
        who: Role,
        kind: ResultKind,
    },
    /// By score, after these scores have been set; low first if `misere`.
    ByScore {
        scores: Box<[(Int, Int)]>,
        misere: bool,
    },
    /// By real numbers.
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

/// What a game is in a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchGame {
    /// The variables with the scores of all players in the match, in order.
    pub(crate) scores: Box<[usize]>,
    /// The variable with how many games are over.
    pub(crate) played: usize,
    /// What winners get, where the match says so.
    pub(crate) gain: Option<Int>,
    /// The number of the game after this one, where it is not the following one.
    pub(crate) next: Option<Int>,
    /// When the match is over.
    pub(crate) end: Box<[MatchEnd]>,
}

/// A rule for the end of a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchEnd {
    /// Whom the rule is asked for, where it is asked for all.
    pub(crate) player: Option<u8>,
    pub(crate) condition: Bool,
    /// Who has won the match if the condition holds, a bit each; nobody has where it is drawn.
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
    /// The value in 32-bit precision, where those of all whole numbers in it are known.
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

    /// The value, where it is always the same.
    pub(crate) fn constant(&self) -> Option<f32> {
        self.value(&mut Int::constant)
    }
}

/// What the rules can ask of the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HistoryDependence {
    /// The number of moves made, as far as it is below this number; `None` for all of it.
    pub(crate) moves: Option<u32>,
    /// Numbers of turns, the counter, who moved before, passes.
    pub(crate) turns: bool,
    /// Where the last move went, asked before the next one is made.
    pub(crate) last: bool,
}

/// A phase of the game.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// Whose it is: a player, or everybody's.
    pub(crate) owner: Option<u8>,
    /// What may be done.
    pub(crate) play: Moves,
    /// When it ends the game.
    pub(crate) end: Box<[EndRule]>,
    /// Where it leads.
    pub(crate) next: Box<[NextPhase]>,
}

/// A change of phase.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NextPhase {
    /// For whom; `None` for everybody.
    pub(crate) who: Option<Int>,
    /// When.
    pub(crate) condition: Bool,
    /// Where to; `None` for the phase after.
    pub(crate) to: Option<usize>,
}

nodes! {
    /// Where a start rule places pieces.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum StartSites {
        /// In this order.
        List(Box<[Int]>),
        /// Ascending.
        Region(Region),
        /// The lowest empty one.
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
        /// Hands out cards or dominoes.
        Deal(Box<Deal>) => reads [CHANCE],
        ForEachSite { region: Region, condition: Bool, rule: Box<StartRule> }
            => reads [] binds [Site],
        ForEachValue { values: Ints, rule: Box<StartRule> } => reads [] binds [Value],
        ForEachPlayer { players: Ints, rule: Box<StartRule> } => reads [] binds [Player],
        /// Several in order.
        All(Box<[StartRule]>) => reads [],
        /// Changes nothing on the sites, only what players see of them.
        Hide(Box<Hide>) => reads [],
        /// Nothing that the state shows.
        Nothing => reads [],
    }
}

/// Which positions must not come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeats {
    Positional,
    Situational,
    PositionalInTurn,
    SituationalInTurn,
}

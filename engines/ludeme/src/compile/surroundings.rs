//! The surroundings of the node whose code is being written: the rules around it, the code that its
//! moves go to, and the facts that hold there.

use kernel::ir::{Expr, Local};

use super::waiting::DeferredActions;
use crate::ir::{Binder, Bool, ITERS, Int, Role, Wrapper};

/// The code that the moves of generators go to.
pub(super) enum Consumer {
    /// A call of the function `give` for each move.
    Give,
    /// Stores into entries, from which one move is drawn.
    Gather(Gathering),
    /// A test if there is any move. The first one sets the flag `any`, and leaves all loops but the
    /// outer `loops`.
    Exists { any: Local, loops: u32 },
    /// As [`Consumer::Exists`], for moves to one site.
    Reaches { any: Local, loops: u32, site: Local },
    /// The set of destinations. The caller asks only for the site `wanted`, if there is one.
    Destinations { sites: Local, wanted: Option<Local> },
    /// The actions of an effect, which are carried out later.
    Effect(DeferredActions),
}

/// The state of code that gathers moves in entries.
pub(super) struct Gathering {
    /// The number of the next entry, unless `has_places`.
    pub(super) entry: Local,
    /// The number of moves so far.
    pub(super) count: Local,
    /// True if each entry has a fixed place, with moves or without.
    pub(super) has_places: bool,
    /// True if only moves that begin the longest turns may be drawn.
    pub(super) longest: bool,
    /// The first number of each entry in the order of writing; `None` for those in loops.
    pub(super) entries: Vec<Option<Expr>>,
}

/// The known values of the variables of the rules at a place in code.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Bindings {
    /// For each variable of the rules, the variable of the code with the same value.
    pub(super) bound: [Option<Local>; ITERS],
    /// The component that stands on the site bound to `From`.
    pub(super) piece: Option<u16>,
}

/// The rules around the node whose code is being written.
#[derive(Default)]
pub(super) struct Scope {
    /// The tests, consequences and preludes that apply to each move, outermost first.
    pub(super) wrappers: Vec<Wrapper>,
    /// The number of tests around, for each of which the frame keeps the variables of the rules.
    pub(super) saved: usize,
    /// The loops of the rules around, outermost first.
    pub(super) binders: Vec<Binder>,
    /// The branches around, as pairs of a choice and its branch: outside of loops, and within one
    /// round of a loop. Moves of different branches of a choice exclude each other.
    pub(super) chosen: Vec<(u32, u32)>,
    pub(super) chosen_in_round: Vec<(u32, u32)>,
    /// The number of choices so far.
    pub(super) choices: u32,
    /// The player who moves here in place of the mover.
    pub(super) turn_of: Option<Int>,
    /// The number of loops of the code around.
    pub(super) loops: u32,
    /// The use of the flags of players without moves.
    pub(super) flags: Flags,
    /// True if no generator of the turn has run yet.
    pub(super) begins: bool,
    /// True if the number of moves matters, including moves to other sites than the wanted one.
    pub(super) counts: bool,
    /// True if this code is skipped unless it reaches the wanted destination.
    pub(super) passes_over: bool,
}

/// A premise of a function: a condition that its code assumes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Premise {
    Nothing,
    /// No piece is threatened, in the function that tests for threats.
    Unthreatened,
    /// The next player can move, in the function that tests for it.
    NextCanMove,
    /// A ply is being played, so the views of added pieces are up to date.
    InPly,
}

impl Premise {
    /// True if the premise may decide a legality test of a move.
    pub(super) fn is_about_moves(self) -> bool {
        matches!(self, Premise::Unthreatened | Premise::NextCanMove)
    }

    /// The value of a condition, if the premise decides it.
    pub(super) fn value(self, condition: &Bool) -> Option<bool> {
        let denied = |part: &Bool| match (self, part) {
            (Premise::Unthreatened, Bool::IsThreatened(_)) => Some(false),
            // A lookahead looks one ply ahead only.
            (Premise::NextCanMove, Bool::NoMoves(Role::Next)) => Some(false),
            _ => None,
        };
        condition.value(&denied)
    }
}

/// A fact about a function that turns out while its code is written.
#[derive(Clone, Copy)]
pub(super) enum Finding {
    /// It calls the evaluator.
    AsksEvaluator,
    /// It reads variables of the rules that it has not bound.
    ReadsVariables,
    /// It reads numbers that change when a move begins: pending sites, the number of moves, passes.
    ReadsStartOfMove,
    /// It runs a prelude before it generates moves.
    DoesFirst,
    /// It has a part that the evaluator would have to do, which is impossible here.
    HasNoForm,
    /// It may leave variables of the rules bound to other values.
    Rebinds,
    /// It does so in code that may be skipped.
    RebindsInPassing,
}

impl From<Finding> for u8 {
    fn from(finding: Finding) -> u8 {
        finding as u8
    }
}

/// The use of the flags of players without moves, where a condition tests if a player has one.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Flags {
    /// The evaluator tests the condition and sets the flag.
    #[default]
    Asked,
    /// Code tests it and sets the flag; no variable of the rules is bound.
    Kept,
    /// Code tests it, and sets the flag if [`Slot::KeepsFlags`](super::arrays::Slot::KeepsFlags) is set.
    IfKept,
}

//! What code and host share: arrays, numbers by their places, services; and how code names them.

use kernel::ir::{Block, Expr, HostId, Ints, Sets, Stmt};

use crate::ir::ITERS;

/// Moves that are gathered before they are handed on.
pub(super) const MOST_GATHERED: i32 = 1024;

/// Numbers that hold them.
pub(crate) const ROOM: usize = MOST_GATHERED as usize * GATHERED;

/// Entries of moves that are gathered to be drawn from.
pub(super) const MOST_ENTRIES: usize = 1024;

/// Moves that code plays before the state knows of them.
pub(super) const MOST_NOTED: usize = 256;

/// Numbers of an entry of moves that are gathered. The first one holds the source, the origin and
/// the destination; the second one the piece, the number of pieces, or that of the path.
pub(super) const ENTRY: usize = 8;

/// Arrays of numbers that the host lends.
pub(super) const FRAME: Ints = Ints(0);
/// Entries of moves that have been gathered to be drawn from.
pub(super) const MOVES: Ints = Ints(1);
pub(super) const LIST: Ints = Ints(2);
/// The numbers of the state.
pub(super) const CELLS: Ints = Ints(3);
/// Actions that wait to be carried out, [`OF_ACT`](super::waiting::OF_ACT) numbers each.
pub(super) const ACTS: Ints = Ints(4);
/// The movers of moves that the state does not know of yet.
pub(super) const HISTORY: Ints = Ints(5);
/// Moves that wait to be handed on.
pub(super) const GIVEN: Ints = Ints(6);
/// What is kept of pieces that have been added.
pub(super) const ADDED: Ints = Ints(7);
/// What a move that turns out not to be legal is taken back to: the numbers of the state, and those
/// that code and host share.
pub(super) const KEPT_CELLS: Ints = Ints(8);
pub(super) const KEPT_FRAME: Ints = Ints(9);

/// Arrays of sets that the host lends.
pub(super) const STATE: Sets = Sets(0);
/// A region that the evaluator has worked out, and the sites to be cleared when the turn ends.
pub(super) const SCRATCH: Sets = Sets(1);
/// Destinations of the moves gathered, by entry.
pub(super) const TARGETS: Sets = Sets(2);
/// The state of the generator that draws moves and dice.
pub(super) const DRAWS: Sets = Sets(3);
/// Likewise the sets of the state, and the state of the generator.
pub(super) const KEPT_STATE: Sets = Sets(4);
pub(super) const KEPT_DRAWS: Sets = Sets(5);

/// Numbers that code and host share, by their place in the array `frame`. The first ones are the
/// variables of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Mover = ITERS as isize,
    Next,
    Prev,
    /// Moves that are passed over before one matters.
    Skip,
    /// Moves given, those passed over included.
    Given,
    /// The only destination that matters; [`ANYWHERE`] if all do.
    Wanted,
    /// Whether moves are gathered: in the array `given`, or as entries in `moves`.
    Gathers,
    /// Moves gathered.
    Gathered,
    /// Of the moves gathered, the first of those of which only the longest turns count, and where
    /// they end.
    Longest,
    LongestEnd,
    /// Numbers in the array `list`.
    Listed,
    /// What else is known of a move that is given, from here on.
    Extra,
    LastExtra = Slot::Extra as isize + MOST_EXTRA as isize - 1,
    LastTo,
    LastFrom,
    LastToAfter,
    LastFromAfter,
    LevelTo,
    LevelFrom,
    Counter,
    Moves,
    Turns,
    MovesThisTurn,
    Active,
    Pips,
    /// Whether there is a pending value that is no site, and which.
    HasPending,
    Pending,
    /// Whether pieces of stacks are gone and still listed.
    HasStalePieces,
    /// Origin and destination of the last action of the move that is being made.
    FromNow,
    ToNow,
    /// Whether that move has named the next player.
    NamedNext,
    /// Whether the last move was a pass.
    Passed,
    /// Whether all dice showed the same when they were thrown.
    AllEqual,
    /// Players who are triggered, as bits.
    Triggered,
    /// Players who had no moves when it was their turn, as bits.
    Stalemated,
    /// Whether what conditions find out about them is kept.
    KeepsFlags,
    /// Actions that wait in the array `acts`, and for how many there is room.
    ActsAt,
    ActsRoom,
    /// The number of the move to be made, of those gathered; -1 if one is drawn.
    Chosen,
    /// Origin and destination of the move that is made.
    MadeFrom,
    MadeTo,
    /// Moves made in this playout that were not forced, and how many may be.
    Plies,
    Cap,
    /// Since the state was kept: whether the host has kept, too, what only it changes, and
    /// whether it knows which moves have not been drawn.
    HeadKept,
    KnowsLeft,
    /// Forced passes that have followed each other, as long as so many moves have been made that
    /// were not.
    Passes,
    PassedAt,
    /// Moves in the array `history`, by who made them, with [`PASSED`] for a pass, and after how
    /// many of them the playout may have come to a limit.
    Noted,
    NotedEnd,
    /// The two moves before those, likewise, the last one first; -1 for none.
    NotedBefore,
    NotedFirst,
    /// The end rule that holds, by its number among those of the phase and the general ones, from
    /// 1; 0 if that is not known.
    Rule,
    /// Whether it is known what that rule pays, and from here on what each player gets.
    Paid,
    Payoffs,
    /// Whether the game is over if who moves now has no move.
    Expects = Slot::Payoffs as isize + play::MAX_PLAYERS as isize,
    /// From here on, what [`TURN`] says of the move before, where that matters.
    Before,
    /// Whether it is asked whether a piece is threatened: no other one is then.
    Threatens = Slot::Before as isize + OF_TURN as isize,
    /// From here on, variables are kept while others stand in their place.
    Saved,
    /// From here on, the phase of each player, by number.
    Phase = Slot::Saved as isize + (MOST_SAVED * ITERS) as isize,
}

const OF_TURN: usize = 7;

/// What is handed on with the turn.
pub(super) const TURN: [Slot; OF_TURN] = [
    Slot::Mover,
    Slot::Next,
    Slot::Prev,
    Slot::Counter,
    Slot::MovesThisTurn,
    Slot::Turns,
    Slot::Stalemated,
];

/// Marks a pass in the array `history`.
pub(super) const PASSED: i32 = 256;

/// No destination is excluded.
pub(super) const ANYWHERE: i32 = i32::MIN;

/// How often variables are kept at the same time.
pub(super) const MOST_SAVED: usize = 3;

/// Numbers in the frame.
pub(super) const FRAME_LENGTH: usize = Slot::Phase as usize + play::MAX_PLAYERS + 1;

/// What is known of a move beside source, origin, destination, and piece.
pub(super) const MOST_EXTRA: usize = 5;

/// Numbers that a move is made from.
pub(super) const OF_MOVE: usize = 3 + MOST_EXTRA;

/// Numbers of a move that is handed to the function `give`.
pub(super) const GATHERED: usize = 4 + MOST_EXTRA;

/// Functions of the host, with the number of their arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Service {
    /// Takes a move: source, origin, destination, piece. 1 stops the generation.
    Take,
    /// Hands on what has been gathered. 1 stops the generation.
    Flush,
    /// Has a generator run by the evaluator, and says whether it matters how many moves it gives. 1
    /// stops the generation.
    Generate,
    /// The first of some generators that gives a move.
    First,
    /// A condition, a number, a region (in `scratch`), a list (its length; in `list`).
    Test,
    Int,
    Region,
    List,
    /// Has an effect evaluated by the evaluator; a number for [`Service::CarryOut`].
    Effects,
    /// Carries out what an effect has been evaluated to.
    CarryOut,
    /// Carries out an action: its kind, three numbers.
    Act,
    /// Makes room for more actions that wait.
    Room,
    /// Draws one of the moves that have been gathered and count: its number, or what stops the
    /// playout, taken from -2.
    DrawCounted,
    /// Goes back to the state that was kept, and to what draws moves.
    TakeBack,
    /// Copies the numbers and sets of the state, to which [`Service::PutBack`] goes back; copies
    /// nest.
    Copy,
    PutBack,
    /// Removes what was captured earlier in the turn, when it ends.
    Settle,
    /// Keeps the position after a move for rules that ask for earlier ones.
    Remember,
    /// The number of a move that has been drawn, or of another one if it leads to the same state as
    /// one before it.
    FirstOfItsKind,
    /// Takes back the move of a number to the state that was kept, and draws another one; -1 if
    /// there is none.
    Reject,
}

pub(super) const SERVICES: [(Service, &str, usize); 20] = [
    (Service::Take, "take", 4),
    (Service::Flush, "flush", 0),
    (Service::Generate, "generate", 2),
    (Service::First, "first", 1),
    (Service::Test, "test", 1),
    (Service::Int, "int", 1),
    (Service::Region, "region", 1),
    (Service::List, "list", 1),
    (Service::Effects, "effects", 1),
    (Service::CarryOut, "carry_out", 1),
    (Service::Act, "act", 4),
    (Service::Room, "room", 0),
    (Service::DrawCounted, "draw_counted", 0),
    (Service::TakeBack, "take_back", 0),
    (Service::Copy, "copy", 0),
    (Service::PutBack, "put_back", 0),
    (Service::Settle, "settle", 0),
    (Service::Remember, "remember", 0),
    (Service::FirstOfItsKind, "first_of_its_kind", 1),
    (Service::Reject, "reject", 1),
];

/// A number below another one, drawn.
pub(super) fn drawn(end: Expr) -> Expr {
    Expr::Draw(DRAWS, Box::new(end))
}

/// A call of the host.
pub(super) fn service(service: Service, arguments: Vec<Expr>) -> Expr {
    Expr::Host(HostId(service as u32), arguments)
}

pub(super) fn int(value: i32) -> Expr {
    Expr::Int(value)
}

pub(super) fn slot(slot: Slot) -> Expr {
    FRAME.at(int(slot as i32))
}

pub(super) fn set_slot(slot: Slot, value: Expr) -> Stmt {
    Stmt::Store(FRAME, int(slot as i32), value)
}

/// Whether a player has no result yet.
pub(super) fn is_active(player: Expr) -> Expr {
    slot(Slot::Active).shifted_right(player).and_bits(int(1))
}

/// The phase of a player.
pub(super) fn phase_of(player: Expr) -> Expr {
    FRAME.at(add(player, int(Slot::Phase as i32)))
}

/// Of some blocks that of a number, found by halves; the last one where the number is greater.
pub(super) fn one_of(number: &Expr, mut blocks: Vec<(i32, Block)>) -> Block {
    if blocks.len() < 2 {
        return blocks.pop().map(|(_, block)| block).unwrap_or_default();
    }
    let high = blocks.split_off(blocks.len() / 2);
    let is_low = number.clone().less(int(high[0].0));
    vec![Stmt::If(is_low, one_of(number, blocks), one_of(number, high))]
}

/// One of the sets of the state.
pub(super) fn state_set(index: Expr) -> Expr {
    Expr::LoadSet(STATE, Box::new(index))
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Int(a), Expr::Int(b)) => int(a.wrapping_add(b)),
        (a, Expr::Int(0)) => a,
        (a, b) => a + b,
    }
}

/// Whether a number is one of those from 0 up to another, that excluded.
pub(super) fn is_below(number: Expr, end: i32) -> Expr {
    both(number.clone().at_least(int(0)), number.less(int(end)))
}

pub(super) fn both(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Int(0), _) => int(0),
        (Expr::Int(_), b) => b,
        (a, Expr::Int(1)) => a,
        (a, b) => Expr::Both(Box::new(a), Box::new(b)),
    }
}

pub(super) fn either(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Int(0), b) => b,
        (Expr::Int(_), _) => int(1),
        (a, b) => Expr::Either(Box::new(a), Box::new(b)),
    }
}

pub(super) fn choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        Expr::Int(0) => otherwise,
        Expr::Int(_) => then,
        condition => Expr::Choose(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

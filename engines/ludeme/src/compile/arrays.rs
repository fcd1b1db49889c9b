//! The memory that code and host share, and the services of the host: arrays, the numbers of the
//! frame by their places, and expressions for them.

use kernel::ir::{Block, Expr, HostId, Ints, Sets, Stmt};

use crate::ir::ITERS;

/// Most moves that code gathers within the evaluator before it gives them to the visitor.
pub(super) const MOST_GATHERED: i32 = 1024;

/// Number of numbers in the array for these moves.
pub(crate) const ROOM: usize = MOST_GATHERED as usize * GATHERED;

/// Most entries of moves that code gathers in a playout, to draw from them.
pub(super) const MOST_ENTRIES: usize = 1024;

/// Most moves that code makes before the state is told of them.
pub(super) const MOST_NOTED: usize = 256;

/// Number of numbers of an entry. The first number holds the source, the origin and the
/// destination; the second one the piece, the number of pieces, or the number of the path.
pub(super) const ENTRY: usize = 8;

/// The numbers of [`Slot`]. These are the arrays of numbers that the host lends.
pub(super) const FRAME: Ints = Ints(0);
/// The entries of gathered moves.
pub(super) const MOVES: Ints = Ints(1);
/// Lists of numbers that the evaluator has worked out.
pub(super) const LIST: Ints = Ints(2);
/// The numbers of the state.
pub(super) const CELLS: Ints = Ints(3);
/// The actions that wait to be carried out, [`OF_ACT`](super::waiting::OF_ACT) numbers each.
pub(super) const ACTS: Ints = Ints(4);
/// The movers of moves that the state does not know of yet.
pub(super) const HISTORY: Ints = Ints(5);
/// The moves that code has gathered for a visitor.
pub(super) const GIVEN: Ints = Ints(6);
/// The lines and groups of pieces that have been added.
pub(super) const ADDED: Ints = Ints(7);
/// Copies of the state and of the frame, to which an illegal move is taken back.
pub(super) const KEPT_CELLS: Ints = Ints(8);
pub(super) const KEPT_FRAME: Ints = Ints(9);

/// The sets of the state. These are the arrays of sets that the host lends.
pub(super) const STATE: Sets = Sets(0);
/// A region that the evaluator has worked out, and the sites to be cleared when the turn ends.
pub(super) const SCRATCH: Sets = Sets(1);
/// The destinations of each entry.
pub(super) const TARGETS: Sets = Sets(2);
/// The state of the generator of random numbers.
pub(super) const DRAWS: Sets = Sets(3);
/// Copies of the sets of the state and of the state of the generator, to which an illegal move is
/// taken back.
pub(super) const KEPT_STATE: Sets = Sets(4);
pub(super) const KEPT_DRAWS: Sets = Sets(5);

/// A number of the frame, by its place. The variables of the rules come before all of these. A flag
/// is 1 if it is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// The player who moves, and those whose turns are next and were before.
    Mover = ITERS as isize,
    Next,
    Prev,
    /// Number of moves to be passed over before one matters to the visitor.
    Skip,
    /// Number of moves given, with those passed over.
    Given,
    /// The only destination that matters; [`ANYWHERE`] if all do.
    Wanted,
    /// Flag: moves are gathered, in the array `given` or as entries in `moves`.
    Gathers,
    /// Number of moves gathered, or of entries.
    Gathered,
    /// The range of the gathered moves of which only those count that begin the longest turns.
    Longest,
    LongestEnd,
    /// Number of numbers in the array `list`.
    Listed,
    /// Further numbers of a move that is given, from here on.
    Extra,
    LastExtra = Slot::Extra as isize + MOST_EXTRA as isize - 1,
    /// The destination and origin of the last move.
    LastTo,
    LastFrom,
    /// Those of the last action of that move.
    LastToAfter,
    LastFromAfter,
    /// Its levels.
    LevelTo,
    LevelFrom,
    /// The counter of the rules.
    Counter,
    /// Number of moves, of turns, and of moves in this turn.
    Moves,
    Turns,
    MovesThisTurn,
    /// The players without a result, as bits.
    Active,
    /// The sum of the dice.
    Pips,
    /// Flag: there is a pending value that is no site; and that value.
    HasPending,
    Pending,
    /// Flag: some pieces of stacks are gone and still listed.
    HasStalePieces,
    /// The origin and destination of the last action of the move that is being made.
    FromNow,
    ToNow,
    /// Flag: that move has named the next player.
    NamedNext,
    /// Flag: the last move was a pass.
    Passed,
    /// Flag: all dice showed the same face when they were thrown.
    AllEqual,
    /// The players who are triggered, as bits.
    Triggered,
    /// The players who had no moves when it was their turn, as bits.
    Stalemated,
    /// Flag: conditions that find out if a player has moves set the bits of `Stalemated`.
    KeepsFlags,
    /// Number of actions that wait in the array `acts`, and number for which there is room.
    ActsAt,
    ActsRoom,
    /// The number of the gathered move to be made; -1 if one is drawn.
    Chosen,
    /// The origin and destination of the move that has been made.
    MadeFrom,
    MadeTo,
    /// Number of moves in this playout that were not forced, and the most that are allowed.
    Plies,
    Cap,
    /// Flags, both false when the state is kept: the host has kept the head of the state too; the
    /// host has a list of the moves that can still be drawn.
    HeadKept,
    KnowsLeft,
    /// Number of forced passes in a row. It is true as long as `Plies` is `PassedAt`.
    Passes,
    PassedAt,
    /// Number of moves in the array `history`, each as its mover, plus [`PASSED`] for a pass; and
    /// the number of them after which the playout may reach a limit of moves or turns.
    Noted,
    NotedEnd,
    /// The last two moves before those, in the same form, the last one first; -1 for none.
    NotedBefore,
    NotedFirst,
    /// The number of the end rule that holds, from 1, among those of the phase and the general
    /// ones; 0 if it is unknown.
    Rule,
    /// Flag: the payoffs of that rule are known; from the next number on, that of each player.
    Paid,
    Payoffs,
    /// Flag: the game is over if the player who moves now has no move.
    Expects = Slot::Payoffs as isize + play::MAX_PLAYERS as isize,
    /// From here on, the numbers of [`TURN`] before the turn was passed on, if `Expects` is true.
    Before,
    /// Flag: code tests if a piece is threatened. Such tests do not nest.
    Threatens = Slot::Before as isize + OF_TURN as isize,
    /// From here on, variables of the rules that are kept while others stand in their place.
    Saved,
    /// From here on, the phase of each player, by number.
    Phase = Slot::Saved as isize + (MOST_SAVED * ITERS) as isize,
}

/// Length of [`TURN`].
const OF_TURN: usize = 7;

/// The numbers that change when the turn is passed on.
pub(super) const TURN: [Slot; OF_TURN] = [
    Slot::Mover,
    Slot::Next,
    Slot::Prev,
    Slot::Counter,
    Slot::MovesThisTurn,
    Slot::Turns,
    Slot::Stalemated,
];

/// The mark of a pass in the array `history`.
pub(super) const PASSED: i32 = 256;

/// The value of [`Slot::Wanted`] if all destinations matter.
pub(super) const ANYWHERE: i32 = i32::MIN;

/// Most sets of variables that are kept at the same time.
pub(super) const MOST_SAVED: usize = 3;

/// Number of numbers in the frame.
pub(super) const FRAME_LENGTH: usize = Slot::Phase as usize + play::MAX_PLAYERS + 1;

/// Most further numbers of a move, beside source, origin, destination and piece.
pub(super) const MOST_EXTRA: usize = 5;

/// Number of parameters of a function that makes a move.
pub(super) const OF_MOVE: usize = 3 + MOST_EXTRA;

/// Number of parameters of the function `give`.
pub(super) const GATHERED: usize = 4 + MOST_EXTRA;

/// A service of the host, which code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Service {
    /// Gives a move to the visitor: source, origin, destination, piece. 1 stops the generation.
    Take,
    /// Gives the gathered moves to the visitor. 1 stops the generation.
    Flush,
    /// Runs the evaluator for a generator, and counts its moves if the second argument is 1. A
    /// result of 1 stops the generation.
    Generate,
    /// Number of the first of some generators that gives a move.
    First,
    /// The value of a condition, of a number, of a region (in the array `scratch`), and the length
    /// of a list (in the array `list`).
    Test,
    Int,
    Region,
    List,
    /// Evaluates an effect. The result is a number for [`Service::CarryOut`].
    Effects,
    /// Carries out the actions of an evaluated effect.
    CarryOut,
    /// Carries out an action: its kind, three numbers.
    Act,
    /// Makes room for more waiting actions.
    Room,
    /// Draws one of the gathered moves that count. The result is its number, or -2 less the
    /// [`Stop`](super::stops::Stop) of the playout.
    DrawCounted,
    /// Goes back to the state that was kept, random numbers included.
    TakeBack,
    /// Copies the numbers and sets of the state; `PutBack` goes back to the last copy. Copies nest.
    Copy,
    PutBack,
    /// Removes the pieces that were captured earlier in the turn, when the turn ends.
    Settle,
    /// Adds the position to the earlier ones that rules ask for.
    Remember,
    /// The number of a drawn move, or of another one drawn in its place if it leads to the same
    /// state as one before it.
    FirstOfItsKind,
    /// Takes back the move of a number to the state that was kept, and draws another one; -1 if
    /// there is none.
    Reject,
}

/// All services by number, with their names and their numbers of arguments.
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

/// A number.
pub(super) fn int(value: i32) -> Expr {
    Expr::Int(value)
}

/// A number of the frame.
pub(super) fn slot(slot: Slot) -> Expr {
    FRAME.at(int(slot as i32))
}

/// A write to a number of the frame.
pub(super) fn set_slot(slot: Slot, value: Expr) -> Stmt {
    Stmt::Store(FRAME, int(slot as i32), value)
}

/// Code that is 1 if a player has no result yet.
pub(super) fn is_active(player: Expr) -> Expr {
    slot(Slot::Active).shifted_right(player).and_bits(int(1))
}

/// The phase of a player.
pub(super) fn phase_of(player: Expr) -> Expr {
    FRAME.at(add(player, int(Slot::Phase as i32)))
}

/// Code that runs the block of a number, found by bisection; the last block if the number is
/// greater than all.
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

/// A sum, folded if it is known.
pub(super) fn add(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Int(a), Expr::Int(b)) => int(a.wrapping_add(b)),
        (a, Expr::Int(0)) => a,
        (a, b) => a + b,
    }
}

/// Code that is 1 if a number is at least 0 and less than another.
pub(super) fn is_below(number: Expr, end: i32) -> Expr {
    both(number.clone().at_least(int(0)), number.less(int(end)))
}

/// Code that is 1 if two conditions hold. The second one is evaluated only if the first one holds.
pub(super) fn both(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Int(0), _) => int(0),
        (Expr::Int(_), b) => b,
        (a, Expr::Int(1)) => a,
        (a, b) => Expr::Both(Box::new(a), Box::new(b)),
    }
}

/// Code that is 1 if at least one of two conditions holds.
pub(super) fn either(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Int(0), b) => b,
        (Expr::Int(_), _) => int(1),
        (a, b) => Expr::Either(Box::new(a), Box::new(b)),
    }
}

/// The first value if a condition holds, else the second one.
pub(super) fn choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        Expr::Int(0) => otherwise,
        Expr::Int(_) => then,
        condition => Expr::Choose(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

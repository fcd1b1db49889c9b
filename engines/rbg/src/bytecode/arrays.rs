//! What the code of a game shares with its host: arrays, slots, services.

use kernel::ir::{Ints, Sets};
use play::Rng;

use super::{MOST_TRIED, ROOM};

/// Alternatives that are open at a time, and changes to be taken back; more are left to the search.
pub(super) const MOST_CHOICES: usize = 400;
pub(super) const MOST_CHANGES: usize = 4000;
/// Playouts of a run; after one of more than so many plies the host is returned to.
pub(super) const MOST_TOGETHER: usize = 64;
pub(super) const LONG: i32 = 1000;
/// Entries of a list of moves; longer ones are left to the search.
pub(super) const MOST_ENTRIES: usize = 2048;
/// Numbers that are kept of pieces: a power of two.
pub(crate) const MOST_KEPT: usize = 1 << 13;

/// Cells of each piece.
pub(super) const PIECES: Sets = Sets(0);
/// The generator of random numbers, in the first words.
pub(super) const GENERATOR: Sets = Sets(1);
/// The set that a service has found.
pub(super) const FOUND: Sets = Sets(2);
/// Pieces before a lone move.
pub(super) const PIECES_BEFORE: Sets = Sets(3);
/// The cells left of each open alternative.
pub(super) const CHOICE_SETS: Sets = Sets(4);
/// The last cells of each entry of a list.
pub(super) const ENTRY_SETS: Sets = Sets(5);
/// The generator that each playout begins with.
pub(super) const SEEDS: Sets = Sets(6);
/// Names and sizes of the arrays of sets of so many words, in order, for so many pieces.
pub(super) fn sets(words: usize, pieces: usize) -> [(&'static str, usize); 7] {
    [
        ("pieces", pieces),
        ("generator", Rng::WORDS),
        ("found", 1),
        ("pieces before", pieces),
        ("choice sets", MOST_CHOICES),
        ("entry sets", MOST_ENTRIES),
        ("seeds", MOST_TOGETHER * seed_sets(words)),
    ]
}

/// The number of sets of so many words that have room for a generator.
pub(super) fn seed_sets(words: usize) -> usize {
    Rng::WORDS.div_ceil(words)
}

/// Values of the variables.
pub(super) const VARS: Ints = Ints(0);
/// Numbers that go in and out, by [`Slot`].
pub(super) const FRAME: Ints = Ints(1);
/// Variables before a lone move.
pub(super) const VARS_BEFORE: Ints = Ints(2);
/// Open alternatives: where to go on, changes made before, the cell.
pub(super) const CHOICES: Ints = Ints(3);
/// Changes to be taken back: the variable or [`A_CELL`], the cell, what was there.
pub(super) const CHANGES: Ints = Ints(4);
/// Entries of a list: the way, the moves up to its end, cells at which pieces are put first.
pub(super) const ENTRIES: Ints = Ints(5);
/// The end of each playout: the event, plies, and the values of the variables.
pub(super) const ENDS: Ints = Ints(6);
/// Numbers that are kept of pieces and updated with each change.
pub(super) const KEPT: Ints = Ints(7);
/// Numbers, or words, of an entry of these arrays.
pub(super) const CHOICE: i32 = 3;
pub(super) const CHANGE: i32 = 3;
pub(super) const ENTRY: i32 = 2 + MOST_TRIED as i32;
pub(super) const END: i32 = 2 + ROOM as i32;
/// In place of a variable: a piece was put.
pub(super) const A_CELL: i32 = -1;
/// Names and sizes of the arrays of numbers, in order.
pub(super) const INTS: [(&str, usize); 8] = [
    ("variables", ROOM),
    ("frame", Slot::COUNT),
    ("variables before", ROOM),
    ("choices", MOST_CHOICES * CHOICE as usize),
    ("changes", MOST_CHANGES * CHANGE as usize),
    ("entries", MOST_ENTRIES * ENTRY as usize),
    ("ends", MOST_TOGETHER * END as usize),
    ("kept", MOST_KEPT),
];

/// Numbers of the frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// The current cell.
    Cell,
    /// Plies so far, and how many there may be; as numbers without sign.
    Plies,
    Cap,
    /// Forced passes since the last ply, and how many there may be in a row.
    Passes,
    MostPasses,
    /// The number of playouts that are to be played; the number that have ended or were left.
    Count,
    Played,
    /// The place of the last playout, with [`Slot::Cell`]: the layer, and the player who moves
    /// there. If the keeper (0) could not go on, only the player.
    Layer,
    Mover,
    /// Of a playout that has had its plies or passes: how many moves there are, and whether the
    /// only one is a pass.
    Moves,
    LonePasses,
    /// Of a lone move: where the player began, and whether it may be a pass.
    LoneLayer,
    LoneMover,
    LoneCell,
    LoneMayPass,
}

impl Slot {
    const COUNT: usize = Slot::LoneMayPass as usize + 1;
}

/// Services of the host that code calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Service {
    /// The cells that a walk leads to from a cell; 1 if the search has been given up.
    Walk,
    /// A test of a pattern at a cell, likewise: all cells if it holds, or none.
    Pattern,
}

/// Names and numbers of arguments of the services, in order.
pub(super) const SERVICES: [(&str, usize); 2] = [("walk", 2), ("pattern", 2)];

/// The reason why the code has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The playout is over.
    Over,
    /// There have been as many plies, or passes, as there may be: the position is that before the
    /// next one.
    Capped,
    /// The keeper has made too many moves.
    Stuck,
    /// The search is to go on.
    Left,
}

impl Event {
    pub(super) fn of(number: i32) -> Event {
        let all = [Event::Over, Event::Capped, Event::Left];
        all.into_iter().find(|event| *event as i32 == number).unwrap_or(Event::Stuck)
    }
}

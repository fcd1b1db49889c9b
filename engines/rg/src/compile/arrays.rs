//! The arrays of a program.

use kernel::ir::{Ints, Sets};

/// The cells of maps.
pub(crate) const CELLS: Ints = Ints(0);
/// The numbers of a run.
pub(crate) const FRAME: Ints = Ints(1);
/// The tags of the walk that is gone along.
pub(crate) const TAGS: Ints = Ints(2);
/// The first of the moves of a turn that may have equal tags, by a hash of their tags.
pub(crate) const HEADS: Ints = Ints(3);
/// The tags of those moves, one move after another, each behind the number of its tags.
pub(crate) const SEEN: Ints = Ints(4);
/// The tags of the move that was asked for, or the numbers of moves that are to be made.
pub(crate) const TOLD: Ints = Ints(5);
/// The entries of the list of moves.
pub(crate) const LISTED: Ints = Ints(6);
/// The variables without keys.
pub(crate) const SCALARS: Ints = Ints(7);
/// The sets of boards.
pub(crate) const BOARDS: Sets = Sets(0);
/// The random generator.
pub(crate) const GENERATOR: Sets = Sets(1);
/// For each entry of the list the elements that there is a move for.
pub(crate) const LISTED_SETS: Sets = Sets(2);

/// The entries of [`FRAME`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The moves that are listed, and the entries of the list.
    Count,
    Entries,
    /// The entry of the list whose tags are asked for, -1 if none are, and the number of the
    /// element.
    Asked,
    AskedElement,
    /// The turn that the play is at.
    Turn,
    /// The tags of the move that was asked for.
    Tags,
    /// 1 if a move was listed that does nothing but hand on the turn.
    Pass,
    Plies,
    Cap,
    Passes,
    MostPasses,
    /// The number of times that moves were gone through, which tells entries of [`HEADS`] from
    /// those of earlier times.
    Stamp,
    /// The entries of [`SEEN`] that are used.
    Seen,
    /// 1 if there were more moves, or tags, than there is room for.
    Lost,
    /// The moves of a sequence that have been made.
    Made,
}

/// The last [`Slot::Stamp`], since a head has no room for more.
pub(crate) const LAST_STAMP: i32 = i32::MAX / MOST_SEEN as i32 - 2;
/// The number of [`HEADS`], a power of two.
pub(crate) const MOST_HEADS: usize = 1 << 16;
/// The number of entries of [`SEEN`], a power of two.
pub(crate) const MOST_SEEN: usize = 1 << 16;

/// The most entries of a list, and the numbers of each.
pub(crate) const MOST_LISTED: usize = 8192;
pub(crate) const ENTRY_LENGTH: usize = 16;

/// The most tags of a move that code makes.
pub(crate) const MOST_TAGS: usize = 256;

/// The number of entries.
pub(crate) const FRAME_LENGTH: usize = Slot::Made as usize + 1;

//! What descriptions may ask for, in one table: beyond these they are refused, or a search ends.
//! Thresholds from which another way of doing the same is quicker stand where that is decided.

// Reading.
/// Texts longer than this are refused unread; the largest public ones have 10 kB (90 kB written
/// out).
pub(crate) const MAX_TEXT: usize = 4 << 20;
/// Tokens that the expansion of one description may produce or look at.
pub(crate) const MAX_TOKENS: usize = 4_000_000;
/// Macros inside macros inside macros, arguments counted.
pub(crate) const MAX_MACRO_NESTING: usize = 128;
/// Brackets nested deeper are refused; the compiler recurses over them.
pub(crate) const MAX_NESTING: usize = 200;
/// Actions after all `^n` are written out.
pub(crate) const MAX_ACTIONS: u64 = 500_000;
/// Boards with more vertices are refused: whole-board sets are what the engine computes with.
pub(crate) const MAX_VERTICES: usize = 4096;
/// Boards with more labels are refused.
pub(crate) const MAX_LABELS: usize = 256;
/// More pieces than this are refused: pieces are bytes.
pub(crate) const MAX_PIECES: usize = 250;
/// More variables than this are refused.
pub(crate) const MAX_VARIABLES: usize = 10_000;
/// Messages of one section after which no more are gathered.
pub(crate) const MAX_MESSAGES: usize = 50;
/// Characters that are no token, reported one by one up to this many.
pub(crate) const MAX_BAD_CHARACTERS: usize = 20;

// Play.
/// Changes within changes, that is, edges of one move at which others could have been taken.
pub(crate) const MAX_CHANGES_NESTED: u32 = 400;
/// Changes of one move. The longest of public games stay in the hundreds.
pub(crate) const MAX_CHANGES: usize = 20_000;
/// Bytes of a list of moves. Those of public games take a few millions.
pub(crate) const MAX_LIST_BYTES: usize = 256 << 20;
/// Moves of the keeper in a row.
pub(crate) const MAX_KEEPER_MOVES: u32 = 10_000;

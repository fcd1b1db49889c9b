//! The limits on descriptions, in one table: beyond them descriptions are refused, or a search
//! ends. Thresholds from which another method is faster stand at the place of that decision.

// Reading.
/// Most bytes of a text; longer ones are refused unread. The largest public ones have 10 kB (90 kB
/// expanded).
pub(crate) const MAX_TEXT: usize = 4 << 20;
/// Most tokens that the expansion of one description may produce or read.
pub(crate) const MAX_TOKENS: usize = 4_000_000;
/// Depth of nested macros, arguments counted.
pub(crate) const MAX_MACRO_NESTING: usize = 128;
/// Depth of nested brackets, over which the compiler recurses.
pub(crate) const MAX_NESTING: usize = 200;
/// Most actions after all `^n` are written out.
pub(crate) const MAX_ACTIONS: u64 = 500_000;
/// Most vertices of a board; the engine computes with sets of the whole board.
pub(crate) const MAX_VERTICES: usize = 4096;
/// Most labels of a board.
pub(crate) const MAX_LABELS: usize = 256;
/// Most pieces; pieces are bytes.
pub(crate) const MAX_PIECES: usize = 250;
/// Most variables.
pub(crate) const MAX_VARIABLES: usize = 10_000;
/// Most messages about one section.
pub(crate) const MAX_MESSAGES: usize = 50;
/// Most characters outside tokens that are reported one by one.
pub(crate) const MAX_BAD_CHARACTERS: usize = 20;

// Play.
/// Depth of nested changes, that is, of edges of one move that have alternatives.
pub(crate) const MAX_CHANGES_NESTED: u32 = 400;
/// Most changes of one move. The longest moves of public games have hundreds.
pub(crate) const MAX_CHANGES: usize = 20_000;
/// Most bytes of a list of moves. Those of public games take a few millions.
pub(crate) const MAX_LIST_BYTES: usize = 256 << 20;
/// Most moves of the keeper in a row.
pub(crate) const MAX_KEEPER_MOVES: u32 = 10_000;

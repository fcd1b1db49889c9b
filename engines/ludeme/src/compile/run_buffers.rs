//! The memory of playouts by code, which is used again from ply to ply and from playout to playout.

use kernel::MAX_NATIVE_WORDS;

use super::arrays::FRAME_LENGTH;
use super::memory::Memory;
use crate::buffer::Buffer;
use crate::moves::Act;
use crate::set::Set;
use crate::state::{Head, State};

/// The memory that code and its host share.
#[derive(Default)]
pub(crate) struct RunBuffers {
    pub(super) memory: Memory,
    pub(super) buffers: Buffers,
}

impl RunBuffers {
    /// Forgets everything about the playout before, because another one begins, or because plies are
    /// played from another position.
    pub(crate) fn begin(&mut self) {
        self.buffers.added_beside = None;
        self.buffers.copies.cells.clear();
        self.buffers.copies.words.clear();
    }
}

/// The memory for the moves of a ply, and for actions that wait until an effect has been evaluated.
#[derive(Default)]
pub(super) struct Buffers {
    /// The entries of the moves that have been gathered.
    pub(super) moves: Vec<i32>,
    /// The words of the set of destinations of each entry.
    pub(super) targets: Vec<u64>,
    /// The actions that wait.
    pub(super) acts: Vec<i32>,
    /// The movers of the moves that the state does not know of yet.
    pub(super) history: Vec<i32>,
    /// The lines and groups of the pieces that have been added in this playout.
    pub(super) added: Vec<i32>,
    /// The empty sites for which `added` is true; `None` if it is true for no position.
    pub(super) added_beside: Option<Set>,
    /// The actions that the evaluator has found for effects of one move.
    pub(super) found: Buffer<Act>,
    /// The range of `found` that belongs to each of these effects.
    pub(super) ranges: Vec<(u32, u32)>,
    /// The number of the move that `found` and `ranges` belong to.
    pub(super) found_in: i32,
    /// The state before the drawn move, if that move may turn out to be illegal.
    pub(super) kept: KeptState,
    /// The states that code has copied and not put back yet.
    pub(super) copies: StateCopies,
    /// The numbers of the moves that can still be drawn in this ply; `None` before one has been
    /// rejected.
    pub(super) left: Option<Buffer<u32>>,
}

/// A stack of copies of the numbers and sets of a state.
#[derive(Default)]
pub(super) struct StateCopies {
    cells: Vec<i32>,
    words: Vec<u64>,
}

impl StateCopies {
    /// Copies a state to the top of the stack.
    pub(super) fn push(&mut self, state: &State) {
        self.cells.extend_from_slice(state.cells());
        self.words.extend_from_slice(state.words());
    }

    /// Takes the copy off the top, and makes the state equal to it.
    pub(super) fn put_back(&mut self, state: &mut State) {
        let (cells, words) = state.memory_mut();
        let before = (self.cells.len() - cells.len(), self.words.len() - words.len());
        cells.copy_from_slice(&self.cells[before.0..]);
        words.copy_from_slice(&self.words[before.1..]);
        self.cells.truncate(before.0);
        self.words.truncate(before.1);
    }
}

/// The state of the random generator, in the first words. Code reads and copies it as a set, so
/// there is room for a set of any size.
pub(super) type Draws = [u64; MAX_NATIVE_WORDS];

/// The state to which a move that turns out to be illegal is taken back: the arrays that code
/// writes, and the parts that only the host changes.
#[derive(Default)]
pub(super) struct KeptState {
    pub(super) cells: Vec<i32>,
    pub(super) words: Vec<u64>,
    pub(super) frame: Vec<i32>,
    pub(super) draws: Draws,
    /// The head of the state.
    pub(super) head: Option<Head>,
    /// The number of moves in the history.
    pub(super) moves: usize,
}

impl KeptState {
    /// Makes room for a state.
    pub(super) fn fit(&mut self, state: &State) {
        self.cells.resize(self.cells.len().max(state.cells().len()), 0);
        self.words.resize(self.words.len().max(state.words().len()), 0);
        self.frame.resize(FRAME_LENGTH, 0);
    }

    /// Keeps the parts that only the host changes.
    pub(super) fn take_head(&mut self, state: &State) {
        self.head = Some(state.head);
        self.moves = state.history.len();
    }
}

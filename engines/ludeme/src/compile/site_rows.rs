//! Positions that go on side by side, in rows: the numbers and the sets of their states, and the
//! frame of code. Between two plies code alone knows what it has changed; the evaluator is given a
//! state where a playout ends, where a player has to pass, and for playouts from a position.

use kernel::ir::{FunctionId, HostId};
use kernel::{Host, Loans};
use play::NO_SITE;

use super::arrays::{
    ACTS, CELLS, FRAME, FRAME_LENGTH, HISTORY, MOST_NOTED, MOVES, PASSED, SCRATCH, STATE, Slot,
    TARGETS,
};
use super::compiled_playout::CompiledPlayout;
use super::program::Program;
use super::run_buffers::RunBuffers;
use super::stops::Stop;
use super::waiting::OF_ACT;
use super::{arrays, choices};
use crate::game::Game;
use crate::state::{Head, State};

/// Positions of a game in which code plays plies to sites.
#[derive(Clone)]
pub(crate) struct PositionRows {
    function: FunctionId,
    /// The position at which all playouts begin.
    start: Row,
    cells: Vec<i32>,
    words: Vec<u64>,
    frames: Vec<i32>,
    rest: Vec<Rest>,
    memory: SharedMemory,
}

/// A position.
#[derive(Clone)]
struct Row {
    cells: Vec<i32>,
    words: Vec<u64>,
    frame: Vec<i32>,
    rest: Rest,
}

/// The parts of a position that code does not see.
#[derive(Clone)]
struct Rest {
    /// The head of the state when the evaluator knew it last.
    head: Head,
    /// The movers of all moves, as in [`State::history`].
    history: Vec<u8>,
}

/// Arrays that code writes in a ply, and never reads later.
#[derive(Clone)]
struct SharedMemory {
    targets: Vec<u64>,
    history: Vec<i32>,
    moves: Vec<i32>,
    scratch: Vec<u64>,
    acts: Vec<i32>,
}

/// The place at which code has left a ply to the evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LeftAt(Stop);

impl LeftAt {
    /// Between two plies.
    pub(crate) const BETWEEN: LeftAt = LeftAt(Stop::Played);
}

impl PositionRows {
    /// No rows yet of a game that begins with a state; `None` if there is no code that plays its
    /// plies in rows.
    pub(crate) fn new(
        game: &Game,
        start: &State,
        buffers: &mut RunBuffers,
    ) -> Option<PositionRows> {
        let function = game.program.as_ref()?.site_ply?;
        let words = start.set_words();
        Some(PositionRows {
            function,
            start: Row::of(game, start, buffers)?,
            cells: Vec::new(),
            words: Vec::new(),
            frames: Vec::new(),
            rest: Vec::new(),
            memory: SharedMemory {
                targets: vec![0; arrays::MOST_ENTRIES * words],
                history: vec![0; MOST_NOTED],
                moves: vec![0; arrays::MOST_ENTRIES * arrays::ENTRY + choices::CHOICES],
                scratch: vec![0; 2 * words],
                acts: Vec::new(),
            },
        })
    }

    /// The same game with so many rows, all of them at the start.
    pub(crate) fn with_rows(&self, rows: usize) -> PositionRows {
        let Row { cells, words, frame, rest } = &self.start;
        PositionRows {
            cells: cells.repeat(rows),
            words: words.repeat(rows),
            frames: frame.repeat(rows),
            rest: vec![rest.clone(); rows],
            ..self.clone()
        }
    }

    /// The sets of the state of a row.
    #[inline(always)]
    pub(crate) fn sets(&self, row: usize) -> &[u64] {
        of_row(&self.words, row, self.start.words.len())
    }

    /// Goes back to the start.
    pub(crate) fn begin(&mut self, row: usize) {
        let Row { cells, words, frame, rest } = &self.start;
        of_row_mut(&mut self.cells, row, cells.len()).copy_from_slice(cells);
        of_row_mut(&mut self.words, row, words.len()).copy_from_slice(words);
        of_row_mut(&mut self.frames, row, frame.len()).copy_from_slice(frame);
        self.rest[row].clone_from(rest);
    }

    /// Plays the legal moves to some sites, by row, and none where there is [`NO_SITE`]. Where the
    /// next player has moves, writes their sites and says who that is; lists the other rows.
    pub(crate) fn play(
        &mut self,
        program: &Program,
        sites: &[u32],
        legal: &mut [u64],
        mut next: impl FnMut(usize, u8),
    ) -> Vec<(usize, LeftAt)> {
        let PositionRows { function, start, cells, words, frames, rest, memory } = self;
        let lengths = [start.cells.len(), start.words.len()];
        let set_words = legal.len() / sites.len().max(1);
        let mut host = RowHost { row: 0, lengths, cells, words, frames, memory };
        let mut left = Vec::new();
        program.run_rows(&mut host, *function, |host, stopped| {
            if let Some(stopped) = stopped {
                let row = host.row;
                let legal = of_row_mut(legal, row, set_words);
                let stop = Stop::of(stopped).unwrap_or(Stop::Made);
                legal.copy_from_slice(&host.memory.targets[..set_words]);
                if stop == Stop::Played && legal.iter().any(|&word| word != 0) {
                    next(row, host.frame()[Slot::Mover as usize] as u8);
                } else {
                    left.push((row, LeftAt(stop)));
                }
                host.row += 1;
            }
            let behind = sites.get(host.row..).unwrap_or_default();
            let Some(played) = behind.iter().position(|&site| site != NO_SITE) else {
                return false;
            };
            host.row += played;
            let frame = host.frame();
            frame[Slot::Chosen as usize] = behind[played] as i32;
            let mover = frame[Slot::Mover as usize] as u8;
            rest[host.row].history.push(mover << 1);
            true
        });
        left
    }

    /// Makes a state of a row, and has the evaluator end the ply that code has left.
    pub(crate) fn state(
        &self,
        game: &Game,
        row: usize,
        left: LeftAt,
        state: &mut State,
        buffers: &mut RunBuffers,
    ) -> Option<()> {
        let Rest { head, history } = &self.rest[row];
        let frame = of_row(&self.frames, row, FRAME_LENGTH);
        state.clone_from(&game.initial);
        let (cells, words) = state.memory_mut();
        cells.copy_from_slice(of_row(&self.cells, row, self.start.cells.len()));
        words.copy_from_slice(self.sets(row));
        state.head = *head;
        let noted = (frame[Slot::Noted as usize] as usize).min(history.len());
        let (told, noted) = history.split_at(history.len() - noted);
        state.history.clear();
        state.history.extend_from_slice(told);
        let program = game.begins_code(state, buffers)?;
        buffers.memory.frame.copy_from_slice(frame);
        *buffers.memory.slot(Slot::ActsRoom) = (buffers.buffers.acts.len() / OF_ACT) as i32;
        for (to, &entry) in buffers.buffers.history.iter_mut().zip(noted) {
            *to = i32::from(entry >> 1) + if entry & 1 != 0 { PASSED } else { 0 };
        }
        CompiledPlayout::new(game, program, state, buffers).end_plies(left.0);
        Some(())
    }

    /// Shows the sets of another state in a row, whose playout is at its end.
    pub(crate) fn take_sets(&mut self, row: usize, state: &State) {
        of_row_mut(&mut self.words, row, self.start.words.len()).copy_from_slice(state.words());
    }

    /// Goes on from another state in a row.
    pub(crate) fn take(
        &mut self,
        game: &Game,
        row: usize,
        state: &State,
        buffers: &mut RunBuffers,
    ) -> Option<()> {
        let Row { cells, words, frame, rest } = Row::of(game, state, buffers)?;
        of_row_mut(&mut self.cells, row, cells.len()).copy_from_slice(&cells);
        of_row_mut(&mut self.words, row, words.len()).copy_from_slice(&words);
        of_row_mut(&mut self.frames, row, frame.len()).copy_from_slice(&frame);
        self.rest[row] = rest;
        Some(())
    }
}

impl Row {
    /// The row of a state in which a player moves.
    fn of(game: &Game, state: &State, buffers: &mut RunBuffers) -> Option<Row> {
        game.begins_code(state, buffers)?;
        // Rows have less room than the buffers, and code asks for more.
        *buffers.memory.slot(Slot::ActsRoom) = 0;
        Some(Row {
            cells: state.cells().to_vec(),
            words: state.words().to_vec(),
            frame: buffers.memory.frame.to_vec(),
            rest: Rest { head: state.head, history: state.history.clone() },
        })
    }
}

/// The items of a row.
#[inline(always)]
fn of_row<T>(all: &[T], row: usize, items: usize) -> &[T] {
    &all[row * items..(row + 1) * items]
}

#[inline(always)]
fn of_row_mut<T>(all: &mut [T], row: usize, items: usize) -> &mut [T] {
    &mut all[row * items..(row + 1) * items]
}

/// The host of code that plays a ply in a row, which asks for nothing but room for actions.
struct RowHost<'a> {
    row: usize,
    /// The numbers and the words of a state.
    lengths: [usize; 2],
    cells: &'a mut [i32],
    words: &'a mut [u64],
    frames: &'a mut [i32],
    memory: &'a mut SharedMemory,
}

impl RowHost<'_> {
    #[inline(always)]
    fn frame(&mut self) -> &mut [i32] {
        of_row_mut(self.frames, self.row, FRAME_LENGTH)
    }
}

impl Host for RowHost<'_> {
    #[inline(always)]
    fn lend<'l>(&'l mut self, loans: &mut Loans<'l>) {
        let RowHost { row, lengths, cells, words, frames, memory } = self;
        loans.ints_mut(FRAME, of_row_mut(frames, *row, FRAME_LENGTH));
        loans.ints_mut(MOVES, &mut memory.moves);
        loans.ints_mut(CELLS, of_row_mut(cells, *row, lengths[0]));
        loans.ints_mut(ACTS, &mut memory.acts);
        loans.ints_mut(HISTORY, &mut memory.history);
        loans.sets_mut(STATE, of_row_mut(words, *row, lengths[1]));
        loans.sets_mut(TARGETS, &mut memory.targets);
        loans.sets(SCRATCH, &memory.scratch);
    }

    fn call(&mut self, _: HostId, _: &[i32]) -> i32 {
        let acts = &mut self.memory.acts;
        let known = self.frames[self.row * FRAME_LENGTH + Slot::ActsRoom as usize];
        // Another row may have asked for it before.
        if acts.len() / OF_ACT <= known as usize {
            acts.resize((2 * acts.len()).max(64 * OF_ACT), 0);
        }
        let room = (acts.len() / OF_ACT) as i32;
        self.frame()[Slot::ActsRoom as usize] = room;
        0
    }
}

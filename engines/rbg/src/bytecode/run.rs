//! What the code of a game runs in: its memory, and the search that it asks.

use kernel::ir::{FunctionId, HostId};
use kernel::{Checked, Host, Loans, Memory, Native};
use play::{Limits, MAX_FORCED_PASSES, Rng};

use super::Playout;
use super::arrays::{
    END, ENDS, Event, FOUND, FRAME, GENERATOR, PIECES, SEEDS, Service, Slot, VARS, seed_sets,
};
use super::{CellSet, ROOM};
use crate::bits::Bits;
use crate::place::Place;
use crate::program::Program;
use crate::scratch::Scratch;
use crate::state::State;

/// Nodes of programs that are played, times the words of a set: machine code of more takes too long
/// to make, and interpreted the search is faster.
const MOST_NODES: usize = 250_000;
/// As many take some hundredths of a second, whatever the limits.
const SMALL: usize = 4000;
/// Steps, and bytes, that it takes to check and simplify a node, about: as many nodes again, and
/// more, may turn out to be nothing.
const NODE_WORK: u64 = 80;
const NODE_BYTES: u64 = 1600;

/// A program that can run.
#[derive(Debug)]
pub(crate) struct PlayoutProgram {
    checked: Checked,
    /// The function that plays: the last.
    play: FunctionId,
    /// None where there is no machine code for the processor: then it is interpreted.
    native: Option<Native>,
}

impl PlayoutProgram {
    /// None of a program that is too large, or too large for the limits; and no machine code where
    /// that would be more than they leave.
    pub(crate) fn new(program: kernel::ir::Program, limits: &Limits) -> Option<PlayoutProgram> {
        // Simplified it may be a fraction of what it is.
        let [by_work, by_bytes] = [limits.work / NODE_WORK, limits.bytes / NODE_BYTES];
        let words = program.words;
        let play = FunctionId(program.functions.len() as u32 - 1);
        let most = (by_work.min(by_bytes) as usize).clamp(SMALL, MOST_NODES) / words;
        let checked = kernel::check(program, 4 * most).ok()?.simplified();
        if checked.nodes() > most {
            return None;
        }
        let (work, bytes) = Native::effort(&checked);
        let fits = work <= limits.work / 2 && bytes <= limits.bytes;
        let fits = fits || checked.nodes() * words <= SMALL;
        let native = fits.then(|| Native::new(&checked).ok()).flatten();
        Some(PlayoutProgram { checked, play, native })
    }

    /// The program as text.
    pub(crate) fn text(&self) -> String {
        self.checked.program().to_string()
    }

    /// True if there is machine code for it.
    pub(crate) fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// The number of nodes of the program, and the bytes of its machine code.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.checked.nodes(), self.native.as_ref().map_or(0, Native::bytes))
    }

    /// Plays on from the turn at an instruction; [`RunState::end`] 0 tells how far.
    pub(crate) fn run<const W: usize>(
        &self,
        at: u32,
        playout: &mut Playout<'_>,
        run_state: &mut RunState,
        search: Search<'_, W>,
    ) {
        run_state.resume(playout);
        run_state.memory[FRAME][Slot::Count as usize] = 1;
        let RunState { code, flat, memory } = run_state;
        self.call(at, *code, flat, memory, search);
        run_state.suspend(playout);
    }

    /// Takes a step from the turn at an instruction and a cell, in a position that becomes the one
    /// after it, and stops before what comes next.
    pub(crate) fn step<const W: usize>(
        &self,
        at: u32,
        cell: u16,
        step: Step,
        flat: &mut SetPosition,
        run_state: &mut RunState,
        search: Search<'_, W>,
    ) -> Stop {
        let (plies, passes) = match step {
            Step::List => (0, 0),
            Step::Pass => (0, 1),
            Step::Choice { number, of } => {
                let rng = Rng::that_draws(number, of);
                rng.store(&mut run_state.memory[GENERATOR]);
                (1, 0)
            }
        };
        let slots = [(Slot::Plies, 0), (Slot::Cap, plies), (Slot::Passes, 0), (Slot::Count, 1)];
        for (slot, number) in slots.into_iter().chain([(Slot::MostPasses, passes)]) {
            run_state.memory[FRAME][slot as usize] = number;
        }
        run_state.memory[FRAME][Slot::Cell as usize] = cell.into();
        self.call(at, run_state.code, flat, &mut run_state.memory, search);
        run_state.stop()
    }

    /// Plays playouts from the start, the turn at an instruction, one for each generator; gives how
    /// many there are [ends](RunState::end) of. Of these the last one may be left to the search.
    pub(crate) fn run_together<const W: usize>(
        &self,
        at: u32,
        cap: u32,
        generators: impl Iterator<Item = Rng>,
        run_state: &mut RunState,
        search: Search<'_, W>,
    ) -> usize {
        let mut count = 0;
        let words = self.checked.program().words;
        let room = words * seed_sets(words);
        for (words, rng) in run_state.memory[SEEDS].chunks_exact_mut(room).zip(generators) {
            rng.store(words);
            count += 1;
        }
        Rng::load(&run_state.memory[SEEDS]).store(&mut run_state.memory[GENERATOR]);
        let slots = [(Slot::Plies, 0), (Slot::Passes, 0), (Slot::Cap, cap as i32)];
        let counts = [(Slot::MostPasses, MAX_FORCED_PASSES as i32), (Slot::Count, count)];
        for (slot, number) in slots.into_iter().chain(counts) {
            run_state.memory[FRAME][slot as usize] = number;
        }
        let RunState { code, flat, memory } = run_state;
        self.call(at, *code, flat, memory, search);
        run_state.slot(Slot::Played) as usize
    }

    fn call<const W: usize>(
        &self,
        at: u32,
        code: Code,
        flat: &mut SetPosition,
        memory: &mut Memory,
        search: Search<'_, W>,
    ) {
        let mut running = Running { flat, memory, search };
        let mut budget = u32::MAX;
        match self.native.as_ref().filter(|_| code == Code::Native) {
            Some(native) => native.run(&mut running, self.play, &[at as i32], &mut budget),
            None => self.checked.interpret(&mut running, self.play, &[at as i32], &mut budget),
        };
    }
}

/// The way in which a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Its machine code, where there is any.
    Native,
    /// The kernel's interpreter.
    Interpreted,
}

/// One step of a play that somebody else chooses the moves of.
///
/// The code knows nothing of steps: a step is a playout that may have one ply or pass, or none, of
/// a generator whose first number is that of the move. So the code of playouts is not made longer,
/// and what is listed and made is what is played.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// None: what moves there are.
    List,
    /// A lone move that is a pass.
    Pass,
    /// A move, of so many.
    Choice { number: u32, of: u32 },
}

/// The place that a step has led to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) event: Event,
    /// True if the move was made, or left to the search before.
    pub(crate) is_made: bool,
    pub(crate) layer: u32,
    pub(crate) mover: u8,
    pub(crate) cell: u16,
    /// The number of moves after it, if it was [`Event::Capped`].
    pub(crate) moves: u32,
    /// True if the only one is a pass.
    pub(crate) lone_passes: bool,
}

/// The end of a playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<'m> {
    pub(crate) event: Event,
    pub(crate) plies: u32,
    /// Those of the players, and then others, which mean nothing.
    pub(crate) vars: &'m [i32],
}

/// The search, and the state that it is asked in.
pub(crate) struct Search<'s, const W: usize> {
    pub(crate) program: &'s Program<W>,
    pub(crate) state: &'s mut State<W>,
    pub(crate) scratch: &'s mut Scratch<W>,
}

/// A position as a few sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SetPosition {
    /// The words of the cells of each piece.
    sets: Box<[u64]>,
    /// The number of words of a set.
    words: usize,
    pub(super) vars: [i32; ROOM],
}

impl SetPosition {
    /// The part of a state that the code works on, in sets of so many words.
    pub(crate) fn of<const W: usize>(state: &State<W>, words: usize) -> SetPosition {
        let sets = vec![0; state.bits.len() * words].into();
        let mut flat = SetPosition { sets, words, vars: [0; ROOM] };
        flat.load(state);
        flat
    }

    /// No position: of a game without code.
    pub(crate) fn empty() -> SetPosition {
        SetPosition { sets: [].into(), words: 1, vars: [0; ROOM] }
    }

    /// Takes in the position of a state.
    pub(crate) fn load<const W: usize>(&mut self, state: &State<W>) {
        for (set, bits) in self.sets.chunks_exact_mut(self.words).zip(&state.bits) {
            set.copy_from_slice(&bits.words[..self.words]);
        }
        for (var, &value) in self.vars.iter_mut().zip(&state.vars) {
            *var = value;
        }
    }

    /// Becomes another position of the same game.
    pub(crate) fn copy_from(&mut self, other: &SetPosition) {
        self.sets.copy_from_slice(&other.sets);
        self.vars = other.vars;
    }

    /// Values of the variables, and zeros behind them.
    pub(crate) fn vars(&self) -> &[i32] {
        &self.vars
    }

    /// The cells of each piece.
    pub(crate) fn sets<const W: usize>(&self) -> impl Iterator<Item = Bits<W>> {
        self.sets.chunks_exact(self.words).map(|words| {
            let mut set = Bits::EMPTY;
            set.words[..words.len()].copy_from_slice(words);
            set
        })
    }

    /// The cells of a piece.
    pub(super) fn set(&self, piece: usize) -> CellSet {
        self.sets().nth(piece).unwrap_or(CellSet::EMPTY)
    }

    /// Brings a state to this position.
    pub(crate) fn store<const W: usize>(&self, state: &mut State<W>) {
        for (piece, (bits, set)) in state.bits.iter_mut().zip(self.sets()).enumerate() {
            // On every cell there is one piece: only those with another one have to be written.
            let others = set.without(*bits);
            *bits = set;
            for cell in others {
                state.board[usize::from(cell)] = piece as u8;
            }
        }
        for (var, &value) in state.vars.iter_mut().zip(&self.vars) {
            *var = value;
        }
    }
}

/// A position, and the memory of a run that begins there.
#[derive(Debug)]
pub(crate) struct RunState {
    code: Code,
    flat: SetPosition,
    memory: Memory,
}

impl RunState {
    /// For a program, at a position.
    pub(crate) fn new(
        program: Option<&PlayoutProgram>,
        flat: &SetPosition,
        code: Code,
    ) -> RunState {
        let memory = program.map(|program| Memory::new(program.checked.program()));
        RunState { code, flat: flat.clone(), memory: memory.unwrap_or_default() }
    }

    /// Begins at a position and a cell.
    pub(crate) fn begin(&mut self, flat: &SetPosition, cell: u16) {
        self.flat.copy_from(flat);
        self.memory[FRAME][Slot::Cell as usize] = cell.into();
    }

    /// Begins where a state is.
    pub(crate) fn begin_at<const W: usize>(&mut self, state: &State<W>) {
        self.flat.load(state);
        self.memory[FRAME][Slot::Cell as usize] = state.cell.into();
    }

    /// The end of a playout of the last run.
    pub(crate) fn end(&self, number: usize) -> End<'_> {
        let entry = &self.memory[ENDS][number * END as usize..][..END as usize];
        End { event: Event::of(entry[0]), plies: entry[1] as u32, vars: &entry[2..] }
    }

    /// The place that the last step has led to.
    fn stop(&self) -> Stop {
        let event = self.end(0).event;
        Stop {
            event,
            is_made: self.slot(Slot::Plies) > 0 || self.slot(Slot::Passes) > 0,
            layer: self.slot(Slot::Layer) as u32,
            mover: self.slot(Slot::Mover) as u8,
            cell: self.slot(Slot::Cell) as u16,
            moves: self.slot(Slot::Moves) as u32,
            lone_passes: self.slot(Slot::Moves) == 1 && self.slot(Slot::LonePasses) != 0,
        }
    }

    /// Takes in how far a playout has come.
    fn resume(&mut self, playout: &Playout<'_>) {
        playout.rng.store(&mut self.memory[GENERATOR]);
        for (slot, number) in [
            (Slot::Plies, playout.plies),
            (Slot::Cap, playout.cap),
            (Slot::Passes, playout.passes),
            (Slot::MostPasses, MAX_FORCED_PASSES),
        ] {
            self.memory[FRAME][slot as usize] = number as i32;
        }
    }

    /// Gives out how far the last playout has come.
    pub(crate) fn suspend(&self, playout: &mut Playout<'_>) {
        *playout.rng = Rng::load(&self.memory[GENERATOR]);
        playout.plies = self.slot(Slot::Plies) as u32;
        playout.passes = self.slot(Slot::Passes) as u32;
    }

    fn slot(&self, slot: Slot) -> i32 {
        self.memory[FRAME][slot as usize]
    }

    /// Has a state go on where the code has left it.
    pub(crate) fn leave<const W: usize>(&self, state: &mut State<W>) {
        self.flat.store(state);
        let Stop { layer, mover, cell, .. } = self.stop();
        (state.layer, state.mover, state.cell) = (layer, mover, cell);
    }
}

struct Running<'r, 's, const W: usize> {
    flat: &'r mut SetPosition,
    memory: &'r mut Memory,
    search: Search<'s, W>,
}

impl<const W: usize> Host for Running<'_, '_, W> {
    #[inline(always)]
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        let Running { flat, memory, .. } = self;
        memory.lend(loans);
        // The position is that of the caller.
        loans.ints_mut(VARS, &mut flat.vars);
        loans.sets_mut(PIECES, &mut flat.sets);
    }

    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let &[number, cell] = arguments else { return 1 };
        let Search { program, state, scratch } = &mut self.search;
        self.flat.store(state);
        let cell = cell as u16;
        let found = if function.0 == Service::Walk as u32 {
            let walk = &program.walks[number as usize];
            program.walk(walk, &Place::Cell(cell), state, scratch).bits()
        } else if program.matches(number as u32, cell, state, scratch) {
            program.all
        } else {
            Bits::EMPTY
        };
        let answer = &mut self.memory[FOUND];
        answer.copy_from_slice(&found.words[..answer.len()]);
        i32::from(scratch.is_spent())
    }
}

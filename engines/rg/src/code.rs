//! Compiled code as something that runs.

use kernel::ir::FunctionId;
use kernel::{Checked, Host, Loans, Native};
use play::{Limits, Pool, Rng};

use crate::compile::arrays::{
    BOARDS, CELLS, FRAME, FRAME_LENGTH, GENERATOR, HEADS, LAST_STAMP, MOST_HEADS, MOST_SEEN,
    MOST_TAGS, SEEN, Slot, TAGS,
};
use crate::compile::{Compiled, Event, Turn};

/// The most nodes of a program that is played.
const MAX_NODES: usize = 1_000_000;

/// The nodes of programs that are compiled whatever the limits: these take some hundredths of a
/// second.
const SMALL: usize = 4000;

/// Steps that it takes to check and simplify a node, about.
const NODE_WORK: u64 = 80;

/// The code of a game.
#[derive(Debug)]
pub(crate) struct Code {
    checked: Checked,
    /// `None` where there is no machine code for the processor.
    native: Option<Native>,
    pub(crate) turns: Vec<Turn>,
    walk: FunctionId,
    play: FunctionId,
    /// Memory that runs lend each other, of a game in which tags are compared.
    seen: Option<Pool<SeenMoves>>,
}

/// The memory of the code: a position.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) cells: Vec<i32>,
    pub(crate) boards: Vec<u64>,
    pub(crate) frame: [i32; FRAME_LENGTH],
}

/// A position with what a run needs besides.
struct Running<'p> {
    position: &'p mut Position,
    tags: &'p mut [i32; MOST_TAGS],
    generator: &'p mut [u64; 8],
    seen: &'p mut SeenMoves,
}

/// Memory for moves whose tags are compared.
#[derive(Debug, Default)]
struct SeenMoves {
    heads: Vec<i32>,
    seen: Vec<i32>,
    stamp: i32,
}

impl SeenMoves {
    fn new() -> SeenMoves {
        SeenMoves { heads: vec![0; MOST_HEADS], seen: vec![0; MOST_SEEN], stamp: 0 }
    }
}


impl Host for Running<'_> {
    #[inline(always)]
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        loans.ints_mut(CELLS, &mut self.position.cells);
        loans.ints_mut(FRAME, &mut self.position.frame);
        loans.ints_mut(TAGS, self.tags);
        loans.ints_mut(HEADS, &mut self.seen.heads);
        loans.ints_mut(SEEN, &mut self.seen.seen);
        loans.sets_mut(BOARDS, &mut self.position.boards);
        loans.sets_mut(GENERATOR, self.generator);
    }

    fn call(&mut self, _: kernel::ir::HostId, _: &[i32]) -> i32 {
        0
    }
}

/// What runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Its machine code, where there is any.
    Native,
    /// The kernel's interpreter.
    Interpreted,
}

impl Code {
    /// The code of a program, if it is not too large.
    pub(crate) fn new(compiled: Compiled, limits: &Limits) -> Option<Code> {
        let Compiled { program, turns, walk, play, compares } = compiled;
        let most = ((limits.work / NODE_WORK) as usize).clamp(SMALL, MAX_NODES);
        let words = program.words.max(1);
        let checked = kernel::check(program, 4 * most).ok()?.simplified();
        if std::env::var_os("RG_DEBUG").is_some() {
            eprintln!("nodes {} functions {} turns {}", checked.nodes(), checked.program().functions.len(), turns.len());
        }
        let checked = checked.inlined(&[walk, play]);
        if std::env::var_os("RG_DEBUG").is_some() {
            eprintln!("nodes {} functions {}", checked.nodes(), checked.program().functions.len());
        }
        if checked.nodes() > most / words {
            return None;
        }
        let (work, bytes) = Native::effort(&checked);
        let fits = work <= limits.work / 2 && bytes <= limits.bytes;
        let native = (fits || checked.nodes() <= SMALL).then(|| Native::new(&checked).ok());
        Some(Code { checked, native: native.flatten(), turns, walk, play, seen: compares.then(Pool::default) })
    }

    /// The program as text.
    pub(crate) fn text(&self) -> String {
        self.checked.program().to_string()
    }

    /// True if there is machine code.
    pub(crate) fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// The nodes of the program, and the bytes of machine code.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.checked.nodes(), self.native.as_ref().map_or(0, Native::bytes))
    }

    /// The turn that a position is at.
    pub(crate) fn turn(&self, position: &Position) -> &Turn {
        &self.turns[position.get(Slot::Turn) as usize]
    }

    /// The number of moves; `None` if there are more than the code can compare.
    pub(crate) fn count(&self, position: &mut Position) -> Option<u32> {
        position.set(Slot::Left, i32::MAX);
        self.call(self.walk, position, &mut [0; MOST_TAGS], &mut [0; 8], Way::Native);
        let count = (i32::MAX - position.get(Slot::Left)) as u32;
        (position.get(Slot::Lost) == 0).then_some(count)
    }

    /// Makes the move of a number; gives its tags.
    pub(crate) fn make<'t>(
        &self,
        position: &mut Position,
        number: u32,
        tags: &'t mut [i32; MOST_TAGS],
    ) -> Option<&'t [i32]> {
        position.set(Slot::Left, (number + 1) as i32);
        let made = self.call(self.walk, position, tags, &mut [0; 8], Way::Native) != 0;
        made.then(|| &tags[..(position.get(Slot::Tags) as usize).min(MOST_TAGS)])
    }

    /// Plays on to an event.
    pub(crate) fn play(&self, position: &mut Position, rng: &mut Rng, way: Way) -> Event {
        let mut generator = [0; 8];
        rng.store(&mut generator);
        let event = self.call(self.play, position, &mut [0; MOST_TAGS], &mut generator, way);
        *rng = Rng::load(&generator);
        Event::of(event)
    }

    #[inline]
    fn call(
        &self,
        function: FunctionId,
        position: &mut Position,
        tags: &mut [i32; MOST_TAGS],
        generator: &mut [u64; 8],
        way: Way,
    ) -> i32 {
        let mut run = |seen: &mut SeenMoves| {
            if seen.stamp >= LAST_STAMP / 2 {
                seen.heads.fill(0);
                seen.stamp = 0;
            }
            position.set(Slot::Stamp, seen.stamp);
            position.set(Slot::Lost, 0);
            let mut running = Running { position, tags, generator, seen };
            let mut budget = u32::MAX;
            let result = match self.native.as_ref().filter(|_| way == Way::Native) {
                Some(native) => native.run(&mut running, function, &[], &mut budget),
                None => self.checked.interpret(&mut running, function, &[], &mut budget),
            };
            running.seen.stamp = running.position.get(Slot::Stamp);
            result
        };
        match &self.seen {
            Some(pool) => pool.with(SeenMoves::new, run),
            None => run(&mut SeenMoves::default()),
        }
    }
}

impl Position {
    /// An entry of the frame.
    pub(crate) fn get(&self, slot: Slot) -> i32 {
        self.frame[slot as usize]
    }

    /// Writes an entry of the frame.
    pub(crate) fn set(&mut self, slot: Slot, number: i32) {
        self.frame[slot as usize] = number;
    }
}

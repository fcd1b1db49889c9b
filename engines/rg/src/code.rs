//! Compiled code as something that runs.

use std::sync::atomic::{AtomicU64, Ordering};

use kernel::ir::FunctionId;
use kernel::{Checked, Host, Loans, Native};
use play::{Job, Limits, MAX_FORCED_PASSES, Pool, Rng};

use crate::compile::arrays::{
    BOARDS, CELLS, ENTRY_LENGTH, FRAME, FRAME_LENGTH, GENERATOR, HEADS, LAST_STAMP, LISTED,
    LISTED_SETS, MOST_HEADS, MOST_LISTED, MOST_SEEN, MOST_TAGS, SCALARS, SEEN, Slot, TAGS, TOLD,
};
use crate::compile::{Compiled, Event, Turn};
use crate::reference::MoveNumber;

/// The most nodes of a program that is played.
const MAX_NODES: usize = 1_000_000;

/// The nodes of programs that are compiled whatever the limits: these take some hundredths of a
/// second.
const SMALL: usize = 2000;

/// The most words of positions that are variables of the machine code of a play.
const MAX_PROMOTED: usize = 32;

/// The most rounds of loops of a call: those of a playout of a million plies, a second at most.
const MAX_ROUNDS: u32 = 1 << 28;

/// The most of a call that makes a move and lists the next, where the keeper may go in a circle.
const MAX_MOVE_ROUNDS: u32 = 1 << 24;

/// Steps that it takes to check and simplify a node, about.
const NODE_WORK: u64 = 80;

/// The code of a game.
#[derive(Debug)]
pub(crate) struct Code {
    /// Lists and makes moves.
    moves: Executable,
    /// Plays, with all that a play needs written out in one function.
    plays: Executable,
    pub(crate) turns: Vec<Turn>,
    list: FunctionId,
    make: FunctionId,
    advance: FunctionId,
    play: FunctionId,
    /// The variables without keys.
    scalars: usize,
    /// True if the tags of moves are compared in some turns.
    compares: bool,
    workspaces: Pool<Workspace>,
}

/// A program that can be run.
#[derive(Debug)]
struct Executable {
    checked: Checked,
    /// The most rounds of loops of a call.
    rounds: u32,
    /// `None` where there is no machine code for the processor, or it would take too long to make.
    native: Option<Native>,
}

impl Executable {
    /// `None` if the program is too large.
    fn new(checked: Checked, rounds: u32, limits: &Limits) -> Option<Executable> {
        let most = ((limits.work / NODE_WORK) as usize).clamp(SMALL, MAX_NODES);
        if checked.nodes() > most / checked.program().words.max(1) {
            return None;
        }
        let (work, bytes) = Native::effort(&checked);
        let fits = work <= limits.work / 2 && bytes <= limits.bytes;
        let native = (fits || checked.nodes() <= SMALL).then(|| Native::new(&checked).ok());
        Some(Executable { checked, rounds, native: native.flatten() })
    }

    fn run(&self, host: &mut Running<'_>, way: Way, function: FunctionId, with: &[i32]) -> i32 {
        let mut budget = self.rounds;
        match self.native.as_ref().filter(|_| way == Way::Native) {
            Some(native) => native.run(host, function, with, &mut budget),
            None => self.checked.interpret(host, function, with, &mut budget),
        }
    }
}

/// The memory of the code: a position.
#[derive(Debug)]
pub(crate) struct Position {
    pub(crate) cells: Vec<i32>,
    pub(crate) boards: Vec<u64>,
    frame: [i32; FRAME_LENGTH],
    /// Its moves, if they have been listed.
    pub(crate) list: Option<List>,
}

/// The state of the list of a position's moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The number of the list among all that are ever made, from 1 on.
    number: u64,
    /// The number of moves.
    pub(crate) count: u32,
    /// True if one of them does nothing but hand on the turn.
    pub(crate) has_pass: bool,
}

/// Copies use the memory that is there.
impl Clone for Position {
    fn clone(&self) -> Position {
        let Position { cells, boards, frame, list } = self;
        Position { cells: cells.clone(), boards: boards.clone(), frame: *frame, list: *list }
    }

    fn clone_from(&mut self, other: &Position) {
        self.cells.clone_from(&other.cells);
        self.boards.clone_from(&other.boards);
        (self.frame, self.list) = (other.frame, other.list);
    }
}

/// A position with what a run needs besides.
struct Running<'p> {
    /// The first cells, those of variables without keys.
    scalars: usize,
    position: &'p mut Position,
    generator: &'p mut [u64; 8],
    workspace: &'p mut Workspace,
}

/// Memory that no position needs.
#[derive(Debug)]
struct Workspace {
    tags: Vec<i32>,
    told: Vec<i32>,
    listed: Vec<i32>,
    listed_sets: Vec<u64>,
    heads: Vec<i32>,
    seen: Vec<i32>,
    stamp: i32,
    /// The number of the list that lies here, 0 if none does, and of the last that was made.
    list: u64,
    last_list: u64,
}

/// Workspaces so far. Each numbers its lists from a number of its own on.
static WORKSPACES: AtomicU64 = AtomicU64::new(0);

impl Workspace {
    fn new(code: &Code) -> Workspace {
        let compared = |length: usize| vec![0; if code.compares { length } else { 0 }];
        Workspace {
            tags: vec![0; MOST_TAGS],
            told: vec![0; MOST_TAGS],
            listed: vec![0; MOST_LISTED * ENTRY_LENGTH],
            listed_sets: vec![0; MOST_LISTED * code.moves.checked.program().words],
            heads: compared(MOST_HEADS),
            seen: compared(MOST_SEEN),
            stamp: 0,
            list: 0,
            last_list: WORKSPACES.fetch_add(1, Ordering::Relaxed) << 40,
        }
    }
}

impl Host for Running<'_> {
    #[inline(always)]
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        let (scalars, cells) = self.position.cells.split_at_mut(self.scalars);
        loans.ints_mut(SCALARS, scalars);
        loans.ints_mut(CELLS, cells);
        loans.ints_mut(FRAME, &mut self.position.frame);
        loans.ints_mut(TAGS, &mut self.workspace.tags);
        loans.ints_mut(HEADS, &mut self.workspace.heads);
        loans.ints_mut(SEEN, &mut self.workspace.seen);
        loans.ints_mut(TOLD, &mut self.workspace.told);
        loans.ints_mut(LISTED, &mut self.workspace.listed);
        loans.sets_mut(BOARDS, &mut self.position.boards);
        loans.sets_mut(GENERATOR, self.generator);
        loans.sets_mut(LISTED_SETS, &mut self.workspace.listed_sets);
    }

    fn call(&mut self, _: kernel::ir::HostId, _: &[i32]) -> i32 {
        0
    }
}

/// The way in which a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Its machine code, where there is any.
    Native,
    /// The kernel's interpreter.
    Interpreted,
}

impl Code {
    /// The code of a program with so many variables without keys, if it is not too large.
    pub(crate) fn new(compiled: Compiled, scalars: usize, limits: &Limits) -> Option<Code> {
        let Compiled { program, turns, list, make, advance, play, compares } = compiled;
        let most = ((limits.work / NODE_WORK) as usize).clamp(SMALL, MAX_NODES);
        let checked = kernel::check(program, 4 * most).ok()?.simplified();
        let moves = checked.inlined(&[list, make, advance]);
        let moves = Executable::new(moves, MAX_MOVE_ROUNDS, limits)?;
        let plays = checked.inlined(&[play]).promoted(play, MAX_PROMOTED).simplified();
        let plays = Executable::new(plays, MAX_ROUNDS, limits)?;
        let workspaces = Pool::default();
        Some(Code { moves, plays, turns, list, make, advance, play, scalars, compares, workspaces })
    }

    /// The programs as text, first that for plays.
    pub(crate) fn text(&self) -> String {
        let [moves, plays] =
            [&self.moves, &self.plays].map(|executable| executable.checked.program());
        format!("{plays}\n// The program for positions.\n{moves}")
    }

    /// True if there is machine code.
    pub(crate) fn is_native(&self) -> bool {
        self.plays.native.is_some()
    }

    /// The nodes of the programs, and the bytes of machine code.
    pub(crate) fn size(&self) -> (usize, usize) {
        let both = [&self.moves, &self.plays];
        let bytes = |executable: &&Executable| executable.native.as_ref().map_or(0, Native::bytes);
        (both.iter().map(|code| code.checked.nodes()).sum(), both.iter().map(bytes).sum())
    }

    /// The turn that a position is at.
    pub(crate) fn turn(&self, position: &Position) -> &Turn {
        &self.turns[position.get(Slot::Turn) as usize]
    }

    /// Makes the keeper's move of a turn that has at most one; false if there is none.
    pub(crate) fn step(&self, position: &mut Position) -> bool {
        self.with(position, &mut [0; 8], Way::Native, |run| run.call(self.list, &[]) != 0)
    }

    /// The list of moves; `None` if there are more than the code can list.
    pub(crate) fn list(&self, position: &mut Position) -> Option<List> {
        if position.list.is_none() {
            self.advance(position, &[]);
        }
        position.list
    }

    /// Makes the moves of these numbers, each one of the list that those before it lead to, and
    /// behind each those of the keeper, and lists the moves of the next turn that has a choice. The
    /// moves that were made are [`Slot::Made`], all unless the code has to be left.
    pub(crate) fn advance(&self, position: &mut Position, numbers: &[MoveNumber]) -> Event {
        self.with(position, &mut [0; 8], Way::Native, |run| {
            let numbers = &numbers[..numbers.len().min(MOST_TAGS)];
            for (at, number) in run.running.workspace.told.iter_mut().zip(numbers) {
                *at = number.0 as i32;
            }
            let is_listed = !numbers.is_empty() && run.has_list();
            let event = run.call(self.advance, &[numbers.len() as i32, i32::from(is_listed)]);
            let event = Event::of(event);
            run.note_list(event == Event::Listed);
            event
        })
    }

    /// Makes the move of a number alone.
    pub(crate) fn make(&self, position: &mut Position, number: u32) {
        self.with(position, &mut [0; 8], Way::Native, |run| {
            run.list();
            run.call(self.make, &[number as i32]);
            run.note_list(false);
        });
    }

    /// The tags of the move of a number.
    pub(crate) fn tags(&self, position: &mut Position, number: u32) -> Vec<i32> {
        let mut found = Vec::new();
        self.each_tags(position, std::iter::once(number), |tags| found.extend(tags));
        found
    }

    /// Hands on the tags of the moves of some numbers, one after another.
    pub(crate) fn each_tags(
        &self,
        position: &mut Position,
        numbers: impl Iterator<Item = u32>,
        mut hear: impl FnMut(&[i32]),
    ) {
        self.with(position, &mut [0; 8], Way::Native, |run| {
            for number in numbers {
                run.list();
                let (entry, element) = run.entry(number as i32);
                let position = &mut *run.running.position;
                position.set(Slot::Asked, entry);
                position.set(Slot::AskedElement, element);
                run.call(self.list, &[]);
                let count = run.running.position.get(Slot::Tags) as usize;
                hear(&run.running.workspace.told[..count.min(MOST_TAGS)]);
            }
        });
    }

    /// Plays on to an event, from so many plies up to a cap.
    pub(crate) fn play(
        &self,
        position: &mut Position,
        [plies, cap]: [u32; 2],
        rng: &mut Rng,
        way: Way,
    ) -> Event {
        self.with(position, &mut [0; 8], way, |run| run.play([plies, cap], rng))
    }

    /// Plays each playout of a job from a position to an event.
    pub(crate) fn play_all(
        &self,
        start: &Position,
        job: &Job,
        way: Way,
        mut then: impl FnMut(u64, Event, &Position, &mut Rng),
    ) {
        self.with(&mut start.clone(), &mut [0; 8], way, |run| {
            for id in job.ids() {
                let mut rng = Rng::stream(job.seed, id);
                run.running.position.clone_from(start);
                run.begin();
                let event = run.play([0, job.cap], &mut rng);
                then(id, event, run.running.position, &mut rng);
                run.end();
            }
        });
    }

    /// Does something with a workspace.
    fn with<R>(
        &self,
        position: &mut Position,
        generator: &mut [u64; 8],
        way: Way,
        work: impl FnOnce(&mut Run<'_, '_>) -> R,
    ) -> R {
        self.workspaces.with(
            || Workspace::new(self),
            |workspace| {
                let scalars = self.scalars;
                let running = Running { scalars, position, generator, workspace };
                let mut run = Run { code: self, way, running };
                run.begin();
                let result = work(&mut run);
                run.end();
                result
            },
        )
    }
}

/// Code that is run.
struct Run<'c, 'p> {
    code: &'c Code,
    way: Way,
    running: Running<'p>,
}

impl Run<'_, '_> {
    /// Gives the position what it has to know of the workspace.
    fn begin(&mut self) {
        let Running { position, workspace, .. } = &mut self.running;
        if workspace.stamp >= LAST_STAMP / 2 {
            workspace.heads.fill(0);
            workspace.stamp = 0;
        }
        position.set(Slot::Stamp, workspace.stamp);
        position.set(Slot::Lost, 0);
        position.set(Slot::Asked, -1);
    }

    fn end(&mut self) {
        self.running.workspace.stamp = self.running.position.get(Slot::Stamp);
    }

    fn play(&mut self, [plies, cap]: [u32; 2], rng: &mut Rng) -> Event {
        self.note_list(false);
        let Running { position, generator, .. } = &mut self.running;
        position.set(Slot::Plies, plies as i32);
        position.set(Slot::Cap, cap.min(i32::MAX as u32) as i32);
        position.set(Slot::Passes, 0);
        position.set(Slot::MostPasses, MAX_FORCED_PASSES as i32);
        rng.store(&mut generator[..]);
        let event = Event::of(self.call(self.code.play, &[]));
        *rng = Rng::load(self.running.generator);
        event
    }

    fn call(&mut self, function: FunctionId, arguments: &[i32]) -> i32 {
        let Run { code, way, running } = self;
        let executable = if function == code.play { &code.plays } else { &code.moves };
        executable.run(running, *way, function, arguments)
    }

    /// The entry of the list that a move belongs to, and the number of the move among its moves.
    fn entry(&self, number: i32) -> (i32, i32) {
        let (mut entry, mut rest) = (0, number);
        for numbers in self.running.workspace.listed.chunks_exact(ENTRY_LENGTH) {
            if rest < numbers[1] {
                break;
            }
            rest -= numbers[1];
            entry += 1;
        }
        (entry, rest)
    }

    /// Lists the moves, if the list that lies here is not that of the position.
    fn list(&mut self) {
        if !self.has_list() {
            self.call(self.code.list, &[]);
            let list = self.running.position.list;
            self.running.workspace.list = list.map_or(0, |list| list.number);
        }
    }

    /// True if the list that lies here is that of the position.
    fn has_list(&self) -> bool {
        let here = self.running.workspace.list;
        self.running.position.list.is_some_and(|list| list.number == here)
    }

    /// Notes that the moves of the position lie here, or that those lie here no more which did.
    fn note_list(&mut self, is_listed: bool) {
        let Running { position, workspace, .. } = &mut self.running;
        workspace.list = 0;
        position.list = is_listed.then(|| {
            workspace.last_list += 1;
            workspace.list = workspace.last_list;
            let count = position.get(Slot::Count) as u32;
            List { number: workspace.list, count, has_pass: position.get(Slot::Pass) != 0 }
        });
    }
}

impl Position {
    /// The memory of so many cells and words of sets, with 0 everywhere.
    pub(crate) fn blank(cells: usize, words: usize) -> Position {
        Position { cells: vec![0; cells], boards: vec![0; words], frame: [0; _], list: None }
    }

    /// An entry of the frame.
    pub(crate) fn get(&self, slot: Slot) -> i32 {
        self.frame[slot as usize]
    }

    /// Writes an entry of the frame.
    pub(crate) fn set(&mut self, slot: Slot, number: i32) {
        self.frame[slot as usize] = number;
    }
}

//! The engine behind the faces that the harness knows.

use std::hash::Hash;

use play::{
    Adapted, Bounds, BuildFact, Chance, CompileError, Compiled, Encoding, End, Ending, Engine,
    EngineId, Facts, Game, Job, Language, Limits, Mechanics, Method, Outcomes, Player, PlayoutMode,
    Pool, Promise, Rng, Rules, Scores, Tally, Turn,
};
use text::{Diagnostic, Source};

use crate::bytecode::{self, Bytecode, Code, Event, Machine, Runner, Search, SetPosition};
use crate::compile::compile;
use crate::description::Description;
use crate::front;
use crate::layout::{Layout, SIZES};
use crate::moves::{Chosen, Moves};
use crate::place::Change;
use crate::playout::Playout;
use crate::program::{EdgeKind, Program};
use crate::scratch::Scratch;
use crate::show::Notation;
use crate::state::State;

/// The engine `rbg`: plays Regular Boardgames descriptions.
#[derive(Clone, Copy, Debug, Default)]
pub struct RbgEngine;

impl Engine for RbgEngine {
    fn id(&self) -> EngineId {
        "rbg"
    }

    fn languages(&self) -> &[Language] {
        &[Language::Rbg]
    }

    /// Compiles a description. Options, which the language has none of, and other languages are
    /// [`CompileError::Unavailable`].
    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError> {
        if rules.language != Language::Rbg {
            let text = format!("this engine reads .rbg files, not .{}", rules.language);
            return Err(CompileError::Unavailable(text));
        }
        if let Some(option) = rules.options.first() {
            let text = format!("the language has no options such as `{option}`");
            return Err(CompileError::Unavailable(text));
        }
        let (description, diagnostics) = front::read(&rules.source);
        let Some(description) = description else {
            return Err(CompileError::Invalid(diagnostics));
        };
        let game = build(&description, limits)?;
        Ok(Compiled { game, warnings: diagnostics })
    }
}

/// What is wrong with a description, and what may be.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    front::read(&rules.source).1
}

/// How long a description is: its tokens as they stand there, comments left out and macros not
/// written out, which is the count that publications about the language give.
pub fn tokens(source: &Source) -> usize {
    front::tokens(source)
}

/// The game of a description.
fn build(description: &Description, limits: &Limits) -> Result<Box<dyn Game>, CompileError> {
    struct Build<'d>(&'d Description, &'d Limits);
    impl Visit<Box<dyn Game>> for Build<'_> {
        fn visit<const W: usize>(self, program: Program<W>, layout: Layout) -> Box<dyn Game> {
            Adapted::boxed(RbgGame::new(program, self.0, layout, self.1))
        }
    }
    with_program(description, limits, Build(description, limits))
}

/// A compiled game.
struct RbgGame<const W: usize> {
    program: Program<W>,
    show: Notation,
    facts: Facts,
    /// The state that every play begins with: where the first player is to move.
    start: State<W>,
    /// The same as a few sets, if it fits.
    flat: SetPosition,
    /// What plays the instructions, if there are any.
    runner: Option<Runner>,
    /// Steps that one search may take.
    budget: u64,
    /// The scores' greatest values.
    bounds: Vec<i32>,
    /// Memory of playouts that begin at a state.
    machines: Pool<Machine>,
}

/// A state with its moves, once they have been asked for.
pub(crate) struct Position<const W: usize> {
    state: State<W>,
    room: Option<Box<SearchBuffers<W>>>,
}

/// Room for the moves of a state, and to search for them.
struct SearchBuffers<const W: usize> {
    scratch: Scratch<W>,
    moves: Moves<W>,
    /// Whether `moves` are those of the state.
    valid: bool,
    /// To try a move on.
    spare: Option<State<W>>,
}

impl<const W: usize> SearchBuffers<W> {
    fn new(budget: u64) -> SearchBuffers<W> {
        SearchBuffers {
            scratch: Scratch::new(budget),
            moves: Moves::new(),
            valid: false,
            spare: None,
        }
    }
}

impl<const W: usize> Clone for Position<W> {
    /// Without the moves, which are found again when needed.
    fn clone(&self) -> Position<W> {
        Position { state: self.state.clone(), room: None }
    }

    fn clone_from(&mut self, other: &Position<W>) {
        self.state.clone_from(&other.state);
        if let Some(room) = &mut self.room {
            room.valid = false;
        }
    }
}

/// A move, by its number in the order of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move(u32);

impl<const W: usize> RbgGame<W> {
    fn new(
        mut program: Program<W>,
        description: &Description,
        layout: Layout,
        limits: &Limits,
    ) -> RbgGame<W> {
        let mut start = program.begin();
        program.settle(&mut start, &mut Scratch::new(limits.work / 4));
        let flat = SetPosition::of(&start);
        let mut runner = None;
        let room = |bytecode: &&Bytecode| bytecode.program_bytes() <= limits.bytes / 2;
        if let Some(bytecode) = program.bytecode.as_ref().filter(room) {
            let begin = bytecode.turn(&start).map(|at| bytecode::Start {
                flat: &flat,
                cell: start.cell,
                at,
            });
            let extent = bytecode::Extent {
                pieces: description.pieces.len(),
                bounds: &program.bounds,
                players: description.players.len(),
                all: program.all.resized(),
                words: W,
                start: begin,
            };
            runner = Runner::new(bytecode::program(bytecode, extent), limits);
        }
        if runner.is_none() {
            program.bytecode = None;
        }
        for &edge in program.bytecode.iter().flat_map(|bytecode| &bytecode.listed) {
            program.edges[edge as usize].setwise = None;
        }
        let state_bytes = size_of::<State<W>>()
            + start.board.len()
            + start.bits.len() * W * 8
            + start.vars.len() * 4;
        let mut build = vec![
            (BuildFact::Vertices, description.board.start.len() as u64),
            (BuildFact::Pieces, description.pieces.len() as u64),
            (BuildFact::Edges, program.edges.len() as u64),
            (BuildFact::Layers, program.layers.len() as u64),
            (BuildFact::Walks, program.walks.len() as u64),
            (BuildFact::Patterns, program.patterns.len() as u64),
            (BuildFact::Relations, program.relations.len() as u64),
        ];
        // What playouts take a shorter way for.
        if let Some(bytecode) = &program.bytecode {
            build.push((
                BuildFact::LayerInstructions,
                bytecode.turns.iter().flatten().count() as u64,
            ));
            let (nodes, bytes) = runner.as_ref().map_or((0, 0), Runner::size);
            build.push((BuildFact::CodeNodes, nodes as u64));
            build.push((BuildFact::MachineCodeBytes, bytes as u64));
            let tests = bytecode.kept.iter().map(|kept| u64::from(kept.tests)).sum();
            build.push((BuildFact::KeptTests, tests));
        }
        let bounds = description.bounds[..description.players.len()].to_vec();
        let show = Notation::new(description, layout);
        let counted = program.counts_moves();
        let fast = PlayoutMode {
            method: if counted { Method::Counted } else { Method::Listed },
            promise: Promise::SamePlayouts,
        };
        let facts = Facts {
            players: description.players.len() as u8,
            state_bytes,
            fast,
            interpreted: runner.as_ref().filter(|runner| runner.is_native()).map(|_| fast),
            build,
            ..Facts::default()
        };
        RbgGame {
            program,
            show,
            facts,
            start,
            flat,
            runner,
            budget: limits.work,
            bounds,
            machines: Pool::default(),
        }
    }

    /// The state's moves, searched for if need be.
    fn moves<'p>(
        &self,
        position: &'p mut Position<W>,
    ) -> (&'p mut State<W>, &'p mut SearchBuffers<W>) {
        let room = position.room.get_or_insert_with(|| Box::new(SearchBuffers::new(self.budget)));
        if !room.valid {
            self.program.list(&mut position.state, &mut room.scratch, &mut room.moves);
            room.valid = true;
        }
        (&mut position.state, room)
    }

    /// The scores that the players' variables, the first ones, stand for.
    fn scores_of(&self, vars: &[i32]) -> Scores {
        let share = |(&value, &bound): (&i32, &i32)| {
            (i64::from(value) * 100 / i64::from(bound.max(1))) as i32
        };
        Scores::new(vars.iter().zip(&self.bounds).map(share))
    }

    /// Whether a lone legal move hands on the turn and changes nothing else.
    fn passes(&self, state: &State<W>, room: &mut SearchBuffers<W>) -> bool {
        let Some(chosen) = room.moves.get(0).filter(Chosen::is_bare) else { return false };
        let EdgeKind::Switch(next) = self.program.edges[chosen.last.edge as usize].kind else {
            return false;
        };
        if next == state.mover {
            return false;
        }
        let after = match &mut room.spare {
            Some(spare) => {
                spare.clone_from(state);
                spare
            }
            none => none.insert(state.clone()),
        };
        self.program.make(chosen, after, &mut room.scratch);
        // Where the keeper cannot go on nobody is handed the turn: that move ends the play.
        let handed_on = after.mover != 0 && after.mover != state.mover;
        handed_on && after.board == state.board && after.vars == state.vars
    }

    /// As the reference loop, without a list of numbers and without a copy of the state each.
    fn run_by(&self, job: &Job, code: Code) -> Tally {
        if let Some((runner, at)) = self.begin() {
            return self.run_together(job, code, runner, at);
        }
        let mut tally = Tally::default();
        let mut state = self.start.clone();
        let mut room = SearchBuffers::new(self.budget);
        let mut machine = Machine::new(&self.flat, W, code);
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let mut playout = Playout::new(&mut rng, job.cap);
            state.clone_from(&self.start);
            let ending = self.playout(&mut playout, &mut state, &mut room, &mut machine);
            tally.record(id, End { plies: playout.plies, ending });
        }
        tally
    }

    /// Playouts that all begin with a turn of the instructions.
    fn run_together(&self, job: &Job, code: Code, runner: &Runner, at: u32) -> Tally {
        let mut tally = Tally::default();
        let mut state = self.start.clone();
        let mut room = SearchBuffers::new(self.budget);
        let mut machine = Machine::new(&self.flat, W, code);
        let mut ids = job.ids();
        let mut outcomes = Outcomes::default();
        let players = self.bounds.len();
        while !ids.is_empty() {
            state.turn_to(&self.start);
            machine.begin(&self.flat, self.start.cell);
            room.scratch.refill();
            let scratch = &mut room.scratch;
            let search = Search { program: &self.program, state: &mut state, scratch };
            let generators = ids.clone().map(|id| Rng::stream(job.seed, id));
            let played = runner.run_together(at, job.cap, generators, &mut machine, search);
            for (number, id) in ids.by_ref().take(played).enumerate() {
                let end = machine.end(number);
                if end.event == Event::Over {
                    let vars = &end.vars[..players];
                    let is_same = |known: &Vec<i32>| known.iter().eq(vars);
                    let first = || (vars.to_vec(), self.scores_of(vars));
                    outcomes.record(&mut tally, id, end.plies, is_same, first);
                    continue;
                }
                let mut plies = end.plies;
                let ending = self.ending(&end).unwrap_or_else(|| {
                    let mut rng = Rng::stream(job.seed, id);
                    let mut playout = Playout::new(&mut rng, job.cap);
                    machine.suspend(&mut playout);
                    self.take_over(&machine, &mut state, &mut room);
                    let ending = self.playout(&mut playout, &mut state, &mut room, &mut machine);
                    plies = playout.plies;
                    ending
                });
                tally.record(id, End { plies, ending });
            }
        }
        outcomes.count(&mut tally);
        tally
    }

    /// How a playout has ended; none where it was left to the search.
    fn ending(&self, end: &bytecode::End<'_>) -> Option<Ending> {
        Some(match end.event {
            Event::Over => Ending::Over(self.scores_of(end.vars)),
            Event::Capped => Ending::Capped,
            Event::Stuck => Ending::Stuck,
            Event::Left => return None,
        })
    }

    /// Brings a state to where the instructions have left it.
    fn take_over(&self, machine: &Machine, state: &mut State<W>, room: &mut SearchBuffers<W>) {
        machine.leave(state);
        if state.mover == 0 {
            self.program.settle(state, &mut room.scratch);
        }
    }

    /// Plays on from a state to the end of the playout.
    fn playout(
        &self,
        playout: &mut Playout<'_>,
        state: &mut State<W>,
        room: &mut SearchBuffers<W>,
        machine: &mut Machine,
    ) -> Ending {
        let code = self.program.bytecode.as_ref().zip(self.runner.as_ref());
        loop {
            if state.mover == 0 && !state.lost {
                return Ending::Over(self.scores_of(&state.vars));
            }
            if let Some((bytecode, runner)) = code
                && let Some(at) = bytecode.turn(state)
            {
                if let Some(ending) = self.dash(runner, at, playout, state, room, machine) {
                    return ending;
                }
                if state.mover == 0 {
                    continue;
                }
            }
            if let Some(ending) = self.ply(playout, state, room) {
                return ending;
            }
        }
    }

    /// The instruction that every playout begins with, and what runs it.
    fn begin(&self) -> Option<(&Runner, u32)> {
        let bytecode = self.program.bytecode.as_ref()?;
        Some((self.runner.as_ref()?, bytecode.turn(&self.start)?))
    }

    /// Plays on by instructions, to the end of the playout or to where the search has to go on.
    fn dash(
        &self,
        runner: &Runner,
        at: u32,
        playout: &mut Playout<'_>,
        state: &mut State<W>,
        room: &mut SearchBuffers<W>,
        machine: &mut Machine,
    ) -> Option<Ending> {
        machine.begin_at(state);
        // What is asked of it takes no longer than a search; then the search goes on.
        room.scratch.refill();
        let search = Search { program: &self.program, state, scratch: &mut room.scratch };
        runner.run(at, playout, machine, search);
        let ending = self.ending(&machine.end(0));
        if ending.is_none() {
            self.take_over(machine, state, room);
        }
        ending
    }

    /// One ply by the search, or a forced pass.
    fn ply(
        &self,
        playout: &mut Playout<'_>,
        state: &mut State<W>,
        room: &mut SearchBuffers<W>,
    ) -> Option<Ending> {
        if !state.lost
            && let Some((edge, place)) = self.program.lone(state, &mut room.scratch)
        {
            let cells = place.bits();
            let count = cells.len();
            // Alone it may be a pass; the slow way knows.
            if count > 1 && !state.lost {
                if !playout.ply() {
                    return Some(Ending::Capped);
                }
                let cell = cells.nth(playout.rng.below(count))?;
                let chosen = Chosen::bare(Change { edge, cell });
                self.program.make(chosen, state, &mut room.scratch);
                return None;
            }
        }
        if !state.lost {
            self.program.list(state, &mut room.scratch, &mut room.moves);
        }
        if state.lost {
            return Some(Ending::Stuck);
        }
        let count = room.moves.count();
        let number = match count {
            0 => return Some(Ending::Over(self.scores_of(&state.vars))),
            1 if self.passes(state, room) => {
                if !playout.pass() {
                    return Some(Ending::Capped);
                }
                0
            }
            _ => {
                if !playout.ply() {
                    return Some(Ending::Capped);
                }
                playout.rng.below(count)
            }
        };
        if let Some(chosen) = room.moves.get(number) {
            self.program.make(chosen, state, &mut room.scratch);
        }
        None
    }
}

impl<const W: usize> Mechanics for RbgGame<W> {
    type State = Position<W>;
    type Action = Move;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, _chance: &mut C) -> Position<W> {
        Position { state: self.start.clone(), room: None }
    }

    /// Moves are numbered in the order of the search. A state whose moves could not be searched
    /// through has none, and is not over.
    fn expand(&self, position: &mut Position<W>, legal: &mut Vec<Move>) -> Turn {
        let mover = position.state.mover;
        if mover == 0 && !position.state.lost {
            return Turn::Over;
        }
        let player = Player(mover.saturating_sub(1));
        if position.state.lost {
            return Turn::Move(player);
        }
        let (state, room) = self.moves(position);
        let count = room.moves.count();
        if count == 0 && !state.lost {
            return Turn::Over;
        }
        legal.extend((0..count).map(Move));
        Turn::Move(player)
    }

    fn apply<C: Chance + ?Sized>(&self, position: &mut Position<W>, action: Move, _: &mut C) {
        let (state, room) = self.moves(position);
        if let Some(chosen) = room.moves.get(action.0) {
            self.program.make(chosen, state, &mut room.scratch);
        }
        room.valid = false;
    }

    fn scores(&self, position: &Position<W>) -> Scores {
        self.scores_of(&position.state.vars)
    }

    fn label(&self, position: &Position<W>, action: Move) -> String {
        self.labels(position, &[action]).pop().unwrap_or_default()
    }

    /// What tells one move from others is known only of all at once.
    fn labels(&self, position: &Position<W>, legal: &[Move]) -> Vec<String> {
        let mut copy = position.clone();
        let (_, room) = self.moves(&mut copy);
        let all = self.show.labels(&self.program, &room.moves);
        legal.iter().map(|m| all.get(m.0 as usize).cloned().unwrap_or_default()).collect()
    }

    fn is_pass(&self, position: &Position<W>, action: Move) -> bool {
        if action.0 != 0 {
            return false;
        }
        let mut copy = position.clone();
        let (state, room) = self.moves(&mut copy);
        self.passes(state, room)
    }

    fn draw(&self, position: &Position<W>) -> String {
        self.show.draw(&position.state)
    }

    fn ir(&self) -> Option<String> {
        self.runner.as_ref().map(Runner::text)
    }

    /// A plane for each piece.
    fn encoding(&self) -> Option<Encoding> {
        play::observed_encoding(self, self.show.sites(), self.show.pieces().to_vec())
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::SMALL)
    }

    fn key(&self, position: &Position<W>) -> impl Hash + Eq + use<W> {
        position.state.key()
    }

    fn planes(&self, position: &Position<W>, planes: &mut [u8]) {
        self.show.planes(&position.state, planes);
    }

    fn playout(
        &self,
        position: &mut Position<W>,
        _: &mut Vec<Move>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let Position { state, room } = position;
        let room = room.get_or_insert_with(|| Box::new(SearchBuffers::new(self.budget)));
        room.valid = false;
        let mut playout = Playout::new(rng, cap);
        let ending = self.machines.with(
            || Machine::new(&self.flat, W, Code::Native),
            |machine| self.playout(&mut playout, state, room, machine),
        );
        End { plies: playout.plies, ending }
    }

    fn run(&self, job: &Job) -> Tally {
        self.run_by(job, Code::Native)
    }

    fn run_interpreted(&self, job: &Job) -> Tally {
        self.run_by(job, Code::Interpreted)
    }
}

/// What perft counts, with a raw playout's moves: for tests and measurements that compare with the
/// reference, where forced passes count as moves like any other.
pub fn perft(source: &Source, limits: &Limits, depth: u32) -> Result<Vec<u64>, CompileError> {
    struct Count<'l>(&'l Limits, u32);
    impl Visit<Vec<u64>> for Count<'_> {
        fn visit<const W: usize>(self, program: Program<W>, _: Layout) -> Vec<u64> {
            crate::perft::counts(&program, self.0, self.1)
        }
    }
    let (description, diagnostics) = front::read(source);
    let Some(description) = description else { return Err(CompileError::Invalid(diagnostics)) };
    with_program(&description, limits, Count(limits, depth))
}

/// Something to be done with a compiled program of any size.
trait Visit<T> {
    fn visit<const W: usize>(self, program: Program<W>, layout: Layout) -> T;
}

/// Compiles a description, for sets as large as its board needs, and does something with the
/// program.
fn with_program<T>(
    description: &Description,
    limits: &Limits,
    visit: impl Visit<T>,
) -> Result<T, CompileError> {
    let layout = Layout::new(&description.board);
    Ok(match layout.words {
        1 => visit.visit(compile::<1>(description, &layout, limits)?, layout),
        2 => visit.visit(compile::<2>(description, &layout, limits)?, layout),
        4 => visit.visit(compile::<4>(description, &layout, limits)?, layout),
        8 => visit.visit(compile::<8>(description, &layout, limits)?, layout),
        20 => visit.visit(compile::<20>(description, &layout, limits)?, layout),
        words => {
            debug_assert_eq!(words, SIZES[SIZES.len() - 1]);
            visit.visit(compile::<64>(description, &layout, limits)?, layout)
        }
    })
}

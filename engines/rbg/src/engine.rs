//! The engine as the harness sees it.

use std::hash::Hash;

use play::picture::Picture;
use play::{
    Adapted, Bounds, BuildFact, Chance, CompileError, Compiled, Encoding, End, Ending, Engine,
    EngineId, Facts, Game, Job, Language, Limits, Mechanics, Method, Outcomes, Player, PlayoutMode,
    Pool, Promise, Rng, Rules, Scores, Strategy, Tally, Turn,
};
use text::{Diagnostic, Source};

use crate::bytecode::{
    self, Bytecode, Code, Event, PlayoutProgram, RunState, Search, SetPosition, Step, Stop,
};
use crate::compile::compile;
use crate::description::Description;
use crate::front;
use crate::layout::{Layout, SIZES};
use crate::moves::Moves;
use crate::playout::Playout;
use crate::position::{Known, Move, Position};
use crate::program::Program;
use crate::scratch::Scratch;
use crate::searched::{Legal, SearchBuffers, SearchedGame};
use crate::show::{Notation, label_key};
use crate::state::{Standing, State};

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
        let Some(mut description) = description else {
            return Err(CompileError::Invalid(diagnostics));
        };
        description.says_all = rules.words.full;
        let game = build(&description, limits)?;
        Ok(Compiled { game, warnings: diagnostics })
    }
}

/// The errors and warnings about a description.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    front::read(&rules.source).1
}

/// The length of a description: its tokens as they are written, without comments and with macros
/// not expanded. Publications about the language give this number.
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
    /// The game as the search plays it.
    searched: SearchedGame<W>,
    /// The state that every play begins with, as a few sets, if it fits.
    flat: SetPosition,
    /// The program of the instructions, if there are any.
    playout_program: Option<PlayoutProgram>,
    /// True if the program takes single steps. It does not if each step would begin with much work
    /// of no use to it.
    takes_steps: bool,
    /// Memory for plays that begin at a position.
    workspaces: Pool<Workspace<W>>,
}

/// Memory for a play that continues from a position.
struct Workspace<const W: usize> {
    run_state: RunState,
    /// Any state of the game, to be overwritten.
    state: State<W>,
    room: SearchBuffers<W>,
}

impl<const W: usize> RbgGame<W> {
    fn new(
        mut program: Program<W>,
        description: &Description,
        layout: Layout,
        limits: &Limits,
    ) -> RbgGame<W> {
        let mut start = program.begin();
        program.settle(&mut start, &mut Scratch::new(limits.work / 4));
        let flat = SetPosition::of(&start, program.words);
        let mut playout_program = None;
        let room = |bytecode: &&Bytecode| bytecode.program_bytes() <= limits.bytes / 2;
        if let Some(bytecode) = program.bytecode.as_ref().filter(room) {
            let begin = bytecode.turn(start.standing()).map(|at| bytecode::Start {
                flat: &flat,
                cell: start.cell,
                at,
            });
            let extent = bytecode::Extent {
                pieces: description.pieces.len(),
                bounds: &program.bounds,
                players: description.players.len(),
                all: program.all.resized(),
                words: program.words,
                start: begin,
            };
            playout_program = PlayoutProgram::new(bytecode::program(bytecode, extent), limits);
        }
        if playout_program.is_none() {
            program.bytecode = None;
        }
        let state_bytes = size_of::<State<W>>()
            + start.board.len()
            + start.bits.len() * program.words * 8
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
        // Playouts take a shorter way for these programs.
        if let Some(bytecode) = &program.bytecode {
            build.push((
                BuildFact::LayerInstructions,
                bytecode.turns.iter().flatten().count() as u64,
            ));
            let (nodes, bytes) = playout_program.as_ref().map_or((0, 0), PlayoutProgram::size);
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
            interpreted: playout_program
                .as_ref()
                .filter(|playout_program| playout_program.is_native())
                .map(|_| fast),
            build,
            listed: playout_program.is_some(),
            ..Facts::default()
        };
        let budget = limits.work;
        let searched = SearchedGame { program, show, facts, start, budget, bounds };
        let bytecode = searched.program.bytecode.as_ref();
        let takes_steps = bytecode.is_some_and(|it| !it.leaves_steps(searched.program.words));
        RbgGame { searched, flat, playout_program, takes_steps, workspaces: Pool::default() }
    }

    /// As the reference loop, without a list of numbers and without a copy of the state for each
    /// playout.
    fn run_by(&self, job: &Job, code: Code) -> Tally {
        if let Some((playout_program, at)) = self.turn(self.searched.start.standing()) {
            return self.run_together(job, code, playout_program, at);
        }
        let mut tally = Tally::default();
        let mut state = self.searched.start.clone();
        let mut room = SearchBuffers::new(self.searched.budget);
        let mut run_state = RunState::new(self.playout_program.as_ref(), &self.flat, code);
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let mut playout = Playout::new(&mut rng, job.cap);
            state.clone_from(&self.searched.start);
            let ending = self.playout(&mut playout, &mut state, &mut room, &mut run_state);
            tally.record(id, End { plies: playout.plies, ending });
        }
        tally
    }

    /// Plays playouts that all begin with a turn of the instructions.
    fn run_together(
        &self,
        job: &Job,
        code: Code,
        playout_program: &PlayoutProgram,
        at: u32,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut state = self.searched.start.clone();
        let mut room = SearchBuffers::new(self.searched.budget);
        let mut run_state = RunState::new(self.playout_program.as_ref(), &self.flat, code);
        let mut ids = job.ids();
        let mut outcomes = Outcomes::default();
        let players = self.searched.bounds.len();
        while !ids.is_empty() {
            state.stand(self.searched.start.standing());
            run_state.begin(&self.flat, self.searched.start.cell);
            room.scratch.refill();
            let scratch = &mut room.scratch;
            let search = Search { program: &self.searched.program, state: &mut state, scratch };
            let generators = ids.clone().map(|id| Rng::stream(job.seed, id));
            let played =
                playout_program.run_together(at, job.cap, generators, &mut run_state, search);
            for (number, id) in ids.by_ref().take(played).enumerate() {
                let end = run_state.end(number);
                if end.event == Event::Over {
                    let vars = &end.vars[..players];
                    let is_same = |earlier: &Vec<i32>| earlier.iter().eq(vars);
                    let first = || (vars.to_vec(), self.searched.scores_of(vars));
                    outcomes.record(&mut tally, id, end.plies, is_same, first);
                    continue;
                }
                let mut plies = end.plies;
                let ending = self.ending(&end).unwrap_or_else(|| {
                    let mut rng = Rng::stream(job.seed, id);
                    let mut playout = Playout::new(&mut rng, job.cap);
                    run_state.suspend(&mut playout);
                    self.take_over(&run_state, &mut state, &mut room);
                    let ending = self.playout(&mut playout, &mut state, &mut room, &mut run_state);
                    plies = playout.plies;
                    ending
                });
                tally.record(id, End { plies, ending });
            }
        }
        outcomes.count(&mut tally);
        tally
    }

    /// The end of a playout; `None` if it was left to the search.
    fn ending(&self, end: &bytecode::End<'_>) -> Option<Ending> {
        Some(match end.event {
            Event::Over => Ending::Over(self.searched.scores_of(end.vars)),
            Event::Capped => Ending::Capped,
            Event::Stuck => Ending::Stuck,
            Event::Left => return None,
        })
    }

    /// Brings a state to the position at which the instructions have stopped.
    fn take_over(&self, run_state: &RunState, state: &mut State<W>, room: &mut SearchBuffers<W>) {
        run_state.leave(state);
        if state.mover == 0 {
            self.searched.program.settle(state, &mut room.scratch);
        }
    }

    /// Plays on from a state to the end of the playout.
    fn playout(
        &self,
        playout: &mut Playout<'_>,
        state: &mut State<W>,
        room: &mut SearchBuffers<W>,
        run_state: &mut RunState,
    ) -> Ending {
        loop {
            if state.mover == 0 && !state.lost {
                return Ending::Over(self.searched.scores_of(&state.vars));
            }
            if let Some((playout_program, at)) = self.turn(state.standing()) {
                run_state.begin_at(state);
                if let Some(ending) =
                    self.dash(playout_program, at, playout, state, room, run_state)
                {
                    return ending;
                }
                if state.mover == 0 {
                    continue;
                }
            }
            if let Some(ending) = self.searched.ply(playout, state, room) {
                return ending;
            }
        }
    }

    /// The instruction of the turn that a play is at, and the program.
    fn turn(&self, standing: Standing) -> Option<(&PlayoutProgram, u32)> {
        let bytecode = self.searched.program.bytecode.as_ref()?;
        Some((self.playout_program.as_ref()?, bytecode.turn(standing)?))
    }

    /// Plays on by instructions from the position of the run_state, to the end of the playout or to a
    /// position from which the search has to go on. The state may be any; the search goes on with
    /// it.
    fn dash(
        &self,
        playout_program: &PlayoutProgram,
        at: u32,
        playout: &mut Playout<'_>,
        state: &mut State<W>,
        room: &mut SearchBuffers<W>,
        run_state: &mut RunState,
    ) -> Option<Ending> {
        // A request of the code takes no longer than a search, and then the search goes on.
        room.scratch.refill();
        let search = Search { program: &self.searched.program, state, scratch: &mut room.scratch };
        playout_program.run(at, playout, run_state, search);
        let ending = self.ending(&run_state.end(0));
        if ending.is_none() {
            self.take_over(run_state, state, room);
        }
        ending
    }

    // Play position by position.

    /// Memory for plays that begin at a position.
    fn workspace(&self) -> Workspace<W> {
        Workspace {
            run_state: RunState::new(self.playout_program.as_ref(), &self.flat, Code::Native),
            state: self.searched.start.clone(),
            room: SearchBuffers::new(self.searched.budget),
        }
    }

    /// Does something with the moves of a position as the search lists them.
    fn with_moves<T>(&self, position: &Position<W>, run: impl FnOnce(&Moves<W>) -> T) -> T {
        self.workspaces.with(
            || self.workspace(),
            |Workspace { state, room, .. }| {
                position.write_state(state);
                self.searched.program.list(state, &mut room.scratch, &mut room.moves);
                run(&room.moves)
            },
        )
    }

    /// As [`RbgGame::turn`], if code takes single steps.
    fn step_turn(&self, standing: Standing) -> Option<(&PlayoutProgram, u32)> {
        self.turn(standing).filter(|_| self.takes_steps)
    }

    /// Lets the code take a step in a position, from its turn.
    fn step(
        &self,
        playout_program: &PlayoutProgram,
        at: u32,
        step: Step,
        position: &mut Position<W>,
    ) -> Stop {
        let cell = position.standing.cell;
        self.workspaces.with(
            || self.workspace(),
            |Workspace { run_state, state, room }| {
                room.scratch.refill();
                let (program, scratch) = (&self.searched.program, &mut room.scratch);
                let search = Search { program, state, scratch };
                playout_program.step(at, cell, step, position.sets_mut(), run_state, search)
            },
        )
    }

    /// The legal moves of a position in short.
    fn legal(&self, position: &mut Position<W>) -> Legal {
        match position.standing {
            Standing { lost: true, .. } => return Legal::Lost,
            Standing { mover: 0, .. } => return Legal::Nothing,
            _ => {}
        }
        if position.known.is_none()
            && let Some((playout_program, at)) = self.step_turn(position.standing)
        {
            let stop = self.step(playout_program, at, Step::List, position);
            position.known = Some(Known::of(&stop));
        }
        if let Some(Known::Legal(legal)) = position.known {
            return legal;
        }
        let legal = self.searched.legal(position.searched(&self.searched.start));
        position.standing.lost |= legal == Legal::Lost;
        legal
    }

    /// Lets the code make a move; false if it leaves that to the search.
    fn make_by_code(&self, position: &mut Position<W>, action: Move) -> bool {
        if position.known == Some(Known::Left) {
            return false;
        }
        let Some((playout_program, at)) = self.step_turn(position.standing) else { return false };
        let stop = self.step(playout_program, at, action.step(), position);
        if !stop.is_made && stop.event != Event::Stuck {
            position.known = Some(Known::Left);
            return false;
        }
        let Stop { cell, layer, mover, event, .. } = stop;
        let standing = Standing { cell, layer, mover, lost: false };
        position.standing = match event {
            Event::Over => standing.or_over(),
            Event::Stuck => Standing { lost: true, ..Standing::OVER },
            Event::Capped | Event::Left => standing,
        };
        position.known = Some(Known::of(&stop));
        if event == Event::Left && mover == 0 {
            // The moves of the keeper are left to the search.
            let searched = position.searched(&self.searched.start);
            self.searched.settle(searched);
            position.moved();
        }
        true
    }
}

impl<const W: usize> Mechanics for RbgGame<W> {
    type State = Position<W>;
    type Action = Move;

    fn facts(&self) -> &Facts {
        &self.searched.facts
    }

    fn initial<C: Chance + ?Sized>(&self, _chance: &mut C) -> Position<W> {
        Position::new(&self.searched.start, self.playout_program.as_ref().map(|_| &self.flat))
    }

    /// Moves are numbered in the order of the search. A state whose search was given up has no
    /// moves, and is not over.
    fn expand(&self, position: &mut Position<W>, legal: &mut Vec<Move>) -> Turn {
        let mover = Turn::Move(Player(position.standing.mover.saturating_sub(1)));
        match self.legal(position) {
            Legal::Choice(count) => legal.extend(Move::all(count)),
            Legal::Pass => legal.push(Move::Pass),
            Legal::Nothing => return Turn::Over,
            Legal::Lost => {}
        }
        mover
    }

    fn apply<C: Chance + ?Sized>(&self, position: &mut Position<W>, action: Move, _: &mut C) {
        if !self.make_by_code(position, action) {
            self.searched.make(position.searched(&self.searched.start), action.number());
            position.moved();
        }
    }

    fn scores(&self, position: &Position<W>) -> Scores {
        self.searched.scores_of(position.vars())
    }

    fn label(&self, position: &Position<W>, action: Move) -> String {
        self.labels(position, &[action]).pop().unwrap_or_default()
    }

    /// The labels of moves depend on all moves of the position.
    fn labels(&self, position: &Position<W>, legal: &[Move]) -> Vec<String> {
        let labels = self.searched.all_labels(position.state(&self.searched.start));
        let label = |action: &Move| labels.get(action.number() as usize).cloned();
        legal.iter().map(|action| label(action).unwrap_or_default()).collect()
    }

    /// Only the search knows what moves consist of. Where labels say all, each is its own.
    fn label_keys(&self, position: &Position<W>, legal: &[Move], keys: &mut Vec<u64>) -> bool {
        let (show, program) = (&self.searched.show, &self.searched.program);
        if show.says_all() {
            return false;
        }
        self.with_moves(position, |moves| {
            let chosen = legal.iter().map_while(|action| moves.get(action.number()));
            keys.extend(chosen.map_while(|chosen| label_key(program, chosen)));
        });
        keys.len() == legal.len()
    }

    fn plain_label(&self, position: &Position<W>, action: Move) -> String {
        let (show, program) = (&self.searched.show, &self.searched.program);
        self.with_moves(position, |moves| {
            moves.get(action.number()).map_or_else(String::new, |m| show.plain(program, m))
        })
    }

    fn is_pass(&self, _position: &Position<W>, action: Move) -> bool {
        action == Move::Pass
    }

    fn draw(&self, position: &Position<W>) -> String {
        self.searched.show.draw(&position.state(&self.searched.start))
    }

    fn picture(&self, position: &Position<W>) -> Picture {
        self.searched.show.picture(&position.state(&self.searched.start))
    }

    fn strategies(&self) -> Vec<Strategy> {
        let Some(playout_program) = &self.playout_program else {
            let reason = "its layers have no form in code, or code for it would be too large";
            let parts = ["playouts", "positions"];
            return parts.map(|part| Strategy::slower(part, "search", reason)).to_vec();
        };
        let code =
            if playout_program.is_native() { "machine code" } else { "the interpreter of code" };
        let turns = self.searched.program.bytecode.iter().flat_map(|bytecode| &bytecode.turns);
        let way = format!("{code} at {} layers, search at any others", turns.flatten().count());
        ["playouts", "positions"].map(|part| Strategy::quickest(part, way.clone())).to_vec()
    }

    fn ir(&self) -> Option<String> {
        self.playout_program.as_ref().map(PlayoutProgram::text)
    }

    /// A plane for each piece.
    fn encoding(&self) -> Option<Encoding> {
        let show = &self.searched.show;
        let encoding = play::observed_encoding(self, show.sites(), show.pieces().to_vec())?;
        Some(Encoding { owners: show.owners(), ..encoding })
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::SMALL)
    }

    fn key(&self, position: &Position<W>) -> impl Hash + Eq + use<W> {
        position.key()
    }

    fn planes(&self, position: &Position<W>, planes: &mut [u8]) {
        self.searched.show.planes(position.pieces(), planes);
    }

    fn playout(
        &self,
        position: &mut Position<W>,
        _: &mut Vec<Move>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let mut playout = Playout::new(rng, cap);
        let ending = self.workspaces.with(
            || self.workspace(),
            |Workspace { run_state, state, room }| {
                if let Some((playout_program, at)) = self.turn(position.standing) {
                    let cell = position.standing.cell;
                    run_state.begin(position.sets_mut(), cell);
                    let ending =
                        self.dash(playout_program, at, &mut playout, state, room, run_state);
                    if let Some(ending) = ending {
                        return ending;
                    }
                } else {
                    state.clone_from(&position.searched(&self.searched.start).state);
                }
                self.playout(&mut playout, state, room, run_state)
            },
        );
        End { plies: playout.plies, ending }
    }

    fn run(&self, job: &Job) -> Tally {
        self.run_by(job, Code::Native)
    }

    /// Plays by the search alone, against which code is checked.
    fn run_reference(&self, job: &Job) -> Tally {
        play::reference::run(&self.searched, job)
    }

    fn run_interpreted(&self, job: &Job) -> Tally {
        self.run_by(job, Code::Interpreted)
    }
}

/// Leaf counts, with the moves of a raw playout: for tests and measurements that compare with the
/// reference, in which forced passes count as moves like any other.
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

/// A task for a compiled program of any size.
trait Visit<T> {
    fn visit<const W: usize>(self, program: Program<W>, layout: Layout) -> T;
}

/// Compiles a description, for sets that are large enough for its board, and calls a visitor with
/// the program. The sizes are few, because each takes its time to build.
fn with_program<T>(
    description: &Description,
    limits: &Limits,
    visit: impl Visit<T>,
) -> Result<T, CompileError> {
    let layout = Layout::new(&description.board);
    Ok(match layout.words {
        1 | 2 => visit.visit(compile::<2>(description, &layout, limits)?, layout),
        4 | 8 => visit.visit(compile::<8>(description, &layout, limits)?, layout),
        words => {
            debug_assert_eq!(words, SIZES[SIZES.len() - 1]);
            visit.visit(compile::<64>(description, &layout, limits)?, layout)
        }
    })
}

#[cfg(test)]
mod tests;

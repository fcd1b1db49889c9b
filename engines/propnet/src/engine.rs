//! The engine `propnet` behind the faces that engines show.

use std::hash::Hash;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use gdl::ground::{GroundProgram, Grounding};
use play::automaton::{Automaton, Node};
use play::picture::Picture;
use play::{
    Adapted, Bounds, BuildFact, Chance, CompileError, Compiled, Continuation, Encoding, End,
    Engine, EngineId, Facts, Job, Language, Limits, MAX_PLAYERS, Mechanics, Method, Percepts,
    Player, PlayoutMode, Promise, Replay, ReplayError, Rng, Rules, Scores, Stage, Strategy, Tally,
    Turn, each_by_itself, one_by_one, reference,
};
use text::{Diagnostic, Source, Span};

use crate::batch::lanes::{is_doubled, lanes, lanes_of};
use crate::batch::{Batch, OwnStart, Start};
use crate::costs::Costs;
use crate::dot::dot;
use crate::encoding::Numbers;
use crate::event::{Event, EventState};
use crate::guards::{Group, groups};
use crate::network::{Goal, Network};
use crate::passes::{Reduced, reduce, stage_of_program};
use crate::percepts::{Observer, Trace};
use crate::plain_evaluator::{MoveId, PlainEvaluator, key};
use crate::sweep::{Sheet, Sweep};
use crate::trial::Trial;
use cpu::Level;

/// The evaluator of the playouts of a job. They are the same playouts, draw for draw. Whatever is
/// chosen, playouts of games that have few positions are walks along a table of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluator {
    /// The quicker one for the job, by its length and by what steps seem to cost.
    #[default]
    Quickest,
    /// One after another, visiting only what changes: event-driven.
    Event,
    /// Side by side, a bit of each in every word: bit-sliced.
    Batch,
}

/// The engines `propnet` and `propnet-batch`: they ground rulesheets in KIF and play them as
/// networks of gates.
#[derive(Clone, Copy, Debug, Default)]
pub struct PropnetEngine {
    /// The evaluator of jobs.
    pub evaluator: Evaluator,
}

impl Engine for PropnetEngine {
    fn id(&self) -> EngineId {
        match self.evaluator {
            Evaluator::Quickest | Evaluator::Event => "propnet",
            Evaluator::Batch => "propnet-batch",
        }
    }

    fn languages(&self) -> &[Language] {
        &[Language::Kif]
    }

    fn lineage(&self) -> &'static str {
        gdl::LINEAGE
    }

    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError> {
        let (mut game, warnings) = PropnetGame::new(&rules.source, self.evaluator, limits)?;
        if rules.words.full {
            let moves = game.sweep.network.moves.iter_mut();
            moves.for_each(|m| m.label = gdl::full_label(&m.text, &m.label));
        }
        Ok(Compiled { game: Adapted::boxed(game), warnings })
    }

    fn replay(&self, rules: &Rules, record: &str, limits: &Limits) -> Result<Replay, ReplayError> {
        let (game, _) = PropnetGame::new(&rules.source, self.evaluator, limits)?;
        gdl::record::replay(&game, record)
    }
}

/// A game as a network.
pub struct PropnetGame {
    pub(crate) sweep: Sweep,
    /// The instructions by which states change.
    level: Level,
    /// The event-driven evaluator, which keeps states and plays one playout after another.
    event: Event,
    /// The bit-sliced evaluator, if there is one, for jobs of so many playouts or more. Unless all
    /// jobs are played so, it is laid out by the first one.
    batch: Option<(u64, OnceLock<Batch>)>,
    /// The number of guessed leaves that searches play side by side, if they gain by that.
    guessed: Option<RangeInclusive<usize>>,
    /// All positions, where there are few.
    table: Option<Automaton>,
    stages: Vec<Stage>,
    /// The network of percepts, if the rules have any.
    observer: Option<Observer>,
    /// Its encoding in numbers, once somebody asks.
    numbers: OnceLock<Numbers>,
}

/// A state, and what players may still be told of the way to it.
#[derive(Debug)]
pub struct PropnetState {
    now: EventState,
    /// The node in the table, if there is one.
    place: Option<Node>,
    trace: Trace,
}

impl Clone for PropnetState {
    fn clone(&self) -> PropnetState {
        PropnetState { now: self.now.clone(), place: self.place, trace: self.trace.clone() }
    }

    fn clone_from(&mut self, other: &PropnetState) {
        self.now.clone_from(&other.now);
        self.place = other.place;
        self.trace.clone_from(&other.trace);
    }
}

impl PropnetGame {
    /// Checks, grounds and compiles a sheet; with the warnings of the checks.
    pub fn new(
        source: &Source,
        evaluator: Evaluator,
        limits: &Limits,
    ) -> Result<(PropnetGame, Vec<Diagnostic>), CompileError> {
        let (program, diagnostics) = gdl::check(source).accepted()?;
        let Grounding { program: ground, terms, propositions, effort } =
            gdl::ground::ground(&program, limits)?;
        let mut about = ProgramFacts::new(&ground, evaluator, effort.work, limits)?;
        about.build.extend(effort.statistics());
        about.hidden = program.is_hidden();
        let raw = Network::of_program(&ground);
        let observer = Observer::new(&ground);
        // Large; not needed any more.
        drop(ground);
        let mut game = PropnetGame::build(raw, about, evaluator, observer, limits);
        game.sweep.sheet = Some(Sheet::new(program.symbols, terms, propositions));
        Ok((game, diagnostics))
    }

    /// Compiles a ground program.
    pub fn of_program(
        program: &GroundProgram,
        evaluator: Evaluator,
        limits: &Limits,
    ) -> Result<PropnetGame, CompileError> {
        let about = ProgramFacts::new(program, evaluator, 0, limits)?;
        let observer = Observer::new(program);
        let raw = Network::of_program(program);
        Ok(PropnetGame::build(raw, about, evaluator, observer, limits))
    }

    fn build(
        raw: Network,
        about: ProgramFacts,
        evaluator: Evaluator,
        mut observer: Option<Observer>,
        limits: &Limits,
    ) -> PropnetGame {
        let Reduced { network, plain, trial, mut stages } = reduce(raw, limits.work);
        stages.insert(0, about.stage);
        let groups = groups(&network, &plain, &trial);
        let costs = Costs::new(&plain, &trial, network.moves.len());
        let (network, groups, trial) = reordered(network, groups, trial);
        if let Some(observer) = &mut observer {
            observer.number(&network.moves);
        }
        let plain = PlainEvaluator::new(&network);
        let (event, next) = Event::new(&network, &plain, &trial, &groups, &costs);
        let batch = match evaluator {
            Evaluator::Quickest => costs.batch_from(next).map(|from| (from, OnceLock::new())),
            Evaluator::Event => None,
            Evaluator::Batch => {
                Some((0, OnceLock::from(Batch::new(&network, &plain, limits.bytes))))
            }
        };
        let (statistics, state_bytes) = match &batch {
            Some((from, batch)) => match batch.get() {
                Some(batch) => (batch.statistics(), batch.state_bytes()),
                None => {
                    let mut statistics = event.statistics();
                    statistics.push((BuildFact::SideBySideFrom, *from));
                    let lanes = lanes(is_doubled(&plain)) as u64;
                    statistics.push((BuildFact::Lanes, lanes));
                    (statistics, event.state_bytes())
                }
            },
            None => (event.statistics(), event.state_bytes()),
        };
        let mut build = about.build;
        build.extend([
            (BuildFact::Bases, network.bases.len() as u64),
            (BuildFact::Moves, network.moves.len() as u64),
            (BuildFact::Gates, plain.circuit().gates() as u64),
            (BuildFact::Edges, plain.circuit().edges() as u64),
            (BuildFact::MoveGroups, groups.len() as u64),
        ]);
        build.extend(statistics);
        let facts = Facts {
            players: about.players,
            chance: about.chance,
            simultaneous: trial.simultaneous,
            hidden: about.hidden,
            state_bytes,
            fast: PlayoutMode { method: Method::Counted, promise: Promise::SamePlayouts },
            build,
            listed: true,
            ..Facts::default()
        };
        let mut sweep = Sweep { network, plain, facts, limits: *limits, sheet: None };
        let table = Automaton::explore(&sweep);
        if let Some(table) = &table {
            sweep.facts.fast.method = Method::Tabled;
            sweep.facts.build.push((BuildFact::TabledPositions, table.positions() as u64));
        }
        let level = Level::best();
        // Where players choose at the same time, some leaves lie in the middle of a step.
        let guesses = table.is_none() && !trial.simultaneous && costs.guessing_pays(next);
        let guessed = batch.as_ref().filter(|_| guesses).and_then(|&(from, _)| {
            let (fewest, most) = (usize::try_from(from.max(2)).ok()?, lanes_of(level));
            (fewest <= most).then_some(fewest..=most)
        });
        PropnetGame {
            sweep,
            level,
            event,
            batch,
            guessed,
            table,
            stages,
            observer,
            numbers: OnceLock::new(),
        }
    }

    /// Plays a job with the instructions of a level, on a table with the best that there are; the
    /// results are the same on every level.
    pub fn run_on(&self, level: Level, job: &Job) -> Tally {
        if let Some(table) = &self.table {
            return table.run(job);
        }
        if let Some(batch) = self.batch_for(job.count) {
            return batch.run(level, job, &Start::of_game(&self.sweep.network));
        }
        let (plain, goals) = self.rules();
        self.event.run(level, plain, goals, job)
    }

    /// Plays a job from a state with the instructions of a level, see [`Mechanics::playouts`].
    pub fn playouts_on(&self, level: Level, from: &PropnetState, job: &Job, ends: &mut Vec<End>) {
        let start = |batch| Some((batch, self.start_after(level, &mut from.clone())?));
        match self.batch_for(job.count).and_then(start) {
            Some((batch, start)) => batch.playouts(level, job, &start, ends),
            None => one_by_one(self, from, job, ends),
        }
    }

    /// Plays a playout from each of some states with the instructions of a level, see
    /// [`Mechanics::play_each`].
    pub fn play_each_on(
        &self,
        level: Level,
        all: &mut [Continuation<PropnetState>],
        ends: &mut Vec<End>,
    ) {
        let Some(batch) = self.batch_for(all.len() as u64) else {
            return each_by_itself(self, all, ends);
        };
        let own = |from: &mut Continuation<PropnetState>| {
            let start = self.start_after(level, &mut from.state)?;
            Some(OwnStart { start, rng: from.rng.clone(), cap: from.cap })
        };
        match all.iter_mut().map(own).collect::<Option<Vec<OwnStart>>>() {
            Some(starts) => batch.play_each(level, &starts, ends),
            None => each_by_itself(self, all, ends),
        }
    }

    /// The bit-sliced evaluator, if it is quicker for so many playouts; a table is quicker still.
    fn batch_for(&self, count: u64) -> Option<&Batch> {
        let (from, batch) = self.batch.as_ref().filter(|_| self.table.is_none())?;
        let Sweep { network, plain, limits, .. } = &self.sweep;
        let lay_out = || Batch::new(network, plain, limits.bytes);
        (count >= *from).then(|| batch.get_or_init(lay_out))
    }

    /// The start of playouts that go on from a state side by side: all lanes take whole steps, so
    /// forced passes of the first roles are taken again, and those of the last ones at once, in the
    /// very state. `None` if some roles have chosen, and others have still to.
    pub(crate) fn start_after(&self, level: Level, state: &mut PropnetState) -> Option<Start> {
        let now = &mut state.now;
        let chosen = now.chosen().len();
        let mut passes = 0;
        if (0..chosen).all(|role| self.forced_pass(now, role).is_some()) {
            passes = -(chosen as i32);
        } else {
            while !now.chosen().is_empty() {
                let pass = self.forced_pass(now, now.chosen().len())?;
                self.event.choose(level, &self.sweep.plain, now, pass);
                passes += 1;
            }
        }
        let bases = 0..self.sweep.network.bases.len();
        Some(Start { holds: bases.map(|base| self.event.base(now, base)).collect(), passes })
    }

    /// The pass that is all that a player may do.
    fn forced_pass(&self, state: &EventState, role: usize) -> Option<MoveId> {
        let plain = &self.sweep.plain;
        plain.roles.all[role].player?;
        match self.event.legal(state, role)[..] {
            [only] if plain.is_pass(only) => Some(only),
            _ => None,
        }
    }

    /// The roles and goals, which states and playouts need besides their network.
    fn rules(&self) -> (&PlainEvaluator, &[Goal]) {
        (&self.sweep.plain, &self.sweep.network.goals)
    }

    /// The node of the table in which playouts start.
    fn first_place(&self) -> Option<Node> {
        self.table.as_ref().map(Automaton::start)
    }

    /// The node of the table that a move leads to.
    fn place_after(&self, state: &PropnetState, action: MoveId) -> Option<Node> {
        let (table, place) = (self.table.as_ref()?, state.place?);
        let (number, count) = self.event.number(&state.now, action);
        // The table is past forced passes.
        let is_forced = count == 1 && self.sweep.plain.is_pass(action);
        if is_forced { Some(place) } else { table.after(place, number as usize) }
    }

    fn choose_nature<C: Chance + ?Sized>(&self, state: &mut PropnetState, chance: &mut C) {
        let PropnetState { now, trace, .. } = state;
        self.event.choose_nature(self.level, &self.sweep.plain, now, chance, |action| {
            if self.observer.is_some() {
                trace.push(action);
            }
        });
    }
}

/// The facts about a ground program that are kept when its network is made.
struct ProgramFacts {
    players: u8,
    chance: bool,
    hidden: bool,
    build: Vec<(BuildFact, u64)>,
    stage: Stage,
}

/// Steps of work to make a network of a ground rule or one of its conditions, to reduce it, to try
/// it and to lay it out.
const WORK_OF_LITERAL: u64 = 40;

impl ProgramFacts {
    /// The facts of a program for which so many steps have been taken already; an error if the
    /// steps and bytes that its network will take are beyond the limits.
    fn new(
        program: &GroundProgram,
        evaluator: Evaluator,
        taken: u64,
        limits: &Limits,
    ) -> Result<ProgramFacts, CompileError> {
        let players = program.roles.iter().filter(|r| !r.nature).count();
        if players == 0 || players > MAX_PLAYERS {
            let message = format!("{players} players cannot be played");
            let diagnostic = Diagnostic::error("players", Span::at(0), message)
                .label(format!("expected 1 to {MAX_PLAYERS} roles besides `random`"));
            return Err(CompileError::Unsupported(vec![diagnostic]));
        }
        let (rules, literals) = (program.rules.len() as u64, program.rules.literals() as u64);
        // Of the network as it is first made, its reduced copy beside it, and what plays it.
        let bytes_of_literal = match evaluator {
            Evaluator::Quickest | Evaluator::Event => 300,
            Evaluator::Batch => 800,
        };
        let [work, bytes] =
            [WORK_OF_LITERAL, bytes_of_literal].map(|of_one| of_one * (rules + literals));
        if bytes > limits.bytes || taken.saturating_add(work) > limits.work {
            return Err(CompileError::TooLarge(format!(
                "network: {rules} ground rules with {literals} conditions need about {} MiB and \
                 {work} steps of work after {taken} of grounding, more than allowed",
                bytes >> 20,
            )));
        }
        Ok(ProgramFacts {
            players: players as u8,
            chance: players < program.roles.len(),
            hidden: !program.percepts.is_empty(),
            build: vec![
                (BuildFact::Atoms, u64::from(program.atoms)),
                (BuildFact::GroundRules, rules),
            ],
            stage: stage_of_program(program),
        })
    }
}

impl PropnetGame {
    /// Its encoding in numbers.
    fn numbers(&self) -> &Numbers {
        self.numbers.get_or_init(|| Numbers::new(&self.sweep.network))
    }
}

impl Mechanics for PropnetGame {
    type State = PropnetState;
    type Action = MoveId;

    fn facts(&self) -> &Facts {
        &self.sweep.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> PropnetState {
        let mut state = PropnetState {
            now: self.event.start(),
            place: self.first_place(),
            trace: Trace::default(),
        };
        self.choose_nature(&mut state, chance);
        state
    }

    fn restart<C: Chance + ?Sized>(&self, state: &mut PropnetState, chance: &mut C) {
        self.event.restart(&mut state.now);
        state.place = self.first_place();
        state.trace = Trace::default();
        self.choose_nature(state, chance);
    }

    fn expand(&self, state: &mut PropnetState, legal: &mut Vec<MoveId>) -> Turn {
        let role =
            self.event.expand(&state.now, legal).map(|role| &self.sweep.plain.roles.all[role]);
        role.map_or(Turn::Over, |role| Turn::Move(role.player.unwrap_or(Player(0))))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut PropnetState, action: MoveId, chance: &mut C) {
        if self.observer.is_some() {
            state.trace.push(action);
        }
        state.place = self.place_after(state, action);
        self.event.choose(self.level, &self.sweep.plain, &mut state.now, action);
        self.choose_nature(state, chance);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut PropnetState,
        action: MoveId,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        let before = state.trace.made();
        self.apply(state, action, chance);
        if let Some(observer) = &self.observer {
            observer.follow(&mut state.trace, before, percepts);
        }
    }

    fn scores(&self, state: &PropnetState) -> Scores {
        let (plain, goals) = self.rules();
        self.event.scores(plain, goals, &state.now)
    }

    fn label(&self, state: &PropnetState, action: MoveId) -> String {
        let role = self.sweep.network.moves[action as usize].role;
        self.sweep.label_among(action, self.event.legal(&state.now, role).into_iter())
    }

    fn labels(&self, _state: &PropnetState, legal: &[MoveId]) -> Vec<String> {
        self.sweep.labels_of(legal)
    }

    fn is_pass(&self, _state: &PropnetState, action: MoveId) -> bool {
        self.sweep.plain.is_pass(action)
    }

    fn draw(&self, state: &PropnetState) -> String {
        self.sweep.drawn(|base| self.event.base(&state.now, base))
    }

    fn picture(&self, state: &PropnetState) -> Picture {
        self.sweep.pictured(|base| self.event.base(&state.now, base))
    }

    fn encoding(&self) -> Option<Encoding> {
        let numbers = self.numbers();
        Some(match &self.observer {
            Some(observer) => Encoding::perceived(numbers.actions(), observer.texts()),
            None => numbers.encoding(&self.sweep.network),
        })
    }

    fn code(&self, _: &PropnetState, action: MoveId) -> u32 {
        self.numbers().code(action)
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(self.sweep.bounds_of_exploring())
    }

    fn key(&self, state: &PropnetState) -> impl Hash + Eq + use<> {
        let bases = 0..self.sweep.network.bases.len();
        key(bases.map(|base| self.event.base(&state.now, base)), state.now.chosen())
    }

    fn planes(&self, state: &PropnetState, planes: &mut [u8]) {
        self.numbers().planes(|base| self.event.base(&state.now, base), planes);
    }

    fn playout(
        &self,
        state: &mut PropnetState,
        _legal: &mut Vec<MoveId>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let tabled = self.table.as_ref().zip(state.place);
        if let Some(end) = tabled.and_then(|(table, place)| table.playout(place, rng, cap)) {
            return end;
        }
        self.event.play_on(self.level, self.rules(), &state.now, rng, cap)
    }

    fn playouts(&self, from: &PropnetState, job: &Job, ends: &mut Vec<End>) {
        self.playouts_on(self.level, from, job, ends);
    }

    fn side_by_side(&self) -> Option<RangeInclusive<usize>> {
        self.guessed.clone()
    }

    fn play_each(&self, all: &mut [Continuation<PropnetState>], ends: &mut Vec<End>) {
        self.play_each_on(self.level, all, ends);
    }

    fn run(&self, job: &Job) -> Tally {
        self.run_on(self.level, job)
    }

    fn run_reference(&self, job: &Job) -> Tally {
        reference::run(&self.sweep, job)
    }

    fn stages(&self) -> &[Stage] {
        &self.stages
    }

    fn strategies(&self) -> Vec<Strategy> {
        let event = "the event-driven evaluator, one after another";
        let playouts = match (&self.table, &self.batch) {
            (Some(_), _) => Strategy::quickest("playouts", "a table of all positions"),
            (None, Some((0..=2, _))) => {
                Strategy::quickest("playouts", "the bit-sliced evaluator, side by side")
            }
            (None, Some((from, _))) => {
                let way = format!(
                    "the bit-sliced evaluator, side by side; of fewer than {from}, {event}"
                );
                Strategy::quickest("playouts", way)
            }
            (None, None) => {
                let reason = "steps change so little that visiting all gates costs more";
                Strategy::slower("playouts", event, reason)
            }
        };
        let searches = match self.side_by_side() {
            Some(counts) => {
                let way =
                    "playouts from leaves that the next simulations are guessed to reach, up to";
                Strategy::quickest("searches", format!("{way} {} side by side", counts.end()))
            }
            None if self.table.is_some() => {
                Strategy::quickest("searches", "playouts from leaves by the table")
            }
            None => {
                let reason = if self.facts().simultaneous {
                    "players choose at the same time, so that leaves lie between two steps"
                } else {
                    "a playout takes no longer than to guess a leaf, or is never quicker side by side"
                };
                Strategy::slower("searches", "playouts from leaves one after another", reason)
            }
        };
        vec![playouts, Strategy::quickest("positions", "the event-driven evaluator"), searches]
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        Some(dot(&self.sweep.network, most))
    }
}

/// Puts the moves of each group side by side, groups in order.
fn reordered(
    network: Network,
    groups: Vec<Group>,
    mut trial: Trial,
) -> (Network, Vec<Group>, Trial) {
    let order: Vec<MoveId> = groups.iter().flat_map(|g| &g.moves).copied().collect();
    let mut number = vec![0; order.len()];
    for (new, &old) in (0..).zip(&order) {
        number[old as usize] = new;
    }
    let rename = |m: &MoveId| number[*m as usize];
    let groups = groups
        .into_iter()
        .map(|group| Group { moves: group.moves.iter().map(rename).collect(), ..group })
        .collect();
    trial.made = order.iter().map(|&old| trial.made[old as usize]).collect();
    trial.idle = trial.idle.iter().map(|idle| idle.as_ref().map(rename)).collect();
    (network.with_moves_in(&order).numbered(), groups, trial)
}

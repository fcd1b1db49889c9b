//! The engine `propnet` behind the faces that engines show.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::OnceLock;

use gdl::ground::{GroundProgram, Grounding};
use gdl::{Symbols, TermId, Terms};
use play::automaton::Automaton;
use play::{
    Adapted, Bounds, BuildFact, Chance, CompileError, Compiled, Encoding, Engine, EngineId, Facts,
    Job, Language, Limits, MAX_PLAYERS, Mechanics, Method, Percepts, PlayoutMode, Promise, Replay,
    ReplayError, Rules, Scores, Stage, Tally, Turn,
};
use text::{Diagnostic, Source, Span};

use crate::batch::Batch;
use crate::batch::lanes::{is_doubled, lanes};
use crate::costs::Costs;
use crate::cpu::Level;
use crate::dot::dot;
use crate::encoding::Numbers;
use crate::event::Event;
use crate::graph::Lit;
use crate::guards::{Group, groups};
use crate::machine::{Machine, MoveId, State};
use crate::network::Network;
use crate::passes::{Reduced, reduce, stage_of_program};
use crate::percepts::{Observer, Trace};
use crate::trial::Trial;

/// How the playouts of a job are evaluated. They are the same playouts, draw for draw. Whatever is
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
    /// How it plays jobs.
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
        let (game, warnings) = PropnetGame::new(&rules.source, self.evaluator, limits)?;
        Ok(Compiled { game: Adapted::boxed(game), warnings })
    }

    fn replay(&self, rules: &Rules, record: &str, limits: &Limits) -> Result<Replay, ReplayError> {
        let (game, _) = PropnetGame::new(&rules.source, self.evaluator, limits)?;
        gdl::record::replay(&game, record)
    }
}

/// What plays jobs of games that have no table of all positions.
enum Layout {
    /// One playout after another, visiting only what changes: unless the engine is asked for the
    /// other.
    Event {
        event: Box<Event>,
        /// For jobs of so many playouts or more, made by the first one: where steps seem to cost
        /// less side by side ([`Evaluator::Quickest`]).
        batch: Option<(u64, OnceLock<Batch>)>,
    },
    /// Side by side, whatever the job: the engine `propnet-batch`.
    Batch(Batch),
}

/// Evaluations of single nodes by which the table may be found: a fraction of a second.
const WORK: u64 = 200_000_000;

/// A game as a network.
pub struct PropnetGame {
    pub(crate) network: Network,
    pub(crate) machine: Machine,
    layout: Layout,
    /// All positions, where there are few.
    table: Option<Automaton>,
    facts: Facts,
    stages: Vec<Stage>,
    /// The propositions as terms, if they came from a sheet.
    sheet: Option<Sheet>,
    /// What players perceive, where the rules say so.
    observer: Option<Observer>,
    /// How it is written in numbers, once somebody asks.
    numbers: OnceLock<Option<Numbers>>,
}

/// A state, and what players may still be told of the way to it.
#[derive(Clone, Debug)]
pub struct PropnetState {
    now: State,
    trace: Trace,
}

struct Sheet {
    symbols: Symbols,
    terms: Terms,
    propositions: Vec<TermId>,
    /// What can stand in facts, once somebody draws: every look at a position does.
    reach: OnceLock<gdl::Reach>,
}

impl PropnetGame {
    /// Checks, grounds and compiles a sheet; with the warnings of the checks.
    pub fn new(
        source: &Source,
        evaluator: Evaluator,
        limits: &Limits,
    ) -> Result<(PropnetGame, Vec<Diagnostic>), CompileError> {
        let checked = gdl::check(source);
        let Some(program) = checked.program else {
            return Err(CompileError::Invalid(checked.diagnostics));
        };
        let Grounding { program: ground, terms, propositions, effort } =
            gdl::ground::ground(&program, limits)?;
        let mut about = ProgramFacts::new(&ground, limits)?;
        about.build.extend(effort.statistics());
        about.hidden = program.is_hidden();
        let raw = Network::of_program(&ground);
        let observer = Observer::new(&ground);
        // Large; not needed any more.
        drop(ground);
        let mut game = PropnetGame::build(raw, about, evaluator, observer);
        game.sheet =
            Some(Sheet { symbols: program.symbols, terms, propositions, reach: OnceLock::new() });
        Ok((game, checked.diagnostics))
    }

    /// Compiles a ground program.
    pub fn of_program(
        program: &GroundProgram,
        evaluator: Evaluator,
        limits: &Limits,
    ) -> Result<PropnetGame, CompileError> {
        let about = ProgramFacts::new(program, limits)?;
        let observer = Observer::new(program);
        Ok(PropnetGame::build(Network::of_program(program), about, evaluator, observer))
    }

    fn build(
        raw: Network,
        about: ProgramFacts,
        evaluator: Evaluator,
        mut observer: Option<Observer>,
    ) -> PropnetGame {
        let Reduced { network, machine, trial, mut stages } = reduce(raw);
        stages.insert(0, about.stage);
        let groups = groups(&network, &machine, &trial);
        let costs = Costs::new(&machine, &trial, network.moves.len());
        let (network, groups, trial) = reordered(network, groups, trial);
        if let Some(observer) = &mut observer {
            observer.number(&network.moves);
        }
        let machine = Machine::new(&network);
        let layout = match evaluator {
            Evaluator::Quickest | Evaluator::Event => {
                let (event, next) = Event::new(&network, &machine, &trial, &groups, &costs);
                let is_open = evaluator == Evaluator::Quickest;
                let pays = is_open.then(|| costs.batch_from(next)).flatten();
                Layout::Event {
                    event: Box::new(event),
                    batch: pays.map(|from| (from, OnceLock::new())),
                }
            }
            Evaluator::Batch => Layout::Batch(Batch::new(&network, &machine)),
        };
        let (statistics, state_bytes) = match &layout {
            Layout::Event { event, batch, .. } => {
                let mut statistics = event.statistics();
                if let Some((from, _)) = batch {
                    statistics.push((BuildFact::SideBySideFrom, *from));
                    let lanes = lanes(is_doubled(&machine)) as u64;
                    statistics.push((BuildFact::Lanes, lanes));
                }
                (statistics, event.state_bytes())
            }
            Layout::Batch(batch) => (batch.statistics(), batch.state_bytes()),
        };
        let mut build = about.build;
        build.extend([
            (BuildFact::Bases, network.bases.len() as u64),
            (BuildFact::Moves, network.moves.len() as u64),
            (BuildFact::Gates, machine.circuit().gates() as u64),
            (BuildFact::Edges, machine.circuit().edges() as u64),
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
            ..Facts::default()
        };
        let sheet = None;
        let mut game = PropnetGame {
            network,
            machine,
            layout,
            table: None,
            facts,
            stages,
            sheet,
            observer,
            numbers: OnceLock::new(),
        };
        game.table = Automaton::explore(&game);
        if let Some(table) = &game.table {
            game.facts.fast.method = Method::Tabled;
            game.facts.build.push((BuildFact::TabledPositions, table.positions() as u64));
        }
        game
    }

    /// Plays a job with the instructions of a level, on a table with the best that there are; the
    /// results are the same on every level.
    pub fn run_on(&self, level: Level, job: &Job) -> Tally {
        if let Some(table) = &self.table {
            return table.run(job);
        }
        let (machine, goals) = (&self.machine, &self.network.goals[..]);
        match &self.layout {
            Layout::Event { batch: Some((from, batch)), .. } if job.count >= *from => {
                batch.get_or_init(|| Batch::new(&self.network, machine)).run(level, job)
            }
            Layout::Event { event, .. } => event.run(level, machine, goals, job),
            Layout::Batch(batch) => batch.run(level, job),
        }
    }

    fn choose_nature<C: Chance + ?Sized>(&self, state: &mut PropnetState, chance: &mut C) {
        let PropnetState { now, trace } = state;
        self.machine.choose_nature(now, chance, |action| {
            if self.observer.is_some() {
                trace.push(action);
            }
        });
    }
}

/// What is known of a ground program before its network is made.
struct ProgramFacts {
    players: u8,
    chance: bool,
    hidden: bool,
    build: Vec<(BuildFact, u64)>,
    stage: Stage,
}

impl ProgramFacts {
    fn new(program: &GroundProgram, limits: &Limits) -> Result<ProgramFacts, CompileError> {
        let players = program.roles.iter().filter(|r| !r.nature).count();
        if players == 0 || players > MAX_PLAYERS {
            let message = format!("{players} players cannot be played");
            let diagnostic = Diagnostic::error("players", Span::at(0), message)
                .label(format!("expected 1 to {MAX_PLAYERS} roles besides `random`"));
            return Err(CompileError::Unsupported(vec![diagnostic]));
        }
        let (rules, literals) = (program.rules.len() as u64, program.rules.literals() as u64);
        // Of the network as it is first made, and of its reduced copy beside it.
        let bytes = 40 * rules + 20 * literals;
        if bytes > limits.bytes || rules + literals > limits.work / 10 {
            return Err(CompileError::TooLarge(format!(
                "network: {rules} ground rules with {literals} conditions need about {} MiB and {} \
                 steps of work, more than allowed",
                bytes >> 20,
                10 * (rules + literals)
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
    /// How it is written in numbers.
    fn numbers(&self) -> Option<&Numbers> {
        self.numbers.get_or_init(|| Numbers::new(&self.network)).as_ref()
    }
}

impl Mechanics for PropnetGame {
    type State = PropnetState;
    type Action = MoveId;

    /// What a choice goes by is worked out as moves are listed.
    const APPLIES_AFTER_EXPAND: bool = true;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> PropnetState {
        let mut state = PropnetState { now: self.machine.start(), trace: Trace::default() };
        self.choose_nature(&mut state, chance);
        state
    }

    fn expand(&self, state: &mut PropnetState, legal: &mut Vec<MoveId>) -> Turn {
        self.machine.expand(&mut state.now, legal)
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut PropnetState, action: MoveId, chance: &mut C) {
        if self.observer.is_some() {
            state.trace.push(action);
        }
        self.machine.choose(&mut state.now, action);
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
        self.machine.scores(&state.now)
    }

    fn label(&self, state: &PropnetState, action: MoveId) -> String {
        let role = self.network.moves[action as usize].role;
        let mut state = state.now.clone();
        let mut others = self.machine.legal(&mut state, role).filter(|&m| m != action);
        let one = &self.network.moves[action as usize];
        let shared = others.any(|m| self.network.moves[m as usize].label == one.label);
        (if shared { &one.text } else { &one.label }).clone()
    }

    fn labels(&self, _state: &PropnetState, legal: &[MoveId]) -> Vec<String> {
        let moves = || legal.iter().map(|&m| &self.network.moves[m as usize]);
        let mut owners: BTreeMap<&str, u32> = BTreeMap::new();
        moves().for_each(|m| *owners.entry(&m.label).or_default() += 1);
        moves().map(|m| if owners[&*m.label] > 1 { &m.text } else { &m.label }.clone()).collect()
    }

    fn is_pass(&self, _state: &PropnetState, action: MoveId) -> bool {
        self.machine.is_pass(action)
    }

    fn draw(&self, state: &PropnetState) -> String {
        let bases = self.network.base_numbers();
        let holds = |lit: Lit| {
            let base = bases.get(&lit.node());
            base.is_some_and(|&b| self.machine.base(&state.now, b)) != lit.is_negative()
        };
        let all = self.network.propositions.iter().enumerate();
        let truths = all.filter(|(_, p)| holds(p.lit));
        match &self.sheet {
            Some(sheet) => {
                let facts: Vec<TermId> = truths.map(|(i, _)| sheet.propositions[i]).collect();
                let reach = || gdl::Reach::of(&sheet.terms, &sheet.propositions);
                gdl::draw(&sheet.symbols, &sheet.terms, &facts, sheet.reach.get_or_init(reach))
            }
            None => truths.map(|(_, p)| p.text.as_str()).collect::<Vec<&str>>().join("\n"),
        }
    }

    fn encoding(&self) -> Option<Encoding> {
        let numbers = self.numbers()?;
        Some(match &self.observer {
            Some(observer) => Encoding::perceived(numbers.actions(), observer.texts()),
            None => numbers.encoding(&self.network),
        })
    }

    fn code(&self, _: &PropnetState, action: MoveId) -> u32 {
        self.numbers().map_or(u32::MAX, |numbers| numbers.code(action))
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::small(WORK, self.machine.cost()))
    }

    fn key(&self, state: &PropnetState) -> impl Hash + Eq + use<> {
        self.machine.key(&state.now)
    }

    fn planes(&self, state: &PropnetState, planes: &mut [u8]) {
        if let Some(numbers) = self.numbers() {
            numbers.planes(&self.machine, &state.now, planes);
        }
    }

    fn run(&self, job: &Job) -> Tally {
        self.run_on(Level::best(), job)
    }

    fn stages(&self) -> &[Stage] {
        &self.stages
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        Some(dot(&self.network, most))
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
    (network.with_moves_in(&order), groups, trial)
}

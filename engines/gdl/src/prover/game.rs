//! A compiled rulesheet and its states.

use play::{Chance, Limits};

use super::build::{Argument, Base, Build};
use super::flat::{FlatId, FlatProgram, TooLarge};
use super::machine::{Exhausted, Job, Machine};
use super::schedule::{Schedule, Unstratified};
use super::shapes::Shape;
use super::statics::Extent;
use super::store::Store;
use super::tune;
use crate::program::{Program, RelId, Term, TermKind};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};

/// Machine steps that one evaluation of a state may take, as a share of the compilation's; then the
/// state counts as undefined.
const STATE_FUEL: u64 = 20;
/// Bytes a row, of which one evaluation of a state may add as many as half the memory holds.
const ROW_BYTES: u64 = 64;
/// Whole terms in a state beyond those that it began with, before the unused are swept out.
const POOL_SLACK: usize = 4096;

/// An action that is legal in a state: a row of one of the flat relations of `legal` there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Action {
    relation: u32,
    row: u32,
}

/// Where to read something that has a role and another argument.
#[derive(Clone, Debug)]
struct Access {
    id: FlatId,
    slot: usize,
    role: Argument,
    second: Argument,
}

/// Which actions of a flat relation of `legal` only hand on the turn, see [`Program::is_pass`].
#[derive(Clone, Debug)]
enum Passes {
    /// None.
    Never,
    /// The constants with these values: by role, and sorted.
    Some(Vec<Vec<u32>>),
    /// It has to be found out action by action.
    Ask,
}

impl Passes {
    fn new(program: &Program, base: &Base, legal: &Access) -> Passes {
        match &base.flat.relations[legal.id.index()].shapes[1] {
            &Shape::Exactly(symbol) => Passes::of(program, base, &[symbol]),
            &Shape::Constant(node) => {
                let constants: Vec<Symbol> = base.flat.shapes.constants(node).iter().collect();
                // Sheets made by machines have thousands of constant actions; few are ever asked for.
                if constants.len() > 64 {
                    return Passes::Ask;
                }
                Passes::of(program, base, &constants)
            }
            Shape::Compound(functor, args) => {
                let literals = program.rules.iter().flat_map(|rule| &rule.body);
                let does = literals.filter_map(|literal| literal.atom());
                let mut does = does.filter(|atom| atom.relation == RelId::DOES);
                if does.any(|atom| matches_all(&atom.args, *functor, args.len())) {
                    Passes::Never
                } else {
                    Passes::Ask
                }
            }
            Shape::Anything => Passes::Ask,
        }
    }

    fn of(program: &Program, base: &Base, constants: &[Symbol]) -> Passes {
        let mut terms = Terms::default();
        let by_role = program.roles.iter().map(|&role| {
            let mut passes: Vec<u32> = constants
                .iter()
                .filter(|&&c| {
                    let action = terms.constant(c);
                    program.is_pass(&terms, role, action)
                })
                .map(|&c| base.universe.value(c))
                .collect();
            passes.sort_unstable();
            passes
        });
        Passes::Some(by_role.collect())
    }
}

/// Whether a `does` literal matches all actions with this functor, whoever takes them.
fn matches_all(args: &[Term], functor: Symbol, arity: usize) -> bool {
    let variable = |term: &Term| match term.kind {
        TermKind::Variable(var) => Some(var),
        _ => None,
    };
    let Some(role) = variable(&args[0]) else { return false };
    let mut all = vec![role];
    match &args[1].kind {
        TermKind::Variable(action) => all.push(*action),
        TermKind::Compound(f, inner) if *f == functor && inner.len() == arity => {
            let Some(inner) = inner.iter().map(variable).collect::<Option<Vec<_>>>() else {
                return false;
            };
            all.extend(inner);
        }
        _ => return false,
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() == count
}

/// What is evaluated when.
#[derive(Clone, Debug, Default)]
struct Phases {
    terminal: Vec<Part>,
    legal: Vec<Part>,
    next: Vec<Part>,
    goal: Vec<Part>,
}

/// Something to evaluate.
#[derive(Clone, Debug)]
enum Part {
    /// These rules once, one after the other.
    Rules(Vec<u32>),
    /// A stage to its fixed point.
    Stage(usize),
}

impl Part {
    /// These stages, with as little ado between them as can be.
    fn of(stages: &[usize], build: &Build) -> Vec<Part> {
        let mut parts = Vec::new();
        for &stage in stages {
            match (build.stages[stage].plain(), parts.last_mut()) {
                (Some(rules), Some(Part::Rules(all))) => all.extend_from_slice(rules),
                (Some(rules), _) => parts.push(Part::Rules(rules.to_vec())),
                (None, _) => parts.push(Part::Stage(stage)),
            }
        }
        parts
    }
}

/// Why a sheet cannot be played by the prover.
#[derive(Debug)]
pub(super) enum Unplayable {
    /// A budget ran out; what was being done.
    TooLarge(String),
    /// No order of evaluation was found for this relation.
    Unstratified(RelId),
}

/// A rulesheet compiled for bottom-up evaluation.
pub(super) struct Prover {
    pub(super) program: Program,
    pub(super) base: Base,
    pub(super) build: Build,
    phases: Phases,
    /// Stages evaluated on demand.
    lazy: Vec<usize>,
    /// Values of the roles, in order.
    roles: Vec<u32>,
    legal: Vec<Access>,
    goal: Vec<Access>,
    terminal: Vec<usize>,
    /// Flat relations of `true` and of `next`: numbers in the store.
    steps: Vec<(usize, usize)>,
    /// By place in `legal`: the flat relation of `does` of the same shape.
    does: Vec<usize>,
    /// By place in `legal`.
    passes: Vec<Passes>,
    initial: Vec<(usize, Vec<u32>)>,
    /// Relations to empty after a step: all but those of `true`.
    derived: Vec<usize>,
    /// What the playouts at compile time met with.
    pub(super) met: Met,
    /// Machine steps and rows that one evaluation of a state may take.
    state_fuel: u64,
    state_rows: u64,
}

/// Things that a few random playouts met with.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    /// Several players had a choice in one state.
    pub(super) simultaneous: bool,
    /// A role without a legal action in a state that is not over.
    pub(super) stuck: Option<Symbol>,
    /// A role with no goal value in a state that is over, or with several.
    pub(super) undefined_goal: Option<Symbol>,
}

/// How far a state has been evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Progress {
    Nothing,
    Terminal,
    Legal,
    /// Over, and goals too.
    Goals,
    /// A budget ran out, or somebody has no action.
    Undefined,
}

impl State {
    /// Steps that may still be taken to evaluate it.
    pub(super) fn fuel(&self) -> u64 {
        self.machine.fuel
    }

    pub(super) fn set_fuel(&mut self, fuel: u64) {
        self.machine.fuel = fuel;
    }

    /// The place of a role that has no legal action.
    pub(super) fn stuck(&self) -> Option<usize> {
        self.stuck
    }

    /// Rows of a relation, by its number in the store.
    pub(super) fn len(&self, slot: usize) -> u32 {
        self.store.relations[slot].len
    }

    /// Whether a budget ran out, or somebody has no action.
    pub(super) fn is_undefined(&self) -> bool {
        self.progress == Progress::Undefined
    }
}

/// The facts that are true, what was derived from them so far, and what the first roles chose.
#[derive(Clone, Debug)]
pub(super) struct State {
    store: Store,
    machine: Machine,
    progress: Progress,
    over: bool,
    chosen: Vec<Action>,
    /// A role that has no legal action.
    stuck: Option<usize>,
    sweep_at: usize,
}

impl Prover {
    pub(super) fn new(program: Program, limits: &Limits) -> Result<Prover, Unplayable> {
        let too_large = |what: &str| Unplayable::TooLarge(what.to_owned());
        const ROOTS: [RelId; 5] =
            [RelId::INIT, RelId::LEGAL, RelId::NEXT, RelId::TERMINAL, RelId::GOAL];
        let wanted = wanted(&program, &ROOTS);
        let flat = FlatProgram::new(&program, &|id| wanted[id.index()]).map_err(|TooLarge| {
            too_large("the rules have too many cases once terms are flattened")
        })?;
        let schedule = Schedule::new(&flat).map_err(|Unstratified(id)| {
            Unplayable::Unstratified(flat.relations[id.index()].relation)
        })?;
        let mut fuel = limits.work;
        let rows = limits.bytes / ROW_BYTES;
        let base = Base::new(&program, flat, schedule, &mut fuel, rows).map_err(|Exhausted| {
            too_large(
                "evaluating the relations that never change took more work or memory than allowed",
            )
        })?;
        let build = tune::eager(&base);
        let mut prover = Prover::assemble(program, base, build);
        prover.state_fuel = (limits.work / STATE_FUEL).max(1000);
        prover.state_rows = (rows / 2).clamp(1000, u64::from(u32::MAX / 2));
        tune::tune(&mut prover, fuel);
        let mut state = prover.start();
        let over = prover.is_terminal(&mut state);
        if !over && prover.run(&mut state, &prover.phases.legal).is_err() {
            return Err(too_large("evaluating the initial state took more work than allowed"));
        }
        Ok(prover)
    }

    fn assemble(program: Program, base: Base, build: Build) -> Prover {
        let flat = &base.flat;
        let slot = |id: FlatId| base.slots[id.index()].unwrap_or(0);
        let access = |relation: RelId| -> Vec<Access> {
            let all = flat.of(relation).map(|id| Access {
                id,
                slot: slot(id),
                role: base.argument(id, 0),
                second: base.argument(id, 1),
            });
            all.collect()
        };
        let (legal, goal) = (access(RelId::LEGAL), access(RelId::GOAL));
        let does = legal.iter().map(|l| slot(flat.counterpart(l.id, RelId::DOES))).collect();
        let passes = legal.iter().map(|l| Passes::new(&program, &base, l)).collect();
        let steps =
            flat.of(RelId::TRUE).map(|id| (slot(id), slot(flat.counterpart(id, RelId::NEXT))));
        let steps: Vec<(usize, usize)> = steps.collect();
        let initial = flat.of(RelId::INIT).flat_map(|id| {
            let target = slot(flat.counterpart(id, RelId::TRUE));
            let extent = base.statics.relations[id.index()].as_ref();
            extent.into_iter().flat_map(Extent::rows).map(move |row| (target, row.to_vec()))
        });
        let initial = initial.collect();
        let roles = program.roles.iter().map(|&role| base.universe.value(role)).collect();
        let terminal = flat.of(RelId::TERMINAL).map(slot).collect();
        let mut prover = Prover {
            program,
            phases: Phases::default(),
            lazy: Vec::new(),
            roles,
            legal,
            goal,
            terminal,
            steps,
            does,
            passes,
            initial,
            derived: Vec::new(),
            met: Met::default(),
            state_fuel: 0,
            state_rows: 0,
            base,
            build,
        };
        prover.schedule();
        prover
    }

    /// Takes another build of the same rules.
    pub(super) fn rebuild(&mut self, build: Build) -> Build {
        let old = std::mem::replace(&mut self.build, build);
        self.schedule();
        old
    }

    /// Finds out what the build evaluates when, and what there is to forget after a step.
    fn schedule(&mut self) {
        let demands = &self.build.demands;
        let mut lazy: Vec<usize> = demands.of.iter().flatten().map(|d| d.stage).collect();
        lazy.sort_unstable();
        lazy.dedup();
        self.phases = phases(&self.base, &self.build, &lazy);
        self.lazy = lazy;
        let relations = self.build.layouts.relations.len();
        let mut is_true = vec![false; relations];
        for &(slot, _) in &self.steps {
            is_true[slot] = true;
        }
        self.derived = (0..relations).filter(|&slot| !is_true[slot]).collect();
    }

    /// The initial state.
    pub(super) fn start(&self) -> State {
        let mut state = State {
            store: self.build.layouts.store(self.base.pool.clone()),
            machine: Machine::new(&self.build.code),
            progress: Progress::Nothing,
            over: false,
            chosen: Vec::with_capacity(self.roles.len()),
            stuck: None,
            sweep_at: self.base.pool.len() + POOL_SLACK,
        };
        self.fill_initial(&mut state);
        state
    }

    fn fill_initial(&self, state: &mut State) {
        for (slot, row) in &self.initial {
            state.store.insert(&self.build.layouts, *slot, row);
        }
        state.progress = Progress::Nothing;
        state.over = false;
        state.stuck = None;
        state.chosen.clear();
        state.machine.rows = self.state_rows;
        state.machine.fuel = self.state_fuel;
    }

    /// Back to the initial state.
    pub(super) fn reset(&self, state: &mut State) {
        for slot in 0..self.build.layouts.relations.len() {
            state.store.clear(&self.build.layouts, slot);
        }
        self.forget(state);
        state.store.pool.truncate(self.base.pool.len());
        state.sweep_at = self.base.pool.len() + POOL_SLACK;
        self.fill_initial(state);
    }

    /// Lets relations on demand begin anew.
    fn forget(&self, state: &mut State) {
        for &stage in &self.lazy {
            self.build.stages[stage].forget(&mut state.machine);
        }
    }

    fn job(&self) -> Job<'_> {
        let Build { code, layouts, stages, .. } = &self.build;
        Job { code, layouts, stages }
    }

    fn run(&self, state: &mut State, parts: &[Part]) -> Result<(), Exhausted> {
        let (store, machine) = (&mut state.store, &mut state.machine);
        for part in parts {
            match part {
                Part::Rules(rules) => machine.run(self.job(), store, rules)?,
                Part::Stage(stage) => {
                    self.build.stages[*stage].run(self.job(), store, machine)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the game is over. False too where the rules leave the state undefined.
    pub(super) fn is_terminal(&self, state: &mut State) -> bool {
        if state.progress == Progress::Nothing {
            state.progress = match self.run(state, &self.phases.terminal) {
                Ok(()) => Progress::Terminal,
                Err(Exhausted) => Progress::Undefined,
            };
            let over = |&slot: &usize| state.store.relations[slot].len > 0;
            state.over = state.progress == Progress::Terminal && self.terminal.iter().any(over);
        }
        state.over
    }

    /// Evaluates what may be done in a state that is not over; false if that is undefined.
    fn evaluate_legal(&self, state: &mut State) -> bool {
        if state.progress == Progress::Terminal {
            state.progress = match self.run(state, &self.phases.legal) {
                Ok(()) => Progress::Legal,
                Err(Exhausted) => Progress::Undefined,
            };
            let idle = |&role: &usize| self.actions(state, role).next().is_none();
            if state.progress == Progress::Legal {
                state.stuck = (0..self.roles.len()).find(idle);
            }
            if state.stuck.is_some() {
                state.progress = Progress::Undefined;
            }
        }
        state.progress == Progress::Legal
    }

    /// The distinct legal actions of a role, by its place.
    fn actions<'a>(&'a self, state: &'a State, role: usize) -> impl Iterator<Item = Action> + 'a {
        let role = self.roles[role];
        self.legal.iter().enumerate().flat_map(move |(relation, access)| {
            let rows = state.store.rows(&self.build.layouts, access.slot);
            rows.filter(move |(_, row)| access.role.of(row) == Some(role))
                .map(move |(row, _)| Action { relation: relation as u32, row })
        })
    }

    /// Appends the legal actions of a role to `out`; none if the state is over or undefined.
    pub(super) fn append_legal(&self, state: &mut State, role: usize, out: &mut Vec<Action>) {
        if !self.is_terminal(state) && self.evaluate_legal(state) {
            out.extend(self.actions(state, role));
        }
    }

    /// The legal actions of a role; none if the state is over or undefined.
    pub(super) fn legal(&self, state: &mut State, role: usize) -> Vec<Action> {
        let mut legal = Vec::new();
        self.append_legal(state, role, &mut legal);
        legal
    }

    /// How many roles have chosen.
    pub(super) fn chosen(state: &State) -> usize {
        state.chosen.len()
    }

    /// Makes the choice of the next role; the last one fires the transition.
    pub(super) fn choose(&self, state: &mut State, action: Action) {
        state.chosen.push(action);
        if state.chosen.len() < self.roles.len() {
            return;
        }
        if self.derive_next(state).is_ok() {
            self.advance(state);
        } else {
            state.progress = Progress::Undefined;
        }
    }

    /// Makes the last choice, but stays in the state: `next` is derived, and nothing forgotten.
    pub(super) fn choose_last(&self, state: &mut State, action: Action) -> bool {
        state.chosen.push(action);
        self.derive_next(state).is_ok()
    }

    /// The values of an action's row.
    pub(super) fn action_row<'a>(&'a self, state: &'a State, action: Action) -> &'a [u32] {
        let slot = self.legal[action.relation as usize].slot;
        state.store.row(&self.build.layouts, slot, action.row)
    }

    fn derive_next(&self, state: &mut State) -> Result<(), Exhausted> {
        for i in 0..state.chosen.len() {
            let Action { relation, row } = state.chosen[i];
            let legal = self.legal[relation as usize].slot;
            let does = self.does[relation as usize];
            state.store.copy_row(&self.build.layouts, legal, row, does);
        }
        self.run(state, &self.phases.next)
    }

    /// Makes what `next` holds true, and forgets all else.
    pub(super) fn advance(&self, state: &mut State) {
        for &(is_true, next) in &self.steps {
            state.store.clear(&self.build.layouts, is_true);
            state.store.take(&self.build.layouts, next, is_true);
        }
        for &slot in &self.derived {
            state.store.clear(&self.build.layouts, slot);
        }
        self.forget(state);
        if state.store.pool.len() > state.sweep_at {
            self.sweep(state);
        }
        state.progress = Progress::Nothing;
        state.chosen.clear();
        state.machine.fuel = self.state_fuel;
        state.machine.rows = self.state_rows;
    }

    /// Keeps only those whole terms that true facts hold.
    fn sweep(&self, state: &mut State) {
        let mut facts: Vec<(usize, Vec<u32>)> = Vec::new();
        for &(slot, _) in &self.steps {
            facts.extend(
                state.store.rows(&self.build.layouts, slot).map(|(_, row)| (slot, row.to_vec())),
            );
            state.store.clear(&self.build.layouts, slot);
        }
        let values = facts.iter_mut().flat_map(|(_, row)| row);
        state.store.pool.compact(self.base.pool.len(), values);
        for (slot, row) in &facts {
            state.store.insert(&self.build.layouts, *slot, row);
        }
        state.sweep_at = 2 * state.store.pool.len() + POOL_SLACK;
    }

    /// The goal values of a role in a state that is over: each distinct one that holds, as a symbol.
    pub(super) fn goals_of(&self, state: &mut State, role: usize) -> Vec<Symbol> {
        self.goals(state);
        let role = self.roles[role];
        let mut values = Vec::new();
        for access in &self.goal {
            for (_, row) in state.store.rows(&self.build.layouts, access.slot) {
                if access.role.of(row) == Some(role)
                    && let Some(value) = access.second.of(row)
                {
                    values.extend(self.base.universe.symbol(value));
                }
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    pub(super) fn goals(&self, state: &mut State) {
        if state.progress < Progress::Goals {
            // Without fuel there are fewer goals, and the score is undefined.
            let _ = self.run(state, &self.phases.goal);
            state.progress = Progress::Goals;
        }
    }

    /// The role's action as a term.
    pub(super) fn action_term(&self, state: &State, action: Action, terms: &mut Terms) -> TermId {
        let access = &self.legal[action.relation as usize];
        let row = state.store.row(&self.build.layouts, access.slot, action.row);
        self.arguments(&state.store, access.id, row, terms)[1]
    }

    /// The facts that are true, as terms, sorted.
    pub(super) fn true_facts(&self, state: &State, terms: &mut Terms) -> Vec<TermId> {
        let mut facts = Vec::new();
        for id in self.base.flat.of(RelId::TRUE) {
            let slot = self.base.slots[id.index()].unwrap_or(0);
            for (_, row) in state.store.rows(&self.build.layouts, slot) {
                facts.push(self.arguments(&state.store, id, row, terms)[0]);
            }
        }
        facts
    }

    fn arguments(&self, store: &Store, id: FlatId, row: &[u32], terms: &mut Terms) -> Vec<TermId> {
        let mut columns = row.iter().copied();
        let shapes = &self.base.flat.relations[id.index()].shapes;
        shapes.iter().map(|shape| self.term(store, shape, &mut columns, terms)).collect()
    }

    fn term(
        &self,
        store: &Store,
        shape: &Shape,
        columns: &mut impl Iterator<Item = u32>,
        terms: &mut Terms,
    ) -> TermId {
        match shape {
            Shape::Exactly(symbol) => terms.constant(*symbol),
            Shape::Constant(_) | Shape::Anything => {
                let value = columns.next().unwrap_or(0);
                store.pool.term(&self.base.universe, value, terms)
            }
            Shape::Compound(functor, args) => {
                let args: Vec<TermId> =
                    args.iter().map(|arg| self.term(store, arg, &mut *columns, terms)).collect();
                terms.compound(*functor, &args)
            }
        }
    }

    /// Whether the action does nothing but hand on the turn, see [`Program::is_pass`].
    pub(super) fn is_pass(&self, state: &State, role: usize, action: Action) -> bool {
        match &self.passes[action.relation as usize] {
            Passes::Never => false,
            Passes::Some(by_role) => {
                let second = self.legal[action.relation as usize].second;
                let value = second.of(self.action_row(state, action));
                value.is_some_and(|value| by_role[role].binary_search(&value).is_ok())
            }
            Passes::Ask => {
                let mut terms = Terms::default();
                let term = self.action_term(state, action, &mut terms);
                self.program.is_pass(&terms, self.program.roles[role], term)
            }
        }
    }

    /// Bytes of a state.
    pub(super) fn state_bytes(&self) -> usize {
        self.start().store.bytes()
    }

    /// What was built, by name.
    pub(super) fn statistics(&self) -> Vec<(&'static str, u64)> {
        let statics = self.base.statics.relations.iter().flatten();
        vec![
            ("rules", self.program.rules.len() as u64),
            ("flat relations", self.base.flat.relations.len() as u64),
            ("flat rules", self.base.flat.rules.len() as u64),
            ("static rows", statics.map(|e| e.len as u64).sum()),
            ("operations", self.build.code.ops.len() as u64),
            ("code bytes", self.build.code.bytes() as u64),
        ]
    }

    /// Draws an action of nature for every role of that name whose turn it is.
    pub(super) fn choose_nature<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        while let Some(&role) = self.program.roles.get(state.chosen.len())
            && self.program.is_nature(role)
        {
            let legal = self.legal(state, state.chosen.len());
            if legal.is_empty() {
                return;
            }
            let action = legal[chance.below(legal.len() as u32) as usize];
            self.choose(state, action);
            if state.chosen.is_empty() {
                return;
            }
        }
    }
}

/// The roles where rules say which there are; sorted by first mention. `None` where finding out takes
/// too much.
pub(crate) fn derived_roles(program: &Program) -> Option<Vec<Symbol>> {
    let wanted = wanted(program, &[RelId::ROLE]);
    let flat = FlatProgram::new(program, &|id| wanted[id.index()]).ok()?;
    let schedule = Schedule::new(&flat).ok()?;
    let base = Base::new(program, flat, schedule, &mut 10_000_000, 100_000).ok()?;
    let mut roles = Vec::new();
    for id in base.flat.of(RelId::ROLE) {
        let extent = base.statics.relations[id.index()].as_ref()?;
        let argument = base.argument(id, 0);
        let values = extent.rows().filter_map(|row| argument.of(row));
        roles.extend(values.filter_map(|value| base.universe.symbol(value)));
    }
    roles.sort_unstable();
    Some(roles)
}

/// By relation, whether one of the roots needs it.
fn wanted(program: &Program, roots: &[RelId]) -> Vec<bool> {
    let mut wanted = vec![false; program.relations.len()];
    let mut rules = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        rules[rule.head.relation.index()].push(rule);
    }
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut wanted[id.index()], true) {
            continue;
        }
        let bodies = rules[id.index()].iter().flat_map(|rule| &rule.body);
        stack.extend(bodies.filter_map(|literal| Some(literal.atom()?.relation)));
    }
    wanted
}

/// `lazy` stages are evaluated when they are asked.
fn phases(base: &Base, build: &Build, lazy: &[usize]) -> Phases {
    let mut done = vec![false; base.schedule.stages.len()];
    for &stage in lazy {
        done[stage] = true;
    }
    let needed = |relation: RelId, done: &mut Vec<bool>| {
        let stages = base.schedule.needed(&base.flat, base.flat.of(relation), done);
        for &stage in &stages {
            done[stage] = true;
        }
        Part::of(&stages, build)
    };
    let terminal = needed(RelId::TERMINAL, &mut done);
    // Goals are asked for where the game is over, so that nothing else has been evaluated.
    let goal = needed(RelId::GOAL, &mut done.clone());
    let legal = needed(RelId::LEGAL, &mut done);
    let next = needed(RelId::NEXT, &mut done);
    Phases { terminal, legal, next, goal }
}

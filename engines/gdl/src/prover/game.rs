//! A compiled rulesheet and its states.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use play::{BuildFact, Chance};

use super::actions::{Access, Action, Legal, Passes, Row};
use super::build::Build;
use super::maintenance;
use super::phases::{Part, Phases, phases};
use super::state::{Progress, State};
use crate::datalog::base::Base;
use crate::datalog::flat::FlatId;
use crate::datalog::machine::{Exhausted, Job, Machine};
use crate::datalog::statics::Extent;
use crate::program::{Program, RelId};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};

/// Whole terms in a state beyond those that it began with, before the unused are swept out.
const POOL_SLACK: usize = 4096;

/// A rulesheet compiled for bottom-up evaluation.
pub(super) struct Prover {
    pub(super) program: Program,
    pub(super) base: Base,
    pub(super) build: Build,
    pub(super) phases: Phases,
    /// Stages evaluated on demand.
    pub(super) lazy: Vec<usize>,
    /// Values of the roles, in order.
    pub(super) roles: Vec<u32>,
    legal: Vec<Legal>,
    goal: Vec<Access>,
    pub(super) sees: Vec<Access>,
    terminal: Vec<usize>,
    /// Flat relations of `true` and of `next`: numbers in the store.
    steps: Vec<(usize, usize)>,
    initial: Vec<(usize, Vec<u32>)>,
    /// Relations to empty after a step: all but those of `true`.
    derived: Vec<usize>,
    /// Of the others those that only percepts need, to be emptied once these are known.
    pub(super) perceived: Vec<usize>,
    /// The findings of the playouts at compile time.
    pub(super) met: ProbeFindings,
    /// Machine steps and rows that one evaluation of a state may take.
    pub(super) state_fuel: u64,
    pub(super) state_rows: u64,
    /// Machine steps that a step of the game took in the playouts at compile time.
    pub(super) cost: u64,
    /// Bytes that the game may take.
    pub(super) bytes: u64,
    /// Machine steps left for all states that are looked at when the game is compiled; `None` in
    /// play, where each state has its own.
    pub(super) compiling: Option<AtomicU64>,
}

/// Things that a few random playouts met with.
#[derive(Clone, Debug, Default)]
pub(super) struct ProbeFindings {
    /// Several players had a choice in one state.
    pub(super) simultaneous: bool,
    /// A role without a legal action in a state that is not over.
    pub(super) stuck: Option<Symbol>,
    /// A role with no goal value in a state that is over, or with several.
    pub(super) undefined_goal: Option<Symbol>,
}

/// To whom percepts are told: the place of a role, and what it perceives.
pub(super) type PerceptListener<'a> = &'a mut dyn FnMut(usize, String);

impl Prover {
    /// A prover of a program with a first build, and without limits yet.
    pub(super) fn assemble(program: Program, base: Base, build: Build) -> Prover {
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
        let roles: Vec<u32> = program.roles.iter().map(|&r| base.universe.value(r)).collect();
        let goal = access(RelId::GOAL);
        let sees = access(RelId::SEES);
        let legal = access(RelId::LEGAL).into_iter().map(|access| {
            let does = slot(flat.counterpart(access.id, RelId::DOES));
            Legal::new(&program, &base, &build.layouts, access, does, &roles)
        });
        let legal = legal.collect();
        let steps: Vec<(usize, usize)> = base.steps().collect();
        let initial = flat.of(RelId::INIT).flat_map(|id| {
            let target = slot(flat.counterpart(id, RelId::TRUE));
            let extent = base.statics.relations[id.index()].as_ref();
            extent.into_iter().flat_map(Extent::rows).map(move |row| (target, row.to_vec()))
        });
        let initial = initial.collect();
        let terminal = flat.of(RelId::TERMINAL).map(slot).collect();
        let mut prover = Prover {
            program,
            phases: Phases::default(),
            lazy: Vec::new(),
            roles,
            legal,
            goal,
            sees,
            terminal,
            steps,
            initial,
            derived: Vec::new(),
            perceived: Vec::new(),
            met: ProbeFindings::default(),
            state_fuel: 0,
            state_rows: 0,
            cost: 0,
            bytes: 0,
            compiling: None,
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
    pub(super) fn schedule(&mut self) {
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
        let maintenance = &self.build.maintenance;
        let derived = (0..relations).filter(|&slot| !is_true[slot] && !maintenance.keeps(slot));
        let of_percepts = self.of_percepts();
        (self.perceived, self.derived) = derived.partition(|slot| of_percepts.contains(slot));
    }

    /// By stage: whether its relations may be kept from state to state, and are asked before a game
    /// is over.
    pub(super) fn keepable(&self) -> Vec<bool> {
        let mut keepable = vec![false; self.base.schedule.stages.len()];
        let asked = [RelId::TERMINAL, RelId::LEGAL, RelId::NEXT].into_iter();
        let asked: Vec<FlatId> = asked.flat_map(|id| self.base.flat.of(id)).collect();
        let needed = self.base.schedule.needed(&self.base.flat, asked.into_iter(), &keepable);
        let may_be_kept = maintenance::may_be_kept(&self.base);
        for stage in needed {
            keepable[stage] = may_be_kept[stage];
        }
        keepable
    }

    /// The initial state.
    pub(super) fn start(&self) -> State {
        let mut state = State {
            store: self.build.layouts.store(self.base.pool.clone()),
            machine: Machine::new(&self.build.code),
            progress: Progress::Nothing,
            over: false,
            chosen: Vec::with_capacity(self.roles.len()),
            actions: Vec::new(),
            ends: Vec::new(),
            stuck: None,
            maintenance_fuel: 0,
            maintenance: 0,
            sweep_at: self.base.pool.len() + POOL_SLACK,
        };
        self.fill_initial(&mut state);
        state
    }

    fn fill_initial(&self, state: &mut State) {
        for (slot, row) in &self.initial {
            state.store.insert(&self.build.layouts, *slot, row);
        }
        self.begin(state);
    }

    /// Nothing has been evaluated yet.
    fn begin(&self, state: &mut State) {
        let mut fuel = self.state_fuel;
        if let Some(left) = &self.compiling {
            if state.progress != Progress::Nothing {
                let used = fuel.saturating_sub(state.machine.fuel) + state.maintenance;
                left.store(left.load(Relaxed).saturating_sub(used), Relaxed);
            }
            fuel = fuel.min(left.load(Relaxed));
        }
        state.progress = Progress::Nothing;
        state.over = false;
        state.stuck = None;
        state.chosen.clear();
        state.machine.rows = self.state_rows;
        state.machine.fuel = fuel;
        state.maintenance_fuel = fuel;
        state.maintenance = 0;
    }

    /// Back to the initial state.
    pub(super) fn reset(&self, state: &mut State) {
        self.empty(state);
        self.fill_initial(state);
    }

    /// Takes all rows out, but for those that are kept until what is true is known.
    fn empty(&self, state: &mut State) {
        let facts = self.steps.iter().map(|&(is_true, _)| is_true);
        for slot in facts.chain(self.derived.iter().copied()) {
            state.store.clear(&self.build.layouts, slot);
        }
        self.forget(state);
        state.store.pool.truncate(self.base.pool.len());
        state.sweep_at = self.base.pool.len() + POOL_SLACK;
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

    pub(super) fn run(&self, state: &mut State, parts: &[Part]) -> Result<(), Exhausted> {
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

    /// True if the game is over. False too where the rules leave the state undefined.
    pub(super) fn is_terminal(&self, state: &mut State) -> bool {
        if state.progress == Progress::Nothing {
            let kept = self.catch_up(state);
            state.progress = match kept.and_then(|()| self.run(state, &self.phases.terminal)) {
                Ok(()) => Progress::Terminal,
                Err(Exhausted) => Progress::Undefined,
            };
            let over = |&slot: &usize| state.store.relations[slot].len > 0;
            state.over = state.progress == Progress::Terminal && self.terminal.iter().any(over);
        }
        state.over
    }

    /// True if what is legal in a state that is not over can be evaluated within its fuel.
    pub(super) fn can_go_on(&self, state: &mut State) -> bool {
        self.run(state, &self.phases.legal).is_ok()
    }

    /// Brings what is kept up to the facts of the state.
    fn catch_up(&self, state: &mut State) -> Result<(), Exhausted> {
        let State { store, machine, maintenance_fuel, maintenance, .. } = state;
        let fuel = std::mem::replace(&mut machine.fuel, *maintenance_fuel);
        let was_whole = store.maintenance.whole;
        let mut result = self.build.maintenance.catch_up(self.job(), store, machine);
        if result.is_err() && was_whole {
            // A state that is far from the one before may be near to none at all.
            machine.fuel = *maintenance_fuel;
            result = self.build.maintenance.catch_up(self.job(), store, machine);
        }
        *maintenance = *maintenance_fuel - machine.fuel;
        machine.fuel = fuel;
        result
    }

    /// Evaluates what may be done in a state that is not over; false if that is undefined.
    fn evaluate_legal(&self, state: &mut State) -> bool {
        if state.progress == Progress::Terminal {
            state.progress = match self.run(state, &self.phases.legal) {
                Ok(()) => Progress::Legal,
                Err(Exhausted) => Progress::Undefined,
            };
            if state.progress == Progress::Legal {
                self.list_actions(state);
            }
            if state.stuck.is_some() {
                state.progress = Progress::Undefined;
            }
        }
        state.progress == Progress::Legal
    }

    /// Lists the distinct legal actions of each role, and finds out whether some role has none.
    fn list_actions(&self, state: &mut State) {
        let State { store, actions, ends, stuck, .. } = state;
        actions.clear();
        ends.clear();
        for who in self.roles.iter().copied().enumerate() {
            let before = actions.len();
            for (relation, legal) in self.legal.iter().enumerate() {
                let relation = relation as u32;
                legal.each(store, &self.build.layouts, who, &mut |tuple| {
                    actions.push(Action { relation, tuple });
                });
            }
            ends.push(actions.len());
            if actions.len() == before {
                *stuck = stuck.or(Some(who.0));
            }
        }
    }

    /// The legal actions of a role, in order; none if the state is over or undefined.
    pub(super) fn actions<'a>(&self, state: &'a mut State, role: usize) -> &'a [Action] {
        if self.is_terminal(state) || !self.evaluate_legal(state) {
            return &[];
        }
        let start = role.checked_sub(1).map_or(0, |before| state.ends[before]);
        &state.actions[start..state.ends[role]]
    }

    /// Like [`Prover::actions`], as a list of its own.
    pub(super) fn legal(&self, state: &mut State, role: usize) -> Vec<Action> {
        self.actions(state, role).to_vec()
    }

    /// The number of roles that have chosen.
    pub(super) fn chosen(state: &State) -> usize {
        state.chosen.len()
    }

    /// Makes the choice of the next role; the last one fires the transition.
    pub(super) fn choose(&self, state: &mut State, action: Action) {
        self.choose_perceived(state, action, None);
    }

    /// Makes the last choice, but stays in the state: `next` is derived, and nothing forgotten.
    pub(super) fn choose_last(&self, state: &mut State, action: Action) -> bool {
        state.chosen.push(action);
        self.derive_next(state).is_ok()
    }

    /// The values of an action.
    pub(super) fn action_row(&self, state: &State, action: Action) -> Row {
        let legal = &self.legal[action.relation as usize];
        legal.row(&state.store, &self.build.layouts, action.tuple)
    }

    pub(super) fn derive_next(&self, state: &mut State) -> Result<(), Exhausted> {
        for i in 0..state.chosen.len() {
            let action = state.chosen[i];
            let row = self.action_row(state, action);
            let does = self.legal[action.relation as usize].does;
            state.store.insert(&self.build.layouts, does, &row);
        }
        self.run(state, &self.phases.next)
    }

    /// True if states can be told apart by the numbers of their facts and actions: not in games of
    /// chance.
    pub(super) fn is_numbered(&self) -> bool {
        const MAX_WORDS: u32 = 4096;
        let nature = self.program.roles.iter().any(|&role| self.program.is_nature(role));
        let words = self.steps.iter().map(|&(slot, _)| {
            let (dense, _) = self.build.layouts.relations[slot].bits.as_ref()?;
            Some(dense.size.div_ceil(64))
        });
        let few = words.sum::<Option<u32>>().is_some_and(|words| words <= MAX_WORDS);
        few && !nature && self.legal.iter().all(Legal::is_numbered)
    }

    /// Writes how many roles have chosen, their choices, and the numbers of the facts that are
    /// true, in order: those of each flat relation after those of the one before.
    pub(super) fn save(&self, state: &State, words: &mut Vec<u32>) {
        words.push(state.chosen.len() as u32);
        words.extend(state.chosen.iter().flat_map(|action| [action.relation, action.tuple]));
        let mut first = 0;
        for &(slot, _) in &self.steps {
            let Some((dense, word)) = &self.build.layouts.relations[slot].bits else { continue };
            let range = 0..dense.size as usize;
            state.store.numbers(*word as usize, range, &mut |number| words.push(first + number));
            first += dense.size;
        }
    }

    /// The state that this was written of; nothing has been evaluated in it.
    pub(super) fn restore(&self, words: &[u32], state: &mut State) {
        self.empty(state);
        let (chosen, mut facts) = words[1..].split_at(2 * words[0] as usize);
        let mut first = 0;
        for &(slot, _) in &self.steps {
            let Some((dense, _)) = &self.build.layouts.relations[slot].bits else { continue };
            let end = first + dense.size;
            let own = facts.partition_point(|&fact| fact < end);
            for &fact in &facts[..own] {
                let row: Row = dense.tuple(fact - first).collect();
                state.store.insert(&self.build.layouts, slot, &row);
            }
            (first, facts) = (end, &facts[own..]);
        }
        self.begin(state);
        let actions = chosen.chunks_exact(2);
        state.chosen.extend(actions.map(|pair| Action { relation: pair[0], tuple: pair[1] }));
    }

    /// Makes what `next` holds true, and forgets all else.
    pub(super) fn advance(&self, state: &mut State) {
        for &(is_true, next) in &self.steps {
            state.store.advance(&self.build.layouts, next, is_true);
        }
        for &slot in &self.derived {
            state.store.clear(&self.build.layouts, slot);
        }
        self.forget(state);
        if state.store.pool.len() > state.sweep_at {
            self.sweep(state);
        }
        self.begin(state);
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

    /// The goal values of a role in a state that is over: each distinct one that holds, as a
    /// symbol.
    pub(super) fn goals_of(&self, state: &mut State, role: usize) -> Vec<Symbol> {
        self.goals(state);
        self.goal_values(state, role)
    }

    /// Like [`Prover::goals_of`], after [`Prover::goals`].
    pub(super) fn goal_values(&self, state: &State, role: usize) -> Vec<Symbol> {
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
        let access = &self.legal[action.relation as usize].access;
        let row = self.action_row(state, action);
        self.base.arguments(&state.store.pool, access.id, &row, terms)[1]
    }

    /// The facts that are true, as terms, sorted.
    pub(super) fn true_facts(&self, state: &State, terms: &mut Terms) -> Vec<TermId> {
        let mut facts = Vec::new();
        for id in self.base.flat.of(RelId::TRUE) {
            let slot = self.base.slots[id.index()].unwrap_or(0);
            for (_, row) in state.store.rows(&self.build.layouts, slot) {
                facts.push(self.base.arguments(&state.store.pool, id, row, terms)[0]);
            }
        }
        facts
    }

    /// True if the action does nothing but hand on the turn, see [`Program::is_pass`].
    pub(super) fn is_pass(&self, state: &State, role: usize, action: Action) -> bool {
        let legal = &self.legal[action.relation as usize];
        match &legal.passes {
            Passes::Never => false,
            Passes::Some(by_role) => {
                let value = legal.access.second.of(&self.action_row(state, action));
                value.is_some_and(|value| by_role[role].binary_search(&value).is_ok())
            }
            Passes::Ask => {
                let mut terms = Terms::default();
                let term = self.action_term(state, action, &mut terms);
                self.program.is_pass(&terms, self.program.roles[role], term)
            }
        }
    }

    /// Bytes of a state whose actions are known.
    pub(super) fn state_bytes(&self) -> usize {
        let mut state = self.start();
        self.actions(&mut state, 0);
        state.store.bytes() + state.store.pool.bytes() + size_of_val(&*state.actions)
    }

    /// The sizes of the compiled game, by name.
    pub(super) fn statistics(&self) -> Vec<(BuildFact, u64)> {
        let statics = self.base.statics.relations.iter().flatten();
        vec![
            (BuildFact::Rules, self.program.rules.len() as u64),
            (BuildFact::FlatRelations, self.base.flat.relations.len() as u64),
            (BuildFact::FlatRules, self.base.flat.rules.len() as u64),
            (BuildFact::StaticRows, statics.map(|e| e.len as u64).sum()),
            (BuildFact::Operations, self.build.code.ops.len() as u64),
            (BuildFact::CodeBytes, self.build.code.bytes() as u64),
        ]
    }

    /// Draws an action of nature for every role of that name whose turn it is; `tell` as in
    /// [`Prover::choose_perceived`].
    pub(super) fn choose_nature<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        chance: &mut C,
        mut tell: Option<PerceptListener<'_>>,
    ) {
        while let Some(&role) = self.program.roles.get(state.chosen.len())
            && self.program.is_nature(role)
        {
            let legal = self.legal(state, state.chosen.len());
            if legal.is_empty() {
                return;
            }
            let action = legal[chance.below(legal.len() as u32) as usize];
            match &mut tell {
                Some(tell) => self.choose_perceived(state, action, Some(&mut **tell)),
                None => self.choose(state, action),
            }
            if state.chosen.is_empty() {
                return;
            }
        }
    }
}

//! Evaluates what never changes, once.

use play::Limits;
use rustc_hash::FxHashMap;

use super::base::{Base, GUESS};
use super::compile::Compiler;
use super::demand::Demands;
use super::fixpoint::{Fixpoint, Meter};
use super::flat::{FlatAtom, FlatId, FlatProgram, FlatTerm};
use super::frame;
use super::layout::Layouts;
use super::machine::{Exhausted, Job};
use super::pool::Pool;
use super::schedule::{self, Schedule};
use super::statics::{Extent, Statics};
use super::universe::Universe;
use crate::limits::{MAX_RULES, MAX_STATIC};
use crate::program::{Dependence, Program, RelId};
use crate::symbols::Symbol;

/// Steps by which the roles must be found out where rules derive them.
const WORK_ON_ROLES: u64 = 10_000_000;

impl Base {
    /// Evaluates what never changes. Relations that take more than `most` says, in steps and bytes,
    /// count as changing, but for those of the initial state.
    pub(crate) fn new(
        program: &Program,
        flat: FlatProgram,
        schedule: Schedule,
        meter: &mut Meter,
        most: (u64, u64),
    ) -> Result<Base, Exhausted> {
        let universe = Universe::new(program, &flat);
        let mut pool = Pool::new(universe.constants());
        let mut facts: FxHashMap<FlatId, Vec<Vec<u32>>> = FxHashMap::default();
        for fact in &flat.facts {
            let row = fact.row(&[], &universe, (&mut pool, true)).ok_or(Exhausted)?;
            facts.entry(fact.relation).or_default().push(row);
        }
        let n = flat.relations.len();
        let mut base = Base {
            flat,
            schedule,
            universe,
            statics: Statics { relations: vec![None; n] },
            pool,
            facts,
            slots: vec![None; n],
            layouts: Layouts::default(),
            sizes: Vec::new(),
            domains: None,
            next_is_read: false,
        };
        base.next_is_read = frame::next_is_read(&base.flat);
        base.sizes = (0..n).map(|index| base.guessed_size(FlatId(index as u32), GUESS)).collect();
        // One for all stages: each would take as long to make as there are relations.
        let demands = Demands::none(&base.flat);
        for stage in 0..base.schedule.stages.len() {
            if base.schedule.stages[stage].dependence == Dependence::Static
                && (base.rests_on_postponed(stage)
                    || !base.evaluate(stage, &demands, meter, most)?)
            {
                base.schedule.stages[stage].dependence = Dependence::State;
            }
        }
        // Without the facts of the initial state there is no state to postpone anything to.
        if base.flat.of(RelId::INIT).any(|id| base.statics.relations[id.index()].is_none()) {
            return Err(Exhausted);
        }
        base.domains = base.infer_domains();
        base.lay_out();
        Ok(base)
    }

    /// True if a static stage asks for a relation that was too large to evaluate as a whole.
    fn rests_on_postponed(&self, index: usize) -> bool {
        let rules = self.schedule.stages[index].rules.iter();
        let mut asked = rules.flat_map(|&r| &self.flat.rules[r].body).filter_map(schedule::asked);
        asked.any(|(id, _)| self.schedule.dependence(id) != Dependence::Static)
    }

    /// Evaluates a static stage; false if it is too large to be evaluated as a whole.
    fn evaluate(
        &mut self,
        index: usize,
        demands: &Demands,
        meter: &mut Meter,
        (fuel, bytes): (u64, u64),
    ) -> Result<bool, Exhausted> {
        let stage = &self.schedule.stages[index].clone();
        if stage.rules.is_empty() {
            for &id in &stage.relations {
                let facts = self.facts.remove(&id).unwrap_or_default();
                let arity = self.flat.relations[id.index()].columns.len();
                self.settle(id, Extent::new(facts.iter().map(Vec::as_slice), arity));
            }
            return Ok(true);
        }
        let mut layouts = Layouts::with_room(bytes.min(meter.bytes));
        for &id in &stage.relations {
            self.slots[id.index()] = Some(layouts.add(self.columns(id)));
        }
        let world = self.world(&self.slots, &self.sizes, demands);
        let rules = stage.rules.iter().map(|&r| &self.flat.rules[r]);
        let mut compiler = Compiler::new(&world, &mut layouts, rules);
        let mut fixpoint = Fixpoint::default();
        for &rule in &stage.rules {
            let own = |id: FlatId| self.schedule.stage_of[id.index()] == index;
            fixpoint.add(&mut compiler, (self.flat.origins[rule], 0), &self.flat.rules[rule], own);
        }
        let code = compiler.finish(|_| true, &[]);
        let terms = self.pool.len();
        let mut store = layouts.store(std::mem::take(&mut self.pool));
        for &id in &stage.relations {
            let slot = self.slots[id.index()].unwrap_or(0);
            for row in self.facts.get(&id).into_iter().flatten() {
                store.insert(&layouts, slot, row);
            }
        }
        let job = Job { code: &code, layouts: &layouts, stages: &[] };
        let allowed = (meter.fuel.min(fuel), meter.bytes.min(bytes));
        let work = std::mem::take(&mut meter.work);
        let mut own = Meter { fuel: allowed.0, bytes: allowed.1, work };
        let result = fixpoint.run(job, &mut store, &mut own, |_| u64::MAX);
        meter.fuel -= allowed.0 - own.fuel;
        meter.work = own.work;
        if result.is_err() {
            stage.relations.iter().for_each(|id| self.slots[id.index()] = None);
            store.pool.truncate(terms);
            self.pool = store.pool;
            if meter.fuel > 0 && bytes < u64::MAX {
                return Ok(false);
            }
            meter.bytes = own.bytes;
            return Err(Exhausted);
        }
        for &id in &stage.relations {
            let slot = self.slots[id.index()].take().unwrap_or(0);
            let arity = layouts.relations[slot].columns.len();
            self.settle(id, Extent::new(store.rows(&layouts, slot).map(|(_, row)| row), arity));
            self.facts.remove(&id);
        }
        self.pool = store.pool;
        Ok(true)
    }

    /// Gives every relation that changes a place in the store.
    fn lay_out(&mut self) {
        for index in 0..self.flat.relations.len() {
            let id = FlatId(index as u32);
            if self.schedule.dependence(id) != Dependence::Static {
                let columns = self.columns(id);
                self.slots[index] = Some(self.layouts.add(columns));
            }
        }
    }
}

/// The roles where rules say which there are; sorted by first mention. `None` where finding out
/// takes too much.
pub(crate) fn derived_roles(program: &Program) -> Option<Vec<Symbol>> {
    let flat = FlatProgram::new(program, &[RelId::ROLE], (MAX_RULES, WORK_ON_ROLES)).ok()?;
    let schedule = Schedule::new(&flat).ok()?;
    let mut meter = Meter::new(&Limits { work: WORK_ON_ROLES, bytes: MAX_STATIC.1 }, program);
    let base = Base::new(program, flat, schedule, &mut meter, MAX_STATIC).ok()?;
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

impl FlatAtom {
    /// The row that it stands for, given its variables; `make` says whether whole terms that are
    /// not there are made, or there is no such row.
    pub(crate) fn row(
        &self,
        variables: &[u32],
        universe: &Universe,
        (pool, make): (&mut Pool, bool),
    ) -> Option<Vec<u32>> {
        self.columns.iter().map(|term| value(term, variables, universe, (pool, make))).collect()
    }
}

fn value(
    term: &FlatTerm,
    variables: &[u32],
    universe: &Universe,
    (pool, make): (&mut Pool, bool),
) -> Option<u32> {
    match term {
        FlatTerm::Var(var) => variables.get(*var as usize).copied(),
        FlatTerm::Const(symbol) => Some(universe.value(*symbol)),
        FlatTerm::Pattern(functor, args) => {
            let args = args.iter().map(|a| value(a, variables, universe, (&mut *pool, make)));
            let args = args.collect::<Option<Vec<u32>>>()?.into_iter();
            if make { pool.make(*functor, args) } else { pool.find(*functor, args) }
        }
    }
}

//! Builds what the prover runs: evaluates the relations that never change, lays out the others, and
//! compiles their rules.

use rustc_hash::{FxHashMap, FxHashSet};

use super::actions;
use super::base::{Base, GUESS};
use super::code::Code;
use super::compile::{Compiler, World};
use super::demand::{self, Demands};
use super::flat::{FlatAtom, FlatId, FlatLiteral, FlatProgram, FlatTerm};
use super::frame::{self, Frame};
use super::machine::{Compiled, Exhausted, Job, Machine};
use super::maintenance::{self, Maintenance};
use super::plan::Size;
use super::pool::Pool;
use super::schedule::{Schedule, Stage};
use super::statics::{Extent, Statics};
use super::store::Layouts;
use super::universe::Universe;
use crate::program::{Dependence, Program, RelId};

/// Machine steps and rows that a relation that never changes may take; larger ones are evaluated
/// state by state, where it can be done on demand.
const STATIC_FUEL: u64 = 30_000_000;
const STATIC_ROWS: u64 = 300_000;

/// How a stage is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// As a whole, in every state anew.
    Whole,
    /// For the keys that are asked for.
    OnDemand,
    /// It is kept from state to state, and brought up to what changes.
    Kept,
}

impl Base {
    /// Evaluates what never changes. `fuel` is used up.
    pub(super) fn new(
        program: &Program,
        flat: FlatProgram,
        schedule: Schedule,
        fuel: &mut u64,
        rows: u64,
    ) -> Result<Base, Exhausted> {
        let universe = Universe::new(program, &flat);
        let mut pool = Pool::new(universe.constants());
        let mut facts: FxHashMap<FlatId, Vec<Vec<u32>>> = FxHashMap::default();
        for fact in &flat.facts {
            let row = ground_row(fact, &universe, &mut pool).ok_or(Exhausted)?;
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
                    || !base.evaluate(stage, &demands, fuel, rows)?)
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

    /// Whether a static stage asks for a relation that was too large to evaluate as a whole.
    fn rests_on_postponed(&self, index: usize) -> bool {
        let rules = self.schedule.stages[index].rules.iter();
        let mut asked =
            rules.flat_map(|&r| &self.flat.rules[r].body).filter_map(super::schedule::asked);
        asked.any(|(id, _)| self.schedule.dependence(id) != Dependence::Static)
    }

    /// Evaluates a static stage; false if it is too large to be evaluated as a whole.
    fn evaluate(
        &mut self,
        index: usize,
        demands: &Demands,
        fuel: &mut u64,
        rows: u64,
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
        let mut layouts = Layouts::default();
        for &id in &stage.relations {
            self.slots[id.index()] = Some(layouts.add(self.columns(id)));
        }
        let world = World {
            universe: &self.universe,
            statics: &self.statics,
            slots: &self.slots,
            sizes: &self.sizes,
            demands,
        };
        let rules = stage.rules.iter().map(|&r| &self.flat.rules[r]);
        let mut compiler = Compiler::new(&world, &mut layouts, rules);
        let compiled = self.stage(index, demands, &self.slots, &mut compiler);
        let code = compiler.finish(|_| true, &[]);
        let terms = self.pool.len();
        let mut store = layouts.store(std::mem::take(&mut self.pool));
        let mut machine = Machine::new(&code);
        machine.fuel = (*fuel).min(STATIC_FUEL);
        machine.rows = rows.min(STATIC_ROWS);
        let before = machine.fuel;
        let job = Job { code: &code, layouts: &layouts, stages: &[] };
        let result = compiled.run(job, &mut store, &mut machine);
        *fuel = fuel.saturating_sub(before - machine.fuel);
        if result.is_err() {
            stage.relations.iter().for_each(|id| self.slots[id.index()] = None);
            store.pool.truncate(terms);
            self.pool = store.pool;
            return if *fuel == 0 { Err(Exhausted) } else { Ok(false) };
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

    /// Compiles all stages that change, each to be evaluated in the way that is asked for, if that
    /// is possible.
    pub(super) fn compile(&self, ways: &[Way], sizes: &[Size]) -> Build {
        let lazy: Vec<bool> = ways.iter().map(|&way| way == Way::OnDemand).collect();
        let kept = self.kept(|stage| ways[stage] == Way::Kept);
        let mut sizes = sizes.to_vec();
        for (stage, _) in lazy.iter().enumerate().filter(|&(_, &lazy)| lazy) {
            for id in &self.schedule.stages[stage].relations {
                sizes[id.index()].on_demand = true;
            }
        }
        let demands = Demands::new(&self.flat, &self.schedule, &lazy, &sizes);
        let mut layouts = self.layouts.clone();
        let mut slots = self.slots.clone();
        for &id in &demands.asked {
            let Some(demand) = &demands.of[id.index()] else { continue };
            let columns = self.columns(id);
            let columns = demand.key.iter().map(|&c| columns[c]).collect();
            slots.push(Some(layouts.add(columns)));
            let distinct = demand.key.iter().map(|&c| sizes[id.index()].distinct[c]).collect();
            sizes.push(Size { rows: 4.0, distinct, on_demand: false });
        }
        let mut copies = Vec::new();
        let mut slots_of_kept = slots.clone();
        for id in maintenance::inputs(self, &kept) {
            let copy = layouts.add(self.columns(id));
            copies.extend(slots[id.index()].map(|from| (from, copy)));
            slots_of_kept[id.index()] = Some(copy);
        }
        for (stage, _) in self.schedule.stages.iter().zip(&kept).filter(|(_, kept)| **kept) {
            stage.relations.iter().filter_map(|id| slots[id.index()]).for_each(|slot| {
                layouts.count(slot);
            });
        }
        let relations = layouts.relations.len();
        let world = World {
            universe: &self.universe,
            statics: &self.statics,
            slots: &slots,
            sizes: &sizes,
            demands: &demands,
        };
        let world_of_kept = World { slots: &slots_of_kept, ..world };
        let stages = &self.schedule.stages;
        let changing = stages.iter().filter(|s| s.dependence != Dependence::Static);
        let rules = changing.flat_map(|s| &s.rules).map(|&r| &self.flat.rules[r]);
        let mut compiler = Compiler::new(&world, &mut layouts, rules);
        let compiled = (0..stages.len())
            .map(|stage| match stages[stage].dependence {
                Dependence::Static => Compiled::default(),
                _ if kept[stage] => Compiled::default(),
                _ => self.stage(stage, &demands, &slots, &mut compiler),
            })
            .collect();
        compiler.world = &world_of_kept;
        let mut maintenance =
            Maintenance::new(self, &kept, &slots_of_kept, relations, &mut compiler);
        let read: FxHashSet<usize> = self.read().collect();
        let steps: Vec<(usize, usize)> = self.steps().collect();
        let code = compiler.finish(|slot| read.contains(&slot), &steps);
        for (from, copy) in copies {
            maintenance.copies(&layouts, from, copy);
        }
        maintenance.sort_out(&code, &layouts);
        Build { layouts, code, stages: compiled, demands, slots, kept, maintenance }
    }

    /// The relations whose rows are read outside of rules, by number in the store.
    fn read(&self) -> impl Iterator<Item = usize> {
        let flat = &self.flat;
        let all = [RelId::TRUE, RelId::NEXT, RelId::GOAL, RelId::LEGAL, RelId::SEES].into_iter();
        all.flat_map(|relation| flat.of(relation)).filter_map(|id| {
            let slot = self.slots[id.index()]?;
            let is_legal = flat.relations[id.index()].relation == RelId::LEGAL;
            let by_bits = is_legal && actions::by_bits(&self.layouts.relations[slot]);
            (!by_bits).then_some(slot)
        })
    }

    fn stage(
        &self,
        index: usize,
        demands: &Demands,
        slots: &[Option<usize>],
        compiler: &mut Compiler<'_>,
    ) -> Compiled {
        let stage = &self.schedule.stages[index];
        compiler.stage = index;
        let mut compiled = Compiled::default();
        for &id in &stage.relations {
            if let (Some(slot), Some(rows)) = (slots[id.index()], self.facts.get(&id)) {
                compiled.facts.extend(rows.iter().map(|row| (slot, row.clone())));
            }
        }
        let frame = self.frame(stage, demands);
        let starts = frame.as_ref().and_then(|frame| compiler.frame(frame, stage.relations[0]));
        let stays = starts.as_ref().and(frame.as_ref()).map(|frame| frame.rule);
        compiled.rules.extend(starts.into_iter().flatten());
        for &rule in stage.rules.iter().filter(|&&rule| Some(rule) != stays) {
            for (rule, delta) in demand::variants(&self.flat, &self.schedule, demands, index, rule)
            {
                let cursor = compiler.cursors();
                let Some(start) = compiler.rule(&rule, delta) else { continue };
                let relation = delta.and_then(|delta| match &rule.body[delta] {
                    FlatLiteral::Positive(atom) => slots[atom.relation.index()],
                    _ => None,
                });
                match relation {
                    Some(slot) => compiled.deltas.push((start, slot, cursor)),
                    None => compiled.rules.push(start),
                }
            }
        }
        compiled
    }

    /// What becomes of the facts of a relation, if the stage is one of `next`, and simple.
    fn frame(&self, stage: &Stage, demands: &Demands) -> Option<Frame> {
        let &[relation] = &stage.relations[..] else { return None };
        if self.next_is_read || self.facts.contains_key(&relation) {
            return None;
        }
        Frame::find(&self.flat, &stage.rules, |id| {
            self.slots[id.index()].is_some() && demands.of[id.index()].is_none()
        })
    }
}

/// What the compiler made of a program.
pub(super) struct Build {
    pub(super) layouts: Layouts,
    pub(super) code: Code,
    /// By stage of the schedule.
    pub(super) stages: Vec<Compiled>,
    pub(super) demands: Demands,
    /// By flat relation, and then by relation of keys: its number in the store.
    pub(super) slots: Vec<Option<usize>>,
    /// By stage: whether it is kept.
    pub(super) kept: Vec<bool>,
    pub(super) maintenance: Maintenance,
}

fn ground_row(fact: &FlatAtom, universe: &Universe, pool: &mut Pool) -> Option<Vec<u32>> {
    fact.columns.iter().map(|term| ground(term, universe, pool)).collect()
}

fn ground(term: &FlatTerm, universe: &Universe, pool: &mut Pool) -> Option<u32> {
    match term {
        FlatTerm::Var(_) => None,
        FlatTerm::Const(symbol) => Some(universe.value(*symbol)),
        FlatTerm::Pattern(functor, args) => {
            let args: Option<Vec<u32>> = args.iter().map(|a| ground(a, universe, pool)).collect();
            pool.make(*functor, args?.into_iter())
        }
    }
}

//! Builds what the prover runs: evaluates the relations that never change, lays out the others, and
//! compiles their rules.

use rustc_hash::{FxHashMap, FxHashSet};

use super::actions;
use super::code::Code;
use super::compile::{Compiler, World};
use super::demand::{self, Demands};
use super::flat::{FlatAtom, FlatId, FlatLiteral, FlatProgram, FlatTerm};
use super::frame::{self, Frame};
use super::machine::{Exhausted, Job, Machine};
use super::narrow::{Domain, Domains};
use super::plan::Size;
use super::pool::Pool;
use super::schedule::{Schedule, Stage};
use super::shapes::Shape;
use super::statics::{Extent, Statics};
use super::store::{Column, Layouts, Store};
use super::universe::Universe;
use super::upkeep::{self, Upkeep};
use crate::program::{Dependence, Program, RelId};

/// Rows expected in a relation of which nothing is known.
const GUESS: f64 = 20.0;
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

/// A stage ready to run.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled {
    /// Facts of relations that change for other reasons.
    facts: Vec<(usize, Vec<u32>)>,
    /// Where the rules begin that need no relation of the stage.
    rules: Vec<u32>,
    /// Where those begin that do, once a recursive literal, with the relation whose rows that
    /// literal goes through, and its cursor.
    deltas: Vec<(u32, usize, usize)>,
}

impl Compiled {
    /// Evaluates the stage to its least fixed point.
    pub(super) fn run(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
    ) -> Result<(), Exhausted> {
        for (slot, row) in &self.facts {
            store.insert(job.layouts, *slot, row);
        }
        machine.run(job, store, &self.rules)?;
        self.forget(machine);
        self.go_on(job, store, machine)
    }

    /// The rules, if running them once is all there is to do.
    pub(super) fn plain(&self) -> Option<&[u32]> {
        (self.facts.is_empty() && self.deltas.is_empty()).then_some(&self.rules)
    }

    /// Takes no row of the stage for seen.
    pub(super) fn forget(&self, machine: &mut Machine) {
        for &(_, _, cursor) in &self.deltas {
            machine.cursors[cursor] = 0;
        }
    }

    /// Goes on evaluating with the rows that are new since: semi-naive, row by row.
    pub(super) fn go_on(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
    ) -> Result<(), Exhausted> {
        let mut changing = !self.deltas.is_empty();
        while changing {
            changing = false;
            for &(start, slot, cursor) in &self.deltas {
                if (machine.cursors[cursor] as usize) < store.relations[slot].values.len() {
                    machine.run(job, store, &[start])?;
                    changing = true;
                }
            }
        }
        Ok(())
    }
}

/// Everything about a program that does not depend on how rules are compiled.
pub(super) struct Base {
    pub(super) flat: FlatProgram,
    pub(super) schedule: Schedule,
    pub(super) universe: Universe,
    pub(super) statics: Statics,
    /// Whole terms that facts and relations that do not change hold.
    pub(super) pool: Pool,
    /// Facts of relations that change.
    pub(super) facts: FxHashMap<FlatId, Vec<Vec<u32>>>,
    /// By flat relation: its number in the store, if it changes.
    pub(super) slots: Vec<Option<usize>>,
    /// How the relations of the store are kept, without indexes yet.
    pub(super) layouts: Layouts,
    /// By flat relation; of those that change a guess.
    sizes: Vec<Size>,
    /// What their columns can hold, once that is known.
    pub(super) domains: Option<Domains>,
    /// Whether some rule asks what will be true.
    next_is_read: bool,
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
        base.domains = base.narrow();
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

    /// Takes note of all rows of a relation that does not change.
    fn settle(&mut self, id: FlatId, extent: Extent) {
        let distinct = (0..extent.columns.len()).map(|c| {
            let mut values: Vec<u32> = extent.rows().map(|row| row[c]).collect();
            values.sort_unstable();
            values.dedup();
            values.len() as f64
        });
        self.sizes[id.index()] =
            Size { rows: extent.len as f64, distinct: distinct.collect(), on_demand: false };
        self.statics.relations[id.index()] = Some(extent);
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

    fn columns(&self, id: FlatId) -> Vec<Column> {
        let ranges = self.ranges(id).map(|range| match range {
            Some((low, high, _)) => Column::Range { low, size: high - low + 1 },
            None => Column::Anything,
        });
        ranges.collect()
    }

    /// By column of a relation that changes: the least and the greatest value, and how many there
    /// are, where they are constants.
    fn ranges(&self, id: FlatId) -> impl Iterator<Item = Option<(u32, u32, u32)>> {
        let columns = self.flat.relations[id.index()].columns.iter().enumerate();
        columns.map(move |(column, node)| {
            let node = (*node)?;
            let domain = self.domains.as_ref().and_then(|all| all[id.index()][column].as_ref());
            Some(domain.map_or_else(|| self.universe.range(&self.flat, node), Domain::range))
        })
    }

    /// Sizes of all relations; `rows` says how many rows to expect where they change.
    pub(super) fn sizes(&self, rows: impl Fn(FlatId) -> f64) -> Vec<Size> {
        (0..self.flat.relations.len())
            .map(|index| match &self.statics.relations[index] {
                Some(_) => self.sizes[index].clone(),
                None => self.guessed_size(FlatId(index as u32), rows(FlatId(index as u32))),
            })
            .collect()
    }

    /// The size of a relation with so many rows whose columns take all values that they can.
    fn guessed_size(&self, id: FlatId, rows: f64) -> Size {
        let distinct = self.ranges(id).map(|range| range.map_or(rows, |(.., count)| count.into()));
        Size { rows, distinct: distinct.collect(), on_demand: false }
    }

    /// The rows to expect in a relation that changes before anything was measured.
    pub(super) fn guess(&self, id: FlatId) -> f64 {
        match self.flat.relations[id.index()].relation {
            RelId::DOES => 1.0,
            RelId::TRUE => {
                let init = self.flat.counterpart(id, RelId::INIT);
                let rows = self.statics.relations[init.index()].as_ref().map_or(0, |e| e.len);
                (rows as f64).max(1.0)
            }
            _ => GUESS,
        }
    }

    /// Compiles all stages that change, each to be evaluated in the way that is asked for, if that is
    /// possible.
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
        for id in upkeep::inputs(self, &kept) {
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
        let mut upkeep = Upkeep::new(self, &kept, &slots_of_kept, relations, &mut compiler);
        let read: FxHashSet<usize> = self.read().collect();
        let steps: Vec<(usize, usize)> = self.steps().collect();
        let code = compiler.finish(|slot| read.contains(&slot), &steps);
        for (from, copy) in copies {
            upkeep.copies(&layouts, from, copy);
        }
        upkeep.sort_out(&code, &layouts);
        Build { layouts, code, stages: compiled, demands, slots, kept, upkeep }
    }

    /// The flat relations of `true` and of `next`, by number in the store.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, usize)> {
        let slot = |id: FlatId| self.slots[id.index()].unwrap_or(0);
        let all = self.flat.of(RelId::TRUE);
        all.map(move |id| (slot(id), slot(self.flat.counterpart(id, RelId::NEXT))))
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

    /// Whether a stage that is not evaluated as a whole may be evaluated on demand: not where it
    /// has facts, which would have to be asked for one by one.
    pub(super) fn may_be_lazy(&self, stage: usize) -> bool {
        let relations = &self.schedule.stages[stage].relations;
        demand::is_candidate(&self.flat, &self.schedule, stage)
            && relations.iter().all(|id| !self.facts.contains_key(id))
    }

    /// The terms that a row of a flat relation stands for are made from its shape: the constant or
    /// column that gives an argument, where it is a constant.
    pub(super) fn argument(&self, id: FlatId, argument: usize) -> Argument {
        let relation = &self.flat.relations[id.index()];
        let column = relation.shapes[..argument].iter().map(Shape::columns).sum();
        match &relation.shapes[argument] {
            Shape::Constant(_) | Shape::Anything => Argument::Column(column),
            Shape::Exactly(symbol) => Argument::Value(self.universe.value(*symbol)),
            Shape::Compound(..) => Argument::Compound,
        }
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
    pub(super) upkeep: Upkeep,
}

/// Where to find an argument in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// In this column.
    Column(usize),
    /// It is this value in all rows.
    Value(u32),
    /// It is a compound term over several columns.
    Compound,
}

impl Argument {
    /// The value in a row; `None` for compound terms.
    #[inline]
    pub(super) fn of(self, row: &[u32]) -> Option<u32> {
        match self {
            Argument::Column(column) => Some(row[column]),
            Argument::Value(value) => Some(value),
            Argument::Compound => None,
        }
    }
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

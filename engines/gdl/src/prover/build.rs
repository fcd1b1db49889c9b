//! Builds what the prover runs: has the rules for what changes compiled.

use rustc_hash::FxHashSet;

use super::actions;
use super::maintenance::{self, Maintenance};
use crate::datalog::base::Base;
use crate::datalog::code::Code;
use crate::datalog::compile::Compiler;
use crate::datalog::demand::{self, Demands};
use crate::datalog::frame::Frame;
use crate::datalog::layout::Layouts;
use crate::datalog::machine::Compiled;
use crate::datalog::plan::Size;
use crate::datalog::schedule::Stage;
use crate::program::{Dependence, RelId};

/// The strategy by which a stage is evaluated. The best one is found by random playouts when the
/// game is compiled (`tune`): a strategy stays if playouts take fewer machine steps with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StageStrategy {
    /// Evaluated as a whole, in every state anew: if nothing else is quicker.
    Whole,
    /// For the keys that are asked for (magic sets): where few of its tuples are ever asked for.
    OnDemand,
    /// It is kept from state to state, and brought up to what changes (incremental view
    /// maintenance): where little of it changes, and what it rests on is kept as well.
    Kept,
}

/// The compiled form of a program.
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

impl Build {
    /// Compiles all stages that change, each to be evaluated in the way that is asked for, if that
    /// is possible.
    pub(super) fn new(base: &Base, ways: &[StageStrategy], sizes: &[Size]) -> Build {
        let lazy: Vec<bool> = ways.iter().map(|&way| way == StageStrategy::OnDemand).collect();
        let kept = maintenance::kept(base, |stage| ways[stage] == StageStrategy::Kept);
        let mut sizes = sizes.to_vec();
        for (stage, _) in lazy.iter().enumerate().filter(|&(_, &lazy)| lazy) {
            for id in &base.schedule.stages[stage].relations {
                sizes[id.index()].on_demand = true;
            }
        }
        let demands = Demands::new(&base.flat, &base.schedule, &lazy, &sizes);
        let mut layouts = base.layouts.clone();
        let mut slots = base.slots.clone();
        for &id in &demands.asked {
            let Some(demand) = &demands.of[id.index()] else { continue };
            let columns = base.columns(id);
            let columns = demand.key.iter().map(|&c| columns[c]).collect();
            slots.push(Some(layouts.add(columns)));
            let distinct = demand.key.iter().map(|&c| sizes[id.index()].distinct[c]).collect();
            sizes.push(Size { rows: 4.0, distinct, on_demand: false });
        }
        let mut copies = Vec::new();
        let mut slots_of_kept = slots.clone();
        for id in maintenance::inputs(base, &kept) {
            let copy = layouts.add(base.columns(id));
            copies.extend(slots[id.index()].map(|from| (from, copy)));
            slots_of_kept[id.index()] = Some(copy);
        }
        for (stage, _) in base.schedule.stages.iter().zip(&kept).filter(|(_, kept)| **kept) {
            stage.relations.iter().filter_map(|id| slots[id.index()]).for_each(|slot| {
                layouts.count(slot);
            });
        }
        let relations = layouts.relations.len();
        let world = base.world(&slots, &sizes, &demands);
        let world_of_kept = base.world(&slots_of_kept, &sizes, &demands);
        let stages = &base.schedule.stages;
        let changing = stages.iter().filter(|s| s.dependence != Dependence::Static);
        let rules = changing.flat_map(|s| &s.rules).map(|&r| &base.flat.rules[r]);
        let mut compiler = Compiler::new(&world, &mut layouts, rules);
        let compiled = (0..stages.len())
            .map(|stage| match stages[stage].dependence {
                Dependence::Static => Compiled::default(),
                _ if kept[stage] => Compiled::default(),
                _ => compile_stage(base, stage, &demands, &slots, &mut compiler),
            })
            .collect();
        compiler.world = &world_of_kept;
        let mut maintenance =
            Maintenance::new(base, &kept, &slots_of_kept, relations, &mut compiler);
        let read: FxHashSet<usize> = rows_read(base).collect();
        let steps: Vec<(usize, usize)> = base.steps().collect();
        let code = compiler.finish(|slot| read.contains(&slot), &steps);
        for (from, copy) in copies {
            maintenance.copies(&layouts, from, copy);
        }
        maintenance.sort_out(&code, &layouts);
        Build { layouts, code, stages: compiled, demands, slots, kept, maintenance }
    }
}

/// The relations whose rows are read outside of rules, by number in the store.
fn rows_read(base: &Base) -> impl Iterator<Item = usize> {
    let flat = &base.flat;
    let all = [RelId::TRUE, RelId::NEXT, RelId::GOAL, RelId::LEGAL, RelId::SEES].into_iter();
    all.flat_map(|relation| flat.of(relation)).filter_map(|id| {
        let slot = base.slots[id.index()]?;
        let is_legal = flat.relations[id.index()].relation == RelId::LEGAL;
        let by_bits = is_legal && actions::by_bits(&base.layouts.relations[slot]);
        (!by_bits).then_some(slot)
    })
}

fn compile_stage(
    base: &Base,
    index: usize,
    demands: &Demands,
    slots: &[Option<usize>],
    compiler: &mut Compiler<'_>,
) -> Compiled {
    let stage = &base.schedule.stages[index];
    compiler.stage = index;
    let mut compiled = Compiled::default();
    for &id in &stage.relations {
        if let (Some(slot), Some(rows)) = (slots[id.index()], base.facts.get(&id)) {
            compiled.facts.extend(rows.iter().map(|row| (slot, row.clone())));
        }
    }
    let frame = frame(base, stage, demands);
    let starts = frame.as_ref().and_then(|frame| compiler.frame(frame, stage.relations[0]));
    let stays = starts.as_ref().and(frame.as_ref()).map(|frame| frame.rule);
    compiled.rules.extend(starts.into_iter().flatten());
    for &rule in stage.rules.iter().filter(|&&rule| Some(rule) != stays) {
        for (rule, delta) in demand::variants(&base.flat, &base.schedule, demands, index, rule) {
            match compiler.variant(&rule, delta) {
                Some((start, Some((slot, cursor)))) => {
                    compiled.deltas.push((start, slot, cursor));
                }
                Some((start, None)) => compiled.rules.push(start),
                None => {}
            }
        }
    }
    compiled
}

/// The frame axiom of a relation, if the stage is one of `next`, and simple.
fn frame(base: &Base, stage: &Stage, demands: &Demands) -> Option<Frame> {
    let &[relation] = &stage.relations[..] else { return None };
    if base.next_is_read || base.facts.contains_key(&relation) {
        return None;
    }
    Frame::find(&base.flat, &stage.rules, |id| {
        base.slots[id.index()].is_some() && demands.of[id.index()].is_none()
    })
}

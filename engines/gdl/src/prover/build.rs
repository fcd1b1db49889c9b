//! Builds what the prover runs: has the rules for what changes compiled.

use rustc_hash::FxHashSet;

use super::actions;
use super::maintenance::{self, Maintenance};
use crate::datalog::base::Base;
use crate::datalog::code::Code;
use crate::datalog::compile::Compiler;
use crate::datalog::demand::{self, Demands};
use crate::datalog::frame::Frame;
use crate::datalog::machine::Compiled;
use crate::datalog::plan::Size;
use crate::datalog::schedule::Stage;
use crate::datalog::store::Layouts;
use crate::program::{Dependence, RelId};

/// How a stage is evaluated. Which is best is tried out on random playouts when the game is
/// compiled (`tune`): a strategy stays if playouts take fewer machine steps with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StageStrategy {
    /// As a whole, in every state anew: where nothing else is quicker.
    Whole,
    /// For the keys that are asked for (magic sets): where few of its tuples are ever asked for.
    OnDemand,
    /// It is kept from state to state, and brought up to what changes (incremental view
    /// maintenance): where little of it changes, and what it rests on is kept as well.
    Kept,
}

impl Base {
    /// Compiles all stages that change, each to be evaluated in the way that is asked for, if that
    /// is possible.
    pub(super) fn compile(&self, ways: &[StageStrategy], sizes: &[Size]) -> Build {
        let lazy: Vec<bool> = ways.iter().map(|&way| way == StageStrategy::OnDemand).collect();
        let kept = self.kept(|stage| ways[stage] == StageStrategy::Kept);
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
        let world = self.world(&slots, &sizes, &demands);
        let world_of_kept = self.world(&slots_of_kept, &sizes, &demands);
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

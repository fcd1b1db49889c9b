//! Everything that can hold: the rules evaluated without negative literals of what changes, a
//! proposition being possible if `init` or `next` is, and an action if it may be legal.

use super::rules::{Rule, Rules};
use crate::datalog::base::Base;
use crate::datalog::compile::{Compiler, World};
use crate::datalog::demand::Demands;
use crate::datalog::domain::Domain;
use crate::datalog::fixpoint::{Fixpoint, Meter};
use crate::datalog::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::machine::{Exhausted, Job};
use crate::datalog::plan::Size;
use crate::datalog::schedule::asked;
use crate::datalog::statics::Extent;
use crate::datalog::store::Layouts;
use crate::program::RelId;

/// The facts of a relation that can hold, row after row.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) len: u32,
    pub(super) values: Vec<u32>,
}

impl Facts {
    /// From rows of which none is there twice.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a [u32]>) -> Facts {
        let mut facts = Facts::default();
        for row in rows {
            facts.values.extend_from_slice(row);
            facts.len += 1;
        }
        facts
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let arity = self.values.len() / (self.len as usize).max(1);
        (0..self.len as usize).map(move |number| &self.values[number * arity..][..arity])
    }

    /// How many there are, and how many different values each column has.
    pub(super) fn size(&self, arity: usize) -> Size {
        let mut domains = vec![Domain::default(); arity];
        for row in self.rows() {
            domains.iter_mut().zip(row).for_each(|(domain, &value)| domain.add(value));
        }
        let distinct = domains.iter().map(|domain| domain.range().2.into()).collect();
        Size { rows: self.len.into(), distinct, on_demand: false }
    }
}

/// All flat relations.
pub(super) fn ids(base: &Base) -> impl Iterator<Item = FlatId> + use<> {
    (0..base.flat.relations.len() as u32).map(FlatId)
}

/// The relation whose facts are those of another: what may be legal may be done.
pub(super) fn stored(base: &Base, id: FlatId) -> FlatId {
    match base.flat.relations[id.index()].relation {
        RelId::DOES => base.flat.counterpart(id, RelId::LEGAL),
        _ => id,
    }
}

/// What is asserted of what changes.
pub(super) fn asserted(base: &Base) -> Vec<Facts> {
    let facts = ids(base).map(|id| {
        let arity = base.flat.relations[id.index()].columns.len();
        let rows = base.facts.get(&id).into_iter().flatten().map(Vec::as_slice);
        // They may be asserted twice.
        let own = Extent::new(rows, arity);
        let init = match base.flat.relations[id.index()].relation {
            RelId::TRUE => &base.statics.relations[base.flat.counterpart(id, RelId::INIT).index()],
            _ => &None,
        };
        Facts::new(init.as_ref().unwrap_or(&own).rows())
    });
    facts.collect()
}

/// Adds what can hold by some of the rules to the facts; if there is no end to that, what was found
/// before.
pub(super) fn possible(
    base: &mut Base,
    rules: &Rules,
    (facts, meter): (&mut [Facts], &mut Meter),
    which: impl Fn(&Rule) -> bool,
) -> Result<(), Exhausted> {
    let pool = std::mem::take(&mut base.pool);
    let base_now: &Base = base;
    let flat = &base_now.flat;
    // What is negative and changes may not hold. The numbers are those of the meter.
    let undecided =
        |l: &FlatLiteral| matches!(l, FlatLiteral::Negative(atom) if base_now.changes(atom.relation));
    let relaxed = |rule: &Rule| {
        let mut relaxed = rule.flat.clone();
        relaxed.body.retain(|literal| !undecided(literal));
        (rule.origin, relaxed)
    };
    let mut all: Vec<(usize, FlatRule)> = rules.all.iter().filter(|r| which(r)).map(relaxed).collect();
    // What is next will be true.
    if all.iter().any(|(_, rule)| flat.relations[rule.head.relation.index()].relation == RelId::NEXT) {
        for id in flat.of(RelId::TRUE) {
            let variables = flat.relations[id.index()].columns.len() as u32;
            let columns: Vec<FlatTerm> = (0..variables).map(FlatTerm::Var).collect();
            let next = flat.counterpart(id, RelId::NEXT);
            let body = vec![FlatLiteral::Positive(FlatAtom { relation: next, columns: columns.clone() })];
            let head = FlatAtom { relation: id, columns };
            all.push((meter.work.len() - 1, FlatRule { head, body, variables }));
        }
    }
    let mut grows = vec![false; facts.len()];
    let mut needed = grows.clone();
    for (_, rule) in &all {
        grows[rule.head.relation.index()] = true;
        needed[rule.head.relation.index()] = true;
        let body = rule.body.iter().filter_map(asked);
        body.for_each(|(id, _)| needed[stored(base_now, id).index()] |= base_now.changes(id));
    }
    let mut layouts = Layouts::default();
    // Bits take as much as an eighth of the memory, and are found faster than rows.
    layouts.spare = meter.bytes.min(1 << 31);
    let mut slots = vec![None; facts.len()];
    for id in ids(base_now).filter(|id| needed[id.index()]) {
        slots[id.index()] = Some(layouts.add(base_now.columns(id)));
    }
    for id in flat.of(RelId::DOES) {
        slots[id.index()] = slots[stored(base_now, id).index()];
        grows[id.index()] = grows[stored(base_now, id).index()];
    }
    // Most of what could hold by the domains of its columns can.
    let sizes = base_now.sizes(|id| {
        let counts = base_now.ranges(id).map(|range| range.map_or(1e3, |(.., count)| count.into()));
        counts.product::<f64>().min(1e9)
    });
    let demands = Demands::none(flat);
    let world = World {
        universe: &base_now.universe,
        statics: &base_now.statics,
        slots: &slots,
        sizes: &sizes,
        demands: &demands,
    };
    let mut compiler = Compiler::new(&world, &mut layouts, all.iter().map(|(_, rule)| rule));
    let mut fixpoint = Fixpoint::default();
    for (origin, rule) in &all {
        let stratum = base_now.schedule.stage_of[rule.head.relation.index()];
        fixpoint.add(&mut compiler, (*origin, stratum), rule, |id| grows[id.index()]);
    }
    let code = compiler.finish(|_| true, &[]);
    let mut store = layouts.store(pool);
    for (facts, slot) in facts.iter_mut().zip(&slots) {
        if let Some(slot) = *slot {
            std::mem::take(facts).rows().for_each(|row| _ = store.insert(&layouts, slot, row));
        }
    }
    meter.bytes = meter.bytes.saturating_sub(store.bytes() as u64);
    let job = Job { code: &code, layouts: &layouts, stages: &[] };
    let result = fixpoint.run(job, &mut store, meter, |origin| rules.most(origin));
    for id in ids(base_now) {
        if let (Some(slot), true) = (slots[id.index()], stored(base_now, id) == id) {
            facts[id.index()] = Facts::new(store.rows(&layouts, slot).map(|(_, row)| row));
            store.relations[slot].values = Vec::new();
        }
    }
    base.pool = store.pool;
    result
}

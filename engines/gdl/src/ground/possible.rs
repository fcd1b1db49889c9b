//! Everything that can hold: the rules evaluated without negative literals of what changes, a
//! proposition being possible if `init` or `next` is, and an action if it may be legal.

use super::facts::{Facts, Known, ids, stored};
use super::rules::{Rule, Rules};
use crate::datalog::base::Base;
use crate::datalog::compile::Compiler;
use crate::datalog::demand::Demands;
use crate::datalog::fixpoint::{Fixpoint, Meter};
use crate::datalog::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::layout::Layouts;
use crate::datalog::machine::{Exhausted, Job};
use crate::datalog::schedule::asked;
use crate::program::RelId;

/// Values expected in a column of whole terms.
const TERMS: f64 = 1e3;
/// Facts expected in a relation at most.
const MOST: f64 = 1e9;

/// Adds what can hold by some of the rules to what is known; what was found so far, if that does
/// not come to its end. `most` says how many steps a rule of the program may take.
pub(super) fn possible(
    base: &Base,
    rules: &Rules,
    known: &mut Known,
    meter: &mut Meter,
    which: impl Fn(&Rule) -> bool,
    most: impl Fn(usize) -> u64,
) -> Result<(), Exhausted> {
    let relation = |id: FlatId| base.flat.relations[id.index()].relation;
    let all = rules.all.iter().filter(|rule| which(rule));
    let mut all: Vec<(usize, FlatRule)> =
        all.map(|rule| (rule.origin, relaxed(base, &rule.flat))).collect();
    if all.iter().any(|(_, rule)| relation(rule.head.relation) == RelId::NEXT) {
        let own = meter.work.len() - 1;
        all.extend(base.flat.of(RelId::TRUE).map(|id| (own, becomes_true(base, id))));
    }
    let mut grows = vec![false; known.facts.len()];
    let mut needed = grows.clone();
    for (_, rule) in &all {
        grows[rule.head.relation.index()] = true;
        needed[rule.head.relation.index()] = true;
        let body = rule.body.iter().filter_map(asked).filter(|&(id, _)| base.changes(id));
        body.for_each(|(id, _)| needed[stored(base, id).index()] = true);
    }
    let mut layouts = Layouts::with_room(meter.bytes);
    let slot = |id: FlatId| needed[id.index()].then(|| layouts.add(base.columns(id)));
    let own: Vec<Option<usize>> = ids(base).map(slot).collect();
    let slots: Vec<Option<usize>> = ids(base).map(|id| own[stored(base, id).index()]).collect();
    // Most of what could hold by the domains of its columns can.
    let sizes = base.sizes(|id| {
        let counts = base.ranges(id).map(|range| range.map_or(TERMS, |(.., count)| count.into()));
        counts.product::<f64>().min(MOST)
    });
    let demands = Demands::none(&base.flat);
    let world = base.world(&slots, &sizes, &demands);
    let mut compiler = Compiler::new(&world, &mut layouts, all.iter().map(|(_, rule)| rule));
    let mut fixpoint = Fixpoint::default();
    for (origin, rule) in &all {
        let stratum = base.schedule.stage_of[rule.head.relation.index()];
        let grows = |id| grows[stored(base, id).index()];
        fixpoint.add(&mut compiler, (*origin, stratum), rule, grows);
    }
    let code = compiler.finish(|_| true, &[]);
    let mut store = layouts.store(std::mem::take(&mut known.pool));
    for (facts, slot) in known.facts.iter_mut().zip(&own) {
        if let Some(slot) = *slot {
            std::mem::take(facts).rows().for_each(|row| _ = store.insert(&layouts, slot, row));
        }
    }
    meter.bytes = meter.bytes.saturating_sub(store.bytes() as u64);
    let job = Job { code: &code, layouts: &layouts, stages: &[] };
    let result = fixpoint.run(job, &mut store, meter, most);
    for (facts, slot) in known.facts.iter_mut().zip(own) {
        if let Some(slot) = slot {
            *facts = Facts::take(&mut store, &layouts, slot);
        }
    }
    known.pool = store.pool;
    result
}

/// A rule without what is negative and changes, which may well not hold.
fn relaxed(base: &Base, rule: &FlatRule) -> FlatRule {
    let decided = |literal: &&FlatLiteral| match literal {
        FlatLiteral::Negative(atom) => !base.changes(atom.relation),
        _ => true,
    };
    let body = rule.body.iter().filter(decided).cloned().collect();
    FlatRule { head: rule.head.clone(), body, variables: rule.variables }
}

/// The rule by which whatever is next will be true.
fn becomes_true(base: &Base, id: FlatId) -> FlatRule {
    let variables = base.flat.relations[id.index()].columns.len() as u32;
    let columns: Vec<FlatTerm> = (0..variables).map(FlatTerm::Var).collect();
    let next = base.flat.counterpart(id, RelId::NEXT);
    let body = vec![FlatLiteral::Positive(FlatAtom { relation: next, columns: columns.clone() })];
    FlatRule { head: FlatAtom { relation: id, columns }, body, variables }
}

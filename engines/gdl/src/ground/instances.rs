//! Every instance of a rule over what can hold. Facts have their numbers as a column more, so that
//! what a rule finds is the numbers of an instance's atoms.

use std::collections::BTreeMap;

use super::facts::{Facts, Known, ids, stored};
use super::program::{AtomId, GroundRules};
use super::rules::Rules;
use crate::datalog::base::Base;
use crate::datalog::compile::Compiler;
use crate::datalog::demand::Demands;
use crate::datalog::fixpoint::{LEAST, Meter};
use crate::datalog::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::layout::{Column, Layouts};
use crate::datalog::machine::{Exhausted, Job, Machine};
use crate::datalog::plan::Size;
use crate::datalog::store::{NONE, Store};

/// Instances of a rule that can be taken apart, before that is done.
pub(super) const MANY: u64 = 30_000;

/// The query for a rule's instances, and what becomes of its rows.
struct Record {
    /// The rule that finds them: numbers of the head and of positive literals, and variables.
    rule: FlatRule,
    /// True if it may find one more than once, for values that nobody is told.
    repeats: bool,
    /// The relations of these numbers.
    numbered: Vec<FlatId>,
    variables: Vec<u32>,
    negated: Vec<FlatAtom>,
}

impl Record {
    fn new(base: &Base, rule: &FlatRule) -> Record {
        let (mut numbered, mut negated, mut body) = (Vec::new(), Vec::new(), Vec::new());
        let (mut told, mut hidden) = (Vec::new(), Vec::new());
        let mut next = rule.variables;
        let mut number = |atom: &FlatAtom| {
            numbered.push(atom.relation);
            told.extend(atom.variables());
            let mut columns = atom.columns.clone();
            columns.push(FlatTerm::Var(next));
            next += 1;
            FlatLiteral::Positive(FlatAtom { relation: atom.relation, columns })
        };
        let head = number(&rule.head);
        for literal in &rule.body {
            match literal {
                FlatLiteral::Positive(atom) if base.changes(atom.relation) => {
                    body.push(number(atom));
                }
                FlatLiteral::Negative(atom) if base.changes(atom.relation) => {
                    negated.push(atom.clone());
                }
                FlatLiteral::Positive(_) => {
                    hidden.extend(literal.variables());
                    body.push(literal.clone());
                }
                _ => body.push(literal.clone()),
            }
        }
        body.push(head);
        let mut variables: Vec<u32> = negated.iter().flat_map(FlatAtom::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        told.extend_from_slice(&variables);
        let repeats = hidden.iter().any(|var| !told.contains(var));
        let columns: Vec<FlatTerm> =
            (rule.variables..next).chain(variables.iter().copied()).map(FlatTerm::Var).collect();
        // It is yet to be said which relation takes them.
        let rule =
            FlatRule { head: FlatAtom { columns, ..rule.head.clone() }, body, variables: next };
        Record { rule, repeats, numbered, variables, negated }
    }
}

/// Rules that are to be asked for their instances, and how what they ask for is kept.
struct Questions {
    /// With the places of the rules.
    records: Vec<(usize, Record)>,
    layouts: Layouts,
    slots: Vec<Option<usize>>,
    sizes: Vec<Size>,
    /// By flat relation: the index over all columns, if facts are looked for.
    keys: Vec<usize>,
}

impl Questions {
    /// The questions of all rules that have no instances yet.
    fn new(base: &Base, rules: &Rules, known: &Known) -> Questions {
        let n = known.facts.len();
        let (mut layouts, mut slots) = (Layouts::default(), vec![None; n]);
        let mut sizes = base.sizes.clone();
        let new = rules.all.iter().enumerate().filter(|(_, rule)| rule.ground.is_none());
        let mut records: Vec<(usize, Record)> =
            new.map(|(at, rule)| (at, Record::new(base, &rule.flat))).collect();
        for (_, record) in &records {
            let negated = record.negated.iter().map(|atom| atom.relation);
            for id in record.numbered.iter().copied().chain(negated) {
                let own = stored(base, id).index();
                if slots[own].is_none() {
                    let mut columns = base.columns(id);
                    sizes[own] = known.facts[own].size(columns.len());
                    columns.push(Column::Anything);
                    slots[own] = Some(layouts.add_bag(columns, known.facts[own].len));
                }
                (slots[id.index()], sizes[id.index()]) = (slots[own], sizes[own].clone());
            }
        }
        let mut keys = vec![0; n];
        for atom in records.iter().flat_map(|(_, record)| &record.negated) {
            if let Some(slot) = slots[atom.relation.index()] {
                let all: Vec<usize> = (0..atom.columns.len()).collect();
                keys[atom.relation.index()] = layouts.index(slot, &all);
            }
        }
        // Relations for what is found: one for each width.
        let mut kinds: BTreeMap<(usize, bool), FlatId> = BTreeMap::new();
        for (_, record) in &mut records {
            let head = &mut record.rule.head;
            let kind = (head.columns.len(), record.repeats);
            head.relation = *kinds.entry(kind).or_insert_with(|| {
                let columns = vec![Column::Anything; kind.0];
                let slot = if kind.1 { layouts.add(columns) } else { layouts.add_bag(columns, 0) };
                slots.push(Some(slot));
                FlatId(slots.len() as u32 - 1)
            });
        }
        Questions { records, layouts, slots, sizes, keys }
    }
}

/// Finds the instances of all rules that have none yet. Those of a rule that can be taken apart are
/// left out where there are many; `counts` says how many were found, by rule of the program.
pub(super) fn instances(
    base: &Base,
    rules: &mut Rules,
    known: &mut Known,
    meter: &mut Meter,
    counts: &mut [u64],
) -> Result<(), Exhausted> {
    let questions = Questions::new(base, rules, known);
    let Questions { records, mut layouts, slots, sizes, keys } = questions;
    let first = known.first_atoms(base);
    let demands = Demands::none(&base.flat);
    let world = base.world(&slots, &sizes, &demands);
    let mut compiler = Compiler::new(&world, &mut layouts, records.iter().map(|(_, r)| &r.rule));
    let starts: Vec<Option<u32>> =
        records.iter().map(|(_, record)| compiler.rule(&record.rule, None)).collect();
    let code = compiler.finish(|_| true, &[]);
    let mut store = layouts.store(std::mem::take(&mut known.pool));
    let own = |id: FlatId| slots[id.index()].filter(|_| stored(base, id) == id);
    let mut row = Vec::new();
    for (id, facts) in ids(base).zip(&mut known.facts) {
        let Some(slot) = own(id) else { continue };
        for (number, fact) in (0..).zip(std::mem::take(facts).rows()) {
            row.clear();
            row.extend_from_slice(fact);
            row.push(number);
            store.append(&layouts, slot, &row);
        }
    }
    let bytes = (store.bytes() as u64).min(meter.bytes);
    meter.bytes -= bytes;
    let job = Job { code: &code, layouts: &layouts, stages: &[] };
    let mut machine = Machine::new(&code);
    let mut numbered = Numbered { base, layouts: &layouts, store, slots: &slots, keys, first };
    let mut ask = |at: usize, record: &Record, start: Option<u32>| {
        let rule = &mut rules.all[at];
        let (Some(start), Some(slot)) = (start, slots[record.rule.head.relation.index()]) else {
            rule.ground = Some(GroundRules::default());
            return Ok(());
        };
        let left = meter.bytes;
        let most = (u64::MAX, if rule.is_splittable { MANY + 1 } else { u64::MAX });
        let store = &mut numbered.store;
        let result = meter.run(&mut machine, (job, store), (rule.origin, start, slot), most);
        let found = u64::from(store.relations[slot].len);
        counts[rule.origin] += found;
        if !rule.is_splittable || found <= MANY {
            result?;
            let ground = numbered.ground(record, slot);
            meter.bytes = left.saturating_sub(ground.bytes());
            rule.ground = Some(ground);
        } else {
            meter.bytes = left;
        }
        numbered.store.clear(&layouts, slot);
        if meter.bytes < LEAST { Err(Exhausted) } else { Ok(()) }
    };
    let mut all = records.iter().zip(starts);
    let result = all.try_for_each(|((at, record), start)| ask(*at, record, start));
    if result.is_ok() {
        meter.bytes += bytes;
    }
    let mut store = numbered.store;
    for (id, facts) in ids(base).zip(&mut known.facts) {
        let Some(slot) = own(id) else { continue };
        let rows = store.rows(&layouts, slot).map(|(_, row)| &row[..row.len() - 1]);
        *facts = Facts::new(rows);
        store.relations[slot].values = Vec::new();
    }
    known.pool = store.pool;
    result
}

/// The facts by number.
struct Numbered<'a> {
    base: &'a Base,
    layouts: &'a Layouts,
    store: Store,
    slots: &'a [Option<usize>],
    /// By flat relation: the index over all columns, if facts are looked for.
    keys: Vec<usize>,
    /// By flat relation: the atom of its first fact.
    first: Vec<u32>,
}

impl Numbered<'_> {
    fn atom(&self, id: FlatId, number: u32) -> AtomId {
        AtomId(self.first[id.index()] + number)
    }

    /// The atom of a fact, if it can hold.
    fn find(&self, id: FlatId, row: &[u32]) -> Option<AtomId> {
        let slot = self.slots[id.index()]?;
        let index = self.keys[id.index()];
        let place = match &self.layouts.relations[slot].indexes[index].dense {
            Some((dense, heads)) => self.store.heads[*heads as usize + dense.number(row)?],
            None => self.store.find_hashed(self.layouts, slot, index, row)?,
        };
        let values = &self.store.relations[slot].values;
        (place != NONE).then(|| self.atom(id, values[place as usize + row.len()]))
    }

    /// The ground rules that the instances of a rule are.
    fn ground(&mut self, record: &Record, slot: usize) -> GroundRules {
        let mut rules = GroundRules::default();
        let mut variables = vec![0; record.rule.variables as usize];
        let values = std::mem::take(&mut self.store.relations[slot].values);
        let stride = self.store.relations[slot].stride as usize;
        let mut literals = Vec::new();
        for row in values.chunks_exact(stride) {
            let (numbers, own) = row.split_at(record.numbered.len());
            for (&var, &value) in record.variables.iter().zip(own) {
                variables[var as usize] = value;
            }
            let mut atoms = record.numbered.iter().zip(numbers).map(|(&id, &n)| self.atom(id, n));
            let Some(head) = atoms.next() else { continue };
            literals.clear();
            literals.extend(atoms.map(AtomId::positive));
            for atom in &record.negated {
                let pool = (&mut self.store.pool, false);
                let row = atom.row(&variables, &self.base.universe, pool);
                let found = row.and_then(|row| self.find(atom.relation, &row));
                literals.extend(found.map(AtomId::negative));
            }
            rules.push(head, literals.iter().copied());
        }
        self.store.relations[slot].values = values;
        rules
    }
}

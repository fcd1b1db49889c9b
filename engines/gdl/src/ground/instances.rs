//! Every instance of a rule over what can hold. Facts have their numbers as a column more, so that
//! what a rule finds is the numbers of an instance's atoms.

use std::collections::BTreeMap;

use super::possible::{Facts, ids, stored};
use super::rules::Rules;
use crate::datalog::base::Base;
use crate::datalog::compile::{Compiler, World};
use crate::datalog::demand::Demands;
use crate::datalog::fixpoint::Meter;
use crate::datalog::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::machine::{Exhausted, Job, Machine};
use crate::datalog::store::{Column, Layouts, NONE, Store};
use crate::ground::program::{AtomId, GroundRules};
use crate::program::RelId;

/// Instances of a rule that can be taken apart, before that is done.
pub(super) const MANY: u64 = 30_000;

/// What there is to know of a rule's instances.
struct Record {
    /// The rule that finds them: numbers of the head and of positive literals, and variables.
    rule: FlatRule,
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
            atom.columns.iter().for_each(|c| c.for_each_variable(&mut |var| told.push(var)));
            let mut columns = atom.columns.clone();
            columns.push(FlatTerm::Var(next));
            next += 1;
            FlatLiteral::Positive(FlatAtom { relation: atom.relation, columns })
        };
        let head = number(&rule.head);
        for literal in &rule.body {
            match literal {
                FlatLiteral::Positive(atom) if base.changes(atom.relation) => body.push(number(atom)),
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
        let mut variables: Vec<u32> = Vec::new();
        for atom in &negated {
            atom.columns.iter().for_each(|c| c.for_each_variable(&mut |var| variables.push(var)));
        }
        variables.sort_unstable();
        variables.dedup();
        told.extend_from_slice(&variables);
        // Whether an instance may be found more than once, for values that nobody is told.
        let repeats = hidden.iter().any(|var| !told.contains(var));
        let columns: Vec<FlatTerm> =
            (rule.variables..next).chain(variables.iter().copied()).map(FlatTerm::Var).collect();
        // The relation that takes them is of its own kind for each width.
        let relation = FlatId(2 * columns.len() as u32 + u32::from(repeats));
        let rule = FlatRule { head: FlatAtom { relation, columns }, body, variables: next };
        Record { rule, numbered, variables, negated }
    }
}

/// Finds the instances of all rules that have none yet. Those of a rule that can be taken apart are
/// left out where there are many; `counts` says how many were found, by rule of the program.
pub(super) fn instances(
    base: &mut Base,
    rules: &mut Rules,
    facts: &mut [Facts],
    meter: &mut Meter,
    counts: &mut [u64],
) -> Result<(), Exhausted> {
    let mut layouts = Layouts::default();
    let mut slots = vec![None; facts.len()];
    let mut sizes = base.sizes.clone();
    let mut records = Vec::new();
    for (at, rule) in rules.all.iter().enumerate().filter(|(_, rule)| rule.ground.is_none()) {
        let record = Record::new(base, &rule.flat);
        let asked = record.negated.iter().map(|atom| atom.relation).chain(record.numbered.clone());
        for id in asked.map(|id| stored(base, id)) {
            if slots[id.index()].is_some() {
                continue;
            }
            let mut columns = base.columns(id);
            let of = &facts[id.index()];
            sizes[id.index()] = of.size(columns.len());
            columns.push(Column::Anything);
            slots[id.index()] = Some(layouts.add_bag(columns, of.len));
        }
        records.push((at, record));
    }
    for id in base.flat.of(RelId::DOES) {
        let legal = stored(base, id).index();
        (slots[id.index()], sizes[id.index()]) = (slots[legal], sizes[legal].clone());
    }
    let mut kinds: BTreeMap<FlatId, FlatId> = BTreeMap::new();
    for (_, record) in &mut records {
        let FlatAtom { relation, columns } = &mut record.rule.head;
        *relation = *kinds.entry(*relation).or_insert_with(|| {
            let (is_set, columns) = (relation.0 % 2 == 1, vec![Column::Anything; columns.len()]);
            slots.push(Some(if is_set { layouts.add(columns) } else { layouts.add_bag(columns, 0) }));
            FlatId(slots.len() as u32 - 1)
        });
    }
    let mut keys = vec![0; facts.len()];
    for atom in records.iter().flat_map(|(_, record)| &record.negated) {
        if let Some(slot) = slots[atom.relation.index()] {
            let all: Vec<usize> = (0..atom.columns.len()).collect();
            keys[atom.relation.index()] = layouts.index(slot, &all);
        }
    }
    let demands = Demands::none(&base.flat);
    let world = World {
        universe: &base.universe,
        statics: &base.statics,
        slots: &slots,
        sizes: &sizes,
        demands: &demands,
    };
    let mut compiler = Compiler::new(&world, &mut layouts, records.iter().map(|(_, r)| &r.rule));
    let starts: Vec<Option<u32>> =
        records.iter().map(|(_, record)| compiler.rule(&record.rule, None)).collect();
    let code = compiler.finish(|_| true, &[]);
    let mut store = layouts.store(std::mem::take(&mut base.pool));
    let first = first_atoms(base, facts);
    let loaded: Vec<(FlatId, usize)> = ids(base)
        .filter(|&id| stored(base, id) == id)
        .filter_map(|id| Some((id, slots[id.index()]?)))
        .collect();
    let mut row = Vec::new();
    for &(id, slot) in &loaded {
        let facts = std::mem::take(&mut facts[id.index()]);
        for (number, fact) in (0..).zip(facts.rows()) {
            row.clear();
            row.extend_from_slice(fact);
            row.push(number);
            store.append(&layouts, slot, &row);
        }
    }
    let bytes = store.bytes() as u64;
    let mut numbered = Numbered { base, layouts: &layouts, store, slots: &slots, keys, first };
    let mut machine = Machine::new(&code);
    let job = Job { code: &code, layouts: &layouts, stages: &[] };
    let result = if bytes > meter.bytes { Err(Exhausted) } else { Ok(()) };
    meter.bytes = meter.bytes.saturating_sub(bytes);
    let mut all = records.iter().zip(starts);
    let result = result.and_then(|()| {
        all.try_for_each(|((at, record), start)| {
            let rule = &mut rules.all[*at];
            let slot = slots[record.rule.head.relation.index()];
            let (Some(start), Some(slot)) = (start, slot) else {
                rule.ground = Some(GroundRules::default());
                return Ok(());
            };
            let (before, most) = (meter.bytes, if rule.is_splittable { MANY + 1 } else { u64::MAX });
            let (id, steps) = ((rule.origin, start, slot), u64::MAX);
            let store = &mut numbered.store;
            let result = meter.run(&mut machine, (job, store), id, (steps, most));
            let found = u64::from(store.relations[slot].len);
            counts[rule.origin] += found;
            if !rule.is_splittable || found <= MANY {
                result?;
                let ground = numbered.ground(record, slot);
                meter.bytes = before.checked_sub(ground.bytes()).ok_or(Exhausted)?;
                rule.ground = Some(ground);
            } else {
                meter.bytes = before;
            }
            numbered.store.clear(&layouts, slot);
            Ok(())
        })
    });
    meter.bytes += bytes;
    let mut store = numbered.store;
    for (id, slot) in loaded {
        let rows = store.rows(&layouts, slot).map(|(_, row)| &row[..row.len() - 1]);
        facts[id.index()] = Facts::new(rows);
        store.relations[slot].values = Vec::new();
    }
    base.pool = store.pool;
    result
}

/// By flat relation the atom of its first fact, and how many atoms there are.
pub(super) fn first_atoms(base: &Base, facts: &[Facts]) -> Vec<u32> {
    let mut atoms = 0;
    let mut first: Vec<u32> = Vec::with_capacity(facts.len() + 1);
    for id in ids(base) {
        first.push(atoms);
        if base.changes(id) {
            atoms += facts[stored(base, id).index()].len;
        }
    }
    first.push(atoms);
    first
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
